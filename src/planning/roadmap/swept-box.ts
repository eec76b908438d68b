// Boxes around everything that robots touch at a configuration or along an edge: what a moved obstacle does not reach
// keeps its proof without a query.
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { Obstacle } from '../../kinematics/validity/obstacle.js';

/** Proven: the count of numbers of a box: the least and the greatest coordinates. */
export const BOX = 6;

export class SweptBoxes {
  readonly #scene: CollisionScene;
  /** The largest distance of a vertex from the origin of each link. */
  readonly #reaches: readonly number[];

  constructor(scene: CollisionScene) {
    this.#scene = scene;
    this.#reaches = scene.robots.flatMap(({ links }) => links.map(({ model }) => farthest(model.mesh.positions)));
  }

  /** Writes the box of all links at q. */
  ofConfiguration(q: Float64Array, out: Float64Array): void {
    const poses = this.#scene.posesAt(q);
    for (let k = 0; k < 3; k++) {
      out[k] = Infinity;
      out[3 + k] = -Infinity;
    }
    for (const [link, reach] of this.#reaches.entries()) {
      for (let k = 0; k < 3; k++) {
        const at = poses[7 * link + k];
        out[k] = Math.min(out[k], at - reach);
        out[3 + k] = Math.max(out[3 + k], at + reach);
      }
    }
  }

  /**
   * Writes the box of an edge from those of its ends. Origins of bodies that move evenly stay between the ends. A point of a
   * chain is never farther from where it is at the nearer end than half of what the whole edge can move it.
   */
  ofEdge(a: Float64Array, b: Float64Array, boxA: Float64Array, boxB: Float64Array, out: Float64Array): void {
    let more = 0;
    for (const robot of this.#scene.robots) if (robot.speeds !== null) more = Math.max(more, robot.distance(a, b) / 2);
    for (let k = 0; k < 3; k++) {
      out[k] = Math.min(boxA[k], boxB[k]) - more;
      out[3 + k] = Math.max(boxA[3 + k], boxB[3 + k]) + more;
    }
  }
}

/** The box of an obstacle where it is. */
export function boxOfObstacle({ model, pose: p }: Obstacle): Float64Array {
  const out = new Float64Array(BOX);
  const [x, y, z, w] = [p[3], p[4], p[5], p[6]];
  const rows = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
  for (let k = 0; k < 3; k++) {
    let [middle, half] = [p[k], 0];
    for (let j = 0; j < 3; j++) {
      middle += (rows[k][j] * (model.boxMin[j] + model.boxMax[j])) / 2;
      half += (Math.abs(rows[k][j]) * (model.boxMax[j] - model.boxMin[j])) / 2;
    }
    // Rounding of the pose.
    half += 1e-12 * (Math.abs(middle) + half);
    out[k] = middle - half;
    out[3 + k] = middle + half;
  }
  return out;
}

/** How far two boxes are apart; 0 if they overlap. */
export function boxGap(a: Float64Array, b: Float64Array): number {
  let squared = 0;
  for (let k = 0; k < 3; k++) squared += Math.max(0, a[k] - b[3 + k], b[k] - a[3 + k]) ** 2;
  return Math.sqrt(squared);
}

function farthest(positions: Float64Array): number {
  let most = 0;
  for (let i = 0; i < positions.length; i += 3) {
    most = Math.max(most, positions[i] ** 2 + positions[i + 1] ** 2 + positions[i + 2] ** 2);
  }
  return Math.sqrt(most) * (1 + 1e-12);
}
