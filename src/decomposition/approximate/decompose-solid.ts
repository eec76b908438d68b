// Approximate convex decomposition: a solid is cut by planes until the hull of each part is near enough to it, and parts
// are joined again where that keeps them so, as CoACD does (Wei et al. 2022). Both ways in which a hull and its part
// differ are measured with proven bounds, where CoACD samples: how deep the surface lies in the hull, and how far the
// hull sticks out of the solid.
import { numberFrom, numberWithin, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, partOfProgress, reportProgress } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { MeshQuery } from '../../mesh/query/mesh-query.js';
import { findSelfIntersections } from '../../mesh/report/self-intersections.js';
import { findSoundSurface } from '../../mesh/soundness/sound-surface.js';
import { buildAdjacency } from '../../mesh/topology/adjacency.js';
import { findPatches } from '../../mesh/topology/patches.js';
import { findShellDepths } from '../../mesh/topology/shell-depths.js';
import { findShells, findSides } from '../../mesh/topology/shells.js';
import { boxOfFaces } from '../../mesh/topology/unused-vertices.js';
import { cutPart, type Part, PartBuilder, separatePart } from '../cut/part.js';
import { DECOMPOSITION_DEFAULTS } from '../defaults.js';
import { chooseCut } from './choose-cut.js';
import type { DistanceBounds } from './hull-depth.js';
import type { Target } from './hull-overshoot.js';
import { HulledPart } from './hulled-part.js';
import { mergeParts } from './merge-parts.js';

/** The options of {@link decomposeSolid}. */
export interface DecomposeSolidOptions extends ProgressOptions {
  /**
   * The most by which a piece may differ from its part of the solid, as a length: see {@link SolidPiece.concavity}.
   * Default: `DECOMPOSITION_DEFAULTS.relativeConcavity` of the longest side of the mesh's box.
   */
  readonly maxConcavity?: number | undefined;
  /** The most pieces; where that is too few, pieces exceed `maxConcavity`. Default `DECOMPOSITION_DEFAULTS.maxPieces`. */
  readonly maxPieces?: number | undefined;
  /**
   * Cells along a part's longest side when cuts are compared: more find better cuts in more time. Default
   * `DECOMPOSITION_DEFAULTS.resolution`.
   */
  readonly resolution?: number | undefined;
  /**
   * About how long it may take: what has been found by then is returned, with bounds that hold. Reading the mesh and at
   * least one bound for each piece are not cut short. Default: no limit. The same mesh may then give other pieces.
   */
  readonly maxMilliseconds?: number | undefined;
}

const SOLID_OPTIONS = optionTable<DecomposeSolidOptions>()({
  // Infinity is accepted: one piece. If it is left out it depends on the size of the mesh.
  maxConcavity: { expects: 'a length above zero', accepts: (value) => typeof value === 'number' && value > 0 },
  maxPieces: numberFrom(1, DECOMPOSITION_DEFAULTS.maxPieces),
  resolution: numberWithin(4, 256, DECOMPOSITION_DEFAULTS.resolution),
  maxMilliseconds: numberFrom(0, Infinity),
  ...PROGRESS_RULES,
});

/** A convex piece of an approximate decomposition. */
export interface SolidPiece {
  /** The hull as a closed mesh. */
  readonly mesh: Mesh;
  /** The larger of the upper bounds of `depth` and `overshoot`. */
  readonly concavity: number;
  /** Bounds on the largest distance from a point of the part's surface to the boundary of the hull. */
  readonly depth: DistanceBounds;
  /** Bounds on the largest distance from a point of the hull to the solid, or to the surface if the mesh is open. */
  readonly overshoot: DistanceBounds;
  readonly volume: number;
}

/** What {@link decomposeSolid} returns. */
export interface SolidDecomposition {
  readonly pieces: readonly SolidPiece[];
  /** The bound that was asked for, and the largest concavity of a piece: an upper bound. */
  readonly maxConcavity: number;
  readonly concavity: number;
  /** Bounds on the largest distance from a point of any piece to the solid, or to the surface of an open mesh. */
  readonly overshoot: DistanceBounds;
  /**
   * What the pieces cover, up to the rounding of cut points: the 'solid' that a closed mesh bounds, or the 'surface' of
   * an open one.
   */
  readonly covers: 'solid' | 'surface';
}

/** Chosen: cutting may make this many times the most pieces before parts are joined again. */
const SPARE_PARTS = 3;
/** Chosen: cutting may always make this many parts before they are joined again. */
const MIN_PARTS = 32;
/** Chosen: the largest number of rounds of cutting and joining. */
const MAX_ROUNDS = 3;

/** Chosen: the share of the time after which cutting ends. */
const CUTTING_END = 0.55;
/** Chosen: the share of the time after which joining ends; the rest is for the bounds. */
const JOINING_END = 0.8;

/**
 * Chosen: how near bounds come to each other where they decide nothing, as a share of the concavity that is allowed.
 */
const BOUND_GAP = 0.1;
/**
 * Chosen: how near bounds come to each other where they decide whether a piece is near enough, as a share of the
 * concavity that is allowed.
 */
const DECISION_GAP = 0.02;

/**
 * Covers a solid with few convex pieces, each near to the part of the solid it stands for. A closed mesh may cross itself;
 * of an open one the surface is covered.
 * @throws NearfieldError `bad-argument`, or as `assertMesh` does.
 */
export function decomposeSolid(mesh: Mesh, options: DecomposeSolidOptions = {}): SolidDecomposition {
  const { maxPieces, resolution, maxMilliseconds, maxConcavity: asked } = SOLID_OPTIONS.read(options);
  const start = performance.now();
  const { mesh: outward, closed } = findSoundSurface(mesh);
  const { min, max } = boxOfFaces(outward);
  const side = Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  const maxConcavity = asked ?? DECOMPOSITION_DEFAULTS.relativeConcavity * side;
  const cutter = new SolidCutter(outward, closed, maxConcavity, Math.round(resolution));
  const pieces = cutter.run(maxPieces, start, maxMilliseconds, options);
  reportProgress(options, 1, 'done');
  if (pieces.length === 0) {
    throw new NearfieldError('degenerate', 'The mesh has no face with an area, so that there is nothing to decompose.');
  }
  return {
    pieces,
    maxConcavity,
    concavity: Math.max(...pieces.map(({ concavity }) => concavity)),
    overshoot: {
      lower: Math.max(...pieces.map(({ overshoot }) => overshoot.lower)),
      upper: Math.max(...pieces.map(({ overshoot }) => overshoot.upper)),
    },
    covers: closed ? 'solid' : 'surface',
  };
}

class SolidCutter {
  readonly #mesh: Mesh;
  readonly #isClosed: boolean;
  readonly #limit: number;
  readonly #resolution: number;
  readonly #target: Target;
  /** No volume is counted twice. */
  readonly #isSimple: boolean;

  constructor(mesh: Mesh, isClosed: boolean, limit: number, resolution: number) {
    this.#mesh = mesh;
    this.#isClosed = isClosed;
    this.#limit = limit;
    this.#resolution = resolution;
    this.#target = { query: new MeshQuery(mesh), isClosed };
    this.#isSimple = isClosed && isNested(mesh) && findSelfIntersections(mesh, { limit: 1 }).count === 0;
  }

  /** Cuts and joins in turn, while parts that differ too much are left and more pieces are allowed. */
  run(maxPieces: number, start: number, milliseconds: number, options: ProgressOptions): SolidPiece[] {
    const most = maxPieces === 1 ? 1 : Math.max(MIN_PARTS, SPARE_PARTS * maxPieces);
    const cutEnd = start + CUTTING_END * milliseconds;
    const rules = {
      target: this.#target,
      most: maxPieces,
      limit: this.#limit,
      passes: (part: HulledPart) => this.#isNear(part),
      deadline: start + JOINING_END * milliseconds,
    };
    let parts = this.#begin();
    for (let round = 0; round < MAX_ROUNDS; round++) {
      // Nearly all of the time goes into the first cutting; most solids need no second round.
      const [from, to] = [round, round + 1].map((rounds) => 0.9 * (1 - 0.1 ** rounds));
      const cutTo = from + 0.9 * (to - from);
      const cut = this.#cut(parts, most, cutEnd, partOfProgress(options, from, cutTo));
      if (round > 0 && cut.length === parts.length) break;
      parts = mergeParts(cut, rules, partOfProgress(options, cutTo, to));
      if (parts.length >= maxPieces || parts.every((part) => this.#isNear(part))) break;
    }
    const end = start + milliseconds;
    return parts.flatMap((part, i) => {
      reportProgress(options, 0.9 + (0.1 * i) / parts.length, 'measuring');
      const now = performance.now();
      return this.#finish(part, end === Infinity ? Infinity : now + Math.max(0, end - now) / (parts.length - i));
    });
  }

  #begin(): HulledPart[] {
    const { positions, indices } = this.#mesh;
    const builder = new PartBuilder();
    for (let i = 0; i < indices.length; i += 3) builder.add(indices[i], indices[i + 1], indices[i + 2], 1);
    const whole = builder.finish(positions);
    return whole === null ? [] : this.#separate(whole);
  }

  /** Cuts the part that differs most from its hull until all are near their hulls or there are `most`. */
  #cut(given: readonly HulledPart[], most: number, deadline: number, options: ProgressOptions): HulledPart[] {
    const done: HulledPart[] = [];
    const open = [...given];
    let told = 0;
    while (open.length > 0) {
      const total = done.length + open.length;
      // By the parts that are done or by those that there may be; cuts add to what is open but take back nothing of it.
      told = Math.max(told, done.length / total, Math.min(0.9, total / most));
      reportProgress(options, told, 'cutting');
      if (total >= most || performance.now() >= deadline) return [...done, ...open];
      open.sort((a, b) => b.estimate(this.#target) - a.estimate(this.#target));
      const part = open.shift()!;
      const sides = part.hull.dimension < 3 || this.#isNear(part) ? [] : this.#divide(part.part);
      if (sides.length > 1) open.push(...sides);
      else done.push(part);
    }
    return done;
  }

  /** What the best plane makes of a part; nothing if none divides it. */
  #divide(part: Part): HulledPart[] {
    const plane = chooseCut(part, this.#isClosed, this.#resolution);
    const sides = plane === null ? [] : cutPart(part, plane, this.#isClosed);
    return sides.flatMap((side) => (side === null ? [] : this.#separate(side)));
  }

  #separate(part: Part): HulledPart[] {
    const parts = this.#isClosed ? separatePart(part) : [part];
    return parts.map((one) => new HulledPart(one, this.#isClosed));
  }

  /** Whether a part is within the limit of its hull, for certain. */
  #isNear(part: HulledPart): boolean {
    const limit = this.#limit;
    if (part.estimate(this.#target) > limit) return false;
    if (part.depth(DECISION_GAP * limit, limit).upper > limit) return false;
    return part.overshoot(this.#target, this.#isSimple, DECISION_GAP * limit, { decideAt: limit }).upper <= limit;
  }

  /** The piece of a part; none for one that is a segment or a point. */
  #finish(part: HulledPart, deadline: number): SolidPiece[] {
    const mesh = part.toMesh();
    if (mesh === null) return [];
    const tolerance = BOUND_GAP * this.#limit;
    const depth = part.depth(tolerance);
    const overshoot = part.overshoot(this.#target, this.#isSimple, tolerance, { deadline });
    return [{ mesh, concavity: Math.max(depth.upper, overshoot.upper), depth, overshoot, volume: part.hullVolume }];
  }
}

/** Whether shells within others are cavities, and shells within those solids again. */
function isNested(mesh: Mesh): boolean {
  const adjacency = buildAdjacency(mesh);
  const flips = new Uint8Array(mesh.indices.length / 3);
  const shells = findShells(adjacency, findPatches(adjacency), flips);
  const sides = findSides(mesh, shells, flips);
  if (sides.length === 1) return sides[0] > 0;
  const depths = findShellDepths(mesh, shells, flips);
  return sides.every((side, shell) => side === (depths[shell] % 2 === 0 ? 1 : -1));
}
