// The lengths up to which two parts count as touching, each with its cause, so that no overlap is a touch for a reason that
// the answer does not give.

/** Why a pair may count as touching. */
export type TouchCause = 'tolerance' | 'rounding' | 'chord' | 'facets';

/** What the floor of a pair is made of: the larger of `tolerance` and `rounding`, with `chord` and `facets` added. */
export interface TouchFloors {
  /** The tolerance that was given, or the default share of the smaller part's size. */
  readonly tolerance: number;
  /** How far rounding may have moved the coordinates of both parts in their files. */
  readonly rounding: number;
  /** The chord error that the files of both parts state. */
  readonly chord: number;
  /** An estimate for files that state none: how far the facets that cross may be from a curved surface. */
  readonly facets: number;
}

/** Lengths up to this count as touching. */
export function totalOf({ tolerance, rounding, chord, facets }: TouchFloors): number {
  return Math.max(tolerance, rounding) + chord + facets;
}

/** The last floor that a length needs to count as touching, in the order of the type; null for one that needs none. */
export function causeOf(floors: TouchFloors, length: number): TouchCause | null {
  const { tolerance, rounding, chord } = floors;
  if (length <= 0) return null;
  if (length <= tolerance) return 'tolerance';
  if (length <= Math.max(tolerance, rounding)) return 'rounding';
  return length <= Math.max(tolerance, rounding) + chord ? 'chord' : 'facets';
}
