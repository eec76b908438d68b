// The Voronoi planner that stays: graph, roadmap and path are kept between queries and repaired when obstacles move.
import { nameValue } from '../../core/check/check-options.js';
import { Deadline } from '../../core/deadline.js';
import { NearfieldError } from '../../core/errors.js';
import * as pose from '../../core/pose.js';
import { createRandom, type Random } from '../../core/random.js';
import type { Certificate } from '../../kinematics/validity/certificates.js';
import { KeptClearances } from '../../kinematics/validity/kept-clearances.js';
import { type ProvenPath, VoronoiSearch } from '../guide/voronoi-search.js';
import { assertFits, buildScene, type PlanScene } from '../problem/build-scene.js';
import { describePath } from '../problem/describe-path.js';
import { EMPTY_ANSWER } from '../problem/empty-answer.js';
import { explainCollision } from '../problem/explain.js';
import { explainMemory, limitOf, meshBytes } from '../problem/memory.js';
import type { PlanProblem, PlanResult } from '../problem/plan-problem.js';
import { PLANNING_DEFAULTS, problemSettings } from '../problem/problem-settings.js';
import { shortenPath } from '../search/shorten.js';
import { searchOnce } from './plan-voronoi.js';

/** What was left of graph, roadmap and path, and what had to be found and proven anew. */
export interface VoronoiRepair {
  /** Edges of the diagram's graph that stayed as they were since the last plan, and those found anew. */
  readonly graphKept: number;
  readonly graphMade: number;
  /** Edges of the path that were kept from the last one. */
  readonly pathKept: number;
  /** Edges and configurations of roadmap and path whose proofs held without a test. */
  readonly proofsKept: number;
  /** Those tested again, against obstacles that moved near them only. */
  readonly retested: number;
  /** Those tested against all obstacles. */
  readonly tested: number;
}

/** An answer of a planner that stays. */
export interface VoronoiPlanResult extends PlanResult {
  readonly repair: VoronoiRepair;
}

/** The graph that leads the planner, for drawing. */
export interface VoronoiGuide {
  /** Places in the middle between obstacles, three numbers each. */
  readonly points: Float64Array;
  /** By place: the distance to the nearest obstacle. */
  readonly rooms: Float64Array;
  /** Pairs of places that are next to each other. */
  readonly links: Uint32Array;
}

/** Chosen: the count of trials to make a repaired path shorter. */
const SHORTEN_TRIALS = 40;

/** Chosen: all is planned anew if a repaired path is longer than the one planned at first by this factor. */
const LONGEST_REPAIR = 1.5;

/**
 * Plans motions of one rigid or planar robot among obstacles that may be moved, by the graph of their Voronoi diagram (Hoff,
 * Culver, Keyser, Lin and Manocha 2000). Every path is proven, edge by edge.
 */
export class VoronoiPlanner {
  readonly #built: PlanScene;
  readonly #search: VoronoiSearch;
  readonly #clearances: KeptClearances;
  readonly #timeLimit: number;
  readonly #maxMemory: number;
  /** About what robots and obstacles take in memory, in bytes. */
  readonly #meshes: number;
  readonly #seed: number;
  readonly #preprocessMs: number;
  #path: ProvenPath = [];
  /** The length of the last path that was not a repaired one. */
  #length = 0;
  #graphKept = 0;
  #graphMade = 0;

  /**
   * @param problem as for {@link planMotion}; its planner is not used.
   * @throws NearfieldError for an invalid problem, and `unsupported` for several robots and for chains.
   */
  constructor(problem: PlanProblem) {
    const { clearance, timeLimit, maxMemory, seed } = problemSettings(problem);
    const begin = performance.now();
    this.#built = buildScene(problem, clearance);
    if (this.#built.timed !== null) {
      const what =
        'A VoronoiPlanner takes obstacles at rest, which moveObstacle moves; plan among motions with planMotion.';
      throw new NearfieldError('unsupported', what);
    }
    this.#search = new VoronoiSearch(this.#built.scene);
    this.#clearances = new KeptClearances(this.#built.scene, this.#search.certificates);
    this.#timeLimit = timeLimit;
    [this.#maxMemory, this.#meshes] = [maxMemory, meshBytes(problem)];
    this.#seed = seed;
    this.#preprocessMs = performance.now() - begin;
  }

  /** The graph as it is now. */
  get guide(): VoronoiGuide {
    const { stations } = this.#search.guide.graph;
    const links: number[] = [];
    for (const { slot, links: own } of stations)
      for (const { to } of own) if (slot < to.slot) links.push(slot, to.slot);
    return {
      points: Float64Array.from(stations.flatMap(({ point }) => point)),
      rooms: Float64Array.from(stations, ({ room }) => room),
      links: Uint32Array.from(links),
    };
  }

  /** Moves an obstacle, by its index in the environment; the graph follows. The next {@link plan} repairs the path. */
  moveObstacle(index: number, to: pose.ReadonlyPose): void {
    const { scene } = this.#built;
    const count = scene.obstacles.length;
    if (!Number.isInteger(index) || index < 0 || index >= count) {
      const what = `The obstacle is ${nameValue(index)}; give the index of one of the ${count} of the environment.`;
      throw new NearfieldError('bad-argument', what);
    }
    scene.moveObstacle(index, pose.parse(to, 'obstacle'));
    const { kept, made } = this.#search.obstacleMoved(index);
    this.#graphKept = kept;
    this.#graphMade += made;
  }

  /**
   * A path between two poses, by default those of the problem. What is left of the last path is used where it leads to the
   * same goal.
   */
  plan(start?: pose.ReadonlyPose, goal?: pose.ReadonlyPose): VoronoiPlanResult {
    const { scene } = this.#built;
    const deadline = new Deadline(this.#timeLimit);
    const from = start === undefined ? this.#built.start : this.#read(start, 'start');
    const to = goal === undefined ? this.#built.goal : this.#read(goal, 'goal');
    for (const name of Object.keys(scene.counters)) scene.counters[name as keyof typeof scene.counters] = 0;
    deadline.limitMemory(limitOf(scene, this.#maxMemory, this.#meshes, { vertices: 0, edges: 0 }));
    Object.assign(this.#search.certificates.counters, { tested: 0, retested: 0, kept: 0 });
    let pathKept = 0;
    const answer = (status: PlanResult['status'], found: Partial<PlanResult>): VoronoiPlanResult => {
      const { tested, retested, kept: proofsKept } = this.#search.certificates.counters;
      const repair = { graphKept: this.#graphKept, graphMade: this.#graphMade, pathKept, proofsKept, retested, tested };
      this.#graphMade = 0;
      return {
        status,
        planner: 'voronoi',
        seed: this.#seed,
        ...EMPTY_ANSWER,
        milliseconds: deadline.elapsed,
        preprocessMs: this.#preprocessMs,
        counters: { ...scene.counters },
        notes: this.#built.notes,
        repair,
        ...found,
      };
    };
    if (!scene.isFree(from)) return answer('invalid-start', explainCollision(scene, from, deadline));
    if (!scene.isFree(to)) return answer('invalid-goal', explainCollision(scene, to, deadline));
    const random = createRandom(this.#seed);
    const before = new Set(this.#path);
    let path = this.#repair(from, to, random, deadline);
    if (path === null) {
      const task = { ...this.#built, start: from, goal: to, random, deadline, timeLimit: this.#timeLimit };
      const found = searchOnce(this.#search, task);
      if (found.path === null) {
        this.#path = [];
        if (found.proof !== null) return answer('infeasible', { proof: found.proof });
        const reason = deadline.isFull ? explainMemory(this.#maxMemory, this.#meshes) : null;
        return answer(deadline.isFull ? 'memory-limit' : 'timeout', { reason });
      }
      deadline.limitMemory(null);
      path = this.#prove(shortenPath(scene, found.path, random, deadline, SHORTEN_TRIALS), []);
      this.#length = lengthOf(scene, path);
    }
    this.#path = path;
    pathKept = path.filter((edge) => before.has(edge)).length;
    const waypoints = [from, ...path.map(({ b }) => b)];
    return answer('solved', {
      ...describePath(this.#built, waypoints),
      clearance: this.#clearances.measure(path, PLANNING_DEFAULTS.clearanceError),
      certified: true,
      milliseconds: deadline.elapsed,
      counters: { ...scene.counters },
    });
  }

  #read(given: pose.ReadonlyPose, name: string): Float64Array {
    const q = new Float64Array(this.#built.scene.size);
    const [robot] = this.#built.scene.robots;
    const parsed = pose.parse(given, name);
    robot.read(parsed, q);
    assertFits(robot.body!, parsed, name);
    return q;
  }

  /** The last path with its broken part replaced; null where nothing of it is of use. */
  #repair(from: Float64Array, to: Float64Array, random: Random, deadline: Deadline): ProvenPath | null {
    const { certificates } = this.#search;
    const { scene } = this.#built;
    const edges = [...this.#path];
    if (edges.length === 0 || !isSame(edges[edges.length - 1].b, to)) return null;
    if (!isSame(edges[0].a, from)) edges[0] = certificates.make(from, edges[0].b);
    const broken = edges.map((edge) => !certificates.holds(edge));
    let first = broken.indexOf(true);
    if (first < 0) return edges;
    let last = broken.lastIndexOf(true);
    while (first > 0 && !scene.isFree(edges[first].a)) first--;
    while (last < edges.length - 1 && !scene.isFree(edges[last].b)) last++;
    const middle = this.#search.findPath(edges[first].a, edges[last].b, deadline);
    if (middle === null) return null;
    const whole = [...edges.slice(0, first), ...middle, ...edges.slice(last + 1)];
    const short = shortenPath(scene, [from, ...whole.map(({ b }) => b)], random, deadline, SHORTEN_TRIALS);
    const path = this.#prove(short, whole);
    return lengthOf(scene, path) > LONGEST_REPAIR * this.#length ? null : path;
  }

  /** The edges of a path that is proven, with the certificates that are known. */
  #prove(path: readonly Float64Array[], known: readonly Certificate[]): Certificate[] {
    const edges: Certificate[] = [];
    for (let i = 1; i < path.length; i++) {
      const [a, b] = [path[i - 1], path[i]];
      edges.push(known.find((edge) => edge.a === a && edge.b === b) ?? this.#search.certificates.make(a, b));
    }
    return edges;
  }
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  return a.every((value, i) => value === b[i]);
}

function lengthOf({ robots }: PlanScene['scene'], path: ProvenPath): number {
  return path.reduce((sum, { a, b }) => sum + robots[0].distance(a, b), 0);
}
