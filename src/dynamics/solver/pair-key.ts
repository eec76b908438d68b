// Two slots as one number.

/** Chosen: slots are below this, so that the number of a pair is exact. */
export const SLOT_LIMIT = 2 ** 26;

/** A pair of slots as one number, whichever comes first. */
export function pairKey(a: number, b: number): number {
  return Math.min(a, b) * SLOT_LIMIT + Math.max(a, b);
}
