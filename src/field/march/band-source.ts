// The band that a march starts from, for the whole grid or for boxes of it: a surface whose band is computed on demand,
// or a band that was computed before.
import { NearfieldError } from '../../core/errors.js';
import type { FieldOptions } from '../distance-field.js';
import { FIELD_DEFAULTS } from '../field-options.js';
import { allNodes, type GridFrame, gridNodeCount, type NodeBox } from '../grid.js';
import type { Surface } from '../source/surface.js';
import { addBorderSeeds, leavesGrid } from './grid-border.js';
import { fillExactBand, fillTriangleBoxBand } from './surface-band.js';

/** Where a march starts. Every grid edge that crosses the surface has both ends in the band, so that no march leaks through. */
export interface BandSource {
  /**
   * Whether the sides change only at the band. The winding number of an open surface also jumps elsewhere, where |T| is
   * smooth: a march from it has no sides.
   */
  readonly closed: boolean;
  /** Fills the nodes of a box, by node of the grid: 1 inside, 0 outside. */
  fillInside(box: NodeBox, inside: Uint8Array): void;
  /** Fills the nodes of a box with unsigned times, Infinity or NaN beyond the band; returns the number of distances computed. */
  fillTimes(box: NodeBox, times: Float64Array): number;
}

/** The band of a mesh or polygon, according to the options of fast marching. */
export class SurfaceBand implements BandSource {
  readonly surface: Surface;
  /** How far from a triangle, or from its box, the triangle affects what the march starts from; a length. */
  readonly reach: number;
  readonly #frame: GridFrame;
  readonly #speed: Float64Array | undefined;
  /** `null` for the band 'triangle-boxes'. */
  readonly #width: number | null;
  readonly #leavesGrid: boolean;

  /** @throws NearfieldError `bad-argument` if there is a speed and the surface leaves the grid. */
  constructor(surface: Surface, frame: GridFrame, { band, bandWidth, order = 2, speed }: FieldOptions) {
    this.surface = surface;
    this.#frame = frame;
    this.#speed = speed;
    this.#leavesGrid = leavesGrid(surface, frame);
    if (this.#leavesGrid && speed !== undefined) {
      throw new NearfieldError(
        'bad-argument',
        'The surface leaves the box of the grid, and the speed beyond it is not known; make the box larger.',
      );
    }
    this.#width = band === 'triangle-boxes' ? null : exactBandWidth({ bandWidth, speed }) * frame.spacing;
    // An offer also depends on the seeds next to it, within a stencil.
    this.reach = this.#width ?? (1 + order) * frame.spacing;
  }

  get closed(): boolean {
    return this.surface.closed;
  }

  fillInside(box: NodeBox, inside: Uint8Array): void {
    this.surface.fillInside(this.#frame, box, inside);
  }

  fillTimes(box: NodeBox, times: Float64Array): number {
    const { surface } = this;
    const frame = this.#frame;
    const speed = this.#speed;
    let computed =
      this.#width === null
        ? fillTriangleBoxBand(surface, frame, box, times)
        : fillExactBand(surface, frame, this.#width, box, times);
    // A front from beyond the grid enters through its border, which gets exact distances.
    if (this.#leavesGrid) computed += addBorderSeeds(surface, frame, box, times);
    if (speed === undefined) return computed;
    const [nx, ny] = frame.size;
    for (let k = box.min[2]; k <= box.max[2]; k++) {
      for (let j = box.min[1]; j <= box.max[1]; j++) {
        const row = nx * (j + ny * k);
        for (let at = row + box.min[0]; at <= row + box.max[0]; at++) times[at] /= speed[at];
      }
    }
    return computed;
  }
}

/** The half width of the exact band, in spacings. */
export function exactBandWidth({ bandWidth, speed }: FieldOptions): number {
  return bandWidth ?? (speed === undefined ? FIELD_DEFAULTS.bandWidth : FIELD_DEFAULTS.bandWidthWithSpeed);
}

/** A known band of the whole grid; for marches over all nodes. */
export class KnownBand implements BandSource {
  readonly closed = true;
  /** The number of distances computed. */
  readonly computed: number;
  readonly #times: Float64Array;

  /** @param times By node, negative inside; −Infinity is beyond the band inside, Infinity and NaN beyond it outside. */
  constructor(times: Float64Array, computed = 0) {
    this.#times = times;
    this.computed = computed;
  }

  /** Computes the band of another source for all nodes. */
  static of(source: BandSource, frame: GridFrame): KnownBand {
    const times = new Float64Array(gridNodeCount(frame));
    const inside = new Uint8Array(times.length);
    source.fillInside(allNodes(frame), inside);
    const computed = source.fillTimes(allNodes(frame), times);
    for (let node = 0; node < times.length; node++) if (inside[node] === 1) times[node] = -times[node];
    return new KnownBand(times, computed);
  }

  fillInside(_: NodeBox, inside: Uint8Array): void {
    const times = this.#times;
    for (let node = 0; node < times.length; node++) inside[node] = times[node] < 0 ? 1 : 0;
  }

  fillTimes(_: NodeBox, times: Float64Array): number {
    const known = this.#times;
    for (let node = 0; node < known.length; node++) times[node] = Math.abs(known[node]);
    return 0;
  }
}
