// Poses as 32-bit engines give them: quaternions that are unit to single precision or to the error of interpolation.
import { expect, test } from 'vitest';
import { findClashes } from '../../src/clash/find-clashes.js';
import { closestFeatures } from '../../src/convex/closest/closest-features.js';
import { buildHull } from '../../src/convex/hull/hull.js';
import * as pose from '../../src/core/pose.js';
import { createRandom } from '../../src/core/random.js';
import { findModel } from '../../src/models/catalogue.js';
import { measurePenetrationSync } from '../../src/penetration/measure-on-cpu.js';
import { separateBodies } from '../../src/penetration/motion/separate-bodies.js';
import { QueryBatch, runBatch } from '../../src/proximity/batch/batch.js';
import { Pair } from '../../src/proximity/pair.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { Scene } from '../../src/proximity/scene/scene.js';
import { codeOf } from '../error-code.js';

const model = new ProximityModel(findModel('letter-l').build());
const hull = buildHull(model.mesh.positions);
const origin = pose.identity();

/** The distance, or the depth, that each kind of query gives for B at a pose. */
const QUERIES: Record<string, (at: ArrayLike<number>) => number> = {
  pair: (at) => new Pair(model, model).distance(origin, at).distance!,
  scene: (at) => {
    const scene = new Scene();
    scene.add(model);
    const id = scene.add(model, { pose: at });
    scene.setPose(id, at);
    return scene.nearest().nearest!.result.distance!;
  },
  batch: (at) => {
    const batch = new QueryBatch();
    batch.addDistance(0, 0, origin, at);
    return runBatch([model], batch).distances[0];
  },
  clashes: (at) => {
    const parts = [origin, at].map((place, i) => ({ name: `${i}`, model, pose: place as pose.Pose }));
    return findClashes(parts, { clearance: 100 }).clashes[0].distance;
  },
  convex: (at) => closestFeatures(hull, hull, origin, at).distance,
  penetration: (at) => measurePenetrationSync(model, model, origin, at).depth,
  separation: (at) =>
    separateBodies([
      { model, pose: origin },
      { model, pose: at },
    ]).pairs.length,
};

test.each(Object.entries(QUERIES))('%s takes them as the unit quaternion beside them', (_, query) => {
  const random = createRandom(5);
  for (let k = 0; k < 6; k++) {
    const exact = pose.create([random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)], random.rotation());
    const rounded = Float32Array.from(exact);
    expect(query(rounded)).toBeCloseTo(query(pose.parse(rounded)), 12);
    const interpolated = exact.map((value, i) => (i < 3 ? value : 0.9991 * value));
    expect(query(interpolated)).toBeCloseTo(query(exact), 12);
  }
});

test.each(Object.entries(QUERIES))('%s refuses what is farther from unit length', (_, query) => {
  for (const factor of [0, 0.5, 0.998, 1.002, 2]) {
    expect(codeOf(() => query([0, 0, 5, 0, 0, 0, factor]))).toBe('bad-argument');
  }
});
