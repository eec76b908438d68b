// Random crowds, run and checked by brute force.
import { createRandom } from '../../src/core/random.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { createAgentWorld } from '../../src/samples/crowd/agent-scene.js';
import { blockSolid } from '../../src/samples/planning/block-solid.js';
import { bruteDistance, placedVertices } from './crowd-checker.js';

/** What a crowd did. */
export interface CrowdRun {
  /** The least distance found by brute force, less the wanted one. */
  readonly slack: number;
  readonly nearPairs: number;
  readonly poses: string;
  readonly arrived: number;
}

const SHAPES: readonly (() => Mesh)[] = [
  () => blockSolid([[-0.15, -0.3, -0.15, 0.15, 0.3, 0.15]]),
  () => blockSolid([[-0.3, -0.2, -0.08, 0.3, 0.1, 0.08]]),
  () =>
    blockSolid([
      [-0.2, -0.3, -0.1, 0.2, -0.1, 0.1],
      [-0.2, -0.1, -0.05, -0.1, 0.3, 0.05],
    ]),
];

/** Agents in rows go to random places of each other's, among blocks of which one moves. */
export function runCrowd(seed: number, steps: number): CrowdRun {
  const random = createRandom(seed);
  const count = 3 + random.integer(6);
  const distance = 0.02 * random.next();
  const meshes = SHAPES.map((make) => make());
  const places = Array.from({ length: 16 }, (_, i): [number, number] => [
    (i % 4) * 0.8 - 1.2,
    Math.floor(i / 4) * 0.8 - 1.2,
  ]);
  for (let i = places.length - 1; i > 0; i--) {
    const k = random.integer(i + 1);
    [places[i], places[k]] = [places[k], places[i]];
  }
  const poseAt = ([x, z]: readonly [number, number]): number[] => {
    const half = random.range(-Math.PI, Math.PI) / 2;
    return [x, 0, z, 0, Math.sin(half), 0, Math.cos(half)];
  };
  const block = blockSolid([[-0.2, -0.4, -0.2, 0.2, 0.4, 0.2]]);
  const own = Array.from({ length: count }, () => meshes[random.integer(meshes.length)]);
  const obstacles = [
    { mesh: block, pose: poseAt([places[15][0], places[15][1]]) },
    { mesh: block, pose: poseAt([places[14][0], places[14][1]]) },
  ];
  const world = createAgentWorld({
    distance,
    seed,
    agents: own.map((mesh, i) => ({
      mesh,
      plane: 'xz' as const,
      bounds: { min: [-2, 0, -2], max: [2, 0, 2] },
      pose: poseAt(places[i]),
      goal: poseAt(places[(i * 5 + 3) % 14]),
      speed: { linear: random.range(0.5, 2), angular: random.range(0.5, 4) },
    })),
    obstacles,
  });
  const bodies = [...own, block, block];
  let [slack, nearPairs] = [Infinity, 0];
  const all = (): number[][] => [
    ...world.agents.map(({ pose }) => [...pose]),
    ...world.obstacles.map((pose) => [...pose]),
  ];
  for (let step = 0; step < steps && world.status === 'moving'; step++) {
    const before = all();
    world.step();
    const after = all();
    for (let i = 0; i < count; i++) {
      for (let k = i + 1; k < bodies.length; k++) {
        if (Math.hypot(after[i][0] - after[k][0], after[i][2] - after[k][2]) > 0.75) continue;
        nearPairs++;
        for (const t of step % 8 === 0 ? [0, 0.25, 0.5, 0.75, 1] : [1]) {
          const [a, b] = [
            placedVertices(bodies[i], before[i], after[i], t),
            placedVertices(bodies[k], before[k], after[k], t),
          ];
          slack = Math.min(slack, bruteDistance(bodies[i], a, bodies[k], b) - distance);
        }
      }
    }
  }
  const arrived = world.agents.filter(({ status }) => status === 'arrived').length;
  return { slack, nearPairs, poses: JSON.stringify(all()), arrived };
}
