// Random problems of two to five robots: planar and rigid bodies, chains, and mixtures, with and without clearance, speeds, a
// horizon and obstacles that move. Starts are apart from each other, and so are goals; obstacles may make them invalid.
import { createRandom, type Random } from '../../src/core/random.js';
import { type PlanObstacle, type PlanProblem, type PlanRobot, planMotion } from '../../src/planning/index.js';
import { checkInfeasible } from '../oracles/ball-flood.js';
import { checkAnswer } from '../oracles/plan-checker.js';
import { boxes } from './planning-scenes.js';

const SIDE = 2;
const KINDS = ['planar', 'planar', 'rigid', 'chains', 'mixed'] as const;

export function makeRandomTeam(seed: number): PlanProblem & { readonly kind: string } {
  const random = createRandom(seed);
  const kind = KINDS[random.integer(KINDS.length)];
  const count = kind === 'chains' ? 2 : 2 + random.integer(kind === 'mixed' ? 2 : 4);
  const taken: number[][][] = [[], []];
  const robots = Array.from({ length: count }, (_, i): PlanRobot => {
    const type = kind === 'mixed' ? (['chain', 'planar', 'rigid'] as const)[i] : kind === 'chains' ? 'chain' : kind;
    return type === 'chain' ? makeArm(random, i) : makeBody(random, type, taken);
  });
  const isTimed = random.next() < 0.5;
  const isFlat = kind === 'planar' || kind === 'mixed';
  const environment = Array.from({ length: random.integer(5) }, (_, i): PlanObstacle => {
    const half = (): number => random.range(0.08, 0.35);
    const [x, y, z] = [half(), half(), half()];
    const place = (): number[] => {
      const at = [0, 1, 2].map((k) => (isFlat && k === 2 ? 0 : random.range(-SIDE, SIDE)));
      const angle = random.range(-1, 1);
      return [...at, 0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
    };
    const mesh = boxes([-x, -y, -z, x, y, z]);
    if (!isTimed || i > 0 || random.next() < 0.4) return { mesh, pose: place() };
    return { mesh, motion: [0, 4, 8].map((time) => ({ time, pose: place() })) };
  });
  return {
    kind,
    robots,
    environment,
    clearance: random.next() < 0.5 ? 0 : random.range(0.002, 0.05),
    ...(isTimed ? { horizon: random.range(12, 40) } : {}),
    seed,
  };
}

function makeBody(random: Random, type: 'planar' | 'rigid', taken: number[][][]): PlanRobot {
  const isPlanar = type === 'planar';
  const half = (): number => random.range(0.12, 0.3);
  const [x, y, z] = [half(), half(), half()];
  const place = (others: number[][]): number[] => {
    for (;;) {
      const at = [0, 1, 2].map((k) => (isPlanar && k === 2 ? 0 : random.range(-SIDE, SIDE)));
      const isApart = others.every((other) => Math.hypot(...other.map((value, k) => value - at[k])) > 1.1);
      // Around the place of the arm, which is at the origin.
      if (!isApart || Math.hypot(...at) < 0.5) continue;
      others.push(at);
      const angle = random.range(-1.5, 1.5);
      return [...at, ...(isPlanar ? [0, 0, Math.sin(angle), Math.cos(angle)] : random.rotation())];
    }
  };
  const body = {
    mesh: boxes([-x, -y, -z, x, y, z]),
    bounds: { min: [-SIDE, -SIDE, -SIDE] as const, max: [SIDE, SIDE, SIDE] as const },
    start: place(taken[0]),
    goal: place(taken[1]),
    ...(random.next() < 0.6 ? { speed: { linear: random.range(0.5, 2), angular: random.range(0.5, 3) } } : {}),
  };
  return isPlanar ? { type: 'planar', plane: 'xy', ...body } : { type: 'rigid', ...body };
}

/** An arm of two or three bars in the plane of the carts; two of them reach into each other's space. */
function makeArm(random: Random, index: number): PlanRobot {
  const count = 2 + random.integer(2);
  const [length, width] = [random.range(0.5, 0.8), random.range(0.04, 0.08)];
  const bar = boxes([0.1, -width, -width, length, width, width]);
  const side = index === 0 ? -1 : 1;
  const values = (): number[] => Array.from({ length: count }, () => random.range(-2, 2));
  return {
    type: 'chain',
    base: [0.55 * side, 0, 0, ...(index === 0 ? [0, 0, 0, 1] : [0, 0, 1, 0])],
    links: [{ name: 'root' }, ...Array.from({ length: count }, (_, i) => ({ name: `link ${i}`, mesh: bar }))],
    joints: Array.from({ length: count }, (_, i) => ({
      name: `joint ${i}`,
      type: 'revolute' as const,
      parent: i === 0 ? 'root' : `link ${i - 1}`,
      child: `link ${i}`,
      origin: [i === 0 ? 0 : length + 0.1, 0, 0, 0, 0, 0, 1],
      axis: i === 0 || random.next() < 0.6 ? ([0, 0, 1] as const) : ([0, 1, 0] as const),
      limits: [-2.5, 2.5] as const,
    })),
    start: values(),
    goal: values(),
    ...(random.next() < 0.6 ? { speed: { angular: random.range(0.5, 2) } } : {}),
  };
}

/** Plans a random team and checks the answer, whatever it is. */
export function checkRandomTeam(
  seed: number,
  timeLimit: number,
): { readonly status: string; readonly kind: string; readonly isTimed: boolean; readonly bad: string[] } {
  const { kind, ...rest } = makeRandomTeam(seed);
  const problem = { ...rest, timeLimit };
  const result = planMotion(problem);
  const { status } = result;
  const bad: string[] = [];
  if (status === 'solved') bad.push(...(result.certified ? [] : ['is not certified']), ...checkAnswer(problem, result));
  else if (result.paths.length > 0 || result.times !== null) bad.push(`has paths with ${status}`);
  if (status === 'infeasible') bad.push(...checkInfeasible(problem, result));
  return { status, kind, isTimed: result.times !== null, bad: bad.map((what) => `seed ${seed}: ${what}`) };
}
