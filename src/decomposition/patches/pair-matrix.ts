// Which pairs of faces may lie in one patch (Ehmann and Lin 2001, section 4.2), as rows of bits. A pair is excluded
// only by proof. The paper's second condition is applied to groups: faces that the hull of two faces enters must be in
// the same patch, so they must be compatible with both. Read literally it would separate opposite faces of an
// octahedron. O(n²) pairs of planes, then hulls of the remaining pairs.

import { IncrementalHull } from '../../convex/hull/hull-incremental.js';
import { numberFrom, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { exactSideOf } from '../../core/exact/points.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { nextHalfEdge, previousHalfEdge } from '../../mesh/topology/adjacency.js';
import { overlapVisitor } from '../../spatial/overlap-visitor.js';
import { TraversalStack } from '../../spatial/traversal-stack.js';
import { type BoxVisitor, traverseBvh } from '../../spatial/traverse-bvh.js';
import { DECOMPOSITION_DEFAULTS } from '../defaults.js';
import type { Surface } from '../surface/surface.js';
import { WorkLimit } from '../work-limit.js';
import { isPierced } from './hull-contact.js';

/** Chosen: the work of a pair whose planes allow one patch. */
const PAIR_WORK = 64;

/** The options for comparing pairs of faces. */
export interface PairMatrixOptions extends ProgressOptions {
  /** Reject more faces than this. Default `DECOMPOSITION_DEFAULTS.maxFaces`. */
  readonly maxFaces?: number | undefined;
}

export const PAIR_MATRIX_OPTIONS = optionTable<PairMatrixOptions>()({ maxFaces: numberFrom(0), ...PROGRESS_RULES });

/** A symmetric matrix of bits over the faces of a surface; the diagonal is 0. */
export class PairMatrix {
  /** 32-bit words per row. */
  readonly stride: number;
  readonly bits: Uint32Array;

  constructor(readonly size: number) {
    this.stride = Math.ceil(size / 32);
    this.bits = new Uint32Array(size * this.stride);
  }

  has(a: number, b: number): boolean {
    return ((this.bits[a * this.stride + (b >>> 5)] >>> (b & 31)) & 1) === 1;
  }

  /** Sets or clears the pair both ways. */
  set(a: number, b: number, value: boolean): void {
    this.#setOne(a, b, value);
    this.#setOne(b, a, value);
  }

  #setOne(a: number, b: number, value: boolean): void {
    const word = a * this.stride + (b >>> 5);
    if (value) this.bits[word] |= 1 << (b & 31);
    else this.bits[word] &= ~(1 << (b & 31));
  }

  /** The faces paired with a face, ascending. */
  partners(face: number): number[] {
    const found: number[] = [];
    for (let word = 0; word < this.stride; word++) {
      let bits = this.bits[face * this.stride + word];
      while (bits !== 0) {
        const low = bits & -bits;
        found.push(32 * word + 31 - Math.clz32(low));
        bits ^= low;
      }
    }
    return found;
  }

  /** The number of faces paired with a face. */
  countPartners(face: number): number {
    let count = 0;
    for (let word = face * this.stride; word < (face + 1) * this.stride; word++) {
      let bits = this.bits[word];
      bits -= (bits >>> 1) & 0x55555555;
      bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
      count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    return count;
  }
}

/**
 * The pairs of faces that may lie in one patch. Two faces whose bit is 0 share no valid patch.
 * @throws NearfieldError `too-large` beyond `maxFaces`.
 */
export function buildPairMatrix(
  surface: Surface,
  options: PairMatrixOptions = {},
  limit = WorkLimit.none(),
): PairMatrix {
  const { maxFaces = DECOMPOSITION_DEFAULTS.maxFaces } = options;
  const count = surface.faceCount;
  if (count > maxFaces) {
    throw new NearfieldError(
      'too-large',
      `The analysis of all pairs takes at most ${maxFaces} faces and the mesh has ${count}; simplify it, choose another ` +
        'method, or raise maxFaces.',
    );
  }
  limit.spend(4 * count * count);
  const planes = findConvexPairs(surface, options);
  const matrix = new PairMatrix(count);
  matrix.bits.set(planes.bits);
  const judge = new PairJudge(surface, planes);
  for (let f = 0; f < count; f++) {
    if (f % 16 === 0) reportProgress(options, 0.2 + (0.8 * f * (2 * count - f)) / (count * count), 'pairs of faces');
    for (const g of planes.partners(f)) {
      if (g < f) continue;
      limit.spend(PAIR_WORK);
      if (judge.areApart(f, g)) matrix.set(f, g, false);
    }
  }
  return matrix;
}

/** The pairs of faces of which neither has a corner outside the other's plane. */
function findConvexPairs(surface: Surface, options: ProgressOptions): PairMatrix {
  const { indices, positions } = surface.mesh;
  const count = surface.faceCount;
  const matrix = new PairMatrix(count);
  const isBeneath = (face: number, other: number): boolean => {
    const [a, b, c] = [indices[3 * face], indices[3 * face + 1], indices[3 * face + 2]];
    return (
      exactSideOf(positions, a, b, c, indices[3 * other]) <= 0 &&
      exactSideOf(positions, a, b, c, indices[3 * other + 1]) <= 0 &&
      exactSideOf(positions, a, b, c, indices[3 * other + 2]) <= 0
    );
  };
  for (let f = 0; f < count; f++) {
    if (f % 64 === 0) reportProgress(options, (0.2 * f * (2 * count - f)) / (count * count), 'planes of faces');
    for (let g = f + 1; g < count; g++) if (isBeneath(f, g) && isBeneath(g, f)) matrix.set(f, g, true);
  }
  return matrix;
}

/** Chosen: a face that excluded one pair often excludes the next; this many of these faces are tried before all others. */
const RECENT_FACES = 12;

/** Looks for a proof that two faces share no patch, given the pairs that their planes allow. */
class PairJudge {
  readonly #hull: IncrementalHull;
  readonly #box = new Float64Array(6);
  readonly #stack = new TraversalStack();
  readonly #visitor: BoxVisitor;
  /** The faces that excluded pairs recently, the latest first. */
  readonly #recent: number[] = [];
  #f = 0;
  #g = 0;
  #isApart = false;

  constructor(
    readonly surface: Surface,
    readonly planes: PairMatrix,
  ) {
    this.#hull = new IncrementalHull(surface.mesh.positions);
    this.#visitor = overlapVisitor(this.#box, (face) => {
      if (face === this.#f || face === this.#g) return false;
      this.#isApart = this.#parts(face);
      if (this.#isApart) {
        this.#recent.unshift(face);
        if (this.#recent.length > RECENT_FACES) this.#recent.pop();
      }
      return this.#isApart;
    });
  }

  areApart(f: number, g: number): boolean {
    const { indices, positions } = this.surface.mesh;
    const box = this.#box;
    this.#f = f;
    this.#g = g;
    this.#isApart = false;
    this.#hull.reset();
    box.fill(Infinity, 0, 3);
    box.fill(-Infinity, 3, 6);
    for (let i = 0; i < 6; i++) {
      const vertex = indices[i < 3 ? 3 * f + i : 3 * g + i - 3];
      if (i < 3 || !this.#hasCorner(f, vertex)) this.#hull.insert(vertex);
      for (let axis = 0; axis < 3; axis++) {
        box[axis] = Math.min(box[axis], positions[3 * vertex + axis]);
        box[axis + 3] = Math.max(box[axis + 3], positions[3 * vertex + axis]);
      }
    }
    for (let i = 0; i < this.#recent.length; i++) {
      const face = this.#recent[i];
      if (face === f || face === g || !this.#parts(face)) continue;
      this.#recent.splice(i, 1);
      this.#recent.unshift(face);
      return true;
    }
    traverseBvh(this.surface.bvh, this.#visitor, this.#stack);
    return this.#isApart;
  }

  /** A patch with both faces has every face the hull enters, and so none that its planes separate from one of them. */
  #parts(face: number): boolean {
    if (this.#isFit(face)) return false;
    const { indices } = this.surface.mesh;
    const { twin } = this.surface.adjacency;
    let shared = 0;
    let outside = 0;
    for (let h = 3 * face; h < 3 * face + 3; h++) {
      if (this.#hasCorner(this.#f, indices[h]) || this.#hasCorner(this.#g, indices[h])) shared++;
      else outside = h;
    }
    if (shared === 3) return true;
    if (shared === 2) {
      const h = nextHalfEdge(outside);
      const across = twin[h] < 0 ? -1 : Math.floor(twin[h] / 3);
      // The hull has the edge; a patch with both has one of the faces at it.
      if (across < 0 || (across !== this.#f && across !== this.#g && !this.#isFit(across))) return true;
      return this.#entersAtEdge(indices[h], indices[nextHalfEdge(h)], indices[previousHalfEdge(h)]);
    }
    return isPierced(this.#hull, indices[3 * face], indices[3 * face + 1], indices[3 * face + 2]);
  }

  /** The hull has the corners a and b: does it have a point strictly within the triangle a, b, c? */
  #entersAtEdge(a: number, b: number, c: number): boolean {
    const { points, faces, faceCount, corners, dimension } = this.#hull;
    if (dimension < 3) return false;
    for (let i = 0; i < faceCount; i++) {
      const h = 3 * faces[i];
      const [p, q, r] = [corners[h], corners[h + 1], corners[h + 2]];
      if (
        exactSideOf(points, p, q, r, c) > 0 &&
        exactSideOf(points, p, q, r, a) === 0 &&
        exactSideOf(points, p, q, r, b) === 0
      ) {
        return false;
      }
    }
    return true;
  }

  #isFit(face: number): boolean {
    return this.planes.has(this.#f, face) && this.planes.has(this.#g, face);
  }

  #hasCorner(face: number, vertex: number): boolean {
    const { indices } = this.surface.mesh;
    return indices[3 * face] === vertex || indices[3 * face + 1] === vertex || indices[3 * face + 2] === vertex;
  }
}
