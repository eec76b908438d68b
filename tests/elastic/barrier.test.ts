import { describe, expect, test } from 'vitest';
import * as pose from '../../src/core/pose.js';
import { createRandom } from '../../src/core/random.js';
import { BarrierSearch } from '../../src/elastic/barrier/barrier-search.js';
import { BarrierSurface } from '../../src/elastic/barrier/barrier-surface.js';
import { BarrierTerm } from '../../src/elastic/barrier/barrier-term.js';
import { ContactBody } from '../../src/elastic/contact/contact-body.js';
import { FrictionTerm } from '../../src/elastic/contact/friction-term.js';
import { RigidObstacle } from '../../src/elastic/contact/rigid-obstacle.js';
import { RigidSolid } from '../../src/elastic/contact/rigid-solid.js';
import type { TetrahedralMesh } from '../../src/elastic/tetrahedra/tetrahedral-mesh.js';
import { findModel } from '../../src/models/catalogue.js';
import { tetrahedraGrid } from '../generators/tetrahedra-grid.js';
import { curvatureError, gradientError } from './term-derivatives.js';

const CONSTANTS = { stiffness: 1e5, friction: 0.5, selfCollision: false, distances: 'none' } as const;
const cube = tetrahedraGrid([2, 2, 2], [1, 1, 1]);

function setUp(
  meshes: readonly TetrahedralMesh[],
  moves: readonly (readonly number[])[],
  shake: number,
  reach: number,
  obstacles: readonly RigidObstacle[] = [],
) {
  const random = createRandom(5);
  const bodies: ContactBody[] = [];
  const values: number[] = [];
  meshes.forEach((mesh, i) => {
    bodies.push(new ContactBody(mesh, CONSTANTS, values.length / 3));
    for (let k = 0; k < mesh.positions.length; k++) {
      values.push(mesh.positions[k] + moves[i][k % 3] + shake * random.range(-1, 1));
    }
  });
  const x = Float64Array.from(values);
  const search = new BarrierSearch(new BarrierSurface(bodies, obstacles, values.length / 3, () => reach));
  const term = new BarrierTerm(search, obstacles);
  term.placeObstacles();
  term.update(x);
  return { bodies, x, term, search };
}

function obstacleAt(solid: RigidSolid, at: pose.ReadonlyPose): RigidObstacle {
  const obstacle = new RigidObstacle(solid, 0.5);
  obstacle.begin(at, [at[0], at[1], at[2]]);
  return obstacle;
}

const SCENES: Record<string, () => ReturnType<typeof setUp>> = {
  'two cubes, edges in all directions': () =>
    setUp(
      [cube, cube],
      [
        [0, 0, 0],
        [0.3, 1.1, 0.2],
      ],
      0.03,
      0.2,
    ),
  'two cubes, edges nearly parallel': () =>
    setUp(
      [cube, cube],
      [
        [0, 0, 0],
        [0.01, 1.08, 0.005],
      ],
      0.004,
      0.15,
    ),
  'a cube over a rigid box': () =>
    setUp([cube], [[0.1, 0.55, 0.2]], 0.02, 0.2, [
      obstacleAt(
        RigidSolid.solid(findModel('box').build({ width: 1, height: 1, depth: 1 })),
        pose.create([0.3, 0, 0.4]),
      ),
    ]),
  'a cube over a rigid ball': () =>
    setUp([cube], [[0, 0.55, 0]], 0.02, 0.2, [obstacleAt(RigidSolid.ball(0.5), pose.create([0.4, 0, 0.45]))]),
};

describe.each(Object.keys(SCENES))('the barrier of %s', (name) => {
  test('has the derivatives of its energy, and a positive matrix where asked', () => {
    const { x, term } = SCENES[name]();
    expect(term.countActive(x)).toBeGreaterThan(5);
    expect(gradientError(term, x, 1e-7)).toBeLessThan(1e-6);
    expect(curvatureError(term, x, 1e-8)).toBeLessThan(1e-5);
    term.linearize(x, 'projected');
    const random = createRandom(2);
    for (let round = 0; round < 20; round++) {
      const v = Float64Array.from(x, () => random.range(-1, 1));
      const image = new Float64Array(x.length);
      term.multiply(v, image);
      expect(v.reduce((sum, value, i) => sum + value * image[i], 0)).toBeGreaterThanOrEqual(0);
    }
  });

  test('pushes both sides alike: no force and no moment in all', () => {
    const { x, term } = SCENES[name]();
    const gradient = new Float64Array(x.length);
    const { groups } = term.search.surface;
    term.evaluate(x, gradient);
    const [force, moment] = [
      [0, 0, 0],
      [0, 0, 0],
    ];
    let size = 0;
    for (let i = 0; i < x.length; i += 3) {
      for (let k = 0; k < 3; k++) {
        const [a, b] = [(k + 1) % 3, (k + 2) % 3];
        force[k] += gradient[i + k];
        moment[k] += x[i + a] * gradient[i + b] - x[i + b] * gradient[i + a];
        size = Math.max(size, Math.abs(gradient[i + k]));
      }
    }
    if (groups.some(({ rigid }) => rigid >= 0)) {
      expect(Math.max(...force.map(Math.abs))).toBeGreaterThan(0.1 * size);
      return;
    }
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(force[k])).toBeLessThan(1e-12 * size);
      expect(Math.abs(moment[k])).toBeLessThan(1e-12 * size);
    }
  });

  test('is the same to a search of one place and to one of a way through it', () => {
    const { x, term } = SCENES[name]();
    const energy = term.evaluate(x);
    const d = Float64Array.from(x, (_, i) => (i % 3 === 1 ? 0.3 : 0.1));
    const back = x.map((value, i) => value - 0.05 * d[i]);
    const share = term.limitStep(back, d);
    expect(share).toBeGreaterThan(0.05);
    expect(Math.abs(term.evaluate(x) / energy - 1)).toBeLessThan(1e-12);
  });
});

test('a search sees pairs of a body that flies, and edges that are near parallel', () => {
  const { x, term, search } = SCENES['two cubes, edges nearly parallel']();
  let parallel = 0;
  const p = term.points;
  for (let i = 0; i < search.count; i++) {
    if (search.isEdges[i] === 0) continue;
    const [a, b, c, d] = search.ids.subarray(4 * i, 4 * i + 4);
    const [u, v] = [
      [0, 1, 2].map((k) => p[3 * b + k] - p[3 * a + k]),
      [0, 1, 2].map((k) => p[3 * d + k] - p[3 * c + k]),
    ];
    const cross = [0, 1, 2].map((k) => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
    if (Math.hypot(...cross) < 0.03 * Math.hypot(...u) * Math.hypot(...v)) parallel++;
  }
  expect(parallel).toBeGreaterThan(5);
  const found = search.count;
  // The same state, met on a way of both bodies together that is a hundred times as long as they are.
  expect(term.limitStep(x, new Float64Array(x.length).fill(100))).toBe(1);
  expect(search.count).toBe(found);
});

test('the barrier is zero beyond its reach and grows without bound towards contact', () => {
  const energies = [0.21, 0.19, 0.1, 1e-3, 1e-6, 1e-9].map((gap) => {
    const { x, term } = setUp(
      [cube, cube],
      [
        [0, 0, 0],
        [0.31, 1 + gap, 0.17],
      ],
      0,
      0.2,
    );
    return term.evaluate(x);
  });
  expect(energies[0]).toBe(0);
  for (let i = 1; i < energies.length; i++) expect(energies[i]).toBeGreaterThan(energies[i - 1]);
  expect(energies[5] / energies[3]).toBeGreaterThan(2.5);
});

test('friction of a barrier has the derivatives of its potential', () => {
  const { x, term } = SCENES['two cubes, edges in all directions']();
  const friction = new FrictionTerm(term, []);
  friction.lag(x);
  const random = createRandom(12);
  friction.begin(
    x.map((value) => value + 1e-3 * random.range(-1, 1)),
    2e-3,
  );
  expect(friction.evaluate(x)).toBeGreaterThan(0);
  expect(gradientError(friction, x, 1e-7)).toBeLessThan(1e-6);
  expect(curvatureError(friction, x, 1e-8)).toBeLessThan(1e-5);
});
