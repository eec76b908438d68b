// Finds what a barrier acts on, on the whole way of all points at once: pairs of a point and a triangle, and of two edges,
// that come nearer than the barrier reaches. Boxes around the ways of triangles in fitted hierarchies, then distances. On
// the way it finds the share that is certified free of contact.
import { growTo } from '../../core/grow-array.js';
import { BoxForest } from '../../spatial/box-forest.js';
import { PairList } from '../../spatial/pair-list.js';
import type { BarrierGroup, BarrierSurface } from './barrier-surface.js';
import { CertifiedAdvance } from './certified-advance.js';

/**
 * Chosen: a way that gives more pairs than this for each triangle is too long, and a shorter one is asked for. It
 * bounds memory.
 */
const MAX_PAIRS = 64;

/** What two groups have between them. */
export interface GroupPair {
  readonly reach: number;
  /** Pa. */
  readonly pressure: number;
  readonly friction: number;
  readonly rigid: number;
  readonly radius: number;
}

/**
 * Chosen: the pressure of the barrier, as a share of stiffness times reach; the barrier has 0.43 of it at half its
 * reach.
 */
const PRESSURE = 0.1;

export class BarrierSearch {
  readonly surface: BarrierSurface;
  /** Pairs found last: four points each, a point and its triangle or two edges. */
  count = 0;
  ids = new Int32Array(64 * 4);
  isEdges = new Int32Array(64);
  pairs = new Int32Array(64);
  areas = new Float64Array(64);
  /** Edges with a squared cross product below this count as parallel. */
  crossings = new Float64Array(64);
  readonly groupPairs: GroupPair[] = [];
  /** The least distance at the start of the last search, of pairs found; and the two groups that have it. */
  nearest = Infinity;
  nearestGroups: readonly [number, number] = [0, 0];
  readonly #forest = new BoxForest();
  /** Of the ways of triangles relative to their body. */
  readonly #ownForest = new BoxForest();
  readonly #relative: Float64Array;
  readonly #boxes: Float64Array;
  readonly #pointBoxes: Float64Array;
  readonly #margins: Float64Array;
  readonly #starts: Uint32Array;
  readonly #trianglePairs = new PairList();
  readonly #advance = new CertifiedAdvance();
  #isBuilt = false;
  #share = 1;
  #points: Float64Array = new Float64Array(0);
  #moves: Float64Array | null = null;

  constructor(surface: BarrierSurface) {
    this.surface = surface;
    const { groups } = surface;
    const triangles = surface.groupOf.length;
    this.#boxes = new Float64Array(6 * triangles);
    this.#pointBoxes = new Float64Array(6 * surface.pointCount);
    this.#relative = new Float64Array(3 * surface.pointCount);
    this.#starts = Uint32Array.from([...groups.map(({ firstTriangle }) => firstTriangle), triangles]);
    const most = Math.max(0, ...groups.map(({ reach }) => reach));
    this.#margins = Float64Array.from(groups, ({ rigid, reach, radius }) => (rigid < 0 ? reach : most) / 2 + radius);
    for (const a of groups) for (const b of groups) this.groupPairs.push(pairOf(a, b, a === b));
  }

  /** Sets where the barrier between nodes of one body begins. */
  setSelfReach(group: number, reach: number): void {
    const groups = this.surface.groups;
    groups[group].selfReach = reach;
    this.groupPairs[group * groups.length + group] = pairOf(groups[group], groups[group], true);
  }

  /**
   * Finds the pairs that come within reach while all points go along their moves; null for no motion.
   * @returns the share of the moves that is free of contact for certain; −1 where they are too long to look through.
   */
  find(points: Float64Array, moves: Float64Array | null): number {
    const { groups, triangles } = this.surface;
    this.count = 0;
    this.nearest = Infinity;
    this.#share = 1;
    this.#points = points;
    this.#moves = moves;
    const limit = MAX_PAIRS * (triangles.length / 3) + 4096;
    const list = this.#trianglePairs;
    // Within a body only what its points do differently counts: boxes stay small when it flies.
    this.#fit(this.#ownForest, points, this.#differences(moves));
    for (let a = 0; a < groups.length; a++) {
      if (!groups[a].selfCollision) continue;
      list.clear();
      this.#ownForest.addPairsWithin(a, list);
      if (!this.#testAll(moves === null ? Infinity : limit)) return -1;
    }
    this.#fit(this.#forest, points, moves);
    for (let a = 0; a < groups.length; a++) {
      for (let b = a + 1; b < groups.length; b++) {
        if (groups[a].rigid >= 0 && groups[b].rigid >= 0) continue;
        list.clear();
        this.#forest.addPairsBetween(a, b, list);
        if (!this.#testAll(moves === null ? Infinity : limit)) return -1;
      }
    }
    this.#isBuilt = true;
    return this.#share;
  }

  /** Whether points are all within the boxes of the last search, so that what it found holds for them. */
  covers(points: Float64Array): boolean {
    if (!this.#isBuilt) return false;
    const boxes = this.#pointBoxes;
    for (let i = 0, o = 0; i < points.length; i += 3, o += 6) {
      for (let k = 0; k < 3; k++)
        if (!(points[i + k] >= boxes[o + k] && points[i + k] <= boxes[o + 3 + k])) return false;
    }
    return true;
  }

  /** Pairs of triangles whose boxes overlap, of two groups, as of the last search. */
  trianglesNear(a: number, b: number): PairList {
    const list = this.#trianglePairs;
    list.clear();
    if (a === b) this.#forest.addPairsWithin(a, list);
    else this.#forest.addPairsBetween(a, b, list);
    return list;
  }

  /** Tests the pairs of triangles in the list; false where they are too many. */
  #testAll(limit: number): boolean {
    const { values, count } = this.#trianglePairs;
    if (count > limit) return false;
    for (let i = 0; i < count; i++) this.#testTriangles(values[2 * i], values[2 * i + 1]);
    return this.count <= limit;
  }

  #fit(forest: BoxForest, points: Float64Array, moves: Float64Array | null): void {
    this.#writeBoxes(points, moves);
    if (!this.#isBuilt || !forest.fit(this.#boxes)) forest.build(this.#boxes, this.#starts);
  }

  /** The moves less the mean of each body. */
  #differences(moves: Float64Array | null): Float64Array | null {
    if (moves === null) return null;
    const out = this.#relative;
    for (const { firstPoint, pointCount } of this.surface.groups) {
      for (let axis = 0; axis < 3; axis++) {
        let mean = 0;
        for (let i = firstPoint; i < firstPoint + pointCount; i++) mean += moves[3 * i + axis] / pointCount;
        for (let i = firstPoint; i < firstPoint + pointCount; i++) out[3 * i + axis] = moves[3 * i + axis] - mean;
      }
    }
    return out;
  }

  #testTriangles(f: number, g: number): void {
    const { owned } = this.surface;
    const [bitsF, bitsG] = [owned[f], owned[g]];
    for (let k = 0; k < 3; k++) {
      if ((bitsF & (1 << k)) !== 0) this.#testPoint(f, k, g);
      if ((bitsG & (1 << k)) !== 0) this.#testPoint(g, k, f);
    }
    if (bitsF < 8 || bitsG < 8) return;
    for (let k = 0; k < 3; k++) {
      if ((bitsF & (8 << k)) === 0) continue;
      for (let l = 0; l < 3; l++) if ((bitsG & (8 << l)) !== 0) this.#testEdges(f, k, g, l);
    }
  }

  #testPoint(f: number, k: number, g: number): void {
    const { triangles, pointAreas, triangleAreas, groupOf, groups } = this.surface;
    const i = triangles[3 * f + k];
    const [a, b, c] = [triangles[3 * g], triangles[3 * g + 1], triangles[3 * g + 2]];
    if (i === a || i === b || i === c || a === b) return;
    const [boxes, own] = [this.#boxes, this.#pointBoxes];
    const margin = this.#margins[groupOf[f]];
    for (let axis = 0; axis < 3; axis++) {
      if (own[6 * i + axis] - margin > boxes[6 * g + 3 + axis] || own[6 * i + 3 + axis] + margin < boxes[6 * g + axis])
        return;
    }
    const [p, q] = [groups[groupOf[f]], groups[groupOf[g]]];
    let area = pointAreas[i];
    // A ball presses on triangles; a corner of large faces stands for no more than a node does.
    if (p.radius > 0) area = triangleAreas[g];
    else if (p.rigid >= 0) area = Math.min(area, q.mostArea);
    this.#test(i, a, b, c, false, groupOf[f] * groups.length + groupOf[g], area, 0);
  }

  #testEdges(f: number, k: number, g: number, l: number): void {
    const { triangles, edgeAreas, edgeSquares, groupOf, groups } = this.surface;
    const [a, b] = [triangles[3 * f + k], triangles[3 * f + ((k + 1) % 3)]];
    const [c, d] = [triangles[3 * g + l], triangles[3 * g + ((l + 1) % 3)]];
    if (a === c || a === d || b === c || b === d) return;
    const boxes = this.#pointBoxes;
    const margin = this.#margins[groupOf[f]] + this.#margins[groupOf[g]];
    for (let axis = 0; axis < 3; axis++) {
      if (
        Math.min(boxes[6 * a + axis], boxes[6 * b + axis]) - margin >
        Math.max(boxes[6 * c + 3 + axis], boxes[6 * d + 3 + axis])
      )
        return;
      if (
        Math.min(boxes[6 * c + axis], boxes[6 * d + axis]) - margin >
        Math.max(boxes[6 * a + 3 + axis], boxes[6 * b + 3 + axis])
      )
        return;
    }
    const [p, q] = [groups[groupOf[f]], groups[groupOf[g]]];
    const [own, other] = [edgeAreas[3 * f + k], edgeAreas[3 * g + l]];
    const area =
      p.rigid >= 0 ? Math.min(own, q.mostArea) : q.rigid >= 0 ? Math.min(other, p.mostArea) : (own + other) / 2;
    const crossing = edgeSquares[3 * f + k] * edgeSquares[3 * g + l];
    this.#test(a, b, c, d, true, groupOf[f] * groups.length + groupOf[g], area, crossing);
  }

  /** Takes scalars, for inner loops. */
  #test(
    a: number,
    b: number,
    c: number,
    d: number,
    isEdges: boolean,
    pair: number,
    area: number,
    crossing: number,
  ): void {
    const { reach, radius } = this.groupPairs[pair];
    const n = this.count;
    this.ids = growTo(this.ids, 4 * n + 4);
    this.ids[4 * n] = a;
    this.ids[4 * n + 1] = b;
    this.ids[4 * n + 2] = c;
    this.ids[4 * n + 3] = d;
    const advance = this.#advance;
    advance.begin(this.#points, this.#moves, this.ids, 4 * n, isEdges, radius);
    if (advance.distance - advance.approach > reach) return;
    if (this.#moves !== null) this.#share = Math.min(this.#share, advance.advance(this.#share));
    else if (!(advance.distance > 0)) this.#share = 0;
    if (advance.distance < this.nearest) {
      this.nearest = advance.distance;
      this.nearestGroups = [Math.floor(pair / this.surface.groups.length), pair % this.surface.groups.length];
    }
    this.count++;
    this.isEdges = growTo(this.isEdges, n + 1);
    this.pairs = growTo(this.pairs, n + 1);
    this.areas = growTo(this.areas, n + 1);
    this.crossings = growTo(this.crossings, n + 1);
    this.isEdges[n] = isEdges ? 1 : 0;
    this.pairs[n] = pair;
    this.areas[n] = area;
    this.crossings[n] = crossing;
  }

  #writeBoxes(points: Float64Array, moves: Float64Array | null): void {
    const { triangles, groupOf } = this.surface;
    const own = this.#pointBoxes;
    for (let i = 0, o = 0; i < points.length; i += 3, o += 6) {
      for (let k = 0; k < 3; k++) {
        const from = points[i + k];
        const to = moves === null ? from : from + moves[i + k];
        own[o + k] = from < to ? from : to;
        own[o + 3 + k] = from < to ? to : from;
      }
    }
    const boxes = this.#boxes;
    for (let f = 0; f < groupOf.length; f++) {
      const margin = this.#margins[groupOf[f]];
      const [a, b, c] = [6 * triangles[3 * f], 6 * triangles[3 * f + 1], 6 * triangles[3 * f + 2]];
      for (let k = 0; k < 3; k++) {
        boxes[6 * f + k] = Math.min(own[a + k], own[b + k], own[c + k]) - margin;
        boxes[6 * f + 3 + k] = Math.max(own[a + 3 + k], own[b + 3 + k], own[c + 3 + k]) + margin;
      }
    }
  }
}

function pairOf(a: BarrierGroup, b: BarrierGroup, isSelf: boolean): GroupPair {
  const [p, q] = [a.rigid < 0 ? a : b, b.rigid < 0 ? b : a];
  const reach = isSelf ? a.selfReach : Math.min(p.reach, q.reach);
  const stiffness = p.stiffness > 0 ? (2 * p.stiffness * q.stiffness) / (p.stiffness + q.stiffness) : 0;
  return {
    reach,
    pressure: PRESSURE * stiffness * reach,
    friction: Math.sqrt(a.friction * b.friction),
    rigid: Math.max(a.rigid, b.rigid),
    radius: a.radius + b.radius,
  };
}
