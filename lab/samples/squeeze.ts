// An elastic ball before a gap between two blocks: the setting of the scene that squeezes it through, as plain data, so that the
// scene and its code are made of the same numbers.
import type { Pose, Vec3 } from 'nearfield/core';

export const BALL = { radius: 0.25 } as const;
export const BLOCK = { width: 0.4, height: 0.7, depth: 0.6 } as const;

/** What the user chooses. */
export interface SqueezeChoice {
  /** Between the blocks, in meters. */
  readonly gap: number;
  /** The most that the ball pushes itself with, in newtons. */
  readonly force: number;
  /** Young's modulus, in pascals. */
  readonly young: number;
}

/** Where the two blocks are. */
export function blockPoses({ gap }: SqueezeChoice): [Pose, Pose] {
  const aside = (BLOCK.depth + gap) / 2;
  return [
    [0, 0, aside, 0, 0, 0, 1],
    [0, 0, -aside, 0, 0, 0, 1],
  ];
}

/** The options of the agent, but for meshes. It starts a little off the middle of the gap. */
export function squeezeOptions({ force, young }: SqueezeChoice) {
  return {
    pose: [-0.7, 0, 0.02, 0, 0, 0, 1] as Pose,
    goal: [0.7, 0, 0] as Vec3,
    bounds: { min: [-1.2, -0.2, -0.4] as Vec3, max: [1.2, 0.2, 0.4] as Vec3 },
    material: { young, density: 200, damping: { stiffness: 0.01 } },
    force,
  };
}
