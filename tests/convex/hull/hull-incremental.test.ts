import { describe, expect, test } from 'vitest';
import { buildHull, IncrementalHull } from '../../../src/convex/index.js';
import { createRandom, type Random } from '../../../src/core/random.js';
import { exactOrientation } from '../../oracles/convex-hull.js';
import { describePlaces, describeTriangles } from './describe-hull.js';
import { families, pointSets } from './point-sets.js';
import { validateHull } from './validate-hull.js';

/** Everything a caller can see of the faces, as text. */
function snapshot(hull: IncrementalHull): string {
  const faces = [...hull.faces.subarray(0, hull.faceCount)];
  const parts = faces.map((face) => [
    face,
    hull.tags[face],
    ...hull.corners.subarray(3 * face, 3 * face + 3),
    ...hull.twins.subarray(3 * face, 3 * face + 3),
  ]);
  return `${hull.dimension} ${hull.insertions}: ${parts.join(' | ')}`;
}

function checkFaces(hull: IncrementalHull): void {
  const alive = new Set(hull.faces.subarray(0, hull.faceCount));
  expect(alive.size).toBe(hull.faceCount);
  const corners = new Set<number>();
  let rim = 0;
  for (const face of alive) {
    for (let edge = 3 * face; edge < 3 * face + 3; edge++) {
      const twin = hull.twins[edge];
      expect(hull.twins[twin]).toBe(edge);
      expect(alive.has(Math.floor(twin / 3))).toBe(true);
      expect(hull.corners[next(edge)]).toBe(hull.corners[twin]);
      corners.add(hull.corners[edge]);
      if (face % 2 === 0 && !hull.isFlatEdge(edge)) rim++;
    }
  }
  if (hull.dimension === 3) expect(corners.size - hull.faceCount / 2).toBe(2);
  // A side of a flat hull is a disc: as many triangles as twice its corners less its rim less two.
  else if (hull.dimension === 2) expect(hull.faceCount / 2).toBe(2 * corners.size - rim - 2);
  else expect(hull.faceCount).toBe(0);
}

function next(edge: number): number {
  return edge % 3 === 2 ? edge - 2 : edge + 1;
}

/** Every face in turn, exactly. */
function lookFrom(hull: IncrementalHull, point: number): { visible: number[]; coplanar: number[] } {
  const visible: number[] = [];
  const coplanar: number[] = [];
  for (const face of hull.faces.subarray(0, hull.faceCount)) {
    const [a, b, c] = hull.corners.subarray(3 * face, 3 * face + 3);
    const side = exactOrientation(hull.points, a, b, c, point);
    if (side > 0) visible.push(face);
    else if (side === 0) coplanar.push(face);
  }
  return { visible: visible.sort(byValue), coplanar: coplanar.sort(byValue) };
}

const byValue = (a: number, b: number) => a - b;
const listed = (list: Int32Array, count: number) => [...list.subarray(0, count)].sort(byValue);
const hullOf = (points: Float64Array, ids: readonly number[]) =>
  buildHull(ids.flatMap((id) => [...points.subarray(3 * id, 3 * id + 3)]));

describe('IncrementalHull', () => {
  test('grows from nothing to a solid and back', () => {
    const points = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, -1, 2, 0, 0);
    const hull = new IncrementalHull(points);
    expect(() => hull.toHull()).toThrow(/empty/);
    expect(hull.undo()).toBe(false);
    const dimensions = [0, 1, 2, 2, 3].map((_, point) => {
      expect(hull.insert(point)).toBe('outside');
      return hull.dimension;
    });
    expect(dimensions).toEqual([0, 1, 2, 2, 3]);
    expect(hull.toHull().vertices.length).toBe(5);
    for (const dimension of [2, 2, 1, 0, -1]) {
      expect(hull.undo()).toBe(true);
      expect(hull.dimension).toBe(dimension);
    }
  });

  test('keeps the first triangle as the front of a flat hull', () => {
    const hull = new IncrementalHull(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0.2, 0.2, -1));
    for (const point of [0, 1, 2]) hull.insert(point);
    expect([hull.firstCreated, hull.createdCount]).toEqual([0, 2]);
    expect([...hull.corners.subarray(0, 3)]).toEqual([0, 1, 2]);
    hull.tags[0] = 7;
    expect(hull.findVisible(1, 1, 0)).toBe(0);
    expect(hull.position).toBe('outside');
    expect(hull.coplanarCount).toBe(2);
    hull.insert(3);
    const [created] = [hull.firstCreated];
    expect([...hull.corners.subarray(3 * created, 3 * created + 3)].sort()).toEqual([1, 2, 3]);
    expect(hull.isFlatEdge(hull.twins[3 * created])).toBe(true);
    // From below only the back is seen: the front's tags stay.
    hull.insert(4);
    expect(hull.dimension).toBe(3);
    expect(hull.tags[0]).toBe(7);
    expect(hull.removedCount).toBe(2);
    expect(hull.toHull().vertices.length).toBe(5);
  });

  test('tells where a point is, with and without a seed', () => {
    const cube = [0, 1].flatMap((x) => [0, 1].flatMap((y) => [0, 1].map((z) => [x, y, z]))).flat();
    const hull = new IncrementalHull(Float64Array.from(cube));
    for (let point = 0; point < 8; point++) hull.insert(point);
    const where = (x: number, y: number, z: number, seed = -1) => {
      const count = hull.findVisible(x, y, z, seed);
      return [hull.position, count, hull.coplanarCount];
    };
    expect(where(0.5, 0.5, 0.5)).toEqual(['inside', 0, 0]);
    expect(where(0.5, 0.5, 1)).toEqual(['boundary', 0, 2]);
    expect(where(0, 0.5, 1)).toEqual(['boundary', 0, 4]);
    expect(where(0.5, 0.5, 2)).toEqual(['outside', 2, 0]);
    expect(where(1, 1, 1e30)).toEqual(['outside', 2, 4]);
    expect(where(1, 1, 1)).toEqual(['boundary', 0, 6]);
    for (const face of hull.faces.slice(0, hull.faceCount)) {
      expect(where(2, 2, 1, face)).toEqual(['outside', 4, 2]);
    }
  });

  test('can be used again for other points', () => {
    const hull = new IncrementalHull(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1));
    for (let i = 0; i < 4; i++) hull.insert(i);
    const first = describePlaces(hull.toHull());
    hull.reset();
    expect([hull.dimension, hull.faceCount, hull.insertions]).toEqual([-1, 0, 0]);
    for (const i of [3, 1, 0, 2]) hull.insert(i);
    expect(describePlaces(hull.toHull())).toBe(first);
    hull.reset(Float64Array.of(5, 5, 5, 6, 6, 6));
    hull.insert(1);
    hull.insert(0);
    expect([...hull.toHull().vertices]).toEqual([0, 1]);
    expect(() => hull.reset(Float64Array.of(Number.NaN, 0, 0))).toThrow(/NaN/);
  });

  test('allocates nothing once it is warm', () => {
    const random = createRandom(1);
    const points = Float64Array.from({ length: 600 }, () => random.next());
    const hull = new IncrementalHull(points);
    const arrays = () => [hull.faces, hull.corners, hull.twins, hull.tags, hull.visible, hull.coplanar, hull.removed];
    const grow = () => {
      hull.reset();
      for (let point = 0; point < 200; point++) hull.insert(point);
    };
    grow();
    const before = arrays();
    grow();
    for (let i = 0; i < 50; i++) {
      hull.undo();
      hull.insert(random.integer(200));
    }
    arrays().forEach((array, i) => {
      expect(array).toBe(before[i]);
    });
  });

  test('needs few steps with a seed: a sphere, each point beside the one before', () => {
    const rings = 40;
    const points = Float64Array.from({ length: 3 * rings * rings }, (_, i) => {
      const [id, axis] = [Math.floor(i / 3), i % 3];
      const [up, around] = [Math.floor(id / rings), id % rings];
      const polar = (Math.PI * (up + 0.5)) / rings;
      const turn = (2 * Math.PI * (around + up / 7)) / rings;
      return [Math.sin(polar) * Math.cos(turn), Math.cos(polar), Math.sin(polar) * Math.sin(turn)][axis];
    });
    const hull = new IncrementalHull(points);
    let before = 0;
    for (let point = 0; point < points.length / 3; point++) {
      // In order along a ring a point sees the face made last, across from the one before the point's neighbor.
      hull.insert(point, hull.faceCount > 0 ? hull.faces[hull.faceCount - 1] : -1);
      if (point === points.length / 6) before = hull.sideTests;
    }
    // Half of the points on a hull of 1600 to 3200 faces.
    expect(hull.sideTests - before).toBeLessThan(200 * (points.length / 6));
    expect(hull.toHull().vertices.length).toBe(points.length / 3);
  });
});

describe('findVisible on large hulls', () => {
  const random = createRandom(2);
  const shapes: Record<string, () => number[]> = {
    sphere: () => random.direction(),
    'whole numbers': () => [0, 0, 0].map(() => random.integer(9)),
    cylinder: () => {
      const turn = 2 * Math.PI * random.next();
      return [Math.cos(turn), Math.sin(turn), random.integer(2)];
    },
  };
  for (const [name, point] of Object.entries(shapes)) {
    test(`walks to what a look at every face finds: ${name}`, () => {
      // The first 400 make the hull; the others are seen from, and half of them are drawn to or into it.
      const points = Float64Array.from(Array.from({ length: 600 }, point).flat());
      for (let i = 1200; i < 1800; i++) if (Math.floor(i / 3) % 2 === 0) points[i] = points[i - 1200];
      const hull = new IncrementalHull(points);
      for (let id = 0; id < 400; id++) hull.insert(id);
      const outcomes = { outside: 0, boundary: 0, inside: 0 };
      for (let id = 400; id < 600; id++) {
        const scale = id % 3 === 0 ? 0.75 : 1;
        for (let axis = 0; axis < 3; axis++) points[3 * id + axis] *= scale;
        const seed = id % 4 === 0 ? hull.faces[random.integer(hull.faceCount)] : -1;
        const count = hull.findVisible(points[3 * id], points[3 * id + 1], points[3 * id + 2], seed);
        const truth = lookFrom(hull, id);
        expect(listed(hull.visible, count)).toEqual(truth.visible);
        expect(listed(hull.coplanar, hull.coplanarCount)).toEqual(truth.coplanar);
        outcomes[hull.position]++;
      }
      expect(hull.faceCount).toBeGreaterThan(100);
      expect(outcomes.boundary).toBeGreaterThan(20);
      expect(outcomes.inside).toBeGreaterThan(20);
      if (name !== 'whole numbers') expect(outcomes.outside).toBeGreaterThan(20);
    });
  }
});

describe('findVisible from far beyond the points', () => {
  test('is exact where rounding is a hundred times the distance', () => {
    const random = createRandom(3);
    const points = Float64Array.from({ length: 63 }, () => random.range(-1, 1));
    const hull = new IncrementalHull(points.slice(0, 60));
    for (let id = 0; id < 20; id++) hull.insert(id);
    const outcomes = { above: 0, below: 0 };
    for (let i = 0; i < 300; i++) {
      const face = hull.faces[random.integer(hull.faceCount)];
      const [a, b, c] = Array.from(hull.corners.subarray(3 * face, 3 * face + 3), (id) => 3 * id);
      const [s, t] = [random.range(-1e6, 1e6), random.range(-1e6, 1e6)];
      const query = [0, 1, 2].map(
        (k) => points[a + k] + s * (points[b + k] - points[a + k]) + t * (points[c + k] - points[a + k]),
      );
      const all = Float64Array.from([...points.subarray(0, 60), ...query]);
      const truth = new Map(
        Array.from(hull.faces.subarray(0, hull.faceCount), (other) => {
          const corners = hull.corners.subarray(3 * other, 3 * other + 3);
          return [other, exactOrientation(all, corners[0], corners[1], corners[2], 20)];
        }),
      );
      const count = hull.findVisible(query[0], query[1], query[2]);
      const visible = [...truth.keys()].filter((other) => truth.get(other)! > 0);
      expect(listed(hull.visible, count)).toEqual(visible.sort(byValue));
      if (truth.get(face)! > 0) outcomes.above++;
      else outcomes.below++;
    }
    expect(Math.min(outcomes.above, outcomes.below)).toBeGreaterThan(60);
  });
});

describe('IncrementalHull against buildHull', () => {
  const outcomes = { outside: 0, boundary: 0, inside: 0 };
  let undone = 0;
  let seeded = 0;

  function run(points: Float64Array, random: Random, hull: IncrementalHull): void {
    hull.reset(points);
    const inserted: number[] = [];
    const snapshots: string[] = [];
    const order = random.shuffle(Array.from({ length: points.length / 3 }, (_, i) => i));
    for (const point of order) {
      const before = snapshot(hull);
      snapshots.push(before);
      if (random.next() < 0.5) {
        const seed = hull.faceCount > 0 && random.next() < 0.7 ? hull.faces[random.integer(hull.faceCount)] : -1;
        const count = hull.findVisible(points[3 * point], points[3 * point + 1], points[3 * point + 2], seed);
        const truth = lookFrom(hull, point);
        expect(listed(hull.visible, count)).toEqual(truth.visible);
        expect(listed(hull.coplanar, hull.coplanarCount)).toEqual(truth.coplanar);
        if (seed >= 0 && truth.visible.includes(seed)) seeded++;
        expect(snapshot(hull)).toBe(before);
      }
      const faces = new Set(hull.faces.subarray(0, hull.faceCount));
      const where = hull.insert(point);
      outcomes[where]++;
      inserted.push(point);
      checkFaces(hull);
      const now = new Set(hull.faces.subarray(0, hull.faceCount));
      const removed = hull.removed.subarray(hull.removedStart, hull.removedStart + hull.removedCount);
      expect([...removed].sort(byValue)).toEqual([...faces].filter((face) => !now.has(face)).sort(byValue));
      expect([...now].filter((face) => !faces.has(face)).sort(byValue)).toEqual(
        Array.from({ length: hull.createdCount }, (_, i) => hull.firstCreated + i),
      );
      for (let i = 0; i < hull.createdCount; i++) {
        expect(hull.corners[3 * (hull.firstCreated + i) + 2]).toBe(point);
        expect(hull.tags[hull.firstCreated + i]).toBe(-1);
        hull.tags[hull.firstCreated + i] = 1000 * inserted.length + i;
      }
      const changed = describePlaces(hull.toHull());
      expect(changed).toBe(describePlaces(hullOf(points, inserted)));
      if (where !== 'outside') expect(hull.createdCount + hull.removedCount).toBe(0);
      // Taken back, once or several times over; then some of it is done again.
      while (snapshots.length > 0 && random.next() < 0.3) {
        expect(hull.undo()).toBe(true);
        inserted.pop();
        expect(snapshot(hull)).toBe(snapshots.pop());
        undone++;
      }
    }
    if (inserted.length === 0) return;
    const hullNow = hull.toHull();
    const truth = hullOf(points, inserted);
    expect(describePlaces(hullNow)).toBe(describePlaces(truth));
    if (truth.dimension === 3) expect(describeTriangles(hullNow)).toBe(describeTriangles(truth));
    expect(validateHull({ ...truth })).toEqual([]);
  }

  for (const { name } of families.filter((family) => !family.underflows)) {
    test(`agrees at every step, and undoes every step, on ${name}`, () => {
      const hull = new IncrementalHull(Float64Array.of(0, 0, 0));
      for (const { seed, points } of pointSets(name, 60)) run(points, createRandom(seed), hull);
    });
  }

  test('agrees on larger sets', () => {
    const hull = new IncrementalHull(Float64Array.of(0, 0, 0));
    const random = createRandom(9);
    for (let i = 0; i < 8; i++) {
      const points = Float64Array.from({ length: 180 }, () => random.next());
      run(points, random, hull);
    }
    run(
      Float64Array.from({ length: 240 }, () => random.integer(4)),
      random,
      hull,
    );
    run(Float64Array.from(Array.from({ length: 60 }, random.direction).flat()), random, hull);
  });

  test('saw enough of every outcome', () => {
    expect(Math.min(outcomes.outside, outcomes.boundary, outcomes.inside)).toBeGreaterThan(100);
    expect(undone).toBeGreaterThan(1000);
    expect(seeded).toBeGreaterThan(300);
  });
});
