/** Rounding: two ways to compute a coordinate of the same point differ by up to this share of the largest coordinate. */
export const COORDINATE_ROUNDING = 16 * Number.EPSILON;
