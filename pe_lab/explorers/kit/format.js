// Numbers in print.

/** Fixed digits, a real minus sign, and never "−0.0000". @param {number} x */
export function fixed(x, digits = 4) {
  const text = x.toFixed(digits);
  if (text[0] !== "-") return text;
  return (Number(text) === 0 ? "" : "−") + text.slice(1);
}

const GROUPED = [0, 1].map(
  (digits) =>
    new Intl.NumberFormat("en-US", {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }),
);

/**
 * No digit or one after the point, and a comma between thousands.
 * @param {number} x @param {0 | 1} digits
 */
export function grouped(x, digits = 0) {
  return GROUPED[digits].format(x).replace("-", "−");
}

const EXACT = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 15 });

/** A setting as it was set, with a comma between thousands. @param {number} x */
export function exactly(x) {
  return EXACT.format(x);
}

/** A lowest and a highest number, or the one that both are in print. @param {number} low @param {number} high */
export function between(low, high, digits = 4) {
  const [one, other] = [fixed(low, digits), fixed(high, digits)];
  return one === other ? one : `${one} to ${other}`;
}

/** So many of something: "1 word", "2 words". @param {number} n @param {string} unit */
export function counted(n, unit) {
  return `${n} ${unit}${n === 1 ? "" : "s"}`;
}

/** Two significant digits and a power of ten, for differences near the rounding of a float. @param {number} x */
export function scientific(x) {
  return x === 0 ? "0" : x.toExponential(1).replaceAll("-", "−").replace("e+", "e");
}
