// Proves or refutes paths, by distances over all triangles and bounds of how far bodies move. Shares nothing with the
// library: an interval of an edge is proven if the distance in its middle exceeds what both motions to its ends can close,
// refuted if the bodies meet there, and halved otherwise. Triangles whose boxes are farther than twice that are left out.

import { type FramedJoint, leaderOf, movedJoints } from './link-frames.js';
import { measureByBruteForce, type OracleMesh, placeInFrame } from './mesh-distance.js';
import { surfaceDistanceWithin } from './near-distance.js';
import { poseBetween } from './slerp-motion.js';

export interface CheckedPath {
  readonly verdict: 'proven' | 'refuted' | 'undecided';
  /** The least distance found. */
  readonly least: number;
}

/** A body whose pose is known along every edge of a path. */
export interface CheckedBody {
  readonly mesh: OracleMesh;
  poseAt(edge: number, s: number): readonly number[];
  /** How far any point moves between two places of an edge, at most. */
  wayBetween(edge: number, from: number, to: number): number;
}

type Poses = readonly (readonly number[])[];

const IDENTITY = [0, 0, 0, 0, 0, 0, 1];

/** Intervals are halved this often, at most. */
const DEPTH = 36;

/** The path of a rigid body against an obstacle at the origin. */
export function checkPath(robot: OracleMesh, obstacle: OracleMesh, path: Poses, clearance = 0): CheckedPath {
  return checkBodies(movingBody(robot, path), restingBody(obstacle), path.length - 1, clearance);
}

/** Two bodies over all edges of a path. */
export function checkBodies(a: CheckedBody, b: CheckedBody, edges: number, clearance = 0): CheckedPath {
  if (edges === 0) return { verdict: 'proven', least: Infinity };
  // Surfaces that stay apart do not change what is inside of what: the solids are asked for at the start only.
  const placed = placeInFrame(a.mesh.positions, b.poseAt(0, 0), a.poseAt(0, 0));
  let least = measureByBruteForce(b.mesh, a.mesh, placed).distance;
  if (least <= clearance) return { verdict: 'refuted', least };
  const check = (edge: number, from: number, to: number, depth: number): CheckedPath['verdict'] => {
    const middle = (from + to) / 2;
    const way = (body: CheckedBody): number => {
      return Math.max(body.wayBetween(edge, from, middle), body.wayBetween(edge, middle, to));
    };
    const needed = way(a) + way(b) + 1e-12;
    const [poseA, poseB] = [a.poseAt(edge, middle), b.poseAt(edge, middle)];
    const distance = surfaceDistanceWithin(b.mesh, poseB, a.mesh, poseA, clearance + 2 * needed);
    least = Math.min(least, distance);
    if (distance <= clearance) return 'refuted';
    if (distance - clearance > needed) return 'proven';
    if (depth === 0) return 'undecided';
    const first = check(edge, from, middle, depth - 1);
    return first === 'proven' ? check(edge, middle, to, depth - 1) : first;
  };
  for (let edge = 0; edge < edges; edge++) {
    const verdict = check(edge, 0, 1, DEPTH);
    if (verdict !== 'proven') return { verdict, least };
  }
  return { verdict: 'proven', least };
}

export function restingBody(mesh: OracleMesh, pose: readonly number[] = IDENTITY): CheckedBody {
  return { mesh, poseAt: () => pose, wayBetween: () => 0 };
}

/** A body that moves straight from pose to pose and turns evenly. */
export function movingBody(mesh: OracleMesh, poses: Poses): CheckedBody {
  const radius = radiusOf(mesh);
  return {
    mesh,
    poseAt: (edge, s) => poseBetween(poses[edge], poses[edge + 1], s),
    wayBetween: (edge, from, to) => (to - from) * wayOf(poses[edge], poses[edge + 1], radius),
  };
}

/** A body with keyframes of its own, at rest before and after them; `times` are those of the path's waypoints. */
export function keyedBody(
  mesh: OracleMesh,
  keys: readonly { readonly time: number; readonly pose: ArrayLike<number> }[],
  times: readonly number[],
): CheckedBody {
  const radius = radiusOf(mesh);
  const timeAt = (edge: number, s: number): number => times[edge] * (1 - s) + times[edge + 1] * s;
  return {
    mesh,
    poseAt: (edge, s) => poseAtTime(keys, timeAt(edge, s)),
    wayBetween: (edge, from, to) => {
      const [start, end] = [timeAt(edge, from), timeAt(edge, to)];
      let sum = 0;
      for (let k = 1; k < keys.length; k++) {
        const [low, high] = [Math.max(start, keys[k - 1].time), Math.min(end, keys[k].time)];
        if (!(high > low)) continue;
        const share = (high - low) / (keys[k].time - keys[k - 1].time);
        sum += share * wayOf(Array.from(keys[k - 1].pose), Array.from(keys[k].pose), radius);
      }
      return sum * (1 + 1e-12);
    },
  };
}

/** Where a body with keyframes is at a time. */
export function poseAtTime(
  keys: readonly { readonly time: number; readonly pose: ArrayLike<number> }[],
  time: number,
): number[] {
  const after = keys.findIndex((key) => key.time >= time);
  if (after === 0) return Array.from(keys[0].pose);
  if (after < 0) return Array.from(keys[keys.length - 1].pose);
  const [a, b] = [keys[after - 1], keys[after]];
  return poseBetween(a.pose, b.pose, (time - a.time) / (b.time - a.time));
}

/** The links of a chain in motion. */
export function chainBodies(
  chain: {
    readonly base?: ArrayLike<number> | undefined;
    readonly links: readonly { readonly name: string }[];
    readonly joints: readonly FramedJoint[];
  },
  meshes: ReadonlyMap<string, OracleMesh>,
  configurations: Poses,
): Map<string, CheckedBody> {
  const moved = movedJoints(chain);
  const valuesAt = (edge: number, s: number): number[] => {
    return configurations[edge].map((value, k) => value * (1 - s) + configurations[edge + 1][k] * s);
  };
  const jointOf = new Map(chain.joints.map((joint) => [joint.child, joint]));
  const frameOf = (link: string, q: readonly number[]): number[] => {
    const joint = jointOf.get(link);
    if (joint === undefined) return Array.from(chain.base ?? IDENTITY);
    const at = compose(frameOf(joint.parent, q), Array.from(joint.origin ?? IDENTITY));
    if (joint.type === 'fixed') return at;
    const { leader, factor, offset } = leaderOf(chain, joint);
    const value = factor * q[moved.indexOf(leader)] + offset;
    const given = Array.from(joint.axis ?? [1, 0, 0]);
    const axis = given.map((c) => c / Math.hypot(...given));
    if (joint.type === 'prismatic') return compose(at, [...axis.map((c) => c * value), 0, 0, 0, 1]);
    return compose(at, [0, 0, 0, ...axis.map((c) => c * Math.sin(value / 2)), Math.cos(value / 2)]);
  };
  /** How far a unit of each value moves points of a link, at most, whatever the configuration. */
  const leversOf = (link: string, radius: number): number[] => {
    const levers = moved.map(() => 0);
    let reach = radius;
    for (let joint = jointOf.get(link); joint !== undefined; joint = jointOf.get(joint.parent)) {
      const { leader, factor, offset } = leaderOf(chain, joint);
      const value = moved.indexOf(leader);
      if (joint.type === 'prismatic') {
        levers[value] += Math.abs(factor);
        reach += Math.max(...leader.limits!.map((limit) => Math.abs(factor * limit + offset)));
      } else if (joint.type !== 'fixed') levers[value] += Math.abs(factor) * reach;
      reach += Math.hypot(...Array.from(joint.origin ?? IDENTITY).slice(0, 3));
    }
    return levers;
  };
  const bodies = new Map<string, CheckedBody>();
  for (const [link, mesh] of meshes) {
    const levers = leversOf(link, radiusOf(mesh));
    bodies.set(link, {
      mesh,
      poseAt: (edge, s) => frameOf(link, valuesAt(edge, s)),
      wayBetween: (edge, from, to) => {
        const [a, b] = [configurations[edge], configurations[edge + 1]];
        return (to - from) * levers.reduce((sum, lever, k) => sum + lever * Math.abs(b[k] - a[k]), 0);
      },
    });
  }
  return bodies;
}

/** Pose b seen in pose a's frame, placed where a is. */
function compose(a: readonly number[], b: readonly number[]): number[] {
  const [x, y, z, w] = a.slice(3);
  const [p, q, r, s] = b.slice(3);
  const turned = [
    (1 - 2 * (y * y + z * z)) * b[0] + 2 * (x * y - w * z) * b[1] + 2 * (x * z + w * y) * b[2],
    2 * (x * y + w * z) * b[0] + (1 - 2 * (x * x + z * z)) * b[1] + 2 * (y * z - w * x) * b[2],
    2 * (x * z - w * y) * b[0] + 2 * (y * z + w * x) * b[1] + (1 - 2 * (x * x + y * y)) * b[2],
  ];
  return [
    ...turned.map((value, k) => value + a[k]),
    w * p + x * s + y * r - z * q,
    w * q - x * r + y * s + z * p,
    w * r + x * q - y * p + z * s,
    w * s - x * p - y * q - z * r,
  ];
}

function wayOf(a: readonly number[], b: readonly number[], radius: number): number {
  const shift = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  const dot = Math.abs(a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6]);
  return shift + radius * 2 * Math.acos(Math.min(1, dot));
}

/** The largest distance of a vertex from the origin. */
function radiusOf({ positions }: OracleMesh): number {
  let radius = 0;
  for (let i = 0; i < positions.length; i += 3) {
    radius = Math.max(radius, Math.hypot(...positions.subarray(i, i + 3)));
  }
  return radius;
}
