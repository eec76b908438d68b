// Tasks of the scene that shows an impact: a spoon that falls and turns, and a cup.
import type { Pose } from 'nearfield/core';
import { findModel, type Mesh } from 'nearfield/mesh';
import { type Motion, type MotionResult, Pair, ProximityModel } from 'nearfield/proximity';

/** What the spoon does: the way of its origin, from above to below, and its turn. */
export interface Fall {
  readonly from: Pose;
  readonly to: Pose;
  readonly clearance: number;
}

export interface FallAnswer extends MotionResult {
  readonly milliseconds: number;
}

const CUP: Pose = [0, 0, 0, 0, 0, 0, 1];

let pair: Pair | null = null;

function openPair(): Pair {
  pair ??= new Pair(
    new ProximityModel(findModel('cup').build()),
    new ProximityModel(findModel('spoon').build()),
    // The first answer is shown at once.
    { volume: 'boxes' },
  );
  return pair;
}

export const impactTasks = {
  openFall(_: { into: 'cup' }): { cup: Mesh; spoon: Mesh } {
    const { a, b } = openPair();
    return { cup: a.mesh, spoon: b.mesh };
  },

  findImpact({ from, to, clearance }: Fall): FallAnswer {
    const motion: Motion = { a: CUP, b: { from, to } };
    const asked = openPair();
    const start = performance.now();
    const answer = asked.validateMotion(motion, { clearance });
    return { ...answer, milliseconds: performance.now() - start };
  },

  measureFall({ place }: { place: Pose }): { distance: number } {
    return { distance: openPair().distance(CUP, place).distance ?? Number.NaN };
  },
};
