import {
  baseOf,
  baseSlider,
  denominator,
  even,
  evenWidth,
  fit,
  fixed,
  grouped,
  html,
  lengthSlider,
  math,
  numberCell,
  setAttributes,
  slider,
  whole,
  widget,
  widthSlider,
  write,
} from "./shared.js";

const LARGEST = 16;
const MOST_SOURCES = 64; // numbers of the steps before that are shown; of more, the rows that matter

/** @typedef {{d_model: number, length: number, base: number, step: number, row: number, column: number}} State */

/** @returns {State} */
function clean(/** @type {any} */ { d_model, length, base, step, row, column }) {
  const d = even(d_model, 2, LARGEST),
    rows = whole(length, 1, LARGEST);
  return {
    d_model: d,
    length: rows,
    base: baseOf(base),
    step: whole(step, 0, STEPS.length - 1),
    row: whole(row, 0, rows - 1),
    column: whole(column, 0, d - 1),
  };
}

// The steps, in the order and by the names of pe_core.trace. Cell (r, c) of a step's tensor:
// The chosen number is the one that ends in PE[row, column]; each step has a cell on its way there.

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {number[]} from  the steps that it is made of
 * @property {(s: State) => string} shape  its shape, as torch prints it
 * @property {(s: State) => number[]} size  its rows and columns, as drawn
 * @property {(r: number, c: number, s: State) => number} value  what cell (r, c) holds
 * @property {(s: State) => number[]} at  the cell on the way of the chosen number
 * @property {(r: number, c: number, s: State) => Partial<State>} pick  what choosing (r, c) sets
 * @property {(s: State) => (Node | string)[]} formula  the formula with the cell's own numbers
 * @property {(s: State) => string} words  where the value came from
 * @property {(s: State) => number} digits  how many decimals fit its cells
 * @property {string} axes  what its axes count
 * @property {boolean} corner  whether the rows are numbered
 * @property {boolean} across  whether the columns are numbered
 * @property {"sine" | "cosine"} [ink]
 * @property {boolean} [coloured]  values in [-1, 1], shown as colours too
 * @property {boolean} [columns]  its columns are those of the encoding, sine and cosine in turn
 * @property {boolean} [paired]  two neighbours share the index i
 */

/** @type {(p: number, i: number, s: State) => number} */
const angle = (p, i, s) => p / denominator(i, s.d_model, s.base);
/** @type {(s: State) => number} */
const half = (s) => s.d_model / 2;
/** @type {(s: State) => number} */
const pair = (s) => s.column >> 1;
/** @type {(s: State) => number} */
const parity = (s) => s.column & 1;
/** @type {(p: number, column: number, s: State) => number} */
const entry = (p, column, s) => (column % 2 ? Math.cos : Math.sin)(angle(p, column >> 1, s));

const none = () => 0,
  four = () => 4;
/** Two decimals where a row has many numbers; the formula has four. @type {(s: State) => number} */
const fitting = (s) => (s.d_model > 8 ? 2 : 4);

/** One row, a cell for each pair. @type {Pick<Step, "shape" | "size" | "at" | "axes" | "corner" | "across">} */
const perPair = {
  shape: (s) => `(${half(s)},)`,
  size: (s) => [1, half(s)],
  at: (s) => [0, pair(s)],
  axes: "pair i",
  corner: false,
  across: true,
};
/** A row for each position, a cell for each pair. @type {typeof perPair} */
const perPositionAndPair = {
  shape: (s) => `(${s.length}, ${half(s)})`,
  size: (s) => [s.length, half(s)],
  at: (s) => [s.row, pair(s)],
  axes: "row p, pair i",
  corner: true,
  across: true,
};
/**
 * A row for each position, a cell for each column.
 * @type {Pick<Step, "size" | "at" | "pick" | "value" | "digits" | "coloured" | "columns" | "corner" | "across">}
 */
const perPositionAndColumn = {
  size: (s) => [s.length, s.d_model],
  at: (s) => [s.row, s.column],
  pick: (r, c) => ({ row: r, column: c }),
  value: entry,
  digits: fitting,
  coloured: true,
  columns: true,
  corner: true,
  across: true,
};

/** @type {Step[]} */
const STEPS = [
  {
    name: "even indices",
    ...perPair,
    from: [],
    digits: none,
    ink: "sine",
    value: (_, i) => 2 * i,
    pick: (_, i) => ({ column: 2 * i }),
    formula: (s) => [m2i(), "=", times(2, pair(s)), "=", num(2 * pair(s), 0)],
    words: (s) =>
      `even_indices[${pair(s)}] = ${2 * pair(s)}: the sine of pair ${pair(s)} will stand in column ${2 * pair(s)}.`,
  },
  {
    name: "odd indices",
    ...perPair,
    from: [],
    digits: none,
    ink: "cosine",
    value: (_, i) => 2 * i + 1,
    pick: (_, i) => ({ column: 2 * i + 1 }),
    formula: (s) => [
      m2i(),
      "+",
      num(1, 0),
      "=",
      times(2, pair(s)),
      "+",
      num(1, 0),
      "=",
      num(2 * pair(s) + 1, 0),
    ],
    words: (s) =>
      `odd_indices[${pair(s)}] = ${2 * pair(s) + 1}: the cosine of pair ${pair(s)} will stand in column ${2 * pair(s) + 1}.`,
  },
  {
    name: "denominator",
    ...perPair,
    from: [0, 1],
    digits: four,
    value: (_, i, s) => denominator(i, s.d_model, s.base),
    pick: (_, i, s) => ({ column: 2 * i + parity(s) }),
    formula: (s) => [
      power(s),
      "=",
      math(
        "msup",
        baseNumber(s),
        math("mrow", num(2 * pair(s), 0), math("mo", "/"), num(s.d_model, 0)),
      ),
      "=",
      math(
        "msup",
        baseNumber(s),
        math(
          "mrow",
          math("mo", "("),
          num(2 * pair(s) + 1, 0),
          math("mo", "−"),
          num(1, 0),
          math("mo", ")"),
          math("mo", "/"),
          num(s.d_model, 0),
        ),
      ),
      "=",
      num(denominator(pair(s), s.d_model, s.base)),
    ],
    words: (s) =>
      `denominator[${pair(s)}] = ${fixed(denominator(pair(s), s.d_model, s.base))}: ` +
      `even index ${2 * pair(s)}, and odd index ${2 * pair(s) + 1} minus 1, give the same exponent ` +
      `${2 * pair(s)}/${s.d_model}; one denominator serves both.`,
  },
  {
    name: "positions",
    from: [],
    digits: none,
    axes: "row p",
    corner: false,
    across: false,
    shape: (s) => `(${s.length}, 1)`,
    size: (s) => [s.length, 1],
    at: (s) => [s.row, 0],
    value: (p) => p,
    pick: (p) => ({ row: p }),
    formula: (s) => [math("mi", "p"), "=", num(s.row, 0)],
    words: (s) =>
      `positions[${s.row}, 0] = ${s.row}: row ${s.row} of the table belongs to position ${s.row}.`,
  },
  {
    name: "angles",
    ...perPositionAndPair,
    from: [3, 2],
    digits: four,
    value: angle,
    pick: (p, i, s) => ({ row: p, column: 2 * i + parity(s) }),
    formula: (s) => [
      math("mfrac", math("mi", "p"), power(s)),
      "=",
      math("mfrac", num(s.row, 0), num(denominator(pair(s), s.d_model, s.base))),
      "=",
      num(angle(s.row, pair(s), s)),
    ],
    words: (s) =>
      `angles[${s.row}, ${pair(s)}] = ${fixed(angle(s.row, pair(s), s))} radians: position ${s.row} divided by denominator[${pair(s)}].`,
  },
  {
    name: "even PE",
    ...perPositionAndPair,
    from: [4],
    digits: fitting,
    coloured: true,
    ink: "sine",
    value: (p, i, s) => entry(p, 2 * i, s),
    pick: (p, i) => ({ row: p, column: 2 * i }),
    formula: (s) => [
      wave("sin", math("mfrac", math("mi", "p"), power(s))),
      "=",
      wave("sin", num(angle(s.row, pair(s), s))),
      "=",
      num(entry(s.row, 2 * pair(s), s)),
    ],
    words: (s) =>
      `even_PE[${s.row}, ${pair(s)}] = ${fixed(entry(s.row, 2 * pair(s), s))}: the sine of angles[${s.row}, ${pair(s)}].`,
  },
  {
    name: "odd PE",
    ...perPositionAndPair,
    from: [4],
    digits: fitting,
    coloured: true,
    ink: "cosine",
    value: (p, i, s) => entry(p, 2 * i + 1, s),
    pick: (p, i) => ({ row: p, column: 2 * i + 1 }),
    formula: (s) => [
      wave("cos", math("mfrac", math("mi", "p"), power(s))),
      "=",
      wave("cos", num(angle(s.row, pair(s), s))),
      "=",
      num(entry(s.row, 2 * pair(s) + 1, s)),
    ],
    words: (s) =>
      `odd_PE[${s.row}, ${pair(s)}] = ${fixed(entry(s.row, 2 * pair(s) + 1, s))}: the cosine of angles[${s.row}, ${pair(s)}].`,
  },
  {
    name: "stacked",
    ...perPositionAndColumn,
    from: [5, 6],
    axes: "row p, pair i, place",
    paired: true,
    shape: (s) => `(${s.length}, ${half(s)}, 2)`,
    formula: (s) => [
      stackedName(s),
      "=",
      math("msub", math("mi", parity(s) ? "odd" : "even"), indices(s.row, pair(s))),
      "=",
      num(entry(s.row, s.column, s)),
    ],
    words: (s) =>
      `stacked[${s.row}, ${pair(s)}, ${parity(s)}] = ${fixed(entry(s.row, s.column, s))}: ` +
      `${parity(s) ? "odd" : "even"}_PE[${s.row}, ${pair(s)}], put ${parity(s) ? "second" : "first"} on the new last axis.`,
  },
  {
    name: "PE",
    ...perPositionAndColumn,
    from: [7],
    axes: "row p, column",
    shape: (s) => `(${s.length}, ${s.d_model})`,
    formula: (s) => [
      math("msub", math("mi", "PE"), indices(s.row, s.column)),
      "=",
      stackedName(s),
      "=",
      wave(
        parity(s) ? "cos" : "sin",
        math(
          "mfrac",
          num(s.row, 0),
          math(
            "msup",
            baseNumber(s),
            math("mrow", num(2 * pair(s), 0), math("mo", "/"), num(s.d_model, 0)),
          ),
        ),
      ),
      "=",
      num(entry(s.row, s.column, s)),
    ],
    words: (s) =>
      `PE[${s.row}, ${s.column}] = ${fixed(entry(s.row, s.column, s))}: ` +
      `stacked[${s.row}, ${pair(s)}, ${parity(s)}]; pair ${pair(s)}, place ${parity(s)} is column 2 × ${pair(s)} + ${parity(s)} = ${s.column}.`,
  },
];

// Parts of a formula

/** @type {(x: number, digits?: number) => Element} */
const num = (x, digits = 4) => math("mn", fixed(x, digits));
/** @type {(s: State) => Element} */
const baseNumber = (s) => math("mn", grouped(s.base).replaceAll(",", ""));
const m2i = () => math("mrow", math("mn", "2"), math("mi", "i"));
/** @type {(a: number, b: number) => Element} */
const times = (a, b) => math("mrow", num(a, 0), math("mo", "×"), num(b, 0));
/** @type {(s: State) => Element} */
const power = (s) =>
  math("msup", baseNumber(s), math("mrow", m2i(), math("mo", "/"), math("mi", "d")));
/** @type {(name: string, of: Element) => Element} */
const wave = (name, of) => math("mrow", math("mi", name), math("mo", "("), of, math("mo", ")"));
/** @type {(...all: number[]) => Element} */
const indices = (...all) =>
  math("mrow", ...all.flatMap((each, n) => (n ? [math("mo", ","), num(each, 0)] : [num(each, 0)])));
/** @type {(s: State) => Element} */
const stackedName = (s) => math("msub", math("mi", "S"), indices(s.row, pair(s), parity(s)));

/**
 * A table that shows one tensor after another. Its rows and cells are made once and kept: for a
 * tensor of another size it adds or removes those at its ends.
 * @param {Record<string, any>} region  attributes of the box in which it scrolls sideways
 */
function tensorTable(region = {}) {
  const name = html("b"),
    shape = html("span"),
    title = html("div", {}, name, shape);
  const heads = Array.from({ length: LARGEST }, () => html("th", { scope: "col" }));
  const corner = html("td"),
    top = html("tr", {}, corner);
  const rows = Array.from({ length: LARGEST }, () => {
    const head = html("th", { scope: "row" });
    const cells = heads.map((__, c) => numberCell(c % 2 ? { class: "pex-cell pex-odd" } : {}));
    const all = [head, ...cells.map((cell) => cell.element)];
    return { head, cells, all, element: html("tr", {}, head) };
  });
  const body = html("tbody");
  const table = html("table", { class: "pex-tensor" }, html("thead", {}, top), body);
  const box = html("div", { class: "pex-scroll", ...region }, table);

  let first = 0; // the tensor's row that stands in the first line
  /** Writes the numbers; returns how many characters the longest has. */
  const writeNumbers = (
    /** @type {Step} */ step,
    /** @type {State} */ state,
    /** @type {number} */ lines,
    /** @type {number} */ columns,
  ) => {
    const digits = step.digits(state);
    let longest = 0;
    for (let r = 0; r < lines; r += 1)
      for (let c = 0; c < columns; c += 1) {
        const value = step.value(first + r, c, state),
          text = fixed(value, digits);
        rows[r].cells[c].show(value, text, step.coloured ?? false);
        longest = Math.max(longest, text.length);
      }
    return longest;
  };
  return {
    element: html("div", {}, title, box),
    table,
    box,
    /** The cell in row r and column c. */
    at: (/** @type {number} */ r, /** @type {number} */ c) => rows[r - first].cells[c].element,
    /** The row and the column of an element, if it is one of the cells. */
    find(/** @type {EventTarget | null} */ target) {
      for (const [r, { cells }] of rows.entries()) {
        const c = cells.findIndex(({ element }) => element === target);
        if (c >= 0) return [first + r, c];
      }
      return undefined;
    },
    /** Shows a tensor, or where it has more than `most` numbers, the rows about the chosen one. */
    show(/** @type {Step} */ step, /** @type {State} */ state, most = LARGEST * LARGEST) {
      const [length, columns] = step.size(state),
        lines = Math.min(length, Math.floor(most / columns));
      first = whole(step.at(state)[0] - (lines >> 1), 0, length - lines);
      const part = lines < length ? `; rows ${first} to ${first + lines - 1}` : "";
      setAttributes(title, { class: `pex-title ${step.ink ? `pex-${step.ink}` : ""}` });
      write(name, step.name);
      write(shape, `${step.shape(state)}: ${step.axes}${part}`);
      setAttributes(table, {
        class: `pex-tensor pex-even ${step.paired ? "pex-paired" : ""}`,
      });
      const characters = writeNumbers(step, state, lines, columns);
      table.style.width = evenWidth(columns, characters, step.corner);
      top.hidden = !step.across;
      corner.hidden = !step.corner;
      fit(top, [corner, ...heads], columns + 1);
      for (let c = 0; c < columns; c += 1) {
        write(heads[c], step.paired ? `${c >> 1}, ${c & 1}` : String(c));
        setAttributes(heads[c], { class: step.columns ? ["pex-sine", "pex-cosine"][c % 2] : "" });
      }
      for (const [r, { head, all, element }] of rows.slice(0, lines).entries()) {
        head.hidden = !step.corner;
        write(head, String(first + r));
        fit(element, all, columns + 1);
      }
      fit(
        body,
        rows.map(({ element }) => element),
        lines,
      );
    },
  };
}

function view(/** @type {(change: any) => void} */ change, /** @type {() => void} */ again) {
  const step = slider({
    name: "Step",
    min: 0,
    max: STEPS.length - 1,
    ends: ["Previous", "Next"],
    words: (n) => `step ${n + 1} of ${STEPS.length}, ${STEPS[n].name}`,
    short: (n) => `${n + 1} of ${STEPS.length}: ${STEPS[n].name}`,
    onInput: (n) => change({ step: n }),
  });
  const width = widthSlider(change, LARGEST);
  const length = lengthSlider(change, 1, LARGEST);
  const base = baseSlider(change);
  const origins = [0, 1].map(() => tensorTable({ tabindex: 0, role: "region" }));
  const chosenTable = tensorTable();
  setAttributes(chosenTable.table, { role: "grid" });
  const sources = html("div", { class: "pex-tensors" }, ...origins.map((each) => each.element));
  const formula = html("div", { class: "pex-formula" });
  const result = html("div", { class: "pex-tensors" }, chosenTable.element);

  /** @type {State} */ let shown;
  /** @type {HTMLElement[]} */ let marked = [];
  let filled = "",
    placed = "",
    formulaOf = -1,
    focus = false;

  const choose = (/** @type {number} */ r, /** @type {number} */ c) => {
    const now = STEPS[shown.step];
    change(now.pick(r, c, shown));
  };
  result.addEventListener("click", ({ target }) => {
    const cell = chosenTable.find(target);
    if (!cell) return;
    focus = true;
    again();
    choose(cell[0], cell[1]);
  });
  result.addEventListener("keydown", (event) => {
    const now = STEPS[shown.step],
      [r, c] = now.at(shown),
      [lastRow, lastColumn] = now.size(shown).map((count) => count - 1);
    /** @type {Record<string, number[]>} */
    const moves = {
      ArrowUp: [r - 1, c],
      ArrowDown: [r + 1, c],
      ArrowLeft: [r, c - 1],
      ArrowRight: [r, c + 1],
      Home: [r, 0],
      End: [r, lastColumn],
    };
    const to = moves[event.key];
    if (!to) return;
    event.preventDefault();
    choose(whole(to[0], 0, lastRow), whole(to[1], 0, lastColumn));
  });

  const fillTables = (/** @type {State} */ state) => {
    const now = STEPS[state.step];
    chosenTable.show(now, state);
    setAttributes(chosenTable.table, {
      "aria-label": `${now.name}, shape ${now.shape(state)}; arrow keys choose a cell`,
    });
    sources.hidden = now.from.length === 0;
    origins.forEach(({ element, table, box, show }, n) => {
      element.hidden = n >= now.from.length;
      if (element.hidden) return;
      const from = STEPS[now.from[n]];
      show(from, state, MOST_SOURCES / now.from.length);
      setAttributes(table, { "aria-label": `${from.name}, shape ${from.shape(state)}` });
      setAttributes(box, { "aria-label": `${from.name}, where the values come from` });
    });
  };

  /** A step's formula has always the same parts: the browser sets changed texts faster than new ones. */
  const showFormula = (/** @type {State} */ state) => {
    const pieces = atEquals(STEPS[state.step].formula(state));
    if (formulaOf !== state.step) formula.replaceChildren(...pieces);
    else {
      const now = leaves(formula.children);
      leaves(pieces).forEach((leaf, n) => write(now[n], leaf.textContent ?? ""));
    }
    formulaOf = state.step;
  };

  const mark = (/** @type {State} */ state) => {
    const now = STEPS[state.step];
    const [r, c] = now.at(state),
      chosen = chosenTable.at(r, c);
    // A number of the stack came from the sines or from the cosines, whichever it is.
    const used = now.from.flatMap((from, n) => {
      const { ink, at } = STEPS[from];
      if (now.paired && ink !== (parity(state) ? "cosine" : "sine")) return [];
      const [row, column] = at(state);
      return [origins[n].at(row, column)];
    });
    focus ||= result.contains(document.activeElement);
    for (const cell of marked) {
      cell.classList.remove("pex-chosen");
      cell.removeAttribute("tabindex");
      cell.removeAttribute("aria-selected");
    }
    marked = [chosen, ...used];
    setAttributes(chosen, { tabindex: 0, "aria-selected": true });
    for (const cell of marked) cell.classList.add("pex-chosen");
    if (focus) chosen.focus({ preventScroll: true });
    focus = false;
  };

  const draw = (/** @type {State} */ state) => {
    shown = state;
    step.show(state.step);
    width.show(state.d_model);
    length.show(state.length);
    base.show(state.base);
    const content = [state.step, state.length, state.d_model, state.base, state.row].join();
    if (filled !== content) fillTables(state);
    filled = content;
    showFormula(state);
    const place = [state.step, state.length, state.d_model, state.row, state.column].join();
    if (focus || placed !== place) {
      mark(state);
      reveal(marked);
    }
    placed = place;
    const now = STEPS[state.step];
    return `Step ${state.step + 1} of ${STEPS.length}, shape ${now.shape(state)}. ${now.words(state)}`;
  };
  return {
    top: [step.element, html("div", { class: "pex-figure" }, sources, formula, result)],
    settings: [length.element, width.element, base.element],
    draw,
  };
}

/** Scrolls wide tables sideways until the cells show; the page stays where it is. */
function reveal(/** @type {Element[]} */ cells) {
  const moves = cells.map((cell) => {
    const box = /** @type {Element} */ (cell.closest(".pex-scroll"));
    const inner = cell.getBoundingClientRect(),
      outer = box.getBoundingClientRect();
    const right = Math.max(0, inner.right + 8 - outer.right),
      left = Math.max(0, outer.left + 8 - inner.left);
    return { box, by: right - left };
  });
  for (const { box, by } of moves) if (by) box.scrollLeft += by;
}

/** A formula in pieces, each from one equals sign to the next, so that it can wrap on a phone. */
function atEquals(/** @type {(Node | string)[]} */ parts) {
  /** @type {Element[]} */ const pieces = [];
  for (const part of parts) {
    if (part === "=" || !pieces.length) pieces.push(math("math", {}));
    pieces[pieces.length - 1].append(typeof part === "string" ? math("mo", part) : part);
  }
  return pieces;
}

/** The elements of a formula that hold its names, numbers and signs. */
function leaves(/** @type {Iterable<Element>} */ pieces) {
  return [...pieces].flatMap((piece) => [...piece.querySelectorAll("mi, mn, mo")]);
}

export default widget({
  name: "build",
  label: "Build explorer: the encoding step by step",
  clean,
  view,
});
