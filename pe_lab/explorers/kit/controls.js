// Sliders, buttons and lists of choices. Each sets one setting, within the limits of that setting.

import { CHOICES, LIMITS } from "../from_python.js";
import { html, setAttributes, write } from "./elements.js";
import { counted, exactly } from "./format.js";
import { highest } from "./settings.js";

/** @import { Attributes } from "./elements.js" */
/** @import { Change, State } from "./settings.js" */

/**
 * @param {string} text @param {() => void} onClick @param {Attributes} attributes
 */
export function button(text, onClick, attributes = {}) {
  const element = html("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", onClick);
  return element;
}

/**
 * A labelled native range input with its value in words and a button at either end.
 * The buttons are for fingers; a keyboard has the arrow keys, so Tab passes over them. What it
 * stands at is no live region: the input says it itself.
 * @param {{label: string, min: number, max: number, step: number, ends?: [string, string],
 *   onInput: (x: number) => void}} options
 */
function range({ label, min, max, step, ends, onInput }) {
  const id = `pex-${Math.random().toString(36).slice(2)}`;
  const input = html("input", { id, type: "range", min, max, step });
  const value = html("span", { class: "pex-value" });
  const move = (/** @type {number} */ by) => () => {
    input.value = String(Number(input.value) + by); // the input itself keeps within its limits
    onInput(Number(input.value));
  };
  const [less, more] = ends
    ? ends.map((text, n) => button(text, move(n ? step : -step)))
    : ["less", "more"].map((word, n) =>
        button(n ? "+" : "−", move(n ? step : -step), {
          tabindex: -1,
          "aria-label": `${label}, ${word}`,
        }),
      );
  input.addEventListener("input", () => onInput(Number(input.value)));
  return {
    element: html(
      "div",
      { class: "pex-slider" },
      html("label", { for: id }, label),
      value,
      less,
      input,
      more,
    ),
    /** @param {number} at @param {number} limit @param {string} words @param {string} short */
    show(at, limit, words, short) {
      setAttributes(input, { max: limit, "aria-valuetext": words });
      if (Number(input.value) !== at) input.value = String(at);
      write(value, short);
    },
  };
}

/**
 * The slider of a whole number.
 * @param {string} name  the setting
 * @param {{label: string, words: (x: number) => string, short?: (x: number) => string,
 *   ends?: [string, string]}} text  `words` for a screen reader, `short` beside the label
 * @param {Change} change
 */
export function slider(name, { label, words, short = String, ends }, change) {
  const { low, high, step } = LIMITS[name];
  const onInput = (/** @type {number} */ x) => change({ [name]: x });
  const control = range({ label, min: low, max: high, step, ends, onInput });
  return {
    element: control.element,
    /** @param {State} state */
    show(state) {
      const at = Number(state[name]);
      control.show(at, highest(name, state), words(at), short(at));
    },
  };
}

/** The slider of the width. @param {Change} change */
export function widthSlider(change, words = (/** @type {number} */ d) => `d_model ${d}`) {
  return slider("d_model", { label: "d_model", words }, change);
}

/** The slider of how many positions there are. @param {Change} change */
export function lengthSlider(change) {
  const words = (/** @type {number} */ n) => counted(n, "position");
  return slider("length", { label: "Length", words }, change);
}

/** The slider of the position. @param {Change} change */
export function positionSlider(change) {
  return slider("position", { label: "Position p", words: (p) => `position ${p}` }, change);
}

/** The slider of the base: logarithmic, ten steps a decade, rounded to two digits. @param {Change} change */
export function baseSlider(change) {
  const tenths = (/** @type {number} */ base) => Math.round(10 * Math.log10(base));
  const baseAt = (/** @type {number} */ place) => Number((10 ** (place / 10)).toPrecision(2));
  const max = tenths(LIMITS.base.high);
  let shown = 0; // it may lie beside the place of the thumb, and then a step leads to that place
  const control = range({
    label: "Base",
    min: tenths(LIMITS.base.low),
    max,
    step: 1,
    onInput(place) {
      const near = baseAt(tenths(shown));
      const beside = place - tenths(shown) === Math.sign(near - shown);
      change({ base: beside ? near : baseAt(place) });
    },
  });
  return {
    element: control.element,
    /** @param {State} state */
    show({ base }) {
      shown = Number(base);
      const text = exactly(shown);
      control.show(tenths(shown), max, `base ${text}`, text);
    },
  };
}

/**
 * A list of choices, each with its name.
 * @param {string} name  the setting @param {string} label @param {Record<string, string>} names
 * @param {Change} change
 */
export function choice(name, label, names, change) {
  const options = CHOICES[name].values.map((value) =>
    html("option", { value }, names[String(value)]),
  );
  const select = html("select", {}, ...options);
  select.addEventListener("change", () => change({ [name]: select.value }));
  return {
    element: html("label", { class: "pex-choice" }, html("span", {}, label), select),
    /** @param {State} state */
    show(state) {
      select.value = String(state[name]);
    },
  };
}

/**
 * A box to tick, for a setting that is false or true.
 * @param {string} name  the setting @param {string} label @param {Change} change
 */
export function toggle(name, label, change) {
  const box = html("input", { type: "checkbox" });
  box.addEventListener("change", () => change({ [name]: box.checked }));
  return {
    element: html("label", { class: "pex-toggle" }, box, label),
    /** @param {State} state */
    show(state) {
      box.checked = state[name] === true;
    },
  };
}
