// The numbers of the counter whose digits become hands.

import { BASE, D_MODEL, LIMITS } from "./from_python.js";
import { denominator, wavelength } from "./kit/formula.js";

/** @typedef {{position: number, radix: number, smooth: number, speed: string}} State */

/**
 * @typedef {object} Hand
 * @property {number} angle  in radians, clockwise from twelve
 * @property {number} next  its angle one position further
 * @property {number} digit  what the digit of the counter reads
 * @property {number} period  in how many positions it goes once round
 */

/** How many digits the last position needs. @param {number} radix */
export function digits(radix) {
  let count = 1;
  while (radix ** count <= LIMITS.position.high) count += 1;
  return count;
}

/**
 * The angle of hand j at a position. @param {number} p @param {number} j @param {State} state
 */
function angle(p, j, { radix, smooth, speed }) {
  if (speed === "paper") return p / denominator(j, D_MODEL, BASE);
  const ticks = Math.floor(p / radix ** j) / radix,
    turns = p / radix ** (j + 1);
  return 2 * Math.PI * (ticks + (smooth / 100) * (turns - ticks));
}

/**
 * Every hand, slow ones first as digits are written; how far the row is from the next; and the
 * same for all positions.
 * @param {State} state
 */
export function numbers(state) {
  const { position, radix, speed } = state;
  const count = speed === "paper" ? D_MODEL / 2 : digits(radix);
  const slowFirst = Array.from({ length: count }, (_, n) => count - 1 - n);
  const hands = slowFirst.map((j) => ({
    angle: angle(position, j, state),
    next: angle(position + 1, j, state),
    digit: Math.floor(position / radix ** j) % radix,
    period: speed === "paper" ? wavelength(j, D_MODEL, BASE) : radix ** (j + 1),
  }));
  // Two tips with an angle between them are twice the sine of its half apart.
  const distances = Array.from({ length: LIMITS.position.high + 1 }, (_, p) =>
    Math.hypot(
      ...slowFirst.map((j) => 2 * Math.sin((angle(p + 1, j, state) - angle(p, j, state)) / 2)),
    ),
  );
  return { hands, distance: distances[position], distances };
}
