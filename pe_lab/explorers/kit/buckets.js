// T5's buckets of offsets.

/**
 * T5's bucket of an offset, both sides visible, from the number of buckets for each side.
 * @param {number} k @param {{buckets: number, max_distance: number}} shape
 */
export function bucketOf(k, { buckets, max_distance }) {
  const distance = Math.abs(k),
    exact = Math.floor(buckets / 2);
  const share = Math.log(Math.max(distance, exact) / exact) / Math.log(max_distance / exact);
  const wide = exact + Math.floor(share * (buckets - exact) + 1e-9);
  return (distance < exact ? distance : Math.min(wide, buckets - 1)) + (k > 0 ? buckets : 0);
}
