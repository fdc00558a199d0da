import {
  denominator,
  even,
  fixed,
  html,
  lengthSlider,
  reading,
  readings,
  setAttributes,
  slider,
  svg,
  waveTable,
  whole,
  widget,
  widthSlider,
  write,
} from "./shared.js";

const LARGEST = 512;
const BASE = 10000;

/** @typedef {{d_model: number, length: number, position: number, schedule: string}} State */

/**
 * The frequency schedules: what the position is divided by in the sine and in the cosine of pair i.
 * @type {Record<string, {name: string, short: string, divisors: (i: number, d: number) => number[]}>}
 */
const SCHEDULES = {
  paper: {
    name: "the paper's, ω = 10000^(−2i/d)",
    short: "the paper's frequencies",
    divisors: (i, d) => [denominator(i, d, BASE), denominator(i, d, BASE)],
  },
  equal: {
    name: "all equal, ω = 1",
    short: "equal frequencies",
    divisors: () => [1, 1],
  },
  "raw-exponent": {
    name: "by mistake: exponent 2c/d in column c",
    short: "the raw-column exponent",
    divisors: (i, d) => [BASE ** ((4 * i) / d), BASE ** ((4 * i + 2) / d)],
  },
  division: {
    name: "by mistake: ω = 10000^(+2i/d)",
    short: "division by mistake",
    divisors: (i, d) => [1 / denominator(i, d, BASE), 1 / denominator(i, d, BASE)],
  },
};

/** @returns {State} */
function clean(/** @type {any} */ { d_model, length, position, schedule }) {
  const rows = whole(length, 2, LARGEST);
  return {
    d_model: even(d_model, 2, LARGEST),
    length: rows,
    position: whole(position, 0, rows - 1),
    schedule: schedule in SCHEDULES ? schedule : "paper",
  };
}

/** The dot products of row p with every row of a table (L, d). */
function products(
  /** @type {Float64Array} */ table,
  /** @type {number} */ length,
  /** @type {number} */ d,
  /** @type {number} */ p,
) {
  const all = new Float64Array(length); // (L,)
  for (let q = 0; q < length; q += 1) {
    let sum = 0;
    for (let c = 0; c < d; c += 1) sum += table[p * d + c] * table[q * d + c];
    all[q] = sum;
  }
  return all;
}

/**
 * What a schedule does, whatever p: the table; the curve of row 0; how far the dot product at one
 * offset varies with p; and between which values every dot product lies.
 *
 * With frequencies a for the sine and b for the cosine of a pair,
 *   sin(ap) sin(aq) + cos(bp) cos(bq)
 *     = (cos a(q-p) + cos b(q-p)) / 2  +  (cos b(q+p) - cos a(q+p)) / 2,
 * a part of the offset q - p alone and a part of the sum q + p. All sums that go with one offset
 * have its parity, and offsets 0 and 1 have the most of them.
 */
function analyse(
  /** @type {State} */ { d_model: d, length, schedule },
  /** @type {Float64Array} */ space,
) {
  const divisors = Array.from({ length: d / 2 }, (_, i) => SCHEDULES[schedule].divisors(i, d));
  const a = divisors.map((each) => 1 / each[0]),
    b = divisors.map((each) => 1 / each[1]);
  const table = waveTable(length, a, space, b); // (L, d)
  const sums = 2 * length - 1;
  const ofA = cosineSums(sums, a),
    ofB = a.every((each, i) => each === b[i]) ? ofA : cosineSums(sums, b); // (2L - 1,)
  const ofSum = ofA.map((each, m) => (ofB[m] - each) / 2);
  const ofOffset = ofA.subarray(0, length).map((each, k) => (ofB[k] + each) / 2); // (L,)
  const byParity = [0, 1].map((parity) => ofSum.filter((_, m) => m % 2 === parity));
  const start = products(table, length, d, 0);
  return {
    table,
    start,
    spread: Math.max(...byParity.map((each) => Math.max(...each) - Math.min(...each))),
    low: Math.min(0, Math.min(...ofOffset) + Math.min(...ofSum)),
    high: Math.max(...ofOffset) + Math.max(...ofSum),
    rise: start.findIndex((each, k) => k + 1 < length && start[k + 1] > each),
  };
}

/** Σ_i cos(ω_i m) for m = 0, 1, …, by the same recurrence as the table. */
function cosineSums(/** @type {number} */ count, /** @type {number[]} */ omegas) {
  const sums = new Float64Array(count);
  const factor = Float64Array.from(omegas, (omega) => 2 * Math.cos(omega));
  const now = new Float64Array(omegas.length).fill(1),
    before = Float64Array.from(omegas, Math.cos); // the cosine is even: cos(-ω) = cos ω
  for (let m = 0; m < count; m += 1) {
    let sum = 0;
    for (let i = 0; i < now.length; i += 1) {
      const cosine = now[i];
      sum += cosine;
      now[i] = factor[i] * cosine - before[i];
      before[i] = cosine;
    }
    sums[m] = sum;
  }
  return sums;
}

/** A step of 1, 2 or 5 times a power of ten that divides `span` into at most `parts` parts. */
function niceStep(/** @type {number} */ span, /** @type {number} */ parts) {
  const unit = 10 ** Math.floor(Math.log10(span / parts));
  return [1, 2, 5].map((each) => each * unit).find((each) => span / each <= parts) ?? 10 * unit;
}

/** A plot whose drawing stretches with its box and whose labels do not. */
function plot() {
  const zero = svg("line", { class: "pex-zero" }),
    middle = svg("line", { class: "pex-zero" });
  const riseLine = svg("line", { class: "pex-rise" });
  const start = svg("path", { class: "pex-start" }),
    curve = svg("path", { class: "pex-now" });
  const drawing = svg(
    "svg",
    { preserveAspectRatio: "none", "aria-hidden": "true" },
    zero,
    middle,
    riseLine,
    start,
    curve,
  );
  const labels = html("div", { class: "pex-labels", "aria-hidden": "true" });
  return {
    element: html("div", { class: "pex-plot" }, drawing, labels),
    /** The frame: everything that stays where it is while p moves. */
    frame(/** @type {ReturnType<typeof analyse>} */ { low, high, start: values, rise }) {
      const span = values.length - 1,
        margin = 0.06 * (high - low || 1);
      const bottom = low - margin,
        height = high - low + 2 * margin;
      setAttributes(drawing, { viewBox: `${-span} ${-high - margin} ${2 * span} ${height}` });
      setAttributes(zero, { x1: -span, x2: span });
      setAttributes(middle, { y1: -high - margin, y2: -bottom });
      const printed = Array.from(values, heightOf);
      setAttributes(start, { d: path([...printed.slice(1).reverse(), ...printed], -span) });
      setAttributes(riseLine, {
        x1: rise,
        x2: rise,
        y1: -high - margin,
        y2: -bottom,
        visibility: rise < 0 ? "hidden" : "visible",
      });
      const x = (/** @type {number} */ k) => `left:${(100 * (k + span)) / (2 * span)}%`;
      const y = (/** @type {number} */ s) => `bottom:${(100 * (s - bottom)) / height}%`;
      const along = Math.max(1, niceStep(2 * span, 8)),
        up = niceStep(high - low || 1, 5);
      const marks = (
        /** @type {number} */ from,
        /** @type {number} */ to,
        /** @type {number} */ step,
      ) =>
        Array.from(
          { length: Math.floor(to / step) - Math.ceil(from / step) + 1 },
          (_, n) => (Math.ceil(from / step) + n) * step,
        );
      labels.replaceChildren(
        ...marks(-span, span, along).map((k) =>
          html("span", { class: "pex-x", style: x(k) }, tidy(k)),
        ),
        ...marks(low, high, up).map((s) => html("span", { class: "pex-y", style: y(s) }, tidy(s))),
        ...(rise < 0
          ? []
          : [
              html(
                "span",
                {
                  class: `pex-x pex-rise-label ${rise > span / 3 ? "pex-before-line" : ""}`,
                  style: x(rise),
                },
                `first rise: ${rise} to ${rise + 1}`,
              ),
            ]),
      );
    },
    move(/** @type {Float64Array} */ values, /** @type {number} */ p) {
      setAttributes(curve, { d: path(Array.from(values, heightOf), -p) });
    },
  };
}

/** A tick label, without the digits that only rounding put there. */
function tidy(/** @type {number} */ x) {
  return String(Number(x.toPrecision(6))).replace("-", "−");
}

/** A value as a height in the drawing, where down is positive. */
function heightOf(/** @type {number} */ value) {
  return (-value).toFixed(7);
}

/** Heights as a line, one unit to the right for each. */
function path(/** @type {string[]} */ heights, /** @type {number} */ from) {
  return `M${heights.map((each, n) => `${from + n} ${each}`).join("L")}`;
}

function view(/** @type {(change: any) => void} */ change) {
  const position = slider({
    name: "Row p",
    min: 0,
    max: LARGEST - 1,
    words: (p) => `row ${p}`,
    onInput: (p) => change({ position: p }),
  });
  const width = widthSlider(change, LARGEST);
  const length = lengthSlider(change, 2, LARGEST);
  const choice = /** @type {HTMLSelectElement} */ (
    html(
      "select",
      {},
      ...Object.entries(SCHEDULES).map(([value, { name }]) => html("option", { value }, name)),
    )
  );
  choice.addEventListener("change", () => change({ schedule: choice.value }));
  const chart = plot();
  const legend = html("span");
  const norm = reading(),
    next = reading(),
    nextName = html("span"),
    from0 = reading(),
    spread = reading();
  const numbers = readings(
    ["at offset 0: ", norm.element],
    [nextName, next.element],
    ["largest difference from the curve of row 0: ", from0.element],
    ["largest variation over all rows p: ", spread.element],
  );
  const figure = html(
    "div",
    { class: "pex-figure" },
    html(
      "div",
      { class: "pex-note" },
      "Dot product PE(p) · PE(p + k) against the offset k. ",
      legend,
    ),
    chart.element,
  );

  /** @type {ReturnType<typeof analyse>} */ let now;
  const space = new Float64Array(LARGEST * LARGEST);
  let analysed = "";
  const draw = (/** @type {State} */ state) => {
    const { d_model: d, length: rows, position: p, schedule } = state;
    position.show(p, rows - 1);
    width.show(d);
    length.show(rows);
    choice.value = schedule;
    const key = `${d} ${rows} ${schedule}`;
    if (analysed !== key) {
      now = analyse(state, space);
      chart.frame(now);
    }
    analysed = key;
    const curve = products(now.table, rows, d, p);
    chart.move(curve, p);
    write(legend, `Thick: row ${p}. Thin: row 0, mirrored.`);

    const step = p + 1 < rows ? 1 : -1;
    const difference = curve.reduce(
      (most, s, q) => Math.max(most, Math.abs(s - now.start[Math.abs(q - p)])),
      0,
    );
    norm.show(curve[p]);
    write(nextName, `at offset ${fixed(step, 0)}: `);
    next.show(curve[p + step]);
    from0.show(difference);
    spread.show(now.spread);
    const rise =
      now.rise < 0
        ? `does not rise up to offset ${rows - 1}`
        : `first rises from offset ${now.rise} to ${now.rise + 1}`;
    return (
      `Row ${p} of ${rows}, d_model ${d}, ${SCHEDULES[schedule].short}: ` +
      `the curve differs from that of row 0 by at most ${fixed(difference)}; over all rows, ` +
      `the value at one offset varies by ${fixed(now.spread)}. Row 0's curve ${rise}.`
    );
  };
  const chooser = html("label", { class: "pex-choice" }, html("span", {}, "Frequencies"), choice);
  return {
    top: [position.element, chooser, figure, numbers],
    settings: [width.element, length.element],
    draw,
  };
}

export default widget({ name: "similarity", label: "Similarity explorer", clean, view });
