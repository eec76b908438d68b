// The sum {b − a} of two convex polyhedra as a polyhedron with polygons, for pictures, drawing and tests: by the hull of all
// differences of vertices, O(n·m log n·m), or from the planes that the two normal fans give, O(facets × vertices).
import { oneOf, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { assertNode, type ConvexSet } from '../closest/convex-set.js';
import { EDGE, encodeFeature, FACE, VERTEX } from '../closest/feature.js';
import { findConvexLoop } from '../hull/convex-loop.js';
import { findFacePlanes } from '../hull/face-planes.js';
import { buildHull } from '../hull/hull.js';
import { MinkowskiSums } from './minkowski-sums.js';
import { buildNormalFan } from './normal-fan.js';
import { PlacedFan } from './placed-fan.js';

/** Options of a sum. */
export interface MinkowskiSumOptions {
  /** 'hull': of all differences of vertices; 'fans': from the normal fans. Default 'fans'. */
  readonly method?: 'hull' | 'fans' | undefined;
}

const SUM_OPTIONS = optionTable<MinkowskiSumOptions>()({ method: oneOf(['hull', 'fans'], 'fans') });

/** A sum {b − a} in A's frame. */
export interface MinkowskiSum {
  /** x, y, z of each vertex. */
  readonly points: Float64Array;
  /** The vertex id of A that each vertex comes from. */
  readonly vertexA: Uint32Array;
  /** The same for B. */
  readonly vertexB: Uint32Array;
  /** The corners of facet f are those from `facetStart[f]` up to before `facetStart[f + 1]`. */
  readonly facetStart: Uint32Array;
  /** Counter-clockwise seen from outside. */
  readonly facetVertices: Uint32Array;
  /** Four numbers per facet: unit normal and offset, as in {@link MinkowskiSums}. */
  readonly planes: Float64Array;
  /** The feature of A behind each facet, as in {@link MinkowskiSums}; for parallel faces, one with a vertex. */
  readonly featuresA: Int32Array;
  /** The same for B. */
  readonly featuresB: Int32Array;
}

/**
 * Rounding: differences within this share of the coordinates below a plane are corners of its facet; some forty half-
 * ulps.
 */
const IN_FACET = 4e-15;
/** Rounding: the same for triangles of a hull, whose planes come from corners as close together as rounding allows. */
const COPLANAR_ROUNDING = 1e-13;

const NEGATED = Float64Array.of(-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0);

/**
 * The sum {b − a} of a node of A and a node of B: the translations of A at which the two have a point in common. A flat
 * sum has two sides if it is a polygon, and no facets if it is a segment or a point.
 * @param placement B in A's frame, row-major 3 × 4.
 * @throws NearfieldError for an unknown method or node, and for a placement that is not twelve finite numbers.
 */
export function buildMinkowskiSum(
  setA: ConvexSet,
  nodeA: number,
  setB: ConvexSet,
  nodeB: number,
  placement: Float64Array,
  options: MinkowskiSumOptions = {},
): MinkowskiSum {
  const { method } = SUM_OPTIONS.read(options);
  assertNode(setA, nodeA, 'A');
  assertNode(setB, nodeB, 'B');
  if (!(placement?.length >= 12) || !placement.every(Number.isFinite)) {
    throw new NearfieldError(
      'bad-argument',
      'The placement of B is not 12 finite numbers; give a row-major 3 × 4 matrix.',
    );
  }
  const a = new PlacedFan(buildNormalFan(setA, nodeA));
  const b = new PlacedFan(buildNormalFan(setB, nodeB));
  a.move(NEGATED);
  b.move(placement);
  if (method === 'hull') return hullOfDifferences(a, b);
  const sums = new MinkowskiSums();
  sums.add(setA, nodeA, setB, nodeB, placement);
  return polygonsOfPlanes(a, b, sums);
}

/** Collects the facets of a sum and the differences that they use. */
class Collector {
  readonly #a: PlacedFan;
  readonly #b: PlacedFan;
  readonly #ids = new Map<number, number>();
  readonly #pairs: number[] = [];
  readonly #starts = [0];
  readonly #loops: number[] = [];
  readonly #planes: number[] = [];
  readonly #featuresA: number[] = [];
  readonly #featuresB: number[] = [];

  constructor(a: PlacedFan, b: PlacedFan) {
    this.#a = a;
    this.#b = b;
  }

  /** Adds a facet whose corners are pairs u·(vertices of B) + v. */
  put(loop: readonly number[], plane: ArrayLike<number>, featureA: number, featureB: number): void {
    for (const pair of loop) {
      let id = this.#ids.get(pair);
      if (id === undefined) {
        id = this.#pairs.length;
        this.#ids.set(pair, id);
        this.#pairs.push(pair);
      }
      this.#loops.push(id);
    }
    this.#starts.push(this.#loops.length);
    for (let i = 0; i < 4; i++) this.#planes.push(plane[i]);
    this.#featuresA.push(featureA);
    this.#featuresB.push(featureB);
  }

  finish(differences: Float64Array): MinkowskiSum {
    const count = this.#b.fan.vertexIds.length;
    const points = new Float64Array(3 * this.#pairs.length);
    this.#pairs.forEach((pair, id) => {
      points.set(differences.subarray(3 * pair, 3 * pair + 3), 3 * id);
    });
    return {
      points,
      vertexA: Uint32Array.from(this.#pairs, (pair) => this.#a.fan.vertexIds[Math.floor(pair / count)]),
      vertexB: Uint32Array.from(this.#pairs, (pair) => this.#b.fan.vertexIds[pair % count]),
      facetStart: Uint32Array.from(this.#starts),
      facetVertices: Uint32Array.from(this.#loops),
      planes: Float64Array.from(this.#planes),
      featuresA: Int32Array.from(this.#featuresA),
      featuresB: Int32Array.from(this.#featuresB),
    };
  }
}

/** b − a of all pairs of vertices. */
function findDifferences(a: PlacedFan, b: PlacedFan): Float64Array {
  const differences = new Float64Array((a.points.length * b.points.length) / 3);
  let end = 0;
  for (let p = 0; p < a.points.length; p += 3) {
    for (let q = 0; q < b.points.length; q += 3) {
      for (let axis = 0; axis < 3; axis++) differences[end++] = b.points[q + axis] + a.points[p + axis];
    }
  }
  return differences;
}

/** Each plane with its corners; planes that touch the sum in less than a polygon are dropped. */
function polygonsOfPlanes(a: PlacedFan, b: PlacedFan, sums: MinkowskiSums): MinkowskiSum {
  const collector = new Collector(a, b);
  const differences = findDifferences(a, b);
  const tolerance = IN_FACET * (a.magnitude + b.magnitude);
  const count = b.fan.vertexIds.length;
  // A flat sum has its corners in two planes.
  const seen = new Map<string, Float64Array[]>();
  for (let facet = 0; facet < sums.facetCount; facet++) {
    const plane = sums.planes.subarray(4 * facet, 4 * facet + 4);
    const topsA = findTops(a, plane, tolerance);
    const topsB = findTops(b, plane, tolerance);
    const key = `${topsA.join()}|${topsB.join()}`;
    const before = seen.get(key) ?? [];
    if (before.some((other) => !isOpposite(other, 0, plane))) continue;
    seen.set(key, [...before, plane]);
    const pairs = topsA.flatMap((u) => topsB.map((v) => u * count + v));
    const loop = findConvexLoop(differences, pairs, plane, tolerance);
    if (loop.length > 2) collector.put(loop, plane, sums.featuresA[facet], sums.featuresB[facet]);
  }
  return collector.finish(differences);
}

/** The vertices farthest along a normal. */
function findTops({ points }: PlacedFan, plane: Float64Array, tolerance: number): number[] {
  const [x, y, z] = plane;
  const tops: number[] = [];
  let highest = -Infinity;
  for (let p = 0; p < points.length; p += 3) {
    const height = points[p] * x + points[p + 1] * y + points[p + 2] * z;
    if (height > highest) highest = height;
  }
  for (let p = 0; p < points.length; p += 3) {
    if (points[p] * x + points[p + 1] * y + points[p + 2] * z >= highest - tolerance) tops.push(p / 3);
  }
  return tops;
}

/** The hull's triangles, coplanar ones merged, starting with the largest. */
function hullOfDifferences(a: PlacedFan, b: PlacedFan): MinkowskiSum {
  const collector = new Collector(a, b);
  const differences = findDifferences(a, b);
  const { triangles, twins, dimension } = buildHull(differences);
  const trianglePlanes = findFacePlanes(differences, triangles);
  const size = a.magnitude + b.magnitude;
  const tolerance = COPLANAR_ROUNDING * size;
  const taken = new Uint8Array(triangles.length / 3);
  for (const first of sortByArea(differences, triangles)) {
    if (taken[first] === 1) continue;
    const plane = trianglePlanes.subarray(4 * first, 4 * first + 4);
    const corners = new Set<number>();
    const stack = [first];
    taken[first] = 1;
    while (stack.length > 0) {
      const triangle = stack.pop()!;
      for (let h = 3 * triangle; h < 3 * triangle + 3; h++) {
        corners.add(triangles[h]);
        const beyond = Math.floor(twins[h] / 3);
        if (taken[beyond] === 1 || !isInPlane(differences, triangles, beyond, plane, tolerance)) continue;
        // The other side of a flat sum lies in the same plane.
        if (dimension === 2 && isOpposite(trianglePlanes, beyond, plane)) continue;
        taken[beyond] = 1;
        stack.push(beyond);
      }
    }
    const loop = findConvexLoop(differences, [...corners], plane, IN_FACET * size);
    if (loop.length > 2) putNamed(collector, a, b, loop, plane);
  }
  return collector.finish(differences);
}

function sortByArea(points: Float64Array, triangles: Uint32Array): number[] {
  const areas: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [p, q, r] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ux, uy, uz] = [points[q] - points[p], points[q + 1] - points[p + 1], points[q + 2] - points[p + 2]];
    const [vx, vy, vz] = [points[r] - points[p], points[r + 1] - points[p + 1], points[r + 2] - points[p + 2]];
    areas.push(Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx));
  }
  return areas.map((_, triangle) => triangle).sort((i, j) => areas[j] - areas[i] || i - j);
}

function isInPlane(
  points: Float64Array,
  triangles: Uint32Array,
  triangle: number,
  [x, y, z, c]: Float64Array,
  tolerance: number,
): boolean {
  for (let h = 3 * triangle; h < 3 * triangle + 3; h++) {
    const p = 3 * triangles[h];
    if (Math.abs(points[p] * x + points[p + 1] * y + points[p + 2] * z - c) > tolerance) return false;
  }
  return true;
}

function isOpposite(planes: Float64Array, triangle: number, [x, y, z]: Float64Array): boolean {
  return planes[4 * triangle] * x + planes[4 * triangle + 1] * y + planes[4 * triangle + 2] * z < 0;
}

/** Names a facet's features after the vertices of A and of B at its corners. */
function putNamed(collector: Collector, a: PlacedFan, b: PlacedFan, loop: number[], plane: Float64Array): void {
  const count = b.fan.vertexIds.length;
  const inA = [...new Set(loop.map((pair) => Math.floor(pair / count)))];
  const inB = [...new Set(loop.map((pair) => pair % count))];
  const vertexOf = ({ fan }: PlacedFan, vertices: number[]): number =>
    encodeFeature(VERTEX, fan.vertexHandles[vertices[0]]);
  const edgeOf = ({ fan }: PlacedFan, [v, w]: number[]): number => {
    for (let i = fan.ringStart[v]; i < fan.ringStart[v + 1]; i++) {
      if (fan.ringVertices[i] === w) return encodeFeature(EDGE, fan.ringHandles[i]);
    }
    return -1;
  };
  if (inA.length === 2 && inB.length === 2) {
    const [edgeA, edgeB] = [edgeOf(a, inA), edgeOf(b, inB)];
    if (edgeA >= 0 && edgeB >= 0) collector.put(loop, plane, edgeA, edgeB);
  } else if (inA.length > 2) collector.put(loop, plane, faceAlong(a, plane), vertexOf(b, inB));
  else collector.put(loop, plane, vertexOf(a, inA), faceAlong(b, plane));
}

/** The facet whose normal is nearest a direction. */
function faceAlong({ fan, normals }: PlacedFan, [x, y, z]: Float64Array): number {
  let best = 0;
  let largest = -Infinity;
  for (let f = 0; f < fan.facetCount; f++) {
    const cosine = normals[3 * f] * x + normals[3 * f + 1] * y + normals[3 * f + 2] * z;
    if (cosine > largest) [largest, best] = [cosine, f];
  }
  return encodeFeature(FACE, fan.facetHandles[best]);
}
