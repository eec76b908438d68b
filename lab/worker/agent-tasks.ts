// Tasks of the scene of agents: a world opened once, stepped as the page asks, with parts moved by hand.
import { type Box, box as boxes, type Pose, type ProgressOptions, pose, reportProgress } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import { type AgentEvent, type AgentScene, agentSample } from 'nearfield/planning';
import type { Move } from '../controls.js';
import { moveBody } from '../hand.js';
import { type AgentMove, type AgentRecord, LiveAgents } from './live-agents.js';
import { centerOf, cornersOf, inPlane, sizeOf } from './planning-tasks.js';
import { median } from './recent-times.js';

/** Which world. */
export interface AgentQuestion {
  readonly sample: string;
  /** Parameters of the sample as JSON, so that equal values are the same question. */
  readonly parameters: string;
  /** Counts how often it was begun anew. */
  readonly run: number;
}

/** What does not change while a world runs. */
export interface OpenedAgents {
  readonly agents: readonly {
    readonly name: string;
    readonly mesh: Mesh;
    readonly start: Pose;
    readonly goal: Pose | null;
  }[];
  /** `part`: its number among those that a hand can move; null for walls. */
  readonly obstacles: readonly { readonly mesh: Mesh; readonly part: number | null }[];
  /** Kept between bodies that are not joined. */
  readonly distance: number;
  readonly box: Box;
  readonly triangles: number;
  readonly milliseconds: number;
}

/** A world at a step. */
export interface AgentsAt extends AgentRecord {
  readonly time: number;
  /** Where the hand wants obstacles that are not there, by number. */
  readonly wanted: readonly { readonly obstacle: number; readonly at: Pose }[];
  /** The last ones up to the step. */
  readonly events: readonly AgentEvent[];
  readonly arrived: number;
  /** Of the last steps, in milliseconds; null before the first. */
  readonly median: number | null;
  /** The least of all steps so far; Infinity if nothing was near. */
  readonly leastSoFar: number;
}

const RECENT = 60;
const SHOWN_EVENTS = 8;
const TIME_STEP = 1 / 60;

let live: { readonly key: string; readonly scene: AgentScene; readonly world: LiveAgents } | null = null;

export const agentTasks = {
  openAgents(question: AgentQuestion, options: ProgressOptions): OpenedAgents {
    const begin = performance.now();
    reportProgress(options, 0, 'building the world');
    const { scene } = liveOf(question);
    const agents = scene.agents.map(({ name = '', mesh, pose: start, goal }) => {
      return {
        name,
        mesh,
        start: Array.from(start) as Pose,
        goal: goal === undefined ? null : (Array.from(goal) as Pose),
      };
    });
    let parts = 0;
    const obstacles = scene.obstacles.map(({ mesh, pose: at }) => ({ mesh, part: at === undefined ? null : parts++ }));
    return {
      agents,
      obstacles,
      distance: scene.distance ?? 0,
      box: boxOf(scene),
      triangles: [...agents, ...obstacles].reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0),
      milliseconds: performance.now() - begin,
    };
  },

  /** How parts were moved by hand up to a step, in a world that was stepped to there. */
  agentMoves({ step, hand: _, ...question }: AgentQuestion & { step: number; hand: string }): readonly AgentMove[] {
    return liveOf(question).world.moves.filter((move) => move.step < step);
  },

  /** The world at a step: stepped to there, or as it was. `hand`: moves of the parts, as JSON. */
  stepAgents(question: AgentQuestion & { step: number; hand: string }, options: ProgressOptions): AgentsAt {
    const { step } = question;
    const { scene, world } = liveOf(question);
    const report = (fraction: number): void => reportProgress(options, fraction, 'simulating');
    const wishes = wishesOf(scene, JSON.parse(question.hand) as readonly Move[]);
    world.wish(step, wishes, report);
    world.advanceTo(step, report);
    const record = world.records[step];
    const made = world.records.slice(1, step + 1);
    const time = step * TIME_STEP;
    const wanted = [...wishes].map(([obstacle, at]) => ({ obstacle, at }));
    return {
      ...record,
      time,
      wanted: wanted.filter(({ obstacle, at }) => isElsewhere(record.obstacles[obstacle], at)),
      events: world.events.filter((event) => event.time <= time + TIME_STEP / 2).slice(-SHOWN_EVENTS),
      arrived: record.status.reduce((sum, status) => sum + (status === 1 ? 1 : 0), 0),
      median: made.length === 0 ? null : median(made.slice(-RECENT).map(({ milliseconds }) => milliseconds)),
      leastSoFar: made.reduce((least, one) => Math.min(least, one.step!.leastDistance), Infinity),
    };
  },
};

function liveOf({ sample, parameters, run }: AgentQuestion): NonNullable<typeof live> {
  const key = JSON.stringify([sample, parameters, run]);
  if (live?.key !== key) {
    const scene = { ...agentSample(sample, JSON.parse(parameters)), timeStep: TIME_STEP };
    live = { key, scene, world: new LiveAgents(scene) };
  }
  return live;
}

/** Where the hand wants the obstacles that have a place of their own; it moves them on the floor. */
function wishesOf(scene: AgentScene, moves: readonly Move[]): Map<number, Pose> {
  const size = sizeOf(boxOf(scene));
  const wishes = new Map<number, Pose>();
  let part = 0;
  for (const [i, { mesh, pose: at }] of scene.obstacles.entries()) {
    if (at === undefined) continue;
    const move = moves[part++];
    if (move === undefined) break;
    wishes.set(i, moveBody(Array.from(at) as Pose, centerOf(mesh), inPlane(move, 1), size));
  }
  return wishes;
}

function isElsewhere(at: Pose, wanted: Pose): boolean {
  return at.some((value, k) => Math.abs(value - wanted[k]) > 1e-6);
}

/** Around everything, at the start and at the goals. */
function boxOf({ agents, obstacles }: AgentScene): Box {
  return boxes.ofPositions([
    ...obstacles.flatMap(({ mesh, pose: at }) => cornersOf(mesh, at ?? pose.identity())),
    ...agents.flatMap(({ mesh, pose: start, goal }) => [...cornersOf(mesh, start), ...cornersOf(mesh, goal ?? start)]),
  ]);
}
