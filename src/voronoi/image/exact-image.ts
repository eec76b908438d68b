// Exact distances per sample. A tile passes on to its quarters the elements that can be nearest to one of its samples,
// by the distance from its center and half its diagonal; the smallest tiles compare what is left at every sample.
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { type Candidates, distanceSquared, makeCandidates } from './candidates.js';
import { exactError, type ImageFrame, sampleCoordinates } from './image-frame.js';
import type { VoronoiCounters } from './voronoi-image.js';

/** Samples along a side of the smallest tiles. */
const LEAF = 8;

/** Fills images; keeps its memory from one to the next. */
export class ExactImageFiller {
  /** Lists of candidates, those of a tile after those of the tile it is part of. */
  #lists = new Int32Array(1024);
  #centerDistances = new Float64Array(1024);
  #xs = new Float64Array(0);
  #ys = new Float64Array(0);
  #width = 0;
  #height = 0;
  #maxDistance = Infinity;
  #candidates!: Candidates;
  #ids = new Int32Array(0);
  #distances = new Float32Array(0);
  #largest = 0;
  #counters!: VoronoiCounters;

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
    this.#candidates = makeCandidates(frame.elements, Math.max(...box.map(Math.abs)));
    this.#ids = ids;
    this.#distances = distances;
    this.#largest = 0;
    this.#counters = counters;
    const { count } = this.#candidates;
    counters.elements = count;
    this.#reserve(count);
    for (let i = 0; i < count; i++) this.#lists[i] = i;
    let side = LEAF;
    while (side < width || side < height) side *= 2;
    reportProgress(progress, 0, 'nearest sites');
    this.#fillTile(0, 0, side, 0, count);
    reportProgress(progress, 1, 'nearest sites');
    return exactError(frame, this.#largest);
  }

  #reserve(count: number): void {
    if (this.#lists.length >= count) return;
    const lists = new Int32Array(2 * count);
    lists.set(this.#lists);
    this.#lists = lists;
    const centerDistances = new Float64Array(2 * count);
    this.#centerDistances = centerDistances;
  }

  #fillTile(left: number, top: number, side: number, first: number, end: number): void {
    const right = Math.min(left + side, this.#width);
    const bottom = Math.min(top + side, this.#height);
    const keptEnd = this.#keepNearest(left, top, right, bottom, first, end);
    if (side === LEAF || keptEnd - end <= 1) {
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

  /** Adds those of the list from `first` to `end` that can be nearest in the tile behind it; returns where they end. */
  #keepNearest(left: number, top: number, right: number, bottom: number, first: number, end: number): number {
    const candidates = this.#candidates;
    const { weights, offsets, slack } = candidates;
    this.#counters.tiles++;
    this.#counters.candidates += end - first;
    this.#reserve(2 * end - first);
    const lists = this.#lists;
    const values = this.#centerDistances;
    const x = (this.#xs[left] + this.#xs[right - 1]) / 2;
    const y = (this.#ys[top] + this.#ys[bottom - 1]) / 2;
    const radius = Math.hypot(this.#xs[right - 1] - x, this.#ys[bottom - 1] - y);
    let least = this.#maxDistance;
    for (let i = first; i < end; i++) {
      const element = lists[i];
      const distance = Math.sqrt(distanceSquared(candidates, element, x, y));
      values[i] = distance;
      const most = (distance + radius + slack[element]) / weights[element] - offsets[element];
      if (most < least) least = most;
    }
    let kept = end;
    for (let i = first; i < end; i++) {
      const element = lists[i];
      if ((values[i] - radius - slack[element]) / weights[element] - offsets[element] <= least) lists[kept++] = element;
    }
    return kept;
  }

  /** Compares the candidates at every sample of a tile. */
  #compare(left: number, top: number, right: number, bottom: number, first: number, end: number): void {
    const candidates = this.#candidates;
    const { weights, offsets, site } = candidates;
    const lists = this.#lists;
    this.#counters.distances += (right - left) * (bottom - top) * (end - first);
    for (let row = top; row < bottom; row++) {
      for (let column = left; column < right; column++) {
        let nearest = -1;
        let least = Infinity;
        for (let i = first; i < end; i++) {
          const element = lists[i];
          const distance = Math.sqrt(distanceSquared(candidates, element, this.#xs[column], this.#ys[row]));
          const value = distance / weights[element] - offsets[element];
          if (value < least) {
            least = value;
            nearest = element;
          }
        }
        if (least > this.#maxDistance) nearest = -1;
        const sample = row * this.#width + column;
        this.#ids[sample] = nearest < 0 ? -1 : site[nearest];
        this.#distances[sample] = nearest < 0 ? Infinity : least;
        if (nearest >= 0) this.#largest = Math.max(this.#largest, Math.abs(least));
      }
    }
  }
}
