// What a rasterizer does, whichever backend: triangles into color, depth and stencil of many views, with the compare
// functions and stencil operations of graphics hardware, read-back, and reductions that leave the images where they are.
import type { BackendFallback } from '../gpu/choose-backend.js';

/** When a fragment passes: new value ∘ stored value for depth, reference ∘ stored value for the stencil. */
export type CompareFunction =
  | 'never'
  | 'less'
  | 'equal'
  | 'less-equal'
  | 'greater'
  | 'not-equal'
  | 'greater-equal'
  | 'always';

/** What becomes of the stored stencil value. */
export type StencilOperation =
  | 'keep'
  | 'zero'
  | 'replace'
  | 'invert'
  | 'increment-clamp'
  | 'decrement-clamp'
  | 'increment-wrap'
  | 'decrement-wrap';

/** How triangles are drawn. What is left out is as in {@link RASTER_DEFAULTS}. */
export interface RasterState {
  /** Which triangles to leave out; the front is where the corners are counter-clockwise seen from the eye. */
  readonly cull?: 'none' | 'front' | 'back' | undefined;
  readonly depthCompare?: CompareFunction | undefined;
  readonly depthWrite?: boolean | undefined;
  /** Whether the color of the triangle is written where all tests pass. */
  readonly colorWrite?: boolean | undefined;
  readonly stencilCompare?: CompareFunction | undefined;
  /** 0 to 255. */
  readonly stencilReference?: number | undefined;
  readonly stencilReadMask?: number | undefined;
  readonly stencilWriteMask?: number | undefined;
  /** Where the stencil test fails. */
  readonly stencilFail?: StencilOperation | undefined;
  /** Where the stencil test passes and the depth test fails. */
  readonly stencilDepthFail?: StencilOperation | undefined;
  /** Where both pass. */
  readonly stencilPass?: StencilOperation | undefined;
}

/** Everything is drawn, the nearest wins, the stencil plays no part. */
export const RASTER_DEFAULTS: Required<{ [K in keyof RasterState]: NonNullable<RasterState[K]> }> = {
  cull: 'none',
  depthCompare: 'less',
  depthWrite: true,
  colorWrite: true,
  stencilCompare: 'always',
  stencilReference: 0,
  stencilReadMask: 0xff,
  stencilWriteMask: 0xff,
  stencilFail: 'keep',
  stencilDepthFail: 'keep',
  stencilPass: 'keep',
};

/** Triangles that a rasterizer holds. */
export interface RasterGeometry {
  readonly triangleCount: number;
  /** Frees what it holds. */
  destroy(): void;
}

/**
 * The images of one or more views, all of one size. Row 0 is at the top: y = +1 in clip space. A new target is
 * cleared, to the defaults of {@link ClearValues}.
 */
export interface RasterTarget {
  readonly width: number;
  readonly height: number;
  readonly viewCount: number;
  /** Frees what it holds. */
  destroy(): void;
}

/**
 * What all three images of all views are filled with before anything is drawn, also where a number is left out.
 * Default: color 0, depth 1, stencil 0.
 */
export interface ClearValues {
  readonly color?: number | undefined;
  readonly depth?: number | undefined;
  readonly stencil?: number | undefined;
}

/** A run of triangles drawn in one state into some of the views. Draws happen in the order in which they are given. */
export interface RasterDraw {
  readonly geometry: RasterGeometry;
  /** Default: all triangles. */
  readonly firstTriangle?: number | undefined;
  readonly triangleCount?: number | undefined;
  readonly state: RasterState;
  /** Default: all views. */
  readonly firstView?: number | undefined;
  readonly viewCount?: number | undefined;
}

/** Images in memory: view after view, row after row. Only what was asked for is there. */
export interface RasterImages {
  readonly color?: Uint32Array;
  readonly depth?: Float32Array;
  readonly stencil?: Uint8Array;
}

/** What to reduce each view to. */
export interface ReduceOptions {
  readonly operation: 'min' | 'max';
  /**
   * 'depth': the stored depth. 'distance': how far the point at a pixel's center and depth is from the eye, the point
   * whose clip x, y and w are 0; parallel views have none and are refused.
   */
  readonly value: 'depth' | 'distance';
  /** Only pixels whose color is another than this count. Default: all pixels count. */
  readonly exceptColor?: number | undefined;
}

/** The extreme of each view. */
export interface ReducedViews {
  /** NaN where no pixel counts. */
  readonly values: Float64Array;
  /** Row × width + column of the first pixel with that value, −1 where none counts. */
  readonly pixels: Int32Array;
}

/**
 * A rasterizer. Pixels are sampled at their centers; a center on an edge belongs to the triangle that it is a left or
 * top edge of; triangles without area on the screen are dropped. Depth is clip z / w, in single precision, from 0 to 1.
 */
export interface Rasterizer {
  readonly backend: 'cpu' | 'webgpu';
  /** Why `createRasterizer` took the CPU although a device was given. */
  readonly fallback?: BackendFallback | undefined;
  /**
   * Takes triangles: x, y, z of each vertex, three vertices a triangle, and a color (any 32-bit number) of each.
   * Without colors a triangle's color is its index plus one. The arrays are copied; there may be no triangles.
   */
  createGeometry(positions: ArrayLike<number>, indices: Uint32Array, colors?: Uint32Array): RasterGeometry;
  /** The images of so many views, width × height pixels each. */
  createTarget(width: number, height: number, viewCount: number): RasterTarget;
  /**
   * Clears (where `clear` is given) and draws. `views` holds 16 numbers a view, column-major: clip = M·(x, y, z, 1),
   * with WebGPU's clip volume −w ≤ x ≤ w, −w ≤ y ≤ w, 0 ≤ z ≤ w; triangles are clipped to it.
   */
  draw(target: RasterTarget, views: ArrayLike<number>, draws: readonly RasterDraw[], clear?: ClearValues): void;
  /** Copies the images asked for, view after view, row after row. */
  read(target: RasterTarget, images: readonly ('color' | 'depth' | 'stencil')[]): Promise<RasterImages>;
  /** As read and then searched, but only the extremes leave the device. `views` as drawn. */
  reduce(target: RasterTarget, views: ArrayLike<number>, options: ReduceOptions): Promise<ReducedViews>;
  /** Frees what the rasterizer itself holds; it draws no more. */
  destroy(): void;
}
