// What a sweep answers.
import type { Vec3 } from '../core/vec3.js';
import type { MeshFeature } from '../mesh/triangle/triangle-region.js';

/** 'holds': proven everywhere; 'violated': measured to fail somewhere; 'undecided': neither, within the budget or the tolerance. */
export type SweepVerdict = 'holds' | 'violated' | 'undecided';

/** Values of the joints that are varied, by name; or the time. */
export type SweepPlace = number | Readonly<Record<string, number>>;

/** Where a clearance is not proven: between two values of one joint or two times, or in a box of joint values. */
export interface SweepStretch {
  readonly from: SweepPlace;
  readonly to: SweepPlace;
  /** The clearance is measured to fail at both of these; null where it is not known to fail. */
  readonly inner: { readonly from: number; readonly to: number } | null;
}

/** What is known of one pair of parts over the whole motion. */
export interface SweptPairResult {
  readonly a: string;
  readonly b: string;
  readonly verdict: SweepVerdict;
  /** The least gap over the whole motion is between them; 0 where the parts meet. */
  readonly lower: number;
  readonly upper: number;
  /** Where `upper` was measured; the deepest place found where the parts meet. */
  readonly at: SweepPlace;
  readonly pointA: Vec3 | null;
  readonly pointB: Vec3 | null;
  readonly featureA: MeshFeature | null;
  readonly featureB: MeshFeature | null;
  /** How deep the parts overlap at `at`, proven; null where they do not, or bound no solids. */
  readonly depth: { readonly lower: number; readonly upper: number } | null;
  /** Outside of these the clearance is proven. */
  readonly violated: readonly SweepStretch[];
}

/** The answer of a sweep. */
export interface SweepResult {
  readonly verdict: SweepVerdict;
  readonly clearance: number;
  /** The least gap of all pairs; null where no pair moves. */
  readonly least: { readonly lower: number; readonly upper: number } | null;
  /** Pairs that may come near, least `lower` first. */
  readonly pairs: readonly SweptPairResult[];
  /** Pairs proven by balls and boxes to stay farther apart than all that is listed. */
  readonly culled: { readonly pairs: number; readonly lower: number | null };
  /** The axes of the sweep: joints and their ranges, or the time. */
  readonly axes: readonly { readonly name: string; readonly low: number; readonly high: number }[];
  /** The largest error left in closing loops; part of all bounds. 0 without loops. */
  readonly loopError: number;
  /** Distances measured. */
  readonly queries: number;
  readonly milliseconds: number;
}
