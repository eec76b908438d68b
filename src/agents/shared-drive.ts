// The wish of agents that are joined: the motion of all of them nearest to what those with goals want, with the points of each
// joint together, as fast as they want to go. What has no goal is carried: it follows, and brakes nobody.
import type { Agent } from './agent.js';
import { FREEDOMS } from './agent.js';
import type { Joint } from './contact-conditions.js';

/** Chosen: an agent without a goal follows joints this much more easily than one with a goal. */
const CARRIED = 100;

/** Chosen: agents that pull against each other are sped up by this factor at the most. */
const MAX_FASTER = 4;

/** Rounding: what is left of the ends of a joint, as a share of what was there, counts as nothing. */
const SOLVED = 1e-12;

/** The rows of a coordinate of a joint, one for each of its agents. */
interface Row {
  readonly a: number;
  readonly b: number;
  readonly ofA: Float64Array;
  readonly ofB: Float64Array;
}

/** Whether an agent wants to be somewhere by itself. */
function hasDrive({ goal, way, post, wish }: Agent): boolean {
  return goal !== null || way !== null || post !== null || wish.some((value) => value !== 0);
}

/** Replaces the wishes of joined agents by wishes that their joints allow. */
export function shareDrive(members: readonly Agent[], joints: readonly Joint[], time: number): void {
  followTogether(members, time);
  const driven = members.filter(hasDrive);
  if (driven.length === 0 || driven.every(({ wish }) => wish.every((value) => value === 0))) return;
  const rows = joints.flatMap((joint) => rowsOf(joint, members));
  const yields = members.map((agent) => (hasDrive(agent) ? 1 : CARRIED));
  const wishes = members.map(({ wish }) => wish.slice());
  moveTogether(rows, yields, wishes);
  const factor = speedUp(members, driven, wishes, time);
  const eagerness = Math.min(...members.map((agent) => agent.eagerness));
  for (const [i, agent] of members.entries()) {
    for (let k = 0; k < FREEDOMS; k++) agent.wish[k] = factor * wishes[i][k];
    agent.exact = null;
    agent.eagerness = eagerness;
  }
}

/** Where all are led along stops, they go to the same one, each by the same share of its way. */
function followTogether(members: readonly Agent[], time: number): void {
  const team = members[0].way?.team;
  if (team === undefined || members.some(({ way }) => way?.team !== team)) return;
  const isThere = ({ robot, q, way, tolerance }: Agent): boolean =>
    way !== null && robot.distance(q, way.stops[team.next]) < (way.passed ?? tolerance);
  const last = (members[0].way?.stops.length ?? 0) - 1;
  while (team.next < last && members.every(isThere)) team.next++;
  if (team.next === last && members.every(isThere)) {
    for (const member of members) member.way = null;
    return;
  }
  let share = 1;
  for (const { robot, q, way, linear, angular } of members) {
    if (way === null) continue;
    const { length, turning } = robot.measure(q, way.stops[team.next]);
    share = Math.min(share, (linear * time) / length || 1, (angular * time) / turning || 1);
  }
  for (const { robot, q, way, wish } of members) {
    if (way !== null) robot.wayTo(q, way.stops[team.next], wish);
    for (let k = 0; k < FREEDOMS; k++) wish[k] *= share;
  }
}

/** How much faster the common motion may be: as fast as the fastest wish, within the speeds of all. */
function speedUp(
  members: readonly Agent[],
  driven: readonly Agent[],
  wishes: readonly Float64Array[],
  time: number,
): number {
  const shift = (agent: Agent, values: Float64Array): number => Math.hypot(...values.subarray(0, agent.ways));
  const wanted = Math.max(...driven.map((agent) => shift(agent, agent.wish)));
  const got = Math.max(...driven.map((agent) => shift(agent, wishes[members.indexOf(agent)])));
  let factor = Math.max(1, Math.min(MAX_FASTER, wanted / got || 1));
  for (const [i, agent] of members.entries()) {
    const turn = Math.hypot(...wishes[i].subarray(agent.ways, agent.robot.freedoms));
    factor = Math.min(factor, (agent.linear * time) / shift(agent, wishes[i]) || Infinity);
    factor = Math.min(factor, (agent.angular * time * agent.lever) / turn || Infinity);
  }
  return factor;
}

function rowsOf({ a, b, worldA, worldB }: Joint, members: readonly Agent[]): Row[] {
  const across = a.ways === 2 && b.ways === 2 ? a.robot.axes[2] : -1;
  const axes = [0, 1, 2].filter((axis) => axis !== across);
  return axes.map((axis) => {
    const direction = new Float64Array(3);
    direction[axis] = 1;
    const [ofA, ofB] = [new Float64Array(FREEDOMS), new Float64Array(FREEDOMS)];
    a.robot.pushRow(a.q, a.body.pose, 0, worldA, direction, ofA);
    b.robot.pushRow(b.q, b.body.pose, 0, worldB, direction, ofB);
    return { a: members.indexOf(a), b: members.indexOf(b), ofA, ofB };
  });
}

/** Changes motions least, weighted, so that the ends of all rows move alike: conjugate gradients for the forces of the rows. */
function moveTogether(rows: readonly Row[], yields: readonly number[], motions: readonly Float64Array[]): void {
  const apart = ({ a, b, ofA, ofB }: Row, of: readonly Float64Array[]): number => {
    let sum = 0;
    for (let k = 0; k < FREEDOMS; k++) sum += ofA[k] * of[a][k] - ofB[k] * of[b][k];
    return sum;
  };
  const pushed = (forces: Float64Array): Float64Array[] => {
    const moved = motions.map(() => new Float64Array(FREEDOMS));
    for (const [i, { a, b, ofA, ofB }] of rows.entries()) {
      for (let k = 0; k < FREEDOMS; k++) {
        moved[a][k] += yields[a] * ofA[k] * forces[i];
        moved[b][k] -= yields[b] * ofB[k] * forces[i];
      }
    }
    return moved;
  };
  const left = Float64Array.from(rows, (row) => -apart(row, motions));
  const forces = new Float64Array(rows.length);
  const way = left.slice();
  let squared = dot(left, left);
  const least = SOLVED ** 2 * squared;
  for (let step = 0; step < 2 * rows.length && squared > least; step++) {
    const moved = pushed(way);
    const answer = Float64Array.from(rows, (row) => apart(row, moved));
    const along = squared / dot(way, answer);
    for (let i = 0; i < rows.length; i++) {
      forces[i] += along * way[i];
      left[i] -= along * answer[i];
    }
    const next = dot(left, left);
    for (let i = 0; i < rows.length; i++) way[i] = left[i] + (next / squared) * way[i];
    squared = next;
  }
  const moved = pushed(forces);
  for (const [i, motion] of motions.entries()) for (let k = 0; k < FREEDOMS; k++) motion[k] += moved[i][k];
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
