// The hull of a surface, the hulls of its two halves, and so on down to single triangles: nodes are made when first asked for. A
// surface is inside of its hull, so that a plane beyond the hull is beyond the surface; a node whose triangles are all sides of
// their hull is not divided further.

import { buildHull } from '../../convex/hull/hull.js';
import type { Part } from '../../core/derived-parts.js';
import { type Mesh, triangleCount } from '../../mesh/mesh.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { DISTANCE_ROUNDING } from '../validity/distance-rounding.js';
import { BALL, type BallCover } from './ball-cover.js';
import { SupportCells } from './support-cells.js';

/** Chosen: models with more triangles have no tree. */
const MAX_TRIANGLES = 3000;

/** Chosen: nodes with more points keep those of their hull alone. */
const MAX_POINTS = 24;

/** Chosen: of nodes with no more triangles than this it is looked at whether they are convex. */
const MAX_CONVEX = 400;

/** Chosen: the share of its hull that a nearly convex solid fills. */
const NEARLY = 0.8;

/** Rounding: points are on a plane within this share of the model's size. */
const ON_PLANE = 1e-13;

/** The hulls of a model; null where it has too many triangles. */
export const HULL_TREE: Part<ProximityModel, HullTree | null> = {
  name: 'tree of hulls',
  make: ({ mesh, radius }) => {
    const count = triangleCount(mesh);
    return count === 0 || count > MAX_TRIANGLES ? null : new HullTree(mesh, radius);
  },
};

/** Chosen: surfaces are halved this often for coarse balls. */
const HALVINGS = 3;

/** Coarse balls of a model that has a tree: around halves of halves of its surface. No fine ones. */
export const COARSE_COVER: Part<ProximityModel, BallCover> = {
  name: 'coarse balls',
  make: ({ parts, magnitude, radius: size }) => {
    const list = parts.get(HULL_TREE)?.ballsAfter(HALVINGS) ?? [];
    const rounding = DISTANCE_ROUNDING * (magnitude + size);
    const balls = new Float64Array(BALL * list.length);
    for (const [i, [x, y, z, radius]] of list.entries()) balls.set([x, y, z, radius + rounding, 0], BALL * i);
    return { balls, coarse: list.length, first: new Int32Array(list.length + 1).fill(list.length) };
  },
};

/** One node. */
export interface HullNode {
  /** Points whose hull is the node's, three numbers each, in the frame of the model. */
  readonly points: Float64Array;
  readonly cells: SupportCells;
  /** A ball around them: the middle and the radius. */
  readonly ball: Float64Array;
  readonly triangles: Uint32Array;
  /** The two halves; null where the node is not divided, undefined before that is known. */
  halves: readonly [HullNode, HullNode] | null | undefined;
}

export class HullTree {
  readonly root: HullNode;
  /** Whether the hull is about as large as the solid: what it does not prove then, smaller parts mostly do not prove either. */
  readonly isNearlyConvex: boolean;
  readonly #mesh: Mesh;
  readonly #rounding: number;

  constructor(mesh: Mesh, radius: number) {
    this.#mesh = mesh;
    this.#rounding = ON_PLANE * radius;
    this.root = this.#make(Uint32Array.from({ length: triangleCount(mesh) }, (_, t) => t));
    const hull = buildHull(this.root.points);
    this.isNearlyConvex =
      Math.abs(volumeOf(mesh.positions, mesh.indices)) >= NEARLY * volumeOf(hull.points, hull.triangles);
  }

  /** The two halves of a node; null for one that is its own hull. */
  halvesOf(node: HullNode): readonly [HullNode, HullNode] | null {
    if (node.halves !== undefined) return node.halves;
    const { triangles } = node;
    node.halves = null;
    if (triangles.length === 1 || this.#isConvex(node)) return null;
    const halves = this.#halve(triangles, node.points);
    node.halves = [this.#make(halves[0]), this.#make(halves[1])];
    return node.halves;
  }

  #halve(triangles: Uint32Array, points: Float64Array): [Uint32Array, Uint32Array] {
    const axis = longestAxis(points);
    const middles = Float64Array.from(triangles, (t) => this.#middle(t, axis));
    const order = Uint32Array.from(triangles, (_, i) => i).sort((i, k) => middles[i] - middles[k] || i - k);
    const half = triangles.length >> 1;
    return [order.subarray(0, half).map((i) => triangles[i]), order.subarray(half).map((i) => triangles[i])];
  }

  /** Balls that contain the surface, four numbers each: around its parts after it has been halved some times. */
  ballsAfter(times: number): Float64Array[] {
    const divide = (triangles: Uint32Array, left: number): Float64Array[] => {
      const points = this.#points(triangles);
      if (left === 0 || triangles.length === 1) return [ballAround(points)];
      return this.#halve(triangles, points).flatMap((half) => divide(half, left - 1));
    };
    return divide(this.root.triangles, times);
  }

  #middle(triangle: number, axis: number): number {
    const { positions, indices } = this.#mesh;
    let sum = 0;
    for (let k = 0; k < 3; k++) sum += positions[3 * indices[3 * triangle + k] + axis];
    return sum;
  }

  #points(triangles: Uint32Array): Float64Array {
    const { positions, indices } = this.#mesh;
    const vertices = new Set<number>();
    for (const t of triangles) for (let k = 0; k < 3; k++) vertices.add(indices[3 * t + k]);
    return distinct(positions, vertices);
  }

  #make(triangles: Uint32Array): HullNode {
    let points = this.#points(triangles);
    if (points.length > 3 * MAX_POINTS) {
      const hull = buildHull(points);
      points = distinct(points, hull.vertices);
    }
    return { points, cells: new SupportCells(points), ball: ballAround(points), triangles, halves: undefined };
  }

  /** Whether every triangle is on the hull, so that the hull is no nearer to anything than they are. */
  #isConvex({ triangles, points }: HullNode): boolean {
    // A part of a surface has sides of its hull besides its triangles.
    if (triangles.length > MAX_CONVEX || triangles.length < triangleCount(this.#mesh)) return false;
    const { positions, indices } = this.#mesh;
    for (const t of triangles) {
      const [a, b, c] = [3 * indices[3 * t], 3 * indices[3 * t + 1], 3 * indices[3 * t + 2]];
      const [ux, uy, uz] = [0, 1, 2].map((k) => positions[b + k] - positions[a + k]);
      const [vx, vy, vz] = [0, 1, 2].map((k) => positions[c + k] - positions[a + k]);
      const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
      const allowed = this.#rounding * Math.sqrt(nx * nx + ny * ny + nz * nz);
      for (let i = 0; i < points.length; i += 3) {
        const x = points[i] - positions[a];
        const y = points[i + 1] - positions[a + 1];
        const z = points[i + 2] - positions[a + 2];
        if (x * nx + y * ny + z * nz > allowed) return false;
      }
    }
    return true;
  }
}

/** The volume that triangles bound. */
function volumeOf(points: Float64Array, triangles: Uint32Array): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    sum += points[a] * (points[b + 1] * points[c + 2] - points[b + 2] * points[c + 1]);
    sum += points[a + 1] * (points[b + 2] * points[c] - points[b] * points[c + 2]);
    sum += points[a + 2] * (points[b] * points[c + 1] - points[b + 1] * points[c]);
  }
  return sum / 6;
}

/** Points without those that are there already. */
function distinct(positions: ArrayLike<number>, vertices: Iterable<number>): Float64Array {
  const seen = new Set<string>();
  const points: number[] = [];
  for (const v of vertices) {
    const [x, y, z] = [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]];
    const key = `${x} ${y} ${z}`;
    if (seen.has(key)) continue;
    seen.add(key);
    points.push(x, y, z);
  }
  return Float64Array.from(points);
}

function longestAxis(points: Float64Array): number {
  let [best, longest] = [0, -1];
  for (let axis = 0; axis < 3; axis++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = axis; i < points.length; i += 3) {
      low = Math.min(low, points[i]);
      high = Math.max(high, points[i]);
    }
    if (high - low > longest) [best, longest] = [axis, high - low];
  }
  return best;
}

/** A ball around points: about the middle of the box around them. */
function ballAround(points: Float64Array): Float64Array {
  const ball = new Float64Array(4);
  for (let axis = 0; axis < 3; axis++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = axis; i < points.length; i += 3) {
      low = Math.min(low, points[i]);
      high = Math.max(high, points[i]);
    }
    ball[axis] = (low + high) / 2;
  }
  let squared = 0;
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = [points[i] - ball[0], points[i + 1] - ball[1], points[i + 2] - ball[2]];
    squared = Math.max(squared, x * x + y * y + z * z);
  }
  ball[3] = Math.sqrt(squared) * (1 + 1e-12);
  return ball;
}
