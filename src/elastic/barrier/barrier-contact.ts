// Contact of a world that never overlaps: the barrier, the state that is proven, and how held nodes and obstacles that are
// moved come to their places. Elastic nodes go straight from one proven state to the next, and so do corners of obstacles.
import { NearfieldError } from '../../core/errors.js';
import { writePlacement } from '../../core/placement.js';
import type { Pose, ReadonlyPose } from '../../core/pose.js';
import type { ContactBody } from '../contact/contact-body.js';
import type { RigidObstacle } from '../contact/rigid-obstacle.js';
import { BarrierSearch } from './barrier-search.js';
import { BarrierSurface } from './barrier-surface.js';
import { BarrierTerm } from './barrier-term.js';
import { findStartOverlap } from './start-check.js';

/**
 * Chosen: the barrier of a body against itself begins at this share of its least distance at rest, so that rest has no
 * force.
 */
const REST_SHARE = 0.5;

/**
 * Chosen: it does not begin nearer than this share of the reach, which a body that nearly touches itself at rest would
 * ask for.
 */
const MIN_REACH = 1e-3;

/** Chosen: rounds in which what is held or moved comes nearer to its place; it bounds the cost of a step. */
const MAX_ROUNDS = 64;

/** Chosen: a round must go more than this share of the whole way, or it counts as no progress. */
const MIN_PROGRESS = 1e-3;

/** Chosen: tries of a round, each with a shorter way than the one before. */
const MAX_TRIES = 4;

/** Chosen: rounds in a row without progress after which the way counts as blocked. */
const MAX_BLOCKED = 3;

/** How free nodes give way to what is held or moved. */
export interface Yielding {
  /** Where they go, to first order, while points move: three numbers each, 0 for those that are free. */
  respond(moves: Float64Array): Float64Array;
  /** Lowers the potential with everything else at rest. */
  relax(): void;
}

export class BarrierContact {
  readonly term: BarrierTerm;
  readonly #surface: BarrierSurface;
  readonly #obstacles: readonly RigidObstacle[];
  readonly #names: readonly string[];
  /** Where obstacles are proven to be. */
  readonly #poses: Pose[];
  #proven: Float64Array | null = null;
  /** Whether what is held or moved has not come to its place. */
  isBehind = false;
  readonly #moves: Float64Array;
  readonly #there: Float64Array;
  readonly #frame = new Float64Array(12);

  /**
   * @param reachOf where the barrier of a body begins, in meters.
   * @param names of the elastic bodies, then of the obstacles, for messages.
   * @param poses where the obstacles are.
   */
  constructor(
    bodies: readonly ContactBody[],
    obstacles: readonly RigidObstacle[],
    nodeCount: number,
    reachOf: (body: ContactBody) => number,
    names: readonly string[],
    poses: readonly Pose[],
  ) {
    this.#surface = new BarrierSurface(bodies, obstacles, nodeCount, reachOf);
    this.#obstacles = obstacles;
    this.#names = names;
    this.#poses = poses.map((pose) => [...pose]);
    const search = new BarrierSearch(this.#surface);
    bodies.forEach((body, i) => {
      if (body.constants.selfCollision) search.setSelfReach(i, selfReach(body, reachOf(body)));
    });
    this.term = new BarrierTerm(search, obstacles);
    this.#moves = new Float64Array(this.term.points.length);
    this.#there = new Float64Array(this.term.points.length);
  }

  /** Where an obstacle is proven to be: behind its path where the way was blocked. */
  poseOf(obstacle: number): Pose {
    return this.#poses[obstacle];
  }

  /** Notes what is proven now. @returns what goes back to it. */
  keep(): () => void {
    const [poses, proven, isBehind] = [this.#poses.map((pose): Pose => [...pose]), this.#proven, this.isBehind];
    return () => {
      this.#poses.splice(0, poses.length, ...poses);
      this.#proven = proven;
      this.isBehind = isBehind;
      this.#placeObstacles();
    };
  }

  /** Whether x is the state that was proven last. */
  isProven(x: Float64Array): boolean {
    const proven = this.#proven;
    if (proven === null) return false;
    for (let i = 0; i < proven.length; i++) if (proven[i] !== x[i]) return false;
    return true;
  }

  /** @throws NearfieldError `self-intersecting` where bodies overlap or touch at x. */
  assertApart(x: Float64Array): void {
    if (this.isProven(x)) return;
    this.#placeObstacles();
    const { points, search } = this.term;
    points.set(x.subarray(0, 3 * this.#surface.nodeCount));
    const overlap = findStartOverlap(search, points);
    if (overlap !== null) {
      const [a, b] = overlap.groups;
      const verb = { cross: 'overlaps', inside: 'has inside it', touch: 'touches' }[overlap.kind];
      const other = a === b ? 'itself' : this.#names[b];
      throw new NearfieldError(
        'self-intersecting',
        `${this.#names[a]} ${verb} ${other} at the start, where contact 'barrier' needs a gap: move them apart, or use contact 'field', which recovers from overlaps.`,
      );
    }
    this.note(x);
  }

  /** Takes x as proven, after a minimization that began in a proven state. */
  note(x: Float64Array): void {
    this.#proven = x.slice(0, 3 * this.#surface.nodeCount);
  }

  /**
   * Brings held nodes and obstacles to their places, as far as the way is free.
   * @param x the proven state, which moves.
   * @param guess where all nodes are expected to go, and where held ones are to go.
   * @param held 1 for held nodes.
   * @param poses where the obstacles are to go.
   * @returns the share of the way that was gone.
   */
  approach(
    x: Float64Array,
    guess: Float64Array,
    held: Uint8Array,
    poses: readonly ReadonlyPose[],
    yielding: Yielding,
  ): number {
    const size = 3 * this.#surface.nodeCount;
    this.isBehind = false;
    const starts = this.#poses.map((pose): Pose => [...pose]);
    this.#placeObstacles();
    // Mostly all can go where they are expected.
    this.#writeMoves(x, guess, null, starts, poses, 1);
    if (this.term.limitMoves(this.#moves) === 1) {
      x.set(guess.subarray(0, size));
      this.#take(starts, poses, 1);
      return 1;
    }
    const from = x.slice(0, size);
    const there = guess.slice(0, size);
    const way = new Float64Array(size);
    let reached = 0;
    for (let round = 0, blocked = 0; round < MAX_ROUNDS && blocked < MAX_BLOCKED; round++) {
      if (!this.#writeMoves(x, guess, held, starts, poses, 1)) break;
      // Free nodes follow to first order, or else stay, and give way after that.
      way.set(yielding.respond(this.#moves).subarray(0, size));
      const before = reached;
      for (const follow of [way, null]) {
        for (let i = 0, wanted = 1; i < MAX_TRIES && wanted - before > MIN_PROGRESS && reached === before; i++) {
          const part = (wanted - before) / (1 - before);
          for (let k = 0; k < size; k++) {
            const isHeld = held[Math.floor(k / 3)] === 1;
            there[k] = isHeld
              ? from[k] + wanted * (guess[k] - from[k])
              : x[k] + (follow === null ? 0 : part * follow[k]);
            if (isHeld && wanted === 1) there[k] = guess[k];
          }
          this.#writeMoves(x, there, null, starts, poses, wanted);
          const share = this.term.limitMoves(this.#moves);
          if (share < 1) wanted = before + 0.9 * share * (wanted - before);
          else reached = wanted;
        }
        if (reached > before) break;
      }
      if (reached > before) {
        x.set(there);
        this.#take(starts, poses, reached);
        if (reached === 1) return 1;
      }
      blocked = reached > before ? 0 : blocked + 1;
      yielding.relax();
    }
    const isDriven = this.#writeMoves(x, guess, held, starts, poses, 1);
    if (!isDriven) this.#take(starts, poses, 1);
    this.#placeObstacles();
    this.isBehind = isDriven;
    return isDriven ? reached : 1;
  }

  /** Writes how all points move; nodes that are not held stay where `held` is given. Returns whether any move. */
  #writeMoves(
    x: Float64Array,
    to: Float64Array,
    held: Uint8Array | null,
    starts: readonly Pose[],
    ends: readonly ReadonlyPose[],
    share: number,
  ): boolean {
    const [moves, there] = [this.#moves, this.#there];
    const { points } = this.term;
    const size = 3 * this.#surface.nodeCount;
    let moving = false;
    for (let i = 0; i < size; i++) {
      points[i] = x[i];
      moves[i] = held === null || held[Math.floor(i / 3)] === 1 ? to[i] - x[i] : 0;
      if (moves[i] !== 0) moving = true;
    }
    for (const group of this.#surface.groups) {
      if (group.rigid < 0) continue;
      const obstacle = this.#obstacles[group.rigid];
      writePlacement(between(starts[group.rigid], ends[group.rigid], share), this.#frame);
      this.#surface.writeObstacle(obstacle, group, this.#frame, there);
      const end = 3 * (group.firstPoint + group.pointCount);
      for (let i = 3 * group.firstPoint; i < end; i++) {
        moves[i] = there[i] - points[i];
        if (moves[i] !== 0) moving = true;
      }
    }
    return moving;
  }

  #take(starts: readonly Pose[], ends: readonly ReadonlyPose[], share: number): void {
    starts.forEach((start, i) => {
      this.#poses[i] = between(start, ends[i], share);
    });
    this.#placeObstacles();
  }

  #placeObstacles(): void {
    this.#obstacles.forEach((obstacle, i) => {
      writePlacement(this.#poses[i], obstacle.frame);
    });
    this.term.placeObstacles();
  }
}

/**
 * Between two poses: straight, turned evenly to first order. Corners that go straight meanwhile stay a body turned by
 * less than a half turn.
 */
function between(a: Pose, b: ReadonlyPose, share: number): Pose {
  if (share === 1) return Array.from(b) as Pose;
  const side = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6] < 0 ? -1 : 1;
  const out = a.map((value, i) => value + share * ((i < 3 ? 1 : side) * b[i] - value)) as Pose;
  const length = Math.hypot(out[3], out[4], out[5], out[6]);
  for (let i = 3; i < 7; i++) out[i] /= length;
  return out;
}

/** Where the barrier of a body against itself begins: at rest nothing is within it. */
function selfReach(body: ContactBody, reach: number): number {
  const alone = new BarrierSearch(
    new BarrierSurface([body], [], body.firstNode + body.mesh.positions.length / 3, () => reach),
  );
  const points = new Float64Array(3 * alone.surface.pointCount);
  points.set(body.mesh.positions, 3 * body.firstNode);
  alone.find(points, null);
  return Math.min(reach, Math.max(REST_SHARE * alone.nearest, MIN_REACH * reach));
}
