import {
  baseOf,
  baseSlider,
  button,
  denominator,
  even,
  face,
  fixed,
  grouped,
  html,
  positionSlider,
  reading,
  readings,
  RIM,
  setAttributes,
  slider,
  svg,
  tip,
  wavelength,
  whole,
  widget,
} from "./shared.js";

const LAST_POSITION = 1000;
const MOST_CARDS = 8; // pairs that get their numbers printed; more are drawn as a wall of clocks

/** @typedef {{d_model: number, position: number, base: number}} State */

/** @returns {State} */
function clean(/** @type {any} */ { d_model, position, base }) {
  return {
    d_model: even(d_model, 2, 512),
    position: whole(position, 0, LAST_POSITION),
    base: baseOf(base),
  };
}

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
    turn(/** @type {number} */ angle) {
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
function card(/** @type {number} */ i) {
  const clock = dial();
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
    element: html("li", {}, html("div", { class: "pex-name" }, `pair ${i}`), clock.element, list),
    show(/** @type {number} */ angle, /** @type {number} */ length) {
      clock.turn(angle);
      sine.show(Math.sin(angle));
      cosine.show(Math.cos(angle));
      turns.show(angle / (2 * Math.PI));
      waves.show(length);
    },
  };
}

/** Cards for all pairs, where they are few. `show` returns what the sentence has to add. */
function cards(/** @type {number} */ pairs) {
  const all = Array.from({ length: pairs }, (_, i) => card(i));
  return {
    element: html("ul", { class: "pex-dials" }, ...all.map((each) => each.element)),
    show(/** @type {State} */ { d_model, position, base }) {
      all.forEach((each, i) => {
        each.show(position / denominator(i, d_model, base), wavelength(i, d_model, base));
      });
      return "";
    },
  };
}

const ACROSS = 16; // clocks in a row of the wall

/** The middle of clock i on the wall, where a clock has the room of 100 by 100. */
function place(/** @type {number} */ i) {
  return [50 + 100 * (i % ACROSS), 50 + 100 * Math.floor(i / ACROSS)];
}

/** A wall of small clocks, fast ones first, and the card of one that the reader chooses. */
function wall(/** @type {number} */ pairs, /** @type {() => void} */ again) {
  let chosen = 0;
  const rims = svg("path", {
    class: "pex-rim",
    d: Array.from({ length: pairs }, (_, i) => {
      const [x, y] = place(i);
      return `M${x - RIM} ${y}a${RIM} ${RIM} 0 1 1 ${2 * RIM} 0a${RIM} ${RIM} 0 1 1 ${-2 * RIM} 0`;
    }).join(""),
  });
  const mark = svg("circle", { r: 49, class: "pex-mark" });
  const hands = svg("path", { class: "pex-hand" });
  const clocks = svg(
    "svg",
    { viewBox: `0 0 ${100 * ACROSS} ${100 * Math.ceil(pairs / ACROSS)}`, "aria-hidden": "true" },
    rims,
    mark,
    hands,
  );
  const choose = (/** @type {number} */ i) => {
    chosen = i;
    again();
  };
  clocks.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const box = clocks.getBoundingClientRect(),
      size = box.width / ACROSS;
    const i =
      ACROSS * Math.floor((event.clientY - box.top) / size) +
      Math.floor((event.clientX - box.left) / size);
    if (i < pairs) choose(i);
  });
  const pair = slider({
    name: "Pair with numbers",
    min: 0,
    max: pairs - 1,
    words: (i) => `pair ${i}`,
    onInput: choose,
  });
  const one = html("ul", { class: "pex-dials" });
  let cardOf = -1;
  /** @type {ReturnType<typeof card>} */ let big;

  function show(/** @type {State} */ { d_model, position, base }) {
    setAttributes(hands, {
      d: Array.from({ length: pairs }, (_, i) => {
        const [x, y] = tip(position / denominator(i, d_model, base));
        return `M${place(i).join(" ")}l${x.toFixed(1)} ${y.toFixed(1)}`;
      }).join(""),
    });
    if (cardOf !== chosen) {
      big = card(chosen);
      one.replaceChildren(big.element);
      const [cx, cy] = place(chosen);
      setAttributes(mark, { cx, cy });
      cardOf = chosen;
    }
    pair.show(chosen);
    const angle = position / denominator(chosen, d_model, base);
    big.show(angle, wavelength(chosen, d_model, base));
    return ` In numbers: pair ${chosen}, sine ${fixed(Math.sin(angle))}, cosine ${fixed(Math.cos(angle))}.`;
  }
  const wallElement = html("div", { class: "pex-wall" }, clocks);
  return {
    element: html("div", { class: "pex-walled" }, html("div", {}, pair.element, one), wallElement),
    show,
  };
}

/** How far a row is from row 0: two columns of a pair are 2 |sin(angle/2)| from where they began. */
function distances(/** @type {State} */ { d_model, position, base }) {
  const chords = Array.from(
    { length: d_model / 2 },
    (_, i) => 2 * Math.abs(Math.sin(position / denominator(i, d_model, base) / 2)),
  );
  return { first: chords[0], row: Math.hypot(...chords) };
}

function view(/** @type {(change: any) => void} */ change, /** @type {() => void} */ again) {
  const position = positionSlider(change, LAST_POSITION);
  const width = slider({
    name: "d_model",
    min: 2,
    max: 512,
    step: 2,
    words: (d) => `d_model ${d}, ${d / 2} ${d === 2 ? "pair" : "pairs"}`,
    onInput: (d) => change({ d_model: d }),
  });
  const base = baseSlider(change);
  const jumps = [0, 44, 710].map((p) =>
    button(String(p), () => change({ position: p }), { "aria-label": `Go to position ${p}` }),
  );
  const first = reading((x) => fixed(x, 6)),
    row = reading((x) => fixed(x, 6));
  const figure = html("div", { class: "pex-figure" });
  const numbers = readings(
    ["hand 0, distance from its start: ", first.element],
    ["whole row, distance from row 0: ", row.element],
  );

  let pairs = 0;
  /** @type {ReturnType<typeof cards | typeof wall>} */ let dials;
  const draw = (/** @type {State} */ state) => {
    if (pairs !== state.d_model / 2) {
      pairs = state.d_model / 2;
      dials = pairs <= MOST_CARDS ? cards(pairs) : wall(pairs, again);
      figure.replaceChildren(dials.element);
    }
    position.show(state.position);
    width.show(state.d_model);
    base.show(state.base);
    const inNumbers = dials.show(state);
    const from = distances(state);
    first.show(from.first);
    row.show(from.row);
    return says(state, from) + inNumbers;
  };
  return {
    top: [
      position.element,
      html("div", { class: "pex-buttons" }, "Go to position", ...jumps),
      figure,
      numbers,
    ],
    settings: [width.element, base.element],
    draw,
  };
}

function says(
  /** @type {State} */ { d_model, position, base },
  /** @type {{first: number, row: number}} */ from,
) {
  const turns = (/** @type {number} */ i) => fixed(position / wavelength(i, d_model, base), 3);
  if (position === 0) {
    const hands = d_model === 2 ? "the one hand stands" : `all ${d_model / 2} hands stand`;
    return `Position 0: ${hands} at twelve, where the sine is 0 and the cosine is 1.`;
  }
  const back = `Position ${position}: hand 0 has made ${turns(0)} turns and is ${fixed(from.first, 6)} from where it began`;
  if (d_model === 2)
    return `${back}; with one pair, that is all that tells row ${position} from row 0.`;
  const last = d_model / 2 - 1;
  return `${back}; hand ${last} has made ${turns(last)}. The whole row is ${fixed(from.row, 6)} from row 0.`;
}

export default widget({ name: "clock", label: "Clock explorer", clean, view });
