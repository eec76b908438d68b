// Polygons with many corners in OBJ, OFF and PLY files: what the triangles cover is what the outline encloses.
import { describe, expect, test } from 'vitest';
import * as pose from '../../../src/core/pose.js';
import { readObj } from '../../../src/io/formats/read-obj.js';
import { readOff } from '../../../src/io/formats/read-off.js';
import { readPly } from '../../../src/io/formats/read-ply.js';
import { inspectMesh } from '../../../src/mesh/report/report.js';
import { ProximityModel } from '../../../src/proximity/proximity-model.js';
import { testIntersection } from '../../../src/proximity/queries.js';
import { boxMesh } from '../../generators/surfaces.js';

type Point = readonly [number, number];

const U: Point[] = [
  [0, 0],
  [3, 0],
  [3, 3],
  [2, 3],
  [2, 1],
  [1, 1],
  [1, 3],
  [0, 3],
];
const L: Point[] = [
  [2, 1],
  [1, 1],
  [1, 3],
  [0, 3],
  [0, 0],
  [2, 0],
];
const STAR: Point[] = Array.from({ length: 10 }, (_, k) => {
  const radius = k % 2 === 0 ? 2 : 0.7;
  return [radius * Math.cos((k * Math.PI) / 5), radius * Math.sin((k * Math.PI) / 5)];
});
const STRAIGHT: Point[] = [
  [1, 1],
  [1, 2],
  [1, 3],
  [0, 3],
  [0, 1.5],
  [0, 0],
  [3, 0],
  [3, 3],
  [2, 3],
  [2, 1],
];
const REPEATED: Point[] = [U[0], U[1], U[2], U[3], U[3], U[4], U[5], U[6], U[7], U[7]];

function areaOf(outline: readonly Point[]): number {
  let sum = 0;
  for (const [k, [x, y]] of outline.entries()) {
    const [u, v] = outline[(k + 1) % outline.length];
    sum += (x * v - y * u) / 2;
  }
  return sum;
}

interface Polyhedron {
  readonly points: readonly (readonly number[])[];
  readonly faces: readonly (readonly number[])[];
}

/** The prism over an outline, its caps as one polygon each, turned and moved. */
function prism(outline: readonly Point[], at = pose.identity()): Polyhedron {
  const n = outline.length;
  const points = [0, 1].flatMap((z) => outline.map(([x, y]) => pose.transformPoint(at, [x, y, z])));
  const ring = outline.map((_, k) => k);
  const sides = ring.map((k) => [k, (k + 1) % n, n + ((k + 1) % n), n + k]);
  return { points, faces: [[...ring].reverse(), ring.map((k) => n + k), ...sides] };
}

const FORMATS: Record<string, (solid: Polyhedron) => ReturnType<typeof readObj>> = {
  // The faces come before the vertices they name.
  obj: ({ points, faces }) =>
    readObj(
      encode([...faces.map((f) => `f ${f.map((k) => k + 1).join(' ')}`), ...points.map((p) => `v ${p.join(' ')}`)]),
      {},
    ),
  off: ({ points, faces }) =>
    readOff(
      encode(['OFF', `${points.length} ${faces.length} 0`, ...points.map((p) => p.join(' ')), ...faces.map(withCount)]),
      {},
    ),
  ply: ({ points, faces }) =>
    readPly(
      encode([
        'ply',
        'format ascii 1.0',
        `element vertex ${points.length}`,
        ...['x', 'y', 'z'].map((axis) => `property double ${axis}`),
        `element face ${faces.length}`,
        'property list uchar int vertex_indices',
        'end_header',
        ...points.map((p) => p.join(' ')),
        ...faces.map(withCount),
      ]),
      {},
    ),
};

const withCount = (face: readonly number[]): string => `${face.length} ${face.join(' ')}`;
const encode = (lines: readonly string[]): Uint8Array => new TextEncoder().encode(`${lines.join('\n')}\n`);
const tilted = pose.create([3, -2, 5], [0.3, -0.2, 0.5, 0.7]);

describe.each(Object.entries(FORMATS))('%s', (_, read) => {
  test.each([
    ['U', U],
    ['L', L],
    ['star', STAR],
    ['straight corners', STRAIGHT],
  ])('%s', (name, outline) => {
    for (const at of [pose.identity(), tilted]) {
      const model = read(prism(outline, at));
      const { mesh } = model.meshes[0];
      expect(model.warnings).toBeUndefined();
      expect(mesh.indices.length / 3).toBe(2 * (outline.length - 2) + 2 * outline.length);
      const report = inspectMesh(mesh);
      expect(report).toMatchObject({ closed: true, manifold: true, outward: true, selfIntersections: 0 });
      expect(report.volume).toBeCloseTo(areaOf(outline), 10);
      if (name !== 'straight corners') expect(report.degenerateFaces).toBe(0);
    }
  });

  test('the gap of a U is free', () => {
    const bracket = new ProximityModel(read(prism(U)).meshes[0].mesh);
    const finger = new ProximityModel(boxMesh([1.2, 1.5, -1], [1.8, 5, 2]));
    expect(testIntersection(bracket, finger, pose.identity(), pose.identity()).intersects).toBe(false);
  });

  test('repeated corners', () => {
    const { mesh } = read(prism(REPEATED)).meshes[0];
    const report = inspectMesh(mesh);
    expect(report.closed).toBe(true);
    expect(report.volume).toBeCloseTo(areaOf(U), 12);
  });

  test('convex polygons, and others that a fan covers, stay fans in file order', () => {
    const hexagon = Array.from(
      { length: 6 },
      (_, k): Point => [Math.cos((k * Math.PI) / 3), Math.sin((k * Math.PI) / 3)],
    );
    const { mesh } = read(prism(hexagon)).meshes[0];
    expect([...mesh.indices.subarray(12, 24)]).toEqual([6, 7, 8, 6, 8, 9, 6, 9, 10, 6, 10, 11]);
    // The corner of the L from which all of it is seen.
    const seen: Point[] = [
      [1, 1],
      [1, 3],
      [0, 3],
      [0, 0],
      [2, 0],
      [2, 1],
    ];
    expect([...read(prism(seen)).meshes[0].mesh.indices.subarray(12, 18)]).toEqual([6, 7, 8, 6, 8, 9]);
  });

  test('a polygon that is not flat is cut in the plane it fits best', () => {
    const { points, faces } = prism(U);
    const bent = points.map(([x, y, z]) => [x, y, z + 0.05 * Math.sin(3 * x + y)]);
    const model = read({ points: bent, faces });
    expect(model.warnings).toBeUndefined();
    expect(inspectMesh(model.meshes[0].mesh)).toMatchObject({ closed: true, selfIntersections: 0 });
  });

  test('one that crosses itself stays a fan, with a warning', () => {
    const model = read({
      points: [
        [0, 0, 0],
        [2, 2, 0],
        [2, 0, 0],
        [0, 1, 0],
        [3, 3, 0],
      ],
      faces: [[0, 1, 2, 3, 4]],
    });
    expect(model.warnings?.[0]).toMatch(/1 polygons cross or touch themselves.*face 0/);
    expect([...model.meshes[0].mesh.indices]).toEqual([0, 1, 2, 0, 2, 3, 0, 3, 4]);
  });
});
