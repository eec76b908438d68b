// Small problems of local motions. Gaps g change with a motion x as g + A x, rows of A for gaps. Both problems are solved
// in their multipliers, of which there are as many as gaps, by coordinate steps.

/** Chosen: the count of sweeps over all multipliers. */
const SWEEPS = 40;

/**
 * The motion that maximizes the least of g + A x, less |x|²/(2·reach): a step of about `reach` that opens the narrowest gaps.
 * The multipliers lie on a simplex; mass moves from the widest gap that has some to the narrowest (Frank and Wolfe 1956,
 * with pairwise steps).
 */
export class SimplexAscent {
  #weights = new Float64Array(16);

  /** @param rows the rows of A, `size` numbers each. */
  solve(gaps: Float64Array, rows: Float64Array, count: number, size: number, reach: number, out: Float64Array): void {
    if (this.#weights.length < count) this.#weights = new Float64Array(2 * count);
    const weights = this.#weights;
    weights.fill(0, 0, count);
    let first = 0;
    for (let i = 1; i < count; i++) if (gaps[i] < gaps[first]) first = i;
    weights[first] = 1;
    for (let k = 0; k < size; k++) out[k] = reach * rows[first * size + k];
    for (let sweep = 0; sweep < SWEEPS * count; sweep++) {
      let [least, most] = [-1, -1];
      let [low, high] = [Infinity, -Infinity];
      for (let i = 0; i < count; i++) {
        let gap = gaps[i];
        for (let k = 0; k < size; k++) gap += rows[i * size + k] * out[k];
        if (gap < low) {
          low = gap;
          least = i;
        }
        if (weights[i] > 0 && gap > high) {
          high = gap;
          most = i;
        }
      }
      if (least === most || !(high - low > 1e-9 * (Math.abs(high) + Math.abs(low) + reach))) return;
      let squared = 0;
      for (let k = 0; k < size; k++) squared += (rows[least * size + k] - rows[most * size + k]) ** 2;
      const step = squared > 0 ? Math.min(weights[most], (high - low) / (reach * squared)) : weights[most];
      weights[most] -= step;
      weights[least] += step;
      if (weights[most] < 1e-12) weights[most] = 0;
      for (let k = 0; k < size; k++) out[k] += step * reach * (rows[least * size + k] - rows[most * size + k]);
    }
  }
}

/**
 * Changes a wanted motion x as little as possible so that no gap of g + A x is below `least`: the nearest point of a cone,
 * by Hildreth's steps (1957). Where no motion does it, gaps stay below.
 */
export class ConeProjection {
  #multipliers = new Float64Array(16);

  project(gaps: Float64Array, rows: Float64Array, count: number, size: number, least: number, x: Float64Array): void {
    if (this.#multipliers.length < count) this.#multipliers = new Float64Array(2 * count);
    const multipliers = this.#multipliers;
    multipliers.fill(0, 0, count);
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      let change = 0;
      for (let i = 0; i < count; i++) {
        let [gap, squared] = [gaps[i] - least, 0];
        for (let k = 0; k < size; k++) {
          const a = rows[i * size + k];
          gap += a * x[k];
          squared += a * a;
        }
        if (!(squared > 0)) continue;
        const step = Math.max(-multipliers[i], -gap / squared);
        if (step === 0) continue;
        multipliers[i] += step;
        change = Math.max(change, Math.abs(step) * Math.sqrt(squared));
        for (let k = 0; k < size; k++) x[k] += step * rows[i * size + k];
      }
      if (change < 1e-9) return;
    }
  }
}
