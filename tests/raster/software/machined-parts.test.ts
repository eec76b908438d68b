// A closed solid shows as many front as back faces at every pixel, even where it is nearly flat or nearly edge-on;
// remeshed parts look the same up to the rounding of their silhouettes.
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { RasterState } from '../../../src/raster/raster.js';
import { createSoftwareRasterizer } from '../../../src/raster/software/software-rasterizer.js';
import { machinedVariants } from '../../generators/machined-parts.js';
import { columns, multiply, randomMotion } from '../views.js';

const SIZE = 96;
const COUNT: RasterState = {
  depthCompare: 'always',
  depthWrite: false,
  colorWrite: false,
  stencilPass: 'increment-wrap',
};

test.each(machinedVariants())('$name', async ({ mesh }) => {
  const { positions, indices } = mesh;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  positions.forEach((value, i) => {
    low[i % 3] = Math.min(low[i % 3], value);
    high[i % 3] = Math.max(high[i % 3], value);
  });
  const scale = 1.9 / Math.hypot(...high.map((value, axis) => value - low[axis]));
  const [x, y, z] = high.map((value, axis) => -(value + low[axis]) / 2);
  const centered = columns([
    [scale, 0, 0, scale * x],
    [0, scale, 0, scale * y],
    [0, 0, scale, scale * z],
    [0, 0, 0, 1],
  ]);
  // Depths from 0 to 1; once along z, where walls are seen edge on, and turned.
  const toScreen = columns([
    [1, 0, 0, 0],
    [0, 1, 0, 0],
    [0, 0, 0.5, 0.5],
    [0, 0, 0, 1],
  ]);
  const random = createRandom(8);
  const views = [
    ...multiply(toScreen, centered),
    ...multiply(toScreen, multiply(randomMotion(random, [0, 0, 0]), centered)),
  ];
  const rasterizer = createSoftwareRasterizer();
  const geometry = rasterizer.createGeometry(positions, indices);
  const [front, back] = await Promise.all(
    (['back', 'front'] as const).map(async (cull) => {
      const target = rasterizer.createTarget(SIZE, SIZE, 2);
      rasterizer.draw(target, views, [{ geometry, state: { ...COUNT, cull } }], {});
      return (await rasterizer.read(target, ['stencil'])).stencil!;
    }),
  );
  expect(front).toEqual(back);
  expect(front.filter((count) => count > 0).length).toBeGreaterThan(0.01 * front.length);
});
