// The pattern of attention as a picture: row p looks at column q.

import { PIXELS, shadeOf } from "./colours.js";
import { html } from "./elements.js";

/** What the colours of patterns mean: a weight of a hundredth can be seen beside one of 1. */
export function patternKey() {
  return html("div", { class: "pex-note pex-key" }, "Colour: the square root of the weight.");
}

/**
 * A square map; a click chooses a row of it. The canvas has as many rows as there may be, and its
 * first ones fill the map: to make a canvas anew takes longer than to paint it.
 * @param {number} most  rows @param {(row: number) => void} choose
 */
export function patternMap(most, choose) {
  const canvas = html("canvas", { width: most, height: most });
  const mark = html("div", { class: "pex-pattern-row" });
  const element = html("div", { class: "pex-pattern", "aria-hidden": "true" }, canvas, mark);
  const paper = canvas.getContext("2d");
  const image = new ImageData(most, most),
    pixels = new Uint32Array(image.data.buffer);
  let rows = 0; // that are shown
  element.addEventListener("click", (event) => {
    const { top, height } = canvas.getBoundingClientRect();
    const row = Math.floor((most * (event.clientY - top)) / height);
    choose(Math.max(0, Math.min(rows - 1, row)));
  });
  return {
    element,
    /** @param {Float64Array} weights  row after row @param {number} size  of a row */
    show(weights, size) {
      if (rows !== size) {
        canvas.style.width = canvas.style.height = `${(100 * most) / size}%`;
        mark.style.height = `${100 / size}%`;
      }
      rows = size;
      for (let p = 0; p < size; p += 1)
        for (let q = 0; q < size; q += 1)
          pixels[p * most + q] = PIXELS[shadeOf(Math.sqrt(weights[p * size + q]))];
      paper?.putImageData(image, 0, 0, 0, 0, size, size);
    },
    /** @param {number} row */
    choose(row) {
      mark.style.top = `${(100 * row) / rows}%`;
    },
  };
}
