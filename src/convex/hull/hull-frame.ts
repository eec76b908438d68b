// The box of a set of points, which error bounds of side tests are relative to. O(n).
import { NearfieldError } from '../../core/errors.js';
import { MAX_COORDINATE } from '../../core/tolerances.js';

/** The center of the points' box, and the largest |coordinate − center| along each axis. */
export interface PointFrame {
  originX: number;
  originY: number;
  originZ: number;
  extentX: number;
  extentY: number;
  extentZ: number;
  /**
   * Whether all coordinates, relative to the origin too, are multiples of one power of two, at most 2^15 of them from
   * the origin: then a plane's normal and offset, and the side of a point, are computed without rounding, as the
   * largest number on the way is 48·2^45 multiples of a cube. True for whole numbers and quantized models.
   */
  isLattice: boolean;
}

/**
 * The frame of points given as consecutive x, y, z.
 * @throws NearfieldError when there is no point, or a coordinate is not finite or beyond `MAX_COORDINATE`.
 */
export function measureFrame(points: Float64Array): PointFrame {
  let minX = Infinity;
  let minY = Infinity;
  let minZ = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  let maxZ = -Infinity;
  let largest = 0;
  for (let i = 0; i + 2 < points.length; i += 3) {
    const x = points[i];
    const y = points[i + 1];
    const z = points[i + 2];
    // NaN as soon as one coordinate is not finite.
    largest += (x + y + z) * 0;
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
    if (z < minZ) minZ = z;
    if (z > maxZ) maxZ = z;
  }
  largest += Math.max(-minX, maxX, -minY, maxY, -minZ, maxZ);
  if (points.length === 0 || points.length % 3 !== 0 || !(largest <= MAX_COORDINATE)) throw refusal(points);
  const originX = minX / 2 + maxX / 2;
  const originY = minY / 2 + maxY / 2;
  const originZ = minZ / 2 + maxZ / 2;
  const extentX = Math.max(maxX - originX, originX - minX);
  const extentY = Math.max(maxY - originY, originY - minY);
  const extentZ = Math.max(maxZ - originZ, originZ - minZ);
  const isLattice = areMultiples(points, originX, originY, originZ, Math.max(extentX, extentY, extentZ));
  return { originX, originY, originZ, extentX, extentY, extentZ, isLattice };
}

function areMultiples(
  points: Float64Array,
  originX: number,
  originY: number,
  originZ: number,
  extent: number,
): boolean {
  // Cubes of smaller numbers would underflow.
  if (!(extent > 2 ** -200)) return false;
  const scale = 2 ** (15 - Math.ceil(Math.log2(extent)));
  if (!(extent * scale <= 2 ** 15)) return false;
  if (!isWhole(originX * scale) || !isWhole(originY * scale) || !isWhole(originZ * scale)) return false;
  for (let i = 0; i < points.length; i++) if (!isWhole(points[i] * scale)) return false;
  return true;
}

function isWhole(value: number): boolean {
  return value === Math.floor(value);
}

function refusal(points: Float64Array): NearfieldError {
  const index = points.findIndex((value) => !(Math.abs(value) <= MAX_COORDINATE));
  if (index < 0) {
    return new NearfieldError(
      'bad-argument',
      `A hull needs points of three numbers each, at least one; got ${points.length} numbers.`,
    );
  }
  const vertex = Math.floor(index / 3);
  return new NearfieldError(
    'non-finite',
    `Point ${vertex} has the coordinate ${points[index]}; coordinates must be finite and at most ${MAX_COORDINATE}. ` +
      'Remove the point or scale the points down.',
    { vertex },
  );
}
