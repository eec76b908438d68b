import { expect, test } from 'vitest';
import { agentSample, createAgentWorld } from '../../src/samples/crowd/agent-scene.js';
import { runCrowd } from '../crowd/random-crowds.js';
import { run } from '../crowd/run-world.js';

test('1,000 random crowds keep the wanted distance by brute force', () => {
  let near = 0;
  for (let seed = 1; seed <= 1000; seed++) {
    const { slack, nearPairs } = runCrowd(seed, 100);
    expect(slack, `seed ${seed}`).toBeGreaterThan(-1e-9);
    near += nearPairs;
  }
  expect(near).toBeGreaterThan(60_000);
});

test.each([2, 3, 4, 5, 6, 7, 8])(
  '%i agents pass each other in a corridor with a bay, and are stuck without one',
  (agents) => {
    const world = createAgentWorld(agentSample('swap', { agents }));
    expect(run(world, 12_000)).toContain('shunt');
    expect(world.status).toBe('arrived');
    const without = createAgentWorld(agentSample('swap', { agents, bay: 0 }));
    run(without, 12_000);
    expect(without.status).toBe('stuck');
  },
);
