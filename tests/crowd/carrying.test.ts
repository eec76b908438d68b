// Agents that carry a load together: in the open at their speed, through doors, and around corners where they have to turn back.
import { describe, expect, test } from 'vitest';
import { AgentWorld } from '../../src/crowd/agent-world.js';
import { findModel } from '../../src/models/catalogue.js';
import { blockSolid } from '../../src/samples/planning/block-solid.js';

type Who = 'all' | 'one' | 'load';

/** Where a team is: the middle of its load, and how far that is turned about the vertical. */
interface Place {
  readonly at: readonly [number, number];
  readonly angle: number;
}

const person = findModel('capsule')!.build({ radius: 0.2, length: 0.6, segments: 16, rings: 3 });
/** Ends of walls are farther out: nobody goes around them. */
const floor = { plane: 'xz', bounds: { min: [-7, 0, -7], max: [7, 0, 7] } } as const;
const FAR = 8;
/** Carriers stand this far from the middle of the load. */
const ARM = 0.8;

const wall = (x0: number, z0: number, x1: number, z1: number) => ({ mesh: blockSolid([[x0, -0.6, z0, x1, 0.6, z1]]) });

/** A point of the load's frame in the world. */
function placed([x, z]: readonly [number, number], { at, angle }: Place): [number, number] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [at[0] + c * x + s * z, at[1] - s * x + c * z];
}

/** Two carry a beam by its ends, more carry a plate by its rim. */
function spotsOf(count: number): readonly (readonly [number, number])[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    return [ARM * Math.cos(angle), ARM * Math.sin(angle)] as const;
  });
}

function carry(count: number, who: Who, from: Place, to: Place, walls: readonly ReturnType<typeof wall>[] = []) {
  const world = new AgentWorld({ distance: 0.01 });
  for (const obstacle of walls) world.addObstacle(obstacle);
  const spots = spotsOf(count);
  for (const [i, spot] of spots.entries()) {
    const [[x, z], [p, q]] = [placed(spot, from), placed(spot, to)];
    const goal = who === 'all' || (who === 'one' && i === 0) ? ([p, 0, q, 0, 0, 0, 1] as const) : undefined;
    world.addAgent({
      name: `carrier ${i}`,
      mesh: person,
      ...floor,
      pose: [x, 0, z, 0, 0, 0, 1],
      goal,
      tolerance: 0.05,
    });
  }
  const wide = count < 3 ? 0.04 : 0.9;
  const mesh = blockSolid([[-0.9, 0.55, -wide, 0.9, 0.63, wide]]);
  const poseOf = ({ at: [x, z], angle }: Place) => [x, 0, z, 0, Math.sin(angle / 2), 0, Math.cos(angle / 2)] as const;
  const goal = who === 'load' ? poseOf(to) : undefined;
  world.addAgent({ name: 'load', mesh, ...floor, pose: poseOf(from), goal, tolerance: 0.05 });
  for (const [i, [x, z]] of spots.entries()) {
    world.addConstraint({
      type: 'joint',
      agents: [`carrier ${i}`, 'load'],
      points: [
        [0, 0.59, 0],
        [x, 0.59, z],
      ],
    });
  }
  return world;
}

/** Runs until all have arrived or are stuck; what came of it. */
function run(world: AgentWorld) {
  let [error, least] = [0, Infinity];
  const kinds = new Set<string>();
  while (world.status === 'moving' && world.time < 100) {
    const step = world.step();
    error = Math.max(error, step.jointError);
    least = Math.min(least, step.leastDistance);
    for (const { kind } of step.events) kinds.add(kind);
  }
  return { status: world.status, time: world.time, error, least, kinds };
}

describe.each<Who>(['all', 'one', 'load'])('goals of %s', (who) => {
  test.each([2, 3, 4, 6])('%d carriers in the open are as fast as one alone', (count) => {
    const { status, time, error } = run(carry(count, who, { at: [-6, 0], angle: 0.3 }, { at: [6, 0], angle: 0.3 }));
    expect(status).toBe('arrived');
    expect(time).toBeLessThan(12 / 0.9);
    expect(error).toBeLessThan(1e-3);
  });

  test.each([0, 0.8, Math.PI / 2])('through a door that is narrower than the load, turned by %d', (angle) => {
    const walls = [wall(-0.1, -FAR, 0.1, -0.6), wall(-0.1, 0.6, 0.1, FAR)];
    const { status, error, least } = run(carry(2, who, { at: [-3, 0.5], angle }, { at: [3, -0.5], angle }, walls));
    expect(status).toBe('arrived');
    expect(error).toBeLessThan(1e-3);
    expect(least).toBeGreaterThan(0.01 - 1e-9);
  });

  test('around a corner', () => {
    const to = { at: [0, 4], angle: -Math.PI / 2 } as const;
    const { status, error } = run(carry(2, who, { at: [-4, 0], angle: 0 }, to, corner(1.5)));
    expect(status).toBe('arrived');
    expect(error).toBeLessThan(1e-3);
  });
});

test('a team turns back in a corner by a planned path', () => {
  const to = { at: [0, 4], angle: Math.PI / 2 } as const;
  const { status, kinds } = run(carry(2, 'all', { at: [-4, 0], angle: 0 }, to, corner(2)));
  expect(status).toBe('arrived');
  expect(kinds).toContain('detour');
});

test('a team is stuck before a door through which none of it fits', () => {
  const walls = [wall(-0.1, -FAR, 0.1, -0.15), wall(-0.1, 0.15, 0.1, FAR)];
  const { status } = run(carry(2, 'all', { at: [-3, 0], angle: 0 }, { at: [3, 0], angle: 0 }, walls));
  expect(status).toBe('stuck');
});

/** A corridor along x that turns into one along z. */
function corner(width: number) {
  const half = width / 2;
  return [
    wall(-FAR, -half - 0.2, half + 0.2, -half),
    wall(-FAR, half, -half, half + 0.2),
    wall(half, -half, half + 0.2, FAR),
    wall(-half - 0.2, half + 0.2, -half, FAR),
  ];
}
