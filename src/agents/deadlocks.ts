// Finds agents that make no progress, and what may help: a planned path out of a local minimum, other priorities, or a plan with
// stepping back along the Voronoi graph. Where nothing helps, agents are given up as stuck, with what blocks them.

import { DisjointSets } from '../core/disjoint-sets.js';
import type { Pose } from '../core/pose.js';
import { createRandom, type Random } from '../core/random.js';
import { CollisionScene } from '../kinematics/validity/collision-scene.js';
import type { Obstacle } from '../kinematics/validity/obstacle.js';
import type { Agent } from './agent.js';
import type { AgentEvent } from './agent-options.js';
import type { AgentRoutes } from './agent-routes.js';
import type { NearPair } from './near-pairs.js';
import { Shunting } from './shunting.js';
import { type TeamTask, teamTask } from './team-route.js';
import type { WorldBody } from './world-body.js';

/** Chosen: an agent stands still if it makes no progress while it could have moved by this, in its radii. */
const STILL = 4;

/** Chosen: bodies within this share of the smaller one hold each other back. */
const TOUCHING = 0.1;

/** Chosen: the largest factor by which priorities are changed. */
const YIELDING = 8;

/** Chosen: the most plans with stepping back for one agent. */
const MAX_SHUNTINGS = 3;

/** Chosen: the most agents in one plan with stepping back. */
const MAX_AGENTS = 64;

/**
 * Chosen: up to this count, agents that block each other make a plan that leads them into bays before one of them
 * gets the right of way.
 */
export const FEW_AGENTS = 12;

/** Chosen: how often priorities are drawn anew in a crowd before a plan is made. */
const CROWD_TRIALS = 12;

/** Chosen: the count of agents nearest to their goals of which one may come first. */
const FIRST = 4;

/** Chosen: the most paths that are planned for one agent. */
const MAX_DETOURS = 2;

/**
 * Chosen: the most paths that are planned, one after the other, for agents that block each other before they are
 * given up.
 */
const MAX_LED = 6;

/**
 * Chosen: the room beyond the wanted distance that a path of a team is planned with, as shares of its smallest member: with
 * some of it first, as joined agents do not follow a path to the last digit.
 */
const TEAM_ROOM = [0.05, 0.01, 0] as const;

/** Chosen: a team passes a stop within this share of the radius of each member. */
const PASSED = 0.05;

/** Chosen: the cosine of the angle within which others are in front of an agent. */
const IN_FRONT = 0.3;

/**
 * Chosen: another agent is beyond an agent if it is nearer to the goal by this share of the distance between the two.
 */
const BEYOND = 0.1;

/** What deadlocks need to know of the world. */
export interface DeadlockWorld {
  readonly agents: readonly Agent[];
  readonly time: number;
  readonly random: Random;
  readonly distance: number;
  nearOf(agent: Agent): readonly NearPair[];
  /** Gives an agent the right of way. */
  giveWay(agent: Agent): void;
}

export class Deadlocks {
  readonly #world: DeadlockWorld;
  readonly #obstacles: readonly WorldBody[];
  readonly #routes: AgentRoutes;
  readonly #shuntings: Shunting[] = [];
  readonly #direction = new Float64Array(3);
  readonly #shunted = new Map<Agent, number>();

  /** @param obstacles at rest. */
  constructor(world: DeadlockWorld, obstacles: readonly WorldBody[], routes: AgentRoutes) {
    this.#world = world;
    this.#obstacles = obstacles;
    this.#routes = routes;
  }

  /** Bodies that an agent touches, or that push it. */
  blockersOf(agent: Agent): WorldBody[] {
    return this.#world
      .nearOf(agent)
      .filter((pair) => isHolding(pair))
      .map(({ a, b }) => (a === agent.body ? b : a));
  }

  update(events: AgentEvent[]): void {
    this.#continueShuntings(events);
    // While any of them makes progress, those that wait for it may do so later.
    const { agents } = this.#world;
    const isFlowing = agents.some((agent) => agent.status === 'moving' && !this.#isStill(agent));
    for (const group of this.#groups()) {
      if (!isFlowing || (group.length === 1 && this.#isAlone(group[0]))) this.#resolve(group, events);
    }
  }

  #continueShuntings(events: AgentEvent[]): void {
    for (const shunting of [...this.#shuntings]) {
      const state = shunting.update(this.#world.time);
      if (state === 'going') continue;
      shunting.end();
      this.#shuntings.splice(this.#shuntings.indexOf(shunting), 1);
      for (const agent of shunting.agents) {
        agent.progress.restart(this.#world.time);
        agent.progress.attempts = agent.progress.detours = 0;
        agent.yielding = 1 / agent.priority;
      }
      if (state === 'failed') this.giveUp(shunting.agents, events);
    }
  }

  /** Agents that touch each other, where none of those on their way makes progress. */
  #groups(): Agent[][] {
    const { agents } = this.#world;
    if (!agents.some((agent) => this.#isStill(agent))) return [];
    const sets = new DisjointSets(agents.length);
    for (const agent of agents) {
      for (const pair of this.#world.nearOf(agent)) {
        if (pair.agentB !== null && isHolding(pair)) sets.unite(pair.agentA.index, pair.agentB.index);
      }
      for (const other of agent.cluster) sets.unite(agent.index, other.index);
    }
    const groups = new Map<number, Agent[]>();
    for (const agent of agents) {
      const root = sets.find(agent.index);
      const group = groups.get(root);
      if (group === undefined) groups.set(root, [agent]);
      else group.push(agent);
    }
    return [...groups.values()].filter((group) => {
      const onTheWay = group.filter(({ status }) => status === 'moving');
      return onTheWay.length > 0 && onTheWay.every((agent) => this.#isStill(agent));
    });
  }

  #isStill(agent: Agent): boolean {
    if (agent.status !== 'moving' || agent.post !== null) return false;
    return this.#world.time - agent.progress.since > patienceOf(agent);
  }

  /** Whether no other agent was near while it stood still: one in a queue waits for the others, even if they are ahead just now. */
  #isAlone(agent: Agent): boolean {
    return this.#world.time - agent.progress.crowdedAt > patienceOf(agent);
  }

  #resolve(group: readonly Agent[], events: AgentEvent[]): void {
    const { time } = this.#world;
    const still = group.filter(({ status }) => status === 'moving');
    const attempts = Math.max(...still.map(({ progress }) => progress.attempts));
    for (const { progress } of still) progress.retry(attempts + 1, time);
    const names = still.map(({ name }) => name);
    const team = still[0].cluster;
    const isTeam = team.length > 1 && still.every(({ cluster }) => cluster === team);
    if (isTeam) {
      const isLed = still[0].progress.detours < MAX_DETOURS && this.#detourTeam(team);
      if (isLed) events.push({ kind: 'detour', time, agents: team.map(({ name }) => name), by: [] });
      else this.giveUp(still, events);
      return;
    }
    if (group.length === 1 && still[0].progress.detours < MAX_DETOURS && this.#detour(still[0])) {
      events.push({ kind: 'detour', time, agents: names, by: [] });
      return;
    }
    // A crowd may sort itself out: in a jam before a door one of the first has to come before the others.
    const trials = group.length > FEW_AGENTS ? CROWD_TRIALS : 0;
    if (group.length > 1 && attempts < trials) {
      for (const agent of group) agent.yielding = YIELDING ** this.#world.random.range(-1, 1) / agent.priority;
      const first = inOrder(still).slice(0, FIRST);
      this.#world.giveWay(first[this.#world.random.integer(first.length)]);
      events.push({ kind: 'yield', time, agents: names, by: [] });
      return;
    }
    if (group.length > 1 && attempts === trials && this.plan(group, events)) return;
    // One after the other is led by a planned path, first who has nobody in front: in a narrow door all wait for that one.
    if (group.length > 1 && attempts - trials < MAX_LED && !still.some((agent) => this.#isOpposed(agent))) {
      const able = inOrder(still).filter(({ progress }) => progress.detours < MAX_DETOURS);
      const led = able.find((agent) => this.#isInFront(agent)) ?? able[0];
      if (led !== undefined) {
        if (!this.#detour(led)) return;
        this.#world.giveWay(led);
        events.push({ kind: 'detour', time, agents: [led.name], by: [] });
        return;
      }
    }
    this.giveUp(still, events);
  }

  /** Whether an agent and one that holds it back have to get past each other: a planned path for one of them is no way for both. */
  #isOpposed(agent: Agent): boolean {
    return this.#world.nearOf(agent).some((pair) => {
      const { agentA, agentB } = pair;
      if (agentB === null || !isHolding(pair)) return false;
      return this.#isBeyond(agentA, agentB) && this.#isBeyond(agentB, agentA);
    });
  }

  /** Whether another agent is where an agent comes by. */
  #isBeyond({ field, body }: Agent, other: Agent): boolean {
    if (field === null) return false;
    const [own, there] = [body.center, other.body.center].map((point) => field.direction(point, this.#direction));
    const apart = Math.hypot(...[0, 1, 2].map((k) => body.center[k] - other.body.center[k]));
    return there < own - BEYOND * apart;
  }

  /** Whether no other agent holds it back where it wants to go. */
  #isInFront(agent: Agent): boolean {
    const { ways, robot, wish } = agent;
    return !this.#world.nearOf(agent).some((pair) => {
      if (pair.agentB === null || !isHolding(pair)) return false;
      const sign = pair.agentA === agent ? 1 : -1;
      let [ahead, own] = [0, 0];
      for (let k = 0; k < ways; k++) {
        ahead += sign * pair.normal[robot.axes[k]] * wish[k];
        own += wish[k] ** 2;
      }
      return ahead > IN_FRONT * Math.sqrt(own);
    });
  }

  /** Makes a plan with stepping back for a group, if there is one. */
  plan(group: readonly Agent[], events: AgentEvent[]): boolean {
    const shunting = group.length > 1 ? this.#shunt(group) : null;
    if (shunting === null) return false;
    this.#shuntings.push(shunting);
    events.push({ kind: 'shunt', time: this.#world.time, agents: group.map(({ name }) => name), by: [] });
    return true;
  }

  /** Calls agents on their way stuck. */
  giveUp(agents: readonly Agent[], events: AgentEvent[]): void {
    const stuck = agents.filter(({ status }) => status === 'moving');
    if (stuck.length === 0) return;
    const by = new Set(stuck.flatMap((agent) => this.blockersOf(agent).map(({ name }) => name)));
    for (const agent of stuck) agent.status = 'stuck';
    events.push({ kind: 'stuck', time: this.#world.time, agents: stuck.map(({ name }) => name), by: [...by] });
  }

  /** A planned path among the obstacles alone. */
  #detour(agent: Agent): boolean {
    if (agent.goal === null) return false;
    agent.progress.detours++;
    const { scene, start, goal } = this.#alone(agent);
    if (!scene.isFree(start) || !scene.isFree(goal)) return false;
    const path = this.#routes.findDetour(scene, start, goal, createRandom(this.#world.random.integer(2 ** 31)));
    if (path === null) {
      // Another search would hardly find one.
      agent.progress.detours = MAX_DETOURS;
      return false;
    }
    agent.way = { stops: path, next: 0 };
    agent.progress.follow();
    return true;
  }

  /** A planned path of joined agents, who go along it as one body. */
  #detourTeam(team: readonly Agent[]): boolean {
    for (const { progress } of team) progress.detours++;
    const task = this.#taskOf(team);
    const random = createRandom(this.#world.random.integer(2 ** 31));
    const path = task && this.#routes.findDetour(task.scene, task.start, task.goal, random);
    if (task === null || path === null) {
      // Another search would hardly find one.
      for (const { progress } of team) progress.detours = MAX_DETOURS;
      return false;
    }
    const stops = task.stopsOf(path);
    const together = { next: 0 };
    for (const [i, member] of team.entries()) {
      const passed = PASSED * member.body.shape.model.radius;
      member.way = { stops: stops[i], next: 0, passed, team: together };
      member.progress.follow();
    }
    return true;
  }

  /** A team as one body, with as much room to obstacles as it has where it is and where it goes. */
  #taskOf(team: readonly Agent[]): TeamTask | null {
    const least = Math.min(...team.map(({ body }) => body.shape.model.radius));
    for (const share of TEAM_ROOM) {
      const task = teamTask(team, this.#standing(), this.#world.distance + share * least);
      if (task !== null) return task;
    }
    return null;
  }

  #standing(): Obstacle[] {
    return this.#obstacles.map(({ name, shape, pose }) => ({ name, model: shape.model, pose: [...pose] as Pose }));
  }

  /** The agent alone among the obstacles. */
  #alone(agent: Agent): { scene: CollisionScene; start: Float64Array; goal: Float64Array } {
    const scene = new CollisionScene([agent.robot], this.#standing(), this.#world.distance);
    return { scene, start: agent.q, goal: agent.goal ?? agent.q };
  }

  /** A plan with stepping back, on places for the largest of the agents. */
  #shunt(group: readonly Agent[]): Shunting | null {
    // Agents that are joined cannot pass each other.
    if (group.some(({ cluster }) => cluster.length > 1)) return null;
    const all = this.#withQueue(group);
    if (all.length > MAX_AGENTS) return null;
    for (const agent of all) {
      const count = (this.#shunted.get(agent) ?? 0) + 1;
      if (count > MAX_SHUNTINGS) return null;
      this.#shunted.set(agent, count);
    }
    const largest = all.reduce((a, b) => (b.body.shape.model.radius > a.body.shape.model.radius ? b : a));
    const graph = this.#routes.findPlaces(this.#alone(largest).scene);
    return graph === null ? null : Shunting.plan(all, graph, this.#world.time);
  }

  /** A group with all other agents: those it comes to later would block it again. */
  #withQueue(group: readonly Agent[]): Agent[] {
    const others = this.#world.agents.filter((agent) => !group.includes(agent) && agent.post === null);
    return group.length + others.length <= MAX_AGENTS ? [...group, ...others] : [...group];
  }
}

/** After this time an agent that made no progress stands still. */
function patienceOf({ body, linear }: Agent): number {
  return (STILL * body.shape.model.radius) / linear;
}

/** Those nearest to their goals first. */
function inOrder(agents: readonly Agent[]): Agent[] {
  return [...agents].sort((a, b) => a.progress.best - b.progress.best || a.index - b.index);
}

function isHolding({ a, b, distance, wanted, force }: NearPair): boolean {
  const size = Math.min(a.shape.model.radius, b.shape.model.radius);
  return force > 0 || distance - wanted < TOUCHING * size;
}
