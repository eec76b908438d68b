import type { ProfilePoint } from '../parts/surface-of-revolution.js';

/** Chosen: rings on the rounded rim, between its outer and its inner edge. */
const RIM_RINGS = 5;

/** Chosen: the exponent n of the superellipse xⁿ + yⁿ = 1 that the wall follows from rim to bottom; 2 is an ellipse. */
const ROUNDNESS = 2.3;

/** Chosen: the share of the depth that is cut off below, so that the cup stands. */
const FOOT_CUT = 0.03;

/**
 * The outline of a round-bellied cup from the middle of its base over the rim to the middle of its floor. Each point
 * inside is one of the outside drawn towards the mouth; the outside is convex, so the two never meet.
 * Points off the axis: 2 × wallBands + 5.
 */
export function cupProfile(radius: number, height: number, thickness: number, wallBands: number): ProfilePoint[] {
  const angles = bellyAngles(radius, height, wallBands);
  const top = height / 2;
  const wall = (r: number, depth: number, footCut: number) =>
    angles.map((angle): ProfilePoint => {
      const [x, y] = bellyPoint(angle, footCut);
      return [r * x, top - depth * y];
    });
  const rim = Array.from({ length: RIM_RINGS }, (_, i): ProfilePoint => {
    const angle = (Math.PI * (i + 1)) / (RIM_RINGS + 1);
    return [radius - (thickness / 2) * (1 - Math.cos(angle)), top + (thickness / 2) * Math.sin(angle)];
  });
  return [...wall(radius, height, FOOT_CUT), ...rim, ...wall(radius - thickness, height - thickness, 0).reverse()];
}

/** Radius and depth, each as a share, at `angle`: from [0, 1] at 0, in the middle of the bottom, to [1, 0] at a right angle. */
function bellyPoint(angle: number, footCut: number): ProfilePoint {
  if (angle === Math.PI / 2) return [1, 0];
  const power = 2 / ROUNDNESS;
  return [Math.sin(angle) ** power, Math.min(1, Math.cos(angle) ** power / (1 - footCut))];
}

/** `bands` + 1 angles whose points lie evenly along the outside, found by walking it in small steps. */
function bellyAngles(radius: number, height: number, bands: number): number[] {
  const steps = 40 * bands;
  const angleAt = (step: number) => (step === steps ? Math.PI / 2 : (Math.PI / 2) * (step / steps));
  const traveled = [0];
  for (let i = 1; i <= steps; i++) {
    const [x0, y0] = bellyPoint(angleAt(i - 1), FOOT_CUT);
    const [x1, y1] = bellyPoint(angleAt(i), FOOT_CUT);
    traveled.push(traveled[i - 1] + Math.hypot(radius * (x1 - x0), height * (y1 - y0)));
  }
  let step = 0;
  return Array.from({ length: bands + 1 }, (_, band) => {
    while (traveled[step] < (band / bands) * traveled[steps]) step++;
    return angleAt(step);
  });
}
