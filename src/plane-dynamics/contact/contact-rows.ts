// Where contacts are, as arrays: gap, normal, point, and how the two bodies give way there. The velocity solvers read them;
// only this class and the set that locates contacts write them.
import { growTo } from '../../core/grow-array.js';
import type { PlaneBodies } from '../body/plane-bodies.js';

export class ContactRows {
  separation = new Float64Array(32);
  /** x, y; unit, from A to B. */
  normal = new Float64Array(64);
  /** x, y; one point for both bodies, so that angular momentum is kept. */
  point = new Float64Array(64);
  /** Of the normal about the centers of A and B, then of the tangent, which is the normal turned left. */
  arms = new Float64Array(128);
  normalMass = new Float64Array(32);
  tangentMass = new Float64Array(32);

  reserve(count: number): void {
    if (count <= this.separation.length) return;
    for (const name of ['separation', 'normalMass', 'tangentMass'] as const) this[name] = growTo(this[name], count);
    for (const name of ['normal', 'point'] as const) this[name] = growTo(this[name], 2 * count);
    this.arms = growTo(this.arms, 4 * count);
  }

  setPlace(c: number, nx: number, ny: number, x: number, y: number): void {
    this.normal[2 * c] = nx;
    this.normal[2 * c + 1] = ny;
    this.point[2 * c] = x;
    this.point[2 * c + 1] = y;
  }

  /** Sets arms and masses by the normal and the point. */
  setMasses(c: number, { center, inverseMass, inverseInertia }: PlaneBodies, a: number, b: number): void {
    const nx = this.normal[2 * c];
    const ny = this.normal[2 * c + 1];
    const rax = this.point[2 * c] - center[2 * a];
    const ray = this.point[2 * c + 1] - center[2 * a + 1];
    const rbx = this.point[2 * c] - center[2 * b];
    const rby = this.point[2 * c + 1] - center[2 * b + 1];
    const sum = inverseMass[a] + inverseMass[b];
    const normalA = rax * ny - ray * nx;
    const normalB = rbx * ny - rby * nx;
    const tangentA = rax * nx + ray * ny;
    const tangentB = rbx * nx + rby * ny;
    const alongNormal = sum + inverseInertia[a] * normalA * normalA + inverseInertia[b] * normalB * normalB;
    const alongTangent = sum + inverseInertia[a] * tangentA * tangentA + inverseInertia[b] * tangentB * tangentB;
    this.arms[4 * c] = normalA;
    this.arms[4 * c + 1] = normalB;
    this.arms[4 * c + 2] = tangentA;
    this.arms[4 * c + 3] = tangentB;
    this.normalMass[c] = alongNormal > 0 ? 1 / alongNormal : 0;
    this.tangentMass[c] = alongTangent > 0 ? 1 / alongTangent : 0;
  }

  /** The speed at which two bodies part along the normal. */
  speed(c: number, { velocity, spin }: PlaneBodies, a: number, b: number): number {
    return (
      this.normal[2 * c] * (velocity[2 * b] - velocity[2 * a]) +
      this.normal[2 * c + 1] * (velocity[2 * b + 1] - velocity[2 * a + 1]) +
      spin[b] * this.arms[4 * c + 1] -
      spin[a] * this.arms[4 * c]
    );
  }
}
