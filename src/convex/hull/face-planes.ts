// The planes of triangles: unit normal and offset. A sliver's normal is computed in whole numbers: as a difference of
// nearly equal products it has no correct digits. Hulls of real models have these slivers along their flat regions.

/**
 * Chosen: whole numbers are used if the sine of the widest angle is below this. A normal is off by the rounding of a
 * product divided by that sine, and a point at the far end of the face by as much of its length: three digits are lost.
 */
const SLIVER_SINE = 1e-3;

/** Rounding: products of sides below this have lost digits to underflow. */
const TINY_PRODUCT = 1e-140;

/** Four numbers per triangle: the unit normal, outward, and normal·p of the points p in the plane. */
export function findFacePlanes(positions: Float64Array, faceVertices: Uint32Array): Float64Array {
  const count = faceVertices.length / 3;
  const planes = new Float64Array(4 * count);
  for (let face = 0; face < count; face++) {
    const first = findWidestCorner(positions, faceVertices, 3 * face);
    const a = 3 * faceVertices[3 * face + first];
    const b = 3 * faceVertices[3 * face + ((first + 1) % 3)];
    const c = 3 * faceVertices[3 * face + ((first + 2) % 3)];
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    let nx = uy * vz - uz * vy;
    let ny = uz * vx - ux * vz;
    let nz = ux * vy - uy * vx;
    let length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const sides = Math.sqrt((ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz));
    // Also false if squares of tiny sides underflow.
    if (!(length > SLIVER_SINE * sides && sides > TINY_PRODUCT)) {
      [nx, ny, nz] = findExactNormal(positions, a, b, c);
      length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    }
    nx /= length;
    ny /= length;
    nz /= length;
    planes[4 * face] = nx;
    planes[4 * face + 1] = ny;
    planes[4 * face + 2] = nz;
    planes[4 * face + 3] = nx * positions[a] + ny * positions[a + 1] + nz * positions[a + 2];
  }
  return planes;
}

/** The corner opposite the longest side. */
function findWidestCorner(positions: Float64Array, faceVertices: Uint32Array, face: number): number {
  let longest = -1;
  let widest = 0;
  for (let k = 0; k < 3; k++) {
    const p = 3 * faceVertices[face + ((k + 1) % 3)];
    const q = 3 * faceVertices[face + ((k + 2) % 3)];
    const x = positions[q] - positions[p];
    const y = positions[q + 1] - positions[p + 1];
    const z = positions[q + 2] - positions[p + 2];
    const squared = x * x + y * y + z * z;
    if (squared > longest) {
      longest = squared;
      widest = k;
    }
  }
  return widest;
}

/** The direction of the normal, its largest component about one, each within a last place of that. */
function findExactNormal(positions: Float64Array, a: number, b: number, c: number): [number, number, number] {
  const u: bigint[] = [];
  const v: bigint[] = [];
  for (let k = 0; k < 3; k++) {
    const origin = toInteger(positions[a + k]);
    u.push(toInteger(positions[b + k]) - origin);
    v.push(toInteger(positions[c + k]) - origin);
  }
  const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const bits = Math.max(...normal.map((value) => (value < 0n ? -value : value).toString(16).length * 4));
  const shift = BigInt(Math.max(0, bits - 60));
  const [x, y, z] = normal.map((value) => Number(value >> shift) / 2 ** 60);
  return [x, y, z];
}

/** A double as a multiple of the smallest one. */
function toInteger(value: number): bigint {
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0];
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const magnitude = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n);
  return value < 0 ? -magnitude : magnitude;
}
