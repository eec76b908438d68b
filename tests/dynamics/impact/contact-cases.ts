// Random pairs of moving shapes that are apart at the start, for tests and for the table of iterations.
import { createRandom } from '../../../src/core/random.js';
import type { MovingShape } from '../../../src/dynamics/impact/time-of-contact.js';
import { CollisionShape } from '../../../src/manifold/shape/collision-shape.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { findModel } from '../../../src/models/catalogue.js';
import { boxMesh } from '../../generators/surfaces.js';

export interface ContactCase {
  /** Index of the mesh of {@link contactMeshes}; −1: a ball. */
  readonly meshA: number;
  readonly meshB: number;
  readonly a: MovingShape;
  readonly b: MovingShape;
}

export const contactMeshes: readonly Mesh[] = [
  findModel('torus').build({ majorSegments: 12, minorSegments: 7 }),
  findModel('cone').build({ segments: 9, bands: 2 }),
  boxMesh([-1, -0.02, -1], [1, 0.02, 1]),
  boxMesh([-0.03, -0.9, -0.03], [0.03, 0.3, 0.03]),
  boxMesh([-0.4, -0.3, -0.5], [0.5, 0.4, 0.2]),
];
const shapes = contactMeshes.map((mesh) => CollisionShape.solid(mesh));

/** Two bodies within some lengths of each other, one thrown at the other, both spinning. */
export function createContactCase(seed: number, speed = 3, spin = 4): ContactCase {
  const random = createRandom(seed);
  const moving = (mesh: number, from: readonly number[], velocity: readonly number[]): MovingShape => {
    const [x, y, z] = random.direction();
    const turning = spin * random.next();
    return {
      shape: mesh < 0 ? CollisionShape.ball(random.range(0.05, 0.5)) : shapes[mesh],
      pose: [...from, ...random.rotation()],
      velocity: [velocity[0], velocity[1], velocity[2]],
      angularVelocity: [turning * x, turning * y, turning * z],
      center: mesh < 0 ? [0, 0, 0] : [0.1, -0.2, 0.05],
    };
  };
  const pick = (): number => random.integer(contactMeshes.length + 1) - 1;
  const [meshA, meshB] = [pick(), pick()];
  const direction = random.direction();
  const away = random.range(1, 3);
  const goal = random.direction();
  const off = 0.6 * random.next();
  const velocity = direction.map((value, k) => speed * (off * goal[k] - value));
  const a = moving(
    meshA,
    direction.map((value) => away * value),
    velocity,
  );
  return { meshA, meshB, a, b: moving(meshB, [0, 0, 0], [0, 0, 0]) };
}
