// Runs of pixels that triangles cover, in the order of the triangles. The list separates finding pixels from testing
// them, so that each is one tight loop over flat arrays.

/** Chosen: spans that are filled at once, plus those of one more triangle. */
export const SPAN_BATCH = 1024;

/** A growing list of spans; reserve room before filling it. */
export class SpanList {
  count = 0;
  /** Index of a span's first pixel in the images, and its number of pixels, to the right. */
  starts = new Int32Array(0);
  lengths = new Int32Array(0);
  /** Depth at the first pixel's center, and the increment per pixel. */
  depths = new Float64Array(0);
  steps = new Float64Array(0);
  colors = new Uint32Array(0);

  /** Empties the list and gives it room for that many spans. */
  reset(capacity: number): void {
    this.count = 0;
    if (this.starts.length >= capacity) return;
    this.starts = new Int32Array(capacity);
    this.lengths = new Int32Array(capacity);
    this.depths = new Float64Array(capacity);
    this.steps = new Float64Array(capacity);
    this.colors = new Uint32Array(capacity);
  }

  get capacity(): number {
    return this.starts.length;
  }
}
