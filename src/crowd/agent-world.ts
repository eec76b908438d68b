// The public face of a world of agents: checks what callers give, and describes what happens in plain objects.

import { Agent } from '../agents/agent.js';
import {
  AGENT_DEFAULTS,
  AGENT_OBSTACLE_OPTIONS,
  AGENT_OPTIONS,
  AGENT_WORLD_OPTIONS,
  type AgentConstraint,
  type AgentObstacleOptions,
  type AgentOptions,
  type AgentState,
  type AgentStep,
  type AgentWorldOptions,
  type AgentWorldStatus,
} from '../agents/agent-options.js';
import { AgentSimulation } from '../agents/agent-simulation.js';
import { Joint } from '../agents/contact-conditions.js';
import { SightLine } from '../agents/sight-line.js';
import { type BodyShape, bodyShape, WorldBody } from '../agents/world-body.js';
import { WorldObstacle } from '../agents/world-obstacle.js';
import { nameValue } from '../core/check/check-options.js';
import { takePose } from '../core/check/check-pose.js';
import { NearfieldError } from '../core/errors.js';
import type { Pose, ReadonlyPose } from '../core/pose.js';
import * as pose from '../core/pose.js';
import type { ReadonlyVec3, Vec3 } from '../core/vec3.js';
import { within } from '../kinematics/robot/refusals.js';
import { readKeyframes } from '../kinematics/validity/read-keyframes.js';
import type { Mesh } from '../mesh/mesh.js';
import { VoronoiRoutes } from '../planning/planners/voronoi-routes.js';
import { buildRobot, readSpeed } from '../planning/problem/build-scene.js';
import { prepareModel } from '../proximity/hulls/model-hulls.js';
import { ProximityModel } from '../proximity/proximity-model.js';

/** Chosen: bodies of obstacles count from this number on, bodies of agents below it. */
const FIRST_OBSTACLE = 0x80000;

/** Chosen: points of a path are passed within this share of the agent's size. */
const PASSED = 0.2;

/** Rounding: agents may start nearer to each other than wanted by this share of their size. */
const START_ROUNDING = 1e-9;

/**
 * Agents that move to their goals among obstacles and each other. Each step's motion is proven to keep the wanted distances between
 * all meshes; where that leaves no way on, agents look for another one, and say who blocks whom where no motion is left.
 */
export class AgentWorld {
  readonly #simulation: AgentSimulation;
  readonly #shapes = new Map<Mesh, BodyShape>();
  readonly #byName = new Map<string, Agent>();

  /** @throws NearfieldError for options that are out of range or unknown. */
  constructor(options: AgentWorldOptions = {}) {
    const { distance, timeStep, seed } = AGENT_WORLD_OPTIONS.read(options);
    this.#simulation = new AgentSimulation(distance, timeStep, seed, new VoronoiRoutes(AGENT_DEFAULTS.searchSeconds));
  }

  /** Seconds since the start. */
  get time(): number {
    return this.#simulation.time;
  }

  get status(): AgentWorldStatus {
    return this.#simulation.status;
  }

  /**
   * Adds an agent and returns its name.
   * @throws NearfieldError for a mesh, pose, bounds or limits that are missing or wrong, a name that is taken, and a place nearer to
   * another body than the wanted distance.
   */
  addAgent(options: AgentOptions): string {
    if (options === undefined)
      throw new NearfieldError('bad-argument', 'The agent is undefined; give { mesh, pose, … }.');
    AGENT_OPTIONS.assert(options);
    const { name = `agent ${this.#simulation.agents.length + 1}`, mesh, bounds, plane, goal } = options;
    if (typeof name !== 'string') refuse(`The name of an agent is ${nameValue(name)}; give a string.`);
    if (this.#byName.has(name)) refuse(`There is an agent ${name} already; give another name.`);
    return within(name, () => {
      const start = pose.parse(options.pose, 'pose');
      const common = { mesh, bounds, start, goal: goal ?? start };
      const built = buildRobot(
        plane === undefined ? { type: 'rigid', ...common } : { type: 'planar', plane, ...common },
        name,
        0,
        (own) => this.#shapeOf(own).model,
      );
      const { linear = AGENT_DEFAULTS.linear, angular = AGENT_DEFAULTS.angular } = readSpeed(options.speed) ?? {};
      const shape = this.#shapeOf(mesh);
      const { tolerance = AGENT_DEFAULTS.tolerance * shape.model.radius, priority = 1 } = options;
      assertNumber('tolerance', tolerance, 1e-12 * shape.model.radius, Number.MAX_VALUE);
      assertNumber('priority', priority, 1e-6, 1e6);
      const robot = built.robot.body!;
      const q = Float64Array.from(built.start);
      if (!robot.isAllowed(q)) refuse(`The pose is outside of the bounds.`);
      const limits = { linear, angular, tolerance, priority };
      const agent = new Agent(this.#simulation.agents.length, robot, shape, q, limits);
      this.#assertApart(agent);
      this.#simulation.addAgent(agent);
      this.#byName.set(name, agent);
      if (goal !== undefined) this.#setGoal(agent, Float64Array.from(built.goal));
      return name;
    });
  }

  /**
   * Adds an obstacle and returns its number.
   * @throws NearfieldError for a mesh, pose or motion that is missing or wrong, and one nearer to an agent than the wanted distance.
   */
  addObstacle(options: AgentObstacleOptions): number {
    if (options === undefined) throw new NearfieldError('bad-argument', 'The obstacle is undefined; give { mesh, … }.');
    AGENT_OBSTACLE_OPTIONS.assert(options);
    const { obstacles, agents } = this.#simulation;
    const index = obstacles.length;
    return within(`obstacle ${index + 1}`, () => {
      const { motion } = options;
      if (motion !== undefined && options.pose !== undefined) refuse('It has a pose and a motion; give one of them.');
      const placed = options.pose === undefined ? pose.identity() : pose.parse(options.pose, 'pose');
      const keys = motion === undefined ? null : readKeyframes(motion);
      const body = new WorldBody(`obstacle ${index + 1}`, FIRST_OBSTACLE + index, this.#shapeOf(options.mesh), placed);
      const obstacle = new WorldObstacle(body, keys);
      if (keys !== null) obstacle.moveTo(this.time);
      for (const agent of agents) this.#assertFar(agent, body);
      this.#simulation.addObstacle(obstacle);
      return index;
    });
  }

  /**
   * Adds a constraint between agents.
   * @throws NearfieldError for names, distances or points that are wrong, and for one that does not hold now.
   */
  addConstraint(constraint: AgentConstraint): void {
    if (constraint === null || typeof constraint !== 'object') {
      refuse(`The constraint is ${nameValue(constraint)}; give { type, … }.`);
    }
    const { followings, joints, pairs, sights, obstacles } = this.#simulation;
    switch (constraint.type) {
      case 'apart': {
        const [a, b] = this.#two(constraint.agents);
        assertNumber('distance', constraint.distance, 0, Number.MAX_VALUE);
        pairs.setWanted(a.body, b.body, constraint.distance);
        this.#assertFar(a, b.body);
        return;
      }
      case 'sight': {
        const [a, b] = this.#two(constraint.agents);
        const { distance = 0 } = constraint;
        assertNumber('distance', distance, 0, Number.MAX_VALUE);
        const sight = new SightLine(a, b, distance);
        sight.update(obstacles.map(({ body }) => body));
        if (!(sight.least > distance)) {
          refuse(
            `${a.name} does not see ${b.name}: an obstacle is ${sight.least} from the line; begin with one that is free.`,
          );
        }
        sights.push(sight);
        return;
      }
      case 'joint': {
        const [a, b] = this.#two(constraint.agents);
        const points = constraint.points?.map((point) => takePoint(point, 'A point of the joint'));
        if (points?.length !== 2) refuse('The joint has no points; give one of each agent.');
        joints.push(new Joint(a, b, points[0], points[1]));
        pairs.join(a.body, b.body);
        const cluster = [...new Set([...a.cluster, ...b.cluster])];
        for (const member of cluster) member.cluster = cluster;
        return;
      }
      case 'follow': {
        const [agent, leader] = this.#two([constraint.agent, constraint.leader]);
        assertNumber('distance', constraint.distance, 0, Number.MAX_VALUE);
        followings.push({ agent, leader, distance: constraint.distance });
        return;
      }
      case 'path': {
        const agent = this.#find(constraint.agent);
        if (!Array.isArray(constraint.points) || constraint.points.length === 0) refuse('The path has no points.');
        const stops = constraint.points.map((point: ReadonlyVec3) =>
          this.#middleAt(agent, takePoint(point, 'A point')),
        );
        agent.way = { stops, next: 0, passed: PASSED * agent.body.shape.model.radius };
        return;
      }
      default:
        refuse(
          `The constraint has the type ${nameValue((constraint as { type: unknown }).type)}; give apart, sight, joint, follow or path.`,
        );
    }
  }

  /**
   * Moves an obstacle by hand in the next step. It stops where an agent cannot make way, and goes on when it can.
   * @throws NearfieldError for a number that no obstacle has, one with a motion of its own, and an invalid pose.
   */
  moveObstacle(index: number, to: ReadonlyPose): void {
    const obstacle = this.#simulation.obstacles[index];
    if (obstacle === undefined)
      refuse(`There is no obstacle ${nameValue(index)}; there are ${this.#simulation.obstacles.length}.`);
    if (obstacle.keys !== null) refuse(`Obstacle ${index + 1} moves by its keyframes.`);
    obstacle.target = takePose(to, `obstacle ${index + 1}`);
  }

  /** Gives an agent another goal, or none. */
  setGoal(name: string, goal: ReadonlyPose | null): void {
    const agent = this.#find(name);
    if (goal === null) {
      this.#simulation.setGoal(agent, null);
      return;
    }
    const q = agent.q.slice();
    const { robot } = agent;
    const parsed = pose.parse(goal, 'goal');
    const misfit = robot.misfit(parsed);
    if (misfit !== null) refuse(`${name} has a goal ${misfit}.`);
    robot.read(parsed, q);
    this.#setGoal(agent, q);
  }

  /** Makes a step: finds motions, proves them, and makes them. */
  step(): AgentStep {
    return this.#simulation.step();
  }

  /** Where the agents are and how they fare. */
  get agents(): AgentState[] {
    return this.#simulation.agents.map((agent) => {
      const { name, body, status, post, way } = agent;
      return {
        name,
        pose: [...body.pose] as Pose,
        status,
        mode: post !== null ? 'shunting' : way !== null ? 'path' : 'potential',
        blockedBy: status === 'arrived' ? [] : this.#simulation.blockersOf(agent),
      };
    });
  }

  /** Where the obstacles are. */
  get obstacles(): Pose[] {
    return this.#simulation.obstacles.map(({ body }) => [...body.pose] as Pose);
  }

  #setGoal(agent: Agent, goal: Float64Array): void {
    if (!agent.robot.isAllowed(goal)) refuse(`The goal of ${agent.name} is outside of its bounds.`);
    this.#simulation.setGoal(agent, goal);
  }

  #shapeOf(mesh: Mesh): BodyShape {
    let shape = this.#shapes.get(mesh);
    if (shape === undefined) {
      shape = bodyShape(prepareModel(new ProximityModel(mesh), 'auto'));
      this.#shapes.set(mesh, shape);
    }
    return shape;
  }

  #assertApart(agent: Agent): void {
    for (const other of this.#simulation.agents) this.#assertFar(agent, other.body);
    for (const { body } of this.#simulation.obstacles) this.#assertFar(agent, body);
  }

  #assertFar(agent: Agent, body: WorldBody): void {
    const { pairs } = this.#simulation;
    const wanted = pairs.wantedOf(agent.body, body);
    const distance = pairs.measureOnce(agent.body, body, wanted);
    if (distance >= wanted - START_ROUNDING * agent.body.shape.radius && (wanted > 0 || distance > 0)) return;
    refuse(`${agent.name} is ${distance} from ${body.name}; begin with at least ${wanted} between them.`);
  }

  #two(names: readonly [string, string]): [Agent, Agent] {
    if (!Array.isArray(names) || names.length !== 2 || names[0] === names[1]) {
      refuse(`The agents of a constraint are ${nameValue(names)}; give two names.`);
    }
    return [this.#find(names[0]), this.#find(names[1])];
  }

  #find(name: string): Agent {
    return (
      this.#byName.get(name) ??
      refuse(`There is no agent ${nameValue(name)}; there are ${[...this.#byName.keys()].join(', ')}.`)
    );
  }

  #middleAt({ robot, q, body, ways }: Agent, point: Vec3): Float64Array {
    const stop = q.slice();
    for (let k = 0; k < ways; k++) stop[robot.offset + k] += point[robot.axes[k]] - body.center[robot.axes[k]];
    return stop;
  }
}

function takePoint(point: ReadonlyVec3, what: string): Vec3 {
  if (point?.length !== 3 || !Number.isFinite(point[0] + point[1] + point[2])) {
    refuse(`${what} is ${nameValue(point)}; give three finite numbers.`);
  }
  return [point[0], point[1], point[2]];
}

function assertNumber(name: string, value: unknown, min: number, max: number): void {
  if (typeof value === 'number' && value >= min && value <= max) return;
  refuse(`${name} is ${nameValue(value)}; give a number from ${min} to ${max}.`);
}

function refuse(message: string): never {
  throw new NearfieldError('bad-argument', message);
}
