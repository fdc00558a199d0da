// What every explorer shares. Python joins this file and the explorer's own into one module.

/**
 * @typedef {Record<string, number | string>} State  the settings: trait name to value
 * @typedef {{
 *   get(name: string): any, set(name: string, value: any): void, save_changes(): void,
 *   on(event: string, listener: () => void): void, off(event: string, listener: () => void): void,
 * }} Model
 * @typedef {(change: State) => void} Change  sets some of the settings
 */

// The encoding

/** What the position is divided by in pair i: base^(2i/d), in positions per radian. */
export function denominator(
  /** @type {number} */ i,
  /** @type {number} */ d,
  /** @type {number} */ base,
) {
  return base ** ((2 * i) / d);
}

/** The wavelength of pair i, in positions. */
export function wavelength(
  /** @type {number} */ i,
  /** @type {number} */ d,
  /** @type {number} */ base,
) {
  return 2 * Math.PI * denominator(i, d, base);
}

/**
 * The whole table, row after row. Every column is a wave x with x(p+1) + x(p-1) = 2 cos ω · x(p),
 * so two rows of sines and cosines give all others. Over 512 rows the error stays below 1e-10.
 * @param {number} length @param {number[]} omegas  radians per position, one a pair
 * @param {Float64Array} space  where to write it; kept by the caller, for new memory takes longer
 * @param {number[]} [cosineOmegas]  where the cosine has frequencies of its own (a mistake)
 */
export function waveTable(length, omegas, space, cosineOmegas = omegas) {
  const d = 2 * omegas.length;
  const table = space.subarray(0, length * d); // (L, d)
  const factor = new Float64Array(d); // 2 cos ω of each column
  for (let c = 0; c < d; c += 1) {
    const omega = (c % 2 ? cosineOmegas : omegas)[c >> 1];
    factor[c] = 2 * Math.cos(omega);
    table[c] = c % 2;
    if (length > 1) table[d + c] = c % 2 ? Math.cos(omega) : Math.sin(omega);
  }
  for (let at = 2 * d; at < table.length; at += d) {
    for (let c = 0; c < d; c += 1) {
      table[at + c] = factor[c] * table[at - d + c] - table[at - 2 * d + c];
    }
  }
  return table;
}

/** The angular frequencies ω_i of all pairs, in radians per position. */
export function frequencies(/** @type {number} */ d, /** @type {number} */ base) {
  return Array.from({ length: d / 2 }, (_, i) => 1 / denominator(i, d, base));
}

// Settings

/** The nearest whole number that is allowed. */
export function whole(
  /** @type {any} */ value,
  /** @type {number} */ low,
  /** @type {number} */ high,
) {
  return Math.min(high, Math.max(low, Math.round(Number(value)) || 0));
}

/** The nearest even number that is allowed. */
export function even(
  /** @type {any} */ value,
  /** @type {number} */ low,
  /** @type {number} */ high,
) {
  return 2 * whole(value / 2, low / 2, high / 2);
}

/** The base, 10 to 1,000,000. */
export function baseOf(/** @type {any} */ value) {
  return Math.min(1e6, Math.max(10, Number(value) || 10));
}

// Numbers in print

/** Fixed digits, a real minus sign, and never "−0.0000". */
export function fixed(/** @type {number} */ x, digits = 4) {
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

/** No digit or one after the point, and a comma between thousands. */
export function grouped(/** @type {number} */ x, /** @type {0 | 1} */ digits = 0) {
  return GROUPED[digits].format(x).replace("-", "−");
}

/** Two significant digits and a power of ten, for differences near the rounding of a float. */
export function scientific(/** @type {number} */ x) {
  return x === 0 ? "0" : x.toExponential(1).replaceAll("-", "−").replace("e+", "e");
}

/**
 * An element that shows a number: printed digits to read, the full number in its value.
 * @param {(x: number) => string} [print]
 */
export function reading(print = fixed) {
  const element = /** @type {HTMLDataElement} */ (html("data"));
  let shown = NaN;
  return {
    element,
    show(/** @type {number} */ x) {
      if (Object.is(shown, x)) return;
      shown = x;
      element.value = String(x);
      write(element, print(x));
    },
  };
}

/** Gives an element as many children as wanted: adds the next of `all`, or removes the last. */
export function fit(
  /** @type {Element} */ parent,
  /** @type {Element[]} */ all,
  /** @type {number} */ count,
) {
  while (parent.childElementCount > count) parent.lastElementChild?.remove();
  parent.append(...all.slice(parent.childElementCount, count));
}

/** Writes a text where another stands, into the same text node: a new one takes longer to set. */
export function write(/** @type {Element} */ element, /** @type {string} */ text) {
  const { firstChild } = element;
  if (!(firstChild instanceof Text)) element.textContent = text;
  else if (firstChild.data !== text) firstChild.data = text;
}

/**
 * A cell of a table that shows a number: printed, in full, and as a colour when it has one.
 * What it shows already is not written again, for the browser would set the whole table anew.
 * @param {Record<string, any>} [attributes]
 */
export function numberCell(attributes) {
  const text = document.createTextNode("");
  const element = html("td", { class: "pex-cell", ...attributes }, text);
  let full = NaN,
    ground = "",
    ink = "";
  return {
    element,
    show(
      /** @type {number} */ value,
      /** @type {string} */ printed,
      /** @type {boolean} */ coloured,
    ) {
      if (!Object.is(full, value)) element.setAttribute("data-value", String(value));
      full = value;
      if (text.data !== printed) text.data = printed;
      // One property at a time: a browser does that faster than a whole new style.
      const tone = coloured ? shade(value) : -1;
      const [oldGround, oldInk] = [ground, ink];
      [ground, ink] = [GROUNDS[tone] ?? "", INKS[tone] ?? ""];
      if (ground !== oldGround) element.style.backgroundColor = ground;
      if (ink !== oldInk) element.style.color = ink;
    },
  };
}

/**
 * How wide a table is whose columns are all wide enough for so many characters. It is set as the
 * width itself: variables of its parts would be inherited, and every cell's style made anew.
 */
export function evenWidth(
  /** @type {number} */ columns,
  /** @type {number} */ characters,
  /** @type {boolean} */ named,
) {
  const column = `max(1.6rem, ${characters}ch) + 2 * var(--side) + var(--gap)`;
  const name = named ? " + var(--name) + var(--gap)" : "";
  return `calc(var(--gap) + ${columns} * (${column})${name})`;
}

// Elements

/**
 * @param {string} space @param {string} tag @param {Record<string, any>} attributes
 * @param {(Node | string)[]} children
 */
function node(space, tag, attributes, children) {
  const element = document.createElementNS(space, tag);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/** Sets the attributes that differ from what is there. */
export function setAttributes(
  /** @type {Element} */ element,
  /** @type {Record<string, any>} */ attributes,
) {
  for (const [name, value] of Object.entries(attributes)) {
    const text = String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/** @returns {HTMLElement} */
export function html(
  /** @type {string} */ tag,
  /** @type {Record<string, any>} */ attributes = {},
  /** @type {(Node | string)[]} */ ...children
) {
  return /** @type {HTMLElement} */ (
    node("http://www.w3.org/1999/xhtml", tag, attributes, children)
  );
}

/** @returns {SVGElement} */
export function svg(
  /** @type {string} */ tag,
  /** @type {Record<string, any>} */ attributes = {},
  /** @type {(Node | string)[]} */ ...children
) {
  return /** @type {SVGElement} */ (node("http://www.w3.org/2000/svg", tag, attributes, children));
}

/** MathML, which browsers set by themselves: `math("mfrac", above, below)`. */
export function math(
  /** @type {string} */ tag,
  /** @type {(Node | string | Record<string, any>)[]} */ ...parts
) {
  const attributes = parts.filter((each) => typeof each !== "string" && !(each instanceof Node));
  const children = /** @type {(Node | string)[]} */ (
    parts.filter((each) => !attributes.includes(each))
  );
  return node(
    "http://www.w3.org/1998/Math/MathML",
    tag,
    Object.assign({}, ...attributes),
    children,
  );
}

/** The list of readings: an item is its words and the elements of its numbers. */
export function readings(/** @type {(Node | string)[][]} */ ...items) {
  return html("ul", { class: "pex-readings" }, ...items.map((item) => html("li", {}, ...item)));
}

// Controls

/**
 * A labelled native range input with its value in words and a button at either end.
 * The buttons are for fingers; a keyboard has the arrow keys, so Tab passes over them.
 * @param {{name: string, min: number, max: number, step?: number, words: (x: number) => string,
 *   short?: (x: number) => string, ends?: string[], onInput: (x: number) => void}} options
 */
export function slider({
  name,
  min,
  max,
  step = 1,
  words,
  short = String,
  ends = ["−", "+"],
  onInput,
}) {
  const id = `pex-${Math.random().toString(36).slice(2)}`;
  const range = /** @type {HTMLInputElement} */ (
    html("input", { id, type: "range", min, max, step })
  );
  const output = html("span", { class: "pex-value" });
  const move = (/** @type {number} */ by) => () => {
    range.value = String(Number(range.value) + by); // the input itself keeps within its limits
    onInput(Number(range.value));
  };
  const less = button(
    ends[0],
    move(-step),
    ends[0] === "−" ? { tabindex: -1, "aria-label": `${name}, less` } : {},
  );
  const more = button(
    ends[1],
    move(step),
    ends[1] === "+" ? { tabindex: -1, "aria-label": `${name}, more` } : {},
  );
  range.addEventListener("input", () => onInput(Number(range.value)));
  return {
    element: html(
      "div",
      { class: "pex-slider" },
      html("label", { for: id }, name),
      output,
      less,
      range,
      more,
    ),
    range,
    show(/** @type {number} */ value, limit = max) {
      setAttributes(range, { max: limit, "aria-valuetext": words(value) });
      if (Number(range.value) !== value) range.value = String(value);
      write(output, short(value));
    },
  };
}

/** The slider of the width. @param {Change} change @param {number} max */
export function widthSlider(change, max) {
  return slider({
    name: "d_model",
    min: 2,
    max,
    step: 2,
    words: (d) => `d_model ${d}`,
    onInput: (d) => change({ d_model: d }),
  });
}

/**
 * The slider of how many positions there are.
 * @param {Change} change @param {number} min @param {number} max
 */
export function lengthSlider(change, min, max) {
  return slider({
    name: "Length",
    min,
    max,
    words: (n) => `${n} ${n === 1 ? "position" : "positions"}`,
    onInput: (n) => change({ length: n }),
  });
}

/** The slider of the position. @param {Change} change @param {number} max */
export function positionSlider(change, max) {
  return slider({
    name: "Position p",
    min: 0,
    max,
    words: (p) => `position ${p}`,
    onInput: (p) => change({ position: p }),
  });
}

/**
 * The slider of the base: logarithmic, ten steps a decade, rounded to two digits.
 * @param {Change} change
 */
export function baseSlider(change) {
  const tenths = (/** @type {number} */ base) => Math.round(10 * Math.log10(base));
  let base = 10000;
  const control = slider({
    name: "Base",
    min: 10,
    max: 60,
    words: () => `base ${grouped(base)}`,
    short: () => grouped(base),
    onInput: (value) => change({ base: Number((10 ** (value / 10)).toPrecision(2)) }),
  });
  return {
    element: control.element,
    show(/** @type {number} */ value) {
      base = value;
      control.show(tenths(value));
    },
  };
}

/** @returns {HTMLElement} */
export function button(
  /** @type {string} */ text,
  /** @type {() => void} */ onClick,
  /** @type {Record<string, any>} */ attributes = {},
) {
  const element = html("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", onClick);
  return element;
}

/**
 * The sentence under the figure, announced politely: at once after a pause, and while a slider is
 * being dragged not again until it rests.
 */
function sentence() {
  const element = html("p", {
    class: "pex-sentence",
    "aria-live": "polite",
    "aria-atomic": "true",
  });
  let wanted = "";
  let resting = 0;
  return {
    element,
    say(/** @type {string} */ text) {
      wanted = text;
      if (!resting) write(element, wanted);
      clearTimeout(resting);
      resting = window.setTimeout(() => {
        resting = 0;
        write(element, wanted);
      }, 250);
    },
    stop() {
      clearTimeout(resting);
    },
  };
}

// Colours

const MINUS = [0x76, 0x2a, 0x83],
  ZERO = [0xf7, 0xf7, 0xf7],
  PLUS = [0x1b, 0x78, 0x37];
const SHADES = 511;

/** Red, green and blue of every shade, from -1 (purple) through 0 (near white) to +1 (green). */
export const TONES = Array.from({ length: SHADES }, (_, n) => {
  const signed = (2 * n) / (SHADES - 1) - 1,
    end = signed < 0 ? MINUS : PLUS;
  return ZERO.map((zero, channel) => Math.floor(zero + Math.abs(signed) * (end[channel] - zero)));
});

/** The shades as a style wants them. */
const GROUNDS = TONES.map(
  (colour) => `#${colour.map((each) => each.toString(16).padStart(2, "0")).join("")}`,
);

/** Black or white, whichever reads better on the shade. */
const INKS = TONES.map((colour) => {
  const [r, g, b] = colour.map((c) => (c <= 10 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#000" : "#fff";
});

/** The number of the shade of a value in [-1, 1]. */
export function shade(/** @type {number} */ value) {
  return Math.max(0, Math.min(SHADES - 1, (((value + 1) * SHADES) / 2) | 0));
}

/** The colours of -1 to 1 with the two ends written beside them. */
export function legend() {
  const stops = [MINUS, ZERO, PLUS].map((colour) => `rgb(${colour.join(" ")})`).join(",");
  return html(
    "span",
    { class: "pex-legend" },
    "−1",
    html("span", { style: `background:linear-gradient(to right,${stops})` }),
    "1",
  );
}

// Dials

export const RIM = 42;

/** The tip of a hand at `angle` radians, clockwise from twelve: right is the sine, up the cosine. */
export function tip(/** @type {number} */ angle, radius = RIM) {
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

// A view

/**
 * @typedef {{name: string, label: string, clean: (state: any) => State,
 *   view: (change: Change, again: () => void) =>
 *     {top: Node[], settings: Node[], draw: (state: any) => string}}} Explorer
 *   `clean` lists every setting it keeps. `view` builds the elements once: what stands above the
 *   sentence, the sliders that stand below it, and the function that draws a state and returns
 *   the sentence about it. It may ask to be drawn `again`.
 */

/** The widget of an explorer, as anywidget wants it. */
export function widget(/** @type {Explorer} */ explorer) {
  return {
    render: (/** @type {{model: Model, el: HTMLElement}} */ context) => mount(context, explorer),
  };
}

/**
 * Puts an explorer into `el` and keeps it in step with the model: one redraw after each change, by
 * whichever view or by Python. A setting outside its limits is moved to the nearest that is
 * allowed, in the model too.
 * @param {{model: Model, el: HTMLElement}} context @param {Explorer} explorer
 */
function mount({ model, el }, { name, label, clean, view }) {
  const names = Object.keys(clean({}));
  const read = () => clean(Object.fromEntries(names.map((each) => [each, model.get(each)])));
  const store = (/** @type {State} */ state) => {
    const changed = names.filter((each) => model.get(each) !== state[each]);
    for (const each of changed) model.set(each, state[each]);
    if (changed.length) model.save_changes();
  };
  let waiting = false,
    gone = false;
  const redraw = () => {
    waiting = false;
    if (gone) return;
    const state = read();
    store(state);
    spoken.say(draw(state));
  };
  const onChange = () => {
    if (!waiting) queueMicrotask(redraw);
    waiting = true;
  };

  const spoken = sentence();
  const { top, settings, draw } = view(
    (change) => store(clean({ ...read(), ...change })),
    onChange,
  );
  const root = html(
    "div",
    { class: `pex pex-${name}`, role: "group", "aria-label": label },
    ...top,
    spoken.element,
    html("div", { class: "pex-controls pex-settings" }, ...settings),
  );
  // JupyterLab takes arrow keys and Enter for itself, unless the focused element says otherwise.
  root.addEventListener("focusin", ({ target }) => {
    /** @type {Element} */ (target).setAttribute("data-lm-suppress-shortcuts", "");
  });
  for (const each of names) model.on(`change:${each}`, onChange);
  el.append(root);
  redraw();
  return () => {
    gone = true;
    spoken.stop();
    for (const each of names) model.off(`change:${each}`, onChange);
    root.remove();
  };
}
