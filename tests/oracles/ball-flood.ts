// Checks a proof that there is no path: the ball is inside of the robot, and a flood over a grid of cells from its start does not
// reach its goal. A cell is left out only if no center in it has room, by distances over all triangles. For a link that one joint moves,
// the ball has no room at a value of the joint between start and goal.
import type { ChainPlanRobot, InfeasibilityProof, PlanProblem, PlanResult } from '../../src/planning/index.js';
import { leaderOf, linkFrames, movedJoints } from './link-frames.js';
import { placeInFrame, windingByRay } from './mesh-distance.js';
import { distanceToMesh } from './point-mesh-distance.js';

type Point = readonly [number, number, number];

const IDENTITY = [0, 0, 0, 0, 0, 0, 1];

/** Cells along each axis, in space and in the plane: finer ones are tried where coarse ones let the ball through. */
const IN_SPACE = [16, 32, 64, 96];
const IN_PLANE = [64, 256, 1024];

/** What is wrong with an answer that there is no path; nothing if it is confirmed. */
export function checkInfeasible(problem: PlanProblem, result: PlanResult): string[] {
  const { proof } = result;
  const index = problem.robots.findIndex(({ name }, r) => (name ?? `robot ${r + 1}`) === proof?.robot);
  const robot = problem.robots[index];
  if (proof === null || robot === undefined) return [`no proof: ${JSON.stringify(proof)}`];
  const mesh = robot.type === 'chain' ? robot.links.find(({ name }) => name === proof.link)?.mesh : robot.mesh;
  if (mesh === undefined) return [`no link ${proof.link} with a mesh`];
  const { positions, indices } = mesh;
  const depth = distanceToMesh(positions, indices, proof.center);
  const winds = windingByRay(Float64Array.from(positions), Uint32Array.from(indices), ...proof.center);
  if (winds < 1 || depth < proof.radius * (1 - 1e-9))
    return [`the ball of ${proof.radius} is not inside: depth ${depth}`];
  const radius = (proof.radius + (problem.clearance ?? 0)) * (1 + 1e-9);
  const obstacles = problem.environment
    .filter(({ motion }) => motion === undefined)
    .map(({ mesh, pose }) => ({ at: placeInFrame(mesh.positions, IDENTITY, pose ?? IDENTITY), indices: mesh.indices }));
  const isClosed = obstacles.map(({ indices: list }) => closes(list));
  /** The room around a point: below 0 inside of a solid. */
  const roomAt = (p: Point): number => {
    let room = Infinity;
    for (const [i, { at, indices: list }] of obstacles.entries()) {
      const distance = distanceToMesh(at, list, p);
      const isInside = isClosed[i] && windingByRay(at, list, ...p) >= 1;
      room = Math.min(room, isInside ? -distance : distance);
    }
    return room;
  };
  if (robot.type === 'chain') return checkJoint(robot, proof, radius, roomAt);
  const center = Float64Array.from(proof.center);
  const [from, to] = [robot.start, robot.goal].map((pose) => [...placeInFrame(center, IDENTITY, pose!)]);
  const axes = robot.type === 'planar' ? [...robot.plane].map((name) => 'xyz'.indexOf(name)) : [0, 1, 2];
  const off = Math.hypot(...proof.center);
  const low = axes.map((k) => robot.bounds.min[k] - off);
  const high = axes.map((k) => robot.bounds.max[k] + off);
  for (const count of robot.type === 'planar' ? IN_PLANE : IN_SPACE) {
    const sides = axes.map((_, i) => (high[i] - low[i]) / count);
    const half = Math.hypot(...sides) / 2;
    const cellOf = (p: readonly number[]): number[] => {
      return axes.map((k, i) => Math.min(count - 1, Math.max(0, Math.floor((p[k] - low[i]) / (sides[i] || 1)))));
    };
    const keyOf = (cell: readonly number[]): number => cell.reduce((sum, c) => sum * count + c, 0);
    const isBlocked = (cell: readonly number[]): boolean => {
      const p = [...from];
      for (const [i, k] of axes.entries()) p[k] = low[i] + (cell[i] + 0.5) * sides[i];
      return roomAt(p as unknown as Point) + half < radius;
    };
    const goal = keyOf(cellOf(to));
    const first = cellOf(from);
    const seen = new Set([keyOf(first)]);
    const stack = [first];
    let isReached = false;
    while (stack.length > 0 && !isReached) {
      const cell = stack.pop()!;
      isReached = keyOf(cell) === goal;
      for (const i of axes.keys()) {
        for (const step of [-1, 1]) {
          const next = cell.map((c, k) => (k === i ? c + step : c));
          if (next[i] < 0 || next[i] >= count || seen.has(keyOf(next))) continue;
          seen.add(keyOf(next));
          if (!isBlocked(next)) stack.push(next);
        }
      }
    }
    if (!isReached) return [];
  }
  return ['the flood reaches the goal'];
}

/** What is wrong with a proof that no motion gets past a value of a joint. */
function checkJoint(
  chain: ChainPlanRobot,
  { link, joint, value, center: [x, y, z] }: InfeasibilityProof,
  radius: number,
  roomAt: (p: Point) => number,
): string[] {
  const names = movedJoints(chain).map(({ name }) => name);
  const own = names.indexOf(joint ?? '');
  if (link === undefined || value === undefined || own < 0) return ['names no joint that moves, or no value'];
  for (let at = chain.joints.find(({ child }) => child === link); at !== undefined; ) {
    const { name, type, parent } = at;
    if (type !== 'fixed' && leaderOf(chain, at).leader.name !== joint) return [`${name} moves ${link} too`];
    at = chain.joints.find(({ child }) => child === parent);
  }
  const [from, to] = [chain.start, chain.goal].map((end) => (Array.isArray(end) ? end[own] : Number.NaN));
  if (!((value - from) * (value - to) < 0)) return [`${value} is not between ${from} and ${to}`];
  const frame = linkFrames(
    chain,
    names.map((_, k) => (k === own ? value : 0)),
  ).get(link)!;
  const place = [0, 1, 2].map((k) => frame[4 * k] * x + frame[4 * k + 1] * y + frame[4 * k + 2] * z + frame[4 * k + 3]);
  const room = roomAt(place as unknown as Point);
  return room < radius ? [] : [`the ball has room: ${room} of ${radius}`];
}

function closes(indices: ArrayLike<number>): boolean {
  const edges = new Map<string, number>();
  for (let i = 0; i < indices.length; i++) {
    const [u, v] = [indices[i], indices[i % 3 === 2 ? i - 2 : i + 1]];
    const key = u < v ? `${u} ${v}` : `${v} ${u}`;
    edges.set(key, (edges.get(key) ?? 0) + (u < v ? 1 : -1));
  }
  return [...edges.values()].every((sum) => sum === 0);
}
