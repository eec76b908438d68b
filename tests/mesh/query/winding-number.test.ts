import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../../../src/core/random.js';
import type { Vec3 } from '../../../src/core/vec3.js';
import { MESH_DEFAULTS } from '../../../src/mesh/defaults.js';
import { createMesh, type Mesh } from '../../../src/mesh/mesh.js';
import { MeshQuery } from '../../../src/mesh/query/mesh-query.js';
import { WindingNumbers } from '../../../src/mesh/query/winding-number.js';
import { triangleBoxes } from '../../../src/mesh/triangle/triangle-boxes.js';
import { createTriangleTable } from '../../../src/mesh/triangle/triangle-table.js';
import { buildBvh } from '../../../src/spatial/build-bvh.js';
import {
  boxMesh,
  flipFaces,
  join,
  mapPoints,
  reversed,
  selectFaces,
  shuffled,
  sphereGrid,
  tetrahedron,
  torusGrid,
  toSoup,
} from '../../generators/surfaces.js';
import { windingNumberBySum } from '../../oracles/winding-number.js';

const bumpy = (n: number): Mesh =>
  mapPoints(sphereGrid(n), ([x, y, z]) => {
    const r = 1 + 0.2 * Math.sin(7 * x + 3 * y) * Math.cos(6 * z + x);
    return [r * x, r * y, r * z];
  });

function randomTriangles(random: Random, count: number, size: number): Mesh {
  const positions: number[] = [];
  for (let i = 0; i < count; i++) {
    const center = [0, 1, 2].map(() => random.range(-1, 1));
    for (let k = 0; k < 9; k++) positions.push(center[k % 3] + size * random.range(-1, 1));
  }
  return createMesh(
    positions,
    positions.slice(0, 3 * count).map((_, i) => i),
  );
}

const MESHES: Record<string, Mesh> = {
  'a closed bumpy sphere': bumpy(16),
  'a sphere with small holes': selectFaces(bumpy(16), (face) => face % 19 !== 0),
  'half a torus, wide open': selectFaces(torusGrid(30, 16), (face) => face < 480),
  'a soup of a torus': toSoup(torusGrid(24, 16)),
  'a soup of random triangles': randomTriangles(createRandom(1), 600, 0.15),
  'large random triangles': randomTriangles(createRandom(2), 200, 1),
  'a sphere with every third face turned': flipFaces(bumpy(14), (face) => face % 3 === 0),
  'two spheres, one in the other': join(sphereGrid(10), sphereGrid(10, 0.5, [0.1, 0.2, 0])),
};

/** Points all around: in the box and beyond it, and close to the surface. */
function probes(mesh: Mesh, random: Random, count: number): Vec3[] {
  return Array.from({ length: count }, (_, k): Vec3 => {
    if (k % 2 === 0) return [random.range(-3, 3), random.range(-3, 3), random.range(-1.5, 1.5)];
    const vertex = 3 * mesh.indices[random.integer(mesh.indices.length)];
    const spread = 10 ** random.range(-6, -0.5);
    const [x, y, z] = mesh.positions.subarray(vertex, vertex + 3);
    return [x + spread * random.range(-1, 1), y + spread * random.range(-1, 1), z + spread * random.range(-1, 1)];
  });
}

describe('windingNumber', () => {
  test.each(Object.keys(MESHES))('is within its accuracy of the plain sum: %s', (name) => {
    const mesh = MESHES[name];
    const points = probes(mesh, createRandom(3), 120);
    const truth = points.map((p) => windingNumberBySum(mesh.positions, mesh.indices, p));
    for (const accuracy of [0.3, MESH_DEFAULTS.windingAccuracy, 1e-4, 0]) {
      const query = new MeshQuery(mesh, { windingAccuracy: accuracy });
      let worst = 0;
      points.forEach((p, i) => {
        worst = Math.max(worst, Math.abs(query.windingNumber(p) - truth[i]));
      });
      // Measured: the bound is kept with a margin of more than ten; near the surface sums differ by rounding.
      expect(worst).toBeLessThan(Math.max(accuracy / 10, 1e-8));
    }
  });

  test('is exact to rounding when asked', () => {
    const mesh = MESHES['a soup of random triangles'];
    const query = new MeshQuery(mesh, { windingAccuracy: 0 });
    for (const p of probes(mesh, createRandom(4), 40).filter((_, i) => i % 2 === 0)) {
      expect(Math.abs(query.windingNumber(p) - windingNumberBySum(mesh.positions, mesh.indices, p))).toBeLessThan(
        1e-12,
      );
    }
  });

  test('counts layers and orientation', () => {
    const twice = join(sphereGrid(8, 2), sphereGrid(8, 1));
    expect(new MeshQuery(twice, { windingAccuracy: 0 }).windingNumber([0.1, 0, 0])).toBeCloseTo(2, 12);
    expect(new MeshQuery(reversed(tetrahedron()), { windingAccuracy: 0 }).windingNumber([0.1, 0.1, 0.1])).toBeCloseTo(
      -1,
      12,
    );
    // Half turns add up beyond one turn in either sense.
    const many = join(...Array.from({ length: 5 }, () => reversed(boxMesh())));
    expect(new MeshQuery(many, { windingAccuracy: 0 }).windingNumber([0.4, 0.5, 0.6])).toBeCloseTo(-5, 11);
  });

  test('keeps the bound it proves, and the bound is no mere guess', () => {
    for (const name of Object.keys(MESHES)) {
      const mesh = MESHES[name];
      const bvh = buildBvh(triangleBoxes(mesh));
      const windings = new WindingNumbers(bvh, createTriangleTable(mesh, bvh));
      for (const p of probes(mesh, createRandom(13), 80)) {
        const truth = windingNumberBySum(mesh.positions, mesh.indices, p);
        for (const accuracy of [1, 0.1, 0.001]) {
          const error = Math.abs(windings.evaluate(p[0], p[1], p[2], accuracy) - truth);
          expect(windings.errorBound).toBeLessThanOrEqual(accuracy);
          expect(error).toBeLessThanOrEqual(windings.errorBound + 1e-9);
        }
      }
    }
  });

  test('converges with the fifth power of the distance: dipole, quadrupole and octupole are all there', () => {
    const random = createRandom(14);
    const mesh = randomTriangles(random, 40, 0.5);
    const far = new MeshQuery(mesh, { windingAccuracy: 1 });
    for (let k = 0; k < 30; k++) {
      const direction = random.direction();
      const errorAt = (distance: number) => {
        const p = direction.map((x) => x * distance) as Vec3;
        return far.windingNumber(p) - windingNumberBySum(mesh.positions, mesh.indices, p);
      };
      // The error is a series in 1/R from R⁻⁵ on; a fault in any moment would leave R⁻², R⁻³ or R⁻⁴.
      const scaled = [15, 30, 60].map((distance) => errorAt(distance) * distance ** 5);
      expect(Math.abs(scaled[2] - scaled[1])).toBeLessThan(0.8 * Math.abs(scaled[1] - scaled[0]) + 0.02);
      expect(Math.abs(scaled[2])).toBeLessThan(10);
    }
  });

  test('has a defined value on the surface', () => {
    const query = new MeshQuery(boxMesh([0, 0, 0], [2, 2, 2]));
    // On a face the value is that of the inner side; on edges and corners it is the share of directions that lead in.
    expect(query.windingNumber([1, 0.5, 0])).toBeCloseTo(1, 9);
    expect(query.windingNumber([1, 0, 0])).toBeCloseTo(0.25, 9);
    expect(query.windingNumber([0, 0, 0])).toBeCloseTo(0.125, 9);
    // Two half turns of exactly one half each: the sum must not wrap to zero.
    const doubled = new MeshQuery(join(boxMesh([0, 0, 0], [2, 2, 2]), boxMesh([0, 0, 0], [2, 2, 2])));
    expect(doubled.windingNumber([1, 0.5, 0])).toBeCloseTo(2, 9);
  });

  test.each([1e-9, 1e-6, 1e6, 1e9])('does not change at scale %g', (scale) => {
    const mesh = MESHES['a sphere with small holes'];
    const query = new MeshQuery(mesh);
    const scaled = new MeshQuery(mapPoints(mesh, (p) => p.map((x) => x * scale)));
    for (const p of probes(mesh, createRandom(5), 60).filter((_, i) => i % 2 === 0)) {
      const q: Vec3 = [p[0] * scale, p[1] * scale, p[2] * scale];
      expect(scaled.windingNumber(q)).toBeCloseTo(query.windingNumber(p), 7);
      expect(scaled.isInside(q)).toBe(query.isInside(p));
    }
  });

  test('stays accurate far from the origin', () => {
    const away = 1e6;
    const mesh = mapPoints(bumpy(12), (p) => p.map((x) => x + away));
    const query = new MeshQuery(mesh);
    expect(query.windingNumber([away, away, away + 0.2])).toBeCloseTo(1, 3);
    expect(query.windingNumber([away, away, away + 2])).toBeCloseTo(0, 3);
  });
});

describe('isInside', () => {
  test.each(Object.keys(MESHES))('decides as the plain sum does: %s', (name) => {
    const mesh = MESHES[name];
    const query = new MeshQuery(mesh);
    let inside = 0;
    const points = probes(mesh, createRandom(6), 300);
    for (const p of points) {
      // Faces of a solid count as turned outward, whichever way they run.
      const { indices } = name.includes('turned') ? bumpy(14) : mesh;
      const truth = windingNumberBySum(mesh.positions, indices, p);
      if (Math.abs(truth - 0.5) < 1e-9) continue;
      expect(query.isInside(p)).toBe(truth > 0.5);
      if (truth > 0.5) inside++;
    }
    if (!/random/.test(name)) expect(inside / points.length).toBeGreaterThan(0.05);
  });

  test('is right as near the threshold as the plain sum can tell', () => {
    const mesh = MESHES['half a torus, wide open'];
    const query = new MeshQuery(mesh);
    const random = createRandom(8);
    let inside = 0;
    let total = 0;
    for (let k = 0; k < 24; k++) {
      // From inside the tube out of one of its two ends: where does the sum pass one half?
      const end = k % 2 === 0 ? 2 : -2;
      let from = [end + random.range(-0.3, 0.3), random.range(0.4, 0.6), random.range(-0.3, 0.3)];
      let to = [end + random.range(-1, 1), random.range(-2, -1), random.range(-1, 1)];
      if (windingNumberBySum(mesh.positions, mesh.indices, from) < 0.5) continue;
      if (windingNumberBySum(mesh.positions, mesh.indices, to) > 0.5) continue;
      for (let step = 0; step < 36; step++) {
        const middle = from.map((x, axis) => (x + to[axis]) / 2);
        const value = windingNumberBySum(mesh.positions, mesh.indices, middle);
        if (Math.abs(value - 0.5) > 1e-11) {
          expect(query.isInside(middle as Vec3)).toBe(value > 0.5);
          total++;
          if (value > 0.5) inside++;
        }
        if (value > 0.5) from = middle;
        else to = middle;
      }
    }
    expect(total).toBeGreaterThan(400);
    expect(inside / total).toBeGreaterThan(0.3);
    expect(inside / total).toBeLessThan(0.7);
  });

  test('counts the surface as inside, exactly, and nothing beyond it', () => {
    const query = new MeshQuery(boxMesh([-1, -1, -1], [1, 1, 1]));
    const random = createRandom(9);
    const next = 1 + Number.EPSILON;
    const before = 1 - Number.EPSILON / 2;
    for (let k = 0; k < 600; k++) {
      const p: Vec3 = [random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)];
      const axis = k % 3;
      const sign = random.integer(2) === 0 ? 1 : -1;
      // A third on edges and corners, and on the diagonals that cut the faces.
      if (k % 4 === 0) p[(axis + 1) % 3] = random.integer(2) === 0 ? 1 : -1;
      if (k % 8 === 0) p[(axis + 2) % 3] = random.integer(2) === 0 ? 1 : -1;
      if (k % 4 === 1) p[(axis + 1) % 3] = p[(axis + 2) % 3];
      p[axis] = sign;
      expect(query.isInside(p)).toBe(true);
      p[axis] = sign * next;
      expect(query.isInside(p), `${p}`).toBe(false);
      if (k % 4 > 0) {
        p[axis] = sign * before;
        expect(query.isInside(p), `${p}`).toBe(true);
      }
    }
  });

  test('counts every vertex of a mesh as inside', () => {
    const mesh = bumpy(10);
    const query = new MeshQuery(mesh);
    for (let i = 0; i < mesh.positions.length; i += 3) {
      expect(query.isInside(mesh.positions.subarray(i, i + 3))).toBe(true);
    }
  });

  test('does not depend on the order of faces and vertices', () => {
    const mesh = MESHES['a sphere with small holes'];
    const query = new MeshQuery(mesh);
    const other = new MeshQuery(shuffled(mesh, createRandom(10)));
    for (const p of probes(mesh, createRandom(11), 300)) expect(other.isInside(p)).toBe(query.isInside(p));
  });

  test('looks at few nodes: hierarchical, and mostly decided at once', () => {
    const query = new MeshQuery(bumpy(60));
    const random = createRandom(12);
    for (let k = 0; k < 500; k++) {
      query.isInside([random.range(-1.3, 1.3), random.range(-1.3, 1.3), random.range(-1.3, 1.3)]);
    }
    expect(query.nodesVisited / 500).toBeLessThan(250);
    expect(query.bvh.nodeCount).toBeGreaterThan(7000);
  });
});
