// Groups of clashes by type and place, rules, and parts inside of open ones.
import { expect, test } from 'vitest';
import type { AssemblyPart } from '../../src/clash/assembly.js';
import { PairRules } from '../../src/clash/clash-rules.js';
import { findClashes } from '../../src/clash/find-clashes.js';
import { groupClashesByPlace, groupClashesByType } from '../../src/clash/group-clashes.js';
import { findInsideOpen } from '../../src/clash/inside-open.js';
import * as pose from '../../src/core/pose.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { codeOf } from '../error-code.js';
import { boxMesh } from '../generators/surfaces.js';

const mesh = boxMesh([-1, -1, -1], [1, 1, 1]);
const model = new ProximityModel(mesh);
const width = 2 * Math.max(...mesh.positions);
const part = (name: string, x: number, kind?: string): AssemblyPart => ({
  ...{ name, model, pose: pose.create([x, 0, 0], [0, 0, 0, 1]) },
  ...(kind !== undefined && { about: { kind } }),
});

test('clashes of the same types, and at the same place, are groups', () => {
  const far = 100 * width;
  const parts = [
    part('bolt', 0),
    part('plate-1', 0.9 * width),
    part('bolt (2)', far),
    part('plate-02', far + 0.9 * width),
    part('x', far + 0.1 * width, 'IfcWall'),
  ];
  const { clashes } = findClashes(parts);
  const types = groupClashesByType(parts, clashes);
  expect(types.map(({ types }) => types)).toEqual([
    ['bolt', 'plate'],
    ['IfcWall', 'bolt'],
    ['IfcWall', 'plate'],
  ]);
  expect(types[0].clashes).toHaveLength(2);
  const places = groupClashesByPlace(clashes, 2 * width);
  expect(places.map(({ clashes: members }) => members.length).sort()).toEqual([1, 3]);
  expect(
    groupClashesByPlace(clashes, 0)
      .flatMap(({ clashes: members }) => members)
      .sort(),
  ).toEqual([0, 1, 2, 3]);
});

test('of several rules the last one counts, and only optional ones may match nothing', () => {
  const parts = [part('a', 0, 'IfcWall'), part('b', 1, 'IfcPipe')];
  const matrix = { a: 'IfcPipe*', b: '*', by: 'class', clearance: 2, optional: true } as const;
  const none = { a: 'IfcDoor', b: '*', by: 'class', ignore: true } as const;
  const rules = new PairRules(parts, [matrix, { ...none, optional: true }, none, { a: 'a', b: 'b', allow: 0.5 }]);
  expect(rules.of(1, 0)).toEqual({ ignore: false, clearance: 2, allow: 0.5 });
  expect(rules.unused).toEqual([2]);
  expect(codeOf(() => new PairRules(parts, [{ ...none, optional: 1 as unknown as boolean }]))).toBe('bad-argument');
});

test('a part in a box with a face missing is named, one that stands out of it is not', () => {
  const open = new ProximityModel({
    positions: mesh.positions.map((value) => 4 * value),
    indices: mesh.indices.slice(6),
  });
  const box: AssemblyPart = { name: 'box', model: open, pose: pose.identity() };
  expect(findInsideOpen([part('in', 0), box, part('out', 10 * width)], [])).toEqual([{ inner: 0, outer: 1 }]);
  expect(findInsideOpen([part('in', 0), box], [{ a: 0, b: 1 }])).toEqual([]);
});
