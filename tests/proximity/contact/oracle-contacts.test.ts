// Contacts against an enumeration of all feature pairs with the conditions of a local minimum, on worked examples and
// on random placements of models, stateless and by pairs that keep state.
import { beforeAll, describe, expect, test } from 'vitest';
import { invert, type Pose, type ReadonlyPose, transformPoint, transformVector } from '../../../src/core/pose.js';
import { createRandom } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import type { BoundingVolume } from '../../../src/proximity/options.js';
import { Pair } from '../../../src/proximity/pair.js';
import { ProximityModel } from '../../../src/proximity/proximity-model.js';
import type { ContactsResult } from '../../../src/proximity/result.js';
import {
  type Configuration,
  createConfiguration,
  createPlacement,
  ModelPool,
  type NamedMesh,
} from '../../generators/configurations.js';
import { boxMesh } from '../../generators/surfaces.js';
import {
  collectFeatures,
  distanceToConvex,
  findContactsByEnumeration,
  type OracleContact,
} from '../../oracles/contacts.js';
import { measureByBruteForce, placeInFrame, prepareOracle } from '../../oracles/mesh-distance.js';
import { AGREEMENT, describeConfiguration, distanceToFeature, hasFeature } from '../check-answer.js';
import { findContacts } from '../stateless.js';
import { EXAMPLE_POSES, EXAMPLES, plate } from './contact-examples.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
const SEED = process.env.NEARFIELD_SEED === 'random' ? Date.now() % 1e9 : Number(process.env.NEARFIELD_SEED ?? 1);
const STILL: Pose = [0, 0, 0, 0, 0, 0, 1];

const named = (name: string, shape: Mesh): NamedMesh => ({
  name,
  mesh: shape,
  oracle: prepareOracle(shape.positions, shape.indices),
});

function enumerate(a: NamedMesh, b: NamedMesh, poseA: ReadonlyPose, poseB: ReadonlyPose, tolerance: number) {
  const placed = placeInFrame(b.mesh.positions, poseA, poseB);
  return findContactsByEnumeration(
    collectFeatures(a.mesh.positions, a.mesh.indices, a.oracle.closed),
    collectFeatures(placed, b.mesh.indices, b.oracle.closed),
    tolerance,
    Math.max(a.oracle.size, b.oracle.size),
  );
}

/** Every contact is one of the oracle's and every one of the oracle's is there, once. */
function checkContacts(c: Configuration, truth: readonly OracleContact[], result: ContactsResult): void {
  const { a, b, poseA, poseB, size } = c;
  const [toA, toB] = [invert(poseA), invert(poseB)];
  const taken = new Set<OracleContact>();
  let last = 0;
  for (const contact of result.contacts) {
    const { distance, pointA, pointB, normal, featureA, featureB } = contact;
    const where = `the contact at distance ${distance} on ${featureA.kind} ${featureA.vertices} and ${featureB.kind} ${featureB.vertices}`;
    expect(distance, 'nearest first').toBeGreaterThanOrEqual(last);
    last = distance;
    const [x, y] = [transformPoint(toA, pointA), transformPoint(toB, pointB)];
    expect(hasFeature(a, featureA), where).toBe(true);
    expect(hasFeature(b, featureB), where).toBe(true);
    expect(distanceToFeature(a, featureA, x), where).toBeLessThanOrEqual(AGREEMENT * size);
    expect(distanceToFeature(b, featureB, y), where).toBeLessThanOrEqual(AGREEMENT * size);
    const away = pointB.map((value, k) => value - pointA[k]);
    expect(Math.abs(Math.hypot(...away) - distance), where).toBeLessThanOrEqual(AGREEMENT * size);
    for (let k = 0; k < 3; k++) expect(Math.abs(away[k] - distance * normal[k])).toBeLessThanOrEqual(AGREEMENT * size);
    const direction = transformVector(toA, normal);
    const match = truth.find(
      (group) =>
        !taken.has(group) &&
        Math.abs(group.distance - distance) <= AGREEMENT * size &&
        group.normal.every((value, k) => Math.abs(value - direction[k]) <= 1e-6) &&
        group.cells.some((cell) => distanceToConvex(x, cell) <= 1e-7 * size),
    );
    expect(match, `${where} is a local minimum not yet named; there are ${list(truth)}`).toBeDefined();
    taken.add(match!);
  }
  const missing = truth.filter((group) => !taken.has(group) && !group.open);
  expect(list(missing), `missing from ${result.contacts.map(({ distance }) => distance)}`).toBe('');
}

function list(contacts: readonly OracleContact[]): string {
  return contacts
    .map(({ distance, normal, cells, open }) => `${distance} along ${normal} at ${cells[0][0]}${open ? ' (open)' : ''}`)
    .join('; ');
}

describe.each(['boxes', 'hulls'] as const)('contacts over %s', (volume: BoundingVolume) => {
  test.each(EXAMPLES)('of $name', ({ name, a, b, tolerance, distances }) => {
    const [p, q] = [named(`${name} A`, a), named(`${name} B`, b)];
    for (const pose of EXAMPLE_POSES) {
      const truth = enumerate(p, q, pose, pose, tolerance);
      expect(truth.filter(({ open }) => !open).map(({ distance }) => Number(distance.toFixed(9)))).toEqual(distances);
      const c: Configuration = {
        kind: 'near',
        a: p,
        b: q,
        poseA: pose,
        poseB: pose,
        size: Math.max(p.oracle.size, q.oracle.size),
      };
      const [modelA, modelB] = [new ProximityModel(a), new ProximityModel(b)];
      const result = findContacts(modelA, modelB, pose, pose, { tolerance, volume });
      expect(result.intersects).toBe(false);
      checkContacts(c, truth, result);
      const swapped = findContacts(modelB, modelA, pose, pose, { tolerance, volume });
      checkContacts({ ...c, a: q, b: p }, enumerate(q, p, pose, pose, tolerance), swapped);
      expect(swapped.contacts.length).toBe(result.contacts.length);
    }
  });

  test('of models that intersect are none', () => {
    const [a, b] = [new ProximityModel(plate(0, 1)), new ProximityModel(plate(0.5, 2))];
    expect(findContacts(a, b, STILL, STILL, { tolerance: 1, volume })).toMatchObject({
      intersects: true,
      contacts: [],
    });
    const small = new ProximityModel(boxMesh([-0.1, -0.1, 0.4], [0.1, 0.1, 0.6]));
    expect(findContacts(a, small, STILL, STILL, { tolerance: 1, volume })).toMatchObject({
      intersects: true,
      contacts: [],
    });
  });
});

describe('contacts of random placements', () => {
  let pools: Record<BoundingVolume, ModelPool>;
  const cache = new Map<NamedMesh, ProximityModel>();
  const modelOf = (model: NamedMesh): ProximityModel => {
    if (!cache.has(model)) cache.set(model, new ProximityModel(model.mesh));
    return cache.get(model)!;
  };
  beforeAll(() => {
    pools = {
      boxes: new ModelPool({ large: false }),
      hulls: new ModelPool({ large: false, clean: true }),
    };
  });

  /** A tolerance that no local minimum is so near to that rounding would decide whether it counts; null when there is none. */
  function judgeContacts(seed: number, c: Configuration, share: number, query: (tolerance: number) => ContactsResult) {
    const placed = placeInFrame(c.b.mesh.positions, c.poseA, c.poseB);
    const distance = measureByBruteForce(c.a.oracle, c.b.oracle, placed);
    // Within a thousandth of touching, directions are known to fewer digits than the conditions ask for.
    if (!distance.intersects && distance.distance < 1e-5 * c.size) return null;
    const tolerance = distance.distance + share * c.size;
    const result = query(tolerance);
    try {
      expect(result.intersects).toBe(distance.intersects);
      if (distance.intersects) {
        expect(result.contacts).toEqual([]);
        return 0;
      }
      const truth = enumerate(c.a, c.b, c.poseA, c.poseB, tolerance);
      expect(truth.length, 'the oracle finds the nearest').toBeGreaterThan(0);
      expect(Math.abs(truth[0].distance - distance.distance)).toBeLessThan(AGREEMENT * c.size);
      if (truth.some((contact) => Math.abs(contact.distance - tolerance) < 1e-6 * c.size)) return null;
      checkContacts(c, truth, result);
      return truth.length;
    } catch (error) {
      if (error instanceof Error) {
        error.message = `${describeConfiguration(seed, c)}, tolerance ${tolerance}\n${error.message}`;
      }
      throw error;
    }
  }

  test.each(['boxes', 'hulls'] as const)('are complete over %s', (volume) => {
    let several = 0;
    let apart = 0;
    const count = 300 * SOAK;
    for (let i = 0; i < count; i++) {
      const seed = SEED + 31 * i;
      const c = createConfiguration(pools[volume], seed);
      if (c.kind === 'coincident' || [c.a, c.b].some(({ name }) => /^(degenerate|needles)/.test(name))) continue;
      const [a, b] = [modelOf(c.a), modelOf(c.b)];
      const found = judgeContacts(seed, c, 0.1, (tolerance) =>
        findContacts(a, b, c.poseA, c.poseB, { tolerance, volume }),
      );
      if (found) apart++;
      if (found !== null && found > 1) several++;
    }
    expect(apart).toBeGreaterThan(0.15 * count);
    expect(several).toBeGreaterThan(0.05 * count);
  });

  test.each(['boxes', 'hulls'] as const)('are complete for a pair over %s that moves', (volume) => {
    const random = createRandom(SEED + 5);
    for (let n = 0; n < 8 * SOAK; n++) {
      const [a, b] = [0, 1].map(() => {
        const { procedural } = pools[volume];
        return procedural[random.integer(procedural.length)];
      });
      const pair = new Pair(modelOf(a), modelOf(b), { volume });
      for (let i = 0; i < 6; i++) {
        const seed = SEED + 977 * n + (i >> 1);
        const c = createPlacement(a, b, seed);
        const poseB: Pose = [...c.poseB];
        if (i % 2 === 1) for (let k = 0; k < 3; k++) poseB[k] += 1e-3 * c.size * random.range(-1, 1);
        judgeContacts(seed, { ...c, poseB }, 0.05, (tolerance) => pair.contacts(c.poseA, poseB, { tolerance }));
      }
    }
  });
});
