// Exact distances per sample. A tile passes on to its quarters the elements that can be nearest to one of its samples;
// the smallest tiles compare what is left at every sample.
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { makeCandidates } from './candidates.js';
import { DistanceBounds } from './distance-bounds.js';
import { exactError, type ImageFrame, sampleCoordinates } from './image-frame.js';
import { TileCandidates } from './tile-candidates.js';
import { TILE_SIDE, TileSamples } from './tile-samples.js';
import type { VoronoiCounters } from './voronoi-image.js';

/** Layout: samples along a side of the smallest tiles. */
const LEAF = TILE_SIDE;

/** Chosen: samples along a side of the tiles between which progress is reported. */
const REPORTED = 32 * LEAF;

/** Fills images; keeps its memory from one to the next. */
export class ExactImageFiller {
  #xs = new Float64Array(0);
  #ys = new Float64Array(0);
  #width = 0;
  #height = 0;
  #maxDistance = Infinity;
  #candidates!: TileCandidates;
  #samples!: TileSamples;
  #bounds!: DistanceBounds;
  #ids = new Int32Array(0);
  #distances = new Float32Array(0);
  #largest = 0;
  #counters!: VoronoiCounters;
  #progress: ProgressOptions | undefined;
  #reported = 0;

  /** Writes every sample to `ids` and `distances`; returns the error of the distances. */
  fill(
    frame: ImageFrame,
    ids: Int32Array<ArrayBuffer>,
    distances: Float32Array<ArrayBuffer>,
    counters: VoronoiCounters,
    progress?: ProgressOptions,
  ): number {
    const { width, height, box, spacing } = frame;
    this.#xs = sampleCoordinates(box[0], spacing[0], width);
    this.#ys = sampleCoordinates(box[1], spacing[1], height);
    this.#width = width;
    this.#height = height;
    this.#maxDistance = frame.maxDistance;
    const candidates = makeCandidates(frame.elements, box);
    this.#candidates = new TileCandidates(candidates, frame.maxDistance, counters);
    this.#samples = new TileSamples(candidates, this.#xs, this.#ys);
    this.#ids = ids;
    this.#distances = distances;
    this.#largest = 0;
    this.#counters = counters;
    this.#progress = progress;
    this.#reported = 0;
    const { count } = candidates;
    counters.elements = count;
    let side = LEAF;
    while (side < width || side < height) side *= 2;
    this.#bounds = new DistanceBounds(candidates, this.#xs, this.#ys, side, LEAF);
    reportProgress(progress, 0, 'nearest sites');
    this.#fillTile(0, 0, side, 0, count);
    reportProgress(progress, 1, 'nearest sites');
    return exactError(frame, this.#largest);
  }

  #fillTile(left: number, top: number, side: number, first: number, end: number): void {
    const right = Math.min(left + side, this.#width);
    const bottom = Math.min(top + side, this.#height);
    if (side === REPORTED) {
      reportProgress(this.#progress, this.#reported / (this.#width * this.#height), 'nearest sites');
      this.#reported += (right - left) * (bottom - top);
    }
    const x = (this.#xs[left] + this.#xs[right - 1]) / 2;
    const y = (this.#ys[top] + this.#ys[bottom - 1]) / 2;
    const bound = side >= this.#bounds.smallest ? this.#bounds.of(left, top, side) : Infinity;
    const halfX = this.#xs[right - 1] - x;
    const halfY = this.#ys[bottom - 1] - y;
    const keptEnd = this.#candidates.keep(first, end, x, y, halfX, halfY, bound);
    if (side === LEAF || (keptEnd - end <= 1 && side <= REPORTED)) {
      for (let y = top; y < bottom; y += LEAF) {
        for (let x = left; x < right; x += LEAF) {
          this.#compare(x, y, Math.min(x + LEAF, right), Math.min(y + LEAF, bottom), end, keptEnd);
        }
      }
      return;
    }
    const half = side / 2;
    for (let y = top; y < bottom; y += half) {
      for (let x = left; x < right; x += half) this.#fillTile(x, y, half, end, keptEnd);
    }
  }

  /** Compares the candidates at every sample of a tile. */
  #compare(left: number, top: number, right: number, bottom: number, first: number, end: number): void {
    const samples = this.#samples;
    const { lists, forms, nearX, nearY } = this.#candidates.tile;
    this.#counters.distances += (right - left) * (bottom - top) * (end - first);
    samples.begin(left, top, right, bottom);
    for (let i = first; i < end; i++) samples.add(lists[i], forms[i], nearX[i], nearY[i]);
    const largest = samples.write(this.#ids, this.#distances, this.#width, this.#maxDistance);
    if (largest > this.#largest) this.#largest = largest;
  }
}
