// The scenes of elastic bodies at their full number of elements: nothing inverts or flies off in the whole run.
import { describe, expect, test } from 'vitest';
import { elasticScenes } from '../../bench/scenarios/elastic/catalogue.js';
import { elementCount, meanEdgeOf } from '../../bench/scenarios/elastic/elastic-scene.js';
import { gulletAround } from '../bench/gullet-around.js';

describe.each(elasticScenes)('$name', ({ name, elements, duration, build }) => {
  test('runs to its end', () => {
    const setting = build(elements, { mode: 'real-time' });
    const { world } = setting;
    expect(Math.abs(elementCount(setting) / elements - 1)).toBeLessThan(0.3);
    for (let step = 0; step < 60 * duration; step++) {
      world.step();
      if (step % 10 !== 0) continue;
      expect(world.inverted).toBe(0);
      expect(Number.isFinite(world.energy().total)).toBe(true);
    }
    expect(world.worstPenetration()).toBeLessThan(0.2 * meanEdgeOf(setting));
    if (name === 'snake-swallow') expect(gulletAround(setting)).toBe(1);
  });
});
