// Lower and upper bounds on how far points are from the obstacles at rest: a tree of cubes, each divided into 4³ where it is asked
// for. A cube knows the signed distance of its middle, which differs from that of any of its points by no more than how far
// the two are apart. Cubes are made when first asked for, so that only what is near the robot's ways is; where the smallest do
// not tell, the distance of the point itself is taken.
import { writePlacement } from '../../core/placement.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import { POINT_QUERY } from '../../proximity/model-parts.js';
import { DISTANCE_ROUNDING } from '../validity/distance-rounding.js';
import type { Obstacle } from '../validity/obstacle.js';
import { UprightPrism } from './upright-prism.js';

/** Chosen: the parts of a side of a cube. Cubes are divided twice: 64 parts, then 64 of each. */
const SPLIT = 4;

/** Definition: the parts of a cube. */
const PARTS = SPLIT ** 3;

/** Chosen: the most cubes of the coarsest kind along a side. */
const MAX_SIDE = 24;

/** Chosen: the most bricks of 64 cubes, 17 MB. */
const MAX_BRICKS = 32_768;

/** An obstacle in the order of the scene, with what its distance needs. */
interface FieldObstacle {
  readonly obstacle: Obstacle;
  /** The placement that takes points into its frame. */
  readonly into: Float64Array;
  /** Whether the model is the box around it. */
  readonly isBox: boolean;
  /** The prism of a model that is one; null for any other. */
  readonly prism: UprightPrism | null;
}

export class ClearanceField {
  /** How often it began anew. */
  changes = 0;
  /** Exact distances so far. */
  queries = 0;
  /** Bounds of the signed distance of the point asked for last. */
  low = 0;
  high = 0;
  readonly #obstacles: readonly Obstacle[];
  #placed: FieldObstacle[] = [];
  readonly #low: Vec3 = [0, 0, 0];
  readonly #sides: [number, number, number] = [1, 1, 1];
  readonly #size: number;
  /** Of the coarsest cubes, and of bricks of 64: signed distances of middles, NaN where not known. */
  #coarse = new Float64Array(0);
  #bricks = new Float64Array(0);
  /** The brick of a cube plus 1; 0 where it has none. */
  #coarseBrick = new Int32Array(0);
  #fineBrick = new Int32Array(0);
  #brickCount = 0;
  /** By coarsest cube: the obstacles that can be nearest to points of it. */
  #near: (Int32Array | null)[] = [];
  readonly #everything: Int32Array;
  /** Poses of all obstacles when the field began. */
  readonly #poses: Float64Array;
  #rounding = 0;
  readonly #foot: Vec3 = [0, 0, 0];
  readonly #local: Vec3 = [0, 0, 0];

  /**
   * @param low the corner of the space in which points are asked for; others are answered too, at more cost.
   * @param size of the coarsest cubes.
   */
  constructor(obstacles: readonly Obstacle[], low: Vec3, high: Vec3, size: number) {
    this.#obstacles = obstacles;
    const longest = Math.max(...high.map((value, k) => value - low[k]));
    this.#size = Math.max(size, longest / MAX_SIDE);
    for (let k = 0; k < 3; k++) {
      this.#sides[k] = Math.max(1, Math.ceil((high[k] - low[k]) / this.#size));
      this.#low[k] = low[k];
    }
    this.#poses = new Float64Array(7 * obstacles.length).fill(Number.NaN);
    this.#everything = Int32Array.from(obstacles, (_, i) => i);
    this.refresh();
  }

  /** Bytes of the cubes made so far. */
  get bytes(): number {
    return (
      this.#bricks.byteLength + this.#fineBrick.byteLength + this.#coarse.byteLength + this.#coarseBrick.byteLength
    );
  }

  /** Begins anew if an obstacle has been moved since. */
  refresh(): void {
    let isSame = this.#near.length > 0;
    const poses = this.#poses;
    for (let i = 0; i < this.#obstacles.length; i++) {
      const own = this.#obstacles[i].pose;
      for (let k = 0; k < 7; k++) {
        if (poses[7 * i + k] === own[k]) continue;
        poses[7 * i + k] = own[k];
        isSame = false;
      }
    }
    if (isSame) return;
    this.changes++;
    const count = this.#sides[0] * this.#sides[1] * this.#sides[2];
    this.#coarse = new Float64Array(count).fill(Number.NaN);
    this.#coarseBrick = new Int32Array(count);
    this.#near = new Array(count).fill(null);
    this.#bricks = new Float64Array(0);
    this.#fineBrick = new Int32Array(0);
    this.#brickCount = 0;
    this.#placed = this.#obstacles.map(placeObstacle);
    let magnitude = this.#size * Math.max(...this.#sides) + Math.max(...this.#low.map(Math.abs));
    for (const { model, pose: own } of this.#obstacles) {
      magnitude = Math.max(magnitude, model.magnitude + Math.abs(own[0]) + Math.abs(own[1]) + Math.abs(own[2]));
    }
    this.#rounding = DISTANCE_ROUNDING * magnitude;
  }

  /**
   * Looks at a point until its distance is known to be more than `wanted`, or less than `refused`, or as well as the cubes tell it.
   * The answer is in {@link low} and {@link high}. In one piece: it is asked for thousands of points of each edge.
   */
  look(x: number, y: number, z: number, wanted: number, refused: number): void {
    const size = this.#size;
    const [nx, ny, nz] = this.#sides;
    const u = (x - this.#low[0]) / size;
    const v = (y - this.#low[1]) / size;
    const w = (z - this.#low[2]) / size;
    if (!(u >= 0 && v >= 0 && w >= 0 && u < nx && v < ny && w < nz)) {
      this.exact(x, y, z, false);
      return;
    }
    const i = Math.floor(u);
    const j = Math.floor(v);
    const k = Math.floor(w);
    const cube = i + nx * (j + ny * k);
    let middle = this.#coarse[cube];
    if (Number.isNaN(middle)) middle = this.#fillCoarse(cube, i, j, k);
    const a = u - i - 0.5;
    const b = v - j - 0.5;
    const c = w - k - 0.5;
    let off = size * Math.sqrt(a * a + b * b + c * c);
    this.low = middle - off - this.#rounding;
    this.high = middle + off + this.#rounding;
    if (this.low > wanted || this.high < refused) return;
    // The parts of the cube, then the parts of one of them.
    let brick = this.#coarseBrick[cube] - 1;
    if (brick < 0) {
      brick = this.#addBrick();
      if (brick < 0) return;
      this.#coarseBrick[cube] = brick + 1;
    }
    let s = (u - i) * SPLIT;
    let t = (v - j) * SPLIT;
    let r = (w - k) * SPLIT;
    let edge = size / SPLIT;
    for (let level = 0; ; level++) {
      const p = Math.min(SPLIT - 1, Math.floor(s));
      const q = Math.min(SPLIT - 1, Math.floor(t));
      const o = Math.min(SPLIT - 1, Math.floor(r));
      const part = PARTS * brick + p + SPLIT * (q + SPLIT * o);
      const dx = edge * (s - p - 0.5);
      const dy = edge * (t - q - 0.5);
      const dz = edge * (r - o - 0.5);
      off = Math.sqrt(dx * dx + dy * dy + dz * dz);
      middle = this.#bricks[part];
      if (Number.isNaN(middle)) {
        middle = this.#distance(x - dx, y - dy, z - dz, this.#near[cube]!, this.low > off);
        this.#bricks[part] = middle;
      }
      this.low = Math.max(this.low, middle - off - this.#rounding);
      this.high = Math.min(this.high, middle + off + this.#rounding);
      if (level === 1 || this.low > wanted || this.high < refused) return;
      let next = this.#fineBrick[part] - 1;
      if (next < 0) {
        next = this.#addBrick();
        if (next < 0) return;
        this.#fineBrick[part] = next + 1;
      }
      brick = next;
      s = (s - p) * SPLIT;
      t = (t - q) * SPLIT;
      r = (r - o) * SPLIT;
      edge /= SPLIT;
    }
  }

  /**
   * The signed distance of a point, in {@link low} and {@link high}.
   * @param isFree whether the point is known to be in no obstacle.
   */
  exact(x: number, y: number, z: number, isFree: boolean): void {
    // Where the cubes are known, so is what can be nearest, and often on which side of the surface the point is.
    const size = this.#size;
    const [nx, ny, nz] = this.#sides;
    const i = Math.floor((x - this.#low[0]) / size);
    const j = Math.floor((y - this.#low[1]) / size);
    const k = Math.floor((z - this.#low[2]) / size);
    const isWithin = i >= 0 && j >= 0 && k >= 0 && i < nx && j < ny && k < nz;
    const near = isWithin ? this.#near[i + nx * (j + ny * k)] : null;
    const middle = this.#distance(x, y, z, near ?? this.#everything, isFree);
    this.low = middle - this.#rounding;
    this.high = middle + this.#rounding;
  }

  /** The obstacle that is nearest to a point; −1 without obstacles. */
  nearest(x: number, y: number, z: number): number {
    let [best, least] = [-1, Infinity];
    for (const i of this.#everything) {
      const distance = this.#toObstacle(x, y, z, i, Infinity, false);
      if (distance < least) [best, least] = [i, distance];
    }
    return best;
  }

  /** A lower bound of how far a point is from an obstacle: from the box around it. */
  boxDistance(x: number, y: number, z: number, obstacle: number): number {
    const { into, obstacle: own } = this.#placed[obstacle];
    const { boxMin, boxMax } = own.model;
    let squared = 0;
    for (let k = 0; k < 3; k++) {
      const value = into[4 * k] * x + into[4 * k + 1] * y + into[4 * k + 2] * z + into[4 * k + 3];
      const gap = value < boxMin[k] ? boxMin[k] - value : value > boxMax[k] ? value - boxMax[k] : 0;
      squared += gap * gap;
    }
    return Math.sqrt(squared) - this.#rounding;
  }

  #addBrick(): number {
    if (this.#brickCount === MAX_BRICKS) return -1;
    const brick = this.#brickCount++;
    if (PARTS * this.#brickCount > this.#bricks.length) {
      const room = PARTS * Math.max(64, 2 * brick);
      const bricks = new Float64Array(room).fill(Number.NaN);
      bricks.set(this.#bricks);
      this.#bricks = bricks;
      const fine = new Int32Array(room);
      fine.set(this.#fineBrick);
      this.#fineBrick = fine;
    }
    return brick;
  }

  #fillCoarse(cube: number, i: number, j: number, k: number): number {
    const size = this.#size;
    const x = this.#low[0] + (i + 0.5) * size;
    const y = this.#low[1] + (j + 0.5) * size;
    const z = this.#low[2] + (k + 0.5) * size;
    const middle = this.#distance(x, y, z, this.#everything, false);
    // Of a point of the cube, the nearest surface is no farther from the middle than this.
    const reach = Math.abs(middle) + Math.sqrt(3) * size * (1 + 1e-9) + this.#rounding;
    const near: number[] = [];
    for (let o = 0; o < this.#placed.length; o++) if (this.boxDistance(x, y, z, o) <= reach) near.push(o);
    this.#near[cube] = Int32Array.from(near);
    this.#coarse[cube] = middle;
    return middle;
  }

  /** The least signed distance to some obstacles; Infinity without any. */
  #distance(x: number, y: number, z: number, obstacles: Int32Array, isFree: boolean): number {
    let least = Infinity;
    for (let n = 0; n < obstacles.length; n++) {
      const bound = this.boxDistance(x, y, z, obstacles[n]);
      if (bound >= least) continue;
      const distance = this.#toObstacle(x, y, z, obstacles[n], least, isFree || bound > 0);
      if (distance < least) least = distance;
    }
    return least;
  }

  /** @param isFree whether the point is known not to be inside. */
  #toObstacle(x: number, y: number, z: number, index: number, cutoff: number, isFree: boolean): number {
    const { into, obstacle, isBox, prism } = this.#placed[index];
    const { model } = obstacle;
    const local = this.#local;
    for (let k = 0; k < 3; k++) {
      local[k] = into[4 * k] * x + into[4 * k + 1] * y + into[4 * k + 2] * z + into[4 * k + 3];
    }
    if (isBox) return boxSigned(local, model.boxMin, model.boxMax);
    if (prism !== null) return prism.signedDistance(local);
    this.queries++;
    const query = model.parts.get(POINT_QUERY);
    // Inside of a solid the surface may be far: a cutoff is for points outside.
    const isOut = isFree || !model.closed;
    const distance = query.nearest(local, isOut ? Math.max(0, cutoff) : Infinity, this.#foot);
    return !isOut && distance > 0 && query.isInside(local) ? -distance : distance;
  }
}

/** The signed distance of a point to a box. */
function boxSigned(p: Vec3, min: Vec3, max: Vec3): number {
  let squared = 0;
  let inside = -Infinity;
  for (let k = 0; k < 3; k++) {
    const gap = Math.max(min[k] - p[k], p[k] - max[k]);
    if (gap > 0) squared += gap * gap;
    if (gap > inside) inside = gap;
  }
  return squared > 0 ? Math.sqrt(squared) : inside;
}

function placeObstacle(obstacle: Obstacle): FieldObstacle {
  const into = writePlacement(pose.invert(obstacle.pose), new Float64Array(12));
  const isBox = isItsBox(obstacle);
  return { obstacle, into, isBox, prism: isBox ? null : UprightPrism.of(obstacle.model) };
}

/** Whether a closed model is the box around it: every corner of a triangle is one of the box, and every side is covered by two. */
function isItsBox({ model }: Obstacle): boolean {
  const { positions, indices } = model.mesh;
  if (indices.length !== 36 || !model.closed) return false;
  const { boxMin, boxMax } = model;
  const seen = new Set<number>();
  const sides = new Map<string, number>();
  for (let t = 0; t < 36; t += 3) {
    for (let k = 0; k < 3; k++) {
      const values = [0, 1, 2].map((n) => positions[3 * indices[t + n] + k]);
      if (values.some((value) => value !== boxMin[k] && value !== boxMax[k])) return false;
      if (values[0] === values[1] && values[1] === values[2]) {
        const side = `${k} ${values[0]}`;
        sides.set(side, (sides.get(side) ?? 0) + 1);
      }
    }
    for (let n = 0; n < 3; n++) {
      const v = 3 * indices[t + n];
      seen.add([0, 1, 2].reduce((bits, k) => bits + (positions[v + k] === boxMax[k] ? 1 << k : 0), 0));
    }
  }
  return seen.size === 8 && sides.size === 6 && [...sides.values()].every((count) => count === 2);
}
