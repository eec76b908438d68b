import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distanceTransform } from '../../../src/field/flood/distance-transform.js';
import { sequence } from '../../generators/sequence.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

type Size = readonly [number, number, number];

/** Every node against every site; the lowest of the nearest. */
function bruteTransform(
  [nx, ny, nz]: Size,
  isSite: (node: number) => boolean,
  offset: (node: number) => number = () => 0,
): { squares: number[]; nearest: number[] } {
  const count = nx * ny * nz;
  const place = (node: number) => [node % nx, Math.floor(node / nx) % ny, Math.floor(node / (nx * ny))];
  const sites = Array.from({ length: count }, (_, node) => node).filter(isSite);
  const squares: number[] = [];
  const nearest: number[] = [];
  for (let node = 0; node < count; node++) {
    const p = place(node);
    let best = Infinity;
    let chosen = -1;
    for (const site of sites) {
      const q = place(site);
      const value = (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - q[2]) ** 2 + offset(site);
      if (value < best) {
        best = value;
        chosen = site;
      }
    }
    squares.push(best);
    nearest.push(chosen);
  }
  return { squares, nearest };
}

const sizes = fc.oneof(
  fc.integer({ min: 1, max: 120 }).map((n): Size => [n, 1, 1]),
  fc.integer({ min: 1, max: 60 }).map((n): Size => [1, n, 1]),
  fc.integer({ min: 1, max: 60 }).map((n): Size => [1, 1, n]),
  fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 25 })).map(([x, y]): Size => [x, y, 1]),
  fc
    .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
    .map(([x, y, z]): Size => [x, y, z]),
);
const densities = fc.constantFrom(0, 0.002, 0.01, 0.05, 0.2, 0.5, 0.95, 1);

describe('distanceTransform', () => {
  test('random masks of all densities in one, two and three dimensions: distances, and the lowest nearest site', () => {
    let ties = 0;
    fc.assert(
      fc.property(sizes, densities, fc.integer({ min: 1 }), (size, density, seed) => {
        const random = sequence(seed);
        const sites = Uint8Array.from({ length: size[0] * size[1] * size[2] }, () => (random() < density ? 1 : 0));
        const { distancesSquared, nearest } = distanceTransform(size, sites);
        const expected = bruteTransform(size, (node) => sites[node] === 1);
        expect(Array.from(distancesSquared)).toEqual(expected.squares);
        expect(Array.from(nearest)).toEqual(expected.nearest);
        // The highest nearest site differs from the lowest where there is a tie: the property must see such nodes.
        const mirrored = bruteTransform(size, (node) => sites[sites.length - 1 - node] === 1);
        for (let node = 0; node < sites.length; node++) {
          const highest = sites.length - 1 - mirrored.nearest[sites.length - 1 - node];
          if (nearest[node] >= 0 && highest !== nearest[node]) ties++;
        }
      }),
      { numRuns: 120 * SOAK, seed: 20120415 },
    );
    expect(ties).toBeGreaterThan(1000);
  });

  test('distances agree with square roots taken in floating point', () => {
    const random = sequence(7);
    const size: Size = [33, 17, 12];
    const points = Array.from({ length: 9 }, () => size.map((n) => Math.floor(random() * n)));
    const sites = new Uint8Array(size[0] * size[1] * size[2]);
    for (const [i, j, k] of points) sites[i + size[0] * (j + size[1] * k)] = 1;
    const { distancesSquared } = distanceTransform(size, sites);
    for (let node = 0; node < sites.length; node++) {
      const [i, j, k] = [node % 33, Math.floor(node / 33) % 17, Math.floor(node / (33 * 17))];
      const least = Math.min(...points.map((p) => Math.hypot(p[0] - i, p[1] - j, p[2] - k)));
      expect(Math.sqrt(distancesSquared[node])).toBeCloseTo(least, 12);
    }
  });

  test('no site, one site, all sites', () => {
    const size: Size = [5, 4, 3];
    const none = distanceTransform(size, new Uint8Array(60));
    expect(none.distancesSquared.every((square) => square === Infinity)).toBe(true);
    expect(none.nearest.every((site) => site === -1)).toBe(true);
    const one = distanceTransform(
      size,
      new Int32Array(60).fill(-1).map((_, node) => (node === 27 ? 0 : -1)),
    );
    expect(one.nearest.every((site) => site === 27)).toBe(true);
    expect(one.distancesSquared[0]).toBe(2 ** 2 + 1 + 1);
    const all = distanceTransform(size, new Uint8Array(60).fill(3));
    expect(all.distancesSquared.every((square) => square === 0)).toBe(true);
    expect(Array.from(all.nearest)).toEqual(Array.from({ length: 60 }, (_, node) => node));
  });

  test('a node between two, four and eight sites takes the lowest', () => {
    expect(distanceTransform([3, 1, 1], Uint8Array.of(1, 0, 1)).nearest[1]).toBe(0);
    const corners = new Uint8Array(27);
    for (let c = 0; c < 8; c++) corners[2 * (c & 1) + 6 * ((c >> 1) & 1) + 18 * (c >> 2)] = 1;
    const { nearest, distancesSquared } = distanceTransform([3, 3, 3], corners);
    expect(nearest[13]).toBe(0);
    expect(distancesSquared[13]).toBe(3);
    expect(nearest[22]).toBe(18);
  });

  test('squares far beyond 32 bits stay exact', () => {
    const length = 200_001;
    for (const size of [
      [length, 1, 1],
      [1, length, 1],
      [1, 1, length],
    ] as const) {
      const sites = new Uint8Array(length);
      sites[0] = sites[length - 1] = 1;
      const { distancesSquared, nearest } = distanceTransform(size, sites);
      expect(distancesSquared[100_000]).toBe(1e10);
      expect(nearest[100_000]).toBe(0);
      expect(nearest[100_001]).toBe(length - 1);
      expect(distancesSquared[100_001]).toBe(99_999 ** 2);
    }
  });

  test('offsets: the least of offset and square, sites of offset Infinity left out', () => {
    fc.assert(
      fc.property(sizes, densities, fc.integer({ min: 1 }), (size, density, seed) => {
        const random = sequence(seed);
        const count = size[0] * size[1] * size[2];
        const sites = Uint8Array.from({ length: count }, () => (random() < density ? 1 : 0));
        const offsets = Float64Array.from({ length: count }, () => (random() < 0.1 ? Infinity : 40 * (random() - 0.5)));
        const { distancesSquared, nearest } = distanceTransform(size, sites, { offsets });
        const expected = bruteTransform(
          size,
          (node) => sites[node] === 1,
          (node) => offsets[node],
        );
        for (let node = 0; node < count; node++) {
          const square = expected.squares[node];
          if (square === Infinity) expect([distancesSquared[node], nearest[node]]).toEqual([Infinity, -1]);
          else {
            expect(Math.abs(distancesSquared[node] - square)).toBeLessThan(1e-11 * (1 + Math.abs(square)));
            expect(sites[nearest[node]]).toBe(1);
          }
        }
      }),
      { numRuns: 60 * SOAK, seed: 2000 },
    );
  });

  test('whole offsets give the same ties as distances do: the lowest node', () => {
    const random = sequence(99);
    const size: Size = [18, 7, 6];
    const sites = Uint8Array.from({ length: 18 * 42 }, () => (random() < 0.1 ? 1 : 0));
    const offsets = Float64Array.from(sites, () => Math.floor(5 * random()));
    const { nearest } = distanceTransform(size, sites, { offsets });
    const expected = bruteTransform(
      size,
      (node) => sites[node] === 1,
      (node) => offsets[node],
    );
    expect(Array.from(nearest)).toEqual(expected.nearest);
  });

  test('arrays of an earlier call are used again, and nothing of it is left in them', () => {
    const size: Size = [19, 6, 5];
    const random = sequence(3);
    const first = Uint8Array.from({ length: 570 }, () => (random() < 0.3 ? 1 : 0));
    const second = new Uint8Array(570);
    second[333] = 1;
    const out = distanceTransform(size, first);
    const again = distanceTransform(size, second, { out });
    expect(again.nearest).toBe(out.nearest);
    expect(again).toEqual(distanceTransform(size, second));
    expect(distanceTransform(size, new Uint8Array(570), { out }).nearest.every((site) => site === -1)).toBe(true);
  });

  test('input is left alone; what does not fit is refused; work can be stopped', () => {
    const sites = Uint8Array.of(0, 1, 0, 0);
    distanceTransform([2, 2, 1], sites);
    expect(Array.from(sites)).toEqual([0, 1, 0, 0]);
    expect(() => distanceTransform([3, 2, 1], sites)).toThrow(/4 sites on 6 nodes/);
    expect(() => distanceTransform([2, 2.5, 1], sites)).toThrow(/2.5 nodes along y/);
    expect(() => distanceTransform([2, 2, 1], sites, { offsets: new Float64Array(3) })).toThrow(/3 offsets/);
    const offsets = Float64Array.of(0, 0, Number.NaN, 0);
    expect(() => distanceTransform([2, 2, 1], sites, { offsets })).toThrow(/offset of node 2 is not a number/);
    expect(() => distanceTransform([2 ** 15, 2 ** 15, 1], sites)).toThrow(/more than/);
    expect(() => distanceTransform([2, 2, 1], sites, { signal: { aborted: true } })).toThrow(/Stopped/);
  });
});
