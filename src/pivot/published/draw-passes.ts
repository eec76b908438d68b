// The passes of Table 1 (Hoff, Zaferakis, Lin and Manocha 2001) that leave a color where two shapes meet. Volumes are
// filled by the even-odd rule: fans invert a bit of the stencil, and what it marks is drawn as one cover.
import { growTo } from '../../core/grow-array.js';
import type { GpuDevice } from '../../gpu/device.js';
import type { RasterDraw, RasterGeometry, Rasterizer, RasterState } from '../../raster/raster.js';
import { type BlendDraw, blendImage } from './blend-gpu.js';

/** How overwritten pixels are found. */
export type PlaneImageMethod = 'stencil' | 'depth' | 'blend' | 'logic';

/** Every {@link PlaneImageMethod}. */
export const PLANE_IMAGE_METHODS: readonly PlaneImageMethod[] = ['stencil', 'depth', 'blend', 'logic'];

/** One object as it is to be drawn: around its edges, or its inside. */
export interface Drawn {
  readonly kind: 'boundary' | 'volume';
  readonly geometry: RasterGeometry;
}

/** Label: the bit of the stencil in which the inside of A is marked. */
const BIT_A = 0x80;
/** Label: the bit of the stencil in which the inside of B is marked. */
const BIT_B = 0x01;
/** The stencil inside both. */
const BOTH = BIT_A | BIT_B;
const SILENT: RasterState = { depthCompare: 'always', depthWrite: false, colorWrite: false };

function invert(bit: number): RasterState {
  return { ...SILENT, stencilWriteMask: bit, stencilPass: 'invert' };
}

/** Table 1, stencil: B makes it 1, A makes it 2 where it is 1. Two volumes: both bits. The last pass writes the color. */
export function stencilPasses(a: Drawn, b: Drawn, cover: RasterGeometry): RasterDraw[] {
  const first: RasterDraw =
    b.kind === 'volume'
      ? { geometry: b.geometry, state: invert(BIT_B) }
      : {
          geometry: b.geometry,
          state: { ...SILENT, stencilCompare: 'equal', stencilReference: 0, stencilPass: 'increment-clamp' },
        };
  if (a.kind === 'boundary') {
    const state: RasterState = {
      ...SILENT,
      colorWrite: true,
      stencilCompare: 'equal',
      stencilReference: 1,
      stencilPass: 'increment-clamp',
    };
    return [first, { geometry: a.geometry, state }];
  }
  return [
    first,
    { geometry: a.geometry, state: invert(BIT_A) },
    { geometry: cover, state: { ...SILENT, colorWrite: true, stencilCompare: 'equal', stencilReference: BOTH } },
  ];
}

/** Table 1, color and depth: B sets the depth to 0, A is drawn where it is equal. */
export function depthPasses(a: Drawn, b: Drawn, cover: RasterGeometry): RasterDraw[] {
  const behind: RasterState = { depthCompare: 'always', depthWrite: true, colorWrite: false };
  const equal: RasterState = { depthCompare: 'equal', depthWrite: false, colorWrite: true };
  return [...solidPass(b, BIT_B, behind, cover), ...solidPass(a, BIT_A, equal, cover)];
}

/** Published (Table 1): the color that A adds by blending. */
const BLEND_A = 127;
/** Published (Table 1): the color that B adds by blending. */
const BLEND_B = 128;
/** Published (Table 1): the bits that A joins by a logic operation. */
const LOGIC_A = 128;
/** Published (Table 1): the bits that B joins by a logic operation. */
const LOGIC_B = 127;
/** Published (Table 1): the color of a pixel in both, by either operation. */
const WHITE = 255;

/**
 * Table 1, color with blend operations: B adds 128, A adds 127. Polygons around edges overlap, so a boundary is drawn where
 * its bit of the stencil is clear and sets it: each object adds to a pixel once.
 */
export function blendPasses(a: Drawn, b: Drawn, cover: RasterGeometry): BlendDraw[] {
  const passes = (drawn: Drawn, bit: number, adds: number): BlendDraw[] => {
    const state: RasterState =
      drawn.kind === 'volume'
        ? { ...SILENT, colorWrite: true }
        : { ...invert(bit), colorWrite: true, stencilCompare: 'equal', stencilReference: 0, stencilReadMask: bit };
    return solidPass(drawn, bit, state, cover).map((draw) => ({ ...draw, adds }));
  };
  return [...passes(b, BIT_B, BLEND_B), ...passes(a, BIT_A, BLEND_A)];
}

/** B into the first view and A into the second, for operations on colors. */
export function coveragePasses(a: Drawn, b: Drawn, cover: RasterGeometry): RasterDraw[] {
  const state: RasterState = { depthCompare: 'always', depthWrite: false, colorWrite: true };
  return [
    ...solidPass(b, BIT_B, state, cover).map((draw) => ({ ...draw, firstView: 0, viewCount: 1 })),
    ...solidPass(a, BIT_A, state, cover).map((draw) => ({ ...draw, firstView: 1, viewCount: 1 })),
  ];
}

/** Draws an object in a state: a boundary as it is, a volume through its bit of the stencil. */
function solidPass({ kind, geometry }: Drawn, bit: number, state: RasterState, cover: RasterGeometry): RasterDraw[] {
  if (kind === 'boundary') return [{ geometry, state }];
  return [
    { geometry, state: invert(bit) },
    {
      geometry: cover,
      state: { ...state, stencilCompare: 'equal', stencilReference: bit, stencilReadMask: bit },
    },
  ];
}

/** The clip matrix of every view: positions are in clip space already. */
export const AS_IT_IS: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** How, and how large, the image is in which pixels of two objects are looked for. */
export interface MeetingImage {
  readonly rasterizer: Rasterizer;
  /** That of the rasterizer, if it has one. */
  readonly device: GpuDevice | undefined;
  readonly method: PlaneImageMethod;
  readonly width: number;
  readonly height: number;
}

/**
 * Draws the passes and returns the pixels (row × width + column) in which both objects are. Nothing is read back when a
 * reduction finds no pixel of both. With a device, colors are blended there.
 */
export async function meetingPixels(
  { rasterizer, device, method, width, height }: MeetingImage,
  a: Drawn,
  b: Drawn,
  cover: RasterGeometry,
): Promise<{ pixels: Int32Array; readBack: boolean }> {
  if (method === 'blend' && rasterizer.backend === 'webgpu' && device !== undefined) {
    const sums = await blendImage(device, width, height, blendPasses(a, b, cover), WHITE);
    return { pixels: sums === null ? new Int32Array(0) : listPixels(sums, WHITE), readBack: sums !== null };
  }
  const isColor = method === 'blend' || method === 'logic';
  const target = rasterizer.createTarget(width, height, isColor ? 2 : 1);
  try {
    const views = isColor ? [...AS_IT_IS, ...AS_IT_IS] : AS_IT_IS;
    const passes = isColor ? coveragePasses : method === 'stencil' ? stencilPasses : depthPasses;
    rasterizer.draw(target, views, passes(a, b, cover), {});
    const { pixels: found } = await rasterizer.reduce(target, views, {
      operation: 'min',
      value: 'depth',
      exceptColor: 0,
    });
    // Of two views, a view without color is one object that is not there.
    if (found.some((pixel) => pixel < 0)) return { pixels: new Int32Array(0), readBack: false };
    const { color = new Uint32Array(0) } = await rasterizer.read(target, ['color']);
    const pixels = isColor ? listPixels(combineViews(method, color), WHITE) : listPixels(color, 1);
    return { pixels, readBack: true };
  } finally {
    target.destroy();
  }
}

/** Table 1, color: what is in B, the first view, and in A, the second, as one image. */
function combineViews(method: 'blend' | 'logic', color: Uint32Array): Uint8Array {
  const count = color.length / 2;
  const image = new Uint8Array(count);
  const isBlend = method === 'blend';
  for (let i = 0; i < count; i++) {
    const inB = color[i] !== 0;
    const inA = color[count + i] !== 0;
    image[i] = isBlend ? (inB ? BLEND_B : 0) + (inA ? BLEND_A : 0) : (inB ? LOGIC_B : 0) | (inA ? LOGIC_A : 0);
  }
  return image;
}

/** The pixels of at least some value. */
function listPixels(image: Uint8Array | Uint32Array, least: number): Int32Array {
  let pixels = new Int32Array(64);
  let used = 0;
  for (let i = 0; i < image.length; i++) {
    if (image[i] < least) continue;
    if (used === pixels.length) pixels = growTo(pixels, used + 1);
    pixels[used++] = i;
  }
  return pixels.slice(0, used);
}
