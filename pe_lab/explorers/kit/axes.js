// What plots share: ticks, and curves as paths.

/**
 * A step of 1, 2 or 5 times a power of ten that divides `span` into at most `parts` parts.
 * @param {number} span @param {number} parts
 */
export function niceStep(span, parts) {
  const unit = 10 ** Math.floor(Math.log10(span / parts));
  return [1, 2, 5].map((each) => each * unit).find((each) => span / each <= parts) ?? 10 * unit;
}

/** The multiples of `step` between two limits. @param {number} low @param {number} high @param {number} step */
export function multiples(low, high, step) {
  const first = Math.ceil(low / step),
    last = Math.floor(high / step);
  return Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step);
}

/** A tick label, without the digits that only rounding put there. @param {number} x */
export function tidy(x) {
  return String(Number(x.toPrecision(6))).replace("-", "−");
}

/** A value as a height in the drawing, where down is positive. @param {number} value */
export function heightOf(value) {
  return (-value).toFixed(4);
}

/** Heights as a line, one unit to the right for each. @param {string[]} heights @param {number} first */
export function path(heights, first) {
  return `M${heights.map((each, n) => `${first + n} ${each}`).join("L")}`;
}
