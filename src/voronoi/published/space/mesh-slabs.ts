// The distance meshes of all sites over slabs of slices (Hoff et al. 1999). Callers draw them with a depth test, ids as
// colors. Tiles of a slab share the elements that can be nearest, so that only those are drawn there.
import type { NodeBlock } from '../../../field/exact/node-block.js';
import type { GridFrame } from '../../../field/grid.js';
import { findEqualVertices } from '../../../mesh/topology/coincident-vertices.js';
import { SPACE_POINT, SPACE_SEGMENT, type SpaceElements } from '../../sites/space-elements.js';
import { type BlockVisitor, CandidateBlocks } from '../../space/candidate-blocks.js';
import { ElementDistances } from '../../space/element-distances.js';
import type { SpaceVoronoiCounters } from '../../space/space-voronoi.js';
import { DistanceMesh, DRAW_CORNER, DRAW_FACE, DRAW_SIDE } from './distance-mesh.js';

/**
 * Chosen: slices that are prepared at once, and the largest number of nodes along each axis of a block that shares its
 * elements.
 */
export const SLAB_SLICES = 8;

/**
 * Measured on 10,000 sites at 64³: blocks with more than FEW_CANDIDATES elements are halved down to this many nodes
 * along each axis, in a third of the time of 8.
 */
const SMALL_TILE_NODES = 2;
/** Chosen: a block with this number of elements or fewer is not halved below a slab. */
const FEW_CANDIDATES = 6;

/** Chosen: a triangle with a smaller height, as a share of its longest side, has no usable normal. */
const NEEDLE_HEIGHT = 1e-7;

/**
 * Proven: where pieces overlap, a plane is below the distance by this many overlaps or fewer: it falls and the distance
 * rises by no more than the way, and corners of pieces reach 2.5 overlaps beyond them.
 */
const OVERLAP_FALL = 6;

/** The samples, and the error allowed. */
export interface MeshTask {
  readonly elements: SpaceElements;
  readonly frame: GridFrame;
  readonly maxDistance: number;
  /** How far a mesh may be from the distance, in spacings. */
  readonly meshError: number;
  /** Rounding of distances. */
  readonly slack: number;
}

/** How exactly the triangles are drawn. */
export interface DrawingPrecision {
  /** By how much pieces overlap, more than corners can be off, in spacings. */
  readonly overlap: number;
  /** Triangles that are thinner are not interpolated well, in spacings; 0 if all are. */
  readonly thinnest: number;
  /** The largest error of depths, as a share of their range. */
  readonly depths: number;
}

/** Nodes of a slab, and the elements that can be nearest to one of them. */
interface Tile {
  readonly i: number;
  readonly j: number;
  readonly k: number;
  readonly l: number;
  readonly m: number;
  readonly n: number;
  readonly candidates: Int32Array;
}

/** Distances of a slab: depth 0 and how much depth 1 is beyond it. */
export interface SlabDepths {
  readonly near: number;
  readonly range: number;
}

/** Adds the triangles of slices to a mesh, and stores what was drawn. */
export class MeshSlabs implements BlockVisitor {
  readonly mesh = new DistanceMesh();
  /** A bound on the errors of all slabs so far. */
  error = 0;
  readonly #measure: ElementDistances;
  readonly #blocks: CandidateBlocks;
  readonly #task: MeshTask;
  readonly #precision: DrawingPrecision;
  readonly #flags: Uint8Array;
  /** Corners of the elements in nodes from the first. */
  readonly #corners: Float64Array;
  #tiles: Tile[] = [];
  #far = 0;
  readonly #near: number;
  /** By how much planes may be off because pieces overlap and corners are rounded. */
  readonly #overlapError: number;

  constructor(task: MeshTask, precision: DrawingPrecision) {
    const { elements, frame, maxDistance, slack } = task;
    this.#task = task;
    this.#precision = precision;
    this.#measure = new ElementDistances(elements, 1);
    const options = {
      frame,
      maxDistance,
      leafNodes: SMALL_TILE_NODES,
      earlyNodes: SLAB_SLICES,
      fewCandidates: FEW_CANDIDATES,
      searchedRatio: Infinity,
      slack,
    };
    this.#blocks = new CandidateBlocks(this.#measure, options, this);
    this.#flags = drawnParts(elements);
    const { origin, spacing } = frame;
    this.#corners = elements.corners.map((value, i) => (value - origin[i % 3]) / spacing);
    this.mesh.overlap = precision.overlap;
    this.mesh.thinnest = precision.thinnest;
    const steepest = this.#measure.inverse.reduce((largest, inverse) => Math.max(largest, inverse), 0);
    this.#overlapError = OVERLAP_FALL * precision.overlap * spacing * steepest;
    this.#near = -elements.offsets.reduce((largest, offset) => Math.max(largest, offset), 0);
  }

  /** Finds what to draw in the slices; null if that is nothing. */
  begin(first: number, last: number): SlabDepths | null {
    const { frame, meshError, slack } = this.#task;
    const { size, spacing } = frame;
    this.#tiles = [];
    this.#far = -Infinity;
    this.#blocks.run({ min: [0, 0, first], max: [size[0] - 1, size[1] - 1, last] });
    if (this.#tiles.length === 0) return null;
    const error = meshError * spacing;
    const near = this.#near - this.#overlapError - slack;
    const range = this.#far + error - near + 2 * slack;
    // Depths run over the unit interval; the mesh measures in spacings.
    this.mesh.near = near / spacing;
    this.mesh.depthScale = spacing / range;
    this.error = Math.max(this.error, error + this.#overlapError + this.#precision.depths * range + slack);
    return { near, range };
  }

  leaf({ i, j, k, l, m, n }: NodeBlock, first: number, end: number): void {
    if (end === first) return;
    this.#tiles.push({ i, j, k, l, m, n, candidates: this.#blocks.candidates.slice(first, end) });
    this.#far = Math.max(this.#far, this.#blocks.limit);
  }

  search(): void {}

  /** Adds the triangles of a slice of the slab to the mesh; `drain` lets the caller empty it in between. */
  addSlice(k: number, drain: () => void): void {
    const { mesh } = this;
    const { inverse, lowered } = this.#measure;
    const { elements, frame, meshError } = this.#task;
    for (const tile of this.#tiles) {
      if (tile.k > k || k > tile.n) continue;
      mesh.setTile(tile.i, tile.j, tile.l, tile.m, k);
      for (const element of tile.candidates) {
        mesh.inverse = inverse[element];
        mesh.lowered = lowered[element] / frame.spacing;
        mesh.error = meshError / inverse[element];
        mesh.color = elements.site[element] + 1;
        mesh.addElement(this.#corners, 9 * element, this.#flags[element]);
      }
      drain();
    }
  }

  /** Writes a slice whose image starts at `from`; nodes beyond the largest distance keep their values. */
  store(
    k: number,
    { near, range }: SlabDepths,
    images: { readonly color: Uint32Array; readonly depth: Float32Array },
    from: number,
    ids: Int32Array,
    distances: Float64Array,
  ): void {
    const { frame, maxDistance } = this.#task;
    const { color, depth } = images;
    const pixels = frame.size[0] * frame.size[1];
    for (let pixel = 0; pixel < pixels; pixel++) {
      const distance = near + range * depth[from + pixel];
      if (color[from + pixel] === 0 || distance > maxDistance) continue;
      ids[pixels * k + pixel] = color[from + pixel] - 1;
      distances[pixels * k + pixel] = distance;
    }
  }

  /** What the slabs cost, given the number of triangles drawn. */
  cost(triangles: number): SpaceVoronoiCounters & { readonly error: number } {
    return { distances: this.#measure.computed, blocks: this.#blocks.blocks, triangles, error: this.error };
  }
}

/**
 * What each element draws. Of the elements of a site that share a side or a corner only the first draws it: where it is
 * nearest, all of them are equally near, and so all are candidates.
 */
function drawnParts(elements: SpaceElements): Uint8Array {
  const { count, kinds, corners, site } = elements;
  const flags = new Uint8Array(count);
  const vertices = findEqualVertices(corners);
  const cornerSite = new Int32Array(vertices.length).fill(-1);
  const sideSite = new Map<number, number>();
  for (let element = 0; element < count; element++) {
    const kind = kinds[element];
    const sides = kind === SPACE_POINT ? 0 : kind === SPACE_SEGMENT ? 1 : 3;
    if (sides === 3 && !isNeedle(corners, 9 * element)) flags[element] |= DRAW_FACE;
    for (let n = 0; n < Math.max(1, kind === SPACE_SEGMENT ? 2 : sides); n++) {
      const vertex = vertices[3 * element + n];
      if (cornerSite[vertex] === site[element]) continue;
      cornerSite[vertex] = site[element];
      flags[element] |= DRAW_CORNER << n;
    }
    for (let n = 0; n < sides; n++) {
      const u = vertices[3 * element + n];
      const v = vertices[3 * element + ((n + 1) % 3)];
      const key = Math.min(u, v) * vertices.length + Math.max(u, v);
      // Without a face sides are drawn whole: an earlier element may have drawn only the outer part of one.
      if (sideSite.get(key) === site[element] && (flags[element] & DRAW_FACE) !== 0) continue;
      sideSite.set(key, site[element]);
      flags[element] |= DRAW_SIDE << n;
    }
  }
  return flags;
}

function isNeedle(t: Float64Array, o: number): boolean {
  const sides = [0, 1, 2].map((n) => {
    const p = o + 3 * n;
    const q = o + 3 * ((n + 1) % 3);
    return [t[q] - t[p], t[q + 1] - t[p + 1], t[q + 2] - t[p + 2]];
  });
  const [u, v] = sides;
  const area = Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
  const longest = Math.max(...sides.map((side) => Math.hypot(...side)));
  return !(area > NEEDLE_HEIGHT * longest * longest);
}
