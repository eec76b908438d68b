// The compute rasteriser against the one in software: the same pixels and depths to within single precision, where render
// pipelines are off by a part of a pixel.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { GpuDevice } from '../../../src/gpu/device.js';
import { createComputeRasterizer } from '../../../src/raster/gpu/compute-rasterizer-gpu.js';
import { createWebGpuRasterizer } from '../../../src/raster/gpu/rasterizer-gpu.js';
import type { ClearValues, RasterDraw, Rasterizer, RasterState } from '../../../src/raster/raster.js';
import { createSoftwareRasterizer } from '../../../src/raster/software/software-rasterizer.js';
import { requestExpectedDevice } from '../../gpu/expected-device.js';
import { compareImages } from '../software/screen-planes.js';
import { LOOSE_VIEW_COUNT, looseTriangles, pixelView, randomRectangles } from './scenes-gpu.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

/** How far vertices seem to move, as a share of the image's side, and what a depth itself is rounded by. */
const MOVEMENT = 2 ** -21;
const DEPTH_ROUNDING = 2 ** -22;

const FAR = { state: {}, clear: { depth: 1 } };
const NEAR = { state: { depthCompare: 'greater' }, clear: { depth: 0 } } as const;

let gpu: GpuDevice;
beforeAll(async () => {
  gpu = await requestExpectedDevice();
});
afterAll(() => gpu.device.destroy());

async function drawTriangles(
  rasterizer: Rasterizer,
  size: number,
  views: ArrayLike<number>,
  scene: { positions: ArrayLike<number>; indices: Uint32Array; colors?: Uint32Array },
  draws: readonly Omit<RasterDraw, 'geometry'>[],
  clear: ClearValues,
) {
  const target = rasterizer.createTarget(size, size, views.length / 16);
  const geometry = rasterizer.createGeometry(scene.positions, scene.indices, scene.colors);
  rasterizer.draw(
    target,
    views,
    draws.map((draw) => ({ ...draw, geometry })),
    clear,
  );
  const images = await rasterizer.read(target, ['color', 'depth']);
  geometry.destroy();
  target.destroy();
  return images;
}

describe('coverage and depth', () => {
  test.each([
    ['the nearest', 1, FAR],
    ['the furthest', 1, NEAR],
    ['the nearest, tiny', 1e-12, FAR],
    ['the furthest, huge', 1e12, NEAR],
  ])('%s is the software’s to within single precision', async (_, scale, { state, clear }) => {
    const size = 48;
    const { positions, indices, views } = looseTriangles(100, 21, scale);
    const scene = { positions, indices };
    const expected = await drawTriangles(createSoftwareRasterizer(), size, views, scene, [{ state }], clear);
    const drawn = await drawTriangles(createComputeRasterizer(gpu), size, views, scene, [{ state }], clear);
    const { covered, differing, movement } = compareImages(positions, views, size, expected, drawn, DEPTH_ROUNDING);
    expect(covered).toBeGreaterThan(0.3);
    expect(covered).toBeLessThan(0.7);
    expect(differing).toBeLessThan(1e-3);
    expect(movement / size).toBeLessThan(MOVEMENT);
    // The bound means something: snapped vertices break it.
    const snapped = await drawTriangles(createWebGpuRasterizer(gpu), size, views, scene, [{ state }], clear);
    const other = compareImages(positions, views, size, expected, snapped, DEPTH_ROUNDING);
    expect(other.movement / size).toBeGreaterThan(10 * MOVEMENT);
  });

  test.each(['none', 'front', 'back'] as const)('culling %s leaves the same triangles', async (cull) => {
    const size = 24;
    const { positions, indices, views } = looseTriangles(60, 8);
    const scene = { positions, indices };
    const draws = [{ state: { cull } }];
    const expected = await drawTriangles(createSoftwareRasterizer(), size, views, scene, draws, {});
    const drawn = await drawTriangles(createComputeRasterizer(gpu), size, views, scene, draws, {});
    const { differing } = compareImages(positions, views, size, expected, drawn, DEPTH_ROUNDING);
    expect(differing).toBeLessThan(1e-3);
  });

  test('shared edges are covered once: a fan around a pixel’s centre has no gap and no double', async () => {
    const size = 16;
    const random = createRandom(6);
    for (let round = 0; round < 5 * SOAK; round++) {
      // Corners and level, upright and slanted edges on centres and corners of pixels, where rules decide.
      const x = random.integer(2 * size) / 2;
      const y = random.integer(2 * size) / 2;
      const [low, high] = [-4 - random.integer(9), 20 + random.integer(9)];
      const ring = [low, low, x, low, high, low, high, y, high, high, x, high, low, high, low, y];
      const positions = [x, y, 0.5];
      for (let i = 0; i < 8; i++) positions.push(ring[2 * i], ring[2 * i + 1], 0.5);
      const indices = Uint32Array.from({ length: 24 }, (_, i) =>
        i % 3 === 0 ? 0 : 1 + ((Math.floor(i / 3) + (i % 3) - 1) % 8),
      );
      const scene = { positions, indices };
      // First and last at equal depth agree exactly where no pixel is covered twice.
      const view = pixelView(size);
      const first = await drawTriangles(createComputeRasterizer(gpu), size, view, scene, [{ state: {} }], {});
      const orEqual: RasterState = { depthCompare: 'less-equal' };
      const last = await drawTriangles(createComputeRasterizer(gpu), size, view, scene, [{ state: orEqual }], {});
      const software = await drawTriangles(createSoftwareRasterizer(), size, view, scene, [{ state: {} }], {});
      expect(first.color!.includes(0)).toBe(false);
      expect(last.color).toEqual(first.color);
      expect(first.color).toEqual(software.color);
    }
  });
});

describe('runs', () => {
  test('in changing states and views, ties included, give the software’s images to the bit', async () => {
    const size = 8;
    const random = createRandom(17);
    const compares = ['less', 'less-equal', 'greater', 'greater-equal'] as const;
    const culls = ['none', 'front', 'back'] as const;
    let ties = 0;
    for (let round = 0; round < 8 * SOAK; round++) {
      // Nine depths and forty rectangles: many are equal.
      const scene = randomRectangles(random, 40, size);
      const states = Array.from({ length: 3 }, () => ({
        depthCompare: compares[random.integer(4)],
        cull: culls[random.integer(3)],
        colorWrite: random.next() < 0.8,
      }));
      const draws = Array.from({ length: 10 }, () => {
        const firstTriangle = random.integer(70);
        return {
          state: states[random.integer(3)],
          firstTriangle,
          triangleCount: random.integer(80 - firstTriangle + 1),
          firstView: random.integer(2),
          viewCount: 1,
        };
      });
      const views = [pixelView(size), pixelView(size)].flat();
      const clear = { color: 3, depth: 0.5 };
      const expected = await drawTriangles(createSoftwareRasterizer(), size, views, scene, draws, clear);
      const drawn = await drawTriangles(createComputeRasterizer(gpu), size, views, scene, draws, clear);
      expect(drawn).toEqual(expected);
      const strict = draws.map((draw) => ({
        ...draw,
        state: {
          ...draw.state,
          depthCompare: draw.state.depthCompare.startsWith('less') ? 'less' : 'greater',
        } as const,
      }));
      const other = await drawTriangles(createSoftwareRasterizer(), size, views, scene, strict, clear);
      ties += other.color!.filter((color, i) => color !== expected.color![i]).length;
    }
    expect(ties / (8 * SOAK * 2 * size * size)).toBeGreaterThan(0.05);
  });

  test('a second call goes on where the first one ended, whatever the order', async () => {
    const { positions, indices, views } = looseTriangles(30, 3);
    const size = 16;
    const rasterizer = createComputeRasterizer(gpu);
    const geometry = rasterizer.createGeometry(positions, indices);
    const images = [];
    for (const starts of [
      [0, 15],
      [15, 0],
    ]) {
      const target = rasterizer.createTarget(size, size, LOOSE_VIEW_COUNT);
      for (const firstTriangle of starts) {
        rasterizer.draw(target, views, [{ geometry, state: {}, firstTriangle, triangleCount: 15 }]);
      }
      images.push(await rasterizer.read(target, ['color', 'depth']));
    }
    expect(images[1]).toEqual(images[0]);
    expect(images[0].color!.some((color) => color !== 0)).toBe(true);
  });
});

describe('reduction', () => {
  test('is the software’s', async () => {
    const size = 24;
    const { positions, indices, views } = looseTriangles(60, 5);
    const results = [];
    for (const rasterizer of [createSoftwareRasterizer(), createComputeRasterizer(gpu)]) {
      const target = rasterizer.createTarget(size, size, LOOSE_VIEW_COUNT);
      const geometry = rasterizer.createGeometry(positions, indices);
      rasterizer.draw(target, views, [{ geometry, state: {} }], {});
      const options = { operation: 'min', value: 'distance', exceptColor: 0 } as const;
      results.push(await rasterizer.reduce(target, views, options));
    }
    const [expected, reduced] = results;
    expect([...reduced.pixels]).toEqual([...expected.pixels]);
    for (let i = 0; i < LOOSE_VIEW_COUNT; i++) expect(reduced.values[i] / expected.values[i]).toBeCloseTo(1, 4);
  });
});

describe('what it does not do', () => {
  test.each<RasterState>([
    { depthCompare: 'always' },
    { depthCompare: 'equal' },
    { depthWrite: false },
    { stencilCompare: 'equal' },
    { stencilPass: 'replace' },
    { stencilDepthFail: 'invert' },
  ])('is refused: %o', (state) => {
    const rasterizer = createComputeRasterizer(gpu);
    const target = rasterizer.createTarget(4, 4, 1);
    const geometry = rasterizer.createGeometry([0, 0, 0, 4, 0, 0, 0, 4, 0], Uint32Array.of(0, 1, 2));
    expect(() => rasterizer.draw(target, pixelView(4), [{ geometry, state }])).toThrow(
      expect.objectContaining({ code: 'unsupported', message: expect.stringContaining('createSoftwareRasterizer') }),
    );
  });

  test('has no stencil, takes no foreign target, and says when its device is lost', async () => {
    const doomed = await requestExpectedDevice();
    const rasterizer = createComputeRasterizer(doomed);
    const target = rasterizer.createTarget(4, 4, 1);
    const foreign = createWebGpuRasterizer(doomed).createTarget(4, 4, 1);
    await expect(rasterizer.read(target, ['stencil'])).rejects.toMatchObject({ code: 'unsupported' });
    await expect(rasterizer.read(foreign, ['color'])).rejects.toMatchObject({ code: 'bad-argument' });
    doomed.device.destroy();
    await doomed.lost;
    await expect(rasterizer.read(target, ['color'])).rejects.toMatchObject({ code: 'device-lost' });
    expect(() => rasterizer.draw(target, pixelView(4), [])).toThrow(expect.objectContaining({ code: 'device-lost' }));
  });
});
