// A clash with how bad it is.
import type { Vec3 } from '../core/vec3.js';
import type { Clash } from './clash.js';
import type { ClashKind } from './clash-kind.js';

/**
 * 'interference': the parts overlap by more than the touch tolerance. 'touch': they overlap or are apart by no more
 * than that. 'clearance': they are farther apart than that, but closer than the clearance.
 */
export type ClashGrade = 'interference' | 'touch' | 'clearance';

/** A clash with its grade. */
export interface GradedClash extends Clash {
  readonly kind: ClashKind;
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
  /**
   * How thick the overlap is at its thickest place: no point of either surface is deeper than this inside the other
   * part. A local measure, which is small where `upper` is long because the way out is. 0 for parts that are apart; null
   * if a part bounds no solid.
   */
  readonly thickness: number | null;
  /** A point of one surface is at least this deep inside the other part. */
  readonly thicknessLower: number | null;
  /**
   * How far the triangles of both parts together may be from the surfaces that their files mean; lengths of those may
   * differ by as much. 0 for files of triangles.
   */
  readonly chordError: number;
}

/** The grades, the worst first. */
const WORST_FIRST: readonly ClashGrade[] = ['interference', 'touch', 'clearance'];

/**
 * Worst first: by grade, then by how thick the overlap is, or how deep where nothing is known of that, then by distance.
 * Overlaps of which neither is known come last among overlaps.
 */
export function compareGradedClashes(p: GradedClash, q: GradedClash): number {
  return WORST_FIRST.indexOf(p.grade) - WORST_FIRST.indexOf(q.grade) || severityOf(q) - severityOf(p);
}

/** Larger is worse among clashes of one grade. The way out of a thin overlap may be long: that makes it no worse. */
export function severityOf({ upper, thickness, distance }: GradedClash): number {
  const severity = Math.min(upper ?? Infinity, thickness ?? Infinity);
  return (severity === Infinity ? 0 : severity) - distance;
}
