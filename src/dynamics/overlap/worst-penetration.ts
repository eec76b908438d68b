// The deepest overlap of all bodies as they are: exact tests of the pairs whose spheres meet, then a way out of each pair
// that overlaps, whose length bounds the depth from above. About 15 µs for a near pair, 1 ms for one that overlaps and did
// so before, 10 ms for a new one; where very many overlap, those that cannot be the deepest by much keep a rough bound.
import * as box from '../../core/box.js';
import type { Pose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { CollisionShape } from '../../manifold/shape/collision-shape.js';
import { testIntersection } from '../../proximity/queries.js';
import { PairDepth } from './pair-depth.js';

/** A body where it is. */
export interface PlacedBody {
  readonly shape: CollisionShape;
  readonly pose: Pose;
  /** Two bodies that do not move are not compared. */
  readonly moves: boolean;
}

/** No proof that there is no shorter way: the length of any way out is an upper bound. */
const DEPTH_OPTIONS = { maxCells: 0 };
/** Chosen: pairs that ways out are found for, those with the largest rough bounds first. */
const MAX_WAYS = 48;

/** Two bodies that overlap. */
export interface Overlap {
  readonly key: string;
  readonly first: PlacedBody;
  readonly second: PlacedBody;
  /** From the boxes alone. */
  readonly rough: number;
}

/** A box in the frame of a shape. */
interface LocalBox {
  readonly center: Vec3;
  readonly half: Vec3;
}

/** Measures the same bodies time and again; pairs that overlap start from their last way out. */
export class WorstPenetration {
  readonly #finder: OverlapFinder;
  #ways = new Map<string, PairDepth>();

  /** @param collide whether two bodies, by their numbers in what is measured, collide at all. */
  constructor(collide: (a: number, b: number) => boolean = () => true) {
    this.#finder = new OverlapFinder(collide);
  }

  /** An upper bound of the depth of the deepest pair; 0 if none overlaps. */
  measure(bodies: readonly PlacedBody[]): number {
    const overlaps = this.#finder.find(bodies).sort((a, b) => b.rough - a.rough);
    const ways = new Map<string, PairDepth>();
    let worst = 0;
    for (const [i, { key, first, second, rough }] of overlaps.entries()) {
      // Those that follow are no deeper.
      if (rough <= worst) break;
      if (i === MAX_WAYS) {
        worst = rough;
        break;
      }
      const depth = this.#ways.get(key) ?? new PairDepth(first.shape, second.shape, DEPTH_OPTIONS);
      worst = Math.max(worst, Math.min(rough, depth.measure(first.pose, second.pose)));
      ways.set(key, depth);
    }
    this.#ways = ways;
    return worst;
  }
}

/** Finds the pairs that overlap; keeps the boxes of the shapes. */
export class OverlapFinder {
  readonly #collide: (a: number, b: number) => boolean;
  readonly #boxes = new Map<CollisionShape, LocalBox>();

  /** @param collide whether two bodies, by their numbers in what is measured, collide at all. */
  constructor(collide: (a: number, b: number) => boolean) {
    this.#collide = collide;
  }

  /** All pairs that overlap, with a rough bound of their depth. Sorts along x and sweeps. */
  find(bodies: readonly PlacedBody[]): Overlap[] {
    const spheres = bodies.map(({ shape, pose: placed }) => ({
      center: shape.model === null ? placed : pose.transformPoint(placed, shape.model.center as Vec3),
      radius: shape.model === null ? shape.ballRadius : shape.model.radius,
    }));
    const order = spheres.map((_, i) => i);
    order.sort((i, j) => spheres[i].center[0] - spheres[i].radius - (spheres[j].center[0] - spheres[j].radius));
    const found: Overlap[] = [];
    let open: number[] = [];
    for (const b of order) {
      const { center, radius } = spheres[b];
      open = open.filter((a) => spheres[a].center[0] + spheres[a].radius >= center[0] - radius);
      for (const a of open) {
        if (!bodies[a].moves && !bodies[b].moves) continue;
        const { center: other, radius: otherRadius } = spheres[a];
        const away = Math.hypot(other[0] - center[0], other[1] - center[1], other[2] - center[2]);
        if (away > radius + otherRadius) continue;
        const [first, second] = [bodies[Math.min(a, b)], bodies[Math.max(a, b)]];
        const key = keyOf(a, b);
        if (!this.#collide(a, b) || !mayOverlap(first, second)) continue;
        const rough = boxDepth(this.#boxOf(first.shape), first.pose, this.#boxOf(second.shape), second.pose);
        if (rough > 0) found.push({ key, first, second, rough });
      }
      open.push(b);
    }
    return found;
  }

  #boxOf(shape: CollisionShape): LocalBox {
    let known = this.#boxes.get(shape);
    if (known === undefined) {
      const { model, ballRadius: r } = shape;
      const around = model === null ? { min: [-r, -r, -r], max: [r, r, r] } : box.ofPositions(model.mesh.positions);
      const { min, max } = around;
      known = {
        center: [0, 1, 2].map((k) => (min[k] + max[k]) / 2) as Vec3,
        half: [0, 1, 2].map((k) => (max[k] - min[k]) / 2) as Vec3,
      };
      this.#boxes.set(shape, known);
    }
    return known;
  }
}

/** Balls are told apart by the measure of depth itself. */
function mayOverlap({ shape: a, pose: poseA }: PlacedBody, { shape: b, pose: poseB }: PlacedBody): boolean {
  return a.model === null || b.model === null || testIntersection(a.model, b.model, poseA, poseB).intersects;
}

/** How far one of two boxes must move along a face's normal or across two edges to leave the other; not above 0 if apart. */
function boxDepth(a: LocalBox, poseA: Pose, b: LocalBox, poseB: Pose): number {
  const [axesA, axesB] = [axesOf(poseA), axesOf(poseB)];
  const between = vec3.subtract(pose.transformPoint(poseA, a.center), pose.transformPoint(poseB, b.center));
  const across = axesA.flatMap((u) => axesB.map((w) => vec3.cross(u, w)));
  let least = Infinity;
  for (const axis of [...axesA, ...axesB, ...across]) {
    const length = vec3.length(axis);
    // Parallel edges: the faces' normals tell as much.
    if (length < 1e-6) continue;
    let reach = -Math.abs(vec3.dot(between, axis));
    for (let k = 0; k < 3; k++) {
      reach += a.half[k] * Math.abs(vec3.dot(axesA[k], axis)) + b.half[k] * Math.abs(vec3.dot(axesB[k], axis));
    }
    least = Math.min(least, reach / length);
  }
  return least;
}

function axesOf([, , , x, y, z, w]: Pose): Vec3[] {
  const m = quat.toMatrix3([x, y, z, w]);
  return [0, 1, 2].map((k) => [m[k], m[3 + k], m[6 + k]] as Vec3);
}

function keyOf(a: number, b: number): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}
