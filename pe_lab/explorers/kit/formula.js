// The formula of the encoding.

/**
 * What the position is divided by in pair i: base^(2i/d), in positions per radian.
 * @param {number} i @param {number} d @param {number} base
 */
export function denominator(i, d, base) {
  return base ** ((2 * i) / d);
}

/**
 * The wavelength of pair i, in positions.
 * @param {number} i @param {number} d @param {number} base
 */
export function wavelength(i, d, base) {
  return 2 * Math.PI * denominator(i, d, base);
}

/**
 * The angular frequencies ω_i of all pairs, in radians per position.
 * @param {number} d @param {number} base
 */
export function frequencies(d, base) {
  return Array.from({ length: d / 2 }, (_, i) => 1 / denominator(i, d, base));
}

/**
 * PE(p, c): the sine of p ω_i in column 2i, the cosine in column 2i + 1.
 * @param {number} p @param {number} c @param {number} d @param {number} base
 */
export function entry(p, c, d, base) {
  return (c % 2 ? Math.cos : Math.sin)(p / denominator(c >> 1, d, base));
}

/**
 * The whole table, row after row. Every column is a wave x with x(p+1) + x(p-1) = 2 cos ω · x(p),
 * so two rows of sines and cosines give all others. Over 512 rows the error stays below 1e-10.
 * @param {number} length
 * @param {number[]} omegas  radians per position, one a pair
 * @param {number[]} [cosineOmegas]  where the cosine has frequencies of its own (a mistake)
 * @param {Float64Array} [space]  where to write it: new memory takes longer than the table
 */
export function waveTable(length, omegas, cosineOmegas = omegas, space) {
  const d = 2 * omegas.length;
  const table = (space ?? new Float64Array(length * d)).subarray(0, length * d); // (L, d)
  const factor = new Float64Array(d); // 2 cos ω of each column
  for (let c = 0; c < d; c += 1) {
    const omega = (c % 2 ? cosineOmegas : omegas)[c >> 1];
    factor[c] = 2 * Math.cos(omega);
    table[c] = c % 2;
    if (length > 1) table[d + c] = c % 2 ? Math.cos(omega) : Math.sin(omega);
  }
  for (let at = 2 * d; at < table.length; at += d) {
    for (let c = 0; c < d; c += 1) {
      table[at + c] = factor[c] * table[at - d + c] - table[at - 2 * d + c];
    }
  }
  return table;
}
