// The clocks: every pair of columns as the hand of one.

import { button, baseSlider, positionSlider, slider, widthSlider } from "./kit/controls.js";
import { face, RIM, tip } from "./kit/dials.js";
import { fit, html, setAttributes, svg, write } from "./kit/elements.js";
import { fixed, grouped } from "./kit/format.js";
import { widget } from "./kit/mount.js";
import { reading, readings } from "./kit/readings.js";
import { numbers } from "./clock.numbers.js";

/** @import { Change } from "./kit/settings.js" */
/** @import { Clock, State } from "./clock.numbers.js" */

const MOST_CARDS = 8; // pairs that get their numbers printed; more are drawn as a wall of clocks
const ACROSS = 16; // clocks in a row of the wall
const FEW = 3; // hands that the sentence tells of, each; of more, the first and the last

/** A dial whose hand shows its sine (how far right) and its cosine (how far up). */
function dial() {
  const lines = {
    sine: svg("line", { class: "pex-sine-line" }),
    cosine: svg("line", { class: "pex-cosine-line" }),
    dotted: svg("path", { class: "pex-dotted" }),
    hand: svg("line", { class: "pex-hand" }),
    tip: svg("circle", { r: 4, class: "pex-tip" }),
  };
  const element = face();
  element.append(...Object.values(lines));
  return {
    element,
    /** @param {number} angle */
    turn(angle) {
      const [x, y] = tip(angle).map((each) => each.toFixed(3));
      setAttributes(lines.sine, { x2: x });
      setAttributes(lines.cosine, { y2: y });
      setAttributes(lines.dotted, { d: `M${x} 0L${x} ${y}L0 ${y}` });
      setAttributes(lines.hand, { x2: x, y2: y });
      setAttributes(lines.tip, { cx: x, cy: y });
    },
  };
}

/** A dial with its numbers under it. */
function card() {
  const clock = dial();
  const name = html("div", { class: "pex-name" });
  const sine = reading(),
    cosine = reading(),
    turns = reading(),
    waves = reading((x) => grouped(x, 1));
  const list = html(
    "dl",
    {},
    html("dt", { class: "pex-sine" }, "sine"),
    html("dd", {}, sine.element),
    html("dt", { class: "pex-cosine" }, "cosine"),
    html("dd", {}, cosine.element),
    html("dt", {}, "turns"),
    html("dd", {}, turns.element),
    html("dt", {}, "wavelength"),
    html("dd", {}, waves.element),
  );
  return {
    element: html("li", {}, name, clock.element, list),
    /** @param {number} i @param {Clock} shown */
    show(i, shown) {
      write(name, `pair ${i}`);
      clock.turn(shown.angle);
      sine.show(shown.sine);
      cosine.show(shown.cosine);
      turns.show(shown.turns);
      waves.show(shown.wavelength);
    },
  };
}

/** Cards for all pairs, where they are few. `show` returns what the sentence has to add. */
function cards() {
  const all = Array.from({ length: MOST_CARDS }, card);
  const element = html("ul", { class: "pex-dials" });
  return {
    element,
    /** @param {State} _ @param {Clock[]} clocks */
    show(_, clocks) {
      clocks.forEach((each, i) => all[i].show(i, each));
      fit(
        element,
        all.map((each) => each.element),
        clocks.length,
      );
      return "";
    },
  };
}

/** The middle of clock i on the wall, where a clock has the room of 100 by 100. @param {number} i */
function place(i) {
  return [50 + 100 * (i % ACROSS), 50 + 100 * Math.floor(i / ACROSS)];
}

/** A wall of small clocks, fast ones first, and the card of the chosen one. @param {Change} change */
function wall(change) {
  const rims = svg("path", { class: "pex-rim" });
  const mark = svg("circle", { r: 49, class: "pex-mark" });
  const hands = svg("path", { class: "pex-hand" });
  const clocks = svg("svg", { "aria-hidden": "true" }, rims, mark, hands);
  clocks.addEventListener("click", (event) => {
    const box = clocks.getBoundingClientRect(),
      size = box.width / ACROSS;
    const i =
      ACROSS * Math.floor((event.clientY - box.top) / size) +
      Math.floor((event.clientX - box.left) / size);
    if (i < count) change({ pair: i });
  });
  const pair = slider("pair", { label: "Pair with numbers", words: (i) => `pair ${i}` }, change);
  const one = card();
  const chosen = html("div", {}, pair.element, html("ul", { class: "pex-dials" }, one.element));
  let count = 0; // clocks on the wall

  return {
    element: html(
      "div",
      { class: "pex-walled" },
      chosen,
      html("div", { class: "pex-wall" }, clocks),
    ),
    /** @param {State} state @param {Clock[]} all */
    show(state, all) {
      if (count !== all.length) {
        count = all.length;
        setAttributes(clocks, {
          viewBox: `0 0 ${100 * ACROSS} ${100 * Math.ceil(count / ACROSS)}`,
        });
        setAttributes(rims, { d: all.map((_, i) => rim(i)).join("") });
      }
      setAttributes(hands, { d: all.map(({ angle }, i) => hand(i, angle)).join("") });
      const [cx, cy] = place(state.pair);
      setAttributes(mark, { cx, cy });
      pair.show(state);
      const big = all[state.pair];
      one.show(state.pair, big);
      return ` In numbers: pair ${state.pair}, sine ${fixed(big.sine)}, cosine ${fixed(big.cosine)}.`;
    },
  };
}

/** The rim of clock i on the wall, as a path. @param {number} i */
function rim(i) {
  const [x, y] = place(i);
  return `M${x - RIM} ${y}a${RIM} ${RIM} 0 1 1 ${2 * RIM} 0a${RIM} ${RIM} 0 1 1 ${-2 * RIM} 0`;
}

/** The hand of clock i on the wall, as a path. @param {number} i @param {number} angle */
function hand(i, angle) {
  const [x, y] = tip(angle);
  return `M${place(i).join(" ")}l${x.toFixed(1)} ${y.toFixed(1)}`;
}

/** @param {Change} change */
function view(change) {
  const position = positionSlider(change);
  const width = widthSlider(change, (d) => `d_model ${d}, ${d / 2} ${d === 2 ? "pair" : "pairs"}`);
  const base = baseSlider(change);
  const jumps = [0, 44, 710].map((p) =>
    button(String(p), () => change({ position: p }), { "aria-label": `Go to position ${p}` }),
  );
  const first = reading((x) => fixed(x, 6)),
    row = reading((x) => fixed(x, 6));
  const figure = html("div", { class: "pex-figure" });
  const few = cards(),
    many = wall(change);

  /** @param {State} state */
  const draw = (state) => {
    const all = numbers(state);
    const dials = all.clocks.length <= MOST_CARDS ? few : many;
    if (figure.firstChild !== dials.element) figure.replaceChildren(dials.element);
    for (const each of [position, width, base]) each.show(state);
    const inNumbers = dials.show(state, all.clocks);
    first.show(all.first);
    row.show(all.row);
    return says(state, all) + inNumbers;
  };
  return {
    top: [
      position.element,
      html("div", { class: "pex-buttons" }, "Go to position", ...jumps),
      figure,
      readings(
        ["hand 0, distance from its start: ", first.element],
        ["whole row, distance from row 0: ", row.element],
      ),
    ],
    settings: [width.element, base.element],
    draw,
  };
}

/** @param {State} state @param {ReturnType<typeof numbers>} shown */
export function says({ d_model, position }, { clocks, first, row }) {
  if (position === 0) {
    const hands = d_model === 2 ? "the one hand stands" : `all ${clocks.length} hands stand`;
    return `Position 0: ${hands} at twelve, where the sine is 0 and the cosine is 1.`;
  }
  const made = (/** @type {number} */ i) => `hand ${i} has made ${fixed(clocks[i].turns, 3)}`;
  const back = `Position ${position}: ${made(0)} turns and is ${fixed(first, 6)} from where it began`;
  if (d_model === 2)
    return `${back}; with one pair, that is all that tells row ${position} from row 0.`;
  const hands = clocks.map((_, i) => i);
  const others = clocks.length > FEW ? hands.slice(-1) : hands.slice(1);
  return `${back}; ${others.map(made).join(" and ")}. The whole row is ${fixed(row, 6)} from row 0.`;
}

export default widget({ name: "clock", label: "Clock explorer", view });
