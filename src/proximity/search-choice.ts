// Which search answers a query: a choice among several that a pair keeps (pair-searches.ts), or always boxes, which is
// what stateless calls load.
import type { BoxKernel } from './boxes/box-kernel.js';
import { RootSearch } from './boxes/root-search.js';
import { BOX_KERNEL } from './model-parts.js';
import type { BoundingVolume } from './options.js';
import type { ProximityModel } from './proximity-model.js';
import type { SurfaceSearch } from './surface-search.js';

/** The searches of one pair of models, and the choice among them. */
export interface SearchChoice {
  /** The bounding volume in use now. */
  readonly volume: BoundingVolume;
  /** Bytes of all searches. */
  readonly bytes: number;
  /** The search for the next query, which tests for an intersection (`crossing`) or for something near. */
  take(crossing: boolean, placement: Float64Array): SurfaceSearch;
  /** How far any point of B may have moved in A's frame since the last query of the chosen search. */
  move(placement: Float64Array): number;
  /** Records the answer of the query: whether the models met. */
  record(met: boolean): void;
  /** Forgets what the searches remember. */
  reset(): void;
}

/** One search over boxes that remembers nothing. */
export class ForgetfulBoxes implements SearchChoice {
  readonly volume = 'boxes';
  readonly #search: RootSearch;

  /** @param kernel the kernel of A, or one that serves many models. */
  constructor(a: ProximityModel, b: ProximityModel, kernel: BoxKernel = a.parts.get(BOX_KERNEL)) {
    this.#search = new RootSearch(a.boxes, b.boxes, kernel);
  }

  get bytes(): number {
    return this.#search.bytes;
  }

  take(): SurfaceSearch {
    return this.#search;
  }

  move(): number {
    return Infinity;
  }

  record(): void {}

  reset(): void {
    this.#search.reset();
  }
}
