// The numbers of the offset figure.

import { denominator, entry } from "./kit/formula.js";

/** @typedef {{d_model: number, position: number, offset: number, base: number, pair: number}} State */

/**
 * PE(p), sine and cosine in turn.
 * @param {number} p @param {State} state
 */
function encoding(p, { d_model, base }) {
  return Array.from({ length: d_model }, (_, c) => entry(p, c, d_model, base));
}

/**
 * M_k: for each pair the block [[cos kω, sin kω], [−sin kω, cos kω]], and nought elsewhere.
 * @param {State} state
 */
function offsetMatrix({ d_model, offset, base }) {
  const rows = Array.from({ length: d_model }, () => Array.from({ length: d_model }, () => 0)); // (d, d)
  for (let c = 0; c < d_model; c += 2) {
    const angle = offset / denominator(c / 2, d_model, base);
    rows[c][c] = rows[c + 1][c + 1] = Math.cos(angle);
    rows[c][c + 1] = Math.sin(angle);
    rows[c + 1][c] = -Math.sin(angle);
  }
  return rows;
}

/** The matrix times the vector. @param {number[][]} matrix @param {number[]} vector */
function product(matrix, vector) {
  return matrix.map((row) => row.reduce((sum, each, c) => sum + each * vector[c], 0));
}

/** The largest difference between two lists of numbers. @param {number[]} one @param {number[]} other */
function largestDifference(one, other) {
  return one.reduce((most, each, n) => Math.max(most, Math.abs(each - other[n])), 0);
}

/**
 * The angles of every pair, in radians; the matrix M_k, (d, d); PE(p), M_k PE(p) and PE(p + k), (d,)
 * each; and by how much the last two differ, entry by entry and at most.
 * @param {State} state
 */
export function numbers(state) {
  const { d_model, position, offset, base } = state;
  const turns = Array.from({ length: d_model / 2 }, (_, i) => {
    const divisor = denominator(i, d_model, base);
    return {
      before: position / divisor,
      by: offset / divisor,
      after: (position + offset) / divisor,
    };
  });
  const matrix = offsetMatrix(state),
    start = encoding(position, state),
    goal = encoding(position + offset, state);
  const moved = product(matrix, start);
  const difference = moved.map((each, c) => each - goal[c]);
  return { turns, matrix, start, moved, goal, difference, off: largestDifference(moved, goal) };
}

/**
 * By how much the last move changed M_k and PE(p) at most; nothing when it changed their size.
 * @param {ReturnType<typeof numbers>} now @param {ReturnType<typeof numbers>} [before]
 */
export function lastMove(now, before) {
  if (before?.start.length !== now.start.length) return undefined;
  return {
    matrix: largestDifference(now.matrix.flat(), before.matrix.flat()),
    start: largestDifference(now.start, before.start),
  };
}
