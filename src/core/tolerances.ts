// Every tolerance of the library in one place, with its unit and its reason. All are relative to the input's size, so
// that an answer does not change when the model is scaled. Bounds on rounding stand beside the arithmetic they bound.

/** Vertices nearer than this share of the box diagonal are one vertex for `weldVertices`. Single-precision files carry 24 bits. */
export const WELD_TOLERANCE = 1e-7;

/** A triangle whose height is below this share of its longest side is degenerate: its normal is rounding noise. */
export const DEGENERATE_HEIGHT = 1e-12;

/** A volume below this share of area × box diagonal is zero: rounding alone makes that much of a flat, doubled sheet. */
export const VOLUME_ROUNDING = 1e-14;

/**
 * An open shell still has an outside when its holes are small: when the sum of its area vectors, which is that of the
 * lids it lacks, is at most this share of its area. A box without its lid has 0.2, a half sphere 0.5, a flat sheet 1.
 */
export const NEARLY_CLOSED = 0.25;

/** Axes of a placement whose cosine is larger are not at right angles: viewers that split the matrix would lose the shear. */
export const SHEAR_TOLERANCE = 1e-6;

/**
 * How far a matrix may be from a rigid motion (largest entry of RᵀR − 1) and still be read as one: files written with
 * single precision or six decimals are off by about 1e-6.
 */
export const RIGID_TOLERANCE = 1e-5;
