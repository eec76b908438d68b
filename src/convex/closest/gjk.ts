// The distance of two convex polyhedra by Gilbert, Johnson and Keerthi (1988): the point of A − B nearest the origin,
// over simplices of supports. Every round brings the point strictly nearer; the search ends when the support proves
// that nothing more can be gained. A few rounds of two supports each, nothing allocated.
import type { ConvexSet } from './convex-set.js';
import { MinkowskiSimplex } from './minkowski-simplex.js';
import { findSupport } from './support.js';
import { handleVertex } from './vertex-handle.js';

/**
 * Rounding: the search ends when the distance is known to this share of itself, or of the coordinates; a few hundred
 * ulps.
 */
const RELATIVE_GAP = 1e-13;
/** Rounding: points nearer than this share of their coordinates coincide. Four ulps: a placement rounds by as much. */
export const TOUCHING = 2 ** -50;
/** Rounding: at distances below this share of the coordinates, the direction between the points is noise. */
const NOISE_DISTANCE = 1e-13;
/**
 * Chosen: this many rounds look up start vertices by direction; later ones move little and walk from the last support.
 */
const FAR_ROUNDS = 4;
/** Chosen: a limit that no known pair reaches; a pair of millions of vertices takes some twenty rounds. */
const MAX_ROUNDS = 200;

/** A search with its memory. The results are those of the last call of {@link run}. */
export class Gjk {
  /** The nearest point of A, or a common point. In A's frame. */
  readonly pointA = new Float64Array(3);
  /** The nearest point of B, or a common point. In A's frame. */
  readonly pointB = new Float64Array(3);
  /** Whether the two have a point in common; touching counts. */
  intersects = false;
  /** 0 when the two intersect. */
  distance = 0;
  /** The distance is too large by at most this. */
  gap = 0;
  /** The cost: rounds of two supports. */
  rounds = 0;
  /** The largest coordinate used: rounding is relative to it. */
  magnitude = 0;
  /** The points of A − B that the answer is combined from. */
  readonly simplex = new MinkowskiSimplex();
  readonly #last = new MinkowskiSimplex();

  /** Measures the distance; the handles name a start vertex of each. Returns it, 0 when the two intersect. */
  run(
    setA: ConvexSet,
    nodeA: number,
    setB: ConvexSet,
    nodeB: number,
    placement: Float64Array,
    handleA: number,
    handleB: number,
  ): number {
    const { simplex } = this;
    this.#begin(placement);
    this.#add(setA, nodeA, setB, nodeB, placement, handleA, handleB);
    let squared = simplex.reduce();
    for (;;) {
      const touching = TOUCHING * this.magnitude;
      if (simplex.count === 4 || squared <= touching * touching) {
        this.intersects = true;
        break;
      }
      const { x, y, z } = simplex;
      const ux = placement[0] * x + placement[4] * y + placement[8] * z;
      const uy = placement[1] * x + placement[5] * y + placement[9] * z;
      const uz = placement[2] * x + placement[6] * y + placement[10] * z;
      // The first directions lie far apart.
      const far = this.rounds < FAR_ROUNDS;
      const last = simplex.count - 1;
      handleA = far ? setA.lookup.findStart(setA, nodeA, -x, -y, -z) : simplex.handlesA[last];
      handleB = far ? setB.lookup.findStart(setB, nodeB, ux, uy, uz) : simplex.handlesB[last];
      handleA = findSupport(setA, nodeA, handleA, -x, -y, -z);
      handleB = findSupport(setB, nodeB, handleB, ux, uy, uz);
      const vertexA = handleVertex(setA, nodeA, handleA);
      const vertexB = handleVertex(setB, nodeB, handleB);
      const length = Math.sqrt(squared);
      this.#last.copy(simplex);
      const repeated = simplex.has(vertexA, vertexB);
      this.#add(setA, nodeA, setB, nodeB, placement, handleA, handleB);
      const w = 3 * (simplex.count - 1);
      this.gap = (squared - (x * simplex.w[w] + y * simplex.w[w + 1] + z * simplex.w[w + 2])) / length;
      const tight = this.gap <= RELATIVE_GAP * length || this.gap <= 2 ** -52 * this.magnitude;
      if (tight || repeated || this.rounds >= MAX_ROUNDS) {
        simplex.copy(this.#last);
        break;
      }
      this.rounds++;
      const reduced = simplex.reduce();
      if (!(reduced < squared)) {
        simplex.copy(this.#last);
        break;
      }
      squared = reduced;
    }
    const distance = Math.sqrt(squared);
    // No plane separates the two, and the distance between them is rounding.
    if (this.gap >= distance && distance <= NOISE_DISTANCE * this.magnitude) this.intersects = true;
    this.distance = this.intersects ? 0 : distance;
    this.#findPoints();
    return this.distance;
  }

  #begin(placement: Float64Array): void {
    this.rounds = 0;
    this.gap = 0;
    this.intersects = false;
    this.simplex.count = 0;
    this.magnitude = Math.abs(placement[3]) + Math.abs(placement[7]) + Math.abs(placement[11]);
  }

  #add(
    setA: ConvexSet,
    nodeA: number,
    setB: ConvexSet,
    nodeB: number,
    placement: Float64Array,
    handleA: number,
    handleB: number,
  ): void {
    const { simplex } = this;
    const i = simplex.count++;
    const vertexA = handleVertex(setA, nodeA, handleA);
    const vertexB = handleVertex(setB, nodeB, handleB);
    simplex.handlesA[i] = handleA;
    simplex.handlesB[i] = handleB;
    simplex.vertexA[i] = vertexA;
    simplex.vertexB[i] = vertexB;
    const ax = setA.positions[3 * vertexA];
    const ay = setA.positions[3 * vertexA + 1];
    const az = setA.positions[3 * vertexA + 2];
    const bx = setB.positions[3 * vertexB];
    const by = setB.positions[3 * vertexB + 1];
    const bz = setB.positions[3 * vertexB + 2];
    const px = placement[0] * bx + placement[1] * by + placement[2] * bz + placement[3];
    const py = placement[4] * bx + placement[5] * by + placement[6] * bz + placement[7];
    const pz = placement[8] * bx + placement[9] * by + placement[10] * bz + placement[11];
    simplex.a[3 * i] = ax;
    simplex.a[3 * i + 1] = ay;
    simplex.a[3 * i + 2] = az;
    simplex.b[3 * i] = px;
    simplex.b[3 * i + 1] = py;
    simplex.b[3 * i + 2] = pz;
    simplex.w[3 * i] = ax - px;
    simplex.w[3 * i + 1] = ay - py;
    simplex.w[3 * i + 2] = az - pz;
    const size = Math.max(Math.abs(ax), Math.abs(ay), Math.abs(az), Math.abs(bx), Math.abs(by), Math.abs(bz));
    this.magnitude = Math.max(this.magnitude, size);
  }

  #findPoints(): void {
    const { count, a, b, weights } = this.simplex;
    for (let axis = 0; axis < 3; axis++) {
      let onA = 0;
      let onB = 0;
      for (let i = 0; i < count; i++) {
        onA += weights[i] * a[3 * i + axis];
        onB += weights[i] * b[3 * i + axis];
      }
      this.pointA[axis] = onA;
      this.pointB[axis] = onB;
    }
  }
}
