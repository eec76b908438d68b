// Triangles into spans of pixels: which rows, between which columns, at which depth. Clip coordinates are never divided
// or clipped: edges and depth are planes in homogeneous screen space (Olano and Greer 1997), and the parts in front of
// the near plane or behind the far plane are cut from each span, as clipping would do.
import { sideDeterminant, UNDERFLOW_BOUND } from '../../core/exact/orientation.js';
import { ScreenEdges } from './screen-edges.js';
import type { SpanList } from './span-list.js';

/** Layout: numbers per corner: X and Y in pixels from the top left corner, times w; then clip z and w. */
export const CORNER_STRIDE = 4;

/** Label: which triangles to skip: none. */
export const CULL_NONE = 0;
/** Label: which triangles to skip: those counter-clockwise as seen from the eye. */
export const CULL_FRONT = 1;
/** Label: which triangles to skip: the others. */
export const CULL_BACK = 2;

/**
 * Rounding: of the determinant of three corners, relative to the sum of its products' sizes (Shewchuk's bound: 7
 * units).
 */
const DETERMINANT_ROUNDING = 8 * 2 ** -53;

/** Rounding: pixels by which the box around a triangle is grown to cover its rounding; costs only empty rows. */
const BOX_SLACK = 2 ** -20;

/** Finds the pixels of triangles in images of one size. */
export class TriangleScanner {
  readonly #edges: ScreenEdges;
  readonly #width: number;
  readonly #height: number;
  // The box of pixels that the triangle can cover.
  #left = 0;
  #right = 0;
  #top = 0;
  #bottom = 0;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    this.#edges = new ScreenEdges(width, height);
  }

  /**
   * Adds the spans of the triangle whose corners are at `i`, `j`, `k` of `corners` (times {@link CORNER_STRIDE}). The
   * first pixel of the image is `base`. The list must have room for one span per row. Rows share the terms of the
   * triangle, so that all of them are locals of one function.
   * Takes scalars, for inner loops.
   */
  scan(
    spans: SpanList,
    corners: Float64Array,
    i: number,
    j: number,
    k: number,
    cull: number,
    color: number,
    base: number,
  ): void {
    const width = this.#width;
    const height = this.#height;
    i *= CORNER_STRIDE;
    j *= CORNER_STRIDE;
    k *= CORNER_STRIDE;
    const x0 = corners[i];
    const y0 = corners[i + 1];
    const z0 = corners[i + 2];
    const w0 = corners[i + 3];
    let x1 = corners[j];
    let y1 = corners[j + 1];
    let z1 = corners[j + 2];
    let w1 = corners[j + 3];
    let x2 = corners[k];
    let y2 = corners[k + 1];
    let z2 = corners[k + 2];
    let w2 = corners[k + 3];
    if (
      (x0 < 0 && x1 < 0 && x2 < 0) ||
      (y0 < 0 && y1 < 0 && y2 < 0) ||
      (z0 < 0 && z1 < 0 && z2 < 0) ||
      (z0 > w0 && z1 > w1 && z2 > w2) ||
      (x0 > width * w0 && x1 > width * w1 && x2 > width * w2) ||
      (y0 > height * w0 && y1 > height * w1 && y2 > height * w2)
    )
      return;

    const beforeEye = w0 > 0 && w1 > 0 && w2 > 0;
    if (beforeEye) this.#boundProjected(x0 / w0, y0 / w0, x1 / w1, y1 / w1, x2 / w2, y2 / w2);
    else if ((w0 > 0 || z0 < 0) && (w1 > 0 || z1 < 0) && (w2 > 0 || z2 < 0))
      this.#boundCut(x0, y0, z0, w0, x1, y1, z1, w1, x2, y2, z2, w2);
    else this.#boundCut(x0, y0, w0 - z0, w0, x1, y1, w1 - z1, w1, x2, y2, w2 - z2, w2);
    const left = this.#left;
    const right = this.#right;
    const top = this.#top;
    const bottom = this.#bottom;
    if (left > right || top > bottom) return;

    let determinant = measureDeterminant(x0, y0, w0, x1, y1, w1, x2, y2, w2);
    // Rows grow downward, so the determinant of a front face, counter-clockwise with y up, is negative.
    if (determinant === 0 || (determinant < 0 ? cull === CULL_FRONT : cull === CULL_BACK)) return;
    if (determinant < 0) {
      determinant = -determinant;
      let held = x1;
      x1 = x2;
      x2 = held;
      held = y1;
      y1 = y2;
      y2 = held;
      held = z1;
      z1 = z2;
      z2 = held;
      held = w1;
      w1 = w2;
      w2 = held;
    }
    const edges = this.#edges;
    edges.set(0, x1, y1, w1, x2, y2, w2);
    edges.set(1, x2, y2, w2, x0, y0, w0);
    edges.set(2, x0, y0, w0, x1, y1, w1);

    // The corners' weights over w are the edge functions over the determinant; z / w is linear on the screen.
    const f0 = z0 / determinant;
    const f1 = z1 / determinant;
    const f2 = z2 / determinant;
    const depthX = f0 * edges.a(0) + f1 * edges.a(1) + f2 * edges.a(2);
    const depthY = f0 * edges.b(0) + f1 * edges.b(1) + f2 * edges.b(2);
    const depth0 = f0 * edges.c(0) + f1 * edges.c(1) + f2 * edges.c(2) + 0.5 * depthX;

    const clips = !(beforeEye && z0 >= 0 && z1 >= 0 && z2 >= 0 && z0 <= w0 && z1 <= w1 && z2 <= w2);
    const lowest = clips ? 0 : Math.min(z0 / w0, z1 / w1, z2 / w2);
    const highest = clips ? 1 : Math.max(z0 / w0, z1 / w1, z2 / w2);
    let count = spans.count;
    for (let row = top; row <= bottom; row++) {
      edges.cutRow(row, left, right);
      let first = edges.first;
      let last = edges.last;
      if (first > last) continue;
      const rowDepth = depth0 + depthY * (row + 0.5);
      if (clips) {
        // `enter` is the plane that the row meets first from left to right.
        const sign = depthX < 0 ? -1 : 1;
        const enter = depthX < 0 ? 1 : 0;
        const start = Math.ceil((enter - rowDepth) / depthX);
        if (start > first) first = Math.min(start, last);
        while (first > edges.first && sign * (rowDepth + depthX * (first - 1) - enter) >= 0) first--;
        while (first <= last && sign * (rowDepth + depthX * first - enter) < 0) first++;
        const end = Math.floor((1 - enter - rowDepth) / depthX);
        if (end < last) last = Math.max(end, first);
        while (last < edges.last && sign * (rowDepth + depthX * (last + 1) - 1 + enter) <= 0) last++;
        while (last >= first && sign * (rowDepth + depthX * last - 1 + enter) > 0) last--;
        if (first > last) continue;
      }
      const steps = last - first;
      let depth = rowDepth + depthX * first;
      let step = depthX;
      const lastDepth = depth + step * steps;
      if (!(depth >= lowest && depth <= highest && lastDepth >= lowest && lastDepth <= highest)) {
        depth = clamp(depth, lowest, highest);
        step = steps === 0 ? 0 : (clamp(lastDepth, lowest, highest) - depth) / steps;
        // A few steps correct the rounding of the quotient; a constant depth is within the range in any case.
        for (let tries = 0; depth + step * steps < lowest || depth + step * steps > highest; tries++) {
          step *= tries < 64 ? 1 - 2 ** -52 : 0;
        }
      }
      spans.starts[count] = base + row * width + first;
      spans.lengths[count] = steps + 1;
      spans.depths[count] = depth;
      spans.steps[count] = step;
      spans.colors[count++] = color;
    }
    spans.count = count;
  }

  /** The box of pixels whose centers a triangle with these corners can cover. */
  #boundProjected(x0: number, y0: number, x1: number, y1: number, x2: number, y2: number): void {
    this.#left = Math.max(Math.ceil(Math.min(x0, x1, x2) - (0.5 + BOX_SLACK)), 0);
    this.#right = Math.min(Math.floor(Math.max(x0, x1, x2) - (0.5 - BOX_SLACK)), this.#width - 1);
    this.#top = Math.max(Math.ceil(Math.min(y0, y1, y2) - (0.5 + BOX_SLACK)), 0);
    this.#bottom = Math.min(Math.floor(Math.max(y0, y1, y2) - (0.5 - BOX_SLACK)), this.#height - 1);
  }

  /**
   * The same for a triangle that reaches behind the eye: the box of the part where h, the side of the near plane, is not
   * negative: z, or w − z if depth grows toward the eye. If that part still has corners without w > 0, the whole image.
   * Takes scalars, for inner loops.
   */
  #boundCut(
    x0: number,
    y0: number,
    h0: number,
    w0: number,
    x1: number,
    y1: number,
    h1: number,
    w1: number,
    x2: number,
    y2: number,
    h2: number,
    w2: number,
  ): void {
    const width = this.#width;
    const height = this.#height;
    this.#left = width;
    this.#right = -1;
    this.#top = height;
    this.#bottom = -1;
    const large =
      Math.max(Math.abs(x0), Math.abs(x1), Math.abs(x2), Math.abs(y0), Math.abs(y1), Math.abs(y2)) +
      Math.max(width, height) * Math.max(Math.abs(w0), Math.abs(w1), Math.abs(w2));
    if (h0 >= 0) this.#include(x0, y0, w0, large);
    if (h1 >= 0) this.#include(x1, y1, w1, large);
    if (h2 >= 0) this.#include(x2, y2, w2, large);
    if (h0 >= 0 !== h1 >= 0) this.#includeCut(x0, y0, w0, x1, y1, w1, h0 / (h0 - h1), large);
    if (h1 >= 0 !== h2 >= 0) this.#includeCut(x1, y1, w1, x2, y2, w2, h1 / (h1 - h2), large);
    if (h2 >= 0 !== h0 >= 0) this.#includeCut(x2, y2, w2, x0, y0, w0, h2 / (h2 - h0), large);
  }

  /** Takes scalars, for inner loops. */
  #includeCut(
    x0: number,
    y0: number,
    w0: number,
    x1: number,
    y1: number,
    w1: number,
    share: number,
    large: number,
  ): void {
    this.#include(x0 + share * (x1 - x0), y0 + share * (y1 - y0), w0 + share * (w1 - w0), large);
  }

  #include(x: number, y: number, w: number, large: number): void {
    // The corner may be off by a rounding error of the largest coordinate, which matters more the nearer it is to the eye.
    const slack = w > 0 ? BOX_SLACK + (2 ** -48 * large) / w : Infinity;
    if (!(slack < this.#width)) {
      this.#left = 0;
      this.#top = 0;
      this.#right = this.#width - 1;
      this.#bottom = this.#height - 1;
      return;
    }
    this.#left = Math.max(Math.min(this.#left, Math.ceil(x / w - 0.5 - slack)), 0);
    this.#right = Math.min(Math.max(this.#right, Math.floor(x / w - 0.5 + slack)), this.#width - 1);
    this.#top = Math.max(Math.min(this.#top, Math.ceil(y / w - 0.5 - slack)), 0);
    this.#bottom = Math.min(Math.max(this.#bottom, Math.floor(y / w - 0.5 + slack)), this.#height - 1);
  }
}

/** The determinant of three corners (X, Y, w); its sign is exact. Takes scalars, for inner loops. */
function measureDeterminant(
  x0: number,
  y0: number,
  w0: number,
  x1: number,
  y1: number,
  w1: number,
  x2: number,
  y2: number,
  w2: number,
): number {
  const y1w2 = y1 * w2;
  const w1y2 = w1 * y2;
  const w1x2 = w1 * x2;
  const x1w2 = x1 * w2;
  const x1y2 = x1 * y2;
  const y1x2 = y1 * x2;
  const determinant = x0 * (y1w2 - w1y2) + y0 * (w1x2 - x1w2) + w0 * (x1y2 - y1x2);
  const size =
    Math.abs(x0) * (Math.abs(y1w2) + Math.abs(w1y2)) +
    Math.abs(y0) * (Math.abs(w1x2) + Math.abs(x1w2)) +
    Math.abs(w0) * (Math.abs(x1y2) + Math.abs(y1x2));
  if (Math.abs(determinant) > DETERMINANT_ROUNDING * size + UNDERFLOW_BOUND) return determinant;
  return -sideDeterminant(x0, y0, w0, x1, y1, w1, x2, y2, w2, 0, 0, 0);
}

function clamp(value: number, low: number, high: number): number {
  return value > low ? Math.min(value, high) : low; // NaN, of a triangle all but without area, becomes `low`
}
