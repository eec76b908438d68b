// The spring and dashpot of a penalty contact. The dashpot is chosen so that a head-on collision has the restitution
// wanted, with the force cut off where it would pull (Schwager and Pöschel 2007, whose duration ends there).

/** Chosen: the largest damping ratio. Beyond it the restitution hardly falls any more. */
const MAX_RATIO = 4;
/** Rounding: halvings of the bracket around a damping ratio: to the last bit. */
const HALVINGS = 50;

/** The restitution of a linear spring and dashpot of a damping ratio, the force never pulling. */
export function restitutionOf(ratio: number): number {
  if (ratio <= 0) return 1;
  if (Math.abs(ratio - 1) < 1e-9) return Math.exp(-2);
  if (ratio < 1) {
    const w = Math.sqrt(1 - ratio * ratio);
    // The phase at which the force is 0: tan φ = 2 ratio w / (2 ratio² − 1), from π down to 0.
    const phase = Math.PI - Math.atan2(2 * ratio * w, 1 - 2 * ratio * ratio);
    return Math.exp(-(ratio / w) * phase);
  }
  const w = Math.sqrt(ratio * ratio - 1);
  return Math.exp(-(ratio / w) * Math.log((ratio + w) / (ratio - w)));
}

/** The damping ratio that gives a restitution; the largest used where none gives so little. */
export function dampingRatio(restitution: number): number {
  if (restitution >= 1) return 0;
  if (restitution <= restitutionOf(MAX_RATIO)) return MAX_RATIO;
  let low = 0;
  let high = MAX_RATIO;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = 0.5 * (low + high);
    if (restitutionOf(middle) > restitution) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}
