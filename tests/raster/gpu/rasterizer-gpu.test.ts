// The WebGPU rasterizer against the software one. If every vertex is on the hardware's grid they must agree to the bit;
// otherwise moving vertices by a grid step must explain every difference.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { GpuDevice } from '../../../src/gpu/device.js';
import { createWebGpuRasterizer } from '../../../src/raster/gpu/rasterizer-gpu.js';
import type { RasterDraw, Rasterizer, RasterState } from '../../../src/raster/raster.js';
import { createSoftwareRasterizer } from '../../../src/raster/software/software-rasterizer.js';
import { requestExpectedDevice } from '../../gpu/expected-device.js';
import { compareImages } from '../software/screen-planes.js';
import { LOOSE_VIEW_COUNT, looseTriangles, pixelView, randomRectangles, randomState, rectangle } from './scenes-gpu.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

/** Vulkan promises at least four bits below the pixel: vertices move by up to a sixteenth of a pixel along x and y. */
const SNAP = Math.SQRT2 / 16;
/** Rounding of depths, and of a 24-bit format. */
const DEPTH_ROUNDING = 2 ** -22;

let gpu: GpuDevice;
beforeAll(async () => {
  gpu = await requestExpectedDevice();
});
afterAll(() => gpu.device.destroy());

interface Scene {
  readonly positions: ArrayLike<number>;
  readonly indices: Uint32Array;
  readonly colors?: Uint32Array;
}
type Draws = readonly (Omit<RasterDraw, 'geometry'> & { readonly scene?: number })[];

/** Draws scenes by a rasterizer and reads everything back. */
async function drawScenes(
  rasterizer: Rasterizer,
  size: number,
  views: ArrayLike<number>,
  scenes: readonly Scene[],
  draws: Draws,
  clear = { color: 7, depth: 0.5, stencil: 2 },
) {
  const target = rasterizer.createTarget(size, size, views.length / 16);
  const geometries = scenes.map(({ positions, indices, colors }) =>
    rasterizer.createGeometry(positions, indices, colors),
  );
  const list = draws.map(({ scene = 0, ...draw }) => ({ ...draw, geometry: geometries[scene] }));
  // In two calls, so that the second goes on where the first one ended.
  const half = Math.ceil(list.length / 2);
  rasterizer.draw(target, views, list.slice(0, half), clear);
  rasterizer.draw(target, views, list.slice(half));
  const images = await rasterizer.read(target, ['color', 'depth', 'stencil']);
  target.destroy();
  for (const geometry of geometries) geometry.destroy();
  return images;
}

describe('states', () => {
  test('in any order, with any views, give the software rasterizer’s images to the bit', async () => {
    const size = 16;
    const random = createRandom(5);
    let changed = 0;
    for (let round = 0; round < 12 * SOAK; round++) {
      const scenes = [randomRectangles(random, 20, size), randomRectangles(random, 4, size)];
      const views = [pixelView(size), pixelView(size), pixelView(size)].flat();
      const states = Array.from({ length: 4 }, () => randomState(random));
      const draws = Array.from({ length: 12 }, () => {
        const scene = random.integer(2);
        const firstTriangle = random.integer(8);
        const everywhere = round % 2 === 0;
        return {
          scene,
          state: states[random.integer(states.length)],
          firstTriangle,
          triangleCount: random.integer([40, 8][scene] - firstTriangle + 1),
          firstView: everywhere ? 0 : random.integer(3),
          viewCount: everywhere ? 3 : 1,
        };
      });
      const expected = await drawScenes(createSoftwareRasterizer(), size, views, scenes, draws);
      const drawn = await drawScenes(createWebGpuRasterizer(gpu), size, views, scenes, draws);
      changed += expected.stencil!.filter((value) => value !== 2).length;
      expect(drawn).toEqual(expected);
    }
    const share = changed / (12 * SOAK * 3 * size * size);
    expect(share).toBeGreaterThan(0.3);
    expect(share).toBeLessThan(0.9);
  });

  test('two alternating ones over thousands of draws are recorded once for all views', async () => {
    const size = 8;
    const scene = randomRectangles(createRandom(2), 1000, size);
    const open: RasterState = { colorWrite: false, depthWrite: false, stencilReference: 1, stencilPass: 'replace' };
    const close: RasterState = {
      depthCompare: 'greater',
      stencilReference: 1,
      stencilCompare: 'equal',
      stencilPass: 'zero',
    };
    const draws = Array.from({ length: 2000 }, (_, i) => ({
      state: i % 2 === 0 ? open : close,
      firstTriangle: i,
      triangleCount: 1,
    }));
    const views = Array.from({ length: 6 }, () => pixelView(size)).flat();
    const clear = { color: 0, depth: 0.5, stencil: 0 };
    const expected = await drawScenes(createSoftwareRasterizer(), size, views, [scene], draws, clear);
    const bundles = vi.spyOn(gpu.device, 'createRenderBundleEncoder');
    const pipelines = vi.spyOn(gpu.device, 'createRenderPipeline');
    const drawn = await drawScenes(createWebGpuRasterizer(gpu), size, views, [scene], draws, clear);
    expect(drawn).toEqual(expected);
    // One recording a call, two calls; two states, whatever the number of draws and views.
    expect(bundles).toHaveBeenCalledTimes(2);
    expect(pipelines.mock.calls.length).toBeLessThanOrEqual(2);
    bundles.mockRestore();
    pipelines.mockRestore();
  });

  test('follow-on runs in one state become one draw', async () => {
    const size = 8;
    const scene = randomRectangles(createRandom(3), 50, size);
    const state: RasterState = {};
    const draws = Array.from({ length: 100 }, (_, i) => ({ state, firstTriangle: i, triangleCount: 1 }));
    const views = [pixelView(size), pixelView(size)].flat();
    const counts: number[] = [];
    const create = gpu.device.createRenderBundleEncoder.bind(gpu.device);
    const spy = vi.spyOn(gpu.device, 'createRenderBundleEncoder').mockImplementation((descriptor) => {
      const encoder = create(descriptor);
      const draw = encoder.draw.bind(encoder);
      encoder.draw = (vertices, ...rest) => {
        counts.push(vertices);
        return draw(vertices, ...rest);
      };
      return encoder;
    });
    const drawn = await drawScenes(createWebGpuRasterizer(gpu), size, views, [scene], draws);
    spy.mockRestore();
    expect(counts).toEqual([150, 150]);
    expect(drawn).toEqual(await drawScenes(createSoftwareRasterizer(), size, views, [scene], draws));
  });
});

describe('coverage and depth', () => {
  test.each([1, 1e-6, 1e6])('differ from the software’s only by snapped vertices, at scale %d', async (scale) => {
    const size = 64;
    const { positions, indices, views } = looseTriangles(120, 11, scale);
    const draws = [{ state: {} }];
    const clear = { color: 0, depth: 1, stencil: 0 };
    const expected = await drawScenes(createSoftwareRasterizer(), size, views, [{ positions, indices }], draws, clear);
    const drawn = await drawScenes(createWebGpuRasterizer(gpu), size, views, [{ positions, indices }], draws, clear);
    const { covered, differing, movement } = compareImages(positions, views, size, expected, drawn, DEPTH_ROUNDING);
    expect(covered).toBeGreaterThan(0.3);
    expect(covered).toBeLessThan(0.7);
    expect(differing).toBeLessThan(0.01);
    expect(movement).toBeLessThan(SNAP);
  });

  test('a device without depths in single precision keeps 24 bits, and says so', async () => {
    const plain = await requestExpectedDevice({ features: [] });
    const rasterizer = createWebGpuRasterizer(plain);
    expect(rasterizer.depthFormat).toBe('depth24plus-stencil8');
    expect(createWebGpuRasterizer(gpu).depthFormat).toBe('depth32float-stencil8');
    const positions = rectangle(0, 0, 4, 4, 0.3, true);
    const indices = Uint32Array.from({ length: 6 }, (_, i) => i);
    const state: RasterState = { stencilReference: 9, stencilPass: 'replace' };
    const drawn = await drawScenes(rasterizer, 4, pixelView(4), [{ positions, indices }], [{ state }]);
    for (const depth of drawn.depth!) expect(Math.abs(depth - 0.3)).toBeLessThan(2 ** -23);
    expect([...drawn.stencil!]).toEqual(new Array(16).fill(9));
    plain.device.destroy();
  });
});

describe('reduction', () => {
  test('is the extreme of the images, with the first pixel that has it', async () => {
    const size = 64;
    const { positions, indices, views } = looseTriangles(60, 4);
    const rasterizer = createWebGpuRasterizer(gpu);
    const target = rasterizer.createTarget(size, size, LOOSE_VIEW_COUNT);
    const geometry = rasterizer.createGeometry(positions, indices);
    rasterizer.draw(target, views, [{ geometry, state: {}, viewCount: LOOSE_VIEW_COUNT - 1 }], {});
    const { color, depth } = await rasterizer.read(target, ['color', 'depth']);
    for (const operation of ['min', 'max'] as const) {
      for (const exceptColor of [undefined, 0]) {
        const byDepth = await rasterizer.reduce(target, views, { operation, value: 'depth', exceptColor });
        for (let view = 0; view < LOOSE_VIEW_COUNT; view++) {
          let best = -1;
          for (let i = 0; i < size * size; i++) {
            const at = view * size * size + i;
            if (color![at] === exceptColor) continue;
            const stored = best < 0 ? 0 : depth![view * size * size + best];
            if (best < 0 || (operation === 'min' ? depth![at] < stored : depth![at] > stored)) best = i;
          }
          expect(byDepth.pixels[view]).toBe(best);
          expect(byDepth.values[view]).toBe(best < 0 ? Number.NaN : depth![view * size * size + best]);
        }
        const byDistance = await rasterizer.reduce(target, views, { operation, value: 'distance', exceptColor });
        for (let view = 0; view < LOOSE_VIEW_COUNT; view++) {
          const pixel = byDistance.pixels[view];
          expect(pixel < 0).toBe(byDepth.pixels[view] < 0);
          if (pixel < 0) expect(byDistance.values[view]).toBeNaN();
          else {
            const at = (i: number) => distanceAt(views, view, size, i, depth![view * size * size + i]);
            expect(byDistance.values[view] / at(pixel)).toBeCloseTo(1, 9);
            let better = 0;
            for (let i = 0; i < size * size; i++) {
              if (color![view * size * size + i] === exceptColor) continue;
              better = Math.max(better, operation === 'min' ? 1 - at(i) / at(pixel) : at(i) / at(pixel) - 1);
            }
            // The choice is made in single precision.
            expect(better).toBeLessThan(1e-5);
          }
        }
      }
    }
  });

  test('from no eye is refused', async () => {
    const rasterizer = createWebGpuRasterizer(gpu);
    const target = rasterizer.createTarget(4, 4, 1);
    const options = { operation: 'min', value: 'distance' } as const;
    await expect(rasterizer.reduce(target, pixelView(4), options)).rejects.toMatchObject({ code: 'bad-argument' });
  });
});

/** Distance from the origin of the point that a pixel shows: its line of sight cut by the plane of its depth. */
function distanceAt(views: Float64Array, view: number, size: number, pixel: number, depth: number): number {
  const m = (r: number, c: number) => views[16 * view + 4 * c + r];
  const x = (2 * (pixel % size) + 1) / size - 1;
  const y = 1 - (2 * Math.floor(pixel / size) + 1) / size;
  // Rows that vanish at the point, solved by Cramer's rule.
  const rows = [0, 1, 2].map((r) => [0, 1, 2, 3].map((c) => m(r, c) - [x, y, depth][r] * m(3, c)));
  const determinant = (columns: readonly number[]) => {
    const [a, b, c] = rows.map((row) => columns.map((column) => row[column]));
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  };
  const whole = determinant([0, 1, 2]);
  return Math.hypot(determinant([3, 1, 2]) / whole, determinant([0, 3, 2]) / whole, determinant([0, 1, 3]) / whole);
}

describe('what cannot be done', () => {
  const indices = Uint32Array.of(0, 1, 2);
  const positions = [0, 0, 0, 4, 0, 0, 0, 4, 0];

  test('is refused where it is asked for', () => {
    const rasterizer = createWebGpuRasterizer(gpu);
    const geometry = rasterizer.createGeometry(positions, indices);
    const target = rasterizer.createTarget(4, 4, 1);
    const code = (expected: string) => expect.objectContaining({ code: expected });
    const foreign = createSoftwareRasterizer();
    const foreignGeometry = foreign.createGeometry(positions, indices);
    const draw = { geometry, state: {} };
    expect(() => rasterizer.createTarget(4, 4, 4000)).toThrow(code('too-large'));
    expect(() => rasterizer.createGeometry(positions, Uint32Array.of(0, 1, 3))).toThrow(code('index-out-of-range'));
    expect(() => rasterizer.draw(foreign.createTarget(4, 4, 1), pixelView(4), [draw])).toThrow(code('bad-argument'));
    const foreignDraw = { geometry: foreignGeometry, state: {} };
    expect(() => rasterizer.draw(target, pixelView(4), [foreignDraw])).toThrow(code('bad-argument'));
    expect(() => rasterizer.draw(target, [], [draw])).toThrow(code('bad-argument'));
    geometry.destroy();
    expect(() => rasterizer.draw(target, pixelView(4), [draw])).toThrow(code('bad-argument'));
    target.destroy();
    expect(() => rasterizer.draw(target, pixelView(4), [])).toThrow(code('bad-argument'));
    rasterizer.destroy();
    expect(() => rasterizer.createTarget(4, 4, 1)).toThrow(code('bad-argument'));
  });

  test('and what the device refuses is thrown by the read, not read as zeros', async () => {
    const rasterizer = createWebGpuRasterizer(gpu);
    const createTexture = vi.spyOn(gpu.device, 'createTexture');
    const target = rasterizer.createTarget(4, 4, 1);
    // Behind the rasterizer's back.
    const made = createTexture.mock.calls.findIndex(([{ format }]) => format === 'r32uint');
    createTexture.mock.results[made].value.destroy();
    createTexture.mockRestore();
    rasterizer.draw(target, pixelView(4), [], {});
    await expect(rasterizer.read(target, ['color'])).rejects.toMatchObject({ code: 'unsupported' });
    const whole = rasterizer.createTarget(4, 4, 1);
    expect((await rasterizer.read(whole, ['depth'])).depth).toEqual(new Float32Array(16).fill(1));
  });

  test('a lost device is reported by every call, and a new one draws the same', async () => {
    const scene = randomRectangles(createRandom(1), 5, 8);
    const expected = await drawScenes(createWebGpuRasterizer(gpu), 8, pixelView(8), [scene], [{ state: {} }]);
    const doomed = await requestExpectedDevice();
    const rasterizer = createWebGpuRasterizer(doomed);
    const target = rasterizer.createTarget(4, 4, 1);
    const geometry = rasterizer.createGeometry(positions, indices);
    const lost = { name: 'NearfieldError', code: 'device-lost' };
    doomed.device.destroy();
    await expect(rasterizer.read(target, ['color'])).rejects.toMatchObject(lost);
    await doomed.lost;
    const reduction = { operation: 'min', value: 'depth' } as const;
    await expect(rasterizer.read(target, ['color'])).rejects.toMatchObject(lost);
    await expect(rasterizer.reduce(target, pixelView(4), reduction)).rejects.toMatchObject(lost);
    expect(() => rasterizer.draw(target, pixelView(4), [{ geometry, state: {} }])).toThrow(
      expect.objectContaining(lost),
    );
    expect(() => rasterizer.createTarget(4, 4, 1)).toThrow(expect.objectContaining(lost));
    expect(() => rasterizer.createGeometry(positions, indices)).toThrow(expect.objectContaining(lost));
    const next = await requestExpectedDevice();
    const again = await drawScenes(createWebGpuRasterizer(next), 8, pixelView(8), [scene], [{ state: {} }]);
    expect(again).toEqual(expected);
    next.device.destroy();
  });
});
