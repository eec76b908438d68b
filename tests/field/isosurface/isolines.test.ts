import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { Field } from '../../../src/field/grid.js';
import { extractIsolines, type Isoline } from '../../../src/field/isosurface/isolines.js';
import { sampleField } from '../../../src/field/read/sample-field.js';
import { sampleFunction } from '../../../src/field/read/sample-function.js';
import { codeOf } from '../../error-code.js';
import { annulusDistance, circleDistance } from '../../oracles/closed-form-fields.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

/** A field on n × m nodes with spacing 1. */
function drawnField(n: number, m: number, draw: () => number): Field {
  return sampleFunction({ origin: [0, 0, 0], spacing: 1, size: [n, m, 1] }, draw);
}

function squareField(n: number, half: number, value: (x: number, y: number, z: number) => number): Field {
  return sampleFunction({ origin: [-half, -half, 0], spacing: (2 * half) / (n - 1), size: [n, n, 1] }, value);
}

function measure({ points, closed }: Isoline): { length: number; area: number } {
  let length = 0;
  let area = 0;
  const count = points.length / 2;
  for (let i = 0; i < (closed ? count : count - 1); i++) {
    const [x, y] = [points[2 * i], points[2 * i + 1]];
    const [u, v] = [points[(2 * i + 2) % points.length], points[(2 * i + 3) % points.length]];
    length += Math.hypot(u - x, v - y);
    area += (x * v - u * y) / 2;
  }
  return { length, area };
}

/** Grid edges whose ends are on different sides of the level. */
function countCutEdges({ size: [nx, ny], values }: Field, level: number): number {
  let count = 0;
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const below = values[i + nx * j] < level;
      if (i + 1 < nx && below !== values[i + 1 + nx * j] < level) count++;
      if (j + 1 < ny && below !== values[i + nx * (j + 1)] < level) count++;
    }
  }
  return count;
}

/** The node below the level at the end of the grid edge that a point lies on. */
function nodeBelow({ size: [nx], values }: Field, level: number, x: number, y: number): [number, number] {
  const low: [number, number] = [Math.floor(x), Math.floor(y)];
  const high: [number, number] = [Math.ceil(x), Math.ceil(y)];
  return values[low[0] + nx * low[1]] < level ? low : high;
}

describe('extractIsolines', () => {
  test('meets a circle to second order with one loop, counter-clockwise around what is below', () => {
    const errors = [17, 34, 69].map((n) => {
      const lines = extractIsolines(squareField(n, 1.5, circleDistance(1)), 0);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatchObject({ level: 0, closed: true });
      const { length, area } = measure(lines[0]);
      return [Math.abs(length - 2 * Math.PI), Math.abs(area - Math.PI)];
    });
    for (let i = 1; i < errors.length; i++) {
      expect(Math.log2(errors[i - 1][0] / errors[i][0])).toBeGreaterThan(1.7);
      expect(Math.log2(errors[i - 1][1] / errors[i][1])).toBeGreaterThan(1.7);
    }
  });

  test('turns clockwise around what is above, and keeps levels in their order', () => {
    const field = squareField(60, 1.5, annulusDistance(0.5, 1));
    const lines = extractIsolines(field, [0, -0.2, 0.1, -0.3]);
    expect(lines.map((line) => line.level)).toEqual([0, 0, -0.2, -0.2, 0.1, 0.1]);
    const areas = lines.map((line) => measure(line).area);
    const circles = [0.5, 1, 0.7, 0.8, 0.4, 1.1].map((radius) => Math.PI * radius ** 2);
    [0, 2, 4].forEach((at) => {
      const pair = areas.slice(at, at + 2).sort((a, b) => a - b);
      expect(pair[0]).toBeCloseTo(-circles[at], 1);
      expect(pair[1]).toBeCloseTo(circles[at + 1], 1);
    });
    expect(lines.every((line) => line.closed)).toBe(true);
  });

  test('runs through every cut edge once, at the level, with smaller values to the left', () => {
    let loops = 0;
    let total = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e6 }),
        fc.integer({ min: 2, max: 20 }),
        fc.integer({ min: 2, max: 20 }),
        fc.double({ min: 0.2, max: 0.8, noNaN: true }),
        (seed, n, m, level) => {
          const random = createRandom(seed);
          const field = drawnField(n, m, () => random.next());
          const lines = extractIsolines(field, level);
          expect(lines.reduce((count, { points }) => count + points.length / 2, 0)).toBe(countCutEdges(field, level));
          for (const { points, closed } of lines) {
            total++;
            if (closed) loops++;
            const count = points.length / 2;
            for (let i = 0; i < count; i++) {
              const [x, y] = [points[2 * i], points[2 * i + 1]];
              expect(sampleField(field, [x, y, 0])).toBeCloseTo(level, 9);
              const isBorder = x === 0 || y === 0 || x === n - 1 || y === m - 1;
              if (!closed && (i === 0 || i === count - 1)) expect(isBorder).toBe(true);
              if (!closed && i === count - 1) break;
              const [u, v] = [points[(2 * i + 2) % points.length], points[(2 * i + 3) % points.length]];
              const [a, b] = nodeBelow(field, level, x, y);
              expect((u - x) * (b - y) - (v - y) * (a - x)).toBeGreaterThan(0);
            }
          }
        },
      ),
      { numRuns: 100 * SOAK },
    );
    expect(loops / total).toBeGreaterThan(0.3);
    expect(loops / total).toBeLessThan(0.7);
  });

  test('joins corners of a saddle where the bilinear function does', () => {
    const random = createRandom(2);
    let joined = 0;
    const runs = 400 * SOAK;
    for (let run = 0; run < runs; run++) {
      const [p, q, r, s] = [0, 1, 2, 3].map(() => random.next());
      const field: Field = drawnField(2, 2, () => 0);
      field.values.set(run % 2 === 0 ? [-p, q, r, -s] : [p, -q, -r, s]);
      const lines = extractIsolines(field, 0);
      expect(lines).toHaveLength(2);
      // Below along the way from corner to corner through the saddle point: the bilinear function is linear along x and y.
      const [a, b, c, d] = field.values;
      const twist = a + d - b - c;
      const [x, y] = [(a - c) / twist, (a - b) / twist];
      const saddle = a + (b - a) * x + (c - a) * y + twist * x * y;
      const isJoined = saddle < 0;
      if (isJoined) joined++;
      // Joined, the lines cut off the corners above; apart, those below.
      const cutOff = isJoined ? (run % 2 === 0 ? [1, 2] : [0, 3]) : run % 2 === 0 ? [0, 3] : [1, 2];
      for (const { points } of lines) {
        const corner = cutOff.filter((at) => {
          const [i, j] = [at & 1, at >> 1];
          return (points[0] === i || points[1] === j) && (points[2] === i || points[3] === j);
        });
        expect(corner).toHaveLength(1);
      }
    }
    expect(joined / runs).toBeGreaterThan(0.3);
    expect(joined / runs).toBeLessThan(0.7);
  });

  test('has one point at a node on the level, and no line of one point', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
        const random = createRandom(seed);
        const field = drawnField(8, 7, () => random.integer(3) - 1);
        for (const { points, closed } of extractIsolines(field, 0)) {
          const count = points.length / 2;
          expect(count).toBeGreaterThan(1);
          for (let i = 0; i < (closed ? count : count - 1); i++) {
            const j = (i + 1) % count;
            expect(points[2 * i] === points[2 * j] && points[2 * i + 1] === points[2 * j + 1]).toBe(false);
          }
        }
      }),
      { numRuns: 100 * SOAK },
    );
    const square = squareField(9, 4, (x, y) => Math.max(Math.abs(x), Math.abs(y)) - 2);
    const [line, ...others] = extractIsolines(square, 0);
    expect(others).toEqual([]);
    expect(line.points.every((x) => Number.isInteger(x))).toBe(true);
    // A corner at a node is cut off: only its diagonal neighbor is below the level, and no edge leads there.
    expect(measure(line).area).toBe(16 - 4 * 0.5);
    const pit = squareField(5, 2, (x, y) => (x === 0 && y === 0 ? 0 : -1));
    expect(extractIsolines(pit, 0)).toEqual([]);
  });

  test('ends where a node was not computed', () => {
    const field = squareField(40, 1.5, circleDistance(1));
    const band = field.values.map((value) =>
      Math.abs(value) < 2 * field.spacing ? value : Math.sign(value) * Infinity,
    );
    expect(extractIsolines({ ...field, values: band }, 0)).toEqual(extractIsolines(field, 0));
    expect(extractIsolines({ ...field, values: band }, 0.5)).toEqual([]);
    const holed = field.values.map((value, node) => (node % 40 === 19 ? Infinity : value));
    const halves = extractIsolines({ ...field, values: holed }, 0);
    expect(halves.map((line) => line.closed)).toEqual([false, false]);
    expect(halves.every((line) => line.points.every(Number.isFinite))).toBe(true);
  });

  test('scales and moves with the grid', () => {
    const random = createRandom(3);
    const field = drawnField(9, 9, () => random.normal());
    const lines = extractIsolines(field, 0.1);
    for (const scale of [1e-6, 1e6]) {
      const moved = extractIsolines({ ...field, origin: [2 * scale, -scale, 5], spacing: scale }, 0.1);
      const scaled = extractIsolines({ ...field, values: field.values.map((value) => scale * value) }, 0.1 * scale);
      lines.forEach((line, i) => {
        expect(moved[i].closed).toBe(line.closed);
        expect(scaled[i].points.length).toBe(line.points.length);
        line.points.forEach((x, at) => {
          expect(moved[i].points[at] / scale - (at % 2 === 0 ? 2 : -1)).toBeCloseTo(x, 9);
          expect(scaled[i].points[at]).toBeCloseTo(x, 9);
        });
      });
    }
  });

  test('refuses a field in space and levels that are none', () => {
    const plane = drawnField(3, 3, () => 0);
    const space = sampleFunction({ origin: [0, 0, 0], spacing: 1, size: [3, 3, 3] }, () => 0);
    expect(codeOf(() => extractIsolines(space, 0))).toBe('bad-argument');
    expect(codeOf(() => extractIsolines(plane, NaN))).toBe('bad-argument');
    expect(codeOf(() => extractIsolines(plane, [0, Infinity]))).toBe('bad-argument');
    expect(codeOf(() => extractIsolines(plane, 'none' as unknown as number))).toBe('bad-argument');
    expect(extractIsolines(plane, [])).toEqual([]);
  });
});
