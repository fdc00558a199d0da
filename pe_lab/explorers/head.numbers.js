// The numbers of a head that looks k back.

import { LENGTH, WIDEST } from "./from_python.js";
import { frequencies, waveTable } from "./kit/formula.js";

/**
 * @typedef {{offset: number, d_model: number, gain: number, pairs: number, words: boolean,
 *   row: number}} State
 */

const BASE = 10000;

/** Entry n of the random words, uniform with variance 1: a hash of n. @param {number} n */
export function word(n) {
  let hash = n + 1;
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  hash = (hash ^ (hash >>> 16)) >>> 0;
  return (hash / 2 ** 31 - 1) * Math.sqrt(3);
}

/** What the head reads: the columns of the fastest pairs, (LENGTH, 2 pairs). @param {State} state */
function inputs({ d_model, pairs, words }) {
  const read = frequencies(d_model, BASE).slice(0, pairs);
  const x = waveTable(LENGTH, read);
  if (words)
    for (let at = 0; at < x.length; at += 1) {
      const p = Math.floor(at / (2 * pairs)),
        c = at % (2 * pairs);
      x[at] += word(p * WIDEST + c);
    }
  return { x, read };
}

/**
 * The attention pattern, row after row; the mean weight on the target, over the positions that
 * have one; and how many of them have their largest weight there.
 * @param {State} state
 */
export function numbers(state) {
  const { offset, d_model, gain, pairs } = state;
  const { x, read } = inputs(state);
  const wide = 2 * pairs;
  const weights = new Float64Array(LENGTH * LENGTH); // (LENGTH, LENGTH)
  const query = new Float64Array(wide);
  let onTarget = 0,
    right = 0,
    have = 0;
  for (let p = 0; p < LENGTH; p += 1) {
    read.forEach((omega, i) => {
      // M₋ₖ turns the pair back by the angle kω.
      const cosine = Math.cos(offset * omega),
        sine = Math.sin(offset * omega),
        [s, c] = x.subarray(p * wide + 2 * i, p * wide + 2 * i + 2);
      query[2 * i] = cosine * s - sine * c;
      query[2 * i + 1] = sine * s + cosine * c;
    });
    const row = weights.subarray(p * LENGTH, (p + 1) * LENGTH);
    for (let q = 0; q < LENGTH; q += 1) {
      let score = 0;
      for (let c = 0; c < wide; c += 1) score += query[c] * x[q * wide + c];
      row[q] = (gain * score) / Math.sqrt(d_model);
    }
    softmax(row);
    const target = p - offset;
    if (target < 0 || target >= LENGTH) continue;
    have += 1;
    onTarget += row[target];
    right += Number(row[target] === Math.max(...row));
  }
  return { weights, onTarget: onTarget / have, right, have };
}

/** Exponentials, divided by their sum, in place. @param {Float64Array} row */
function softmax(row) {
  const most = Math.max(...row);
  let sum = 0;
  for (let q = 0; q < row.length; q += 1) sum += row[q] = Math.exp(row[q] - most);
  for (let q = 0; q < row.length; q += 1) row[q] /= sum;
}
