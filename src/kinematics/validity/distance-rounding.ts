/**
 * Rounding: distances of points and balls that robots move are off by less than this share of their coordinates. A chain of
 * a hundred joints stays below a tenth of it.
 */
export const DISTANCE_ROUNDING = 1e-12;
