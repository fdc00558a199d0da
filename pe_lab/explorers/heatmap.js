import {
  baseOf,
  baseSlider,
  TONES,
  denominator,
  even,
  fixed,
  frequencies,
  grouped,
  html,
  legend,
  lengthSlider,
  reading,
  readings,
  setAttributes,
  shade,
  slider,
  svg,
  wavelength,
  waveTable,
  whole,
  widget,
  widthSlider,
  write,
} from "./shared.js";

const LARGEST = 512;

/** @typedef {{length: number, d_model: number, base: number, row: number, column: number}} State */

/** @returns {State} */
function clean(/** @type {any} */ { length, d_model, base, row, column }) {
  const rows = whole(length, 2, LARGEST),
    d = even(d_model, 2, LARGEST);
  return {
    length: rows,
    d_model: d,
    base: baseOf(base),
    row: whole(row, 0, rows - 1),
    column: whole(column, 0, d - 1),
  };
}

// Every shade as one 32-bit pixel; ImageData is red, green, blue, alpha from the lowest byte up.
const PIXELS = Uint32Array.from(TONES, ([r, g, b]) => (255 << 24) | (b << 16) | (g << 8) | r);

/** A table (rows, d) as a picture, one pixel a cell, written into `space`. */
function coloured(
  /** @type {Float64Array} */ table,
  /** @type {number} */ d,
  /** @type {Uint32Array<ArrayBuffer>} */ space,
) {
  for (let n = 0; n < table.length; n += 1) space[n] = PIXELS[shade(table[n])];
  return new ImageData(new Uint8ClampedArray(space.buffer, 0, 4 * table.length), d);
}

/** A drawing that fills its box whatever its proportions; its lines keep their width. */
function stretched(/** @type {string} */ name, /** @type {SVGElement[]} */ ...children) {
  return svg(
    "svg",
    { class: name, preserveAspectRatio: "none", "aria-hidden": "true" },
    ...children,
  );
}

function view(/** @type {(change: any) => void} */ change) {
  const row = slider({
    name: "Row p",
    min: 0,
    max: LARGEST - 1,
    words: (p) => `row ${p}`,
    onInput: (p) => change({ row: p }),
  });
  const column = slider({
    name: "Column c",
    min: 0,
    max: LARGEST - 1,
    words: (c) => `column ${c}`,
    onInput: (c) => change({ column: c }),
  });
  const length = lengthSlider(change, 2, LARGEST);
  const width = widthSlider(change, LARGEST);
  const base = baseSlider(change);

  const canvas = /** @type {HTMLCanvasElement} */ (html("canvas", { "aria-hidden": "true" }));
  const bands = ["pex-halo", "pex-halo", "pex-line", "pex-line"].map((name) =>
    svg("rect", { class: name }),
  );
  const cross = stretched("pex-cross", ...bands);
  const wave = svg("path", { class: "pex-curve" }),
    waveAt = svg("line", { class: "pex-at" });
  const zeroDown = svg("line", { class: "pex-zero" }),
    zeroAcross = svg("line", { class: "pex-zero" });
  const down = stretched("pex-down", zeroDown, wave, waveAt);
  const sines = svg("path", { class: "pex-sine-fill" }),
    cosines = svg("path", { class: "pex-cosine-fill" });
  const vectorAt = svg("line", { class: "pex-at" });
  const across = stretched("pex-across", zeroAcross, sines, cosines, vectorAt);
  const picture = html("div", { class: "pex-canvas" }, canvas, cross);
  const mapName = html("span"),
    waveName = html("div", { class: "pex-note pex-right" }),
    vectorName = html("div", { class: "pex-note pex-below" });
  const figure = html(
    "div",
    { class: "pex-figure pex-heat" },
    html("div", { class: "pex-note pex-above" }, mapName, legend()),
    picture,
    down,
    across,
    waveName,
    vectorName,
  );

  /** @type {State} */ let shown;
  const follow = (/** @type {PointerEvent} */ event) => {
    const box = picture.getBoundingClientRect();
    change({
      row: Math.floor(((event.clientY - box.top) / box.height) * shown.length),
      column: Math.floor(((event.clientX - box.left) / box.width) * shown.d_model),
    });
  };
  picture.addEventListener("pointerdown", (event) => {
    picture.setPointerCapture(event.pointerId);
    follow(event);
  });
  picture.addEventListener("pointermove", (event) => {
    if (event.buttons) follow(event);
  });

  const value = reading(),
    omega = reading((x) => x.toPrecision(4)),
    waves = reading((x) => grouped(x, 1)),
    turns = reading();
  const name = html("span");
  const numbers = readings(
    [name, value.element],
    ["angular frequency of the column ", omega.element],
    ["wavelength ", waves.element],
    ["turns in the whole length ", turns.element],
  );

  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const space = new Float64Array(LARGEST * LARGEST),
    pixels = new Uint32Array(LARGEST * LARGEST);
  /** @type {Float64Array} */ let table = space;
  let image = new ImageData(1, 1),
    tableOf = "",
    painted = "";
  const draw = (/** @type {State} */ state) => {
    shown = state;
    const { length: rows, d_model: d, base: b } = state;
    row.show(state.row, rows - 1);
    column.show(state.column, d - 1);
    length.show(rows);
    width.show(d);
    base.show(b);
    // A longer table begins with the shorter one: all rows are made at once, the first ones shown.
    if (tableOf !== `${d} ${b}`) {
      table = waveTable(LARGEST, frequencies(d, b), space);
      image = coloured(table, d, pixels);
    }
    tableOf = `${d} ${b}`;
    if (painted !== `${rows} ${tableOf}`) {
      canvas.width = d;
      canvas.height = rows;
      context.putImageData(image, 0, 0);
    }
    painted = `${rows} ${tableOf}`;
    canvas.classList.toggle("pex-fine", Math.max(rows, d) > 256);

    setAttributes(cross, { viewBox: `0 0 ${d} ${rows}` });
    bands.forEach((band, n) =>
      setAttributes(
        band,
        n % 2
          ? { x: state.column, y: 0, width: 1, height: rows }
          : { x: 0, y: state.row, width: d, height: 1 },
      ),
    );
    setAttributes(down, { viewBox: `-1.15 0 2.3 ${rows}` });
    setAttributes(zeroDown, { y2: rows });
    setAttributes(wave, {
      d: wavePath(table, rows, d, state.column),
      class: `pex-curve ${state.column % 2 ? "pex-cosine-curve" : "pex-sine-curve"}`,
    });
    setAttributes(waveAt, { x1: -1.15, x2: 1.15, y1: state.row + 0.5, y2: state.row + 0.5 });
    setAttributes(across, { viewBox: `0 -1.15 ${d} 2.3` });
    setAttributes(zeroAcross, { x2: d });
    setAttributes(sines, { d: bars(table, d, state.row, 0) });
    setAttributes(cosines, { d: bars(table, d, state.row, 1) });
    setAttributes(vectorAt, {
      y1: -1.15,
      y2: 1.15,
      x1: state.column + 0.5,
      x2: state.column + 0.5,
    });
    write(mapName, `${rows} rows, ${d} columns`);
    write(waveName, `column ${state.column}`);
    write(vectorName, `row ${state.row} as a vector`);

    const pair = state.column >> 1,
      divisor = denominator(pair, d, b),
      angle = state.row / divisor;
    const cell = (state.column % 2 ? Math.cos : Math.sin)(angle);
    write(name, `PE[${state.row}, ${state.column}] `);
    value.show(cell);
    omega.show(1 / divisor);
    waves.show(wavelength(pair, d, b));
    turns.show((rows - 1) / wavelength(pair, d, b));
    const kind = state.column % 2 ? "cosine" : "sine";
    return (
      `In the table of ${rows} rows and ${d} columns, row ${state.row}, column ${state.column}: ` +
      `the ${kind} of ${state.row} / ${fixed(divisor)} is ${fixed(cell)}. ` +
      `The wavelength of pair ${pair} is ${grouped(wavelength(pair, d, b), 1)} positions.`
    );
  };
  return {
    top: [figure, html("div", { class: "pex-controls" }, row.element, column.element), numbers],
    settings: [length.element, width.element, base.element],
    draw,
  };
}

/** The column as a line from the first row down to the last. */
function wavePath(
  /** @type {Float64Array} */ table,
  /** @type {number} */ rows,
  /** @type {number} */ d,
  /** @type {number} */ column,
) {
  let path = "";
  for (let p = 0; p < rows; p += 1)
    path += `${p ? "L" : "M"}${table[p * d + column].toFixed(4)} ${p + 0.5}`;
  return path;
}

/** The sines (parity 0) or the cosines (parity 1) of a row as bars. */
function bars(
  /** @type {Float64Array} */ table,
  /** @type {number} */ d,
  /** @type {number} */ row,
  /** @type {number} */ parity,
) {
  let path = "";
  for (let c = parity; c < d; c += 2)
    path += `M${c + 0.1} 0h.8v${(-table[row * d + c]).toFixed(4)}h-.8z`;
  return path;
}

export default widget({ name: "heatmap", label: "Heat map explorer", clean, view });
