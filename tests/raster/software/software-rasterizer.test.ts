// The software rasterizer by worked examples: fill rule, depth, clipping, views, reductions, and invalid calls.
import { describe, expect, test } from 'vitest';
import { NearfieldError } from '../../../src/core/errors.js';
import { createRandom } from '../../../src/core/random.js';
import type { GpuDevice } from '../../../src/gpu/device.js';
import { COMPARE_FUNCTIONS, MAX_IMAGE_SIDE } from '../../../src/raster/arguments.js';
import { createRasterizer } from '../../../src/raster/create-rasterizer.js';
import type { RasterDraw, Rasterizer, RasterState } from '../../../src/raster/raster.js';
import { createSoftwareRasterizer } from '../../../src/raster/software/software-rasterizer.js';
import { columns, FLAT_VIEW, multiply, perspective, randomMotion } from '../views.js';

/** Draws triangles given by their corners into one view. */
async function render(
  corners: readonly number[],
  size: readonly [number, number],
  state: RasterState = {},
  view: readonly number[] = FLAT_VIEW,
) {
  const rasterizer = createSoftwareRasterizer();
  const target = rasterizer.createTarget(size[0], size[1], 1);
  const geometry = rasterizer.createGeometry(
    corners,
    Uint32Array.from({ length: corners.length / 3 }, (_, i) => i),
  );
  rasterizer.draw(target, view, [{ geometry, state }], {});
  const { color, depth, stencil } = await rasterizer.read(target, ['color', 'depth', 'stencil']);
  return { color: [...color!], depth: [...depth!], stencil: [...stencil!] };
}

/** A square from (x0, y0) to (x1, y1) of the screen at a depth, counter-clockwise. */
function square(x0: number, y0: number, x1: number, y1: number, z: number): number[] {
  return [x0, y0, z, x1, y0, z, x1, y1, z, x0, y0, z, x1, y1, z, x0, y1, z];
}

describe('createSoftwareRasterizer', () => {
  test('row 0 is at the top, and the color is the index plus one', async () => {
    // The upper left half of a 4 × 4 image. Its slanted edge runs through the centers of a diagonal and is a right edge.
    const { color, depth } = await render([-1, 1, 0.25, -1, -1, 0.25, 1, 1, 0.25], [4, 4]);
    expect(color).toEqual([1, 1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    expect(depth.slice(0, 4)).toEqual([0.25, 0.25, 0.25, 1]);
  });

  test('the other half has the diagonal', async () => {
    const { color } = await render([1, -1, 0.25, 1, 1, 0.25, -1, -1, 0.25], [4, 4]);
    expect(color).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1]);
  });

  test('left and top edges through centers are in, right and bottom ones out', async () => {
    const { color } = await render(square(-0.75, -0.25, 0.25, 0.75, 0), [4, 4]);
    expect(color.map((value) => Math.min(value, 1))).toEqual([1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  test('front is counter-clockwise', async () => {
    const triangle = [-3, -1, 0, 3, -1, 0, 0, 5, 0];
    expect((await render(triangle, [1, 1], { cull: 'back' })).color).toEqual([1]);
    expect((await render(triangle, [1, 1], { cull: 'front' })).color).toEqual([0]);
    const turned = [3, -1, 0, -3, -1, 0, 0, 5, 0];
    expect((await render(turned, [1, 1], { cull: 'front' })).color).toEqual([1]);
  });

  test('depth is linear on the screen and kept in single precision', async () => {
    const { depth } = await render([-3, -1, 0, 5, -1, 1, -3, 3, 0], [4, 1]);
    // z / w = (x + 3) / 8 at x = −3/4, −1/4, 1/4, 3/4
    expect(depth).toEqual([2.25, 2.75, 3.25, 3.75].map((value) => Math.fround(value / 8)));
  });

  test('in perspective, depth is that of the plane', async () => {
    // A floor at y = −1, which runs behind the eye: the ray through y of the screen meets it at −z = −1 / y.
    const floor = [-1e3, -1, 1e3, 1e3, -1, 1e3, 0, -1, -1e6];
    const { depth, color } = await render(floor, [1, 8], {}, perspective(0.5, 100));
    expect(color).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
    for (let row = 4; row < 8; row++) {
      const forward = 1 / ((2 * row + 1) / 8 - 1);
      expect(depth[row]).toBeCloseTo((100 / 99.5) * (1 - 0.5 / forward), 6);
    }
  });

  test('what lies before the near or beyond the far plane is cut off', async () => {
    const ramp = [-3, -1, -1, 5, -1, 1, -3, 3, -1]; // z = (x + 3) / 4 − 1
    const { color, depth } = await render(
      ramp,
      [8, 1],
      {},
      columns([
        [1, 0, 0, 0],
        [0, 1, 0, 0],
        [0, 0, 2, 1],
        [0, 0, 0, 1],
      ]),
    );
    // The depth 2·z + 1 = (x + 1) / 2 goes from 0 to 1 over the screen; 4·z + 1.5 = x + 0.5 leaves its middle half.
    expect(color).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
    expect(depth[0]).toBe(1 / 16);
    const steep = await render(
      ramp,
      [8, 1],
      {},
      columns([
        [1, 0, 0, 0],
        [0, 1, 0, 0],
        [0, 0, 4, 1.5],
        [0, 0, 0, 1],
      ]),
    );
    expect(steep.color).toEqual([0, 0, 1, 1, 1, 1, 0, 0]);
  });

  test('triangles without area are dropped, also edge-on ones', async () => {
    const line = [-1, -1, 0, 1, 1, 0, 0, 0, 0];
    const point = [0.25, 0.25, 0, 0.25, 0.25, 0, 0.25, 0.25, 0];
    expect((await render([...line, ...point], [4, 4])).color.every((value) => value === 0)).toBe(true);
    const { color } = await render([0.25, -1, 0, 0.25, 1, 0, 0.25, 0, 1], [4, 4]); // in the plane x = 1/4 of pixel centers
    expect(color.every((value) => value === 0)).toBe(true);
  });

  test('a triangle exactly in the near or the far plane is drawn', async () => {
    for (const z of [0, 1]) {
      const { color, depth } = await render(square(-0.9, -0.7, 0.8, 0.9, z), [8, 8], { depthCompare: 'always' });
      expect(color.filter((value) => value > 0).length).toBe(7 * 7);
      expect(new Set(depth.filter((_, i) => color[i] > 0))).toEqual(new Set([z]));
    }
  });

  test('slivers seen nearly edge-on keep within the depths of their corners', async () => {
    const random = createRandom(3);
    let covered = 0;
    for (let i = 0; i < 300; i++) {
      // A needle along the centers of a row, a few roundings wide.
      const y = () => 0.125 + (random.integer(9) - 4) * 2 ** -53;
      const needle = [-2, y(), 0.5, 2, y(), 0.6, random.range(-2, 2), y(), 0.55];
      const { color, depth } = await render(needle, [8, 8]);
      for (let pixel = 0; pixel < 64; pixel++) {
        if (color[pixel] === 0) continue;
        covered++;
        expect(depth[pixel]).toBeGreaterThanOrEqual(Math.fround(0.5));
        expect(depth[pixel]).toBeLessThanOrEqual(Math.fround(0.6));
      }
    }
    expect(covered).toBeGreaterThan(100);
  });

  test('every depth comparison', async () => {
    for (const depthCompare of COMPARE_FUNCTIONS) {
      const rasterizer = createSoftwareRasterizer();
      const target = rasterizer.createTarget(3, 1, 1);
      const geometry = rasterizer.createGeometry(
        [0.25, 0.5, 0.75].flatMap((z, i) => square((2 * i) / 3 - 1, -1, (2 * i + 2) / 3 - 1, 1, z)),
        Uint32Array.from({ length: 18 }, (_, i) => i),
        new Uint32Array(6).fill(9),
      );
      rasterizer.draw(target, FLAT_VIEW, [{ geometry, state: { depthCompare } }], { depth: 0.5 });
      const { color } = await rasterizer.read(target, ['color']);
      const passes = {
        never: [0, 0, 0],
        less: [9, 0, 0],
        equal: [0, 9, 0],
        'less-equal': [9, 9, 0],
        greater: [0, 0, 9],
        'not-equal': [9, 0, 9],
        'greater-equal': [0, 9, 9],
        always: [9, 9, 9],
      };
      expect([...color!]).toEqual(passes[depthCompare]);
    }
  });

  test('a window: the stencil opened by front faces lets back faces through, the farthest wins', async () => {
    const rasterizer = createSoftwareRasterizer();
    const target = rasterizer.createTarget(4, 1, 1);
    const front = square(-1, -1, 0, 1, 0.25);
    const back = square(-0.5, 1, 1, -1, 0.75);
    const geometry = rasterizer.createGeometry(
      [...front, ...back],
      Uint32Array.from({ length: 12 }, (_, i) => i),
    );
    const draws: RasterDraw[] = [
      {
        geometry,
        state: { cull: 'back', colorWrite: false, depthWrite: false, stencilReference: 1, stencilPass: 'replace' },
      },
      {
        geometry,
        state: {
          cull: 'front',
          depthCompare: 'greater',
          stencilCompare: 'equal',
          stencilReference: 1,
          stencilPass: 'zero',
        },
      },
    ];
    rasterizer.draw(target, FLAT_VIEW, draws, { depth: 0.5 });
    const { color, depth, stencil } = await rasterizer.read(target, ['color', 'depth', 'stencil']);
    expect([...stencil!]).toEqual([1, 0, 0, 0]);
    expect([...depth!]).toEqual([0.5, 0.75, 0.5, 0.5]);
    expect([...color!].map((value) => Math.min(value, 3))).toEqual([0, 3, 0, 0]);
  });

  test('draws go to the views they name, in order, and stay without a clear', async () => {
    const rasterizer = createSoftwareRasterizer();
    const target = rasterizer.createTarget(2, 1, 3);
    const corners = [...square(-1, -1, 1, 1, 0.5), ...square(0, -1, 1, 1, 0.25)];
    const geometry = rasterizer.createGeometry(
      corners,
      Uint32Array.from({ length: 12 }, (_, i) => i),
      Uint32Array.of(5, 5, 7, 7),
    );
    const views = [...FLAT_VIEW, ...FLAT_VIEW, ...FLAT_VIEW];
    rasterizer.draw(target, views, [{ geometry, state: {}, triangleCount: 2, firstView: 1 }], {});
    rasterizer.draw(target, views, [{ geometry, state: {}, firstTriangle: 2, firstView: 0, viewCount: 2 }]);
    const images = await rasterizer.read(target, ['color']);
    expect([...images.color!]).toEqual([0, 7, 5, 7, 5, 5]);
    expect(images.depth).toBeUndefined();
    expect(images.stencil).toBeUndefined();
  });

  test('a new target is cleared, and clearing fills all three images', async () => {
    const rasterizer = createSoftwareRasterizer();
    const target = rasterizer.createTarget(1, 1, 1);
    const read = async () => {
      const { color, depth, stencil } = await rasterizer.read(target, ['color', 'depth', 'stencil']);
      return [color![0], depth![0], stencil![0]];
    };
    expect(await read()).toEqual([0, 1, 0]);
    rasterizer.draw(target, FLAT_VIEW, [], { color: 0xffffffff, depth: 0.5, stencil: 255 });
    expect(await read()).toEqual([0xffffffff, 0.5, 255]);
    rasterizer.draw(target, FLAT_VIEW, [], { stencil: 3 });
    expect(await read()).toEqual([0, 1, 3]);
  });

  test('neither the input nor what was read is shared with it', async () => {
    const rasterizer = createSoftwareRasterizer();
    const target = rasterizer.createTarget(1, 1, 1);
    const positions = Float64Array.from(square(-1, -1, 1, 1, 0.5));
    const indices = Uint32Array.of(0, 1, 2, 3, 4, 5);
    const geometry = rasterizer.createGeometry(positions, indices);
    positions.fill(Number.NaN);
    indices.fill(0);
    rasterizer.draw(target, FLAT_VIEW, [{ geometry, state: {} }], {});
    (await rasterizer.read(target, ['depth'])).depth!.fill(0);
    expect((await rasterizer.read(target, ['depth'])).depth![0]).toBe(0.5);
  });

  test('no triangles are nothing to draw', async () => {
    expect((await render([], [2, 1])).depth).toEqual([1, 1]);
  });
});

describe('reduce', () => {
  test('the nearest and the farthest point of a wall', async () => {
    const rasterizer = createSoftwareRasterizer();
    const target = rasterizer.createTarget(4, 4, 1);
    const wall = square(-9, -9, 9, 9, -2);
    const geometry = rasterizer.createGeometry(
      wall,
      Uint32Array.from({ length: 6 }, (_, i) => i),
    );
    const view = perspective(0.5, 10);
    rasterizer.draw(target, view, [{ geometry, state: {} }], {});
    const least = await rasterizer.reduce(target, view, { operation: 'min', value: 'distance' });
    expect(least.values[0]).toBeCloseTo(2 * Math.sqrt(1 + 2 / 16), 5);
    expect([5, 6, 9, 10]).toContain(least.pixels[0]);
    const most = await rasterizer.reduce(target, view, { operation: 'max', value: 'distance' });
    expect(most.values[0]).toBeCloseTo(2 * Math.sqrt(1 + (2 * 9) / 16), 5);
    const depth = await rasterizer.reduce(target, view, { operation: 'max', value: 'depth' });
    expect(depth.values[0]).toBe(Math.fround((10 / 9.5) * (1 - 0.5 / 2)));
    expect(depth.pixels[0]).toBe(0); // the first of equal ones
  });

  test('agrees with a search through what was read', async () => {
    const random = createRandom(11);
    const rasterizer = createSoftwareRasterizer();
    const near = 0.1;
    const far = 20;
    const [width, height, count] = [13, 9, 4];
    for (let round = 0; round < 20; round++) {
      const target = rasterizer.createTarget(width, height, count);
      const geometry = rasterizer.createGeometry(
        Array.from({ length: 9 * 30 }, () => random.range(-4, 4)),
        Uint32Array.from({ length: 90 }, (_, i) => i),
        Uint32Array.from({ length: 30 }, () => 1 + random.integer(3)),
      );
      const motions = Array.from({ length: count }, () => randomMotion(random, random.direction()));
      const views = motions.flatMap((motion) => multiply(perspective(near, far), motion));
      rasterizer.draw(target, views, [{ geometry, state: {}, viewCount: count - 1 }], {});
      const { color, depth } = await rasterizer.read(target, ['color', 'depth']);
      for (const operation of ['min', 'max'] as const) {
        for (const value of ['depth', 'distance'] as const) {
          for (const exceptColor of [undefined, 0, 2]) {
            const got = await rasterizer.reduce(target, views, { operation, value, exceptColor });
            for (let view = 0; view < count; view++) {
              let best = Number.NaN;
              for (let pixel = 0; pixel < width * height; pixel++) {
                const at = view * width * height + pixel;
                if (color![at] === exceptColor) continue;
                const x = (2 * (pixel % width) + 1) / width - 1;
                const y = (2 * Math.floor(pixel / width) + 1) / height - 1;
                const forward = (near * far) / (far - depth![at] * (far - near));
                const here = value === 'depth' ? depth![at] : forward * Math.hypot(1, x, y);
                if (!(operation === 'min' ? here >= best : here <= best)) best = here;
              }
              if (Number.isNaN(best)) {
                expect(got.values[view]).toBeNaN();
                expect(got.pixels[view]).toBe(-1);
              } else {
                expect(Math.abs(got.values[view] - best)).toBeLessThan(1e-9 * far);
              }
            }
            if (exceptColor === 0) expect(got.pixels[count - 1]).toBe(-1); // the last view holds background only
          }
        }
      }
      target.destroy();
    }
  });
});

/** The code of what a call throws, at once or later. */
async function refusal(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    if (error instanceof NearfieldError) return error.code;
    throw error;
  }
  return 'accepted';
}

describe('refusals', () => {
  const rasterizer: Rasterizer = createSoftwareRasterizer();
  const target = rasterizer.createTarget(2, 2, 2);
  const geometry = rasterizer.createGeometry([0, 0, 0, 1, 0, 0, 0, 1, 0], Uint32Array.of(0, 1, 2));
  const views = [...FLAT_VIEW, ...FLAT_VIEW];
  const triangle = [0, 0, 0, 1, 0, 0, 0, 1, 0];
  const draw = (given: Partial<RasterDraw>) => () =>
    rasterizer.draw(target, views, [{ geometry, state: {}, ...given }]);
  const state = (given: object) => draw({ state: given as RasterState });

  test.each<[string, string, () => unknown]>([
    ['NaN', 'non-finite', () => rasterizer.createGeometry([Number.NaN, 0, 0], new Uint32Array(0))],
    ['infinity', 'non-finite', () => rasterizer.createGeometry([0, 0, 1e39], new Uint32Array(0))],
    ['an id too large', 'index-out-of-range', () => rasterizer.createGeometry(triangle, Uint32Array.of(0, 1, 3))],
    ['two ids', 'bad-argument', () => rasterizer.createGeometry(triangle, Uint32Array.of(0, 1))],
    ['half a vertex', 'bad-argument', () => rasterizer.createGeometry([0, 0], new Uint32Array(0))],
    ['ids in a list', 'bad-argument', () => rasterizer.createGeometry(triangle, [0, 1, 2] as unknown as Uint32Array)],
    [
      'colors missing',
      'bad-argument',
      () => rasterizer.createGeometry(triangle, Uint32Array.of(0, 1, 2), new Uint32Array(0)),
    ],
    ['no width', 'bad-argument', () => rasterizer.createTarget(0, 1, 1)],
    ['half a pixel', 'bad-argument', () => rasterizer.createTarget(1, 1.5, 1)],
    ['no view', 'bad-argument', () => rasterizer.createTarget(1, 1, 0)],
    ['too wide', 'too-large', () => rasterizer.createTarget(MAX_IMAGE_SIDE + 1, 1, 1)],
    ['too many', 'too-large', () => rasterizer.createTarget(MAX_IMAGE_SIDE, MAX_IMAGE_SIDE, 6)],
    ['one matrix for two views', 'bad-argument', () => rasterizer.draw(target, FLAT_VIEW, [])],
    ['NaN in a matrix', 'non-finite', () => rasterizer.draw(target, [...views.slice(1), Number.NaN], [])],
    ['triangles beyond the last', 'index-out-of-range', draw({ triangleCount: 2 })],
    ['triangles before the first', 'index-out-of-range', draw({ firstTriangle: -1 })],
    ['half a triangle', 'index-out-of-range', draw({ triangleCount: 0.5 })],
    ['views beyond the last', 'index-out-of-range', draw({ firstView: 1, viewCount: 2 })],
    ['an unknown comparison', 'bad-argument', state({ depthCompare: 'lesser' })],
    ['an unknown operation', 'bad-argument', state({ stencilPass: 'increment' })],
    ['an unknown side', 'bad-argument', state({ cull: 'both' })],
    ['a reference of nine bits', 'too-large', state({ stencilReference: 256 })],
    ['a negative mask', 'bad-argument', state({ stencilReadMask: -1 })],
    ['a depth beyond 1', 'bad-argument', () => rasterizer.draw(target, views, [], { depth: 1.5 })],
    ['a depth of NaN', 'bad-argument', () => rasterizer.draw(target, views, [], { depth: Number.NaN })],
    ['a negative color', 'bad-argument', () => rasterizer.draw(target, views, [], { color: -1 })],
    [
      'distance without an eye',
      'bad-argument',
      () => rasterizer.reduce(target, views, { operation: 'min', value: 'distance' }),
    ],
    [
      'an unknown reduction',
      'bad-argument',
      () => rasterizer.reduce(target, views, { operation: 'sum' as 'min', value: 'depth' }),
    ],
  ])('%s: %s', async (_, code, call) => {
    expect(await refusal(call)).toBe(code);
  });

  test('what is destroyed, or of another rasterizer', async () => {
    const other = createSoftwareRasterizer();
    expect(await refusal(() => other.draw(target, views, []))).toBe('bad-argument');
    const foreign = other.createTarget(2, 2, 2);
    expect(await refusal(() => other.draw(foreign, views, [{ geometry, state: {} }]))).toBe('bad-argument');
    foreign.destroy();
    expect(await refusal(() => other.read(foreign, ['color']))).toBe('bad-argument');
    other.destroy();
    expect(await refusal(() => other.createTarget(1, 1, 1))).toBe('bad-argument');
  });

  test('a refused draw leaves the images alone', async () => {
    await refusal(() => rasterizer.draw(target, views, [{ geometry, state: {}, firstView: 7 }], { color: 8 }));
    expect((await rasterizer.read(target, ['color'])).color![0]).toBe(0);
  });
});

describe('createRasterizer', () => {
  const software = { name: 'software', isSoftware: true, isLost: false } as GpuDevice;

  test('auto draws on the CPU without a device, or with a software or a lost one', () => {
    expect(createRasterizer().backend).toBe('cpu');
    expect(createRasterizer({ backend: 'auto', device: software }).backend).toBe('cpu');
    expect(createRasterizer({ backend: 'cpu', device: { ...software, isSoftware: false } }).backend).toBe('cpu');
    expect(createRasterizer({ device: { ...software, isSoftware: false, isLost: true } }).backend).toBe('cpu');
  });

  test('webgpu needs a device', async () => {
    expect(await refusal(() => createRasterizer({ backend: 'webgpu' }))).toBe('no-gpu');
    expect(await refusal(() => createRasterizer({ backend: 'vulkan' as 'cpu' }))).toBe('bad-argument');
  });
});
