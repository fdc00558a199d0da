// The numbers of the clinic: a patient's table, what a test shows of it, and where a name is wrong.

import { BASE, CUT, OFFSETS, PATIENTS, SHIFTS } from "./from_python.js";

/**
 * @typedef {{patient: number, test: string, named: string, program: boolean, d_model: number,
 *   length: number}} State
 */
/** @typedef {Float64Array[]} Curves  one number for a row, an offset or a column */

/** @param {number} c */
const pairOf = (c) => Math.floor(c / 2);
const power = (/** @type {number} */ exponent, base = BASE) => base ** -exponent;
/** @param {number} c @param {number} d */
const paper = (c, d) => power((2 * pairOf(c)) / d);

/**
 * The formula in parts, as pe_lab.diagnosis.recipe has them.
 * @typedef {object} Parts
 * @property {(p: number) => number} position
 * @property {(c: number, d: number, length: number) => number} omega
 * @property {(angle: number, odd: boolean) => number} wave
 * @property {(c: number, d: number) => number} column  which of the interleaved columns stands at c
 * @property {(value: number, p: number) => number} finish
 */

/** @type {Parts} */
const FORMULA = {
  position: (p) => p,
  omega: paper,
  wave: (angle, odd) => (odd ? Math.cos(angle) : Math.sin(angle)),
  column: (c) => c,
  finish: (value) => value,
};

/** Each mistake is one part that is not the formula's. @type {Record<string, Partial<Parts>>} */
const MISTAKES = {
  right: {},
  "raw-column": { omega: (c, d) => power((2 * c) / d) },
  "own-column": { omega: (c, d) => power(c / d) },
  "doubled-exponent": { omega: (c, d) => power((4 * pairOf(c)) / d) },
  "pair-number-only": { omega: (c, d) => power(pairOf(c) / d) },
  "length-for-width": { omega: (c, _, length) => power((2 * pairOf(c)) / length) },
  "base-1000": { omega: (c, d) => power((2 * pairOf(c)) / d, 1000) },
  "all-one": { omega: () => 1 },
  precedence: { omega: (c) => Math.exp(-2 * pairOf(c)) },
  "power-exchanged": { omega: (c, d) => ((2 * pairOf(c)) / d) ** 1e-4 },
  "power-chain": { omega: (c, d) => 10 ** -(4 ** ((2 * pairOf(c)) / d)) },
  multiplied: { omega: (c, d) => 1 / paper(c, d) },
  degrees: { omega: (c, d) => (paper(c, d) * Math.PI) / 180 },
  "from-1": { position: (p) => p + 1 },
  "one-position": { position: () => 0 },
  exchanged: { wave: (angle, odd) => (odd ? Math.sin(angle) : Math.cos(angle)) },
  "sines-alone": { wave: Math.sin },
  halves: { column: (c, d) => (c < d / 2 ? 2 * c : 2 * (c - d / 2) + 1) },
  "row-0-zero": { finish: (value, p) => (p ? value : 0) },
};

/**
 * The table with a mistake in it, row after row, (L, d).
 * @param {string} mistake @param {Pick<State, "length" | "d_model">} size
 */
export function tableOf(mistake, { length, d_model: d }) {
  const { position, omega, wave, column, finish } = { ...FORMULA, ...MISTAKES[mistake] };
  const table = new Float64Array(length * d);
  for (let c = 0; c < d; c += 1) {
    const from = column(c, d),
      turn = omega(from, d, length);
    for (let p = 0; p < length; p += 1)
      table[p * d + c] = finish(wave(position(p) * turn, from % 2 === 1), p);
  }
  return table;
}

/**
 * The product of two lists of numbers, or of rows at two places of a table.
 * @param {Float64Array} a @param {Float64Array} b @param {number} n
 */
function dot(a, b, n = a.length, i = 0, j = 0) {
  let sum = 0;
  for (let c = 0; c < n; c += 1) sum += a[i + c] * b[j + c];
  return sum;
}

/**
 * A matrix as the singular value decomposition has it, from its columns: they are turned, two at a
 * time, until all stand at right angles (Jacobi). What is smaller than CUT of the largest is left
 * out. Each of the rest comes with the combination of columns that it is.
 * @param {Float64Array[]} columns
 */
function atRightAngles(columns) {
  const d = columns.length;
  const turned = columns.map((each) => each.slice()),
    made = columns.map((_, c) => Float64Array.from({ length: d }, (__, b) => Number(b === c)));
  const least = (1e-3 * CUT) ** 2 * Math.max(...turned.map((each) => dot(each, each)));
  let moved = true;
  for (let sweep = 0; moved && sweep < 30; sweep += 1) {
    moved = false;
    for (let a = 0; a < d; a += 1)
      for (let b = a + 1; b < d; b += 1) {
        const aa = dot(turned[a], turned[a]),
          bb = dot(turned[b], turned[b]),
          ab = dot(turned[a], turned[b]);
        if (aa < least || bb < least || Math.abs(ab) < 1e-14 * Math.sqrt(aa * bb)) continue;
        moved = true;
        const angle = 0.5 * Math.atan2(2 * ab, aa - bb),
          cosine = Math.cos(angle),
          sine = Math.sin(angle);
        for (const pair of [turned, made]) turn(pair[a], pair[b], cosine, sine);
      }
  }
  const sizes = turned.map((each) => Math.sqrt(dot(each, each)));
  const largest = Math.max(...sizes);
  return turned.flatMap((column, c) =>
    sizes[c] > CUT * largest ? [{ column, made: made[c], square: sizes[c] ** 2 }] : [],
  );
}

/** Turns two columns into one another. @param {Float64Array} x @param {Float64Array} y @param {number} cosine @param {number} sine */
function turn(x, y, cosine, sine) {
  for (let n = 0; n < x.length; n += 1) {
    const before = x[n];
    x[n] = cosine * before + sine * y[n];
    y[n] = cosine * y[n] - sine * before;
  }
}

/**
 * What the best matrix for a shift by k leaves of rows that it has not seen, k = 1 … SHIFTS.
 * @param {Float64Array} table @param {number} length @param {number} d
 */
function leftByShift(table, length, d) {
  const count = length - SHIFTS;
  /** Every second row from one on, as columns. @param {number} first @param {number} last */
  const columns = (first, last) =>
    Array.from({ length: d }, (_, c) =>
      Float64Array.from(
        { length: Math.ceil((last - first) / 2) },
        (__, n) => table[(first + 2 * n) * d + c],
      ),
    );
  const unseen = columns(1, count);
  // The kept combinations, on the rows that are fitted and on those held out.
  const kept = atRightAngles(columns(0, count)).map(({ column, made, square }) => {
    const outside = new Float64Array(unseen[0].length);
    made.forEach((share, c) => unseen[c].forEach((value, n) => (outside[n] += share * value)));
    return { column, square, outside };
  });
  return Float64Array.from({ length: SHIFTS }, (_, n) => {
    const k = n + 1;
    const goal = columns(k, count + k),
      aim = columns(k + 1, count + k);
    let errors = 0,
      whole = 0;
    for (let c = 0; c < d; c += 1) {
      const shares = kept.map(({ column, square }) => dot(column, goal[c]) / square);
      for (let r = 0; r < aim[c].length; r += 1) {
        let found = 0;
        for (let j = 0; j < kept.length; j += 1) found += shares[j] * kept[j].outside[r];
        errors += (found - aim[c][r]) ** 2;
        whole += aim[c][r] ** 2;
      }
    }
    return Math.sqrt(errors / whole);
  });
}

/** @type {Record<string, (table: Float64Array, length: number, d: number) => Curves>} */
const EXAMINATIONS = {
  "first row": (table, _, d) => [table.slice(0, d)],
  norms: (table, length, d) => [
    Float64Array.from({ length }, (_, p) => Math.sqrt(dot(table, table, d, p * d, p * d))),
  ],
  diagonals(table, length, d) {
    const curves = [0, 1].map(() => new Float64Array(OFFSETS + 1));
    for (let k = 0; k <= OFFSETS; k += 1) {
      let low = Infinity,
        high = -Infinity;
      for (let p = 0; p + k < length; p += 1) {
        const product = dot(table, table, d, p * d, (p + k) * d);
        low = Math.min(low, product);
        high = Math.max(high, product);
      }
      curves[0][k] = low;
      curves[1][k] = high;
    }
    return curves;
  },
  shift: (table, length, d) => [leftByShift(table, length, d)],
  neighbours: (table, length, d) => [
    Float64Array.from({ length: length - 1 }, (_, p) => {
      let sum = 0;
      for (let c = 0; c < d; c += 1) sum += (table[(p + 1) * d + c] - table[p * d + c]) ** 2;
      return Math.sqrt(sum);
    }),
  ],
};

/** What the chosen test shows of the right table. @param {State} state @returns {Curves} */
export function ofTheRight(state) {
  return EXAMINATIONS[state.test](tableOf("right", state), state.length, state.d_model);
}

/** The smallest and the largest of all. @param {Curves} curves */
function extent(curves) {
  return {
    low: Math.min(...curves.map((each) => Math.min(...each))),
    high: Math.max(...curves.map((each) => Math.max(...each))),
  };
}

/** How far the values of one place lie apart, at the place where that is most. @param {Curves} curves */
function widest([low, high = low]) {
  let at = 0;
  for (let n = 0; n < low.length; n += 1) if (high[n] - low[n] > high[at] - low[at]) at = n;
  return { spread: high[at] - low[at], at };
}

/** Where two tests differ most, and by how much. @param {Curves} mine @param {Curves} right */
function farthest(mine, right) {
  let apart = 0,
    at = 0;
  mine.forEach((curve, n) =>
    curve.forEach((value, x) => {
      if (Math.abs(value - right[n][x]) <= apart) return;
      apart = Math.abs(value - right[n][x]);
      at = x;
    }),
  );
  return { apart, at };
}

/** By how much an entry must differ for the first such to be shown. */
const SEEN = 0.01;

/**
 * The first entry, row after row, in which the mistake that was named gives another number.
 * @param {State} state @param {Float64Array} table
 */
function evidence(state, table) {
  const other = tableOf(state.named, state),
    d = state.d_model;
  const n = table.findIndex((value, at) => Math.abs(value - other[at]) > SEEN);
  return { row: Math.floor(n / d), column: n % d, is: table[n], would: other[n] };
}

/**
 * A patient's table, what the chosen test shows of it and of the right one, and what becomes of the
 * name that was given, if one was.
 * @param {State} state @param {Curves} right
 */
export function numbers(state, right = ofTheRight(state)) {
  const { mistake } = PATIENTS[state.patient - 1];
  const table = tableOf(mistake, state);
  const mine = EXAMINATIONS[state.test](table, state.length, state.d_model);
  const found = state.named === mistake;
  return {
    table,
    mine,
    right,
    mineRange: extent(mine),
    rightRange: extent(right),
    widest: widest(mine),
    farthest: farthest(mine, right),
    found,
    evidence: found || !state.named ? null : evidence(state, table),
  };
}
