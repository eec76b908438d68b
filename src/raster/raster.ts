// The interface of a rasterizer, for both backends: triangles into color, depth and stencil of many views, with the
// compare functions and stencil operations of graphics hardware, read-back, and reductions that run where the images are.
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

/** What happens to the stored stencil value. */
export type StencilOperation =
  | 'keep'
  | 'zero'
  | 'replace'
  | 'invert'
  | 'increment-clamp'
  | 'decrement-clamp'
  | 'increment-wrap'
  | 'decrement-wrap';

/** How to draw triangles. Omitted members default to {@link RASTER_DEFAULTS}. */
export interface RasterState {
  /** Which triangles to skip; on the front, the corners are counter-clockwise seen from the eye. */
  readonly cull?: 'none' | 'front' | 'back' | undefined;
  readonly depthCompare?: CompareFunction | undefined;
  readonly depthWrite?: boolean | undefined;
  /** Whether the color of the triangle is written if all tests pass. */
  readonly colorWrite?: boolean | undefined;
  readonly stencilCompare?: CompareFunction | undefined;
  /** 0 to 255. */
  readonly stencilReference?: number | undefined;
  readonly stencilReadMask?: number | undefined;
  readonly stencilWriteMask?: number | undefined;
  /** If the stencil test fails. */
  readonly stencilFail?: StencilOperation | undefined;
  /** If the stencil test passes and the depth test fails. */
  readonly stencilDepthFail?: StencilOperation | undefined;
  /** If both pass. */
  readonly stencilPass?: StencilOperation | undefined;
}

/** Everything is drawn, the nearest wins, the stencil is not used. */
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
  /** Frees its memory. */
  destroy(): void;
}

/**
 * The images of one or more views, all of one size. Row 0 is at the top: y = +1 in clip space. A new target is cleared
 * to the defaults of {@link ClearValues}.
 */
export interface RasterTarget {
  readonly width: number;
  readonly height: number;
  readonly viewCount: number;
  /** Frees its memory. */
  destroy(): void;
}

/**
 * Values that fill all three images of all views before anything is drawn, even those that are omitted here. Default:
 * color 0, depth 1, stencil 0.
 */
export interface ClearValues {
  readonly color?: number | undefined;
  readonly depth?: number | undefined;
  readonly stencil?: number | undefined;
}

/** A run of triangles drawn in one state into some of the views. Draws are executed in the given order. */
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

/** Images in memory: view after view, row after row. Only requested images are present. */
export interface RasterImages {
  readonly color?: Uint32Array;
  readonly depth?: Float32Array;
  readonly stencil?: Uint8Array;
}

/** What to reduce each view to. */
export interface ReduceOptions {
  readonly operation: 'min' | 'max';
  /**
   * 'depth': the stored depth. 'distance': the distance of the point at a pixel's center and depth from the eye, the
   * point whose clip x, y and w are 0; parallel views have no eye and throw.
   */
  readonly value: 'depth' | 'distance';
  /** Only pixels of other colors than this count. Default: all pixels count. */
  readonly exceptColor?: number | undefined;
}

/** The extreme of each view. */
export interface ReducedViews {
  /** NaN if no pixel counts. */
  readonly values: Float64Array;
  /** Row × width + column of the first pixel with that value, −1 if none counts. */
  readonly pixels: Int32Array;
}

/**
 * A rasterizer. Pixels are sampled at their centers; a center on an edge belongs to the triangle whose left or top edge
 * it is; triangles without area on the screen are dropped. Depth is clip z / w, in single precision, from 0 to 1.
 */
export interface Rasterizer {
  readonly backend: 'cpu' | 'webgpu';
  /** Why `createRasterizer` used the CPU although a device was given. */
  readonly fallback?: BackendFallback | undefined;
  /**
   * Stores triangles: x, y, z of each vertex, three vertices per triangle, and one color (any 32-bit number) per
   * triangle. The default color is the triangle's index plus one. The arrays are copied; there may be no triangles.
   */
  createGeometry(positions: ArrayLike<number>, indices: Uint32Array, colors?: Uint32Array): RasterGeometry;
  /** The images of `viewCount` views, width × height pixels each. */
  createTarget(width: number, height: number, viewCount: number): RasterTarget;
  /**
   * Clears (if `clear` is given) and draws. `views` holds 16 numbers per view, column-major: clip = M·(x, y, z, 1),
   * with WebGPU's clip volume −w ≤ x ≤ w, −w ≤ y ≤ w, 0 ≤ z ≤ w; triangles are clipped to it.
   */
  draw(target: RasterTarget, views: ArrayLike<number>, draws: readonly RasterDraw[], clear?: ClearValues): void;
  /** Copies the requested images, view after view, row after row. */
  read(target: RasterTarget, images: readonly ('color' | 'depth' | 'stencil')[]): Promise<RasterImages>;
  /** Finds the extreme of each view; only the extremes leave the device. `views` as drawn. */
  reduce(target: RasterTarget, views: ArrayLike<number>, options: ReduceOptions): Promise<ReducedViews>;
  /** Frees the rasterizer's own memory; it can no longer draw. */
  destroy(): void;
}
