// The field of clearances against sums over all triangles: its bounds hold everywhere, and obstacles that move begin it anew.
import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import type { Vec3 } from '../../src/core/vec3.js';
import { ClearanceField } from '../../src/kinematics/filter/clearance-field.js';
import { boxMesh, outerCylinder } from '../../src/kinematics/urdf/outer-shapes.js';
import type { Obstacle } from '../../src/kinematics/validity/obstacle.js';
import { placeMesh } from '../../src/mesh/place-mesh.js';
import { findModel } from '../../src/models/catalogue.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { distanceToMesh } from '../oracles/point-mesh-distance.js';
import { windingNumberBySum } from '../oracles/winding-number.js';

/** The signed distance to the nearest of all obstacles. */
function signedDistance(obstacles: readonly Obstacle[], point: Vec3): number {
  const distances = obstacles.map(({ model, pose }) => {
    const { positions, indices } = placeMesh(model.mesh, pose);
    const isInside = windingNumberBySum(positions, indices, point) > 0.5;
    return (isInside ? -1 : 1) * distanceToMesh(positions, indices, point);
  });
  return Math.min(...distances);
}

test('bounds of the field hold, and tell what is asked for as well as its cubes can', () => {
  const random = createRandom(3);
  const meshes = [findModel('torus').build({}), boxMesh([1, 0.6, 0.4]), outerCylinder(0.2, 0.7)];
  const [torus, block, can] = meshes.map((mesh) => new ProximityModel(mesh));
  const place = (): Obstacle['pose'] => [...random.direction(), ...random.rotation()] as never;
  const obstacles = [torus, block, can].map((model, i) => ({ name: `${i}`, model, pose: [...place()] as never }));
  const field = new ClearanceField(obstacles, [-2, -2, -2], [2, 2, 2], 0.5);
  let [decided, asked] = [0, 0];
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 150; i++) {
      // Some points are beyond the space.
      const point: Vec3 = [random.range(-2.2, 2.2), random.range(-2.2, 2.2), random.range(-2.2, 2.2)];
      const distance = signedDistance(obstacles, point);
      const wanted = random.range(0, 0.5);
      field.look(...point, wanted, wanted / 2);
      expect(field.low).toBeLessThanOrEqual(distance);
      expect(field.high).toBeGreaterThanOrEqual(distance);
      asked++;
      if (field.low > wanted || field.high < wanted / 2) decided++;
      // Cubes of a sixteenth of the coarsest leave this much open.
      else expect(field.high - field.low).toBeLessThan((2 * 0.5 * Math.sqrt(3)) / 16 / 2 + 1e-9);
      field.exact(...point, false);
      expect(field.low).toBeLessThanOrEqual(distance);
      expect(field.high).toBeGreaterThanOrEqual(distance);
      expect(field.high - field.low).toBeLessThan(1e-9);
    }
    obstacles[round].pose = place() as never;
    field.refresh();
  }
  expect(decided / asked).toBeGreaterThan(0.8);
});
