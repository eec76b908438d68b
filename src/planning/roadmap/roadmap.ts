// A roadmap that stays: it answers many queries, grows by each of them, is saved and loaded, and is repaired when obstacles
// move.
import { nameValue } from '../../core/check/check-options.js';
import { numberWithin, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { Deadline } from '../../core/deadline.js';
import { NearfieldError } from '../../core/errors.js';
import * as pose from '../../core/pose.js';
import type { ProgressOptions } from '../../core/progress.js';
import { createRandom, type Random } from '../../core/random.js';
import type { PlanningCounters } from '../../kinematics/validity/collision-scene.js';
import { measurePathClearance } from '../../kinematics/validity/path-clearance.js';
import type { FoundPath } from '../planners/planner.js';
import { searchPath } from '../planners/search-path.js';
import { buildScene, type PlanScene } from '../problem/build-scene.js';
import { describePath } from '../problem/describe-path.js';
import { EMPTY_ANSWER } from '../problem/empty-answer.js';
import { explainCollision } from '../problem/explain.js';
import { explainMemory, limitOf, meshBytes } from '../problem/memory.js';
import type { PlanProblem, PlanResult, RobotsConfiguration } from '../problem/plan-problem.js';
import { PLANNING_DEFAULTS, problemSettings } from '../problem/problem-settings.js';
import { shortenPath } from '../search/shorten.js';
import { makeSampler } from './make-sampler.js';
import { readConfiguration, withEnds } from './query-ends.js';
import { fillRoadmap, readRoadmapFile, writeRoadmap } from './roadmap-file.js';
import { type RoadmapRepair, SampledRoadmap } from './sampled-roadmap.js';
import type { SamplerName } from './sampler.js';

/** How far a roadmap grows: the most samples and the most seconds. */
export interface RoadmapGrowth extends ProgressOptions {
  /** Default `PLANNING_DEFAULTS.samples`. */
  readonly samples?: number | undefined;
  /** Default: no limit. */
  readonly seconds?: number | undefined;
}

/** The nodes and edges of a roadmap, for drawing. */
export interface DrawnRoadmap {
  /** Node by node the poses of all links, seven numbers each. */
  readonly poses: Float64Array;
  /** Pairs of nodes that are joined by a proven edge, or by one that a file says is. */
  readonly edges: Uint32Array;
  /** By node: the number of its component. Nodes of one component are joined. */
  readonly components: Uint32Array;
}

/** How a query is answered. */
export interface RoadmapQuery extends ProgressOptions {
  /** In seconds. Default: that of the problem. */
  readonly timeLimit?: number | undefined;
}

/** Chosen: the largest time in seconds, and the most samples, that are no typing errors. */
const MAX_AMOUNT = 1e9;

const GROWTH_OPTIONS = optionTable<RoadmapGrowth>()({
  ...PROGRESS_RULES,
  samples: numberWithin(0, MAX_AMOUNT, PLANNING_DEFAULTS.samples),
  seconds: {
    expects: `a number from 0 to ${MAX_AMOUNT}, or Infinity`,
    accepts: (value) => typeof value === 'number' && value >= 0 && (value <= MAX_AMOUNT || value === Infinity),
    fallback: Infinity,
  },
});

const QUERY_OPTIONS = optionTable<RoadmapQuery>()({ ...PROGRESS_RULES, timeLimit: numberWithin(0, MAX_AMOUNT) });

/** Chosen: another planner is asked after this count of samples of one query. */
const PATIENCE = 400;

/**
 * Free configurations joined by proven edges, for many queries among the same obstacles.
 */
export class Roadmap {
  readonly sampler: SamplerName;
  readonly #built: PlanScene;
  readonly #map: SampledRoadmap;
  readonly #seed: number;
  readonly #timeLimit: number;
  readonly #maxMemory: number;
  /** About what robots and obstacles take in memory, in bytes. */
  readonly #meshes: number;
  /** Calls that drew random numbers: each has a seed of its own, so that a loaded roadmap goes on as the saved one. */
  #draws = 0;

  /**
   * @param problem its robots need no start and no goal, but for planar ones whose bounds do not tell the height. Its `sampler`
   * is by default 'voronoi' for one rigid or planar robot, 'uniform' for others; its planner is not used.
   * @throws NearfieldError for an invalid problem.
   */
  constructor(problem: PlanProblem, growth: RoadmapGrowth = {}) {
    const { clearance, timeLimit, maxMemory, seed } = problemSettings(problem);
    const { samples, seconds } = GROWTH_OPTIONS.read(growth);
    const deadline = new Deadline(seconds, growth);
    this.#built = buildScene(withEnds(problem), clearance);
    if (this.#built.timed !== null) {
      throw new NearfieldError('unsupported', 'Roadmaps are for obstacles at rest; planMotion plans in time.');
    }
    this.#seed = seed;
    this.#timeLimit = timeLimit;
    const { scene } = this.#built;
    [this.#maxMemory, this.#meshes] = [maxMemory, meshBytes(problem)];
    this.#limitMemory(deadline);
    this.#map = new SampledRoadmap(scene, makeSampler(scene, problem.sampler));
    this.sampler = this.#map.sampler.name;
    this.#map.grow(samples, this.#random(), deadline);
  }

  /**
   * A roadmap that was saved, for the same problem. Obstacles may have moved since: then it is repaired. Its nodes and edges
   * are proven again when a path uses them.
   * @throws NearfieldError for bytes that are damaged or cut off, or of another scene.
   */
  static load(bytes: Uint8Array, problem: PlanProblem): Roadmap {
    const file = readRoadmapFile(bytes);
    const { header } = file;
    const roadmap = new Roadmap({ ...problem, sampler: header.sampler, seed: header.seed }, { samples: 0 });
    const { scene } = roadmap.#built;
    const now = scene.obstacles.map((obstacle) => [...obstacle.pose] as pose.Pose);
    for (const [i, saved] of header.poses.slice(0, now.length).entries()) scene.moveObstacle(i, saved);
    fillRoadmap(roadmap.#map, file);
    roadmap.#draws = header.draws;
    for (const [i, to] of now.entries()) {
      if (to.some((value, k) => value !== header.poses[i][k])) roadmap.moveObstacle(i, to);
    }
    return roadmap;
  }

  /** Free configurations. */
  get nodeCount(): number {
    return this.#map.freeCount;
  }

  /** Edges that are proven, and those that a file says are. */
  get edgeCount(): number {
    return this.#map.heldEdges;
  }

  /** Nodes and edges as they are now. */
  get graph(): DrawnRoadmap {
    const { nodes, free, edges } = this.#map;
    const { scene } = this.#built;
    const numbers = free.map(() => -1);
    const listed: number[] = [];
    for (const [node, isFree] of free.entries()) if (isFree) numbers[node] = listed.push(node) - 1;
    const poses = new Float64Array(7 * scene.linkCount * listed.length);
    for (const [i, node] of listed.entries()) poses.set(scene.posesAt(nodes.at(node)), 7 * scene.linkCount * i);
    const pairs: number[] = [];
    for (let edge = 0; edge < edges.count; edge++) {
      const [a, b] = [numbers[edges.from[edge]], numbers[edges.to[edge]]];
      if (a >= 0 && b >= 0 && edges.isHeld(edge)) pairs.push(a, b);
    }
    const roots = [...new Set(listed.map((node) => this.#map.component(node)))];
    const numberOf = new Map(roots.map((root, i) => [root, i]));
    const components = Uint32Array.from(listed, (node) => numberOf.get(this.#map.component(node))!);
    return { poses, edges: Uint32Array.from(pairs), components };
  }

  /** What the roadmap has cost so far. */
  get counters(): PlanningCounters {
    return { ...this.#built.scene.counters };
  }

  /** Draws more samples. */
  grow(growth: RoadmapGrowth = {}): void {
    const { samples, seconds } = GROWTH_OPTIONS.read(growth);
    const deadline = new Deadline(seconds, growth);
    this.#limitMemory(deadline);
    this.#map.grow(samples, this.#random(), deadline);
  }

  /**
   * A path between two configurations: poses, or joint values; for several robots a list with one for each. Start and goal
   * become nodes. Where they are not joined, the roadmap grows, and in the end another planner is asked, whose path is added.
   */
  query(start: RobotsConfiguration, goal: RobotsConfiguration, options: RoadmapQuery = {}): PlanResult {
    QUERY_OPTIONS.assert(options);
    const { timeLimit = this.#timeLimit } = options;
    const deadline = new Deadline(timeLimit, options);
    const { scene } = this.#built;
    const before = { ...scene.counters };
    this.#limitMemory(deadline);
    const [from, to] = [readConfiguration(this.#built, start, 'start'), readConfiguration(this.#built, goal, 'goal')];
    const answer = (status: PlanResult['status'], found: Partial<PlanResult>): PlanResult => ({
      status,
      planner: 'roadmap',
      seed: this.#seed,
      ...EMPTY_ANSWER,
      milliseconds: deadline.elapsed,
      preprocessMs: 0,
      counters: subtract(scene.counters, before),
      notes: this.#built.notes,
      ...found,
    });
    if (!scene.isFree(from)) return answer('invalid-start', explainCollision(scene, from, deadline));
    if (!scene.isFree(to)) return answer('invalid-goal', explainCollision(scene, to, deadline));
    const random = this.#random();
    const { planner, path, proof } = this.#search(from, to, random, deadline, timeLimit);
    if (proof !== null) return answer('infeasible', { planner, proof });
    if (path === null && deadline.isFull) {
      return answer('memory-limit', { planner, reason: explainMemory(this.#maxMemory, this.#meshes) });
    }
    if (path === null) return answer('timeout', { planner });
    // What follows holds no more than the path.
    deadline.limitMemory(null);
    const short = shortenPath(scene, path, random, deadline, PLANNING_DEFAULTS.shortenTrials);
    const clearance = measurePathClearance(scene, short, PLANNING_DEFAULTS.clearanceError, deadline);
    return answer('solved', { planner, ...describePath(this.#built, short), clearance, certified: true });
  }

  /**
   * Moves an obstacle, by its index in the environment. Nodes and edges that it does not reach keep their proofs; the others
   * are tested against it alone. What it blocked before is tried again.
   */
  moveObstacle(index: number, to: pose.ReadonlyPose): RoadmapRepair {
    const count = this.#built.scene.obstacles.length;
    if (!Number.isInteger(index) || index < 0 || index >= count) {
      const what = `The obstacle is ${nameValue(index)}; give the index of one of the ${count} of the environment.`;
      throw new NearfieldError('bad-argument', what);
    }
    return this.#map.repair(index, pose.parse(to, 'obstacle'), this.#random());
  }

  /** The roadmap as bytes, for {@link load}: a few hundred for each node. */
  save(): Uint8Array {
    return writeRoadmap(this.#map, { sampler: this.sampler, seed: this.#seed, draws: this.#draws });
  }

  #search(from: Float64Array, to: Float64Array, random: Random, deadline: Deadline, timeLimit: number): FoundPath {
    const { scene } = this.#built;
    const found = (path: Float64Array[] | null): FoundPath => ({ planner: 'roadmap', path, proof: null });
    if (scene.proves(from, to)) return found([from, to]);
    const map = this.#map;
    const [a, b] = [map.insert(from), map.insert(to)];
    for (let isAsked = false; ; ) {
      if (map.join(a, b, random, deadline, isAsked ? Infinity : PATIENCE)) {
        const path = map.path(a, b);
        // An edge that a file claimed may not hold: then the search goes on.
        if (path !== null) return found(path);
      } else if (deadline.isOver('Sampling')) return found(null);
      else {
        isAsked = true;
        const task = { ...this.#built, start: from, goal: to, random, deadline, timeLimit };
        const other = searchPath('auto', task);
        if (other.path !== null) map.addPath(other.path);
        if (other.path !== null || other.proof !== null) return other;
      }
    }
  }

  /** All nodes count, those of trees that helped out too. */
  #limitMemory(deadline: Deadline): void {
    const { scene } = this.#built;
    deadline.limitMemory(limitOf(scene, this.#maxMemory, this.#meshes, { vertices: 0, edges: 0 }));
  }

  #random(): Random {
    return createRandom((this.#seed + 0x9e3779b9 * this.#draws++) >>> 0);
  }
}

function subtract(a: PlanningCounters, b: PlanningCounters): PlanningCounters {
  const difference = { ...a };
  for (const key of Object.keys(difference) as (keyof PlanningCounters)[]) difference[key] -= b[key];
  return difference;
}
