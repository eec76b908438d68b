// A path as a model whose parts move, for GLB files.

import { NearfieldError } from '../../core/errors.js';
import { animateFrames } from '../../dynamics/scene/animate-frames.js';
import type { SimulatedBody } from '../../dynamics/scene/simulation.js';
import type { ModelAnimation } from '../../io/model/model-animation.js';
import type { ModelFile } from '../../io/model/model-file.js';
import { buildScene } from './build-scene.js';
import type { PlanProblem, PlanResult } from './plan-problem.js';

/** Frames of each edge. */
const FRAMES = 16;

/** Seconds that a whole path takes. */
const SECONDS = 6;

/** The robots and the environment of a solved problem in motion; `writeModel(model, 'glb', { animation })` writes them. */
export function animatePath(problem: PlanProblem, result: PlanResult): { model: ModelFile; animation: ModelAnimation } {
  if (result?.status !== 'solved') {
    throw new NearfieldError('bad-argument', `There is no path to draw: the status is ${result?.status}.`);
  }
  const { scene, names } = buildScene(problem, 0);
  const path = result.paths[0].poses.map((_, i) => {
    const q = new Float64Array(scene.size);
    for (const [r, robot] of scene.robots.entries()) robot.read(result.paths[r].poses[i], q);
    return q;
  });
  const bodies: Pick<SimulatedBody, 'name' | 'shape' | 'kind'>[] = [
    ...scene.robots.flatMap((robot, r) =>
      robot.links.map(({ name, model }) => {
        return {
          name: robot.links.length > 1 ? `${names[r]} ${name}` : names[r],
          shape: { mesh: model.mesh },
          kind: 'dynamic' as const,
        };
      }),
    ),
    ...scene.obstacles.map(({ name, model }) => ({ name, shape: { mesh: model.mesh }, kind: 'fixed' as const })),
  ];
  const lengths = path.slice(1).map((q, i) => scene.separation(path[i], q));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const frames: { time: number; bodies: { pose: number[] }[] }[] = [];
  const q = new Float64Array(scene.size);
  let done = 0;
  for (const [i, length] of lengths.entries()) {
    for (let k = i === 0 ? 0 : 1; k <= FRAMES; k++) {
      scene.interpolate(path[i], path[i + 1], k / FRAMES, q);
      const poses = scene.posesAt(q);
      const time = total > 0 ? (SECONDS * (done + (length * k) / FRAMES)) / total : 0;
      const placed = Array.from({ length: scene.linkCount }, (_, link) => [...poses.subarray(7 * link, 7 * link + 7)]);
      const states = [...placed, ...scene.obstacles.map(({ pose }) => [...pose])].map((pose) => ({ pose }));
      frames.push({ time, bodies: states });
    }
    done += length;
  }
  return animateFrames(bodies, frames);
}
