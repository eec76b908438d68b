// Random motions of random models against dense samples with an exact test that shares no code with the library.
import { describe, expect, test } from 'vitest';
import type { Pose } from '../../../src/core/pose.js';
import * as poses from '../../../src/core/pose.js';
import { createRandom } from '../../../src/core/random.js';
import { findModel } from '../../../src/models/catalogue.js';
import type { Motion } from '../../../src/proximity/impact/motion.js';
import { Pair } from '../../../src/proximity/pair.js';
import { ProximityModel } from '../../../src/proximity/proximity-model.js';
import { timeOfImpact } from '../../../src/proximity/queries.js';
import { machinedParts } from '../../generators/machined-parts.js';
import { boxMesh, mapPoints, openCube } from '../../generators/surfaces.js';
import { measureByBruteForce, placeInFrame, prepareOracle } from '../../oracles/mesh-distance.js';
import { poseBetween } from '../../oracles/slerp-motion.js';

const meshes = [
  findModel('torus').build({ majorSegments: 12, minorSegments: 7 }),
  findModel('cone').build({ segments: 9, bands: 2 }),
  boxMesh([-1, -0.02, -1], [1, 0.02, 1]),
  boxMesh([-0.03, -1.5, -0.03], [0.03, 0.2, 0.03]),
  openCube(),
  machinedParts(6)[0].mesh,
].map((mesh) => {
  const { radius, center } = new ProximityModel(mesh);
  // Size 1, and not around its own origin, so that the levers differ.
  return mapPoints(mesh, (p) => p.map((value, k) => (value - 0.7 * center[k]) / radius));
});
const models = meshes.map((mesh) => new ProximityModel(mesh));
const oracles = meshes.map((mesh) => prepareOracle(mesh.positions, mesh.indices));

interface Case {
  readonly a: number;
  readonly b: number;
  readonly motion: { readonly a: { from: Pose; to: Pose }; readonly b: { from: Pose; to: Pose } };
}

/** Two bodies that mostly pass each other, turning by up to 170 degrees. */
function createCase(seed: number): Case {
  const random = createRandom(seed);
  const place = (): Pose => {
    const reach = random.range(0.4, 2.2);
    const [x, y, z] = random.direction();
    return [reach * x, reach * y, reach * z, ...random.rotation()];
  };
  const move = (): { from: Pose; to: Pose } => {
    const from = place();
    const angle = random.integer(4) === 0 ? 0 : random.range(0, 2.9);
    const [x, y, z] = random.direction();
    const half = Math.sin(angle / 2);
    const turn: Pose = [0, 0, 0, half * x, half * y, half * z, Math.cos(angle / 2)];
    const to = poses.multiply(turn, [0, 0, 0, from[3], from[4], from[5], from[6]]);
    const end = place();
    return { from, to: [end[0], end[1], end[2], to[3], to[4], to[5], to[6]] };
  };
  return { a: random.integer(models.length), b: random.integer(models.length), motion: { a: move(), b: move() } };
}

function measureAt({ a, b, motion }: Case, t: number) {
  const poseA = poseBetween(motion.a.from, motion.a.to, t);
  const poseB = poseBetween(motion.b.from, motion.b.to, t);
  return measureByBruteForce(oracles[a], oracles[b], placeInFrame(meshes[b].positions, poseA, poseB));
}

const CASES = 120;
const SAMPLES = 60;

describe('random motions', () => {
  test('no sample before the bracket meets, and at its end the models do', () => {
    let later = 0;
    let atStart = 0;
    for (let seed = 0; seed < CASES; seed++) {
      const c = createCase(seed);
      const found = timeOfImpact(models[c.a], models[c.b], c.motion);
      const { lower, upper, exact, impact } = found;
      const name = `seed ${seed}`;
      expect(found.status, name).not.toBe('unresolved');
      if (measureAt(c, 0).intersects) {
        atStart++;
        expect(found, name).toMatchObject({ impact: true, lower: 0, upper: 0, exact: true });
        continue;
      }
      for (let i = 0; i <= SAMPLES; i++) expect(measureAt(c, (lower * i) / SAMPLES).intersects, name).toBe(false);
      if (!impact) continue;
      later++;
      const before = measureAt(c, lower);
      expect(before.distance, name).toBeLessThan(1e-9);
      expect(Math.abs(before.distance - found.witness!.distance), name).toBeLessThan(1e-12);
      expect(exact, name).toBe(true);
      // The oracle's pose differs from the library's by rounding.
      expect(measureAt(c, upper! + 1e-12).intersects, name).toBe(true);
      expect(upper! - lower, name).toBeLessThan(1e-8);
    }
    expect(later / CASES).toBeGreaterThan(0.3);
    expect(later / CASES).toBeLessThan(0.8);
    expect(atStart / CASES).toBeGreaterThan(0.03);
  });

  test('the least clearance is below all samples, and had where it is said', () => {
    let clear = 0;
    for (let seed = 0; seed < CASES; seed++) {
      const c = createCase(seed);
      const pair = new Pair(models[c.a], models[c.b]);
      const { status, least } = pair.validateMotion(c.motion, { relativeError: 0.02 });
      if (status !== 'clear') continue;
      clear++;
      const name = `seed ${seed}`;
      for (let i = 0; i <= SAMPLES; i++) {
        expect(measureAt(c, i / SAMPLES).distance, name).toBeGreaterThanOrEqual(least!.lower);
      }
      expect(Math.abs(measureAt(c, least!.time).distance - least!.upper), name).toBeLessThan(1e-9);
      expect(least!.lower, name).toBeGreaterThanOrEqual(0.98 * least!.upper - 1e-8);
    }
    expect(clear / CASES).toBeGreaterThan(0.1);
  });
});

describe('metamorphic', () => {
  const seeds = Array.from({ length: 40 }, (_, seed) => seed);
  const close = (found: ReturnType<typeof timeOfImpact>, lower: number, impact: boolean, name: string): void => {
    expect(found.impact, name).toBe(impact);
    expect(Math.abs(found.lower - lower), name).toBeLessThan(1e-8);
  };

  test('exchanging A and B turns the normal around and changes nothing else', () => {
    for (const seed of seeds) {
      const { a, b, motion } = createCase(seed);
      const first = timeOfImpact(models[a], models[b], motion);
      const second = timeOfImpact(models[b], models[a], { a: motion.b, b: motion.a });
      close(second, first.lower, first.impact, `seed ${seed}`);
    }
  });

  test('a common rigid motion of the world changes nothing', () => {
    const world = poses.create([3, -2, 5], [0.1, 0.7, -0.3, 0.4]);
    for (const seed of seeds) {
      const { a, b, motion } = createCase(seed);
      const moved = (m: { from: Pose; to: Pose }) => ({
        from: poses.multiply(world, m.from),
        to: poses.multiply(world, m.to),
      });
      const first = timeOfImpact(models[a], models[b], motion);
      const second = timeOfImpact(models[a], models[b], { a: moved(motion.a), b: moved(motion.b) });
      close(second, first.lower, first.impact, `seed ${seed}`);
    }
  });

  test.each([1e-6, 1e6])('scaling everything by %d changes nothing', (scale) => {
    const scaled = meshes.map((mesh) => new ProximityModel(mapPoints(mesh, (p) => p.map((v) => scale * v))));
    const grown = (p: Pose): Pose => [scale * p[0], scale * p[1], scale * p[2], p[3], p[4], p[5], p[6]];
    for (const seed of seeds) {
      const { a, b, motion } = createCase(seed);
      const first = timeOfImpact(models[a], models[b], motion);
      const second = timeOfImpact(scaled[a], scaled[b], {
        a: { from: grown(motion.a.from), to: grown(motion.a.to) },
        b: { from: grown(motion.b.from), to: grown(motion.b.to) },
      });
      close(second, first.lower, first.impact, `seed ${seed}`);
    }
  });

  test('in reversed time a motion meets if and only if it does, and not before the last impact', () => {
    for (const seed of seeds) {
      const { a, b, motion } = createCase(seed);
      const first = timeOfImpact(models[a], models[b], motion);
      const back: Motion = {
        a: { from: motion.a.to, to: motion.a.from },
        b: { from: motion.b.to, to: motion.b.from },
      };
      const second = timeOfImpact(models[a], models[b], back);
      expect(second.impact, `seed ${seed}`).toBe(first.impact);
      if (first.impact) expect(1 - second.lower, `seed ${seed}`).toBeGreaterThanOrEqual(first.lower - 1e-8);
    }
  });

  test('keys in between, other times and parts of a motion give the same impact', () => {
    for (const seed of seeds) {
      const { a, b, motion } = createCase(seed);
      const keys = (m: { from: Pose; to: Pose }, times: readonly number[]) =>
        times.map((t) => ({ time: 10 + 4 * t, pose: poseBetween(m.from, m.to, t) as Pose }));
      const first = timeOfImpact(models[a], models[b], motion);
      const cut: Motion = { a: keys(motion.a, [0, 0.3, 0.31, 1]), b: keys(motion.b, [0, 0.5, 0.9, 1]) };
      close(timeOfImpact(models[a], models[b], cut), 10 + 4 * first.lower, first.impact, `seed ${seed}`);
      const part = timeOfImpact(models[a], models[b], motion, { end: first.lower / 2 });
      expect(part.impact, `seed ${seed}`).toBe(first.lower === 0);
    }
  });

  test('a pair that keeps memory agrees with a new one, whatever was asked before', () => {
    for (let i = 0; i < models.length; i++) {
      const pair = new Pair(models[i], models[(i + 1) % models.length]);
      for (const seed of seeds.slice(0, 15)) {
        const { motion } = createCase(seed);
        for (let part = 0; part < 20; part += 6) {
          const options = { start: part / 20, end: (part + 1) / 20 };
          const kept = pair.timeOfImpact(motion, options);
          const fresh = timeOfImpact(pair.a, pair.b, motion, options);
          close(kept, fresh.lower, fresh.impact, `seed ${seed}, part ${part}`);
        }
      }
    }
  });
});
