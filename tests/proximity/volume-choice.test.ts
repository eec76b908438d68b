// Which bounding volume 'auto' uses: boxes at first, hulls once they are ready, prepared explicitly or paid for by work.
import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { findModel } from '../../src/models/catalogue.js';
import { advanceHulls, hasHulls, prepareModel } from '../../src/proximity/hulls/model-hulls.js';
import { Pair } from '../../src/proximity/pair.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { sphereGrid, voxelSolid } from '../generators/surfaces.js';

type Numbers = [number, number, number, number, number, number, number];

const IDENTITY: Numbers = [0, 0, 0, 0, 0, 0, 1];

const chooseWhenPrepared = (mesh: Mesh): string => {
  const model = new ProximityModel(mesh);
  prepareModel(model, 'auto');
  return new Pair(model, model).volume;
};

/** Where B is at each frame of a motion past A, turning; in some frames the models meet. */
function motionPast({ radius }: ProximityModel, frames: number, seed: number): Numbers[] {
  const random = createRandom(seed);
  const phase = 6 * random.next();
  return Array.from({ length: frames }, (_, frame) => {
    const angle = phase + 0.01 * frame;
    const away = radius * (1.6 + 0.5 * Math.sin(5 * angle));
    return [away * Math.cos(angle), away * Math.sin(angle), 0.1, 0, 0, Math.sin(angle), Math.cos(angle)];
  });
}

test('boxes at first: nothing else is made for the first answer', () => {
  const [a, b] = [1, 2].map(() => new ProximityModel(findModel('letter-a').build()));
  const pair = new Pair(a, b);
  expect(pair.volume).toBe('boxes');
  pair.distance(IDENTITY, [5, 0, 0, 0, 0, 0, 1]);
  // The kernel is not compiled yet: it only counts what searches cost.
  expect(a.memory().map(({ name }) => name)).toEqual(['mesh', 'boxes', 'boxes in WebAssembly']);
  expect(a.memory()[2].bytes).toBe(0);
  expect(b.memory().map(({ name }) => name)).toEqual(['mesh', 'boxes']);
});

test('hulls for surfaces, once they have been made', () => {
  expect(chooseWhenPrepared(findModel('letter-a').build())).toBe('hulls');
  expect(chooseWhenPrepared(findModel('torus').build())).toBe('hulls');
  expect(chooseWhenPrepared(findModel('sphere').build())).toBe('hulls');
  const model = new ProximityModel(findModel('letter-a').build());
  const early = new Pair(model, model);
  new Pair(model, model, { volume: 'hulls' });
  expect(hasHulls(model)).toBe(true);
  expect(new Pair(model, model).volume).toBe('hulls');
  expect(early.volume).toBe('hulls');
  expect(new Pair(model, model, { coherence: false }).volume).toBe('boxes');
});

test('a pair that is asked often moves to hulls between two queries; the answers are those of boxes and of hulls', () => {
  const mesh = findModel('letter-s').build();
  const [a, b] = [new ProximityModel(mesh), new ProximityModel(mesh)];
  const other = new ProximityModel(mesh);
  const pairs = {
    auto: new Pair(a, b),
    boxes: new Pair(other, other, { volume: 'boxes' }),
    hulls: new Pair(other, other, { volume: 'hulls' }),
  };
  let boxesAnswered = 0;
  let met = 0;
  for (const [frame, at] of motionPast(a, 900, 1).entries()) {
    const [auto, boxes, hulls] = [pairs.auto, pairs.boxes, pairs.hulls].map((pair) => {
      const { intersects, distance } = pair.distance(IDENTITY, at);
      const within = pair.within(IDENTITY, at, 0.3).within;
      const contacts = frame % 10 === 0 ? pair.contacts(IDENTITY, at, { tolerance: 0.3 }).contacts : [];
      const { intersects: meets } = pair.intersects(IDENTITY, at);
      return { intersects, meets, within, distance, contacts: contacts.map((contact) => contact.distance) };
    });
    expect(auto.intersects).toBe(boxes.intersects);
    expect(auto.meets).toBe(boxes.meets);
    expect(auto.within).toBe(boxes.within);
    expect(hulls.within).toBe(boxes.within);
    expect(Math.abs(auto.distance! - boxes.distance!)).toBeLessThan(1e-14);
    expect(Math.abs(auto.distance! - hulls.distance!)).toBeLessThan(1e-14);
    expect(auto.contacts.length).toBe(boxes.contacts.length);
    if (pairs.auto.volume === 'boxes') boxesAnswered++;
    if (auto.intersects) met++;
  }
  expect(pairs.auto.volume).toBe('hulls');
  expect(boxesAnswered).toBeGreaterThan(20);
  expect(boxesAnswered).toBeLessThan(880);
  expect(met).toBeGreaterThan(50);
  expect(met).toBeLessThan(850);
});

test('the same calls move at the same query and give the same bits', () => {
  const run = () => {
    const model = new ProximityModel(findModel('letter-s').build());
    const pair = new Pair(model, model);
    return motionPast(model, 600, 2).map((at) => [pair.distance(IDENTITY, at), pair.volume]);
  };
  expect(run()).toEqual(run());
});

test('what other pairs of the models were asked does not change when a pair moves, nor its bits', () => {
  const run = (others: boolean) => {
    const model = new ProximityModel(findModel('letter-s').build());
    const path = motionPast(model, 500, 3);
    if (others)
      for (const pair of [1, 2].map(() => new Pair(model, model))) for (const at of path) pair.distance(IDENTITY, at);
    expect(model.hullsReady).toBe(others);
    const pair = new Pair(model, model);
    return path.map((at) => [pair.distance(IDENTITY, at), pair.volume]);
  };
  const alone = run(false);
  expect(alone.at(-1)![1]).toBe('hulls');
  expect(run(true)).toEqual(alone);
});

test('hulls are made in steps: no single query pays for all of them', () => {
  const model = new ProximityModel(findModel('torus').build());
  const triangles = model.mesh.indices.length / 3;
  let spent = 0;
  let calls = 0;
  let left = 0;
  while (!model.hullsReady && spent < 3 * triangles) {
    left = advanceHulls(model, left + triangles / 100);
    spent += triangles / 100;
    calls++;
  }
  expect(model.hullsReady).toBe(true);
  expect(calls).toBeGreaterThan(30);
  expect(model.memory().map(({ name }) => name)).not.toContain('hulls in the making');
});

test('boxes for soups and what intersects itself', () => {
  const soup = {
    positions: Float64Array.from({ length: 90 }, (_, i) => Math.sin(7 * i)),
    indices: new Uint32Array(30),
  };
  soup.indices.forEach((_, i) => {
    soup.indices[i] = i;
  });
  expect(chooseWhenPrepared(soup)).toBe('boxes');
  expect(() => new Pair(new ProximityModel(soup), new ProximityModel(soup), { volume: 'hulls' })).toThrow();
  const model = new ProximityModel(soup);
  const pair = new Pair(model, model);
  for (let frame = 0; frame < 400; frame++) pair.distance(IDENTITY, [3 + 0.001 * frame, 0, 0, 0, 0, 0, 1]);
  expect(pair.volume).toBe('boxes');
  expect(advanceHulls(model, 1e9)).toBe(0);
});

test('hulls for finely divided convex models, which are one patch', () => {
  const cylinder = new ProximityModel(findModel('cylinder').build());
  expect(cylinder.mesh.indices.length / 3).toBeGreaterThanOrEqual(20_000);
  expect(hasHulls(cylinder)).toBe(true);
  expect(new Pair(cylinder, cylinder).volume).toBe('hulls');
});

test('boxes for a fine sphere, whose decomposition would take long; hulls for large flat patches', () => {
  const sphere = new ProximityModel(sphereGrid(40, 1));
  expect(hasHulls(sphere)).toBe(false);
  expect(new Pair(sphere, sphere).volume).toBe('boxes');
  expect(hasHulls(new ProximityModel(voxelSolid(2, (x, y, z) => x + y + z < 3, 8)))).toBe(true);
});
