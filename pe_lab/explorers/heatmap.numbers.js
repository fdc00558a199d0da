// The numbers of the heat map.

import { denominator, entry, frequencies, wavelength, waveTable } from "./kit/formula.js";

/** @typedef {{length: number, d_model: number, base: number, row: number, column: number}} State */

/**
 * The encoding, row after row, (rows, d). A longer table begins with the shorter one.
 * @param {number} rows @param {Pick<State, "d_model" | "base">} state @param {Float64Array} [space]
 */
export function table(rows, { d_model, base }, space) {
  const omegas = frequencies(d_model, base);
  return waveTable(rows, omegas, omegas, space);
}

/**
 * What the cross-hair shows: the number under it, its row as a vector, its column as a wave, and
 * the frequency of that column.
 * @param {State} state
 * @param {Float64Array} all  the table of the same width and base, at least as long
 */
export function numbers(state, all = table(state.length, state)) {
  const { length, d_model: d, base, row, column } = state;
  const pair = column >> 1,
    wave = wavelength(pair, d, base);
  return {
    value: entry(row, column, d, base),
    divisor: denominator(pair, d, base),
    omega: 1 / denominator(pair, d, base),
    wavelength: wave,
    turns: (length - 1) / wave,
    vector: all.subarray(row * d, (row + 1) * d),
    wave: Float64Array.from({ length }, (_, p) => all[p * d + column]),
  };
}
