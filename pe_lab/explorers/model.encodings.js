// Where positions enter a model, as pe_lab/encodings has it: at the input, at queries and keys, or at
// the scores.

import { BASE } from "./from_python.js";
import { bucketOf } from "./kit/buckets.js";
import { frequencies, waveTable } from "./kit/formula.js";

/** @import { Tensor } from "./kit/safetensors.js" */

/**
 * @typedef {object} Encoding
 * @property {Float64Array} [table]  added to the words, a row for each position
 * @property {Float64Array} [turns]  sine and cosine by which each pair of queries and keys is turned
 * @property {(head: number, offset: number) => number} [bias]  added to the scores; the offset is
 *   that from the query to the key
 */

const SHAPE = { buckets: 16, max_distance: 128 }; // T5's own; so many buckets for each side

/**
 * The encoding of that name.
 * @param {string} name @param {Record<string, Tensor>} tensors  of its model
 * @param {{length: number, d_model: number, heads: number}} size  of the longest text, and the model
 * @returns {Encoding}
 */
export function encodingOf(name, tensors, { length, d_model, heads }) {
  if (name === "sinusoid") return { table: waveTable(length, frequencies(d_model, BASE)) };
  if (name === "RoPE") return { turns: waveTable(length, frequencies(d_model / heads, BASE)) };
  if (name === "learned table") return { table: tensors["encoding.rows"].data };
  if (name === "untrained table") return { table: tensors["encoding.table"].data };
  if (name === "T5 bias") {
    const { data } = tensors["encoding.bias"]; // (buckets, heads)
    return { bias: (head, offset) => data[bucketOf(offset, SHAPE) * heads + head] };
  }
  if (name === "ALiBi") {
    // For a number of heads that is a power of two, as all here.
    return { bias: (head, offset) => -(2 ** ((-8 * (head + 1)) / heads)) * Math.abs(offset) };
  }
  if (name !== "none") throw new Error(`no encoding is named ${name}`);
  return {};
}
