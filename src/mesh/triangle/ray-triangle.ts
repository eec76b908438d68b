// Ray against triangle, watertight (Woop, Benthin and Wald 2013): space is sheared so that the ray becomes the z axis,
// and a triangle is hit when its projection holds the origin, edges included. Two triangles compute the side of an edge
// they share from the same numbers, so a ray through it cannot slip between them. A zero is decided exactly.
import { turnDeterminant } from '../../core/exact/orientation.js';

/** A ray prepared for many triangles, and the last hit. */
export class ShearedRay {
  originX = 0;
  originY = 0;
  originZ = 0;
  /** Unit length. */
  directionX = 0;
  directionY = 0;
  directionZ = 1;

  /** Distance along the ray of the last hit. */
  distance = 0;
  /** Whether the last hit came from the side the triangle's normal points to, corners taken in the order given. */
  front = true;

  // The axes in cyclic order, the ray's dominant axis last, so that shears are at most 1.
  #axisX = 0;
  #axisY = 1;
  #axisZ = 2;
  #shearX = 0;
  #shearY = 0;
  #scaleZ = 1;
  readonly #origin = new Float64Array(3);
  readonly #direction = new Float64Array(3);

  set(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number): void {
    const length = Math.hypot(dx, dy, dz);
    this.originX = ox;
    this.originY = oy;
    this.originZ = oz;
    this.directionX = dx / length;
    this.directionY = dy / length;
    this.directionZ = dz / length;
    this.#origin[0] = ox;
    this.#origin[1] = oy;
    this.#origin[2] = oz;
    const direction = this.#direction;
    direction[0] = this.directionX;
    direction[1] = this.directionY;
    direction[2] = this.directionZ;
    const sizeX = Math.abs(this.directionX);
    const sizeY = Math.abs(this.directionY);
    const sizeZ = Math.abs(this.directionZ);
    this.#axisZ = sizeX > sizeY ? (sizeX > sizeZ ? 0 : 2) : sizeY > sizeZ ? 1 : 2;
    // A negative dominant axis would reverse the triangles' winding; exchanging the other two axes restores it.
    const forward = direction[this.#axisZ] > 0;
    this.#axisX = (this.#axisZ + (forward ? 1 : 2)) % 3;
    this.#axisY = (this.#axisZ + (forward ? 2 : 1)) % 3;
    this.#scaleZ = 1 / direction[this.#axisZ];
    this.#shearX = direction[this.#axisX] * this.#scaleZ;
    this.#shearY = direction[this.#axisY] * this.#scaleZ;
  }

  /**
   * Whether the ray hits the triangle of nine numbers at `t[i]`; `distance` and `front` then describe the hit.
   * A ray in the plane of a triangle does not hit it.
   */
  hits(t: Float64Array, i: number): boolean {
    const kx = this.#axisX;
    const ky = this.#axisY;
    const kz = this.#axisZ;
    const ox = this.#origin[kx];
    const oy = this.#origin[ky];
    const oz = this.#origin[kz];
    const az = t[i + kz] - oz;
    const bz = t[i + 3 + kz] - oz;
    const cz = t[i + 6 + kz] - oz;
    const ax = t[i + kx] - ox - this.#shearX * az;
    const ay = t[i + ky] - oy - this.#shearY * az;
    const bx = t[i + 3 + kx] - ox - this.#shearX * bz;
    const by = t[i + 3 + ky] - oy - this.#shearY * bz;
    const cx = t[i + 6 + kx] - ox - this.#shearX * cz;
    const cy = t[i + 6 + ky] - oy - this.#shearY * cz;
    let u = cx * by - cy * bx;
    let v = ax * cy - ay * cx;
    let w = bx * ay - by * ax;
    // Rounding of products is monotonic, so a sign is never wrong but may become 0; exact arithmetic then decides it.
    if (u === 0) u = -turnDeterminant(bx, by, cx, cy, 0, 0);
    if (v === 0) v = -turnDeterminant(cx, cy, ax, ay, 0, 0);
    if (w === 0) w = -turnDeterminant(ax, ay, bx, by, 0, 0);
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return false;
    const sum = u + v + w;
    if (sum === 0) return false;
    this.distance = this.#scaleZ * ((u / sum) * az + (v / sum) * bz + (w / sum) * cz);
    this.front = sum > 0;
    return true;
  }
}
