// Random problems of every kind: rigid and planar robots, chains and pairs of robots among solids and open sheets, at rest and in
// motion, with and without clearance. Meshes are small, for oracles that measure all triangles.
import { createRandom, type Random } from '../../src/core/random.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import type { PlanObstacle, PlanProblem, PlanRobot } from '../../src/planning/index.js';
import { boxes } from './planning-scenes.js';

const SIDE = 2;

/** A problem in a cube, or a square, of side 4. */
export function makeRandomProblem(seed: number): PlanProblem {
  const random = createRandom(seed);
  const kind = random.integer(20);
  const robots: PlanRobot[] =
    kind < 7
      ? [makeBody(random, 'rigid')]
      : kind < 12
        ? [makeBody(random, 'planar')]
        : kind < 17
          ? [makeChain(random)]
          : [makeBody(random, 'planar'), makeBody(random, 'planar')];
  const isPlanar = robots[0].type === 'planar';
  const moves = random.next() < 0.4;
  const environment = Array.from({ length: 2 + random.integer(11) }, (_, i): PlanObstacle => {
    const mesh = makeMesh(random, random.range(0.1, 0.5));
    const place = (): number[] => [...[0, 1, 2].map(() => random.range(-SIDE, SIDE)), ...random.rotation()];
    const flat = (pose: number[]): number[] => pose.map((value, k) => (isPlanar && k === 2 ? 0 : value));
    if (!moves || i % 3 > 0) return { mesh, pose: flat(place()) };
    const keys = 1 + random.integer(4);
    const motion: { time: number; pose: number[] }[] = [];
    while (motion.length < keys) {
      const key = { time: 1.5 * motion.length + random.next(), pose: flat(place()) };
      // A turn by 180 degrees has no shorter way.
      const last = motion.at(-1)?.pose ?? key.pose;
      const dot = [3, 4, 5, 6].reduce((sum, k) => sum + last[k] * key.pose[k], 0);
      if (Math.abs(dot) > 1e-3) motion.push(key);
    }
    return { mesh, motion };
  });
  const [{ start, type }] = robots;
  if (type !== 'chain' && random.next() < 0.15) environment.push(...makeCage(random, Array.from(start!)));
  const isTimed = environment.some(({ motion }) => motion !== undefined);
  return {
    robots,
    environment,
    clearance: random.next() < 0.5 ? 0 : random.range(0.002, 0.06),
    ...(isTimed && random.next() < 0.7 ? { horizon: random.range(8, 25) } : {}),
    timeLimit: 5,
    seed,
  };
}

/** Walls around a place, sometimes without one of them. */
function makeCage(random: Random, [x, y, z]: readonly number[]): PlanObstacle[] {
  const half = random.range(0.5, 0.9);
  const walls = [0, 1, 2].flatMap((k) => {
    return [-1, 1].map((sign) => {
      const [low, high] = [[x, y, z].map((c) => c - half - 0.1), [x, y, z].map((c) => c + half + 0.1)];
      if (sign < 0) high[k] = low[k] + 0.1;
      else low[k] = high[k] - 0.1;
      return { mesh: boxes([low[0], low[1], low[2], high[0], high[1], high[2]]) };
    });
  });
  return random.next() < 0.7 ? walls : walls.slice(1);
}

/** A box, a tetrahedron, an L, an open box or a sheet. */
function makeMesh(random: Random, size: number): Mesh {
  const half = (): number => size * random.range(0.3, 1);
  const [x, y, z] = [half(), half(), half()];
  switch (random.integer(6)) {
    case 0: {
      const positions = [x, y, z, -x, -y, z, -x, y, -z, x, -y, -z];
      return { positions: Float64Array.from(positions), indices: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3) };
    }
    case 1:
      return extrude([-x, -y, x, -y, x, -y / 3, -x / 3, -y / 3, -x / 3, y, -x, y], z);
    case 2: {
      // A sheet of two triangles, folded.
      const positions = [-x, 0, -y, x, 0, -y, x, 0, y, -x, z / 2, y];
      return { positions: Float64Array.from(positions), indices: Uint32Array.of(0, 1, 2, 0, 2, 3) };
    }
    case 3: {
      const { positions, indices } = boxes([-x, -y, -z, x, y, z]);
      return { positions, indices: indices.slice(6) };
    }
    default:
      return boxes([-x, -y, -z, x, y, z]);
  }
}

/** A solid over a polygon that turns left. */
function extrude(polygon: readonly number[], half: number): Mesh {
  const count = polygon.length / 2;
  const positions: number[] = [];
  for (const z of [-half, half]) for (let i = 0; i < count; i++) positions.push(polygon[2 * i], polygon[2 * i + 1], z);
  const indices: number[] = [];
  // The corner of the L sees all others.
  const corner = 3;
  for (let k = 1; k < count - 1; k++) {
    const [a, b] = [(corner + k) % count, (corner + k + 1) % count];
    indices.push(corner, b, a, count + corner, count + a, count + b);
  }
  for (let i = 0; i < count; i++) {
    const j = (i + 1) % count;
    indices.push(i, j, count + j, i, count + j, count + i);
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

function makeBody(random: Random, type: 'rigid' | 'planar'): PlanRobot {
  const isPlanar = type === 'planar';
  const place = (): number[] => {
    const at = [0, 1, 2].map((k) => (isPlanar && k === 2 ? 0 : random.range(-SIDE, SIDE)));
    const angle = random.range(-Math.PI, Math.PI) / 2;
    return [...at, ...(isPlanar ? [0, 0, Math.sin(angle), Math.cos(angle)] : random.rotation())];
  };
  const body = {
    mesh: makeMesh(random, random.range(0.15, 0.5)),
    bounds: { min: [-SIDE, -SIDE, -SIDE] as const, max: [SIDE, SIDE, SIDE] as const },
    start: place(),
    goal: place(),
    ...(random.next() < 0.6 ? { speed: { linear: random.range(0.5, 2), angular: random.range(0.5, 3) } } : {}),
  };
  return isPlanar ? { type: 'planar', plane: 'xy', ...body } : { type: 'rigid', ...body };
}

function makeChain(random: Random): PlanRobot {
  const count = 2 + random.integer(3);
  const links: { name: string; mesh?: Mesh }[] = [{ name: 'root' }];
  const joints = Array.from({ length: count }, (_, i) => {
    const length = random.range(0.4, 0.8);
    const width = random.range(0.04, 0.1);
    links.push({ name: `link ${i}`, mesh: boxes([0.12, -width, -width, length, width, width]) });
    const isSlide = i > 0 && random.next() < 0.25;
    const axis = [random.normal(), random.normal(), random.normal()] as const;
    // A branch now and then.
    const parent = i > 1 && random.next() < 0.2 ? i - 1 : i;
    return {
      name: `joint ${i}`,
      type: isSlide ? ('prismatic' as const) : ('revolute' as const),
      parent: links[parent].name,
      child: `link ${i}`,
      origin: [i === 0 ? 0 : 0.8, 0, 0, ...random.rotation()],
      axis,
      limits: (isSlide ? [-0.3, 0.3] : [-2.5, 2.5]) as [number, number],
    };
  });
  const values = (): number[] => joints.map(({ limits }) => random.range(limits[0], limits[1]));
  return {
    type: 'chain',
    links,
    joints,
    start: values(),
    goal: values(),
    ...(random.next() < 0.6 ? { speed: { linear: 0.5, angular: 1 } } : {}),
  };
}
