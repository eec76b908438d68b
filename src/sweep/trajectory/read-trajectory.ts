// Trajectories from text: messages of ROS and MoveIt as YAML or JSON, tables as CSV, our own plans, and the paths that OMPL
// prints, with a state on each line. What a text is follows from its content.
import { nameValue } from '../../core/check/check-options.js';
import { JsonPlace } from '../../core/check/json-place.js';
import { NearfieldError } from '../../core/errors.js';
import { parseYaml } from '../../io/yaml/parse-yaml.js';
import type { JointTrajectory, JointWaypoint, MotionTrajectory } from './motion-trajectory.js';
import { readStates } from './read-states.js';
import { readTable } from './read-table.js';

/** Definition: nanoseconds in a second. */
const NANOSECONDS = 1e9;

/**
 * Reads trajectories, one for each robot or body that the text names. All that follow each other in time are one.
 * @throws NearfieldError that says which key or line is wrong, and what to do.
 */
export function readTrajectory(text: string): MotionTrajectory[] {
  if (typeof text !== 'string' || text.trim() === '') {
    throw new NearfieldError(
      'bad-argument',
      `The trajectory is ${nameValue(text)}; give the text of a trajectory file.`,
    );
  }
  const first = text.trimStart();
  if (first.startsWith('{')) return readMessage(new JsonPlace(parseJson(text), '', 'The trajectory'));
  const states = readStates(text);
  if (states !== null) return [states];
  const [line] = first.split(/\r\n|\n|\r/, 1);
  if (/^"?time"?\s*,/i.test(line)) return [readTable(text)];
  return readMessage(new JsonPlace(parseYaml(text), '', 'The trajectory'));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NearfieldError('file-format', `The trajectory is no JSON: ${(error as Error).message}.`);
  }
}

function readMessage(root: JsonPlace): MotionTrajectory[] {
  if (has(root, 'answers')) {
    return root.refuse('has the answers to several queries; give one of them as a file of its own');
  }
  // Our own answers: the trajectory is finer than the path.
  if (has(root, 'paths')) return has(root, 'trajectory') ? readMessage(at(root, 'trajectory')) : [readPath(root)];
  const start = has(root, 'trajectory_start') ? readStart(at(root, 'trajectory_start')) : undefined;
  // A plan of MoveIt, or a goal of a controller.
  if (has(root, 'trajectory')) {
    const inner = at(root, 'trajectory');
    const parts = Array.isArray(inner.value) ? inner.list('trajectories') : [inner];
    return joinInTime(
      parts.map((part) => readRobotTrajectory(part)),
      start,
    );
  }
  return joinInTime([readRobotTrajectory(root)], start);
}

/** A RobotTrajectory, a JointTrajectory, or one of ours. */
function readRobotTrajectory(place: JsonPlace): MotionTrajectory[] {
  const found: MotionTrajectory[] = [];
  if (has(place, 'joint_trajectory')) found.push(...readJoints(at(place, 'joint_trajectory')));
  if (has(place, 'multi_dof_joint_trajectory')) found.push(...readBodies(at(place, 'multi_dof_joint_trajectory')));
  if (has(place, 'joint_names') || has(place, 'joints')) {
    const isBodies =
      has(place, 'points') &&
      at(place, 'points')
        .list('points')
        .some((point) => has(point, 'transforms'));
    found.push(...(isBodies ? readBodies(place) : readJoints(place)));
  } else if (has(place, 'points')) found.push(readPoses(place));
  if (found.length > 0) return found;
  return place.refuse('has no points; give a JointTrajectory, a RobotTrajectory, or {"joints", "points"}');
}

function readJoints(place: JsonPlace): JointTrajectory[] {
  const names = at(place, has(place, 'joints') ? 'joints' : 'joint_names').list('names of joints');
  const points = at(place, 'points').list('points');
  // Messages for bodies alone have an empty list of joints.
  if (names.length === 0 && points.length === 0) return [];
  const joints = names.map((name) => name.text());
  const read = (point: JsonPlace, key: string): number[] | undefined => {
    if (!has(point, key)) return undefined;
    const list = at(point, key).list('numbers');
    return list.length === 0 && key !== 'positions' ? undefined : at(point, key).numbers(joints.length);
  };
  const waypoints = points.map((point): JointWaypoint => {
    const positions = read(point, 'positions') ?? point.refuse('has no "positions"; add them');
    return {
      time: readTime(point),
      positions,
      velocities: read(point, 'velocities'),
      accelerations: read(point, 'accelerations'),
    };
  });
  return [{ joints, points: waypoints }];
}

/** Transforms of several bodies at each point, as in MultiDOFJointTrajectory. */
function readBodies(place: JsonPlace): MotionTrajectory[] {
  const names = has(place, 'joint_names')
    ? at(place, 'joint_names')
        .list('names')
        .map((name) => name.text())
    : [];
  const points = at(place, 'points').list('points');
  if (points.length === 0) return [];
  return names.map((body, i) => ({
    body,
    points: points.map((point) => {
      const transforms = at(point, 'transforms').list('transforms');
      const own = transforms[i] ?? point.refuse(`has ${transforms.length} transforms for ${names.length} joints`);
      const take = (key: string, axes: readonly string[]): number[] => {
        return axes.map((axis) => at(at(own, key), axis).number());
      };
      const pose = [...take('translation', ['x', 'y', 'z']), ...take('rotation', ['x', 'y', 'z', 'w'])];
      return { time: readTime(point), pose };
    }),
  }));
}

function readPoses(place: JsonPlace): MotionTrajectory {
  const body = has(place, 'body') ? at(place, 'body').text() : undefined;
  const points = at(place, 'points')
    .list('points')
    .map((point) => {
      return { time: readTime(point), pose: at(point, 'pose').numbers(7) };
    });
  return { body, points };
}

function readPath(root: JsonPlace): MotionTrajectory {
  const status = has(root, 'status') ? at(root, 'status').value : 'solved';
  if (status !== 'solved') root.refuse(`has no path: the status is ${nameValue(status)}; give a solved answer`);
  const paths = at(root, 'paths')
    .list('paths')
    .map((path) => ({
      robot: has(path, 'robot') ? at(path, 'robot').text() : undefined,
      poses: at(path, 'poses')
        .list('waypoints')
        .map((pose) => pose.list('numbers').map((value) => value.number())),
    }));
  const times = has(root, 'times')
    ? at(root, 'times')
        .list('times')
        .map((time) => time.number())
    : null;
  return { paths, times };
}

/** Seconds as a number, or the durations of ROS 1 and 2. */
function readTime(point: JsonPlace): number | undefined {
  if (has(point, 'time')) return at(point, 'time').number();
  if (!has(point, 'time_from_start')) return undefined;
  const from = at(point, 'time_from_start');
  if (typeof from.value === 'number') return from.number();
  const part = (...keys: string[]): number => {
    const key = keys.find((name) => has(from, name));
    return key === undefined ? 0 : at(from, key).number();
  };
  return part('sec', 'secs') + part('nanosec', 'nsecs') / NANOSECONDS;
}

function readStart(place: JsonPlace): Readonly<Record<string, number>> | undefined {
  if (!has(place, 'joint_state')) return undefined;
  const state = at(place, 'joint_state');
  if (!has(state, 'name') || !has(state, 'position')) return undefined;
  const names = at(state, 'name')
    .list('names')
    .map((name) => name.text());
  const values = at(state, 'position').numbers(names.length);
  return Object.fromEntries(names.map((name, i) => [name, values[i]]));
}

/** Trajectories that are carried out one after the other: each begins where and when the one before it ends. */
function joinInTime(
  parts: readonly (readonly MotionTrajectory[])[],
  start: Readonly<Record<string, number>> | undefined,
): MotionTrajectory[] {
  const [first, ...others] = parts;
  if (others.length === 0)
    return first.map((one) => (start !== undefined && 'joints' in one ? { ...one, start } : one));
  let end = 0;
  const joined = new Map<string, JointTrajectory>();
  for (const part of parts) {
    let last = end;
    for (const one of part) {
      if (!('joints' in one)) {
        throw new NearfieldError(
          'unsupported',
          'Bodies in several trajectories one after the other are not read; give them in one.',
        );
      }
      const key = one.joints.join('\n');
      const known = joined.get(key)?.points ?? [];
      const shifted = one.points.map((point) => ({ ...point, time: (point.time ?? 0) + end }));
      // A part repeats the point that the one before it has ended with.
      const isRepeated = known.length > 0 && shifted[0].time === known[known.length - 1].time;
      joined.set(key, { joints: one.joints, points: [...known, ...(isRepeated ? shifted.slice(1) : shifted)], start });
      last = Math.max(last, shifted[shifted.length - 1].time);
    }
    end = last;
  }
  return [...joined.values()];
}

function has({ value }: JsonPlace, key: string): boolean {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
  const own = (value as Readonly<Record<string, unknown>>)[key];
  return own !== null && own !== undefined;
}

function at(place: JsonPlace, key: string): JsonPlace {
  const { value, path, document } = place;
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  if (!isThere) return place.refuse(`has no "${key}"; add it`);
  return new JsonPlace(
    (value as Readonly<Record<string, unknown>>)[key],
    path === '' ? key : `${path}.${key}`,
    document,
  );
}
