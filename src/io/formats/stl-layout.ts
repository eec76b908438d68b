// The layout of binary STL files.

/** Format: bytes before the first facet, 80 of free text and the count of facets. */
export const STL_HEADER_BYTES = 84;

/** Format: bytes of a facet, its normal and three corners in single precision and two bytes of attributes. */
export const STL_FACET_BYTES = 50;
