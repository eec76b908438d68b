// Drawings as Chromium draws them: points along every shape by getPointAtLength and places inside by isPointInFill, taken
// to the root's frame by Chromium's own matrices. Chromium computes lengths and points in single precision.
import { beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../src/core/index.js';
import type { SvgCurve, SvgDrawing } from '../../src/io/drawing/svg-drawing.js';
import { readSvg } from '../../src/io/index.js';
import { type Lab, newPage, shareLab } from './lab-page.js';

const SAMPLES = 60;

/**
 * In sizes of the shape. Chromium's points on the arc of an ellipse were measured to be off the exact ellipse by up to
 * 6.1e-4 of its radius; tests/io/svg/path-data.test.ts holds ours to 7e-8.
 */
const TOLERANCE = 1e-3;

interface ShapeOracle {
  readonly points: readonly [number, number][];
  /** x, y and whether it is filled, for places around the shape. */
  readonly inside: readonly [number, number, boolean][];
}

let browser: Lab['browser'];
beforeAll(async () => {
  browser = (await shareLab()).browser;
});

/** What Chromium says about the shapes of a drawing, in the frame of the root's view box. */
async function askChromium(text: string): Promise<ShapeOracle[]> {
  const page = await newPage(browser);
  try {
    await page.setContent(`<!doctype html><body style="margin:0">${text}</body>`);
    return await page.evaluate((count) => {
      const root = document.querySelector('svg')!;
      const toRoot = root.getScreenCTM()!.inverse();
      return [...root.querySelectorAll('path,line,polyline,polygon,rect,circle,ellipse')].map((element) => {
        const shape = element as SVGGeometryElement;
        const matrix = toRoot.multiply(shape.getScreenCTM()!);
        const length = shape.getTotalLength();
        const points: [number, number][] = [];
        for (let i = 0; i <= count; i++) {
          const { x, y } = shape.getPointAtLength((length * i) / count).matrixTransform(matrix);
          points.push([x, y]);
        }
        const box = shape.getBBox();
        const inside: [number, number, boolean][] = [];
        for (let i = 0; i < count; i++) {
          const local = root.createSVGPoint();
          local.x = box.x + box.width * (((i * 0.618034) % 1) * 1.2 - 0.1);
          local.y = box.y + box.height * (((i * 0.754878) % 1) * 1.2 - 0.1);
          const filled = shape.isPointInFill(local);
          const { x, y } = local.matrixTransform(matrix);
          inside.push([x, y, filled]);
        }
        return { points, inside };
      });
    }, SAMPLES);
  } finally {
    await page.close();
  }
}

/** Points along the curve, close together; the ends of a line. */
function sample(curve: SvgCurve): [number, number][] {
  const points: [number, number][] = [];
  const steps = curve.type !== 'arc' && curve.points.length === 2 ? 1 : 256;
  for (let i = 0; i <= steps; i++) {
    const t = i / steps;
    if (curve.type === 'arc') {
      const angle = curve.from + t * (curve.to - curve.from);
      points.push([curve.center[0] + curve.radius * Math.cos(angle), curve.center[1] + curve.radius * Math.sin(angle)]);
      continue;
    }
    let level = curve.points.map(([x, y]) => [x, y]);
    while (level.length > 1) {
      level = level.slice(1).map(([x, y], k) => [(1 - t) * level[k][0] + t * x, (1 - t) * level[k][1] + t * y]);
    }
    points.push([level[0][0], level[0][1]]);
  }
  return points;
}

function distanceToLines(lines: readonly (readonly [number, number][])[], x: number, y: number): number {
  let least = Infinity;
  for (const line of lines) {
    for (let i = 1; i < line.length; i++) {
      const [from, to] = [line[i - 1], line[i]];
      const ux = to[0] - from[0];
      const uy = to[1] - from[1];
      const square = ux * ux + uy * uy;
      const along = (x - from[0]) * ux + (y - from[1]) * uy;
      const t = square === 0 ? 0 : Math.min(1, Math.max(0, along / square));
      const dx = from[0] + t * ux - x;
      const dy = from[1] + t * uy - y;
      least = Math.min(least, dx * dx + dy * dy);
    }
  }
  return Math.sqrt(least);
}

/** How often the closed lines wind around a place, and how often a ray to the right crosses them. */
function windingOf(rings: readonly (readonly [number, number][])[], x: number, y: number): [number, number] {
  let winding = 0;
  let crossings = 0;
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i++) {
      const [ax, ay] = ring[i];
      const [bx, by] = ring[(i + 1) % ring.length];
      if (ay > y === by > y || ax + ((y - ay) / (by - ay)) * (bx - ax) <= x) continue;
      winding += by > ay ? 1 : -1;
      crossings++;
    }
  }
  return [winding, crossings];
}

function extent(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

async function compare(text: string): Promise<{ inside: number; outside: number }> {
  const drawing: SvgDrawing = await readSvg(text);
  const oracles = await askChromium(text);
  expect(oracles).toHaveLength(drawing.shapes.length);
  let [inside, outside] = [0, 0];
  drawing.shapes.forEach((shape, index) => {
    const { points, inside: places } = oracles[index];
    const size = Math.max(...[0, 1].map((axis) => extent(points.map((point) => point[axis]))));
    const lines = shape.subpaths.map(({ curves }) => curves.flatMap(sample));
    for (const [x, y] of points) {
      expect(distanceToLines(lines, x, y), `shape ${index} at ${x}, ${y} of\n${text}`).toBeLessThan(TOLERANCE * size);
    }
    // Both begin at the same place and end at the same one: the direction is right.
    const first = lines[0][0];
    const last = lines[lines.length - 1].at(-1)!;
    expect(Math.hypot(first[0] - points[0][0], first[1] - points[0][1])).toBeLessThan(TOLERANCE * size);
    const end = points[points.length - 1];
    expect(Math.hypot(last[0] - end[0], last[1] - end[1])).toBeLessThan(TOLERANCE * size);
    if (shape.element === 'line') return;
    const closed = lines.map((line) => [...line, line[0]]);
    for (const [x, y, filled] of places) {
      if (distanceToLines(closed, x, y) < 2 * TOLERANCE * size) continue;
      const [winding, crossings] = windingOf(lines, x, y);
      expect(shape.fillRule === 'nonzero' ? winding !== 0 : crossings % 2 === 1, `${x}, ${y} of\n${text}`).toBe(filled);
      if (filled) inside++;
      else outside++;
    }
  });
  return { inside, outside };
}

test('every shape, transform and viewport is where Chromium draws it', async () => {
  const { inside, outside } = await compare(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -10 240 120" width="480" height="300">
      <g transform="translate(10 5) rotate(20 30 30) skewX(10)">
        <rect x="3" y="4" width="40" height="20"/><rect x="3" y="34" width="40" height="20" rx="12" ry="4"/>
        <circle cx="70" cy="20" r="12"/><ellipse cx="70" cy="55" rx="20" ry="7"/>
        <g transform="scale(-1 .5) skewY(-25)"><circle cx="-90" cy="60" r="9"/></g>
      </g>
      <line x1="1" y1="2" x2="50%" y2="10mm"/><polyline points="1,1 20-3.5.5 30"/><polygon points="100 10 140 20 120 50 130 5"/>
      <svg x="150" y="10" width="60" height="30" viewBox="0 0 10 10" preserveAspectRatio="xMaxYMin slice">
        <circle cx="5" cy="5" r="4"/>
        <svg x="1" y="1" width="50%" height="4" viewBox="0 0 8 2" preserveAspectRatio="none"><path d="M1 1L7 1 4 2z"/></svg>
      </svg>
      <svg x="150" y="60" width="60" height="30" viewBox="-5 -5 10 10"><path d="M-4-4A4 3 30 1 0 4 4z" transform="matrix(.8 .1 -.2 .9 .3 .1)"/></svg>
    </svg>`,
  );
  expect(inside).toBeGreaterThan(150);
  expect(outside).toBeGreaterThan(150);
});

test('random paths are those that Chromium reads', async () => {
  const random = createRandom(15);
  let [inside, outside] = [0, 0];
  for (let round = 0; round < 8; round++) {
    const paths = Array.from({ length: 12 }, () => {
      const rule = random.integer(2) === 0 ? 'evenodd' : 'nonzero';
      const turn = random.integer(360);
      return `<path fill-rule="${rule}" transform="rotate(${turn} 50 50) scale(${1 + random.integer(3)} 1)" d="${randomPath()}"/>`;
    });
    const counts = await compare(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="500" height="500">${paths.join('')}</svg>`,
    );
    inside += counts.inside;
    outside += counts.outside;
  }
  expect(inside).toBeGreaterThan(1000);
  expect(outside).toBeGreaterThan(1000);

  function randomPath(): string {
    const number = (): string => String((random.integer(2000) - 500) / 16).replace(/^(-?)0\./, '$1.');
    // A line after each move: at length 0 Chromium takes a first move without one for the beginning.
    let d = `M${number()} ${number()}l1 2`;
    for (let step = 0; step < 7; step++) {
      const command = 'LlHhVvCcSsQqTtAaAaZzMm'[random.integer(22)];
      const count: Record<string, number> = { L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, Z: 0, M: 2 };
      const kind = command.toUpperCase();
      if (kind === 'A') {
        const flags = `${random.integer(2)}${random.integer(2)}`;
        d += `${command}${random.integer(60)},${random.integer(60)} ${number()} ${flags}${number()},${number()}`;
      } else {
        d += command + Array.from({ length: count[kind] }, number).join(' ').replaceAll(' -', '-');
        if (kind === 'M') d += 'l2 1';
      }
    }
    // A move at the end has no length, so the end of the path would be another for Chromium.
    return `${d}l1 1`;
  }
});
