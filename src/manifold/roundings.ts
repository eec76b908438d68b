// Roundings that the searches of this chapter share.

/** Rounding: of a coordinate, as a share of the largest one. A point this far outside a face is on it. */
export const COORDINATE_ROUNDING = 1e-14;

/** Rounding: the slope by which a direction between two points may leave a cone, or a plane may cut into a feature. */
export const SLOPE_ROUNDING = 1e-9;

/** Rounding: bounds on motion are enlarged by this share, and distances reduced. */
export const BOUND_ROUNDING = 1e-9;
