// Distances to the obstacles on a grid over the places of an agent: the distance field that potentials come from. It decides
// nothing for certain; obstacles that are moved change it where they are near only.
import type { Vec3 } from '../core/vec3.js';
import type { GridFrame } from '../field/grid.js';
import { gridNodeCount, nodeIndex } from '../field/grid.js';
import type { GuidedBody } from '../kinematics/robot/guided-body.js';
import { type WorldBody, writeLocal } from './world-body.js';

/** Chosen: the most nodes of a grid, by the count of coordinates that change: 2 in the plane, 3 in space. */
const MAX_NODES = [0, 0, 20_000, 30_000] as const;

/** Chosen: the heights of an agent in the plane at which distances are measured, as shares of its own. */
const HEIGHTS = [0.02, 0.5, 0.98] as const;

export class ClearanceGrid {
  readonly frame: GridFrame;
  /** By node: the distance to the nearest obstacle, up to `far`. */
  readonly values: Float64Array;
  /** Distances beyond this do not matter. */
  readonly far: number;
  /** Grows with each change. */
  version = 0;
  readonly #axes: readonly [number, number, number];
  readonly #ways: number;
  /** The coordinates across the plane. */
  readonly #heights: readonly number[];
  readonly #byObstacle: Float64Array[] = [];
  readonly #isStale: boolean[] = [];
  readonly #local = new Float64Array(3);

  /**
   * @param low the least coordinate across the plane of an agent, and `high` the greatest one; not used in space.
   * @param far how far obstacles matter.
   */
  constructor(body: GuidedBody, spacing: number, low: number, high: number, far: number) {
    const { robot } = body;
    this.#axes = robot.axes;
    this.#ways = body.ways;
    this.far = far;
    const offset = Math.hypot(...body.anchor);
    const { min, max } = robot.bounds;
    const axes = robot.axes.slice(0, body.ways);
    const from = axes.map((axis) => min[axis] - offset);
    const extents = axes.map((axis, k) => max[axis] + offset - from[k]);
    const volume = extents.reduce((product, extent) => product * Math.max(extent, spacing), 1);
    const step = Math.max(spacing, (volume / MAX_NODES[body.ways]) ** (1 / body.ways));
    const counts = extents.map((extent) => Math.max(2, Math.ceil(extent / step) + 1));
    this.frame = {
      origin: [from[0], from[1], from[2] ?? 0],
      spacing: step,
      size: [counts[0], counts[1], counts[2] ?? 1],
    };
    this.#heights = body.ways === 2 ? HEIGHTS.map((share) => low + share * (high - low)) : [0];
    this.values = new Float64Array(gridNodeCount(this.frame)).fill(far);
  }

  /** To be called when an obstacle is added or has moved. */
  obstacleMoved(index: number): void {
    this.#isStale[index] = true;
  }

  /** Measures what has changed. */
  update(obstacles: readonly WorldBody[]): void {
    let hasChanged = false;
    for (let i = 0; i < obstacles.length; i++) {
      if (!this.#isStale[i]) continue;
      this.#measure(i, obstacles[i]);
      this.#isStale[i] = false;
      hasChanged = true;
    }
    if (!hasChanged) return;
    this.version++;
    this.values.fill(this.far);
    for (const values of this.#byObstacle) {
      if (values === undefined) continue;
      for (let n = 0; n < values.length; n++) if (values[n] < this.values[n]) this.values[n] = values[n];
    }
  }

  /** Writes where a point of the world is on the grid. */
  project(point: ArrayLike<number>, out: Float64Array): void {
    for (let k = 0; k < 3; k++) out[k] = k < this.#ways ? point[this.#axes[k]] : 0;
  }

  /** The distance at the node nearest to a point of the world. */
  valueAt(point: ArrayLike<number>): number {
    const { origin, spacing, size } = this.frame;
    const at = this.#local;
    this.project(point, at);
    const node = (k: number): number => {
      return Math.min(size[k] - 1, Math.max(0, Math.round((at[k] - origin[k]) / spacing)));
    };
    return this.values[nodeIndex(this.frame, node(0), node(1), this.#ways === 2 ? 0 : node(2))];
  }

  #measure(index: number, obstacle: WorldBody): void {
    const { origin, spacing, size } = this.frame;
    const { model } = obstacle.shape;
    const values = (this.#byObstacle[index] ??= new Float64Array(this.values.length));
    const [u, v, w] = this.#axes;
    const point: Vec3 = [0, 0, 0];
    const local = this.#local;
    for (let k = 0, n = 0; k < size[2]; k++) {
      for (let j = 0; j < size[1]; j++) {
        // A distance changes by no more than the way: where the node before is far, this one is nearly as far.
        let least = 0;
        for (let i = 0; i < size[0]; i++, n++) {
          least -= spacing;
          if (least > this.far) {
            values[n] = least;
            continue;
          }
          point[u] = origin[0] + i * spacing;
          point[v] = origin[1] + j * spacing;
          least = Infinity;
          for (const height of this.#heights) {
            point[w] = this.#ways === 2 ? height : origin[2] + k * spacing;
            writeLocal(obstacle.pose, point, local);
            const { center, radius } = model;
            const ball = Math.hypot(local[0] - center[0], local[1] - center[1], local[2] - center[2]) - radius;
            const distance = ball > this.far ? ball : model.signedDistance([local[0], local[1], local[2]]);
            least = Math.min(least, distance);
          }
          values[n] = least;
        }
      }
    }
  }
}
