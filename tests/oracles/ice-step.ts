// One step of the phase field, cell by cell, straight from the formulas: angles by atan2 and cosines, the flux of each
// corner from its energy, derived by central differences. It shares nothing with the library.

export interface OracleParameters {
  readonly tau: number;
  readonly epsilon: number;
  readonly delta: number;
  readonly fold: number;
  readonly orientation: number;
  readonly axial: number;
  readonly alpha: number;
  readonly gamma: number;
  readonly equilibrium: number;
  readonly latentHeat: number;
  readonly diffusivity: number;
  /** λ of Karma and Rappel's model; 0 for Kobayashi's. */
  readonly lambda: number;
}

export type Lookup = (i: number, j: number, k: number) => number;

/** ε at a gradient. */
function epsilonAt(q: OracleParameters, g: readonly number[], dimension: number): number {
  const length = Math.hypot(...g);
  if (length === 0) return q.epsilon;
  const inPlane = Math.hypot(g[0], g[1]) / length;
  const angle = Math.atan2(-g[1], -g[0]);
  const wave = q.fold === 0 ? 0 : q.delta * inPlane ** q.fold * Math.cos(q.fold * (angle - q.orientation));
  return q.epsilon * (1 + wave + (dimension === 3 ? q.axial * (g[2] / length) ** 2 : 0));
}

/** The flux besides ε² ∇p: |∇p|² ε ∂ε/∂(∇p), the derivative by central differences. */
function turningFlux(q: OracleParameters, g: readonly number[], dimension: number): number[] {
  const length = Math.hypot(...g);
  if (length === 0) return [0, 0, 0];
  return [0, 1, 2].map((axis) => {
    const step = 1e-5 * length;
    const moved = (sign: number): number =>
      epsilonAt(
        q,
        g.map((value, i) => value + (i === axis ? sign * step : 0)),
        dimension,
      );
    // Fourth order: the error is about 1e-13 of ε.
    const wide = (sign: number): number =>
      epsilonAt(
        q,
        g.map((value, i) => value + (i === axis ? 2 * sign * step : 0)),
        dimension,
      );
    const slope = (8 * (moved(1) - moved(-1)) - (wide(1) - wide(-1))) / (12 * step);
    return length * length * epsilonAt(q, g, dimension) * slope;
  });
}

/** The rates ∂p/∂t and ∂T/∂t − K ∂p/∂t of a cell, from the values around it. */
export function ratesAt(
  q: OracleParameters,
  phase: Lookup,
  heat: Lookup,
  cell: readonly [number, number, number],
  spacing: number,
  dimension: 2 | 3,
): { phase: number; diffusion: number } {
  const [i, j, k] = cell;
  const signs = dimension === 3 ? [-1, 1] : [0];
  let divergence = 0;
  let squares = 0;
  let corners = 0;
  for (const sx of [-1, 1]) {
    for (const sy of [-1, 1]) {
      for (const sz of signs) {
        corners++;
        // The cells around the corner, and the gradient there.
        const around: { at: number[]; value: number }[] = [];
        for (const dx of [0, sx]) {
          for (const dy of [0, sy]) {
            for (const dz of dimension === 3 ? [0, sz] : [0]) {
              around.push({ at: [dx / sx, dy / sy, sz === 0 ? 0 : dz / sz], value: phase(i + dx, j + dy, k + dz) });
            }
          }
        }
        const s = [sx, sy, sz];
        const g = [0, 1, 2].map((axis) => {
          if (s[axis] === 0) return 0;
          let sum = 0;
          for (const { at, value } of around) sum += at[axis] === 1 ? value : -value;
          return (s[axis] * sum) / (around.length / 2) / spacing;
        });
        const e = epsilonAt(q, g, dimension);
        squares += (e / q.epsilon) ** 2;
        const turning = turningFlux(q, g, dimension);
        for (let axis = 0; axis < dimension; axis++) {
          const offset = [0, 1, 2].map((a) => (a === axis ? s[axis] : 0));
          const compact = (s[axis] * (phase(i + offset[0], j + offset[1], k + offset[2]) - phase(i, j, k))) / spacing;
          const flux = e * e * ((2 / 3) * compact + (1 / 3) * g[axis]) + turning[axis];
          // Each side of the cell is the mean of its corners.
          divergence += (s[axis] * flux) / spacing / (dimension === 3 ? 4 : 2);
        }
      }
    }
  }
  const p = phase(i, j, k);
  const t = heat(i, j, k);
  const well = p * (1 - p);
  let phaseRate: number;
  if (q.lambda === 0) {
    const m = (q.alpha / Math.PI) * Math.atan(q.gamma * (q.equilibrium - t));
    phaseRate = (divergence + well * (p - 0.5 + m)) / q.tau;
  } else {
    // In φ = 2 p − 1: τ a² ∂φ/∂t = div + (φ − λ u (1 − φ²)) (1 − φ²).
    const phi = 2 * p - 1;
    const rest = 1 - phi * phi;
    phaseRate = (2 * divergence + (phi - q.lambda * t * rest) * rest) / 2 / (q.tau * (squares / corners));
  }
  let diffusion = 0;
  for (let axis = 0; axis < dimension; axis++) {
    for (const sign of [-1, 1]) {
      const at = [0, 1, 2].map((a) => (a === axis ? sign : 0));
      diffusion += (heat(i + at[0], j + at[1], k + at[2]) - t) / spacing ** 2;
    }
  }
  return { phase: phaseRate, diffusion: q.diffusivity * diffusion };
}
