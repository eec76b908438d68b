// How impulses of one substep start another of a different length.

/**
 * Proven: impulses of forces are in proportion to the length of a substep, those of an impact are not, and the interval
 * before an impact may be as short as 1e-10 s. A start is a guess from which the passes converge, so it may be too small but
 * not too large: it is never more than what the bodies took last. Scaled by the ratio of lengths alone, the impulse of an
 * impact grew by millions.
 */
const MAX_SCALE = 1;

/** The factor from impulses of a substep of length `from`, s, to the start of one of length `to`; 1 for the first substep. */
export function warmScale(from: number, to: number): number {
  return from > 0 ? Math.min(MAX_SCALE, to / from) : 1;
}
