// An upper bound of the deepest overlap of surfaces with solids, from exact distances: triangles of each surface are cut until
// the bound of each piece is no more than the deepest point found, and a little. The distance from a triangle is convex,
// so that over a piece it is largest at a corner.
import { nearestOnTriangle, TrianglePoint } from '../../mesh/triangle/closest-point.js';
import { boxesOverlap, pointBoxDistanceSquared } from '../../spatial/box-relations.js';
import { buildBvh } from '../../spatial/build-bvh.js';
import type { Bvh } from '../../spatial/bvh.js';
import type { ContactBody } from './contact-body.js';
import { itemsInBox } from './edge-contacts.js';
import { ElementSearch, MARKED } from './element-search.js';
import type { RigidObstacle } from './rigid-obstacle.js';

/** Chosen: how far the bound may be above the deepest point, as a share of its depth. */
const SLACK = 0.02;

/** Chosen: how far it may be above in any case, as a share of the mean edge. */
const MIN_SLACK = 0.005;

/** Chosen: pieces smaller than this share of the mean edge are not cut, and their bound is taken as it is. */
const MIN_PIECE = 1 / 256;

/** Chosen: pieces that come from this many cuts are not cut again. */
const MAX_CUTS = 24;

/** A solid that points can be in. */
interface Solid {
  /** The depth of a point, negative outside. */
  depth(x: number, y: number, z: number): number;
  /** What the depth is at most in a triangle of nine numbers, whose middle was the last point asked for. */
  bound(t: Float64Array): number;
}

export class DeepestOverlap {
  readonly #bodies: readonly ContactBody[];
  readonly #obstacles: readonly RigidObstacle[];
  readonly #search: ElementSearch;
  readonly #found = { list: new Int32Array(64) };
  readonly #box = new Float64Array(6);
  /** The deepest point, and the largest bound of a piece that was cut no further. */
  #deepest = 0;
  #bound = 0;
  #slack = 0;
  #leastPiece = 0;

  constructor(bodies: readonly ContactBody[], obstacles: readonly RigidObstacle[]) {
    this.#bodies = bodies;
    this.#obstacles = obstacles;
    this.#search = new ElementSearch(Math.max(...bodies.map(({ mesh }) => mesh.positions.length / 3)));
  }

  /** The bound at x. Rigid bodies must have been placed. */
  measure(x: Float64Array): number {
    this.#deepest = this.#bound = 0;
    for (const body of this.#bodies) {
      body.fit(x);
      body.clusters.openAll();
    }
    const skins = this.#bodies.map((body) => new DeformedSkin(body, x, this.#search));
    const size = Math.min(...this.#bodies.map((body) => body.size));
    this.#slack = MIN_SLACK * size;
    this.#leastPiece = MIN_PIECE * size;
    const corners = new Float64Array(9);
    for (const [b, skin] of skins.entries()) {
      for (const [a, intruder] of this.#bodies.entries()) {
        if (a === b ? !intruder.constants.selfCollision : !boxesOverlap(intruder.box, 0, skin.body.box, 0)) continue;
        for (let f = 0; f < intruder.faces.length; f += 3) {
          for (let k = 0; k < 9; k++) {
            corners[k] = x[3 * (intruder.firstNode + intruder.faces[f + Math.floor(k / 3)]) + (k % 3)];
          }
          if (this.#mayMeet(skin, corners, a === b ? intruder.faces.subarray(f, f + 3) : null)) {
            this.#cut(skin, corners, 0);
          }
        }
      }
      for (const obstacle of this.#obstacles) {
        this.#measureRigid(obstacle, skin, x);
      }
    }
    return Math.max(this.#bound, this.#deepest);
  }

  #measureRigid(obstacle: RigidObstacle, skin: DeformedSkin, x: Float64Array): void {
    const { faces, firstNode } = skin.body;
    const { solid } = obstacle;
    const inside = new RigidInside(obstacle, longestEdge(skin.body, x));
    const corners = new Float64Array(9);
    for (let f = 0; f < faces.length; f += 3) {
      for (let k = 0; k < 9; k++) corners[k] = x[3 * (firstNode + faces[f + Math.floor(k / 3)]) + (k % 3)];
      this.#cut(inside, corners, 0);
    }
    for (let f = 0; f < solid.faces.length; f += 3) {
      for (let k = 0; k < 3; k++) {
        const v = 3 * solid.faces[f + k];
        const p = solid.vertices;
        obstacle.writePoint(obstacle.frame, p[v], p[v + 1], p[v + 2], corners, 3 * k);
      }
      if (this.#mayMeet(skin, corners, null)) this.#cut(skin, corners, 0);
    }
  }

  /** Whether the box of a triangle meets that of an element, other than those around its own nodes. */
  #mayMeet(skin: DeformedSkin, t: Float64Array, own: Uint32Array | null): boolean {
    const box = this.#box;
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(t[k], t[3 + k], t[6 + k]);
      box[3 + k] = Math.max(t[k], t[3 + k], t[6 + k]);
    }
    const count = itemsInBox(skin.body.tree, box, this.#found);
    if (count === 0) return false;
    skin.isOwn = own !== null;
    if (own === null) return true;
    own.forEach((node, k) => {
      this.#search.mark(skin.body, node, k > 0);
    });
    for (let i = 0; i < count; i++) if (!this.#search.isNear(skin.body, this.#found.list[i])) return true;
    return false;
  }

  #cut(solid: Solid, t: Float64Array, cuts: number): void {
    const [cx, cy, cz] = [0, 1, 2].map((k) => (t[k] + t[3 + k] + t[6 + k]) / 3);
    const depth = solid.depth(cx, cy, cz);
    if (depth > this.#deepest) this.#deepest = depth;
    let radius = 0;
    for (let k = 0; k < 9; k += 3) radius = Math.max(radius, Math.hypot(t[k] - cx, t[k + 1] - cy, t[k + 2] - cz));
    const bound = depth < -radius ? 0 : Math.min(depth + radius, solid.bound(t));
    const enough = this.#deepest + Math.max(this.#slack, SLACK * this.#deepest);
    if (bound <= enough || radius < this.#leastPiece || cuts === MAX_CUTS) {
      if (bound > this.#bound) this.#bound = bound;
      return;
    }
    const middle = (i: number, j: number, k: number): number => (t[3 * i + k] + t[3 * j + k]) / 2;
    const [ab, bc, ca] = [
      [0, 1],
      [1, 2],
      [2, 0],
    ].map(([i, j]) => [middle(i, j, 0), middle(i, j, 1), middle(i, j, 2)]);
    const corner = (i: number): number[] => [t[3 * i], t[3 * i + 1], t[3 * i + 2]];
    this.#cut(solid, Float64Array.from([...ab, ...bc, ...ca]), cuts + 1);
    this.#cut(solid, Float64Array.from([...corner(0), ...ab, ...ca]), cuts + 1);
    this.#cut(solid, Float64Array.from([...corner(1), ...bc, ...ab]), cuts + 1);
    this.#cut(solid, Float64Array.from([...corner(2), ...ca, ...bc]), cuts + 1);
  }
}

/** An elastic body as it is deformed. */
class DeformedSkin implements Solid {
  readonly body: ContactBody;
  /** The points are those of its own surface: what was marked does not count. */
  isOwn = false;
  readonly #x: Float64Array;
  readonly #search: ElementSearch;
  readonly #bvh: Bvh;
  readonly #corners: Float64Array;
  readonly #point = new TrianglePoint();
  #nearest = -1;

  constructor(body: ContactBody, x: Float64Array, search: ElementSearch) {
    this.body = body;
    this.#x = x;
    this.#search = search;
    const { faces, firstNode } = body;
    this.#corners = new Float64Array(3 * faces.length);
    const boxes = new Float64Array(2 * faces.length);
    for (let f = 0; f < faces.length / 3; f++) {
      for (let k = 0; k < 3; k++) {
        const at = 3 * (firstNode + faces[3 * f + k]);
        for (let axis = 0; axis < 3; axis++) {
          const value = x[at + axis];
          this.#corners[9 * f + 3 * k + axis] = value;
          boxes[6 * f + axis] = k === 0 ? value : Math.min(boxes[6 * f + axis], value);
          boxes[6 * f + 3 + axis] = k === 0 ? value : Math.max(boxes[6 * f + 3 + axis], value);
        }
      }
    }
    this.#bvh = buildBvh(boxes);
  }

  depth(x: number, y: number, z: number): number {
    const element = this.#search.find(this.body, this.#x, x, y, z, this.isOwn ? MARKED : -1);
    const distance = this.#findNearest(x, y, z);
    return element >= 0 && this.#search.isInside ? distance : -distance;
  }

  bound(t: Float64Array): number {
    if (this.#nearest < 0) return Infinity;
    let most = 0;
    for (let k = 0; k < 9; k += 3) {
      nearestOnTriangle(this.#corners, 9 * this.#nearest, t[k], t[k + 1], t[k + 2], this.#point);
      most = Math.max(most, this.#point.distanceSquared);
    }
    return Math.sqrt(most);
  }

  /** The distance from the surface, without the faces around marked nodes where those do not count. */
  #findNearest(x: number, y: number, z: number): number {
    const { nodeBoxes, nodeLeft, nodeFirst, nodeItems, items } = this.#bvh;
    const { faces } = this.body;
    let best = Infinity;
    this.#nearest = -1;
    const stack = [0];
    while (stack.length > 0) {
      const node = stack.pop()!;
      if (pointBoxDistanceSquared(x, y, z, nodeBoxes, 6 * node) >= best) continue;
      const left = nodeLeft[node];
      if (left !== 0) {
        const isLeftNear =
          pointBoxDistanceSquared(x, y, z, nodeBoxes, 6 * left) <
          pointBoxDistanceSquared(x, y, z, nodeBoxes, 6 * left + 6);
        stack.push(isLeftNear ? left + 1 : left, isLeftNear ? left : left + 1);
        continue;
      }
      for (let slot = nodeFirst[node]; slot < nodeFirst[node] + nodeItems[node]; slot++) {
        const face = items[slot];
        if (this.isOwn && [0, 1, 2].some((k) => this.#search.isMarked(faces[3 * face + k]))) continue;
        nearestOnTriangle(this.#corners, 9 * face, x, y, z, this.#point);
        if (this.#point.distanceSquared >= best) continue;
        best = this.#point.distanceSquared;
        this.#nearest = face;
      }
    }
    return Math.sqrt(best);
  }
}

class RigidInside implements Solid {
  readonly #obstacle: RigidObstacle;
  readonly #local = new Float64Array(3);
  readonly #corners = new Float64Array(9);
  /** More than the radius of any triangle. */
  readonly #reach: number;

  constructor(obstacle: RigidObstacle, reach: number) {
    this.#obstacle = obstacle;
    this.#reach = reach;
  }

  depth(x: number, y: number, z: number): number {
    const p = this.#local;
    this.#obstacle.writeLocal(x, y, z, p);
    const { solid } = this.#obstacle;
    // Beyond the reach it is enough that nothing overlaps.
    return solid.measure(p[0], p[1], p[2], this.#reach) ? -solid.distance : -this.#reach;
  }

  bound(t: Float64Array): number {
    for (let k = 0; k < 9; k += 3) {
      this.#obstacle.writeLocal(t[k], t[k + 1], t[k + 2], this.#local);
      this.#corners.set(this.#local, k);
    }
    return this.#obstacle.solid.boundDepth(this.#corners);
  }
}

/** No point of a face is farther from its middle than this. */
function longestEdge({ edges, firstNode }: ContactBody, x: Float64Array): number {
  let most = 0;
  for (let e = 0; e < edges.vertices.length; e += 2) {
    const [a, b] = [3 * (firstNode + edges.vertices[e]), 3 * (firstNode + edges.vertices[e + 1])];
    most = Math.max(most, Math.hypot(x[a] - x[b], x[a + 1] - x[b + 1], x[a + 2] - x[b + 2]));
  }
  return most;
}
