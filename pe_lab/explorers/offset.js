import {
  baseOf,
  baseSlider,
  denominator,
  even,
  evenWidth,
  face,
  fit,
  fixed,
  html,
  numberCell,
  positionSlider,
  reading,
  readings,
  RIM,
  scientific,
  setAttributes,
  slider,
  svg,
  tip,
  whole,
  widget,
  widthSlider,
  write,
} from "./shared.js";

const LARGEST = 16,
  LAST_POSITION = 100,
  LARGEST_OFFSET = 50;

/** @typedef {{d_model: number, position: number, offset: number, base: number}} State */

/** @returns {State} */
function clean(/** @type {any} */ { d_model, position, offset, base }) {
  return {
    d_model: even(d_model, 2, LARGEST),
    position: whole(position, 0, LAST_POSITION),
    offset: whole(offset, -LARGEST_OFFSET, LARGEST_OFFSET),
    base: baseOf(base),
  };
}

/** PE(p), sine and cosine in turn. */
function encoding(/** @type {number} */ p, /** @type {State} */ { d_model: d, base }) {
  return Array.from({ length: d }, (_, c) =>
    (c % 2 ? Math.cos : Math.sin)(p / denominator(c >> 1, d, base)),
  );
}

/** M_k: for each pair the block [[cos kω, sin kω], [−sin kω, cos kω]], and nought elsewhere. */
function offsetMatrix(/** @type {State} */ { d_model: d, offset: k, base }) {
  const rows = Array.from({ length: d }, () => Array.from({ length: d }, () => 0)); // (d, d)
  for (let c = 0; c < d; c += 2) {
    const angle = k / denominator(c / 2, d, base);
    rows[c][c] = rows[c + 1][c + 1] = Math.cos(angle);
    rows[c][c + 1] = Math.sin(angle);
    rows[c + 1][c] = -Math.sin(angle);
  }
  return rows;
}

/** The matrix times the vector. */
function product(/** @type {number[][]} */ matrix, /** @type {number[]} */ vector) {
  return matrix.map((row) => row.reduce((sum, each, c) => sum + each * vector[c], 0));
}

/** The largest difference between two lists of numbers. */
function largestDifference(/** @type {number[]} */ one, /** @type {number[]} */ other) {
  return one.reduce((most, each, n) => Math.max(most, Math.abs(each - other[n])), 0);
}

// A dial: the hand at p, the hand at p + k, and the arc between them

/** An arc from twelve on that winds outwards, a little more with every turn. */
function winding(/** @type {number} */ turn) {
  const steps = Math.max(2, Math.ceil(Math.abs(turn) / 0.1));
  const radius = (/** @type {number} */ part) =>
    17 + part * Math.min(18, (3 * Math.abs(turn)) / (2 * Math.PI));
  const points = Array.from({ length: steps + 1 }, (_, n) =>
    tip((turn * n) / steps, radius(n / steps)),
  );
  const print = (/** @type {number[][]} */ all) =>
    all.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L");
  const back = turn - Math.sign(turn) * Math.min(0.32, Math.abs(turn));
  const arrow = [tip(turn, radius(1)), tip(back, radius(1) - 4), tip(back, radius(1) + 4)];
  return {
    line: `M${print(points)}`,
    width: Math.abs(turn) > 4 * Math.PI ? 1.3 : 2.5,
    arrow: `M${print(arrow)}Z`,
  };
}

/** Turns what is drawn at twelve, clockwise by an angle in radians. */
function turn(/** @type {Element} */ element, /** @type {number} */ angle) {
  setAttributes(element, { transform: `rotate(${(180 * angle) / Math.PI})` });
}

function card(/** @type {number} */ i) {
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
  const afterName = html("dt");
  const beforeName = html("dt");
  return {
    element: html(
      "li",
      {},
      html("div", { class: "pex-name" }, `pair ${i}`),
      dial,
      html(
        "dl",
        {},
        beforeName,
        html("dd", {}, before.element),
        html("dt", { class: "pex-angle" }, "k ω"),
        html("dd", {}, turned.element),
        afterName,
        html("dd", {}, after.element),
      ),
    ),
    show(/** @type {State} */ { d_model, position: p, offset: k, base }) {
      const divisor = denominator(i, d_model, base);
      const by = k / divisor;
      turn(start, p / divisor);
      turn(goal, by);
      if (drawn !== by) {
        const { line, width, arrow: head } = winding(by);
        setAttributes(arc, { d: line, "stroke-width": width });
        setAttributes(arrow, { d: head });
      }
      drawn = by;
      write(beforeName, `${p} ω`);
      write(afterName, `${fixed(p + k, 0)} ω`);
      before.show(p / divisor);
      turned.show(by);
      after.show((p + k) / divisor);
    },
  };
}

// Tables

/** M_k as a table of coloured cells. */
function matrixTable() {
  const heads = Array.from({ length: LARGEST }, (_, c) => html("th", { scope: "col" }, String(c)));
  const rows = heads.map((_, r) => ({
    element: html("tr"),
    cells: heads.map((__, c) =>
      numberCell(r >> 1 === c >> 1 ? {} : { class: "pex-cell pex-nought" }),
    ),
  }));
  const top = html("tr"),
    body = html("tbody");
  const element = html(
    "table",
    { class: "pex-tensor pex-even", "aria-label": "The matrix M_k" },
    html("thead", {}, top),
    body,
  );
  return {
    element,
    show(/** @type {number[][]} */ matrix) {
      const d = matrix.length,
        digits = d > 8 ? 2 : d > 4 ? 3 : 4; // so that six columns fit a phone
      element.style.width = evenWidth(d, digits + 3, false);
      matrix.forEach((line, r) => {
        const { cells } = rows[r];
        line.forEach((value, c) => {
          const inBlock = r >> 1 === c >> 1;
          cells[c].show(value, inBlock ? fixed(value, digits) : "0", inBlock);
        });
        fit(
          rows[r].element,
          cells.map((cell) => cell.element),
          d,
        );
      });
      fit(top, heads, d);
      fit(
        body,
        rows.map((row) => row.element),
        d,
      );
    },
  };
}

/** PE(p), M_k PE(p), PE(p + k) and the difference of the last two, side by side. */
function vectorTable() {
  const heads = Array.from({ length: 4 }, () => html("th", { scope: "col" }));
  const rows = Array.from({ length: LARGEST }, (_, c) => {
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
    show(
      /** @type {State} */ { position: p, offset: k },
      /** @type {number[][]} */ [start, moved, goal],
    ) {
      [`PE(${p})`, `M PE(${p})`, `PE(${fixed(p + k, 0)})`, "difference"].forEach((name, n) =>
        write(heads[n], name),
      );
      start.forEach((_, c) => {
        [start[c], moved[c], goal[c], moved[c] - goal[c]].forEach((value, n) => {
          rows[c].cells[n].show(value, n < 3 ? fixed(value) : scientific(value), n < 3);
        });
      });
      fit(
        body,
        rows.map((row) => row.element),
        start.length,
      );
    },
  };
}

/** A table under its title, in a box in which it scrolls sideways, by keyboard too. */
function titled(
  /** @type {Element} */ title,
  /** @type {Element} */ table,
  /** @type {string} */ label,
) {
  const box = { class: "pex-scroll", tabindex: 0, role: "region", "aria-label": label };
  return html("div", {}, html("div", { class: "pex-title" }, title), html("div", box, table));
}

function view(/** @type {(change: any) => void} */ change) {
  const position = positionSlider(change, LAST_POSITION);
  const offset = slider({
    name: "Offset k",
    min: -LARGEST_OFFSET,
    max: LARGEST_OFFSET,
    words: (k) => `offset ${k}`,
    short: (k) => fixed(k, 0),
    onInput: (k) => change({ offset: k }),
  });
  const width = widthSlider(change, LARGEST);
  const base = baseSlider(change);
  const dials = html("ul", { class: "pex-dials pex-turning" });
  const matrixName = html("b");
  const difference = reading(scientific),
    moved = reading(),
    turned = reading();
  const numbers = readings(
    ["largest difference of M PE(p) and PE(p + k): ", difference.element],
    [
      "the last move changed M by at most ",
      turned.element,
      " and PE(p) by at most ",
      moved.element,
    ],
  );
  const lastMove = /** @type {HTMLElement} */ (numbers.lastElementChild);
  const matrixShown = matrixTable(),
    vectorsShown = vectorTable();
  const products = html(
    "div",
    { class: "pex-product" },
    titled(matrixName, matrixShown.element, "The matrix M_k, scrolling"),
    titled(html("b", {}, "applied to PE(p)"), vectorsShown.element, "The vectors, scrolling"),
  );

  const cards = Array.from({ length: LARGEST / 2 }, (_, i) => card(i));
  /** @type {{state: State, matrix: number[][], start: number[]} | undefined} */ let last;
  let shownTurns = "";

  const draw = (/** @type {State} */ state) => {
    const { d_model: d, position: p, offset: k } = state;
    position.show(p);
    offset.show(k);
    width.show(state.d_model);
    base.show(state.base);
    if (last?.state.d_model !== d) last = undefined;
    const matrix = offsetMatrix(state),
      start = encoding(p, state),
      goal = encoding(p + k, state);
    const image = product(matrix, start);
    for (const each of cards.slice(0, d / 2)) each.show(state);
    fit(
      dials,
      cards.map((each) => each.element),
      d / 2,
    );
    write(matrixName, `M for k = ${fixed(k, 0)}`);
    const turns = [d, k, state.base].join();
    if (shownTurns !== turns) matrixShown.show(matrix);
    shownTurns = turns;
    vectorsShown.show(state, [start, image, goal]);
    const off = largestDifference(image, goal);
    const ofMatrix = last ? largestDifference(matrix.flat(), last.matrix.flat()) : 0;
    const ofStart = last ? largestDifference(start, last.start) : 0;
    difference.show(off);
    turned.show(ofMatrix);
    moved.show(ofStart);
    lastMove.hidden = !last;
    const move = last && movedFrom(last.state, state);
    last = { state, matrix, start };
    return (
      `${move ? `${move} changed M by at most ${fixed(ofMatrix)} and PE(p) by at most ${fixed(ofStart)}. ` : ""}` +
      `${d === 2 ? "The one hand turns" : `Each of the ${d / 2} hands turns`} by its own k ω, whatever p is: ` +
      `M PE(${p}) and PE(${fixed(p + k, 0)}) differ by at most ${scientific(off)}.`
    );
  };
  return {
    top: [
      html("div", { class: "pex-controls" }, position.element, offset.element),
      dials,
      products,
      numbers,
    ],
    settings: [width.element, base.element],
    draw,
  };
}

/** What the reader did last, in words. */
function movedFrom(/** @type {State} */ before, /** @type {State} */ now) {
  const moves = [];
  if (before.position !== now.position) moves.push(`p from ${before.position} to ${now.position}`);
  if (before.offset !== now.offset)
    moves.push(`k from ${fixed(before.offset, 0)} to ${fixed(now.offset, 0)}`);
  if (before.base !== now.base) moves.push(`the base from ${before.base} to ${now.base}`);
  return moves.length ? `Moving ${moves.join(" and ")}` : "";
}

export default widget({ name: "offset", label: "Offset explorer", clean, view });
