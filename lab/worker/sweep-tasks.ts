// Tasks of the scene that sweeps mechanisms: the sweep of all pairs, and one pair along one joint. The last study stays here.
import { type Box, type Pose, type ProgressOptions, pose, type Vec3 } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import { Pair, ProximityModel } from 'nearfield/proximity';
import { type MotionSample, MotionStudy, motionSample, type SweepPlace, type SweepResult } from 'nearfield/sweep';

/** Places along the joint that is shown. */
export const SWEEP_FRAMES = 181;

/** Places along each joint that the view's box is taken of. */
const BOX_PLACES = 13;

/** What is swept; ranges and values as JSON, so that equal ones are the same question. */
export interface AskedSweep {
  readonly sample: MotionSample;
  /** Ranges of joints by name. */
  readonly vary: string;
  readonly clearance: number;
}

export interface OpenedMechanism {
  readonly bodies: readonly { readonly name: string; readonly mesh: Mesh }[];
  /** Around all parts over all of the motion. */
  readonly box: Box;
}

/** A pair along one joint; the others are where the pair is nearest. */
export interface FollowedPair {
  /** Values of the joint. */
  readonly places: Float64Array;
  readonly gaps: Float64Array;
  /** What is proven between each place and its neighbors. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Seven numbers a body, body by body, frame by frame. */
  readonly poses: Float64Array;
  /** The nearest points, six numbers a frame; NaN where the parts meet. */
  readonly nearest: Float64Array;
}

/** Robots have z up, the view y. */
const UPRIGHT: Pose = [0, 0, 0, -Math.SQRT1_2, 0, 0, Math.SQRT1_2];

let study: { readonly key: string; readonly study: MotionStudy; result: SweepResult | null } | null = null;

export const sweepTasks = {
  openMechanism({ sample, vary }: { sample: MotionSample; vary: string }): OpenedMechanism {
    const opened = new MotionStudy(motionSample(sample), { vary: JSON.parse(vary) });
    return { bodies: opened.bodies, box: sweptBox(opened, placed(sample)) };
  },

  sweepMechanism(asked: AskedSweep, options: ProgressOptions): SweepResult {
    return resultOf(asked, options);
  },

  /** @param pair its number in the result; −1 for the motion alone. */
  followSwept({ pair, axis, ...asked }: AskedSweep & { pair: number; axis: string }, options: ProgressOptions) {
    const result = resultOf(asked, options);
    return followPair(studyOf(asked, options).study, result, pair, axis, placed(asked.sample));
  },
};

function studyOf(asked: AskedSweep, options: ProgressOptions): NonNullable<typeof study> {
  const key = JSON.stringify(asked);
  if (study?.key === key) return study;
  const { sample, vary, clearance } = asked;
  const made = new MotionStudy(motionSample(sample), { vary: JSON.parse(vary), clearance, ...options });
  study = { key, study: made, result: null };
  return study;
}

function resultOf(asked: AskedSweep, options: ProgressOptions): SweepResult {
  const held = studyOf(asked, options);
  held.result ??= held.study.sweep();
  return held.result;
}

/** Where the world of the sample is in the view. */
function placed(sample: MotionSample): Pose {
  return sample === 'arm' ? UPRIGHT : pose.identity();
}

function followPair(shown: MotionStudy, result: SweepResult, pair: number, axis: string, world: Pose): FollowedPair {
  const { low, high } = shown.axes.find(({ name }) => name === axis)!;
  const places = Float64Array.from({ length: SWEEP_FRAMES }, (_, i) => low + ((high - low) * i) / (SWEEP_FRAMES - 1));
  const swept = result.pairs[pair];
  const at = swept === undefined ? {} : (swept.at as Readonly<Record<string, number>>);
  const { bodies } = shown;
  const frames = Array.from(places, (value) =>
    shown.posesAt({ ...at, [axis]: value }).map((own) => pose.multiply(world, own)),
  );
  const poses = Float64Array.from(frames.flatMap((all) => all.flatMap((own) => [...own])));
  const nearest = new Float64Array(6 * SWEEP_FRAMES).fill(Number.NaN);
  if (swept === undefined) {
    const unknown = new Float64Array(SWEEP_FRAMES).fill(Number.NaN);
    return { places, gaps: unknown, lower: unknown, upper: unknown, poses, nearest };
  }
  const samples = shown.curve(swept.a, swept.b, at, axis, SWEEP_FRAMES);
  const [a, b] = [swept.a, swept.b].map((name) => bodies.findIndex((body) => body.name === name));
  const query = new Pair(new ProximityModel(bodies[a].mesh), new ProximityModel(bodies[b].mesh), { volume: 'boxes' });
  for (const [i, all] of frames.entries()) {
    const { witness, intersects } = query.distance(all[a], all[b]);
    if (witness !== null && !intersects) nearest.set([...witness.pointA, ...witness.pointB], 6 * i);
  }
  return {
    places,
    gaps: Float64Array.from(samples, ({ gap }) => gap),
    lower: Float64Array.from(samples, ({ lower }) => lower),
    upper: Float64Array.from(samples, ({ upper }) => upper),
    poses,
    nearest,
  };
}

/** Around all bodies at a grid of places. */
function sweptBox(opened: MotionStudy, world: Pose): Box {
  const min: Vec3 = [Infinity, Infinity, Infinity];
  const max: Vec3 = [-Infinity, -Infinity, -Infinity];
  const models = opened.bodies.map(({ mesh }) => new ProximityModel(mesh));
  for (const place of gridOf(opened.axes)) {
    for (const [body, own] of opened.posesAt(place).entries())
      include(models[body], pose.multiply(world, own), min, max);
  }
  return { min, max };
}

function gridOf(axes: MotionStudy['axes']): SweepPlace[] {
  return axes.reduce<Readonly<Record<string, number>>[]>(
    (places, { name, low, high }) =>
      places.flatMap((place) =>
        Array.from({ length: BOX_PLACES }, (_, i) => ({
          ...place,
          [name]: low + ((high - low) * i) / (BOX_PLACES - 1),
        })),
      ),
    [{}],
  );
}

function include({ boxMin, boxMax }: ProximityModel, at: Pose, min: Vec3, max: Vec3): void {
  for (let corner = 0; corner < 8; corner++) {
    const local = [0, 1, 2].map((k) => ((corner >> k) & 1 ? boxMax : boxMin)[k]) as Vec3;
    for (const [k, value] of pose.transformPoint(at, local).entries()) {
      min[k] = Math.min(min[k], value);
      max[k] = Math.max(max[k], value);
    }
  }
}
