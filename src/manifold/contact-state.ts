// What `PairContacts.update` returns.

/** Label, a state: no point of the one is within the margin of the other. */
export const APART = 0;
/** Label, a state: there are contacts within the margin; some may overlap by less than it. */
export const NEAR = 1;
/** Label, a state: the shapes overlap by more than their contacts can tell. */
export const OVERLAP = 2;
