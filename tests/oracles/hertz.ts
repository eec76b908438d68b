// Forces of contact by Hertz, corrected for bodies that are not large: a ball between two rigid plates (Tatara 1989), and a
// rigid ball in a layer of depth 1 on a rigid base (Dimitriadis et al. 2002). All for Young's modulus 1 and radius 1 of the
// first ball.

/** The force between plates that each come nearer to the center of the ball by `depth`. */
export function ballForce(depth: number, poisson: number): number {
  const modulus = 1 / (1 - poisson ** 2);
  const depthOf = (force: number): number => {
    const square = ((3 * force) / (4 * modulus)) ** (2 / 3);
    const far = Math.sqrt(square + 4);
    return square - (force / Math.PI) * ((2 * (1 + poisson)) / far ** 3 + (1 - poisson ** 2) / far);
  };
  let [low, high] = [0, 1];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (depthOf(middle) < depth) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The force on a rigid ball that is pressed into a layer of depth 1 on a rigid base.
 */
export function indentationForce(radius: number, depth: number, poisson: number): number {
  const width = Math.sqrt(radius * depth);
  const a = -(1.2876 - 1.4678 * poisson + 1.3442 * poisson ** 2) / (1 - poisson);
  const b = (0.6387 - 1.0277 * poisson + 1.5164 * poisson ** 2) / (1 - poisson);
  const layer =
    1 -
    ((2 * a) / Math.PI) * width +
    ((4 * a ** 2) / Math.PI ** 2) * width ** 2 -
    (8 / Math.PI ** 3) * (a ** 3 + ((4 * Math.PI ** 2) / 15) * b) * width ** 3 +
    ((16 * a) / Math.PI ** 4) * (a ** 3 + ((3 * Math.PI ** 2) / 5) * b) * width ** 4;
  return ((4 / 3) * Math.sqrt(radius) * depth ** 1.5 * layer) / (1 - poisson ** 2);
}
