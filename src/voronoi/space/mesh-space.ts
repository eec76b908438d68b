// The nearest site of every node by distance meshes (Hoff et al. 1999): slice by slice, the meshes of all sites are drawn
// with a depth test, ids as colors. Tiles of a slab of slices share the elements that can be nearest, so that only those
// are drawn there.
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { GridFrame } from '../../field/grid.js';
import { findEqualVertices } from '../../mesh/topology/coincident-vertices.js';
import { fillSpans } from '../../raster/software/fill-spans.js';
import { PixelTestCache } from '../../raster/software/pixel-tests.js';
import { SpanList } from '../../raster/software/span-list.js';
import { CULL_NONE, TriangleScanner } from '../../raster/software/triangle-scan.js';
import { SPACE_POINT, SPACE_SEGMENT, type SpaceElements } from '../sites/space-elements.js';
import { type BlockVisitor, CandidateBlocks } from './candidate-blocks.js';
import { DistanceMesh, DRAW_CORNER, DRAW_FACE, DRAW_SIDE } from './distance-mesh.js';
import { ElementDistances } from './element-distances.js';
import type { SpaceVoronoiCounters } from './space-voronoi.js';

/** Slices that are prepared at once, and the most nodes along each axis of a block that shares its elements. */
const TILE_NODES = 8;

/** Blocks with more elements are halved down to this many nodes along each axis. 10,000 sites at 64³ take a third of the time of 8. */
const SMALL_TILE_NODES = 2;
const FEW_CANDIDATES = 6;

/** Spans that are filled at once, plus those of one more triangle. */
const SPAN_BATCH = 1024;

/** Triangles that are drawn at once. */
const DRAWN_TRIANGLES = 4096;

/** A triangle with a smaller height, as a share of its longest side, has no normal to speak of. */
const NEEDLE_HEIGHT = 1e-7;

/** The depth of a pixel is rounded to single precision, as a share of the range of depths. */
const DEPTH_ROUNDING = 2 ** -23;

/** Error of overlapping pieces, in spacings. */
const OVERLAP_ERROR = 1e-6;

/**
 * Writes the nearest site and its distance for all nodes; those beyond `maxDistance` keep their values. Returns what it
 * cost and a bound on the error.
 * @param meshError how far a mesh may be from the distance, in spacings.
 */
export function fillByMeshes(
  elements: SpaceElements,
  frame: GridFrame,
  maxDistance: number,
  meshError: number,
  slack: number,
  ids: Int32Array,
  distances: Float64Array,
  progress: ProgressOptions,
): SpaceVoronoiCounters & { readonly error: number } {
  const slices = new MeshSlices(elements, frame, maxDistance, meshError, slack, ids, distances);
  const depth = frame.size[2];
  for (let k = 0; k < depth; k += TILE_NODES) {
    reportProgress(progress, k / depth, 'distance meshes');
    slices.drawSlab(k, Math.min(k + TILE_NODES, depth) - 1);
  }
  return {
    distances: slices.measure.computed,
    blocks: slices.blocks.blocks,
    triangles: slices.drawn,
    error: slices.error,
  };
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

class MeshSlices implements BlockVisitor {
  readonly measure: ElementDistances;
  readonly blocks: CandidateBlocks;
  drawn = 0;
  error = 0;
  readonly #elements: SpaceElements;
  readonly #frame: GridFrame;
  readonly #maxDistance: number;
  readonly #meshError: number;
  readonly #slack: number;
  readonly #ids: Int32Array;
  readonly #distances: Float64Array;
  readonly #flags: Uint8Array;
  /** Corners of the elements in nodes from the first. */
  readonly #corners: Float64Array;
  readonly #mesh = new DistanceMesh();
  /** Tiles of the slab: their nodes and candidates. */
  #tiles: Tile[] = [];
  #far = 0;
  readonly #images: { color: Uint32Array; depth: Float32Array; stencil: Uint8Array };
  readonly #scanner: TriangleScanner;
  readonly #spans = new SpanList();
  readonly #tests = new PixelTestCache().prepare({});
  readonly #near: number;

  constructor(
    elements: SpaceElements,
    frame: GridFrame,
    maxDistance: number,
    meshError: number,
    slack: number,
    ids: Int32Array,
    distances: Float64Array,
  ) {
    this.#elements = elements;
    this.#frame = frame;
    this.#maxDistance = maxDistance;
    this.#meshError = meshError;
    this.#slack = slack;
    this.#ids = ids;
    this.#distances = distances;
    this.measure = new ElementDistances(elements, 1);
    const options = {
      frame,
      maxDistance,
      leafNodes: SMALL_TILE_NODES,
      earlyNodes: TILE_NODES,
      fewCandidates: FEW_CANDIDATES,
      searchedRatio: Infinity,
      slack,
    };
    this.blocks = new CandidateBlocks(this.measure, options, this);
    this.#flags = drawnParts(elements);
    const { origin, spacing, size } = frame;
    this.#corners = elements.corners.map((value, i) => (value - origin[i % 3]) / spacing);
    const pixels = size[0] * size[1];
    this.#images = {
      color: new Uint32Array(pixels),
      depth: new Float32Array(pixels),
      stencil: new Uint8Array(pixels),
    };
    this.#scanner = new TriangleScanner(size[0], size[1]);
    this.#spans.reset(SPAN_BATCH + size[1]);
    this.#near = -elements.offsets.reduce((largest, offset) => Math.max(largest, offset), 0);
  }

  drawSlab(first: number, last: number): void {
    const { size, spacing } = this.#frame;
    this.#tiles = [];
    this.#far = -Infinity;
    this.blocks.run({ min: [0, 0, first], max: [size[0] - 1, size[1] - 1, last] });
    if (this.#tiles.length === 0) return;
    const mesh = this.#mesh;
    const error = this.#meshError * spacing;
    const near = this.#near - OVERLAP_ERROR * spacing - this.#slack;
    const range = this.#far + error - near + 2 * this.#slack;
    // Depths run over the unit interval; the mesh measures in spacings.
    mesh.near = near / spacing;
    mesh.depthScale = spacing / range;
    this.error = Math.max(this.error, error + OVERLAP_ERROR * spacing + DEPTH_ROUNDING * range + this.#slack);
    for (let k = first; k <= last; k++) {
      this.#images.depth.fill(1);
      this.#images.color.fill(0);
      for (const tile of this.#tiles) if (tile.k <= k && k <= tile.n) this.#drawTile(tile, k);
      this.#flush();
      this.#readSlice(k, near, range);
    }
  }

  leaf(i: number, j: number, k: number, l: number, m: number, n: number, first: number, end: number): void {
    if (end === first) return;
    this.#tiles.push({ i, j, k, l, m, n, candidates: this.blocks.candidates.slice(first, end) });
    this.#far = Math.max(this.#far, this.blocks.limit);
  }

  search(): void {}

  #drawTile(tile: Tile, k: number): void {
    const mesh = this.#mesh;
    const { inverse, lowered } = this.measure;
    const { site } = this.#elements;
    mesh.setTile(tile.i, tile.j, tile.l, tile.m, k);
    for (const element of tile.candidates) {
      mesh.inverse = inverse[element];
      mesh.lowered = lowered[element] / this.#frame.spacing;
      mesh.error = this.#meshError / inverse[element];
      mesh.color = site[element] + 1;
      mesh.addElement(this.#corners, 9 * element, this.#flags[element]);
    }
    if (mesh.count > DRAWN_TRIANGLES) this.#flush();
  }

  #flush(): void {
    const mesh = this.#mesh;
    const spans = this.#spans;
    spans.count = 0;
    for (let triangle = 0; triangle < mesh.count; triangle++) {
      const at = 3 * triangle;
      this.#scanner.scan(spans, mesh.corners, at, at + 1, at + 2, CULL_NONE, mesh.colors[triangle], 0);
      if (spans.count < SPAN_BATCH) continue;
      fillSpans(this.#images, spans, this.#tests);
      spans.count = 0;
    }
    if (spans.count > 0) fillSpans(this.#images, spans, this.#tests);
    this.drawn += mesh.count;
    mesh.count = 0;
  }

  #readSlice(k: number, near: number, range: number): void {
    const { size } = this.#frame;
    const { color, depth } = this.#images;
    const base = size[0] * size[1] * k;
    for (let pixel = 0; pixel < color.length; pixel++) {
      const distance = near + range * depth[pixel];
      if (color[pixel] === 0 || distance > this.#maxDistance) continue;
      this.#ids[base + pixel] = color[pixel] - 1;
      this.#distances[base + pixel] = distance;
    }
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
      // Without a face sides are drawn whole: who drew one before may have drawn only the outer part of it.
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
