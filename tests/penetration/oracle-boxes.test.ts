// Penetration depth of boxes and unions of boxes against closed forms and exact coordinate compression.
import { describe, expect, test } from 'vitest';
import type { Pose } from '../../src/core/pose.js';
import { grateLarge, grateSmall } from '../../src/models/objects/grates.js';
import { boxCases, randomBoxCase, randomOf } from '../oracles/penetration/box-cases.js';
import {
  boxUnionSolid,
  growBoxes,
  type IntegerBox,
  measureBoxUnions,
  moveBoxes,
  permuteBoxes,
} from '../oracles/penetration/box-union.js';
import { measureBoxPair } from '../oracles/penetration/convex-depth.js';
import { grateBoxes } from '../oracles/penetration/grate-boxes.js';
import { box, type Solid } from '../oracles/penetration/shapes.js';
import { bodyOf, checkDepth, exactly, ROUNDING } from './check-depth.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

describe('two boxes', () => {
  test('have the depth of their separating axes, whichever way they are turned, and are answered exactly', () => {
    const random = randomOf(11);
    const right = Math.SQRT1_2;
    let deep = 0;
    const count = 60 * SOAK;
    for (let i = 0; i < count; i++) {
      const halves = [0, 1].map(() => [0, 1, 2].map(() => 0.2 + random()));
      const [a, b] = halves.map(([x, y, z]) => bodyOf(box([-x, -y, -z], [x, y, z])));
      // Every third pair is not turned, or by quarter turns.
      const [poseA, poseB] = [0, 1].map((which): Pose => {
        const place = [0, 1, 2].map(() => 2.2 * (random() - 0.5));
        const q =
          i % 3 === 0
            ? [
                [0, 0, 0, 1],
                [right, 0, 0, right],
                [0, right, 0, right],
              ][which + (i % 2)]
            : randomQuaternion(random);
        return [...place, ...q] as Pose;
      });
      const offset = [0, 1, 2].map((k) => poseB[k] - poseA[k]);
      const depth = measureBoxPair(halves[0], columnsOf(poseA), halves[1], columnsOf(poseB), offset);
      const { result } = checkDepth(`pair ${i}`, a, b, exactly(depth), { poseA, poseB, error: ROUNDING });
      if (depth > 0) {
        deep++;
        expect(result.status).toBe('exact');
        expect(result.lower).toBeGreaterThanOrEqual(depth * (1 - ROUNDING));
      }
    }
    expect(deep / count).toBeGreaterThan(0.3);
    expect(deep / count).toBeLessThan(0.7);
  });
});

describe('unions of boxes', () => {
  test.each(boxCases.map((entry) => [entry.name, entry] as const))('%s', (name, { a, b }) => {
    const { depth } = measureBoxUnions(a, b);
    checkDepth(name, bodyOf(boxUnionSolid(a)), bodyOf(boxUnionSolid(b)), exactly(depth));
  });

  // With A on even and B on odd coordinates no facet of {b − a} passes through the origin; on one grid many do, and the
  // way on from the nearest point is then along facets, not away from the origin.
  test.each([
    ['in general position', 100, 2],
    ['on one grid', 75, 1],
  ])('random polycubes %s', (_, pairs, step) => {
    // The last two were once answered wrongly at any resolution.
    const seeds = [...Array.from({ length: pairs * SOAK }, (_, i) => i + 1), 231, 350];
    const failures: string[] = [];
    let deep = 0;
    let exact = 0;
    for (const seed of seeds) {
      const { name, ...boxes } = randomBoxCase(seed);
      const a = growBoxes(boxes.a, step);
      const b = moveBoxes(growBoxes(boxes.b, step), step - 1, step - 1, step - 1);
      const { depth } = measureBoxUnions(a, b);
      if (depth > 0) deep++;
      try {
        const { excess } = checkDepth(name, bodyOf(boxUnionSolid(a)), bodyOf(boxUnionSolid(b)), exactly(depth));
        if (depth > 0 && excess < ROUNDING) exact++;
      } catch (error) {
        failures.push((error as Error).message);
      }
    }
    expect(failures).toEqual([]);
    expect(deep / seeds.length).toBeGreaterThan(0.35);
    expect(deep / seeds.length).toBeLessThan(0.65);
    // The refinement finds the corner, edge or face itself, not a pixel near it.
    expect(exact / deep).toBeGreaterThan(0.95);
  });

  // Seen from the origin the slot is 1/300 wide and a pixel at 256 is 1/128: it may be missed there, but never below the
  // truth; at 1,024 a pixel is 1/512, so that some ray goes through it.
  test('a slot thinner than a pixel', () => {
    const a: IntegerBox[] = [
      [-9000, -6000, -6000, -4000, 6000, 6000],
      [-3000, -6000, -6000, 4000, 6000, 6000],
    ];
    const b: IntegerBox[] = [[-3699, -9000, -9000, -2700, 9000, 9000]];
    const { depth, vectors } = measureBoxUnions(a, b);
    expect({ depth, vectors }).toEqual({ depth: 300, vectors: [[300, 0, 0]] });
    const [bodyA, bodyB] = [bodyOf(boxUnionSolid(a)), bodyOf(boxUnionSolid(b))];
    checkDepth('slot at 256', bodyA, bodyB, { low: depth, high: 6700 });
    checkDepth('slot at 1,024', bodyA, bodyB, exactly(depth), { resolution: 1024, coarseResolution: 1024 });
  });
});

describe('the grates of the catalogue', () => {
  const { small, large } = grateBoxes;
  const bodies = { small: bodyOf(grateSmall.build() as Solid), large: bodyOf(grateLarge.build() as Solid) };
  const unit = small.unit;

  // Offsets of the small grate in units of 5 mm.
  test.each([
    ['in one plane', 7, 11, 2],
    ['bars in bars', 3, 5, 9],
    ['apart', 5, 5, 13],
  ])('parallel, %s', (name, x, y, z) => {
    const { depth } = measureBoxUnions(large.boxes, moveBoxes(small.boxes, x, y, z));
    const poseB: Pose = [x * unit, y * unit, z * unit, 0, 0, 0, 1];
    checkDepth(name, bodies.large, bodies.small, exactly(depth * unit), { poseB });
  });

  // Turned by 120° around (1, 1, 1), which rounds nothing: the small grate stands upright across the large one.
  test.each([
    ['through the openings', 0, 0, 0],
    ['through the openings, off the middle', 7, 3, 5],
    ['through the openings, at a bar', 9, 17, 21],
  ])('crossed, %s', (name, x, y, z) => {
    const { depth } = measureBoxUnions(large.boxes, moveBoxes(permuteBoxes(small.boxes, [2, 0, 1]), x, y, z));
    const poseB: Pose = [x * unit, y * unit, z * unit, 0.5, 0.5, 0.5, 0.5];
    checkDepth(name, bodies.large, bodies.small, exactly(depth * unit), { poseB });
  });
});

function randomQuaternion(random: () => number): number[] {
  const q = [0, 1, 2, 3].map(() => random() - 0.5);
  const length = Math.hypot(...q);
  return q.map((value) => value / length);
}

/** Where a pose takes the three axes. */
function columnsOf([, , , x, y, z, w]: Pose): number[][] {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
}
