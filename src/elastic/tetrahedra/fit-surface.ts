// Fits the surface of tetrahedra to a solid: nodes move onto its faces, the nearest ones into its corners and creases,
// and edges that still run across a crease are split there or lose an end. Then nodes slide within their face or crease
// to improve the worst elements. Every change keeps the quality of the elements (after Doran, Chang and Bridson 2013).
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { type EditableTetrahedra, INNER, ON_CORNER, ON_CREASE, ON_FACE } from './editable-tetrahedra.js';
import type { SurfaceFeatures, SurfacePlace } from './surface-features.js';

/** Chosen: a change may not leave an element below this quality, at which dihedral angles are from 8.6° to 167.6°. */
export const QUALITY_FLOOR = 0.15;

/** Chosen: nodes at elements below this quality are moved to improve them. */
const QUALITY_WANTED = 0.4;

/** Chosen: how far a node may come to a corner, in element sizes. */
const CORNER_REACH = 0.9;

/** Chosen: how far a node may come to a crease, in element sizes. */
const CREASE_REACH = 0.5;

/** Chosen: how far a node that splits an edge may come to a crease, in element sizes. */
const SPLIT_REACH = 1;

/**
 * Chosen: surface edges whose middle is farther than this from the solid's surface are split there, in element sizes.
 */
const EDGE_DISTANCE = 0.12;

/** Chosen: rounds of fitting, each followed by improvement. */
const ROUNDS = 3;

/** Chosen: steps of the search for a better place of a node. */
const SEARCH_STEPS = 5;

export class SurfaceFit {
  readonly #tetrahedra: EditableTetrahedra;
  readonly #features: SurfaceFeatures;
  readonly #size: number;
  /** Nodes of the first mesh that must stay where they are. */
  readonly #frozen: Uint8Array;
  /** The patches that each node of the surface lies on. */
  readonly #patches: (readonly number[])[] = [];

  constructor(tetrahedra: EditableTetrahedra, features: SurfaceFeatures, size: number, frozen: Uint8Array) {
    this.#frozen = frozen;
    this.#tetrahedra = tetrahedra;
    this.#features = features;
    this.#size = size;
  }

  run(progress: ProgressOptions): void {
    const stage = 'fitting the surface';
    reportProgress(progress, 0, stage);
    this.#fitFaces();
    this.#fitCorners();
    for (let round = 0; round < ROUNDS; round++) {
      reportProgress(progress, (round + 0.3) / ROUNDS, stage);
      this.#fitCreases();
      this.#splitAtCreases();
      this.#splitFarEdges();
      reportProgress(progress, (round + 0.6) / ROUNDS, stage);
      this.improve();
      this.#fitFaces();
    }
  }

  /** Moves nodes on faces to the nearest point of the surface, as far as the elements allow. */
  #fitFaces(): void {
    const tetrahedra = this.#tetrahedra;
    for (let node = 0; node < tetrahedra.nodeCount; node++) {
      if (tetrahedra.kinds[node] !== ON_FACE) continue;
      const p = tetrahedra.positions;
      const [x, y, z] = [p[3 * node], p[3 * node + 1], p[3 * node + 2]];
      const { point, patches, distance } = this.#features.nearest(x, y, z);
      this.#patches[node] = patches;
      if (distance === 0 || this.#isFrozen(node)) continue;
      for (let share = 1; share > 0.1; share /= 2) {
        const at = [x + share * (point[0] - x), y + share * (point[1] - y), z + share * (point[2] - z)];
        if (tetrahedra.move(node, at[0], at[1], at[2], QUALITY_FLOOR)) break;
      }
    }
  }

  /** Moves the nearest node that can go there into each corner. */
  #fitCorners(): void {
    const { corners } = this.#features;
    if (corners.length === 0) return;
    const tetrahedra = this.#tetrahedra;
    const reach = CORNER_REACH * this.#size;
    const grid = new NodeGrid(tetrahedra, reach);
    for (const { point, patches } of corners) {
      const [x, y, z] = point;
      for (const { node } of grid.within(x, y, z, reach)) {
        if (
          tetrahedra.kinds[node] !== ON_FACE ||
          this.#isFrozen(node) ||
          !tetrahedra.move(node, x, y, z, QUALITY_FLOOR)
        )
          continue;
        tetrahedra.kinds[node] = ON_CORNER;
        this.#patches[node] = patches;
        break;
      }
    }
  }

  /** The other ends of surface edges from a node that cross a crease: their ends have no patch in common. */
  #acrossCrease(node: number): number[] {
    const { kinds } = this.#tetrahedra;
    const patches = this.#patches[node];
    const found: number[] = [];
    for (const other of this.#tetrahedra.neighbors(node)) {
      if (kinds[other] === INNER || this.#patches[other].some((patch) => patches.includes(patch))) continue;
      if (this.#tetrahedra.isSurfaceEdge(node, other)) found.push(other);
    }
    return found;
  }

  /** Moves nodes with an edge across a crease onto it, nearest first. */
  #fitCreases(): void {
    const tetrahedra = this.#tetrahedra;
    const { kinds } = tetrahedra;
    const moves: (SurfacePlace & { readonly node: number })[] = [];
    for (let node = 0; node < tetrahedra.nodeCount; node++) {
      if (kinds[node] !== ON_FACE) continue;
      const p = tetrahedra.positions;
      const place = this.#features.nearestCrease(
        p[3 * node],
        p[3 * node + 1],
        p[3 * node + 2],
        CREASE_REACH * this.#size,
      );
      if (place !== null && this.#acrossCrease(node).length > 0) moves.push({ node, ...place });
    }
    moves.sort((a, b) => a.distance - b.distance || a.node - b.node);
    for (const { node, point, patches } of moves) {
      if (this.#acrossCrease(node).length > 0) this.#moveToCrease(node, point, patches);
    }
  }

  #moveToCrease(node: number, [x, y, z]: readonly number[], patches: readonly number[]): boolean {
    if (this.#isFrozen(node) || !this.#tetrahedra.move(node, x, y, z, QUALITY_FLOOR)) return false;
    this.#tetrahedra.kinds[node] = ON_CREASE;
    this.#patches[node] = patches;
    return true;
  }

  /** Splits edges that still cross a crease; where that makes slivers, moves an end there after all. */
  #splitAtCreases(): void {
    const tetrahedra = this.#tetrahedra;
    const { kinds } = tetrahedra;
    const count = tetrahedra.nodeCount;
    for (let node = 0; node < count; node++) {
      if (kinds[node] === INNER || this.#isFrozen(node)) continue;
      for (const other of this.#acrossCrease(node)) {
        if (this.#isFrozen(other)) continue;
        if (this.#patches[other].some((patch) => this.#patches[node].includes(patch))) continue;
        const p = tetrahedra.positions;
        const [x, y, z] = [0, 1, 2].map((axis) => (p[3 * node + axis] + p[3 * other + axis]) / 2);
        const place = this.#features.nearestCrease(x, y, z, SPLIT_REACH * this.#size);
        if (place === null) continue;
        const added = tetrahedra.splitEdge(node, other, place.point, ON_CREASE, QUALITY_FLOOR);
        if (added >= 0) {
          this.#patches[added] = place.patches;
          continue;
        }
        for (const end of [node, other]) {
          if (kinds[end] === ON_FACE && this.#moveToCrease(end, place.point, place.patches)) break;
        }
      }
    }
  }

  /** Splits surface edges whose middle is far from the solid's surface, at the nearest place on a crease or on it. */
  #splitFarEdges(): void {
    const tetrahedra = this.#tetrahedra;
    const count = tetrahedra.nodeCount;
    const far = EDGE_DISTANCE * this.#size;
    for (let node = 0; node < count; node++) {
      if (tetrahedra.kinds[node] === INNER || this.#isFrozen(node)) continue;
      for (const other of tetrahedra.neighbors(node)) {
        if (other < node || other >= count || this.#isFrozen(other) || !tetrahedra.isSurfaceEdge(node, other)) continue;
        const p = tetrahedra.positions;
        const [x, y, z] = [0, 1, 2].map((axis) => (p[3 * node + axis] + p[3 * other + axis]) / 2);
        const nearest = this.#features.nearest(x, y, z);
        if (nearest.distance < far) continue;
        const crease = this.#features.nearestCrease(x, y, z, 1.5 * nearest.distance);
        for (const [place, kind] of [[crease, ON_CREASE] as const, [nearest, ON_FACE] as const]) {
          const added = place === null ? -1 : tetrahedra.splitEdge(node, other, place.point, kind, QUALITY_FLOOR);
          if (added < 0 || place === null) continue;
          this.#patches[added] = place.patches;
          break;
        }
      }
    }
  }

  #isFrozen(node: number): boolean {
    return this.#frozen[node] === 1;
  }

  /** Moves nodes of poor elements to better places, worst first. */
  improve(): void {
    const tetrahedra = this.#tetrahedra;
    const poor: { node: number; quality: number }[] = [];
    for (let node = 0; node < tetrahedra.nodeCount; node++) {
      if (tetrahedra.kinds[node] === ON_CORNER || this.#isFrozen(node)) continue;
      if (tetrahedra.star(node).length === 0) continue;
      const quality = tetrahedra.starQuality(node);
      if (quality < QUALITY_WANTED) poor.push({ node, quality });
    }
    poor.sort((a, b) => a.quality - b.quality || a.node - b.node);
    for (const { node } of poor) this.#improveNode(node);
  }

  /** A search along the axes with shrinking steps for the place where the worst element of a node is best. */
  #improveNode(node: number): void {
    const tetrahedra = this.#tetrahedra;
    let best = tetrahedra.starQuality(node);
    let step = 0.15 * this.#size;
    for (let i = 0; i < SEARCH_STEPS; i++) {
      let improved = false;
      for (let direction = 0; direction < 6; direction++) {
        const p = tetrahedra.positions;
        const at = [p[3 * node], p[3 * node + 1], p[3 * node + 2]];
        at[direction >> 1] += direction & 1 ? -step : step;
        const place = this.#constrain(node, at[0], at[1], at[2]);
        if (place === null) continue;
        const [x, y, z] = place;
        if (!tetrahedra.move(node, x, y, z, best * (1 + 1e-6))) continue;
        best = tetrahedra.starQuality(node);
        improved = true;
      }
      if (best > QUALITY_WANTED) return;
      if (!improved) step /= 2;
    }
  }

  /** The place nearest to a wanted one where a node may be; null where it would leave its face. */
  #constrain(node: number, x: number, y: number, z: number): readonly number[] | null {
    const kind = this.#tetrahedra.kinds[node];
    if (kind === INNER) return [x, y, z];
    if (kind === ON_CREASE) return this.#features.nearestCrease(x, y, z, 0.5 * this.#size)?.point ?? null;
    const place = this.#features.nearest(x, y, z);
    return this.#patches[node].includes(place.patches[0]) ? place.point : null;
  }
}

/** Surface nodes in a grid of cells, for those within a reach of a point. */
class NodeGrid {
  readonly #cells = new Map<string, number[]>();
  readonly #tetrahedra: EditableTetrahedra;
  readonly #width: number;

  constructor(tetrahedra: EditableTetrahedra, width: number) {
    this.#tetrahedra = tetrahedra;
    this.#width = width;
    const p = tetrahedra.positions;
    for (let node = 0; node < tetrahedra.nodeCount; node++) {
      if (tetrahedra.kinds[node] === INNER) continue;
      const key = [0, 1, 2].map((axis) => Math.floor(p[3 * node + axis] / width)).join();
      const cell = this.#cells.get(key);
      if (cell === undefined) this.#cells.set(key, [node]);
      else cell.push(node);
    }
  }

  /** Nodes within a reach of at most the grid's width, nearest first. */
  within(x: number, y: number, z: number, reach: number): { node: number; distance: number }[] {
    const found: { node: number; distance: number }[] = [];
    const [i, j, k] = [x, y, z].map((value) => Math.floor(value / this.#width));
    for (let cell = 0; cell < 27; cell++) {
      const key = [i + (cell % 3) - 1, j + (Math.floor(cell / 3) % 3) - 1, k + Math.floor(cell / 9) - 1].join();
      for (const node of this.#cells.get(key) ?? []) {
        const p = this.#tetrahedra.positions;
        const distance = Math.hypot(p[3 * node] - x, p[3 * node + 1] - y, p[3 * node + 2] - z);
        if (distance <= reach) found.push({ node, distance });
      }
    }
    return found.sort((a, b) => a.distance - b.distance || a.node - b.node);
  }
}
