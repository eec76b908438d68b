import { describe, expect, test } from 'vitest';
import type { FieldOptions } from '../../../src/field/distance-field.js';
import {
  allNodes,
  type GridFrame,
  gridNodeCount,
  gridOverBox,
  nodeIndex,
  nodePosition,
} from '../../../src/field/grid.js';
import { SurfaceBand } from '../../../src/field/march/band-source.js';
import { implicitBand } from '../../../src/field/march/implicit-band.js';
import { marchField } from '../../../src/field/march/march-field.js';
import { surfaceOf } from '../../../src/field/source/surface.js';
import type { ImplicitShape } from '../../../src/mesh/implicit/implicit-shape.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { createPolygon, type Polygon } from '../../../src/mesh/polygon/polygon.js';
import { box } from '../../../src/models/primitives/box.js';
import { sphere } from '../../../src/models/primitives/sphere.js';
import { torus } from '../../../src/models/primitives/torus.js';
import { codeOf } from '../../error-code.js';
import {
  annulusDistance,
  boxDistance,
  bruteDistance,
  bruteSignedDistance,
  circleDistance,
  sphereDistance,
  torusDistance,
} from '../../oracles/closed-form-fields.js';
import { centeredFrame, fittedOrder, marchingError, sampleDistance } from './measure-convergence.js';

const BALL = sphere.build({ radius: 1, segments: 25, rings: 21 });

function ring(radius: number, count: number, x = 0, y = 0): number[] {
  return Array.from({ length: count }, (_, i) => (2 * Math.PI * i) / count).flatMap((angle) => [
    x + radius * Math.cos(angle),
    y + radius * Math.sin(angle),
  ]);
}

function disc(radius: number, x = 0, y = 0): Polygon {
  return createPolygon([ring(radius, 200, x, y)]);
}

function mapPositions(mesh: Mesh, map: (p: number[]) => number[]): Mesh {
  const positions = new Float64Array(mesh.positions.length);
  for (let i = 0; i < positions.length; i += 3) positions.set(map([...mesh.positions.subarray(i, i + 3)]), i);
  return { positions, indices: mesh.indices };
}

/** A block with a notch cut into one edge: no symmetry, flat faces, reflex edges. */
function notchedBlock(): Mesh {
  const outline = [
    [-0.7, -0.5],
    [0.6, -0.5],
    [0.6, 0.1],
    [0.05, 0.2],
    [0.15, 0.6],
    [-0.7, 0.45],
  ];
  const positions = [-0.4, 0.33].flatMap((z) => outline.flatMap(([x, y]) => [x, y, z]));
  const indices: number[] = [];
  const n = outline.length;
  const cap = [
    [0, 1, 2],
    [0, 2, 3],
    [0, 3, 5],
    [3, 4, 5],
  ];
  for (const [a, b, c] of cap) indices.push(a, c, b, n + a, n + b, n + c);
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    indices.push(i, j, n + j, i, n + j, n + i);
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

function errorAgainst(
  values: Float64Array,
  frame: GridFrame,
  distance: (x: number, y: number, z: number) => number,
): { mean: number; max: number } {
  const exact = sampleDistance(frame, distance);
  let sum = 0;
  let max = 0;
  for (let node = 0; node < exact.length; node++) {
    const error = Math.abs(values[node] - exact[node]);
    sum += error;
    max = Math.max(max, error);
  }
  return { mean: sum / exact.length, max };
}

describe('marchField of meshes', () => {
  test('comes near the distance of a box', () => {
    const frame = centeredFrame(1, 33);
    const mesh = box.build({ width: 1, height: 0.8, depth: 1.2 });
    const exact = boxDistance(0.5, 0.4, 0.6);
    const second = errorAgainst(marchField(mesh, frame).values, frame, exact);
    const first = errorAgainst(marchField(mesh, frame, { order: 1 }).values, frame, exact);
    expect(second.mean).toBeLessThan(0.07 * frame.spacing);
    expect(second.max).toBeLessThan(0.35 * frame.spacing);
    expect(first.mean).toBeLessThan(0.2 * frame.spacing);
    expect(second.mean).toBeLessThan(first.mean / 3);
  });

  test('gives the ball of 1,000 triangles its center value at 60³', () => {
    const frame = centeredFrame(1.1, 60);
    const center = nodeIndex(frame, 29, 29, 29);
    const exact = bruteSignedDistance(BALL.positions, BALL.indices, nodePosition(frame, 29, 29, 29));
    // The flat triangles lie inside the unit sphere: 0.9590 here, 0.9677 on the smooth one.
    expect(exact).toBeCloseTo(-0.959, 4);
    const at = (options: FieldOptions): number =>
      marchField(BALL, frame, { errorSamples: 0, ...options }).values[center];
    expect(at({ order: 1, band: 'triangle-boxes', sides: 'inside' })).toBeCloseTo(-0.9167, 4);
    expect(at({ order: 2 })).toBeCloseTo(-0.9509, 4);
    const fine = sphere.build({ radius: 1, segments: 200, rings: 100 });
    const smooth = marchField(fine, frame, { order: 1, band: 'triangle-boxes', sides: 'inside', errorSamples: 0 });
    expect(smooth.values[center]).toBeCloseTo(-0.9224, 3);
  });

  test('keeps every node of the band in the boxes of triangles on its side', () => {
    // Distances to one triangle of several, seen from across a thin tube, once put 457 nodes of these tori beyond its surface.
    for (const [minorRadius, nodes] of [
      [0.08, 14],
      [0.13, 19],
      [0.2, 25],
    ]) {
      const tube = torus.build({ majorRadius: 0.55, minorRadius, majorSegments: 9, minorSegments: 5 });
      const frame = centeredFrame(1.1, nodes);
      const inside = new Uint8Array(gridNodeCount(frame));
      surfaceOf(tube, frame).fillInside(frame, allNodes(frame), inside);
      for (const order of [1, 2] as const) {
        for (const sides of ['both', 'inside', 'outside'] as const) {
          const { values } = marchField(tube, frame, { order, sides, band: 'triangle-boxes', errorSamples: 0 });
          for (let node = 0; node < values.length; node++) {
            if (values[node] !== 0) expect(values[node] < 0).toBe(inside[node] === 1);
          }
        }
      }
    }
  });

  test('states the error it has', () => {
    const frame = centeredFrame(1.1, 24);
    const field = marchField(BALL, frame, { errorSamples: 500 });
    const { error } = field;
    expect([error.kind, error.samples]).toEqual(['sampled', 500]);
    let max = 0;
    let sum = 0;
    let count = 0;
    for (let node = 0; node < field.values.length; node += 97) {
      const point = nodePosition(frame, node % 24, Math.floor(node / 24) % 24, Math.floor(node / 576));
      const off = Math.abs(field.values[node] - bruteSignedDistance(BALL.positions, BALL.indices, point));
      max = Math.max(max, off);
      sum += off;
      count++;
    }
    expect(max).toBeLessThan(3 * error.max);
    expect(error.mean! / (sum / count)).toBeGreaterThan(0.5);
    expect(error.mean! / (sum / count)).toBeLessThan(2);
    expect(marchField(BALL, frame, { errorSamples: 0 }).error.kind).toBe('unknown');
    expect(field.counters.marched + field.counters.bandNodes).toBe(24 ** 3);
  });

  test.each(['exact', 'triangle-boxes'] as const)('has both ends of every crossing edge in the band "%s"', (kind) => {
    let crossings = 0;
    for (const mesh of [
      BALL,
      notchedBlock(),
      torus.build({ majorRadius: 0.7, minorRadius: 0.2 }),
      box.build({ width: 1, height: 1, depth: 1 }),
    ]) {
      for (const resolution of [9, 17, 23]) {
        const frame = centeredFrame(1.1, resolution);
        const surface = surfaceOf(mesh, frame);
        const inside = new Uint8Array(gridNodeCount(frame));
        surface.fillInside(frame, allNodes(frame), inside);
        const values = new Float64Array(inside.length);
        new SurfaceBand(surface, frame, { band: kind, bandWidth: 1 }).fillTimes(allNodes(frame), values);
        const strides = [1, resolution, resolution * resolution];
        for (let node = 0; node < values.length; node++) {
          for (const stride of strides) {
            if (Math.floor(node / stride) % resolution === resolution - 1) continue;
            if (inside[node] === inside[node + stride]) continue;
            crossings++;
            expect(Math.abs(values[node]) + Math.abs(values[node + stride])).toBeLessThan(4 * frame.spacing);
          }
        }
      }
    }
    expect(crossings).toBeGreaterThan(2000);
  });

  test('is right where the surface leaves the grid, and where all of it lies outside', () => {
    const boxes: [number[], number[]][] = [
      [
        [-0.3, -0.2, -0.4],
        [1.6, 1.2, 0.9],
      ],
      [
        [1.3, -0.5, -0.4],
        [2.3, 0.6, 0.7],
      ],
      [
        [-0.2, -0.2, -0.2],
        [0.3, 0.3, 0.3],
      ],
    ];
    for (const [min, max] of boxes) {
      const frame = gridOverBox({ min: min as [number, number, number], max: max as [number, number, number] }, 24);
      const field = marchField(BALL, frame);
      const [nx, ny] = frame.size;
      for (let node = 0; node < field.values.length; node += 53) {
        const point = nodePosition(frame, node % nx, Math.floor(node / nx) % ny, Math.floor(node / (nx * ny)));
        const exact = bruteSignedDistance(BALL.positions, BALL.indices, point);
        expect(Math.abs(field.values[node] - exact)).toBeLessThan(0.4 * frame.spacing);
      }
      expect(field.error.mean).toBeLessThan(0.05 * frame.spacing);
    }
  });

  test('marches from open meshes without sides, signed by the winding number', () => {
    const kept = [...BALL.indices]
      .filter((_, i) => i % 3 === 0)
      .map((_, t) => t)
      .filter((t) => {
        const center = [0, 1, 2].reduce((sum, c) => sum + BALL.positions[3 * BALL.indices[3 * t + c] + 2], 0) / 3;
        return center < 0.3;
      });
    const bowl: Mesh = {
      positions: BALL.positions,
      indices: Uint32Array.from(kept.flatMap((t) => [...BALL.indices.subarray(3 * t, 3 * t + 3)])),
    };
    const frame = centeredFrame(1.25, 24);
    const field = marchField(bowl, frame);
    expect(field.closed).toBe(false);
    for (let node = 0; node < field.values.length; node += 41) {
      const point = nodePosition(frame, node % 24, Math.floor(node / 24) % 24, Math.floor(node / 576));
      const exact = bruteSignedDistance(bowl.positions, bowl.indices, point);
      expect(Math.abs(field.values[node] - exact)).toBeLessThan(0.5 * frame.spacing);
    }
    const unsigned = marchField(bowl, frame, { sign: 'none' });
    expect(unsigned.signed).toBe(false);
    expect(unsigned.values).toEqual(field.values.map(Math.abs));
    const inner = marchField(bowl, frame, { sides: 'inside' }).values;
    inner.forEach((value, node) => {
      if (field.values[node] < 0) expect(value).toBe(field.values[node]);
      else if (field.values[node] > 2.1 * frame.spacing) expect(value).toBe(Infinity);
    });
  });

  test('stops at the largest distance', () => {
    const frame = centeredFrame(1.1, 30);
    const whole = marchField(BALL, frame).values;
    const near = marchField(BALL, frame, { maxDistance: 0.25 }).values;
    for (let node = 0; node < whole.length; node++) {
      const expected = Math.abs(whole[node]) <= 0.25 ? whole[node] : whole[node] < 0 ? -Infinity : Infinity;
      expect(near[node]).toBe(expected);
    }
  });

  test.each([1e-6, 1e6])('scales by %f', (scale) => {
    const frame = centeredFrame(1, 20);
    const field = marchField(notchedBlock(), frame);
    const scaled = marchField(
      mapPositions(notchedBlock(), (p) => p.map((x) => scale * x)),
      { origin: [-scale, -scale, -scale], spacing: scale * frame.spacing, size: frame.size },
    );
    expect(compare(field.values, scaled.values, 1 / scale)).toBeLessThan(1e-12);
    expect(scaled.error.max / scale).toBeCloseTo(field.error.max, 10);
  });

  test('moves with the mesh', () => {
    const frame = centeredFrame(1, 20);
    const move = [3.25, -7.5, 11.125];
    const moved = marchField(
      mapPositions(notchedBlock(), (p) => p.map((x, axis) => x + move[axis])),
      { ...frame, origin: [-1 + move[0], -1 + move[1], -1 + move[2]] },
    );
    expect(compare(marchField(notchedBlock(), frame).values, moved.values, 1)).toBeLessThan(1e-11);
  });

  test('turns and mirrors with the mesh in all 48 ways', () => {
    const n = 16;
    const frame = centeredFrame(1, n);
    const field = marchField(notchedBlock(), frame, { errorSamples: 0 });
    for (const axes of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]) {
      for (let signs = 0; signs < 8; signs++) {
        const sign = [0, 1, 2].map((axis) => ((signs >> axis) & 1 ? -1 : 1));
        const image = mapPositions(notchedBlock(), (p) => axes.map((from, to) => sign[to] * p[from]));
        const isOdd = (axes[0] > axes[1] ? 1 : 0) + (axes[0] > axes[2] ? 1 : 0) + (axes[1] > axes[2] ? 1 : 0);
        const turns = (isOdd + sign.filter((s) => s < 0).length) % 2 === 1;
        const indices = turns ? image.indices.map((_, i) => image.indices[i - (i % 3) + 2 - (i % 3)]) : image.indices;
        const other = marchField({ positions: image.positions, indices }, frame, { errorSamples: 0 });
        let worst = 0;
        for (let k = 0; k < n; k++) {
          for (let j = 0; j < n; j++) {
            for (let i = 0; i < n; i++) {
              const at = [i, j, k];
              const to = axes.map((from, axis) => (sign[axis] < 0 ? n - 1 - at[from] : at[from]));
              const difference =
                field.values[nodeIndex(frame, i, j, k)] - other.values[nodeIndex(frame, to[0], to[1], to[2])];
              worst = Math.max(worst, Math.abs(difference));
            }
          }
        }
        expect(worst).toBeLessThan(1e-12);
      }
    }
  });
});

function compare(a: Float64Array, b: Float64Array, scale: number): number {
  let worst = 0;
  for (let i = 0; i < a.length; i++) worst = Math.max(worst, Math.abs(a[i] - scale * b[i]));
  return worst;
}

describe('marchField of polygons', () => {
  test('comes near the distance of a circle, with and without a hole', () => {
    const frame = centeredFrame(1.1, 60, true);
    const circle = createPolygon([ring(1, 2000)]);
    const annulus = createPolygon([ring(1, 2000), ring(0.4, 2000)]);
    expect(errorAgainst(marchField(circle, frame).values, frame, circleDistance(1)).mean).toBeLessThan(
      0.02 * frame.spacing,
    );
    expect(errorAgainst(marchField(annulus, frame).values, frame, annulusDistance(0.4, 1)).mean).toBeLessThan(
      0.02 * frame.spacing,
    );
    const leaving = gridOverBox({ min: [-0.2, 0.1, 0], max: [1.5, 0.9, 0] }, 60);
    const cut = errorAgainst(marchField(annulus, leaving).values, leaving, annulusDistance(0.4, 1));
    expect(cut.max).toBeLessThan(0.3 * leaving.spacing);
  });

  test('halves the times at twice the speed', () => {
    const frame = centeredFrame(1, 31, true);
    const plain = marchField(disc(0.3), frame, { bandWidth: 1 });
    const fast = marchField(disc(0.3), frame, { speed: new Float64Array(31 * 31).fill(2) });
    expect(compare(plain.values, fast.values, 2)).toBeLessThan(1e-12);
    expect([plain.error.kind, fast.error.kind]).toEqual(['sampled', 'unknown']);
  });

  test('bends at the border of two speeds as Snell says', () => {
    const frame = centeredFrame(1, 121, true);
    const [sx, sy, radius] = [-0.4, -0.5, 0.2];
    const border = 0.004;
    const speed = sampleDistance(frame, (_, y) => (y > border ? 2 : 1));
    const field = marchField(disc(radius, sx, sy), frame, { speed, sides: 'outside' });
    let worst = 0;
    for (let node = 0; node < field.values.length; node += 7) {
      const [x, y] = nodePosition(frame, node % 121, Math.floor(node / 121), 0);
      const direct = Math.hypot(x - sx, y - sy);
      if (direct <= radius + 2 * frame.spacing) continue;
      let best = y > border ? Infinity : direct - radius;
      // Fermat: the least over where the path crosses the border, and where it comes back.
      for (let a = -1; a <= 1; a += 0.01) {
        const down = Math.hypot(a - sx, border - sy) - radius;
        if (y > border) best = Math.min(best, down + Math.hypot(x - a, y - border) / 2);
        else
          for (let b = a; b <= 1; b += 0.02) best = Math.min(best, down + (b - a) / 2 + Math.hypot(x - b, y - border));
      }
      worst = Math.max(worst, Math.abs(field.values[node] - best));
    }
    expect(worst).toBeLessThan(frame.spacing);
  });

  test('goes around a wall', () => {
    const n = 101;
    const frame = centeredFrame(1, n, true);
    const speed = new Float64Array(n * n).fill(1);
    // A wall at x = 0 up to y = 0.4; the way behind it leads over its tip.
    for (let j = 0; j <= 70; j++) speed[nodeIndex(frame, 50, j, 0)] = 0;
    const field = marchField(disc(0.2, -0.6, -0.2), frame, { speed, sides: 'outside' });
    const tip = [0, 0.4 + frame.spacing];
    for (let j = 0; j < n; j += 5) {
      for (let i = 0; i < n; i += 5) {
        const [x, y] = nodePosition(frame, i, j, 0);
        const value = field.values[nodeIndex(frame, i, j, 0)];
        if (i === 50 && j <= 70) {
          expect(value).toBe(Infinity);
          continue;
        }
        if (Math.hypot(x + 0.6, y + 0.2) < 0.25) continue;
        const straight = -0.2 + (tip[1] + 0.2) * ((x + 0.6) / 0.6) > y && x > 0;
        const expected = straight
          ? Math.hypot(tip[0] + 0.6, tip[1] + 0.2) + Math.hypot(x - tip[0], y - tip[1]) - 0.2
          : Math.hypot(x + 0.6, y + 0.2) - 0.2;
        expect(Math.abs(value - expected)).toBeLessThan(1.5 * frame.spacing);
      }
    }
  });
});

describe('marchField of implicit shapes', () => {
  /** Zero on the torus, but no distance: the gradient on the surface varies. */
  const quartic: ImplicitShape = {
    lipschitz: 12,
    value: (x, y, z) => (x * x + y * y + z * z + 0.49 - 0.09) ** 2 - 4 * 0.49 * (x * x + y * y),
  };
  const square: ImplicitShape = { lipschitz: 4, value: (x, y, z) => x * x + y * y + z * z - 1 };

  test.each([
    ['sphere', square, sphereDistance(1)],
    ['torus', quartic, torusDistance(0.7, 0.3)],
  ])('keeps second order for the polynomial of a %s', (_, shape, distance) => {
    const rows = [24, 36, 48].map((resolution) => {
      const frame = centeredFrame(1.1, resolution);
      const band = implicitBand(shape, frame, 0.2);
      const exact = sampleDistance(frame, distance);
      let worst = 0;
      for (let node = 0; node < band.length; node++) {
        if (Number.isFinite(band[node])) worst = Math.max(worst, Math.abs(band[node] - exact[node]));
        else expect(Math.abs(exact[node])).toBeGreaterThan(0.2 - 1e-9);
      }
      expect(worst).toBeLessThan(1e-6 * frame.spacing);
      const field = marchField(shape, frame, { bandWidth: 0.2 / frame.spacing });
      expect([field.error.kind, field.closed]).toEqual(['unknown', true]);
      const { mean, max } = marchingError(field, band, distance);
      return { resolution, spacing: frame.spacing, mean, max, meanOrder: 0, maxOrder: 0 };
    });
    expect(fittedOrder(rows)).toBeGreaterThanOrEqual(1.8);
  });

  test('is never too short at creases', () => {
    const shape: ImplicitShape = {
      lipschitz: 1,
      value: (x, y, z) => Math.max(Math.abs(x) - 0.6, Math.abs(y) - 0.45, Math.abs(z) - 0.5),
    };
    const frame = centeredFrame(1, 27);
    const band = implicitBand(shape, frame, 2 * frame.spacing);
    const exact = sampleDistance(frame, boxDistance(0.6, 0.45, 0.5));
    for (let node = 0; node < band.length; node++) {
      if (Number.isFinite(band[node])) expect(Math.abs(band[node])).toBeGreaterThan(Math.abs(exact[node]) - 1e-9);
    }
    const { mean, max } = errorAgainst(marchField(shape, frame).values, frame, boxDistance(0.6, 0.45, 0.5));
    expect(mean).toBeLessThan(0.05 * frame.spacing);
    expect(max).toBeLessThan(0.5 * frame.spacing);
  });

  test('works in the plane', () => {
    const frame = centeredFrame(1.3, 60, true);
    const { mean } = errorAgainst(marchField(square, frame).values, frame, circleDistance(1));
    expect(mean).toBeLessThan(0.02 * frame.spacing);
  });

  test('refuses a shape it cannot see', () => {
    const frame = centeredFrame(1, 9);
    expect(() => marchField({ lipschitz: 1, value: () => 1 }, frame)).toThrow(/does not change its sign/);
    expect(codeOf(() => marchField({ lipschitz: 1, value: () => NaN }, frame))).toBe('non-finite');
    expect(codeOf(() => marchField({ lipschitz: 0, value: (x) => x }, frame))).toBe('bad-argument');
  });
});

describe('marchField refuses', () => {
  const frame = centeredFrame(1, 9);
  const speeds = new Float64Array(729).fill(1);
  test.each<[string, FieldOptions, string]>([
    ['a band below one spacing', { bandWidth: 0.5 }, 'bad-argument'],
    ['a band that is no number', { bandWidth: NaN }, 'bad-argument'],
    ['a negative distance', { maxDistance: -1 }, 'bad-argument'],
    ['a third order', { order: 3 as 1 }, 'bad-argument'],
    ['unknown sides', { sides: 'left' as 'inside' }, 'bad-argument'],
    ['the nearest triangles', { nearest: true }, 'unsupported'],
    ['another method', { method: 'exact' }, 'unsupported'],
    ['the GPU', { backend: 'webgpu' }, 'unsupported'],
    ['half a sample', { errorSamples: 0.5 }, 'bad-argument'],
    ['too few speeds', { speed: new Float64Array(5) }, 'bad-argument'],
    ['a negative speed', { speed: speeds.map((_, i) => (i === 3 ? -1 : 1)) }, 'bad-argument'],
    ['a speed that is no number', { speed: speeds.map(() => NaN) }, 'bad-argument'],
    ['no way to go at all', { speed: new Float64Array(729) }, 'bad-argument'],
  ])('%s', (_, options, code) => {
    expect(codeOf(() => marchField(box.build({ width: 1, height: 1, depth: 1 }), frame, options))).toBe(code);
  });

  test('grids and sources that do not fit', () => {
    const cube = box.build({ width: 1, height: 1, depth: 1 });
    expect(codeOf(() => marchField(cube, centeredFrame(1, 9, true)))).toBe('bad-argument');
    expect(codeOf(() => marchField(disc(0.5), frame))).toBe('bad-argument');
    expect(() => marchField(BALL, centeredFrame(0.9, 9), { speed: speeds })).toThrow(/make the box larger/);
    expect(codeOf(() => marchField({ positions: new Float64Array(), indices: new Uint32Array() }, frame))).toBe(
      'empty-mesh',
    );
    const broken = mapPositions(cube, (p) => [p[0] * NaN, p[1], p[2]]);
    expect(codeOf(() => marchField(broken, frame))).toBe('non-finite');
    expect(codeOf(() => marchField(cube, { ...frame, spacing: -1 }))).toBe('bad-argument');
    expect(codeOf(() => marchField(cube, { ...frame, size: [1e4, 1e4, 1e4] }))).toBe('too-large');
  });

  test('and has nothing to do with distances behind the mesh itself', () => {
    const cube = box.build({ width: 1, height: 1, depth: 1 });
    const before = { positions: cube.positions.slice(), indices: cube.indices.slice() };
    marchField(cube, frame);
    expect({ positions: cube.positions, indices: cube.indices }).toEqual(before);
    expect(bruteDistance(cube.positions, cube.indices, [0, 0, 0])).toBeCloseTo(0.5, 12);
  });
});
