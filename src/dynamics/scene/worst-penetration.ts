// The deepest overlap of all bodies as they are: exact tests of the pairs whose spheres meet, then a way out of each pair
// that overlaps, whose length bounds the depth from above. O(pairs that are near); about 15 µs for each, 1 ms where they overlap.
import type { Pose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import { measurePenetrationSync } from '../../penetration/measure-penetration.js';
import { testIntersection } from '../../proximity/queries.js';
import { PairDepth } from '../overlap/pair-depth.js';
import type { CollisionShape } from '../shape/collision-shape.js';

/** A body where it is. */
export interface PlacedBody {
  readonly shape: CollisionShape;
  readonly pose: Pose;
  /** Two bodies that do not move are not compared. */
  readonly moves: boolean;
}

/** No proof that there is no shorter way: the length of any way out is an upper bound. */
const DEPTH_OPTIONS = { maxCells: 0 };
/** The deepest pair is then measured within this share. */
const RELATIVE_GAP = 0.05;
/** Cells of a proof. */
const MOST_CELLS = 5000;
/** At most so many pairs are, each in some milliseconds; the bounds of others stand. */
const MOST_CERTIFIED = 16;

/** Measures the same bodies time and again; pairs that overlap start from their last way out. */
export class WorstPenetration {
  readonly #skipped: ReadonlySet<string>;
  #overlapping = new Map<string, PairDepth>();

  /** @param skipped pairs of bodies that do not collide, such as those that a joint holds. */
  constructor(skipped: readonly (readonly [number, number])[] = []) {
    this.#skipped = new Set(skipped.map(([a, b]) => keyOf(a, b)));
  }

  /** An upper bound of the depth of the deepest pair; 0 if none overlaps. */
  measure(bodies: readonly PlacedBody[]): number {
    const spheres = bodies.map(({ shape, pose: placed }) => ({
      center: shape.model === null ? placed : pose.transformPoint(placed, shape.model.center as Vec3),
      radius: shape.model === null ? shape.ballRadius : shape.model.radius,
    }));
    const order = spheres.map((_, i) => i);
    order.sort((i, j) => spheres[i].center[0] - spheres[i].radius - (spheres[j].center[0] - spheres[j].radius));
    const overlapping = new Map<string, PairDepth>();
    const found: Overlap[] = [];
    let open: number[] = [];
    for (const b of order) {
      const { center, radius } = spheres[b];
      open = open.filter((a) => spheres[a].center[0] + spheres[a].radius >= center[0] - radius);
      for (const a of open) {
        if (!bodies[a].moves && !bodies[b].moves) continue;
        const away = Math.hypot(...[0, 1, 2].map((k) => spheres[a].center[k] - center[k]));
        const key = keyOf(a, b);
        if (away > radius + spheres[a].radius || this.#skipped.has(key)) continue;
        const [first, second] = [bodies[Math.min(a, b)], bodies[Math.max(a, b)]];
        if (!mayOverlap(first, second)) continue;
        const depth = this.#overlapping.get(key) ?? new PairDepth(first.shape, second.shape, DEPTH_OPTIONS);
        found.push({ bound: depth.measure(first.pose, second.pose), first, second });
        overlapping.set(key, depth);
      }
      open.push(b);
    }
    this.#overlapping = overlapping;
    return tighten(found);
  }
}

interface Overlap {
  /** Of the depth, from above. */
  readonly bound: number;
  readonly first: PlacedBody;
  readonly second: PlacedBody;
}

/** The largest depth, near the truth: from the largest bound down, pairs are certified until no bound is larger. */
function tighten(found: Overlap[]): number {
  found.sort((a, b) => b.bound - a.bound);
  let worst = 0;
  for (const [i, { bound, first, second }] of found.entries()) {
    if (bound <= worst) break;
    if (i === MOST_CERTIFIED) return bound;
    worst = Math.max(worst, Math.min(bound, certify(first, second)));
  }
  return worst;
}

/** Those of balls are near the truth already. */
function certify({ shape: a, pose: poseA }: PlacedBody, { shape: b, pose: poseB }: PlacedBody): number {
  if (a.model === null || b.model === null) return Infinity;
  return measurePenetrationSync(a.model, b.model, poseA, poseB, { relativeGap: RELATIVE_GAP, maxCells: MOST_CELLS })
    .upper;
}

/** Balls are told apart by the measure of depth itself. */
function mayOverlap({ shape: a, pose: poseA }: PlacedBody, { shape: b, pose: poseB }: PlacedBody): boolean {
  return a.model === null || b.model === null || testIntersection(a.model, b.model, poseA, poseB).intersects;
}

function keyOf(a: number, b: number): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}
