// A trained model that reads a text: its answers, and the patterns of its heads.

import { BACK, CHOICES, LIMITS, TEXTS, TRAINED_LENGTH } from "./from_python.js";
import { button, choice, slider, toggle } from "./kit/controls.js";
import { fit, html, setAttributes, write } from "./kit/elements.js";
import { files } from "./kit/files.js";
import { counted, fixed } from "./kit/format.js";
import { widget } from "./kit/mount.js";
import { patternKey, patternMap } from "./kit/pattern.js";
import { reading, readings } from "./kit/readings.js";
import { numbers, read, wordsOf } from "./model.numbers.js";
import { readModel } from "./model.transformer.js";

/** @import { Ask } from "./kit/mount.js" */
/** @import { Change } from "./kit/settings.js" */
/** @import { State } from "./model.numbers.js" */

/** @typedef {ReturnType<typeof numbers>} Shown */

const LONGEST = LIMITS.length.high;
const MOST_HEADS = 4;
const TOLD = 4; // places that the sentence names one by one

/** The words, and below each the answer: a picture, of which the sentence tells. @param {Change} change */
function strip(change) {
  const cells = Array.from({ length: LONGEST }, (_, p) => {
    const word = html("b", {}, ""),
      answer = html("i", {}, "");
    const element = html("li", {}, word, answer);
    element.addEventListener("click", () => change({ place: p }));
    return { element, word, answer };
  });
  const all = cells.map((each) => each.element);
  const element = html("ol", { class: "pex-strip", "aria-hidden": "true" });
  return {
    element,
    /** @param {State} state @param {Shown} shown */
    show({ length, place, other }, { words, answers, right, changed }) {
      fit(element, all, length);
      for (let p = 0; p < length; p += 1) {
        write(cells[p].word, words[p]);
        write(cells[p].answer, p < BACK ? "·" : answers[p]);
        const kinds = {
          "pex-beyond": p >= TRAINED_LENGTH,
          "pex-wrong": p >= BACK && !right[p],
          "pex-changed": changed[p] && p >= BACK,
          "pex-here": p === place,
          "pex-there": p === other && p !== place,
        };
        const names = Object.entries(kinds).filter(([, is]) => is);
        setAttributes(all[p], { class: names.map(([name]) => name).join(" ") });
      }
    },
  };
}

/** The field for words of one's own. @param {Change} change */
function field(change) {
  const { alphabet, most } = TEXTS.text;
  const ends = `${alphabet[0]} to ${alphabet[alphabet.length - 1]}`;
  const kind = { type: "text", autocomplete: "off", autocapitalize: "characters" };
  const input = html("input", { ...kind, spellcheck: "false", maxlength: most });
  const words = (/** @type {string} */ typed) =>
    [...typed.toUpperCase()].filter((each) => alphabet.includes(each)).join("");
  input.addEventListener("input", () => {
    const caret = words(input.value.slice(0, input.selectionStart ?? most)).length;
    const text = words(input.value);
    if (input.value !== text) {
      input.value = text; // what is no word is not written
      input.setSelectionRange(caret, caret);
    }
    change({ text, place: Math.max(0, caret - 1) }); // that of the word just written
  });
  return {
    element: html("label", { class: "pex-typed" }, `Your own words first, ${ends}`, input),
    /** @param {State} state */
    show({ text }) {
      if (input.value !== text) input.value = text;
    },
  };
}

/**
 * The words in another order: Fisher and Yates.
 * @param {string} words
 */
function shuffled(words) {
  const letters = [...words];
  for (let n = letters.length - 1; n > 0; n -= 1) {
    const m = Math.floor(Math.random() * (n + 1));
    [letters[n], letters[m]] = [letters[m], letters[n]];
  }
  return letters.join("");
}

/** @param {Change} change @param {() => void} again @param {Ask} file */
function view(change, again, file) {
  /** @type {State} */ let state;
  const models = files(file, (bytes) => readModel(bytes, LONGEST), again);
  /** @type {ReturnType<typeof read>} */ let plain;
  let kept = ""; // whose text it is
  let painted = "";

  const written = () => wordsOf(state);
  /** Writes a word at a place of the text. @param {number} p @param {string} word */
  const put = (p, word) => change({ text: written().slice(0, p) + word + state.text.slice(p + 1) });

  const names = Object.fromEntries(CHOICES.trained.values.map((each) => [each, String(each)]));
  const trained = choice("trained", "Trained with", names, change);
  const words = (/** @type {number} */ n) => `${n} words`;
  const length = slider("length", { label: "Length", words }, change);
  const place = slider("place", { label: "Place p", words: (p) => `place ${p}` }, change);
  const other = slider("other", { label: "Other place", words: (p) => `place ${p}` }, change);
  const exchanged = toggle("exchanged", "Exchange the words at these two places", change);
  const own = field(change);
  const menu = html(
    "select",
    {},
    ...[...TEXTS.text.alphabet].map((word) => html("option", { value: word }, word)),
  );
  // The word that is seen at p stands at the other place while they are exchanged.
  const from = () => (state.exchanged ? state.other : state.place);
  menu.addEventListener("change", () => put(from(), menu.value));
  const chosen = html("span");
  const shuffle = button("Shuffle", () => {
    const read = written();
    change({ text: shuffled(read) + state.text.slice(read.length) });
  });
  const restore = button("The first words again", () => change({ text: "" }));

  const cells = strip(change);
  const maps = Array.from({ length: MOST_HEADS }, (_, h) => {
    const map = patternMap(LONGEST, (p) => change({ place: p }));
    const name = html("div", {}, `Head ${h + 1}`);
    return { map, name, element: html("li", {}, map.element, name) };
  });
  const heads = html("ol", { class: "pex-heads" });
  const count = html("span"),
    beyond = html("li"),
    sure = reading();
  const list = readings([count], ["probability of the answer at p: ", sure.element]);
  list.append(beyond);

  /** @param {State} next */
  const draw = (next) => {
    if (state?.trained !== next.trained) models.retry(next.trained);
    state = next;
    const now = written();
    for (const each of [trained, length, place, other, exchanged, own]) each.show(state);
    write(chosen, `Word at place ${state.place}`);
    menu.value = now[from()];
    const model = models.get(state.trained);
    // No model's answers stand under another's name.
    for (const each of [cells.element, heads, list])
      each.style.visibility = typeof model === "object" ? "" : "hidden";
    if (model === "asked") return `The model trained with ${names[state.trained]} is on its way.`;
    if (model === "not there")
      return `The model trained with ${names[state.trained]} cannot be had; chosen again, it is asked for again.`;
    if (kept !== `${state.trained} ${now}`) plain = read(model, now);
    kept = `${state.trained} ${now}`;
    const shown = numbers(state, model, plain);
    cells.show(state, shown);
    fit(
      heads,
      maps.map((each) => each.element),
      shown.heads,
    );
    const picture = `${state.trained} ${shown.words}`;
    const size = state.length * state.length;
    for (let h = 0; h < shown.heads; h += 1) {
      if (picture !== painted)
        maps[h].map.show(shown.weights.subarray(h * size, (h + 1) * size), state.length);
      maps[h].map.choose(state.place);
      const { at, weight, others } = shown.looks[h];
      const more = others ? ` and ${others} more` : "";
      write(maps[h].name, `Head ${h + 1}: most at ${at}${more}, ${fixed(weight, 2)}`);
    }
    painted = picture;
    write(count, `right: ${shown.count} of ${counted(shown.asked, "answer")}`);
    write(
      beyond,
      `from place ${TRAINED_LENGTH} on: ${shown.beyond.count} of ${shown.beyond.asked}`,
    );
    beyond.hidden = shown.beyond.asked === 0;
    sure.show(shown.sure[state.place]);
    return says(state, shown);
  };

  return {
    top: [
      html("div", { class: "pex-controls" }, trained.element, length.element),
      html(
        "div",
        { class: "pex-note" },
        `Above the word, below it the model’s answer: asked is the word ${BACK} back. ` +
          `Struck out: wrong. Ringed: another answer than before the exchange. Dashed: beyond the ` +
          `${TRAINED_LENGTH} words of the training.`,
      ),
      cells.element,
      patternKey(),
      heads,
      html("div", { class: "pex-controls pex-settings" }, place.element, other.element),
      html("div", { class: "pex-buttons" }, exchanged.element),
      list,
    ],
    settings: [
      html("label", { class: "pex-choice" }, chosen, menu),
      own.element,
      html("div", { class: "pex-buttons" }, shuffle, restore),
    ],
    draw,
  };
}

/** @param {State} state @param {Shown} shown */
export function says(state, shown) {
  const { trained, length, place, other, exchanged } = state;
  const { words, answers, right, count, asked, looks, changed } = shown;
  const answer = `the model answers ${answers[place]}`;
  const told =
    place < BACK
      ? `no word stands ${BACK} back`
      : `${BACK} back stands ${words[place - BACK]}; ${answer}, ${right[place] ? "right" : "wrong"}`;
  const weights = looks.map((each) => each.weight);
  const head = weights.indexOf(Math.max(...weights));
  const places = changed.flatMap((is, p) => (is && p >= BACK ? [p] : []));
  const named = places.slice(0, TOLD).join(", ");
  const more = places.length > TOLD ? ` and ${places.length - TOLD} more` : "";
  const { at, weight, others } = looks[head];
  const alike = others ? ` and as much at ${counted(others, "other")}` : "";
  const are = count === 1 || asked === 1 ? "is" : "are";
  const change = places.length ? `at ${named}${more}` : "nowhere";
  return (
    `${trained}, ${length} words: ${count} of ${counted(asked, "answer")} ${are} right. ` +
    `At place ${place} stands ${words[place]}, ${told}. From there head ${head + 1} looks most, ` +
    `with ${fixed(weight)}, at place ${at}${alike}. ` +
    (exchanged
      ? `With the words of ${place} and ${other} exchanged the answers change ${change}.`
      : `At place ${other} stands ${words[other]}.`)
  );
}

export default widget({ name: "model", label: "Model explorer", view });
