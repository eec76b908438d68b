// Proves or refutes a path by distances of the meshes in the middle of intervals and a bound of the motion to their ends, as the
// checker of the tests does; it shares the distances of `nearfield/proximity` with the planner, and nothing else.
import { pose, quat } from 'nearfield/core';
import type { ChainPlanRobot, PlanJoint, PlanProblem } from 'nearfield/planning';
import { Pair, ProximityModel } from 'nearfield/proximity';

export type Verdict = 'proven' | 'refuted' | 'undecided';

/** The most times that an interval is halved. */
const DEPTH = 22;

/** A rigid part: where it is at a configuration of its robot, and the farthest it moves between two. */
interface Part {
  readonly robot: number;
  readonly model: ProximityModel;
  readonly isTested: boolean;
  readonly name: string;
  place(q: readonly number[]): pose.Pose;
  moved(a: readonly number[], b: readonly number[]): number;
}

export class PathChecker {
  readonly #pairs: { readonly a: Part; readonly b: Part | null; readonly pose: pose.Pose; readonly queries: Pair }[] =
    [];
  readonly #robots: PlanProblem['robots'];

  constructor({ robots, environment }: PlanProblem) {
    this.#robots = robots;
    const parts = robots.map((robot, r) => (robot.type === 'chain' ? chainParts(robot, r) : [bodyPart(robot, r)]));
    const obstacles = environment.map(({ mesh, pose: at }) => {
      return { model: new ProximityModel(mesh), pose: at === undefined ? pose.identity() : pose.parse(at) };
    });
    for (const [r, own] of parts.entries()) {
      for (const a of own) {
        for (const { model, pose: at } of obstacles) {
          if (a.isTested) this.#pairs.push({ a, b: null, pose: at, queries: new Pair(a.model, model) });
        }
        for (const b of parts.slice(0, r).flat()) this.#watch(a, b);
      }
      const robot = robots[r];
      if (robot.type !== 'chain') continue;
      const skipped = [...(robot.ignore ?? []), ...robot.joints.map(({ parent, child }) => [parent, child] as const)];
      for (const [i, a] of own.entries()) {
        for (const b of own.slice(i + 1)) {
          if (!skipped.some((pair) => pair.includes(a.name) && pair.includes(b.name))) this.#watch(a, b);
        }
      }
    }
  }

  /** @param path waypoints, of each robot its pose or joint values. */
  check(path: readonly (readonly (readonly number[])[])[]): { readonly verdict: Verdict; readonly least: number } {
    let least = Infinity;
    for (let i = 1; i < path.length; i++) {
      for (const { a, b, pose: at, queries } of this.#pairs) {
        const [from, to] = [path[i - 1], path[i]];
        const motion = a.moved(from[a.robot], to[a.robot]) + (b === null ? 0 : b.moved(from[b.robot], to[b.robot]));
        const check = (low: number, high: number, depth: number): Verdict => {
          const t = (low + high) / 2;
          const placeOf = (part: Part): pose.Pose => {
            return part.place(
              interpolate(this.#robots[part.robot].type === 'chain', from[part.robot], to[part.robot], t),
            );
          };
          const { distance } = queries.distance(placeOf(a), b === null ? at : placeOf(b));
          least = Math.min(least, distance ?? Infinity);
          if (distance === 0) return 'refuted';
          if (distance === null || distance > (motion * (high - low)) / 2) return 'proven';
          if (depth === 0) return 'undecided';
          const first = check(low, t, depth - 1);
          return first === 'proven' ? check(t, high, depth - 1) : first;
        };
        const verdict = check(0, 1, DEPTH);
        if (verdict !== 'proven') return { verdict, least };
      }
    }
    return { verdict: 'proven', least };
  }

  #watch(a: Part, b: Part): void {
    this.#pairs.push({ a, b, pose: pose.identity(), queries: new Pair(a.model, b.model) });
  }
}

function bodyPart(robot: Exclude<PlanProblem['robots'][number], ChainPlanRobot>, index: number): Part {
  const model = new ProximityModel(robot.mesh);
  const radius = farthest(model);
  return {
    robot: index,
    model,
    isTested: true,
    name: '',
    place: (q) => pose.parse(q),
    moved: (a, b) => {
      const dot = Math.abs(a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6]);
      return Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) + 2 * radius * Math.acos(Math.min(1, dot));
    },
  };
}

/** Links: a joint moves a link's points by at most its change times all offsets between them. */
function chainParts(chain: ChainPlanRobot, index: number): Part[] {
  const moving = chain.joints.filter(({ type, mimic }) => type !== 'fixed' && mimic === undefined);
  /** The value that moves a joint, and how much of it. */
  const moverOf = ({ name, mimic }: PlanJoint): { readonly value: number; readonly factor: number } => {
    const value = moving.findIndex((joint) => joint.name === (mimic?.joint ?? name));
    return { value, factor: mimic?.factor ?? 1 };
  };
  const place = (q: readonly number[], link: string): pose.Pose => {
    const joint = chain.joints.find(({ child }) => child === link);
    if (joint === undefined) return chain.base === undefined ? pose.identity() : pose.parse(chain.base);
    const { type, parent, origin = pose.identity(), axis = [1, 0, 0] } = joint;
    const { value: index, factor } = moverOf(joint);
    const value = type === 'fixed' ? 0 : factor * q[index] + (joint.mimic?.offset ?? 0);
    const size = Math.hypot(axis[0], axis[1], axis[2]);
    const unit: [number, number, number] = [axis[0] / size, axis[1] / size, axis[2] / size];
    const motion =
      type === 'revolute'
        ? pose.create([0, 0, 0], quat.fromAxisAngle(unit, value))
        : pose.create([unit[0] * value, unit[1] * value, unit[2] * value]);
    return pose.multiply(pose.multiply(place(q, parent), origin), motion);
  };
  return chain.links.flatMap(({ name, mesh }, i) => {
    if (mesh === undefined) return [];
    const model = new ProximityModel(mesh);
    const levers = new Map<number, number>();
    let lever = farthest(model);
    for (let link = name; ; ) {
      const joint = chain.joints.find(({ child }) => child === link);
      if (joint === undefined) break;
      const { value, factor } = moverOf(joint);
      const add = (rate: number): void => void levers.set(value, (levers.get(value) ?? 0) + Math.abs(factor) * rate);
      if (joint.type === 'prismatic') {
        add(1);
        const limits = moving[value].limits!.map((limit) => Math.abs(factor * limit + (joint.mimic?.offset ?? 0)));
        lever += Math.max(...limits);
      } else if (joint.type === 'revolute') add(lever);
      const { origin = [0, 0, 0] } = joint;
      lever += Math.hypot(origin[0], origin[1], origin[2]);
      link = joint.parent;
    }
    const moved = (a: readonly number[], b: readonly number[]): number => {
      return [...levers].reduce((sum, [value, rate]) => sum + rate * Math.abs(b[value] - a[value]), 0);
    };
    return [{ robot: index, model, isTested: i > 0, name, place: (q: readonly number[]) => place(q, name), moved }];
  });
}

function farthest({ mesh: { positions } }: ProximityModel): number {
  let most = 0;
  for (let i = 0; i < positions.length; i += 3) {
    most = Math.max(most, Math.hypot(positions[i], positions[i + 1], positions[i + 2]));
  }
  return most;
}

/** Joint values evenly; poses on a straight line, turning evenly the shorter way. */
function interpolate(isChain: boolean, a: readonly number[], b: readonly number[], t: number): number[] {
  const mixed = a.map((value, k) => value + t * (b[k] - value));
  if (isChain) return mixed;
  const dot = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6];
  const sign = dot < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  const [from, to] =
    angle > 1e-9
      ? [Math.sin((1 - t) * angle) / Math.sin(angle), (sign * Math.sin(t * angle)) / Math.sin(angle)]
      : [1 - t, sign * t];
  for (let k = 3; k < 7; k++) mixed[k] = from * a[k] + to * b[k];
  return mixed;
}
