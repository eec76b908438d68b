// The potentials of all agents: agents of the same size share a grid of distances, those with the same goal a field.
import { GuidedBody } from '../kinematics/robot/guided-body.js';
import type { Agent } from './agent.js';
import { ClearanceGrid } from './clearance-grid.js';
import { GoalField } from './goal-field.js';
import type { BodyShape, WorldBody } from './world-body.js';
import { writePoint } from './world-body.js';

/** Chosen: the spacing of nodes, as a share of the half width of an agent, if that makes not too many. */
const SPACING = 0.5;

/** Chosen: an agent is long if its length exceeds its width by this factor. */
const LONG = 1.25;

/** What agents with the same mesh, plane and bounds share. */
export interface AgentKind {
  readonly guided: GuidedBody;
  readonly grid: ClearanceGrid;
  readonly isLong: boolean;
  readonly fields: Map<string, GoalField>;
}

export class Potentials {
  readonly #kinds = new Map<BodyShape, Map<string, AgentKind>>();
  readonly #byAgent = new Map<Agent, AgentKind>();
  readonly #distance: number;
  readonly #obstacles: readonly WorldBody[];
  #next = 0;

  /** @param obstacles that count: those at rest and those moved by hand; the list may grow. */
  constructor(obstacles: readonly WorldBody[], distance: number) {
    this.#obstacles = obstacles;
    this.#distance = distance;
  }

  kindOf(agent: Agent): AgentKind {
    const known = this.#byAgent.get(agent);
    if (known !== undefined) return known;
    const { robot, body } = agent;
    let kinds = this.#kinds.get(body.shape);
    if (kinds === undefined) this.#kinds.set(body.shape, (kinds = new Map()));
    const { min, max } = robot.bounds;
    const across = body.pose[robot.axes[2]];
    const key = [robot.axes, min, max, agent.ways === 2 ? across.toPrecision(9) : ''].join();
    let kind = kinds.get(key);
    if (kind === undefined) kinds.set(key, (kind = this.#makeKind(agent)));
    this.#byAgent.set(agent, kind);
    return kind;
  }

  /** The field of an agent's goal; marched if it is new. */
  fieldOf(agent: Agent, goal: Float64Array): GoalField {
    const { fields, grid, guided } = this.kindOf(agent);
    const pose = new Float64Array(7);
    agent.robot.place(goal, pose);
    const middle = new Float64Array(3);
    writePoint(pose, agent.body.shape.model.center, middle);
    const key = Array.from(middle, (value) => value.toPrecision(9)).join();
    let field = fields.get(key);
    if (field === undefined) {
      grid.update(this.#obstacles);
      field = new GoalField(grid, middle, guided.halfWidth + this.#distance, guided.radius + this.#distance);
      fields.set(key, field);
      field.march();
    }
    return field;
  }

  /** To be called when an obstacle is added or has moved. */
  obstacleMoved(index: number): void {
    for (const kinds of this.#kinds.values()) for (const { grid } of kinds.values()) grid.obstacleMoved(index);
  }

  /** Marches fields again whose obstacles have changed, up to the count given. */
  refresh(agents: readonly Agent[], most: number): void {
    for (const kinds of this.#kinds.values()) for (const { grid } of kinds.values()) grid.update(this.#obstacles);
    for (let i = 0, left = most; i < agents.length && left > 0; i++) {
      const { field } = agents[(this.#next + i) % agents.length];
      if (field === null || !field.isStale) continue;
      field.march();
      left--;
      if (left === 0) this.#next = (this.#next + i + 1) % agents.length;
    }
  }

  #makeKind(agent: Agent): AgentKind {
    const { robot, body } = agent;
    const guided = new GuidedBody(robot, robot.offset + robot.size);
    const w = robot.axes[2];
    const up = [0, 0, 0];
    up[w] = 1;
    const high = body.extentAlong(up);
    up[w] = -1;
    const low = -body.extentAlong(up);
    const far = 2 * guided.radius + this.#distance;
    const grid = new ClearanceGrid(guided, SPACING * guided.halfWidth, low, high, far);
    for (let i = 0; i < this.#obstacles.length; i++) grid.obstacleMoved(i);
    return { guided, grid, isLong: guided.radius > LONG * guided.halfWidth, fields: new Map() };
  }
}
