// The weights of attention.

/** Where a row is largest, first, and how large. @param {Float64Array} row */
export function peak(row) {
  let at = 0; // by hand: a list of arguments takes longer than all the rest
  for (let q = 1; q < row.length; q += 1) if (row[q] > row[at]) at = q;
  return { at, weight: row[at] };
}

/**
 * How many other places of a row have its largest weight, but for the rounding of sums: without
 * positions equal words get equal weights.
 * @param {Float64Array} row @param {number} weight
 */
export function asMuch(row, weight) {
  return row.filter((each) => weight - each < 1e-9).length - 1;
}

/**
 * Exponentials of the scores, divided by their sum, in place.
 * @template {number[] | Float64Array} Row @param {Row} scores
 */
export function softmax(scores) {
  let most = -Infinity, // by hand, as above
    sum = 0;
  for (let q = 0; q < scores.length; q += 1) if (scores[q] > most) most = scores[q];
  for (let q = 0; q < scores.length; q += 1) sum += scores[q] = Math.exp(scores[q] - most);
  for (let q = 0; q < scores.length; q += 1) scores[q] /= sum;
  return scores;
}
