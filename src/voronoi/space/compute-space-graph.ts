// The Voronoi graph in space: seeds are the cells of a grid in which three or more regions meet; edges are followed from
// them to vertices, and from vertices along all edges that leave them (Hoff et al. 2000 follow cells; here exact distances
// take the place of samples).
import { partOfProgress, reportProgress } from '../../core/progress.js';
import { dot, distance as lengthBetween, type Vec3 } from '../../core/vec3.js';
import { frameBox, type GridFrame } from '../../field/grid.js';
import { VORONOI_DEFAULTS } from '../defaults.js';
import { type SpaceElements, spaceElements } from '../sites/space-elements.js';
import type { SpaceSite } from '../sites/space-site.js';
import { frameOf } from './compute-space-voronoi.js';
import { EdgeTracer, type TraceEnd } from './edge-tracer.js';
import { roundingOf } from './element-distances.js';
import { fillExact } from './exact-space.js';
import { narrowestPlace } from './narrowest-place.js';
import {
  SPACE_GRAPH_OPTIONS,
  type SpaceGraphEdge,
  type SpaceGraphOptions,
  type SpaceGraphVertex,
  type SpaceVoronoiGraph,
} from './space-graph.js';
import { SpaceSearch } from './space-search.js';
import { type VertexDirection, vertexDirections } from './vertex-directions.js';

/** Rounding: objects are equally near if their distances differ by this share of the diagonal of the box or less. */
const OBJECT_TIE = 1e-9;

/** Rounding: vertices nearer to each other than this share of the diagonal are one. */
const SAME_VERTEX = 1e-7;

/**
 * Proven: chords of edges are within about this share of the spacing of the curve: a turn of 0.2 over a step of one
 * spacing.
 */
const CHORD_ERROR = 0.025;

/** Chosen: the regions examined in one cell; more are left to neighboring cells and to the edges that arrive there. */
const MAX_REGIONS = 8;

/**
 * The Voronoi graph of sites in space. It is limited by its resolution, see {@link SpaceVoronoiGraph}.
 * @throws NearfieldError for invalid sites, boxes and options; `aborted` when the caller cancels.
 */
export function computeSpaceGraph(sites: readonly SpaceSite[], options: SpaceGraphOptions = {}): SpaceVoronoiGraph {
  SPACE_GRAPH_OPTIONS.assert(options);
  const { box, resolution = VORONOI_DEFAULTS.graphResolution } = options;
  const elements = spaceElements(sites);
  const frame = frameOf(elements, { box, resolution });
  return new GraphBuilder(elements, frame, options).build();
}

interface OpenVertex {
  readonly point: Vec3;
  readonly clearance: number;
  readonly kind: SpaceGraphVertex['kind'];
  readonly edges: number[];
  readonly sites: readonly number[];
  /** Edges that leave it and are not yet followed. */
  readonly waiting: VertexDirection[];
}

class GraphBuilder {
  readonly #frame: GridFrame;
  readonly #options: SpaceGraphOptions;
  readonly #elements: SpaceElements;
  readonly #search: SpaceSearch;
  readonly #tracer: EdgeTracer;
  readonly #size: number;
  readonly #slack: number;
  readonly #vertices: OpenVertex[] = [];
  readonly #edges: SpaceGraphEdge[] = [];
  /** Vertices by cells of twice the distance at which they are one. */
  readonly #places = new Map<string, number[]>();
  /** By three objects: the cells that a known edge between them passes. */
  readonly #passed = new Map<string, Set<number>>();
  #lost = 0;
  #seeds = 0;

  constructor(elements: SpaceElements, frame: GridFrame, options: SpaceGraphOptions) {
    this.#elements = elements;
    this.#frame = frame;
    this.#options = options;
    const box = frameBox(frame);
    this.#size = lengthBetween(box.min, box.max);
    const largest = Math.max(...box.min.map(Math.abs), ...box.max.map(Math.abs));
    this.#slack = roundingOf(elements, largest);
    this.#search = new SpaceSearch(elements, this.#slack, Math.max(OBJECT_TIE * this.#size, 8 * this.#slack));
    this.#tracer = new EdgeTracer(this.#search, box, frame.spacing, Math.max(this.#size, 1e3 * this.#slack));
  }

  build(): SpaceVoronoiGraph {
    if (this.#elements.objectNames.length >= 3) this.#followSeeds(this.#labels());
    reportProgress(this.#options, 1, 'graph');
    return {
      vertices: this.#vertices.map(({ waiting: _, ...vertex }) => vertex),
      edges: this.#edges,
      box: frameBox(this.#frame),
      spacing: this.#frame.spacing,
      error: CHORD_ERROR * this.#frame.spacing,
      status: this.#lost === 0 ? 'complete' : 'lost',
      counters: { seeds: this.#seeds, newtonSteps: this.#tracer.solver.steps, lost: this.#lost },
    };
  }

  /** The nearest object of every node. */
  #labels(): Int32Array {
    const { size } = this.#frame;
    const ids = new Int32Array(size[0] * size[1] * size[2]);
    const distances = new Float64Array(ids.length);
    const progress = partOfProgress(this.#options, 0, 0.3);
    fillExact(this.#elements, this.#frame, Infinity, this.#slack, ids, distances, progress);
    for (let node = 0; node < ids.length; node++) ids[node] = this.#elements.objectOfSite[ids[node]];
    return ids;
  }

  #followSeeds(labels: Int32Array): void {
    const [nx, ny, nz] = this.#frame.size;
    const found: number[] = [];
    for (let k = 0; k + 1 < nz; k++) {
      reportProgress(this.#options, 0.3 + (0.7 * k) / nz, 'graph');
      for (let j = 0; j + 1 < ny; j++) {
        for (let i = 0; i + 1 < nx; i++) {
          const node = i + nx * (j + ny * k);
          found.length = 0;
          for (let corner = 0; corner < 8; corner++) {
            const label = labels[node + (corner & 1) + nx * (((corner >> 1) & 1) + ny * (corner >> 2))];
            if (!found.includes(label)) found.push(label);
          }
          if (found.length >= 3)
            this.#followCell(
              i,
              j,
              k,
              found.slice(0, MAX_REGIONS).sort((a, b) => a - b),
            );
        }
      }
    }
  }

  #followCell(i: number, j: number, k: number, labels: readonly number[]): void {
    this.#seeds++;
    for (let a = 0; a < labels.length; a++) {
      for (let b = a + 1; b < labels.length; b++) {
        for (let c = b + 1; c < labels.length; c++) this.#followSeed(i, j, k, [labels[a], labels[b], labels[c]]);
      }
    }
  }

  #followSeed(i: number, j: number, k: number, objects: readonly number[]): void {
    const { origin, spacing, size } = this.#frame;
    const cell = i + size[0] * (j + size[1] * k);
    if (this.#passed.get(objects.join())?.has(cell)) return;
    const { solver } = this.#tracer;
    const x = origin[0] + spacing * (i + 0.5);
    const y = origin[1] + spacing * (j + 0.5);
    const z = origin[2] + spacing * (k + 0.5);
    if (!solver.solve(objects, x, y, z, spacing) || solver.rank < 2) return;
    const place: Vec3 = [...solver.point];
    const { tangent, value } = solver;
    const along: Vec3 = [...tangent];
    if (this.#cellOf(place) < 0 || this.#passed.get(objects.join())?.has(this.#cellOf(place))) return;
    if (this.#search.nearestExcept([], ...place).value < value - this.#search.tie) return;
    const nearest = this.#search.nearestObjects(...place);
    if (!solver.solve(nearest, ...place, 0.1 * spacing)) return;
    if (solver.rank === 3) this.#followVertex(this.#vertexAt([...solver.point], nearest, 'junction'));
    else this.#followBothWays(nearest, place, along);
  }

  /** From a place on an edge. */
  #followBothWays(objects: readonly number[], place: Readonly<Vec3>, along: Vec3): void {
    const tracer = this.#tracer;
    const first = tracer.trace(objects, place, along, false);
    const forward = tracer.points;
    if (first === 'closed') {
      this.#addEdge(-1, -1, [...forward, ...place], objects);
      return;
    }
    const to = this.#arrive(first, objects);
    const back: Vec3 = [-along[0], -along[1], -along[2]];
    const second = tracer.trace(objects, place, back, false);
    const points: number[] = [];
    for (let n = tracer.points.length - 3; n > 0; n -= 3) points.push(...tracer.points.slice(n, n + 3));
    points.push(...forward);
    const from = this.#arrive(second, objects);
    this.#addEdge(from, to, points, objects);
    this.#followVertex(from);
    this.#followVertex(to);
  }

  /** Follows all edges that leave a vertex, and those of the vertices found on the way. */
  #followVertex(start: number): void {
    const stack = [start];
    while (stack.length > 0) {
      const index = stack[stack.length - 1];
      const next = this.#vertices[index].waiting.pop();
      if (next === undefined) {
        stack.pop();
        continue;
      }
      const end = this.#tracer.trace(next.objects, this.#vertices[index].point, next.direction, true);
      const points = this.#tracer.points;
      const to = this.#arrive(end, next.objects);
      this.#addEdge(index, to, points, next.objects);
      if (to !== index) stack.push(to);
    }
  }

  /** The vertex at which the last trace ended; the edge that leaves it backward is not followed again. */
  #arrive(end: TraceEnd, objects: readonly number[]): number {
    const tracer = this.#tracer;
    if (end === 'lost') this.#lost++;
    const kind = end === 'vertex' ? 'junction' : end === 'border' ? 'border' : 'end';
    const index = this.#vertexAt([...tracer.end], kind === 'junction' ? tracer.objects : objects, kind);
    const { waiting } = this.#vertices[index];
    const key = objects.join();
    let best = -1;
    let least = Infinity;
    for (let n = 0; n < waiting.length; n++) {
      if (waiting[n].objects.join() !== key) continue;
      const cosine = dot(waiting[n].direction, tracer.direction);
      if (cosine >= least) continue;
      least = cosine;
      best = n;
    }
    if (best >= 0) waiting.splice(best, 1);
    return index;
  }

  #vertexAt(place: Vec3, objects: readonly number[], kind: SpaceGraphVertex['kind']): number {
    const same = SAME_VERTEX * this.#size;
    const keyOf = (dx: number, dy: number, dz: number): string =>
      `${Math.round(place[0] / (4 * same)) + dx},${Math.round(place[1] / (4 * same)) + dy},${Math.round(place[2] / (4 * same)) + dz}`;
    for (let n = 0; n < 27; n++) {
      const known = this.#places.get(keyOf((n % 3) - 1, (Math.floor(n / 3) % 3) - 1, Math.floor(n / 9) - 1));
      for (const index of known ?? []) {
        if (lengthBetween(this.#vertices[index].point, place) < same) return index;
      }
    }
    const { solver } = this.#tracer;
    let waiting: VertexDirection[] = [];
    const [x, y, z] = place;
    if (kind === 'junction') {
      if (solver.solve(objects, x, y, z, same)) for (let axis = 0; axis < 3; axis++) place[axis] = solver.point[axis];
      waiting = vertexDirections(objects, solver.gradients);
    }
    const clearance = this.#search.nearestExcept([], ...place).value;
    const sites = this.#search.sitesOf(objects, ...place);
    const index = this.#vertices.push({ point: place, clearance, kind, edges: [], sites, waiting }) - 1;
    const key = keyOf(0, 0, 0);
    this.#places.set(key, [...(this.#places.get(key) ?? []), index]);
    return index;
  }

  #addEdge(from: number, to: number, points: number[], objects: readonly number[]): void {
    let length = 0;
    for (let n = 3; n < points.length; n += 3) {
      length += Math.hypot(points[n] - points[n - 3], points[n + 1] - points[n - 2], points[n + 2] - points[n - 1]);
    }
    const narrowest = narrowestPlace(this.#search, this.#tracer.solver, objects, points);
    const sites = this.#search.sitesOf(objects, ...narrowest.point);
    const index = this.#edges.push({ from, to, points, length, narrowest, sites }) - 1;
    if (from >= 0) this.#vertices[from].edges.push(index);
    if (to >= 0) this.#vertices[to].edges.push(index);
    this.#markPassed(points, objects);
  }

  /** Marks the cells around an edge, so that they are no seeds for it. */
  #markPassed(points: readonly number[], objects: readonly number[]): void {
    const { spacing, size } = this.#frame;
    const sets: Set<number>[] = [];
    const few = objects.slice(0, MAX_REGIONS);
    for (let a = 0; a < few.length; a++) {
      for (let b = a + 1; b < few.length; b++) {
        for (let c = b + 1; c < few.length; c++) {
          const key = `${few[a]},${few[b]},${few[c]}`;
          let set = this.#passed.get(key);
          if (set === undefined) {
            set = new Set();
            this.#passed.set(key, set);
          }
          sets.push(set);
        }
      }
    }
    for (let n = 0; n < points.length; n += 3) {
      const last = Math.max(0, n - 3);
      const parts = Math.max(
        1,
        Math.ceil(
          Math.hypot(points[n] - points[last], points[n + 1] - points[last + 1], points[n + 2] - points[last + 2]) /
            (0.5 * spacing),
        ),
      );
      for (let part = 1; part <= parts; part++) {
        const t = part / parts;
        const place: Vec3 = [0, 1, 2].map(
          (axis) => points[last + axis] + t * (points[n + axis] - points[last + axis]),
        ) as Vec3;
        const cell = this.#cellOf(place);
        if (cell < 0) continue;
        for (let m = 0; m < 27; m++) {
          const other =
            cell + (m % 3) - 1 + size[0] * ((Math.floor(m / 3) % 3) - 1 + size[1] * (Math.floor(m / 9) - 1));
          for (const set of sets) set.add(other);
        }
      }
    }
  }

  /** The cell of a place, −1 outside the grid. */
  #cellOf(place: Readonly<Vec3>): number {
    const { origin, spacing, size } = this.#frame;
    let cell = 0;
    for (let axis = 2; axis >= 0; axis--) {
      const at = (place[axis] - origin[axis]) / spacing;
      if (!(at >= 0 && at <= size[axis] - 1)) return -1;
      cell = cell * size[axis] + Math.min(Math.floor(at), size[axis] - 2);
    }
    return cell;
  }
}
