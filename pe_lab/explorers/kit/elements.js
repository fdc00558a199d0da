// Elements, made and changed. What is there already is not written again: the browser would lay
// out anew what did not change.

/** @typedef {Record<string, string | number | boolean>} Attributes */

/**
 * @param {string} space @param {string} tag @param {Attributes} attributes
 * @param {(Node | string)[]} children
 */
function node(space, tag, attributes, children) {
  const element = document.createElementNS(space, tag);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/**
 * Sets the attributes that differ from what is there.
 * @param {Element} element @param {Attributes} attributes
 */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    const text = String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Attributes} attributes @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function html(tag, attributes = {}, ...children) {
  return /** @type {HTMLElementTagNameMap[Tag]} */ (
    node("http://www.w3.org/1999/xhtml", tag, attributes, children)
  );
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag @param {Attributes} attributes @param {(Node | string)[]} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  return /** @type {SVGElementTagNameMap[Tag]} */ (
    node("http://www.w3.org/2000/svg", tag, attributes, children)
  );
}

/**
 * MathML, which browsers set by themselves: `math("mfrac", above, below)`.
 * @param {keyof MathMLElementTagNameMap} tag @param {(Node | string)[]} children
 */
export function math(tag, ...children) {
  return node("http://www.w3.org/1998/Math/MathML", tag, {}, children);
}

/**
 * Writes a text where another stands, into the same text node: a new one takes longer to set.
 * @param {Element} element @param {string} text
 */
export function write(element, text) {
  const { firstChild } = element;
  if (!(firstChild instanceof Text)) element.textContent = text;
  else if (firstChild.data !== text) firstChild.data = text;
}

/**
 * Gives an element as many children as wanted: adds the next of `all`, or removes the last.
 * @param {Element} parent @param {Element[]} all @param {number} count
 */
export function fit(parent, all, count) {
  while (parent.childElementCount > count) parent.lastElementChild?.remove();
  parent.append(...all.slice(parent.childElementCount, count));
}
