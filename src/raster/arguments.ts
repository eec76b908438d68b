// Checks of the arguments of rasterizer calls, shared by both backends.
import { NearfieldError } from '../core/errors.js';
import type {
  ClearValues,
  CompareFunction,
  RasterDraw,
  RasterState,
  RasterTarget,
  ReduceOptions,
  StencilOperation,
} from './raster.js';

/** Format: the largest number of pixels along a side of an image: every WebGPU device supports this. */
export const MAX_IMAGE_SIDE = 8192;

/** Chosen: the largest number of pixels of all views of a target together; nine bytes each. */
export const MAX_TARGET_PIXELS = 2 ** 28;

/**
 * Proven: the largest single-precision number: no coordinate or matrix entry may exceed it, so that both backends can
 * hold it.
 */
export const MAX_RASTER_NUMBER = 3.4028234663852886e38;

export const COMPARE_FUNCTIONS: readonly CompareFunction[] = [
  'never',
  'less',
  'equal',
  'less-equal',
  'greater',
  'not-equal',
  'greater-equal',
  'always',
];

export const STENCIL_OPERATIONS: readonly StencilOperation[] = [
  'keep',
  'zero',
  'replace',
  'invert',
  'increment-clamp',
  'decrement-clamp',
  'increment-wrap',
  'decrement-wrap',
];

const CULL_MODES = ['none', 'front', 'back'] as const;

const IMAGES = ['color', 'depth', 'stencil'] as const;

/** Throws if the arrays are not triangles. No triangles at all are allowed. */
export function assertTriangles(
  positions: ArrayLike<number>,
  indices: Uint32Array,
  colors: Uint32Array | undefined,
): void {
  if (!(indices instanceof Uint32Array) || (colors !== undefined && !(colors instanceof Uint32Array))) {
    throw new NearfieldError('bad-argument', 'Indices and colors of triangles are each a Uint32Array.');
  }
  assertNumbers(positions, 'The vertices');
  if (positions.length % 3 !== 0 || indices.length % 3 !== 0) {
    throw new NearfieldError(
      'bad-argument',
      `Triangles need three numbers per vertex and three ids each; there are ${positions.length} numbers and ${indices.length} ids.`,
    );
  }
  if (colors !== undefined && colors.length !== indices.length / 3) {
    throw new NearfieldError(
      'bad-argument',
      `There are ${colors.length} colors for ${indices.length / 3} triangles; give one each, or none.`,
    );
  }
  for (let i = 0; i < positions.length; i++) {
    if (!isRasterNumber(positions[i])) {
      const vertex = Math.floor(i / 3);
      throw new NearfieldError(
        'non-finite',
        `Vertex ${vertex} has the coordinate ${positions[i]}; coordinates must be finite in single precision.`,
        { vertex },
      );
    }
  }
  const vertices = positions.length / 3;
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] >= vertices) {
      const face = Math.floor(i / 3);
      throw new NearfieldError(
        'index-out-of-range',
        `Triangle ${face} has the vertex ${indices[i]}; there are ${vertices}, counted from 0.`,
        { face },
      );
    }
  }
}

/** Throws for empty images, and for ones too large to hold. */
export function assertTargetSize(width: number, height: number, viewCount: number): void {
  assertWhole(width, 1, MAX_IMAGE_SIDE, 'width of the images');
  assertWhole(height, 1, MAX_IMAGE_SIDE, 'height of the images');
  assertWhole(viewCount, 1, MAX_TARGET_PIXELS, 'number of views');
  if (width * height * viewCount > MAX_TARGET_PIXELS) {
    throw new NearfieldError(
      'too-large',
      `${viewCount} views of ${width} × ${height} pixels are more than ${MAX_TARGET_PIXELS} pixels; draw fewer at a time.`,
    );
  }
}

/** Throws unless there is one matrix per view. */
export function assertViews(views: ArrayLike<number>, target: RasterTarget): void {
  assertNumbers(views, 'The matrices of the views');
  if (views.length !== 16 * target.viewCount) {
    throw new NearfieldError(
      'bad-argument',
      `The target has ${target.viewCount} views, which need ${16 * target.viewCount} numbers; there are ${views.length}.`,
    );
  }
  for (let i = 0; i < views.length; i++) {
    if (!isRasterNumber(views[i])) {
      throw new NearfieldError(
        'non-finite',
        `The matrix of view ${Math.floor(i / 16)} holds ${views[i]}; its numbers must be finite in single precision.`,
      );
    }
  }
}

/** Throws unless the argument is a list of draws. */
export function assertDraws(draws: readonly RasterDraw[]): void {
  if (!Array.isArray(draws)) {
    throw new NearfieldError('bad-argument', 'The draws are not an array; give one, empty to only clear.');
  }
  for (let i = 0; i < draws.length; i++) {
    if (isObject(draws[i]) && isObject(draws[i].state)) continue;
    throw new NearfieldError('bad-argument', `Draw ${i} is not an object { geometry, state }; state may be {}.`);
  }
}

/** Throws for runs of triangles or views that do not exist. */
export function assertDraw(draw: RasterDraw, target: RasterTarget): void {
  assertRun(draw.firstTriangle, draw.triangleCount, draw.geometry.triangleCount, 'triangles');
  assertRun(draw.firstView, draw.viewCount, target.viewCount, 'views');
}

/** Throws for a state with names or numbers that graphics hardware does not support. */
export function assertState(state: RasterState): void {
  assertOneOf(state.cull, CULL_MODES, 'cull');
  assertOneOf(state.depthCompare, COMPARE_FUNCTIONS, 'depthCompare');
  assertBoolean(state.depthWrite, 'depthWrite');
  assertBoolean(state.colorWrite, 'colorWrite');
  assertOneOf(state.stencilCompare, COMPARE_FUNCTIONS, 'stencilCompare');
  assertOneOf(state.stencilFail, STENCIL_OPERATIONS, 'stencilFail');
  assertOneOf(state.stencilDepthFail, STENCIL_OPERATIONS, 'stencilDepthFail');
  assertOneOf(state.stencilPass, STENCIL_OPERATIONS, 'stencilPass');
  assertByte(state.stencilReference, 'stencilReference');
  assertByte(state.stencilReadMask, 'stencilReadMask');
  assertByte(state.stencilWriteMask, 'stencilWriteMask');
}

/** Throws for clear values that the images cannot hold. */
export function assertClear(clear: ClearValues): void {
  if (!isObject(clear)) {
    throw new NearfieldError('bad-argument', 'The clear values are not an object; give { color, depth, stencil }.');
  }
  if (clear.color !== undefined) assertWhole(clear.color, 0, 0xffffffff, 'color to clear to');
  assertByte(clear.stencil, 'stencil value to clear to');
  if (clear.depth !== undefined && !(typeof clear.depth === 'number' && clear.depth >= 0 && clear.depth <= 1)) {
    throw new NearfieldError('bad-argument', `The depth to clear to is ${clear.depth}; give a number from 0 to 1.`);
  }
}

/** Throws for images that no target has. */
export function assertImages(images: readonly (typeof IMAGES)[number][]): void {
  if (!Array.isArray(images)) {
    throw new NearfieldError('bad-argument', `The images to read are not an array; give some of ${IMAGES.join(', ')}.`);
  }
  for (const image of images) assertOneOf(image ?? null, IMAGES, 'An image to read');
}

/** Throws for an invalid reduction. */
export function assertReduction(options: ReduceOptions): void {
  if (!isObject(options) || options.operation === undefined || options.value === undefined) {
    throw new NearfieldError('bad-argument', "Say what to reduce to, such as { operation: 'min', value: 'depth' }.");
  }
  assertOneOf(options.operation, ['min', 'max'], 'operation');
  assertOneOf(options.value, ['depth', 'distance'], 'value');
  if (options.exceptColor !== undefined) assertWhole(options.exceptColor, 0, 0xffffffff, 'color to leave out');
}

function assertRun(first: number | undefined, count: number | undefined, available: number, what: string): void {
  const start = first ?? 0;
  const end = start + (count ?? available - start);
  if (Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start <= end && end <= available) return;
  throw new NearfieldError(
    'index-out-of-range',
    `A draw asks for the ${what} ${start} up to before ${end}; there are ${available}.`,
  );
}

/** Strings, null and big integers would otherwise be converted to numbers later. */
function isRasterNumber(value: number): boolean {
  return typeof value === 'number' && Math.abs(value) <= MAX_RASTER_NUMBER;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function assertNumbers(values: ArrayLike<number>, what: string): void {
  if (isObject(values) && Number.isInteger(values.length)) return;
  throw new NearfieldError('bad-argument', `${what} are not an array of numbers; give one, typed or not.`);
}

function assertBoolean(value: boolean | undefined, name: string): void {
  if (value === undefined || typeof value === 'boolean') return;
  throw new NearfieldError('bad-argument', `${name} is ${JSON.stringify(value)}; give true or false.`);
}

function assertOneOf(value: string | null | undefined, known: readonly string[], name: string): void {
  if (value === undefined || (value !== null && known.includes(value))) return;
  throw new NearfieldError('bad-argument', `${name} is ${JSON.stringify(value)}; give one of ${known.join(', ')}.`);
}

function assertByte(value: number | undefined, name: string): void {
  if (value !== undefined) assertWhole(value, 0, 255, name);
}

function assertWhole(value: number, low: number, high: number, name: string): void {
  if (Number.isInteger(value) && value >= low && value <= high) return;
  throw new NearfieldError(
    value > high ? 'too-large' : 'bad-argument',
    `The ${name} is ${value}; give a whole number from ${low} to ${high}.`,
  );
}
