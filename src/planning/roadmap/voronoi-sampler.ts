// Voronoi-based sampling (Pisula, Hoff, Lin and Manocha 2000) for one rigid robot: samples near the medial axis of the
// space between obstacles, by the width of the place. Where the ball around the robot has room, any orientation is free and
// nothing is tested. Where only the ball inside of it has, the robot is put along the passage. Elsewhere it cannot be.
import type { Random } from '../../core/random.js';
import type { Vec3 } from '../../core/vec3.js';
import type { BodyRobot } from '../../kinematics/robot/body-robot.js';
import { scaledRobot } from '../../kinematics/robot/scaled-robot.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import { Inflation } from '../local/inflation.js';
import { ClearanceMap } from '../workspace/clearance-map.js';
import { findGuideBall, type InnerBall } from '../workspace/inner-ball.js';
import { BodyAxes } from './body-axes.js';
import { MedialPoints, type PassagePoint, type PassageWidths } from './medial-points.js';
import { BLOCKED, type ConfigurationSampler, NOTHING } from './sampler.js';
import { SpaceCells } from './space-cells.js';

/** Chosen: the share of draws anywhere in space. */
const ANYWHERE = 0.1;

/** Chosen: the share of draws for new points of the medial axis. All others are in known places. */
const EXPLORE = 0.4;

/** Chosen: the count of cubes of space that one draw looks at. */
const CELLS = 40;

/** Chosen: of draws in known places, the share in wide ones is f / (f + wide samples so far) with this f. */
const FIRST_WIDE = 20;

/** Chosen: the least share of draws in wide places. */
const MIN_WIDE = 0.05;

/** Chosen: how far the robot moves out of a passage, in radii. */
const WAY_OUT = 2;

/** Chosen: the share of samples in passages whose orientation is random. */
const ANY_TURN = 0.25;

/** Chosen: the least spread of turns off the passage's direction, in radians. */
const MIN_SPREAD = 0.04;

/** Chosen: the spread of these turns where the passage is nearly wide, in radians. */
const SPREAD = 0.6;

/** Chosen: the share of blocked samples in passages that are fitted in. */
const FIT = 0.1;

/** Chosen: the most known points of passages. */
const MAX_POINTS = 4000;

export class VoronoiSampler implements ConfigurationSampler {
  readonly name = 'voronoi';
  /** Configurations refused and accepted by the distance field alone. */
  rejected = 0;
  accepted = 0;
  /** Points by class, for those who draw them. */
  readonly passages: PassagePoint[] = [];
  readonly #scene: CollisionScene;
  readonly #robot: BodyRobot;
  readonly #map: ClearanceMap;
  readonly #ball: InnerBall;
  readonly #reach: number;
  readonly #medial: MedialPoints;
  readonly #axes: BodyAxes;
  readonly #widths: PassageWidths;
  /** Made when first needed. */
  #inflation: Inflation | null = null;
  #cells: SpaceCells;
  #companions: Float64Array[] = [];
  /** Points to search from before any others. */
  readonly #seeds: Vec3[] = [];

  constructor(scene: CollisionScene, robot: BodyRobot) {
    this.#scene = scene;
    this.#robot = robot;
    this.#map = new ClearanceMap(scene.obstacles);
    const { model } = robot.links[0];
    this.#ball = findGuideBall(model) ?? { center: model.center, radius: 0, isProven: false };
    const { center, radius } = this.#ball;
    this.#reach = reachFrom(center, model.mesh.positions);
    this.#axes = new BodyAxes(robot, scene.size);
    const offset = Math.hypot(...center);
    const { min, max } = robot.bounds;
    const widths = {
      least: radius + scene.clearance,
      wide: this.#reach + scene.clearance,
      min: min.map((value) => value - offset) as Vec3,
      max: max.map((value) => value + offset) as Vec3,
      axes: robot.axes.slice(0, robot.ways),
    };
    if (robot.ways === 2) {
      const across = robot.axes[2];
      const height = this.#axes.pointAt(new Float64Array(scene.size), center)[across];
      widths.min[across] = widths.max[across] = height;
    }
    this.#widths = widths;
    this.#medial = new MedialPoints(this.#map, widths);
    this.#cells = new SpaceCells(this.#map, widths);
  }

  get companions(): readonly Float64Array[] {
    return this.#companions;
  }

  draw(random: Random, out: Float64Array): number {
    const roll = random.next();
    this.#companions = [];
    this.#robot.sample(random, out);
    if (roll < ANYWHERE) return this.#test(out);
    if (roll < ANYWHERE + EXPLORE && !(this.#cells.isDone && this.#seeds.length === 0))
      return this.#explore(random, out);
    const share = Math.max(MIN_WIDE, FIRST_WIDE / (FIRST_WIDE + this.accepted));
    const isWide = this.#cells.wideCount > 0 && random.next() < share;
    if (!isWide && this.passages.length > 0) return this.#place(this.#pick(random), random, out);
    if (this.#cells.wideCount === 0) return this.#test(out);
    const point: Vec3 = [0, 0, 0];
    this.#cells.widePoint(random, point);
    this.#axes.carry(out, this.#ball.center, point);
    return this.#test(out);
  }

  obstacleMoved(index: number): void {
    this.#map.update(index);
    const kept = this.passages.filter(({ point, clearance }) => {
      const isSame = Math.abs(this.#map.at(point) - clearance) < 1e-6 * this.#reach;
      if (!isSame) this.#seeds.push([...point]);
      return isSame;
    });
    this.passages.splice(0, this.passages.length, ...kept);
    this.#cells = new SpaceCells(this.#map, this.#widths);
  }

  /** Looks for a new passage, first where one was before an obstacle moved. */
  #explore(random: Random, out: Float64Array): number {
    const medial = this.#medial;
    for (let i = 0; i < CELLS; i++) {
      const seed = this.#seeds.pop();
      if (seed === undefined && (this.#cells.isDone || this.#cells.step(random) !== 'mixed')) continue;
      if (seed !== undefined) for (let k = 0; k < 3; k++) medial.point[k] = seed[k];
      else this.#cells.randomPoint(random, medial.point);
      const place = medial.search();
      if (place === 'wide') {
        this.#axes.carry(out, this.#ball.center, medial.point);
        return this.#test(out);
      }
      if (place !== 'narrow') continue;
      const passage = medial.describe();
      if (this.passages.length < MAX_POINTS) this.passages.push(passage);
      return this.#place(passage, random, out);
    }
    return NOTHING;
  }

  /** A known point; of two, the narrower one every other time. */
  #pick(random: Random): PassagePoint {
    const { passages } = this;
    const first = passages[random.integer(passages.length)];
    if (random.next() < 0.5) return first;
    const second = passages[random.integer(passages.length)];
    return second.clearance < first.clearance ? second : first;
  }

  #place({ point, clearance, along, across }: PassagePoint, random: Random, out: Float64Array): number {
    const { radius, center } = this.#ball;
    const room = Math.max(0, clearance - this.#scene.clearance - radius);
    const share = room / (this.#reach - radius || 1);
    if (random.next() > ANY_TURN) this.#axes.align(out, along, across, MIN_SPREAD + SPREAD * share, random);
    const at = point.map((value) => value + 0.3 * room * random.normal()) as Vec3;
    this.#axes.carry(out, center, at);
    let clear = this.#test(out);
    if (clear === BLOCKED && random.next() < FIT && this.#fit(out)) clear = 0;
    // The robot leaves the passage on both sides as it is.
    for (const sign of clear >= 0 ? [-1, 1] : []) {
      const q = out.slice();
      const ball = this.#axes.pointAt(q, center);
      this.#axes.carry(q, center, ball.map((value, k) => value + sign * WAY_OUT * this.#reach * along[k]) as Vec3);
      if (this.#robot.isAllowed(q)) this.#companions.push(q);
    }
    return clear;
  }

  /** Moves a configuration to where the robot has room, by a small copy that grows. */
  #fit(q: Float64Array): boolean {
    const { center } = this.#ball;
    this.#inflation ??= new Inflation(
      this.#scene,
      (scale) => scaledRobot(this.#robot, center, scale),
      () => false,
    );
    return this.#inflation.fit(q) && this.#scene.isFree(q);
  }

  /** Tests a configuration: first by the distance of the ball's center from all obstacles, then exactly. */
  #test(q: Float64Array): number {
    if (!this.#robot.isAllowed(q)) return NOTHING;
    const { clearance } = this.#scene;
    const distance = this.#map.at(this.#axes.pointAt(q, this.#ball.center));
    const slack = 1e-9 * this.#reach;
    // Only a ball that is proven to be inside refuses.
    if (this.#ball.isProven && distance < this.#ball.radius + clearance - slack) {
      this.rejected++;
      return NOTHING;
    }
    const free = distance - this.#reach - slack;
    if (free > clearance) {
      this.accepted++;
      return free;
    }
    return this.#scene.isFree(q) ? 0 : BLOCKED;
  }
}

/** The largest distance of a vertex from a point. */
function reachFrom([x, y, z]: Vec3, positions: Float64Array): number {
  let most = 0;
  for (let i = 0; i < positions.length; i += 3) {
    most = Math.max(most, Math.hypot(positions[i] - x, positions[i + 1] - y, positions[i + 2] - z));
  }
  return most;
}
