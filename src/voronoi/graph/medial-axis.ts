// The medial axis of a polygon: the boundaries between its edges and corners, without those between an edge and its own
// ends. Dead ends are pruned by the angle between nearest points, and by how much of the shape they stand for.
import { nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, numberFrom, oneOf, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { assertPolygon, locateInPolygon, type Polygon } from '../../mesh/polygon/polygon.js';
import { VORONOI_DEFAULTS } from '../defaults.js';
import type { SegmentSite } from '../sites/plane-site.js';
import { buildGraph } from './compute-voronoi-graph.js';
import { featureFoot } from './feature-arrays.js';
import { FeatureGap } from './feature-gap.js';
import type { GraphEdge, GraphVertex, VoronoiGraph } from './voronoi-graph.js';

/** How to compute a medial axis. */
export interface MedialAxisOptions {
  /** Which side of the boundary. Default 'inside'. */
  readonly side?: 'inside' | 'outside' | 'both' | undefined;
  /** x0, y0, x1, y1; default: the box of the polygon with a margin of 5 % of its longest side. */
  readonly box?: ArrayLike<number> | undefined;
  /** Removes dead ends whose nearest points appear at a smaller angle everywhere, in radians up to π. Default 0. */
  readonly minAngle?: number | undefined;
  /** Removes dead ends that reach less than this beyond the largest disc at their other end. Default 0. */
  readonly minSize?: number | undefined;
  /** How far a chord of an edge may be from the axis. Default: 1e-4 of the longest side of the box. */
  readonly error?: number | undefined;
  /** The most cells of the subdivision. Default 2,000,000. */
  readonly maxCells?: number | undefined;
}

const AXIS_OPTIONS = optionTable<MedialAxisOptions>()({
  side: oneOf(['inside', 'outside', 'both'], VORONOI_DEFAULTS.side),
  box: checkedElsewhere(),
  minAngle: checkedElsewhere(0),
  minSize: numberFrom(0, 0),
  error: checkedElsewhere(),
  maxCells: checkedElsewhere(),
});

/** A path of the axis from a vertex to a vertex, both of the whole graph. */
interface Branch {
  readonly from: number;
  readonly to: number;
  readonly edge: GraphEdge;
  /** The largest angle between the nearest points, seen from the axis. */
  readonly angle: number;
}

/**
 * The medial axis of a polygon as a graph. Sites are the edges of the polygon, counted through all rings; the edge i of a
 * ring leads from its point i to the next. Vertices of the kind `end` are dead ends, such as convex corners.
 * @throws NearfieldError for a polygon that is not valid, as `assertPolygon` does, and for options that are not as
 * described.
 */
export function computeMedialAxis(polygon: Polygon, options: MedialAxisOptions = {}): VoronoiGraph {
  const { side, minAngle, minSize } = AXIS_OPTIONS.read(options);
  assertPolygon(polygon);
  if (!(typeof minAngle === 'number' && minAngle >= 0 && minAngle <= Math.PI)) {
    throw new NearfieldError('bad-argument', `The least angle is ${nameValue(minAngle)}; give radians from 0 to π.`);
  }
  const sites = polygon.rings.flatMap(ringSites);
  const parts = buildGraph(sites, {
    between: 'features',
    box: options.box,
    error: options.error,
    maxCells: options.maxCells,
  });
  const { assembly, features, frame, tree } = parts;
  const { arrays } = features;
  const gap = new FeatureGap(arrays);
  const foot = new Float64Array(2);
  let branches: Branch[] = [];
  assembly.edges.forEach((edge, index) => {
    const [f, g] = assembly.edgeFeatures[index];
    if (gap.sharesConstraint(f, g)) return;
    const widest = edge.clearances.indexOf(Math.max(...edge.clearances));
    const place = locateInPolygon(polygon, edge.points[2 * widest], edge.points[2 * widest + 1]);
    if (side !== 'both' && place !== side) return;
    let angle = 0;
    for (let i = 0; i < edge.points.length; i += 2) {
      if (edge.clearances[i / 2] > 1e-9 * frame.scale) angle = Math.max(angle, angleAt(edge, i, f, g));
    }
    branches.push({ from: edge.from, to: edge.to, edge, angle });
  });
  branches = prune(joinBranches(branches), assembly.vertices, minAngle, minSize);
  return { ...finish(branches, assembly.vertices), ...summary() };

  function angleAt(edge: GraphEdge, at: number, f: number, g: number): number {
    const x = frame.localX(edge.points[at]);
    const y = frame.localY(edge.points[at + 1]);
    featureFoot(arrays, f, x, y, foot);
    const [ax, ay] = [foot[0] - x, foot[1] - y];
    featureFoot(arrays, g, x, y, foot);
    const [bx, by] = [foot[0] - x, foot[1] - y];
    return Math.abs(Math.atan2(ax * by - ay * bx, ax * bx + ay * by));
  }

  function summary(): Pick<VoronoiGraph, 'box' | 'error' | 'status' | 'counters'> {
    return {
      box: parts.box,
      error: parts.error,
      status: tree.unresolved > 0 ? 'limit' : 'complete',
      counters: tree.counters,
    };
  }
}

function ringSites(ring: Float64Array): SegmentSite[] {
  const count = ring.length / 2;
  return Array.from({ length: count }, (_, i): SegmentSite => {
    const next = (i + 1) % count;
    return { type: 'segment', a: [ring[2 * i], ring[2 * i + 1]], b: [ring[2 * next], ring[2 * next + 1]] };
  });
}

/** Branches by vertex. */
function branchesAt(branches: readonly Branch[]): Map<number, Branch[]> {
  const at = new Map<number, Branch[]>();
  for (const branch of branches) {
    for (const end of [branch.from, branch.to]) {
      if (end < 0) continue;
      const list = at.get(end);
      if (list === undefined) at.set(end, [branch]);
      else list.push(branch);
    }
  }
  return at;
}

/** Joins the two branches at every vertex that has no others. */
function joinBranches(branches: readonly Branch[]): Branch[] {
  const at = branchesAt(branches);
  const left = new Set(branches);
  for (const [vertex, list] of at) {
    if (list.length !== 2 || list[0] === list[1]) continue;
    const first = list[0].to === vertex ? list[0] : reverse(list[0]);
    const second = list[1].from === vertex ? list[1] : reverse(list[1]);
    const joined = join(first, second);
    left.delete(list[0]);
    left.delete(list[1]);
    left.add(joined);
    for (const end of [joined.from, joined.to]) {
      const others = at.get(end) as Branch[];
      for (let i = 0; i < others.length; i++) if (others[i] === list[0] || others[i] === list[1]) others[i] = joined;
    }
    at.set(vertex, []);
  }
  return [...left];
}

function reverse(branch: Branch): Branch {
  const { edge } = branch;
  const points: number[] = [];
  for (let i = edge.points.length - 2; i >= 0; i -= 2) points.push(edge.points[i], edge.points[i + 1]);
  const { left, right } = edge.narrowest;
  return {
    from: branch.to,
    to: branch.from,
    angle: branch.angle,
    edge: {
      ...edge,
      from: edge.to,
      to: edge.from,
      points,
      clearances: [...edge.clearances].reverse(),
      narrowest: { ...edge.narrowest, left: right, right: left },
      sites: [edge.sites[1], edge.sites[0]],
    },
  };
}

function join(first: Branch, second: Branch): Branch {
  const narrow = first.edge.narrowest.clearance <= second.edge.narrowest.clearance ? first.edge : second.edge;
  return {
    from: first.from,
    to: second.to,
    angle: Math.max(first.angle, second.angle),
    edge: {
      from: first.from,
      to: second.to,
      points: [...first.edge.points, ...second.edge.points.slice(2)],
      clearances: [...first.edge.clearances, ...second.edge.clearances.slice(1)],
      length: first.edge.length + second.edge.length,
      narrowest: narrow.narrowest,
      sites: narrow.sites,
    },
  };
}

/** Removes dead ends that are below a limit, the least first, until none is left; the last branch stays. */
function prune(
  branches: readonly Branch[],
  vertices: readonly GraphVertex[],
  minAngle: number,
  minSize: number,
): Branch[] {
  let rest = [...branches];
  while (rest.length > 1) {
    const at = branchesAt(rest);
    let least: Branch | null = null;
    let leastSize = Infinity;
    for (const branch of rest) {
      if (branch.from < 0) continue;
      const fromEnds = at.get(branch.from)?.length === 1 && vertices[branch.from].kind !== 'border';
      const toEnds = at.get(branch.to)?.length === 1 && vertices[branch.to].kind !== 'border';
      if (fromEnds === toEnds) continue;
      const size = reachBeyond(vertices[fromEnds ? branch.to : branch.from], branch.edge);
      if ((size < minSize || branch.angle < minAngle) && size < leastSize) {
        least = branch;
        leastSize = size;
      }
    }
    if (least === null) return rest;
    rest = joinBranches(rest.filter((branch) => branch !== least));
  }
  return rest;
}

/** How far the discs of a branch reach beyond the disc at its inner end. */
function reachBeyond(inner: GraphVertex, { points, clearances }: GraphEdge): number {
  let most = 0;
  for (let i = 0; i < points.length; i += 2) {
    const distance = Math.hypot(points[i] - inner.point[0], points[i + 1] - inner.point[1]);
    most = Math.max(most, distance + clearances[i / 2] - inner.clearance);
  }
  return most;
}

/** The branches with vertices of their own. */
function finish(
  branches: readonly Branch[],
  all: readonly GraphVertex[],
): { readonly vertices: GraphVertex[]; readonly edges: GraphEdge[] } {
  const index = new Map<number, number>();
  const vertices: (GraphVertex & { readonly edges: number[] })[] = [];
  const vertexOf = (vertex: number, edge: number): number => {
    if (vertex < 0) return -1;
    let own = index.get(vertex);
    if (own === undefined) {
      const { point, clearance, kind, sites } = all[vertex];
      own = vertices.push({ point, clearance, kind, sites, edges: [] }) - 1;
      index.set(vertex, own);
    }
    vertices[own].edges.push(edge);
    return own;
  };
  const edges = branches.map(({ from, to, edge }, i): GraphEdge => {
    return { ...edge, from: vertexOf(from, i), to: vertexOf(to, i) };
  });
  return {
    vertices: vertices.map((vertex) =>
      vertex.kind === 'junction' && vertex.edges.length === 1 ? { ...vertex, kind: 'end' } : vertex,
    ),
    edges,
  };
}
