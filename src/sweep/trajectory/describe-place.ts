// The nearest place of a segment in words: which bodies, where on them, and how deep they overlap.
import type { Deadline } from '../../core/deadline.js';
import type { Vec3 } from '../../core/vec3.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { Body, BodyPair } from '../../kinematics/validity/watched-pairs.js';
import { measurePenetrationSync } from '../../penetration/measure-on-cpu.js';
import { findCrossingCurves } from '../../proximity/crossing-curves.js';
import { measureDistance } from '../../proximity/queries.js';
import type { BuiltTimedMotion } from './build-timed-motion.js';
import type { SegmentState } from './segment-proof.js';

/** Chosen: the depth of an overlap is known well enough when its interval is this share of it wide. */
const DEPTH_GAP = 0.05;

/** Chosen: the most cells of directions that are looked at for a depth; what is proven by then is the answer. */
const DEPTH_CELLS = 20_000;

/** Chosen: where bodies meet, the segment is looked at in this many places for the middle of their overlap. */
const OVERLAP_PLACES = 16;

/** Where a segment is nearest. */
export interface DescribedPlace {
  readonly time: number;
  readonly a: string | null;
  readonly b: string | null;
  readonly pointA: Vec3 | null;
  readonly pointB: Vec3 | null;
  readonly depth: { readonly lower: number; readonly upper: number } | null;
}

/** @param deadline when it is over, no more depths are measured. */
export function describePlace(
  built: BuiltTimedMotion,
  { index, least }: SegmentState,
  deadline: Deadline | null,
): DescribedPlace {
  const { pair, scene, distance } = least;
  if (pair === null) return { time: least.time, a: null, b: null, pointA: null, pointB: null, depth: null };
  const { a, b } = pair;
  const time = distance > 0 ? least.time : middleOfOverlap(built, index, pair, scene, least.time);
  const [poseA, poseB] = posesAt(built, index, pair, scene, time);
  const names = { time, a: bodyName(built, scene, a), b: bodyName(built, scene, b) };
  const { witness, intersects } = measureDistance(a.model, b.model, poseA, poseB);
  const [pointA, pointB] = [witness?.pointA ?? null, witness?.pointB ?? null];
  if (!intersects) return { ...names, pointA, pointB, depth: null };
  const [x, y, z] = findCrossingCurves(a.model, b.model, poseA, poseB, { maxSegments: 1 });
  const point: Vec3 | null = x === undefined ? pointA : [x, y, z];
  const isOver = deadline?.isOver('Measuring depths') ?? false;
  if (isOver || !a.model.closed || !b.model.closed) return { ...names, pointA: point, pointB: point, depth: null };
  const limits = { relativeGap: DEPTH_GAP, maxCells: DEPTH_CELLS };
  const { lower, upper } = measurePenetrationSync(a.model, b.model, poseA, poseB, limits);
  return { ...names, pointA: point, pointB: point, depth: { lower, upper } };
}

/** The middle of the places in a row, around one where two bodies meet, in which they do. */
function middleOfOverlap(
  built: BuiltTimedMotion,
  index: number,
  pair: BodyPair,
  scene: CollisionScene,
  time: number,
): number {
  const { from, to } = built.motion.segment(index);
  const meets = (at: number): boolean => {
    const [poseA, poseB] = posesAt(built, index, pair, scene, at);
    return measureDistance(pair.a.model, pair.b.model, poseA, poseB, { cutoff: 0 }).intersects;
  };
  const step = (to - from) / OVERLAP_PLACES;
  let [first, last] = [time, time];
  if (!(step > 0)) return time;
  while (first - step >= from && meets(first - step)) first -= step;
  while (last + step <= to && meets(last + step)) last += step;
  const middle = (first + last) / 2;
  return middle === time || meets(middle) ? middle : time;
}

function posesAt(
  { motion }: BuiltTimedMotion,
  index: number,
  { a, b }: BodyPair,
  scene: CollisionScene,
  time: number,
): readonly [number[], number[]] {
  const q = new Float64Array(motion.size);
  motion.write(motion.segment(index), time, q);
  const poses = scene.posesAt(q);
  return [[...scene.poseOf(a, poses)], [...scene.poseOf(b, poses)]];
}

/** What answers call a body: a link with its robot, a robot of one body, an obstacle. */
export function bodyName({ motion }: BuiltTimedMotion, scene: CollisionScene, { robot, index, link }: Body): string {
  if (robot < 0) return scene.obstacles[index].name;
  const own = scene.robots[robot];
  if (own.isClock) return own.links[link].name;
  if (own.chain === null) return own.name;
  return motion.robots.length > 1 ? `${own.links[link].name} of ${own.name}` : own.links[link].name;
}
