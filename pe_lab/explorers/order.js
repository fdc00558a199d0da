// A sentence whose words change places, and what attention makes of it.

import { MATRICES, SENTENCES } from "./from_python.js";
import { button, toggle } from "./kit/controls.js";
import { fit, html, setAttributes, write } from "./kit/elements.js";
import { fixed } from "./kit/format.js";
import { widget } from "./kit/mount.js";
import { reading, readings } from "./kit/readings.js";
import { numberCell } from "./kit/tables.js";
import { moved, numbers } from "./order.numbers.js";

/** @import { Change } from "./kit/settings.js" */
/** @import { State } from "./order.numbers.js" */

const LIMIT = SENTENCES.sentence;
const WIDTH = MATRICES.value.length; // numbers a word
const SLIDE = { duration: 200, easing: "ease-out" };

/** The line under the figure. @param {State} state @param {number} change */
function says({ sentence, positions }, change) {
  const told = `“${sentence}”, ${positions ? "with" : "without"} positions: `;
  if (change < 1e-9)
    return `${told}every word gets the same numbers in whatever order the words stand.`;
  return `${told}the numbers of a word depend on where it stands. From the alphabetical order one of them differs by ${fixed(change)}.`;
}

/** @param {Change} change */
function view(change) {
  /** @type {State} */ let state = { sentence: "", positions: false, place: 0 };
  let held = -1; // the place that is being dragged

  /** @param {number} start @param {number} goal */
  const move = (start, goal) => {
    if (goal < 0 || goal >= state.sentence.split(" ").length) return false;
    change({ sentence: moved(state.sentence, start, goal), place: goal });
    return true;
  };

  const tiles = Array.from({ length: LIMIT.most }, (_, p) => tile(p));
  const heads = tiles.map((each) => html("th", { scope: "col" }, each));
  const rows = Array.from({ length: WIDTH }, () => cells());
  const looks = Array.from({ length: LIMIT.most }, () => {
    const name = html("th", { scope: "row" });
    return { name, ...cells(name) };
  });
  const head = html("tr", {}, html("td"));
  const output = html(
    "tbody",
    {},
    ...rows.map(({ element }, c) => {
      element.prepend(html("th", { scope: "row" }, `output ${c}`));
      return element;
    }),
  );
  const weights = html("tbody", { class: "pex-weights" });
  const table = html("table", { class: "pex-tensor pex-order" }, html("thead", {}, head));
  table.append(output, weights);

  /** A word that can be dragged, or moved by the arrow keys. @param {number} p */
  function tile(p) {
    const element = html("div", {
      class: "pex-word",
      tabindex: 0,
      role: "button",
      "aria-roledescription": "word that can be moved",
    });
    element.addEventListener("focus", () => change({ place: p }));
    element.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      if (move(p, p + by)) tiles[p + by].focus();
    });
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      held = p;
      element.setPointerCapture(event.pointerId);
      change({ place: p });
    });
    element.addEventListener("pointermove", (event) => {
      if (held < 0) return;
      // Where a column stands, and not where it is drawn while it slides.
      const x = event.clientX - table.getBoundingClientRect().left;
      const over = heads.findIndex(
        (each) =>
          each.isConnected && each.offsetLeft <= x && x < each.offsetLeft + each.offsetWidth,
      );
      if (over >= 0 && over !== held && move(held, over)) held = over;
    });
    for (const end of ["pointerup", "pointercancel"])
      element.addEventListener(end, () => {
        held = -1;
      });
    return element;
  }

  /** A line of the table: a cell for each place. @param {Element[]} before */
  function cells(...before) {
    const all = Array.from({ length: LIMIT.most }, () => numberCell());
    const element = html("tr", {}, ...before);
    return {
      element,
      all,
      /** @param {number[]} values */
      show(values) {
        values.forEach((value, p) => all[p].show(value, fixed(value, 2), true));
        fit(
          element,
          [...element.querySelectorAll("th"), ...all.map((c) => c.element)],
          1 + values.length,
        );
      },
    };
  }

  const positions = toggle("positions", "Add positions", change);
  const menu = html(
    "select",
    {},
    ...LIMIT.vocabulary.map((word) => html("option", { value: word }, word)),
  );
  menu.addEventListener("change", () => {
    const words = state.sentence.split(" ");
    words[state.place] = menu.value;
    change({ sentence: words.join(" ") });
  });
  const chosen = html("span");
  const add = button("One more word", () => {
    if (state.sentence.split(" ").length < LIMIT.most)
      change({ sentence: `${state.sentence} ${menu.value}` });
  });
  const less = button("One word less", () => {
    const words = state.sentence.split(" ");
    words.splice(state.place, 1);
    if (words.length >= LIMIT.fewest) change({ sentence: words.join(" ") });
  });
  const turn = button("Turn the order round", () =>
    change({ sentence: state.sentence.split(" ").reverse().join(" ") }),
  );
  const differs = reading();

  /** Lets the columns slide from where they were. @param {number[]} from  the old place of each */
  const slide = (from) => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const wide = heads[0].offsetWidth;
    const lines = [heads, ...rows.map((each) => each.all.map((cell) => cell.element))];
    for (const line of lines)
      from.forEach((old, p) => {
        if (old !== p)
          line[p].animate([{ transform: `translateX(${(old - p) * wide}px)` }, {}], SLIDE);
      });
  };

  /** @param {State} next */
  const draw = (next) => {
    const before = state.sentence.split(" ");
    state = next;
    const { words, weights: given, output: rowsOut, change: most } = numbers(state);
    const count = words.length;
    fit(head, [head.children[0], ...heads], 1 + count);
    words.forEach((word, p) => {
      write(tiles[p], word);
      setAttributes(tiles[p], {
        "aria-label": `${word}, place ${p} of 0 to ${count - 1}; arrow keys move it`,
        "aria-pressed": p === state.place,
      });
    });
    rows.forEach((row, c) => row.show(rowsOut.map((each) => each[c])));
    fit(
      weights,
      looks.map((each) => each.element),
      count,
    );
    given.forEach((row, p) => {
      write(looks[p].name, `${words[p]} looks at`);
      looks[p].show(row);
    });
    positions.show(state);
    menu.value = words[state.place];
    write(chosen, `Word at place ${state.place}`);
    // Not `disabled`: that would take the focus from the button that was just used.
    setAttributes(add, { "aria-disabled": count === LIMIT.most });
    setAttributes(less, { "aria-disabled": count === LIMIT.fewest });
    differs.show(most);
    const from = places(before, words);
    if (from) slide(from);
    return says(state, most);
  };

  return {
    top: [
      html("div", { class: "pex-buttons" }, positions.element, turn),
      html("div", { class: "pex-note" }, "Drag a word, or move it with the arrow keys."),
      html("div", { class: "pex-scroll" }, table),
      readings(["largest difference from the alphabetical order: ", differs.element]),
    ],
    settings: [
      html("label", { class: "pex-choice" }, chosen, menu),
      html("div", { class: "pex-buttons" }, add, less),
    ],
    draw,
  };
}

/**
 * Where each word stood before, if they are the same words in another order.
 * @param {string[]} before @param {string[]} now
 */
function places(before, now) {
  if (before.join(" ") === now.join(" ") || before.length !== now.length) return null;
  const free = before.map((word, p) => ({ word, p }));
  const from = now.map((word) => {
    const at = free.findIndex((each) => each.word === word);
    return at < 0 ? -1 : free.splice(at, 1)[0].p;
  });
  return from.includes(-1) ? null : from;
}

export default widget({ name: "order", label: "Order explorer", view });
