// A sentence whose words change places, and what attention makes of it.

import { MATRICES, SENTENCES } from "./from_python.js";
import { button, toggle } from "./kit/controls.js";
import { fit, html, setAttributes, write } from "./kit/elements.js";
import { fixed } from "./kit/format.js";
import { widget } from "./kit/mount.js";
import { reading, readings } from "./kit/readings.js";
import { numberCell } from "./kit/tables.js";
import { moved, numbers, placesIn } from "./order.numbers.js";

/** @import { Change } from "./kit/settings.js" */
/** @import { State } from "./order.numbers.js" */

const LIMIT = SENTENCES.sentence;
const WIDTH = MATRICES.value.length; // numbers a word
const SLIDE = { duration: 200, easing: "ease-out" };

/** The line under the figure. @param {State} state @param {number} change */
export function says({ sentence, positions }, change) {
  const told = `“${sentence}”, ${positions ? "with" : "without"} positions: `;
  if (!positions)
    return `${told}every word gets the same numbers in whatever order the words stand.`;
  const depend = `${told}the numbers of a word depend on where it stands. `;
  if (new Set(sentence.split(" ")).size === 1)
    return `${depend}These words are all the same, and have one order.`;
  return `${depend}In the alphabetical or the reversed order one of them differs by ${fixed(change)}.`;
}

/** @param {Change} change */
function view(change) {
  /** @type {State} */ let state = { sentence: "", positions: false, place: 0 };
  let held = -1, // the place of the word that is being dragged
    dragged = false; // whether it has moved since the button went down

  /** @param {number} start @param {number} goal */
  const move = (start, goal) => {
    if (goal < 0 || goal >= state.sentence.split(" ").length) return false;
    change({ sentence: moved(state.sentence, start, goal), place: goal });
    return true;
  };

  const how = html(
    "div",
    { id: `pex-${Math.random().toString(36).slice(2)}`, class: "pex-note" },
    "Drag a word, or move it with the arrow keys.",
  );
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
  const table = html(
    "table",
    { class: "pex-tensor pex-order", "aria-label": "The output of each word, and where it looks" },
    html("thead", {}, head),
  );
  table.append(output, weights);

  /**
   * A word: a button that chooses it, and that can be dragged or moved by the arrow keys. Each is a
   * stop of Tab, for the arrow keys are those that move it. @param {number} p
   */
  function tile(p) {
    const element = button(
      "",
      () => {
        // A drag ends with a click too, and has chosen its word already.
        if (!dragged) change({ place: p });
        dragged = false;
      },
      { class: "pex-word", "aria-describedby": how.id },
    );
    element.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      if (move(p, p + by)) tiles[p + by].focus();
    });
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !event.isPrimary) return; // no second finger
      held = p;
      dragged = false;
      element.setPointerCapture(event.pointerId);
    });
    element.addEventListener("pointermove", (event) => {
      if (held < 0 || !event.isPrimary || !(event.buttons & 1)) return;
      // Where a column stands, and not where it is drawn while it slides. A slide draws it larger.
      const box = table.getBoundingClientRect();
      const x = ((event.clientX - box.left) * table.offsetWidth) / box.width;
      const over = heads.findIndex(
        (each) =>
          each.isConnected && each.offsetLeft <= x && x < each.offsetLeft + each.offsetWidth,
      );
      if (over < 0 || over === held || !move(held, over)) return;
      held = over;
      dragged = true;
    });
    element.addEventListener("pointerup", (event) => {
      if (!event.isPrimary) return;
      if (held >= 0) tiles[held].focus({ preventScroll: true }); // where the word is now
      held = -1;
      setTimeout(() => (dragged = false)); // a finger's drag ends without a click
    });
    element.addEventListener("pointercancel", () => {
      held = -1;
      dragged = false; // no click follows
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
  const left = button("Move left", () => move(state.place, state.place - 1)),
    right = button("Move right", () => move(state.place, state.place + 1));
  const add = button("One more word", () => {
    const count = state.sentence.split(" ").length;
    if (count < LIMIT.most) change({ sentence: `${state.sentence} ${menu.value}`, place: count });
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

  /**
   * Lets the columns slide from where they were. Where they end is said too: for a slide without
   * an end Chromium works out styles and paints anew in each of its frames.
   * @param {number[]} from  the old place of each @param {number} wide  a column
   */
  const slide = (from, wide) => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const lines = [heads, ...rows.map((each) => each.all.map((cell) => cell.element))];
    for (const line of lines)
      from.forEach((old, p) => {
        if (old !== p)
          line[p].animate({ transform: [`translateX(${(old - p) * wide}px)`, "none"] }, SLIDE);
      });
  };

  /** @param {State} next */
  const draw = (next) => {
    const before = state.sentence.split(" ");
    state = next;
    const { words, weights: given, output: rowsOut, change: most } = numbers(state);
    const count = words.length;
    table.style.minWidth = `${4.4 + 2.6 * count}rem`; // a word and a number need so much
    const from = movedFrom(before, words);
    const wide = from ? heads[0].offsetWidth : 0; // before anything is written
    fit(head, [head.children[0], ...heads], 1 + count);
    words.forEach((word, p) => {
      write(tiles[p], word);
      setAttributes(tiles[p], { "aria-current": p === state.place });
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
    setAttributes(left, { "aria-disabled": state.place === 0 });
    setAttributes(right, { "aria-disabled": state.place === count - 1 });
    setAttributes(add, { "aria-disabled": count === LIMIT.most });
    setAttributes(less, { "aria-disabled": count === LIMIT.fewest });
    differs.show(most);
    if (from) slide(from, wide);
    return says(state, most);
  };

  return {
    top: [
      html("div", { class: "pex-buttons" }, positions.element, turn),
      how,
      html("div", { class: "pex-scroll" }, table),
      readings([
        "largest change of a word's output when the order is made alphabetical or reversed: ",
        differs.element,
      ]),
    ],
    settings: [
      html("label", { class: "pex-choice" }, chosen, menu),
      html("div", { class: "pex-buttons" }, left, right),
      html("div", { class: "pex-buttons" }, add, less),
    ],
    draw,
  };
}

/**
 * Where each word stood before, if they are the same words in another order.
 * @param {string[]} before @param {string[]} now
 */
function movedFrom(before, now) {
  if (before.join(" ") === now.join(" ") || before.length !== now.length) return null;
  const from = placesIn(now, before);
  return from.includes(-1) ? null : from;
}

export default widget({ name: "order", label: "Order explorer", view });
