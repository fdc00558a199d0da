// The settings of an explorer, within the limits that Python names.

import { CHOICES, LIMITS, SENTENCES, TEXTS } from "../from_python.js";

/** @typedef {Record<string, number | string | boolean>} State  the settings: trait name to value */
/** @typedef {(change: State) => void} Change  sets some of the settings */

/** The names of all settings; one whose limit depends on another comes after it. */
export const NAMES = [SENTENCES, TEXTS, CHOICES, LIMITS]
  .flatMap(Object.keys)
  .sort(
    (one, other) =>
      Number(LIMITS[one]?.below !== undefined) - Number(LIMITS[other]?.below !== undefined),
  );

/**
 * The largest value that a setting may have beside the others.
 * @param {string} name @param {State} state
 */
export function highest(name, state) {
  const { high, below, per = 1, counts } = LIMITS[name];
  if (below === undefined) return high;
  const value = state[below],
    size = typeof value === "string" ? value.split(" ").length : Number(value);
  return Math.min(high, Math.ceil(size / per) - (counts ? 0 : 1));
}

/**
 * The whole number between two limits, both allowed, that is nearest; 0 stands for what is none.
 * @param {number} value @param {number} low @param {number} high
 */
export function whole(value, low, high) {
  return Math.min(high, Math.max(low, Math.round(value) || 0));
}

/**
 * The allowed value nearest to what was asked for.
 * @param {string} name @param {unknown} wanted @param {State} state
 */
function nearest(name, wanted, state) {
  if (name in CHOICES) {
    const { values, start } = CHOICES[name];
    return values.find((each) => each === wanted) ?? start;
  }
  if (name in SENTENCES) {
    const { vocabulary, fewest, most, start } = SENTENCES[name];
    const words = String(wanted)
      .split(" ")
      .filter((word) => vocabulary.includes(word))
      .slice(0, most);
    return words.length < fewest ? start : words.join(" ");
  }
  if (name in TEXTS) {
    const { alphabet, most } = TEXTS[name];
    const letters = [...String(wanted ?? "").toUpperCase()];
    return letters
      .filter((each) => alphabet.includes(each))
      .slice(0, most)
      .join("");
  }
  const { low, step } = LIMITS[name],
    high = highest(name, state);
  if (step === 0) return Math.min(high, Math.max(low, Number(wanted) || low));
  return step * whole(Number(wanted) / step, low / step, high / step);
}

/**
 * All settings, each moved to the nearest value that is allowed.
 * @param {Record<string, unknown>} wanted
 */
export function clean(wanted) {
  /** @type {State} */ const state = {};
  for (const name of NAMES) state[name] = nearest(name, wanted[name], state);
  return state;
}

/**
 * The settings after the reader has changed some. A count that was all there are remains all:
 * whoever reads every pair reads every pair at another width.
 * @param {State} state @param {State} change
 */
export function after(state, change) {
  const counts = NAMES.filter(
    (name) => LIMITS[name]?.counts && state[name] === highest(name, state),
  );
  const all = Object.fromEntries(counts.map((name) => [name, LIMITS[name].high]));
  return clean({ ...state, ...all, ...change });
}
