// Pairs designed to break a certificate: ways out that barely exist, facets that nearly or exactly coincide, needles
// and plates, depths near rounding, models far from the origin or of extreme size, a model and itself.
import { describe, expect, test } from 'vitest';
import { NearfieldError } from '../../../src/core/errors.js';
import type { Pose } from '../../../src/core/pose.js';
import type { PenetrationResult } from '../../../src/penetration/result.js';
import { randomOf } from '../../oracles/penetration/box-cases.js';
import { boxUnionSolid, growBoxes, type IntegerBox, measureBoxUnions } from '../../oracles/penetration/box-union.js';
import { randomDirection, randomPair, randomQuaternion } from '../../oracles/penetration/random-pairs.js';
import {
  box,
  dentedBox,
  extrude,
  join,
  move,
  type Solid,
  scale,
  sphere,
  squareFrame,
  torus,
  turnInsideOut,
} from '../../oracles/penetration/shapes.js';
import { type Body, bodyOf, HERE } from '../check-depth.js';
import { type CertificateOptions, checkCertificate, checkCommonDepth, PLACING, sizeOf } from './check-certificate.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
/** Where nothing closes the gap, more cells would not either. */
const MAX_CELLS = 4_000;
const TURNED: Pose = [0.1, -0.2, 0.15, 0.36, -0.48, 0.64, 0.48];

/** A certificate, and that of the pair swapped: both are tried, and hold one depth. */
function checkBothWays(
  name: string,
  a: Body,
  b: Body,
  { poseA = HERE, poseB = HERE, ...options }: CertificateOptions = {},
): PenetrationResult {
  const random = randomOf(7);
  const common = { maxCells: MAX_CELLS, directions: 100, ...options };
  const result = checkCertificate(name, a, b, random, { ...common, poseA, poseB });
  const swapped = checkCertificate(`${name}, swapped`, b, a, random, { ...common, poseA: poseB, poseB: poseA });
  if (result.status !== 'separate' && swapped.status !== 'separate') {
    checkCommonDepth(name, [result, swapped], sizeOf(a, b));
  }
  return result;
}

/** The same for boxes, whose depth is known. */
function checkBoxes(name: string, a: readonly IntegerBox[], b: readonly IntegerBox[], shift = 0): PenetrationResult {
  const { depth } = measureBoxUnions(a, b);
  const [bodyA, bodyB] = [a, b].map((boxes) => bodyOf(move(boxUnionSolid(boxes), shift, -shift, shift)));
  const result = checkBothWays(name, bodyA, bodyB);
  const rounding = PLACING * sizeOf(bodyA, bodyB);
  expect(result.lower, name).toBeLessThanOrEqual(depth + rounding);
  expect(result.upper, name).toBeGreaterThanOrEqual(depth - rounding);
  return result;
}

/** A C that is open towards +x: its mouth is from 4 to 16 wide units along y. */
const letterC = (unit: number): IntegerBox[] =>
  growBoxes(
    [
      [0, 0, 0, 4, 20, 6],
      [4, 0, 0, 20, 4, 6],
      [4, 16, 0, 20, 20, 6],
    ],
    unit,
  );

describe('ways out that are hardly there', () => {
  // B is a long bar that must go sideways into the mouth, which it fits with this clearance, in a size of 20.
  test.each([1, 1e-2, 1e-4, 1e-6, 1e-8])('a slot wider than its bar by %d', (clearance) => {
    const unit = 2 / clearance;
    const room = Math.round(clearance * unit);
    const bar: IntegerBox = [6 * unit, 3 * unit, -30 * unit, 9 * unit, 15 * unit - room, 40 * unit];
    const { status } = checkBoxes('in', letterC(unit), [bar]);
    if (clearance > 1e-5) expect(status).toBe('certified');
  });

  test.each([1, 1e-2, 1e-4, 1e-6, 1e-8])('a slot narrower than its bar by %d', (excess) => {
    const unit = 2 / excess;
    const more = Math.round(excess * unit);
    const bar: IntegerBox = [6 * unit, 3 * unit, -30 * unit, 9 * unit, 15 * unit + more, 40 * unit];
    const { status } = checkBoxes('over', letterC(unit), [bar]);
    expect(status).toBe('certified');
  });

  test('walls of no thickness to speak of', () => {
    for (const wall of [100, 1]) {
      const [outer, inner] = [1_000_000, 1_000_000 - wall];
      const shell: IntegerBox[] = [
        [-outer, -outer, -outer, outer, outer, -inner],
        [-outer, -outer, inner, outer, outer, outer],
        [-outer, -outer, -inner, outer, -inner, inner],
        [-outer, inner, -inner, outer, outer, inner],
        [-outer, -inner, -inner, -inner, inner, inner],
        [inner, -inner, -inner, outer, inner, inner],
      ];
      checkBoxes(`wall ${wall}, across`, shell, [[800_000, 0, 0, 1_300_000, 400_000, 400_000]]);
      checkBoxes(`wall ${wall}, nearly in`, shell, [
        [500_000, 0, 0, 1_000_000 - Math.ceil(wall / 2), 400_000, 400_000],
      ]);
    }
  });

  test('a grid of posts and a body that fits between them in places', () => {
    const posts: IntegerBox[] = [];
    for (let i = 0; i < 9; i++)
      posts.push([4 * (i % 3), 4 * Math.floor(i / 3), 0, 4 * (i % 3) + 2, 4 * Math.floor(i / 3) + 2, 30]);
    const places = [
      [1, 1],
      [3, 4],
      [4, 5],
    ];
    for (const width of [1, 2, 3]) {
      for (const [at, [x, y]] of places.entries()) {
        // Each takes four seconds: npm run soak tries each width at each place.
        if (SOAK === 1 && (width + at) % 3 !== 1) continue;
        checkBoxes(`width ${width} at ${x}, ${y}`, posts, [[x, y, -40, x + width, y + width, 50]]);
      }
    }
  });
});

describe('facets that nearly coincide', () => {
  test.each([0, 1e-13, 1e-11, 1e-9, 1e-7, 1e-5])('a dent of %d in the top of a box', (dent) => {
    const [flat, dented] = [bodyOf(box([-1, -1, -1], [1, 1, 1])), bodyOf(dentedBox([-1, -1, -1], [1, 1, 1], 1 - dent))];
    const pressed: Pose = [0, 0, 2 - 1e-3, 0, 0, 0, 1];
    checkBothWays('cube on top', dented, flat, { poseB: pressed });
    checkBothWays('dented box on its like', dented, dented, { poseB: pressed });
    checkBothWays('turned', dented, dented, { poseB: TURNED });
  });

  test('a model and itself, in place, and hardly turned or moved', () => {
    const random = randomOf(5);
    const letter = extrude(
      [
        [0, 0],
        [6, 0],
        [6, 2],
        [2, 2],
        [2, 6],
        [6, 6],
        [6, 8],
        [0, 8],
      ],
      0,
      3,
    );
    const models: Record<string, Solid> = {
      letter,
      frame: squareFrame(3, 5, 1),
      ring: torus(3, 1, 7, 5),
      hollow: join(box([-3, -3, -3], [3, 3, 3]), turnInsideOut(box([-2, -2, -2], [2, 2, 2]))),
      star: randomPair(1).a,
    };
    for (const [name, solid] of Object.entries(models)) {
      const body = bodyOf(solid);
      for (const little of [0, 1e-14, 1e-11, 1e-8, 1e-4]) {
        const [x, y, z] = randomDirection(random).map((value) => Math.sin(little) * value);
        const turned: Pose = [little, -little, little / 3, x, y, z, Math.cos(little)];
        const { lower } = checkBothWays(`${name}, off by ${little}`, body, body, { poseB: turned, directions: 40 });
        expect(lower, name).toBeGreaterThan(0);
      }
    }
  });
});

describe('needles and plates', () => {
  const stretch = ({ positions, indices }: Solid, factors: readonly number[]): Solid => ({
    positions: positions.map((value, i) => value * factors[i % 3]),
    indices,
  });

  test('across each other, along each other, and through solids', () => {
    const failures: string[] = [];
    let deep = 0;
    let certified = 0;
    const count = 24 * SOAK;
    for (let seed = 1; seed <= count; seed++) {
      const random = randomOf(seed);
      const { name, a, b } = randomPair(40_000 + seed);
      const thin = [1e-1, 1e-2, 1e-3, 1e-4][seed % 4];
      const needle = bodyOf(stretch(a, [1, thin, thin]));
      const plate = bodyOf(stretch(b, [1, 1, thin]));
      const other = seed % 3 === 0 ? needle : bodyOf(b);
      const turn = seed % 5 === 0 ? [0, 0, 0, 1] : randomQuaternion(random);
      const poseB = [0.05 * random(), 0.1 * thin * random(), 0.1 * thin * random(), ...turn] as Pose;
      try {
        for (const pair of [
          [needle, plate],
          [plate, other],
        ]) {
          const { status } = checkBothWays(`${name}, ${thin} thin`, pair[0], pair[1], { poseB, directions: 40 });
          if (status !== 'separate') deep++;
          if (status === 'certified' || status === 'exact') certified++;
        }
      } catch (error) {
        failures.push((error as Error).message);
      }
    }
    expect(failures).toEqual([]);
    expect(deep / (2 * count)).toBeGreaterThan(0.3);
    expect(certified / deep).toBeGreaterThan(0.8);
  });
});

describe('depths near rounding', () => {
  // In units of 2^-40 the depth is exact, whichever it is.
  test.each([1e-2, 1e-6, 1e-9, 1e-11])('%d of the size', (share) => {
    const unit = 2 ** 40;
    const depth = Math.round(share * 20 * unit);
    const foot: IntegerBox[] = [
      [20 * unit - depth, 2 * unit, unit, 30 * unit, 3 * unit, 2 * unit],
      [28 * unit, 3 * unit, unit, 30 * unit, 9 * unit, 5 * unit],
    ];
    // A vector is pushed until the models are clear of each other, by as much again as placing may move them.
    for (const shift of [0, 2 ** 52]) {
      const { upper } = checkBoxes(`in the arm, moved by ${shift}`, letterC(unit), foot, shift);
      expect(Math.abs(upper - depth)).toBeLessThanOrEqual(1e-2 * depth + 4 * PLACING * (50 * unit + 2 * shift));
    }
  });
});

describe('places and sizes', () => {
  const pairs = [60, 62, 63, 66].map(randomPair);

  // The square of an area is 0 below 1e-81: a cell without a normal was once claimed to reach any distance.
  test.each([1e-150, 1e-100, 1e-75, 1e-30, 1e-9, 1e9, 1e45])('scaled by %d', (factor) => {
    let answered = 0;
    for (const { name, a, b, poseA, poseB } of pairs) {
      const [bodyA, bodyB] = [bodyOf(scale(a, factor)), bodyOf(scale(b, factor))];
      const grow = ([x, y, z, ...turn]: Pose) => [factor * x, factor * y, factor * z, ...turn] as Pose;
      const poses = { poseA: grow(poseA), poseB: grow(poseB) };
      try {
        checkBothWays(`${name}, scaled by ${factor}`, bodyA, bodyB, { ...poses, directions: 20, maxCells: 1000 });
        answered++;
      } catch (error) {
        // To say that numbers are out of range is no false certificate.
        if (!(error instanceof NearfieldError)) throw error;
      }
    }
    if (factor > 1e-31) expect(answered).toBe(pairs.length);
  });

  test.each([1e2, 1e4, 1e6])('%d sizes from the origin, by their coordinates and by their poses', (away) => {
    for (const { name, a, b, poseA, poseB } of pairs) {
      const [bodyA, bodyB] = [bodyOf(a), bodyOf(b)];
      const near = checkBothWays(name, bodyA, bodyB, { poseA, poseB, directions: 20 });
      const offset = [away, -0.7 * away, 0.3 * away];
      const far = ([x, y, z, ...turn]: Pose) => [x + offset[0], y + offset[1], z + offset[2], ...turn] as Pose;
      const moved = checkBothWays(`${name}, posed far`, bodyA, bodyB, {
        poseA: far(poseA),
        poseB: far(poseB),
        directions: 20,
      });
      const farA = bodyOf(move(a, offset[0], offset[1], offset[2]));
      const baked = checkBothWays(`${name}, baked far`, farA, farA, {
        poseB: [0.1, 0.05, 0.02, 0, 0, 0, 1],
        directions: 20,
      });
      const still = checkBothWays(`${name}, baked near`, bodyA, bodyA, {
        poseB: [0.1, 0.05, 0.02, 0, 0, 0, 1],
        directions: 20,
      });
      const size = sizeOf(bodyA, bodyB) + 2 * away;
      if (near.status !== 'separate') checkCommonDepth(name, [near, moved], size);
      if (still.status !== 'separate') checkCommonDepth(name, [still, baked], size);
    }
  });
});

test('models of thousands of triangles', () => {
  const ring = torus(3, 1, 48, 24);
  const rough = sphere(2, 14);
  const random = randomOf(3);
  const bumpy: Solid = { positions: rough.positions.slice(), indices: rough.indices };
  for (let v = 0; v < bumpy.positions.length; v += 3) {
    const factor = 0.97 + 0.06 * random();
    for (let k = 0; k < 3; k++) bumpy.positions[v + k] *= factor;
  }
  const [a, b] = [bodyOf(ring), bodyOf(bumpy)];
  expect(ring.indices.length / 3).toBeGreaterThan(2000);
  expect(bumpy.indices.length / 3).toBeGreaterThan(1500);
  const grazing = checkCertificate('grazing', a, b, random, {
    poseB: [5.8, 0, 0.2, ...TURNED.slice(3)] as Pose,
    directions: 12,
  });
  expect(grazing.status).toBe('certified');
  const linked = checkCertificate('two rings, linked', a, a, random, {
    poseB: [4.6, 0.4, 0.1, Math.SQRT1_2, 0, 0, Math.SQRT1_2],
    directions: 12,
  });
  expect(linked.status).toBe('certified');
});
