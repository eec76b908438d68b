// The queries in space on the CPU, with their memory. A query localizes the overlap of the boxes, finds the cells that
// a surface meets and the samples in the other solid, and measures distances at these samples only.
import type { Vec3 } from '../../core/vec3.js';
import { RowCrossings } from '../../field/source/row-crossings.js';
import type { Mesh } from '../../mesh/mesh.js';
import { PIVOT_DEFAULTS } from '../defaults.js';
import { FrameSolid } from './frame-solid.js';
import { assertError, assertWhole, blocksOf, cellOf, frameOf, overlapRange, spacingFor } from './lattice.js';
import { SampleList } from './sample-list.js';
import { SeparationSearch } from './separation-search.js';
import type {
  PenetratingPoints,
  SpaceContacts,
  SpaceIntersection,
  SpacePenetration,
  SpacePivotAnswer,
  SpaceSeparation,
} from './space-result.js';
import { summarize } from './summarize.js';
import { SurfaceSampler } from './surface-sampler.js';
import { TriangleOctree } from './triangle-octree.js';

/**
 * Rounding: distances below this share of the largest coordinate have no direction of their own; the nearest face gives
 * it.
 */
const NO_DIRECTION = 1e-12;

export class SpaceQueries {
  readonly a = new FrameSolid();
  readonly b = new FrameSolid();
  readonly #treeA = new TriangleOctree();
  readonly #treeB = new TriangleOctree();
  readonly #sampler = new SurfaceSampler();
  readonly #list = new SampleList();

  /**
   * Reads both meshes and returns the error bound.
   * @throws NearfieldError for meshes that bound no solid and an error that is too small for them.
   */
  load(a: Mesh, b: Mesh, error: number | undefined): number {
    this.a.load(a, 'A');
    this.b.load(b, 'B');
    this.#treeA.clear();
    this.#treeB.clear();
    this.#sampler.nodes = 0;
    const bound = error ?? PIVOT_DEFAULTS.spaceErrorShare * Math.min(diagonalOf(this.a), diagonalOf(this.b));
    assertError(bound, Math.max(this.a.extent, this.b.extent));
    return bound;
  }

  penetration(error: number): SpacePenetration {
    const spacing = spacingFor(error);
    const a = this.#penetrate(this.a, this.b, this.#treeB, spacing);
    const b = this.#penetrate(this.b, this.a, this.#treeA, spacing);
    return { ...this.#answer(error), ...summarize(a, b) };
  }

  contacts(error: number, threshold: number): SpaceContacts {
    const spacing = spacingFor(error);
    const { a, b } = this;
    const list = this.#list;
    list.count = 0;
    const range = overlapRange(a.min, a.max, b.min, b.max, threshold, spacing);
    for (const block of range === null ? [] : blocksOf(range)) {
      const frame = this.#sampler.sample(a, b, block, spacing, false);
      if (frame !== null) this.#measure(frame.origin, frame.size, spacing, b, this.#treeB, threshold + error);
    }
    const { directions, distances } = list;
    return {
      ...this.#answer(error),
      count: list.count,
      points: list.points.slice(0, 3 * list.count),
      normals: directions.slice(0, 3 * list.count),
      distances: distances.slice(0, list.count),
      areas: list.areas.slice(0, list.count),
      triangles: list.triangles.slice(0, list.count),
    };
  }

  separation(error: number, exact: boolean): SpaceSeparation {
    const search = new SeparationSearch(this.a, this.b, this.#treeA, this.#treeB, this.#sampler);
    const found = search.run(spacingFor(error), error, exact);
    return { ...this.#answer(error), ...found, exact };
  }

  intersection(error: number): SpaceIntersection {
    const spacing = spacingFor(error);
    const { a, b } = this;
    const range = overlapRange(a.min, a.max, b.min, b.max, 0, spacing);
    if (range === null) {
      const nothing = { frame: null, inside: new Uint8Array(0), count: 0, volume: 0, boundary: new Float64Array(0) };
      return { ...this.#answer(error), ...nothing };
    }
    const frame = frameOf(range, spacing);
    const [nx, ny, nz] = frame.size;
    assertWhole(nx * ny * nz);
    const box = { min: [0, 0, 0] as Vec3, max: [nx - 1, ny - 1, nz - 1] as Vec3 };
    const inside = new Uint8Array(nx * ny * nz);
    const insideB = new Uint8Array(nx * ny * nz);
    new RowCrossings(a.triangles, a.count).fill(frame, box, inside);
    new RowCrossings(b.triangles, b.count).fill(frame, box, insideB);
    let count = 0;
    for (let node = 0; node < inside.length; node++) {
      inside[node] &= insideB[node];
      count += inside[node];
    }
    this.#sampler.nodes += nx * ny * nz;
    const boundary = this.#commonCells(range, spacing);
    return { ...this.#answer(error), frame, inside, count, volume: count * spacing ** 3, boundary };
  }

  /** The samples whose cells both surfaces meet. */
  #commonCells(range: { readonly low: Int32Array; readonly high: Int32Array }, spacing: number): Float64Array {
    const points: number[] = [];
    const met = new Map<number, true>();
    for (const block of blocksOf(range)) {
      met.clear();
      const { cells } = this.#sampler;
      const width = block.high[0] - block.low[0] + 1;
      const height = block.high[1] - block.low[1] + 1;
      for (const surface of [this.a, this.b]) {
        const frame = this.#sampler.sample(surface, null, block, spacing, false);
        if (frame === null) break;
        const [nx, ny] = frame.size;
        // The two surfaces tighten the block differently; nodes are compared in the whole block.
        const low = frame.origin.map((x, axis) => cellOf(x, spacing) - block.low[axis]);
        for (let cell = 0; cell < cells.count; cell++) {
          const node = cells.nodes[cell];
          const i = (node % nx) + low[0];
          const j = (Math.floor(node / nx) % ny) + low[1];
          const k = Math.floor(node / (nx * ny)) + low[2];
          const place = i + width * (j + height * k);
          if (surface === this.a) met.set(place, true);
          else if (met.has(place)) {
            points.push(spacing * (i + block.low[0]), spacing * (j + block.low[1]), spacing * (k + block.low[2]));
          }
        }
      }
    }
    return Float64Array.from(points);
  }

  #penetrate(surface: FrameSolid, other: FrameSolid, tree: TriangleOctree, spacing: number): PenetratingPoints {
    const list = this.#list;
    list.count = 0;
    const range = overlapRange(surface.min, surface.max, other.min, other.max, 0, spacing);
    for (const block of range === null ? [] : blocksOf(range)) {
      const frame = this.#sampler.sample(surface, other, block, spacing, true);
      if (frame !== null) this.#measure(frame.origin, frame.size, spacing, other, tree, null);
    }
    return {
      count: list.count,
      points: list.points.slice(0, 3 * list.count),
      depths: list.distances.slice(0, list.count),
      directions: list.directions.slice(0, 3 * list.count),
      areas: list.areas.slice(0, list.count),
      triangles: list.triangles.slice(0, list.count),
    };
  }

  /**
   * Adds the samples of the current cells to the list. With a reach only those within it, their distances signed and
   * their directions those into the solid; otherwise all, with the direction out of it.
   */
  #measure(
    origin: Readonly<Vec3>,
    size: readonly [number, number, number],
    spacing: number,
    other: FrameSolid,
    tree: TriangleOctree,
    reach: number | null,
  ): void {
    const { cells, inside } = this.#sampler;
    if (cells.count === 0) return;
    tree.prepare(other);
    const list = this.#list;
    list.reserve(list.count + cells.count);
    const { points, distances, directions, areas, triangles } = list;
    const [nx, ny] = size;
    const least = NO_DIRECTION * other.extent;
    const limit = reach === null ? Infinity : reach * reach;
    const { point } = tree;
    let guess = -1;
    let at = list.count;
    for (let cell = 0; cell < cells.count; cell++) {
      const node = cells.nodes[cell];
      const row = Math.floor(node / nx);
      const x = origin[0] + spacing * (node - nx * row);
      const y = origin[1] + spacing * (row % ny);
      const z = origin[2] + spacing * Math.floor(row / ny);
      tree.search(x, y, z, guess, limit);
      if (tree.triangle < 0) continue;
      guess = tree.triangle;
      tree.locate(guess, x, y, z);
      const distance = Math.sqrt(point.distanceSquared);
      const isIn = inside[node] !== 0;
      // Out of the solid, or into it for signed distances.
      const sign = (isIn ? 1 : -1) * (reach === null ? 1 : -1);
      if (distance > least) {
        const dx = point.x - x;
        const dy = point.y - y;
        const dz = point.z - z;
        // Not by the distance: far from the origin the point is rounded more than it.
        const scale = sign / Math.sqrt(dx * dx + dy * dy + dz * dz);
        directions[3 * at] = scale * dx;
        directions[3 * at + 1] = scale * dy;
        directions[3 * at + 2] = scale * dz;
      } else {
        tree.writeNormal(guess, directions, 3 * at, reach === null ? 1 : -1);
      }
      points[3 * at] = x;
      points[3 * at + 1] = y;
      points[3 * at + 2] = z;
      distances[at] = reach !== null && isIn ? -distance : distance;
      areas[at] = cells.areas[cell] * spacing * spacing;
      triangles[at] = guess;
      at++;
    }
    list.count = at;
  }

  #answer(error: number): SpacePivotAnswer {
    return {
      error,
      spacing: spacingFor(error),
      backend: 'cpu',
      counters: {
        nodes: this.#sampler.nodes,
        boxesVisited: this.#treeA.boxesVisited + this.#treeB.boxesVisited,
        trianglesMeasured: this.#treeA.trianglesMeasured + this.#treeB.trianglesMeasured,
      },
    };
  }
}

function diagonalOf({ min, max }: FrameSolid): number {
  return Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}
