// A clash with how bad it is.
import type { Vec3 } from '../core/vec3.js';
import type { Clash } from './clash.js';

/**
 * 'interference': the parts overlap by more than the touch tolerance. 'touch': they overlap or are apart by no more
 * than that. 'clearance': they are farther apart than that, but closer than the clearance.
 */
export type ClashGrade = 'interference' | 'touch' | 'clearance';

/** A clash with its grade. */
export interface GradedClash extends Clash {
  readonly grade: ClashGrade;
  /**
   * Whether the grade is certain. It is not if the depth is unknown, or if its interval contains the touch tolerance;
   * the grade is then 'interference'.
   */
  readonly certain: boolean;
  /** The depth of the overlap is from `lower` to `upper`. 0 for parts that are apart; null if unknown. */
  readonly lower: number | null;
  readonly upper: number | null;
  /** Translates A by `upper`, after which the parts no longer overlap; null for parts that do not, or if unknown. */
  readonly vector: Vec3 | null;
  /** Why the depth is unknown: the message of the error, or that the time was over. Null if it is known. */
  readonly reason: string | null;
}

/** The grades, the worst first. */
const WORST_FIRST: readonly ClashGrade[] = ['interference', 'touch', 'clearance'];

/** Worst first: by grade, then by depth, then by distance. Overlaps of unknown depth come last among overlaps. */
export function compareGradedClashes(p: GradedClash, q: GradedClash): number {
  return WORST_FIRST.indexOf(p.grade) - WORST_FIRST.indexOf(q.grade) || severityOf(q) - severityOf(p);
}

/** Larger is worse among clashes of one grade. */
function severityOf({ upper, distance }: GradedClash): number {
  return (upper ?? 0) - distance;
}
