import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { ContactFinder, type FoundContact } from '../../../src/proximity/contact/contact-finder.js';
import { buildContactSurface } from '../../../src/proximity/contact/contact-surface.js';
import { boxMesh } from '../../generators/surfaces.js';
import { nearest, triangleDistanceSquared } from '../../oracles/triangle-distance-oracle.js';
import {
  apply,
  type Configuration,
  type Expected,
  examples,
  IDENTITY,
  invert,
  lumpyBall,
  type Matrix,
  mapMesh,
  move,
  multiply,
  plate,
  randomPlacement,
  resize,
  sheets,
  solids,
  spike,
  steps,
  terrain,
  UP,
  unite,
} from './contact-finder-examples.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

function find(
  { a, b, closedA, closedB, placement = IDENTITY, tolerance }: Configuration,
  random?: Random,
  isOffered: (triangleA: number, triangleB: number) => boolean = () => true,
): FoundContact[] {
  const finder = new ContactFinder(buildContactSurface(a, closedA), buildContactSurface(b, closedB));
  finder.begin(placement, tolerance);
  const countB = b.indices.length / 3;
  const pairs = Array.from({ length: (a.indices.length / 3) * countB }, (_, i) => i);
  for (const pair of random ? random.shuffle(pairs) : pairs) {
    const triangleA = Math.floor(pair / countB);
    if (isOffered(triangleA, pair % countB)) finder.offer(triangleA, pair % countB);
  }
  expect(finder.crossed).toBe(false);
  return finder.finish();
}

function expectContacts(found: readonly FoundContact[], expected: readonly Expected[], scale = 1): void {
  expect(found.length).toBe(expected.length);
  const rest = [...found];
  for (const { distance, dimension, pointA, normal, kinds } of expected) {
    const index = rest.findIndex(
      (contact) =>
        Math.abs(contact.distance - scale * distance) < 1e-9 * scale &&
        contact.dimension === dimension &&
        (pointA === undefined ||
          pointA.every((value, k) => Math.abs(contact.pointA[k] - scale * value) < 1e-8 * scale)) &&
        (normal === undefined || normal.every((value, k) => Math.abs(contact.normal[k] - value) < 1e-8)) &&
        (kinds === undefined || kinds === `${contact.featureA.kind}-${contact.featureB.kind}`),
    );
    expect(index, JSON.stringify({ rest, distance, dimension, pointA, normal, kinds })).toBeGreaterThanOrEqual(0);
    rest.splice(index, 1);
  }
}

/** A contact moved back, as A's frame was before `motion`. */
function moveBack(contact: FoundContact, motion: Matrix): FoundContact {
  const back = invert(motion);
  return {
    ...contact,
    pointA: apply(back, contact.pointA),
    pointB: apply(back, contact.pointB),
    normal: apply(back, contact.normal, 0),
  };
}

describe('contacts of worked examples', () => {
  for (const [name, { config, expected }] of Object.entries(examples)) {
    test(`${name}`, () => {
      expectContacts(find(config), expected);
      const random = createRandom(7);
      for (let round = 0; round < 8 * SOAK; round++) {
        const motion = randomPlacement(random, 3);
        const moved = find(move(config, motion, randomPlacement(random, 3)), random);
        expectContacts(
          moved.map((contact) => moveBack(contact, motion)),
          expected,
        );
      }
      for (const factor of [1e-6, 1e6]) expectContacts(find(resize(config, factor)), expected, factor);
      const swapped = find({ ...config, a: config.b, b: config.a, closedA: config.closedB, closedB: config.closedA });
      expectContacts(
        swapped.map((c) => ({
          ...c,
          pointA: c.pointB,
          pointB: c.pointA,
          featureA: c.featureB,
          featureB: c.featureA,
          normal: c.normal.map((x) => -x) as FoundContact['normal'],
        })),
        expected,
      );
    });
  }

  test('joins the triangles of a soup along equal coordinates', () => {
    const { config, expected } = examples['a spike over a vertex of a fine plate'];
    const soup = unite(
      ...Array.from({ length: config.a.indices.length / 3 }, (_, t) => ({
        positions: config.a.positions,
        indices: config.a.indices.slice(3 * t, 3 * t + 3),
      })),
    );
    expectContacts(find({ ...config, a: soup }), expected);
  });

  test('tells a pad that is tilted by more than rounding from one that is not', () => {
    for (const [tilt, dimension] of [
      [0, 2],
      [1e-12, 2],
      [1e-7, 1],
      [1e-3, 1],
    ]) {
      const pad = mapMesh(boxMesh([-0.5, -0.5, 0.1], [0.5, 0.5, 0.5]), ([x, y, z]) => [x, y, z + tilt * x]);
      const contacts = find(solids(plate, pad, 0.2));
      expectContacts(contacts, [{ distance: 0.1 - (dimension === 1 ? tilt / 2 : 0), dimension }]);
    }
  });

  test('finds faces that nearly touch', () => {
    for (const gap of [1e-3, 1e-6, 1e-9, 1e-12, 2e-15]) {
      const contacts = find(solids(plate, boxMesh([-0.5, -0.25, gap], [0.5, 1.25, 1]), 0.2));
      expectContacts(contacts, [{ distance: gap, dimension: 2, pointA: [0, 0.5, 0], normal: UP }]);
      const tips = find(solids(plate, spike(0.3, 0.2, gap), 0.2));
      expectContacts(tips, [{ distance: gap, dimension: 0, pointA: [0.3, 0.2, 0], normal: UP }]);
    }
  });

  test('reports triangles that cross', () => {
    const surface = buildContactSurface(plate, true);
    const finder = new ContactFinder(surface, surface);
    finder.begin(IDENTITY, 1);
    finder.offer(0, 0);
    finder.offer(0, 2);
    expect(finder.crossed).toBe(true);
    expect(finder.finish()).toEqual([]);
  });
});

/**
 * The minima by definition, for meshes in general position: of every pair of triangles the nearest points, kept if no
 * triangle through either point leads nearer and, for solids, the segment between them leaves both.
 */
function bruteForce({
  a,
  b,
  closedA,
  closedB,
  placement = IDENTITY,
  tolerance,
}: Configuration): { distance: number; x: number[] }[] {
  const placedB = mapMesh(b, (p) => apply(placement, p));
  const minima: { distance: number; x: number[] }[] = [];
  for (let i = 0; i < a.indices.length; i += 3) {
    for (let j = 0; j < b.indices.length; j += 3) {
      const cornersA = Array.from(a.indices.subarray(i, i + 3), (v) => 3 * v);
      const cornersB = Array.from(b.indices.subarray(j, j + 3), (v) => 3 * v);
      const squared = triangleDistanceSquared(a.positions, cornersA, placedB.positions, cornersB);
      if (squared > tolerance * tolerance) continue;
      const x = [...nearest.pointA];
      const y = [...nearest.pointB];
      const distance = Math.sqrt(squared);
      const n = x.map((value, k) => (y[k] - value) / distance);
      if (
        !isHighest(a, x, n, closedA) ||
        !isHighest(
          placedB,
          y,
          n.map((value) => -value),
          closedB,
        )
      )
        continue;
      if (
        minima.some(
          (other) =>
            Math.hypot(...other.x.map((value, k) => value - x[k])) < 1e-7 && Math.abs(other.distance - distance) < 1e-9,
        )
      )
        continue;
      minima.push({ distance, x });
    }
  }
  return minima.sort((m, n) => m.distance - n.distance);
}

/** Whether no triangle through x rises along n; of a solid, also whether x + εn is outside, by the winding number. */
function isHighest({ positions: p, indices }: Mesh, x: number[], n: number[], closed: boolean): boolean {
  const corner = (h: number): number[] => [0, 1, 2].map((k) => p[3 * indices[h] + k] - x[k]);
  for (let h = 0; h < indices.length; h += 3) {
    const corners = [corner(h), corner(h + 1), corner(h + 2)];
    const rising = corners.some((c) => c[0] * n[0] + c[1] * n[1] + c[2] * n[2] > 1e-7 * Math.hypot(...c));
    const at = Float64Array.from([...x, ...x, ...x]);
    if (
      rising &&
      triangleDistanceSquared(p, [3 * indices[h], 3 * indices[h + 1], 3 * indices[h + 2]], at, [0, 3, 6]) < 1e-20
    )
      return false;
  }
  if (!closed) return true;
  const probe = x.map((value, k) => value + 1e-5 * n[k]);
  let angle = 0;
  for (let h = 0; h < indices.length; h += 3) {
    const [u, v, w] = [0, 1, 2].map((c) => [0, 1, 2].map((k) => p[3 * indices[h + c] + k] - probe[k]));
    const [lu, lv, lw] = [u, v, w].map((c) => Math.hypot(...c));
    const dot = (s: number[], t: number[]): number => s[0] * t[0] + s[1] * t[1] + s[2] * t[2];
    const triple =
      u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
    angle += 2 * Math.atan2(triple, lu * lv * lw + dot(u, v) * lw + dot(v, w) * lu + dot(w, u) * lv);
  }
  return Math.abs(angle) < 2 * Math.PI;
}

function expectSame(found: readonly FoundContact[], minima: readonly { distance: number; x: number[] }[]): void {
  const show = JSON.stringify({
    found: found.map(({ distance, pointA, featureA, featureB }) => ({ distance, pointA, featureA, featureB })),
    minima,
  });
  expect(found.length, show).toBe(minima.length);
  for (const { distance, x } of minima) {
    const match = found.some(
      (contact) =>
        Math.abs(contact.distance - distance) < 1e-9 && Math.hypot(...x.map((v, k) => v - contact.pointA[k])) < 1e-6,
    );
    expect(match, show).toBe(true);
  }
}

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });

/** Two lumpy balls apart, or two lumpy sheets over each other. */
function randomConfiguration(random: Random, closed: boolean): Configuration {
  if (closed) {
    const placement = randomPlacement(random, 0);
    const far = random.direction();
    for (let k = 0; k < 3; k++) placement[4 * k + 3] = random.range(2.7, 3) * far[k];
    return { ...solids(lumpyBall(random, 0.3), lumpyBall(random, 0.3), random.range(0.7, 2)), placement };
  }
  const wave = (base: number) => terrain(steps(6, -1, 1), steps(6, -1, 1), () => base + random.range(0, 0.3));
  return sheets(wave(0), wave(random.range(0.35, 0.5)), random.range(0.2, 0.6));
}

describe('contacts in general position', () => {
  test.each([true, false])('are the minima by definition (solids: %s)', (closed) => {
    let several = 0;
    let runs = 0;
    fc.assert(
      fc.property(seeds, (seed) => {
        const config = randomConfiguration(createRandom(seed), closed);
        const found = find(config);
        expectSame(found, bruteForce(config));
        runs++;
        if (found.length > 1) several++;
      }),
      { numRuns: 25 * SOAK },
    );
    expect(several / runs).toBeGreaterThan(0.3);
  });

  test('do not depend on the order of the pairs, nor on far ones', () => {
    fc.assert(
      fc.property(seeds, fc.boolean(), (seed, closed) => {
        const random = createRandom(seed);
        const config = randomConfiguration(random, closed);
        const found = find(config);
        expect(find(config, random)).toEqual(found);
        const placedB = mapMesh(config.b, (p) => apply(config.placement ?? IDENTITY, p));
        const offsets = (m: Mesh, t: number): number[] =>
          Array.from(m.indices.subarray(3 * t, 3 * t + 3), (v) => 3 * v);
        const near = (s: number, t: number): boolean =>
          triangleDistanceSquared(config.a.positions, offsets(config.a, s), placedB.positions, offsets(placedB, t)) <=
          1.000001 * config.tolerance ** 2;
        expect(find(config, random, near)).toEqual(found);
      }),
      { numRuns: 12 * SOAK },
    );
  });

  test('move, grow and swap with the models', () => {
    fc.assert(
      fc.property(seeds, fc.boolean(), (seed, closed) => {
        const random = createRandom(seed);
        const config = randomConfiguration(random, closed);
        const minima = find(config).map(({ distance, pointA }) => ({ distance, x: [...pointA] }));
        const { placement = IDENTITY } = config;
        const motion = randomPlacement(random, 2);
        const moved = find({
          ...config,
          a: mapMesh(config.a, (p) => apply(motion, p)),
          placement: multiply(motion, placement),
        });
        expectSame(
          moved.map((contact) => moveBack(contact, motion)),
          minima,
        );
        for (const factor of [1e-6, 1e6]) {
          const sized = resize(
            { ...config, placement: placement.map((v, k) => (k % 4 === 3 ? v * factor : v)) },
            factor,
          );
          const shrink = (p: readonly number[]) => p.map((value) => value / factor) as FoundContact['pointA'];
          expectSame(
            find(sized).map((c) => ({ ...c, distance: c.distance / factor, pointA: shrink(c.pointA) })),
            minima,
          );
        }
        const swapped = find({ ...config, a: config.b, b: config.a, placement: invert(placement) });
        expectSame(
          swapped.map((c) => ({ ...c, pointA: apply(placement, c.pointB) })),
          minima,
        );
      }),
      { numRuns: 8 * SOAK },
    );
  });

  test('are the same on a lattice, where all is parallel, as on a turned one', () => {
    const counts = [0, 0, 0];
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = createRandom(seed);
        const grid = (count: number): number[] => steps(count, 0, count);
        const level = (base: number) =>
          terrain(grid(1 + random.integer(4)), grid(1 + random.integer(4)), () => base + random.integer(3) / 4);
        const blocks = Array.from({ length: 1 + random.integer(3) }, (_, k) => {
          const [x, y] = [random.integer(4) - 1, random.integer(4) - 1];
          const floor = 1 + random.integer(3) / 4;
          return boxMesh(
            [x, y, floor + 2 * k],
            [x + 1 + random.integer(3), y + 1 + random.integer(3), floor + 2 * k + 1],
          );
        });
        const closedB = random.next() < 0.5;
        const config = { ...sheets(level(0), closedB ? unite(...blocks) : level(0.75), random.range(0.3, 3)), closedB };
        const summary = (contacts: FoundContact[]): string[] =>
          contacts.map(({ distance, dimension }) => `${distance.toFixed(9)} ${dimension}`).sort();
        const finder = new ContactFinder(buildContactSurface(config.a, false), buildContactSurface(config.b, closedB));
        finder.begin(IDENTITY, config.tolerance);
        for (let i = 0; i < config.a.indices.length / 3; i++) {
          for (let j = 0; j < config.b.indices.length / 3; j++) finder.offer(i, j);
        }
        if (finder.crossed) return;
        const found = finder.finish();
        for (const { dimension } of found) counts[dimension]++;
        for (let round = 0; round < 3; round++) {
          const moved = move(config, randomPlacement(random, 2), randomPlacement(random, 2));
          expect(summary(find(moved, random))).toEqual(summary(found));
        }
      }),
      { numRuns: 60 * SOAK },
    );
    for (const count of counts) expect(count).toBeGreaterThan(10);
  });
});
