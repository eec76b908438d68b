// The minimum number of pieces of any decomposition (Ehmann and Lin 2001, section 4.2): faces of which no two fit in one
// patch need one patch each. This set is found greedily, fewest partners first, and enlarged by exchanging one for two.
import type { ProgressOptions } from '../../core/progress.js';
import { partOfProgress, reportProgress } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { findOutwardSurface } from '../../mesh/repair/outward-surface.js';
import { prepareSurface } from '../surface/prepare-surface.js';
import type { Surface } from '../surface/surface.js';
import { WorkLimit } from '../work-limit.js';
import { buildPairMatrix, PAIR_MATRIX_OPTIONS, type PairMatrix, type PairMatrixOptions } from './pair-matrix.js';

/** A lower bound on the number of patches, with its proof. */
export interface LowerBound {
  readonly bound: number;
  /** Faces of which no two can lie in one patch, ascending; as many as the bound. */
  readonly witness: Uint32Array;
}

/** Both lower bounds. */
export interface LowerBounds {
  /** Patches may be disconnected. */
  readonly anyPatch: LowerBound;
  /** Patches are connected in the dual graph. Never below the other. */
  readonly connectedPatch: LowerBound;
}

/**
 * Lower bounds on the number of pieces that any convex decomposition of a surface has.
 * @throws NearfieldError `too-large` beyond `maxFaces` faces, and as `decomposeSurface` for meshes that are not surfaces.
 */
export function lowerBounds(mesh: Mesh, options: PairMatrixOptions = {}): LowerBounds {
  PAIR_MATRIX_OPTIONS.assert(options);
  const surface = prepareSurface(
    findOutwardSurface(mesh).mesh,
    true,
    WorkLimit.none(),
    partOfProgress(options, 0, 0.1),
  );
  const matrix = buildPairMatrix(surface, { ...partOfProgress(options, 0.1, 0.8), maxFaces: options.maxFaces });
  return boundPatches(surface, matrix, partOfProgress(options, 0.8, 1));
}

/** The same from an existing matrix. */
export function boundPatches(surface: Surface, matrix: PairMatrix, options?: ProgressOptions): LowerBounds {
  const count = surface.faceCount;
  const degrees = Array.from({ length: count }, (_, face) => matrix.countPartners(face));
  const any = findApart(degrees, (a, b) => matrix.has(a, b));
  reportProgress(options, 0.2, 'lower bounds');
  const paths = new ConnectedPairs(surface, matrix);
  const reach = Array.from({ length: count }, (_, face) => paths.countReached(face));
  // Faces that share no patch share no connected one: the first witness is also one for the second bound.
  const connected = findApart(reach, (a, b) => paths.has(a, b));
  const best = connected.length >= any.length ? connected : any;
  return { anyPatch: toBound(any), connectedPatch: toBound(best) };
}

function toBound(faces: readonly number[]): LowerBound {
  return { bound: faces.length, witness: Uint32Array.from(faces).sort() };
}

/**
 * Pairs of faces that may lie in one connected patch. This patch has a path of neighboring faces from one to the
 * other, and all its faces are pairwise compatible. So if there is no path on which every face is compatible with both
 * ends and its successor, the two share no connected patch.
 */
class ConnectedPairs {
  readonly #mark: Int32Array;
  readonly #queue: Int32Array;
  readonly #known = new Map<number, boolean>();
  #epoch = 0;

  constructor(
    readonly surface: Surface,
    readonly matrix: PairMatrix,
  ) {
    this.#mark = new Int32Array(surface.faceCount);
    this.#queue = new Int32Array(surface.faceCount);
  }

  has(a: number, b: number): boolean {
    if (!this.matrix.has(a, b)) return false;
    const key = Math.min(a, b) * this.matrix.size + Math.max(a, b);
    let known = this.#known.get(key);
    if (known === undefined) {
      this.#search(a, b);
      known = this.#mark[b] === this.#epoch;
      this.#known.set(key, known);
    }
    return known;
  }

  /** The number of faces reachable by a path on which every face is compatible with the first. */
  countReached(face: number): number {
    return this.#search(face, -1);
  }

  #search(from: number, to: number): number {
    const { twin } = this.surface.adjacency;
    const { matrix } = this;
    const queue = this.#queue;
    const epoch = ++this.#epoch;
    let end = 0;
    queue[end++] = from;
    this.#mark[from] = epoch;
    for (let head = 0; head < end; head++) {
      const face = queue[head];
      for (let h = 3 * face; h < 3 * face + 3; h++) {
        if (twin[h] < 0) continue;
        const beside = Math.floor(twin[h] / 3);
        if (this.#mark[beside] === epoch || !matrix.has(from, beside) || !matrix.has(face, beside)) continue;
        if (to >= 0 && beside !== to && !matrix.has(to, beside)) continue;
        this.#mark[beside] = epoch;
        if (beside === to) return end;
        queue[end++] = beside;
      }
    }
    return end - 1;
  }
}

/** Chosen: the largest number of exchanges; each enlarges the set by one, and few are ever needed. */
const MAX_ROUNDS = 64;

/** Faces of which no two are partners: greedily the one of lowest degree, then one exchanged for two while possible. */
function findApart(degrees: readonly number[], arePartners: (a: number, b: number) => boolean): number[] {
  const order = degrees.map((_, face) => face).sort((a, b) => degrees[a] - degrees[b] || a - b);
  let chosen: number[] = [];
  const addFree = (): void => {
    for (const face of order) {
      if (!chosen.some((other) => other === face || arePartners(face, other))) chosen.push(face);
    }
  };
  addFree();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const exchange = findExchange(order, chosen, arePartners);
    if (exchange === null) break;
    chosen = chosen.filter((face) => face !== exchange[0]);
    chosen.push(exchange[1], exchange[2]);
    addFree();
  }
  return chosen;
}

/** A chosen face and two others, not partners, that no other chosen face excludes, or null. */
function findExchange(
  order: readonly number[],
  chosen: readonly number[],
  arePartners: (a: number, b: number) => boolean,
): [number, number, number] | null {
  const held = new Map<number, number[]>();
  const isChosen = new Set(chosen);
  for (const face of order) {
    if (isChosen.has(face)) continue;
    let holder = -1;
    for (const other of chosen) {
      if (!arePartners(face, other)) continue;
      if (holder >= 0) {
        holder = -2;
        break;
      }
      holder = other;
    }
    if (holder < 0) continue;
    const group = held.get(holder) ?? [];
    for (const other of group) if (!arePartners(face, other)) return [holder, other, face];
    group.push(face);
    held.set(holder, group);
  }
  return null;
}
