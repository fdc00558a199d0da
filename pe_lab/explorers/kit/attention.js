// The weights of attention.

/**
 * Exponentials of the scores, divided by their sum, in place.
 * @template {number[] | Float64Array} Row @param {Row} scores
 */
export function softmax(scores) {
  let most = -Infinity, // by hand: a list of arguments takes longer than the exponentials
    sum = 0;
  for (let q = 0; q < scores.length; q += 1) if (scores[q] > most) most = scores[q];
  for (let q = 0; q < scores.length; q += 1) sum += scores[q] = Math.exp(scores[q] - most);
  for (let q = 0; q < scores.length; q += 1) scores[q] /= sum;
  return scores;
}
