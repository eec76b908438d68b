import { expect, test } from 'vitest';
import { DeformableAgent } from '../../src/crowd/deformable-agent.js';
import type { DeformableAgentOptions } from '../../src/crowd/deformable-options.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { findModel } from '../../src/models/catalogue.js';
import { blockSolid } from '../../src/samples/planning/block-solid.js';
import { bruteDistance } from './crowd-checker.js';

const ball = findModel('sphere')!.build({ radius: 0.25 });

/** A ball of half a meter before two blocks with a gap between them. */
function beforeGap(gap: number, force: number, more: Partial<DeformableAgentOptions> = {}): DeformableAgentOptions {
  return {
    mesh: ball,
    pose: [-0.7, 0, 0.02, 0, 0, 0, 1],
    goal: [0.7, 0, 0],
    bounds: { min: [-1.2, -0.4, -0.4], max: [1.2, 0.4, 0.4] },
    obstacles: [
      { mesh: blockSolid([[-0.2, -1, gap / 2, 0.2, 1, 1.5]]) },
      { mesh: blockSolid([[-0.2, -1, -1.5, 0.2, 1, -gap / 2]]) },
    ],
    material: { young: 2e4, density: 200, damping: { stiffness: 0.01 } },
    force,
    elementSize: 0.1,
    ...more,
  };
}

function volumeOf({ positions, indices }: Mesh): number {
  let six = 0;
  const p = (i: number): number[] => [0, 1, 2].map((k) => positions[3 * indices[i] + k]);
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [p(i), p(i + 1), p(i + 2)];
    six += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return six / 6;
}

test('an elastic agent squeezes through a gap narrower than it is, without overlap by brute force', () => {
  const options = beforeGap(0.4, 600);
  const agent = new DeformableAgent(options);
  let [narrowest, mostContact, mostForce] = [Infinity, 0, 0];
  for (let i = 0; i < 600 && agent.status === 'moving'; i++) {
    const step = agent.step();
    mostForce = Math.max(mostForce, step.force);
    mostContact = Math.max(mostContact, step.contactForce);
    expect(agent.worstPenetration()).toBe(0);
    if (i % 5 !== 0) continue;
    const { positions, indices } = agent.surface;
    const heights: number[] = [];
    for (let v = 0; v < positions.length; v += 3) {
      if (Math.abs(positions[v]) < 0.2) heights.push(positions[v + 2]);
      // No vertex is in a block.
      const isInside = Math.abs(positions[v]) < 0.2 && Math.abs(positions[v + 2]) > 0.2;
      expect(isInside).toBe(false);
    }
    if (heights.length > 0) narrowest = Math.min(narrowest, 0.4 - (Math.max(...heights) - Math.min(...heights)));
    for (const { mesh } of options.obstacles) {
      expect(bruteDistance({ positions, indices }, [...positions], mesh, [...mesh.positions])).toBeGreaterThan(0);
    }
  }
  expect(agent.status).toBe('arrived');
  expect(agent.reason).toBeNull();
  // It was pressed together: the gap was nearly filled, and the walls pushed back.
  expect(narrowest).toBeGreaterThan(0);
  expect(narrowest).toBeLessThan(0.02);
  expect(mostContact).toBeGreaterThan(50);
  expect(mostForce).toBeLessThanOrEqual(600);
  expect(agent.leastVolume).toBeGreaterThan(0);
  expect(agent.leastVolume).toBeLessThan(0.9);
  expect(Math.hypot(agent.center[0] - 0.7, agent.center[1], agent.center[2])).toBeLessThan(0.01);
});

test('an elastic agent that is too weak, or before a gap too narrow, is stuck and says why', () => {
  const weak = new DeformableAgent(beforeGap(0.4, 40));
  for (let i = 0; i < 600 && weak.status === 'moving'; i++) {
    expect(weak.step().force).toBeLessThanOrEqual(40);
  }
  expect(weak.status).toBe('stuck');
  expect(weak.reason).toMatch(/whole force of 40 N/);
  expect(weak.center[0]).toBeLessThan(-0.2);
  expect(weak.worstPenetration()).toBe(0);
  const narrow = new DeformableAgent(beforeGap(0.15, 1e4));
  narrow.step();
  expect(narrow.status).toBe('stuck');
  expect(narrow.reason).toMatch(/No passage of at least 0\.\d{1,3} m was found/);
  const before = narrow.center;
  expect(narrow.step().force).toBe(0);
  expect(narrow.center).toEqual(before);
});

test('in free space the momentum of an elastic agent is the sum of its forces over time', () => {
  const agent = new DeformableAgent({ ...beforeGap(0.4, 30), obstacles: [] });
  let impulse = 0;
  for (let i = 0; i < 20; i++) {
    const { force, contactForce } = agent.step();
    expect(contactForce).toBe(0);
    impulse += force / 60;
  }
  // It accelerates all the time, so that forces add up; the first step is of another method.
  const { linear } = agent.momentum;
  expect(Math.hypot(...linear) / impulse).toBeGreaterThan(0.98);
  expect(Math.hypot(...linear) / impulse).toBeLessThan(1.02);
  // Its mass is that of the mesh, but for what lies between the two surfaces.
  const { toInput, fromInput } = agent.surfaceDistance;
  const between = 200 * 4 * Math.PI * 0.25 ** 2 * Math.max(toInput, fromInput);
  expect(Math.abs(agent.mass - 200 * volumeOf(ball))).toBeLessThan(between);
  expect(between).toBeLessThan(0.2 * agent.mass);
});

test('what is no elastic agent is refused', () => {
  const make = (more: object) => () => new DeformableAgent({ ...beforeGap(0.4, 600), ...more } as never);
  expect(make({ force: 0 })).toThrow(/force is 0/);
  expect(make({ force: undefined })).toThrow(/force/);
  expect(make({ squeeze: 1.5 })).toThrow(/squeeze/);
  expect(make({ goal: [9, 0, 0] })).toThrow(/outside of the bounds/);
  expect(make({ goal: [0, 0, 0.39] })).toThrow(/goal is in obstacle 1/);
  expect(make({ goal: [0, NaN, 0] })).toThrow(/goal/);
  expect(make({ pose: [-0.3, 0, 0.2, 0, 0, 0, 1] })).toThrow(/overlaps/);
  expect(make({ material: {} })).toThrow(/Young/);
  expect(make({ material: { young: 1e4, gravity: [0, 1, 0] } })).toThrow(/gravity/);
  expect(make({ stiffness: 1 })).toThrow(/stiffness/);
});
