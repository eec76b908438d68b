// The scenes in the plane have the numbers of objects and lines of Hoff, Zaferakis, Lin and Manocha 2001, and their objects
// meet as often as the benchmark says.
import { expect, test } from 'vitest';
import { PLANE_FRAMES, planeScenarios } from '../../bench/scenarios/plane.js';
import { PlaneScene } from '../../src/pivot/plane/plane-scene.js';

test.each([
  ['map', 6, 719, 0.8],
  ['gears', 13, 391, 0.2],
  ['links', 15, 440, 0.4],
  ['cars', 18, 266, 0.2],
  ['wavy', 2, 200, 0.99],
] as const)('%s: %i objects of %i lines', (name, objects, lines, meeting) => {
  const scene = planeScenarios[name]();
  expect(scene.bodies).toHaveLength(objects);
  expect(scene.bodies.flatMap(({ rings }) => rings).reduce((sum, ring) => sum + ring.length / 2, 0)).toBe(lines);
  expect(scene.lines).toBe(lines);
  const query = new PlaneScene({ error: 0.002 * scene.diameter });
  const near = new PlaneScene({ error: 0.002 * scene.diameter });
  let frames = 0;
  let deepest = 0;
  for (let frame = 0; frame < PLANE_FRAMES; frame += 2) {
    scene.advance(frame);
    const { count, depths } = query.penetration(scene.bodies);
    // Cars are kept apart: they meet within a hundredth of their size, and never overlap by more than a pixel.
    if (name === 'cars' ? near.contacts(scene.bodies, 0.01 * scene.diameter).count > 0 : count > 0) frames++;
    for (let k = 0; k < count; k++) deepest = Math.max(deepest, depths[k]);
  }
  expect(frames / (PLANE_FRAMES / 2)).toBeGreaterThan(meeting);
  // Contacts, not bodies inside each other.
  expect(deepest / scene.diameter).toBeLessThan(name === 'cars' ? 0.002 : 0.12);
});
