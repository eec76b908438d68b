import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Box } from '../../../src/core/box.js';
import { createRandom } from '../../../src/core/random.js';
import { BccLattice } from '../../../src/mesh/implicit/bcc-lattice.js';
import type { ImplicitShape } from '../../../src/mesh/implicit/implicit-shape.js';
import { polygonizeImplicit } from '../../../src/mesh/implicit/polygonize-implicit.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { findSelfIntersections } from '../../../src/mesh/report/self-intersections.js';
import { crown } from '../../../src/models/objects/tooth-crowns.js';
import { displace, mirrorX, place, smoothCut, smoothUnion } from '../../../src/models/parts/implicit-combine.js';
import { addReliefs, noiseRelief, scaleRelief } from '../../../src/models/parts/implicit-noise.js';
import { ellipsoid, halfSpace, plate, sphere } from '../../../src/models/parts/implicit-primitives.js';
import { roundCone, smoothTube, tube } from '../../../src/models/parts/implicit-tube.js';
import { polygonizeZoomed } from '../../../src/models/parts/polygonize-zoomed.js';
import { codeOf } from '../../error-code.js';
import { surfaceStructure } from '../../oracles/closed-manifold.js';
import { crossingTriangles } from '../../oracles/crossing-triangles.js';

const cube = (half: number): Box => ({ min: [-half, -half, -half], max: [half, half, half] });
const ball = sphere([0, 0, 0], 1);

function structureOf(mesh: Mesh) {
  return surfaceStructure(mesh.positions, mesh.indices);
}

function smallestAngle({ positions: p, indices }: Mesh): number {
  let smallest = Math.PI;
  for (let i = 0; i < indices.length; i++) {
    const first = i - (i % 3);
    const at = 3 * indices[i];
    const sides = [1, 2].map((k) => {
      const to = 3 * indices[first + ((i + k) % 3)];
      return [p[to] - p[at], p[to + 1] - p[at + 1], p[to + 2] - p[at + 2]];
    });
    const [u, v] = sides;
    const cosine = (u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) / Math.hypot(...u) / Math.hypot(...v);
    smallest = Math.min(smallest, Math.acos(Math.min(1, cosine)));
  }
  return (smallest * 180) / Math.PI;
}

/** A composition that uses every way of combining, inside [-2, 2]³. */
function sculpture(): ImplicitShape {
  const solid = smoothUnion(
    [
      roundCone([0, 0, 0], 0.6, [1, 0.3, 0], 0.3),
      mirrorX(ellipsoid([0.5, 0.7, 0], [0.3, 0.5, 0.3])),
      smoothTube(
        [
          [0, 0, 0, 0.2],
          [-0.6, 0.5, 0.5, 0.25],
          [-1, 0.2, 1, 0.2],
        ],
        5,
      ),
      place(plate([0, 0, 0], [1, 0, 0], [0, 1, 0], 0.12), [0, -0.5, -0.5], [0.4, 0.5, 0.6]),
    ],
    0.2,
  );
  const cut = smoothCut(solid, sphere([0.3, 0, 0.7], 0.4), 0.1);
  return displace(cut, noiseRelief({ seed: 5, amplitude: 0.03, wavelength: 0.4 }));
}

describe('polygonizeImplicit', () => {
  test('meets a sphere to second order, with angles above 17 degrees', () => {
    const errors = [0.2, 0.1, 0.05].map((spacing) => {
      const mesh = polygonizeImplicit(ball, cube(1.5), spacing);
      expect(structureOf(mesh)).toMatchObject({ faults: [], components: 1, genus: 0 });
      expect(smallestAngle(mesh)).toBeGreaterThan(17);
      for (let i = 0; i < mesh.positions.length; i += 3) {
        const radius = Math.hypot(mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]);
        expect(Math.abs(radius - 1)).toBeLessThan(0.02 * spacing ** 2 + 1e-12);
      }
      return Math.abs(structureOf(mesh).volume - (4 / 3) * Math.PI);
    });
    expect(Math.log2(errors[0] / errors[1])).toBeGreaterThan(1.8);
    expect(Math.log2(errors[1] / errors[2])).toBeGreaterThan(1.8);
  });

  test('finds handles, separate parts and cavities', () => {
    const ring: ImplicitShape = {
      lipschitz: 1,
      value: (x, y, z) => Math.hypot(Math.hypot(x, z) - 1, y) - 0.35,
    };
    expect(structureOf(polygonizeImplicit(ring, cube(2), 0.1))).toMatchObject({ faults: [], components: 1, genus: 1 });
    const two = smoothUnion([sphere([-1, 0, 0], 0.6), sphere([1, 0, 0], 0.6)], 0.1);
    expect(structureOf(polygonizeImplicit(two, cube(2), 0.1))).toMatchObject({ faults: [], components: 2, genus: 0 });
    const hollow = smoothCut(ball, sphere([0, 0, 0], 0.5), 0.05);
    const shell = structureOf(polygonizeImplicit(hollow, cube(1.5), 0.05));
    expect(shell).toMatchObject({ faults: [], components: 2, genus: 0 });
    expect(shell.volume).toBeCloseTo((4 / 3) * Math.PI * (1 - 0.125), 1);
  });

  test('is a closed manifold without self-intersections on fields rougher than the lattice', () => {
    let triangles = 0;
    let handles = 0;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.double({ min: 0.2, max: 0.8, noNaN: true }), (seed, inside) => {
        // Independent values at all points: any pattern of signs, any cuts, another value at every refinement.
        const shape: ImplicitShape = {
          lipschitz: Infinity,
          value: (x, y, z) => {
            const random = createRandom(seed + 7919 * x + 104729 * y + 1299709 * z);
            random.next();
            return Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) > 4 ? 1 : random.next() - inside;
          },
        };
        const mesh = polygonizeImplicit(shape, cube(5), 1);
        const structure = structureOf(mesh);
        expect(structure.faults).toEqual([]);
        expect(structure.volume).toBeGreaterThan(0);
        expect(crossingTriangles(mesh.positions, mesh.indices)).toEqual([]);
        expect(findSelfIntersections(mesh).count).toBe(0);
        expect(smallestAngle(mesh)).toBeGreaterThan(1);
        triangles += mesh.indices.length / 3;
        handles += structure.genus;
      }),
      { numRuns: 25 },
    );
    expect(triangles).toBeGreaterThan(25 * 1000);
    expect(handles).toBeGreaterThan(25 * 20);
  });

  test('gives the same surface whether parts out of reach are left out or not', () => {
    const shape = sculpture();
    const blunt: ImplicitShape = { lipschitz: Infinity, value: shape.value };
    const sorted = (mesh: Mesh) =>
      Array.from({ length: mesh.positions.length / 3 }, (_, i) => mesh.positions.slice(3 * i, 3 * i + 3).join()).sort();
    const pruned = polygonizeImplicit(shape, cube(2), 0.125);
    const whole = polygonizeImplicit(blunt, cube(2), 0.125);
    expect(pruned.indices.length).toBe(whole.indices.length);
    expect(sorted(pruned)).toEqual(sorted(whole));
  });

  test('takes samples near the surface only', () => {
    const lattice = new BccLattice(ball, cube(1.5), 0.02);
    const samples = lattice.sample();
    const { indices } = polygonizeImplicit(ball, cube(1.5), 0.02);
    expect(indices.length / 3).toBeGreaterThan(100_000);
    expect(samples).toBeLessThan(3 * (indices.length / 3));
  });

  test('keeps its answer at any scale', () => {
    const shape = sculpture();
    const reference = polygonizeImplicit(shape, cube(2), 0.125);
    for (const scale of [2 ** -20, 2 ** 20]) {
      const scaled: ImplicitShape = {
        lipschitz: shape.lipschitz,
        value: (x, y, z) => scale * shape.value(x / scale, y / scale, z / scale),
      };
      const mesh = polygonizeImplicit(scaled, cube(2 * scale), 0.125 * scale);
      expect(mesh.indices).toEqual(reference.indices);
      expect(mesh.positions.map((x) => x / scale)).toEqual(reference.positions);
    }
  });

  test('reports progress and stops when asked', () => {
    const fractions: number[] = [];
    polygonizeImplicit(ball, cube(1.5), 0.05, { onProgress: (fraction) => fractions.push(fraction) });
    expect(fractions.at(-1)).toBe(1);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(fractions.every((fraction) => fraction >= 0 && fraction <= 1)).toBe(true);
    expect(codeOf(() => polygonizeImplicit(ball, cube(1.5), 0.05, { signal: { aborted: true } }))).toBe('aborted');
  });

  test('has no triangles where there is no surface', () => {
    expect(polygonizeImplicit(sphere([9, 0, 0], 1), cube(2), 0.2).indices.length).toBe(0);
  });

  test('refuses what it cannot answer', () => {
    expect(codeOf(() => polygonizeImplicit(ball, cube(0.9), 0.1))).toBe('open-mesh');
    expect(codeOf(() => polygonizeImplicit(ball, cube(1.5), 0))).toBe('bad-argument');
    expect(codeOf(() => polygonizeImplicit(ball, cube(1.5), Number.NaN))).toBe('bad-argument');
    expect(codeOf(() => polygonizeImplicit(ball, cube(-1), 0.1))).toBe('bad-argument');
    expect(codeOf(() => polygonizeImplicit(ball, cube(1.5), 1e-6))).toBe('too-large');
    expect(codeOf(() => polygonizeImplicit({ ...ball, lipschitz: 0 }, cube(1.5), 0.1))).toBe('bad-argument');
    expect(codeOf(() => polygonizeImplicit({ lipschitz: 1, value: () => Number.NaN }, cube(1), 0.1))).toBe(
      'non-finite',
    );
    // Twice as steep as it says: parts of the surface are skipped.
    const steep: ImplicitShape = { lipschitz: 1, value: (x, y, z) => 2 * (Math.hypot(x, y, z) - 1) };
    expect(codeOf(() => polygonizeImplicit(steep, cube(1.5), 0.1))).toBe('bad-argument');
    expect(codeOf(() => polygonizeImplicit({ ...steep, lipschitz: 2 }, cube(1.5), 0.1))).toBe('none');
  });
});

describe('polygonizeZoomed', () => {
  test('keeps the surface and its angles, and makes triangles small towards the pole', () => {
    const zoom = { pole: [0, 0, 3] as const, radius: 2 };
    const mesh = polygonizeZoomed(ball, cube(1.2), 0.06, zoom);
    expect(structureOf(mesh)).toMatchObject({ faults: [], components: 1, genus: 0 });
    expect(structureOf(mesh).volume).toBeCloseTo((4 / 3) * Math.PI, 1);
    expect(crossingTriangles(mesh.positions, mesh.indices)).toEqual([]);
    expect(smallestAngle(mesh)).toBeGreaterThan(15);
    const edge = (front: boolean) => {
      let sum = 0;
      let count = 0;
      for (let i = 0; i < mesh.indices.length; i += 3) {
        const [a, b] = [3 * mesh.indices[i], 3 * mesh.indices[i + 1]];
        const p = mesh.positions;
        if (front ? p[a + 2] < 0.9 : p[a + 2] > -0.9) continue;
        sum += Math.hypot(p[a] - p[b], p[a + 1] - p[b + 1], p[a + 2] - p[b + 2]);
        count++;
      }
      return sum / count;
    };
    // Distances 2 and 4 from the pole: sizes 1 : 4.
    expect(edge(false) / edge(true)).toBeGreaterThan(3.2);
    expect(edge(false) / edge(true)).toBeLessThan(4.4);
  });
});

/** Integers, since fast-check draws doubles mostly near zero. */
const coordinate = fc.integer({ min: -3_000_000, max: 3_000_000 }).map((n) => n / 1e6);
const point = fc.tuple(coordinate, coordinate, coordinate);

const shapes: Record<string, ImplicitShape> = {
  sphere: sphere([0.3, -0.2, 0.1], 0.8),
  'half space': halfSpace([0.6, 0, 0.8], 0.2),
  'long ellipsoid': ellipsoid([0, 0.2, 0], [0.4, 1.6, 0.6]),
  'flat ellipsoid': ellipsoid([0.1, 0, 0], [1.6, 0.4, 1.2]),
  'round cone': roundCone([-1, 0, 0], 0.7, [1, 0.4, 0.2], 0.2),
  'ball in ball': roundCone([0, 0, 0], 1, [0.2, 0, 0], 0.5),
  plate: plate([-1, 0, 0], [1, 0.5, 0], [0, 0.4, 1], 0.1),
  'tube with near': sculpture(),
  noise: displace(ball, noiseRelief({ seed: 3, amplitude: 0.2, wavelength: 0.5 })),
  scales: displace(ball, scaleRelief({ seed: 3, amplitude: 0.1, size: 0.4 })),
  molar: place(crown({ kind: 'molar', width: 2, depth: 2, height: 1.6 }), [0, 0.7, 0], [0.1, 0.2, 0.3]),
  incisor: crown({ kind: 'incisor', width: 2, depth: 1.6, height: 2 }),
};

describe('implicit shapes', () => {
  test.each(Object.keys(shapes))('%s changes no faster than it says', (name) => {
    const shape = shapes[name];
    let steepest = 0;
    fc.assert(
      fc.property(point, point, fc.double({ min: 1e-4, max: 1, noNaN: true }), (p, q, t) => {
        const r = p.map((x, i) => x + t * (q[i] - x)) as typeof p;
        const distance = Math.hypot(p[0] - r[0], p[1] - r[1], p[2] - r[2]);
        const rise = Math.abs(shape.value(...p) - shape.value(...r));
        if (distance > 1e-6) steepest = Math.max(steepest, rise / distance);
        expect(rise).toBeLessThanOrEqual(shape.lipschitz * distance + 1e-12);
      }),
      { numRuns: 3000 },
    );
    // The bound is not loose: samples reach nearly all of it, or at least a good part.
    expect(steepest).toBeGreaterThan(0.3 * shape.lipschitz);
  });

  test('near gives the same values inside the ball', () => {
    const shape = sculpture();
    fc.assert(
      fc.property(point, fc.double({ min: 0.01, max: 1, noNaN: true }), fc.integer(), (center, radius, seed) => {
        const local = shape.near!(...center, radius);
        const random = createRandom(seed);
        for (let i = 0; i < 5; i++) {
          const direction = random.direction();
          const far = radius * random.next();
          const at = center.map((x, axis) => x + far * direction[axis]) as typeof center;
          expect(local.value(...at)).toBe(shape.value(...at));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('round cones and tubes are distances to the balls along them', () => {
    const points = [
      [-1, 0, 0, 0.5],
      [0.5, 0.3, 0, 0.2],
      [1, 1, 0.5, 0.4],
    ] as const;
    const shape = tube(points);
    fc.assert(
      fc.property(point, (p) => {
        let nearest = Infinity;
        for (let s = 0; s < 2; s++) {
          for (let i = 0; i <= 400; i++) {
            const [x, y, z, r] = points[s].map((a, k) => a + (i / 400) * (points[s + 1][k] - a));
            nearest = Math.min(nearest, Math.hypot(p[0] - x, p[1] - y, p[2] - z) - r);
          }
        }
        expect(shape.value(...p)).toBeLessThanOrEqual(nearest + 1e-12);
        expect(shape.value(...p)).toBeGreaterThan(nearest - 2e-3);
      }),
      { numRuns: 300 },
    );
  });

  test('smooth unions fill creases, leave the rest alone and do not mind the order', () => {
    const parts = [sphere([0, 0, 0], 1), sphere([1, 0.3, 0], 0.7), ellipsoid([0, 1, 0], [0.5, 0.8, 0.5])];
    const union = smoothUnion(parts, 0.3);
    const turned = smoothUnion([parts[2], parts[0], parts[1]], 0.3);
    let blended = 0;
    fc.assert(
      fc.property(point, (far) => {
        const p = far.map((x) => x / 2) as typeof far;
        const distances = parts.map((part) => part.value(...p)).sort((a, b) => a - b);
        const value = union.value(...p);
        expect(value).toBeLessThanOrEqual(distances[0] + 1e-12);
        expect(value).toBeGreaterThan(distances[0] - 0.3);
        expect(turned.value(...p)).toBeCloseTo(value, 12);
        if (distances[1] >= distances[0] + 0.3) expect(value).toBe(distances[0]);
        else blended++;
      }),
      { numRuns: 500 },
    );
    expect(blended).toBeGreaterThan(50);
    // Two at the same distance d: 2 (r − d + s)² = r².
    const twins = smoothUnion([sphere([-1, 0, 0], 0.5), sphere([1, 0, 0], 0.5)], 0.3);
    expect(twins.value(0, 0, 0)).toBeCloseTo(0.5 - 0.3 * (1 - Math.SQRT1_2), 12);
  });

  test('reliefs add up and follow their seed', () => {
    const one = noiseRelief({ seed: 1, amplitude: 1, wavelength: 1 });
    const two = noiseRelief({ seed: 2, amplitude: 1, wavelength: 1 });
    expect(addReliefs(one, two).value(0.3, 0.4, 0.5)).toBe(one.value(0.3, 0.4, 0.5) + two.value(0.3, 0.4, 0.5));
    expect(one.value(0.3, 0.4, 0.5)).not.toBe(two.value(0.3, 0.4, 0.5));
    expect(noiseRelief({ seed: 1, amplitude: 1, wavelength: 1 }).value(-7.3, 0.4, 300.5)).toBe(
      one.value(-7.3, 0.4, 300.5),
    );
  });
});
