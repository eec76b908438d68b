// The medial axis of a solid: the surfaces inside it between the regions of its flat faces, where the directions to the two
// nearest points differ enough. Where both are one point of a common edge they do not differ, so that neither a reflex edge
// nor neighbors in one plane leave a surface.
import { grow, ofPositions } from '../../core/box.js';
import { assertOptions, nameValue, type OptionNames, PROGRESS_NAMES } from '../../core/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, partOfProgress, reportProgress } from '../../core/progress.js';
import { distance as lengthBetween, type Vec3 } from '../../core/vec3.js';
import { exactField } from '../../field/exact/exact-field.js';
import { frameBox, type GridFrame, gridOverBox } from '../../field/grid.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { MeshQuery } from '../../mesh/query/mesh-query.js';
import { buildAdjacency } from '../../mesh/topology/adjacency.js';
import { DisjointSets } from '../../mesh/topology/disjoint-sets.js';
import { VORONOI_DEFAULTS } from '../defaults.js';
import { spaceElements } from '../sites/space-elements.js';
import type { SpaceSite } from '../sites/space-site.js';
import { compact, visitCells } from './compute-space-sheets.js';
import { roundingOf } from './element-distances.js';
import { type RawSheet, SheetExtractor } from './sheet-extractor.js';
import { SpaceSearch } from './space-search.js';

/** Neighbors whose normals differ by less, in radians, are one flat face. */
const FLAT_ANGLE = 1e-4;

/** Nodes farther than this from the surface, in spacings, have gradients that change little within a cell. */
const SMOOTH_DISTANCE = 2;

/** How to compute a medial axis. */
export interface SolidMedialAxisOptions extends ProgressOptions {
  /** Nodes of the grid along the longest side of the solid. Default `VORONOI_DEFAULTS.spaceResolution`. */
  readonly resolution?: number | undefined;
  /**
   * The least angle between the directions to the two nearest points, in radians, above 0. Facets of a curved surface make
   * no surface of their own if it is larger than the angle between them. Default `VORONOI_DEFAULTS.medialAngle`.
   */
  readonly minAngle?: number | undefined;
  /** The least distance between the two nearest points: leaves out what fine features cause. Default 0. */
  readonly minFeature?: number | undefined;
}

const MEDIAL_NAMES: OptionNames<SolidMedialAxisOptions> = {
  resolution: true,
  minAngle: true,
  minFeature: true,
  ...PROGRESS_NAMES,
};

/**
 * The medial axis of a solid as triangles, which meet in common vertices. Every vertex is equally far from two faces or
 * more, to 1e-9 of the solid.
 */
export interface SolidMedialAxis extends Mesh {
  /** By vertex: the radius of the ball inside the solid that touches its surface in two places. */
  readonly radii: Float64Array;
  /** The triangles may end this far from where the axis ends, and what is thinner may be missed: the diagonal of a cell. */
  readonly error: number;
  readonly spacing: number;
}

/**
 * The medial axis of a closed mesh whose flat faces are larger than the cells of the grid; of a scan with smaller
 * triangles most of it is missed.
 * @throws NearfieldError `open-mesh` for a mesh that bounds no solid; as `assertMesh` does; `bad-argument` for invalid options.
 */
export function computeSolidMedialAxis(mesh: Mesh, options: SolidMedialAxisOptions = {}): SolidMedialAxis {
  assertOptions(options, MEDIAL_NAMES);
  assertMesh(mesh);
  const { resolution = VORONOI_DEFAULTS.spaceResolution, minFeature = 0 } = options;
  const { minAngle = VORONOI_DEFAULTS.medialAngle } = options;
  if (!(typeof minAngle === 'number' && minAngle > 0 && minAngle < Math.PI)) {
    throw new NearfieldError('bad-argument', `The least angle is ${nameValue(minAngle)}; give radians from 0 to π.`);
  }
  if (!(typeof minFeature === 'number' && minFeature >= 0)) {
    throw new NearfieldError('bad-argument', `The least feature is ${nameValue(minFeature)}; give a length from 0.`);
  }
  const bounds = ofPositions(mesh.positions);
  const longest = Math.max(...bounds.max.map((max, axis) => max - bounds.min[axis]));
  // A third of a node past the solid, so that its faces lie on no nodes.
  const margin = longest / Math.max(1, resolution - 1) / 3;
  const frame = gridOverBox(grow(bounds, margin), resolution);
  const field = exactField(mesh, frame, { nearest: true, ...partOfProgress(options, 0, 0.3) });
  if (!field.closed) {
    throw new NearfieldError('open-mesh', 'The mesh bounds no solid, which has no medial axis; repair or solidify it.');
  }
  const nearest = field.nearest as Int32Array;
  const faces = flatFaces(mesh);
  const elements = spaceElements(triangleSites(mesh, faces));
  const labels = nearest.map((triangle) => elements.objectOfSite[triangle]);
  const inside = Uint8Array.from(field.values, (value) => (value < 0 ? 1 : 0));
  const box = frameBox(frame);
  const slack = roundingOf(elements, Math.max(...box.min.map(Math.abs), ...box.max.map(Math.abs)));
  const size = lengthBetween(box.min, box.max);
  const search = new SpaceSearch(elements, slack, Math.max(1e-9 * size, 8 * slack));
  const extractor = new SheetExtractor(search, frame, labels, Math.max(size, 1e3 * slack), 0);
  const mask = new DirectionMask(search, frame, labels, inside, minAngle);
  visitCells(
    frame,
    labels,
    inside,
    (i, j, k) => {
      if (mask.wants(i, j, k)) extractor.addCell(i, j, k);
    },
    partOfProgress(options, 0.3, 0.9),
  );
  const pruning = new Pruning(extractor, search, new MeshQuery(mesh), minAngle, minFeature);
  const corners: number[] = [];
  for (const sheet of extractor.sheets.values()) pruning.keep(sheet, corners);
  reportProgress(options, 1, 'medial axis');
  const { positions, indices, values } = compact(extractor.vertices, corners);
  const { spacing } = frame;
  return {
    positions,
    indices,
    radii: values,
    error: Math.sqrt(3) * spacing,
    spacing,
  };
}

/** Decides which triangles stay. */
class Pruning {
  readonly #extractor: SheetExtractor;
  readonly #search: SpaceSearch;
  readonly #query: MeshQuery;
  readonly #most: number;
  readonly #minFeature: number;
  /** By vertex: 1 inside, 2 outside, 0 not tested yet. */
  readonly #sides: Uint8Array;

  constructor(extractor: SheetExtractor, search: SpaceSearch, query: MeshQuery, minAngle: number, minFeature: number) {
    this.#extractor = extractor;
    this.#search = search;
    this.#query = query;
    this.#most = Math.cos(minAngle);
    this.#minFeature = minFeature;
    this.#sides = new Uint8Array(extractor.vertices.length / 4);
  }

  /** Adds the triangles of a sheet whose corners all stay. */
  keep({ objects, corners }: RawSheet, out: number[]): void {
    const known = new Map<number, boolean>();
    for (let n = 0; n < corners.length; n += 3) {
      let all = true;
      for (let corner = n; corner < n + 3 && all; corner++) {
        const vertex = corners[corner];
        let stays = known.get(vertex);
        if (stays === undefined) {
          stays = this.#stays(vertex, objects);
          known.set(vertex, stays);
        }
        all = stays;
      }
      if (all) out.push(corners[n], corners[n + 1], corners[n + 2]);
    }
  }

  #stays(vertex: number, objects: readonly [number, number]): boolean {
    const { vertices } = this.#extractor;
    const point: Vec3 = [vertices[4 * vertex], vertices[4 * vertex + 1], vertices[4 * vertex + 2]];
    const first = this.#search.measure(objects[0], ...point);
    const { gx, gy, gz, value } = first;
    const second = this.#search.measure(objects[1], ...point);
    const apart = second.distance * Math.hypot(gx - second.gx, gy - second.gy, gz - second.gz);
    if (apart < this.#minFeature) return false;
    const cosine = gx * second.gx + gy * second.gy + gz * second.gz;
    // On the surface there is no direction.
    if (gx * gx + gy * gy + gz * gz === 0 || cosine > this.#most) return false;
    // Three regions of a cell that do not meet there leave vertices that are not equally far, or nearer to others.
    const { tie } = this.#search;
    const least = this.#search.nearestExcept([], ...point).value;
    if (value > least + tie || second.value > least + tie) return false;
    if (this.#sides[vertex] === 0) this.#sides[vertex] = this.#query.isInside(point) ? 1 : 2;
    return this.#sides[vertex] === 1;
  }
}

/** Tells which cells can have triangles that stay: those whose nodes see their nearest points in different directions. */
class DirectionMask {
  readonly #search: SpaceSearch;
  readonly #frame: GridFrame;
  readonly #labels: Int32Array;
  readonly #inside: Uint8Array;
  readonly #least: number;
  /** By node: the gradient and the distance; NaN where not known yet. */
  readonly #gradients: Float64Array;

  constructor(search: SpaceSearch, frame: GridFrame, labels: Int32Array, inside: Uint8Array, minAngle: number) {
    this.#search = search;
    this.#frame = frame;
    this.#labels = labels;
    this.#inside = inside;
    // Within a quarter of the angle of the first, and so within half of it of each other.
    this.#least = Math.cos(minAngle / 4);
    this.#gradients = new Float64Array(4 * labels.length).fill(Number.NaN);
  }

  wants(i: number, j: number, k: number): boolean {
    const { spacing } = this.#frame;
    const g = this.#gradients;
    const first = 4 * this.#measure(i, j, k);
    for (let corner = 0; corner < 8; corner++) {
      const node = this.#measure(i + (corner & 1), j + ((corner >> 1) & 1), k + (corner >> 2));
      const at = 4 * node;
      // Next to the surface directions change within a cell.
      if (this.#inside[node] === 0 || g[at + 3] < SMOOTH_DISTANCE * spacing) return true;
      if (g[at] * g[first] + g[at + 1] * g[first + 1] + g[at + 2] * g[first + 2] < this.#least) return true;
    }
    return false;
  }

  #measure(i: number, j: number, k: number): number {
    const { origin, spacing, size } = this.#frame;
    const node = i + size[0] * (j + size[1] * k);
    const g = this.#gradients;
    if (!Number.isNaN(g[4 * node])) return node;
    const x = origin[0] + spacing * i;
    const { gx, gy, gz, distance } = this.#search.measure(
      this.#labels[node],
      x,
      origin[1] + spacing * j,
      origin[2] + spacing * k,
    );
    g[4 * node] = gx;
    g[4 * node + 1] = gy;
    g[4 * node + 2] = gz;
    g[4 * node + 3] = distance;
    return node;
  }
}

/** By triangle: the lowest triangle of its flat face. */
function flatFaces(mesh: Mesh): Uint32Array {
  const { positions, indices } = mesh;
  const count = indices.length / 3;
  const normals = new Float64Array(3 * count);
  for (let triangle = 0; triangle < count; triangle++) {
    const [a, b, c] = [0, 1, 2].map((n) => 3 * indices[3 * triangle + n]);
    const [ux, uy, uz] = [0, 1, 2].map((axis) => positions[b + axis] - positions[a + axis]);
    const [vx, vy, vz] = [0, 1, 2].map((axis) => positions[c + axis] - positions[a + axis]);
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.hypot(...normal);
    for (let axis = 0; axis < 3; axis++) normals[3 * triangle + axis] = length > 0 ? normal[axis] / length : 0;
  }
  const sets = new DisjointSets(count);
  const { twin } = buildAdjacency(mesh);
  for (let h = 0; h < twin.length; h++) {
    if (twin[h] < h) continue;
    const a = 3 * Math.floor(h / 3);
    const b = 3 * Math.floor(twin[h] / 3);
    const apart = Math.hypot(normals[a] - normals[b], normals[a + 1] - normals[b + 1], normals[a + 2] - normals[b + 2]);
    const isNull = normals[b] === 0 && normals[b + 1] === 0 && normals[b + 2] === 0;
    if (apart < FLAT_ANGLE || isNull) sets.unite(a / 3, b / 3);
  }
  return Uint32Array.from({ length: count }, (_, triangle) => sets.find(triangle));
}

function triangleSites({ positions, indices }: Mesh, faces: Uint32Array): SpaceSite[] {
  const corner = (h: number): Float64Array => positions.subarray(3 * indices[h], 3 * indices[h] + 3);
  return Array.from(faces, (object, n) => ({
    type: 'triangle',
    a: corner(3 * n),
    b: corner(3 * n + 1),
    c: corner(3 * n + 2),
    object,
  }));
}
