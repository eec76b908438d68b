// Tasks of the scene of roadmaps: one roadmap that grows with every question, and what is drawn of it.
import { type Pose, type ProgressOptions, pose } from 'nearfield/core';
import { type PlanResult, planningSample, Roadmap, type SamplerName, samplePath } from 'nearfield/planning';
import { ProximityModel } from 'nearfield/proximity';
import { centerOf } from './planning-tasks.js';

/** A roadmap, ready to be drawn. */
export interface RoadmapShown {
  /** The middle of the robot at each node, three numbers each, by class. */
  readonly wide: Float64Array;
  readonly narrow: Float64Array;
  /** Six numbers an edge. */
  readonly edges: Float64Array;
  readonly nodes: number;
  readonly components: number;
  readonly buildMs: number;
  readonly samples: number;
  readonly result: PlanResult;
  /** Poses along the path; none without one. */
  readonly frames: readonly Float64Array[];
  readonly clearances: Float64Array;
}

const FRAMES = 121;

export const roadmapTasks = {
  buildRoadmap(
    question: { sample: string; sampler: SamplerName; samples: number; seed: number; timeLimit: number },
    options: ProgressOptions,
  ): RoadmapShown {
    const { sample, sampler, samples, seed, timeLimit } = question;
    const problem = { ...planningSample(sample), sampler, seed, timeLimit };
    const begin = performance.now();
    const roadmap = new Roadmap(problem, { samples, ...options });
    const buildMs = performance.now() - begin;
    const { poses, edges, components } = roadmap.graph;
    const [robot] = problem.robots;
    if (robot.type === 'chain') throw new Error('the sample has another robot');
    const center = centerOf(robot.mesh);
    const { radius } = new ProximityModel(robot.mesh);
    const obstacles = problem.environment.map(({ mesh, pose: at }) => {
      return { model: new ProximityModel(mesh), inverse: pose.invert(at ?? pose.identity()) };
    });
    const middles = Array.from({ length: poses.length / 7 }, (_, i) =>
      pose.transformPoint(Array.from(poses.subarray(7 * i, 7 * i + 7)) as Pose, center),
    );
    // Where the robot may be turned any way, the place is wide.
    const isWide = middles.map((point) =>
      obstacles.every(({ model, inverse }) => model.signedDistance(pose.transformPoint(inverse, point)) >= radius),
    );
    const result = roadmap.query(robot.start ?? pose.identity(), robot.goal ?? pose.identity(), options);
    const frames = result.status === 'solved' ? samplePath(problem, result, { frames: FRAMES }).frames : [];
    return {
      wide: Float64Array.from(middles.filter((_, i) => isWide[i]).flat()),
      narrow: Float64Array.from(middles.filter((_, i) => !isWide[i]).flat()),
      edges: Float64Array.from(Array.from(edges).flatMap((node) => middles[node])),
      nodes: middles.length,
      components: new Set(components).size,
      buildMs,
      samples: roadmap.counters.samples,
      result,
      frames: frames.map((frame) => frame.poses),
      clearances: Float64Array.from(frames, ({ clearance }) => clearance),
    };
  },
};
