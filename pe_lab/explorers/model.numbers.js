// The numbers of a trained model that reads a text: whom its heads look at, and what it answers.

import { BACK, TEXTS, TRAINED_LENGTH, WORDS } from "./from_python.js";
import { asMuch, peak, softmax } from "./kit/attention.js";
import { forward } from "./model.transformer.js";

/** @import { Model } from "./model.transformer.js" */

/**
 * @typedef {{trained: string, text: string, length: number, place: number, other: number,
 *   exchanged: boolean}} State
 */

/**
 * The words that are read: the reader's own, and then those that always follow.
 * @param {Pick<State, "text" | "length">} state
 */
export function wordsOf({ text, length }) {
  return (text + WORDS.slice(text.length)).slice(0, length);
}

/** The words with those at two places exchanged. @param {string} words @param {number} p @param {number} q */
export function exchange(words, p, q) {
  const letters = [...words];
  [letters[p], letters[q]] = [letters[q], letters[p]];
  return letters.join("");
}

/**
 * A text as the model reads it: the weights of its heads, (h, L, L); at each place the answer, and
 * the probability that the model gives it.
 * @param {Model} model @param {string} words
 */
export function read(model, words) {
  const { alphabet } = TEXTS.text;
  const { V, heads } = model.size;
  const { logits, weights } = forward(
    model,
    [...words].map((letter) => alphabet.indexOf(letter)),
  );
  let answers = "";
  const sure = new Float64Array(words.length);
  for (let p = 0; p < words.length; p += 1) {
    const given = softmax(logits.subarray(p * V, (p + 1) * V));
    const { at, weight } = peak(given);
    sure[p] = weight;
    answers += alphabet[at];
  }
  return { words, heads, weights, answers, sure };
}

/**
 * What is shown: the text as the model reads it, with the two chosen words exchanged if they are to
 * be; the answers that are right, of those that are asked for; how many of both stand beyond the
 * length of the training; where each head looks most from the chosen place, and at how many others
 * as much; and the places whose answers are others than without the exchange.
 * @param {State} state @param {Model} model
 * @param {ReturnType<typeof read>} plain  the text as it is written
 */
export function numbers(state, model, plain = read(model, wordsOf(state))) {
  const { length, place, other, exchanged } = state;
  const shown = exchanged ? read(model, exchange(plain.words, place, other)) : plain;
  const { words, weights, answers } = shown;
  const right = Array.from(words, (_, p) => p >= BACK && answers[p] === words[p - BACK]);
  const beyond = right.slice(TRAINED_LENGTH);
  const looks = Array.from({ length: shown.heads }, (_, h) => {
    const from = (h * length + place) * length;
    const row = weights.subarray(from, from + length);
    const most = peak(row);
    return { ...most, others: asMuch(row, most.weight) };
  });
  return {
    ...shown,
    right,
    count: right.filter(Boolean).length,
    asked: length - BACK,
    beyond: { count: beyond.filter(Boolean).length, asked: beyond.length },
    looks,
    changed: Array.from(answers, (each, p) => each !== plain.answers[p]),
  };
}
