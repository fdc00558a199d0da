// Tables of numbers.

import { GROUNDS, INKS, shadeOf } from "./colours.js";
import { html } from "./elements.js";

/** @import { Attributes } from "./elements.js" */

/**
 * A cell of a table that shows a number: printed, in full, and as a colour when it has one.
 * What it shows already is not written again, for the browser would set the whole table anew.
 * @param {Attributes} attributes
 */
export function numberCell(attributes = {}) {
  const text = document.createTextNode("");
  const element = html("td", { class: "pex-cell", ...attributes }, text);
  let full = NaN,
    ground = "",
    ink = "";
  return {
    element,
    /** @param {number} value @param {string} printed @param {boolean} coloured */
    show(value, printed, coloured) {
      if (!Object.is(full, value)) element.setAttribute("data-value", String(value));
      full = value;
      if (text.data !== printed) text.data = printed;
      // One property at a time: a browser does that faster than a whole new style.
      const tone = coloured ? shadeOf(value) : -1;
      const [oldGround, oldInk] = [ground, ink];
      [ground, ink] = [GROUNDS[tone] ?? "", INKS[tone] ?? ""];
      if (ground !== oldGround) element.style.backgroundColor = ground;
      if (ink !== oldInk) element.style.color = ink;
    },
  };
}

/**
 * Shows the first cells of a row, or rows of a table, as many as wanted. One that is no longer
 * wanted is hidden: a browser lays it out again in less time than one that is put in anew.
 * @param {Element} parent @param {HTMLElement[]} all @param {number} count
 */
export function reach(parent, all, count) {
  for (const [n, each] of all.entries()) {
    if (each.hidden !== n >= count) each.hidden = n >= count;
    if (n < count && !each.parentNode) parent.append(each);
  }
}

/**
 * How wide a table is whose columns are all wide enough for so many characters. It is set as the
 * width itself: variables of its parts would be inherited, and every cell's style made anew.
 * @param {number} columns @param {number} characters @param {boolean} named
 */
export function evenWidth(columns, characters, named) {
  const column = `max(1.6rem, ${characters}ch) + 2 * var(--side) + var(--gap)`;
  const name = named ? " + var(--name) + var(--gap)" : "";
  return `calc(var(--gap) + ${columns} * (${column})${name})`;
}

/**
 * A table under its title, in a box in which it scrolls sideways, by keyboard too.
 * @param {Element} title @param {Element} table @param {string} label
 */
export function titled(title, table, label) {
  const box = { class: "pex-scroll", tabindex: 0, role: "region", "aria-label": label };
  return html("div", {}, html("div", { class: "pex-title" }, title), html("div", box, table));
}
