// Drawings as Voronoi sites: which site each shape becomes, in which frame, and that its elements are the drawn outline.
import { describe, expect, test } from 'vitest';
import { readSvg } from '../../src/io/index.js';
import { type PlaneSite, sitesFromSvg } from '../../src/voronoi/index.js';
import { elementDistance } from '../../src/voronoi/sites/element-distance.js';
import { planeElements } from '../../src/voronoi/sites/plane-elements.js';
import { codeOf } from '../error-code.js';

async function sitesOf(content: string): Promise<PlaneSite[]> {
  return sitesFromSvg(await readSvg(`<svg viewBox="0 0 100 100">${content}</svg>`));
}

/** The distance from a place to the sites' elements. */
function distance(sites: readonly PlaneSite[], x: number, y: number): number {
  const elements = planeElements(sites, 1e-6);
  let least = Infinity;
  for (let i = 0; i < elements.count; i++) least = Math.min(least, elementDistance(elements, i, x, y));
  return least;
}

describe('the site of a shape', () => {
  test('simple shapes become simple sites, y down as drawn', async () => {
    const sites = await sitesOf(
      '<line x1="1" y1="2" x2="3" y2="4"/><path d="M5 6z"/><polyline fill="none" points="0 0 1 0 1 1"/>' +
        '<polygon points="0 0 2 0 2 2 0 2"/><rect width="2" height="2" fill="none"/><circle cx="9" cy="8" r="3"/>',
    );
    const square = [
      [0, 0],
      [2, 0],
      [2, 2],
      [0, 2],
    ];
    expect(sites).toEqual([
      { type: 'segment', a: [1, 2], b: [3, 4] },
      { type: 'point', at: [5, 6] },
      {
        type: 'polyline',
        points: [
          [0, 0],
          [1, 0],
          [1, 1],
        ],
      },
      { type: 'polygon', rings: [square] },
      { type: 'polygon', rings: [square] },
      { type: 'circle', center: [9, 8], radius: 3 },
    ]);
  });

  test('a fill closes an open line', async () => {
    const [open] = await sitesOf('<path fill="none" d="M0 0h4v4"/>');
    const [filled] = await sitesOf('<path d="M0 0h4v4"/>');
    expect([open.type, filled.type]).toEqual(['polyline', 'polygon']);
    expect(distance([open], 1, 3)).toBe(3);
    expect(distance([filled], 1, 3)).toBeCloseTo(Math.SQRT2, 12);
    const [half] = await sitesOf('<path d="M0 0a2 2 0 0 1 4 0"/>');
    expect(distance([half], 2, -0.5)).toBeCloseTo(0.5, 12);
    const [arc] = await sitesOf('<path fill="none" d="M0 0a2 2 0 0 1 4 0"/>');
    expect(distance([arc], 2, -0.5)).toBeCloseTo(1.5, 12);
  });

  test('holes and islands are rings of one polygon', async () => {
    const [site] = await sitesOf('<path d="M0 0h9v9h-9zM2 2h5v5h-5z"/>');
    expect(site.type === 'polygon' && site.rings.length).toBe(2);
  });

  test('curves and arcs are one site whose arcs end exactly where its lines do', async () => {
    const sites = await sitesOf('<rect x="10" y="10" width="30" height="20" rx="5" transform="rotate(17)"/>');
    expect(sites.map(({ type }) => type)).toEqual(['path']);
    const { count, shapes, site } = planeElements(sites, 1e-3);
    expect(count).toBe(8);
    expect([...site]).toEqual(new Array(8).fill(0));
    const ends = new Map<string, number>();
    for (let i = 0; i < count; i++) {
      for (const at of [10 * i, 10 * i + 2]) {
        const key = `${shapes[at]},${shapes[at + 1]}`;
        ends.set(key, (ends.get(key) ?? 0) + 1);
      }
    }
    expect([...ends.values()]).toEqual(new Array(8).fill(2));
  });

  test('two arcs that make a circle meet at both ends', async () => {
    const { shapes } = planeElements(await sitesOf('<path d="M1.1 2.3a.7 .7 0 0 1 1 .3a.7 .7 0 1 1-1-.3z"/>'), 1e-3);
    const ends = [0, 2, 10, 12].map((at) => `${shapes[at]},${shapes[at + 1]}`);
    expect(new Set(ends).size).toBe(2);
  });

  test('ids become objects; one that occurs again is told apart', async () => {
    const sites = await sitesOf(
      '<line id="a" x2="1"/><line x2="1"/><use href="#a" y="5"/><line id="a#2" x2="3"/><use href="#a" y="7"/>',
    );
    expect(sites.map(({ object }) => object)).toEqual(['a', undefined, 'a#3', 'a#2', 'a#4']);
  });

  test('every form of a circle has the distances of a circle', async () => {
    for (const content of [
      '<circle cx="30" cy="40" r="20"/>',
      '<ellipse cx="30" cy="40" rx="20" ry="20"/>',
      '<rect x="10" y="20" width="40" height="40" rx="20"/>',
      '<path d="M10 40a20 20 0 0 1 40 0 20 20 0 0 1-40 0z"/>',
      '<circle r="10" transform="translate(30 40) scale(2 -2) rotate(33)"/>',
      '<g transform="scale(2 1)"><ellipse cx="15" cy="40" rx="10" ry="20"/></g>',
    ]) {
      const sites = await sitesOf(content);
      for (const [x, y] of [
        [30, 45],
        [0, 0],
        [55, 70],
        [29, 10],
        [90, 41],
      ]) {
        const exact = Math.abs(Math.hypot(x - 30, y - 40) - 20);
        expect(Math.abs(distance(sites, x, y) - exact), content).toBeLessThan(1e-12);
      }
    }
  });
});

test('refuses what is not a drawing, and curves that are none', () => {
  expect(codeOf(() => sitesFromSvg(null as never))).toBe('bad-argument');
  expect(codeOf(() => planeElements([{ type: 'path', curves: [{ type: 'point' } as never] }], 1))).toBe('bad-argument');
  expect(codeOf(() => planeElements([{ type: 'path', curves: [null as never] }], 1))).toBe('bad-argument');
  expect(codeOf(() => planeElements([{ type: 'path', curves: [] }], 1))).toBe('bad-argument');
});
