// Agents that block each other pass by a plan on places: first each goes to a place near it, then they move as planned, then
// each is led on by its potential. A move waits for those before it that come near it.
import type { Vec3 } from '../core/vec3.js';
import * as vec3 from '../core/vec3.js';
import type { Agent } from './agent.js';
import type { ParkingGraph } from './agent-routes.js';
import { pushAndSwap, type TokenMove } from './push-and-swap.js';
import { writePoint } from './world-body.js';

/** Chosen: an agent is at a place within this share of its size. */
const AT_PLACE = 0.05;

/** Chosen: a plan is given up if it makes no progress for this multiple of the time between two places. */
const PATIENCE = 8;

/** A move of an agent, and the moves that it waits for. */
interface PlannedMove {
  readonly agent: Agent;
  readonly way: readonly Vec3[];
  readonly after: readonly number[];
  isDone: boolean;
}

export class Shunting {
  readonly agents: readonly Agent[];
  readonly #moves: readonly PlannedMove[];
  /** By agent: its next move, and how far it is on its way. */
  readonly #queues: Map<Agent, number[]>;
  readonly #steps = new Map<Agent, number>();
  readonly #startPoints: ReadonlyMap<Agent, Vec3>;
  readonly #spacing: number;
  #isGathered = false;
  #last: number;

  private constructor(
    agents: readonly Agent[],
    moves: readonly PlannedMove[],
    startPoints: ReadonlyMap<Agent, Vec3>,
    spacing: number,
    now: number,
  ) {
    this.agents = agents;
    this.#moves = moves;
    this.#startPoints = startPoints;
    this.#spacing = spacing;
    this.#last = now;
    this.#queues = new Map(agents.map((agent) => [agent, []]));
    for (const [i, { agent }] of moves.entries()) this.#queues.get(agent)!.push(i);
    for (const agent of agents) agent.post = postAt(agent, startPoints.get(agent)!);
  }

  /** A plan for agents to get to their goals, or null. */
  static plan(agents: readonly Agent[], graph: ParkingGraph, now: number): Shunting | null {
    const { points, neighbors, spacing } = graph;
    if (points.length < agents.length + 1) return null;
    const parts = partsOf(neighbors);
    const middles = agents.map(({ body }): Vec3 => [body.center[0], body.center[1], body.center[2]]);
    const starts = match(middles, points, parts);
    const goals = match(agents.map(middleAtGoal), points, parts);
    if (starts === null || goals === null) return null;
    const moves = pushAndSwap(neighbors, starts, goals);
    if (moves === null || moves.length === 0) return null;
    const startPoints = new Map(agents.map((agent, i) => [agent, points[starts[i]]]));
    return new Shunting(agents, schedule(moves, agents, graph), startPoints, spacing, now);
  }

  /** Sets where the agents go next. Returns whether the plan goes on, is done, or has failed. */
  update(now: number): 'going' | 'done' | 'failed' {
    if (!this.#isGathered) {
      if (this.agents.every((agent) => isAt(agent, this.#startPoints.get(agent)!))) {
        this.#isGathered = true;
        this.#last = now;
      } else return this.#isLate(now) ? 'failed' : 'going';
    }
    let isDone = true;
    for (const agent of this.agents) {
      const queue = this.#queues.get(agent)!;
      if (queue.length === 0) continue;
      isDone = false;
      const move = this.#moves[queue[0]];
      if (!move.after.every((i) => this.#moves[i].isDone)) continue;
      let step = this.#steps.get(agent) ?? 1;
      while (step < move.way.length - 1 && isAt(agent, move.way[step])) {
        step++;
        this.#last = now;
      }
      this.#steps.set(agent, step);
      agent.post = postAt(agent, move.way[step]);
      if (step < move.way.length - 1 || !isAt(agent, move.way[step])) continue;
      move.isDone = true;
      queue.shift();
      this.#steps.delete(agent);
      this.#last = now;
    }
    if (isDone) return 'done';
    return this.#isLate(now) ? 'failed' : 'going';
  }

  /** Gives the agents back to their potentials. */
  end(): void {
    for (const agent of this.agents) agent.post = null;
  }

  #isLate(now: number): boolean {
    const slowest = Math.min(...this.agents.map(({ linear }) => linear));
    return now - this.#last > (PATIENCE * this.#spacing) / slowest;
  }
}

/** The moves with what each waits for: moves before it whose way comes near its own. */
function schedule(
  moves: readonly TokenMove[],
  agents: readonly Agent[],
  { points, ways, spacing }: ParkingGraph,
): PlannedMove[] {
  const planned: PlannedMove[] = [];
  for (const { token, from, to } of moves) {
    const way = ways.get(from * points.length + to)!;
    const after: number[] = [];
    for (let i = planned.length - 1; i >= 0; i--) {
      const other = planned[i];
      if (other.agent === agents[token] || areNear(way, other.way, spacing)) after.push(i);
    }
    planned.push({ agent: agents[token], way, after, isDone: false });
  }
  return planned;
}

function areNear(a: readonly Vec3[], b: readonly Vec3[], spacing: number): boolean {
  return a.some((p) => b.some((q) => vec3.distance(p, q) < 0.99 * spacing));
}

/** The configuration of an agent, turned as it is, with its middle at a point. */
function postAt({ robot, q, body, ways }: Agent, point: Vec3): Float64Array {
  const post = q.slice();
  for (let k = 0; k < ways; k++) post[robot.offset + k] += point[robot.axes[k]] - body.center[robot.axes[k]];
  return post;
}

function isAt({ robot, body, ways }: Agent, point: Vec3): boolean {
  let squared = 0;
  for (let k = 0; k < ways; k++) squared += (point[robot.axes[k]] - body.center[robot.axes[k]]) ** 2;
  return Math.sqrt(squared) < AT_PLACE * body.shape.model.radius;
}

function middleAtGoal({ goal, q, body, robot }: Agent): Vec3 {
  const pose = new Float64Array(7);
  robot.place(goal ?? q, pose);
  const { model } = body.shape;
  const middle = new Float64Array(3);
  writePoint(pose, model.center, middle);
  return [middle[0], middle[1], middle[2]];
}

/** A place for each point, none twice, with a small sum of squared distances: on a line the order stays. */
function match(wanted: readonly Vec3[], places: readonly Vec3[], parts: Int32Array): number[] | null {
  const taken = new Set<number>();
  const squared = (i: number, place: number): number => vec3.distanceSquared(wanted[i], places[place]);
  // Only places that are connected with the nearest one.
  const own = wanted.map((_, i) => {
    let nearest = 0;
    for (let place = 1; place < places.length; place++) if (squared(i, place) < squared(i, nearest)) nearest = place;
    return parts[nearest];
  });
  const cost = (i: number, place: number): number => (parts[place] === own[i] ? squared(i, place) : Infinity);
  const chosen = wanted.map((_, i) => {
    let [best, least] = [-1, Infinity];
    for (let place = 0; place < places.length; place++) {
      if (!taken.has(place) && cost(i, place) < least) [best, least] = [place, cost(i, place)];
    }
    taken.add(best);
    return best;
  });
  if (chosen.includes(-1)) return null;
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (let i = 0; i < chosen.length; i++) {
      for (let place = 0; place < places.length; place++) {
        const k = chosen.indexOf(place);
        if (k === i) continue;
        const before = cost(i, chosen[i]) + (k < 0 ? 0 : cost(k, place));
        const after = cost(i, place) + (k < 0 ? 0 : cost(k, chosen[i]));
        if (!(after < before * (1 - 1e-9))) continue;
        if (k >= 0) chosen[k] = chosen[i];
        chosen[i] = place;
        hasChanged = true;
      }
    }
  }
  return chosen;
}

/** By node: the number of its connected part. */
function partsOf(neighbors: readonly (readonly number[])[]): Int32Array {
  const parts = new Int32Array(neighbors.length).fill(-1);
  for (let start = 0; start < neighbors.length; start++) {
    if (parts[start] >= 0) continue;
    const queue = [start];
    parts[start] = start;
    for (const node of queue) {
      for (const next of neighbors[node]) {
        if (parts[next] >= 0) continue;
        parts[next] = start;
        queue.push(next);
      }
    }
  }
  return parts;
}
