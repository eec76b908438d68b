// Contacts of models that are farther apart than the tolerance cost one tolerance query, and nothing is prepared for them.
import { describe, expect, test } from 'vitest';
import type { Pose } from '../../../src/core/pose.js';
import { findModel } from '../../../src/models/catalogue.js';
import { hullsOf } from '../../../src/proximity/hulls/model-hulls.js';
import { Pair } from '../../../src/proximity/pair.js';
import { ProximityModel } from '../../../src/proximity/proximity-model.js';

const mesh = findModel('torus').build({ majorSegments: 24, minorSegments: 12 });
const HERE: Pose = [0, 0, 0, 0, 0, 0, 1];
const place = (i: number): Pose => [0.01 * i, 0.9 + 0.001 * i, 0, 0.6, 0, 0, 0.8];

describe.each(['boxes', 'hulls'] as const)('contacts of far models over %s', (volume) => {
  const hulls = volume === 'hulls' ? { hierarchy: hullsOf(new ProximityModel(mesh)) } : {};
  const create = (): Pair => new Pair(new ProximityModel(mesh, hulls), new ProximityModel(mesh, hulls), { volume });

  test('cost what a tolerance query costs, also from frame to frame', () => {
    const asked = create();
    const plain = create();
    for (let i = 0; i < 10; i++) {
      const { intersects, contacts, counters } = asked.contacts(HERE, place(i), { tolerance: 0.01 });
      expect({ intersects, contacts }).toEqual({ intersects: false, contacts: [] });
      const { within, counters: counted } = plain.within(HERE, place(i), 0.01 * (1 + 1e-12));
      expect(within).toBe(false);
      expect(counters).toEqual(counted);
    }
    for (const model of [asked.a, asked.b]) {
      expect(model.memory().map(({ name }) => name)).not.toContain('contact surface');
    }
  });

  test('are found as before once the models come near, and when they part again', () => {
    const pair = create();
    let found = 0;
    let crossed = 0;
    for (const i of [20, 2, 3, 19, 4, -8, 3, 21, 2]) {
      const poseB: Pose = [...place(0)];
      poseB[1] = 0.62 + 0.02 * i;
      const fresh = create().contacts(HERE, poseB, { tolerance: 0.2 });
      const { contacts, intersects } = pair.contacts(HERE, poseB, { tolerance: 0.2 });
      expect(intersects).toBe(fresh.intersects);
      expect(contacts.map(({ distance }) => distance)).toEqual(fresh.contacts.map(({ distance }) => distance));
      if (contacts.length > 0) found++;
      if (intersects) crossed++;
    }
    expect({ found, crossed }).toEqual({ found: 5, crossed: 1 });
  });
});
