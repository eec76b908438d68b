// The overlapping pairs of a scene and their depths, against fresh queries of each pair; and what is kept between calls.
import { describe, expect, test } from 'vitest';
import type { Pose } from '../../../src/core/pose.js';
import { createRandom } from '../../../src/core/random.js';
import { measurePenetrationSync } from '../../../src/penetration/measure-on-cpu.js';
import { ScenePenetration } from '../../../src/penetration/motion/scene-penetration.js';
import { ProximityModel } from '../../../src/proximity/proximity-model.js';
import { Scene } from '../../../src/proximity/scene/scene.js';
import { measureByBruteForce, placeInFrame } from '../../oracles/mesh-distance.js';
import { box, octahedron, stellate, torus } from '../../oracles/penetration/shapes.js';
import { bodyOf } from '../check-depth.js';

const CERTIFIED = { method: 'certified' } as const;
const shapes = [stellate(octahedron(1), 0.8), torus(0.8, 0.3, 10, 6), box([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5])];
const bodies = shapes.map(bodyOf);
const [star, ring, cube] = bodies.map(({ model }) => model);
const at = (x: number, y = 0, z = 0): Pose => [x, y, z, 0, 0, 0, 1];

test('all pairs that overlap, and no others, with their depths, frame after frame', () => {
  const random = createRandom(5);
  const scene = new Scene();
  const poses: Pose[] = [];
  for (let i = 0; i < 8; i++) {
    poses.push([random.range(-1.5, 1.5), random.range(-1.5, 1.5), random.range(-1.5, 1.5), ...random.rotation()]);
    scene.add(bodies[i % 3].model, { pose: poses[i] });
  }
  const depths = new ScenePenetration(scene, CERTIFIED).prepare();
  let [overlapping, pairs, remembered] = [0, 0, 0];
  for (let frame = 0; frame < 6; frame++) {
    const result = depths.measure();
    const found = new Map(result.pairs.map(({ a, b, result: answer }) => [`${a},${b}`, answer]));
    expect(result.pairs.map(({ a, b }) => 8 * a + b)).toEqual(
      result.pairs.map(({ a, b }) => 8 * a + b).sort((u, v) => u - v),
    );
    expect(result.cells).toBe(result.pairs.reduce((sum, pair) => sum + pair.result.cells, 0));
    remembered += result.remembered;
    for (let i = 0; i < 8; i++) {
      for (let j = i + 1; j < 8; j++) {
        const [a, b] = [bodies[i % 3], bodies[j % 3]];
        const truth = measureByBruteForce(a.oracle, b.oracle, placeInFrame(b.oracle.positions, poses[i], poses[j]));
        const answer = found.get(`${i},${j}`);
        expect(answer !== undefined).toBe(truth.intersects);
        pairs++;
        if (answer === undefined) continue;
        overlapping++;
        const fresh = measurePenetrationSync(a.model, b.model, poses[i], poses[j], CERTIFIED);
        expect(answer.lower).toBeLessThanOrEqual(fresh.upper * (1 + 1e-9));
        expect(fresh.lower).toBeLessThanOrEqual(answer.upper * (1 + 1e-9));
        const moved: Pose = [...poses[i]];
        for (let k = 0; k < 3; k++) moved[k] += answer.vector[k];
        const after = measureByBruteForce(a.oracle, b.oracle, placeInFrame(b.oracle.positions, moved, poses[j]));
        expect(after.intersects).toBe(false);
      }
    }
    for (let i = 0; i < 8; i++) {
      for (let k = 0; k < 3; k++) poses[i][k] += random.range(-0.05, 0.05);
      scene.setPose(i, poses[i]);
    }
  }
  expect(overlapping / pairs).toBeGreaterThan(0.3);
  expect(overlapping / pairs).toBeLessThan(0.7);
  expect(remembered).toBeGreaterThan(0.6 * overlapping);
});

describe('what is kept', () => {
  function createChain(options = {}) {
    const scene = new Scene();
    for (let i = 0; i < 4; i++) scene.add(star, { pose: at(1.2 * i) });
    return { scene, depths: new ScenePenetration(scene, { ...CERTIFIED, ...options }) };
  }

  test('pairs that part are dropped after some calls', () => {
    const { scene, depths } = createChain({ idleFrames: 2 });
    expect(depths.measure()).toMatchObject({ remembered: 0 });
    const kept = depths.pairsKept;
    expect(kept).toBe(3);
    expect(depths.measure()).toMatchObject({ remembered: 3 });
    scene.setPose(3, at(100));
    depths.measure();
    depths.measure();
    expect(depths.pairsKept).toBe(3);
    depths.measure();
    expect(depths.pairsKept).toBe(2);
    scene.remove(0);
    for (let i = 0; i < 3; i++) depths.measure();
    expect(depths.pairsKept).toBe(1);
    depths.reset();
    expect(depths.pairsKept).toBe(0);
  });

  test('no more pairs than allowed, whatever overlaps', () => {
    const { depths } = createChain({ maxPairs: 2 });
    const free = createChain().depths.measure();
    for (let i = 0; i < 3; i++) {
      const { pairs } = depths.measure();
      expect(depths.pairsKept).toBe(2);
      expect(pairs.map(({ a, b }) => [a, b])).toEqual(free.pairs.map(({ a, b }) => [a, b]));
    }
  });
});

describe("the scene's rules", () => {
  test('fixed bodies and pairs ruled out are not measured, except when asked for', () => {
    const scene = new Scene();
    scene.add(star, { fixed: true });
    scene.add(ring, { pose: at(0.5), fixed: true });
    scene.add(cube, { pose: at(0.7) });
    const depths = new ScenePenetration(scene, CERTIFIED);
    expect(depths.measure().pairs.map(({ a, b }) => [a, b])).toEqual([
      [0, 2],
      [1, 2],
    ]);
    scene.setPairRule(0, 2, 'never');
    expect(depths.measure().pairs.map(({ a, b }) => [a, b])).toEqual([[1, 2]]);
    const asked = depths.measurePair(1, 0);
    expect(asked.depth).toBe(measurePenetrationSync(star, ring, at(0), at(0.5), CERTIFIED).depth);
    expect(() => depths.measurePair(1, 1)).toThrow(/no pair with itself/);
    expect(() => depths.measurePair(0, 9)).toThrow(/no body 9/);
  });

  test('touching pairs have depth 0, one inside the other has the way out', () => {
    const scene = new Scene();
    scene.add(cube);
    scene.add(cube, { pose: at(1) });
    scene.add(new ProximityModel(box([-0.1, -0.1, -0.1], [0.1, 0.1, 0.1])), { pose: at(0.2) });
    const { pairs } = new ScenePenetration(scene, CERTIFIED).measure();
    expect(pairs.map(({ a, b, result }) => [a, b, result.depth > 0])).toEqual([
      [0, 1, false],
      [0, 2, true],
    ]);
    expect(pairs[1].result.depth).toBeCloseTo(0.4, 9);
  });
});

test('names the body that is no solid; stops when told to', () => {
  const { positions, indices } = box([0, 0, 0], [1, 1, 1]);
  const scene = new Scene();
  scene.add(star);
  scene.add(new ProximityModel({ positions, indices: indices.slice(3) }));
  expect(() => new ScenePenetration(scene).measure()).toThrow(/^Body 1: The mesh is not closed/);
  expect(() => new ScenePenetration(scene).prepare()).toThrow(/^Body 1: The mesh is not closed/);
  scene.remove(1);
  scene.add(ring);
  expect(() => new ScenePenetration(scene).measure({ signal: { aborted: true } })).toThrow(/Stopped/);
  const depths = new ScenePenetration(scene, CERTIFIED);
  let asked = 0;
  // Not aborted while the scene finds its pairs, and then in the midst of a pair.
  const late = {
    get aborted() {
      return ++asked > 3;
    },
  };
  expect(() => depths.measure({ signal: late })).toThrow(/Stopped/);
  expect(depths.measure().pairs).toHaveLength(1);
  expect(() => new ScenePenetration(scene, { maxPairs: -1 })).toThrow(/The maxPairs is -1; give a number from 0/);
  expect(() => new ScenePenetration(scene, { maxCells: -1 })).toThrow(/The maxCells is -1; give a number from 0/);
});
