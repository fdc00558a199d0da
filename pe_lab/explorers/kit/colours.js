// The colours of the values from -1 to 1, as figures.py has them.

import { COLOURS } from "../from_python.js";
import { html } from "./elements.js";

/** Red, green and blue of every shade, from -1 (purple) through 0 (near white) to +1 (green). */
export const SHADES = Array.from({ length: COLOURS.shades }, (_, n) => {
  const signed = (2 * n) / (COLOURS.shades - 1) - 1,
    end = signed < 0 ? COLOURS.minus : COLOURS.plus;
  return COLOURS.zero.map((zero, c) => Math.floor(zero + Math.abs(signed) * (end[c] - zero)));
});

/** Every shade as one 32-bit pixel; ImageData is red, green, blue, alpha from the lowest byte up. */
export const PIXELS = Uint32Array.from(
  SHADES,
  ([r, g, b]) => (255 << 24) | (b << 16) | (g << 8) | r,
);

/** The shades as a style wants them. */
export const GROUNDS = SHADES.map(
  (shade) => `#${shade.map((each) => each.toString(16).padStart(2, "0")).join("")}`,
);

/** Black or white, whichever reads better on the shade. */
export const INKS = SHADES.map((shade) => {
  const [r, g, b] = shade.map((c) => (c <= 10 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#000" : "#fff";
});

/** The number of the shade of a value in [-1, 1]. @param {number} value */
export function shadeOf(value) {
  const n = (((value + 1) * COLOURS.shades) / 2) | 0;
  return Math.max(0, Math.min(COLOURS.shades - 1, n));
}

/** The colours of -1 to 1 with the two ends written beside them: stray words to who sees no colours. */
export function legend() {
  const stops = [COLOURS.minus, COLOURS.zero, COLOURS.plus].map((each) => `rgb(${each.join(" ")})`);
  const style = `background:linear-gradient(to right,${stops.join(",")})`;
  const attributes = { class: "pex-legend", "aria-hidden": "true" };
  return html("span", attributes, "−1", html("span", { style }), "1");
}
