// What `PairContacts.update` returns.

/** No point of the one is within the margin of the other. */
export const APART = 0;
/** There are contacts within the margin; some may overlap by less than it. */
export const NEAR = 1;
/** The shapes overlap by more than their contacts can tell. */
export const OVERLAP = 2;
