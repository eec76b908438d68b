// The boundary of a union of convex sums as seen from the origin through the six sides of a cube, by rasterization
// (Kim, Otaduy, Lin and Manocha 2002, sections 4.3 and 5.4). Accelerated: sums that hold the origin are drawn once, sums
// beyond the best distance of earlier views or outside the view are skipped, the rest come nearest first. Otherwise each
// sum is drawn in every pass. The least distance is an upper estimate: features thinner than a pixel are missed.
import { NearfieldError } from '../../core/errors.js';
import type { Rasterizer, RasterTarget } from '../../raster/raster.js';
import { CUBE_AXES } from '../union/cube-views.js';
import { buildWindowGeometry, type WindowGeometry, type WindowSum } from './window-geometry.js';
import { WindowView } from './window-view.js';

export type { WindowSum } from './window-geometry.js';

/** Options of a window query. */
export interface WindowQueryOptions {
  /** Pixels along each side of the six views. */
  readonly resolution: number;
  /** The best depth known; Infinity for none. Farther exits are ignored. */
  readonly bound: number;
  /** Whether to skip what cannot matter (Kim et al. 2002, section 5.4). */
  readonly accelerated: boolean;
  /** Whether whole images are needed: the best of a view then does not bound the next. Default false. */
  readonly wholeImages?: boolean | undefined;
  /** Whether the origin, if no sum contains it, is in a void: one solid is inside the other and no surfaces meet. */
  readonly startsInVoid: boolean;
  /**
   * Whether a point outside all sums is in a void. Rays that leave through FREE or ORIGINAL facets stop where it
   * returns false; without it they always stop.
   */
  readonly isVoid?: ((x: number, y: number, z: number) => boolean) | undefined;
}

/** What the origin sees. Views and pixels are those of cube-views.ts. */
export interface WindowQueryResult {
  /**
   * How far each ray goes before it leaves the union for good: six views of resolution² pixels, row 0 at the top. Infinity
   * if nothing stops it within the bound, which is the least distance of earlier views if the query is accelerated.
   */
  readonly distances: Float32Array;
  /** The code of the facet it leaves through: one more than its index among the facets of all sums; 0 for none. */
  readonly facets: Uint32Array;
  /** The least of the distances, in double precision; Infinity if all are. */
  readonly distance: number;
  /** The position of that pixel: view, pixel of the view, sum and facet of the sum; −1 for none. */
  readonly view: number;
  readonly pixel: number;
  readonly sum: number;
  readonly facet: number;
  /** Passes over the sums, in all views together, and how many sums were drawn in them. */
  readonly passes: number;
  readonly drawn: number;
}

/** Runs window queries on a rasterizer, which the caller owns. */
export class WindowQuery {
  #target: RasterTarget | null = null;

  constructor(readonly rasterizer: Rasterizer) {}

  /**
   * Views the union of the sums from the origin.
   * @throws NearfieldError `bad-argument` for an invalid resolution or bound.
   */
  async run(sums: readonly WindowSum[], options: WindowQueryOptions): Promise<WindowQueryResult> {
    const { resolution, accelerated } = options;
    assertOptions(options);
    const pixels = resolution * resolution;
    const distances = new Float32Array(6 * pixels);
    const facets = new Uint32Array(6 * pixels);
    const geometry = buildWindowGeometry(sums);
    const order = orderSums(sums, geometry, accelerated);
    const around = order.filter((sum) => geometry.isAround[sum] === 1);
    const apart = order.filter((sum) => geometry.isAround[sum] === 0);
    let best = { distance: Infinity, view: -1, pixel: -1, sum: -1, facet: -1 };
    if (around.length === 0 && !options.startsInVoid) {
      // The origin is already outside the union.
      return { ...best, distance: 0, distances, facets, passes: 0, drawn: 0 };
    }
    const target = this.#takeTarget(resolution);
    const triangles = this.rasterizer.createGeometry(geometry.positions, geometry.indices, geometry.colors);
    const { rasterizer } = this;
    const { startsInVoid, isVoid } = options;
    try {
      const scene = { rasterizer, target, sums, geometry, triangles, resolution, accelerated, startsInVoid, isVoid };
      const image = new WindowView(scene);
      let bound = options.bound;
      for (let view = 0; view < 6; view++) {
        const seen = accelerated
          ? apart.filter((sum) => sums[sum].distance <= bound && isInView(geometry.boxes, 6 * sum, view))
          : apart;
        await image.follow(view, bound, around, seen);
        const drawn = around.concat(seen);
        for (let pixel = 0; pixel < pixels; pixel++) {
          // A new least distance is accepted only after the intervals of its ray confirm it.
          if (image.measure(view, pixel, bound) < best.distance) image.confirm(view, pixel, drawn);
          const distance = image.measure(view, pixel, bound);
          const at = view * pixels + pixel;
          distances[at] = distance;
          if (distance === Infinity) continue;
          const code = image.colors[pixel];
          facets[at] = code;
          if (distance >= best.distance) continue;
          const sum = geometry.facetSums[code - 1];
          best = { distance, view, pixel, sum, facet: code - 1 - geometry.facetStart[sum] };
        }
        if (accelerated && !options.wholeImages) bound = Math.min(bound, best.distance);
      }
      return { ...best, distances, facets, passes: image.passes, drawn: image.drawn };
    } finally {
      triangles.destroy();
    }
  }

  /** Frees the images; the query may be run again. */
  destroy(): void {
    this.#target?.destroy();
    this.#target = null;
  }

  #takeTarget(resolution: number): RasterTarget {
    if (this.#target?.width !== resolution) {
      this.destroy();
      this.#target = this.rasterizer.createTarget(resolution, resolution, 1);
    }
    return this.#target!;
  }
}

function assertOptions({ resolution, bound }: WindowQueryOptions): void {
  if (!Number.isInteger(resolution) || resolution < 1) {
    throw new NearfieldError(
      'bad-argument',
      `A view cannot have ${resolution} pixels a side: give a whole number from 1 on.`,
    );
  }
  if (!(bound >= 0)) {
    throw new NearfieldError('bad-argument', `The bound is ${bound}: give the best depth known, or Infinity for none.`);
  }
}

/** The sums that can be drawn: as given, or nearest first, so that most chains of sums are followed in one pass. */
function orderSums(sums: readonly WindowSum[], geometry: WindowGeometry, accelerated: boolean): number[] {
  const order = sums.map((_, i) => i).filter((i) => geometry.isThin[i] === 0);
  return accelerated ? order.sort((i, j) => sums[i].distance - sums[j].distance) : order;
}

/** Whether a box may be seen in a view: it is not wholly outside one of the planes through the eye. */
function isInView(boxes: Float64Array, offset: number, view: number): boolean {
  const axes = CUBE_AXES[view];
  for (let side = 0; side < 4; side++) {
    const lateral = side < 2 ? 3 : 6;
    const sign = side % 2 === 0 ? 1 : -1;
    let most = 0;
    for (let axis = 0; axis < 3; axis++) {
      const slope = axes[axis] + sign * axes[lateral + axis];
      most += slope * boxes[offset + (slope > 0 ? 3 + axis : axis)];
    }
    if (most < 0) return false;
  }
  return true;
}
