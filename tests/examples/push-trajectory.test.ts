import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript, as its users run it.
import { firstTrajectory, problem, pushTrajectory, toTrajectory } from '../../examples/push-trajectory/push.js';
import { sampleTrajectory } from '../../src/sweep/index.js';

test('the example pushes its trajectory until the wanted clearance is proven', () => {
  const { before, after, waypoints } = pushTrajectory();
  expect(before.verdict).toBe('violated');
  expect(after.verdict).toBe('holds');
  expect(after.clearance.lower).toBeGreaterThanOrEqual(0.05);
  expect([waypoints[0], waypoints[waypoints.length - 1]]).toEqual([firstTrajectory()[0], firstTrajectory().at(-1)]);
  // Samples cannot refute it.
  const { frames } = sampleTrajectory(problem, toTrajectory(waypoints), { frames: 300 });
  for (const { clearance } of frames) expect(clearance).toBeGreaterThanOrEqual(0.05);
});
