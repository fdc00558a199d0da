// A head of attention that looks k back: its pattern, and the weights of one row.

import { LENGTH } from "./from_python.js";
import { bars } from "./kit/bars.js";
import { slider, toggle, widthSlider } from "./kit/controls.js";
import { html, write } from "./kit/elements.js";
import { fixed } from "./kit/format.js";
import { widget } from "./kit/mount.js";
import { patternMap } from "./kit/pattern.js";
import { reading, readings } from "./kit/readings.js";
import { numbers, pattern } from "./head.numbers.js";

/** @import { Change } from "./kit/settings.js" */
/** @import { State } from "./head.numbers.js" */

const SCALES = [0.1, 0.25, 0.5, 1]; // of the bars: the first that is large enough

/** The weights of one row as bars. */
function chart() {
  const drawing = bars(LENGTH);
  const top = html("span", { class: "pex-head-top" });
  return {
    element: html("div", { class: "pex-chart", "aria-hidden": "true" }, drawing.element, top),
    /** @param {Float64Array} weights @param {number} target */
    show(weights, target) {
      const scale = SCALES.find((each) => Math.max(...weights) <= each) ?? 1;
      write(top, String(scale));
      drawing.show(
        weights.map((each) => each / scale),
        target,
      );
    },
  };
}

/** @param {number} k */
function back(k) {
  if (k === 0) return "at themselves";
  return k > 0 ? `${k} back` : `${-k} ahead`;
}

/** @param {Change} change */
function view(change) {
  const offset = slider(
    "offset",
    { label: "Offset k", words: (k) => `looks ${back(k)}`, short: (k) => fixed(k, 0) },
    change,
  );
  const gain = slider("gain", { label: "Gain", words: (g) => `gain ${g}` }, change);
  const pairs = slider(
    "pairs",
    { label: "Pairs read", words: (n) => `${n} ${n === 1 ? "pair" : "pairs"} read` },
    change,
  );
  const width = widthSlider(change);
  const row = slider("row", { label: "Row p", words: (p) => `row ${p}` }, change);
  const words = toggle("words", "A random word at each position", change);
  const map = patternMap((p) => change({ row: p })),
    weights = chart();
  const mean = reading(),
    right = html("span"),
    here = reading(),
    name = html("span");
  /** @type {ReturnType<typeof pattern>} */ let whole;
  let kept = ""; // the settings whose pattern it is
  return {
    top: [
      offset.element,
      gain.element,
      html(
        "div",
        { class: "pex-head" },
        map.element,
        html(
          "div",
          {},
          html("div", { class: "pex-note" }, "The weights of row p; strong: its target, p − k."),
          weights.element,
        ),
        row.element,
      ),
      readings(["mean weight on the target: ", mean.element], [right], [name, here.element]),
    ],
    settings: [pairs.element, width.element, words.element],
    /** @param {State} state */
    draw(state) {
      const key = JSON.stringify({ ...state, row: 0 });
      if (kept !== key) {
        whole = pattern(state);
        map.show(whole.weights, LENGTH);
      }
      kept = key;
      const shown = numbers(state, whole);
      const { one, target, looks } = shown;
      for (const each of [offset, gain, pairs, width, row, words]) each.show(state);
      map.choose(state.row);
      weights.show(one, target);
      mean.show(shown.onTarget);
      write(right, `largest there: ${shown.right} of ${shown.have} rows`);
      const inside = target in one;
      write(
        name,
        inside ? `row ${state.row} gives position ${target}: ` : `largest in row ${state.row}: `,
      );
      here.show(one[inside ? target : looks]);
      return says(state, shown);
    },
  };
}

/** @param {State} state @param {ReturnType<typeof numbers>} shown */
function says({ offset, d_model, gain, pairs, words, row }, { onTarget, right, have, one, looks }) {
  const read = pairs === d_model / 2 ? `all ${pairs} pairs` : `${pairs} of ${d_model / 2} pairs`;
  return (
    `d_model ${d_model}, gain ${gain}, ${read}, ${words ? "with" : "without"} words: ${right} of ` +
    `${have} rows look ${back(offset)} most, with ${fixed(onTarget)} of their weight in the mean. ` +
    `Row ${row} looks at position ${looks} most, with ${fixed(one[looks])}.`
  );
}

export default widget({ name: "head", label: "Head explorer", view });
