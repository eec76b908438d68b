// Derivatives of a term of a system against differences of its energy.
import { createRandom } from '../../src/core/random.js';
import type { EnergyTerm } from '../../src/elastic/body/energy-term.js';

/** The largest difference of the gradient from central differences of the energy, relative to the largest entry. */
export function gradientError(term: EnergyTerm, x: Float64Array, h = 1e-6): number {
  const gradient = new Float64Array(x.length);
  term.evaluate(x, gradient);
  let [worst, largest] = [0, 0];
  for (let i = 0; i < x.length; i++) {
    const kept = x[i];
    x[i] = kept + h;
    const up = term.evaluate(x);
    x[i] = kept - h;
    const down = term.evaluate(x);
    x[i] = kept;
    worst = Math.max(worst, Math.abs(gradient[i] - (up - down) / (2 * h)));
    largest = Math.max(largest, Math.abs(gradient[i]));
  }
  return worst / largest;
}

/** The same for second derivatives along random directions, from differences of the gradient. */
export function curvatureError(term: EnergyTerm, x: Float64Array, h = 1e-6): number {
  const random = createRandom(8);
  term.linearize(x, 'exact');
  let [worst, largest] = [0, 0];
  for (let round = 0; round < 5; round++) {
    const v = Float64Array.from(x, () => random.range(-1, 1));
    const product = new Float64Array(x.length);
    term.multiply(v, product);
    const [up, down] = [1, -1].map((sign) => {
      const g = new Float64Array(x.length);
      term.evaluate(
        x.map((value, i) => value + sign * h * v[i]),
        g,
      );
      return g;
    });
    for (let i = 0; i < x.length; i++) {
      worst = Math.max(worst, Math.abs(product[i] - (up[i] - down[i]) / (2 * h)));
      largest = Math.max(largest, Math.abs(product[i]));
    }
  }
  return worst / largest;
}
