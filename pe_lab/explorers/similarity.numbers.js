// The numbers of the similarity figure.

import { waveTable } from "./kit/formula.js";
import { BASE, SCHEDULES } from "./from_python.js";

/**
 * @typedef {{d_model: number, length: number, position: number, schedule: string,
 *   first_rise: boolean}} State
 */

/**
 * The frequencies of a schedule, in radians per position: of the sines and of the cosines.
 * @param {State} state
 */
function frequenciesOf({ d_model: d, schedule }) {
  const { sine, cosine } = SCHEDULES[schedule];
  return [sine, cosine].map(([a, b]) =>
    Array.from({ length: d / 2 }, (_, i) => BASE ** ((a * i + b) / d)),
  );
}

/**
 * The dot products of row p with every row of a table (L, d).
 * @param {Float64Array} table @param {number} length @param {number} d @param {number} p
 */
function products(table, length, d, p) {
  const all = new Float64Array(length); // (L,)
  for (let q = 0; q < length; q += 1) {
    let sum = 0;
    for (let c = 0; c < d; c += 1) sum += table[p * d + c] * table[q * d + c];
    all[q] = sum;
  }
  return all;
}

/**
 * What a schedule does, whatever p: the table; the curve of row 0; how far the dot product at one
 * offset varies with p; between which values every dot product lies; and after which offset the
 * curve of row 0 rises for the first time, -1 where it never does.
 *
 * With frequencies a for the sine and b for the cosine of a pair,
 *   sin(ap) sin(aq) + cos(bp) cos(bq)
 *     = (cos a(q-p) + cos b(q-p)) / 2  +  (cos b(q+p) - cos a(q+p)) / 2,
 * a part of the offset q - p alone and a part of the sum q + p. All sums that go with one offset
 * have its parity, and offsets 0 and 1 have the most of them.
 * @param {State} state @param {Float64Array} [space]  where to write the table
 */
export function analyse(state, space) {
  const { d_model: d, length } = state;
  const [a, b] = frequenciesOf(state);
  const table = waveTable(length, a, b, space); // (L, d)
  const sums = 2 * length - 1;
  const ofA = cosineSums(sums, a),
    ofB = a.every((each, i) => each === b[i]) ? ofA : cosineSums(sums, b); // (2L - 1,)
  const ofSum = ofA.map((each, m) => (ofB[m] - each) / 2);
  const ofOffset = ofA.subarray(0, length).map((each, k) => (ofB[k] + each) / 2); // (L,)
  const byParity = [0, 1].map((parity) => ofSum.filter((_, m) => m % 2 === parity));
  const start = products(table, length, d, 0);
  return {
    table,
    start,
    spread: Math.max(...byParity.map((each) => Math.max(...each) - Math.min(...each))),
    low: Math.min(0, Math.min(...ofOffset) + Math.min(...ofSum)),
    high: Math.max(...ofOffset) + Math.max(...ofSum),
    rise: start.findIndex((each, k) => k + 1 < length && start[k + 1] > each),
  };
}

/** Σ_i cos(ω_i m) for m = 0, 1, …, by the same recurrence as the table. @param {number} count @param {number[]} omegas */
function cosineSums(count, omegas) {
  const sums = new Float64Array(count);
  const factor = Float64Array.from(omegas, (omega) => 2 * Math.cos(omega));
  const now = new Float64Array(omegas.length).fill(1),
    before = Float64Array.from(omegas, Math.cos); // the cosine is even: cos(-ω) = cos ω
  for (let m = 0; m < count; m += 1) {
    let sum = 0;
    for (let i = 0; i < now.length; i += 1) {
      const cosine = now[i];
      sum += cosine;
      now[i] = factor[i] * cosine - before[i];
      before[i] = cosine;
    }
    sums[m] = sum;
  }
  return sums;
}

/**
 * The curve of row p; its value beside offset 0, at offset `step`; and its largest difference from
 * the curve of row 0.
 * @param {State} state @param {ReturnType<typeof analyse>} whole  of the same schedule and sizes
 */
export function numbers(state, whole = analyse(state)) {
  const { length, d_model, position: p } = state;
  const { start, spread, rise } = whole;
  const curve = products(whole.table, length, d_model, p);
  const step = p + 1 < length ? 1 : -1;
  const apart = curve.map((each, q) => Math.abs(each - start[Math.abs(q - p)]));
  return {
    curve,
    start,
    norm: curve[p],
    step,
    beside: curve[p + step],
    fromStart: Math.max(...apart),
    spread,
    rise,
  };
}
