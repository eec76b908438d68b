// Places in the middle between obstacles, and how one gets from one to the next: what leads a search. A link costs its
// length, and more where it is narrow, so that the cheapest way is short and has room (Hoff et al. 2000).
import { IndexedHeap } from '../../core/heap.js';
import type { Vec3 } from '../../core/vec3.js';
import type { Certificate } from '../../kinematics/validity/certificates.js';

/** A place of the guide. */
export interface Station {
  readonly id: number;
  readonly point: Vec3;
  /** The distance to the nearest obstacle. */
  readonly room: number;
  readonly links: GuideLink[];
  /** What is proven of configurations here, and of edges from here to the next station; by their orientations. */
  readonly proofs: Map<string, Certificate>;
  /** The number of the station; it may change as others are removed. */
  slot: number;
}

export interface GuideLink {
  readonly to: Station;
  readonly length: number;
  readonly cost: number;
}

/** What is added to the costs of links, by station, where a search found no way on; both directions have the same. */
export type RaisedCosts = Map<Station, Map<Station, number>>;

export class GuideGraph {
  readonly stations: Station[] = [];
  readonly #costOf: (length: number, room: number) => number;
  readonly #heap = new IndexedHeap();
  #made = 0;
  #costs = new Float64Array(0);
  #before = new Int32Array(0);

  /** @param costOf the cost of a length with some room. */
  constructor(costOf: (length: number, room: number) => number) {
    this.#costOf = costOf;
  }

  add(point: Vec3, room: number): Station {
    const { length: slot } = this.stations;
    const station: Station = { id: this.#made++, point, room, links: [], proofs: new Map(), slot };
    this.stations.push(station);
    return station;
  }

  join(a: Station, b: Station): void {
    const length = Math.hypot(a.point[0] - b.point[0], a.point[1] - b.point[1], a.point[2] - b.point[2]);
    const cost = this.#costOf(length, Math.min(a.room, b.room));
    a.links.push({ to: b, length, cost });
    b.links.push({ to: a, length, cost });
  }

  remove(station: Station): void {
    for (const { to } of station.links) {
      const at = to.links.findIndex((link) => link.to === station);
      if (at >= 0) to.links.splice(at, 1);
    }
    station.links.length = 0;
    const last = this.stations.pop()!;
    if (last === station) return;
    this.stations[station.slot] = last;
    last.slot = station.slot;
  }

  /** The nearest stations that a test accepts, nearest first. */
  nearest(point: Readonly<Vec3>, most: number, accepts: (station: Station) => boolean): Station[] {
    const { stations } = this;
    const squares = new Float64Array(stations.length);
    const order = new Int32Array(stations.length);
    for (let i = 0; i < stations.length; i++) {
      const [x, y, z] = stations[i].point;
      squares[i] = (x - point[0]) ** 2 + (y - point[1]) ** 2 + (z - point[2]) ** 2;
      order[i] = i;
    }
    order.sort((a, b) => squares[a] - squares[b] || a - b);
    const found: Station[] = [];
    for (let i = 0; i < order.length && i < 8 * most && found.length < most; i++) {
      if (accepts(stations[order[i]])) found.push(stations[order[i]]);
    }
    return found;
  }

  /** The cheapest way between two stations (Dijkstra 1959), or null. */
  findWay(from: Station, to: Station, raised: RaisedCosts): Station[] | null {
    const count = this.stations.length;
    if (this.#costs.length < count) {
      this.#costs = new Float64Array(2 * count);
      this.#before = new Int32Array(2 * count);
    }
    const [costs, before, heap] = [this.#costs.fill(Infinity, 0, count), this.#before.fill(-1, 0, count), this.#heap];
    heap.clear();
    costs[from.slot] = 0;
    heap.set(from.slot, 0);
    while (heap.size > 0) {
      const slot = heap.pop();
      if (slot === to.slot) break;
      const station = this.stations[slot];
      const added = raised.get(station);
      for (const link of station.links) {
        const cost = costs[slot] + link.cost + (added?.get(link.to) ?? 0);
        if (!(cost < costs[link.to.slot])) continue;
        costs[link.to.slot] = cost;
        before[link.to.slot] = slot;
        heap.set(link.to.slot, cost);
      }
    }
    if (!(costs[to.slot] < Infinity)) return null;
    const way: Station[] = [];
    for (let at = to.slot; at >= 0; at = before[at]) way.push(this.stations[at]);
    return way.reverse();
  }
}

/** Adds to the cost of a link, in both directions. */
export function raiseCost(raised: RaisedCosts, a: Station, b: Station, by: number): void {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ]) {
    let added = raised.get(from);
    if (added === undefined) {
      added = new Map();
      raised.set(from, added);
    }
    added.set(to, by + (added.get(to) ?? 0));
  }
}
