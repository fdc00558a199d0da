// Dials: a hand at an angle, clockwise from twelve; how far right is its sine, how far up its cosine.

import { svg } from "./elements.js";

export const RIM = 42;

/** The tip of a hand at `angle` radians. @param {number} angle */
export function tip(angle, radius = RIM) {
  return [radius * Math.sin(angle), -radius * Math.cos(angle)];
}

/** The face of a dial, with a tick at twelve, where every hand starts. */
export function face() {
  return svg(
    "svg",
    { viewBox: "-50 -50 100 100", "aria-hidden": "true" },
    svg("circle", { r: RIM, class: "pex-rim" }),
    svg("line", { y1: -RIM - 5, y2: -RIM + 5, class: "pex-tick" }),
  );
}
