// Closed meshes whose faces point inward bound the same solid.
import { expect, test } from 'vitest';
import * as pose from '../../src/core/pose.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { findModel } from '../../src/models/catalogue.js';
import { Pair } from '../../src/proximity/pair.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';

function turnOver({ positions, indices }: Mesh): Mesh {
  return { positions, indices: Uint32Array.from(indices, (_, i) => indices[i - (i % 3) + ((3 - (i % 3)) % 3)]) };
}

test.each(['boxes', 'hulls'] as const)('over %s', (volume) => {
  const [a, b] = [findModel('torus').build({ majorSegments: 24, minorSegments: 12 }), findModel('letter-j').build()];
  const outward = new Pair(new ProximityModel(a), new ProximityModel(b), { volume });
  const inward = new Pair(new ProximityModel(turnOver(a)), new ProximityModel(turnOver(b)), { volume });
  const { radius } = outward.a;
  let intersecting = 0;
  for (let i = 0; i < 40; i++) {
    const turn = (i * Math.PI) / 20;
    const placed = pose.create(
      [1.4 * radius * Math.cos(turn / 3), 0.4 * radius * Math.sin(turn), 0.02 * i * radius],
      [Math.sin(turn / 2), 0.2, 0.1, Math.cos(turn / 2)],
    );
    const wanted = outward.distance(pose.identity(), placed);
    const got = inward.distance(pose.identity(), placed);
    expect(got.intersects).toBe(wanted.intersects);
    expect(got.distance).toBeCloseTo(wanted.distance ?? Number.NaN, 12);
    if (wanted.intersects) intersecting++;
    const tolerance = (wanted.distance ?? 0) + 0.2 * radius;
    const contacts = outward.contacts(pose.identity(), placed, { tolerance }).contacts;
    const turned = inward.contacts(pose.identity(), placed, { tolerance }).contacts;
    expect(turned.length).toBe(contacts.length);
    for (const [k, contact] of contacts.entries()) expect(turned[k].distance).toBeCloseTo(contact.distance, 12);
  }
  expect(intersecting).toBeGreaterThan(2);
  expect(intersecting).toBeLessThan(38);
  // One wholly inside the other.
  const small = new ProximityModel(turnOver({ positions: b.positions.map((x) => 0.05 * x), indices: b.indices }));
  const around = new Pair(new ProximityModel(turnOver(findModel('sphere').build())), small, { volume });
  expect(around.intersects(pose.identity(), pose.identity()).intersects).toBe(true);
});
