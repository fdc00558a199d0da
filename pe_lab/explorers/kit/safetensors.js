// Weights as they are stored: a safetensors file, that is a header in JSON and the numbers after it.

/** @typedef {{data: Float64Array, shape: number[]}} Tensor  row after row */

/** A number of 16 bits, as IEEE 754 has it. @param {number} bits */
export function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1,
    exponent = (bits >> 10) & 31,
    fraction = (bits & 1023) / 1024;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction) : 2 ** -14 * fraction);
}

/**
 * The tensors of a file by name, and what else its header says. Numbers have 16 or 32 bits.
 * @param {DataView} file
 * @returns {{tensors: Record<string, Tensor>, metadata: Record<string, string>}}
 */
export function readTensors(file) {
  const start = 8 + Number(file.getBigUint64(0, true));
  const header = new Uint8Array(file.buffer, file.byteOffset + 8, start - 8);
  const { __metadata__: metadata, ...described } = JSON.parse(new TextDecoder().decode(header));
  /** @type {Record<string, Tensor>} */ const tensors = {};
  for (const [name, { dtype, shape, data_offsets: at }] of Object.entries(described)) {
    const short = dtype === "F16";
    if (!short && dtype !== "F32") throw new Error(`${name} must hold F16 or F32, not ${dtype}`);
    const first = start + at[0],
      wide = short ? 2 : 4;
    const data = new Float64Array((at[1] - at[0]) / wide);
    for (let n = 0; n < data.length; n += 1) {
      const byte = first + wide * n;
      data[n] = short ? half(file.getUint16(byte, true)) : file.getFloat32(byte, true);
    }
    tensors[name] = { data, shape };
  }
  return { tensors, metadata };
}
