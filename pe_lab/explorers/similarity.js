// The dot product of one row with every row, against the offset.

import { LIMITS, SCHEDULES } from "./from_python.js";
import { choice, lengthSlider, slider, toggle, widthSlider } from "./kit/controls.js";
import { html, write } from "./kit/elements.js";
import { fixed } from "./kit/format.js";
import { widget } from "./kit/mount.js";
import { reading, readings } from "./kit/readings.js";
import { analyse, numbers } from "./similarity.numbers.js";
import { plot } from "./similarity.plot.js";

/** @import { State } from "./similarity.numbers.js" */
/** @import { Change } from "./kit/settings.js" */

/** @param {Change} change */
function view(change) {
  const row = slider("position", { label: "Row p", words: (p) => `row ${p}` }, change);
  const width = widthSlider(change);
  const length = lengthSlider(change);
  const names = Object.entries(SCHEDULES).map(([key, { name }]) => [key, name]);
  const schedule = choice("schedule", "Frequencies", Object.fromEntries(names), change);
  const mark = toggle("first_rise", "Mark the first rise of row 0's curve", change);
  const chart = plot();
  const legend = html("span");
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
  const norm = reading(),
    beside = reading(),
    besideName = html("span"),
    fromStart = reading(),
    spread = reading();

  const space = new Float64Array(LIMITS.length.high * LIMITS.d_model.high);
  /** @type {ReturnType<typeof analyse>} */ let whole;
  let analysed = "";

  /** @param {State} state */
  const draw = (state) => {
    for (const each of [row, width, length, schedule, mark]) each.show(state);
    const key = `${state.d_model} ${state.length} ${state.schedule} ${state.first_rise}`;
    if (analysed !== key) {
      whole = analyse(state, space);
      chart.frame(whole, state.first_rise ? whole.rise : -1);
    }
    analysed = key;
    const now = numbers(state, whole);
    chart.move(now.curve, state.position);
    write(legend, `Thick: row ${state.position}. Thin: row 0, mirrored.`);
    norm.show(now.norm);
    write(besideName, `at offset ${fixed(now.step, 0)}: `);
    beside.show(now.beside);
    fromStart.show(now.fromStart);
    spread.show(now.spread);
    return says(state, now);
  };
  return {
    top: [
      row.element,
      schedule.element,
      figure,
      readings(
        ["at offset 0: ", norm.element],
        [besideName, beside.element],
        ["largest difference from the curve of row 0: ", fromStart.element],
        ["largest variation over all rows p: ", spread.element],
      ),
    ],
    settings: [width.element, length.element, mark.element],
    draw,
  };
}

/** @param {State} state @param {ReturnType<typeof numbers>} now */
function says({ d_model, length, position, schedule, first_rise }, { fromStart, spread, rise }) {
  const first =
    rise < 0
      ? `does not rise up to offset ${length - 1}`
      : `first rises from offset ${rise} to ${rise + 1}`;
  const marked = first_rise ? ` Row 0's curve ${first}.` : "";
  return (
    `Row ${position} of ${length}, d_model ${d_model}, ${SCHEDULES[schedule].short}: ` +
    `the curve differs from that of row 0 by at most ${fixed(fromStart)}; over all rows, ` +
    `the value at one offset varies by ${fixed(spread)}.${marked}`
  );
}

export default widget({ name: "similarity", label: "Similarity explorer", view });
