// A path as a model whose parts move, for GLB files.

import type { ModelAnimation } from '../../io/model/model-animation.js';
import type { ModelFile } from '../../io/model/model-file.js';
import { animateFrames } from '../../simulation/animate-frames.js';
import type { SimulatedBody } from '../../simulation/simulation.js';
import { buildScene } from './build-scene.js';
import type { PlanProblem, PlanResult } from './plan-problem.js';
import { readPath } from './sample-path.js';

/** Chosen: the count of frames of each edge where times do not count. */
const FRAMES = 16;

/** Chosen: the seconds that a whole path takes where times do not count. */
const SECONDS = 6;

/** Chosen: frames a second where times count. */
const RATE = 20;

/** Chosen: the most frames of a whole path besides those at waypoints and keys. */
const MAX_FRAMES = 1000;

/**
 * The robots and the environment of a solved problem in motion; `writeModel(model, 'glb', { animation })` writes them. Where
 * times count, the animation has these times.
 */
export function animatePath(problem: PlanProblem, result: PlanResult): { model: ModelFile; animation: ModelAnimation } {
  const built = buildScene(problem, 0);
  const { names } = built;
  const { scene, clock, path, ends } = readPath(built, result);
  const bodies: Pick<SimulatedBody, 'name' | 'shape' | 'kind'>[] = [
    ...scene.robots.flatMap((robot, r) =>
      robot.links.map(({ name, model }) => ({
        name: robot.isClock ? name : robot.links.length > 1 ? `${names[r]} ${name}` : names[r],
        shape: { mesh: model.mesh },
        kind: 'dynamic' as const,
      })),
    ),
    ...scene.obstacles.map(({ name, model }) => ({ name, shape: { mesh: model.mesh }, kind: 'fixed' as const })),
  ];
  const places = clock === null ? evenPlaces(ends) : timedPlaces(ends, clock.cutTimes);
  const q = new Float64Array(scene.size);
  const frames = places.map(({ edge, t, time }) => {
    scene.interpolate(path[edge], path[Math.min(edge + 1, path.length - 1)], t, q);
    const poses = scene.posesAt(q);
    const placed = Array.from({ length: scene.linkCount }, (_, link) => [...poses.subarray(7 * link, 7 * link + 7)]);
    return { time, bodies: [...placed, ...scene.obstacles.map(({ pose }) => [...pose])].map((pose) => ({ pose })) };
  });
  return animateFrames(bodies, frames);
}

/** A place on a path, and when it is shown. */
interface FramePlace {
  readonly edge: number;
  readonly t: number;
  readonly time: number;
}

/** The same number of places on each edge, in times by its length. */
function evenPlaces(ends: readonly number[]): FramePlace[] {
  const total = ends[ends.length - 1];
  const places: FramePlace[] = [];
  for (let edge = 0; edge < ends.length - 1; edge++) {
    for (let k = edge === 0 ? 0 : 1; k <= FRAMES; k++) {
      const way = ends[edge] + ((ends[edge + 1] - ends[edge]) * k) / FRAMES;
      places.push({ edge, t: k / FRAMES, time: total > 0 ? (SECONDS * way) / total : 0 });
    }
  }
  return places;
}

/** Waypoints, keys of obstacles, and times between at an even rate. */
function timedPlaces(times: readonly number[], keys: readonly number[]): FramePlace[] {
  const end = times[times.length - 1];
  const count = Math.min(MAX_FRAMES, Math.ceil(RATE * end));
  const all = [...times, ...keys, ...Array.from({ length: count }, (_, k) => (k / count) * end)];
  const shown = [...new Set(all.filter((time) => time >= 0 && time <= end))].sort((a, b) => a - b);
  let edge = 0;
  return shown.map((time) => {
    while (edge < times.length - 2 && time > times[edge + 1]) edge++;
    const length = (times[edge + 1] ?? end) - times[edge];
    return { edge, t: length > 0 ? (time - times[edge]) / length : 0, time };
  });
}
