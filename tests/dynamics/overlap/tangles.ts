// Bodies that start in each other, and what holds of them: for tests of recovery from overlap.
import type { Random } from '../../../src/core/random.js';
import { Bodies, DYNAMIC, STATIC } from '../../../src/dynamics/body/bodies.js';
import { measureBodyMass } from '../../../src/dynamics/body/body-mass.js';
import { CorePair } from '../../../src/dynamics/impact/core-pair.js';
import type { CollisionShape } from '../../../src/manifold/shape/collision-shape.js';

export function addBody(bodies: Bodies, shape: CollisionShape, pose: ArrayLike<number>, fixed = false): number {
  const slot = bodies.add(fixed ? STATIC : DYNAMIC, shape);
  if (!fixed) bodies.setMass(slot, measureBodyMass(shape, { density: 1000 }));
  bodies.setPose(slot, pose);
  return slot;
}

/** Bodies of random shapes and rotations with their origins in a cube. */
export function scatter(shapes: readonly CollisionShape[], count: number, halfSide: number, random: Random): Bodies {
  const bodies = new Bodies();
  for (let i = 0; i < count; i++) {
    const at = [0, 1, 2].map(() => random.range(-halfSide, halfSide));
    addBody(bodies, shapes[random.integer(shapes.length)], [...at, ...random.rotation()]);
  }
  return bodies;
}

/** Finds the pairs of bodies that meet, by exact tests. */
export class MeetingPairs {
  count = 0;
  readonly pairs: Int32Array;
  readonly #cores = new Map<number, CorePair>();

  constructor(readonly bodies: Bodies) {
    this.pairs = new Int32Array(bodies.count * bodies.count);
  }

  update(): number {
    const { bodies } = this;
    this.count = 0;
    const poses = Array.from({ length: bodies.count }, (_, i) => {
      const pose = new Float64Array(7);
      bodies.writePose(i, pose);
      return pose;
    });
    for (let a = 0; a < bodies.count; a++) {
      for (let b = a + 1; b < bodies.count; b++) {
        const key = a * bodies.count + b;
        let cores = this.#cores.get(key);
        if (cores === undefined) this.#cores.set(key, (cores = new CorePair(bodies.shape[a]!, bodies.shape[b]!)));
        if (!cores.meets(poses[a], poses[b])) continue;
        this.pairs[2 * this.count] = a;
        this.pairs[2 * this.count++ + 1] = b;
      }
    }
    return this.count;
  }
}
