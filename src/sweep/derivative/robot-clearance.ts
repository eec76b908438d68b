// The clearance of robots as a function of their joint values and poses, with derivatives: the least of all pairs of bodies that
// must stay apart, and a smooth lower bound of it for optimizers (Kreisselmeier and Steinhauser 1979).
import { nameValue } from '../../core/check/check-options.js';
import { numberAbove, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import { buildChain } from '../../kinematics/robot/build-chain.js';
import { refuse, within } from '../../kinematics/robot/refusals.js';
import { RigidRobot } from '../../kinematics/robot/rigid-robot.js';
import type { Robot } from '../../kinematics/robot/robot.js';
import { type ModelOf, soundModel } from '../../kinematics/robot/sound-model.js';
import { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { Obstacle } from '../../kinematics/validity/obstacle.js';
import type { Body, BodyPair } from '../../kinematics/validity/watched-pairs.js';
import { Pair } from '../../proximity/pair.js';
import type { MotionProblem } from '../trajectory/motion-problem.js';
import { type ClearanceGradient, type ClearanceGradientReason, gradientOfPair } from './clearance-gradient.js';

/** The least clearance of all pairs, and how it changes. */
export interface LeastClearanceGradient {
  /** Infinity where nothing can come near. */
  readonly clearance: number;
  /**
   * Change by each freedom, robot after robot: joint values of a chain; of a rigid robot three numbers for a translation, three for
   * a rotation vector about the origin of its pose, in the world's axes.
   */
  readonly gradient: Float64Array;
  /** Whether it has this gradient: one pair of bodies is nearest, at one pair of points. */
  readonly unique: boolean;
  /** 'several-pairs': other bodies are as near; others are of the nearest pair. */
  readonly reason: ClearanceGradientReason | 'several-pairs' | null;
  readonly a: string | null;
  readonly b: string | null;
}

/** A smooth function below the least clearance. */
export interface SmoothClearance {
  /** No more than the least clearance. */
  readonly lower: number;
  /** The least clearance is at most this much above `lower`. */
  readonly error: number;
  readonly gradient: Float64Array;
}

/** How {@link RobotClearance.smooth} works. */
export interface SmoothOptions {
  /** How far below the least clearance the bound may be, in meters: the smaller, the less smooth. Default a hundredth of the largest link. */
  readonly error?: number | undefined;
}

const OPTIONS = optionTable<SmoothOptions>()({ error: numberAbove(0) });

/** Rounding: pairs farther apart than the nearest by this share of it count as near too. */
const AS_NEAR = 1e-9;

/** Chosen: the default error, as a share of the largest link. */
const ERROR = 0.01;

/** Rounding: the weight of a pair that is left out; all of them change the bound by less than rounding does. */
const LIGHT = 1e-18;

/** Chosen: rigid robots may be anywhere. */
const ANYWHERE = { min: [-Infinity, -Infinity, -Infinity] as Vec3, max: [Infinity, Infinity, Infinity] as Vec3 };

/** The clearance of all pairs of bodies of a problem that must stay apart, and how it changes with the robots' freedoms. */
export class RobotClearance {
  /** The names of the freedoms, in the order of gradients: joints, or the axes of a rigid robot. */
  readonly freedoms: readonly string[];
  /** Numbers of a configuration: joint values of chains, seven for the pose of a rigid robot. */
  readonly size: number;
  readonly #scene: CollisionScene;
  readonly #robots: readonly Robot[];
  readonly #pairs: ReadonlyMap<BodyPair, Pair>;
  /** By robot: where its freedoms begin in a gradient. */
  readonly #starts: readonly number[];

  /** Obstacles that move are refused: a configuration has no time. */
  constructor(problem: MotionProblem) {
    const { robots, environment } = problem ?? {};
    if (!Array.isArray(robots) || robots.length === 0) {
      refuse(`robots is ${nameValue(robots)}; give a list of at least one robot`);
    }
    if (!Array.isArray(environment)) refuse(`environment is ${nameValue(environment)}; give a list of { mesh, pose }`);
    const notes: string[] = [];
    const modelOf: ModelOf = (mesh, name) => soundModel(mesh, name, notes, true);
    const built: Robot[] = [];
    const freedoms: string[] = [];
    const starts: number[] = [];
    let offset = 0;
    for (const [i, robot] of (robots as MotionProblem['robots']).entries()) {
      const name = robot?.name ?? `robot ${i + 1}`;
      const own: Robot = within(name, () => {
        if (robot.type === 'chain') return buildChain(robot, name, offset, true, modelOf);
        return new RigidRobot(name, offset, modelOf(robot.mesh, name), ANYWHERE);
      });
      starts.push(freedoms.length);
      const names = own.chain?.valueNames ?? ['x', 'y', 'z', 'turn x', 'turn y', 'turn z'];
      freedoms.push(...names.map((freedom) => `${name}/${freedom}`));
      built.push(own);
      offset += own.size;
    }
    const obstacles = (environment as MotionProblem['environment']).map((part, i): Obstacle => {
      const name = part?.name ?? `environment ${i + 1}`;
      if (part?.motion !== undefined) refuse(`${name} moves; give the pose that it has at the time in question`);
      const placed = part.pose === undefined ? pose.identity() : pose.parse(part.pose, name);
      return { name, model: modelOf(part.mesh, name), pose: placed };
    });
    this.#robots = built;
    this.#scene = new CollisionScene(built, obstacles, 0);
    this.#pairs = new Map(this.#scene.bodyPairs.map((pair) => [pair, new Pair(pair.a.model, pair.b.model)]));
    this.#starts = starts;
    this.freedoms = freedoms;
    this.size = offset;
  }

  /** The least signed clearance at a configuration: robot after robot, joint values or poses. */
  at(configuration: ArrayLike<number>): LeastClearanceGradient {
    const q = this.#read(configuration);
    const [nearest, ...others] = this.#measure(q, 0, false);
    const gradient = new Float64Array(this.freedoms.length);
    if (nearest === undefined) return { clearance: Infinity, gradient, unique: true, reason: null, a: null, b: null };
    this.#add(q, nearest.pair, nearest.found, 1, gradient);
    const { clearance, unique, reason } = nearest.found;
    const limit = clearance + AS_NEAR * Math.abs(clearance);
    const isShared = others.some(({ found }) => found.clearance <= limit);
    return {
      clearance,
      gradient,
      unique: unique && !isShared,
      reason: reason ?? (isShared ? 'several-pairs' : null),
      a: this.#nameOf(nearest.pair.a),
      b: this.#nameOf(nearest.pair.b),
    };
  }

  /** A smooth lower bound of the least signed clearance: minus the soft maximum of all pairs' negatives. */
  smooth(configuration: ArrayLike<number>, options: SmoothOptions = {}): SmoothClearance {
    const { error = ERROR * this.#scene.scale } = OPTIONS.read(options);
    const q = this.#read(configuration);
    const count = this.#pairs.size;
    const gradient = new Float64Array(this.freedoms.length);
    if (count === 0) return { lower: Infinity, error: 0, gradient };
    // The bound is below the least by at most log(count) / sharpness.
    const sharpness = Math.log(Math.max(2, count)) / error;
    const found = this.#measure(q, -Math.log(LIGHT / count) / sharpness, true);
    const least = found[0].found.lower;
    let sum = 0;
    const weights = found.map((own) => Math.exp(-sharpness * (own.found.lower - least)));
    for (const weight of weights) sum += weight;
    for (const [i, own] of found.entries()) this.#add(q, own.pair, own.found, weights[i] / sum, gradient);
    return { lower: least - (Math.log(sum) + LIGHT * count) / sharpness, error, gradient };
  }

  /** All pairs with a clearance up to the least one and `beyond`, nearest first. */
  #measure(
    q: Float64Array,
    beyond: number,
    isRough: boolean,
  ): { readonly pair: BodyPair; readonly found: ClearanceGradient }[] {
    const poses = this.#scene.posesAt(q);
    const placed = [...this.#pairs].map(([pair, queries]) => {
      const [poseA, poseB] = [pair.a, pair.b].map((body) => [...this.#scene.poseOf(body, poses)] as pose.Pose);
      return { pair, queries, poseA, poseB, about: queries.distance(poseA, poseB).distance! };
    });
    let least = Infinity;
    for (const { about } of placed) least = Math.min(least, about);
    // Of pairs that overlap the deepest counts: that of the others is above it.
    const limit = least + AS_NEAR * least + beyond;
    const near = placed.filter(({ about }) => about <= limit);
    const found = near.map(({ pair, queries, poseA, poseB }) => ({
      pair,
      found: gradientOfPair(queries, poseA, poseB, {}, isRough),
    }));
    return found.sort((one, other) => one.found.clearance - other.found.clearance);
  }

  /** Adds the change of a pair's clearance by all freedoms. */
  #add(q: Float64Array, { a, b }: BodyPair, found: ClearanceGradient, weight: number, out: Float64Array): void {
    const { translationA, translationB, rotationA, rotationB } = found;
    this.#push(q, a, translationA, rotationA ?? [0, 0, 0], weight, out);
    this.#push(q, b, translationB, rotationB ?? [0, 0, 0], weight, out);
  }

  /** Adds what freedoms do against a force at the origin of a link and a moment. */
  #push(q: Float64Array, body: Body, force: Vec3, moment: Vec3, weight: number, out: Float64Array): void {
    if (body.robot < 0) return;
    const robot = this.#robots[body.robot];
    const start = this.#starts[body.robot];
    if (robot.chain === null) {
      for (let k = 0; k < 3; k++) {
        out[start + k] += weight * force[k];
        out[start + 3 + k] += weight * moment[k];
      }
      return;
    }
    const { chain } = robot;
    const poses = new Float64Array(7 * robot.links.length);
    robot.place(q, poses);
    const origin = [...poses.subarray(7 * body.link, 7 * body.link + 3)] as Vec3;
    const row = new Float64Array(chain.size);
    const add = (point: Vec3, direction: Vec3, scale: number): void => {
      chain.pushRow(q, poses, body.link, point, direction, row);
      for (let k = 0; k < chain.size; k++) out[start + k] += weight * scale * row[k] * chain.reachOf(k);
    };
    add(origin, force, 1);
    const length = vec3.length(moment);
    if (!(length > 0)) return;
    // A couple of forces has the moment: one at each side of the origin.
    const axis = vec3.scale(moment, 1 / length);
    const side = vec3.normalize(vec3.cross(axis, Math.abs(axis[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]));
    const direction = vec3.cross(axis, side);
    const half = vec3.scale(side, 0.5);
    add(vec3.add(origin, half), direction, length);
    add(vec3.subtract(origin, half), direction, -length);
  }

  #read(configuration: ArrayLike<number>): Float64Array {
    const list = Float64Array.from(configuration ?? []);
    if (list.length === this.size && list.every(Number.isFinite)) return list;
    throw new NearfieldError(
      'bad-argument',
      `The configuration is ${nameValue(configuration)}; give ${this.size} finite numbers.`,
    );
  }

  #nameOf({ robot, index, link }: Body): string {
    if (robot < 0) return this.#scene.obstacles[index].name;
    const own = this.#robots[robot];
    if (own.chain === null) return own.name;
    return this.#robots.length > 1 ? `${own.links[link].name} of ${own.name}` : own.links[link].name;
  }
}
