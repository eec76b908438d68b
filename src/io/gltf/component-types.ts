// The component types of glTF 2.0, section 3.6.2.

/** Format: signed integers of one byte. */
export const BYTE = 5120;

/** Format: unsigned integers of one byte. */
export const UNSIGNED_BYTE = 5121;

/** Format: signed integers of two bytes. */
export const SHORT = 5122;

/** Format: unsigned integers of two bytes. */
export const UNSIGNED_SHORT = 5123;

/** Format: unsigned integers of four bytes. */
export const UNSIGNED_INT = 5125;

/** Format: numbers in single precision. */
export const FLOAT = 5126;
