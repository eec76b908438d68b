// A roadmap among obstacles at rest, searched for the earliest arrival among those that move (safe interval path planning,
// Phillips and Likhachev 2011): a state is a node in one of its safe intervals. Waits and edges are proven in time.
import { IndexedHeap } from '../../core/heap.js';
import type { SpeedLimits } from '../../kinematics/robot/speed-limits.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { SafeInterval } from './safe-intervals.js';

/** Chosen: the count of nearest nodes that a node is joined to. */
const NEIGHBORS = 10;

/** Chosen: the count of departures tried for one edge into one interval; each waits longer than the one before. */
const DEPARTURES = 7;

/** What moves, as one robot sees it. Configurations end with their time. */
export interface Traffic {
  /** Numbers of a configuration and its time. */
  readonly size: number;
  /** The time from which nothing moves. */
  readonly quiet: number;
  /** When a place is free. */
  safeIntervals(q: Float64Array): readonly SafeInterval[];
  /** Whether an edge, whose start is free, is proven free. */
  isClear(a: Float64Array, b: Float64Array): boolean;
}

/** What a search asks for. */
export interface TimedSearchOptions {
  /** The goal is free from the arrival until this time or longer. Default: at the arrival. */
  readonly until?: number;
  /** The start is not left before this time. Default 0. */
  readonly after?: number;
}

/** An edge, tested among obstacles at rest when it is first needed. */
interface RoadEdge {
  readonly a: number;
  readonly b: number;
  isFree: boolean | null;
}

/** A node in one of its intervals: the earliest arrival known, and how it comes about. */
interface TimedState {
  readonly node: number;
  readonly interval: SafeInterval;
  arrival: number;
  departure: number;
  before: TimedState | null;
  isDone: boolean;
  readonly id: number;
}

export class TimedRoadmap {
  readonly #rest: CollisionScene;
  #traffic: Traffic;
  #limits: SpeedLimits;
  /** Configurations with room for the time. */
  readonly #nodes: Float64Array[] = [];
  readonly #edges: RoadEdge[][] = [];
  readonly #intervals: (readonly SafeInterval[] | null)[] = [];
  readonly #a: Float64Array;
  readonly #b: Float64Array;

  /**
   * @param rest watches what is at rest.
   * @param traffic everything that moves, and nothing else.
   */
  constructor(rest: CollisionScene, traffic: Traffic, limits: SpeedLimits) {
    this.#rest = rest;
    this.#traffic = traffic;
    this.#limits = limits;
    this.#a = new Float64Array(traffic.size);
    this.#b = new Float64Array(traffic.size);
  }

  get nodeCount(): number {
    return this.#nodes.length;
  }

  /** Changes what moves, and how fast the robot may. What is known of obstacles at rest stays. */
  setTraffic(traffic: Traffic, limits: SpeedLimits): void {
    this.#traffic = traffic;
    this.#limits = limits;
    this.#intervals.fill(null);
  }

  /** Adds a configuration that is free among obstacles at rest, with edges to the nearest nodes still to be tested. */
  add(q: Float64Array): number {
    const node = this.#nodes.length;
    const own = new Float64Array(this.#traffic.size);
    own.set(q.subarray(0, this.#rest.size));
    const near = this.#nodes.map((other, i) => ({ i, way: this.#rest.separation(own, other) }));
    near.sort((p, r) => p.way - r.way || p.i - r.i);
    this.#nodes.push(own);
    this.#edges.push([]);
    this.#intervals.push(null);
    this.#rest.counters.vertices++;
    for (const { i } of near.slice(0, NEIGHBORS)) this.#join(node, i);
    return node;
  }

  /** Adds a path from one node to another. */
  addPath(path: readonly Float64Array[], from: number, to: number): void {
    let last = from;
    for (const q of path.slice(1, -1)) {
      const node = this.add(q);
      this.#join(last, node);
      last = node;
    }
    this.#join(last, to);
  }

  /** The path of earliest arrival, from a node at time 0; null if none is found. Configurations end with their time. */
  search(
    from: number,
    to: number,
    isOver: () => boolean,
    { until = 0, after = 0 }: TimedSearchOptions = {},
  ): Float64Array[] | null {
    const states: TimedState[] = [];
    const ofNode: (TimedState[] | undefined)[] = [];
    const heap = new IndexedHeap(64);
    const statesOf = (node: number): TimedState[] => {
      ofNode[node] ??= this.#intervalsOf(node).map((interval) => {
        const state = {
          node,
          interval,
          arrival: Infinity,
          departure: 0,
          before: null,
          isDone: false,
          id: states.length,
        };
        states.push(state);
        return state;
      });
      return ofNode[node];
    };
    const first = statesOf(from).find(({ interval }) => interval.start <= 0);
    if (first === undefined) return null;
    const goal = this.#nodes[to];
    first.arrival = 0;
    heap.set(first.id, 0);
    while (heap.size > 0 && !isOver()) {
      const state = states[heap.pop()];
      state.isDone = true;
      if (state.node === to && state.interval.end >= until) return this.#trace(state);
      for (const edge of this.#edges[state.node]) {
        if (edge.isFree === false) continue;
        const other = edge.a === state.node ? edge.b : edge.a;
        const duration = this.#limits.duration(this.#nodes[state.node], this.#nodes[other]);
        for (const next of statesOf(other)) {
          if (next.isDone || !this.#improves(state, next, edge, duration, state === first ? after : 0)) continue;
          heap.set(next.id, next.arrival + this.#limits.duration(this.#nodes[other], goal));
        }
      }
    }
    return null;
  }

  /** Finds the earliest departure that is proven, if it arrives earlier than what is known. */
  #improves(state: TimedState, next: TimedState, edge: RoadEdge, duration: number, after: number): boolean {
    const earliest = Math.max(state.arrival, next.interval.start - duration, after);
    const end = Math.min(state.interval.end, next.interval.end - duration, next.arrival - duration);
    // To wait longer than anything moves gains nothing.
    const latest = Math.min(end, Math.max(earliest, this.#traffic.quiet));
    if (!(earliest <= latest) || earliest + duration >= next.arrival) return false;
    edge.isFree ??= this.#rest.advance(this.#nodes[edge.a], this.#nodes[edge.b]) === 1;
    if (!edge.isFree) return false;
    const step = Math.max(duration / 4, (latest - earliest) / 2 ** (DEPARTURES - 1));
    for (let k = 0; k < DEPARTURES; k++) {
      const departure = earliest + (k === 0 ? 0 : step * 2 ** (k - 1));
      if (departure > latest) return false;
      if (departure + duration >= next.arrival) return false;
      if (!this.#isProven(state.node, departure, next.node, departure + duration)) continue;
      next.arrival = departure + duration;
      next.departure = departure;
      next.before = state;
      return true;
    }
    return false;
  }

  #isProven(from: number, departure: number, to: number, arrival: number): boolean {
    this.#a.set(this.#nodes[from]);
    this.#b.set(this.#nodes[to]);
    this.#a[this.#a.length - 1] = departure;
    this.#b[this.#b.length - 1] = arrival;
    return this.#traffic.isClear(this.#a, this.#b);
  }

  #trace(last: TimedState): Float64Array[] {
    const path: Float64Array[] = [];
    const put = (node: number, time: number): void => {
      const q = this.#nodes[node].slice();
      q[q.length - 1] = time;
      path.push(q);
    };
    put(last.node, last.arrival);
    for (let state = last; state.before !== null; state = state.before) {
      put(state.before.node, state.departure);
      if (state.departure > state.before.arrival) put(state.before.node, state.before.arrival);
    }
    return path.reverse();
  }

  #intervalsOf(node: number): readonly SafeInterval[] {
    const known = this.#intervals[node] ?? this.#traffic.safeIntervals(this.#nodes[node]);
    this.#intervals[node] = known;
    return known;
  }

  #join(a: number, b: number): void {
    const edge: RoadEdge = { a, b, isFree: null };
    this.#edges[a].push(edge);
    this.#edges[b].push(edge);
    this.#rest.counters.edges++;
  }
}
