import { sideDeterminant } from '../../core/exact/orientation.js';
import type { ReadonlyVec3 } from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';

/**
 * How the quads of a grid are split. `alternating`: a checkerboard, so that no direction is preferred. `parallel`: all
 * the same way, as modeling programs do; the patch counts of Ehmann and Lin 2001 need it (a helix of 8,040 triangles
 * falls into 1,900 convex patches with parallel diagonals and into 1,200 with alternating ones).
 */
export type Diagonals = 'alternating' | 'parallel';

/**
 * Rounding: six times the volume that rounding of the corners gives a flat tetrahedron, as a fraction of its size
 * cubed.
 */
const FLAT_ROUNDING = 1e-13;

/** Collects the vertices and triangles of a model; faces are given counter-clockwise seen from outside. */
export class SurfaceBuilder {
  readonly #coordinates: number[] = [];
  readonly #corners: number[] = [];

  addVertex(point: ReadonlyVec3): number {
    return this.#coordinates.push(point[0], point[1], point[2]) / 3 - 1;
  }

  addVertices(points: readonly ReadonlyVec3[]): number[] {
    return points.map((point) => this.addVertex(point));
  }

  addTriangle(a: number, b: number, c: number): void {
    this.#corners.push(a, b, c);
  }

  /**
   * Splits the quad along its diagonal from `a` to `c`. A quad that is flat up to rounding is split along the diagonal
   * that makes it convex, so that a sphere is an exactly convex polyhedron.
   */
  addQuad(a: number, b: number, c: number, d: number): void {
    if (this.#isHollowByRounding(a, b, c, d)) {
      this.addTriangle(b, c, d);
      this.addTriangle(b, d, a);
    } else {
      this.addTriangle(a, b, c);
      this.addTriangle(a, c, d);
    }
  }

  /** Whether d lies outside the plane of a, b, c by no more than rounding. */
  #isHollowByRounding(a: number, b: number, c: number, d: number): boolean {
    const [p, q, r, s] = [a, b, c, d].map((vertex) => this.#coordinates.slice(3 * vertex, 3 * vertex + 3));
    const height = sideDeterminant(p[0], p[1], p[2], q[0], q[1], q[2], r[0], r[1], r[2], s[0], s[1], s[2]);
    const size = Math.hypot(r[0] - p[0], r[1] - p[1], r[2] - p[2]) + Math.hypot(s[0] - q[0], s[1] - q[1], s[2] - q[2]);
    return height > 0 && height < FLAT_ROUNDING * size ** 3;
  }

  /**
   * Quads between two loops with the same number of vertices, right-handed about the direction from `from` to `to`.
   * `row` numbers the bands of a grid for the checkerboard; the columns in `skips` are left open.
   */
  addBand(
    from: readonly number[],
    to: readonly number[],
    row: number,
    diagonals: Diagonals,
    skips: (column: number) => boolean = () => false,
  ): void {
    for (let j = 0; j < from.length; j++) {
      if (skips(j)) continue;
      const k = (j + 1) % from.length;
      if (diagonals === 'parallel' || (row + j) % 2 === 0) this.addQuad(from[j], from[k], to[k], to[j]);
      else this.addQuad(from[k], to[k], to[j], from[j]);
    }
  }

  /** Triangles from `apex` to a loop that turns counter-clockwise seen from outside. */
  addFan(apex: number, loop: readonly number[]): void {
    for (let j = 0; j < loop.length; j++) this.addTriangle(apex, loop[j], loop[(j + 1) % loop.length]);
  }

  /** The mesh, without the vertices that no triangle uses. */
  build(): Mesh {
    const used = new Uint8Array(this.#coordinates.length / 3);
    for (const vertex of this.#corners) used[vertex] = 1;
    const renamed = new Uint32Array(used.length);
    let count = 0;
    for (let v = 0; v < used.length; v++) if (used[v]) renamed[v] = count++;
    return {
      positions: Float64Array.from(this.#coordinates.filter((_, i) => used[Math.floor(i / 3)])),
      indices: Uint32Array.from(this.#corners, (vertex) => renamed[vertex]),
    };
  }
}
