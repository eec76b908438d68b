// Medial axes of solids with known ones: a box, a capsule, a cylinder and an L-shaped bracket.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { createMesh, type Mesh } from '../../src/mesh/mesh.js';
import { createPolygon } from '../../src/mesh/polygon/polygon.js';
import { MeshQuery } from '../../src/mesh/query/mesh-query.js';
import { findModel } from '../../src/models/catalogue.js';
import { extrudePolygon } from '../../src/models/parts/extrude.js';
import { computeSolidMedialAxis, type SolidMedialAxis } from '../../src/voronoi/space/solid-medial-axis.js';
import { codeOf } from '../error-code.js';
import { torusGrid } from '../generators/surfaces.js';
import { siteDistance } from '../oracles/brute-force-space-voronoi.js';

function box(a: number, b: number, c: number): Mesh {
  const positions: number[] = [];
  for (let n = 0; n < 8; n++) positions.push((n & 1) * a, ((n >> 1) & 1) * b, (n >> 2) * c);
  const quads = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  return createMesh(
    positions,
    quads.flatMap(([p, q, r, s]) => [p, q, r, p, r, s]),
  );
}

/** A surface of revolution about z through (radius, height) pairs from bottom to top; the first and the last are on the axis. */
function turned(profile: readonly (readonly [number, number])[], parts: number): Mesh {
  const positions: number[] = [0, 0, profile[0][1]];
  for (const [radius, z] of profile.slice(1, -1)) {
    for (let n = 0; n < parts; n++) {
      const angle = (2 * Math.PI * n) / parts;
      positions.push(radius * Math.cos(angle), radius * Math.sin(angle), z);
    }
  }
  positions.push(0, 0, profile[profile.length - 1][1]);
  const rings = profile.length - 2;
  const at = (ring: number, n: number): number => 1 + parts * ring + (n % parts);
  const last = positions.length / 3 - 1;
  const indices: number[] = [];
  for (let n = 0; n < parts; n++) {
    indices.push(0, at(0, n + 1), at(0, n), last, at(rings - 1, n), at(rings - 1, n + 1));
    for (let ring = 0; ring + 1 < rings; ring++) {
      const [p, q, r, s] = [at(ring, n), at(ring, n + 1), at(ring + 1, n + 1), at(ring + 1, n)];
      indices.push(p, q, r, p, r, s);
    }
  }
  return createMesh(positions, indices);
}

/** Every radius is the distance to the surface. */
function validate(axis: SolidMedialAxis, mesh: Mesh, size: number): void {
  expect(axis.radii.length).toBeGreaterThan(0);
  for (let n = 0; n < axis.radii.length; n++) {
    const distance = siteDistance({ type: 'mesh', mesh }, [...axis.positions.subarray(3 * n, 3 * n + 3)]);
    if (Math.abs(distance - axis.radii[n]) > 1e-9 * size)
      throw new Error(`vertex ${n}: ${axis.radii[n]}, not ${distance}`);
  }
}

function areaOf({ positions, indices }: Mesh, counts: (centroid: number[]) => boolean = () => true): number {
  let area = 0;
  for (let n = 0; n < indices.length; n += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) =>
      positions.subarray(3 * indices[n + corner], 3 * indices[n + corner] + 3),
    );
    const u = [0, 1, 2].map((axis) => b[axis] - a[axis]);
    const v = [0, 1, 2].map((axis) => c[axis] - a[axis]);
    if (!counts([0, 1, 2].map((axis) => (a[axis] + b[axis] + c[axis]) / 3))) continue;
    area += Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
  }
  return area;
}

test('a box: six kinds of flat sheets, and the error at their rims shrinks with the resolution', () => {
  const [a, b, c] = [3, 2, 1];
  const mesh = box(a, b, c);
  const slope = (Math.SQRT2 * c) / 2;
  const area = (a - c) * (b - c) + 4 * slope * ((2 * a - c) / 2 + (2 * b - c) / 2) + 2 * c * slope;
  const missing = [20, 40].map((resolution) => {
    const axis = computeSolidMedialAxis(mesh, { resolution });
    validate(axis, mesh, 4);
    for (let n = 0; n < axis.radii.length; n++) {
      const [x, y, z] = axis.positions.subarray(3 * n, 3 * n + 3);
      const [first, second] = [x, a - x, y, b - y, z, c - z].sort((p, q) => p - q);
      expect(Math.abs(first - second)).toBeLessThan(1e-9);
      expect(Math.abs(first - axis.radii[n])).toBeLessThan(1e-9);
    }
    const share = 1 - areaOf(axis) / area;
    // At most a strip of one cell is missing along the twelve edges of the box.
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan((4 * (a + b + c) * axis.error) / area);
    return share;
  });
  expect(missing[1]).toBeLessThan(0.65 * missing[0]);
});

test('a capsule: only its axis is left', () => {
  const profile: [number, number][] = [];
  for (let n = 0; n <= 8; n++) profile.push([Math.sin((n * Math.PI) / 16), -1 - Math.cos((n * Math.PI) / 16)]);
  for (let n = 8; n >= 0; n--) profile.push([Math.sin((n * Math.PI) / 16), 1 + Math.cos((n * Math.PI) / 16)]);
  profile[0][0] = 0;
  profile[profile.length - 1][0] = 0;
  const mesh = turned(profile, 20);
  const axis = computeSolidMedialAxis(mesh, { resolution: 24, minAngle: Math.PI / 3 });
  validate(axis, mesh, 5);
  let low = Infinity;
  let high = -Infinity;
  for (let n = 0; n < axis.radii.length; n++) {
    const [x, y, z] = axis.positions.subarray(3 * n, 3 * n + 3);
    expect(Math.hypot(x, y)).toBeLessThan(2 * axis.error);
    expect(axis.radii[n]).toBeGreaterThan(0.95 - axis.error);
    low = Math.min(low, z);
    high = Math.max(high, z);
  }
  expect(low).toBeLessThan(-1 + axis.error);
  expect(low).toBeGreaterThan(-1 - 2 * axis.error);
  expect(high).toBeGreaterThan(1 - axis.error);
  expect(high).toBeLessThan(1 + 2 * axis.error);
});

test('a cylinder: two cones and the axis between them', () => {
  const mesh = turned(
    [
      [0, -2],
      [1, -2],
      [1, 2],
      [0, 2],
    ],
    24,
  );
  const axis = computeSolidMedialAxis(mesh, { resolution: 32 });
  validate(axis, mesh, 5);
  const apothem = Math.cos(Math.PI / 24);
  for (let n = 0; n < axis.radii.length; n++) {
    const [x, y, z] = axis.positions.subarray(3 * n, 3 * n + 3);
    const fromAxis = Math.hypot(x, y);
    const cap = 2 - Math.abs(z);
    // On a cone the cap and the side are equally far; a side is between its middle and its edges from the axis.
    const onCone = cap <= 1 - apothem * fromAxis + 0.02 && cap >= apothem - fromAxis - 0.02;
    expect(onCone || fromAxis < 2 * axis.error, `${x}, ${y}, ${z}`).toBe(true);
  }
  const cones = areaOf(axis, ([x, y, z]) => Math.hypot(x, y) > 0.2 && Math.abs(z) > 1);
  const expected = 2 * Math.PI * Math.SQRT2 * (1 - 0.2 ** 2);
  expect(cones / expected).toBeLessThan(1.01);
  expect(cones / expected).toBeGreaterThan(0.8);
});

describe('an L-shaped bracket', () => {
  const outline = createPolygon([[0, 0, 3, 0, 3, 1, 1, 1, 1, 3, 0, 3]]);
  const mesh = extrudePolygon(outline, { depth: 2 });

  test('the widest place is at the elbow, and the reflex edge leaves no sheet of its own', () => {
    const axis = computeSolidMedialAxis(mesh, { resolution: 30 });
    validate(axis, mesh, 5);
    // In the elbow √2 (1 − r) = r.
    const widest = Math.SQRT2 / (1 + Math.SQRT2);
    const most = axis.radii.reduce((a, b) => Math.max(a, b), 0);
    expect(most).toBeLessThan(widest + 1e-9);
    expect(most).toBeGreaterThan(widest - axis.error / 4);
    const middle =
      (mesh.positions.filter((_, n) => n % 3 === 2).reduce((a, b) => a + b, 0) * 3) / mesh.positions.length;
    // Near the reflex edge no place has two nearest points.
    const near = areaOf(axis, (p) => {
      return Math.abs(p[0] - 0.97) < 0.02 && Math.abs(p[1] - 0.97) < 0.02 && Math.abs(p[2] - middle) < 0.7;
    });
    expect(near).toBe(0);
  });

  test('pruning by feature size leaves only wide places', () => {
    const all = computeSolidMedialAxis(mesh, { resolution: 24 });
    const wide = computeSolidMedialAxis(mesh, { resolution: 24, minFeature: 0.8 });
    expect(wide.indices.length).toBeLessThan(0.8 * all.indices.length);
    expect(wide.indices.length).toBeGreaterThan(0);
    expect(wide.radii.reduce((a, b) => Math.min(a, b), Infinity)).toBeGreaterThanOrEqual(0.4);
  });
});

test('the same at other scales', () => {
  const count = [1, 1e6, 1e-6].map((scale) => {
    const mesh = box(3 * scale, 2 * scale, scale);
    const axis = computeSolidMedialAxis(mesh, { resolution: 20 });
    validate(axis, mesh, 4 * scale);
    return areaOf(axis) / scale ** 2;
  });
  // Nodes with ties go to either side by rounding.
  expect(Math.abs(count[1] / count[0] - 1)).toBeLessThan(1e-3);
  expect(Math.abs(count[2] / count[0] - 1)).toBeLessThan(1e-3);
});

test('a torus of small facets: the circle in its tube, all around', () => {
  const mesh = torusGrid(64, 20, 1, 0.4);
  const axis = computeSolidMedialAxis(mesh, { resolution: 32, minAngle: Math.PI / 3 });
  validate(axis, mesh, 3);
  const sectors = new Set<number>();
  for (let n = 0; n < axis.radii.length; n++) {
    const [x, y, z] = axis.positions.subarray(3 * n, 3 * n + 3);
    expect(Math.hypot(Math.hypot(x, y) - 1, z)).toBeLessThan(2 * axis.error);
    sectors.add(Math.floor((12 * Math.atan2(y, x)) / Math.PI));
  }
  expect(sectors.size).toBe(24);
});

test('a scan: sheets between its sides, of triangles larger and smaller than the cells', () => {
  const mesh = findModel('bunny').build();
  const axis = computeSolidMedialAxis(mesh, { resolution: 32, minAngle: Math.PI / 2 });
  const query = new MeshQuery(mesh);
  const sides = bounds(mesh);
  const size = Math.max(...sides.map(([low, high]) => high - low));
  for (let n = 0; n < axis.radii.length; n++) {
    const point = [...axis.positions.subarray(3 * n, 3 * n + 3)] as [number, number, number];
    expect(Math.abs(query.signedDistance(point) + axis.radii[n])).toBeLessThan(1e-9 * size);
  }
  // Every place deep inside is in a ball of the axis, grown by the error.
  const random = createRandom(3);
  let deep = 0;
  let covered = 0;
  for (let n = 0; n < 3000; n++) {
    const p = [0, 1, 2].map((d) => random.range(...sides[d])) as [number, number, number];
    const depth = -query.signedDistance(p);
    if (depth < axis.error) continue;
    deep++;
    for (let v = 0; v < axis.radii.length; v++) {
      const apart = Math.hypot(...p.map((x, d) => x - axis.positions[3 * v + d]));
      if (apart > axis.radii[v] + axis.error) continue;
      covered++;
      break;
    }
  }
  expect(deep).toBeGreaterThan(200);
  expect(covered).toBe(deep);
});

function bounds({ positions }: Mesh): [number, number][] {
  return [0, 1, 2].map((d) => {
    const values = positions.filter((_, n) => n % 3 === d);
    return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  });
}

test('open meshes and bad options are refused', () => {
  const open = createMesh([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2]);
  expect(codeOf(() => computeSolidMedialAxis(open))).toBe('open-mesh');
  expect(codeOf(() => computeSolidMedialAxis(box(1, 1, 1), { minAngle: 0 }))).toBe('bad-argument');
  expect(codeOf(() => computeSolidMedialAxis(box(1, 1, 1), { minFeature: -1 }))).toBe('bad-argument');
  expect(codeOf(() => computeSolidMedialAxis(box(1, 1, 1), { resolution: 1 }))).toBe('bad-argument');
});
