// In every scenario of the benchmarks each combination of the coherence switches gives the same answers as a pair
// without memory, and that the same as brute force.
import { describe, expect, test } from 'vitest';
import { scenarios } from '../../bench/scenarios/catalogue.js';
import { poseAt } from '../../bench/scenarios/scenario.js';
import type { Pose } from '../../src/core/pose.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import type { CoherenceOptions } from '../../src/proximity/options.js';
import { Pair } from '../../src/proximity/pair.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { measureByBruteForce, type OracleMesh, placeInFrame, prepareOracle } from '../oracles/mesh-distance.js';
import { AGREEMENT } from './check-answer.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
/** Frames in a row, from two places of each scenario; ends are where bodies touch or part. */
const RUN = Math.min(6 * SOAK, 120);
const STARTS = [120, 499 - RUN];

const SETTINGS: readonly CoherenceOptions[] = Array.from({ length: 16 }, (_, bits) => ({
  pieceCaching: (bits & 1) !== 0,
  prioritySearch: (bits & 2) !== 0,
  frontTracking: (bits & 4) !== 0,
  motionBounds: (bits & 8) !== 0,
}));

/** Hulls of the large models take long to make, so that all scenarios are run over them in the soak alone. */
const CASES = scenarios.flatMap((definition) =>
  (['boxes', 'hulls'] as const)
    .filter((volume) => volume === 'boxes' || SOAK > 1 || definition.name === 'interlocked-tori')
    .map((volume) => ({ name: definition.name, definition, volume })),
);

describe.each(CASES)('$name over $volume', ({ definition, volume }) => {
  test('has the same answers with all switches', () => {
    const scenario = definition.build();
    const models = new Map<Mesh, { model: ProximityModel; oracle: OracleMesh }>();
    const prepare = (mesh: Mesh) => {
      let found = models.get(mesh);
      if (found === undefined) {
        found = { model: new ProximityModel(mesh), oracle: prepareOracle(mesh.positions, mesh.indices) };
        models.set(mesh, found);
      }
      return found;
    };
    // Six pairs of the peg's tori are alike; the first and the last stand for them.
    const pairs = scenario.pairs.length > 2 ? [scenario.pairs[0], scenario.pairs[5]] : scenario.pairs;
    for (const [i, j] of pairs) {
      const [a, b] = [prepare(scenario.bodies[i].mesh), prepare(scenario.bodies[j].mesh)];
      const size = Math.max(a.oracle.size, b.oracle.size);
      const reference = new Pair(a.model, b.model, { volume, coherence: false });
      const others = SETTINGS.map((coherence) => ({
        coherence,
        pair: new Pair(a.model, b.model, { volume, coherence }),
      }));
      for (const start of STARTS) {
        const truth = measureByBruteForce(
          a.oracle,
          b.oracle,
          placeInFrame(b.oracle.positions, poseAt(scenario, start, i), poseAt(scenario, start, j)),
        );
        for (let frame = start; frame < start + RUN; frame++) {
          const [poseA, poseB] = [poseAt(scenario, frame, i), poseAt(scenario, frame, j)];
          const { intersects, distance } = reference.distance(poseA, poseB);
          if (frame === start) {
            expect(intersects).toBe(truth.intersects);
            expect(Math.abs(distance! - truth.distance)).toBeLessThanOrEqual(AGREEMENT * size);
          }
          others.forEach(({ coherence, pair }, n) => {
            const where = `frame ${frame}, ${JSON.stringify(coherence)}`;
            // Each question twice in a row, then another, so that what one leaves behind serves the next.
            compare(pair, poseA, poseB, (n + (frame >> 1)) % 6, { intersects, distance: distance!, size }, where);
          });
        }
      }
    }
  });
});

function compare(
  pair: Pair,
  poseA: Pose,
  poseB: Pose,
  question: number,
  truth: { intersects: boolean; distance: number; size: number },
  where: string,
): void {
  const { intersects, distance, size } = truth;
  if (question === 0) {
    expect(pair.intersects(poseA, poseB).intersects, where).toBe(intersects);
  } else if (question === 1) {
    expect(pair.within(poseA, poseB, distance * 1.001).within, where).toBe(true);
  } else if (question === 2) {
    expect(pair.within(poseA, poseB, distance * 0.999).within, where).toBe(intersects);
  } else if (question === 3) {
    const near = pair.distance(poseA, poseB, { relativeError: 0.1 }).distance!;
    expect(near, where).toBeGreaterThanOrEqual(distance - 1e-12 * size);
    expect(near, where).toBeLessThanOrEqual(1.1 * distance + 1e-12 * size);
  } else if (question === 4) {
    expect(pair.distance(poseA, poseB, { cutoff: distance / 2 }).distance, where).toBe(intersects ? 0 : null);
  } else {
    const found = pair.distance(poseA, poseB);
    expect(found.intersects, where).toBe(intersects);
    expect(Math.abs(found.distance! - distance), where).toBeLessThanOrEqual(1e-12 * size);
  }
}
