// Balls of translations at which two solids surely overlap: where a point that is α deep in A comes to lie β deep in B, no
// translation shorter than α + β parts the two. They fill the voids that the sums of surface pieces leave, block by block.
import type { ReadonlyVec3, Vec3 } from '../core/vec3.js';
import * as vec3 from '../core/vec3.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import type { Solid } from './solid.js';

/** Steps that look for a deeper point, each away from the nearest surface. */
const DEEPENING_STEPS = 24;
/** Nodes of the hierarchy whose middles are tried. */
const TRIED_NODES = 63;
/** Signed distances are taken to be this share of the sizes worse than measured: they round. */
const ROUNDING = 1e-14;

/** A point inside a solid and how far it is from the surface. */
export interface DeepPoint {
  readonly point: Vec3;
  readonly depth: number;
}

const deepPoints = new WeakMap<ProximityModel, DeepPoint>();

/** A point well inside a solid: the deepest that a short search finds. O(nodes tried × log n), once a model. */
export function findDeepPoint({ model, set }: Solid): DeepPoint {
  const known = deepPoints.get(model);
  if (known) return known;
  const { positions, vertexStart, nodeVertices } = set;
  const nodes = Math.min(TRIED_NODES, vertexStart.length - 1);
  let best: DeepPoint = { point: [...model.center], depth: -model.signedDistance(model.center) };
  for (let node = 0; node < nodes; node++) {
    const middle: Vec3 = [0, 0, 0];
    const share = 1 / (vertexStart[node + 1] - vertexStart[node]);
    for (let i = vertexStart[node]; i < vertexStart[node + 1]; i++) {
      for (let axis = 0; axis < 3; axis++) middle[axis] += share * positions[3 * nodeVertices[i] + axis];
    }
    const depth = -model.signedDistance(middle);
    if (depth > best.depth) best = { point: middle, depth };
  }
  best = deepen(model, best);
  deepPoints.set(model, best);
  return best;
}

/** Climbs: along each axis both ways, by half the depth, then less. */
function deepen(model: ProximityModel, start: DeepPoint): DeepPoint {
  let best = start;
  let step = Math.max(Math.abs(best.depth), 0.05 * model.radius);
  for (let i = 0; i < DEEPENING_STEPS; i++) {
    const before = best;
    for (let axis = 0; axis < 3; axis++) {
      for (const sign of [-1, 1]) {
        const point: Vec3 = [...best.point];
        point[axis] += sign * step;
        const depth = -model.signedDistance(point);
        if (depth > best.depth) best = { point, depth };
      }
    }
    if (best === before) step /= 2;
  }
  return best;
}

/** The balls of two solids at one placement. */
export class InnerBalls {
  readonly #a: DeepPoint;
  readonly #b: DeepPoint;
  readonly #point: Vec3 = [0, 0, 0];

  /**
   * @param placement B in A's frame, row-major 3 × 4.
   * @param inverse A in B's frame.
   */
  constructor(
    private readonly a: Solid,
    private readonly b: Solid,
    private readonly placement: Float64Array,
    private readonly inverse: Float64Array,
  ) {
    this.#a = findDeepPoint(a);
    this.#b = findDeepPoint(b);
  }

  /** The radius of a ball around a translation of A within which all translations overlap; not positive if none is known. */
  radiusAt(x: number, y: number, z: number): number {
    const [ax, ay, az] = this.#a.point;
    const inB = this.#depthIn(this.b.model, this.inverse, ax + x, ay + y, az + z);
    const placed = place(this.placement, this.#b.point);
    const inA = -this.a.model.signedDistance(vec3.subtract(placed, [x, y, z], this.#point));
    const slack =
      ROUNDING * (this.a.model.magnitude + this.b.model.magnitude + Math.abs(x) + Math.abs(y) + Math.abs(z));
    // A point that is outside by less than the other is deep proves nothing, since it need not be of the other solid.
    const first = inB > 0 && this.#a.depth > 0 ? inB + this.#a.depth : 0;
    const second = inA > 0 && this.#b.depth > 0 ? inA + this.#b.depth : 0;
    return Math.max(first, second) - slack;
  }

  #depthIn(model: ProximityModel, m: Float64Array, x: number, y: number, z: number): number {
    return -model.signedDistance(place(m, [x, y, z]));
  }
}

function place(m: Float64Array, [x, y, z]: ReadonlyVec3): Vec3 {
  return [
    m[0] * x + m[1] * y + m[2] * z + m[3],
    m[4] * x + m[5] * y + m[6] * z + m[7],
    m[8] * x + m[9] * y + m[10] * z + m[11],
  ];
}
