// Whether a separating vector has no rival. Each cell of directions outside a narrow cone around it is proven covered
// a little beyond its length, or has a ray that leaves the union sooner, by a vector that the exact test confirms. The
// cone is wide enough that a flat boundary recedes that little at its rim. O(cells × planes of the sums in each).
import type { Vec3 } from '../../core/vec3.js';
import { CellCover, MIN_CELL_WIDTH } from '../certificate/cell-cover.js';
import type { PenetrationQuery } from '../penetration-query.js';
import { writeDirection } from '../union/cube-views.js';
import { beginUnion, createSums } from '../union/descent.js';
import { NodeBoxes } from '../union/node-boxes.js';
import { NodePairs } from '../union/node-pairs.js';
import type { UnionRays } from '../union/union-rays.js';

/** The result of a search for rivals: none exists, here is one, or the budget was spent first. */
export interface RivalSearch {
  readonly outcome: 'none' | 'found' | 'budget';
  /** A vector of A's frame in another direction that separates the models and is as short. */
  readonly rival: Vec3 | null;
  /** Cells examined. */
  readonly cells: number;
}

/**
 * Proven: the squared angle of the cone of vectors that count as the same, in requested excesses. A plane at distance d
 * is d·(1 + angle²/2) away at a small angle: 16 times the excess at the rim of the cone, and still 4 times at half of
 * the angle, so that the cells along the rim can be proven without being tiny.
 */
const CONE_ANGLE_SQUARED = 32;
/** Chosen: how far beyond a ray's exit the exact test is made, as shares of the sizes, in the order tried. */
const PUSHES = [1e-13, 1e-11, 1e-9];

/**
 * Searches for vectors other than `vector`, of A's frame, that separate the models and are at most `excess` of its
 * length longer. Vectors within an angle of √(32·excess) of it count as the same.
 */
export function findRivalVector(query: PenetrationQuery, vector: Vec3, excess: number, maxCells: number): RivalSearch {
  const length = Math.hypot(...vector);
  const wanted = length * (1 + excess);
  const search = new CellSearch(query, vector, wanted, Math.cos(Math.sqrt(CONE_ANGLE_SQUARED * excess)), maxCells);
  for (let view = 0; view < 6; view++) if (!search.visit(view, -1, -1, 2)) break;
  const { rival, cells } = search;
  const outcome = rival !== null ? 'found' : search.spent ? 'budget' : 'none';
  return { outcome, rival, cells };
}

class CellSearch {
  rival: Vec3 | null = null;
  spent = false;
  cells = 0;
  readonly #union: UnionRays;
  readonly #cover = new CellCover();
  readonly #axis: Vec3;
  readonly #direction = new Float64Array(3);
  readonly #query: PenetrationQuery;
  readonly #wanted: number;
  readonly #coneCosine: number;
  readonly #maxCells: number;

  constructor(query: PenetrationQuery, vector: Vec3, wanted: number, coneCosine: number, maxCells: number) {
    this.#query = query;
    this.#wanted = wanted;
    this.#coneCosine = coneCosine;
    this.#maxCells = maxCells;
    const { a, b, placement, separation } = query;
    const length = Math.hypot(...vector);
    this.#axis = [vector[0] / length, vector[1] / length, vector[2] / length];
    const boxes = new NodeBoxes(a, b, placement);
    const pairs = new NodePairs(a, b, placement, boxes);
    while (pairs.level < pairs.levels - 1) pairs.descend(wanted);
    const sums = createSums(a, b);
    this.#union = beginUnion(a, b, placement, boxes, separation.size, sums).union;
    for (let i = 0; i < pairs.count; i++) {
      sums.add(a.set, pairs.nodes[2 * i], b.set, pairs.nodes[2 * i + 1], placement);
    }
    this.#cover.begin(this.#union, pairs.distances, wanted);
  }

  /** False when the search is over: a rival was found, or the budget is spent. */
  visit(view: number, left: number, bottom: number, width: number, start = 0, end = this.#cover.listEnd): boolean {
    if (this.#isInCone(view, left, bottom, width)) return true;
    if (this.cells >= this.#maxCells || width < MIN_CELL_WIDTH) {
      this.spent = true;
      return false;
    }
    this.cells++;
    const cover = this.#cover;
    const before = cover.listEnd;
    const wanted = this.#wanted;
    const cell = { view, left, right: left + width, bottom, top: bottom + width };
    if (cover.cover(cell, start, end, wanted, wanted) >= wanted) return true;
    const [kept, keptEnd] = [cover.kept, cover.listEnd];
    const half = width / 2;
    let open = !this.#findExit(view, left + half, bottom + half, kept, keptEnd);
    for (let quarter = 0; quarter < 4 && open; quarter++) {
      open = this.visit(view, left + (quarter & 1 ? half : 0), bottom + (quarter & 2 ? half : 0), half, kept, keptEnd);
    }
    cover.dropLists(before);
    return open;
  }

  /** The cone is convex: a cell is in it when its corners are. */
  #isInCone(view: number, left: number, bottom: number, width: number): boolean {
    for (let corner = 0; corner < 4; corner++) {
      const x = corner & 1 ? left + width : left;
      const y = corner & 2 ? bottom + width : bottom;
      if (!this.#look(view, x, y)) return false;
    }
    return true;
  }

  /** Sets the direction; returns whether it is in the cone. */
  #look(view: number, x: number, y: number): boolean {
    const d = this.#direction;
    writeDirection(d, view, x, y);
    const [ax, ay, az] = this.#axis;
    const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    return ax * d[0] + ay * d[1] + az * d[2] >= this.#coneCosine * length;
  }

  /** Whether the ray through the middle of a cell leaves the union before the length, confirmed by the exact test. */
  #findExit(view: number, x: number, y: number, start: number, end: number): boolean {
    if (this.#look(view, x, y)) return false;
    const [dx, dy, dz] = this.#direction;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const wanted = this.#wanted;
    const reach = this.#union.trace(this.#cover.lists, start, end, dx, dy, dz, wanted / length) * length;
    if (!(reach < wanted)) return false;
    const { separation } = this.#query;
    for (const push of PUSHES) {
      const far = (reach + push * separation.size) / length;
      if (far * length > wanted) return false;
      if (!separation.isApart(far * dx, far * dy, far * dz)) continue;
      this.rival = [far * dx, far * dy, far * dz];
      return true;
    }
    return false;
  }
}
