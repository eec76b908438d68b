// Trajectories as files: the message JointTrajectory of ROS as YAML or JSON, and tables as CSV.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import type { Trajectory, TrajectoryPoint } from './time-path.js';

/** The formats of trajectory files. */
export const TRAJECTORY_FORMATS = ['yaml', 'json', 'csv'] as const;

/** One of the formats of trajectory files. */
export type TrajectoryFormat = (typeof TRAJECTORY_FORMATS)[number];

/** Definition: nanoseconds in a second. */
const NANOSECONDS = 1e9;

/**
 * The text of a trajectory file. YAML and JSON are the message trajectory_msgs/JointTrajectory of ROS 2; CSV has a row for each
 * point: the time in seconds, then positions, velocities and accelerations by the names of the joints.
 */
export function writeTrajectory(trajectory: Trajectory, format: TrajectoryFormat): string {
  if (!Array.isArray(trajectory?.points) || !Array.isArray(trajectory.joints)) {
    throw new NearfieldError('bad-argument', `The trajectory is ${nameValue(trajectory)}; give what timePath gives.`);
  }
  if (!TRAJECTORY_FORMATS.includes(format)) {
    throw new NearfieldError(
      'bad-argument',
      `The format is ${nameValue(format)}; give ${TRAJECTORY_FORMATS.join(', ')}.`,
    );
  }
  if (format === 'csv') return csv(trajectory);
  const message = { joint_names: trajectory.joints, points: trajectory.points.map(messagePoint) };
  return format === 'json' ? `${JSON.stringify(message)}\n` : yaml(message);
}

/** A point of the message. */
function messagePoint({ time, positions, velocities, accelerations }: TrajectoryPoint) {
  const whole = Math.round(time * NANOSECONDS);
  const sec = Math.floor(whole / NANOSECONDS);
  return { positions, velocities, accelerations, time_from_start: { sec, nanosec: whole - sec * NANOSECONDS } };
}

function yaml({
  joint_names,
  points,
}: {
  joint_names: readonly string[];
  points: ReturnType<typeof messagePoint>[];
}): string {
  const lines = [`joint_names: [${joint_names.map((name) => JSON.stringify(name)).join(', ')}]`, 'points:'];
  for (const { positions, velocities, accelerations, time_from_start } of points) {
    lines.push(`  - positions: [${positions.join(', ')}]`);
    lines.push(`    velocities: [${velocities.join(', ')}]`);
    lines.push(`    accelerations: [${accelerations.join(', ')}]`);
    lines.push(`    time_from_start: {sec: ${time_from_start.sec}, nanosec: ${time_from_start.nanosec}}`);
  }
  return `${lines.join('\n')}\n`;
}

function csv({ joints, points }: Trajectory): string {
  const names = joints.map((name) => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name));
  const header = [
    'time',
    ...names,
    ...names.map((name) => suffixed(name, 'velocity')),
    ...names.map((name) => suffixed(name, 'acceleration')),
  ];
  const rows = points.map(({ time, positions, velocities, accelerations }) => {
    return [time, ...positions, ...velocities, ...accelerations].join(',');
  });
  return `${[header.join(','), ...rows].join('\n')}\n`;
}

/** A name with what it is a column of, inside of its quotes. */
function suffixed(name: string, what: string): string {
  return name.endsWith('"') ? `${name.slice(0, -1)} ${what}"` : `${name} ${what}`;
}
