// Fills spans into the images: stencil test, depth test in single precision, writes. One loop for each kind of state
// that takes most of the time, and one for all others; the pixels of a span are independent, spans come in order.
import { ALWAYS, EQUAL, GREATER, LESS, type PixelTests } from './pixel-tests.js';
import type { SpanList } from './span-list.js';

/** The images that spans are filled into: all views one after the other. */
export interface Images {
  readonly color: Uint32Array;
  readonly depth: Float32Array;
  readonly stencil: Uint8Array;
}

/** Chosen: spans of this many pixels or more are filled faster by the engine's `fill` than by a loop. */
const LONG_SPAN = 32;

/** Tests and writes every pixel of every span. */
export function fillSpans(images: Images, spans: SpanList, tests: PixelTests): void {
  const { depthPasses, stencilKept, stencilConstant } = tests;
  if (stencilKept && tests.depthWrite && (depthPasses === LESS || depthPasses === GREATER)) {
    const sign = depthPasses === LESS ? 1 : -1;
    if (tests.stencilIdle) fillExtreme(images, spans, sign, tests.colorWrite);
    else fillExtremeWithin(images, spans, sign, tests.colorWrite, tests.stencilPasses);
  } else if (tests.stencilOnly && stencilConstant >= 0) {
    if (depthPasses === ALWAYS) replaceStencil(images, spans, stencilConstant);
    else markStencil(images, spans, depthPasses, stencilConstant);
  } else {
    fillTested(images, spans, tests);
  }
}

/** Depth 'less' (sign 1) or 'greater' (sign −1), written, without stencil. */
function fillExtreme(images: Images, spans: SpanList, sign: number, colorWrite: boolean): void {
  const { color, depth } = images;
  const { starts, lengths, depths, steps, colors, count } = spans;
  for (let span = 0; span < count; span++) {
    const start = starts[span];
    const length = lengths[span];
    const from = depths[span];
    const step = steps[span];
    const paint = colors[span];
    for (let i = 0; i < length; i++) {
      const value = Math.fround(from + step * i);
      if (sign * value < sign * depth[start + i]) {
        depth[start + i] = value;
        if (colorWrite) color[start + i] = paint;
      }
    }
  }
}

/** The same where the stencil test passes; the stencil does not change. */
function fillExtremeWithin(
  images: Images,
  spans: SpanList,
  sign: number,
  colorWrite: boolean,
  stencilPasses: Uint8Array,
): void {
  const { color, depth, stencil } = images;
  const { starts, lengths, depths, steps, colors, count } = spans;
  for (let span = 0; span < count; span++) {
    const start = starts[span];
    const length = lengths[span];
    const from = depths[span];
    const step = steps[span];
    const paint = colors[span];
    for (let i = 0; i < length; i++) {
      if (stencilPasses[stencil[start + i]] === 0) continue;
      const value = Math.fround(from + step * i);
      if (sign * value < sign * depth[start + i]) {
        depth[start + i] = value;
        if (colorWrite) color[start + i] = paint;
      }
    }
  }
}

/** Only the stencil, one value for all, whatever the depth. */
function replaceStencil(images: Images, spans: SpanList, value: number): void {
  const { stencil } = images;
  const { starts, lengths, count } = spans;
  for (let span = 0; span < count; span++) {
    const start = starts[span];
    const end = start + lengths[span];
    if (lengths[span] >= LONG_SPAN) stencil.fill(value, start, end);
    else for (let pixel = start; pixel < end; pixel++) stencil[pixel] = value;
  }
}

/** Only the stencil, one value for all that pass the depth test. */
function markStencil(images: Images, spans: SpanList, depthPasses: number, mark: number): void {
  const { depth, stencil } = images;
  const { starts, lengths, depths, steps, count } = spans;
  const less = (depthPasses & LESS) !== 0;
  const equal = (depthPasses & EQUAL) !== 0;
  const greater = (depthPasses & GREATER) !== 0;
  for (let span = 0; span < count; span++) {
    const start = starts[span];
    const length = lengths[span];
    const from = depths[span];
    const step = steps[span];
    for (let i = 0; i < length; i++) {
      const value = Math.fround(from + step * i);
      const old = depth[start + i];
      if (value < old ? less : value > old ? greater : equal) stencil[start + i] = mark;
    }
  }
}

/** Any state. */
function fillTested(images: Images, spans: SpanList, tests: PixelTests): void {
  const { color, depth, stencil } = images;
  const { starts, lengths, depths, steps, colors, count } = spans;
  const { depthPasses, depthWrite, colorWrite, stencilPasses, afterFail, afterDepthFail, afterPass } = tests;
  const less = (depthPasses & LESS) !== 0;
  const equal = (depthPasses & EQUAL) !== 0;
  const greater = (depthPasses & GREATER) !== 0;
  for (let span = 0; span < count; span++) {
    const start = starts[span];
    const length = lengths[span];
    const from = depths[span];
    const step = steps[span];
    const paint = colors[span];
    for (let i = 0; i < length; i++) {
      const pixel = start + i;
      const stored = stencil[pixel];
      if (stencilPasses[stored] === 0) {
        stencil[pixel] = afterFail[stored];
        continue;
      }
      const value = Math.fround(from + step * i);
      const old = depth[pixel];
      if (value < old ? less : value > old ? greater : equal) {
        stencil[pixel] = afterPass[stored];
        if (depthWrite) depth[pixel] = value;
        if (colorWrite) color[pixel] = paint;
      } else {
        stencil[pixel] = afterDepthFail[stored];
      }
    }
  }
}
