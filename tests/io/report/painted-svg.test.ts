import { describe, expect, test } from 'vitest';
import {
  type PaintedTriangles,
  PICTURE_SIDE,
  type PictureView,
  paintTriangles,
} from '../../../src/io/report/painted-svg.js';

type Point = [number, number];

/** The outlines of the picture with the number of their triangle, back to front; y up again. */
function readPicture(markup: string): { triangle: number; outline: Point[] }[] {
  return [...markup.matchAll(/<path class="t(\d+)-\d" d="([^"]*)"\/>/g)].flatMap(([, triangle, data]) =>
    [...data.matchAll(/M(\d+) (\d+)l([^z]*)z/g)].map(([, x, y, steps]) => {
      const outline: Point[] = [[Number(x) / 2, PICTURE_SIDE - Number(y) / 2]];
      const numbers = (steps.match(/-?\d+/g) ?? []).map(Number);
      for (let i = 0; i < numbers.length; i += 2) {
        const [px, py] = outline[outline.length - 1];
        outline.push([px + numbers[i] / 2, py - numbers[i + 1] / 2]);
      }
      return { triangle: Number(triangle), outline };
    }),
  );
}

/** Twice the signed area of three points. */
const area = (a: Point, b: Point, c: Point): number => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** Whether the polygon, or the stroke around it, covers the point. */
function covers(outline: readonly Point[], point: Point): boolean {
  if (outline.some((corner, i) => edgeDistance(corner, outline[(i + 1) % outline.length], point) < 0.4)) return true;
  const sides = outline.map((corner, i) => area(corner, outline[(i + 1) % outline.length], point));
  return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
}

function edgeDistance(a: Point, b: Point, p: Point): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const t = Math.min(1, Math.max(0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy);
}

let seed = 11;
const random = (): number => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};

/** Looking down the z axis at the square from 0 to 1: scene and picture differ by a factor only. */
const VIEW: PictureView = { center: [0.5, 0.5, 0], towardEye: [0, 0, 1], up: [0, 1, 0], halfSide: 0.5 };

const paint = (triangles: readonly number[][], view = VIEW): string =>
  paintTriangles(
    triangles.map((corners, i): PaintedTriangles => ({ corners, className: `t${i}-` })),
    view,
  );

describe('painted pictures', () => {
  test('show the nearest triangle at every point, of triangles that cross each other', () => {
    let seen = 0;
    let empty = 0;
    for (let round = 0; round < 12; round++) {
      const triangles = Array.from({ length: 3 + 3 * round }, () =>
        Array.from({ length: 9 }, () => 1.4 * random() - 0.2),
      );
      const painted = readPicture(paint(triangles));
      const flat = triangles.map((t) => [0, 3, 6].map((k): Point => [t[k] * PICTURE_SIDE, t[k + 1] * PICTURE_SIDE]));
      /** The triangle that is nearest to the eye at a point of the picture; −1 where there is none. */
      const nearest = (point: Point): number => {
        let best = -1;
        let bestDepth = -Infinity;
        for (const [i, t] of triangles.entries()) {
          const [a, b, c] = flat[i];
          const whole = area(a, b, c);
          const [u, v, w] = [area(b, c, point) / whole, area(c, a, point) / whole, area(a, b, point) / whole];
          const depth = u >= 0 && v >= 0 && w >= 0 ? u * t[2] + v * t[5] + w * t[8] : -Infinity;
          if (depth > bestDepth) {
            bestDepth = depth;
            best = i;
          }
        }
        return best;
      };
      for (let sample = 0; sample < 150; sample++) {
        const point: Point = [random() * PICTURE_SIDE, random() * PICTURE_SIDE];
        const expected = nearest(point);
        // Whole-number coordinates move edges by a pixel: points near one decide nothing.
        const around = Array.from({ length: 8 }, (_, k): Point => {
          const angle = (k * Math.PI) / 4;
          return [point[0] + 3 * Math.cos(angle), point[1] + 3 * Math.sin(angle)];
        });
        if (around.some((other) => nearest(other) !== expected)) continue;
        const top = painted.filter(({ outline }) => covers(outline, point)).pop();
        if (expected < 0) empty++;
        else seen++;
        expect(top?.triangle ?? -1).toBe(expected);
      }
    }
    expect(seen).toBeGreaterThan(300);
    expect(empty).toBeGreaterThan(50);
  });

  test('three triangles that overlap in a ring have an order once split', () => {
    // Each lies over the next at its far end.
    const bar = (turn: number): number[] => {
      const angle = (turn * 2 * Math.PI) / 3;
      const place = (x: number, y: number, z: number): number[] => [
        0.5 + x * Math.cos(angle) - y * Math.sin(angle),
        0.5 + x * Math.sin(angle) + y * Math.cos(angle),
        z,
      ];
      return [...place(-0.4, 0.1, 0.1), ...place(-0.4, 0.2, 0.1), ...place(0.45, 0.15, -0.1)];
    };
    const painted = readPicture(paint([bar(0), bar(1), bar(2)]));
    expect(painted.length).toBeGreaterThan(3);
    expect(new Set(painted.map(({ triangle }) => triangle))).toEqual(new Set([0, 1, 2]));
  });

  test('nothing leaves the picture, and what cannot be seen is left out', () => {
    const huge = [-1e6, -1e6, 0, 1e6, -1e6, 0, 0, 2e6, 0];
    const edgeOn = [0, 0.5, 0, 1, 0.5, 0, 0.5, 0.5, 1];
    const point = [0.5, 0.5, 0, 0.5, 0.5, 0, 0.5, 0.5, 0];
    const outside = [2, 2, 0, 3, 2, 0, 2, 3, 0];
    const painted = readPicture(paint([huge, edgeOn, point, outside]));
    expect(painted.map(({ triangle }) => triangle)).toEqual([0]);
    for (const [x, y] of painted[0].outline) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect(Math.max(x, y)).toBeLessThanOrEqual(PICTURE_SIDE);
    }
    expect(paint([])).toBe('');
  });

  test('the picture does not change with the size of the scene', () => {
    const triangles = Array.from({ length: 8 }, () => Array.from({ length: 9 }, random));
    const scaled = (factor: number): string =>
      paint(
        triangles.map((corners) => corners.map((value) => value * factor)),
        { ...VIEW, center: [0.5 * factor, 0.5 * factor, 0], halfSide: 0.5 * factor },
      );
    expect(scaled(2 ** 20)).toBe(scaled(1));
    expect(scaled(2 ** -20)).toBe(scaled(1));
  });
});
