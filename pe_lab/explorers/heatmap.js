// The whole table as colours, with a cross-hair that shows a row as a vector and a column as a wave.

import { LIMITS } from "./from_python.js";
import { numbers, table } from "./heatmap.numbers.js";
import { legend, PIXELS, shadeOf } from "./kit/colours.js";
import { baseSlider, lengthSlider, slider, widthSlider } from "./kit/controls.js";
import { html, setAttributes, svg, write } from "./kit/elements.js";
import { fixed, grouped } from "./kit/format.js";
import { widget } from "./kit/mount.js";
import { reading, readings } from "./kit/readings.js";

/** @import { State } from "./heatmap.numbers.js" */
/** @import { Change } from "./kit/settings.js" */

const CELLS = LIMITS.length.high * LIMITS.d_model.high; // of the largest table
const EDGE = 1.15; // how far the drawings of row and column reach, where 1 is the largest value

/** A drawing that fills its box whatever its proportions; its lines keep their width. @param {string} name @param {SVGElement[]} children */
function stretched(name, ...children) {
  return svg(
    "svg",
    { class: name, preserveAspectRatio: "none", "aria-hidden": "true" },
    ...children,
  );
}

/** The table as a picture, one pixel a cell. */
function map() {
  const canvas = html("canvas", { "aria-hidden": "true" });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const space = new Float64Array(CELLS),
    pixels = new Uint32Array(CELLS);
  /** @type {Float64Array} */ let all = space;
  let image = new ImageData(1, 1),
    tableOf = "",
    painted = "";
  return {
    element: canvas,
    /** Paints the table; returns at least as many of its rows. @param {State} state */
    show(state) {
      const { length, d_model: d, base } = state;
      // All rows are made at once and the first ones shown: another length then costs no sums.
      if (tableOf !== `${d} ${base}`) {
        all = table(LIMITS.length.high, state, space);
        for (let n = 0; n < all.length; n += 1) pixels[n] = PIXELS[shadeOf(all[n])];
        image = new ImageData(new Uint8ClampedArray(pixels.buffer, 0, 4 * all.length), d);
      }
      tableOf = `${d} ${base}`;
      if (painted !== `${length} ${tableOf}`) {
        canvas.width = d;
        canvas.height = length;
        context.putImageData(image, 0, 0);
        canvas.classList.toggle("pex-fine", Math.max(length, d) > 256);
      }
      painted = `${length} ${tableOf}`;
      return all;
    },
  };
}

/**
 * How far the frame stands outside of the row or the column that it picks, in cells: of few cells,
 * which are large, less, for it would seem to frame their neighbours as well.
 * @param {number} cells  of the whole map
 */
const aside = (cells) => Math.min(0.35, cells / 200);

/** The cross-hair: a band over the row and one over the column, each light with a dark line. */
function crossHair() {
  const bands = ["pex-halo", "pex-halo", "pex-line", "pex-line"].map((name) =>
    svg("rect", { class: name }),
  );
  const element = stretched("pex-cross", ...bands);
  return {
    element,
    /** @param {State} state */
    show({ length, d_model, row, column }) {
      setAttributes(element, { viewBox: `0 0 ${d_model} ${length}` });
      const above = aside(length),
        before = aside(d_model);
      const across = { x: 0, y: row - above, width: d_model, height: 1 + 2 * above },
        down = { x: column - before, y: 0, width: 1 + 2 * before, height: length };
      bands.forEach((band, n) => setAttributes(band, n % 2 ? down : across));
    },
  };
}

/** The column beside the map, as a wave from the first row down to the last. */
function waveDown() {
  const zero = svg("line", { class: "pex-zero" }),
    wave = svg("path", { class: "pex-curve" }),
    at = svg("line", { class: "pex-at", x1: -EDGE, x2: EDGE });
  const element = stretched("pex-down", zero, wave, at);
  return {
    element,
    /** @param {State} state @param {Float64Array} values */
    show({ length, row, column }, values) {
      setAttributes(element, { viewBox: `${-EDGE} 0 ${2 * EDGE} ${length}` });
      setAttributes(zero, { y2: length });
      const points = Array.from(values, (value, p) => `${value.toFixed(4)} ${p + 0.5}`);
      const kind = column % 2 ? "pex-cosine-curve" : "pex-sine-curve";
      setAttributes(wave, { d: `M${points.join("L")}`, class: `pex-curve ${kind}` });
      setAttributes(at, { y1: row + 0.5, y2: row + 0.5 });
    },
  };
}

/** The row below the map, as bars. */
function barsAcross() {
  const zero = svg("line", { class: "pex-zero" }),
    at = svg("line", { class: "pex-at", y1: -EDGE, y2: EDGE });
  const kinds = ["pex-sine-fill", "pex-cosine-fill"].map((name) => svg("path", { class: name }));
  const element = stretched("pex-across", zero, ...kinds, at);
  return {
    element,
    /** @param {State} state @param {Float64Array} values */
    show({ d_model, column }, values) {
      setAttributes(element, { viewBox: `0 ${-EDGE} ${d_model} ${2 * EDGE}` });
      setAttributes(zero, { x2: d_model });
      kinds.forEach((kind, parity) => setAttributes(kind, { d: bars(values, parity) }));
      setAttributes(at, { x1: column + 0.5, x2: column + 0.5 });
    },
  };
}

/** The sines (parity 0) or the cosines (parity 1) of a row. @param {Float64Array} values @param {number} parity */
function bars(values, parity) {
  let path = "";
  for (let c = parity; c < values.length; c += 2)
    path += `M${c + 0.1} 0h.8v${(-values[c]).toFixed(4)}h-.8z`;
  return path;
}

/** @param {Change} change */
function view(change) {
  const row = slider("row", { label: "Row p", words: (p) => `row ${p}` }, change);
  const column = slider("column", { label: "Column c", words: (c) => `column ${c}` }, change);
  const length = lengthSlider(change);
  const width = widthSlider(change);
  const base = baseSlider(change);

  const colours = map(),
    cross = crossHair(),
    down = waveDown(),
    across = barsAcross();
  const picture = html("div", { class: "pex-canvas" }, colours.element, cross.element);
  const mapName = html("span"),
    waveName = html("div", { class: "pex-note pex-right", "aria-hidden": "true" }),
    vectorName = html("div", { class: "pex-note pex-below", "aria-hidden": "true" });
  const figure = html(
    "div",
    { class: "pex-figure pex-heat" },
    html("div", { class: "pex-note pex-above" }, mapName, legend()),
    picture,
    down.element,
    across.element,
    waveName,
    vectorName,
  );

  /** @type {State} */ let shown;
  /** Where a button, finger or pen went down, until it goes up. @type {PointerEvent | undefined} */
  let held;
  let dragging = false; // whether what went down has moved the cross-hair
  const follow = (/** @type {PointerEvent} */ event) => {
    const box = picture.getBoundingClientRect();
    change({
      row: Math.floor(((event.clientY - box.top) / box.height) * shown.length),
      column: Math.floor(((event.clientX - box.left) / box.width) * shown.d_model),
    });
  };
  picture.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    held = event;
    dragging = event.pointerType === "mouse";
    picture.setPointerCapture(event.pointerId);
    if (dragging) follow(event);
  });
  picture.addEventListener("pointermove", (event) => {
    if (held?.pointerId !== event.pointerId || !(event.buttons & 1)) return;
    // A finger or pen that goes up or down is about to scroll the page.
    const [x, y] = [event.clientX - held.clientX, event.clientY - held.clientY];
    dragging ||= Math.abs(x) > Math.abs(y);
    if (dragging) follow(event);
  });
  picture.addEventListener("pointerup", (event) => {
    if (held?.pointerId !== event.pointerId) return;
    if (held.pointerType !== "mouse") follow(event);
    held = undefined;
  });
  picture.addEventListener("pointercancel", () => {
    held = undefined;
  });

  const name = html("span");
  const value = reading(),
    omega = reading((x) => x.toPrecision(4)),
    waves = reading((x) => grouped(x, 1)),
    turns = reading();

  /** @param {State} state */
  const draw = (state) => {
    shown = state;
    for (const each of [row, column, length, width, base]) each.show(state);
    const now = numbers(state, colours.show(state));
    cross.show(state);
    down.show(state, now.wave);
    across.show(state, now.vector);
    write(mapName, `${state.length} rows, ${state.d_model} columns`);
    write(waveName, `column ${state.column}`);
    write(vectorName, `row ${state.row} as a vector`);
    write(name, `PE[${state.row}, ${state.column}] `);
    value.show(now.value);
    omega.show(now.omega);
    waves.show(now.wavelength);
    turns.show(now.turns);
    return says(state, now);
  };
  return {
    top: [
      figure,
      html("div", { class: "pex-controls" }, row.element, column.element),
      readings(
        [name, value.element],
        ["frequency of the column, radians per position: ", omega.element],
        ["wavelength ", waves.element],
        ["turns in the whole length ", turns.element],
      ),
    ],
    settings: [length.element, width.element, base.element],
    draw,
  };
}

/** @param {State} state @param {ReturnType<typeof numbers>} now */
function says({ length, d_model, row, column }, now) {
  return (
    `In the table of ${length} rows and ${d_model} columns, row ${row}, column ${column}: ` +
    `the ${column % 2 ? "cosine" : "sine"} of ${row} / ${fixed(now.divisor)} is ${fixed(now.value)}. ` +
    `The wavelength of pair ${column >> 1} is ${grouped(now.wavelength, 1)} positions.`
  );
}

export default widget({ name: "heatmap", label: "Heat map explorer", view });
