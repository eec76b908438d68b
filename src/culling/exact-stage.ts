// The last stage: pairs of triangles with overlapping boxes, decided exactly.
import { areExactlyCollinearAt } from '../core/exact/points.js';
import { growTo } from '../core/grow-array.js';
import type { Mesh } from '../mesh/mesh.js';
import { trianglesCross } from '../mesh/triangle/triangle-intersection.js';
import { trianglesMeet } from '../mesh/triangle/triangles-meet.js';

/** Collects the pairs of triangles that meet. */
export class ExactStage {
  /** Pairs of triangles decided, and those that meet. */
  decided = 0;
  meeting = 0;
  /** Four numbers each: object, triangle, object, triangle. Kept only if asked for. */
  list = new Uint32Array(0);

  readonly #keepsList: boolean;

  constructor(keepsList: boolean) {
    this.#keepsList = keepsList;
  }

  /** Whether two triangles of different objects meet; if so they are counted. */
  decide(meshA: Mesh, objectA: number, a: number, meshB: Mesh, objectB: number, b: number): boolean {
    this.decided++;
    const i = meshA.indices;
    const j = meshB.indices;
    const meets = trianglesMeet(
      meshA.positions,
      3 * i[3 * a],
      3 * i[3 * a + 1],
      3 * i[3 * a + 2],
      meshB.positions,
      3 * j[3 * b],
      3 * j[3 * b + 1],
      3 * j[3 * b + 2],
    );
    if (meets) this.add(objectA, a, objectB, b);
    return meets;
  }

  /** Whether two triangles of one object that share no vertex id cross; if so they are counted. */
  decideWithin({ positions, indices }: Mesh, object: number, a: number, b: number): boolean {
    this.decided++;
    const a0 = 3 * indices[3 * a];
    const a1 = 3 * indices[3 * a + 1];
    const a2 = 3 * indices[3 * a + 2];
    const b0 = 3 * indices[3 * b];
    const b1 = 3 * indices[3 * b + 1];
    const b2 = 3 * indices[3 * b + 2];
    if (areExactlyCollinearAt(positions, a0, a1, a2) || areExactlyCollinearAt(positions, b0, b1, b2)) return false;
    const crosses = trianglesCross(positions, a0, a1, a2, positions, b0, b1, b2);
    if (crosses) this.add(object, a, object, b);
    return crosses;
  }

  /** Counts a pair that meets. */
  add(objectA: number, a: number, objectB: number, b: number): void {
    const at = 4 * this.meeting++;
    if (!this.#keepsList) return;
    if (this.list.length < at + 4) this.list = growTo(this.list, Math.max(1024, at + 4));
    this.list[at] = objectA;
    this.list[at + 1] = a;
    this.list[at + 2] = objectB;
    this.list[at + 3] = b;
  }
}

/** Whether two triangles of a mesh have a vertex id in common. */
export function areNeighbors(indices: Uint32Array, a: number, b: number): boolean {
  const b0 = indices[3 * b];
  const b1 = indices[3 * b + 1];
  const b2 = indices[3 * b + 2];
  for (let i = 3 * a; i < 3 * a + 3; i++) {
    const vertex = indices[i];
    if (vertex === b0 || vertex === b1 || vertex === b2) return true;
  }
  return false;
}
