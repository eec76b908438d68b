// Checks a whole answer of planning: every pair of bodies that must stay apart over the whole path, start and goal, bounds,
// joint limits, turns, times, speeds and the stated clearance. Shares nothing with the library but the types of its answers.
import type { ChainPlanRobot, LinkGoal, PlanProblem, PlanResult } from '../../src/planning/index.js';
import { linkFrames, matrixOf, movedJoints } from './link-frames.js';
import { measureByBruteForce, type OracleMesh, placeInFrame, prepareOracle } from './mesh-distance.js';
import { type CheckedBody, chainBodies, checkBodies, keyedBody, movingBody, restingBody } from './path-checker.js';

interface NamedBody {
  readonly body: CheckedBody;
  readonly robot: number;
  readonly link: string;
  readonly isRoot: boolean;
}

/** What is wrong with a solved answer; nothing if all of it is proven. */
export function checkAnswer(problem: PlanProblem, result: PlanResult): string[] {
  const bad: string[] = [];
  const { clearance: wanted = 0, horizon = Infinity } = problem;
  const edges = result.paths[0].poses.length - 1;
  const timed = horizon < Infinity || problem.environment.some(({ motion }) => motion !== undefined);
  if (timed !== (result.times !== null)) bad.push(`times are ${result.times}`);
  const times = result.times ?? Array.from({ length: edges + 1 }, (_, i) => i);
  if (times.length !== edges + 1 || times[0] !== 0) bad.push(`times ${times} of ${edges + 1} waypoints`);
  if (times.some((time, i) => i > 0 && !(time > times[i - 1]))) bad.push(`times ${times} do not ascend`);
  if (times[edges] > horizon) bad.push(`arrives at ${times[edges]}, after ${horizon}`);
  for (const [r, robot] of problem.robots.entries()) {
    const { poses } = result.paths[r];
    if (poses.length !== edges + 1) bad.push(`${poses.length} waypoints of robot ${r}`);
    for (const [what, given, had] of [
      ['start', robot.start, poses[0]],
      ['goal', robot.goal, poses[edges]],
    ] as const) {
      if (robot.type === 'chain' && !Array.isArray(given)) {
        bad.push(...checkChainEnd(robot, given as ChainPlanRobot['goal'], had, `${what} of robot ${r}`));
      } else if (!isSame(Array.from(given as number[]), had)) bad.push(`${what} ${had} of robot ${r}`);
    }
    for (let i = 0; timed && i < edges; i++) {
      const most = fastest(robot, poses[i], poses[i + 1], times[i + 1] - times[i]);
      if (most > 1 + 1e-6) bad.push(`robot ${r} is ${most} times too fast in edge ${i}`);
    }
    if (robot.type === 'chain') {
      for (const [k, { limits = [-2 * Math.PI, 2 * Math.PI] }] of movedJoints(robot).entries()) {
        if (poses.some((q) => q[k] < limits[0] || q[k] > limits[1])) bad.push(`joint ${k} of robot ${r} out of limits`);
      }
      continue;
    }
    const { min, max } = robot.bounds;
    for (const pose of poses) {
      if ([0, 1, 2].some((k) => isOut(pose[k], min[k], max[k]) && !isAcross(robot, k)))
        bad.push(`robot ${r} out of bounds`);
    }
  }
  const stated = result.clearance?.lower ?? 0;
  const clearance = Math.max(wanted, Math.min(stated, Number.MAX_VALUE)) * (1 - 1e-9) - (stated > 0 ? 1e-12 : 0);
  const pairs = pairsApart(
    problem,
    result.paths.map(({ poses }) => poses),
    times,
  );
  for (const { a, b, name } of pairs) {
    const { verdict } = checkBodies(a, b, edges, Math.max(0, clearance));
    if (verdict !== 'proven') bad.push(`${name}: ${verdict} at clearance ${clearance}`);
  }
  if (!(stated >= wanted)) bad.push(`states ${stated} where ${wanted} is wanted`);
  const { upper = Infinity, segment = 0, t = 0 } = result.clearance ?? {};
  const had = Math.min(Infinity, ...pairs.map(({ a, b }) => distanceAt(a, b, segment, t)));
  if (!(upper >= stated) || !(upper === had || Math.abs(upper - had) < 1e-9))
    bad.push(`upper ${upper}, but ${had} there`);
  return bad;
}

/** Two bodies that must stay apart. */
export interface PairApart {
  readonly a: CheckedBody;
  readonly b: CheckedBody;
  readonly name: string;
}

/**
 * All pairs of bodies of a problem that must stay apart, in motion along paths with times.
 * @param prepared meshes known from earlier calls.
 */
export function pairsApart(
  problem: PlanProblem,
  paths: readonly (readonly (readonly number[])[])[],
  times: readonly number[],
  prepared = new Map<unknown, OracleMesh>(),
): PairApart[] {
  const oracle = (mesh: { positions: ArrayLike<number>; indices: ArrayLike<number> }): OracleMesh => {
    const known = prepared.get(mesh);
    if (known !== undefined) return known;
    const made = prepareOracle(Float64Array.from(mesh.positions), Uint32Array.from(mesh.indices));
    prepared.set(mesh, made);
    return made;
  };
  const named: NamedBody[] = [];
  for (const [r, robot] of problem.robots.entries()) {
    if (robot.type !== 'chain') {
      named.push({ body: movingBody(oracle(robot.mesh), paths[r]), robot: r, link: '', isRoot: false });
      continue;
    }
    const meshes = new Map(robot.links.flatMap(({ name, mesh }) => (mesh ? [[name, oracle(mesh)] as const] : [])));
    for (const [link, body] of chainBodies(robot, meshes, paths[r])) {
      named.push({ body, robot: r, link, isRoot: !isMoved(robot, link) });
    }
  }
  const obstacles = problem.environment.map(({ mesh, pose, motion }) => {
    const body = oracle(mesh);
    return motion === undefined
      ? restingBody(body, Array.from(pose ?? [0, 0, 0, 0, 0, 0, 1]))
      : keyedBody(body, motion, times);
  });
  const pairs: PairApart[] = [];
  for (const [i, { body, robot, link, isRoot }] of named.entries()) {
    for (const [o, other] of obstacles.entries()) {
      if (!isRoot) pairs.push({ a: body, b: other, name: `robot ${robot} ${link}, obstacle ${o}` });
    }
    for (const other of named.slice(0, i)) {
      if (other.robot === robot && !mustStayApart(problem.robots[robot] as ChainPlanRobot, link, other.link)) continue;
      pairs.push({ a: body, b: other.body, name: `robot ${robot} ${link}, robot ${other.robot} ${other.link}` });
    }
  }
  return pairs;
}

/** What is wrong with an end that is given by names of joints, or as the place of a link. */
function checkChainEnd(
  robot: ChainPlanRobot,
  given: ChainPlanRobot['goal'],
  had: readonly number[],
  what: string,
): string[] {
  if (typeof (given as { link?: unknown }).link === 'string') {
    const { link, pose, position, point = [0, 0, 0], tolerance = 1e-9, angleTolerance = 1e-9 } = given as LinkGoal;
    const frame = linkFrames(robot, had).get(link)!;
    const [dx, dy, dz] = [0, 1, 2].map((row) => {
      const own = pose === undefined ? point : [0, 0, 0];
      const at = frame[4 * row + 3] + [0, 1, 2].reduce((sum, k) => sum + frame[4 * row + k] * own[k], 0);
      return at - (pose ?? position!)[row];
    });
    const bad = Math.hypot(dx, dy, dz) > tolerance + 1e-9 ? [`${what} is off by ${Math.hypot(dx, dy, dz)}`] : [];
    if (pose === undefined) return bad;
    const wanted = matrixOf(Array.from(pose));
    let trace = 0;
    for (let i = 0; i < 3; i++) for (let k = 0; k < 3; k++) trace += frame[4 * i + k] * wanted[4 * i + k];
    // The arc cosine has half the digits near 0.
    const angle = Math.acos(Math.min(1, (trace - 1) / 2));
    return angle > angleTolerance + 1e-6 ? [...bad, `${what} is turned by ${angle}`] : bad;
  }
  const values = given as Record<string, number>;
  return movedJoints(robot).flatMap(({ name, limits = [-10, 10] }, k) => {
    const wanted = values[name] ?? Math.max(limits[0], Math.min(limits[1], 0));
    return Math.abs(wanted - had[k]) < 1e-9 ? [] : [`${what} has ${had[k]} for ${name}, not ${wanted}`];
  });
}

function distanceAt(a: CheckedBody, b: CheckedBody, edge: number, t: number): number {
  const placed = placeInFrame(a.mesh.positions, b.poseAt(edge, t), a.poseAt(edge, t));
  return measureByBruteForce(b.mesh, a.mesh, placed).distance;
}

function isOut(value: number, min: number, max: number): boolean {
  return value < min - 1e-9 || value > max + 1e-9;
}

function isAcross(robot: PlanProblem['robots'][number], k: number): boolean {
  return robot.type === 'planar' && !robot.plane.includes('xyz'[k]);
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  const near = (sign: number): boolean => a.every((value, k) => Math.abs((k > 2 ? sign * value : value) - b[k]) < 1e-6);
  return near(1) || (a.length === 7 && near(-1));
}

function isMoved(chain: ChainPlanRobot, link: string): boolean {
  const joint = chain.joints.find(({ child }) => child === link);
  return joint !== undefined && (joint.type !== 'fixed' || isMoved(chain, joint.parent));
}

/** The joints that move a link, from the root. */
function moversOf(chain: ChainPlanRobot, link: string): string {
  const joint = chain.joints.find(({ child }) => child === link);
  if (joint === undefined) return '';
  return moversOf(chain, joint.parent) + (joint.type === 'fixed' ? '' : `/${joint.name}`);
}

function mustStayApart(chain: ChainPlanRobot, a: string, b: string): boolean {
  const joins = (p: string, c: string): boolean =>
    chain.joints.some(({ parent, child }) => parent === p && child === c);
  if (joins(a, b) || joins(b, a)) return false;
  if (chain.ignore?.some(([p, c]) => (p === a && c === b) || (p === b && c === a))) return false;
  return moversOf(chain, a) !== moversOf(chain, b);
}

/** The largest speed on an edge in terms of what is allowed. */
function fastest(
  robot: PlanProblem['robots'][number],
  a: readonly number[],
  b: readonly number[],
  seconds: number,
): number {
  const { linear = Infinity, angular = Infinity } = robot.speed ?? {};
  if (robot.type === 'chain') {
    const moved = movedJoints(robot);
    return Math.max(
      ...moved.map(({ type }, k) => Math.abs(b[k] - a[k]) / seconds / (type === 'prismatic' ? linear : angular)),
    );
  }
  const way = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  let chord = Infinity;
  for (const sign of [1, -1]) chord = Math.min(chord, Math.hypot(...[3, 4, 5, 6].map((k) => a[k] - sign * b[k])));
  const turn = 4 * Math.asin(Math.min(1, chord / 2));
  return Math.max(way / seconds / linear, turn / seconds / angular);
}
