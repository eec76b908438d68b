// The pairs of bodies of a scene that must stay apart: links with obstacles, with other links of their robot, and with other robots.
import { Pair } from '../../proximity/pair.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { farthestVertex } from '../robot/rigid-robot.js';
import type { Robot } from '../robot/robot.js';
import { EvenPair } from './even-pair.js';
import type { Obstacle } from './obstacle.js';

/** One end of a pair: a link of a robot, or an obstacle. */
export interface Body {
  /** Of a robot; −1 for an obstacle. */
  readonly robot: number;
  /** The index of its pose among those of all links, or of the obstacle. */
  readonly index: number;
  /** The index among the links of its robot, and the index of the robot's first link among all. */
  readonly link: number;
  readonly first: number;
  readonly model: ProximityModel;
  /** The largest distance of a vertex from the origin of its frame. */
  readonly radius: number;
}

/** Two bodies that must stay apart. */
export interface BodyPair {
  readonly a: Body;
  readonly b: Body;
}

/** A pair with its queries, and what is known of it on the edge in question. */
export interface WatchedPair extends BodyPair {
  /** For single configurations, and for those along an edge. */
  readonly queries: Pair;
  readonly even: EvenPair;
  /** How far they are apart beyond the clearance at a place of the last edge, and the share of it until they can come near. */
  gap: number;
  soonest: number;
  /** Parts of an edge that are not proven yet, as bits, and the least gap that was measured on it. */
  open: number;
  nearest: number;
  /** Whether both move evenly along an edge, or from cut to cut. */
  readonly isEven: boolean;
  /** Whether balls along an edge tell something: of links of chains, and of obstacles at rest. */
  readonly hasBalls: boolean;
  /** Whether one of them carries the other in a chain: motions are then seen from it. */
  readonly carrier: 'a' | 'b' | null;
  /** Whether one of the two is an obstacle that moves with time. */
  readonly isTimed: boolean;
}

/** The links of all robots. */
export function linkBodies(robots: readonly Robot[]): Body[][] {
  let index = 0;
  return robots.map(({ links }, robot) => {
    const first = index;
    return links.map(({ model }, link) => {
      return { robot, index: index++, link, first, model, radius: farthestVertex(model.mesh.positions) };
    });
  });
}

/**
 * All pairs that must stay apart, in a fixed order.
 * @param tolerance edges end where bodies come this near, in meters beyond the clearance.
 */
export function watchPairs(
  robots: readonly Robot[],
  obstacles: readonly Obstacle[],
  bodies: readonly (readonly Body[])[],
  tolerance: number,
): WatchedPair[] {
  const pairs: WatchedPair[] = [];
  const movesEvenly = ({ robot }: Body): boolean => robot < 0 || robots[robot].speeds === null;
  const watch = (a: Body, b: Body): void => {
    const isEven = movesEvenly(a) && movesEvenly(b);
    pairs.push({
      a,
      b,
      queries: new Pair(a.model, b.model, { volume: 'boxes' }),
      // Half of what an edge may end at is for the deviation from even motion, on both sides.
      even: new EvenPair(a.model, b.model, (isEven ? 1 : 0.5) * tolerance),
      gap: 0,
      soonest: 0,
      open: 0,
      nearest: 0,
      isEven,
      hasBalls: [a, b].every(({ robot }) => robot < 0 || robots[robot].speeds !== null),
      carrier: carrierOf(robots, a, b),
      isTimed: [a, b].some(({ robot }) => robot >= 0 && robots[robot].isClock),
    });
  };
  for (const [r, robot] of robots.entries()) {
    for (const [l, link] of robot.links.entries()) {
      if (!link.isTested) continue;
      for (const [o, { model }] of obstacles.entries()) {
        watch(bodies[r][l], { robot: -1, index: o, link: 0, first: 0, model, radius: 0 });
      }
    }
    for (const [i, k] of robot.linkPairs) watch(bodies[r][i], bodies[r][k]);
    for (let other = 0; other < r; other++) {
      for (const [l, a] of bodies[other].entries()) {
        // Obstacles that move are part of the environment, which roots may touch.
        if (robot.isClock && !robots[other].links[l].isTested) continue;
        for (const b of bodies[r]) watch(a, b);
      }
    }
  }
  return pairs;
}

/** The obstacle of a pair; −1 for two links. */
export function obstacleOf({ b }: BodyPair): number {
  return b.robot < 0 ? b.index : -1;
}

function carrierOf(robots: readonly Robot[], a: Body, b: Body): 'a' | 'b' | null {
  const speeds = a.robot >= 0 && a.robot === b.robot ? robots[a.robot].speeds : null;
  if (speeds === null) return null;
  if (speeds.carries(a.link, b.link)) return 'a';
  return speeds.carries(b.link, a.link) ? 'b' : null;
}
