// Where the links of all robots are along a path, and how far from everything: what drawing and playing a path needs.
import { nameValue } from '../../core/check/check-options.js';
import { optionTable, wholeNumber } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { Clock } from '../../kinematics/validity/clock.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { Mesh } from '../../mesh/mesh.js';
import { TimedScene } from '../time/plan-in-time.js';
import { buildScene, type PlanScene } from './build-scene.js';
import type { PlanProblem, PlanResult } from './plan-problem.js';

/** Options of {@link samplePath}. */
export interface SamplePathOptions {
  /** Places along the path, at even distances, or times where times count, its ends among them. Default 101. */
  readonly frames?: number | undefined;
}

/** Chosen: the most frames of a sampled path. */
const MAX_FRAMES = 1e6;

const OPTIONS = optionTable<SamplePathOptions>()({ frames: wholeNumber(2, MAX_FRAMES, 101) });

/** A place on a path. */
export interface PathFrame {
  /** The share of the whole way, or of the whole time where times count, from 0 to 1. */
  readonly share: number;
  /** In seconds; null where times do not count. */
  readonly time: number | null;
  /** The edge, and the share of it. */
  readonly segment: number;
  readonly t: number;
  /** Seven numbers a link. */
  readonly poses: Float64Array;
  /** Seven numbers for each obstacle that moves, in the order of the environment. */
  readonly obstaclePoses: Float64Array;
  /** The distance here between the nearest two bodies that must stay apart, or Infinity. */
  readonly clearance: number;
}

/** A path at places along it. */
export interface SampledPath {
  /** The links of all robots, in the order of the poses. */
  readonly links: readonly { readonly robot: string; readonly name: string; readonly mesh: Mesh }[];
  readonly frames: readonly PathFrame[];
}

/**
 * The poses of all links at places along a solved path, and the clearance there, to draw or to play it. What is between the
 * places is proven by the result, not by these samples.
 */
export function samplePath(problem: PlanProblem, result: PlanResult, options: SamplePathOptions = {}): SampledPath {
  const { frames: count } = OPTIONS.read(options);
  const built = buildScene(problem, 0);
  const { scene, clock, path, ends } = readPath(built, result);
  const whole = ends[ends.length - 1];
  const q = new Float64Array(scene.size);
  const links = built.scene.robots.flatMap((robot, r) =>
    robot.links.map(({ name, model }) => ({ robot: built.names[r], name, mesh: model.mesh })),
  );
  let segment = 0;
  const frames = Array.from({ length: count }, (_, i): PathFrame => {
    const share = i / (count - 1);
    const way = share * whole;
    while (segment < path.length - 2 && ends[segment + 1] < way) segment++;
    const length = (ends[segment + 1] ?? 0) - ends[segment];
    const t = length > 0 ? Math.min(1, Math.max(0, (way - ends[segment]) / length)) : 0;
    scene.interpolate(path[segment], path[Math.min(segment + 1, path.length - 1)], t, q);
    const clearance = scene.distance(q);
    const poses = scene.posesAt(q).slice();
    return {
      share,
      time: clock === null ? null : q[clock.offset],
      segment,
      t,
      poses: poses.slice(0, 7 * links.length),
      obstaclePoses: poses.slice(7 * links.length),
      clearance,
    };
  });
  return { links, frames };
}

/** A solved path, ready to be followed. */
export interface ReadPath {
  /** With a clock as the last robot where times count. */
  readonly scene: CollisionScene;
  readonly clock: Clock | null;
  readonly path: readonly Float64Array[];
  /** How far each waypoint is along the path, or when it is reached where times count. */
  readonly ends: readonly number[];
}

/** The configurations of a solved path. */
export function readPath({ scene: rest, timed: part }: PlanScene, result: PlanResult): ReadPath {
  if (result?.status !== 'solved') {
    throw new NearfieldError(
      'bad-argument',
      `There is no path: the status is ${nameValue(result?.status)}, not 'solved'.`,
    );
  }
  const { paths, times } = result;
  if (paths.length !== rest.robots.length || (part !== null && times === null)) {
    const had = part !== null && times === null ? 'no times' : `${paths.length} paths`;
    throw new NearfieldError(
      'bad-argument',
      `The result has ${had}, the problem ${rest.robots.length} robots; give the problem it is of.`,
    );
  }
  const timed = part === null ? null : new TimedScene(rest, part);
  const scene = timed?.scene ?? rest;
  const path = paths[0].poses.map((_, i) => {
    const q = new Float64Array(scene.size);
    for (const [r, robot] of rest.robots.entries()) robot.read(paths[r].poses[i], q);
    if (timed !== null) q[timed.clock.offset] = times![i];
    return q;
  });
  const ends = timed === null ? waysTo(scene, path) : times!;
  return { scene, clock: timed?.clock ?? null, path, ends };
}

/** How far each waypoint is along the path. */
function waysTo(scene: CollisionScene, path: readonly Float64Array[]): number[] {
  const ends = [0];
  for (let i = 1; i < path.length; i++) ends.push(ends[i - 1] + scene.separation(path[i - 1], path[i]));
  return ends;
}
