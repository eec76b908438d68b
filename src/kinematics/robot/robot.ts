// What planners know of a robot: its configurations, and where its links are in each. A configuration of a whole problem
// is one flat array; each robot has its own numbers in it, from `offset` on.
import type { Random } from '../../core/random.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import type { BodyRobot } from './body-robot.js';
import type { ChainRobot } from './chain-robot.js';

/** A rigid part of a robot. */
export interface RobotLink {
  readonly name: string;
  readonly model: ProximityModel;
  /** Whether the link is tested against the environment and other robots; a root that stands still is not. */
  readonly isTested: boolean;
}

/** One robot of a problem. Methods read and write the robot's own numbers of configurations only. */
export interface Robot {
  readonly name: string;
  /** The robot itself if it is one rigid body; null for others. */
  readonly body: BodyRobot | null;
  /** The robot itself if it is a chain of links; null for others. */
  readonly chain: ChainRobot | null;
  /** Where its numbers begin in a configuration, and how many there are. */
  readonly offset: number;
  readonly size: number;
  readonly links: readonly RobotLink[];
  /** Links of the same robot that must not touch, by index. */
  readonly linkPairs: readonly (readonly [number, number])[];
  /** The speeds of links that do not move evenly; null where origins move on straight lines and links turn evenly. */
  readonly speeds: LinkSpeeds | null;
  /** Between what the first of its numbers are, as far as that bounds them: positions and joint values, but not orientations. */
  readonly limits: readonly (readonly [number, number])[];
  /** How far its origin, or its slides, can move, and how far it can turn, within its bounds. */
  readonly extent: { readonly length: number; readonly turning: number };
  /** Whether the links are obstacles that move with time: robots must not touch them, but they may touch obstacles. */
  readonly isClock?: boolean;
  /** Adds the shares of an edge at which links begin to move in another way, in ascending order. */
  cuts?(a: Float64Array, b: Float64Array, out: number[]): void;
  /** What a configuration that is not allowed breaks, as in "is out of its bounds". */
  readonly fault: string;
  /** Writes a configuration from its description: a pose, or joint values. */
  read(description: ArrayLike<number>, out: Float64Array): void;
  /** The description of a configuration. */
  describe(q: Float64Array): number[];
  /** Writes the poses of the links, seven numbers each. */
  place(q: Float64Array, poses: Float64Array): void;
  /** Writes the configuration at t on the way from a to b. */
  interpolate(a: Float64Array, b: Float64Array, t: number, out: Float64Array): void;
  /** How far a and b are apart: at least as much as any point of the robot is moved, in meters. */
  distance(a: Float64Array, b: Float64Array): number;
  /** Writes a random configuration within the bounds. */
  sample(random: Random, out: Float64Array): void;
  /** Whether the configuration is within the bounds. */
  isAllowed(q: Float64Array): boolean;
  /** The length of the way from a to b as the result states it, and the angles turned. */
  measure(a: Float64Array, b: Float64Array): { readonly length: number; readonly turning: number };
  /** What takes time on the way from a to b: the length and the angle that limits of speed apply to. */
  largestChanges(a: Float64Array, b: Float64Array): { readonly sliding: number; readonly turning: number };
  /** Numbers of a small motion. A motion of length 1 moves some point of the robot by about a meter. */
  readonly freedoms: number;
  /**
   * Writes the velocity of a point of a link along a direction, for each freedom.
   * @param poses the poses of the robot's links at q, as {@link place} writes them.
   */
  pushRow(
    q: Float64Array,
    poses: Float64Array,
    link: number,
    point: ArrayLike<number>,
    direction: ArrayLike<number>,
    out: Float64Array,
  ): void;
  /** Writes the configuration after a small motion from q, kept within its bounds; `out` may be q. */
  moveBy(q: Float64Array, motion: Float64Array, out: Float64Array): void;
  /** Writes the small motion that leads from a towards b: to first order, the whole way. */
  wayTo(a: Float64Array, b: Float64Array, out: Float64Array): void;
  /** Whether an edge may lead from a to b: a rigid body that turns by 180 degrees has two shortest ways. */
  hasWay(a: Float64Array, b: Float64Array): boolean;
}

/** Bounds of the motion of links along an edge, per unit of its parameter. */
export interface LinkSpeeds {
  /** Prepares the bounds that hold from q, on the edge from a to b, for the share `rest` of the edge that is left. */
  prepare(q: Float64Array, a: Float64Array, b: Float64Array, rest: number): void;
  /** The largest speed of a point of a link. */
  ofLink(link: number): number;
  /** The largest speed of a point of a link relative to another link of the robot. */
  between(link: number, other: number): number;
  /** The largest acceleration of a point of a link, anywhere on the edge, as seen from a link that carries it; −1: the world. */
  bend(link: number, carrier: number): number;
  /** Whether every joint that moves a link moves another one too. */
  carries(link: number, other: number): boolean;
}
