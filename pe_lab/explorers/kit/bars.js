// A row of bars, one of them chosen.

import { setAttributes, svg } from "./elements.js";

const BAR = 10; // width of a bar with the gap beside it, in units of the drawing
const TALL = 100; // its height where a part is 1

/** So many bars side by side, as two paths. @param {number} count */
export function bars(count) {
  const all = svg("path", { class: "pex-bars" }),
    one = svg("path", { class: "pex-bar" });
  const box = { viewBox: `0 0 ${BAR * count} ${TALL}`, preserveAspectRatio: "none" };
  const bar = (/** @type {number} */ part, /** @type {number} */ n) =>
    `M${BAR * n + 1} ${TALL}v-${(TALL * part).toFixed(2)}h${BAR - 2}V${TALL}z`;
  return {
    element: svg("svg", { ...box, "aria-hidden": "true" }, all, one),
    /** @param {ArrayLike<number>} parts  of the whole height @param {number} chosen */
    show(parts, chosen) {
      setAttributes(all, { d: Array.from(parts, bar).join("") });
      setAttributes(one, { d: chosen in parts ? bar(parts[chosen], chosen) : "" });
    },
  };
}
