// A chain as a guide leads it: a point of its last link, the tool or the load, follows the guide, and inverse kinematics moves the
// joints. The link's long side is turned along the way, across what is narrow, or as it is at one of the ends.
import * as pose from '../../core/pose.js';
import type { Random } from '../../core/random.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import { LinkSolver, type LinkTarget } from '../../kinematics/inverse/link-solver.js';
import type { ChainRobot } from '../../kinematics/robot/chain-robot.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { BodyPair } from '../../kinematics/validity/watched-pairs.js';
import type { GuideShape } from '../guide/guide.js';

/** Chosen: the count of random configurations that tell where the tool can be. */
const SAMPLES = 600;

/** Chosen: the most steps of inverse kinematics for one place. */
const STEPS = 40;

/** Chosen: a place is reached within this share of the tool's size. */
const CLOSE = 1e-3;

/** Chosen: an orientation is reached within this angle, in radians. */
const ALIGNED = 0.02;

/** Chosen: how far a value may move points in the test whether it moves the anchor, as a share of the tool's size. */
const HELD_STEP = 1e-3;

/** Chosen: the most configurations at one place. */
const MAX_WAYS = 6;

/** Chosen: the count of them that are found from random values. */
const RANDOM = 2;

/** Chosen: two configurations of a place are the same if no point moves by more than this share of the tool's size. */
const SAME = 0.02;

export class GuidedChain implements GuideShape {
  readonly robot: ChainRobot;
  /** The index of the tool among the links with bodies. */
  readonly link: number;
  readonly anchor: Vec3;
  readonly radius: number;
  readonly halfWidth: number;
  readonly bounds: { readonly min: Vec3; readonly max: Vec3 };
  /** The long side of the tool, in its frame. */
  readonly long: Vec3;
  readonly #scene: CollisionScene;
  readonly #solver: LinkSolver;
  /** By link: whether the place of the anchor tells where it is. */
  readonly #areHeld: readonly boolean[];

  constructor(scene: CollisionScene, robot: ChainRobot, random: Random) {
    this.#scene = scene;
    this.robot = robot;
    this.link = toolOf(robot);
    const { name, model } = robot.links[this.link];
    const { boxMin: min, boxMax: max } = model;
    this.anchor = min.map((value, k) => (value + max[k]) / 2) as Vec3;
    const sides = max.map((value, k) => value - min[k]);
    const longest = sides.indexOf(Math.max(...sides));
    this.long = [0, 1, 2].map((k) => (k === longest ? 1 : 0)) as Vec3;
    this.radius = Math.hypot(...sides) / 2;
    this.halfWidth = Math.min(...sides) / 2;
    this.#solver = new LinkSolver(robot, robot.linkNames.indexOf(name));
    const [low, high]: [Vec3, Vec3] = [
      [Infinity, Infinity, Infinity],
      [-Infinity, -Infinity, -Infinity],
    ];
    const q = new Float64Array(scene.size);
    for (let i = 0; i < SAMPLES; i++) {
      robot.sample(random, q);
      for (const [k, value] of this.anchorAt(q).entries()) {
        low[k] = Math.min(low[k], value);
        high[k] = Math.max(high[k], value);
      }
    }
    this.bounds = { min: low, max: high };
    this.#areHeld = robot.links.map((_, link) => this.#isHeld(link, q));
  }

  /** Whether the place of the anchor tells where a link is: both are moved by the same values, up to three. */
  #isHeld(link: number, q: Float64Array): boolean {
    const { robot } = this;
    const own = robot.jointsOf(robot.linkNames.indexOf(robot.links[link].name)).map((j) => robot.valueOf(j).value);
    const at = this.anchorAt(q);
    let count = 0;
    for (let value = 0; value < robot.size; value++) {
      const moved = q.slice();
      moved[robot.offset + value] += HELD_STEP / robot.reachOf(value);
      if (own.includes(value) !== vec3.distance(at, this.anchorAt(moved)) > 1e-3 * HELD_STEP) return false;
      if (own.includes(value)) count++;
    }
    return count <= 3;
  }

  /** Whether two bodies that touch may come apart by another turn of the tool about its anchor; true where that is not known. */
  isTurnable(touching: BodyPair | null): boolean {
    if (touching === null) return true;
    return [touching.a, touching.b].some(({ robot, link }) => robot >= 0 && !this.#areHeld[link]);
  }

  /** Where the anchor is. */
  anchorAt(q: Float64Array): Vec3 {
    return pose.transformPoint(this.#frameAt(q), this.anchor);
  }

  /** Where the long side points. */
  longAt(q: Float64Array): Vec3 {
    return pose.transformVector(this.#frameAt(q), this.long);
  }

  /**
   * Free configurations with the anchor at a point: as the given ones are turned, and turned along directions.
   * @param random for some from random values; null for none.
   */
  candidates(
    point: Readonly<Vec3>,
    from: readonly Float64Array[],
    directions: readonly Vec3[],
    random: Random | null,
  ): Float64Array[] {
    const found: Float64Array[] = [];
    const add = (begin: Float64Array, along: Vec3 | null): void => {
      if (found.length >= MAX_WAYS) return;
      const q = this.reach(begin, point, along);
      if (q === null || found.some((other) => this.robot.distance(other, q) < SAME * this.radius)) return;
      if (this.#scene.isFree(q)) found.push(q);
    };
    for (const q of from) add(q, null);
    for (const along of directions) for (const q of from.slice(0, 1)) add(q, along);
    for (let i = 0; random !== null && i < RANDOM; i++) {
      const q = new Float64Array(this.#scene.size);
      this.robot.sample(random, q);
      this.#scene.counters.samples++;
      add(q, null);
    }
    return found;
  }

  /** Joint values with the anchor at a point, near given ones; null where they are not found. */
  reach(from: Float64Array, point: Readonly<Vec3>, along: Vec3 | null): Float64Array | null {
    const q = from.slice();
    const target: LinkTarget = {
      point: this.anchor,
      position: point,
      orientation: null,
      alignment: along === null ? null : { own: this.long, along },
      tolerance: CLOSE * this.radius,
      angleTolerance: ALIGNED,
    };
    const { position, angle } = this.#solver.solve(q, target, STEPS);
    // As far as the joints can turn it is turned; the position has to hold.
    if (position > 0 && along !== null && angle > 0) {
      return this.#solver.solve(q, { ...target, alignment: null }, STEPS).position > 0 ? null : q;
    }
    return position > 0 ? null : q;
  }

  #frameAt(q: Float64Array): Float64Array {
    return this.robot.frameAt(q, this.#solver.link);
  }
}

/** The link with a body that the most joints move; the last of several. */
function toolOf(robot: ChainRobot): number {
  let [best, most] = [0, -1];
  for (const [k, { name, isTested }] of robot.links.entries()) {
    const { length } = robot.jointsOf(robot.linkNames.indexOf(name));
    if (isTested && length >= most) [best, most] = [k, length];
  }
  return best;
}

/** A direction along a passage across what is narrow there; null where it is not to be told. */
export function alongSlot(tangent: Readonly<Vec3>, narrow: Readonly<Vec3>): Vec3 | null {
  const across = vec3.cross(tangent, narrow);
  return vec3.length(across) > 1e-3 ? vec3.normalize(across) : null;
}
