import { expect, test } from 'vitest';
import { ElasticBody } from '../../src/elastic/body/elastic-body.js';
import { boxTetrahedra } from '../../src/elastic/tetrahedra/box-tetrahedra.js';
import { ElasticWorld } from '../../src/elastic/world/elastic-world.js';
import { readSimulationScene } from '../../src/simulation/read-simulation-scene.js';

// Without loads the energy of a body is near 0, and what is computed from its stiffness is mostly rounding. Steps ended unsolved
// after up to 200 Newton steps, since a line search compared those energies.
const CELLS = [
  [16, 3, 2],
  [6, 2, 1],
];

test.each([
  [1, 1e5],
  [1, 1e7],
  [1, 1e9],
  [0.01, 1e5],
  [0.01, 1e7],
  [0.01, 1e9],
  [100, 1e7],
])('free bars of %s m and %s Pa that spin and fly need few Newton steps', (size, young) => {
  for (const [spin, flight] of [
    [2, 0],
    [20, 0],
    [0.01, 0],
    [0, 3],
    [2, 100],
  ]) {
    // At 100 m a bar that spins by 20 rad/s bends by its own length.
    if (spin * size > 1000) continue;
    for (const cells of CELLS) {
      for (const integrator of ['auto', 'bdf2'] as const) {
        const world = new ElasticWorld({ integrator, timestep: 1 / 120 });
        const body = new ElasticBody(boxTetrahedra([size, 0.2 * size, 0.1 * size], cells), { young });
        world.addBody(body);
        const { positions: x, velocities: v } = body;
        for (let i = 0; i < x.length; i += 3) {
          v[i] = -spin * x[i + 1];
          v[i + 1] = spin * x[i];
          v[i + 2] = flight * size;
        }
        const reports = Array.from({ length: cells === CELLS[0] ? 5 : 15 }, () => world.step());
        const what = `${integrator}, ${spin} rad/s, ${flight} lengths a second, ${cells}`;
        expect(new Set(reports.map(({ status }) => status)), what).toEqual(new Set(['converged']));
        expect(Math.max(...reports.map(({ iterations }) => iterations)), what).toBeLessThanOrEqual(10);
      }
    }
  }
});

test('a scene of a bar of 1,496 elements that only spins leaves no step unsolved', async () => {
  const simulation = await readSimulationScene({
    gravity: [0, 0, 0],
    timestep: 1 / 120,
    bodies: [
      {
        shape: { box: [1, 0.2, 0.1] },
        angularVelocity: [0, 0, 2],
        pose: [0, 1, 0, 0, 0, 0, 1],
        elastic: { young: 1e7 },
      },
    ],
  });
  for (let i = 0; i < 15; i++) simulation.step();
  expect(simulation.elements).toBe(1496);
  expect(simulation.unsolved).toBe(0);
});
