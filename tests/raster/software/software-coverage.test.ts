// Triangles that share edges cover each pixel once: no gaps, no overlaps, even with pixel centers on edges and corners.
import { describe, expect, test } from 'vitest';
import { buildHull } from '../../../src/convex/hull/hull.js';
import { createRandom, type Random } from '../../../src/core/random.js';
import type { RasterState } from '../../../src/raster/raster.js';
import { createSoftwareRasterizer } from '../../../src/raster/software/software-rasterizer.js';
import { boxMesh } from '../../generators/surfaces.js';
import { columns, FLAT_VIEW, multiply, perspective, randomMotion } from '../views.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
const SEED = process.env.NEARFIELD_SEED === 'random' ? Date.now() % 1e9 : Number(process.env.NEARFIELD_SEED ?? 0);
const COUNT: RasterState = {
  depthCompare: 'always',
  depthWrite: false,
  colorWrite: false,
  stencilPass: 'increment-wrap',
};

interface Triangles {
  readonly positions: ArrayLike<number>;
  readonly indices: Uint32Array;
}

/** How often each pixel of each view is covered. */
async function countCover(
  { positions, indices }: Triangles,
  views: readonly number[],
  width: number,
  height: number,
  state: RasterState = COUNT,
): Promise<Uint8Array> {
  const rasterizer = createSoftwareRasterizer();
  const target = rasterizer.createTarget(width, height, views.length / 16);
  rasterizer.draw(target, views, [{ geometry: rasterizer.createGeometry(positions, indices), state }], {});
  return (await rasterizer.read(target, ['stencil'])).stencil!;
}

/** Counts of 0, 1, 2 and more. */
function histogram(counts: Uint8Array): number[] {
  const bins = [0, 0, 0, 0];
  for (const count of counts) bins[Math.min(count, 3)]++;
  return bins;
}

/** A square from (−reach, −reach) to (reach, reach) in triangles, either diagonal, corners moved by `jitter` of a cell. */
function triangulatedSquare(random: Random, cells: number, reach: number, jitter: () => number): Triangles {
  const positions: number[] = [];
  for (let row = 0; row <= cells; row++) {
    for (let column = 0; column <= cells; column++) {
      positions.push(
        reach * ((2 * (column + jitter())) / cells - 1),
        reach * ((2 * (row + jitter())) / cells - 1),
        0.5,
      );
    }
  }
  const indices: number[] = [];
  for (let row = 0; row < cells; row++) {
    for (let column = 0; column < cells; column++) {
      const a = row * (cells + 1) + column;
      const b = a + 1;
      const c = a + cells + 2;
      const d = a + cells + 1;
      indices.push(...(random.next() < 0.5 ? [a, b, c, a, c, d] : [a, b, d, b, c, d]));
    }
  }
  return { positions, indices: Uint32Array.from(indices) };
}

/** The six views of a cube around a point, turned at random. */
function cubeViews(random: Random, eye: readonly number[], near: number, far: number): number[] {
  const moved = columns([
    [1, 0, 0, -eye[0]],
    [0, 1, 0, -eye[1]],
    [0, 0, 1, -eye[2]],
    [0, 0, 0, 1],
  ]);
  const turned = random.next() < 0.3 ? moved : multiply(randomMotion(random, [0, 0, 0]), moved);
  return CUBE_TURNS.flatMap((turn) => multiply(multiply(perspective(near, far), turn), turned));
}

const CUBE_TURNS = [
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [-1, 0, 0],
    [0, 1, 0],
    [0, 0, -1],
  ],
  [
    [0, 0, 1],
    [0, 1, 0],
    [-1, 0, 0],
  ],
  [
    [0, 0, -1],
    [0, 1, 0],
    [1, 0, 0],
  ],
  [
    [1, 0, 0],
    [0, 0, 1],
    [0, -1, 0],
  ],
  [
    [1, 0, 0],
    [0, 0, -1],
    [0, 1, 0],
  ],
].map((rows) => columns([...rows.map((row) => [...row, 0]), [0, 0, 0, 1]]));

/** A hull that holds the ball of radius 0.575 around the origin; sometimes one whose corners lie on a coarse grid, as do pixel centers. */
function randomSolid(random: Random): Triangles {
  const count = random.integer(60);
  const coarse = random.next() < 0.3;
  const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));
  const points = Array.from({ length: count }, () => {
    const radius = random.range(0.9, 1.1);
    return random.direction().map((value) => (coarse ? Math.round(8 * radius * value) / 8 : radius * value));
  });
  const { points: positions, triangles: indices } = buildHull(
    [...corners.map((corner) => corner.map((value) => 0.575 * value)), ...points].flat(),
  );
  return { positions, indices };
}

describe('coverage of the software rasterizer', () => {
  test('a triangulated square covers every pixel once', async () => {
    for (let seed = 0; seed < 60 * SOAK; seed++) {
      const random = createRandom(SEED + 100 + seed);
      const square = triangulatedSquare(random, 1 + random.integer(40), 2.2, () => random.range(-0.24, 0.24));
      const counts = await countCover(square, [...FLAT_VIEW], 1 + random.integer(100), 1 + random.integer(100));
      expect(histogram(counts)).toEqual([0, counts.length, 0, 0]);
    }
  });

  test('also where corners and edges run through pixel centers', async () => {
    for (let seed = 0; seed < 60 * SOAK; seed++) {
      const random = createRandom(SEED + 200 + seed);
      // Cells of 4 pixels, corners on quarters of pixels: an eighth of the corners is at a center.
      const square = triangulatedSquare(random, 16, 1, () => (random.integer(7) - 3) / 16);
      const grown = {
        ...square,
        positions: Array.from(square.positions, (value) => (Math.abs(value) > 0.9 ? 2 * value : value)),
      };
      const counts = await countCover(grown, [...FLAT_VIEW], 64, 64);
      expect(histogram(counts)).toEqual([0, counts.length, 0, 0]);
    }
  });

  test('also in perspective, with the plane running behind the eye', async () => {
    let total = 0;
    for (let seed = 0; seed < 60 * SOAK; seed++) {
      const random = createRandom(SEED + 300 + seed);
      const cells = 1 + random.integer(30);
      const square = triangulatedSquare(random, cells, 10 ** random.range(0, 4), () => random.range(-0.24, 0.24));
      const corners = [0, cells, cells * (cells + 1), cells * (cells + 2)];
      const whole = {
        positions: corners.flatMap((i) => Array.from({ length: 3 }, (_, axis) => square.positions[3 * i + axis])),
        indices: Uint32Array.of(0, 1, 3, 0, 3, 2),
      };
      // The jittered rim is pulled straight, so that the two cover the same pixels.
      const straight = Float64Array.from(square.positions);
      for (let i = 0; i <= cells; i++) {
        for (const [vertex, a, b] of [
          [i, 0, 1],
          [cells * (cells + 1) + i, 2, 3],
          [i * (cells + 1), 0, 2],
          [i * (cells + 1) + cells, 1, 3],
        ]) {
          const share = i / cells;
          for (let axis = 0; axis < 3; axis++) {
            straight[3 * vertex + axis] =
              (1 - share) * whole.positions[3 * a + axis] + share * whole.positions[3 * b + axis];
          }
        }
      }
      const view = multiply(perspective(1e-3, 1e6), randomMotion(random, [0, 0, random.range(-1, 1)]));
      const counts = await countCover({ ...square, positions: straight }, view, 64, 64);
      const expected = await countCover(whole, view, 64, 64);
      const bins = histogram(counts);
      expect(bins.slice(2)).toEqual([0, 0]);
      // Only where the straightened rim rounds may the two differ.
      expect(Math.abs(bins[1] - histogram(expected)[1])).toBeLessThanOrEqual(1);
      total += bins[1];
    }
    expect(total).toBeGreaterThan(60 * SOAK * 64 * 64 * 0.2);
  });

  test('a closed convex mesh is seen once in every direction from inside', async () => {
    for (let seed = 0; seed < 80 * SOAK; seed++) {
      const random = createRandom(SEED + 400 + seed);
      const solid = seed % 4 === 0 ? boxMesh([-1, -1, -1], [1, 1, 1]) : randomSolid(random);
      const eye = seed % 8 === 0 ? [0, 0, 0] : random.direction().map((value) => 0.3 * value);
      const size = 1 + random.integer(48);
      const counts = await countCover(solid, cubeViews(random, eye, 1e-3, 100), size, size);
      expect(histogram(counts)).toEqual([0, counts.length, 0, 0]);
      const front = await countCover(solid, cubeViews(createRandom(seed), eye, 1e-3, 100), size, size, {
        ...COUNT,
        cull: 'back',
      });
      expect(histogram(front)[0]).toBe(front.length); // from inside there are back faces only
    }
  });

  test('from outside, front and back faces cover the same pixels', async () => {
    let covered = 0;
    let pixels = 0;
    for (let seed = 0; seed < 80 * SOAK; seed++) {
      const random = createRandom(SEED + 500 + seed);
      const solid = seed % 4 === 0 ? boxMesh([-1, -1, -1], [1, 1, 1]) : randomSolid(random);
      const view = multiply(
        perspective(0.01, 100),
        randomMotion(random, [random.range(-1, 1), random.range(-1, 1), -2.5]),
      );
      const front = await countCover(solid, view, 48, 48, { ...COUNT, cull: 'back' });
      const back = await countCover(solid, view, 48, 48, { ...COUNT, cull: 'front' });
      expect(front).toEqual(back);
      expect(histogram(front).slice(2)).toEqual([0, 0]);
      covered += histogram(front)[1];
      pixels += front.length;
    }
    expect(covered / pixels).toBeGreaterThan(0.1);
  });

  test('also where a layer of triangles a few roundings thin runs along the centers of a row', async () => {
    const layers = 4;
    const columnsAcross = 9;
    for (let seed = 0; seed < 60 * SOAK; seed++) {
      const random = createRandom(SEED + 700 + seed);
      const positions: number[] = [];
      const indices: number[] = [];
      const across = Array.from({ length: columnsAcross }, (_, i) => (i - 4 + random.range(-0.4, 0.4)) / 3);
      for (let layer = 0; layer < layers; layer++) {
        for (const x of across) {
          const thin = 9 / 64 + (layer === 1 ? -1 : 1) * (1 + random.integer(4)) * 2 ** -53;
          positions.push(x, layer === 0 ? -2 : layer === 3 ? 2 : thin, 0.5);
        }
        for (let a = layer * columnsAcross; layer < layers - 1 && a < (layer + 1) * columnsAcross - 1; a++) {
          const c = a + columnsAcross;
          indices.push(...(random.next() < 0.5 ? [a, a + 1, c + 1, a, c + 1, c] : [a, a + 1, c, a + 1, c + 1, c]));
        }
      }
      const counts = await countCover({ positions, indices: Uint32Array.from(indices) }, [...FLAT_VIEW], 64, 64);
      expect(histogram(counts)).toEqual([0, counts.length, 0, 0]);
    }
  });

  test('a fan around a pixel center covers it once, whichever its spokes', async () => {
    for (let seed = 0; seed < 200 * SOAK; seed++) {
      const random = createRandom(SEED + 600 + seed);
      const spokes = 3 + random.integer(12);
      const angles = Array.from(
        { length: spokes },
        () => 2 * Math.PI * (random.next() < 0.5 ? random.integer(8) / 8 : random.next()),
      );
      angles.sort((a, b) => a - b);
      const widest = Math.max(...angles.map((angle, i) => (angles[i + 1] ?? angles[0] + 2 * Math.PI) - angle));
      if (widest >= 3.1) continue;
      const grid = 1 / 32; // half a pixel of 32
      const center = [grid * (2 * random.integer(16) - 15), grid * (2 * random.integer(16) - 15)];
      const rim = angles.flatMap((angle) => [
        center[0] + Math.round(64 * Math.cos(angle)) * grid,
        center[1] + Math.round(64 * Math.sin(angle)) * grid,
        0.5,
      ]);
      const indices = Uint32Array.from(angles.flatMap((_, i) => [0, i + 1, ((i + 1) % spokes) + 1]));
      const counts = await countCover({ positions: [...center, 0.5, ...rim], indices }, [...FLAT_VIEW], 32, 32);
      const column = Math.round((center[0] + 1) * 16 - 0.5);
      const row = Math.round((1 - center[1]) * 16 - 0.5);
      expect(counts[32 * row + column]).toBe(1);
      expect(histogram(counts).slice(2)).toEqual([0, 0]);
    }
  });

  test('does not change with the scale, nor with which corner of a triangle comes first', async () => {
    const random = createRandom(9);
    const solid = randomSolid(random);
    const motion = randomMotion(random, [0, 0, -1.2]);
    const draw = (scale: number, indices: Uint32Array) =>
      countCover(
        { positions: Array.from(solid.positions, (value) => value * scale), indices },
        multiply(
          perspective(0.1 * scale, 10 * scale),
          motion.map((value, i) => (i >= 12 && i < 15 ? value * scale : value)),
        ),
        64,
        64,
      );
    const expected = await draw(1, solid.indices);
    expect(histogram(expected)[2]).toBeGreaterThan(1000);
    expect(await draw(2 ** 20, solid.indices)).toEqual(expected);
    expect(await draw(2 ** -20, solid.indices)).toEqual(expected);
    const turned = Uint32Array.from(solid.indices, (_, i) => solid.indices[i % 3 === 2 ? i - 2 : i + 1]);
    expect(await draw(1, turned)).toEqual(expected);
  });
});
