// What a model derives, keeps, counts and frees.
import { expect, test } from 'vitest';
import { bytesPerTriangle } from '../../src/decomposition/hierarchy/hierarchy.js';
import { triangleCount } from '../../src/mesh/mesh.js';
import { findModel } from '../../src/models/catalogue.js';
import { measurePenetrationSync } from '../../src/penetration/measure-on-cpu.js';
import { prepareSolid } from '../../src/penetration/solid.js';
import { HULL_SURFACE, hullsOf, prepareModel } from '../../src/proximity/hulls/model-hulls.js';
import { Pair } from '../../src/proximity/pair.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { findContacts, measureDistance, testIntersection } from '../../src/proximity/queries.js';

const IDENTITY = [0, 0, 0, 0, 0, 0, 1] as const;
const BESIDE = [3, 0.5, 0.25, 0, 0, 0, 1] as const;
const OVERLAPPING = [0.5, 0.1, 0.2, 0, 0, 0, 1] as const;
const torus = findModel('torus')!.build({});

function bytesByName(model: ProximityModel): Record<string, number> {
  return Object.fromEntries(model.memory().map(({ name, bytes }) => [name, bytes]));
}

test('a new model holds its mesh only, then what queries need', () => {
  const model = new ProximityModel(torus);
  const mesh = torus.positions.byteLength + torus.indices.byteLength;
  expect(model.memory()).toEqual([{ name: 'mesh', bytes: mesh }]);
  prepareModel(model, 'boxes');
  expect(model.memory().map(({ name }) => name)).toEqual(['mesh', 'boxes']);
  expect(bytesByName(model).boxes).toBe(model.boxes.bytes);
  new Pair(model, model, { volume: 'hulls' }).contacts(IDENTITY, BESIDE, { tolerance: 4 });
  const parts = bytesByName(model);
  for (const name of ['hulls', 'convex set', 'hull surface', 'contact surface']) {
    expect(parts[name], name).toBeGreaterThan(0);
  }
  expect(parts.hulls).toBe(bytesPerTriangle(hullsOf(model)) * triangleCount(torus) - mesh);
});

test('hulls have one convex set, which distances and depths share', () => {
  const model = new ProximityModel(torus);
  const solid = prepareSolid(model);
  expect(solid.set).toBe(model.parts.get(HULL_SURFACE).set);
  expect(prepareSolid(model)).toBe(solid);
});

test('release frees everything, and the same queries give the same answers again', () => {
  const [a, b] = [new ProximityModel(torus), new ProximityModel(torus)];
  const ask = () => [
    testIntersection(a, b, IDENTITY, OVERLAPPING),
    measureDistance(a, b, IDENTITY, BESIDE),
    new Pair(a, b, { volume: 'hulls', coherence: false }).distance(IDENTITY, BESIDE),
    findContacts(a, b, IDENTITY, BESIDE, { tolerance: 4 }),
    measurePenetrationSync(a, b, IDENTITY, OVERLAPPING, { maxCells: 1000 }).upper,
  ];
  const first = ask();
  expect(a.memory().length).toBeGreaterThan(6);
  a.release();
  b.release();
  expect(a.memory()).toHaveLength(1);
  expect(b.memory()).toHaveLength(1);
  expect(ask()).toEqual(first);
});

test('calls without memory keep their workspace on the first model, for its last partner', () => {
  const [a, b, c] = [new ProximityModel(torus), new ProximityModel(torus), new ProximityModel(torus)];
  const alone = measureDistance(a, b, IDENTITY, BESIDE);
  measureDistance(a, c, IDENTITY, OVERLAPPING);
  measureDistance(b, a, BESIDE, IDENTITY);
  expect(measureDistance(a, b, IDENTITY, BESIDE)).toEqual(alone);
  expect(bytesByName(a)['workspace of stateless calls']).toBeGreaterThan(0);
  expect(bytesByName(c)['workspace of stateless calls']).toBe(undefined);
});

test('a call that fails leaves a workspace that answers', () => {
  const [a, b] = [new ProximityModel(torus), new ProximityModel(torus)];
  const before = measureDistance(a, b, IDENTITY, BESIDE);
  expect(() => measureDistance(a, b, IDENTITY, [0, 0, Number.NaN, 0, 0, 0, 1])).toThrow();
  expect(measureDistance(a, b, IDENTITY, BESIDE)).toEqual(before);
});
