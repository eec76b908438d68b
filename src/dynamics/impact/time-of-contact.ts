// When two moving shapes touch: the public query, with its arguments checked.
import { nameValue } from '../../core/check/check-options.js';
import { takePose } from '../../core/check/check-pose.js';
import { checkedElsewhere, numberAbove, numberFrom, oneOf, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { ReadonlyPose } from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';
import { CollisionShape } from '../../manifold/shape/collision-shape.js';
import { assertVector } from '../../mesh/query/query-arguments.js';
import { assertLength } from '../../proximity/arguments.js';
import { BracketSearch } from '../published/bracket-search.js';
import { CorePair } from './core-pair.js';
import { StepMotion } from './step-motion.js';

/**
 * How the time is found. 'certified': by distances and bounds on the motion, which also finds overlap that begins and
 * ends within the step. The others look at the two ends of the step first, and see nothing if the shapes are apart at
 * both; then they try times in between, chosen by halving, by interpolating the gap, or by following its rate at the start.
 */
export type TimeOfContactMethod = 'certified' | 'cubic' | 'quadratic' | 'linear' | 'extrapolation' | 'bisection';

/** All methods, the default first. */
export const TIME_OF_CONTACT_METHODS: readonly TimeOfContactMethod[] = [
  'certified',
  'cubic',
  'quadratic',
  'linear',
  'extrapolation',
  'bisection',
];

/** A shape and how it moves: a point of it moves on a straight line, and it turns evenly about that point. */
export interface MovingShape {
  readonly shape: CollisionShape;
  /** Of the shape's frame at time 0. */
  readonly pose: ReadonlyPose;
  /** Of the center. Default 0. */
  readonly velocity?: ReadonlyVec3 | undefined;
  /** In world axes, rad per unit of time. Default 0. */
  readonly angularVelocity?: ReadonlyVec3 | undefined;
  /** The point that it turns about, in the shape's frame. Default: its origin. */
  readonly center?: ReadonlyVec3 | undefined;
}

/** Options of {@link timeOfContact}. */
export interface TimeOfContactOptions {
  /** How long the shapes move. Default 1. */
  readonly duration?: number | undefined;
  /** Default 'certified'. */
  readonly method?: TimeOfContactMethod | undefined;
  /** A gap of at most this counts as contact. Default 1e-9 of the larger bounding radius. */
  readonly tolerance?: number | undefined;
  /** The most times that the methods other than 'certified' try. Default 200. */
  readonly maxIterations?: number | undefined;
}

/** When two shapes touch first. */
export interface TimeOfContact {
  /**
   * 'contact': at `time` they nearly touch. 'clear': they stay apart, which only 'certified' proves; the others know it of
   * the ends of the step. 'overlap': they do at the start. 'unresolved': `maxIterations` was reached.
   */
  readonly status: 'contact' | 'clear' | 'overlap' | 'unresolved';
  /** When they nearly touch and are still apart; null without contact. */
  readonly time: number | null;
  /** They are apart at `lower`; with 'certified' all the time up to it. They overlap at `upper`, or null if they never do. */
  readonly lower: number;
  readonly upper: number | null;
  /** Whether it is proven that they do not touch before `lower`. */
  readonly certified: boolean;
  /** Times tried; for 'certified' the times at which pairs of boxes or triangles were bounded. */
  readonly iterations: number;
  /** Queries for depths, each far dearer than one for a distance. */
  readonly depths: number;
  /** The nearest points at `time` and the unit normal from A to B; null without contact. */
  readonly pointA: Vec3 | null;
  readonly pointB: Vec3 | null;
  readonly normal: Vec3 | null;
}

const MOVING_SHAPE = optionTable<MovingShape>()({
  shape: checkedElsewhere<CollisionShape>(),
  pose: checkedElsewhere<ReadonlyPose>(),
  // Checked by assertVector, whose message names the component that is wrong.
  velocity: checkedElsewhere<ReadonlyVec3>([0, 0, 0]),
  angularVelocity: checkedElsewhere<ReadonlyVec3>([0, 0, 0]),
  center: checkedElsewhere<ReadonlyVec3>([0, 0, 0]),
});

/** Chosen: the gap that counts as contact, in shares of the larger bounding radius. */
const DEFAULT_TOLERANCE = 1e-9;
/** Chosen: times that methods other than certified try. Interpolation takes 2 to 8, bisection 20. */
const DEFAULT_ITERATIONS = 200;

const OPTIONS = optionTable<TimeOfContactOptions>()({
  duration: numberAbove(0, 1),
  method: oneOf(TIME_OF_CONTACT_METHODS, 'certified'),
  tolerance: checkedElsewhere<number>(),
  maxIterations: numberFrom(1, DEFAULT_ITERATIONS),
});

/** Chosen: a turn by more than this, rad, is refused: bounds on the motion would take for ever. */
const MAX_TURN = 1e4;

/**
 * The first time at which two moving shapes touch.
 * @throws NearfieldError for invalid shapes, motions or options.
 */
export function timeOfContact(a: MovingShape, b: MovingShape, options: TimeOfContactOptions = {}): TimeOfContact {
  const { duration, method, maxIterations } = OPTIONS.read(options);
  const motionA = readMotion(a, 'A', duration);
  const motionB = readMotion(b, 'B', duration);
  const pair = new CorePair(a.shape, b.shape);
  const { tolerance = DEFAULT_TOLERANCE * pair.size } = options;
  assertLength(tolerance, 'tolerance');
  if (method === 'certified') return certify(pair, motionA, motionB, duration, tolerance);
  const search = new BracketSearch(a.shape, b.shape, pair);
  const end = search.run(method, motionA, motionB, tolerance, maxIterations);
  const { iterations, depths } = search;
  const cost = { certified: false, iterations, depths };
  if (end === 'clear') return { ...NO_CONTACT, ...cost, status: 'clear', lower: duration };
  if (end === 'overlap') return { ...NO_CONTACT, ...cost, status: 'overlap', lower: 0, upper: 0 };
  const [lower, upper] = [search.lower * duration, search.upper * duration];
  if (end === 'limit') return { ...NO_CONTACT, ...cost, status: 'unresolved', lower, upper };
  return { status: 'contact', time: lower, lower, upper, ...cost, ...pointsOf(pair) };
}

const NO_CONTACT = { time: null, upper: null, pointA: null, pointB: null, normal: null };

function pointsOf({ pointA, pointB, normal }: CorePair): { pointA: Vec3; pointB: Vec3; normal: Vec3 } {
  return { pointA: [...pointA], pointB: [...pointB], normal: [...normal] };
}

function certify(pair: CorePair, a: StepMotion, b: StepMotion, duration: number, tolerance: number): TimeOfContact {
  const found = pair.certify(a, b, 0, tolerance);
  const { status, lower, upper, counters } = found;
  const cost = { certified: true, iterations: counters.volumePairs + counters.trianglePairs, depths: 0 };
  const times = { lower: lower * duration, upper: upper === null ? null : upper * duration };
  if (status === 'clear') return { ...NO_CONTACT, ...cost, status: 'clear', lower: duration };
  if (status === 'unresolved') return { ...NO_CONTACT, ...cost, status: 'unresolved', lower: times.lower };
  if (upper === 0) return { ...NO_CONTACT, ...cost, status: 'overlap', ...times };
  pair.takeContact(found, a, b);
  return { status: 'contact', time: times.lower, ...times, ...cost, ...pointsOf(pair) };
}

function readMotion(moving: MovingShape, name: string, duration: number): StepMotion {
  if (moving === null || typeof moving !== 'object') {
    throw new NearfieldError(
      'bad-argument',
      `The moving shape ${name} is ${nameValue(moving)}; give { shape, pose, … }.`,
    );
  }
  const { shape, velocity, angularVelocity, center } = MOVING_SHAPE.read(moving, `the moving shape ${name}`);
  if (!(shape instanceof CollisionShape)) {
    throw new NearfieldError(
      'bad-argument',
      `The shape ${name} is ${nameValue(shape)}; give one made by CollisionShape.solid or CollisionShape.ball.`,
    );
  }
  const pose = takePose(moving.pose, name);
  assertVector(velocity, `velocity of ${name}`);
  assertVector(angularVelocity, `angular velocity of ${name}`);
  assertVector(center, `center of ${name}`);
  const turn = Math.hypot(angularVelocity[0], angularVelocity[1], angularVelocity[2]) * duration;
  if (turn > MAX_TURN) {
    throw new NearfieldError(
      'too-large',
      `${name} turns by ${turn} rad; give a shorter duration, up to ${MAX_TURN} rad.`,
    );
  }
  // A ball that turns about its center stays where it is.
  const still = shape.ballRadius > 0 && center[0] === 0 && center[1] === 0 && center[2] === 0;
  const rotation: quat.Quat = [pose[3], pose[4], pose[5], pose[6]];
  const arm = quat.rotate(rotation, [center[0], center[1], center[2]]);
  const start = [pose[0] + arm[0], pose[1] + arm[1], pose[2] + arm[2]];
  return new StepMotion().set(0, start, rotation, velocity, still ? [0, 0, 0] : angularVelocity, center, duration);
}
