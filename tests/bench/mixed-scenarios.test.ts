// The mixed scenarios have the hit rates that they are named for, and their motions pass in and out of contact.
import { ProximityModel, testIntersection } from 'nearfield/proximity';
import { expect, test } from 'vitest';
import { mixedMotions, mixedPoses } from '../../bench/scenarios/mixed.js';
import { posesAt, type Scenario, type ScenarioDefinition } from '../../bench/scenarios/scenario.js';

/** One in this count of frames is looked at; all of them in the soak. */
const STRIDE = process.env.NEARFIELD_SOAK ? 1 : 2;

test.each(mixedPoses)('$name has its hit rate', (definition) => {
  const answers = answer(definition.build());
  const rate = (100 * answers.filter(Boolean).length) / answers.length;
  expect(rate).toBeGreaterThan(definition.hitRate - 6);
  expect(rate).toBeLessThan(definition.hitRate + 6);
});

test.each(mixedMotions)('$name passes in and out of contact', (definition) => {
  const answers = answer(definition.build());
  const rate = answers.filter(Boolean).length / answers.length;
  expect(rate).toBeGreaterThan(0.4);
  expect(rate).toBeLessThan(0.6);
  const changes = answers.filter((hit, i) => i > 0 && hit !== answers[i - 1]).length;
  expect(changes).toBeGreaterThanOrEqual(7);
});

test('poses are the same every time', () => {
  const [first]: readonly ScenarioDefinition[] = mixedPoses;
  expect(first.build().poses).toEqual(first.build().poses);
});

function answer(scenario: Scenario): boolean[] {
  const [a, b] = scenario.bodies.map(({ mesh }) => new ProximityModel(mesh));
  const answers: boolean[] = [];
  for (let frame = 0; frame < scenario.frameCount; frame += STRIDE) {
    const [poseA, poseB] = posesAt(scenario, frame);
    answers.push(testIntersection(a, b, poseA, poseB).intersects);
  }
  return answers;
}
