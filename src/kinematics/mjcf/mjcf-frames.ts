// Frames of MJCF elements: a position and one of five ways to give an orientation.
import type { Pose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { XmlElement } from '../../io/xml/xml-tree.js';

/** How a file means its numbers. */
export interface MjcfCompiler {
  /** Radians of one unit of its angles. */
  readonly angle: number;
  /** The axes of Euler angles in turn: lower case turn with the body, upper case stay. */
  readonly eulerOrder: string;
  /** Whether a range given is a limit, unless `limited` says otherwise. */
  readonly autoLimits: boolean;
  readonly meshFolder: string;
}

const AXES: Readonly<Record<string, Vec3>> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

/** The finite numbers of an attribute. @param counts how many there may be. */
export function readValues(
  element: XmlElement,
  attributes: Readonly<Record<string, string>>,
  key: string,
  counts: readonly number[],
): number[] | undefined {
  const text = attributes[key];
  if (text === undefined) return undefined;
  const values = text.trim().split(/\s+/).map(Number);
  if (counts.includes(values.length) && values.every(Number.isFinite)) return values;
  return element.fail(
    'file-format',
    `${key} of <${element.name}> is "${text}"; give ${counts.join(' or ')} finite numbers`,
  );
}

/** The pose of an element in the frame around it. */
export function readFrame(
  element: XmlElement,
  attributes: Readonly<Record<string, string>>,
  compiler: MjcfCompiler,
): Pose {
  const position = (readValues(element, attributes, 'pos', [3]) ?? [0, 0, 0]) as Vec3;
  return pose.create(position, readTurn(element, attributes, compiler));
}

function readTurn(
  element: XmlElement,
  attributes: Readonly<Record<string, string>>,
  { angle, eulerOrder }: MjcfCompiler,
): quat.Quat {
  const given = (key: string, count: number): number[] | undefined => readValues(element, attributes, key, [count]);
  const direction = (values: readonly number[], key: string): Vec3 => {
    const size = Math.hypot(...values);
    if (!(size > 0)) element.fail('file-format', `${key} of <${element.name}> is no direction; give one that is not 0`);
    return values.map((value) => value / size) as Vec3;
  };
  const turn = given('quat', 4);
  if (turn !== undefined) {
    const [w, x, y, z] = turn;
    if (!(Math.hypot(w, x, y, z) > 0)) element.fail('file-format', `quat of <${element.name}> is 0; give w x y z`);
    return quat.normalize([x, y, z, w]);
  }
  const axisAngle = given('axisangle', 4);
  if (axisAngle !== undefined) {
    return quat.fromAxisAngle(direction(axisAngle.slice(0, 3), 'axisangle'), angle * axisAngle[3]);
  }
  const euler = given('euler', 3);
  if (euler !== undefined) {
    let whole: quat.Quat = [0, 0, 0, 1];
    for (const [i, letter] of [...eulerOrder].entries()) {
      const step = quat.fromAxisAngle(AXES[letter.toLowerCase()], angle * euler[i]);
      whole = letter === letter.toLowerCase() ? quat.multiply(whole, step) : quat.multiply(step, whole);
    }
    return whole;
  }
  const axes = given('xyaxes', 6);
  if (axes !== undefined) {
    const x = direction(axes.slice(0, 3), 'xyaxes');
    const rough = axes.slice(3) as Vec3;
    const y = direction(vec3.addScaled(rough, x, -vec3.dot(rough, x)), 'xyaxes');
    const z = vec3.cross(x, y);
    return quat.fromMatrix3([0, 1, 2].flatMap((k) => [x[k], y[k], z[k]]));
  }
  const up = given('zaxis', 3);
  return up === undefined ? [0, 0, 0, 1] : turnOfZ(direction(up, 'zaxis'));
}

/** The shortest turn that brings the z axis to a direction of unit length. */
export function turnOfZ(z: Vec3): quat.Quat {
  const axis = vec3.cross([0, 0, 1], z);
  const size = vec3.length(axis);
  // Straight down, any axis across will do.
  if (!(size > 1e-12)) return z[2] > 0 ? [0, 0, 0, 1] : [1, 0, 0, 0];
  return quat.fromAxisAngle(vec3.scale(axis, 1 / size), Math.atan2(size, z[2]));
}
