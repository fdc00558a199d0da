// The offset figure: the hands at p and at p + k, the arc between them, and the matrix that turns them.

import { LIMITS } from "./from_python.js";
import { baseSlider, positionSlider, slider, widthSlider } from "./kit/controls.js";
import { face, RIM, tip } from "./kit/dials.js";
import { fit, html, setAttributes, svg, write } from "./kit/elements.js";
import { exactly, fixed, scientific } from "./kit/format.js";
import { widget } from "./kit/mount.js";
import { reading, readings } from "./kit/readings.js";
import { evenWidth, numberCell, reach, titled } from "./kit/tables.js";
import { lastMove, numbers } from "./offset.numbers.js";

/** @import { Change } from "./kit/settings.js" */
/** @import { State } from "./offset.numbers.js" */
/** @typedef {ReturnType<typeof numbers>} Numbers */

const WIDEST = LIMITS.d_model.high;

// A dial: the hand at p, the hand at p + k, and the arc between them

/** An arc from twelve on that winds outwards, a little more with every turn. @param {number} by */
function winding(by) {
  const steps = Math.max(2, Math.ceil(Math.abs(by) / 0.1));
  const radius = (/** @type {number} */ part) =>
    17 + part * Math.min(18, (3 * Math.abs(by)) / (2 * Math.PI));
  const points = Array.from({ length: steps + 1 }, (_, n) =>
    tip((by * n) / steps, radius(n / steps)),
  );
  const print = (/** @type {number[][]} */ all) =>
    all.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L");
  const back = by - Math.sign(by) * Math.min(0.32, Math.abs(by));
  const arrow = [tip(by, radius(1)), tip(back, radius(1) - 4), tip(back, radius(1) + 4)];
  return {
    line: `M${print(points)}`,
    width: Math.abs(by) > 4 * Math.PI ? 1.3 : 2.5,
    arrow: `M${print(arrow)}Z`,
  };
}

/**
 * Turns what is drawn at twelve, clockwise by an angle in radians.
 * @param {Element} element @param {number} angle
 */
function turn(element, angle) {
  setAttributes(element, { transform: `rotate(${(180 * angle) / Math.PI})` });
}

/** The dial of pair i with its angles; a click chooses it. @param {number} i @param {Change} change */
function card(i, change) {
  const arc = svg("path", { class: "pex-arc" }),
    arrow = svg("path", { class: "pex-arrow" });
  const goal = svg(
    "g",
    {},
    svg("line", { y2: -RIM, class: "pex-hand" }),
    svg("circle", { cy: -RIM, r: 4, class: "pex-tip" }),
  );
  // All of it turns with p; the goal turns on, by the length of the arc.
  const start = svg(
    "g",
    {},
    arc,
    arrow,
    svg("line", { y2: -RIM, class: "pex-before" }),
    svg("circle", { cy: -RIM, r: 4, class: "pex-before-tip" }),
    goal,
  );
  const dial = face();
  dial.append(start);
  let drawn = NaN; // the turn that the arc shows
  const angle = (/** @type {number} */ x) => fixed(x, 3);
  const before = reading(angle),
    turned = reading(angle),
    after = reading(angle);
  const beforeName = html("dt"),
    afterName = html("dt");
  const list = html(
    "dl",
    {},
    beforeName,
    html("dd", {}, before.element),
    html("dt", { class: "pex-angle" }, "k ω"),
    html("dd", {}, turned.element),
    afterName,
    html("dd", {}, after.element),
  );
  const element = html("li", {}, html("div", { class: "pex-name" }, `pair ${i}`), dial, list);
  element.addEventListener("click", () => change({ pair: i }));
  return {
    element,
    /** @param {State} state @param {Numbers["turns"][number]} angles */
    show({ position, offset, pair }, angles) {
      turn(start, angles.before);
      turn(goal, angles.by);
      if (drawn !== angles.by) {
        const { line, width, arrow: head } = winding(angles.by);
        setAttributes(arc, { d: line, "stroke-width": width });
        setAttributes(arrow, { d: head });
      }
      drawn = angles.by;
      write(beforeName, `${position} ω`);
      write(afterName, `${fixed(position + offset, 0)} ω`);
      before.show(angles.before);
      turned.show(angles.by);
      after.show(angles.after);
      element.classList.toggle("pex-picked", pair === i);
    },
  };
}

// Tables

/** M_k as a table of coloured cells, with the block of one pair framed. */
function matrixTable() {
  const all = Array.from({ length: WIDEST }, (_, c) => c);
  const heads = all.map((c) => html("th", { scope: "col" }, String(c)));
  const rows = all.map((r) => ({
    element: html("tr", {}, html("th", { scope: "row" }, String(r))),
    cells: all.map((c) => numberCell(r >> 1 === c >> 1 ? {} : { class: "pex-cell pex-nought" })),
  }));
  const top = html("tr", {}, html("td")),
    body = html("tbody");
  const element = html(
    "table",
    { class: "pex-tensor pex-even pex-matrix", "aria-label": "The matrix M_k" },
    html("thead", {}, top),
    body,
  );
  let framed = -1;
  return {
    element,
    /** @param {number[][]} matrix */
    show(matrix) {
      const d = matrix.length,
        digits = d > 8 ? 2 : d > 4 ? 3 : 4; // so that six columns fit a phone
      // Sign, nought and point; the point is narrower. Sixteen columns then fit a laptop's page.
      element.style.width = evenWidth(d, digits + 2.7, true);
      matrix.forEach((line, r) => {
        const { cells } = rows[r];
        line.forEach((value, c) => {
          const inBlock = r >> 1 === c >> 1;
          cells[c].show(value, inBlock ? fixed(value, digits) : "0", inBlock);
        });
        reach(
          rows[r].element,
          cells.map((cell) => cell.element),
          d,
        );
      });
      reach(top, heads, d);
      reach(
        body,
        rows.map((row) => row.element),
        d,
      );
    },
    /** @param {number} pair */
    frame(pair) {
      if (framed === pair) return;
      for (const [i, is] of /** @type {const} */ ([
        [framed, false],
        [pair, true],
      ]))
        for (const { cells } of rows.slice(2 * i, 2 * i + 2))
          for (const { element } of cells.slice(2 * i, 2 * i + 2))
            element.classList.toggle("pex-block", is);
      framed = pair;
    },
  };
}

/** PE(p), M_k PE(p), PE(p + k) and the difference of the last two, side by side. */
function vectorTable() {
  const heads = Array.from({ length: 4 }, () => html("th", { scope: "col" }));
  const rows = Array.from({ length: WIDEST }, (_, c) => {
    const cells = heads.map((__, n) => numberCell(n < 3 ? {} : { class: "pex-cell pex-plain" }));
    const name = html("th", { scope: "row" }, String(c));
    return { cells, element: html("tr", {}, name, ...cells.map((cell) => cell.element)) };
  });
  const body = html("tbody");
  const element = html(
    "table",
    {
      class: "pex-tensor pex-even",
      "aria-label": "PE(p), M_k PE(p), PE(p + k) and the difference",
      style: `width:${evenWidth(4, 8, true)}`, // the longest head needs eight
    },
    html("thead", {}, html("tr", {}, html("td"), ...heads)),
    body,
  );
  return {
    element,
    /** @param {State} state @param {Numbers} shown */
    show({ position: p, offset: k }, { start, moved, goal, difference }) {
      const names = [`PE(${p})`, `M PE(${p})`, `PE(${fixed(p + k, 0)})`, "difference"];
      names.forEach((name, n) => write(heads[n], name));
      [start, moved, goal, difference].forEach((vector, n) =>
        vector.forEach((value, c) =>
          rows[c].cells[n].show(value, n < 3 ? fixed(value) : scientific(value), n < 3),
        ),
      );
      reach(
        body,
        rows.map((row) => row.element),
        start.length,
      );
    },
  };
}

/** @param {Change} change */
function view(change) {
  const position = positionSlider(change);
  const offset = slider(
    "offset",
    { label: "Offset k", words: (k) => `offset ${k}`, short: (k) => fixed(k, 0) },
    change,
  );
  const width = widthSlider(change);
  const base = baseSlider(change);
  const pair = slider("pair", { label: "Pair in the frame", words: (i) => `pair ${i}` }, change);
  const dials = html("ul", { class: "pex-dials pex-turning" });
  const cards = Array.from({ length: WIDEST / 2 }, (_, i) => card(i, change));
  const matrixName = html("b");
  const matrix = matrixTable(),
    vectors = vectorTable();
  const products = html(
    "div",
    { class: "pex-product" },
    titled(matrixName, matrix.element, "The matrix M_k, scrolling"),
    titled(html("b", {}, "applied to PE(p)"), vectors.element, "The vectors, scrolling"),
  );
  const off = reading(scientific),
    ofMatrix = reading(),
    ofStart = reading();
  const numbersShown = readings(
    ["largest difference of M PE(p) and PE(p + k): ", off.element],
    [
      "the last move changed M by at most ",
      ofMatrix.element,
      " and PE(p) by at most ",
      ofStart.element,
    ],
  );
  const moveShown = /** @type {HTMLElement} */ (numbersShown.lastElementChild);

  /** @type {State | undefined} */ let last;
  /** @type {Numbers} */ let now;
  let turnsOf = "",
    said = "";

  /** Draws all but the frame; returns what the sentence says of the last move. @param {State} state */
  const drawNumbers = (state) => {
    const before = now;
    now = numbers(state);
    now.turns.forEach((each, i) => cards[i].show(state, each));
    fit(
      dials,
      cards.map((each) => each.element),
      now.turns.length,
    );
    write(matrixName, `M for k = ${fixed(state.offset, 0)}`);
    const key = [state.d_model, state.offset, state.base].join();
    if (turnsOf !== key) matrix.show(now.matrix);
    turnsOf = key;
    vectors.show(state, now);
    off.show(now.off);
    const by = lastMove(now, before);
    moveShown.hidden = !by;
    if (!by || !last) return "";
    ofMatrix.show(by.matrix);
    ofStart.show(by.start);
    return `${moveFrom(last, state)} changed M by at most ${fixed(by.matrix)} and PE(p) by at most ${fixed(by.start)}. `;
  };

  /** @param {State} state */
  const draw = (state) => {
    for (const each of [position, offset, width, base, pair]) each.show(state);
    if (last && moveFrom(last, state) === "") {
      if (last.pair !== state.pair) said = ""; // was said, and M and PE(p) have stayed
      cards.slice(0, now.turns.length).forEach((each, i) => each.show(state, now.turns[i]));
    } else {
      said = drawNumbers(state);
    }
    matrix.frame(state.pair);
    last = state;
    return said + says(state, now);
  };
  return {
    top: [
      html("div", { class: "pex-controls" }, position.element, offset.element),
      dials,
      products,
      numbersShown,
    ],
    settings: [width.element, base.element, pair.element],
    draw,
  };
}

/** What moved, in words; nothing where only the frame did. @param {State} before @param {State} now */
function moveFrom(before, now) {
  const moves = [];
  if (before.position !== now.position) moves.push(`p from ${before.position} to ${now.position}`);
  if (before.offset !== now.offset)
    moves.push(`k from ${fixed(before.offset, 0)} to ${fixed(now.offset, 0)}`);
  if (before.base !== now.base)
    moves.push(`the base from ${exactly(before.base)} to ${exactly(now.base)}`);
  if (before.d_model !== now.d_model)
    moves.push(`d_model from ${before.d_model} to ${now.d_model}`);
  return moves.length ? `Moving ${moves.join(" and ")}` : "";
}

/** @param {State} state @param {Numbers} shown */
function says({ d_model, position: p, offset: k, pair: i }, { turns, off }) {
  const hands = d_model === 2 ? "The one hand turns" : `Each of the ${d_model / 2} hands turns`;
  return (
    `${hands} by its own k ω, whatever p is: ` +
    `M PE(${p}) and PE(${fixed(p + k, 0)}) differ by at most ${scientific(off)}. ` +
    `In the frame: pair ${i}, which turns by ${fixed(turns[i].by, 3)} radians.`
  );
}

export default widget({ name: "offset", label: "Offset explorer", view });
