// The barrier of Li et al. 2020 as a function of distance, without units: −(r − 1)² ln r with r = (d/d̂)². It is 0 from d̂ on,
// with two continuous derivatives, convex, and infinite at contact. And the factor that takes near-parallel edges out.

export class BarrierFunction {
  value = 0;
  /** By the distance. */
  first = 0;
  second = 0;

  /** For a distance below the reach. */
  evaluate(distance: number, reach: number): void {
    const ratio = distance / reach;
    const r = ratio * ratio;
    const e = (ratio - 1) * (ratio + 1);
    const log = 2 * (r > 0.5 ? Math.log1p(ratio - 1) : Math.log(ratio));
    const byR = -2 * e * log - (e * e) / r;
    const byR2 = -2 * log - (4 * e) / r + (e / r) * (e / r);
    this.value = -e * e * log;
    this.first = (2 * ratio * byR) / reach;
    this.second = (4 * r * byR2 + 2 * byR) / (reach * reach);
  }
}

/**
 * Chosen by Li et al. 2020, section 4.3: two edges fade out where their squared cross product is below this share of the product of
 * their squared lengths at rest.
 */
const PARALLEL = 1e-3;

/**
 * A factor of the energy of two edges: 1, or less where they are near parallel, since the nearest points then jump. Nodes and
 * triangles stand for them there. With the derivative by the corners, and second derivatives times a vector.
 */
export class ParallelFactor {
  factor = 1;
  /** Derivatives by the squared cross product of both edges. */
  first = 0;
  second = 0;

  /** @param atRest the product of the squared lengths at rest. */
  evaluate(crossSquared: number, atRest: number): void {
    const limit = PARALLEL * atRest;
    this.factor = 1;
    this.first = this.second = 0;
    if (!(crossSquared < limit)) return;
    const share = crossSquared / limit;
    this.factor = share * (2 - share);
    this.first = (2 - 2 * share) / limit;
    this.second = -2 / (limit * limit);
  }
}
