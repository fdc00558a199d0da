// An explorer put on the page, and kept in step with its model.

import { html } from "./elements.js";
import { inPlace } from "./place.js";
import { sentence } from "./readings.js";
import { after, clean, NAMES } from "./settings.js";

/** @import { AnyModel, Experimental } from "@anywidget/types" */
/** @import { Change, State } from "./settings.js" */

/**
 * @template {State} S
 * @typedef {object} View
 * @property {Node[]} top  what stands above the sentence
 * @property {Node[]} settings  the sliders that stand below it
 * @property {(state: S) => string} draw  draws a state and returns the sentence about it
 */

/**
 * @template {State} S
 * @typedef {object} Explorer
 * @property {string} name  `pex-<name>` is its class
 * @property {string} label  its name for a screen reader
 * @property {(change: Change, again: () => void, file: Ask) => View<S>} view  builds the elements,
 *   once; it may ask to be drawn `again`, and for a file of the explorer's data
 */

/** @typedef {(name: string) => Promise<DataView>} Ask */
/** @typedef {{model: AnyModel, el: HTMLElement, experimental: Experimental}} Context */

const PATIENCE = 60_000; // ms that a busy kernel may take to answer

/**
 * The widget of an explorer, as anywidget wants it.
 * @template {State} S @param {Explorer<S>} explorer
 */
export function widget(explorer) {
  return {
    render: (/** @type {Context} */ context) => mount(context, explorer),
  };
}

/**
 * Puts an explorer into `el` and keeps it in step with the model: one redraw after each change, by
 * whichever view or by Python. A setting outside its limits is moved to the nearest that is
 * allowed, in the model too.
 * @template {State} S
 * @param {Context} context @param {Explorer<S>} explorer
 */
function mount({ model, el, experimental }, { name, label, view }) {
  const read = () => clean(Object.fromEntries(NAMES.map((each) => [each, model.get(each)])));
  const store = (/** @type {State} */ state) => {
    const changed = NAMES.filter((each) => model.get(each) !== state[each]);
    for (const each of changed) model.set(each, state[each]);
    if (changed.length) model.save_changes();
  };
  let waiting = false,
    atOnce = false, // the sentence is said: something was chosen, or has come, and not dragged
    gone = false;
  const redraw = () => {
    waiting = false;
    if (gone) return;
    const state = read();
    store(state);
    place.drawn();
    spoken.say(draw(/** @type {S} */ (state)), atOnce);
    atOnce = false;
  };
  const onChange = () => {
    if (!waiting) queueMicrotask(redraw);
    waiting = true;
  };

  const again = () => {
    atOnce = true;
    place.hold();
    onChange();
  };

  /** @type {Promise<DataView>[]} */ const asked = [];
  const file = (/** @type {string} */ wanted) => {
    const signal = AbortSignal.timeout(PATIENCE);
    const answer = experimental.invoke("file", wanted, { signal }).then(([, [bytes]]) => bytes);
    asked.push(answer);
    return answer;
  };

  const spoken = sentence(() => place.hold());
  const change = (/** @type {State} */ wanted) => store(after(read(), wanted));
  const { top, settings, draw } = view(change, again, file);
  const root = html(
    "div",
    { class: `pex pex-${name}`, role: "group", "aria-label": label },
    ...top,
    spoken.element,
    html("div", { class: "pex-controls pex-settings" }, ...settings),
  );
  const place = inPlace(root);
  keepKeys(root);
  const choose = (/** @type {any} */ { target }) => (atOnce = target.type !== "range");
  root.addEventListener("change", choose, true); // before the control hears of it
  // After it: if nothing is drawn again, what moves next was not chosen.
  root.addEventListener("change", () => (atOnce &&= waiting));
  for (const each of NAMES) model.on(`change:${each}`, onChange);
  el.append(root);
  redraw();
  const stop = () => {
    gone = true;
    spoken.stop();
    for (const each of NAMES) model.off(`change:${each}`, onChange);
    root.remove();
  };
  if (asked.length === 0) return stop;
  // Not shown before it can be drawn: it would change its height, where the still picture was.
  return Promise.all(asked).then(
    () => stop,
    (error) => {
      stop();
      throw error;
    },
  );
}

/**
 * JupyterLab takes arrow keys and Enter for itself, unless the focused element says otherwise.
 * Combinations with Alt, Ctrl or Meta are left to it, and to the browser.
 * @param {HTMLElement} root
 */
function keepKeys(root) {
  const keep = (/** @type {Event} */ event) => {
    const held = event instanceof KeyboardEvent && (event.altKey || event.ctrlKey || event.metaKey);
    /** @type {Element} */ (event.target).toggleAttribute("data-lm-suppress-shortcuts", !held);
  };
  for (const type of ["focusin", "keydown", "keyup"]) root.addEventListener(type, keep);
}
