// Defective tables, tests that show something of them, and the mistake to be named.

import { LABELS, LIMITS, PATIENTS, RIGHT_COST } from "./from_python.js";
import { heightOf, multiples, niceStep, tidy } from "./kit/axes.js";
import { legend, PIXELS, shadeOf } from "./kit/colours.js";
import { choice, lengthSlider, slider, toggle, widthSlider } from "./kit/controls.js";
import { html, setAttributes, svg, write } from "./kit/elements.js";
import { between, fixed } from "./kit/format.js";
import { widget } from "./kit/mount.js";
import { evenWidth, numberCell, reach } from "./kit/tables.js";
import { numbers, ofTheRight } from "./clinic.numbers.js";

/** @import { Curves, State } from "./clinic.numbers.js" */
/** @import { Cost } from "./from_python.js" */
/** @import { Change } from "./kit/settings.js" */

/** @typedef {ReturnType<typeof numbers>} Shown */

/**
 * What each test is called, what it plots against what, where its first number stands, and whether
 * its numbers are single ones.
 * @type {Record<string, {name: string, plots: string, first: number, single: boolean}>}
 */
const TESTS = {
  "first row": {
    name: "First row",
    plots: "The numbers of row 0, by column.",
    first: 0,
    single: true,
  },
  norms: {
    name: "Norm of the rows",
    plots: "The length of row p, by p.",
    first: 0,
    single: false,
  },
  diagonals: {
    name: "Diagonals of PE PEᵀ",
    plots: "The smallest and the largest PE(p) · PE(p + k), by k.",
    first: 0,
    single: false,
  },
  shift: {
    name: "Shift residual",
    plots: "What the best matrix for a shift by k leaves, as a part of a row, by k.",
    first: 1,
    single: true,
  },
  neighbours: {
    name: "Distance of neighbours",
    plots: "The distance of rows p and p + 1, by p.",
    first: 0,
    single: false,
  },
};
const SAME = 5e-5; // what four digits do not show
const ROWS = 8; // that are shown in numbers; no table has fewer

/** The table as colours, with one entry framed. */
function map() {
  const canvas = html("canvas", { "aria-hidden": "true" });
  const frame = html("div", { class: "pex-framed" });
  const paper = canvas.getContext("2d");
  return {
    element: html("div", { class: "pex-canvas" }, canvas, frame),
    /** @param {State} state @param {Shown} shown */
    show({ length, d_model: d }, { table, evidence }) {
      const image = new ImageData(d, length);
      const pixels = new Uint32Array(image.data.buffer);
      table.forEach((value, n) => (pixels[n] = PIXELS[shadeOf(value)]));
      canvas.width = d;
      canvas.height = length;
      paper?.putImageData(image, 0, 0);
      frame.hidden = !evidence;
      if (!evidence) return;
      const { row, column } = evidence;
      const [left, top] = [(100 * column) / d, (100 * row) / length];
      const size = `width:${100 / d}%;height:${100 / length}%`;
      setAttributes(frame, { style: `left:${left}%;top:${top}%;${size}` });
    },
  };
}

/** The first rows in numbers, with the same entry framed. */
function rowsTable() {
  const all = Array.from({ length: LIMITS.d_model.high }, (_, c) => c);
  const heads = all.map((c) => html("th", { scope: "col" }, String(c)));
  const top = html("tr", {}, html("td"));
  const rows = Array.from({ length: ROWS }, (_, p) => {
    const name = html("th", { scope: "row" }, `row ${p}`);
    return { cells: all.map(() => numberCell()), element: html("tr", {}, name) };
  });
  const table = html(
    "table",
    { class: "pex-tensor pex-even", "aria-label": "Its first rows" },
    html("thead", {}, top),
    html("tbody", {}, ...rows.map((row) => row.element)),
  );
  const box = { tabindex: 0, role: "region", "aria-label": "Its first rows, scrolling" };
  return {
    element: html("div", { class: "pex-scroll", ...box }, table),
    /** @param {State} state @param {Shown} shown */
    show({ d_model: d }, { table: values, evidence }) {
      table.style.width = evenWidth(d, 7, true); // sign, nought, point and four digits
      reach(top, heads, d);
      rows.forEach(({ cells, element }, p) => {
        cells.slice(0, d).forEach((cell, c) => {
          const value = values[p * d + c];
          cell.show(value, fixed(value), true);
          const framed = evidence?.row === p && evidence.column === c;
          cell.element.classList.toggle("pex-chosen", framed);
        });
        reach(
          element,
          cells.map((cell) => cell.element),
          d,
        );
      });
    },
  };
}

/**
 * A fold with what the heat map tells only those who see it. Its table is made when it is first
 * opened, and drawn while it is open: closed, it costs nothing.
 */
function fold() {
  const summary = html("summary", {}, "Its first rows in numbers");
  const element = html("details", { class: "pex-fold" }, summary);
  /** @type {ReturnType<typeof rowsTable> | undefined} */ let rows;
  /** @type {[State, Shown]} */ let now;
  const draw = () => {
    if (!element.open) return;
    if (!rows) {
      rows = rowsTable();
      element.append(rows.element);
    }
    rows.show(...now);
  };
  element.addEventListener("toggle", draw);
  return {
    element,
    /** @param {[State, Shown]} last */
    show(...last) {
      now = last;
      draw();
    },
  };
}

/** Curves of two tables in one plot, the right one's thin. */
function plot() {
  const zero = svg("line", { class: "pex-zero" });
  const mine = svg("path"),
    right = svg("path");
  const drawing = svg(
    "svg",
    { preserveAspectRatio: "none", "aria-hidden": "true" },
    ...[zero, mine, right],
  );
  const labels = html("div", { class: "pex-labels", "aria-hidden": "true" });
  return {
    element: html("div", { class: "pex-plot" }, drawing, labels),
    /** @param {State} state @param {Shown} shown */
    show({ test }, { mine: ours, right: theirs, mineRange, rightRange }) {
      const { first, single } = TESTS[test];
      const low = Math.min(0, mineRange.low, rightRange.low),
        high = Math.max(mineRange.high, rightRange.high, low + 0.1);
      const margin = 0.08 * (high - low),
        bottom = low - margin,
        top = high + margin;
      const last = first + theirs[0].length - 1,
        aside = single ? 0.5 : 0;
      const left = first - aside,
        wide = last - first + 2 * aside;
      setAttributes(drawing, { viewBox: `${left} ${-top} ${wide} ${top - bottom}` });
      setAttributes(zero, { x1: left, x2: left + wide });
      const kind = single ? "pex-dots" : "pex-lines";
      setAttributes(mine, { d: drawnAs(ours, first, single), class: `pex-mine ${kind}` });
      setAttributes(right, { d: drawnAs(theirs, first, single), class: `pex-right-one ${kind}` });

      const label = (
        /** @type {string} */ name,
        /** @type {string} */ at,
        /** @type {number} */ x,
      ) => html("span", { class: name, style: at }, tidy(x));
      const places = multiples(first, last, Math.max(1, niceStep(last - first, 6)));
      const heights = multiples(low, high, niceStep(high - low, 5));
      labels.replaceChildren(
        ...places.map((x) => label("pex-x", `left:${(100 * (x - left)) / wide}%`, x)),
        ...heights.map((y) =>
          label("pex-y", `bottom:${(100 * (y - bottom)) / (top - bottom)}%`, y),
        ),
      );
    },
  };
}

/** Dots, or lines. @param {Curves} curves @param {number} first @param {boolean} single */
function drawnAs(curves, first, single) {
  const points = curves.map((curve) =>
    Array.from(curve, (value, n) => `${first + n} ${heightOf(value)}`),
  );
  return points.map((each) => (single ? `M${each.join("h0M")}h0` : `M${each.join("L")}`)).join("");
}

/** @param {Change} change */
function view(change) {
  const fresh = (/** @type {Record<string, number | string | boolean>} */ wanted) =>
    change({ ...wanted, named: "" }); // of another patient nothing has been said yet
  const last = PATIENTS.length;
  const patient = slider(
    "patient",
    { label: "Patient", words: (n) => `patient ${n} of ${last}`, short: (n) => `${n} of ${last}` },
    fresh,
  );
  const names = Object.fromEntries(Object.entries(TESTS).map(([key, { name }]) => [key, name]));
  const test = choice("test", "Test", names, change);
  const named = choice("named", "What is the mistake?", LABELS, change);
  const program = toggle("program", "Show its program", change);
  const width = widthSlider(change, (d) => `${d} columns`);
  const length = lengthSlider(change);

  const source = html("code");
  const code = html(
    "pre",
    { class: "pex-scroll pex-program", tabindex: 0, role: "region", "aria-label": "Its program" },
    source,
  );
  const picture = map(),
    printed = fold(),
    chart = plot();
  const plots = html("div"),
    key = html("div"),
    size = html("div");
  const verdict = html("p"),
    met = html("p"),
    cost = html("p");
  const record = html("div", { class: "pex-record" }, verdict, met, cost);

  /** @type {Curves} */ let right;
  let rightOf = "";

  return {
    top: [
      patient.element,
      program.element,
      code,
      html("div", { class: "pex-note pex-above" }, size, legend()),
      html(
        "div",
        { class: "pex-figure pex-examined" },
        picture.element,
        html(
          "div",
          {},
          test.element,
          chart.element,
          html("div", { class: "pex-note" }, plots, key),
        ),
      ),
      printed.element,
      named.element,
      record,
    ],
    settings: [width.element, length.element],
    /** @param {State} state */
    draw(state) {
      for (const each of [patient, test, named, program, width, length]) each.show(state);
      const wanted = `${state.test} ${state.d_model} ${state.length}`;
      if (rightOf !== wanted) right = ofTheRight(state);
      rightOf = wanted;
      const shown = numbers(state, right);
      const { text, place, cost: its } = PATIENTS[state.patient - 1];
      write(source, text);
      code.hidden = !state.program;
      write(size, `Its table, ${state.length} rows, ${state.d_model} columns.`);
      picture.show(state, shown);
      printed.show(state, shown);
      chart.show(state, shown);
      const { plots: against, single } = TESTS[state.test];
      write(plots, against);
      const [thick, thin] = single ? ["Large", "small"] : ["Thick", "thin"];
      write(key, `${thick}: this table; ${thin}: the right one.`);
      record.hidden = !state.named;
      write(
        verdict,
        shown.found
          ? `Named: ${LABELS[state.named]}.`
          : `Not: ${LABELS[state.named]}. Framed in the table: the first entry that tells.`,
      );
      for (const each of [met, cost]) each.hidden = !shown.found;
      write(met, `Met in ${place}.`);
      write(cost, `Trained with it: ${costs(its)}. With the right table: ${costs(RIGHT_COST)}.`);
      return says(state, shown);
    },
  };
}

/** What training made of a table. @param {Cost} cost */
function costs({ at32, at128, by }) {
  const loss = by === null ? "loss never below 1" : `loss below 1 by step ${by}`;
  const [near, far] = [at32, at128].map(([low, high]) => between(low, high, 2));
  return `${near} right at 32 words, ${far} at 128, ${loss}`;
}

/** What a test has shown. @param {State} state @param {Shown} shown */
export function result({ test }, shown) {
  const { mine, right, mineRange: ours, rightRange: theirs, widest, farthest } = shown;
  const at = farthest.at;
  const same = farthest.apart < SAME;
  if (test === "first row") {
    if (same) return "Row 0 is that of the right table.";
    return `Row 0 has ${fixed(mine[0][at])} in column ${at}, the right table ${fixed(right[0][at])}.`;
  }
  if (test === "diagonals") {
    const varies =
      widest.spread < SAME
        ? "At each offset all dot products are equal"
        : `At offset ${widest.at} the dot products differ by up to ${fixed(widest.spread)}`;
    if (same) return `${varies}, and they are those of the right table.`;
    return `${varies}; at offset ${at} one is ${fixed(farthest.apart)} from the right table's.`;
  }
  if (test === "shift") {
    const most = ours.high < SAME ? "nothing" : `up to ${fixed(ours.high)} of a row`;
    return `The best matrices for a shift by 1 to ${right[0].length} leave ${most}; the right table’s ${theirs.high < SAME ? "nothing" : fixed(theirs.high)}.`;
  }
  const what = test === "norms" ? "The rows are" : "Neighbouring rows are";
  const how = test === "norms" ? "long" : "apart";
  const all = ours.high - ours.low < SAME ? "all " : "";
  const span = all ? fixed(ours.high) : between(ours.low, ours.high);
  return `${what} ${all}${span} ${how}; those of the right table all ${fixed(theirs.high)}.`;
}

/** What becomes of a name. @param {State} state @param {Shown} shown */
export function reply({ patient, named }, { found, evidence }) {
  if (found) return `Yes. ${PATIENTS[patient - 1].diagnosis}`;
  if (!evidence) return "";
  const { row, column, is, would } = evidence;
  const with_ = named === "right" ? "In the right table" : "With that mistake";
  return (
    `No. ${with_} row ${row}, column ${column} would hold ${fixed(would)}; ` +
    `here it holds ${fixed(is)}.`
  );
}

/** @param {State} state @param {Shown} shown */
function says(state, shown) {
  const { patient, d_model, length, program } = state;
  const seen = program ? ", its program shown" : "";
  const who = `Patient ${patient}, ${length} rows of ${d_model} columns${seen}.`;
  return [who, result(state, shown), reply(state, shown)].filter(Boolean).join(" ");
}

export default widget({ name: "clinic", label: "Bug clinic", view });
