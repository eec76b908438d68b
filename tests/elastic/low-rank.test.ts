import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { ElasticBody } from '../../src/elastic/body/elastic-body.js';
import { LowRankCorrection } from '../../src/elastic/body/low-rank-correction.js';
import { PotentialSystem } from '../../src/elastic/body/potential-system.js';
import { ContactBody } from '../../src/elastic/contact/contact-body.js';
import { ContactTerm } from '../../src/elastic/contact/contact-term.js';
import { FrictionTerm } from '../../src/elastic/contact/friction-term.js';
import { splitSurfaceElements } from '../../src/elastic/tetrahedra/inner-nodes.js';
import { tetrahedraGrid } from '../generators/tetrahedra-grid.js';

const CONSTANTS = { stiffness: 1e6, friction: 0.5, selfCollision: false, distances: 'exact' } as const;

/** Two cubes, one a little into the other and turned, with friction that sticks and slides. */
function setUp(overlap: number) {
  const cube = splitSurfaceElements(tetrahedraGrid([2, 2, 2], [1, 1, 1]));
  const [lower, upper] = [new ElasticBody(cube, { young: 1e4 }), new ElasticBody(cube, { young: 3e4 })];
  const random = createRandom(7);
  const { positions } = upper;
  for (let i = 0; i < positions.length; i += 3) {
    const [x, z] = [positions[i], positions[i + 2]];
    positions[i] = 0.9 * x - 0.3 * z + 0.3 + 0.01 * random.range(-1, 1);
    positions[i + 1] += 1 - overlap;
    positions[i + 2] = 0.3 * x + 0.9 * z + 0.1 + 0.01 * random.range(-1, 1);
  }
  lower.hold([0, 1, 2]);
  const count = cube.positions.length / 3;
  const contact = new ContactTerm([new ContactBody(cube, CONSTANTS, 0), new ContactBody(cube, CONSTANTS, count)], []);
  const friction = new FrictionTerm(contact, []);
  const parts = [lower.part, upper.part];
  const system = new PotentialSystem(parts, [contact, friction]);
  const x = new Float64Array(system.size);
  parts.forEach((part, i) => {
    part.beginStep(1 / 60, 'euler', x.subarray(system.offsets[i], system.offsets[i] + part.size));
  });
  system.update(x);
  friction.lag(x);
  friction.begin(
    x.map((value) => value + 1e-4 * random.range(-1, 1)),
    5e-5,
  );
  return { system, x, contact, random };
}

test.each(['projected', 'majorized'] as const)(
  'inverts the fixed matrices with all contacts and friction, %s',
  (kind) => {
    const { system, x, contact, random } = setUp(0.02);
    expect(contact.countActive(x)).toBeGreaterThan(3);
    system.linearize('fixed', x, true, kind);
    system.factor('fixed', 'missing', false);
    const correction = new LowRankCorrection(system);
    expect(correction.prepare()).toBe(true);
    const v = x.map(() => random.normal());
    system.clearHeld(v);
    const [image, back, plain] = [new Float64Array(v.length), new Float64Array(v.length), new Float64Array(v.length)];
    system.multiply('fixed', v, image);
    correction.apply(image, back);
    system.precondition('fixed', image, plain);
    const error = (a: Float64Array): number => Math.sqrt(a.reduce((sum, value, i) => sum + (value - v[i]) ** 2, 0));
    expect(error(back)).toBeLessThan(1e-7);
    // Contacts are stiff: without them the inverse is far off.
    expect(error(plain)).toBeGreaterThan(10);
  },
);

test('does without rows where nothing touches', () => {
  const { system, x } = setUp(-0.5);
  system.linearize('fixed', x, true, 'projected');
  system.factor('fixed', 'missing', false);
  expect(new LowRankCorrection(system).prepare()).toBe(false);
});
