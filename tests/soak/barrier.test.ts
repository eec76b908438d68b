// Long runs of worlds that never overlap: random drops held to exact triangle tests, and Hertz at finer sizes.
import { describe, expect, test } from 'vitest';
import * as pose from '../../src/core/pose.js';
import { createRandom } from '../../src/core/random.js';
import { RigidWorld } from '../../src/dynamics/world.js';
import { ElasticBody } from '../../src/elastic/body/elastic-body.js';
import { findSurface } from '../../src/elastic/tetrahedra/tetrahedral-mesh.js';
import { tetrahedralizeMesh } from '../../src/elastic/tetrahedra/tetrahedralize-mesh.js';
import { ElasticWorld } from '../../src/elastic/world/elastic-world.js';
import { findModel } from '../../src/models/catalogue.js';
import { pressBall, pressLayer } from '../elastic/pressed-bodies.js';
import { crossingTriangles } from '../oracles/crossing-triangles.js';

const HOUR = { timeout: 3_600_000 };

test.each([1, 2, 3, 4, 5, 6])('balls and tori that are thrown at each other do not cross, seed %i', HOUR, (seed) => {
  const random = createRandom(seed);
  const meshes = [
    tetrahedralizeMesh(findModel('sphere').build({ radius: 0.4 }), { size: 0.3 }).mesh,
    tetrahedralizeMesh(findModel('torus').build(), { size: 0.25 }).mesh,
  ];
  const rigid = new RigidWorld({ gravity: [0, -9.81, 0] });
  rigid.addBody({ shape: { box: [20, 1, 20] }, fixed: true, pose: pose.create([0, -0.5, 0]) });
  const world = new ElasticWorld({ rigid, contact: 'barrier', tolerance: 1e-3 });
  const bodies = [0, 1, 2, 3].map((i) => {
    const young = 10 ** random.range(5, 6.5);
    const body = new ElasticBody(meshes[i % 2], { young, poisson: random.range(0, 0.45), gravity: [0, -9.81, 0] });
    const speed = [random.range(-8, 8), random.range(-30, 0), random.range(-8, 8)];
    const { positions, velocities } = body;
    const low = Math.min(...positions.filter((_, k) => k % 3 === 1));
    for (let k = 0; k < positions.length; k++) {
      positions[k] += k % 3 === 1 ? 3.2 * i + 0.2 - low : random.range(0, 1e-6);
      velocities[k] = speed[k % 3];
    }
    world.addBody(body);
    return body;
  });
  for (let step = 0; step < 40; step++) {
    world.step();
    const positions: number[] = [];
    const indices: number[] = [];
    for (const body of bodies) {
      const first = positions.length / 3;
      positions.push(...body.positions);
      for (const node of findSurface(body.mesh).faces) {
        indices.push(first + node);
        expect(body.positions[3 * node + 1]).toBeGreaterThan(0);
      }
    }
    expect(crossingTriangles(positions, indices)).toEqual([]);
    expect(world.worstPenetration()).toBe(0);
  }
});

describe('Hertz', () => {
  test('a ball between plates, fields and barriers', HOUR, () => {
    const fields = [0.3, 0.2].map((size) => pressBall(size, 0));
    const barriers = [0.3, 0.2].map((size) => pressBall(size, 0.03 * size));
    for (const errors of [fields, barriers]) expect(errors[1]).toBeLessThan(0.7 * errors[0]);
  });

  test('a rigid ball in a layer, barriers', HOUR, () => {
    const errors = [8, 12, 16].map((cells) => pressLayer(cells, 0.001));
    expect(errors[2]).toBeLessThan(0.5 * errors[0]);
    expect(errors[2]).toBeLessThan(0.15);
  });
});
