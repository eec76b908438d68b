// Every tolerance of the library in one place, with its unit and its reason. All are relative to the input's size, so
// that an answer does not change when the model is scaled. Bounds on rounding stand beside the arithmetic they bound.

/**
 * Rounding: `weldVertices` merges vertices within this fraction of the box diagonal. Files in single precision round
 * coordinates to 24 bits, 6e-8.
 */
export const WELD_TOLERANCE = 1e-7;

/**
 * Chosen: `makeSound` welds vertices and closes cracks over at most this fraction of the box diagonal. Coordinates in single
 * precision of a model that stands ten sizes away from the origin are off by as much.
 */
export const SOUND_TOLERANCE = 1e-6;

/**
 * Rounding: a triangle whose height is below this fraction of its longest side is degenerate, since its normal is
 * rounding noise.
 */
export const DEGENERATE_HEIGHT = 1e-12;

/**
 * Rounding: a volume below this fraction of area × box diagonal counts as zero. A flat, doubled sheet has this much.
 */
export const VOLUME_ROUNDING = 1e-14;

/**
 * Chosen: an open shell still has an outside when its holes are small. The sum of its area vectors measures the
 * holes; this is the largest fraction of the area that it may be. A box without its lid has 0.2, a half sphere 0.5,
 * a flat sheet 1.
 */
export const NEARLY_CLOSED = 0.25;

/**
 * Rounding: two axes of a placement with a larger cosine are not orthogonal. Viewers that split the matrix lose the
 * shear.
 */
export const SHEAR_TOLERANCE = 1e-6;

/**
 * Rounding: the largest entry of RᵀR − 1 of a matrix that is accepted as a rigid motion. Files written in single
 * precision or with six decimals are off by about 1e-6.
 */
export const RIGID_TOLERANCE = 1e-5;

/** Proven: the largest accepted coordinate. The sixth power of a length is then 1e300, so no determinant overflows. */
export const MAX_COORDINATE = 1e50;

/**
 * Rounding: how far from 1 the length of a pose's quaternion may be; it is then made 1. Quaternions of 32-bit
 * engines are off by 1e-7, those interpolated between keyframes or written with four decimals by 1e-4.
 */
export const UNIT_TOLERANCE = 1e-3;
