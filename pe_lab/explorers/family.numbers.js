// The numbers of the family: what each encoding adds to the score of a query and a key.

import { HEADS, REACH } from "./from_python.js";
import { bucketOf } from "./kit/buckets.js";
import { frequencies } from "./kit/formula.js";

/**
 * @typedef {{one: string, two: string, aim: number, d_model: number, base: number,
 *   scaling: string, factor: number, max_length: number, head: number, buckets: number,
 *   max_distance: number, clip: number}} State
 */

/** The turns in max_length positions between which YaRN's ramp lies. */
const FAST = 32;
const SLOW = 1;

/**
 * How much of its frequency each pair keeps with YaRN, from 1, all of it, to 0.
 * @param {State} state
 */
function yarnRamp({ d_model: d, base, max_length: length }) {
  /** The number of the pair that makes so many turns. */
  const pairWith = (/** @type {number} */ turns) =>
    (d * Math.log(length / turns / (2 * Math.PI))) / (2 * Math.log(base));
  const first = Math.max(Math.floor(pairWith(FAST)), 0),
    last = Math.min(Math.ceil(pairWith(SLOW)), d - 1);
  const span = Math.max(last - first, 0.001);
  return Array.from({ length: d / 2 }, (_, i) => 1 - Math.min(1, Math.max(0, (i - first) / span)));
}

/**
 * The frequencies after the stretching of RoPE, in radians per position.
 * @param {State} state
 */
export function stretched(state) {
  const { d_model: d, base, scaling, factor } = state;
  const omegas = frequencies(d, base);
  if (scaling === "interpolation") return omegas.map((omega) => omega / factor);
  if (scaling === "NTK-aware") return frequencies(d, base * factor ** (d / (d - 2)));
  if (scaling === "none") return omegas;
  const kept = yarnRamp(state);
  return omegas.map((omega, i) => kept[i] * omega + ((1 - kept[i]) * omega) / factor);
}

/**
 * The mean over the pairs of cos(k ω' - aim ω) for every offset k: a head that was made to look at
 * the aim with the frequencies ω, read with ω'.
 * @param {number} aim @param {number[]} omegas  those it was made with
 * @param {number[]} now  those of the positions
 */
function turnedBy(aim, omegas, now) {
  return everyOffset((k) => {
    let sum = 0;
    for (let i = 0; i < now.length; i += 1) sum += Math.cos(k * now[i] - aim * omegas[i]);
    return sum / now.length;
  });
}

/** @param {(k: number) => number} score */
function everyOffset(score) {
  return Array.from({ length: 2 * REACH + 1 }, (_, n) => score(n - REACH));
}

/** The distance from which on all share T5's last bucket. @param {State} state */
export function lastBucket(state) {
  let distance = 0;
  while (bucketOf(-distance, state) < state.buckets - 1) distance += 1;
  return distance;
}

/** ALiBi's slope. @param {State} state */
export function slope({ head }) {
  return 2 ** ((-8 * head) / HEADS);
}

/** Shaw's offset, clipped. @param {number} k @param {State} state */
function clipped(k, { clip }) {
  return Math.max(-clip, Math.min(clip, k));
}

/** By how much YaRN lengthens queries and keys. @param {State} state */
function sharpening({ scaling, factor }) {
  return scaling === "YaRN" ? 0.1 * Math.log(factor) + 1 : 1;
}

/**
 * The scores of the encodings at the offsets -REACH, -REACH + 1, …: as far as there are any.
 * @type {Record<string, (state: State) => number[]>}
 */
const SCORES = {
  sinusoid(state) {
    const omegas = frequencies(state.d_model, state.base);
    const now = omegas.map((omega) => omega / state.factor);
    return turnedBy(state.aim, omegas, now);
  },
  RoPE(state) {
    const omegas = frequencies(state.d_model, state.base);
    const longer = sharpening(state) ** 2;
    return turnedBy(state.aim, omegas, stretched(state)).map((each) => longer * each);
  },
  "learned table": ({ aim, max_length }) =>
    max_length > REACH ? everyOffset((k) => Number(k === aim)).slice(0, max_length) : [],
  Shaw: (state) => everyOffset((k) => Number(clipped(k, state) === clipped(state.aim, state))),
  "T5 bias": (state) => {
    const aimed = bucketOf(state.aim, state);
    return everyOffset((k) => Number(bucketOf(k, state) === aimed));
  },
  ALiBi: (state) => everyOffset((k) => 0 - slope(state) * Math.abs(k)),
  none: () => everyOffset(() => 0),
};

/**
 * The settings that an encoding reads.
 * @param {string} name @param {State} state
 */
export function uses(name, { scaling }) {
  if (name === "sinusoid") return ["aim", "d_model", "base", "factor"];
  if (name === "learned table") return ["aim", "max_length"];
  if (name === "Shaw") return ["aim", "clip"];
  if (name === "T5 bias") return ["aim", "buckets", "max_distance"];
  if (name === "ALiBi") return ["head"];
  if (name === "none") return [];
  const more = { none: [], YaRN: ["factor", "max_length"] }[scaling] ?? ["factor"];
  return ["aim", "d_model", "base", "scaling", ...more];
}

/**
 * The largest of the scores: the first and the last offset that has it, how many have it, and how
 * far it is above the next one, if there is one.
 * @param {number[]} scores
 */
function summit(scores) {
  const most = Math.max(...scores);
  const shared = scores.flatMap((each, n) => (most - each < 1e-9 ? [n - REACH] : []));
  const others = scores.filter((each) => most - each >= 1e-9);
  return {
    first: shared[0],
    last: shared[shared.length - 1],
    count: shared.length,
    ahead: others.length ? most - Math.max(...others) : null,
  };
}

/** The scores of both encodings, and what is largest in them. @param {State} state */
export function numbers(state) {
  return [state.one, state.two].map((name) => {
    const scores = SCORES[name](state);
    return { scores, summit: scores.length ? summit(scores) : null };
  });
}
