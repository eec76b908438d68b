// Tetrahedra from a closed mesh: isosurface stuffing on exact distances, then the surface fitted to faces, creases and
// corners while every element keeps its quality; or a coarse lattice that carries the surface. The distance between both
// surfaces is bounded in both directions.
import { flag, numberAbove, oneOf, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, partOfProgress } from '../../core/progress.js';
import { boundLargestDistance } from '../../field/solid/surface-distance.js';
import { SurfaceSearch } from '../../field/solid/surface-search.js';
import { BccLattice } from '../../mesh/implicit/bcc-lattice.js';
import { snapNodes } from '../../mesh/implicit/snap-nodes.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { MeshQuery } from '../../mesh/query/mesh-query.js';
import { SolidQuery } from '../../mesh/query/solid-query.js';
import { massProperties } from '../../mesh/report/mass-properties.js';
import { findSelfIntersections } from '../../mesh/report/self-intersections.js';
import { findSoundSurface } from '../../mesh/soundness/sound-surface.js';
import { buildAdjacency } from '../../mesh/topology/adjacency.js';
import { findComponents } from '../../mesh/topology/components.js';
import { boxOfFaces, findUsedVertices } from '../../mesh/topology/unused-vertices.js';
import { ELASTIC_DEFAULTS } from '../defaults.js';
import { EditableTetrahedra } from './editable-tetrahedra.js';
import { type ElementReport, measureElements } from './element-quality.js';
import { embedSurface, type SurfaceEmbedding } from './embed-surface.js';
import { SurfaceFit } from './fit-surface.js';
import { stuffLattice } from './stuff-lattice.js';
import { SurfaceFeatures } from './surface-features.js';
import { surfaceMesh, type TetrahedralMesh } from './tetrahedral-mesh.js';

/** How {@link tetrahedralizeMesh} makes tetrahedra. */
export interface TetrahedralizeOptions extends ProgressOptions {
  /**
   * The length of the edges of elements: in the solid they have this length and 0.87 of it. Default: the longest side of
   * the model over `ELASTIC_DEFAULTS.tetrahedra.resolution`.
   */
  readonly size?: number | undefined;
  /**
   * 'conforming': the surface of the tetrahedra follows the mesh. 'embedded': whole elements of a lattice that cover the
   * solid, and carry the mesh. Default 'conforming'.
   */
  readonly mode?: 'conforming' | 'embedded' | undefined;
  /** Of conforming elements: put nodes on creases and corners of the mesh. Default true. */
  readonly features?: boolean | undefined;
  /** Of conforming elements: the largest distance between both surfaces; beyond it is an error. Default: the size. */
  readonly maxDistance?: number | undefined;
  /**
   * Of conforming elements: 'same' refuses a result with other handles, holes or components than the mesh, as thin walls
   * come out where the size is too large. 'any' accepts it, for scans with small handles. Default 'same'.
   */
  readonly topology?: 'same' | 'any' | undefined;
  /** The most elements. Default `ELASTIC_DEFAULTS.tetrahedra.maxElements`. */
  readonly maxElements?: number | undefined;
}

const DEFAULTS = ELASTIC_DEFAULTS.tetrahedra;

const OPTIONS = optionTable<TetrahedralizeOptions>()({
  size: numberAbove(0),
  mode: oneOf(['conforming', 'embedded'], DEFAULTS.mode),
  features: flag(DEFAULTS.features),
  maxDistance: numberAbove(0),
  topology: oneOf(['same', 'any'], DEFAULTS.topology),
  maxElements: numberAbove(0, DEFAULTS.maxElements),
  ...PROGRESS_RULES,
});

/** What {@link tetrahedralizeMesh} makes. */
export interface Tetrahedralization {
  readonly mesh: TetrahedralMesh;
  readonly size: number;
  /** Counts, volumes and dihedral angles. */
  readonly report: ElementReport;
  /** Proven bounds of the distances between both surfaces; `null` for embedded elements, which cover the mesh. */
  readonly distance: { readonly toInput: number; readonly fromInput: number } | null;
  /**
   * Both surfaces have the same number of components and the same Euler characteristic; `null` for embedded elements.
   */
  readonly topologyKept: boolean | null;
  /** Of embedded elements: what carries each vertex of the given mesh. */
  readonly embedding: SurfaceEmbedding | null;
  /** Of embedded elements: the share of each that is solid, which scales mass and stiffness. */
  readonly fill: Float64Array | null;
}

/** Proven: a cell of the lattice has 12 elements. */
const ELEMENTS_PER_CELL = 12;

/**
 * Chosen: fits, repeated with nodes held where the surface came to cross itself; after the last one the surface stays
 * as it was stuffed.
 */
const MAX_FITS = 5;

/** Chosen: faces farther than this from the elements are lost, in element sizes. */
const LOST = 0.3;

/** Chosen: how tight bounds of distances are, in element sizes. */
const DISTANCE_TOLERANCE = 0.03;

/** Chosen: pieces of triangles after which bounds of distances stay as loose as they are. */
const MAX_PIECES = 200_000;

/**
 * Fills a closed mesh with tetrahedra.
 *
 * Conforming elements have dihedral angles from 8.6° to 167.6°, an inner node each, and a closed manifold surface without
 * self-intersections that is at most `maxDistance` from the mesh, both ways; the result has the angles and distances.
 * @throws NearfieldError as `assertMesh` does; `open-mesh`, `self-intersecting`, `degenerate` for a mesh that bounds no
 * solid; `degenerate` for one too thin for the size, with the size it needs; `bad-argument`; `too-large` beyond
 * `maxElements`; `aborted`.
 */
export function tetrahedralizeMesh(mesh: Mesh, options: TetrahedralizeOptions = {}): Tetrahedralization {
  assertMesh(mesh);
  const { mode, maxElements, features, topology, ...given } = OPTIONS.read(options);
  const surface = solidSurface(mesh, partOfProgress(options, 0, 0.1));
  const box = boxOfFaces(surface);
  const longest = Math.max(box.max[0] - box.min[0], box.max[1] - box.min[1], box.max[2] - box.min[2]);
  const { size = longest / DEFAULTS.resolution } = given;
  const { maxDistance = size } = given;
  assertWork(surface, size, maxElements);
  const lattice = new BccLattice(implicitSolid(surface), box, size);
  lattice.sample(partOfProgress(options, 0.1, 0.4));
  if (mode === 'embedded') {
    const { mesh: tetrahedra, embedding, fill } = embedSurface(mesh, lattice, partOfProgress(options, 0.4, 1));
    const report = measureElements(tetrahedra);
    return { mesh: tetrahedra, size, report, distance: null, topologyKept: null, embedding, fill };
  }
  const stuffed = stuffLattice(lattice, snapNodes(lattice), partOfProgress(options, 0.4, 0.5));
  if (stuffed.elements.length === 0) throw tooThin(surface, null, size, 'no element fits into it');
  const fitted = features ? fitSurface(stuffed, surface, size, partOfProgress(options, 0.5, 0.8)) : stuffed;
  const outer = surfaceMesh(fitted).mesh;
  const tolerance = DISTANCE_TOLERANCE * size;
  const toInput = boundLargestDistance(outer, new SurfaceSearch(surface, options), {
    ...partOfProgress(options, 0.8, 0.9),
    ...{ tolerance, maxPieces: MAX_PIECES },
  }).upper;
  const fromInput = boundLargestDistance(surface, new SurfaceSearch(outer, options), {
    ...partOfProgress(options, 0.9, 1),
    ...{ tolerance, maxPieces: MAX_PIECES },
  }).upper;
  if (Math.max(toInput, fromInput) > maxDistance) {
    const far = Math.max(toInput, fromInput).toPrecision(2);
    const allowed = maxDistance.toPrecision(2);
    throw tooThin(surface, outer, size, `the elements stay ${far} away from it, more than the ${allowed} allowed`);
  }
  const topologyKept = topologyOf(outer) === topologyOf(surface);
  if (!topologyKept && topology === 'same') {
    throw tooThin(surface, outer, size, "holes would open or close; topology: 'any' accepts that");
  }
  return {
    mesh: fitted,
    size,
    report: measureElements(fitted),
    distance: { toInput, fromInput },
    topologyKept,
    embedding: null,
    fill: null,
  };
}

/** A solid by its signed distances. */
function implicitSolid(surface: Mesh) {
  const solid = new SolidQuery(surface);
  const point: [number, number, number] = [0, 0, 0];
  return {
    lipschitz: 1,
    value(x: number, y: number, z: number): number {
      point[0] = x;
      point[1] = y;
      point[2] = z;
      return solid.signedDistance(point);
    },
  };
}

/** The mesh with its faces turned outward, if it bounds a solid and does not cross itself. */
function solidSurface(mesh: Mesh, progress: ProgressOptions): Mesh {
  const { mesh: surface, closed, outward } = findSoundSurface(mesh);
  if (!closed) {
    throw new NearfieldError(
      'open-mesh',
      'The mesh is open, so that it has no inside to fill; close it with repairMesh and fillHoles, or make a solid with solidify.',
    );
  }
  if (!outward || !(massProperties(surface).volume > 0)) {
    throw new NearfieldError('degenerate', 'The mesh encloses no volume; check its units and how the file was made.');
  }
  const { count, pairs } = findSelfIntersections(surface, { ...progress, limit: 1 });
  if (count === 0) return surface;
  throw new NearfieldError(
    'self-intersecting',
    `The mesh crosses itself in ${count} pairs of triangles, first in ${pairs[0]} and ${pairs[1]}; make a solid from it with solidify.`,
    { face: pairs[0] },
  );
}

/** Fits the surface; where it comes to cross itself, the nodes there stay as they were stuffed. */
function fitSurface(stuffed: TetrahedralMesh, surface: Mesh, size: number, progress: ProgressOptions): TetrahedralMesh {
  const features = new SurfaceFeatures(surface, size);
  const frozen = new Uint8Array(stuffed.positions.length / 3);
  for (let round = 0; round < MAX_FITS; round++) {
    const tetrahedra = new EditableTetrahedra(stuffed);
    new SurfaceFit(tetrahedra, features, size, frozen).run(
      partOfProgress(progress, round / MAX_FITS, (round + 1) / MAX_FITS),
    );
    const mesh = tetrahedra.snapshot();
    const outer = surfaceMesh(mesh);
    const { count, pairs } = findSelfIntersections(outer.mesh, { signal: progress.signal, limit: Infinity });
    if (count === 0) return mesh;
    // Nodes that were added have no place to go back to: those beside them stay, so that they are not added again.
    for (const face of pairs) {
      for (let i = 0; i < 3; i++) {
        const node = outer.nodes[outer.mesh.indices[3 * face + i]];
        for (const near of [node, ...tetrahedra.neighbors(node)]) if (near < frozen.length) frozen[near] = 1;
      }
    }
  }
  return stuffed;
}

/** Components and Euler characteristic. */
function topologyOf(mesh: Mesh): string {
  const adjacency = buildAdjacency(mesh);
  const used = findUsedVertices({ positions: mesh.positions, indices: adjacency.indices });
  const vertices = used.reduce((sum, flag) => sum + flag, 0);
  return `${findComponents(mesh, adjacency).count},${vertices - adjacency.edgeCount + mesh.indices.length / 3}`;
}

/** Chosen: the largest count of faces at which the thickness of the solid is measured. */
const MAX_RAYS = 5000;

/** The error for parts that the elements do not follow, with the size that the thinnest of them needs. */
function tooThin(surface: Mesh, outer: Mesh | null, size: number, what: string): NearfieldError {
  const { positions: p, indices } = surface;
  const search = outer === null ? null : new SurfaceSearch(outer);
  const query = new MeshQuery(surface);
  const worst = { distance: -1, face: 0 };
  let thinnest = Infinity;
  const stride = Math.max(1, Math.floor(indices.length / 3 / MAX_RAYS));
  for (let face = 0; face < indices.length / 3; face += stride) {
    const corners = [0, 1, 2].map((i) => 3 * indices[3 * face + i]);
    const at = [0, 1, 2].map((axis) => corners.reduce((sum, corner) => sum + p[corner + axis], 0) / 3);
    const distance = search === null ? size : search.distance(at[0], at[1], at[2]);
    if (distance > worst.distance) Object.assign(worst, { distance, face });
    if (distance > LOST * size) thinnest = Math.min(thinnest, thicknessAt(query, surface, face, at));
  }
  const needed = floorDigits(Math.min(thinnest, 0.5 * size));
  return new NearfieldError(
    'degenerate',
    `The model has parts too thin for elements of size ${size.toPrecision(3)}: ${what}. ` +
      `Use a size of at most ${needed}, or mode 'embedded'.`,
    { face: worst.face },
  );
}

/** How far it is from a face through the solid to the other side. */
function thicknessAt(query: MeshQuery, { positions: p, indices }: Mesh, face: number, at: readonly number[]): number {
  const [a, b, c] = [0, 1, 2].map((i) => 3 * indices[3 * face + i]);
  const u = [0, 1, 2].map((axis) => p[b + axis] - p[a + axis]);
  const v = [0, 1, 2].map((axis) => p[c + axis] - p[a + axis]);
  const inward = [v[1] * u[2] - v[2] * u[1], v[2] * u[0] - v[0] * u[2], v[0] * u[1] - v[1] * u[0]];
  if (inward.every((value) => value === 0)) return Infinity;
  const hits = query.rayHits([at[0], at[1], at[2]], [inward[0], inward[1], inward[2]], { side: 'back' });
  const scale = Math.hypot(u[0], u[1], u[2]) + Math.hypot(v[0], v[1], v[2]);
  return hits.find((hit) => hit.distance > 1e-9 * scale)?.distance ?? Infinity;
}

/** Two digits, rounded down. */
function floorDigits(value: number): string {
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return String(Number((Math.floor(value / unit) * unit).toPrecision(2)));
}

/** Refuses work beyond the limit before any is done. */
function assertWork(surface: Mesh, size: number, maxElements: number): void {
  const { volume } = massProperties(surface);
  const elements = (ELEMENTS_PER_CELL * volume) / size ** 3;
  if (elements <= maxElements) return;
  const needed = Math.cbrt((ELEMENTS_PER_CELL * volume) / maxElements);
  throw new NearfieldError(
    'too-large',
    `A size of ${size} makes about ${elements.toPrecision(2)} elements, more than ${maxElements}; ` +
      `use a size of at least ${needed.toPrecision(2)}, or raise maxElements.`,
  );
}
