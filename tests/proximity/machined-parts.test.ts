// Machined parts near, in and far from each other, against brute force: intersection, distance and pairs in motion.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Pose } from '../../src/core/pose.js';
import { createRandom } from '../../src/core/random.js';
import { Pair } from '../../src/proximity/pair.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { createPlacement, type NamedMesh } from '../generators/configurations.js';
import { machinedVariants } from '../generators/machined-parts.js';
import { measureByBruteForce, placeInFrame, prepareOracle } from '../oracles/mesh-distance.js';
import { AGREEMENT, checkDistance, describeConfiguration } from './check-answer.js';
import { measureDistance, testIntersection, testTolerance } from './stateless.js';

const PLACEMENTS = 60 * Number(process.env.NEARFIELD_SOAK ?? 1);

describe.each(['boxes', 'hulls'] as const)('machined parts over %s', (volume) => {
  let parts: (NamedMesh & { model: ProximityModel })[] = [];
  beforeAll(() => {
    parts = machinedVariants().map(({ name, mesh }) => ({
      name,
      mesh,
      oracle: prepareOracle(mesh.positions, mesh.indices),
      model: new ProximityModel(mesh),
    }));
  });

  test('answer as brute force does, at once and along a motion', () => {
    const random = createRandom(5);
    let hits = 0;
    for (let seed = 0; seed < PLACEMENTS; seed++) {
      const [a, b] = [random.integer(parts.length), random.integer(parts.length)].map((i) => parts[i]);
      const c = createPlacement(a, b, seed);
      const pair = new Pair(a.model, b.model, { volume });
      for (let step = 0; step < 2; step++) {
        const poseB = c.poseB.map((value, k) => (k < 3 ? value + 0.02 * step * c.size * random.range(-1, 1) : value));
        const at = { ...c, poseB: poseB as unknown as Pose };
        const truth = measureByBruteForce(a.oracle, b.oracle, placeInFrame(b.mesh.positions, at.poseA, at.poseB));
        // Nearer than rounding: either answer is right.
        if (!truth.intersects && truth.distance < AGREEMENT * c.size) continue;
        if (truth.intersects) hits++;
        const where = describeConfiguration(seed, at);
        expect(testIntersection(a.model, b.model, at.poseA, at.poseB, { volume }).intersects, where).toBe(
          truth.intersects,
        );
        expect(pair.intersects(at.poseA, at.poseB).intersects, where).toBe(truth.intersects);
        checkDistance(at, truth, measureDistance(a.model, b.model, at.poseA, at.poseB, { volume }));
        checkDistance(at, truth, pair.distance(at.poseA, at.poseB));
        const tolerance = truth.distance + AGREEMENT * c.size;
        expect(testTolerance(a.model, b.model, at.poseA, at.poseB, tolerance, { volume }).within, where).toBe(true);
      }
    }
    expect(hits).toBeGreaterThan(0.1 * PLACEMENTS);
  });
});
