// The formula of each step with the chosen cell's own numbers, and where they came from in words.

import { chosen, pair, parity } from "./build.numbers.js";
import { html, math, write } from "./kit/elements.js";
import { fixed } from "./kit/format.js";

/** @import { State } from "./build.numbers.js" */
/** @typedef {(Node | string)[]} Formula  its parts; "=" is where it may wrap */

// Parts of a formula

/** @param {number} x */
const num = (x, digits = 4) => math("mn", fixed(x, digits));
/** @param {number} x */
const int = (x) => num(x, 0);
/** @param {string} sign */
const op = (sign) => math("mo", sign);
/** @param {string} name */
const letter = (name) => math("mi", name);
/** @param {(Node | string)[]} parts */
const row = (...parts) => math("mrow", ...parts);
/** @param {Node} above @param {Node} below */
const over = (above, below) => math("mfrac", above, below);
const twoI = () => row(int(2), letter("i"));
/** @param {State} s */
const twice = (s) => row(int(2), op("×"), int(pair(s)));
/** The base to the power of something over d. @param {State} s @param {Node[]} exponent */
const power = (s, ...exponent) => math("msup", math("mn", String(s.base)), row(...exponent));
/** @param {State} s */
const divisor = (s) => power(s, twoI(), op("/"), letter("d"));
/** @param {string} name @param {Node} of */
const wave = (name, of) => row(letter(name), op("("), of, op(")"));
/** @param {string} name @param {number[]} all */
const indexed = (name, ...all) =>
  math(
    "msub",
    letter(name),
    row(...all.flatMap((each, n) => (n ? [op(","), int(each)] : [int(each)]))),
  );
/** @param {State} s */
const stacked = (s) => indexed("S", s.row, pair(s), parity(s));

/**
 * In the order of the steps.
 * @type {{formula: (s: State) => Formula, words: (s: State) => string}[]}
 */
export const FORMULAS = [
  {
    formula: (s) => [twoI(), "=", twice(s), "=", int(chosen(0, s))],
    words: (s) =>
      `even_indices[${pair(s)}] = ${chosen(0, s)}: the sine of pair ${pair(s)} will stand in column ${chosen(0, s)}.`,
  },
  {
    formula: (s) => [twoI(), "+", int(1), "=", twice(s), "+", int(1), "=", int(chosen(1, s))],
    words: (s) =>
      `odd_indices[${pair(s)}] = ${chosen(1, s)}: the cosine of pair ${pair(s)} will stand in column ${chosen(1, s)}.`,
  },
  {
    formula: (s) => [
      divisor(s),
      "=",
      power(s, int(chosen(0, s)), op("/"), int(s.d_model)),
      "=",
      power(s, op("("), int(chosen(1, s)), op("−"), int(1), op(")"), op("/"), int(s.d_model)),
      "=",
      num(chosen(2, s)),
    ],
    words: (s) =>
      `denominator[${pair(s)}] = ${fixed(chosen(2, s))}: ` +
      `even index ${chosen(0, s)}, and odd index ${chosen(1, s)} minus 1, give the same exponent ` +
      `${chosen(0, s)}/${s.d_model}; one denominator serves both.`,
  },
  {
    formula: (s) => [letter("p"), "=", int(chosen(3, s))],
    words: (s) =>
      `positions[${s.row}, 0] = ${chosen(3, s)}: row ${s.row} of the table belongs to position ${s.row}.`,
  },
  {
    formula: (s) => [
      over(letter("p"), divisor(s)),
      "=",
      over(int(chosen(3, s)), num(chosen(2, s))),
      "=",
      num(chosen(4, s)),
    ],
    words: (s) =>
      `angles[${s.row}, ${pair(s)}] = ${fixed(chosen(4, s))} radians: position ${s.row} divided by denominator[${pair(s)}].`,
  },
  {
    formula: (s) => [
      wave("sin", over(letter("p"), divisor(s))),
      "=",
      wave("sin", num(chosen(4, s))),
      "=",
      num(chosen(5, s)),
    ],
    words: (s) =>
      `even_PE[${s.row}, ${pair(s)}] = ${fixed(chosen(5, s))}: the sine of angles[${s.row}, ${pair(s)}].`,
  },
  {
    formula: (s) => [
      wave("cos", over(letter("p"), divisor(s))),
      "=",
      wave("cos", num(chosen(4, s))),
      "=",
      num(chosen(6, s)),
    ],
    words: (s) =>
      `odd_PE[${s.row}, ${pair(s)}] = ${fixed(chosen(6, s))}: the cosine of angles[${s.row}, ${pair(s)}].`,
  },
  {
    formula: (s) => [
      stacked(s),
      "=",
      indexed(parity(s) ? "odd" : "even", s.row, pair(s)),
      "=",
      num(chosen(7, s)),
    ],
    words: (s) =>
      `stacked[${s.row}, ${pair(s)}, ${parity(s)}] = ${fixed(chosen(7, s))}: ` +
      `${parity(s) ? "odd" : "even"}_PE[${s.row}, ${pair(s)}], put ${parity(s) ? "second" : "first"} on the new last axis.`,
  },
  {
    formula: (s) => [
      indexed("PE", s.row, s.column),
      "=",
      stacked(s),
      "=",
      wave(
        parity(s) ? "cos" : "sin",
        over(int(s.row), power(s, int(chosen(0, s)), op("/"), int(s.d_model))),
      ),
      "=",
      num(chosen(8, s)),
    ],
    words: (s) =>
      `PE[${s.row}, ${s.column}] = ${fixed(chosen(8, s))}: ` +
      `stacked[${s.row}, ${pair(s)}, ${parity(s)}]; pair ${pair(s)}, place ${parity(s)} is column 2 × ${pair(s)} + ${parity(s)} = ${s.column}.`,
  },
];

/** A formula in pieces, each from one equals sign to the next, so that it can wrap on a phone. @param {Formula} parts */
function atEquals(parts) {
  /** @type {Element[]} */ const pieces = [];
  for (const part of parts) {
    if (part === "=" || !pieces.length) pieces.push(math("math"));
    pieces[pieces.length - 1].append(typeof part === "string" ? op(part) : part);
  }
  return pieces;
}

/** The elements of a formula that hold its names, numbers and signs. @param {Iterable<Element>} pieces */
function leaves(pieces) {
  return [...pieces].flatMap((piece) => [...piece.querySelectorAll("mi, mn, mo")]);
}

/** The present step's formula. It has always the same parts: changed texts are set faster than new ones. */
export function formulaBox() {
  const element = html("div", { class: "pex-formula" });
  let formulaOf = -1;
  return {
    element,
    /** @param {State} state */
    show(state) {
      const pieces = atEquals(FORMULAS[state.step].formula(state));
      if (formulaOf !== state.step) element.replaceChildren(...pieces);
      else {
        const now = leaves(element.children);
        leaves(pieces).forEach((leaf, n) => write(now[n], leaf.textContent ?? ""));
      }
      formulaOf = state.step;
    },
  };
}
