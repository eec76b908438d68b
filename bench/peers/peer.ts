// What a peer that runs in this process offers, and its turn in a contest.
import type { Pose } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import { cpuMicroseconds, type FrameContestant } from '../proximity-contest.js';
import type { PreparedScenario } from '../proximity-ours.js';

/** What making a mesh ready cost. */
export interface PeerModel {
  readonly buildMilliseconds: number;
  /** Null where it cannot be told. */
  readonly bytes: number | null;
}

/** 0 or 1, or the distance, of two meshes that were made ready before. The frame and the pair tell where in the scenario. */
export type PairAnswer = (meshA: Mesh, meshB: Mesh, a: Pose, b: Pose, frame: number, pair: number) => number;

/** About how long a peer may take for a pass, milliseconds: a slow one answers fewer frames, spread over the scenario. */
const PATIENCE = 2500;

/** A peer's turn; how many frames it answers is told by the time it takes for one. Null where it cannot answer. */
export function peerContestant(
  name: string,
  { scenario, poses }: PreparedScenario,
  answer: PairAnswer,
): FrameContestant | null {
  const { bodies, pairs, frameCount } = scenario;
  const frame = (index: number, answers: Float64Array, from: number): void => {
    for (const [pair, [a, b]] of pairs.entries()) {
      answers[from + pair] = answer(bodies[a].mesh, bodies[b].mesh, poses[index][a], poses[index][b], index, pair);
    }
  };
  const probe = new Float64Array(pairs.length);
  let once = 0;
  try {
    // The second time tells, as the first compiles; unless the first took so long that it is the measurement.
    for (let time = 0; time < 2 && once < 1000 * PATIENCE; time++) {
      const start = cpuMicroseconds();
      frame(0, probe, 0);
      once = cpuMicroseconds() - start;
    }
  } catch {
    return null;
  }
  const stride = Math.min(frameCount, Math.max(1, Math.ceil((frameCount * once) / (1000 * PATIENCE))));
  const frames = Math.ceil(frameCount / stride);
  return {
    name,
    frames,
    stride,
    isWarm: stride > 1,
    pass: (answers) => {
      if (frames === 1) {
        answers.set(probe);
        return once;
      }
      const begin = cpuMicroseconds();
      for (let i = 0; i < frames; i++) frame(i * stride, answers, i * pairs.length);
      return cpuMicroseconds() - begin;
    },
  };
}
