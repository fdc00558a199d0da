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
    // What a pass writes on the way. New memory takes longer than the sums. Queries, keys and values
    // of the last pass are kept: a text that begins with the same words has the same.
    read: /** @type {number[]} */ ([]),
    x: rows(d),
    normed: rows(d),
    queries: rows(d),
    keys: rows(d),
    values: rows(d),
    seen: rows(d),
    head: {
      queries: rows(d / heads),
      keys: rows(d / heads),
      values: rows(d / heads),
      seen: rows(d / heads),
    },
    hidden: rows(ff),
  };
}

/** @typedef {ReturnType<typeof readModel>} Model */

/**
 * to = x Wᵀ, or to + x Wᵀ where it is added: four columns at once, so that x is read less often.
 * @param {Float64Array} x  (length, columns) @param {Float64Array} W  (wide, columns)
 * @param {Float64Array} to  (length, wide)
 * @param {{length: number, columns: number, wide: number, from?: number, added?: boolean}} size
 *   of the rows from `from` on
 */
function times(x, W, to, { length, columns, wide, from = 0, added = false }) {
  const last = wide - (wide % 4);
  if (!added) to.fill(0, from * wide, length * wide);
  for (let p = from; p < length; p += 1) {
    const row = p * columns;
    for (let o = 0; o < last; o += 4) {
      const A = o * columns,
        B = A + columns,
        C = B + columns,
        D = C + columns;
      let a = 0,
        b = 0,
        c = 0,
        d = 0;
      for (let n = 0; n < columns; n += 1) {
        const each = x[row + n];
        a += each * W[A + n];
        b += each * W[B + n];
        c += each * W[C + n];
        d += each * W[D + n];
      }
      const at = p * wide + o;
      to[at] += a;
      to[at + 1] += b;
      to[at + 2] += c;
      to[at + 3] += d;
    }
    for (let o = last; o < wide; o += 1)
      for (let n = 0; n < columns; n += 1) to[p * wide + o] += x[row + n] * W[o * columns + n];
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
 * @param {{from: number, length: number}} rows @param {number} d @param {number} heads
 */
function turn(x, turns, { from, length }, d, heads) {
  const wide = d / heads;
  for (let p = from; p < length; p += 1)
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
function attend({ queries, keys, values, seen, head, encoding, size }, length) {
  const { d, heads } = size,
    wide = d / heads; // columns of a head
  const weights = new Float64Array(heads * length * length);
  const bias = new Float64Array(2 * length - 1); // of the offsets 1 - L … L - 1
  for (let h = 0; h < heads; h += 1) {
    for (let p = 0; p < length; p += 1)
      for (let c = 0; c < wide; c += 1) {
        const at = p * d + h * wide + c;
        head.queries[p * wide + c] = queries[at] / Math.sqrt(wide);
        head.keys[p * wide + c] = keys[at];
        head.values[c * length + p] = values[at]; // one row a column, for the second product
      }
    if (encoding.bias)
      for (let n = 0; n < bias.length; n += 1) bias[n] = encoding.bias(h, n - length + 1);

    const own = weights.subarray(h * length * length, (h + 1) * length * length);
    times(head.queries, head.keys, own, { length, columns: wide, wide: length });
    for (let p = 0; p < length; p += 1) {
      const row = own.subarray(p * length, (p + 1) * length);
      for (let r = 0; r < length; r += 1) row[r] += bias[r - p + length - 1];
      softmax(row);
    }
    times(own, head.values, head.seen, { length, columns: length, wide });
    for (let p = 0; p < length; p += 1)
      for (let c = 0; c < wide; c += 1) seen[p * d + h * wide + c] = head.seen[p * wide + c];
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
  const other = words.findIndex((word, p) => word !== model.read[p]);
  const unread = { ...square, from: other < 0 ? length : other };

  words.forEach((word, p) => {
    for (let c = 0; c < d; c += 1)
      x[p * d + c] = model.embedding[word * d + c] + (encoding.table?.[p * d + c] ?? 0);
  });

  normalise(x, model.norm_1, normed, length);
  times(normed, model.W_Q, queries, unread);
  times(normed, model.W_K, keys, unread);
  times(normed, model.W_V, values, unread);
  if (encoding.turns) {
    turn(queries, encoding.turns, unread, d, heads);
    turn(keys, encoding.turns, unread, d, heads);
  }
  if (other >= 0) model.read = words;
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
