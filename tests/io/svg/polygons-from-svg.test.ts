// The regions of filled shapes: both fill rules against winding numbers, areas against closed forms.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/index.js';
import { polygonsFromSvg, readSvg, type SvgPolygon } from '../../../src/io/index.js';
import { locateInPolygon, polygonArea } from '../../../src/mesh/index.js';
import { codeOf } from '../../error-code.js';

async function polygonsOf(content: string, curveError?: number): Promise<SvgPolygon[]> {
  return polygonsFromSvg(await readSvg(`<svg viewBox="0 0 100 100">${content}</svg>`), { curveError });
}

function square(x: number, y: number, size: number, clockwise = false): string {
  return clockwise ? `M${x} ${y}v${size}h${size}v${-size}z` : `M${x} ${y}h${size}v${size}h${-size}z`;
}

describe('polygonsFromSvg', () => {
  test('filled shapes in their order, with their ids; lines and unfilled shapes have none', async () => {
    const polygons = await polygonsOf(
      '<line x2="5"/><rect id="a" width="4" height="3"/><circle r="5" fill="none"/><path id="b" d="M10 10h4v4"/><path d="M1 1h3"/>',
    );
    expect(polygons.map(({ shape, id, polygon }) => [shape, id, polygonArea(polygon)])).toEqual([
      [1, 'a', 12],
      [3, 'b', 8],
    ]);
  });

  test('a circle is inscribed within the error', async () => {
    for (const error of [1, 0.01, 1e-4]) {
      const [{ polygon }] = await polygonsOf('<circle cx="50" cy="50" r="20"/>', error);
      const area = polygonArea(polygon);
      expect(area).toBeLessThan(400 * Math.PI);
      expect(area).toBeGreaterThan(Math.PI * (20 - error) ** 2);
      for (let i = 0; i < polygon.rings[0].length; i += 2) {
        expect(Math.hypot(polygon.rings[0][i] - 50, polygon.rings[0][i + 1] - 50)).toBeCloseTo(20, 12);
      }
    }
  });

  test.each([
    // Ring directions, the rule, and the area painted: 30² and, inside, 20² and 10².
    ['nonzero', [false, false, false], [900]],
    ['nonzero', [false, true, false], [900 - 400, 100]],
    ['nonzero', [false, true, true], [900 - 400, 100]],
    ['nonzero', [false, false, true], [900]],
    ['evenodd', [false, false, false], [900 - 400, 100]],
    ['evenodd', [false, true, true], [900 - 400, 100]],
  ])('nested rings, %s, clockwise %j', async (rule, clockwise, areas) => {
    const d = square(0, 0, 30, clockwise[0]) + square(5, 5, 20, clockwise[1]) + square(10, 10, 10, clockwise[2]);
    const polygons = await polygonsOf(`<path fill-rule="${rule}" d="${d}"/>`);
    expect(polygons.map(({ polygon }) => polygonArea(polygon))).toEqual(areas);
  });

  test('random nested squares are filled where the winding number says', async () => {
    const random = createRandom(3);
    let filled = 0;
    for (let round = 0; round < 200; round++) {
      const rings: [number, number, number, boolean][] = [];
      const split = (x: number, y: number, size: number, depth: number): void => {
        rings.push([x, y, size, random.integer(2) === 0]);
        if (depth === 0) return;
        for (const [i, j] of [
          [0, 0],
          [1, 0],
          [0, 1],
          [1, 1],
        ]) {
          if (random.next() < 0.6)
            split(x + size * (0.05 + 0.5 * i), y + size * (0.05 + 0.5 * j), 0.4 * size, depth - 1);
        }
      };
      split(0, 0, 64, 3);
      random.shuffle(rings);
      const rule = random.integer(2) === 0 ? 'nonzero' : 'evenodd';
      const polygons = await polygonsOf(
        `<path fill-rule="${rule}" d="${rings.map((ring) => square(...ring)).join('')}"/>`,
      );
      for (let sample = 0; sample < 20; sample++) {
        const [x, y] = [random.range(-15, 79), random.range(-15, 79)];
        const around = rings.filter(([rx, ry, size]) => x > rx && x < rx + size && y > ry && y < ry + size);
        const winding = around.reduce((sum, [, , , clockwise]) => sum + (clockwise ? -1 : 1), 0);
        const wanted = rule === 'nonzero' ? winding !== 0 : around.length % 2 === 1;
        const found = polygons.filter(({ polygon }) => locateInPolygon(polygon, x, y) === 'inside').length;
        expect(found).toBe(wanted ? 1 : 0);
        if (wanted) filled++;
      }
    }
    expect(filled).toBeGreaterThan(1200);
    expect(filled).toBeLessThan(2800);
  });

  test('round corners, and rings whose arcs close with rounding', async () => {
    const [round] = await polygonsOf('<rect x="3" y="4" width="30" height="20" rx="5" transform="rotate(17)"/>', 1e-6);
    expect(polygonArea(round.polygon)).toBeCloseTo(600 - (4 - Math.PI) * 25, 3);
    const [disc] = await polygonsOf('<path d="M1.1 2.3a.7 .7 0 0 1 1 .3a.7 .7 0 1 1-1-.3z"/>', 1e-6);
    expect(polygonArea(disc.polygon)).toBeGreaterThan(1);
  });

  test('refuses outlines that cross, with their line, and wrong arguments', async () => {
    const drawing = await readSvg('<svg viewBox="0 0 9 9">\n<path id="x" d="M0 0L4 4H0L4 0z"/></svg>');
    expect(() => polygonsFromSvg(drawing)).toThrow(
      expect.objectContaining({ code: 'self-intersecting', location: { line: 2 } }),
    );
    expect(codeOf(() => polygonsFromSvg(null as never))).toBe('bad-argument');
    expect(codeOf(() => polygonsFromSvg(drawing, { curveError: 0 }))).toBe('bad-argument');
    const circle = await readSvg('<svg viewBox="0 0 9 9"><circle r="3"/></svg>');
    expect(codeOf(() => polygonsFromSvg(circle, { curveError: 1e-13 }))).toBe('bad-argument');
  });
});
