// Two bodies that move on as one: momentum is kept, energy is only taken.
import type { PlaneBodies } from '../body/plane-bodies.js';

/** Gives two bodies the motion of the one rigid body that they would be; that of the one of infinite mass if there is one. */
export function mergeMotion(
  { center, velocity, spin, inverseMass, mass, inertia }: PlaneBodies,
  a: number,
  b: number,
): void {
  const [lead, other] = inverseMass[a] === 0 ? [a, b] : [b, a];
  let [vx, vy, turn] = [velocity[2 * lead], velocity[2 * lead + 1], spin[lead]];
  let [x, y] = [center[2 * lead], center[2 * lead + 1]];
  if (inverseMass[lead] > 0) {
    const sum = mass[a] + mass[b];
    [x, y] = [0, 1].map((k) => (mass[a] * center[2 * a + k] + mass[b] * center[2 * b + k]) / sum);
    [vx, vy] = [0, 1].map((k) => (mass[a] * velocity[2 * a + k] + mass[b] * velocity[2 * b + k]) / sum);
    let [momentum, moment] = [0, 0];
    for (const i of [a, b]) {
      const [dx, dy] = [center[2 * i] - x, center[2 * i + 1] - y];
      momentum += inertia[i] * spin[i] + mass[i] * (dx * (velocity[2 * i + 1] - vy) - dy * (velocity[2 * i] - vx));
      moment += inertia[i] + mass[i] * (dx * dx + dy * dy);
    }
    turn = momentum / moment;
  }
  for (const i of inverseMass[lead] > 0 ? [a, b] : [other]) {
    if (inverseMass[i] === 0) continue;
    velocity[2 * i] = vx - turn * (center[2 * i + 1] - y);
    velocity[2 * i + 1] = vy + turn * (center[2 * i] - x);
    spin[i] = turn;
  }
}
