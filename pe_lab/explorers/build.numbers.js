// The tensors of the steps, and the chosen number's way through them.

import { denominator, entry } from "./kit/formula.js";

/**
 * @typedef {{d_model: number, length: number, base: number, step: number, row: number,
 *   column: number}} State
 */

/**
 * A step's tensor as a table: a cell is found by its row and its column as drawn. Each has one
 * cell on the way to PE[row, column].
 * @typedef {object} Tensor
 * @property {number[]} from  the steps that it is made of
 * @property {(s: State) => number[]} shape  as torch has it
 * @property {(s: State) => number[]} size  its rows and columns, as drawn
 * @property {(r: number, c: number, s: State) => number} value  what cell (r, c) holds
 * @property {(s: State) => number[]} at  the cell on the way of the chosen number
 * @property {(r: number, c: number, s: State) => Partial<State>} pick  what choosing (r, c) sets
 * @property {(s: State) => number[]} [uses]  of `from`, those the chosen cell comes from, if not all
 */

/** How many pairs there are. @param {State} s */
const pairs = (s) => s.d_model / 2;
/** The pair of the chosen number. @param {State} s */
export const pair = (s) => s.column >> 1;
/** Its place in the pair: 0 is the sine, 1 the cosine. @param {State} s */
export const parity = (s) => s.column & 1;
/** @param {number} p @param {number} i @param {State} s */
const angle = (p, i, s) => p / denominator(i, s.d_model, s.base);
/** @param {number} p @param {number} c @param {State} s */
const pe = (p, c, s) => entry(p, c, s.d_model, s.base);

/** One row, a cell for each pair. @satisfies {Partial<Tensor>} */
const perPair = {
  shape: (/** @type {State} */ s) => [pairs(s)],
  size: (/** @type {State} */ s) => [1, pairs(s)],
  at: (/** @type {State} */ s) => [0, pair(s)],
};
/** A row for each position, a cell for each pair. @satisfies {Partial<Tensor>} */
const perPositionAndPair = {
  shape: (/** @type {State} */ s) => [s.length, pairs(s)],
  size: (/** @type {State} */ s) => [s.length, pairs(s)],
  at: (/** @type {State} */ s) => [s.row, pair(s)],
};
/** A row for each position, a cell for each column. @satisfies {Partial<Tensor>} */
const perPositionAndColumn = {
  size: (/** @type {State} */ s) => [s.length, s.d_model],
  at: (/** @type {State} */ s) => [s.row, s.column],
  pick: (/** @type {number} */ r, /** @type {number} */ c) => ({ row: r, column: c }),
  value: pe,
};

/** The steps in the order of pe_core.trace. @type {Tensor[]} */
export const TENSORS = [
  { ...perPair, from: [], value: (_, i) => 2 * i, pick: (_, i) => ({ column: 2 * i }) },
  { ...perPair, from: [], value: (_, i) => 2 * i + 1, pick: (_, i) => ({ column: 2 * i + 1 }) },
  {
    ...perPair,
    from: [0, 1],
    value: (_, i, s) => denominator(i, s.d_model, s.base),
    pick: (_, i, s) => ({ column: 2 * i + parity(s) }),
  },
  {
    from: [],
    shape: (s) => [s.length, 1],
    size: (s) => [s.length, 1],
    at: (s) => [s.row, 0],
    value: (p) => p,
    pick: (p) => ({ row: p }),
  },
  {
    ...perPositionAndPair,
    from: [3, 2],
    value: angle,
    pick: (p, i, s) => ({ row: p, column: 2 * i + parity(s) }),
  },
  {
    ...perPositionAndPair,
    from: [4],
    value: (p, i, s) => pe(p, 2 * i, s),
    pick: (p, i) => ({ row: p, column: 2 * i }),
  },
  {
    ...perPositionAndPair,
    from: [4],
    value: (p, i, s) => pe(p, 2 * i + 1, s),
    pick: (p, i) => ({ row: p, column: 2 * i + 1 }),
  },
  {
    ...perPositionAndColumn,
    from: [5, 6],
    shape: (s) => [s.length, pairs(s), 2],
    uses: (s) => [5 + parity(s)],
  },
  { ...perPositionAndColumn, from: [7], shape: (s) => [s.length, s.d_model] },
];

/** One tensor, and the cell on the chosen number's way. @param {number} step @param {State} state */
function tensor(step, state) {
  const { shape, size, value, at } = TENSORS[step];
  const [rows, columns] = size(state);
  const values = Array.from({ length: rows }, (_, r) =>
    Array.from({ length: columns }, (__, c) => value(r, c, state)),
  );
  return { step, shape: shape(state), values, at: at(state) };
}

/**
 * The tensor of the present step, those it is made of, which of these the chosen number uses, and
 * the number itself.
 * @param {State} state
 */
export function numbers(state) {
  const { from, uses } = TENSORS[state.step];
  return {
    shown: tensor(state.step, state),
    sources: from.map((each) => tensor(each, state)),
    used: uses ? uses(state) : from,
    value: chosen(state.step, state),
  };
}

/** What a step's cell on the chosen number's way holds. @param {number} step @param {State} state */
export function chosen(step, state) {
  const { at, value } = TENSORS[step];
  const [r, c] = at(state);
  return value(r, c, state);
}
