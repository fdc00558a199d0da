// The forward pass of a model with one layer, as pe_lab/model.py has it, in 64 bits.
// L positions, d columns, h heads with d/h columns each, V words. A matrix is one array, row after
// row; what torch calls weight is (columns out, columns in).

import { encodingOf } from "./model.encodings.js";
import { softmax } from "./kit/attention.js";
import { readTensors } from "./kit/safetensors.js";

const EPSILON = 1e-5; // torch's, in a layer norm

/**
 * A trained model, from the file of its weights. Texts may have up to so many words.
 * @param {DataView} file @param {number} longest
 */
export function readModel(file, longest) {
  const { tensors, metadata } = readTensors(file);
  const run = JSON.parse(metadata.run);
  const [V, d] = tensors["embedding.weight"].shape,
    heads = tensors["layers.0.attention.W_Q"].shape[0],
    ff = tensors["layers.0.feed_forward.0.weight"].shape[0];
  const weight = (/** @type {string} */ name) => tensors[name].data;
  const layer = (/** @type {string} */ name) => tensors[`layers.0.${name}`].data;
  const rows = (/** @type {number} */ columns) => new Float64Array(longest * columns);
  return {
    size: { V, d, heads, ff },
    encoding: encodingOf(run.encoding, tensors, { length: longest, d_model: d, heads }),
    embedding: weight("embedding.weight"),
    norm_1: { scale: layer("norm_1.weight"), shift: layer("norm_1.bias") },
    W_Q: layer("attention.W_Q"),
    W_K: layer("attention.W_K"),
    W_V: layer("attention.W_V"),
    W_O: layer("attention.W_O"),
    norm_2: { scale: layer("norm_2.weight"), shift: layer("norm_2.bias") },
    into: { weight: layer("feed_forward.0.weight"), bias: layer("feed_forward.0.bias") },
    out: { weight: layer("feed_forward.2.weight"), bias: layer("feed_forward.2.bias") },
    norm: { scale: weight("norm.weight"), shift: weight("norm.bias") },
    answer: weight("answer.weight"),
    // What a pass writes on the way. New memory takes longer than the sums.
    x: rows(d),
    normed: rows(d),
    queries: rows(d),
    keys: rows(d),
    values: rows(d),
    seen: rows(d),
    hidden: rows(ff),
  };
}

/** @typedef {ReturnType<typeof readModel>} Model */

/**
 * to = x Wᵀ, or to + x Wᵀ where it is added.
 * @param {Float64Array} x  (length, columns) @param {Float64Array} W  (wide, columns)
 * @param {Float64Array} to  (length, wide)
 * @param {{length: number, columns: number, wide: number, added?: boolean}} size
 */
function times(x, W, to, { length, columns, wide, added = false }) {
  for (let p = 0; p < length; p += 1) {
    const row = p * columns;
    for (let o = 0; o < wide; o += 1) {
      let sum = 0;
      for (let c = 0, at = o * columns; c < columns; c += 1) sum += x[row + c] * W[at + c];
      to[p * wide + o] = added ? to[p * wide + o] + sum : sum;
    }
  }
}

/**
 * Each row less its mean, divided by its standard deviation; then a scale and a shift a column.
 * @param {Float64Array} x @param {{scale: Float64Array, shift: Float64Array}} norm
 * @param {Float64Array} to @param {number} length
 */
function normalise(x, { scale, shift }, to, length) {
  const d = scale.length;
  for (let at = 0; at < length * d; at += d) {
    let mean = 0,
      variance = 0;
    for (let c = 0; c < d; c += 1) mean += x[at + c] / d;
    for (let c = 0; c < d; c += 1) variance += (x[at + c] - mean) ** 2 / d;
    const one = 1 / Math.sqrt(variance + EPSILON);
    for (let c = 0; c < d; c += 1) to[at + c] = (x[at + c] - mean) * one * scale[c] + shift[c];
  }
}

/**
 * Turns pair i of the row at position p by p ω_i, in every head.
 * @param {Float64Array} x  (length, d) @param {Float64Array} turns  (longest, d/h)
 * @param {number} length @param {number} d @param {number} heads
 */
function turn(x, turns, length, d, heads) {
  const wide = d / heads;
  for (let p = 0; p < length; p += 1)
    for (let c = 0; c < d; c += 2) {
      const at = p * d + c,
        pair = p * wide + (c % wide);
      const [first, second, sine, cosine] = [x[at], x[at + 1], turns[pair], turns[pair + 1]];
      x[at] = cosine * first - sine * second;
      x[at + 1] = sine * first + cosine * second;
    }
}

/**
 * How much each position looks at each, in each head, (h, L, L); and what is seen, into `seen`.
 * @param {Model} model @param {number} length
 */
function attend({ queries, keys, values, seen, encoding, size }, length) {
  const { d, heads } = size,
    wide = d / heads;
  const weights = new Float64Array(heads * length * length);
  const bias = new Float64Array(2 * length - 1); // of the offsets 1 - L … L - 1
  seen.fill(0);
  for (let h = 0; h < heads; h += 1) {
    if (encoding.bias)
      for (let n = 0; n < bias.length; n += 1) bias[n] = encoding.bias(h, n - length + 1);
    for (let p = 0; p < length; p += 1) {
      const from = (h * length + p) * length,
        query = p * d + h * wide;
      const row = weights.subarray(from, from + length);
      for (let r = 0; r < length; r += 1) {
        const key = r * d + h * wide;
        let score = 0;
        for (let c = 0; c < wide; c += 1) score += queries[query + c] * keys[key + c];
        row[r] = score / Math.sqrt(wide) + bias[r - p + length - 1];
      }
      softmax(row);
      for (let r = 0; r < length; r += 1) {
        const value = r * d + h * wide,
          weight = row[r];
        for (let c = 0; c < wide; c += 1) seen[query + c] += weight * values[value + c];
      }
    }
  }
  return weights;
}

/**
 * The scores of all words at each position, (L, V), and the weights of attention, (h, L, L).
 * @param {Model} model @param {number[]} words  from 0 to V - 1
 */
export function forward(model, words) {
  const { x, normed, queries, keys, values, seen, hidden, encoding } = model;
  const { V, d, heads, ff } = model.size;
  const length = words.length;
  const square = { length, columns: d, wide: d };

  words.forEach((word, p) => {
    for (let c = 0; c < d; c += 1)
      x[p * d + c] = model.embedding[word * d + c] + (encoding.table?.[p * d + c] ?? 0);
  });

  normalise(x, model.norm_1, normed, length);
  times(normed, model.W_Q, queries, square);
  times(normed, model.W_K, keys, square);
  times(normed, model.W_V, values, square);
  if (encoding.turns) {
    turn(queries, encoding.turns, length, d, heads);
    turn(keys, encoding.turns, length, d, heads);
  }
  const weights = attend(model, length);
  times(seen, model.W_O, x, { ...square, added: true });

  normalise(x, model.norm_2, normed, length);
  times(normed, model.into.weight, hidden, { length, columns: d, wide: ff });
  for (let n = 0; n < length * ff; n += 1)
    hidden[n] = Math.max(0, hidden[n] + model.into.bias[n % ff]);
  times(hidden, model.out.weight, x, { length, columns: ff, wide: d, added: true });
  for (let n = 0; n < length * d; n += 1) x[n] += model.out.bias[n % d];

  const logits = new Float64Array(length * V);
  normalise(x, model.norm, normed, length);
  times(normed, model.answer, logits, { length, columns: d, wide: V });
  return { logits, weights };
}
