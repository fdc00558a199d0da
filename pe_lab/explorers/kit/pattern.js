// The pattern of attention as a picture: row p looks at column q.

import { PIXELS, shadeOf } from "./colours.js";
import { html } from "./elements.js";

/** A square map; a click chooses a row of it. @param {(row: number) => void} choose */
export function patternMap(choose) {
  const canvas = html("canvas");
  const mark = html("div", { class: "pex-pattern-row" });
  const element = html("div", { class: "pex-pattern", "aria-hidden": "true" }, canvas, mark);
  const paper = canvas.getContext("2d");
  let image = new ImageData(1, 1),
    pixels = new Uint32Array(1);
  canvas.addEventListener("click", (event) => {
    const { top, height } = canvas.getBoundingClientRect();
    const row = Math.floor((canvas.height * (event.clientY - top)) / height);
    choose(Math.max(0, Math.min(canvas.height - 1, row)));
  });
  return {
    element,
    /** @param {Float64Array} weights  row after row @param {number} size  of a row */
    show(weights, size) {
      if (canvas.width !== size || image.width !== size) {
        canvas.width = canvas.height = size;
        image = new ImageData(size, size);
        pixels = new Uint32Array(image.data.buffer);
        mark.style.height = `${100 / size}%`;
      }
      // The root, so that a weight of a hundredth can be seen beside one of 1.
      for (let at = 0; at < weights.length; at += 1)
        pixels[at] = PIXELS[shadeOf(Math.sqrt(weights[at]))];
      paper?.putImageData(image, 0, 0);
    },
    /** @param {number} row */
    choose(row) {
      mark.style.top = `${(100 * row) / image.width}%`;
    },
  };
}
