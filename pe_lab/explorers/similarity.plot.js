// The plot of the curves against the offset.

import { heightOf, multiples, niceStep, path, tidy } from "./kit/axes.js";
import { html, setAttributes, svg } from "./kit/elements.js";

const RISE_LABEL = "10em"; // at least its width

/** @import { analyse } from "./similarity.numbers.js" */

/** A plot whose drawing stretches with its box and whose labels do not. */
export function plot() {
  const zero = svg("line", { class: "pex-zero" }),
    middle = svg("line", { class: "pex-zero" }),
    riseLine = svg("line", { class: "pex-rise" }),
    start = svg("path", { class: "pex-start" }),
    curve = svg("path", { class: "pex-now" });
  const drawing = svg(
    "svg",
    { preserveAspectRatio: "none", "aria-hidden": "true" },
    ...[zero, middle, riseLine, start, curve],
  );
  const labels = html("div", { class: "pex-labels", "aria-hidden": "true" });
  return {
    element: html("div", { class: "pex-plot" }, drawing, labels),

    /**
     * What stays where it is while p moves.
     * @param {ReturnType<typeof analyse>} whole @param {number} rise  the offset to mark, or -1
     */
    frame({ low, high, start: values }, rise) {
      const span = values.length - 1,
        margin = 0.06 * (high - low || 1),
        bottom = low - margin,
        top = high + margin;
      setAttributes(drawing, { viewBox: `${-span} ${-top} ${2 * span} ${top - bottom}` });
      setAttributes(zero, { x1: -span, x2: span });
      setAttributes(middle, { y1: -top, y2: -bottom });
      const visibility = rise < 0 ? "hidden" : "visible";
      setAttributes(riseLine, { x1: rise, x2: rise, y1: -top, y2: -bottom, visibility });
      const heights = Array.from(values, heightOf);
      setAttributes(start, { d: path([...heights.slice(1).reverse(), ...heights], -span) });

      const left = (/** @type {number} */ k) => `left:${(100 * (k + span)) / (2 * span)}%`;
      const label = (
        /** @type {string} */ name,
        /** @type {string} */ style,
        /** @type {string} */ text,
      ) => html("span", { class: name, style }, text);
      const offsets = multiples(-span, span, Math.max(1, niceStep(2 * span, 8)));
      const products = multiples(low, high, niceStep(high - low || 1, 5));
      labels.replaceChildren(
        ...offsets.map((k) => label("pex-x", left(k), tidy(k))),
        ...products.map((s) =>
          label("pex-y", `bottom:${(100 * (s - bottom)) / (top - bottom)}%`, tidy(s)),
        ),
      );
      if (rise < 0) return;
      const before = rise > span / 3;
      const side = before ? "pex-before-line" : "";
      const place = before ? left(rise) : `left:min(${left(rise).slice(5)}, 100% - ${RISE_LABEL})`;
      labels.append(
        label(`pex-x pex-rise-label ${side}`, place, `first rise: ${rise} to ${rise + 1}`),
      );
    },

    /** @param {Float64Array} values @param {number} p */
    move(values, p) {
      setAttributes(curve, { d: path(Array.from(values, heightOf), -p) });
    },
  };
}
