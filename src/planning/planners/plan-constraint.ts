// The constraint-based planner (Garber and Lin 2002) by name: robots are agents of a simulation, and what they did is the
// path. Its edges are proven as those of all planners; if one is not, there is no path.

import { Agent } from '../../agents/agent.js';
import { AgentSimulation } from '../../agents/agent-simulation.js';
import { type BodyShape, bodyShape, WorldBody } from '../../agents/world-body.js';
import { WorldObstacle } from '../../agents/world-obstacle.js';
import { NearfieldError } from '../../core/errors.js';
import { prepareModel } from '../../proximity/hulls/model-hulls.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import type { TimedScene } from '../time/plan-in-time.js';
import type { FoundPath, PlanTask } from './planner.js';
import { VoronoiRoutes } from './voronoi-routes.js';

/** Chosen: the smallest robot moves by this share of its size in a step. */
const STRIDE = 0.05;

/** Chosen: a robot has arrived within this share of its size; the last edge leads to the goal itself. */
const ARRIVED = 1e-3;

/**
 * Chosen: agents keep farther apart than the clearance by this share of the largest robot: edges end within 1e-5 of
 * it.
 */
const SPARE = 5e-5;

/** Rounding: agents keep to this share of the limits of speed. */
const SLOWER = 0.999;

/** Chosen: the most edges that may be proven as one. */
const MAX_SKIPPED = 64;

/** Chosen: the share of the time for one search of a way around. */
const SEARCH = 0.4;

/** Chosen: bodies of obstacles count from this number on, bodies of agents below it. */
const FIRST_OBSTACLE = 0x80000;

export function planConstraint(task: PlanTask): FoundPath {
  return simulatePath(task, null);
}

/**
 * Simulates the robots as agents until they have arrived or make no progress.
 * @param timed null where times do not count.
 */
export function simulatePath(task: PlanTask, timed: TimedScene | null): FoundPath {
  const { scene: rest, start, goal, deadline, timeLimit, random } = task;
  const planner = 'constraint';
  const none: FoundPath = { planner, path: null, proof: null };
  const scene = timed?.scene ?? rest;
  const shapeOf = shapesOnce();
  const bodies = rest.robots.map((robot) => {
    if (robot.body !== null) return robot.body;
    throw new NearfieldError('unsupported', 'The planner constraint is for rigid and planar robots; give auto.');
  });
  const least = Math.min(...bodies.map(({ links }) => links[0].model.radius));
  const speeds = bodies.map((robot, r) => speedOf(task, timed, r, timed === null ? least : robot.extent.length));
  const fastest = Math.max(
    ...speeds.map(({ linear, angular }, r) => linear + angular * bodies[r].links[0].model.radius),
  );
  const timeStep = (2 * STRIDE * least) / fastest;
  const simulation = new AgentSimulation(
    rest.clearance + SPARE * rest.scale,
    timeStep,
    random.integer(2 ** 31),
    new VoronoiRoutes(SEARCH * timeLimit),
  );
  addObstacles(simulation, task, shapeOf);
  for (const [r, robot] of bodies.entries()) {
    const { offset, size, links } = robot;
    const own = robot.withOffset(0);
    const shape = shapeOf(links[0].model);
    const tolerance = ARRIVED * links[0].model.radius;
    const agent = new Agent(r, own, shape, start.slice(offset, offset + size), {
      ...speeds[r],
      tolerance,
      priority: 1,
    });
    simulation.addAgent(agent);
    simulation.setGoal(agent, goal.slice(offset, offset + size));
  }
  const at = (): Float64Array => {
    const q = new Float64Array(scene.size);
    for (const [r, { offset }] of bodies.entries()) q.set(simulation.agents[r].q, offset);
    if (timed !== null) q[timed.clock.offset] = simulation.time;
    return q;
  };
  const path = [at()];
  while (simulation.status === 'moving') {
    if (deadline.isOver('Simulating agents') || (timed !== null && simulation.time > timed.clock.horizon)) return none;
    simulation.step();
    path.push(at());
  }
  if (simulation.status !== 'arrived') return none;
  const end = path[path.length - 1].slice();
  end.set(goal);
  if (timed !== null) end[timed.clock.offset] += timeStep;
  path.push(end);
  return { planner, path: provePath(path, (a, b) => scene.isFree(b) && scene.proves(a, b)), proof: null };
}

function addObstacles(
  simulation: AgentSimulation,
  task: PlanTask,
  shapeOf: (model: ProximityModel) => BodyShape,
): void {
  let count = 0;
  for (const { name, model, pose } of task.scene.obstacles) {
    simulation.addObstacle(
      new WorldObstacle(new WorldBody(name, FIRST_OBSTACLE + count++, shapeOf(model), pose), null),
    );
  }
  for (const { name, model, keys } of task.timed?.moving ?? []) {
    const body = new WorldBody(name, FIRST_OBSTACLE + count++, shapeOf(model), keys[0].pose);
    const obstacle = new WorldObstacle(body, keys);
    obstacle.moveTo(0);
    simulation.addObstacle(obstacle);
  }
}

/** Makes the shape of each model once. */
function shapesOnce(): (model: ProximityModel) => BodyShape {
  const shapes = new Map<ProximityModel, BodyShape>();
  return (model) => {
    const shape = shapes.get(model) ?? bodyShape(prepareModel(model, 'auto'));
    shapes.set(model, shape);
    return shape;
  };
}

/** @param length of the way that a robot without a limit makes: in a second, or in the time for crossing its space. */
function speedOf(task: PlanTask, timed: TimedScene | null, robot: number, length: number) {
  const limit = task.timed?.limits[robot];
  const seconds = timed?.limits.crossing ?? 0;
  return {
    linear: SLOWER * (limit?.linear ?? (timed === null ? length : length / seconds)),
    angular: SLOWER * (limit?.angular ?? (timed === null ? 1 : Math.PI / seconds)),
  };
}

/** The path with as few waypoints as are quickly proven; null if an edge is not. */
function provePath(
  path: readonly Float64Array[],
  isFree: (a: Float64Array, b: Float64Array) => boolean,
): Float64Array[] | null {
  const proven = [path[0]];
  for (let from = 0; from < path.length - 1; ) {
    let skip = Math.min(MAX_SKIPPED, path.length - 1 - from);
    while (!isFree(path[from], path[from + skip])) {
      if (skip === 1) return null;
      skip >>= 1;
    }
    from += skip;
    proven.push(path[from]);
  }
  return proven;
}
