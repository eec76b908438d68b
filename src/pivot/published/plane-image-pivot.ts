// Queries in the plane as Hoff, Zaferakis, Lin and Manocha 2001 draw them: multi-pass rendering into a localized window
// and distance fields from Voronoi diagrams, in software or by WebGPU. The error includes what hardware rounds: pixels
// are smaller by that, and what is reported was tested in double precision.
import { BACKENDS } from '../../core/check/check-backend.js';
import { nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, numberAbove, oneOf, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { Backend, BackendFallback } from '../../gpu/choose-backend.js';
import type { GpuDevice } from '../../gpu/device.js';
import { createRasterizer } from '../../raster/create-rasterizer.js';
import type { RasterGeometry, Rasterizer } from '../../raster/raster.js';
import { computeVoronoi } from '../../voronoi/image/compute-voronoi.js';
import type { PlaneSite } from '../../voronoi/sites/plane-site.js';
import { EdgeSet, MAX_LEVELS } from '../plane/edge-set.js';
import { NearestEdge } from '../plane/nearest-edge.js';
import { errorFor, pixelSize } from '../plane/pixel-lattice.js';
import { PLANE_MEETINGS, type PlaneMeeting } from '../plane/plane-pivot.js';
import type { PlaneShape } from '../plane/plane-shape.js';
import { RowCrossings } from '../plane/row-crossings.js';
import { meetingPixels, PLANE_IMAGE_METHODS, type PlaneImageMethod } from './draw-passes.js';
import {
  boundaryTriangles,
  coverTriangles,
  fanTriangles,
  type ImageRegion,
  type RegionTriangles,
} from './image-region.js';

/** How to draw queries in the plane. */
export interface PlaneImageOptions {
  /** As of `PlanePivot`. */
  readonly error?: number | undefined;
  /** How overwritten pixels are found. 'logic', and 'blend' on the CPU, combine two drawn images. Default 'stencil'. */
  readonly method?: PlaneImageMethod | undefined;
  /** 'webgpu' needs `device`; 'auto' uses it if it is a hardware adapter and not lost. Default 'auto'. */
  readonly backend?: Backend | undefined;
  readonly device?: GpuDevice | undefined;
}

/** The samples in which two shapes meet, as they were drawn. */
export interface PlaneImagePoints {
  readonly count: number;
  /** x, y of each sample. */
  readonly points: Float64Array;
  /** The largest error of every place and distance. */
  readonly error: number;
  /** The side of a pixel, smaller than √2 · error by what hardware rounds. */
  readonly pixel: number;
  readonly method: PlaneImageMethod;
  readonly backend: 'cpu' | 'webgpu';
  readonly fallback?: BackendFallback | undefined;
  /** Pixels of the images, and whether they were read: they are not if a reduction finds that nothing meets. */
  readonly counters: { readonly pixels: number; readonly readBack: boolean; readonly triangles: number };
}

/** Penetrating points from images. */
export interface PlaneImagePenetration extends PlaneImagePoints {
  /** Whose boundary: 0 for A's, 1 for B's. */
  readonly objects: Int32Array;
  readonly depths: Float64Array;
  /** Unit vectors out of the other object, from central differences of the signed distance field. */
  readonly directions: Float64Array;
}

/**
 * Rounding: devices may move vertices by this share of a pixel in x and y before they are drawn (guaranteed by Vulkan).
 */
const SNAP = 1 / 16;
/** Proven: polygons around edges reach 1.02 radii from their edges; the rest pays for single precision. */
const ROUND = 1.03;
/** Chosen: the largest side of an image, in pixels; every WebGPU device has textures of this size. */
const MAX_SIDE = 8192;

const IMAGE_TABLE = optionTable<PlaneImageOptions>()({
  error: numberAbove(0),
  method: oneOf(PLANE_IMAGE_METHODS, 'stencil'),
  backend: oneOf(BACKENDS),
  device: checkedElsewhere(),
});

/**
 * Queries drawn with a rasterizer; for rings that change before every call. Slower than `PlanePivot` on a CPU. Use one
 * object for each query that runs at the same time.
 */
export class PlaneImagePivot {
  readonly #options: PlaneImageOptions;
  readonly #method: PlaneImageMethod;
  readonly #a = new EdgeSet();
  readonly #b = new EdgeSet();
  readonly #nearest = new NearestEdge();
  readonly #crossings = new RowCrossings();
  #isBusy = false;

  /** @throws NearfieldError `bad-argument` for invalid options. */
  constructor(options: PlaneImageOptions = {}) {
    const { method } = IMAGE_TABLE.read(options);
    this.#method = method;
    this.#options = { ...options };
  }

  /**
   * The samples in which two shapes meet; `PlanePivot.intersect` says what that is.
   * @throws NearfieldError as `PlanePivot` does; `too-large` for windows of more than 8192 pixels along a side.
   */
  async intersect(a: PlaneShape, b: PlaneShape, kind: PlaneMeeting = 'boundary-volume'): Promise<PlaneImagePoints> {
    if (!PLANE_MEETINGS.includes(kind)) {
      throw new NearfieldError('bad-argument', `The kind is ${nameValue(kind)}; give ${PLANE_MEETINGS.join(', ')}.`);
    }
    const error = this.#load(a, b);
    return this.#withRasterizer((rasterizer) => this.#draw(rasterizer, this.#a, this.#b, kind, error));
  }

  /** The points of each boundary inside the other object, with depth and direction. */
  async penetration(a: PlaneShape, b: PlaneShape): Promise<PlaneImagePenetration> {
    const error = this.#load(a, b);
    return this.#withRasterizer(async (rasterizer) => {
      const inB = await this.#draw(rasterizer, this.#a, this.#b, 'boundary-volume', error);
      const inA = await this.#draw(rasterizer, this.#b, this.#a, 'boundary-volume', error);
      const count = inB.count + inA.count;
      const points = new Float64Array(2 * count);
      points.set(inB.points);
      points.set(inA.points, 2 * inB.count);
      const objects = new Int32Array(count).fill(1, inB.count);
      const depths = new Float64Array(count);
      const directions = new Float64Array(2 * count);
      await this.#measure(this.#b, inB, 0, depths, directions);
      await this.#measure(this.#a, inA, inB.count, depths, directions);
      const counters = {
        pixels: inB.counters.pixels + inA.counters.pixels,
        readBack: inB.counters.readBack || inA.counters.readBack,
        triangles: inB.counters.triangles + inA.counters.triangles,
      };
      return { ...inB, count, points, objects, depths, directions, counters };
    });
  }

  #load(a: PlaneShape, b: PlaneShape): number {
    if (this.#isBusy) {
      throw new NearfieldError(
        'bad-argument',
        'A query of this object is still running; await it, or make another PlaneImagePivot.',
      );
    }
    this.#a.load(a, MAX_LEVELS, 0);
    this.#b.load(b, MAX_LEVELS, 1);
    return errorFor(this.#options.error, this.#a, this.#b);
  }

  async #withRasterizer<T>(work: (rasterizer: Rasterizer) => Promise<T>): Promise<T> {
    const { backend, device } = this.#options;
    const rasterizer = createRasterizer({ backend, device });
    this.#isBusy = true;
    try {
      return await work(rasterizer);
    } finally {
      this.#isBusy = false;
      rasterizer.destroy();
    }
  }

  async #draw(
    rasterizer: Rasterizer,
    a: EdgeSet,
    b: EdgeSet,
    kind: PlaneMeeting,
    error: number,
  ): Promise<PlaneImagePoints> {
    const [kindA, kindB] = kind.split('-') as ['boundary' | 'volume', 'boundary' | 'volume'];
    // Half a diagonal h, so that everything within h is drawn though vertices move by m = √2 · SNAP pixels, and nothing
    // farther than the error: ROUND · (h + m) + m = error.
    const move = 2 * SNAP;
    const half = error / (ROUND * (1 + move) + move);
    const size = pixelSize(half);
    const radius = half * (1 + move);
    const margin = kind === 'boundary-boundary' ? error : 0;
    const region = windowOf(a, b, size, margin, error);
    const shared = {
      error,
      pixel: size,
      method: this.#method,
      backend: rasterizer.backend,
      ...(rasterizer.fallback !== undefined && { fallback: rasterizer.fallback }),
    };
    if (region === null) {
      const counters = { pixels: 0, readBack: false, triangles: 0 };
      return { count: 0, points: new Float64Array(0), ...shared, counters };
    }
    const trianglesOf = (shape: EdgeSet, what: 'boundary' | 'volume'): RegionTriangles =>
      what === 'volume' ? fanTriangles(shape, region) : boundaryTriangles(shape, region, radius);
    const geometries: RasterGeometry[] = [];
    const upload = ({ positions, indices }: RegionTriangles): RasterGeometry => {
      const geometry = rasterizer.createGeometry(positions, Uint32Array.from(indices));
      geometries.push(geometry);
      return geometry;
    };
    try {
      const drawnA = { kind: kindA, geometry: upload(trianglesOf(a, kindA)) };
      const drawnB = { kind: kindB, geometry: upload(trianglesOf(b, kindB)) };
      const cover = upload(coverTriangles());
      const { width, height } = region;
      const { device } = this.#options;
      const met = await meetingPixels(
        { rasterizer, device, method: this.#method, width, height },
        drawnA,
        drawnB,
        cover,
      );
      const points = this.#confirm(met.pixels, region, a, kindA, b, kindB, error);
      return {
        count: points.length / 2,
        points,
        ...shared,
        counters: {
          pixels: width * height,
          readBack: met.readBack,
          triangles: geometries.reduce((sum, { triangleCount }) => sum + triangleCount, 0),
        },
      };
    } finally {
      for (const geometry of geometries) geometry.destroy();
    }
  }

  /** The samples of the pixels that are where they should be, in double precision. */
  #confirm(
    pixels: Int32Array,
    region: ImageRegion,
    a: EdgeSet,
    kindA: 'boundary' | 'volume',
    b: EdgeSet,
    kindB: 'boundary' | 'volume',
    error: number,
  ): Float64Array {
    const { column0, row0, width, size } = region;
    let kept: number[] = [];
    for (const pixel of pixels) {
      kept.push((column0 + (pixel % width) + 0.5) * size, (row0 + Math.floor(pixel / width) + 0.5) * size);
    }
    for (const [shape, kind] of [
      [a, kindA],
      [b, kindB],
    ] as const) {
      if (kind === 'boundary') this.#nearest.bind(shape, size, error);
      else this.#buildRows(shape, region);
      const passed: number[] = [];
      for (let k = 0; k < kept.length; k += 2) {
        const [x, y] = [kept[k], kept[k + 1]];
        const row = Math.floor(y / size) - row0;
        if (kind === 'boundary' ? this.#nearest.find(x, y) <= error : this.#crossings.inside(row, x)) passed.push(x, y);
      }
      kept = passed;
    }
    return Float64Array.from(kept);
  }

  #buildRows(shape: EdgeSet, { column0, row0, width, height, size }: ImageRegion): void {
    this.#crossings.build(shape, row0, row0 + height - 1, column0 * size, (column0 + width) * size, size);
  }

  /** Depths and directions from the distance field of a shape over the box of the points alone. */
  async #measure(
    shape: EdgeSet,
    { count, points, pixel: size }: PlaneImagePoints,
    first: number,
    depths: Float64Array,
    directions: Float64Array,
  ): Promise<void> {
    if (count === 0) return;
    const range = [Infinity, Infinity, -Infinity, -Infinity];
    for (let k = 0; k < 2 * count; k++) {
      const place = Math.floor(points[k] / size);
      range[k % 2] = Math.min(range[k % 2], place);
      range[(k % 2) + 2] = Math.max(range[(k % 2) + 2], place);
    }
    // One pixel more on every side, for the differences.
    const region: ImageRegion = {
      column0: range[0] - 1,
      row0: range[1] - 1,
      width: range[2] - range[0] + 3,
      height: range[3] - range[1] + 3,
      size,
    };
    const { column0, row0, width, height } = region;
    const { backend, device } = this.#options;
    const image = await computeVoronoi(sitesOf(shape), {
      box: [column0 * size, row0 * size, (column0 + width) * size, (row0 + height) * size],
      resolution: Math.max(width, height),
      backend,
      device,
    });
    this.#buildRows(shape, region);
    const signed = (column: number, row: number): number => {
      const distance = image.distances[row * width + column];
      return this.#crossings.inside(row, (column0 + column + 0.5) * size) ? -distance : distance;
    };
    for (let k = 0; k < count; k++) {
      const column = Math.floor(points[2 * k] / size) - column0;
      const row = Math.floor(points[2 * k + 1] / size) - row0;
      depths[first + k] = -signed(column, row);
      const gx = signed(column + 1, row) - signed(column - 1, row);
      const gy = signed(column, row + 1) - signed(column, row - 1);
      const length = Math.hypot(gx, gy);
      directions[2 * (first + k)] = length > 0 ? gx / length : 1;
      directions[2 * (first + k) + 1] = length > 0 ? gy / length : 0;
    }
  }
}

/** The pixels where two boxes overlap, or null. */
function windowOf(a: EdgeSet, b: EdgeSet, size: number, margin: number, error: number): ImageRegion | null {
  const column0 = Math.floor((Math.max(a.minX, b.minX) - margin) / size);
  const row0 = Math.floor((Math.max(a.minY, b.minY) - margin) / size);
  const width = Math.floor((Math.min(a.maxX, b.maxX) + margin) / size) - column0 + 1;
  const height = Math.floor((Math.min(a.maxY, b.maxY) + margin) / size) - row0 + 1;
  if (!(width > 0 && height > 0)) return null;
  if (width <= MAX_SIDE && height <= MAX_SIDE) return { column0, row0, width, height, size };
  throw new NearfieldError(
    'too-large',
    `An error of ${error} takes an image of ${width} × ${height} pixels, more than ${MAX_SIDE} along a side; give a larger error.`,
  );
}

function sitesOf({ edges, count }: EdgeSet): PlaneSite[] {
  return Array.from({ length: count }, (_, i): PlaneSite => {
    const [ax, ay, bx, by] = edges.subarray(4 * i, 4 * i + 4);
    return ax === bx && ay === by ? { type: 'point', at: [ax, ay] } : { type: 'segment', a: [ax, ay], b: [bx, by] };
  });
}
