// What `PairContacts.update` returns.

/** A state: no point of the one is within the margin of the other. */
export const APART = 0;
/** A state: there are contacts within the margin; some may overlap by less than it. */
export const NEAR = 1;
/** A state: the shapes overlap by more than their contacts can tell. */
export const OVERLAP = 2;
