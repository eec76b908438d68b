// Whether a translation of A at which the two surfaces do not meet leaves one solid inside the other. A whole shell of
// one is then inside the other solid, so one vertex of each shell is tested, if the shell's box can fit at all. These
// are the swept solids aᵢ ⊕ −B and A ⊕ −bⱼ of the union of Kim et al. 2002, which are not convex. O(log n) per shell.
import { invertPlacement } from '../../core/placement.js';
import type { Vec3 } from '../../core/vec3.js';
import type { Solid } from '../solid.js';

/** Shells of one solid that fit into the box of the other. */
interface Fitting {
  readonly solid: Solid;
  /** Row-major 3 × 4: the shells' frame in the solid's frame. */
  readonly placement: Float64Array;
  /** The sign with which a translation of A moves the shells, in A's frame. */
  readonly sign: number;
  /** Nine numbers per shell: its box in the solid's frame before any translation, low, high, then the tested vertex. */
  readonly shells: Float64Array;
}

/** The test of two solids at one placement. */
export class VoidTest {
  /** Points tested for being inside. */
  tests = 0;
  readonly #fitting: Fitting[];
  readonly #point: Vec3 = [0, 0, 0];

  /** @param placement B in A's frame, row-major 3 × 4. */
  constructor(a: Solid, b: Solid, placement: Float64Array) {
    const inverse = invertPlacement(placement);
    this.#fitting = [findFitting(b, a, placement, -1), findFitting(a, b, inverse, 1)].filter(
      ({ shells }) => shells.length > 0,
    );
  }

  /** False if no shell fits into the other solid's box; then no translation is in a void. */
  get possible(): boolean {
    return this.#fitting.length > 0;
  }

  /** Whether A moved by this vector of its own frame, its surface not meeting B's, is inside B or contains B. */
  isVoid(x: number, y: number, z: number): boolean {
    for (const { solid, placement: m, sign, shells } of this.#fitting) {
      const { boxMin, boxMax } = solid.model;
      // B's shells are tested in A's own frame; for A's shells the vector is rotated into B's frame.
      const [tx, ty, tz] =
        sign < 0
          ? [-x, -y, -z]
          : [m[0] * x + m[1] * y + m[2] * z, m[4] * x + m[5] * y + m[6] * z, m[8] * x + m[9] * y + m[10] * z];
      for (let i = 0; i < shells.length; i += 9) {
        if (shells[i] + tx < boxMin[0] || shells[i + 3] + tx > boxMax[0]) continue;
        if (shells[i + 1] + ty < boxMin[1] || shells[i + 4] + ty > boxMax[1]) continue;
        if (shells[i + 2] + tz < boxMin[2] || shells[i + 5] + tz > boxMax[2]) continue;
        this.#point[0] = shells[i + 6] + tx;
        this.#point[1] = shells[i + 7] + ty;
        this.#point[2] = shells[i + 8] + tz;
        this.tests++;
        if (solid.model.isInside(this.#point)) return true;
      }
    }
    return false;
  }
}

function findFitting(from: Solid, into: Solid, m: Float64Array, sign: number): Fitting {
  const { positions } = from.model.mesh;
  const { boxMin, boxMax } = into.model;
  const fitting: number[] = [];
  const point = [0, 0, 0];
  for (const vertices of from.shells) {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = vertices.length - 1; i >= 0; i--) {
      const v = 3 * vertices[i];
      for (let axis = 0; axis < 3; axis++) {
        const row = 4 * axis;
        const value =
          m[row] * positions[v] + m[row + 1] * positions[v + 1] + m[row + 2] * positions[v + 2] + m[row + 3];
        if (value < low[axis]) low[axis] = value;
        if (value > high[axis]) high[axis] = value;
        point[axis] = value;
      }
    }
    if ([0, 1, 2].every((axis) => high[axis] - low[axis] <= boxMax[axis] - boxMin[axis])) {
      fitting.push(...low, ...high, ...point);
    }
  }
  return { solid: into, placement: m, sign, shells: Float64Array.from(fitting) };
}
