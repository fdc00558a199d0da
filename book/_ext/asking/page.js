// The forms of a page and the page of the reader's progress: what is shown, and remembered.
import { fill, judge } from "./judging.js";
import { SENTENCES, TEXTS } from "./from_python.js";

/** @import { Asked, Place } from "./judging.js" */

/**
 * @typedef {Asked & { answer: string }} Question
 * @typedef {"right" | "tried" | "shown"} State
 * @typedef {{ state: State, answer: any }} Remembered  of a number, the text that was typed
 */

Object.assign(SENTENCES, TEXTS);
const KEY = "positional-encoding-answers-1"; // another number when what is stored means another thing
const here = /** @type {HTMLScriptElement} */ (document.currentScript);

/** @template {Element} Kind @param {ParentNode} part @param {string} selector @returns {Kind[]} */
const all = (part, selector) => [
  .../** @type {NodeListOf<Kind>} */ (part.querySelectorAll(selector)),
];

/** @template {Element} Kind @param {ParentNode} part @param {string} selector */
const one = (part, selector) => /** @type {Kind} */ (part.querySelector(selector));

const STATES = new Set(["tried", "right", "shown"]);
const UNREAD = new Set(["not-a-number", "no-unit", "other-unit", "ambiguous"]); // no answer was given yet

// What the browser remembers. It may refuse, or hold what somebody else has written.

/** @returns {Record<string, Remembered>} */
function remembered() {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return Object.fromEntries(Object.entries(stored).filter(([, each]) => STATES.has(each?.state)));
  } catch {
    return {};
  }
}

/** What it has taken, by name. */
const taken = new Set(Object.keys(remembered()));

/** @param {string} name @param {Remembered} answer */
function remember(name, answer) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...remembered(), [name]: answer }));
    taken.add(name);
  } catch {
    // the page works all the same
  }
}

// The answers and the sentences of the page: asked for at the first answer.

/** @type {Promise<Map<string, Question>> | undefined} */
let asked;
const questions = () =>
  (asked ??= load()
    .then(read)
    .catch((error) => {
      asked = undefined; // the next answer asks again
      throw error;
    }));

/** @returns {Promise<string>} */
function load() {
  const { late } = /** @type {HTMLElement} */ (one(document, "[data-late]")).dataset;
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL(/** @type {string} */ (late), here.src).href;
    script.onload = () => resolve(/** @type {any} */ (script).html);
    script.onerror = () => reject(new Error(script.src));
    document.head.append(script);
  });
}

/** @param {string} html @returns {Map<string, Question>} */
function read(html) {
  const part = document.createElement("template");
  part.innerHTML = html;
  const stored = Object.entries(JSON.parse(one(part.content, "script").textContent ?? ""));
  const sentences = (/** @type {string} */ name) =>
    all(part.content, `p[data-ask="${name}"]`).map((each) => each.innerHTML);
  return new Map(stored.map(([name, data]) => [name, { ...data, says: sentences(name) }]));
}

// How an answer is given, for each kind of question. `none` is said when there is none.

/**
 * @typedef {object} Field
 * @property {() => any} get  the answer, or null
 * @property {(answer: any) => void} set
 * @property {string} none
 */

/** @param {HTMLFormElement} form @returns {Field} */
function numberField(form) {
  /** @type {HTMLInputElement} */
  const input = one(form, "input");
  return {
    get: () => input.value.trim() || null,
    set: (answer) => (input.value = answer ?? ""),
    none: TEXTS["no-number"],
  };
}

/** @param {HTMLFormElement} form @returns {Field} */
function choiceField(form) {
  /** @type {HTMLInputElement[]} */
  const choices = all(form, "input");
  return {
    get() {
      const chosen = choices.find(({ checked }) => checked);
      return chosen ? Number(chosen.value) : null;
    },
    set(answer) {
      for (const each of choices) each.checked = Number(each.value) === answer;
    },
    none: TEXTS.none,
  };
}

/** Whether the browser means something by this key. @param {KeyboardEvent} event */
const isCommand = ({ altKey, ctrlKey, metaKey }) => altKey || ctrlKey || metaKey;

/** The lines, each with two buttons; on these the arrow keys move a line too. */
function orderField(/** @type {HTMLFormElement} */ form) {
  const list = one(form, "ol");
  const status = one(form, "output");
  /** @type {() => HTMLLIElement[]} */
  const lines = () => all(list, "li");

  /** @param {HTMLLIElement} line @param {number} by @param {HTMLElement} button */
  const move = (line, by, button) => {
    const at = lines().indexOf(line);
    const to = Math.max(0, Math.min(lines().length - 1, at + by));
    if (to === at) return;
    lines()[to][by < 0 ? "before" : "after"](line);
    name();
    button.focus(); // a browser takes the focus from what is moved
    const words = /** @type {HTMLElement} */ (one(line, "span").cloneNode(true));
    words.removeAttribute("id");
    status.replaceChildren(fill("moved", { n: to + 1, all: lines().length }), words);
  };
  const name = () => {
    for (const [n, line] of lines().entries()) {
      const [up, down] = all(line, "button");
      up.setAttribute("aria-label", fill("up", { n: n + 1 }));
      down.setAttribute("aria-label", fill("down", { n: n + 1 }));
    }
  };
  for (const line of lines()) {
    for (const [sign, by] of /** @type {[string, number][]} */ ([
      ["↑", -1],
      ["↓", 1],
    ])) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = sign;
      button.setAttribute("aria-describedby", one(line, "span").id);
      button.onclick = () => move(line, by, button);
      button.onkeydown = (event) => {
        const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (!way || isCommand(event)) return;
        event.preventDefault();
        move(line, way, button);
      };
      line.append(button);
    }
  }
  name();
  return {
    get: () => lines().map((line) => Number(line.dataset.line)),
    set(/** @type {number[]} */ answer) {
      const by = new Map(lines().map((line) => [Number(line.dataset.line), line]));
      list.append(...answer.flatMap((number) => by.get(number) ?? []));
      name();
    },
    none: TEXTS.none,
  };
}

const decimals = (/** @type {number} */ value) => value.toFixed(2).replace("-", "\u2212");

/** @type {Record<string, [down: number, right: number]>} */
const STEPS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The cells of a table: one is in the order of the tab key, arrow keys move from it. */
function figureField(/** @type {HTMLFormElement} */ form) {
  /** @type {HTMLTableElement} */
  const table = one(form, "table");
  const pick = table.dataset.pick ?? "cell";
  const cells = all(table, "tr")
    .slice(1)
    .map((row) => /** @type {HTMLTableCellElement[]} */ (all(row, "td")));
  /** @type {Place | null} */
  let chosen = null;
  let [row, column] = [0, 0];

  const choose = (/** @type {Place | null} */ place) => {
    const [atRow, atColumn] = place ?? [-1, -1];
    chosen = place;
    for (const [r, all] of cells.entries()) {
      for (const [c, cell] of all.entries()) {
        const isChosen = (atRow ?? r) === r && (atColumn ?? c) === c;
        cell.setAttribute("aria-selected", String(isChosen));
      }
    }
  };
  const chooseHere = () => {
    /** @type {Place} */
    const place = [pick === "column" ? null : row, pick === "row" ? null : column];
    if (String(place) === String(chosen)) return;
    choose(place);
    table.dispatchEvent(new Event("change", { bubbles: true })); // as a native field does
  };
  const go = (/** @type {number} */ toRow, /** @type {number} */ toColumn) => {
    cells[row][column].tabIndex = -1;
    row = Math.max(0, Math.min(cells.length - 1, toRow));
    column = Math.max(0, Math.min(cells[0].length - 1, toColumn));
    cells[row][column].tabIndex = 0;
  };
  for (const [r, all] of cells.entries()) {
    for (const [c, cell] of all.entries()) {
      const value = decimals(Number(cell.style.getPropertyValue("--v")) / 100);
      const words = [fill("cell", { row: r, column: c }), fill("value", { value })];
      cell.setAttribute("aria-label", words.join(", "));
      cell.tabIndex = -1;
      cell.onclick = () => {
        go(r, c);
        cell.focus();
        chooseHere();
      };
    }
  }
  go(0, 0);
  choose(null);
  table.onkeydown = (event) => {
    if (isCommand(event)) return;
    const step = STEPS[event.key];
    if (step) go(row + step[0], column + step[1]);
    else if (event.key === "Home") go(row, 0);
    else if (event.key === "End") go(row, cells[0].length - 1);
    else if (event.key === "Enter" || event.key === " ") chooseHere();
    else return;
    event.preventDefault();
    cells[row][column].focus();
  };
  const set = (/** @type {Place | null} */ place) => {
    choose(place);
    if (place) go(place[0] ?? row, place[1] ?? column);
  };
  return { get: () => chosen, set, none: TEXTS.none };
}

const FIELDS = {
  number: numberField,
  choice: choiceField,
  order: orderField,
  figure: figureField,
};

// A form: judged when asked, or told the answer.

const nameOf = (/** @type {HTMLFormElement} */ form) => form.id.replace("ask-", "");

/** @param {HTMLFormElement} form */
function start(form) {
  const name = nameOf(form);
  const kind = /** @type {Question["kind"]} */ (form.className.replace(/.*\bask-(\w+).*/, "$1"));
  const field = FIELDS[kind](form);
  const status = one(form, "output");
  const before = remembered()[name];
  if (before) {
    try {
      field.set(before.answer);
      form.dataset.state = before.state;
    } catch {
      // an answer of another form, as of a question that was of another kind
    }
  }

  /** @param {State} state @param {any} answer */
  const done = (state, answer) => {
    // What was shown is not found, and what was found stays found, with its answer.
    if (isAnswered(form)) return;
    form.dataset.state = state;
    remember(name, { state, answer });
  };

  /** @param {(question: Question) => void} act */
  const withQuestion = async (act) => {
    try {
      act(/** @type {Question} */ ((await questions()).get(name)));
    } catch (error) {
      console.error("[answers]", error);
      status.textContent = TEXTS.broken;
    }
  };

  form.onchange = () => (status.textContent = ""); // it was about another answer

  form.onsubmit = (event) => {
    event.preventDefault();
    const answer = field.get();
    if (answer === null) {
      status.textContent = field.none;
      return;
    }
    withQuestion((question) => {
      const { name: verdict, html, text } = judge(question, answer);
      const isRight = verdict === "right";
      status.className = isRight ? "is-right" : "";
      if (!UNREAD.has(verdict)) done(isRight ? "right" : "tried", answer);
      if (html) status.innerHTML = html;
      else status.textContent = [text, ...(isRight ? [follow(form)] : [])].join(" ").trim();
    });
  };

  /** @type {HTMLButtonElement} */
  const show = one(form, ".ask-do button[type=button]");
  show.onclick = () =>
    withQuestion((question) => {
      const { right, answer } = question;
      field.set(kind === "number" ? answer : kind === "figure" ? right[0] : right);
      status.className = "";
      done("shown", field.get());
      const said = kind === "order" ? "" : fill("shown", { right: answer });
      status.textContent = [said, follow(form)].join(" ").trim();
    });
}

const isAnswered = (/** @type {HTMLFormElement} */ { dataset: { state } }) =>
  state === "right" || state === "shown";

const isDone = (/** @type {Element} */ box) =>
  /** @type {HTMLFormElement[]} */ (all(box, "form")).every(isAnswered);

/** Whether all is answered that this fold comes after. @param {HTMLDetailsElement} fold */
function isAfterDone({ dataset: { after } }) {
  const box = document.getElementById(after ?? "");
  return box !== null && isDone(box);
}

/** What comes after a question: the next in its box, or what is folded below, which opens. */
function follow(/** @type {HTMLFormElement} */ form) {
  const box = /** @type {HTMLElement} */ (form.closest(".question"));
  if (!isDone(box)) {
    const next = form.nextElementSibling;
    return next instanceof HTMLFormElement && !isAnswered(next) ? TEXTS.next : "";
  }
  /** @type {HTMLDetailsElement | null} */
  const fold = document.querySelector(`[data-after="${box.id}"]`);
  if (!fold) return "";
  fold.dataset.answered = "";
  if (fold.open) return "";
  fold.open = true;
  return TEXTS.opened;
}

/** @type {HTMLFormElement[]} */
const forms = all(document, "form.ask");
for (const form of forms) start(form);
/** @type {HTMLDetailsElement[]} */
const folds = all(document, "[data-after]");
for (const fold of folds) if (isAfterDone(fold)) fold.dataset.answered = "";

/** What was forgotten meanwhile, on the page of the progress, is open here too. */
function forget() {
  const memory = remembered();
  for (const form of forms) {
    const name = nameOf(form);
    if (taken.has(name) && !memory[name]) delete form.dataset.state;
  }
  for (const fold of folds) if (!isAfterDone(fold)) delete fold.dataset.answered;
}

addEventListener("storage", ({ key }) => {
  if (key === KEY || key === null) forget(); // null: all was forgotten
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) forget();
});

// The page of the reader's progress.

/** @type {HTMLElement | null} */
const progress = document.querySelector(".progress-of-reader");

function showProgress() {
  if (!progress) return;
  const memory = remembered();
  /** @type {HTMLTableRowElement[]} */
  const rows = all(progress, "tbody tr");
  for (const [n, row] of rows.entries()) {
    if (n % 2) continue;
    /** @type {HTMLAnchorElement[]} */
    const links = all(rows[n + 1], "[data-ask]");
    const states = links.map(({ dataset }) => memory[dataset.ask ?? ""]?.state ?? "open");
    for (const [at, link] of links.entries()) {
      link.dataset.state = states[at];
      const state = TEXTS[`${states[at]}-state`];
      link.setAttribute("aria-label", fill("question", { n: at + 1, state }));
    }
    /** @type {HTMLTableCellElement[]} */
    const counts = all(row, "[data-count]");
    for (const cell of counts) {
      const found = states.filter((state) => state === cell.dataset.count);
      cell.textContent = String(found.length);
    }
  }
}

if (progress) {
  showProgress();
  addEventListener("pageshow", showProgress);
  addEventListener("storage", showProgress);
  /** @type {HTMLButtonElement} */ (one(progress, "#forget")).onclick = () => {
    try {
      localStorage.removeItem(KEY);
    } catch {
      // nothing is remembered then
    }
    showProgress();
    one(progress, "#forgotten").textContent = TEXTS.forgotten;
  };
}
