// The boxes of the parts of an assembly in the world: which parts are near a point, and how large the whole is.

import type { AssemblyPart } from '../../clash/assembly.js';
import * as pose from '../../core/pose.js';
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';

export class PartBoxes {
  /** Six numbers a part: around its own box, turned. */
  readonly #boxes: Float64Array;

  constructor(parts: readonly AssemblyPart[]) {
    this.#boxes = new Float64Array(6 * parts.length);
    for (const [i, { model, pose: placement }] of parts.entries()) {
      const m = pose.toMatrix4(placement);
      const middle = pose.transformPoint(placement, model.center);
      const half = [0, 1, 2].map((k) => (model.boxMax[k] - model.boxMin[k]) / 2);
      for (let row = 0; row < 3; row++) {
        const reach = [0, 1, 2].reduce((sum, k) => sum + Math.abs(m[4 * row + k]) * half[k], 0);
        this.#boxes[6 * i + row] = middle[row] - reach;
        this.#boxes[6 * i + 3 + row] = middle[row] + reach;
      }
    }
  }

  /** The parts whose boxes come within `radius` of a point, the nearest first. */
  near(point: ReadonlyVec3, radius: number): number[] {
    const found: { part: number; distance: number }[] = [];
    for (let part = 0; 6 * part < this.#boxes.length; part++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) {
        const outside = Math.max(0, this.#boxes[6 * part + k] - point[k], point[k] - this.#boxes[6 * part + 3 + k]);
        sum += outside * outside;
      }
      if (sum <= radius * radius) found.push({ part, distance: sum });
    }
    return found.sort((p, q) => p.distance - q.distance || p.part - q.part).map(({ part }) => part);
  }

  /** A ball around some of the parts. */
  ballAround(parts: Iterable<number>): { center: Vec3; radius: number } {
    const low: Vec3 = [Infinity, Infinity, Infinity];
    const high: Vec3 = [-Infinity, -Infinity, -Infinity];
    for (const part of parts) {
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], this.#boxes[6 * part + k]);
        high[k] = Math.max(high[k], this.#boxes[6 * part + 3 + k]);
      }
    }
    const center = low.map((value, k) => (value + high[k]) / 2) as Vec3;
    return { center, radius: Math.hypot(...low.map((value, k) => (high[k] - value) / 2)) || 1 };
  }
}
