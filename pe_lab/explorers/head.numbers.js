// The numbers of a head that looks k back, and of the trained one beside it.

import { BACK, BASE, LENGTH, TRAINED_LENGTH, WIDEST } from "./from_python.js";
import { peak, softmax } from "./kit/attention.js";
import { frequencies, waveTable } from "./kit/formula.js";

/**
 * @typedef {{offset: number, d_model: number, gain: number, pairs: number, words: boolean,
 *   row: number, trained: boolean}} State
 */

/** Entry n of the random words, uniform with variance 1: a hash of n. @param {number} n */
export function word(n) {
  let hash = n + 1;
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  hash = (hash ^ (hash >>> 16)) >>> 0;
  return (hash / 2 ** 31 - 1) * Math.sqrt(3);
}

/** What the head reads: the columns of the fastest pairs, (LENGTH, 2 pairs). @param {State} state */
function inputs({ pairs, words }, /** @type {number[]} */ read) {
  const x = waveTable(LENGTH, read);
  const wide = 2 * pairs;
  if (words)
    for (let p = 0; p < LENGTH; p += 1)
      for (let c = 0; c < wide; c += 1) x[p * wide + c] += word(p * WIDEST + c);
  return x;
}

/**
 * The mean weight on the target, the position so far back, over the rows of a pattern that have one;
 * how many of these have their largest weight there; and how many they are.
 * @param {Float64Array} weights  row after row @param {number} offset
 * @param {number} first @param {number} end  of the rows that count
 */
function aims(weights, offset, first = 0, end = LENGTH) {
  let sum = 0,
    right = 0,
    have = 0;
  for (let p = first; p < end; p += 1) {
    const target = p - offset;
    if (target < 0 || target >= LENGTH) continue;
    const row = weights.subarray(p * LENGTH, (p + 1) * LENGTH);
    have += 1;
    sum += row[target];
    right += Number(row[target] === peak(row).weight);
  }
  return { onTarget: sum / have, right, have };
}

/**
 * What is the same for every row shown: the attention pattern, row after row, and how well it aims.
 * @param {State} state
 */
export function pattern(state) {
  const { offset, d_model, gain, pairs } = state;
  const read = frequencies(d_model, BASE).slice(0, pairs);
  const x = inputs(state, read);
  const wide = 2 * pairs;
  // M₋ₖ turns a pair back by the angle kω; the gain and 1/√d_model are in the factors.
  const factor = gain / Math.sqrt(d_model);
  const cosines = read.map((omega) => factor * Math.cos(offset * omega)),
    sines = read.map((omega) => factor * Math.sin(offset * omega));
  const weights = new Float64Array(LENGTH * LENGTH); // (LENGTH, LENGTH)
  const query = new Float64Array(wide);
  for (let p = 0; p < LENGTH; p += 1) {
    for (let i = 0; i < pairs; i += 1) {
      const s = x[p * wide + 2 * i],
        c = x[p * wide + 2 * i + 1];
      query[2 * i] = cosines[i] * s - sines[i] * c;
      query[2 * i + 1] = sines[i] * s + cosines[i] * c;
    }
    const row = weights.subarray(p * LENGTH, (p + 1) * LENGTH);
    for (let q = 0; q < LENGTH; q += 1) {
      let score = 0;
      for (let c = 0; c < wide; c += 1) score += query[c] * x[q * wide + c];
      row[q] = score;
    }
    softmax(row);
  }
  return { weights, ...aims(weights, offset) };
}

/** The weights of a row, and where the largest is. @param {Float64Array} weights @param {number} row */
function lookOf(weights, row) {
  const one = weights.subarray(LENGTH * row, LENGTH * (row + 1));
  return { one, looks: peak(one).at };
}

/**
 * The pattern, the weights of the chosen row, its target (which may lie outside), and where its
 * largest weight is.
 * @param {State} state @param {ReturnType<typeof pattern>} whole  of the same settings but the row
 */
export function numbers(state, whole = pattern(state)) {
  return { ...whole, ...lookOf(whole.weights, state.row), target: state.row - state.offset };
}

/**
 * The same of the trained head, which aims in the rows of the length of its training as it was
 * taught, and beyond it as it happens.
 * @param {State} state @param {Float64Array} weights  its pattern
 */
export function trainedNumbers({ row }, weights) {
  return {
    weights,
    ...aims(weights, BACK, BACK, TRAINED_LENGTH),
    beyond: aims(weights, BACK, TRAINED_LENGTH).onTarget,
    ...lookOf(weights, row),
    target: row - BACK,
  };
}
