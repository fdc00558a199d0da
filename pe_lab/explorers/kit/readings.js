// What is said in numbers and words: readings, and the sentence under the figure.

import { html, write } from "./elements.js";
import { fixed } from "./format.js";

/**
 * An element that shows a number: printed digits to read, the full number in its value.
 * @param {(x: number) => string} print
 */
export function reading(print = fixed) {
  const element = html("data");
  let shown = NaN;
  return {
    element,
    /** @param {number} x */
    show(x) {
      if (Object.is(shown, x)) return;
      shown = x;
      element.value = String(x);
      write(element, print(x));
    },
  };
}

/** The list of readings: an item is its words and the elements of its numbers. @param {(Node | string)[][]} items */
export function readings(...items) {
  return html("ul", { class: "pex-readings" }, ...items.map((item) => html("li", {}, ...item)));
}

/**
 * The sentence under the figure, announced politely: at once after a pause, or where one thing was
 * chosen; while a slider is being dragged not again until it rests. It keeps the room of the tallest
 * so far: else the page below would move with each, and be drawn anew.
 * @param {() => void} before  called before it is written while the figure rests
 */
export function sentence(before) {
  const shown = html("span");
  const element = html(
    "p",
    { class: "pex-sentence", "aria-live": "polite", "aria-atomic": "true" },
    shown,
  );
  let wanted = "",
    resting = 0;
  const room = new ResizeObserver(([{ contentRect }]) => {
    // The style sheet lays the tallest out behind, unseen; the room is that of the taller.
    if (shown.offsetHeight > contentRect.height - 1)
      element.dataset.tallest = shown.textContent ?? "";
  });
  room.observe(element);
  return {
    element,
    /** @param {string} text @param {boolean} atOnce */
    say(text, atOnce) {
      wanted = text;
      if (atOnce || !resting) write(shown, wanted);
      clearTimeout(resting);
      resting = window.setTimeout(() => {
        resting = 0;
        before();
        write(shown, wanted);
      }, 250);
    },
    stop() {
      clearTimeout(resting);
      room.disconnect();
    },
  };
}
