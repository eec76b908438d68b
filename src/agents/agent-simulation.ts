// A world of agents in steps. In each step agents say what they want; the motions nearest to that are found under linear
// conditions from exact nearest points; motions are slowed down until all of them are proven; then time goes on.
import type { Random } from '../core/random.js';
import { createRandom } from '../core/random.js';
import { type Agent, FREEDOMS } from './agent.js';
import type { AgentEvent, AgentStep, AgentWorldStatus } from './agent-options.js';
import type { AgentRoutes } from './agent-routes.js';
import { ContactConditions, type Joint } from './contact-conditions.js';
import { Deadlocks, FEW_AGENTS } from './deadlocks.js';
import { type NearPair, NearPairs } from './near-pairs.js';
import { Potentials } from './potentials.js';
import { RightOfWay } from './right-of-way.js';
import { shareDrive } from './shared-drive.js';
import type { SightLine } from './sight-line.js';
import { type Following, Steering } from './steering.js';
import { StepProof } from './step-proof.js';
import { VelocitySolver } from './velocity-solver.js';
import type { WorldBody } from './world-body.js';
import type { WorldObstacle } from './world-obstacle.js';

/** Chosen: the count of sweeps over all conditions in a step. */
const SWEEPS = 100;

/** Chosen: how often motions are found again, with what was in their way, before agents are slowed down. */
const REVISIONS = 3;

/** Chosen: the count of sweeps each time motions are found again. */
const MORE_SWEEPS = 40;

/** Chosen: the most potentials that are marched again in one step after obstacles have moved. */
const MARCHED = 2;

/** Chosen: an agent has come nearer to its goal if it is nearer by this share of its size. */
const GAIN = 0.05;

/** Chosen: an agent that is farther from its goal by this, in its radii, has been pushed back. */
const PUSHED = 1;

/**
 * Chosen: in a crowd a round agent turns only this near to its goal, in its radii, and a long one where it is narrow
 * too: turns take from what can be proven.
 */
const TURNS_AT = 0.25;

/**
 * Chosen: a plan with stepping back is made if no agent breaks its record while it could have moved by this, in its
 * radii.
 */
const PLANNED = 40;

/** Chosen: agents are given up if none breaks its record while it could have moved by this, in its radii. */
const LIVELOCK = 100;

/** Chosen: an agent breaks its record if it is nearer to its goal than ever by this share of its size. */
const RECORD = 0.25;

/** Chosen: how easily contacts turn a long agent, which helps it through. */
const LONG_TURNS = 0.3;

/** Chosen: how easily contacts turn a round agent, whose turns only take from what can be proven. */
const ROUND_TURNS = 0.01;

/** Rounding: times within this are equal, in seconds. */
const INSTANT = 1e-9;

export class AgentSimulation {
  readonly distance: number;
  readonly timeStep: number;
  readonly agents: Agent[] = [];
  readonly obstacles: WorldObstacle[] = [];
  readonly sights: SightLine[] = [];
  readonly joints: Joint[] = [];
  readonly followings: Following[] = [];
  readonly potentials: Potentials;
  readonly random: Random;
  time = 0;
  status: AgentWorldStatus = 'moving';
  readonly pairs: NearPairs;
  readonly #bodies: WorldBody[] = [];
  /** Obstacles that potentials know: all but those with keys. */
  readonly #known: WorldBody[] = [];
  readonly #steering: Steering;
  readonly #rightOfWay: RightOfWay;
  readonly #solver = new VelocitySolver();
  readonly #conditions: ContactConditions;
  readonly #deadlocks: Deadlocks;
  readonly #byAgent: NearPair[][] = [];
  readonly #arrivedOnce = new Set<Agent>();
  /** When an agent last came nearer to its goal than ever. */
  #lastRecord = 0;
  /** The time of that after which a plan was made last. */
  #planned = -1;
  readonly #before = new Float64Array(7);
  readonly #held = new Set<WorldObstacle>();

  constructor(distance: number, timeStep: number, seed: number, routes: AgentRoutes) {
    this.distance = distance;
    this.timeStep = timeStep;
    this.random = createRandom(seed);
    this.pairs = new NearPairs(distance);
    this.potentials = new Potentials(this.#known, distance);
    this.#steering = new Steering(this.potentials);
    this.#rightOfWay = new RightOfWay(this.potentials);
    this.#conditions = new ContactConditions(this.#solver, this.pairs);
    this.#deadlocks = new Deadlocks(this, this.#known, routes);
  }

  addAgent(agent: Agent): void {
    this.agents.push(agent);
    this.#byAgent.push([]);
  }

  setGoal(agent: Agent, goal: Float64Array | null): void {
    agent.goal = goal;
    agent.way = null;
    agent.field = goal === null ? null : this.potentials.fieldOf(agent, goal);
    agent.status = goal === null ? 'arrived' : 'moving';
    agent.progress.begin(this.time);
    this.#lastRecord = this.time;
    this.#rightOfWay.forget(agent);
    agent.isSettled = goal === null;
    this.#arrivedOnce.delete(agent);
    if (this.status !== 'crushed') this.status = 'moving';
  }

  addObstacle(obstacle: WorldObstacle): void {
    this.obstacles.push(obstacle);
    this.#bodies.push(obstacle.body);
    if (obstacle.keys !== null) return;
    this.#known.push(obstacle.body);
    this.potentials.obstacleMoved(this.#known.length - 1);
  }

  /** Agents that agents are blocked by, and obstacles, by name. */
  blockersOf(agent: Agent): string[] {
    return this.#deadlocks.blockersOf(agent).map(({ name }) => name);
  }

  /** The pairs of an agent that are near. */
  nearOf(agent: Agent): readonly NearPair[] {
    return this.#byAgent[agent.index];
  }

  giveWay(agent: Agent): void {
    this.#rightOfWay.give(agent, this.time);
  }

  step(): AgentStep {
    const events: AgentEvent[] = [];
    const time = this.#duration();
    const isOn = this.status === 'moving' || this.status === 'arrived' || this.obstacles.some((o) => o.target !== null);
    this.pairs.distanceQueries = 0;
    const proof = new StepProof(this.pairs);
    if (isOn && this.status !== 'crushed') this.#move(time, proof, events);
    const near = this.pairs.near;
    return {
      time: this.time,
      status: this.status,
      events,
      interactions: near.length,
      leastDistance: near.reduce((least, pair) => Math.min(least, pair.distance), Infinity),
      distanceQueries: this.pairs.distanceQueries,
      exactProofs: proof.exactProofs,
      slowed: proof.slowed,
      jointError: this.joints.reduce((most, joint) => Math.max(most, joint.error), 0),
    };
  }

  /** A step ends where an obstacle changes its motion. */
  #duration(): number {
    let duration = this.timeStep;
    for (const { keys } of this.obstacles) {
      for (const { time } of keys ?? []) {
        if (time > this.time + INSTANT && time < this.time + duration - INSTANT) duration = time - this.time;
      }
    }
    return duration;
  }

  #move(time: number, proof: StepProof, events: AgentEvent[]): void {
    const { agents, obstacles } = this;
    for (const obstacle of obstacles) obstacle.plan(this.time + time);
    for (const agent of agents) this.#want(agent, time);
    for (const following of this.followings) this.#steering.follow(following, time);
    this.#rightOfWay.update(this, time, agents.length > FEW_AGENTS);
    for (const team of this.#teams()) {
      const within = this.joints.filter(({ a }) => a.cluster === team);
      shareDrive(team, within, time);
    }
    for (const agent of agents) {
      if (agent.exact === null) for (let k = 0; k < FREEDOMS; k++) agent.wish[k] *= agent.eagerness;
      agent.motion.set(agent.wish);
    }
    this.pairs.update(agents, this.#bodies);
    for (const list of this.#byAgent) list.length = 0;
    for (const pair of this.pairs.near) {
      this.#byAgent[pair.agentA.index].push(pair);
      if (pair.agentB !== null) this.#byAgent[pair.agentB.index].push(pair);
    }
    for (const sight of this.sights) sight.update(this.#bodies);
    this.#conditions.gather(this.pairs.near, this.sights, this.joints);
    this.#solver.solve(agents, SWEEPS, time);
    for (const agent of agents) agent.apply(time);
    const stoppable = new Map(obstacles.filter(({ keys }) => keys === null).map((o) => [o.body, o]));
    const refused = this.#revise(proof, time);
    const unproven = proof.prove(refused, this.#byAgent, this.sights, stoppable, time);
    if (unproven.length > 0) {
      // The motions of this step are not made: the pair would come nearer than wanted.
      this.status = 'crushed';
      const names = [...new Set(unproven.map(({ agent }) => agent.name))];
      const by = [...new Set(unproven.map(({ obstacle }) => obstacle.name))];
      events.push({ kind: 'crushed', time: this.time, agents: names, by });
      return;
    }
    for (const agent of agents) {
      agent.adaptWish();
      agent.commit();
    }
    this.#moveObstacles(events);
    for (const joint of this.joints) joint.measure();
    this.time += time;
    this.#arrive(events);
    this.#deadlocks.update(events);
    this.#endLivelock(events);
    this.#judge();
  }

  /** Agents that are joined. */
  #teams(): ReadonlySet<readonly Agent[]> {
    return new Set(this.joints.map(({ a }) => a.cluster));
  }

  /** Sets what an agent wants to do in a step, and watches its progress. */
  #want(agent: Agent, time: number): void {
    agent.level = 0;
    agent.setReach(time);
    const left = this.#steering.steer(agent, time);
    const radius = agent.body.shape.model.radius;
    this.#rightOfWay.watch(agent, left, this.time);
    const { progress } = agent;
    if (agent.status === 'moving' && progress.breaksRecord(left, RECORD * radius)) this.#lastRecord = this.time;
    const setback = (agent.isSettled ? GAIN : PUSHED) * radius;
    progress.watch(left, this.time, GAIN * radius, setback, this.#rightOfWay.isAside(agent));
    if (agent.status === 'stuck') agent.wish.fill(0);
    const isCrowded = agent.cluster.length === 1 && this.nearOf(agent).some(({ agentB }) => agentB !== null);
    if (isCrowded) progress.crowded(this.time);
    const { isLong, guided, grid } = this.potentials.kindOf(agent);
    const isFree = !isCrowded && agent.cluster.length === 1;
    const turns = isLong && (isFree || grid.valueAt(agent.body.center) < guided.radius);
    agent.turning = isLong && !isCrowded ? LONG_TURNS : ROUND_TURNS;
    if (agent.cluster.length > 1) agent.turning = 1;
    if (turns || isFree || agent.exact !== null) return;
    const away = agent.goal === null ? left : agent.robot.measure(agent.q, agent.goal).length;
    if (away > TURNS_AT * radius) agent.wish.fill(0, agent.ways);
  }

  /** Finds motions again where they are not proven. Returns the pairs for which that did not help. */
  #revise(proof: StepProof, time: number): NearPair[] {
    const { agents, pairs } = this;
    let open: readonly NearPair[] = pairs.near;
    let refused: NearPair[] = [];
    for (let i = 0; ; i++) {
      const shares: number[] = [];
      refused = [];
      proof.check(open, (pair, share) => {
        refused.push(pair);
        shares.push(share);
      });
      if (refused.length === 0 || i === REVISIONS) return refused;
      for (const [k, pair] of refused.entries()) {
        this.#conditions.addRefused(pair, pairs.learn(pair, shares[k]));
      }
      this.#solver.resume(agents, MORE_SWEEPS);
      const isOpen = new Set(refused);
      for (const agent of agents) {
        this.#before.set(agent.body.next);
        agent.apply(time);
        if (agent.body.next.every((value, k) => value === this.#before[k])) continue;
        for (const pair of this.#byAgent[agent.index]) isOpen.add(pair);
      }
      open = [...isOpen];
    }
  }

  #moveObstacles(events: AgentEvent[]): void {
    let hasMoved = false;
    for (const obstacle of this.obstacles) {
      const { body, target } = obstacle;
      const isMoving = body.motion > 0;
      body.commit();
      if (target === null) continue;
      if (isMoving) {
        hasMoved = true;
        this.potentials.obstacleMoved(this.#known.indexOf(body));
      }
      if (obstacle.level === 0) {
        obstacle.target = null;
        this.#held.delete(obstacle);
        for (const agent of this.agents) this.#wake(agent);
      } else if (!this.#held.has(obstacle)) {
        this.#held.add(obstacle);
        const by = this.pairs.near.filter((pair) => pair.b === body).map(({ a }) => a.name);
        events.push({ kind: 'held', time: this.time, agents: by, by: [body.name] });
      }
    }
    if (hasMoved || this.agents.some(({ field }) => field?.isStale)) this.potentials.refresh(this.agents, MARCHED);
  }

  /** Among other obstacles an agent may make progress again. */
  #wake(agent: Agent): void {
    if (agent.status === 'stuck') agent.status = 'moving';
    agent.progress.begin(this.time);
    this.#lastRecord = this.time;
    agent.way = null;
    if (this.status === 'stuck') this.status = 'moving';
  }

  #arrive(events: AgentEvent[]): void {
    for (const agent of this.agents) {
      const { goal, robot, q, tolerance, status } = agent;
      if (goal === null || status === 'stuck') continue;
      const { length, turning } = robot.measure(q, goal);
      const isThere = length <= tolerance && turning * agent.lever <= tolerance && agent.post === null;
      if (isThere) agent.isSettled = true;
      else if (status === 'arrived') agent.progress.restart(this.time);
      agent.status = isThere ? 'arrived' : 'moving';
      if (!isThere || this.#arrivedOnce.has(agent)) continue;
      this.#arrivedOnce.add(agent);
      this.#lastRecord = this.time;
      // With one less on the way, what did not help the others before may help them now.
      for (const { progress } of this.agents) progress.attempts = progress.detours = 0;
      events.push({ kind: 'arrived', time: this.time, agents: [agent.name], by: [] });
    }
  }

  /** Agents that push each other to and fro, and none of them ever comes nearer to its goal, would do so forever. */
  #endLivelock(events: AgentEvent[]): void {
    const moving = this.agents.filter(({ status }) => status === 'moving');
    if (moving.some(({ post }) => post !== null)) this.#lastRecord = this.time;
    const lost = this.time - this.#lastRecord;
    const unit = Math.max(0, ...moving.map(({ body, linear }) => body.shape.model.radius / linear));
    if (lost > PLANNED * unit && this.#planned < this.#lastRecord) {
      this.#planned = this.#lastRecord;
      this.#deadlocks.plan(moving, events);
    }
    if (lost > LIVELOCK * unit) this.#deadlocks.giveUp(moving, events);
  }

  #judge(): void {
    let [moving, stuck] = [0, 0];
    for (const { status } of this.agents) {
      if (status === 'moving') moving++;
      else if (status === 'stuck') stuck++;
    }
    this.status = moving > 0 ? 'moving' : stuck > 0 ? 'stuck' : 'arrived';
  }
}
