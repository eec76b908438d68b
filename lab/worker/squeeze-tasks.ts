// Tasks of the scene that squeezes an elastic agent through a gap: made once for each choice, stepped as the page asks. What was
// recorded of earlier steps is shown again; it is the same in every run.
import { type Pose, type ProgressOptions, reportProgress, type Vec3 } from 'nearfield/core';
import { findModel, type Mesh } from 'nearfield/mesh';
import { DeformableAgent, type DeformableStatus } from 'nearfield/planning';
import { BALL, BLOCK, blockPoses, type SqueezeChoice, squeezeOptions } from '../samples/squeeze.js';
import { median } from './recent-times.js';

/** What does not change while it moves. */
export interface OpenedSqueeze {
  readonly ball: Mesh;
  readonly block: Mesh;
  readonly blocks: readonly Pose[];
  readonly goal: Vec3;
  /** In kilograms. */
  readonly mass: number;
  /** The least width of passages that are tried, in meters. */
  readonly narrowest: number;
  /** How far the surface of elements is from the mesh at rest, at most, in meters. */
  readonly surfaceDistance: number;
  readonly triangles: number;
  readonly milliseconds: number;
}

/** The agent at a step. */
export interface SqueezeAt {
  readonly surface: Mesh;
  readonly center: Vec3;
  readonly time: number;
  readonly status: DeformableStatus;
  readonly reason: string | null;
  readonly speed: number;
  /** What is left of the way, in meters; null where none is known. */
  readonly left: number | null;
  readonly converged: boolean;
  /** Of all steps up to this one. */
  readonly largestForce: number;
  readonly leastVolume: number;
  readonly penetration: number;
  /** Three numbers a step, up to this one. */
  readonly way: Float64Array;
  /** One number a step, up to the last that was made. */
  readonly forces: Float64Array;
  readonly contactForces: Float64Array;
  /** The step in which it arrived or was stuck; null while it moves. */
  readonly ended: number | null;
  readonly milliseconds: number;
  /** Of the last 60 steps, in milliseconds; null before the first. */
  readonly median: number | null;
}

type SqueezeRecord = Omit<SqueezeAt, 'way' | 'forces' | 'contactForces' | 'ended' | 'median'> & {
  readonly force: number;
  readonly contactForce: number;
};

/** What the scene says of it. */
export const SQUEEZE_STATUS: Readonly<Record<DeformableStatus, string>> = {
  moving: 'under way',
  arrived: 'arrived',
  stuck: 'stuck',
};

const RECENT = 60;

let live: { readonly key: string; readonly squeeze: LiveSqueeze } | null = null;

export const squeezeTasks = {
  openSqueeze(choice: SqueezeChoice, options: ProgressOptions): OpenedSqueeze {
    const begin = performance.now();
    reportProgress(options, 0, 'making elements');
    const { agent } = liveOf(choice);
    const { toInput, fromInput } = agent.surfaceDistance;
    return {
      ball: findModel('sphere').build(BALL),
      block: findModel('box').build(BLOCK),
      blocks: blockPoses(choice),
      goal: squeezeOptions(choice).goal,
      mass: agent.mass,
      narrowest: 2 * agent.narrowest,
      surfaceDistance: Math.max(toInput, fromInput),
      triangles: agent.surface.indices.length / 3,
      milliseconds: performance.now() - begin,
    };
  },

  /** The agent at a step: moved to there, or as it was; after its end it stays as it is. */
  stepSqueeze({ step, ...choice }: SqueezeChoice & { step: number }, options: ProgressOptions): SqueezeAt {
    const squeeze = liveOf(choice);
    squeeze.advanceTo(step, (fraction) => reportProgress(options, fraction, 'simulating'));
    const { records } = squeeze;
    const shown = Math.min(step, records.length - 1);
    const times = records.slice(1, shown + 1).map(({ milliseconds }) => milliseconds);
    return {
      ...records[shown],
      way: Float64Array.from(records.slice(0, shown + 1).flatMap(({ center }) => center)),
      forces: Float64Array.from(records, ({ force }) => force),
      contactForces: Float64Array.from(records, ({ contactForce }) => contactForce),
      ended: squeeze.agent.status === 'moving' ? null : records.length - 1,
      median: times.length === 0 ? null : median(times.slice(-RECENT)),
    };
  },
};

function liveOf({ gap, force, young }: SqueezeChoice): LiveSqueeze {
  const key = JSON.stringify([gap, force, young]);
  if (live?.key !== key) live = { key, squeeze: new LiveSqueeze({ gap, force, young }) };
  return live.squeeze;
}

class LiveSqueeze {
  readonly agent: DeformableAgent;
  /** One a step, from step 0. */
  readonly records: SqueezeRecord[] = [];

  constructor(choice: SqueezeChoice) {
    const mesh = findModel('box').build(BLOCK);
    this.agent = new DeformableAgent({
      ...squeezeOptions(choice),
      mesh: findModel('sphere').build(BALL),
      obstacles: blockPoses(choice).map((pose) => ({ mesh, pose })),
    });
    this.#write({ force: 0, contactForce: 0, speed: 0, left: Infinity, converged: true }, 0);
  }

  /** Makes steps up to one, or to the end of the motion; `report` may throw to stop. */
  advanceTo(step: number, report: (fraction: number) => void): void {
    const first = this.records.length;
    while (this.records.length <= step && this.agent.status === 'moving') {
      report((this.records.length - first) / (step + 1 - first));
      const begin = performance.now();
      const made = this.agent.step();
      this.#write(made, performance.now() - begin);
    }
  }

  #write(
    { left, ...made }: Pick<SqueezeRecord, 'force' | 'contactForce' | 'speed' | 'converged'> & { left: number },
    milliseconds: number,
  ): void {
    const { agent } = this;
    const before = this.records.at(-1);
    const { force, contactForce, speed, converged } = made;
    this.records.push({
      ...{ force, contactForce, speed, converged, milliseconds },
      surface: agent.surface,
      center: agent.center,
      time: agent.time,
      status: agent.status,
      reason: agent.reason,
      left: left === Infinity ? null : left,
      largestForce: Math.max(before?.largestForce ?? 0, force),
      leastVolume: agent.leastVolume,
      penetration: Math.max(before?.penetration ?? 0, agent.worstPenetration()),
    });
  }
}
