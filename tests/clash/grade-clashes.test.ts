import { describe, expect, test } from 'vitest';
import type { AssemblyPart } from '../../src/clash/assembly.js';
import { findClashes } from '../../src/clash/find-clashes.js';
import { gradeClashes } from '../../src/clash/grade-clashes.js';
import * as pose from '../../src/core/pose.js';
import { createRandom } from '../../src/core/random.js';
import * as vec3 from '../../src/core/vec3.js';
import { findModel } from '../../src/models/catalogue.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { testIntersection } from '../../src/proximity/queries.js';
import { codeOf } from '../error-code.js';
import { boxMesh, sheet, torusGrid } from '../generators/surfaces.js';

const box = new ProximityModel(boxMesh());
const at = (x: number, y = 0, z = 0): pose.Pose => pose.create([x, y, z], [0, 0, 0, 1]);
const boxes = (...places: number[]): AssemblyPart[] =>
  places.map((x, i) => ({ name: `box ${i}`, model: box, pose: at(x) }));
const grade = (parts: readonly AssemblyPart[], options = {}, clearance = 0) =>
  gradeClashes(parts, findClashes(parts, { clearance }).clashes, options);

describe('grades', () => {
  const width = Math.max(...boxMesh().positions) - Math.min(...boxMesh().positions);

  test('overlap, touch and gap, against the closed form, worst first', () => {
    const graded = grade(boxes(0, width, 1.9 * width, 2.95 * width), {}, 0.1 * width);
    expect(graded.map(({ a, b, grade: g }) => [a, b, g])).toEqual([
      [1, 2, 'interference'],
      [0, 1, 'touch'],
      [2, 3, 'clearance'],
    ]);
    expect(graded[0].upper).toBeCloseTo(0.1 * width, 12);
    expect(graded[0].vector?.[0]).toBeCloseTo(-0.1 * width, 12);
    expect(graded.every(({ certain }) => certain)).toBe(true);
  });

  test('a rounding of single precision is a touch by default, and not with a tolerance of 0', () => {
    const parts = boxes(0, width * (1 - 1e-7));
    expect(grade(parts)).toMatchObject([{ grade: 'touch', certain: true }]);
    expect(grade(parts, { touchTolerance: 0 })).toMatchObject([{ grade: 'interference', certain: true }]);
    const apart = boxes(0, width * (1 + 1e-7));
    expect(grade(apart, {}, 1)).toMatchObject([{ grade: 'touch' }]);
    expect(grade(apart, { touchTolerance: 0 }, 1)).toMatchObject([{ grade: 'clearance' }]);
  });

  test('equal pairs in other places have one depth, and each its own way out', () => {
    const half = Math.SQRT1_2;
    const frames: pose.Pose[] = [
      at(0),
      at(9),
      [0, 9, 0, 0, 0, half, half],
      [9, 9, 0, 0, 0, 1, 0],
      [0, 0, 9, 0, -half, 0, half],
    ];
    const parts = frames.flatMap((frame, i): AssemblyPart[] => [
      { name: `a ${i}`, model: box, pose: frame },
      { name: `b ${i}`, model: box, pose: pose.multiply(frame, at(0.75 * width)) },
    ]);
    const graded = grade(parts).sort((p, q) => p.a - q.a);
    expect(graded).toHaveLength(frames.length);
    const out = [
      [-1, 0, 0],
      [-1, 0, 0],
      [0, -1, 0],
      [1, 0, 0],
      [0, 0, -1],
    ];
    for (const [i, { upper, vector }] of graded.entries()) {
      expect(upper).toBeCloseTo(0.25 * width, 12);
      for (let k = 0; k < 3; k++) expect(vector![k]).toBeCloseTo(0.25 * width * out[i][k], 12);
    }
  });

  test('the vector of every overlap separates, and a tenth less than the lower end does not', () => {
    const random = createRandom(5);
    const models = [new ProximityModel(torusGrid(12, 8)), new ProximityModel(findModel('letter-e').build())];
    const parts = Array.from({ length: 6 }, (_, i): AssemblyPart => {
      const place = [0, 0, 0].map(() => random.range(-0.8, 0.8)) as vec3.Vec3;
      return { name: `part ${i}`, model: models[i % 2], pose: pose.create(place, random.rotation()) };
    });
    const overlaps = grade(parts, { pairMilliseconds: Infinity }).filter((clash) => clash.grade === 'interference');
    expect(overlaps.length).toBeGreaterThan(5);
    for (const { a, b, lower, upper, vector } of overlaps) {
      const moved = (share: number): boolean => {
        const place = parts[a].pose;
        const shift = vec3.scale(vector!, share);
        const shifted = [place[0] + shift[0], place[1] + shift[1], place[2] + shift[2], ...place.slice(3)];
        return testIntersection(parts[a].model, parts[b].model, shifted as unknown as pose.Pose, parts[b].pose)
          .intersects;
      };
      expect(upper! - lower!).toBeLessThanOrEqual(0.01 * upper!);
      expect(moved(1 + 1e-9)).toBe(false);
      expect(moved((0.9 * lower!) / upper!)).toBe(true);
    }
  });
});

describe('unknown depths', () => {
  const open: AssemblyPart = { name: 'sheet', model: new ProximityModel(sheet(2)), pose: at(0) };

  test('an open part has none and comes last among overlaps', () => {
    const graded = grade([open, ...boxes(0, 0.5)]);
    expect(graded.map(({ upper }) => upper === null)).toEqual([false, true, true]);
    expect(graded[1]).toMatchObject({ grade: 'interference', certain: false, lower: null, vector: null });
    expect(graded[1].reason).toContain('not closed');
  });

  test('when the time is over, the rest has none', () => {
    expect(grade(boxes(0, 0.5), { maxMilliseconds: 0 })).toMatchObject([
      { grade: 'interference', certain: false, upper: null, reason: expect.stringContaining('time') },
    ]);
  });

  test('bad options are refused, and an abort is not an unknown depth', () => {
    for (const name of ['touchTolerance', 'maxMilliseconds', 'pairMilliseconds']) {
      expect(codeOf(() => grade(boxes(0, 0.5), { [name]: -1 }))).toBe('bad-argument');
      expect(codeOf(() => grade(boxes(0, 0.5), { [name]: Number.NaN }))).toBe('bad-argument');
    }
    for (const relativeGap of [0, 1, Number.NaN]) {
      expect(codeOf(() => grade(boxes(0, 0.5), { relativeGap }))).toBe('bad-argument');
    }
    const clashes = findClashes(boxes(0, 0.5)).clashes;
    expect(codeOf(() => gradeClashes(boxes(0, 0.5), clashes, { signal: AbortSignal.abort() }))).toBe('aborted');
  });
});
