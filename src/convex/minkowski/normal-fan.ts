// The normal fan of a convex polyhedron: each facet's normal is a point of the sphere of directions, each edge the arc
// between the normals of its two facets, each vertex the region in between, where it is the farthest one. Coplanar faces
// are one facet, and vertices within facets or edges are left out, exactly. O(half-edges) to make, once per node.
import { bytesOf, type Part } from '../../core/derived-parts.js';
import { exactSideOf } from '../../core/exact/points.js';
import { cross, normalize, perpendicular, subtract, type Vec3 } from '../../core/vec3.js';
import type { ConvexSet } from '../closest/convex-set.js';
import { next } from '../hull/hull-simplify.js';

/**
 * Chosen: faces whose normals have a smaller cosine are not coplanar; others are tested exactly. Far above rounding.
 */
const NEARLY_PARALLEL = 1 - 1e-6;

/**
 * Chosen: the arc of an edge whose normals have a smaller cosine is cut in two: the normals alone do not tell reliably
 * which way round the sphere an arc of nearly half a circle goes.
 */
const LONG_ARC = -0.5;

/**
 * A normal fan with the vertices it belongs to, counted from 0 in each fan.
 *
 * Besides the normals of facets there are those in the middle of the arcs of sharp edges, which have two arcs each, as
 * has every edge of a polygon, whose arcs are half circles. A segment has four normals around it and four arcs. Such
 * normals belong to no facet and come last.
 */
export interface NormalFan {
  /** 3: a solid; 2: a polygon; 1: a segment; 0: a point. */
  readonly dimension: 0 | 1 | 2 | 3;
  /** x, y, z of each vertex. */
  readonly points: Float64Array;
  /** The vertex id of each vertex, and its handle (see convex-set.ts). */
  readonly vertexIds: Uint32Array;
  readonly vertexHandles: Int32Array;
  /** The neighbors of vertex v along its edges are those from `ringStart[v]` up to before `ringStart[v + 1]`. */
  readonly ringStart: Uint32Array;
  readonly ringVertices: Uint32Array;
  /** The half-edge towards each neighbor, the first where vertices lie within the edge; in a segment the first place in nodeVertices. */
  readonly ringHandles: Int32Array;
  /** How many normals belong to facets; they come first. */
  readonly facetCount: number;
  /** x, y, z of each normal, unit, outward. */
  readonly normals: Float64Array;
  /** The first half-edge of a face in each facet. */
  readonly facetHandles: Int32Array;
  /** A vertex of each normal's facet or edge. */
  readonly normalVertices: Uint32Array;
  /** An adjacent normal with a lower number, to start a walk at; itself for the first. */
  readonly normalsBefore: Uint32Array;
  /** Two normals per arc, and the two vertices of its edge, in the order of the edge's half-edge. */
  readonly arcNormals: Uint32Array;
  readonly arcVertices: Uint32Array;
  readonly arcHandles: Int32Array;
}

/**
 * The normal fan of a node.
 * @param classes A number for each face record: a facet is named after the first of its faces with the lowest number.
 */
export function buildNormalFan(set: ConvexSet, node: number, classes?: ArrayLike<number>): NormalFan {
  if (set.faceStart[node] === set.faceStart[node + 1]) return buildThinFan(set, node);
  // If triangles without area leave no edge between facets, every face is a facet of its own.
  const merged = findFacets(set, node, classes, true);
  const { facetOfFace, crossings, facets, before } =
    merged.crossings.length > 0 ? merged : findFacets(set, node, classes, false);
  const { halfEdgeVertices, twins, positions } = set;
  const offset = set.faceStart[node];
  const count = facets.length;
  const flat = set.flatNodes[node] === 1;

  const isCrossing = new Uint8Array(3 * facetOfFace.length);
  for (const h of crossings) isCrossing[h - 3 * offset] = 1;
  // A vertex without an edge between facets lies within one, a vertex of a solid with two lies within an edge.
  const least = flat || count < 4 ? 1 : 3;
  const { places, vertexIds, vertexHandles, ringStart } = placeVertices(halfEdgeVertices, crossings, least);
  const ringVertices = new Uint32Array(ringStart[vertexIds.length]);
  const ringHandles = new Int32Array(ringVertices.length);
  const filled = ringStart.slice();
  const arcs = new FanArcs(set, facets);
  for (const h of crossings) {
    const from = places.get(halfEdgeVertices[h]);
    if (from === undefined) continue;
    const to = endOfEdge(set, h, places, isCrossing, 3 * offset);
    const here = facetOfFace[((h / 3) | 0) - offset];
    const entry = filled[from]++;
    ringVertices[entry] = to;
    ringHandles[entry] = h;
    arcs.normalVertices[here] = from;
    if (from >= to) continue;
    const there = facetOfFace[((twins[h] / 3) | 0) - offset];
    if (arcs.isLong(here, there)) {
      const edge = subtract(pointOf(positions, vertexIds[to]), pointOf(positions, vertexIds[from]));
      const middle = before.length;
      arcs.addMiddle(here, there, from, edge);
      before.push(here);
      arcs.add(here, middle, from, to, h);
      arcs.add(middle, there, from, to, h);
    } else arcs.add(here, there, from, to, h);
  }
  for (let facet = 0; facet < count; facet++) facets[facet] *= 3;
  return {
    dimension: flat ? 2 : 3,
    points: Float64Array.from(vertexIds.flatMap((id) => pointOf(positions, id))),
    vertexIds: new Uint32Array(vertexIds),
    vertexHandles: new Int32Array(vertexHandles),
    ringStart: new Uint32Array(ringStart),
    ringVertices,
    ringHandles,
    facetCount: count,
    normals: new Float64Array(arcs.normals),
    facetHandles: new Int32Array(facets),
    normalVertices: new Uint32Array(arcs.normalVertices),
    normalsBefore: new Uint32Array(before),
    arcNormals: new Uint32Array(arcs.arcNormals),
    arcVertices: new Uint32Array(arcs.arcVertices),
    arcHandles: new Int32Array(arcs.arcHandles),
  };
}

/** The normals and arcs of a fan as they are listed. */
class FanArcs {
  /** Those of the facets, then those in the middle of long arcs. */
  readonly normals: number[] = [];
  readonly normalVertices: number[];
  readonly arcNormals: number[] = [];
  readonly arcVertices: number[] = [];
  readonly arcHandles: number[] = [];

  constructor({ nodeFaces, facePlanes }: ConvexSet, facets: readonly number[]) {
    for (const facet of facets) {
      const plane = 4 * nodeFaces[facet];
      this.normals.push(facePlanes[plane], facePlanes[plane + 1], facePlanes[plane + 2]);
    }
    this.normalVertices = new Array<number>(facets.length).fill(0);
  }

  /** Whether the arc between two normals is divided. */
  isLong(a: number, b: number): boolean {
    const { normals } = this;
    const cosine =
      normals[3 * a] * normals[3 * b] +
      normals[3 * a + 1] * normals[3 * b + 1] +
      normals[3 * a + 2] * normals[3 * b + 2];
    return cosine < LONG_ARC;
  }

  /** Adds the normal in the middle of the arc of an edge. */
  addMiddle(a: number, b: number, vertex: number, edge: Vec3): void {
    const across = subtract(pointOf(this.normals, a), pointOf(this.normals, b));
    this.normals.push(...normalize(cross(normalize(edge), across)));
    this.normalVertices.push(vertex);
  }

  add(a: number, b: number, from: number, to: number, handle: number): void {
    this.arcNormals.push(a, b);
    this.arcVertices.push(from, to);
    this.arcHandles.push(handle);
  }
}

/** The vertices where edges between facets end, with the first of their half-edges and where their rings begin. */
function placeVertices(halfEdgeVertices: ArrayLike<number>, crossings: readonly number[], least: number) {
  const degrees = new Map<number, number>();
  for (const h of crossings) degrees.set(halfEdgeVertices[h], (degrees.get(halfEdgeVertices[h]) ?? 0) + 1);
  const places = new Map<number, number>();
  const vertexIds: number[] = [];
  const vertexHandles: number[] = [];
  const ringStart: number[] = [0];
  for (const h of crossings) {
    const vertex = halfEdgeVertices[h];
    const degree = degrees.get(vertex)!;
    if (degree < least || places.has(vertex)) continue;
    places.set(vertex, vertexIds.length);
    vertexIds.push(vertex);
    vertexHandles.push(h);
    ringStart.push(ringStart[ringStart.length - 1] + degree);
  }
  return { places, vertexIds, vertexHandles, ringStart };
}

/**
 * The place of the vertex at the end of an edge that begins with half-edge h: along the rim of the facet. Crossings are so
 * from both sides, so that the step from one to the next is a permutation: the walk comes back to where it began if it ends
 * nowhere before.
 */
function endOfEdge(
  { halfEdgeVertices, twins }: ConvexSet,
  h: number,
  places: ReadonlyMap<number, number>,
  isCrossing: Uint8Array,
  first: number,
): number {
  let last = h;
  let to = places.get(halfEdgeVertices[twins[last]]);
  while (to === undefined) {
    last = next(last);
    while (isCrossing[last - first] === 0) last = next(twins[last]);
    to = places.get(halfEdgeVertices[twins[last]]);
  }
  return to;
}

function pointOf(array: ArrayLike<number>, id: number): Vec3 {
  return [array[3 * id], array[3 * id + 1], array[3 * id + 2]];
}

interface Facets {
  /** The facet of each face of the node. */
  readonly facetOfFace: Int32Array;
  /** The half-edges between facets. */
  readonly crossings: number[];
  /** The face that names each facet. */
  readonly facets: number[];
  /** A neighboring facet with a lower number. */
  readonly before: number[];
}

/** Floods coplanar faces into facets if they are to be merged, and continues from each facet to its neighbors. */
function findFacets(set: ConvexSet, node: number, classes: ArrayLike<number> | undefined, isMerged: boolean): Facets {
  const { faceStart, nodeFaces, twins } = set;
  const start = faceStart[node];
  const facetOfFace = new Int32Array(faceStart[node + 1] - start).fill(-1);
  const crossings: number[] = [];
  const facets: number[] = [];
  const before: number[] = [];
  const stack: number[] = [];
  const flood = (first: number, from: number): void => {
    const facet = facets.length;
    facets.push(first);
    before.push(from);
    facetOfFace[first - start] = facet;
    stack.push(first);
    while (stack.length > 0) {
      const face = stack.pop()!;
      const named = facets[facet];
      if (classes !== undefined && classes[nodeFaces[face]] < classes[nodeFaces[named]]) facets[facet] = face;
      for (let h = 3 * face; h < 3 * face + 3; h++) {
        const beyond = (twins[h] / 3) | 0;
        const known = facetOfFace[beyond - start];
        if (known === facet) continue;
        if (!isMerged || !isCoplanar(set, node, h)) crossings.push(h);
        else if (known < 0) {
          facetOfFace[beyond - start] = facet;
          stack.push(beyond);
        }
      }
    }
  };
  flood(start, 0);
  for (let i = 0; i < crossings.length; i++) {
    const beyond = (twins[crossings[i]] / 3) | 0;
    if (facetOfFace[beyond - start] < 0) flood(beyond, facetOfFace[((crossings[i] / 3) | 0) - start]);
  }
  // Where rounded normals keep two faces apart that others join, the edge between them is within the facet after all.
  const facetAt = (h: number): number => facetOfFace[((h / 3) | 0) - start];
  const isBetween = (h: number): boolean => facetAt(h) !== facetAt(twins[h]);
  return {
    facetOfFace,
    crossings: crossings.every(isBetween) ? crossings : crossings.filter(isBetween),
    facets,
    before,
  };
}

/** Whether the faces on both sides of a half-edge are exactly coplanar; in a polygon, whether on its same side. */
function isCoplanar(
  { flatNodes, nodeFaces, facePlanes, twins, halfEdgeVertices, positions }: ConvexSet,
  node: number,
  h: number,
): boolean {
  const twin = twins[h];
  const p = 4 * nodeFaces[(h / 3) | 0];
  const q = 4 * nodeFaces[(twin / 3) | 0];
  const cosine =
    facePlanes[p] * facePlanes[q] + facePlanes[p + 1] * facePlanes[q + 1] + facePlanes[p + 2] * facePlanes[q + 2];
  if (flatNodes[node] === 1) return cosine > 0;
  if (cosine < NEARLY_PARALLEL) return false;
  const third = halfEdgeVertices[h % 3 === 0 ? h + 2 : h - 1];
  const fourth = halfEdgeVertices[twin % 3 === 0 ? twin + 2 : twin - 1];
  return exactSideOf(positions, halfEdgeVertices[h], halfEdgeVertices[twin], third, fourth) === 0;
}

/** The fan of a segment or a point. */
function buildThinFan({ vertexStart, nodeVertices, positions }: ConvexSet, node: number): NormalFan {
  const first = vertexStart[node];
  const vertexIds = nodeVertices.slice(first, vertexStart[node + 1]);
  const thin = vertexIds.length === 2;
  const points = new Float64Array(3 * vertexIds.length);
  for (let v = 0; v < vertexIds.length; v++) points.set(pointOf(positions, vertexIds[v]), 3 * v);
  const normals: number[] = [];
  if (thin) {
    const along = subtract(pointOf(points, 1), pointOf(points, 0));
    const u = perpendicular(along);
    const v = normalize(cross(along, u));
    normals.push(...u, ...v, -u[0], -u[1], -u[2], -v[0], -v[1], -v[2]);
  }
  return {
    dimension: thin ? 1 : 0,
    points,
    vertexIds,
    vertexHandles: thin ? Int32Array.of(first, first + 1) : Int32Array.of(first),
    ringStart: thin ? Uint32Array.of(0, 1, 2) : new Uint32Array(2),
    ringVertices: thin ? Uint32Array.of(1, 0) : new Uint32Array(0),
    ringHandles: thin ? Int32Array.of(first, first) : new Int32Array(0),
    facetCount: 0,
    normals: Float64Array.from(normals),
    facetHandles: new Int32Array(0),
    normalVertices: new Uint32Array(normals.length / 3),
    normalsBefore: thin ? Uint32Array.of(0, 0, 1, 2) : new Uint32Array(0),
    arcNormals: thin ? Uint32Array.of(0, 1, 1, 2, 2, 3, 3, 0) : new Uint32Array(0),
    arcVertices: thin ? Uint32Array.of(0, 1, 0, 1, 0, 1, 0, 1) : new Uint32Array(0),
    arcHandles: new Int32Array(thin ? 4 : 0).fill(first),
  };
}

/** The fans of a set's nodes for one naming of facets. */
interface NamedFans {
  readonly classes: ArrayLike<number> | undefined;
  readonly fans: (NormalFan | undefined)[];
}

/** The fans made so far. Fans do not change, so they can be shared. */
const NORMAL_FANS: Part<ConvexSet, NamedFans[]> = {
  name: 'normal fans',
  make: () => [],
  bytes: (ways) => bytesOf(ways.map(({ fans }) => fans)),
};

/** The fans of a set's nodes made so far, to be filled by {@link buildNormalFan} with the same classes. */
export function shareNormalFans(set: ConvexSet, classes?: ArrayLike<number>): (NormalFan | undefined)[] {
  const ways = set.parts.get(NORMAL_FANS);
  const known = ways.find((way) => way.classes === classes);
  if (known !== undefined) return known.fans;
  const fans = new Array<NormalFan | undefined>(set.vertexStart.length - 1).fill(undefined);
  ways.push({ classes, fans });
  return fans;
}
