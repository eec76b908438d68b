// Scenes for comparing rasterizers.
import { createRandom, type Random } from '../../../src/core/random.js';
import { COMPARE_FUNCTIONS, STENCIL_OPERATIONS } from '../../../src/raster/arguments.js';
import type { RasterState } from '../../../src/raster/raster.js';

/** Loose triangles around the origin, some reaching behind the eye, in three views; every number exact in single precision. */
export function looseTriangles(count: number, seed: number, scale = 1) {
  const random = createRandom(seed);
  const positions = new Float64Array(9 * count);
  for (let i = 0; i < count; i++) {
    const center = [0, 1, 2].map(() => random.range(-3, 3));
    for (let k = 0; k < 9; k++) positions[9 * i + k] = Math.fround(scale * (center[k % 3] + random.range(-1, 1)));
  }
  const indices = Uint32Array.from({ length: 3 * count }, (_, i) => i);
  return { positions, indices, views: turnedViews(0.125 * scale, 16 * scale) };
}

const AXES = [
  [1, 0, 0, 0, 0, 1, 0, 1, 0],
  [0, -1, 0, 1, 0, 0, 0, 0, -1],
  [-0.48, 0.6, 0.64, 0.8, 0, 0.6, 0.36, 0.8, -0.48],
];

/** Perspective views from the origin, 90° wide, forward, right and up as in AXES; the last one turned. */
function turnedViews(near: number, far: number): Float64Array {
  const views = new Float64Array(16 * AXES.length);
  const a = Math.fround(far / (far - near));
  const b = Math.fround((-near * far) / (far - near));
  AXES.forEach(([fx, fy, fz, rx, ry, rz, ux, uy, uz], i) => {
    const matrix = [rx, ux, a * fx, fx, ry, uy, a * fy, fy, rz, uz, a * fz, fz, 0, 0, b, 0];
    views.set(matrix.map(Math.fround), 16 * i);
  });
  return views;
}

export const LOOSE_VIEW_COUNT = AXES.length;

/** A matrix under which x and y are pixels from the top left corner of a square image, and z is depth. */
export function pixelView(size: number): number[] {
  return [2 / size, 0, 0, 0, 0, -2 / size, 0, 0, 0, 0, 1, 0, -1, 1, 0, 1];
}

/** Two triangles over the pixels [x0, x1) × [y0, y1) at one depth, counter-clockwise seen from the eye or not. */
export function rectangle(x0: number, y0: number, x1: number, y1: number, depth: number, front: boolean): number[] {
  const corners = [
    [x0, y1, depth],
    [x1, y1, depth],
    [x1, y0, depth],
    [x0, y0, depth],
  ];
  const order = front ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2];
  return order.flatMap((corner) => corners[corner]);
}

/** Any state at all. */
export function randomState(random: Random): RasterState {
  const pick = <T>(items: readonly T[]): T => items[random.integer(items.length)];
  const mask = () => (random.next() < 0.5 ? 255 : random.integer(256));
  return {
    cull: pick(['none', 'none', 'front', 'back'] as const),
    depthCompare: pick(COMPARE_FUNCTIONS),
    depthWrite: random.next() < 0.6,
    colorWrite: random.next() < 0.8,
    stencilCompare: pick(COMPARE_FUNCTIONS),
    stencilReference: random.integer(4),
    stencilReadMask: mask(),
    stencilWriteMask: mask(),
    stencilFail: pick(STENCIL_OPERATIONS),
    stencilDepthFail: pick(STENCIL_OPERATIONS),
    stencilPass: pick(STENCIL_OPERATIONS),
  };
}

/** Rectangles between pixel borders, two triangles each, at depths that single precision and 24 bits hold. */
export function randomRectangles(random: Random, count: number, size: number) {
  const positions: number[] = [];
  for (let i = 0; i < count; i++) {
    const [x0, x1] = [random.integer(size), random.integer(size)].sort((a, b) => a - b);
    const [y0, y1] = [random.integer(size), random.integer(size)].sort((a, b) => a - b);
    positions.push(...rectangle(x0, y0, x1 + 1, y1 + 1, random.integer(9) / 8, random.next() < 0.5));
  }
  const indices = Uint32Array.from({ length: 6 * count }, (_, i) => i);
  const colors = Uint32Array.from({ length: 2 * count }, () => random.integer(2 ** 32));
  return { positions, indices, colors };
}
