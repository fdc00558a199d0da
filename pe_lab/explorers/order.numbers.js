// The numbers of one attention layer on a short sentence.

import { BASE, MATRICES, VOCABULARY } from "./from_python.js";
import { softmax } from "./kit/attention.js";
import { entry } from "./kit/formula.js";

/** @typedef {{sentence: string, positions: boolean, place: number}} State */
/** @typedef {number[][]} Matrix  rows of numbers */

/** The product of two matrices. @param {Matrix} a @param {Matrix} b @returns {Matrix} */
function times(a, b) {
  return a.map((row) => b[0].map((_, c) => row.reduce((sum, each, k) => sum + each * b[k][c], 0)));
}

/** Words in the order of a dictionary, which passes over capitals. @param {string[]} words */
function alphabetical(words) {
  return [...words].sort((one, other) => one.localeCompare(other, "en"));
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
 * Where each word stands in another sentence, -1 for none; words of one name in their order.
 * @param {string[]} words @param {string[]} other
 */
export function placesIn(words, other) {
  const free = other.map((word, p) => ({ word, p }));
  return words.map((word) => {
    const at = free.findIndex((each) => each.word === word);
    return at < 0 ? -1 : free.splice(at, 1)[0].p;
  });
}

/**
 * The layer's output and weights, and by how much at most an output differs from what the same
 * word gets in the alphabetical or in the reversed order: a sentence is one of them at most, but
 * where all its words are the same.
 * @param {State} state
 */
export function numbers({ sentence, positions }) {
  const words = sentence.split(" ");
  const { weights, output } = attention(words, positions);
  const change = [alphabetical(words), [...words].reverse()].flatMap((other) => {
    const there = attention(other, positions).output;
    return placesIn(words, other).flatMap((to, p) =>
      output[p].map((each, c) => Math.abs(each - there[to][c])),
    );
  });
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
