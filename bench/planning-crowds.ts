// A crowd of people through a doorway by us and by ORCA. The bodies, goals, speeds and steps are the same; the distances of the
// meshes after every step are measured in one way for both, and where meshes overlap, the depth.
import { PenetrationPair } from 'nearfield/penetration';
import { type AgentScene, agentSample, createAgentWorld } from 'nearfield/planning';
import { Pair, ProximityModel } from 'nearfield/proximity';
import { processorTime } from './measure.js';
import type { PeerDriver } from './peers/compile-driver.js';
import { buildRvo2, type DiscCrowd, runRvo2 } from './peers/rvo2.js';
import { withShuffledGoals } from './planning-agents.js';
import type { BenchTable, SuiteContext } from './suite.js';

const CROWDS = [50, 100, 200];

/** Of the door, in meters. */
const WIDTH = 1.4;

/** Those that ORCA is tried with, in seconds; the best one counts. */
const HORIZONS = [0.5, 1, 2, 5];

/** Others that a disc of ORCA looks at: more than fit around one. */
const NEIGHBORS = 20;

const IDENTITY = [0, 0, 0, 0, 0, 0, 1] as const;

interface CrowdRun {
  /** Of each agent after each step, as 7 numbers. */
  readonly poses: readonly (readonly number[])[][];
  readonly milliseconds: readonly number[];
  readonly arrived: number;
}

export function crowdsTable({ quick, progress }: SuiteContext): BenchTable {
  const driver = buildRvo2();
  const steps = quick ? 240 : 6000;
  const crowds = quick ? CROWDS.slice(0, 1) : CROWDS;
  const rows: string[][] = [];
  for (const [i, agents] of crowds.entries()) {
    progress(0.9 + (0.1 * i) / crowds.length, `${agents} agents beside ORCA`);
    const ordered = ofPeople(agentSample('doorway', { agents, width: WIDTH }));
    for (const [goals, scene] of [
      ['in order', ordered],
      ['at random', withShuffledGoals(ordered)],
    ] as const) {
      const row = (method: string, run: CrowdRun): string[] => [
        `${agents}`,
        goals,
        method,
        `${run.arrived}`,
        (run.milliseconds.length / 60).toFixed(1),
        ...timesOf(run.milliseconds),
        millimeters(closest(scene, run.poses)),
      ];
      rows.push(row('nearfield', runOurs(scene, steps)));
      const best = runBest(driver, scene, steps);
      if (best !== null) rows.push(row(`ORCA, horizon ${best.horizon} s`, best.run));
    }
  }
  return {
    title: 'Agents beside ORCA',
    headings: [
      ...['agents', 'goals', 'method', 'arrived', 'after, s', 'ms a step, mean', 'median', '99 %', 'most'],
      'closest, mm',
    ],
    rows,
    notes: [
      `People of 0.4 m through a door of ${WIDTH} m, wanted distance 10 mm, at most ${steps} steps of 1/60 s, processor time of one ` +
        'core. In order: who starts in front goes to the back; at random: who has arrived may stand in the way. "Closest" is the ' +
        'least distance of two meshes after a step, negative where they overlap.',
      `ORCA is RVO2 in C++: discs that are 5 mm wider than the people, with the velocity of the straight way through the door and the ` +
        `noise of its examples; of the horizons ${HORIZONS.join(', ')} s that by which most arrive, then the fastest. Its time is that of ` +
        'its step alone; ours includes ways, proofs and searches. ORCA moves no other shapes, and does not turn them.',
      ...('missing' in driver ? [driver.missing] : []),
    ],
  };
}

/** All agents with the mesh of the first one, which is round. */
function ofPeople(scene: AgentScene): AgentScene {
  const { mesh } = scene.agents[0];
  return { ...scene, agents: scene.agents.map((agent) => ({ ...agent, mesh })) };
}

function runOurs(scene: AgentScene, steps: number): CrowdRun {
  const world = createAgentWorld(scene);
  const [milliseconds, poses]: [number[], (readonly number[])[][]] = [[], []];
  while (milliseconds.length < steps && world.status === 'moving') {
    const start = processorTime();
    world.step();
    milliseconds.push(processorTime() - start);
    poses.push(world.agents.map(({ pose }) => pose));
  }
  return { poses, milliseconds, arrived: world.agents.filter(({ status }) => status === 'arrived').length };
}

function runBest(driver: PeerDriver, scene: AgentScene, steps: number): { run: CrowdRun; horizon: number } | null {
  if ('missing' in driver) return null;
  let best: { run: CrowdRun; horizon: number } | null = null;
  for (const horizon of HORIZONS) {
    const run = runOrca(driver.file, scene, horizon, steps);
    const isBetter =
      best === null ||
      run.arrived > best.run.arrived ||
      (run.arrived === best.run.arrived && run.milliseconds.length < best.run.milliseconds.length);
    if (isBetter) best = { run, horizon };
  }
  return best;
}

function runOrca(driver: string, scene: AgentScene, horizon: number, mostSteps: number): CrowdRun {
  const { agents, obstacles, distance = 0 } = scene;
  const [{ mesh, tolerance = 0, speed }] = agents;
  const radius = radiusOf(mesh.positions) + distance / 2;
  const at = (pose: ArrayLike<number>): [number, number] => [pose[0], pose[2]];
  const goals = agents.map(({ goal }) => at(goal!));
  const crowd: DiscCrowd = {
    ...{ seed: 1, timeStep: 1 / 60, mostSteps, tolerance, radius, horizon, neighbors: NEIGHBORS },
    speed: speed?.linear ?? 1,
    door: [0, radius - WIDTH / 2, WIDTH / 2 - radius],
    obstacles: obstacles.map((obstacle) => {
      const { x0, z0, x1, z1 } = boxOf(obstacle.mesh.positions);
      return [
        [x0, z0],
        [x1, z0],
        [x1, z1],
        [x0, z1],
      ];
    }),
    starts: agents.map(({ pose }) => at(pose)),
    goals,
  };
  const { milliseconds, positions } = runRvo2(driver, crowd);
  const count = agents.length;
  const poses = milliseconds.map((_, step) =>
    agents.map((_, i) => [positions[2 * (step * count + i)], 0, positions[2 * (step * count + i) + 1], 0, 0, 0, 1]),
  );
  const last = poses[poses.length - 1];
  const arrived = goals.filter(([x, z], i) => Math.hypot(last[i][0] - x, last[i][2] - z) <= tolerance).length;
  return { poses, milliseconds, arrived };
}

/** The least distance of two bodies after any step. Discs around them tell which are worth measuring. */
function closest({ agents, obstacles }: AgentScene, steps: CrowdRun['poses']): number {
  const model = new ProximityModel(agents[0].mesh);
  const radius = radiusOf(agents[0].mesh.positions);
  const between = signedDistance(model, model);
  const walls = obstacles.map(({ mesh }) => ({
    box: boxOf(mesh.positions),
    measure: signedDistance(model, new ProximityModel(mesh)),
  }));
  let least = Infinity;
  for (const poses of steps) {
    const order = [...poses].sort((a, b) => a[0] - b[0]);
    for (const [i, a] of order.entries()) {
      for (let k = i + 1; k < order.length && order[k][0] - a[0] - 2 * radius < least; k++) {
        const b = order[k];
        if (Math.hypot(b[0] - a[0], b[2] - a[2]) - 2 * radius < least) least = Math.min(least, between(a, b));
      }
      for (const { box, measure } of walls) {
        const [x, z] = [Math.max(box.x0 - a[0], a[0] - box.x1, 0), Math.max(box.z0 - a[2], a[2] - box.z1, 0)];
        if (Math.hypot(x, z) - radius < least) least = Math.min(least, measure(a, IDENTITY));
      }
    }
  }
  return least;
}

/** Measures the distance of two meshes; minus their depth where they overlap. */
function signedDistance(a: ProximityModel, b: ProximityModel): (p: readonly number[], q: readonly number[]) => number {
  const pair = new Pair(a, b);
  const depth = new PenetrationPair(a, b);
  type Seven = [number, number, number, number, number, number, number];
  return (p, q) => {
    const [poseA, poseB] = [[...p] as Seven, [...q] as Seven];
    const { distance } = pair.distance(poseA, poseB);
    return distance !== null && distance > 0 ? distance : -depth.measure(poseA, poseB).depth;
  };
}

/** Of a disc in the floor that holds a mesh. */
function radiusOf(positions: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < positions.length; i += 3) most = Math.max(most, Math.hypot(positions[i], positions[i + 2]));
  return most;
}

function boxOf(positions: ArrayLike<number>): { x0: number; z0: number; x1: number; z1: number } {
  const box = { x0: Infinity, z0: Infinity, x1: -Infinity, z1: -Infinity };
  for (let i = 0; i < positions.length; i += 3) {
    const [x, z] = [positions[i], positions[i + 2]];
    box.x0 = Math.min(box.x0, x);
    box.x1 = Math.max(box.x1, x);
    box.z0 = Math.min(box.z0, z);
    box.z1 = Math.max(box.z1, z);
  }
  return box;
}

function millimeters(meters: number): string {
  return (1000 * meters).toFixed(1);
}

/** Mean, median, 99 % and most. */
function timesOf(milliseconds: readonly number[]): string[] {
  const mean = milliseconds.reduce((sum, time) => sum + time, 0) / milliseconds.length;
  const sorted = [...milliseconds].sort((p, q) => p - q);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return [mean, at(0.5), at(0.99), at(1)].map((time) => time.toFixed(2));
}
