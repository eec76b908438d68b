// Contacts of two solids against an enumeration of all pairs of features: every contact is exact, and every local minimum
// of the distance within the margin is there, with the whole extent of its patch.
import { describe, expect, test } from 'vitest';
import { placeBInA } from '../../src/core/placement.js';
import type { Pose } from '../../src/core/pose.js';
import { createRandom, type Random } from '../../src/core/random.js';
import { ContactPoints, NORMAL, ON_B, POINT_STRIDE, SEPARATION } from '../../src/manifold/contact-points.js';
import { APART, NEAR } from '../../src/manifold/contact-state.js';
import { MeshContacts } from '../../src/manifold/mesh-contacts.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { findModel } from '../../src/models/catalogue.js';
import { Pair } from '../../src/proximity/pair.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { machinedParts } from '../generators/machined-parts.js';
import { boxMesh, mapPoints, torusGrid, voxelSolid } from '../generators/surfaces.js';
import { collectFeatures, findContactsByEnumeration } from '../oracles/contacts.js';
import { measureByBruteForce, placeInFrame, prepareOracle } from '../oracles/mesh-distance.js';
import { distanceToMesh } from '../oracles/point-mesh-distance.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
const SEED = process.env.NEARFIELD_SEED === 'random' ? Date.now() % 1e9 : Number(process.env.NEARFIELD_SEED ?? 1);
const STILL: Pose = [0, 0, 0, 0, 0, 0, 1];

/** Of about one unit across. */
const SOLIDS: readonly { readonly name: string; readonly mesh: Mesh }[] = [
  { name: 'cube', mesh: boxMesh([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]) },
  { name: 'plate', mesh: boxMesh([-0.6, -0.02, -0.4], [0.6, 0.02, 0.4]) },
  {
    name: 'angle',
    mesh: scaled(
      voxelSolid(2, (x, y, z) => x + y < 2 && z >= 0),
      0.5,
    ),
  },
  { name: 'torus', mesh: scaled(torusGrid(12, 8), 0.2) },
  ...['L', 'E', 'S', 'O', '8'].map((letter) => ({ name: letter, mesh: buildLetter(letter) })),
  ...machinedParts(8)
    .filter(({ name }) => ['bracket', 'gear'].includes(name))
    .map(({ name, mesh }) => ({ name, mesh: scaled(mesh, 0.01) })),
];

function buildLetter(letter: string): Mesh {
  return findModel(/\d/.test(letter) ? `digit-${letter}` : `letter-${letter.toLowerCase()}`).build();
}

function scaled(mesh: Mesh, factor: number): Mesh {
  return mapPoints(mesh, ([x, y, z]) => [factor * x, factor * y, factor * z]);
}

/** A pose of B a hair from A: turned at random or by right angles, moved along the way between the nearest points. */
function placeNear(pair: Pair, random: Random, gap: number): Pose | null {
  const square = random.next() < 0.7;
  const [s, h] = [Math.SQRT1_2, 0.5];
  const turns = [
    [0, 0, 0, 1],
    [s, 0, 0, s],
    [0, s, 0, s],
    [0, 0, s, s],
    [h, h, h, h],
    [1, 0, 0, 0],
  ];
  const q = square ? turns[random.integer(6)] : random.rotation();
  const [x, y, z] = random.direction().map((value) => 3 * value);
  const pose: Pose = [x, y, z, q[0], q[1], q[2], q[3]];
  for (let round = 0; round < 20; round++) {
    const { distance, witness } = pair.distance(STILL, pose);
    if (distance === null || !witness || distance < 0.5 * gap) return null;
    if (distance <= gap * 1.5) return pose;
    for (let k = 0; k < 3; k++) pose[k] -= ((distance - gap) / distance) * (witness.pointB[k] - witness.pointA[k]);
  }
  return null;
}

/** The points of one normal that the contacts have, or the oracle's cells. */
type Points = readonly (readonly number[])[];

function support(points: Points, direction: readonly number[]): number {
  return Math.max(...points.map((p) => p[0] * direction[0] + p[1] * direction[1] + p[2] * direction[2]));
}

function read(points: ContactPoints, i: number) {
  const at = POINT_STRIDE * i;
  return {
    pointA: [...points.values.subarray(at, at + 3)],
    pointB: [...points.values.subarray(at + ON_B, at + ON_B + 3)],
    normal: [...points.values.subarray(at + NORMAL, at + NORMAL + 3)],
    separation: points.values[at + SEPARATION],
  };
}

describe('contacts of two solids', () => {
  const random = createRandom(SEED);
  const models = SOLIDS.map(({ mesh }) => new ProximityModel(mesh));
  const oracles = SOLIDS.map(({ mesh }) => prepareOracle(mesh.positions, mesh.indices));

  test('are exact and miss no local minimum', () => {
    let minima = 0;
    let patches = 0;
    let near = 0;
    for (let round = 0; round < 70 * SOAK; round++) {
      const [i, j] = [random.integer(SOLIDS.length), random.integer(SOLIDS.length)];
      const gap = 10 ** random.range(-7, -2);
      const pose = placeNear(new Pair(models[i], models[j]), random, gap);
      if (pose === null) continue;
      const margin = gap * random.range(0.8, 4);
      const where = `seed ${SEED}, round ${round}, ${SOLIDS[i].name} and ${SOLIDS[j].name} at ${pose}, margin ${margin}`;
      const points = new ContactPoints();
      const contacts = new MeshContacts(models[i], models[j], points);
      const placement = placeBInA(STILL, pose);
      const state = contacts.update(placement, margin);
      const { distance } = measureByBruteForce(
        oracles[i],
        oracles[j],
        placeInFrame(SOLIDS[j].mesh.positions, STILL, pose),
      );
      if (distance > margin) {
        expect(state, where).toBe(APART);
        expect(contacts.distance, where).toBeLessThanOrEqual(distance);
        expect(contacts.distance, where).toBeGreaterThanOrEqual(margin);
        continue;
      }
      near++;
      expect(state, where).toBe(NEAR);
      expect(Math.abs(contacts.distance - distance), where).toBeLessThanOrEqual(1e-12);
      const placed = placeInFrame(SOLIDS[j].mesh.positions, STILL, pose);
      const found = Array.from({ length: points.count }, (_, k) => read(points, k));
      for (const { pointA, pointB, normal, separation } of found) {
        expect(separation, where).toBeLessThanOrEqual(margin);
        expect(separation, where).toBeGreaterThanOrEqual(distance - 1e-12);
        expect(Math.abs(Math.hypot(...normal) - 1), where).toBeLessThanOrEqual(1e-12);
        for (let k = 0; k < 3; k++) {
          expect(Math.abs(pointB[k] - pointA[k] - separation * normal[k]), where).toBeLessThanOrEqual(1e-12);
        }
        const [x, y] = [pointA, pointB] as [[number, number, number], [number, number, number]];
        expect(distanceToMesh(SOLIDS[i].mesh.positions, SOLIDS[i].mesh.indices, x), where).toBeLessThanOrEqual(1e-12);
        expect(distanceToMesh(placed, SOLIDS[j].mesh.indices, y), where).toBeLessThanOrEqual(1e-12);
      }
      const truth = findContactsByEnumeration(
        collectFeatures(SOLIDS[i].mesh.positions, SOLIDS[i].mesh.indices, true),
        collectFeatures(placed, SOLIDS[j].mesh.indices, true),
        margin,
        1,
      );
      for (const minimum of truth) {
        if (minimum.open) continue;
        minima++;
        const cells = minimum.cells.flat();
        if (cells.length > 1) patches++;
        // Directions of points that are a hair apart are exact only to rounding over the hair.
        const alike = found.filter(
          ({ normal, separation }) =>
            Math.abs(separation - minimum.distance) <= 1e-9 &&
            normal.every((value, k) => Math.abs(value - minimum.normal[k]) <= 1e-6 + 1e-14 / minimum.distance),
        );
        expect(
          alike.length,
          `${where}: no contact for the minimum at ${cells[0]}, ${minimum.distance}`,
        ).toBeGreaterThan(0);
        // Other contacts of the normal may reach farther, but the minimum may not.
        for (let k = 0; k < 24; k++) {
          const direction = random.direction();
          const reached = support(
            alike.map(({ pointA }) => pointA),
            direction,
          );
          expect(reached, `${where}: extent of the minimum at ${cells[0]}`).toBeGreaterThanOrEqual(
            support(cells, direction) - 1e-8,
          );
        }
      }
    }
    expect(near).toBeGreaterThan(25 * SOAK);
    expect(minima).toBeGreaterThan(near);
    expect(patches).toBeGreaterThan(near / 10);
  });

  test('do not depend on earlier updates, nor on which solid comes first', () => {
    let near = 0;
    for (let round = 0; round < 20 * SOAK; round++) {
      const [i, j] = [random.integer(SOLIDS.length), random.integer(SOLIDS.length)];
      const pose = placeNear(new Pair(models[i], models[j]), random, 1e-3);
      if (pose === null) continue;
      const where = `seed ${SEED}, round ${round}, ${SOLIDS[i].name} and ${SOLIDS[j].name} at ${pose}`;
      const kept = new ContactPoints();
      const contacts = new MeshContacts(models[i], models[j], kept);
      const margin = 3e-3;
      for (let step = 0; step < 12; step++) {
        const size = 10 ** random.range(-6, -2.5);
        for (let k = 0; k < 3; k++) pose[k] += size * random.range(-1, 1);
        const fresh = new ContactPoints();
        const state = new MeshContacts(models[i], models[j], fresh).update(placeBInA(STILL, pose), margin);
        expect(contacts.update(placeBInA(STILL, pose), margin), where).toBe(state);
        expect(kept.count, where).toBe(fresh.count);
        const numbers = POINT_STRIDE * fresh.count;
        expect(kept.values.subarray(0, numbers), where).toEqual(fresh.values.subarray(0, numbers));
        expect(kept.keys.subarray(0, 2 * fresh.count), where).toEqual(fresh.keys.subarray(0, 2 * fresh.count));
        const back = new ContactPoints();
        const swapped = new MeshContacts(models[j], models[i], back).update(placeBInA(pose, STILL), margin);
        expect(swapped, where).toBe(state);
        if (state !== NEAR) continue;
        near++;
        const names = (points: ContactPoints, first: number): string[] =>
          Array.from(
            { length: points.count },
            (_, k) => `${points.keys[2 * k + first]}-${points.keys[2 * k + 1 - first]}`,
          );
        expect(names(back, 1).sort(), where).toEqual(names(fresh, 0).sort());
      }
    }
    expect(near).toBeGreaterThan(40 * SOAK);
  });

  test('tell the way out of a shallow overlap', () => {
    let overlaps = 0;
    for (let round = 0; round < 60 * SOAK; round++) {
      const [i, j] = [random.integer(SOLIDS.length), random.integer(SOLIDS.length)];
      const pair = new Pair(models[i], models[j]);
      const gap = 1e-5;
      const pose = placeNear(pair, random, gap);
      const witness = pose === null ? null : pair.distance(STILL, pose).witness;
      if (pose === null || witness === null) continue;
      const away = witness.pointB.map((value, k) => value - witness.pointA[k]);
      const length = Math.hypot(...away);
      const depth = 10 ** random.range(-5, -2.3);
      for (let k = 0; k < 3; k++) pose[k] -= ((length + depth) / length) * away[k];
      const where = `seed ${SEED}, round ${round}, ${SOLIDS[i].name} and ${SOLIDS[j].name} at ${pose}, depth ${depth}`;
      const points = new ContactPoints();
      const contacts = new MeshContacts(models[i], models[j], points);
      expect(contacts.update(placeBInA(STILL, pose), 1e-3), where).toBe(NEAR);
      overlaps++;
      expect(contacts.distance, where).toBeLessThan(0);
      expect(contacts.distance, where).toBeGreaterThanOrEqual(-depth - 1e-9);
      // Moving B along the contacts, one after the other, leaves no overlap, and no contact asks for more than that.
      const found = Array.from({ length: points.count }, (_, k) => read(points, k));
      for (let turn = 0; turn < 1000; turn++) {
        for (const contact of found) {
          if (contact.separation >= 1e-7) continue;
          const missing = 1.01e-7 - contact.separation;
          for (let k = 0; k < 3; k++) pose[k] += missing * contact.normal[k];
          for (const other of found) {
            other.separation += missing * other.normal.reduce((sum, value, k) => sum + value * contact.normal[k], 0);
          }
        }
      }
      const placed = placeInFrame(SOLIDS[j].mesh.positions, STILL, pose);
      expect(measureByBruteForce(oracles[i], oracles[j], placed).intersects, where).toBe(false);
    }
    expect(overlaps).toBeGreaterThan(20 * SOAK);
  });

  test('stop what is hit, and let pass what passes', () => {
    let hits = 0;
    let passes = 0;
    let stopped = 0;
    let stoppedUnaimed = 0;
    for (let round = 0; round < 250 * SOAK; round++) {
      const [i, j] = [random.integer(SOLIDS.length), random.integer(SOLIDS.length)];
      const pair = new Pair(models[i], models[j]);
      const pose = placeNear(pair, random, random.range(1e-3, 4e-2));
      if (pose === null) continue;
      const way = random.direction().map((value) => 0.06 * value);
      const to = pose.map((value, k) => (k < 3 ? value + way[k] : value));
      const { impact } = pair.timeOfImpact({ a: STILL, b: { from: pose, to } });
      const closes = (motion: Float64Array | null): boolean => {
        const points = new ContactPoints();
        // With a motion the margin can be small: what the motion reaches counts too.
        const margin = motion === null ? 0.07 : 1e-3;
        new MeshContacts(models[i], models[j], points).update(placeBInA(STILL, pose), margin, motion);
        return Array.from({ length: points.count }, (_, k) => read(points, k)).some(
          ({ normal, separation }) => separation + normal.reduce((sum, n, k) => sum + n * way[k], 0) < -1e-5,
        );
      };
      const aimed = closes(Float64Array.of(0, 0, 0, ...way));
      if (impact) {
        hits++;
        const where = `seed ${SEED}, round ${round}, ${SOLIDS[i].name} and ${SOLIDS[j].name} at ${pose} along ${way}`;
        expect(aimed, where).toBe(true);
      } else {
        passes++;
        if (aimed) stopped++;
        if (closes(null)) stoppedUnaimed++;
      }
    }
    expect(hits).toBeGreaterThan(30 * SOAK);
    // Of those that pass, the shortest distances alone stop one in eight.
    expect(stoppedUnaimed).toBeGreaterThan(0.05 * passes);
    expect(stopped).toBeLessThan(0.02 * passes);
  });
});
