// What two encodings add to the score of a query and a key, against the offset.

import { CHOICES, HEADS, REACH } from "./from_python.js";
import { heightOf, multiples, niceStep, path, tidy } from "./kit/axes.js";
import { baseSlider, choice, slider, widthSlider } from "./kit/controls.js";
import { html, setAttributes, svg, write } from "./kit/elements.js";
import { counted, exactly, fixed, scientific } from "./kit/format.js";
import { widget } from "./kit/mount.js";
import { reading, readings } from "./kit/readings.js";
import { lastBucket, numbers, slope, uses } from "./family.numbers.js";

/** @import { State } from "./family.numbers.js" */
/** @import { Change } from "./kit/settings.js" */

/** @typedef {ReturnType<typeof numbers>[number]} Shown */

const LEAST = 1e-4; // what four digits show

/** An offset in words. @param {number} k */
function away(k) {
  return k === 0 ? "at itself" : `${Math.abs(k)} ${k < 0 ? "back" : "ahead"}`;
}

/** The settings that an encoding reads, in words. @param {string} name @param {State} state */
function told(name, state) {
  const { d_model, base, scaling, factor, max_length, head, buckets, clip } = state;
  const turning = `${d_model} columns, base ${exactly(base)}`;
  const trained = scaling === "YaRN" ? ` from length ${max_length}` : "";
  if (name === "sinusoid") return `${turning}, positions divided by ${factor}`;
  if (name === "RoPE" && scaling === "none") return turning;
  if (name === "RoPE") return `${turning}, ${scaling} by ${factor}${trained}`;
  if (name === "learned table") return `${max_length} rows`;
  if (name === "Shaw") return `clipped at ${clip}`;
  if (name === "T5 bias") return `${buckets} buckets a side, the last from ${lastBucket(state)} on`;
  if (name === "ALiBi") return `head ${head} of ${HEADS}, slope 1/${1 / slope(state)}`;
  return "no settings";
}

/** How the head is made. @type {Record<string, string>} */
const MADE = {
  sinusoid: "The query is PE(p) moved by the aim, the key PE(p + k); divided by d/2.",
  RoPE: "Query and key are all ones, the query turned by the aim; divided by d.",
  "learned table": "The rows stand at right angles; a matrix takes row p to row p + aim.",
  Shaw: "The query's product with the vector of the aim is 1, with all others 0.",
  "T5 bias": "The bucket of the aim has the bias 1, all others 0.",
  ALiBi: "Nothing is learned: minus slope times distance.",
  none: "Nothing is added.",
};

/** A plot of scores against the offset, whose labels do not stretch with it. */
function plot() {
  const zero = svg("line", { class: "pex-zero", x1: -REACH, x2: REACH }),
    middle = svg("line", { class: "pex-zero" }),
    aim = svg("line", { class: "pex-rise" }),
    curve = svg("path", { class: "pex-now" });
  const lines = [zero, middle, aim, curve];
  const drawing = svg("svg", { preserveAspectRatio: "none", "aria-hidden": "true" }, ...lines);
  const offsets = multiples(-REACH, REACH, niceStep(2 * REACH, 8)).map((k) =>
    html("span", { class: "pex-x", style: `left:${50 + (50 * k) / REACH}%` }, tidy(k)),
  );
  const labels = html("div", { class: "pex-labels", "aria-hidden": "true" }, ...offsets);
  let framed = "";

  /** @param {number} low @param {number} high */
  const frame = (low, high) => {
    const margin = 0.08 * (high - low),
      bottom = low - margin,
      top = high + margin;
    setAttributes(drawing, { viewBox: `${-REACH} ${-top} ${2 * REACH} ${top - bottom}` });
    for (const each of [middle, aim]) setAttributes(each, { y1: -top, y2: -bottom });
    const heights = multiples(low, high, niceStep(high - low, 4)).map((s) => {
      const style = `bottom:${(100 * (s - bottom)) / (top - bottom)}%`;
      return html("span", { class: "pex-y", style }, tidy(s));
    });
    labels.replaceChildren(...offsets, ...heights);
  };

  return {
    element: html("div", { class: "pex-plot" }, drawing, labels),
    /** @param {number[]} scores @param {number | null} aimed */
    show(scores, aimed) {
      const low = Math.min(0, ...scores),
        high = Math.max(0, ...scores);
      const key = `${low} ${high}`;
      if (key !== framed) frame(low, high > low ? high : low + 1);
      framed = key;
      setAttributes(curve, { d: scores.length ? path(scores.map(heightOf), -REACH) : "" });
      setAttributes(aim, { visibility: aimed === null ? "hidden" : "visible" });
      if (aimed !== null) setAttributes(aim, { x1: aimed, x2: aimed });
    },
  };
}

/**
 * One encoding: which, how its head is made, its curve, and what is largest in it.
 * @param {"one" | "two"} setting @param {string} label @param {Change} change
 */
function panel(setting, label, change) {
  const names = Object.fromEntries(CHOICES[setting].values.map((each) => [each, String(each)]));
  const which = choice(setting, label, names, change);
  const settings = html("div"),
    made = html("div", { class: "pex-note" });
  const chart = plot();
  const first = reading((k) => fixed(k, 0)),
    last = reading((k) => fixed(k, 0)),
    count = reading((n) => fixed(n, 0)),
    ahead = reading((x) => (x < LEAST ? scientific(x) : fixed(x)));
  const to = html("span", {}, " to ", last.element);
  const list = readings(
    ["largest at offset ", first.element, to],
    ["offsets with that score: ", count.element],
    ["ahead of the next: ", ahead.element],
  );
  const [, , lead] = list.children;
  return {
    element: html(
      "div",
      { class: "pex-figure pex-panel" },
      which.element,
      settings,
      made,
      chart.element,
      list,
    ),
    /** @param {State} state @param {Shown} shown */
    show(state, { scores, summit }) {
      const name = state[setting];
      which.show(state);
      write(settings, told(name, state));
      write(made, MADE[name]);
      chart.show(scores, uses(name, state).includes("aim") ? state.aim : null);
      list.hidden = summit === null;
      if (summit === null) return;
      first.show(summit.first);
      last.show(summit.last);
      count.show(summit.count);
      to.hidden = summit.count === 1;
      lead.toggleAttribute("hidden", summit.ahead === null);
      if (summit.ahead !== null) ahead.show(summit.ahead);
    },
  };
}

/** @param {string} name @param {State} state @param {Shown} shown */
function says(name, state, { summit }) {
  const which = `${name[0].toUpperCase()}${name.slice(1)}, ${told(name, state)}`;
  if (summit === null) return `${which}: position ${REACH} has no row, so there is no score.`;
  const { first, last, count, ahead } = summit;
  const where =
    count === 1
      ? `at offset ${fixed(first, 0)} alone`
      : `at ${count} offsets, from ${fixed(first, 0)} to ${fixed(last, 0)}`;
  if (ahead === null) return `${which}: largest ${where}.`;
  const by = ahead < LEAST ? `less than ${LEAST}` : fixed(ahead);
  return `${which}: largest ${where}, by ${by}.`;
}

/** @param {Change} change */
function view(change) {
  /** @param {string} unit @param {string} after */
  const count =
    (unit, after = "") =>
    (/** @type {number} */ n) =>
      counted(n, unit) + after;
  const sliders = {
    aim: slider(
      "aim",
      { label: "Aim: the offset to look at", words: away, short: (k) => fixed(k, 0) },
      change,
    ),
    d_model: widthSlider(change, count("column")),
    base: baseSlider(change),
    scaling: choice(
      "scaling",
      "RoPE stretched by",
      {
        none: "nothing",
        interpolation: "interpolation",
        "NTK-aware": "NTK-aware scaling",
        YaRN: "YaRN",
      },
      change,
    ),
    factor: slider("factor", { label: "Stretched by", words: count("time") }, change),
    max_length: slider("max_length", { label: "Trained length", words: count("position") }, change),
    buckets: slider("buckets", { label: "Buckets a side", words: count("bucket") }, change),
    max_distance: slider(
      "max_distance",
      { label: "max_distance", words: count("position", " away") },
      change,
    ),
    clip: slider("clip", { label: "Clipped at", words: count("position", " away") }, change),
    head: slider("head", { label: "Head", words: (h) => `head ${h} of ${HEADS}` }, change),
  };
  const one = panel("one", "First encoding", change),
    two = panel("two", "Second encoding", change);
  const dotted = html("span", {}, " The head is made to look at the aim (dotted).");
  return {
    top: [
      html(
        "div",
        { class: "pex-note" },
        `The score of the query at position ${REACH} with the key at each position, against the ` +
          "offset k from the query to the key.",
        dotted,
      ),
      sliders.aim.element,
      one.element,
      two.element,
    ],
    settings: Object.values(sliders)
      .slice(1)
      .map((each) => each.element),
    /** @param {State} state */
    draw(state) {
      const shown = numbers(state);
      const read = new Set([...uses(state.one, state), ...uses(state.two, state)]);
      for (const [name, each] of Object.entries(sliders)) {
        each.element.hidden = !read.has(name);
        each.show(state);
      }
      dotted.hidden = !read.has("aim");
      one.show(state, shown[0]);
      two.show(state, shown[1]);
      const aim = read.has("aim") ? `The head is to look ${away(state.aim)}. ` : "";
      return aim + shown.map((each, n) => says([state.one, state.two][n], state, each)).join(" ");
    },
  };
}

export default widget({ name: "family", label: "Family explorer", view });
