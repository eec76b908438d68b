// What agents want to do in a step: go down the potential of their goal, follow a way, keep their place in a plan, or stay
// near a leader.
import * as vec3 from '../core/vec3.js';
import { type Agent, FREEDOMS } from './agent.js';
import type { Potentials } from './potentials.js';

/** Chosen: an agent goes straight to a goal within this count of nodes. */
const STRAIGHT = 2;

/** Chosen: within this distance of its goal, in its radii, an agent turns as it wants to arrive. */
const TURN_AT_GOAL = 3;

/** Chosen: the share of its turning speed with which a long agent turns along its way. */
const TURNING = 0.7;

/** An agent that follows another one. */
export interface Following {
  readonly agent: Agent;
  readonly leader: Agent;
  readonly distance: number;
}

export class Steering {
  readonly #potentials: Potentials;
  readonly #direction = new Float64Array(3);
  readonly #target = new Float64Array(16);

  constructor(potentials: Potentials) {
    this.#potentials = potentials;
  }

  /** Writes the wish of an agent. Returns how far it has to go, in meters; Infinity where no way is known. */
  steer(agent: Agent, time: number): number {
    agent.wish.fill(0);
    agent.exact = null;
    if (agent.post !== null) return agent.wishFor(agent.post, time);
    if (agent.way !== null) return this.#followWay(agent, time);
    const { goal, field, body } = agent;
    if (goal === null || field === null) return 0;
    const straight = agent.wishFor(goal, time);
    // At its place an agent still has to turn.
    if (straight <= agent.tolerance) return straight + agent.robot.measure(agent.q, goal).turning * agent.lever;
    const left = field.direction(body.center, this.#direction);
    const near = STRAIGHT * field.grid.frame.spacing;
    if (straight <= near || left === Infinity) return left === Infinity && straight > near ? Infinity : straight;
    const turn = agent.wish.slice(agent.ways, FREEDOMS);
    agent.wishAlong(this.#direction, agent.linear, time);
    const { guided, isLong } = this.#potentials.kindOf(agent);
    if (straight < TURN_AT_GOAL * guided.radius) agent.wish.set(turn, agent.ways);
    else if (isLong) this.#turnAlong(agent, time);
    return left;
  }

  /** Adds the wish to stay near a leader. */
  follow({ agent, leader, distance }: Following, time: number): void {
    const { body, robot, ways } = agent;
    const direction = this.#direction.fill(0);
    let squared = 0;
    for (let k = 0; k < ways; k++) {
      direction[k] = leader.body.center[robot.axes[k]] - body.center[robot.axes[k]];
      squared += direction[k] ** 2;
    }
    const apart = Math.sqrt(squared);
    if (!(apart > distance)) return;
    for (let k = 0; k < ways; k++) direction[k] /= apart;
    agent.wishAlong(direction, (apart - distance) / time, time);
  }

  /** Goes to the next stop; returns what is left of the way. */
  #followWay(agent: Agent, time: number): number {
    const { way, robot, q } = agent;
    if (way === null) return 0;
    const passed = way.passed ?? agent.tolerance;
    const last = way.stops.length - 1;
    if (way.team !== undefined) way.next = way.team.next;
    else while (way.next < last && robot.distance(q, way.stops[way.next]) < passed) way.next++;
    const stop = way.stops[way.next];
    agent.wishExactly(stop, time);
    let left = robot.distance(q, stop);
    if (way.next === last && left < passed && way.team === undefined) agent.way = null;
    for (let i = way.next + 1; i <= last; i++) left += robot.distance(way.stops[i - 1], way.stops[i]);
    return left;
  }

  /** Turns the long axis along the way, whichever way round is nearer. */
  #turnAlong(agent: Agent, time: number): void {
    const { guided } = this.#potentials.kindOf(agent);
    const { robot, q, ways } = agent;
    const along: [number, number, number] = [0, 0, 0];
    for (let k = 0; k < ways; k++) along[robot.axes[k]] = this.#direction[k];
    const now = guided.orientationOf(q);
    let best: Float64Array | null = null;
    let least = Infinity;
    for (const orientation of guided.alignments(along, vec3.perpendicular(along))) {
      const angle = guided.angle(now, orientation);
      if (angle < least) [best, least] = [orientation, angle];
    }
    if (best === null) return;
    const target = this.#target.subarray(0, q.length);
    target.set(q);
    target.set(best, robot.offset + ways);
    const part = new Float64Array(FREEDOMS);
    robot.wayTo(q, target, part);
    const length = Math.hypot(...part.subarray(ways, robot.freedoms));
    const most = TURNING * agent.angular * time * agent.lever;
    const scale = length > most ? most / length : 1;
    for (let k = ways; k < robot.freedoms; k++) agent.wish[k] = part[k] * scale;
  }
}
