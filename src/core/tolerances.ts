// Every tolerance of the library in one place, with its unit and its reason. All are relative to the input's size, so
// that an answer does not change when the model is scaled. Bounds on rounding stand beside the arithmetic they bound.

/** `weldVertices` merges vertices within this fraction of the box diagonal. Single-precision files carry 24 bits. */
export const WELD_TOLERANCE = 1e-7;

/**
 * Chosen: `makeSound` welds vertices and closes cracks over at most this fraction of the box diagonal. Coordinates in single
 * precision of a model that stands ten sizes away from the origin are off by as much.
 */
export const SOUND_TOLERANCE = 1e-6;

/** A triangle whose height is below this fraction of its longest side is degenerate: its normal is rounding noise. */
export const DEGENERATE_HEIGHT = 1e-12;

/** A volume below this fraction of area × box diagonal counts as zero: rounding gives a flat, doubled sheet as much. */
export const VOLUME_ROUNDING = 1e-14;

/**
 * An open shell still has an outside when its holes are small. The sum of its area vectors measures the holes: it must
 * be at most this fraction of the area. A box without its lid has 0.2, a half sphere 0.5, a flat sheet 1.
 */
export const NEARLY_CLOSED = 0.25;

/** Two axes of a placement with a larger cosine are not orthogonal: viewers that split the matrix lose the shear. */
export const SHEAR_TOLERANCE = 1e-6;

/**
 * How far a matrix may be from a rigid motion (largest entry of RᵀR − 1) and still be accepted as one. Files written in
 * single precision or with six decimals are off by about 1e-6.
 */
export const RIGID_TOLERANCE = 1e-5;

/** The largest coordinate accepted, so that no determinant or sixth power of a length overflows. */
export const MAX_COORDINATE = 1e50;

/**
 * How far from 1 the length of a pose's quaternion may be; it is then made 1. Quaternions of 32-bit engines are off by
 * 1e-7, those interpolated between keyframes or written with four decimals by 1e-4.
 */
export const UNIT_TOLERANCE = 1e-3;
