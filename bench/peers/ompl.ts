// OMPL with FCL beside us: its driver is compiled when a compiler and the libraries are there. A run is a process, since OMPL
// takes one seed a process; the time is that of planning and simplifying alone, without reading meshes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mesh } from 'nearfield/mesh';
import type { ChainPlanRobot, PlanProblem } from 'nearfield/planning';
import { compileDriver, type PeerDriver } from './compile-driver.js';
import source from './ompl-driver.cpp?raw';

export type OmplPlanner = 'RRTConnect' | 'PRM' | 'LBKPIECE';

export interface OmplRun {
  readonly solved: boolean;
  /** Of the processor. */
  readonly seconds: number;
  /** The simplified path: waypoints, of each robot its pose or joint values. */
  readonly path: readonly (readonly (readonly number[])[])[];
}

export function buildOmplDriver(): PeerDriver {
  const flags = ['ompl', 'fcl', 'eigen3'].map((name) =>
    spawnSync('pkg-config', ['--cflags', name], { encoding: 'utf8' }),
  );
  if (flags.some(({ status }) => status !== 0)) {
    return { missing: 'OMPL or FCL (Debian: libompl-dev, libfcl-dev) is not installed and was left out.' };
  }
  const words = flags.flatMap(({ stdout }) => stdout.trim().split(/\s+/)).filter((word) => word.startsWith('-I'));
  return compileDriver('OMPL', 'ompl-driver', source, [...words, '-lompl', '-lfcl', '-lccd']);
}

/** A problem in OMPL's hands. */
export class OmplProblem {
  readonly problem: PlanProblem;
  readonly #driver: string;
  readonly #folder: string;

  constructor(driver: string, problem: PlanProblem) {
    this.#driver = driver;
    this.problem = problem;
    this.#folder = mkdtempSync(join(tmpdir(), 'nearfield-ompl-'));
    writeFileSync(join(this.#folder, 'problem.txt'), encodeProblem(problem));
  }

  /** @returns null where the planner has no projection for the space, and where the driver fails. */
  run(planner: OmplPlanner, resolution: number, seed: number, seconds: number): OmplRun | null {
    const args = [join(this.#folder, 'problem.txt'), planner, `${resolution}`, `${seed}`, `${seconds}`];
    const { stdout, status } = spawnSync(this.#driver, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
    if (status !== 0) return null;
    const answer = JSON.parse(stdout);
    return answer.unsupported ? null : answer;
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const IDENTITY = [0, 0, 0, 0, 0, 0, 1];
const AXES = { xy: [0, 1, 2], xz: [0, 2, 1], yz: [1, 2, 0] } as const;

function encodeProblem({ robots, environment }: PlanProblem): string {
  const meshes: Mesh[] = [];
  const meshIndex = (mesh: Mesh): number => {
    const found = meshes.indexOf(mesh);
    return found >= 0 ? found : meshes.push(mesh) - 1;
  };
  const rest: (number | readonly number[])[] = [environment.length];
  for (const { mesh, pose = IDENTITY } of environment) rest.push(meshIndex(mesh), Array.from(pose));
  rest.push(robots.length);
  const pairs: number[] = [];
  const bodiesOf: number[][] = [];
  let body = 0;
  for (const robot of robots) {
    const own: number[] = [];
    if (robot.type === 'chain') {
      const withBody = robot.links.flatMap(({ mesh }, i) => (mesh === undefined ? [] : [i]));
      rest.push(2, Array.from(robot.base ?? IDENTITY), robot.links.length, encodeJoints(robot), withBody.length);
      for (const link of withBody) {
        rest.push(link, meshIndex(robot.links[link].mesh!), link === 0 ? 0 : 1);
        own.push(body++);
      }
      pairs.push(...linkPairs(robot, withBody, own));
      // Chains of samples have lists of values.
      rest.push(Array.from(robot.start as number[]), Array.from(robot.goal as number[]));
    } else {
      const axes = robot.type === 'planar' ? AXES[robot.plane] : AXES.xy;
      const moving = robot.type === 'planar' ? axes.slice(0, 2) : [0, 1, 2];
      rest.push(robot.type === 'planar' ? 1 : 0, [...axes], Array.from(robot.start!));
      rest.push(
        moving.map((k) => robot.bounds.min[k]),
        moving.map((k) => robot.bounds.max[k]),
      );
      rest.push(1, 0, meshIndex(robot.mesh), 1);
      own.push(body++);
      if (robot.type === 'rigid') rest.push(Array.from(robot.start!), Array.from(robot.goal!));
      else {
        rest.push([robot.start![axes[0]], robot.start![axes[1]], 0]);
        rest.push([robot.goal![axes[0]], robot.goal![axes[1]], turnBetween(robot.start!, robot.goal!, axes[2])]);
      }
    }
    for (const others of bodiesOf) for (const a of others) for (const b of own) pairs.push(a, b);
    bodiesOf.push(own);
  }
  rest.push(pairs.length / 2, pairs);
  const lines = [`${meshes.length}`];
  for (const { positions, indices } of meshes) {
    lines.push(`${positions.length / 3} ${indices.length / 3}`, positions.join(' '), indices.join(' '));
  }
  return `${lines.join('\n')}\n${rest.flat().join(' ')}\n`;
}

/** Joints with the number of the value that moves each, −1 for none, and how it follows from that. */
function encodeJoints({ joints, links }: ChainPlanRobot): number[] {
  const indexOf = (name: string): number => links.findIndex((link) => link.name === name);
  const moving = joints.filter(({ type, mimic }) => type !== 'fixed' && mimic === undefined).map(({ name }) => name);
  return [
    joints.length,
    ...joints.flatMap(({ name, type, parent, child, origin = IDENTITY, axis = [1, 0, 0], limits = [0, 0], mimic }) => {
      const kind = ['revolute', 'prismatic', 'fixed'].indexOf(type);
      const size = Math.hypot(axis[0], axis[1], axis[2]);
      const unit = [axis[0] / size, axis[1] / size, axis[2] / size];
      const value = moving.indexOf(mimic?.joint ?? name);
      const rule = [value, mimic?.factor ?? 1, mimic?.offset ?? 0, mimic === undefined ? 0 : 1];
      return [kind, indexOf(parent), indexOf(child), ...Array.from(origin), ...unit, ...limits, ...rule];
    }),
  ];
}

/** Bodies of a chain that must not touch: all but neighbors and ignored ones. */
function linkPairs({ links, joints, ignore = [] }: ChainPlanRobot, withBody: number[], own: number[]): number[] {
  const skipped = [...ignore, ...joints.map(({ parent, child }) => [parent, child] as const)];
  const pairs: number[] = [];
  for (let i = 0; i < withBody.length; i++) {
    for (let k = i + 1; k < withBody.length; k++) {
      const [a, b] = [links[withBody[i]].name, links[withBody[k]].name];
      if (!skipped.some(([c, d]) => (a === c && b === d) || (a === d && b === c))) pairs.push(own[i], own[k]);
    }
  }
  return pairs;
}

/** The turn about an axis between two poses that differ by one. */
function turnBetween(a: ArrayLike<number>, b: ArrayLike<number>, axis: number): number {
  // The vector part of b · conjugate(a) along the axis, and its scalar part.
  const [x, y, z, w] = [a[3], a[4], a[5], a[6]];
  const [bx, by, bz, bw] = [b[3], b[4], b[5], b[6]];
  const turn = [
    bx * w - bw * x - by * z + bz * y,
    by * w - bw * y - bz * x + bx * z,
    bz * w - bw * z - bx * y + by * x,
  ];
  return 2 * Math.atan2(turn[axis], bw * w + bx * x + by * y + bz * z);
}
