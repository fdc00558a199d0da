// A row of bars, one of them chosen.

import { html, setAttributes, svg, write } from "./elements.js";

const BAR = 10; // width of a bar with the gap beside it, in units of the drawing
const TALL = 100; // its height where a part is 1

/** So many bars side by side, as two paths, and the value of a whole one. @param {number} count */
export function chart(count) {
  const all = svg("path", { class: "pex-bars" }),
    one = svg("path", { class: "pex-bar" });
  const box = { viewBox: `0 0 ${BAR * count} ${TALL}`, preserveAspectRatio: "none" };
  const bar = (/** @type {number} */ part, /** @type {number} */ n) =>
    `M${BAR * n + 1} ${TALL}v-${(TALL * part).toFixed(2)}h${BAR - 2}V${TALL}z`;
  const top = html("span", { class: "pex-chart-top" });
  const drawing = svg("svg", box, all, one);
  return {
    element: html("div", { class: "pex-chart", "aria-hidden": "true" }, drawing, top),
    /** @param {ArrayLike<number>} values @param {number} chosen @param {number} whole */
    show(values, chosen, whole) {
      write(top, String(whole));
      const parts = Array.from(values, (each) => each / whole);
      setAttributes(all, { d: parts.map(bar).join("") });
      setAttributes(one, { d: chosen in parts ? bar(parts[chosen], chosen) : "" });
    },
  };
}
