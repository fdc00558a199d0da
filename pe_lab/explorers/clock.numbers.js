// The numbers of the clocks.

import { denominator, wavelength } from "./kit/formula.js";

/** @typedef {{d_model: number, position: number, base: number, pair: number}} State */

/**
 * @typedef {object} Clock
 * @property {number} angle  of its hand, in radians, clockwise from twelve
 * @property {number} sine
 * @property {number} cosine
 * @property {number} turns  that its hand has made
 * @property {number} wavelength  in positions
 */

/**
 * Every clock, and how far hand 0 and the whole row are from where they stood at position 0.
 * @param {State} state
 */
export function numbers({ d_model, position, base }) {
  const clocks = Array.from({ length: d_model / 2 }, (_, i) => {
    const angle = position / denominator(i, d_model, base);
    return {
      angle,
      sine: Math.sin(angle),
      cosine: Math.cos(angle),
      turns: angle / (2 * Math.PI),
      wavelength: wavelength(i, d_model, base),
    };
  });
  // The two columns of a pair are 2 |sin(angle / 2)| from where they began.
  const chords = clocks.map(({ angle }) => 2 * Math.abs(Math.sin(angle / 2)));
  return { clocks, first: chords[0], row: Math.hypot(...chords) };
}
