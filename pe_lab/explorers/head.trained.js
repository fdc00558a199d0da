// The head that a model learned, on the positions of the head made by hand; trained_head.py says
// what it reads. d columns, all of them the one head's; matrices row after row.

import { BASE, LENGTH, TEXT } from "./from_python.js";
import { softmax } from "./kit/attention.js";
import { frequencies, waveTable } from "./kit/formula.js";
import { readTensors } from "./kit/safetensors.js";

const EPSILON = 1e-5; // torch's, in a layer norm

/** The head and what stands before it, from its file. @param {DataView} file */
export function readHead(file) {
  const { words, scale, shift, W_Q, W_K } = readTensors(file).tensors;
  return {
    words: words.data,
    scale: scale.data,
    shift: shift.data,
    W_Q: W_Q.data,
    W_K: W_K.data,
  };
}

/** @typedef {ReturnType<typeof readHead>} Head */

/** The mean of a row and its variance. @param {Float64Array} row */
function spread(row) {
  const middle = row.reduce((sum, each) => sum + each, 0) / row.length;
  const squares = row.reduce((sum, each) => sum + (each - middle) ** 2, 0);
  return { middle, variance: squares / row.length };
}

/** The mean variance of a row, over all words at all positions. @param {Head} head @param {Float64Array} positions */
function usualVariance({ words, scale }, positions) {
  const d = scale.length;
  const row = new Float64Array(d);
  let sum = 0;
  for (let at = 0; at < positions.length; at += d)
    for (let word = 0; word < words.length; word += d) {
      for (let c = 0; c < d; c += 1) row[c] = positions[at + c] + words[word + c];
      sum += spread(row).variance;
    }
  return sum / ((positions.length / d) * (words.length / d));
}

/** The rows of a text as the norm leaves them, (LENGTH, d). @param {Head} head @param {Float64Array} positions */
function wholeRows({ words, scale, shift }, positions) {
  const d = scale.length;
  const seen = positions.map((each, at) => each + words[TEXT[Math.floor(at / d)] * d + (at % d)]);
  for (let at = 0; at < seen.length; at += d) {
    const row = seen.subarray(at, at + d);
    const { middle, variance } = spread(row);
    const deviation = Math.sqrt(variance + EPSILON);
    for (let c = 0; c < d; c += 1) row[c] = (scale[c] * (row[c] - middle)) / deviation + shift[c];
  }
  return seen;
}

/** What the positions add to them, divided as rows usually are. @param {Head} head @param {Float64Array} positions */
function positionRows(head, positions) {
  const d = head.scale.length;
  const deviation = Math.sqrt(usualVariance(head, positions));
  const seen = positions.slice();
  for (let at = 0; at < seen.length; at += d) {
    const row = seen.subarray(at, at + d);
    const { middle } = spread(row);
    for (let c = 0; c < d; c += 1) row[c] = (head.scale[c] * (row[c] - middle)) / deviation;
  }
  return seen;
}

/**
 * All products of a row of one with a row of the other, x yᵀ.
 * @param {Float64Array} x @param {Float64Array} y @param {number} columns
 */
function products(x, y, columns) {
  const wide = y.length / columns;
  const result = new Float64Array((x.length / columns) * wide);
  for (let at = 0; at < result.length; at += 1) {
    const row = columns * Math.floor(at / wide),
      other = columns * (at % wide);
    let sum = 0;
    for (let c = 0; c < columns; c += 1) sum += x[row + c] * y[other + c];
    result[at] = sum;
  }
  return result;
}

/**
 * The attention pattern of the trained head, (LENGTH, LENGTH).
 * @param {Head} head @param {boolean} words
 */
export function trainedPattern(head, words) {
  const d = head.scale.length;
  const positions = waveTable(LENGTH, frequencies(d, BASE));
  const seen = (words ? wholeRows : positionRows)(head, positions);
  const queries = products(seen, head.W_Q, d),
    keys = products(seen, head.W_K, d);
  const weights = products(queries, keys, d).map((each) => each / Math.sqrt(d));
  for (let at = 0; at < weights.length; at += LENGTH) softmax(weights.subarray(at, at + LENGTH));
  return weights;
}
