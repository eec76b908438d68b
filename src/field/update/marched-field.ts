// A marched field that follows a deforming surface: finds what moved, marches only boxes of nodes around it again, and
// joins these to the rest or recomputes everything (Fisher and Lin 2001, section 4.4). Seeds depend on the triangles
// near them, signs on what swept over a node, both inside the boxes of what moved; the other times are solutions of
// local equations, which the join checks. O(m log m) for the m nodes in the boxes and one pass over all.

import { type Box, isEmpty } from '../../core/box.js';
import { NearfieldError } from '../../core/errors.js';
import type { ProgressOptions } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { Polygon } from '../../mesh/polygon/polygon.js';
import { findEqualVertices } from '../../mesh/topology/coincident-vertices.js';
import {
  type DistanceField,
  FIELD_OPTIONS,
  type FieldCounters,
  type FieldError,
  type FieldOptions,
} from '../distance-field.js';
import { sampleFieldError, UNKNOWN_ERROR } from '../field-error.js';
import { FIELD_DEFAULTS } from '../field-options.js';
import { allNodes, assertGridFrame, type GridFrame, type NodeBox, nodesInBox } from '../grid.js';
import { SurfaceBand } from '../march/band-source.js';
import { BoxMarch } from '../march/box-march.js';
import { leavesGrid } from '../march/grid-border.js';
import { assertMarchOptions, assertSource, boxMarchOptions } from '../march/march-options.js';
import { type Surface, surfaceOf } from '../source/surface.js';
import { findAffectedNodes, mergeNodeBoxes, nodesOfBox, uniteNodeBoxes } from './affected-nodes.js';
import {
  checkUpdateOptions,
  type FieldUpdate,
  type RecomputeReason,
  type UpdateOptions,
  type UpdateSettings,
} from './field-update.js';
import { blendLayers, findBorder, measureDiscontinuity, spreadChanges } from './join-field.js';
import { coverBoxes, findMovedTriangles, type MovedTriangles } from './moved-boxes.js';

export type { FieldUpdate, RecomputeReason, UpdateOptions } from './field-update.js';

/**
 * Chosen: margin around what can have changed, in spacings: differences reach about that far past
 * where fronts meet.
 */
const SEEP = 0.5;
/**
 * Chosen: the number of boxes around what moved, from which the boxes to recompute are made: more are tighter and
 * costlier.
 */
const FINE_BOXES = 64;
/** Chosen: boxes with more than this share of the nodes are not cheaper than the whole grid. */
const MAX_BOX_SHARE = 0.8;
/** Chosen: more changes past the borders than this share of the grid's nodes are not cheaper than recomputing all. */
const SPREAD_SHARE = 0.5;
/**
 * Measured on 250 random updates: the same at second order, where each change costs more, and changes that propagate
 * far differ from those of a march. With half of the nodes, 1 of 250 updates was off by more than 0.005 spacings, the
 * worst by 0.05.
 */
const SECOND_ORDER_SPREAD_SHARE = 0.1;
/** Rounding: room around triangles that moved, in spacings; it includes that of `scatterBand`. */
const MOVED_ROOM = 1e-6;

/** A distance field by fast marching that can be updated where its surface moves. */
export class MarchedField {
  readonly #options: FieldOptions;
  readonly #march: BoxMarch;
  readonly #field: LiveField;
  #source: Mesh | Polygon;
  #band: SurfaceBand;
  /** Differences that updates left at borders since the last full computation; a time. */
  #accumulated = 0;
  /** False after a computation was stopped midway. */
  #complete = false;
  /** Whether an update mixed old and new values since the last full computation. */
  #blended = false;

  /**
   * Computes the whole field, as `marchField` does. The source is copied.
   * @throws NearfieldError as `marchField` does; `unsupported` for the band 'triangle-boxes' on both sides, which needs two marches.
   */
  constructor(source: Mesh | Polygon, frame: GridFrame, options: FieldOptions = {}) {
    FIELD_OPTIONS.assert(options);
    if (options.band === 'triangle-boxes' && (options.sides ?? 'both') === 'both') {
      throw new NearfieldError(
        'unsupported',
        "A field that is updated supports the band 'triangle-boxes' on one side only; give sides 'inside' or 'outside'.",
      );
    }
    assertGridFrame(frame);
    assertMarchOptions(source, frame, options);
    this.#options = { ...options, speed: options.speed?.slice() };
    this.#source = copySource(source);
    this.#band = new SurfaceBand(surfaceOf(this.#source, frame), frame, this.#options);
    this.#march = new BoxMarch(frame, boxMarchOptions(this.#options));
    this.#field = new LiveField(this.#march, this.#options);
    this.#computeAll(options);
  }

  /**
   * The current field: a live view, whose values the next update overwrites. Its `error` is sampled when read; its
   * counters are the sums over all computations.
   */
  get field(): DistanceField {
    return this.#field;
  }

  /** A copy of the current field. */
  snapshot(): DistanceField {
    const { origin, spacing, size, values, method, backend, signed, closed, error, nearest, counters } = this.#field;
    return {
      ...{ origin, spacing, size, method, backend, signed, closed, error, nearest },
      values: values.slice(),
      counters: { ...counters },
    };
  }

  /**
   * Updates the field to a new state of the surface. Unless the result is 'blended', it has the values of a new
   * computation: at first order up to `continuityTolerance` per node. Second order depends on the order of acceptance,
   * which boxes change: of 1,000 random updates the worst was 0.02 spacings off, 99 of 100 less than 0.001.
   * @throws NearfieldError for a bad mesh, boxes that are not numbers and options out of range: the field stays as it
   * was. `aborted`: the next update recomputes everything.
   */
  update(source: Mesh | Polygon, options: UpdateOptions = {}): FieldUpdate {
    const settings = checkUpdateOptions(options);
    const march = this.#march;
    const given = options.boxes?.map((box) => nodesOfGivenBox(march.frame, box)).filter((box) => nodesOfBox(box) > 0);
    assertSource(source);
    const next = copySource(source);
    const band = new SurfaceBand(surfaceOf(next, march.frame), march.frame, this.#options);
    const { surface } = band;
    const { counters } = march.state.marching;
    const before = { ...counters };
    const reason = this.#reasonAgainstBoxes(next, surface);
    const moved = reason === null ? findMovedTriangles(this.#band.surface.triangles, surface.triangles) : null;
    this.#source = next;
    this.#band = band;
    const partial = moved === null ? { reason, discontinuity: 0 } : this.#updateBoxes(moved, given, settings, options);
    if ('status' in partial) {
      this.#field.surface = surface;
      return { ...partial, reason: null, counters: subtractCounters(counters, before) };
    }
    this.#computeAll(options);
    return {
      status: 'recomputed',
      boxes: [allNodes(march.frame)],
      nodes: march.values.length,
      spread: 0,
      ...partial,
      counters: subtractCounters(counters, before),
    };
  }

  #computeAll(progress: ProgressOptions): void {
    this.#complete = false;
    this.#march.computeAll(this.#band, progress);
    this.#complete = true;
    this.#accumulated = 0;
    this.#blended = false;
    this.#field.surface = this.#band.surface;
  }

  /** The reason why boxes cannot be used for a new surface, or null. */
  #reasonAgainstBoxes(source: Mesh | Polygon, surface: Surface): RecomputeReason | null {
    const { sign = 'winding', sides = 'both' } = this.#options;
    const frame = this.#march.frame;
    if (!this.#complete) return 'incomplete';
    if (!hasSameConnectivity(this.#source, source)) return 'connectivity';
    if (this.#options.speed !== undefined && this.#march.state.order === 2) return 'speed';
    if (leavesGrid(this.#band.surface, frame) || leavesGrid(surface, frame)) return 'leaves-grid';
    if (this.#band.closed !== surface.closed) return 'open';
    return surface.closed || (sign === 'none' && sides === 'both') ? null : 'open';
  }

  /** Computes boxes and joins them, or returns why everything must be recomputed. */
  #updateBoxes(
    moved: MovedTriangles,
    given: NodeBox[] | undefined,
    settings: UpdateSettings,
    progress: ProgressOptions,
  ): JoinedBoxes | { reason: RecomputeReason; discontinuity: number } {
    const march = this.#march;
    if (moved.triangles.length === 0) {
      return { status: 'unchanged', boxes: [], nodes: 0, spread: 0, discontinuity: 0 };
    }
    const boxes = given ?? this.#boxesAround(moved, settings.maxBoxes);
    try {
      const nodes = march.mark(boxes);
      if (given !== undefined && !this.#isMovedMarked(moved)) return { reason: 'moved-outside', discontinuity: 0 };
      if (nodes > MAX_BOX_SHARE * march.values.length) return { reason: 'most-nodes', discontinuity: 0 };
      this.#complete = false;
      const apart = settings.border === 'nothing';
      const old = settings.join === 'blend' ? boxes.map((box) => march.valuesIn(box)) : [];
      const border = findBorder(march.state, boxes, apart);
      march.compute(this.#band, boxes, apart, progress);
      const discontinuity = measureDiscontinuity(march.state, border);
      const spacing = march.frame.spacing;
      const most = settings.blendTolerance * spacing;
      const least = settings.continuityTolerance * spacing;
      if (!(discontinuity <= most)) return { reason: 'discontinuous', discontinuity };
      let spread = 0;
      if (discontinuity <= least) {
        this.#accumulated += discontinuity;
      } else if (settings.join === 'spread') {
        this.#accumulated += least;
        const changed = spreadChanges(march.state, border, least, this.#spreadLimit());
        if (changed === null) return { reason: 'discontinuous', discontinuity };
        march.readNodes(changed);
        spread = changed.length;
      } else {
        this.#accumulated += discontinuity;
        this.#blended = true;
        blendLayers(march.state, boxes, march.values, old, settings.blendLayers);
      }
      if (this.#accumulated > most) return { reason: 'accumulated', discontinuity };
      this.#complete = true;
      return { status: this.#blended ? 'blended' : 'joined', boxes, nodes, spread, discontinuity };
    } finally {
      march.unmark(boxes);
    }
  }

  /** The most changes past the borders; second-order residues must not propagate far. */
  #spreadLimit(): number {
    const share = this.#march.state.order === 1 ? SPREAD_SHARE : SECOND_ORDER_SPREAD_SHARE;
    return share * this.#march.values.length;
  }

  /** How far from a triangle the band can change, with room for rounding. */
  get #reach(): number {
    return this.#band.reach + MOVED_ROOM * this.#march.frame.spacing;
  }

  /** Boxes of nodes around everything that can have changed. */
  #boxesAround(moved: MovedTriangles, maxBoxes: number): NodeBox[] {
    const { frame, values, state } = this.#march;
    const { speed } = this.#options;
    const fastest = speed === undefined ? 1 : speed.reduce((a, b) => Math.max(a, b), 0);
    // Without a margin, boxes in the plane, which have no volume, would never be cut.
    const margin = SEEP * frame.spacing;
    const parts = moved.triangles.length > FINE_BOXES ? coverBoxes(moved.boxes, FINE_BOXES, margin) : moved.boxes;
    const cover = coverBoxes(parts, maxBoxes, this.#reach);
    const boxes: NodeBox[] = [];
    for (let o = 0; o < cover.length; o += 6) {
      const affected = findAffectedNodes(frame, values, {
        boxes: boxesWithin(parts, cover, o),
        fastest,
        limit: state.maxTime,
        margin,
      });
      boxes.push(uniteNodeBoxes(affected, nodesInBox(frame, boxAt(cover, o), this.#reach)));
    }
    return mergeNodeBoxes(boxes);
  }

  /** Whether all nodes whose band or sign a moved triangle can have changed are marked. */
  #isMovedMarked({ boxes }: MovedTriangles): boolean {
    const march = this.#march;
    for (let o = 0; o < boxes.length; o += 6) {
      if (!march.isMarked(nodesInBox(march.frame, boxAt(boxes, o), this.#reach))) return false;
    }
    return true;
  }
}

type JoinedBoxes = Omit<FieldUpdate, 'reason' | 'counters'>;

/** The values of a march as a field; the error is sampled on first use. */
class LiveField implements DistanceField {
  readonly origin;
  readonly spacing;
  readonly size;
  readonly values;
  readonly method = 'fast-marching';
  readonly backend = 'cpu';
  readonly signed: boolean;
  readonly nearest = null;
  readonly counters: FieldCounters;
  readonly #options: FieldOptions;
  #surface: Surface | null = null;
  #error: FieldError | null = null;

  constructor(march: BoxMarch, options: FieldOptions) {
    this.origin = march.frame.origin;
    this.spacing = march.frame.spacing;
    this.size = march.frame.size;
    this.values = march.values;
    this.signed = options.sign !== 'none';
    this.counters = march.state.marching.counters;
    this.#options = options;
  }

  /** The surface that the values now belong to. */
  set surface(surface: Surface) {
    this.#surface = surface;
    this.#error = null;
  }

  get closed(): boolean {
    return this.#surface?.closed ?? false;
  }

  get error(): FieldError {
    return (this.#error ??= this.#sampleError());
  }

  #sampleError(): FieldError {
    const { speed, errorSamples = FIELD_DEFAULTS.errorSamples } = this.#options;
    if (speed !== undefined || this.#surface === null) return UNKNOWN_ERROR;
    return sampleFieldError(this.#surface, this, errorSamples);
  }
}

function nodesOfGivenBox(frame: GridFrame, box: Box): NodeBox {
  const ends = [box?.min, box?.max];
  if (!ends.every((end) => end?.length === 3 && end.every((x) => typeof x === 'number' && !Number.isNaN(x)))) {
    throw new NearfieldError(
      'bad-argument',
      `A box of the update goes from (${box?.min}) to (${box?.max}); give three numbers for each end.`,
    );
  }
  return isEmpty(box) ? { min: [0, 0, 0], max: [-1, -1, -1] } : nodesInBox(frame, box);
}

/** The boxes that lie in the cover's box at `o`. */
function boxesWithin(boxes: Float64Array, cover: Float64Array, o: number): Float64Array {
  const within: number[] = [];
  for (let b = 0; b < boxes.length; b += 6) {
    const isWithin = [0, 1, 2].every((a) => cover[o + a] <= boxes[b + a] && boxes[b + 3 + a] <= cover[o + 3 + a]);
    if (isWithin) within.push(...boxes.subarray(b, b + 6));
  }
  return Float64Array.from(within);
}

function boxAt(boxes: Float64Array, o: number): Box {
  return { min: [boxes[o], boxes[o + 1], boxes[o + 2]], max: [boxes[o + 3], boxes[o + 4], boxes[o + 5]] };
}

function copySource(source: Mesh | Polygon): Mesh | Polygon {
  // `surfaceOf` rejects anything else.
  if ('rings' in source) {
    const isCopied = Array.isArray(source.rings) && source.rings.every((ring) => ring instanceof Float64Array);
    return isCopied ? { rings: source.rings.map((ring) => ring.slice()) } : source;
  }
  if (!(source.positions instanceof Float64Array && source.indices instanceof Uint32Array)) return source;
  return { positions: source.positions.slice(), indices: source.indices.slice() };
}

/** Whether two sources have the same triangles or edges, wherever their corners are. */
function hasSameConnectivity(a: Mesh | Polygon, b: Mesh | Polygon): boolean {
  if ('rings' in a || 'rings' in b) {
    if (!('rings' in a && 'rings' in b) || a.rings.length !== b.rings.length) return false;
    return a.rings.every((ring, r) => ring.length === b.rings[r].length);
  }
  if (a.positions.length !== b.positions.length || a.indices.length !== b.indices.length) return false;
  for (let i = 0; i < a.indices.length; i++) if (a.indices[i] !== b.indices[i]) return false;
  // Triangles may be joined only by equal vertices. Only if those stay equal is the surface closed all the way from one
  // state to the other, so that no node outside the boxes of what moved changes its side.
  const joinedBefore = findEqualVertices(a.positions);
  const joinedAfter = findEqualVertices(b.positions);
  return joinedBefore.every((vertex, v) => joinedAfter[v] === vertex);
}

function subtractCounters(after: FieldCounters, before: FieldCounters): FieldCounters {
  const difference = { ...after };
  for (const key of Object.keys(difference) as (keyof FieldCounters)[]) difference[key] -= before[key];
  return difference;
}
