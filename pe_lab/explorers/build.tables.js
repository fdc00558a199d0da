// The tables of the tensors: of the present step, and of those it is made of.

import { LIMITS, STEPS } from "./from_python.js";
import { html, setAttributes, write } from "./kit/elements.js";
import { fixed } from "./kit/format.js";
import { whole } from "./kit/settings.js";
import { evenWidth, numberCell, reach } from "./kit/tables.js";

/** @import { numbers } from "./build.numbers.js" */
/** @import { Attributes } from "./kit/elements.js" */
/** @typedef {ReturnType<typeof numbers>["shown"]} Tensor */

const LARGEST = Math.max(LIMITS.length.high, LIMITS.d_model.high);

/**
 * How a step's tensor is printed.
 * @typedef {object} Print
 * @property {number} digits  after the point
 * @property {number} [most]  columns that have room for these; more get two
 * @property {string} axes  what its axes count
 * @property {boolean} [rows]  whether the rows are numbered
 * @property {boolean} [columns]  whether the columns are numbered
 * @property {"sine" | "cosine"} [ink]
 * @property {boolean} [coloured]  values in [-1, 1], shown as colours too
 * @property {boolean} [both]  its columns are those of the encoding, sine and cosine in turn
 * @property {boolean} [paired]  two neighbours share the index i
 */

/** @type {Pick<Print, "axes" | "columns">} */
const ONE_ROW = { axes: "pair i", columns: true };
/** @type {Pick<Print, "axes" | "rows" | "columns">} */
const ROWS_OF_PAIRS = { axes: "row p, pair i", rows: true, columns: true };
/** @type {Pick<Print, "digits" | "most" | "rows" | "columns" | "coloured" | "both">} */
const ROWS_OF_COLUMNS = {
  digits: 4,
  most: 8,
  rows: true,
  columns: true,
  coloured: true,
  both: true,
};

/** In the order of the steps. @type {Print[]} */
const PRINTS = [
  { ...ONE_ROW, digits: 0, ink: "sine" },
  { ...ONE_ROW, digits: 0, ink: "cosine" },
  { ...ONE_ROW, digits: 4 },
  { axes: "row p", digits: 0 },
  { ...ROWS_OF_PAIRS, digits: 4 },
  { ...ROWS_OF_PAIRS, digits: 4, most: 4, ink: "sine", coloured: true },
  { ...ROWS_OF_PAIRS, digits: 4, most: 4, ink: "cosine", coloured: true },
  { ...ROWS_OF_COLUMNS, axes: "row p, pair i, place", paired: true },
  { ...ROWS_OF_COLUMNS, axes: "row p, column" },
];

/** A shape, as torch prints it. @param {Tensor} tensor */
export function shapeText({ shape }) {
  return shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
}

/**
 * A table that shows one tensor after another. Its rows and cells are made once and kept: for a
 * tensor of another size it adds, removes or hides those at its ends.
 * @param {Attributes} region  of the box in which it scrolls sideways
 */
export function tensorTable(region = {}) {
  const name = html("b"),
    shape = html("span"),
    title = html("div", {}, name, shape);
  const heads = Array.from({ length: LARGEST }, () => html("th", { scope: "col" }));
  const corner = html("td"),
    top = html("tr", {}, corner);
  const rows = Array.from({ length: LARGEST }, () => {
    const head = html("th", { scope: "row" });
    const cells = heads.map((_, c) => numberCell(c % 2 ? { class: "pex-cell pex-odd" } : {}));
    const all = cells.map((cell) => cell.element);
    return { head, cells, all, element: html("tr", {}, head) };
  });
  const lines = rows.map(({ element }) => element);
  const body = html("tbody");
  const table = html("table", { class: "pex-tensor" }, html("thead", {}, top), body);
  const box = html("div", { class: "pex-scroll", ...region }, table);

  let first = 0; // the tensor's row that stands in the first line

  /**
   * Writes the numbers; returns how many characters the longest has.
   * @param {Print} print @param {number[][]} values @param {number} digits
   */
  const writeNumbers = ({ coloured = false }, values, digits) => {
    let longest = 0;
    values.forEach((line, r) =>
      line.forEach((value, c) => {
        const text = fixed(value, digits);
        rows[r].cells[c].show(value, text, coloured);
        longest = Math.max(longest, text.length);
      }),
    );
    return longest;
  };

  /** Shows as many lines and columns as there are. @param {Print} print @param {number} length @param {number} columns */
  const frame = (print, length, columns) => {
    top.hidden = !print.columns;
    corner.hidden = !print.rows;
    reach(top, heads, columns);
    for (let c = 0; c < columns; c += 1) {
      write(heads[c], print.paired ? `${c >> 1}, ${c & 1}` : String(c));
      setAttributes(heads[c], { class: print.both ? ["pex-sine", "pex-cosine"][c % 2] : "" });
    }
    for (const [r, { head, all, element }] of rows.slice(0, length).entries()) {
      head.hidden = !print.rows;
      write(head, String(first + r));
      reach(element, all, columns);
    }
    reach(body, lines, length);
  };
  return {
    element: html("div", {}, title, box),
    table,
    box,
    /** The cell in row r and column c. @param {number} r @param {number} c */
    at: (r, c) => rows[r - first].cells[c].element,
    /** The row and the column of an element, if it is one of the cells. @param {EventTarget | null} target */
    find(target) {
      for (const [r, { cells }] of rows.entries()) {
        const c = cells.findIndex(({ element }) => element === target);
        if (c >= 0) return [first + r, c];
      }
      return undefined;
    },
    /** Shows a tensor, or where it has more than `most` numbers, the rows about the chosen one. @param {Tensor} tensor */
    show(tensor, most = LARGEST * LARGEST) {
      const { step, values, at } = tensor,
        print = PRINTS[step],
        length = values.length,
        columns = values[0].length,
        shown = Math.min(length, Math.floor(most / columns));
      first = whole(at[0] - (shown >> 1), 0, length - shown);
      const part = shown < length ? `; rows ${first} to ${first + shown - 1}` : "";
      setAttributes(title, { class: `pex-title ${print.ink ? `pex-${print.ink}` : ""}` });
      write(name, STEPS[step]);
      write(shape, `${shapeText(tensor)}: ${print.axes}${part}`);
      const paired = print.paired ? "pex-paired" : "";
      setAttributes(table, { class: `pex-tensor pex-even ${paired}` });
      const digits = columns > (print.most ?? columns) ? 2 : print.digits;
      const longest = writeNumbers(print, values.slice(first, first + shown), digits);
      table.style.width = evenWidth(columns, longest, print.rows ?? false);
      frame(print, shown, columns);
    },
  };
}
