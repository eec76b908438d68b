import { describe, expect, test } from 'vitest';
import { createConvexSet } from '../../../src/convex/closest/convex-set.js';
import { Epa } from '../../../src/convex/closest/epa.js';
import { encodeFeature, featureVertices } from '../../../src/convex/closest/feature.js';
import { Gjk } from '../../../src/convex/closest/gjk.js';
import { ConvexMarch } from '../../../src/convex/closest/march.js';
import { buildHull } from '../../../src/convex/hull/hull.js';
import { createRandom } from '../../../src/core/random.js';
import { measureConvexDepth, measureConvexDistance, placePolyhedron } from '../../oracles/convex-distance.js';
import { describeSolid, distanceToFeature, findFault, sizeOf } from './check-answer.js';
import { makePair, movePair } from './convex-pairs.js';

const soak = Number(process.env.NEARFIELD_SOAK ?? 1);
const asked = process.env.NEARFIELD_SEED ?? '1';
const seed = asked === 'random' ? (Math.random() * 2 ** 31) | 0 : Number(asked);

const cornersOf = (positions: Float64Array, ids: readonly number[], m?: Float64Array): number[][] =>
  ids.map((id) => {
    const [x, y, z] = positions.subarray(3 * id, 3 * id + 3);
    return m === undefined
      ? [x, y, z]
      : [0, 4, 8].map((row) => m[row] * x + m[row + 1] * y + m[row + 2] * z + m[row + 3]);
  });

describe(`convex pairs against brute force, seed ${seed}`, () => {
  test('march, cold, warm and from bad seeds, and GJK agree to 1e-9 of the size', () => {
    const random = createRandom(seed);
    const shapes = 12_500 * soak;
    const march = new ConvexMarch();
    const warm = new ConvexMarch();
    const lost = new ConvexMarch();
    const gjk = new Gjk();
    const faults: string[] = [];
    let pairs = 0;
    let hits = 0;
    let byMarch = 0;
    let exhaustive = 0;
    let mostSteps = 0;
    for (let shape = 0; shape < shapes && faults.length < 5; shape++) {
      const { family, pointsA, pointsB, placement: first } = makePair(random);
      const hullA = buildHull(pointsA);
      const hullB = buildHull(pointsB);
      const a = createConvexSet(hullA);
      const b = createConvexSet(hullB);
      const truthA = describeSolid(hullA);
      const local = describeSolid(hullB);
      const scale = sizeOf(truthA, local);
      let placement = first;
      let [seedA, seedB] = [-1, -1];
      for (let move = 0; move < 4; move++, placement = movePair(random, placement, scale)) {
        const truthB = placePolyhedron(local, placement);
        const truth = measureConvexDistance(truthA, truthB);
        pairs++;
        if (truth.intersects) hits++;
        const report = (method: string, fault: string): void => {
          if (fault !== '') faults.push(`${method}, shape ${shape}, move ${move}, ${family}: ${fault}`);
        };
        march.query(a, 0, b, 0, placement, -1, -1);
        report('cold', findFault(truthA, truthB, truth, march));
        if (march.fallback === 0) byMarch++;
        if (march.fallback === 3) exhaustive++;
        else mostSteps = Math.max(mostSteps, march.steps);
        warm.query(a, 0, b, 0, placement, seedA, seedB);
        report('warm', findFault(truthA, truthB, truth, warm));
        seedA = warm.featureA;
        seedB = warm.featureB;
        const bad = (halfEdges: number): number =>
          halfEdges === 0 ? -1 : encodeFeature(random.integer(3), random.integer(halfEdges));
        lost.query(a, 0, b, 0, placement, bad(a.twins.length), bad(b.twins.length));
        report('lost', findFault(truthA, truthB, truth, lost));
        gjk.run(a, 0, b, 0, placement, a.vertexHalfEdges[0], b.vertexHalfEdges[0]);
        report('gjk', findFault(truthA, truthB, truth, gjk));
        if (shape % 8 === 0 && !march.intersects) {
          const onA = distanceToFeature(march.pointA, cornersOf(a.positions, featureVertices(a, 0, march.featureA)));
          const idsB = featureVertices(b, 0, march.featureB);
          const onB = distanceToFeature(march.pointB, cornersOf(b.positions, idsB, placement));
          if (!(onA <= 1e-9 * scale && onB <= 1e-9 * scale)) report('features', `points off by ${onA} and ${onB}`);
        }
      }
    }
    expect(faults).toEqual([]);
    expect(pairs).toBe(4 * shapes);
    expect(hits / pairs).toBeGreaterThan(0.3);
    expect(hits / pairs).toBeLessThan(0.7);
    // The march decides almost everything itself; segments and points are GJK's by design.
    expect(byMarch / pairs).toBeGreaterThan(0.8);
    expect(mostSteps).toBeLessThan(40);
    // Looking at all features is the last resort, and stays rare even among these.
    expect(exhaustive / pairs).toBeLessThan(2e-4);
  });

  test('EPA finds the depth over all directions that can be it', () => {
    const random = createRandom(seed + 1);
    const gjk = new Gjk();
    const epa = new Epa();
    const faults: string[] = [];
    let tested = 0;
    for (let shape = 0; shape < 1500 * soak; shape++) {
      const { family, pointsA, pointsB, placement } = makePair(random);
      const hullA = buildHull(pointsA);
      const hullB = buildHull(pointsB);
      if (hullA.dimension !== 3 || hullB.dimension !== 3) continue;
      if (hullA.vertices.length * hullB.vertices.length > 300) continue;
      const a = createConvexSet(hullA);
      const b = createConvexSet(hullB);
      gjk.run(a, 0, b, 0, placement, a.vertexHalfEdges[0], b.vertexHalfEdges[0]);
      if (!gjk.intersects) continue;
      tested++;
      const truthA = describeSolid(hullA);
      const truthB = placePolyhedron(describeSolid(hullB), placement);
      const size = sizeOf(truthA, truthB);
      const truth = Math.max(0, measureConvexDepth(truthA, truthB));
      const depth = epa.run(a, 0, b, 0, placement, gjk);
      if (!(Math.abs(depth - truth) <= 1e-9 * size)) {
        faults.push(`shape ${shape}, ${family}: depth ${depth}, true ${truth}, rounds ${epa.rounds}, gap ${epa.gap}`);
      }
      // Moved by the depth the two no longer overlap: they touch.
      const [x, y, z] = epa.direction;
      const clear = placePolyhedron(truthA, [1, 0, 0, x * depth, 0, 1, 0, y * depth, 0, 0, 1, z * depth]);
      let [mostA, leastB] = [Infinity, -Infinity];
      for (let i = 0; i < clear.corners.length; i += 3) {
        mostA = Math.min(mostA, clear.corners[i] * x + clear.corners[i + 1] * y + clear.corners[i + 2] * z);
      }
      for (let i = 0; i < truthB.corners.length; i += 3) {
        leastB = Math.max(leastB, truthB.corners[i] * x + truthB.corners[i + 1] * y + truthB.corners[i + 2] * z);
      }
      if (!(leastB - mostA <= 1e-9 * size)) faults.push(`shape ${shape}, ${family}: still overlap ${leastB - mostA}`);
    }
    expect(faults.slice(0, 5)).toEqual([]);
    expect(tested).toBeGreaterThan(300 * soak);
  });
});
