// Who gives way to whom in a crowd, after priority inheritance with backtracking (Okumura et al. 2019): an agent that waits
// long gets the right of way until it arrives, those in its way step aside and pass its priority on to whom they push, and
// who has arrived comes back afterwards. It decides on wishes and weights only; motions are proven as all others.
import * as vec3 from '../core/vec3.js';
import type { Agent } from './agent.js';
import type { NearPair } from './near-pairs.js';
import type { Potentials } from './potentials.js';

/** Chosen: an agent claims the right of way if it makes no progress while it could have moved by this, in its radii. */
const CLAIM = 2;

/** Chosen: an agent makes progress if it comes nearer by this meanwhile, in its radii. */
const PACE = 0.5;

/**
 * Chosen: an agent loses the right of way if it makes no progress with it while it could have moved by this, in its
 * radii.
 */
const LOST = 6;

/** Chosen: an agent gets no right of way after it lost it this often. */
const MAX_LOST = 6;

/** Chosen: the least distance between agents with the right of way, in their radii. */
const APART = 5;

/** Chosen: the way is kept free this far ahead, in radii. */
const AHEAD = 3;

/** Chosen: agents in the way step aside until they are this multiple of both radii from it. */
const ASIDE = 1.1;

/** Chosen: the cosine of the angle within which others are in front of an agent. */
const IN_FRONT = 0.3;

/** Chosen: how far an agent with the right of way gives way, where others give way by 1. */
const LEADS = 0.05;

/** Chosen: how far an agent with the right of way on a planned path gives way. */
const LED = 0.002;

/** Chosen: how far an agent gives way to others while it steps aside. */
const MAKES_WAY = 0.3;

/** Chosen: how far an agent that has arrived gives way. */
const SETTLED = 4;

/** What the right of way needs to know of the world. */
export interface CrowdWorld {
  readonly agents: readonly Agent[];
  readonly time: number;
  nearOf(agent: Agent): readonly NearPair[];
}

/** What an agent has to do with the right of way. */
interface Claim {
  /** Whether it has the right of way, and whether it steps aside in this step for an agent that has. */
  leads: boolean;
  isAside: boolean;
  /** How many times it had it in vain. */
  lost: number;
  /** The least way to go, and the time when it was reached. An agent that waits long for a change asks for the right of way. */
  paceLeft: number;
  paceTime: number;
}

export class RightOfWay {
  readonly #potentials: Potentials;
  readonly #leaders: Agent[] = [];
  /** By index of the agent. */
  readonly #claims: Claim[] = [];
  readonly #direction = new Float64Array(3);
  /** Points of a leader's way, three numbers each, and how many. */
  readonly #way = new Float64Array(3 * 32);
  #count = 0;

  constructor(potentials: Potentials) {
    this.#potentials = potentials;
  }

  /** Watches the progress of an agent that has so far to go. */
  watch(agent: Agent, left: number, now: number): void {
    const { radius } = agent.body.shape.model;
    const claim = this.#claimOf(agent);
    if (left < claim.paceLeft - PACE * radius || agent.status === 'arrived') {
      claim.paceLeft = left;
      claim.paceTime = now;
    } else if (left > claim.paceLeft + PACE * radius) claim.paceLeft = left;
  }

  /** Whether an agent stepped aside in the last step for one that has the right of way. */
  isAside(agent: Agent): boolean {
    return this.#claimOf(agent).isAside;
  }

  /** Forgets how often an agent had the right of way in vain: it has another goal. */
  forget(agent: Agent): void {
    this.#claimOf(agent).lost = 0;
  }

  /**
   * To be called after agents have said what they want: changes wishes, and writes how far they give way.
   * @param isOpen whether the right of way is given where agents on their way block each other too, or only past those that have arrived.
   */
  update(world: CrowdWorld, time: number, isOpen: boolean): void {
    const { agents, time: now } = world;
    for (const agent of agents) {
      this.#claimOf(agent).isAside = false;
      agent.mobility = agent.yielding * (agent.post !== null ? LEADS : agent.isSettled ? SETTLED : 1);
    }
    this.#endClaims(now);
    this.#takeClaims(world, isOpen);
    for (const leader of this.#leaders) {
      leader.mobility = (leader.exact === null ? LEADS : LED) * leader.yielding;
      leader.eagerness = 1;
      this.#trace(leader);
      for (const agent of agents) this.#makeWay(agent, leader, time);
    }
  }

  #endClaims(now: number): void {
    for (let i = this.#leaders.length - 1; i >= 0; i--) {
      const leader = this.#leaders[i];
      const claim = this.#claimOf(leader);
      const isLost = now - claim.paceTime > patience(leader, LOST);
      if (leader.status === 'moving' && leader.post === null && !isLost) continue;
      this.#leaders.splice(i, 1);
      claim.leads = false;
      if (!isLost) continue;
      claim.lost++;
      claim.paceTime = now;
    }
  }

  /** Who has waited longest comes first, if no other one with the right of way is near. */
  #takeClaims(world: CrowdWorld, isOpen: boolean): void {
    const { agents, time: now } = world;
    const waiting = agents.filter((agent) => {
      const { status, post, field, cluster } = agent;
      const { leads, lost, paceTime } = this.#claimOf(agent);
      if (status !== 'moving' || leads || post !== null || field === null || cluster.length !== 1) return false;
      if (lost >= MAX_LOST || now - paceTime <= patience(agent, CLAIM)) return false;
      return isOpposed(agent, world.nearOf(agent), isOpen);
    });
    waiting.sort((a, b) => {
      const [own, other] = [this.#claimOf(a), this.#claimOf(b)];
      return own.lost - other.lost || own.paceTime - other.paceTime || a.index - b.index;
    });
    for (const agent of waiting) {
      const reach = APART * this.#radius(agent);
      if (this.#leaders.some((other) => distanceOf(agent, other) < reach)) continue;
      this.give(agent, now);
    }
  }

  /** Gives an agent the right of way, until it arrives or makes no progress with it. */
  give(agent: Agent, now: number): void {
    const claim = this.#claimOf(agent);
    if (!claim.leads) this.#leaders.push(agent);
    claim.leads = true;
    claim.paceTime = now;
    claim.paceLeft = Infinity;
    agent.isSettled = false;
  }

  #claimOf({ index }: Agent): Claim {
    this.#claims[index] ??= { leads: false, isAside: false, lost: 0, paceLeft: Infinity, paceTime: 0 };
    return this.#claims[index];
  }

  /** Writes the next part of the way of a leader. */
  #trace(leader: Agent): void {
    const { body, field, robot, ways } = leader;
    const radius = this.#radius(leader);
    const direction = this.#direction;
    const step = radius / 2;
    const most = Math.min(2 * AHEAD, this.#way.length / 3 - 1);
    const at = this.#way.subarray(0, 3);
    at.set(body.center);
    this.#count = 1;
    for (let i = 1; i <= most; i++) {
      const from = this.#way.subarray(3 * i - 3, 3 * i);
      const to = this.#way.subarray(3 * i, 3 * i + 3);
      if (field === null || field.direction(from, direction) <= step) return;
      to.set(from);
      for (let k = 0; k < ways; k++) to[robot.axes[k]] += step * direction[k];
      this.#count++;
    }
  }

  /** Lets an agent near the way of a leader step aside. */
  #makeWay(agent: Agent, leader: Agent, time: number): void {
    const claim = this.#claimOf(agent);
    if (agent === leader || claim.leads || agent.post !== null || agent.cluster.length > 1) return;
    const near = ASIDE * (this.#radius(agent) + this.#radius(leader));
    const { center } = agent.body;
    if (distanceOf(agent, leader) > near + AHEAD * this.#radius(leader)) return;
    let [at, least] = [0, Infinity];
    for (let i = 0; i < this.#count; i++) {
      const apart = Math.hypot(
        center[0] - this.#way[3 * i],
        center[1] - this.#way[3 * i + 1],
        center[2] - this.#way[3 * i + 2],
      );
      if (apart < least) [at, least] = [i, apart];
    }
    // Who is beside or behind the leader does not step aside any more.
    if (least > near || this.#count < 2 || at === 0) return;
    const { robot, ways, wish } = agent;
    const before = 3 * (at - 1);
    const along = this.#direction;
    for (let k = 0; k < 3; k++) along[k] = this.#way[before + 3 + k] - this.#way[before + k];
    const length = Math.hypot(along[0], along[1], along[2]);
    const aside: vec3.Vec3 = [0, 0, 0];
    let dot = 0;
    for (let k = 0; k < 3; k++) dot += ((center[k] - this.#way[before + k]) * along[k]) / length;
    for (let k = 0; k < ways; k++) {
      const axis = robot.axes[k];
      aside[axis] = center[axis] - this.#way[before + axis] - (dot * along[axis]) / length;
    }
    let size = vec3.length(aside);
    if (size < 1e-3 * near) {
      // In the middle of the way: always to the same side.
      const [u, v] = [robot.axes[0], robot.axes[1]];
      aside[u] = -along[v];
      aside[v] = along[u];
      size = length;
    }
    claim.isAside = true;
    agent.eagerness = 1;
    agent.mobility = MAKES_WAY * agent.yielding;
    agent.exact = null;
    wish.fill(0);
    for (let k = 0; k < ways; k++) wish[k] = (aside[robot.axes[k]] / size) * agent.linear * time;
  }

  #radius(agent: Agent): number {
    return this.#potentials.kindOf(agent).guided.radius;
  }
}

/** Whether one in front of an agent stands there or goes against it: in a queue nobody needs the right of way. */
function isOpposed(agent: Agent, near: readonly NearPair[], isOpen: boolean): boolean {
  for (const { agentA, agentB, normal } of near) {
    const other = agentA === agent ? agentB : agentA;
    if (other === null) continue;
    const sign = agentA === agent ? 1 : -1;
    let [ahead, together, own] = [0, 0, 0];
    for (let k = 0; k < agent.ways; k++) {
      ahead += sign * normal[agent.robot.axes[k]] * agent.wish[k];
      together += agent.wish[k] * other.wish[k];
      own += agent.wish[k] ** 2;
    }
    if (ahead < IN_FRONT * Math.sqrt(own)) continue;
    // Who has arrived before comes after those that have not.
    if (other.isSettled || (isOpen && !agent.isSettled && together <= 0)) return true;
  }
  return false;
}

function patience(agent: Agent, radii: number): number {
  return (radii * agent.body.shape.model.radius) / agent.linear;
}

function distanceOf(a: Agent, b: Agent): number {
  const [p, q] = [a.body.center, b.body.center];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}
