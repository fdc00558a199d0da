// What is said of an answer: the same as pe_lab.diagnosis says. No document here.
import { SENTENCES } from "./from_python.js";

/**
 * @typedef {[row: number | null, column: number | null]} Place
 * @typedef {object} Asked  a question as the page knows it; `says` has a sentence for each of `wrong`
 * @property {"number" | "choice" | "order" | "figure"} kind
 * @property {any} right  a number, the number of a choice, an order, or a list of places
 * @property {number} tolerance  of the right number
 * @property {any[]} wrong
 * @property {number[]} within  the tolerance of each of `wrong`
 * @property {string[]} says  HTML, made while building
 * @property {string} praise  what is said of a right answer
 * @property {"row" | "column" | "cell" | ""} pick
 * @property {string} unit  of a number, if it has one
 * @property {string[]} units  the words for it
 *
 * @typedef {object} Verdict
 * @property {string} name  as in a Diagnosis of Python
 * @property {string} [html]
 * @property {string} [text]
 */

const MINUS = "\u2212";
const LONGEST = 200; // characters
// Written otherwise: other dashes, bars and circles, what nobody sees, and raised digits.
const DASHES = /[\u2010-\u2014\u2212\uff0d]/g;
const BARS = /[÷⁄∕]/g;
const UNSEEN = /[\u200b\u2060\ufeff]/g;
const RAISED = /[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g;
const DECIMAL = "[0-9]+[.,]?[0-9]*|[.,][0-9]+";
const SCALED = `(?:${DECIMAL})(?:[eE][+-]?[0-9]+)?`;
// No pattern ignores case: in Python ı is i then.
const ROOT = new RegExp(`([0-9.,π)]?)(\\s*)√\\s*(?:\\((${SCALED})\\)|(${SCALED}))`, "g");
const SQRT = /[sS][qQ][rR][tT]/g;
const QUOTIENT = /√\s*\(()([0-9.]+)\s*\/\s*([0-9.]+)\)(?![0-9.,eE])/g;
const NUMBER = new RegExp(`^[+-]?${SCALED}$`);
const MIXED = /^(-?)\s*([0-9]+)\s+([0-9]+)\s*\/\s*([0-9]+)$/; // 1 3/7
const SPACED = /[0-9]+(?:\s+[0-9]+)+/g;
const GROUPS = /^[0-9]{1,3}(\s[0-9]{3})+$/; // 10 000
const INSIDE = /([.,]|[eE][+-]?)$/; // before digits that begin no number
const THOUSANDS = /(^|[^0-9.,])([1-9][0-9]{0,2}(?:,[0-9]{3})+)(?![0-9,])/g;
const WITH_UNIT = /^(.*[0-9π%.)])\s*([a-zA-Z°][a-zA-Z°\s/]*)$/s;
const PI = /(^|[^a-zA-Z]|[0-9.,)]\s*[xX])[pP][iI](?![a-zA-Z])/g;
const PARTED = /([0-9])[_'’](?=[0-9]{3}(?![0-9]))/g;
const X = /([1-9.)π](?:\s?0)*|,0+)\s*[xX]\s*(?=[0-9.(π√])/g;
const PER_CENT = /\s*[pP][eE][rR] ?[cC][eE][nN][tT]$/;
const LISTED = /,\s/; // 18, 19
const EXPONENT = new RegExp(`\\^\\(([+-]?)(${DECIMAL})(?:/(${DECIMAL}))?\\)(?![0-9.,])`, "g");
const BARE_EXPONENT = /\^(-?([0-9]+)\/([0-9]+))$/;
const BRACKETED = /^([+-]?)\(([^()]*)\)$/;
const POWER = new RegExp(`^(${SCALED})\\^([+-]?(?:${DECIMAL}))$`);
const BESIDE = "\u2062"; // times, where no sign was typed
const SIGNS = "*·×⋅∙•";
const TIMES = `[${SIGNS}${BESIDE}]`;
const NO_PRODUCT = new RegExp(`^(?:${TIMES}|[+-])|${TIMES}$|${TIMES}{2}|π[0-9.,+-]`);
const FACTORS = new RegExp(`${TIMES}|(π)`);
const BY = new RegExp(`[${SIGNS}](?![^(]*\\))`); // and not in a bracket
// From the most to the least that is known of a number.
const KNOWN = ["right", "foreseen", "sign", "near", "unknown"];

/**
 * A text without its unit, and the unit in small letters; "" if there is none.
 * @param {string} text
 * @returns {[plain: string, unit: string]}
 */
export function parted(text) {
  const plain = text
    .replace(UNSEEN, "")
    .replace(DASHES, "-")
    .replace(BARS, "/")
    .replaceAll("º", "°")
    .trim()
    .replace(RAISED, (run) => `^(${run.normalize("NFKC").replace(MINUS, "-")})`)
    .replace(/([^.])\.$/, "$1")
    .replace(PARTED, "$1")
    .replace(SQRT, "√")
    .replace(PI, "$1π")
    .replace(X, "$1·")
    .replace(QUOTIENT, oneNumber)
    .replace(ROOT, (_, before, blank, inside, bare) => {
      const times = before ? BESIDE : blank; // the number before it, if there is one
      return `${before}${times}${inside ?? bare}^(0.5)`;
    })
    .replace(/^[≈=~]\s*/, "")
    .replace(PER_CENT, "%");
  const [, before, unit] = WITH_UNIT.exec(plain) ?? [, plain, ""];
  return [before, unit.toLowerCase().trim().replace(/\s+/g, " ")];
}

/**
 * The finite numbers that a text without a unit may mean, by the rules of pe_lab.diagnosis.typed.
 * @param {string} text
 * @returns {number[]}
 */
export function readings(text) {
  if (text.length > LONGEST || LISTED.test(text)) return [];
  const mixed = MIXED.exec(text);
  if (mixed && several(text)) {
    const [, sign, whole, upper, lower] = mixed;
    const size = Number(whole) + Number(upper) / Number(lower);
    return Number.isFinite(size) ? [sign ? -size : size] : [];
  }
  if (several(text)) return [];
  const bare = text.replace(/\s/g, "");
  const plain = bare.replaceAll("**", "^");
  const [, sign, inner] = BRACKETED.exec(plain) ?? [];
  if (inner !== undefined) return readings(inner).map((each) => (sign === "-" ? -each : each));
  if (plain.endsWith("%") && !plain.endsWith("%%")) {
    return readings(plain.slice(0, -1)).map((each) => each / 100);
  }
  // Where that is a root, x^a/b may also be meant as x^(a/b); but ** is Python's.
  const root = BARE_EXPONENT.exec(bare);
  const isRoot = root && Number(root[2]) && Number(root[2]) < Number(root[3]);
  const meant = isRoot ? [plain, plain.replace(BARE_EXPONENT, "^($1)")] : [plain];
  return meant.flatMap((each) => divided(each.replace(EXPONENT, oneNumber)));
}

/**
 * What stands after ^ or √, a number or a quotient, as a decimal.
 * @param {string} all @param {string} sign @param {string} upper @param {string} [lower]
 */
function oneNumber(all, sign, upper, lower = "1") {
  const size = decimal(upper) / decimal(lower);
  return size < 1e21 ? all[0] + sign + size.toFixed(30) : all;
}

/** What a text with bars or none may mean: with commas before thousands, and before decimals. */
function divided(/** @type {string} */ plain) {
  const grouped = plain.replace(
    THOUSANDS,
    (_, before, digits) => before + digits.replaceAll(",", ""),
  );
  const meant = grouped === plain ? [plain] : [grouped, plain];
  const quotients = meant.map((each) => {
    const [upper, ...lower] = each.split("/");
    return lower.reduce((value, part) => {
      // as in Python, a typed sign ends what is divided by
      const [by, ...times] = part.split(BY).map(product);
      return times.reduce((all, factor) => all * factor, value / by);
    }, product(upper));
  });
  return quotients.filter(Number.isFinite);
}

/** Whether spaces separate numbers, and not the thousands of one. */
const several = (/** @type {string} */ text) =>
  [...text.matchAll(SPACED)].some(
    ({ 0: run, index }) => !GROUPS.test(run) || INSIDE.test(text.slice(0, index)),
  );

/** Numbers and π, times each other; NaN if it is none. */
function product(/** @type {string} */ text) {
  const bare = text.replace(/^\((.*)\)$/, "$1");
  const unsigned = bare.replace(/^[+-]/, "");
  const factors = unsigned.split(FACTORS).filter(Boolean);
  if (NO_PRODUCT.test(unsigned) || !factors.length) return NaN;
  const times = (/** @type {number} */ all, /** @type {string} */ factor) =>
    all * (factor === "π" ? Math.PI : power(factor));
  return factors.reduce(times, bare.startsWith("-") ? -1 : 1);
}

/** A decimal, or one to the power of another. */
function power(/** @type {string} */ text) {
  const [, base, exponent] = POWER.exec(text) ?? [];
  if (!base) return decimal(text);
  const value = decimal(base) ** decimal(exponent);
  return Number.isFinite(value) ? value : NaN;
}

const decimal = (/** @type {string} */ text) =>
  NUMBER.test(text) ? Number(text.replace(",", ".")) : NaN;

/**
 * @param {Asked} asked
 * @param {any} answer  a text for a number; else the number of a choice, an order, or a place
 * @returns {Verdict}
 */
export function judge(asked, answer) {
  if (asked.kind !== "number") return verdict(asked, answer);
  const [plain, unit] = parted(answer);
  const cut = [...answer.trim()].slice(0, 40).join("");
  const typed = cut.replaceAll("-", MINUS);
  const found = readings(plain).map((each) => verdict(asked, each, typed));
  const given = { answer: `“${cut}”`, unit: asked.unit };
  const refuse = (/** @type {string} */ name) => ({ name, text: fill(name, given) });
  if (!found.length) return { name: "not-a-number", text: fill("unread", given) };
  if (unit && !asked.units.includes(unit)) return refuse(asked.unit ? "other-unit" : "no-unit");
  const rank = (/** @type {Verdict} */ { name }) => KNOWN.indexOf(name.split("-")[0]);
  const best = found.sort((one, other) => rank(one) - rank(other))[0];
  const others = new Set(
    found.map(({ name }) => name).filter((name) => name.startsWith("foreseen")),
  );
  if (best.name === "right" || others.size < 2 || !plain.includes(",")) return best;
  return { name: "ambiguous", text: fill("ambiguous", { answer: typed }) };
}

/** @param {Asked} asked @param {any} answer @param {string} [typed] @returns {Verdict} */
function verdict(asked, answer, typed) {
  const { right, tolerance, wrong, within, praise } = asked;
  if (isSame(asked, answer, right, tolerance)) return { name: "right", text: praise };
  const n = wrong.findIndex((each, n) => isSame(asked, answer, each, within[n]));
  if (n >= 0) return { name: `foreseen-${n + 1}`, html: asked.says[n] };
  const name = asked.kind === "number" ? howWrong(asked, answer) : "unknown";
  return { name, text: fill(name, { answer: typed ?? inWords(asked, answer) }) };
}

/** @param {Asked} asked @param {any} one @param {any} other @param {number} within */
function isSame({ kind }, one, other, within) {
  if (kind === "number") return Math.abs(one - other) <= within + 1e-9 * Math.abs(other);
  const text = JSON.stringify(one);
  if (kind !== "figure") return text === JSON.stringify(other);
  return other.some((/** @type {Place} */ place) => JSON.stringify(place) === text);
}

/** What can be said of a number that is not foreseen. @param {Asked} asked @param {number} answer */
function howWrong(asked, answer) {
  const { right, tolerance } = asked;
  if (right && isSame(asked, -answer, right, tolerance)) return "sign";
  const near = Math.max(0.05 * Math.abs(right), 3 * tolerance);
  return Math.abs(answer - right) <= near ? "near" : "unknown";
}

/** @param {Asked} asked @param {any} answer */
function inWords({ pick }, answer) {
  return pick ? fill(pick, { row: answer[0], column: answer[1] }) : SENTENCES.order;
}

/** @param {string} name @param {Record<string, any>} values */
export function fill(name, values) {
  return SENTENCES[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
}
