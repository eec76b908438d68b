// Tasks of the scene that sweeps mechanisms: the sweep of all pairs, and one pair along one joint. The last study stays here.
import { type Box, type Pose, type ProgressOptions, pose, type Vec3 } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import { Pair, ProximityModel } from 'nearfield/proximity';
import { type GapMap, MotionStudy, type SweepOptions, type SweepPlace, type SweepResult } from 'nearfield/sweep';
import { type AskedSubject, type SubjectAxis, subjectOf } from './read-subject.js';

/** Places along the joint that is shown. */
export const SWEEP_FRAMES = 181;

/** Places along each joint that the view's box is taken of. */
const BOX_PLACES = 13;

/** What is swept; ranges and values as JSON, so that equal ones are the same question. */
export interface AskedSweep extends AskedSubject {
  /** Ranges of joints by name; none for a motion over time. */
  readonly vary: string;
  readonly clearance: number;
}

/** What can be varied of a subject. */
export interface ShownSubject {
  readonly axes: readonly SubjectAxis[];
  /** The name of the unit of length; null where nobody says it. */
  readonly unit: string | null;
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
  /** Where the other joints are. */
  readonly at: SweepPlace;
  readonly gaps: Float64Array;
  /** What is proven between each place and its neighbors. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Seven numbers a body, body by body, frame by frame. */
  readonly poses: Float64Array;
  /** The nearest points, six numbers a frame; NaN where the parts meet. */
  readonly nearest: Float64Array;
}

type Followed = AskedSweep & {
  /** Its number in the result; −1 for the motion alone. */
  readonly pair: number;
  readonly axis: string;
  /** The other joint and its share of its range, as JSON; empty where the pair is nearest. */
  readonly across: string;
};

let study: { readonly key: string; readonly study: MotionStudy; readonly result: SweepResult } | null = null;

/** Numbers of files by their bytes, for the key of a study. */
const numbers = new WeakMap<Uint8Array, number>();
let lastNumber = 0;

export const sweepTasks = {
  async readMotion(asked: AskedSubject, options: ProgressOptions): Promise<ShownSubject> {
    const { axes, unit } = await subjectOf(asked, options);
    return { axes, unit };
  },

  async openMechanism({ vary, ...asked }: AskedSubject & { vary: string }, options: ProgressOptions) {
    const { subject, world } = await subjectOf(asked, options);
    const opened = new MotionStudy(subject, rangesOf(vary));
    const shown: OpenedMechanism = { bodies: opened.bodies, box: sweptBox(opened, world) };
    return shown;
  },

  async sweepMechanism(asked: AskedSweep, options: ProgressOptions): Promise<SweepResult> {
    return (await studyOf(asked, options)).result;
  },

  async followSwept({ pair, axis, across, ...asked }: Followed, options: ProgressOptions): Promise<FollowedPair> {
    const { study: shown, result } = await studyOf(asked, options);
    const { world } = await subjectOf(asked, options);
    return followPair(shown, result, pair, axis, across, world);
  },

  /** The gaps of a pair over the two joints that are varied. */
  async mapSwept({ pair, ...asked }: AskedSweep & { pair: number }, options: ProgressOptions): Promise<GapMap> {
    const { study: shown, result } = await studyOf(asked, options);
    const { a, b, at } = result.pairs[pair];
    return shown.map(a, b, at);
  },
};

function rangesOf(vary: string): Pick<SweepOptions, 'vary'> {
  const ranges = JSON.parse(vary) as NonNullable<SweepOptions['vary']>;
  return Object.keys(ranges).length === 0 ? {} : { vary: ranges };
}

async function studyOf(
  asked: AskedSweep,
  options: ProgressOptions,
): Promise<{ readonly study: MotionStudy; readonly result: SweepResult }> {
  const { sample, bytes, vary, clearance } = asked;
  if (bytes !== null && !numbers.has(bytes)) numbers.set(bytes, ++lastNumber);
  const key = JSON.stringify([sample, bytes === null ? 0 : numbers.get(bytes), vary, clearance]);
  if (study?.key === key) return study;
  const { subject } = await subjectOf(asked, options);
  const made = new MotionStudy(subject, { ...rangesOf(vary), clearance, ...options });
  // Kept once it has an answer: one that was stopped begins anew.
  study = { key, study: made, result: made.sweep() };
  return study;
}

function followPair(
  shown: MotionStudy,
  result: SweepResult,
  pair: number,
  axis: string,
  across: string,
  world: Pose,
): FollowedPair {
  const { low, high } = shown.axes.find(({ name }) => name === axis)!;
  const places = Float64Array.from({ length: SWEEP_FRAMES }, (_, i) => low + ((high - low) * i) / (SWEEP_FRAMES - 1));
  const swept = result.pairs[pair];
  const at = across === '' ? (swept?.at ?? {}) : placeOf(shown, across);
  const placeAt = (value: number): SweepPlace => (axis === 'time' ? value : { ...(at as object), [axis]: value });
  const frames = Array.from(places, (value) => shown.posesAt(placeAt(value)).map((own) => pose.multiply(world, own)));
  const poses = Float64Array.from(frames.flatMap((all) => all.flatMap((own) => [...own])));
  const nearest = new Float64Array(6 * SWEEP_FRAMES).fill(Number.NaN);
  if (swept === undefined) {
    const unknown = new Float64Array(SWEEP_FRAMES).fill(Number.NaN);
    return { places, at, gaps: unknown, lower: unknown, upper: unknown, poses, nearest };
  }
  const samples = shown.curve(swept.a, swept.b, at, axis, SWEEP_FRAMES);
  const [a, b] = [swept.a, swept.b].map((name) => shown.bodies.findIndex((body) => body.name === name));
  const [meshA, meshB] = [a, b].map((body) => new ProximityModel(shown.bodies[body].mesh));
  const query = new Pair(meshA, meshB, { volume: 'boxes' });
  for (const [i, all] of frames.entries()) {
    const { witness, intersects } = query.distance(all[a], all[b]);
    if (witness !== null && !intersects) nearest.set([...witness.pointA, ...witness.pointB], 6 * i);
  }
  return {
    ...{ places, at, poses, nearest },
    gaps: Float64Array.from(samples, ({ gap }) => gap),
    lower: Float64Array.from(samples, ({ lower }) => lower),
    upper: Float64Array.from(samples, ({ upper }) => upper),
  };
}

function placeOf(shown: MotionStudy, across: string): SweepPlace {
  const [name, share] = JSON.parse(across) as [string, number];
  const { low, high } = shown.axes.find((axis) => axis.name === name)!;
  return { [name]: low + share * (high - low) };
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
  const along = ({ low, high }: MotionStudy['axes'][number]): number[] =>
    Array.from({ length: BOX_PLACES }, (_, i) => low + ((high - low) * i) / (BOX_PLACES - 1));
  if (axes[0]?.name === 'time') return along(axes[0]);
  return axes.reduce<Readonly<Record<string, number>>[]>(
    (places, axis) => places.flatMap((place) => along(axis).map((value) => ({ ...place, [axis.name]: value }))),
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
