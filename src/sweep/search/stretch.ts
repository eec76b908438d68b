// Stretches of a motion in which a wanted clearance is not kept.

/** A stretch along one axis: outside of it the clearance is proven; between the inner ends it is measured to fail at both. */
export interface Stretch {
  from: number;
  to: number;
  inner: { from: number; to: number } | null;
}

/** What a search found of one pair. */
export interface PairFinding {
  /** The least gap over the motion is between them. */
  readonly lower: number;
  readonly upper: number;
  /** Where `upper` was measured: values of all axes. */
  readonly at: Float64Array;
  /** Along one axis, in order; null where the pair depends on several. */
  readonly stretches: readonly Stretch[] | null;
  /** Boxes of several axes outside of which the clearance is proven; null along one axis. */
  readonly boxes: readonly { readonly low: Float64Array; readonly high: Float64Array }[] | null;
  /** Whether the search ended before everything was decided. */
  readonly isOpen: boolean;
  readonly queries: number;
}
