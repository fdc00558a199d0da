// The numbers of one attention layer on a short sentence.

import { MATRICES, VOCABULARY } from "./from_python.js";
import { entry } from "./kit/formula.js";

/** @typedef {{sentence: string, positions: boolean, place: number}} State */
/** @typedef {number[][]} Matrix  rows of numbers */

const BASE = 10000;

/** The product of two matrices. @param {Matrix} a @param {Matrix} b @returns {Matrix} */
function times(a, b) {
  return a.map((row) => b[0].map((_, c) => row.reduce((sum, each, k) => sum + each * b[k][c], 0)));
}

/** The weights of one row: exponentials, divided by their sum. @param {number[]} scores */
function softmax(scores) {
  const most = Math.max(...scores);
  const all = scores.map((each) => Math.exp(each - most));
  const sum = all.reduce((total, each) => total + each, 0);
  return all.map((each) => each / sum);
}

/**
 * What attention returns for the words, and who looks at whom.
 * @param {string[]} words @param {boolean} positions
 */
function attention(words, positions) {
  const x = words.map((word, p) =>
    VOCABULARY[word].map((each, c) => each + (positions ? entry(p, c, 4, BASE) : 0)),
  ); // (length, 4)
  const queries = times(x, MATRICES.query),
    keys = times(x, MATRICES.key); // (length, 4) each
  const scores = queries.map((query) =>
    keys.map((key) => query.reduce((sum, each, c) => sum + each * key[c], 0) / Math.sqrt(4)),
  ); // (length, length)
  const weights = scores.map(softmax);
  return { weights, output: times(weights, times(x, MATRICES.value)) };
}

/**
 * The layer's output and weights, and by how much at most an output differs from what the same
 * word gets when the words stand in alphabetical order.
 * @param {State} state
 */
export function numbers({ sentence, positions }) {
  const words = sentence.split(" ");
  const { weights, output } = attention(words, positions);
  const order = words.map((_, p) => p);
  order.sort((a, b) => (words[a] < words[b] ? -1 : words[a] > words[b] ? 1 : a - b));
  const sorted = attention(
    order.map((p) => words[p]),
    positions,
  ).output;
  const change = order.flatMap((p, n) => sorted[n].map((each, c) => Math.abs(each - output[p][c])));
  return { words, weights, output, change: Math.max(...change) };
}

/**
 * The sentence with the word at one place moved to another.
 * @param {string} sentence @param {number} start @param {number} goal
 */
export function moved(sentence, start, goal) {
  const words = sentence.split(" ");
  words.splice(goal, 0, ...words.splice(start, 1));
  return words.join(" ");
}
