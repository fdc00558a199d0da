// The encoding built step by step, and one number followed through the steps.

import { STEPS } from "./from_python.js";
import { FORMULAS, formulaBox } from "./build.formulas.js";
import { numbers, TENSORS } from "./build.numbers.js";
import { shapeText, tensorTable } from "./build.tables.js";
import { baseSlider, lengthSlider, slider, widthSlider } from "./kit/controls.js";
import { html, setAttributes } from "./kit/elements.js";
import { widget } from "./kit/mount.js";
import { whole } from "./kit/settings.js";

/** @import { State } from "./build.numbers.js" */
/** @import { Change } from "./kit/settings.js" */
/** @typedef {ReturnType<typeof numbers>} Numbers */

// How many numbers of the steps before are shown; of more, the rows that matter. On a phone so few
// that the table of the present step is in sight with them.
const MOST_SOURCES = 64,
  MOST_ON_PHONE = 24;

/** @type {ScrollIntoViewOptions} */
const NEAREST = { block: "nearest", inline: "nearest", behavior: "instant" };

/** The table of the present step, in which a cell is chosen. @param {Change} change @param {() => void} again */
function grid(change, again) {
  const inside = tensorTable();
  setAttributes(inside.table, { role: "grid" });
  const element = html("div", { class: "pex-tensors" }, inside.element);
  /** @type {State} */ let state;
  let focus = false; // whether the chosen cell gets the focus when it is drawn
  let byKey = false; // and whether the page follows it: a cell that is clicked is seen

  const choose = (/** @type {number} */ r, /** @type {number} */ c) =>
    change(/** @type {Partial<State> & {}} */ (TENSORS[state.step].pick(r, c, state)));
  element.addEventListener("click", ({ target }) => {
    const cell = inside.find(target);
    if (!cell) return;
    focus = true;
    byKey = false;
    again();
    choose(cell[0], cell[1]);
  });
  element.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { at, size } = TENSORS[state.step];
    const [r, c] = at(state),
      [lastRow, lastColumn] = size(state).map((count) => count - 1);
    /** @type {Record<string, number[]>} */
    const moves = {
      ArrowUp: [r - 1, c],
      ArrowDown: [r + 1, c],
      ArrowLeft: [r, c - 1],
      ArrowRight: [r, c + 1],
      Home: [r, 0],
      End: [r, lastColumn],
    };
    const to = moves[event.key];
    if (!to) return;
    event.preventDefault();
    byKey = true;
    choose(whole(to[0], 0, lastRow), whole(to[1], 0, lastColumn));
  });
  return {
    element,
    inside,
    /** @param {State} next */
    follow(next) {
      state = next;
      focus ||= element.contains(document.activeElement);
    },
    /** @param {HTMLElement} cell */
    takeFocus(cell) {
      if (focus && document.activeElement !== cell) {
        cell.focus({ preventScroll: true });
        if (byKey) queueMicrotask(() => cell.scrollIntoView(NEAREST));
      }
      focus = byKey = false;
    },
  };
}

/** @param {Change} change @param {() => void} again */
function view(change, again) {
  const step = slider(
    "step",
    {
      label: "Step",
      ends: ["Previous", "Next"],
      words: (n) => `step ${n + 1} of ${STEPS.length}, ${STEPS[n]}`,
      short: (n) => `${n + 1} of ${STEPS.length}: ${STEPS[n]}`,
    },
    change,
  );
  const width = widthSlider(change);
  const length = lengthSlider(change);
  const base = baseSlider(change);
  const origins = [0, 1].map(() => tensorTable({ tabindex: 0, role: "region" }));
  const sources = html("div", { class: "pex-tensors" }, ...origins.map((each) => each.element));
  const formula = formulaBox();
  const result = grid(change, again);

  const phone = matchMedia("(max-width: 30rem)");
  let narrow = phone.matches;
  // A phone may be turned. Unlike a listener of `phone`, this goes with what it looks at.
  new ResizeObserver(() => {
    if (narrow !== phone.matches) again();
  }).observe(result.element);
  /** @type {HTMLElement[]} */ let marked = [];
  let filled = "",
    placed = "";

  /** @param {Numbers} all */
  const fillTables = ({ shown, sources: from }) => {
    const most = (narrow ? MOST_ON_PHONE : MOST_SOURCES) / from.length;
    result.inside.show(shown);
    setAttributes(result.inside.table, {
      "aria-label": `${STEPS[shown.step]}, shape ${shapeText(shown)}; arrow keys choose a cell`,
    });
    sources.hidden = from.length === 0;
    origins.forEach(({ element, table, box, show }, n) => {
      element.hidden = n >= from.length;
      if (element.hidden) return;
      show(from[n], most);
      const name = STEPS[from[n].step];
      setAttributes(table, { "aria-label": `${name}, shape ${shapeText(from[n])}` });
      setAttributes(box, { "aria-label": `${name}, where the values come from` });
    });
  };

  /** Marks the chosen cell and those it comes from, and brings them into view. @param {Numbers} all */
  const mark = ({ shown, sources: from, used }) => {
    const chosenCell = result.inside.at(shown.at[0], shown.at[1]);
    const usedCells = from.flatMap(({ step: each, at }, n) =>
      used.includes(each) ? [origins[n].at(at[0], at[1])] : [],
    );
    for (const cell of marked) {
      cell.classList.remove("pex-chosen");
      cell.removeAttribute("tabindex");
      cell.removeAttribute("aria-selected");
    }
    marked = [chosenCell, ...usedCells];
    setAttributes(chosenCell, { tabindex: 0, "aria-selected": true });
    for (const cell of marked) cell.classList.add("pex-chosen");
  };

  /** @param {State} state */
  const draw = (state) => {
    const all = numbers(state);
    result.follow(state);
    for (const each of [step, width, length, base]) each.show(state);
    const { row, column, ...rest } = state;
    narrow = phone.matches;
    const content = [...Object.values(rest), row, narrow].join();
    if (filled !== content) fillTables(all);
    filled = content;
    formula.show(state);
    const place = [content, column].join();
    if (placed !== place) {
      mark(all);
      queueMicrotask(() => reveal(marked)); // once all is written: to measure lays the page out
    }
    placed = place;
    result.takeFocus(marked[0]);
    return `Step ${state.step + 1} of ${STEPS.length}, shape ${shapeText(all.shown)}. ${FORMULAS[state.step].words(state)}`;
  };
  return {
    top: [
      step.element,
      html("div", { class: "pex-figure" }, sources, formula.element, result.element),
    ],
    settings: [length.element, width.element, base.element],
    draw,
  };
}

/** Scrolls wide tables sideways until the cells show; the page stays where it is. @param {Element[]} cells */
function reveal(cells) {
  const moves = cells.map((cell) => {
    const box = /** @type {Element} */ (cell.closest(".pex-scroll"));
    const inner = cell.getBoundingClientRect(),
      outer = box.getBoundingClientRect();
    const right = Math.max(0, inner.right + 8 - outer.right),
      left = Math.max(0, outer.left + 8 - inner.left);
    return { box, by: right - left };
  });
  for (const { box, by } of moves) if (by) box.scrollLeft += by;
}

export default widget({
  name: "build",
  label: "Build explorer: the encoding step by step",
  view,
});
