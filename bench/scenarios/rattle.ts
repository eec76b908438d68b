// A small rigid-body simulation that gives scenarios their motion: bodies bounce off each other without friction, pushed
// by a force that varies smoothly. Bodies are stood for by balls a little larger than their meshes, so that the meshes
// themselves stay apart, and so that the motion does not depend on the queries that are measured on it.
import { type Pose, pose, quat, type Vec3, vec3 } from 'nearfield/core';
import { FRAME_COUNT } from './scenario.js';

/** How far a point is from the body's stand-in, negative inside, and the direction away from it. In the body's frame. */
export type ClearanceField = (point: Vec3, direction: Vec3) => number;

export interface RattlingBody {
  /** Centers and radii of the balls that stand for the body: x, y, z, r after each other. */
  readonly balls: Float64Array;
  /** What other bodies' balls must keep out of; by default the body's own balls. */
  readonly field?: ClearanceField;
  readonly start: Pose;
  /** Left where it is. */
  readonly fixed?: boolean;
  /** Radius of gyration: how hard the body, of mass 1, is to turn. */
  readonly gyration: number;
  readonly velocity?: Vec3;
  /** Radians per second. */
  readonly spin?: Vec3;
}

export interface RattleOptions {
  /** Acceleration of a body at a time; meters, seconds. */
  readonly force: (time: number, body: number, position: Vec3) => Vec3;
  /** Share of the speed that a bounce keeps. */
  readonly bounce: number;
  /** Fraction of the speed lost per second. */
  readonly drag: number;
  /** Seconds per frame. */
  readonly frameTime?: number;
}

/** Steps per frame, and passes over the contacts of a step. */
const SUBSTEPS = 4;
const PASSES = 4;

interface State {
  readonly body: RattlingBody;
  readonly field: ClearanceField;
  readonly reach: number;
  position: Vec3;
  rotation: quat.Quat;
  velocity: Vec3;
  spin: Vec3;
}

/**
 * Poses of all bodies in all frames, laid out as a scenario's. Only the given pairs bounce off each other: the balls of
 * the second off the field of the first.
 */
export function rattle(
  bodies: readonly RattlingBody[],
  pairs: readonly (readonly [number, number])[],
  options: RattleOptions,
): Float64Array {
  const states = bodies.map(createState);
  const poses = new Float64Array(7 * bodies.length * FRAME_COUNT);
  const step = (options.frameTime ?? 1 / 60) / SUBSTEPS;
  for (let frame = 0; frame < FRAME_COUNT; frame++) {
    for (const [index, { position, rotation }] of states.entries()) {
      poses.set([...position, ...rotation], 7 * (frame * bodies.length + index));
    }
    for (let substep = 0; substep < SUBSTEPS; substep++) {
      const time = (frame * SUBSTEPS + substep) * step;
      for (const [index, state] of states.entries()) {
        if (!state.body.fixed) advance(state, options.force(time, index, state.position), options.drag, step);
      }
      for (let pass = 0; pass < PASSES; pass++) {
        let touching = false;
        for (const [a, b] of pairs) {
          touching = separate(states[a], states[b], options.bounce) || touching;
        }
        if (!touching) break;
      }
    }
  }
  return poses;
}

function createState(body: RattlingBody): State {
  let reach = 0;
  const { balls } = body;
  for (let i = 0; i < balls.length; i += 4) {
    reach = Math.max(reach, Math.hypot(balls[i], balls[i + 1], balls[i + 2]) + balls[i + 3]);
  }
  return {
    body,
    field: body.field ?? ballField(balls),
    reach: body.field ? Number.POSITIVE_INFINITY : reach,
    position: [body.start[0], body.start[1], body.start[2]],
    rotation: [body.start[3], body.start[4], body.start[5], body.start[6]],
    velocity: [...(body.velocity ?? [0, 0, 0])],
    spin: [...(body.spin ?? [0, 0, 0])],
  };
}

function ballField(balls: Float64Array): ClearanceField {
  return (point, direction) => {
    let [nearest, clearance] = [0, Number.POSITIVE_INFINITY];
    for (let i = 0; i < balls.length; i += 4) {
      const [x, y, z] = [point[0] - balls[i], point[1] - balls[i + 1], point[2] - balls[i + 2]];
      const square = x * x + y * y + z * z;
      const bound = clearance + balls[i + 3];
      if (bound <= 0 || square >= bound * bound) continue;
      nearest = i;
      clearance = Math.sqrt(square) - balls[i + 3];
    }
    vec3.normalize(
      [point[0] - balls[nearest], point[1] - balls[nearest + 1], point[2] - balls[nearest + 2]],
      direction,
    );
    return clearance;
  };
}

function advance(state: State, force: Vec3, drag: number, step: number): void {
  const kept = Math.exp(-drag * step);
  for (let axis = 0; axis < 3; axis++) {
    state.velocity[axis] = (state.velocity[axis] + force[axis] * step) * kept;
    state.spin[axis] *= kept;
    state.position[axis] += state.velocity[axis] * step;
  }
  turn(state, state.spin, step);
}

function turn(state: State, spin: Vec3, step: number): void {
  const speed = vec3.length(spin);
  if (speed === 0) return;
  const by = quat.fromAxisAngle(vec3.scale(spin, 1 / speed), speed * step);
  quat.normalize(quat.multiply(by, state.rotation), state.rotation);
}

/** Pushes the two bodies apart where they are deepest in each other; false when they are clear. */
function separate(a: State, b: State, bounce: number): boolean {
  if (vec3.distance(a.position, b.position) > a.reach + b.reach) return false;
  const placeA: Pose = [...a.position, ...a.rotation];
  const m = pose.toMatrix4(pose.bInA(placeA, [...b.position, ...b.rotation]));
  const point: Vec3 = [0, 0, 0];
  const direction: Vec3 = [0, 0, 0];
  const where: Vec3 = [0, 0, 0];
  const normal: Vec3 = [0, 0, 0];
  let depth = 0;
  const { balls } = b.body;
  for (let i = 0; i < balls.length; i += 4) {
    const [x, y, z] = [balls[i], balls[i + 1], balls[i + 2]];
    for (let axis = 0; axis < 3; axis++) {
      point[axis] = m[4 * axis] * x + m[4 * axis + 1] * y + m[4 * axis + 2] * z + m[4 * axis + 3];
    }
    const overlap = balls[i + 3] - a.field(point, direction);
    if (overlap <= depth) continue;
    depth = overlap;
    vec3.addScaled(point, direction, -balls[i + 3], where);
    vec3.scale(direction, 1, normal);
  }
  if (depth === 0) return false;
  resolve(a, b, pose.transformPoint(placeA, where), pose.transformVector(placeA, normal), depth, bounce);
  return true;
}

/** An impulse along the normal (from A to B) at the point, and the same again in place of speed, for the depth. */
function resolve(a: State, b: State, point: Vec3, normal: Vec3, depth: number, bounce: number): void {
  const sides = [a, b].map((state, side) => {
    const lever = vec3.cross(vec3.subtract(point, state.position), normal);
    const turning = vec3.scale(lever, 1 / state.body.gyration ** 2);
    const sign = side === 0 ? -1 : 1;
    return { state, sign, turning, ease: state.body.fixed ? 0 : 1 + vec3.dot(lever, turning), lever };
  });
  const ease = sides[0].ease + sides[1].ease;
  let approach = 0;
  for (const { state, sign, lever } of sides) {
    approach -= sign * (vec3.dot(state.velocity, normal) + vec3.dot(state.spin, lever));
  }
  const impulse = approach > 0 ? ((1 + bounce) * approach) / ease : 0;
  const push = depth / ease;
  for (const { state, sign, turning } of sides) {
    if (state.body.fixed) continue;
    vec3.addScaled(state.velocity, normal, sign * impulse, state.velocity);
    vec3.addScaled(state.spin, turning, sign * impulse, state.spin);
    vec3.addScaled(state.position, normal, sign * push, state.position);
    turn(state, vec3.scale(turning, sign), push);
  }
}
