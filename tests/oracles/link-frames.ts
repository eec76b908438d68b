// Where the links of a chain are, by products of 4×4 matrices (Rodrigues 1840, Denavit and Hartenberg 1955). Shares nothing
// with the library, which works with quaternions.

/** A joint as problems have it, with links by name. */
export interface FramedJoint {
  readonly name: string;
  readonly type: string;
  readonly parent: string;
  readonly child: string;
  readonly origin?: ArrayLike<number> | undefined;
  readonly axis?: ArrayLike<number> | undefined;
  readonly limits?: readonly [number, number] | undefined;
  readonly mimic?: { readonly joint: string; readonly factor?: number; readonly offset?: number } | undefined;
}

export interface FramedChain {
  readonly base?: ArrayLike<number> | undefined;
  readonly joints: readonly FramedJoint[];
}

/** 16 numbers, row by row. */
export type Matrix = readonly number[];

/** The joints that have a number in a configuration. */
export function movedJoints({ joints }: FramedChain): FramedJoint[] {
  return joints.filter(({ type, mimic }) => type !== 'fixed' && mimic === undefined);
}

/** The joint that a joint follows, and how. */
export function leaderOf(
  chain: FramedChain,
  joint: FramedJoint,
): { readonly leader: FramedJoint; readonly factor: number; readonly offset: number } {
  if (joint.mimic === undefined) return { leader: joint, factor: 1, offset: 0 };
  const { factor = 1, offset = 0 } = joint.mimic;
  const next = leaderOf(chain, chain.joints.find(({ name }) => name === joint.mimic!.joint)!);
  return { leader: next.leader, factor: factor * next.factor, offset: factor * next.offset + offset };
}

/** The frames of all links that joints hold, and of their roots, by name. */
export function linkFrames(chain: FramedChain, values: readonly number[]): Map<string, Matrix> {
  const moved = movedJoints(chain);
  const frames = new Map<string, Matrix>();
  const frameOf = (link: string): Matrix => {
    const known = frames.get(link);
    if (known !== undefined) return known;
    const joint = chain.joints.find(({ child }) => child === link);
    let frame = matrixOf(Array.from(chain.base ?? [0, 0, 0, 0, 0, 0, 1]));
    if (joint !== undefined) {
      frame = multiply(frameOf(joint.parent), matrixOf(Array.from(joint.origin ?? [0, 0, 0, 0, 0, 0, 1])));
      if (joint.type !== 'fixed') {
        const { leader, factor, offset } = leaderOf(chain, joint);
        const value = factor * values[moved.indexOf(leader)] + offset;
        const given = Array.from(joint.axis ?? [1, 0, 0]);
        const axis = given.map((c) => c / Math.hypot(...given));
        frame = multiply(frame, joint.type === 'prismatic' ? shiftMatrix(axis, value) : turnMatrix(axis, value));
      }
    }
    frames.set(link, frame);
    return frame;
  };
  for (const { parent, child } of chain.joints) {
    frameOf(parent);
    frameOf(child);
  }
  return frames;
}

/** The matrix of a pose of seven numbers. */
export function matrixOf([px, py, pz, x, y, z, w]: readonly number[]): Matrix {
  // biome-ignore format: rows
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), px,
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), py,
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), pz,
    0, 0, 0, 1,
  ];
}

function shiftMatrix(axis: readonly number[], by: number): Matrix {
  return [1, 0, 0, axis[0] * by, 0, 1, 0, axis[1] * by, 0, 0, 1, axis[2] * by, 0, 0, 0, 1];
}

/** I + sin·K + (1 − cos)·K², with K the cross product by the axis. */
function turnMatrix([x, y, z]: readonly number[], angle: number): Matrix {
  const k = [0, -z, y, 0, z, 0, -x, 0, -y, x, 0, 0, 0, 0, 0, 0];
  const squared = multiply(k, k);
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  return identity.map((value, i) => value + Math.sin(angle) * k[i] + (1 - Math.cos(angle)) * squared[i]);
}

function multiply(a: Matrix, b: Matrix): Matrix {
  return Array.from({ length: 16 }, (_, i) => {
    const [row, column] = [i >> 2, i % 4];
    return [0, 1, 2, 3].reduce((sum, k) => sum + a[4 * row + k] * b[4 * k + column], 0);
  });
}
