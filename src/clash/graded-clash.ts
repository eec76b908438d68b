// A clash with how bad it is.
import type { Vec3 } from '../core/vec3.js';
import * as vec3 from '../core/vec3.js';
import type { Clash } from './clash.js';
import type { ClashKind } from './clash-kind.js';
import type { VolumeInterval } from './measures/overlap-volume.js';
import type { TouchCause, TouchFloors } from './touch-floors.js';

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
   * part. A local measure, which is small where `upper` is long because the way out is. 0 for parts that are apart. Where
   * a part bounds no solid, winding numbers tell what is inside, and it is an estimate.
   */
  readonly thickness: number | null;
  /** A point of one surface is at least this deep inside the other part. */
  readonly thicknessLower: number | null;
  /**
   * The shortest translation of A that was found by trying, after which the parts do not meet: also known where a part
   * bounds no solid, whose surface is meant then. Null for parts that are apart.
   */
  readonly wayOut: Vec3 | null;
  /** The length of the curves in which the surfaces cross; 0 where they do not. */
  readonly crossingLength: number;
  /** The longest side of the box around those curves. */
  readonly crossingSize: number;
  /** The volume of the overlap is proven to be within this interval; null for parts that touch, are apart or are open. */
  readonly volume: VolumeInterval | null;
  /** Lengths up to this count as touching, for this pair. */
  readonly floor: number;
  /** What `floor` is made of. */
  readonly floors: TouchFloors;
  /** The floor without which a touch would be none; null where the parts meet without any, and for other grades. */
  readonly touchBy: TouchCause | null;
  /**
   * How far the triangles of both parts together may be from the surfaces that their files mean; lengths of those may
   * differ by as much. 0 for files of triangles.
   */
  readonly chordError: number;
}

/** The grades, the worst first. */
const WORST_FIRST: readonly ClashGrade[] = ['interference', 'touch', 'clearance'];

/**
 * Worst first: by grade; then by how thick the overlap is proven to be, and where that is equal, by how thick or deep it may
 * be; then by distance. The way out of a thin overlap may be long: that makes it no worse.
 */
export function compareGradedClashes(p: GradedClash, q: GradedClash): number {
  return (
    WORST_FIRST.indexOf(p.grade) - WORST_FIRST.indexOf(q.grade) ||
    severityOf(q) - severityOf(p) ||
    possibleSeverityOf(q) - possibleSeverityOf(p) ||
    p.distance - q.distance
  );
}

/** What is proven of a clash, to tell which of one grade is worse. Equal parts in one place are the worst. */
export function severityOf({ kind, lower, thicknessLower }: GradedClash): number {
  return kind === 'duplicate' ? Number.MAX_VALUE : (thicknessLower ?? lower ?? 0);
}

function possibleSeverityOf({ upper, thickness, wayOut }: GradedClash): number {
  const way = wayOut === null ? Infinity : vec3.length(wayOut);
  const least = Math.min(upper ?? Infinity, thickness ?? Infinity, way);
  return least === Infinity ? 0 : least;
}
