// A head of attention that looks k back, and a trained one beside it: the pattern, and the weights of
// one row.

import { BACK, LENGTH, TRAINED_LENGTH } from "./from_python.js";
import { chart } from "./kit/bars.js";
import { slider, toggle, widthSlider } from "./kit/controls.js";
import { html, write } from "./kit/elements.js";
import { files } from "./kit/files.js";
import { counted, fixed } from "./kit/format.js";
import { widget } from "./kit/mount.js";
import { patternKey, patternMap } from "./kit/pattern.js";
import { reading, readings } from "./kit/readings.js";
import { numbers, pattern, trainedNumbers } from "./head.numbers.js";
import { readHead, trainedPattern } from "./head.trained.js";

/** @import { Ask } from "./kit/mount.js" */
/** @import { Change } from "./kit/settings.js" */
/** @import { State } from "./head.numbers.js" */

/** @typedef {ReturnType<typeof trainedNumbers>} Trained */

const SCALES = [0.1, 0.25, 0.5, 1]; // of the bars: the first that is large enough

/** @param {number} k */
function back(k, self = "at itself") {
  if (k === 0) return self;
  return k > 0 ? `${k} back` : `${-k} ahead`;
}

/**
 * A head: its pattern, and the weights of one row.
 * @param {Change} change @param {string} name @param {string} target  of row p
 */
function picture(change, name, target) {
  const map = patternMap(LENGTH, (p) => change({ row: p })),
    weights = chart(LENGTH);
  const caption = html("div", { class: "pex-note" }, name);
  const look = html("div", {}, caption, map.element),
    aim = html(
      "div",
      { class: "pex-aim" },
      html(
        "div",
        { class: "pex-note" },
        `The weights of row p; strong: its target, ${target.replaceAll(" ", "\u00a0")}.`,
      ),
      weights.element,
    );
  return { map, weights, caption, look, aim };
}

/**
 * A note on some controls, for the eye and for a screen reader.
 * @param {HTMLElement[]} controls
 */
function noteOn(controls) {
  const id = `pex-${Math.random().toString(36).slice(2)}`;
  const element = html("div", { class: "pex-note", id });
  const inputs = controls.flatMap((each) => [...each.querySelectorAll("input")]);
  return {
    element,
    /** @param {string} text  none, to take the note away */
    show(text) {
      element.hidden = text === "";
      write(element, text);
      for (const each of inputs)
        if (text) each.setAttribute("aria-describedby", id);
        else each.removeAttribute("aria-describedby");
    },
  };
}

const OWN =
  "Offset, gain, pairs and d_model are those of the head by hand. Dashed: the " +
  `${TRAINED_LENGTH} positions that the trained head has met.`;

/** What is said of the trained head's scores. @param {boolean} words */
function scoresOf(words) {
  return words
    ? "With words the trained head has its model’s own, which are learned: these are its whole scores."
    : "Without words: of the trained head’s scores the part of position with position.";
}

/** The trained head's patterns. @param {() => void} again @param {Ask} file */
function trainedPatterns(again, file) {
  const name = "trained head",
    heads = files(file, readHead, again);
  /** @type {Map<boolean, Float64Array>} */ const patterns = new Map();
  return {
    /** Its pattern, or why there is none. @param {State} state */
    of({ trained, words }) {
      if (!trained) {
        heads.retry(name);
        return "not wanted";
      }
      const head = heads.get(name);
      if (typeof head !== "object") return head;
      const weights = patterns.get(words) ?? trainedPattern(head, words);
      patterns.set(words, weights);
      return weights;
    },
  };
}

/** The picture of the trained head, and what is read of it. @param {Change} change */
function trainedPicture(change) {
  const { map, weights, look, aim } = picture(change, "Trained", `p − ${BACK}`);
  const side = `${(100 * TRAINED_LENGTH) / LENGTH}%`;
  map.element.append(
    html("div", { class: "pex-pattern-edge", style: `width:${side};height:${side}` }),
  );
  const taught = reading(),
    beyond = reading(),
    right = html("span"),
    here = reading(),
    name = html("span"),
    beside = html("span");
  const list = readings(
    [`trained, rows ${BACK} to ${TRAINED_LENGTH - 1}: `, taught.element],
    [right],
    [`from row ${TRAINED_LENGTH} on: `, beyond.element],
    [name, here.element, beside],
  );
  /** @type {Float64Array | undefined} */ let painted;
  return {
    look,
    aim,
    list,
    /** @param {number} row @param {Trained} shown @param {number} scale  of the bars */
    show(row, shown, scale) {
      const { weights: all, one, target, looks } = shown;
      if (painted !== all) map.show(all, LENGTH);
      painted = all;
      map.choose(row);
      weights.show(one, target, scale);
      taught.show(shown.onTarget);
      beyond.show(shown.beyond);
      write(right, `largest there: ${shown.right} of ${shown.have} rows`);
      write(name, gives(row, shown));
      here.show(one[target in one ? target : looks]);
      write(beside, neighbours(target, one) + elsewhere(shown));
    },
  };
}

/** @param {Change} change @param {() => void} again @param {Ask} file */
function view(change, again, file) {
  const offset = slider(
    "offset",
    { label: "Offset k", words: (k) => `looks ${back(k)}`, short: (k) => fixed(k, 0) },
    change,
  );
  const gain = slider("gain", { label: "Gain", words: (g) => `gain ${g}` }, change);
  const pairs = slider(
    "pairs",
    { label: "Pairs read", words: (n) => `${counted(n, "pair")} read` },
    change,
  );
  const width = widthSlider(change);
  const row = slider("row", { label: "Row p", words: (p) => `row ${p}` }, change);
  const words = toggle("words", "A random word at each position", change);
  const trained = toggle("trained", "Beside it a trained head (chapter\u00a08)", change);
  const byHand = picture(change, "By hand", "p − k"),
    learned = trainedPicture(change),
    source = trainedPatterns(again, file);
  const heads = html(
    "div",
    { class: "pex-head" },
    byHand.look,
    byHand.aim,
    learned.look,
    learned.aim,
    row.element,
  );
  const own = noteOn([offset, gain, pairs, width].map((each) => each.element)),
    scores = noteOn([words.element]);
  const which = html("span"),
    mean = reading(),
    right = html("span"),
    here = reading(),
    name = html("span"),
    beside = html("span");
  /** @type {ReturnType<typeof pattern>} */ let whole;
  let kept = "", // the settings whose pattern it is
    told = ""; // of the trained head
  /** @type {Trained | null} */ let had = null; // what was shown of it

  /** Makes room for the trained head, or takes it away. @param {boolean} both @param {State} state */
  const arrange = (both, state) => {
    heads.classList.toggle("pex-both", both);
    for (const each of [learned.look, learned.aim, learned.list, byHand.caption])
      each.hidden = !both;
    own.show(both ? OWN : "");
    scores.show(both ? scoresOf(state.words) : "");
    write(which, `${both ? "by hand, " : ""}mean weight on the target: `);
  };

  return {
    top: [
      offset.element,
      gain.element,
      own.element,
      patternKey(),
      heads,
      readings([which, mean.element], [right], [name, here.element, beside]),
      learned.list,
    ],
    settings: [
      pairs.element,
      width.element,
      html("div", {}, words.element, scores.element),
      trained.element,
    ],
    /** @param {State} state */
    draw(state) {
      const key = JSON.stringify({ ...state, row: 0, trained: false });
      const moved = kept !== key;
      if (moved) {
        whole = pattern(state);
        byHand.map.show(whole.weights, LENGTH);
      }
      kept = key;
      const shown = numbers(state, whole);
      const { one, target, looks } = shown;
      const its = source.of(state);
      const taught = typeof its === "object" ? trainedNumbers(state, its) : null;
      const news = taught ? saysTrained(state, taught, had) : MISSING[String(its)];
      if (news || moved || !taught) told = news; // what is drawn again unchanged is said as it was
      had = taught;
      // One scale for both, so that they can be compared.
      const most = Math.max(one[looks], taught ? taught.one[taught.looks] : 0);
      const scale = SCALES.find((each) => most <= each) ?? 1;
      for (const each of [offset, gain, pairs, width, row, words, trained]) each.show(state);
      arrange(taught !== null, state);
      byHand.map.choose(state.row);
      byHand.weights.show(one, target, scale);
      mean.show(shown.onTarget);
      write(right, `largest there: ${shown.right} of ${shown.have} rows`);
      write(name, gives(state.row, shown));
      here.show(one[target in one ? target : looks]);
      write(beside, neighbours(target, one));
      if (taught) learned.show(state.row, taught, scale);
      return says(state, shown) + told;
    },
  };
}

/** @typedef {{one: Float64Array, target: number, looks: number}} Look  what a row looks at */

/** What is read of a row. @param {number} row @param {Look} shown */
function gives(row, { one, target, looks }) {
  return target in one
    ? `row ${row} gives position ${target}: `
    : `largest in row ${row}, at position ${looks}: `;
}

/** What the bars show beside the target. @param {number} target @param {Float64Array} weights */
function neighbours(target, weights) {
  const each = [target - 1, target + 1].filter((q) => target in weights && q in weights);
  return each.map((q) => `, position ${q}: ${fixed(weights[q])}`).join("");
}

/** Where the largest weight is, if neither the target nor a neighbour has it. @param {Look} shown */
export function elsewhere({ one, target, looks }) {
  if (!(target in one) || Math.abs(looks - target) <= 1) return "";
  return `, most to position ${looks}: ${fixed(one[looks])}`;
}

/** How many rows look at their target. @param {number} right @param {number} have @param {number} k */
function rowsLook(right, have, k, which = "") {
  const look = right === 1 ? `looks ${back(k)}` : `look ${back(k, "at themselves")}`;
  return `${right} of ${have} rows${which} ${look} most`;
}

/** @param {State} state @param {ReturnType<typeof numbers>} shown */
function says({ offset, d_model, gain, pairs, words, row }, { onTarget, right, have, one, looks }) {
  const read = pairs === d_model / 2 ? `all ${pairs} pairs` : `${pairs} of ${d_model / 2} pairs`;
  return (
    `d_model ${d_model}, gain ${gain}, ${read}, ${words ? "with" : "without"} words: ` +
    `${rowsLook(right, have, offset)}; the mean weight there is ${fixed(onTarget)}. ` +
    `Row ${row} looks at position ${looks} most, with ${fixed(one[looks])}.`
  );
}

/**
 * What there is to say of the trained head: nothing where neither its pattern nor its row has changed,
 * for then the readings have it all.
 * @param {State} state @param {Trained} shown @param {Trained | null} before
 */
export function saysTrained(
  { row },
  { weights, onTarget, right, have, beyond, one, looks, target },
  before,
) {
  const most = `row ${row} looks at position ${looks} most, with ${fixed(one[looks])}.`;
  if (before?.weights === weights) return before.target === target ? "" : ` Trained: ${most}`;
  return (
    ` Trained: ${rowsLook(right, have, BACK, ` up to ${TRAINED_LENGTH - 1}`)}; the mean ` +
    `weight there is ${fixed(onTarget)}, and ${fixed(beyond)} from ${TRAINED_LENGTH} on, which ` +
    `it never met. Its ${most}`
  );
}

/** What is said where there is no trained head. @type {Record<string, string>} */
const MISSING = {
  "not wanted": "",
  asked: " The trained head is on its way.",
  "not there": " The trained head cannot be had.",
};

export default widget({ name: "head", label: "Head explorer", view });
