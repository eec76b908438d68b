// The scenes of rigid bodies: what was published of them, and starts that are what they claim to be.
import { readSimulationScene } from 'nearfield/dynamics';
import { massProperties } from 'nearfield/mesh';
import { describe, expect, test } from 'vitest';
import { prismsOf } from '../../bench/peers/dynamics/convex-prisms.js';
import { rigidScenes } from '../../bench/scenarios/bodies/catalogue.js';
import { heapOfLetters } from '../../bench/scenarios/bodies/letters.js';

const OVERLAPPING = ['letters-tangle', 'tori', 'grates'];

describe.each(rigidScenes)('$name', ({ name, build }) => {
  test('is read, the same each time, and starts as it says', async () => {
    const scene = build();
    expect(build()).toEqual(scene);
    // A file holds all of it.
    expect(JSON.stringify(JSON.parse(JSON.stringify(scene)))).toBe(JSON.stringify(scene));
    const simulation = await readSimulationScene(scene);
    const { worstPenetration } = simulation.frame();
    if (OVERLAPPING.includes(name)) expect(worstPenetration).toBeGreaterThan(0.3);
    else expect(worstPenetration).toBeLessThan(1e-9);
  });
});

test('letters and digits have 250 triangles on average, and the bowl has 176', async () => {
  const scene = rigidScenes.find(({ name }) => name === 'letters-bowl')!.build();
  const { bodies } = await readSimulationScene(scene);
  const trianglesOf = ({ shape }: (typeof bodies)[number]) => ('mesh' in shape ? shape.mesh.indices.length / 3 : 0);
  const letters = bodies.filter(({ kind }) => kind === 'dynamic');
  expect(letters).toHaveLength(200);
  const mean = letters.reduce((sum, body) => sum + trianglesOf(body), 0) / 200;
  expect(mean).toBeGreaterThan(220);
  expect(mean).toBeLessThan(280);
  expect(trianglesOf(bodies[0])).toBe(176);
});

test('the convex prisms of peers fill their letters', async () => {
  const { bodies } = await readSimulationScene(heapOfLetters(36));
  const meshes = bodies.flatMap(({ shape, kind }) => (kind === 'dynamic' && 'mesh' in shape ? [shape.mesh] : []));
  expect(new Set(meshes).size).toBe(36);
  let count = 0;
  for (const mesh of meshes) {
    const prisms = prismsOf(mesh);
    count += prisms.length;
    // A prism has the area of its front times its depth: front and back have the same corners, in the same order.
    const volume = prisms.reduce((sum, corners) => sum + frontArea(corners) * 0.25, 0);
    expect(volume).toBeCloseTo(massProperties(mesh).volume, 6);
  }
  expect(count / 36).toBeGreaterThan(8);
  expect(count / 36).toBeLessThan(20);
});

function frontArea(corners: Float32Array): number {
  const n = corners.length / 6;
  let doubled = 0;
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    doubled += corners[3 * i] * corners[3 * j + 1] - corners[3 * j] * corners[3 * i + 1];
  }
  return doubled / 2;
}
