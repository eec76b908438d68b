import { describe, expect, test } from 'vitest';
import type { Pose } from '../../../src/core/pose.js';
import * as pose from '../../../src/core/pose.js';
import { createRandom, type Random } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { ProximityModel } from '../../../src/proximity/proximity-model.js';
import { findContacts } from '../../../src/proximity/queries.js';
import { Scene } from '../../../src/proximity/scene/scene.js';
import { boxMesh, mapPoints, selectFaces, sphereGrid, tetrahedron, torusGrid } from '../../generators/surfaces.js';
import { measureByBruteForce, placeInFrame, prepareOracle } from '../../oracles/mesh-distance.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
const CUBE = new ProximityModel(boxMesh([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]));

const scaled = (mesh: Mesh, by: number): Mesh => mapPoints(mesh, (point) => point.map((value) => value * by));
const at = (x: number, y = 0, z = 0): Pose => [x, y, z, 0, 0, 0, 1];
const idsOf = (result: { pairs: readonly { a: number; b: number }[] }): number[][] =>
  result.pairs.map(({ a, b }) => [a, b]);

/** Closed and open, round, ringed and flat; of one size, or of a few. */
function makeModels(scale: number): ProximityModel[] {
  const meshes = [
    torusGrid(9, 5, 0.7, 0.25),
    sphereGrid(5, 0.6),
    boxMesh([-0.5, -0.4, -0.6], [0.5, 0.4, 0.6]),
    tetrahedron(),
    selectFaces(sphereGrid(5, 0.9), (face) => face % 3 !== 0),
    sphereGrid(4, 1.6),
  ];
  return meshes.map((mesh) => new ProximityModel(scaled(mesh, scale)));
}

function randomPose(random: Random, extent: number): Pose {
  const [x, y, z] = [0, 1, 2].map(() => random.range(-extent, extent));
  return [x, y, z, ...random.rotation()];
}

function nudge(random: Random, from: Pose, step: number): Pose {
  const turn = random.direction().map((value) => value * 0.05 * random.next());
  const moved = pose.multiply(
    pose.create([from[0], from[1], from[2]], [turn[0], turn[1], turn[2], 1]),
    pose.create([0, 0, 0], [from[3], from[4], from[5], from[6]]),
  );
  for (let k = 0; k < 3; k++) moved[k] += random.range(-step, step);
  return pose.parse(moved);
}

/** Distances of all pairs of bodies over all pairs of triangles; -1 when they intersect. */
function measureAll(scene: Scene): { a: number; b: number; distance: number }[] {
  const { ids } = scene;
  const oracles = ids.map((id) => {
    const { positions, indices } = scene.modelOf(id).mesh;
    return prepareOracle(positions, indices);
  });
  return ids.flatMap((a, i) =>
    ids.slice(i + 1).map((b, k) => {
      const other = oracles[i + 1 + k];
      const placed = placeInFrame(other.positions, scene.poseOf(a), scene.poseOf(b));
      const { intersects, distance } = measureByBruteForce(oracles[i], other, placed);
      return { a, b, distance: intersects ? -1 : distance };
    }),
  );
}

describe('Scene', () => {
  test('answers about three cubes in a row', () => {
    const scene = new Scene();
    const [a, b, c] = [at(0), at(1), at(2.5)].map((where) => scene.add(CUBE, { pose: where }));
    expect([a, b, c, scene.size]).toEqual([0, 1, 2, 3]);
    expect(idsOf(scene.intersections())).toEqual([[0, 1]]);
    expect(idsOf(scene.within(0.5))).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(idsOf(scene.within(0.4999))).toEqual([[0, 1]]);
    const { pairs, counters } = scene.distances();
    expect(pairs.map(({ result }) => result.distance)).toEqual([0, 1.5, 0.5]);
    expect(counters).toMatchObject({ pairsTested: 3, pairsCulled: 0, pairsExcluded: 0 });
    expect(scene.distances({ cutoff: 0.5 }).pairs.map(({ result }) => result.distance)).toEqual([0, 0.5]);
    expect(scene.intersections().counters).toMatchObject({ pairsTested: 1, pairsCulled: 2 });
    scene.setPose(b, at(1.2));
    expect(scene.nearest().nearest).toMatchObject({ a: 0, b: 1 });
    expect(scene.nearest().nearest?.result.distance).toBeCloseTo(0.2, 12);
    expect(scene.nearest({ cutoff: 0.1 }).nearest).toBeNull();
  });

  test('finds a body inside another', () => {
    const scene = new Scene();
    scene.add(new ProximityModel(boxMesh([-5, -5, -5], [5, 5, 5])));
    scene.add(CUBE, { pose: at(1, 2, 0) });
    expect(idsOf(scene.intersections())).toEqual([[0, 1]]);
    expect(scene.nearest().nearest?.result.distance).toBe(0);
  });

  test('tests by group, mask, fixedness and rule', () => {
    const scene = new Scene();
    const a = scene.add(CUBE, { group: 1, mask: 2 });
    const b = scene.add(CUBE, { group: 2, mask: 1 });
    const c = scene.add(CUBE, { group: 2, fixed: true });
    const d = scene.add(CUBE, { group: 4, fixed: true });
    const met = (): number[][] => idsOf(scene.intersections());
    expect(met()).toEqual([
      [a, b],
      [a, c],
    ]);
    expect(scene.intersections().counters).toMatchObject({ pairsTested: 2, pairsExcluded: 4, pairsCulled: 0 });
    scene.setPairRule(d, c, 'always');
    scene.setPairRule(a, b, 'never');
    expect([scene.pairRule(c, d), scene.pairRule(a, c)]).toEqual(['always', 'by-group']);
    expect(met()).toEqual([
      [a, c],
      [c, d],
    ]);
    scene.setPairRule(a, b, 'by-group');
    scene.setPairRule(c, d, 'by-group');
    scene.setFixed(c, false);
    expect(met()).toEqual([
      [a, b],
      [a, c],
      [c, d],
    ]);
    scene.setGroup(b, 0);
    scene.setGroup(d, 2, 2);
    expect(met()).toEqual([
      [a, c],
      [c, d],
    ]);
    expect(scene.nearest().nearest).toMatchObject({ a, b: c });
  });

  test('gives no id twice, and forgets what is removed', () => {
    const scene = new Scene();
    const first = scene.add(CUBE);
    const second = scene.add(CUBE);
    scene.setPairRule(first, second, 'never');
    scene.intersections();
    scene.remove(first);
    const third = scene.add(CUBE);
    expect(third).toBe(2);
    expect(idsOf(scene.intersections())).toEqual([[second, third]]);
    expect(() => scene.setPose(first, at(0))).toThrow(/no body 0/);
    expect(() => scene.remove(first)).toThrow(/no body 0/);
    scene.remove(second);
    scene.remove(third);
    expect(scene.intersections().pairs).toEqual([]);
    expect(scene.nearest().nearest).toBeNull();
    expect(scene.pairsKept).toBe(0);
  });

  test('refuses what is no pose, group, reach or pair', () => {
    const scene = new Scene();
    const a = scene.add(CUBE);
    expect(() => scene.add(CUBE, { pose: [0, 0, Number.NaN, 0, 0, 0, 1] })).toThrow(/pose/);
    expect(() => scene.setPose(a, [0, 0, 0, 0, 0, 0, 0])).toThrow(/quaternion/);
    expect(() => scene.setGroup(a, 0.5)).toThrow(/group/);
    expect(() => scene.setGroup(a, 1, 2 ** 40)).toThrow(/mask/);
    expect(() => scene.within(-1)).toThrow(/tolerance/);
    expect(() => scene.within(Number.NaN)).toThrow(/tolerance/);
    expect(() => scene.distances({ cutoff: -1 })).toThrow(/The cut-off is -1/);
    expect(() => scene.setPairRule(a, a, 'never')).toThrow(/itself/);
    expect(() => scene.setPairRule(a, 9, 'never')).toThrow(/no body 9/);
    expect(scene.size).toBe(1);
    expect(scene.boxOf(a).min[0]).toBeCloseTo(-0.5, 12);
  });

  test.each([1, 1e-6, 1e6])('agrees with brute force along a history, scale %d', (scale) => {
    const random = createRandom(21);
    const models = makeModels(scale);
    const scene = new Scene({ idleFrames: 2, maxPairs: 30 });
    const tolerance = 0.3 * scale;
    const add = (): number =>
      scene.add(models[random.integer(models.length)], { pose: randomPose(random, 1.7 * scale) });
    for (let k = 0; k < 9; k++) add();
    const seen = { intersecting: 0, near: 0, pairs: 0 };
    for (let frame = 0; frame < 12 * SOAK; frame++) {
      if (frame % 4 === 3) {
        const { ids } = scene;
        scene.remove(ids[random.integer(ids.length)]);
        add();
      }
      for (const id of scene.ids) {
        if (random.integer(4) === 0) continue;
        const far = random.integer(12) === 0;
        scene.setPose(id, far ? randomPose(random, 1.7 * scale) : nudge(random, scene.poseOf(id), 0.05 * scale));
      }
      const truth = measureAll(scene);
      const upTo = (limit: number): number[][] =>
        truth.filter(({ distance }) => distance <= limit).map(({ a, b }) => [a, b]);
      expect(idsOf(scene.intersections())).toEqual(upTo(-1));
      expect(idsOf(scene.within(tolerance))).toEqual(upTo(tolerance));
      const near = scene.distances({ cutoff: tolerance });
      expect(idsOf(near)).toEqual(upTo(tolerance));
      const { pairs, counters } = scene.distances();
      expect(counters.pairsTested).toBe(truth.length);
      for (const [k, { a, b, result }] of pairs.entries()) {
        expect([a, b]).toEqual([truth[k].a, truth[k].b]);
        expect(Math.abs(result.distance! - Math.max(0, truth[k].distance))).toBeLessThan(1e-9 * scale);
      }
      const least = Math.min(...truth.map(({ distance }) => distance));
      const { nearest } = scene.nearest();
      if (least < 0) expect([nearest?.a, nearest?.b]).toEqual(upTo(-1)[0]);
      expect(Math.abs(nearest!.result.distance! - Math.max(0, least))).toBeLessThan(1e-9 * scale);
      seen.intersecting += upTo(-1).length;
      seen.near += upTo(tolerance).length;
      seen.pairs += truth.length;
      expect(scene.pairsKept).toBeLessThanOrEqual(30);
    }
    expect(seen.intersecting / seen.pairs).toBeGreaterThan(0.1);
    expect(seen.near / seen.pairs).toBeGreaterThan(0.2);
    expect(seen.near / seen.pairs).toBeLessThan(0.7);
  });

  test('names the nearest pair while none intersects, among many', () => {
    const random = createRandom(8);
    for (let k = 0; k < 6 * SOAK; k++) {
      const scene = new Scene();
      const small = new ProximityModel(scaled(torusGrid(6, 4, 0.7, 0.25), 0.3));
      for (let i = 0; i < 40; i++) scene.add(small, { pose: randomPose(random, 4) });
      const { pairs } = scene.distances();
      const least = Math.min(...pairs.map(({ result }) => result.distance!));
      const first = pairs.find(({ result }) => result.distance === least)!;
      const { nearest, counters } = scene.nearest();
      expect(nearest).toMatchObject({ a: first.a, b: first.b });
      expect(nearest?.result.distance).toBe(least);
      expect(counters.pairsTested).toBeLessThan(pairs.length / 10);
    }
  });

  test('depends neither on history nor on coherence', () => {
    const random = createRandom(13);
    const models = makeModels(1);
    const remembering = new Scene();
    const forgetful = new Scene({ coherence: false });
    // The third comes by its bodies in another order of slots: some are added and removed in between.
    const churned = new Scene();
    const bodies = Array.from({ length: 12 }, () => ({
      model: models[random.integer(models.length)],
      pose: randomPose(random, 2),
    }));
    const passing = Array.from({ length: 6 }, () => churned.add(models[0]));
    churned.intersections();
    for (const id of [3, 0, 5, 1, 4, 2]) churned.remove(passing[id]);
    for (const { model, pose: where } of bodies) {
      for (const scene of [remembering, forgetful, churned]) scene.add(model, { pose: where });
    }
    const stripped = (result: { pairs: readonly { a: number; b: number; result: object }[] }, first: number) =>
      result.pairs.map(({ a, b, result: found }) => ({ ...found, a: a - first, b: b - first, counters: null }));
    let hits = 0;
    for (let frame = 0; frame < 20 * SOAK; frame++) {
      for (const [k, body] of bodies.entries()) {
        body.pose = nudge(random, body.pose, 0.04);
        for (const scene of [remembering, forgetful]) scene.setPose(k, body.pose);
        churned.setPose(6 + k, body.pose);
      }
      for (const ask of [
        (scene: Scene) => scene.intersections(),
        (scene: Scene) => scene.within(0.2),
        (scene: Scene) => scene.distances({ cutoff: 0.5 }),
      ]) {
        const expected = stripped(ask(remembering), 0);
        hits += expected.length;
        expect(stripped(ask(churned), 6)).toEqual(expected);
        expect(idsOf(ask(forgetful))).toEqual(expected.map(({ a, b }) => [a, b]));
      }
    }
    expect(hits).toBeGreaterThan(200);
  });

  test('keeps a pair for some frames after it parts, then drops it', () => {
    const scene = new Scene({ idleFrames: 3 });
    scene.add(CUBE);
    const mover = scene.add(CUBE);
    const kept: number[] = [];
    for (const x of [0, 9, 9.1, 9.2, 9.3, 9.4]) {
      scene.setPose(mover, at(x));
      scene.intersections();
      kept.push(scene.pairsKept);
    }
    expect(kept).toEqual([1, 1, 1, 1, 0, 0]);
  });

  test('does no sweep and forgets nothing while nothing moves', () => {
    const scene = new Scene({ idleFrames: 0 });
    for (const x of [0, 0.5, 9]) scene.add(CUBE, { pose: at(x) });
    scene.intersections();
    expect(scene.sweepCounters.pairsBegun).toBe(1);
    for (let k = 0; k < 5; k++) scene.intersections();
    expect(scene.sweepCounters.pairsBegun).toBe(1);
    expect(scene.pairsKept).toBe(1);
  });

  test('gives the contacts of every pair', () => {
    const random = createRandom(31);
    const models = makeModels(1);
    const scene = new Scene();
    for (let k = 0; k < 10; k++) scene.add(models[k % 4], { pose: randomPose(random, 2.2) });
    let contacts = 0;
    for (let frame = 0; frame < 5; frame++) {
      const { pairs } = scene.contacts({ tolerance: 0.8 });
      const found = new Map(pairs.map((pair) => [`${pair.a} ${pair.b}`, pair.result]));
      for (const a of scene.ids) {
        for (const b of scene.ids.filter((id) => id > a)) {
          const alone = findContacts(scene.modelOf(a), scene.modelOf(b), scene.poseOf(a), scene.poseOf(b), {
            tolerance: 0.8,
          });
          const result = found.get(`${a} ${b}`) ?? { intersects: false, contacts: [] };
          expect(result.intersects).toBe(alone.intersects);
          expect(result.contacts.map(({ distance }) => distance)).toEqual(
            alone.contacts.map(({ distance }) => distance),
          );
          contacts += alone.contacts.length;
        }
      }
      for (const id of scene.ids) scene.setPose(id, nudge(random, scene.poseOf(id), 0.05));
    }
    expect(contacts).toBeGreaterThan(20);
  });

  test('stops when asked to, and goes on afterwards', () => {
    const scene = new Scene();
    for (let k = 0; k < 30; k++) scene.add(CUBE, { pose: at(k / 8) });
    expect(() => scene.intersections({ signal: { aborted: true } })).toThrow(/Stopped/);
    expect(() => scene.nearest({ signal: { aborted: true } })).toThrow(/Stopped/);
    expect(scene.intersections().pairs.length).toBe(204);
  });
});
