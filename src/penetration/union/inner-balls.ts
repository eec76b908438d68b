// Balls of translations at which two solids surely overlap: where a point α deep in A lies β deep in B, no translation
// shorter than α + β separates them. They fill the voids that the sums of surface pieces leave, cell by cell.
import type { Part } from '../../core/derived-parts.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { prepareSolid, type Solid } from '../solid.js';

/** Chosen: steps along the axes in the search for a deeper point. */
const DEEPENING_STEPS = 24;
/** Chosen: middles of pieces that are tried as starts. */
const TRIED_PIECES = 128;
/** Chosen: deep points kept of a solid. */
const MAX_POINTS = 8;
/** Rounding: signed distances are reduced by this share of the sizes. */
const BALL_ROUNDING = 1e-14;

/** A point inside a solid and how far it is from the surface. */
export interface DeepPoint {
  readonly point: Vec3;
  readonly depth: number;
}

/** Layout: bytes of a deep point: three coordinates and a depth. */
const DEEP_POINT_BYTES = 32;

const DEEP_POINTS: Part<ProximityModel, readonly DeepPoint[]> = {
  name: 'deep points',
  make: (model, progress) => searchDeepPoints(prepareSolid(model), progress),
  bytes: (points) => DEEP_POINT_BYTES * points.length,
};

/**
 * Points well inside a solid, deepest first, none in the ball of another, so that each part of a solid has some. Found
 * among the middles of its pieces and by climbing from them. O(pieces tried × log n), once per model.
 */
export function findDeepPoints(solid: Solid, progress?: ProgressOptions): readonly DeepPoint[] {
  return solid.model.parts.get(DEEP_POINTS, progress);
}

/** Whether the deep points of both solids have been found. */
export function knowsDeepPoints(a: Solid, b: Solid): boolean {
  return [a, b].every(({ model }) => model.parts.peek(DEEP_POINTS) !== undefined);
}

function searchDeepPoints(solid: Solid, progress?: ProgressOptions): DeepPoint[] {
  const { model } = solid;
  const tried = middlesOfPieces(solid).map((point): DeepPoint => {
    reportProgress(progress, 0, 'deep points');
    return { point, depth: -model.signedDistance(point) };
  });
  tried.push({ point: [...model.center], depth: -model.signedDistance(model.center) });
  tried.sort((p, q) => q.depth - p.depth);
  const kept: DeepPoint[] = [];
  for (const candidate of tried) {
    // The middle of a flat piece is on the surface; climbing leads inside.
    if (candidate.depth < -BALL_ROUNDING * model.magnitude || kept.length === MAX_POINTS) break;
    if (kept.some(({ point, depth }) => vec3.distance(point, candidate.point) < depth)) continue;
    reportProgress(progress, 0.5, 'deep points');
    const deep = deepen(model, candidate);
    if (!(deep.depth > 0)) continue;
    if (kept.some(({ point, depth }) => vec3.distance(point, deep.point) < depth / 2)) continue;
    kept.push(deep);
  }
  return kept;
}

/** The mean vertices of up to this many leaves, spread over all. */
function middlesOfPieces({ set, hulls }: Solid): Vec3[] {
  const { positions, vertexStart, nodeVertices } = set;
  const leaves: number[] = [];
  for (let node = 0; node < hulls.nodePieces.length; node++) if (hulls.children[2 * node] < 0) leaves.push(node);
  const step = Math.max(1, leaves.length / TRIED_PIECES);
  const middles: Vec3[] = [];
  for (let i = 0; i < leaves.length; i += step) {
    const node = leaves[Math.floor(i)];
    const middle: Vec3 = [0, 0, 0];
    const share = 1 / (vertexStart[node + 1] - vertexStart[node]);
    for (let v = vertexStart[node]; v < vertexStart[node + 1]; v++) {
      for (let axis = 0; axis < 3; axis++) middle[axis] += share * positions[3 * nodeVertices[v] + axis];
    }
    middles.push(middle);
  }
  return middles;
}

/** Climbs along each axis both ways, by half the depth, then less. */
function deepen(model: ProximityModel, start: DeepPoint): DeepPoint {
  let best = start;
  let step = Math.max(Math.abs(best.depth), 0.05 * model.radius);
  for (let i = 0; i < DEEPENING_STEPS; i++) {
    const before = best;
    for (let axis = 0; axis < 3; axis++) {
      for (const sign of [-1, 1]) {
        const point: Vec3 = [...best.point];
        point[axis] += sign * step;
        const depth = -model.signedDistance(point);
        if (depth > best.depth) best = { point, depth };
      }
    }
    if (best === before) step /= 2;
  }
  return best;
}

/** The balls of two solids at one placement. */
export class InnerBalls {
  /** Deep points of A in A's frame and of B in A's frame, each with its depth. */
  readonly #ofA: readonly DeepPoint[];
  readonly #ofB: readonly DeepPoint[];
  readonly #point: Vec3 = [0, 0, 0];
  readonly #a: Solid;
  readonly #b: Solid;
  readonly #inverse: Float64Array;

  /**
   * @param placement B in A's frame, row-major 3 × 4.
   * @param inverse A in B's frame.
   */
  constructor(a: Solid, b: Solid, placement: Float64Array, inverse: Float64Array, progress?: ProgressOptions) {
    this.#a = a;
    this.#b = b;
    this.#inverse = inverse;
    this.#ofA = findDeepPoints(a, progress);
    this.#ofB = findDeepPoints(b, progress).map(({ point, depth }) => ({
      point: place(placement, point, [0, 0, 0]),
      depth,
    }));
  }

  /** The radius of a ball of overlapping translations around a translation of A; not positive if none is known. */
  radiusAt(x: number, y: number, z: number): number {
    const a = this.#a;
    const b = this.#b;
    const inverse = this.#inverse;
    const at = this.#point;
    let radius = 0;
    for (const { point, depth } of this.#ofA) {
      at[0] = point[0] + x;
      at[1] = point[1] + y;
      at[2] = point[2] + z;
      place(inverse, at, at);
      const inB = depthIn(b.model, at, radius - depth);
      if (inB > 0) radius = Math.max(radius, inB + depth);
    }
    for (const { point, depth } of this.#ofB) {
      at[0] = point[0] - x;
      at[1] = point[1] - y;
      at[2] = point[2] - z;
      const inA = depthIn(a.model, at, radius - depth);
      if (inA > 0) radius = Math.max(radius, inA + depth);
    }
    return radius - BALL_ROUNDING * (a.model.magnitude + b.model.magnitude + Math.abs(x) + Math.abs(y) + Math.abs(z));
  }
}

/** How deep a point is in a solid, if it may be deeper than `least`: the sides of the box bound the depth. */
function depthIn(model: ProximityModel, point: ReadonlyVec3, least: number): number {
  const { boxMin, boxMax } = model;
  for (let axis = 0; axis < 3; axis++) {
    const room = Math.min(point[axis] - boxMin[axis], boxMax[axis] - point[axis]);
    if (room <= 0 || room <= least) return 0;
  }
  return -model.signedDistance(point);
}

function place(m: Float64Array, point: ReadonlyVec3, out: Vec3): Vec3 {
  const [x, y, z] = [point[0], point[1], point[2]];
  out[0] = m[0] * x + m[1] * y + m[2] * z + m[3];
  out[1] = m[4] * x + m[5] * y + m[6] * z + m[7];
  out[2] = m[8] * x + m[9] * y + m[10] * z + m[11];
  return out;
}
