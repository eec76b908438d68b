// Shortest and widest paths on a Voronoi graph, between any two places of its box. A place is joined to the graph along the
// line away from its nearest site: the clearance grows on the way, until the line meets a boundary.
import { nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, oneOf, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { IndexedHeap } from '../../core/heap.js';
import { elementDistance, nearestOnElement } from '../sites/element-distance.js';
import type { PlaneElements } from '../sites/plane-elements.js';
import type { PlaneSite } from '../sites/plane-site.js';
import { placeSites } from '../sites/sites-box.js';
import type { GraphEdge, VoronoiGraph } from './voronoi-graph.js';

/** How to find a path. */
export interface GraphPathOptions {
  /**
   * What is best. 'length': the shortest path. 'clearance': of the paths with the largest least clearance the shortest.
   * 'both': the least integral of 1 + `clearanceWeight` / clearance along the path. Default 'length'.
   */
  readonly by?: 'length' | 'clearance' | 'both' | undefined;
  /** For 'both': the clearance at which a step counts twice. Default: a tenth of the longest side of the box. */
  readonly clearanceWeight?: number | undefined;
  /** Edges that are narrower anywhere are not used, nor are places with less clearance. Those that touch a site never are. */
  readonly minClearance?: number | undefined;
}

const PATH_OPTIONS = optionTable<GraphPathOptions>()({
  by: oneOf(['length', 'clearance', 'both'], 'length'),
  clearanceWeight: checkedElsewhere(),
  minClearance: checkedElsewhere(0),
});

/** Rounding: a place with less clearance, as a share of the longest side of the box, touches a site. */
const TOUCHING = 1e-9;

/** A path, or the reason why none was found. */
export interface GraphPath {
  /**
   * 'start-blocked', 'goal-blocked': the place is too near to a site, or a site is between it and the graph.
   * 'disconnected': no edges lead from one to the other.
   */
  readonly status: 'found' | 'start-blocked' | 'goal-blocked' | 'disconnected';
  /** x, y of each point from start to goal; empty without a path. */
  readonly points: readonly number[];
  readonly length: number;
  /** Along the whole path, within 1e-6 of the longest side of the box where it is not on an edge; 0 without a path. */
  readonly leastClearance: number;
  /** The edges used, in order; the first and the last may be used in part. */
  readonly edges: readonly number[];
}

/** Part of an edge, or a line to the graph, between two nodes of the search. */
interface Link {
  readonly to: number;
  readonly edge: number;
  readonly points: readonly number[];
  readonly cost: number;
  readonly length: number;
  readonly clearance: number;
}

/** A place on an edge: the segment of its points and the share of it. */
interface Place {
  readonly edge: number;
  readonly segment: number;
  readonly x: number;
  readonly y: number;
  readonly clearance: number;
  /** Of the line to it. */
  readonly lineClearance: number;
}

/**
 * The best path on the graph of the sites between two places of its box.
 * @throws NearfieldError `bad-argument` for places outside the box, and for options that are not as described.
 */
export function findGraphPath(
  graph: VoronoiGraph,
  sites: readonly PlaneSite[],
  start: ArrayLike<number>,
  goal: ArrayLike<number>,
  options: GraphPathOptions = {},
): GraphPath {
  const { by, minClearance, ...given } = PATH_OPTIONS.read(options);
  if (!Array.isArray(graph?.edges) || !Array.isArray(graph.vertices) || graph.box?.length !== 4) {
    throw new NearfieldError(
      'bad-argument',
      `The graph is ${nameValue(graph)}; give what computeVoronoiGraph returns.`,
    );
  }
  const longest = Math.max(graph.box[2] - graph.box[0], graph.box[3] - graph.box[1]);
  const { clearanceWeight = longest / 10 } = given;
  for (const [name, value] of [
    ['clearance weight', clearanceWeight],
    ['least clearance', minClearance],
  ] as const) {
    if (typeof value === 'number' && value >= 0 && value < Infinity) continue;
    throw new NearfieldError('bad-argument', `The ${name} is ${nameValue(value)}; give a length from 0.`);
  }
  assertPlace(graph, start, 'start');
  assertPlace(graph, goal, 'goal');
  const { elements } = placeSites(sites, graph.box, undefined);
  const search = new PathSearch(graph, elements, longest, by === 'both' ? clearanceWeight : 0, minClearance);
  return search.find(start, goal, by === 'clearance');
}

function assertPlace({ box }: VoronoiGraph, place: ArrayLike<number>, name: string): void {
  if (
    place !== null &&
    typeof place === 'object' &&
    place.length === 2 &&
    place[0] >= box[0] &&
    place[1] >= box[1] &&
    place[0] <= box[2] &&
    place[1] <= box[3]
  ) {
    return;
  }
  throw new NearfieldError(
    'bad-argument',
    `The ${name} is ${nameValue(place)}; give x, y in the box ${box.join(', ')}.`,
  );
}

function noPath(status: GraphPath['status']): GraphPath {
  return { status, points: [], length: 0, leastClearance: 0, edges: [] };
}

class PathSearch {
  readonly #graph: VoronoiGraph;
  readonly #elements: PlaneElements;
  readonly #longest: number;
  readonly #weight: number;
  readonly #minClearance: number;
  readonly #links = new Map<number, Link[]>();
  readonly #foot = new Float64Array(2);

  constructor(graph: VoronoiGraph, elements: PlaneElements, longest: number, weight: number, minClearance: number) {
    this.#graph = graph;
    this.#elements = elements;
    this.#longest = longest;
    this.#weight = weight;
    this.#minClearance = Math.max(minClearance, TOUCHING * longest);
  }

  find(start: ArrayLike<number>, goal: ArrayLike<number>, widest: boolean): GraphPath {
    const from = this.#join(start[0], start[1]);
    if (from === null || from.lineClearance < this.#minClearance) return noPath('start-blocked');
    const to = this.#join(goal[0], goal[1]);
    if (to === null || to.lineClearance < this.#minClearance) return noPath('goal-blocked');
    const count = this.#graph.vertices.length;
    this.#graph.edges.forEach((edge, index) => {
      if (edge.from < 0) return;
      this.#addLink(edge.from, edge.to, index, edge.points, edge.clearances, edge.narrowest.clearance);
    });
    this.#joinPlaces(count, from, to);
    let links = this.#search(count, count + 1, widest);
    if (links === null) return noPath('disconnected');
    if (widest) {
      // The least clearance is known now; the shortest path that keeps it is another search.
      const least = Math.min(...links.map(({ clearance }) => clearance));
      for (const [node, list] of this.#links) {
        this.#links.set(
          node,
          list.filter(({ clearance }) => clearance >= least),
        );
      }
      links = this.#search(count, count + 1, false) ?? links;
    }
    return this.#finish(start, goal, from, to, links);
  }

  #finish(
    start: ArrayLike<number>,
    goal: ArrayLike<number>,
    from: Place,
    to: Place,
    links: readonly Link[],
  ): GraphPath {
    const points = [start[0], start[1]];
    const add = (x: number, y: number): void => {
      if (points[points.length - 2] !== x || points[points.length - 1] !== y) points.push(x, y);
    };
    add(from.x, from.y);
    const edges: number[] = [];
    let leastClearance = Math.min(from.lineClearance, to.lineClearance);
    for (const link of links) {
      for (let i = 0; i < link.points.length; i += 2) add(link.points[i], link.points[i + 1]);
      leastClearance = Math.min(leastClearance, link.clearance);
      if (edges[edges.length - 1] !== link.edge) edges.push(link.edge);
    }
    add(goal[0], goal[1]);
    return { status: 'found', points, length: lengthOf(points), leastClearance, edges };
  }

  /** Joins the nodes of start and goal with the ends of their edges, and with each other on the same edge. */
  #joinPlaces(startNode: number, from: Place, to: Place): void {
    for (const [node, place] of [
      [startNode, from],
      [startNode + 1, to],
    ] as const) {
      const edge = this.#graph.edges[place.edge];
      if (edge.from < 0) continue;
      const ahead = this.#partOf(edge, place, null);
      const behind = this.#partOf(edge, null, place);
      this.#addLink(node, edge.to, place.edge, ahead.points, ahead.clearances, this.#least(edge, ahead));
      this.#addLink(edge.from, node, place.edge, behind.points, behind.clearances, this.#least(edge, behind));
    }
    if (from.edge !== to.edge) return;
    const edge = this.#graph.edges[from.edge];
    const ordered = from.segment < to.segment || (from.segment === to.segment && isBefore(edge, from, to));
    const [a, b, nodeA, nodeB] = ordered ? [from, to, startNode, startNode + 1] : [to, from, startNode + 1, startNode];
    const middle = this.#partOf(edge, a, b);
    this.#addLink(nodeA, nodeB, from.edge, middle.points, middle.clearances, this.#least(edge, middle));
    if (edge.from >= 0) return;
    // A closed curve leads to the other place both ways.
    const ahead = this.#partOf(edge, b, null);
    const behind = this.#partOf(edge, null, a);
    const points = [...ahead.points, ...behind.points.slice(2)];
    const clearances = [...ahead.clearances, ...behind.clearances.slice(1)];
    const part = { points, clearances };
    this.#addLink(nodeB, nodeA, from.edge, points, clearances, this.#least(edge, part));
  }

  /** The points of an edge from one place, or its beginning, to another, or its end. */
  #partOf(edge: GraphEdge, a: Place | null, b: Place | null): { points: number[]; clearances: number[] } {
    const points: number[] = [];
    const clearances: number[] = [];
    if (a !== null) {
      points.push(a.x, a.y);
      clearances.push(a.clearance);
    }
    const first = a === null ? 0 : a.segment + 1;
    const last = b === null ? edge.clearances.length - 1 : b.segment;
    for (let i = first; i <= last; i++) {
      points.push(edge.points[2 * i], edge.points[2 * i + 1]);
      clearances.push(edge.clearances[i]);
    }
    if (b !== null) {
      points.push(b.x, b.y);
      clearances.push(b.clearance);
    }
    return { points, clearances };
  }

  /** The least clearance of part of an edge: that of its narrowest place if it is there, else that of an end. */
  #least({ narrowest }: GraphEdge, { points, clearances }: { points: number[]; clearances: number[] }): number {
    let least = Math.min(...clearances);
    if (narrowest.clearance >= least) return least;
    for (let i = 0; i + 3 < points.length; i += 2) {
      const [x, y] = nearestOnLine(points, i, narrowest.point[0], narrowest.point[1]);
      const distance = Math.hypot(x - narrowest.point[0], y - narrowest.point[1]);
      if (distance <= this.#graph.error) least = narrowest.clearance;
    }
    return least;
  }

  #addLink(
    a: number,
    b: number,
    edge: number,
    points: readonly number[],
    clearances: readonly number[],
    clearance: number,
  ): void {
    if (clearance < this.#minClearance) return;
    const length = lengthOf(points);
    let cost = length;
    if (this.#weight > 0) {
      for (let i = 1; i < clearances.length; i++) {
        const step = Math.hypot(points[2 * i] - points[2 * i - 2], points[2 * i + 1] - points[2 * i - 1]);
        // The mean of 1 / clearance, if the clearance changes evenly, is between these two and near to their mean.
        if (step > 0) cost += (step * this.#weight * (1 / clearances[i] + 1 / clearances[i - 1])) / 2;
      }
    }
    const backwards: number[] = [];
    for (let i = points.length - 2; i >= 0; i -= 2) backwards.push(points[i], points[i + 1]);
    this.#push(a, { to: b, edge, points, cost, length, clearance });
    this.#push(b, { to: a, edge, points: backwards, cost, length, clearance });
  }

  #push(node: number, link: Link): void {
    const list = this.#links.get(node);
    if (list === undefined) this.#links.set(node, [link]);
    else list.push(link);
  }

  /** Dijkstra's search (1959). The widest path is that with the least of the negative clearances at their largest. */
  #search(start: number, goal: number, widest: boolean): Link[] | null {
    const heap = new IndexedHeap(goal + 1);
    const reached = new Map<number, { readonly before: number; readonly link: Link | null }>();
    const tentative = new Map<number, { readonly before: number; readonly link: Link | null }>();
    heap.set(start, widest ? -Infinity : 0);
    tentative.set(start, { before: -1, link: null });
    while (heap.size > 0) {
      const key = heap.minKey();
      const node = heap.pop();
      reached.set(node, tentative.get(node) as { before: number; link: Link | null });
      if (node === goal) break;
      for (const link of this.#links.get(node) ?? []) {
        if (reached.has(link.to)) continue;
        const next = widest ? Math.max(key, -link.clearance) : key + link.cost;
        if (!(next < heap.keyOf(link.to))) continue;
        heap.set(link.to, next);
        tentative.set(link.to, { before: node, link });
      }
    }
    if (!reached.has(goal)) return null;
    const links: Link[] = [];
    for (let at = reached.get(goal); at !== undefined && at.link !== null; at = reached.get(at.before))
      links.push(at.link);
    return links.reverse();
  }

  /** Where the line from the place away from its nearest site meets the graph; null if a site is in between. */
  #join(x: number, y: number): Place | null {
    const clearance = this.#clearance(x, y);
    if (clearance < 0) return null;
    const near = this.#nearestPlace(x, y);
    if (near === null) return null;
    if (Math.hypot(near.x - x, near.y - y) <= 1e-9 * this.#longest) return near;
    const ux = x - this.#foot[0];
    const uy = y - this.#foot[1];
    const length = Math.hypot(ux, uy);
    if (length > 1e-12 * this.#longest) {
      const hit = this.#firstHit(x, y, ux / length, uy / length);
      if (hit !== null) {
        const place = this.#placeWithLine(hit, x, y);
        if (place.lineClearance > 0 && place.lineClearance >= clearance - 1e-6 * this.#longest) return place;
      }
    }
    // A place whose line leaves the box or passes the same site again: the nearest place of the graph.
    const place = this.#placeWithLine(near, x, y);
    return place.lineClearance > 0 ? place : null;
  }

  #placeWithLine(place: Place, x: number, y: number): Place {
    return { ...place, lineClearance: this.#leastOnLine(x, y, place.x, place.y) };
  }

  /** The distance to the nearest site; its nearest point is kept. */
  #clearance(x: number, y: number): number {
    const elements = this.#elements;
    const { site, weights, offsets } = elements;
    let least = Infinity;
    let best = -1;
    for (let i = 0; i < elements.count; i++) {
      const value = elementDistance(elements, i, x, y) / weights[site[i]] - offsets[site[i]];
      if (value < least) {
        least = value;
        best = i;
      }
    }
    if (best >= 0) nearestOnElement(elements, best, x, y, this.#foot);
    return least;
  }

  #nearestPlace(x: number, y: number): Place | null {
    let best: Place | null = null;
    let least = Infinity;
    this.#graph.edges.forEach(({ points, clearances }, edge) => {
      for (let i = 0; i + 3 < points.length; i += 2) {
        const [px, py] = nearestOnLine(points, i, x, y);
        const distance = Math.hypot(px - x, py - y);
        if (distance >= least) continue;
        least = distance;
        best = placeOn(points, clearances, edge, i, px, py);
      }
    });
    const clearance = this.#clearance(x, y);
    return best === null ? null : { ...(best as Place), lineClearance: clearance };
  }

  /** The first boundary on a ray. */
  #firstHit(x: number, y: number, ux: number, uy: number): Place | null {
    let best: Place | null = null;
    let least = Infinity;
    this.#graph.edges.forEach(({ points, clearances }, edge) => {
      let before = (points[0] - x) * uy - (points[1] - y) * ux;
      for (let i = 0; i + 3 < points.length; i += 2) {
        const after = (points[i + 2] - x) * uy - (points[i + 3] - y) * ux;
        if (before * after <= 0 && before !== after) {
          const share = before / (before - after);
          const px = points[i] + share * (points[i + 2] - points[i]);
          const py = points[i + 1] + share * (points[i + 3] - points[i + 1]);
          const along = (px - x) * ux + (py - y) * uy;
          if (along >= 0 && along < least) {
            least = along;
            best = placeOn(points, clearances, edge, i, px, py);
          }
        }
        before = after;
      }
    });
    return best;
  }

  /** The least clearance on a line, within 1e-6 of the longest side, by the Lipschitz bound of distances. */
  #leastOnLine(ax: number, ay: number, bx: number, by: number): number {
    const length = Math.hypot(bx - ax, by - ay);
    let least = Math.min(this.#clearance(ax, ay), this.#clearance(bx, by));
    const stack = [[0, this.#clearance(ax, ay), 1, this.#clearance(bx, by)]];
    let work = 0;
    while (stack.length > 0 && work++ < 1024) {
      const [low, atLow, high, atHigh] = stack.pop() as number[];
      if ((atLow + atHigh - (high - low) * length) / 2 >= least - 1e-6 * this.#longest) continue;
      const middle = (low + high) / 2;
      const value = this.#clearance(ax + middle * (bx - ax), ay + middle * (by - ay));
      least = Math.min(least, value);
      stack.push([middle, value, high, atHigh], [low, atLow, middle, value]);
    }
    this.#clearance(ax, ay);
    return least;
  }
}

function placeOn(
  points: readonly number[],
  clearances: readonly number[],
  edge: number,
  at: number,
  x: number,
  y: number,
): Place {
  const length = Math.hypot(points[at + 2] - points[at], points[at + 3] - points[at + 1]);
  const share = length === 0 ? 0 : Math.hypot(x - points[at], y - points[at + 1]) / length;
  const clearance = clearances[at / 2] + share * (clearances[at / 2 + 1] - clearances[at / 2]);
  return { edge, segment: at / 2, x, y, clearance, lineClearance: Infinity };
}

function isBefore({ points }: GraphEdge, a: Place, b: Place): boolean {
  const at = 2 * a.segment;
  const dx = points[at + 2] - points[at];
  const dy = points[at + 3] - points[at + 1];
  return (a.x - b.x) * dx + (a.y - b.y) * dy <= 0;
}

function nearestOnLine(points: readonly number[], at: number, x: number, y: number): [number, number] {
  const dx = points[at + 2] - points[at];
  const dy = points[at + 3] - points[at + 1];
  const square = dx * dx + dy * dy;
  const share = square === 0 ? 0 : ((x - points[at]) * dx + (y - points[at + 1]) * dy) / square;
  const t = Math.min(1, Math.max(0, share));
  return [points[at] + t * dx, points[at + 1] + t * dy];
}

function lengthOf(points: readonly number[]): number {
  let length = 0;
  for (let i = 2; i < points.length; i += 2)
    length += Math.hypot(points[i] - points[i - 2], points[i + 1] - points[i - 1]);
  return length;
}
