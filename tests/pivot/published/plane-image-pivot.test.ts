// The passes of Hoff et al. 2001, in software and on software Vulkan, against brute force and against one another: the bound
// holds for what is drawn as it does for what is scanned.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { type GpuDevice, requestGpuDevice } from '../../../src/gpu/device.js';
import { meetingPixels, PLANE_IMAGE_METHODS } from '../../../src/pivot/published/draw-passes.js';
import { PlaneImagePivot } from '../../../src/pivot/published/plane-image-pivot.js';
import { createRasterizer } from '../../../src/raster/create-rasterizer.js';
import { codeOf } from '../../error-code.js';
import { randomShape } from '../../generators/plane-shapes.js';
import { boundaryDistance, isInside, ringPoints, walkBoundary } from '../../oracles/pivot/plane-oracle.js';

let device: GpuDevice;
beforeAll(async () => {
  device = await requestGpuDevice();
});
afterAll(() => device.device.destroy());

const SLACK = 1 + 1e-9;

describe.each(['cpu', 'webgpu'] as const)('on %s', (backend) => {
  /** The methods whose one image says whether anything meets; colors are combined in software after two images. */
  const reducing = backend === 'cpu' ? (['stencil', 'depth'] as const) : (['stencil', 'depth', 'blend'] as const);
  const pairs = backend === 'cpu' ? 24 : 12;
  const query = (error: number, method: (typeof PLANE_IMAGE_METHODS)[number]) =>
    new PlaneImagePivot(backend === 'cpu' ? { error, method, backend } : { error, method, backend, device });

  test('penetrating points keep the bound, with every method', async () => {
    const random = createRandom(61);
    let points = 0;
    let deep = 0;
    for (let pair = 0; pair < pairs; pair++) {
      const a = randomShape(random, 0, 0);
      const b = randomShape(random, random.range(-0.5, 0.5), random.range(-0.5, 0.5));
      const rings = [ringPoints(a.rings), ringPoints(b.rings)];
      const error = random.range(0.01, 0.04);
      const found = await query(error, PLANE_IMAGE_METHODS[pair % 4]).penetration(a, b);
      expect(found.backend).toBe(backend);
      points += found.count;
      for (let k = 0; k < found.count; k++) {
        const point = [found.points[2 * k], found.points[2 * k + 1]] as const;
        const own = rings[found.objects[k]];
        const other = rings[1 - found.objects[k]];
        const depth = boundaryDistance(other, point);
        expect(boundaryDistance(own, point)).toBeLessThanOrEqual(error * SLACK);
        if (depth > 1e-9) expect(isInside(other, point)).toBe(true);
        expect(Math.abs(depth - found.depths[k])).toBeLessThan(1e-5);
        expect(Math.hypot(found.directions[2 * k], found.directions[2 * k + 1])).toBeCloseTo(1, 6);
      }
      for (const object of [0, 1]) {
        walkBoundary(rings[object], error, (point) => {
          const other = rings[1 - object];
          if (boundaryDistance(other, point) <= error || !isInside(other, point)) return;
          deep++;
          for (let k = 0; k < found.count; k++) {
            const gap = Math.hypot(found.points[2 * k] - point[0], found.points[2 * k + 1] - point[1]);
            if (found.objects[k] === object && gap <= error * SLACK) return;
          }
          expect.fail(`pair ${pair}: a point deeper than the error has no pixel`);
        });
      }
    }
    expect(points).toBeGreaterThan(200);
    expect(deep).toBeGreaterThan(100);
  });

  test('the methods find the same pixels of every kind', async () => {
    const random = createRandom(62);
    let met = 0;
    for (let pair = 0; pair < pairs / 4; pair++) {
      const a = randomShape(random, 0, 0);
      const b = randomShape(random, random.range(-0.4, 0.4), random.range(-0.4, 0.4));
      for (const kind of ['boundary-boundary', 'boundary-volume', 'volume-volume'] as const) {
        const answers = [];
        for (const method of PLANE_IMAGE_METHODS) answers.push(await query(0.02, method).intersect(a, b, kind));
        for (const { points } of answers) expect(points).toEqual(answers[0].points);
        met += answers[0].count;
      }
    }
    expect(met).toBeGreaterThan(200);
  });

  test('triangles of one object that overlap do not meet one another', async () => {
    const random = createRandom(63);
    const [width, height] = [64, 32];
    const rasterizer = createRasterizer(backend === 'cpu' ? { backend } : { backend, device });
    /** Rectangles of whole pixels, which neither backend rounds: left, low, right and high of each. */
    const rectangles = () =>
      Array.from({ length: 4 }, () => {
        const [left, low] = [Math.floor(random.range(0, 56)), Math.floor(random.range(0, 26))];
        return [left, low, left + Math.ceil(random.range(0, 32)), low + Math.ceil(random.range(0, 18))];
      });
    const upload = (all: readonly number[][]) =>
      rasterizer.createGeometry(
        all.flatMap(([left, low, right, high]) =>
          [left, low, right, low, right, high, left, high].flatMap((value, i) =>
            i % 2 === 0 ? [(2 * value) / width - 1] : [1 - (2 * value) / height, 0],
          ),
        ),
        Uint32Array.from(all.flatMap((_, i) => [0, 1, 2, 0, 2, 3].map((corner) => 4 * i + corner))),
      );
    const cover = upload([[0, 0, width, height]]);
    const seen = { met: 0, apart: 0, overlaps: 0 };
    for (let pair = 0; pair < 24; pair++) {
      const kinds = (['boundary-boundary', 'boundary-volume', 'volume-volume'] as const)[pair % 3].split('-');
      const objects = [rectangles(), rectangles()];
      // In every fourth pair A is empty, so B can meet only itself.
      if (pair % 4 === 0) objects[0] = [];
      const counts = (object: number, pixel: number) =>
        objects[object].filter(([left, low, right, high]) => {
          const [column, row] = [pixel % width, Math.floor(pixel / width)];
          return left <= column && column < right && low <= row && row < high;
        }).length;
      const expected: number[] = [];
      for (let pixel = 0; pixel < width * height; pixel++) {
        const covers = [counts(0, pixel), counts(1, pixel)];
        if (covers[0] > 1 || covers[1] > 1) seen.overlaps++;
        if (covers.every((count, i) => (kinds[i] === 'volume' ? count % 2 === 1 : count > 0))) expected.push(pixel);
      }
      if (expected.length > 0) seen.met++;
      else seen.apart++;
      const [a, b] = objects.map((all, i) => ({ kind: kinds[i] as 'boundary' | 'volume', geometry: upload(all) }));
      for (const method of PLANE_IMAGE_METHODS) {
        const found = await meetingPixels({ rasterizer, device, method, width, height }, a, b, cover);
        expect([...found.pixels], `${method}, ${kinds.join('-')}`).toEqual(expected);
        if (reducing.some((name) => name === method)) expect(found.readBack).toBe(expected.length > 0);
      }
      for (const { geometry } of [a, b]) geometry.destroy();
    }
    expect(seen.met).toBeGreaterThan(8);
    expect(seen.apart).toBeGreaterThan(5);
    expect(seen.overlaps).toBeGreaterThan(1_000);
  });

  test('images are not read back when nothing meets', async () => {
    const a = { rings: [Float64Array.of(0, 0, 1, 0, 0, 1)] };
    const b = { rings: [Float64Array.of(1, 1, 1, 0.2, 0.2, 1)] };
    for (const method of reducing) {
      const apart = await query(0.01, method).intersect(a, b, 'volume-volume');
      expect(apart.count).toBe(0);
      expect(apart.counters.readBack).toBe(false);
      expect(apart.counters.pixels).toBeGreaterThan(1_000);
    }
  });
});

test('a direction leads out of a half plane, by central differences', async () => {
  const half = { rings: [Float64Array.of(-9, -9, 9, -9, 9, 0, -9, 0)] };
  const probe = { rings: [Float64Array.of(-0.5, 0.5, 0, -0.5, 0.5, 0.5)] };
  const found = await new PlaneImagePivot({ error: 0.02 }).penetration(probe, half);
  let ours = 0;
  for (let k = 0; k < found.count; k++) {
    if (found.objects[k] !== 0) continue;
    ours++;
    expect(found.directions[2 * k]).toBeCloseTo(0, 5);
    expect(found.directions[2 * k + 1]).toBeCloseTo(1, 5);
  }
  expect(ours).toBeGreaterThan(20);
});

test('a second query while one is running is refused, and does not change the first', async () => {
  const shape = (x: number) => ({ rings: [Float64Array.of(x, 0, x + 1, 0, x, 1)] });
  const query = new PlaneImagePivot({ error: 0.02 });
  const alone = await query.penetration(shape(0), shape(0.3));
  const first = query.penetration(shape(0), shape(0.3));
  await expect(query.penetration(shape(0), shape(5))).rejects.toMatchObject({ code: 'bad-argument' });
  expect(await first).toEqual(alone);
});

test('refused options', () => {
  expect(codeOf(() => new PlaneImagePivot({ method: 'scan' as never }))).toBe('bad-argument');
  expect(codeOf(() => new PlaneImagePivot({ error: Number.NaN }))).toBe('bad-argument');
  expect(codeOf(() => new PlaneImagePivot({ backend: 'gpu' as never }))).toBe('bad-argument');
});
