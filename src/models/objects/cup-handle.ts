import { NearfieldError } from '../../core/errors.js';
import { addScaled, distance, dot, lerp, subtract, type Vec3 } from '../../core/vec3.js';
import { circleSection, type PathFrame, pathFrames } from '../parts/tube.js';

/** Where a handle grows out of a wall: the loop it starts from and the wall's outward normal there. */
export interface HandleFoot {
  readonly edge: readonly Vec3[];
  readonly normal: Vec3;
}

/** Chosen: the share of the handle's length over which the foot's outline turns into a circle. */
const FLARE = 0.3;

/**
 * The rings of a handle between two feet, both edges left out: `bands` - 1 of them. The edge of `from` turns right-handed
 * about its normal and starts on the side away from `to`; the edge of `to` follows the same sides.
 */
export function handleRings(
  from: HandleFoot,
  to: HandleFoot,
  shape: { readonly reach: number; readonly radius: number; readonly bands: number },
): Vec3[][] {
  const { reach, radius, bands } = shape;
  const start = centroid(from.edge);
  const end = centroid(to.edge);
  assertRoomToBend(distance(start, end), reach, radius);
  // A cubic's middle lies three quarters of the way towards its inner control points.
  const path = bezier(
    start,
    addScaled(start, from.normal, reach / 0.75),
    addScaled(end, to.normal, reach / 0.75),
    end,
    bands,
  );
  const frames = pathFrames(path, false, subtract(start, end));
  const fromOffsets = from.edge.map((point) => inFrame(frames[0], point));
  const toOffsets = to.edge.map((point) => inFrame(frames[bands], point));
  return frames.slice(1, -1).map((frame, i) => {
    const t = (i + 1) / bands;
    const [offsets, flare] = t < 0.5 ? [fromOffsets, 1 - t / FLARE] : [toOffsets, 1 - (1 - t) / FLARE];
    const share = Math.max(0, flare) ** 2;
    return offsets.map((offset, k) => {
      const [alongNormal, alongBinormal] = circleSection(radius, (2 * Math.PI * k) / offsets.length);
      return fromFrame(frame, lerp([alongNormal, alongBinormal, 0], offset, share));
    });
  });
}

function bezier(a: Vec3, b: Vec3, c: Vec3, d: Vec3, steps: number): Vec3[] {
  return Array.from({ length: steps + 1 }, (_, i) => {
    const t = i / steps;
    const ab = lerp(a, b, t);
    const bc = lerp(b, c, t);
    const cd = lerp(c, d, t);
    return lerp(lerp(ab, bc, t), lerp(bc, cd, t), t);
  });
}

function centroid(points: readonly Vec3[]): Vec3 {
  const sum: Vec3 = [0, 0, 0];
  for (const point of points) addScaled(sum, point, 1 / points.length, sum);
  return sum;
}

/** Offsets along normal, binormal and tangent. */
function inFrame(frame: PathFrame, point: Vec3): Vec3 {
  const offset = subtract(point, frame.origin);
  return [dot(offset, frame.normal), dot(offset, frame.binormal), dot(offset, frame.tangent)];
}

function fromFrame(frame: PathFrame, offset: Vec3): Vec3 {
  const across = addScaled(addScaled(frame.origin, frame.normal, offset[0]), frame.binormal, offset[1]);
  return addScaled(across, frame.tangent, offset[2]);
}

/** At its outermost point the cubic between parallel feet turns at a radius of 9/32 of their distance² over its reach. */
function assertRoomToBend(feetDistance: number, reach: number, radius: number): void {
  const thickest = (0.75 * 9 * feetDistance ** 2) / (32 * reach);
  if (radius > thickest) {
    throw new NearfieldError(
      'bad-argument',
      `The handle is too thick to bend; make handleRadius at most ${thickest}, or handleReach smaller.`,
    );
  }
}
