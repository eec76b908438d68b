import type { AgentWorld } from '../../src/crowd/agent-world.js';

/** Steps a world until nothing moves or `most` steps are made; returns the kinds of the events. */
export function run(world: AgentWorld, most: number): string[] {
  const kinds: string[] = [];
  for (let i = 0; i < most && world.status === 'moving'; i++)
    for (const { kind } of world.step().events) kinds.push(kind);
  return kinds;
}
