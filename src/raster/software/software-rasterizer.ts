// The rasterizer in software: typed arrays, double precision, coverage exact for the clip coordinates. Each view is drawn
// from first draw to last; a vertex is transformed once per view; triangles become spans, which are filled in batches.
import { NearfieldError } from '../../core/errors.js';
import type { BackendFallback } from '../../gpu/choose-backend.js';
import {
  assertClear,
  assertDraw,
  assertDraws,
  assertImages,
  assertReduction,
  assertTargetSize,
  assertTriangles,
  assertViews,
} from '../arguments.js';
import type {
  ClearValues,
  RasterDraw,
  RasterGeometry,
  RasterImages,
  Rasterizer,
  RasterTarget,
  ReducedViews,
  ReduceOptions,
} from '../raster.js';
import { reduceViews } from '../reduce-views.js';
import { fillSpans } from './fill-spans.js';
import { PixelTestCache, type PixelTests } from './pixel-tests.js';
import { SPAN_BATCH, SpanList } from './span-list.js';
import { CORNER_STRIDE, TriangleScanner } from './triangle-scan.js';

/** Makes a rasterizer that needs no GPU. Its images and triangles are in ordinary memory; nothing is asynchronous. */
export function createSoftwareRasterizer(): Rasterizer {
  return createFallbackRasterizer(null);
}

/** The same as a fallback for a given device, with the reason. */
export function createFallbackRasterizer(fallback: BackendFallback | null): Rasterizer {
  return new SoftwareRasterizer(fallback ?? undefined);
}

class SoftwareGeometry implements RasterGeometry {
  readonly triangleCount: number;
  readonly owner: SoftwareRasterizer;
  positions: Float64Array;
  indices: Uint32Array;
  colors: Uint32Array | null;
  /** Screen coordinates of the vertices, and the pass over a view that they belong to. */
  corners: Float64Array;
  passes: Float64Array;
  destroyed = false;

  constructor(
    owner: SoftwareRasterizer,
    positions: ArrayLike<number>,
    indices: Uint32Array,
    colors: Uint32Array | undefined,
  ) {
    this.owner = owner;
    this.triangleCount = indices.length / 3;
    this.positions = Float64Array.from(positions);
    this.indices = indices.slice();
    this.colors = colors?.slice() ?? null;
    this.corners = new Float64Array((positions.length / 3) * CORNER_STRIDE);
    this.passes = new Float64Array(positions.length / 3);
  }

  destroy(): void {
    this.destroyed = true;
    this.positions = new Float64Array(0);
    this.indices = new Uint32Array(0);
    this.colors = null;
    this.corners = new Float64Array(0);
    this.passes = new Float64Array(0);
  }
}

class SoftwareTarget implements RasterTarget {
  readonly owner: SoftwareRasterizer;
  readonly width: number;
  readonly height: number;
  readonly viewCount: number;
  readonly scanner: TriangleScanner;
  color: Uint32Array;
  depth: Float32Array;
  stencil: Uint8Array;
  destroyed = false;

  constructor(owner: SoftwareRasterizer, width: number, height: number, viewCount: number) {
    this.owner = owner;
    this.width = width;
    this.height = height;
    this.viewCount = viewCount;
    this.scanner = new TriangleScanner(width, height);
    const pixels = width * height * viewCount;
    this.color = new Uint32Array(pixels);
    this.depth = new Float32Array(pixels).fill(1);
    this.stencil = new Uint8Array(pixels);
  }

  destroy(): void {
    this.destroyed = true;
    this.color = new Uint32Array(0);
    this.depth = new Float32Array(0);
    this.stencil = new Uint8Array(0);
  }
}

/** A draw with its defaults filled in. */
interface PreparedDraw {
  readonly geometry: SoftwareGeometry;
  readonly tests: PixelTests;
  readonly firstTriangle: number;
  readonly endTriangle: number;
  readonly firstView: number;
  readonly endView: number;
}

class SoftwareRasterizer implements Rasterizer {
  readonly backend = 'cpu';
  readonly fallback: BackendFallback | undefined;
  readonly #spans = new SpanList();
  readonly #tests = new PixelTestCache();
  /** The matrix of the current view. */
  readonly #view = new Float64Array(16);
  #destroyed = false;
  /** Counts the views drawn, to tell whether the screen coordinates of a vertex belong to the current one. */
  #pass = 0;

  constructor(fallback: BackendFallback | undefined) {
    this.fallback = fallback;
  }

  createGeometry(positions: ArrayLike<number>, indices: Uint32Array, colors?: Uint32Array): RasterGeometry {
    this.#assertAlive();
    assertTriangles(positions, indices, colors);
    return new SoftwareGeometry(this, positions, indices, colors);
  }

  createTarget(width: number, height: number, viewCount: number): RasterTarget {
    this.#assertAlive();
    assertTargetSize(width, height, viewCount);
    return new SoftwareTarget(this, width, height, viewCount);
  }

  draw(target: RasterTarget, views: ArrayLike<number>, draws: readonly RasterDraw[], clear?: ClearValues): void {
    const images = this.#ownTarget(target);
    assertViews(views, target);
    assertDraws(draws);
    if (clear !== undefined) assertClear(clear);
    const prepared = this.#prepare(draws, images);
    if (clear !== undefined) {
      images.color.fill(clear.color ?? 0);
      images.depth.fill(clear.depth ?? 1);
      images.stencil.fill(clear.stencil ?? 0);
    }
    this.#spans.reset(SPAN_BATCH + target.height);
    for (let view = 0; view < target.viewCount; view++) {
      this.#pass++;
      for (let i = 0; i < 16; i++) this.#view[i] = views[16 * view + i];
      for (const draw of prepared) {
        if (view >= draw.firstView && view < draw.endView) this.#drawView(images, view, draw);
      }
    }
  }

  async read(target: RasterTarget, images: readonly ('color' | 'depth' | 'stencil')[]): Promise<RasterImages> {
    const own = this.#ownTarget(target);
    assertImages(images);
    return {
      ...(images.includes('color') && { color: own.color.slice() }),
      ...(images.includes('depth') && { depth: own.depth.slice() }),
      ...(images.includes('stencil') && { stencil: own.stencil.slice() }),
    };
  }

  async reduce(target: RasterTarget, views: ArrayLike<number>, options: ReduceOptions): Promise<ReducedViews> {
    const images = this.#ownTarget(target);
    assertViews(views, target);
    assertReduction(options);
    return reduceViews(images, target, views, options);
  }

  destroy(): void {
    this.#destroyed = true;
  }

  #prepare(draws: readonly RasterDraw[], target: SoftwareTarget): PreparedDraw[] {
    return draws.map((draw) => {
      const geometry = this.#ownGeometry(draw.geometry);
      assertDraw(draw, target);
      const firstTriangle = draw.firstTriangle ?? 0;
      const firstView = draw.firstView ?? 0;
      return {
        geometry,
        tests: this.#tests.prepare(draw.state),
        firstTriangle,
        endTriangle: firstTriangle + (draw.triangleCount ?? geometry.triangleCount - firstTriangle),
        firstView,
        endView: firstView + (draw.viewCount ?? target.viewCount - firstView),
      };
    });
  }

  #drawView(target: SoftwareTarget, view: number, draw: PreparedDraw): void {
    const { geometry, tests } = draw;
    const { indices, colors, corners, passes } = geometry;
    const { width, height, scanner } = target;
    const spans = this.#spans;
    const base = view * width * height;
    const pass = this.#pass;
    const matrix = this.#view;
    spans.count = 0;
    for (let triangle = draw.firstTriangle; triangle < draw.endTriangle; triangle++) {
      const i = indices[3 * triangle];
      const j = indices[3 * triangle + 1];
      const k = indices[3 * triangle + 2];
      if (passes[i] !== pass) transformVertex(geometry, i, pass, matrix, width, height);
      if (passes[j] !== pass) transformVertex(geometry, j, pass, matrix, width, height);
      if (passes[k] !== pass) transformVertex(geometry, k, pass, matrix, width, height);
      scanner.scan(spans, corners, i, j, k, tests.cull, colors === null ? triangle + 1 : colors[triangle], base);
      if (spans.count >= SPAN_BATCH) {
        fillSpans(target, spans, tests);
        spans.count = 0;
      }
    }
    if (spans.count > 0) fillSpans(target, spans, tests);
  }

  #assertAlive(): void {
    if (this.#destroyed) {
      throw new NearfieldError('bad-argument', 'The rasterizer is destroyed; create another.');
    }
  }

  #ownTarget(target: RasterTarget): SoftwareTarget {
    this.#assertAlive();
    if (target instanceof SoftwareTarget && target.owner === this && !target.destroyed) return target;
    throw new NearfieldError(
      'bad-argument',
      'The target is destroyed, or of another rasterizer; create one with this one.',
    );
  }

  #ownGeometry(geometry: RasterGeometry): SoftwareGeometry {
    if (geometry instanceof SoftwareGeometry && geometry.owner === this && !geometry.destroyed) return geometry;
    throw new NearfieldError(
      'bad-argument',
      'The geometry is destroyed, or of another rasterizer; create one with this one.',
    );
  }
}

/** The position of a vertex on the screen of a view: pixels from the top left corner, times w. */
function transformVertex(
  geometry: SoftwareGeometry,
  vertex: number,
  pass: number,
  m: Float64Array,
  width: number,
  height: number,
): void {
  const { positions, corners } = geometry;
  const px = positions[3 * vertex];
  const py = positions[3 * vertex + 1];
  const pz = positions[3 * vertex + 2];
  const x = m[0] * px + m[4] * py + m[8] * pz + m[12];
  const y = m[1] * px + m[5] * py + m[9] * pz + m[13];
  const z = m[2] * px + m[6] * py + m[10] * pz + m[14];
  const w = m[3] * px + m[7] * py + m[11] * pz + m[15];
  const corner = CORNER_STRIDE * vertex;
  corners[corner] = 0.5 * width * (x + w);
  corners[corner + 1] = 0.5 * height * (w - y);
  corners[corner + 2] = z;
  corners[corner + 3] = w;
  geometry.passes[vertex] = pass;
}
