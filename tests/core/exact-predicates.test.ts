// The exact predicates against whole numbers of any length (tests/oracles), on grids of near ties at scales from the
// smallest doubles to beyond the range of their products.
import { describe, expect, test } from 'vitest';
import { exactInCircle } from '../../src/core/exact/in-circle.js';
import { exactSide, exactTurn, sideDeterminant, turnDeterminant } from '../../src/core/exact/orientation.js';
import {
  areExactlyCollinear,
  areExactlyCollinearAt,
  exactSideOf,
  findShadowAxis,
} from '../../src/core/exact/points.js';
import { areNearlyCollinear } from '../../src/core/nearly-collinear.js';
import { createRandom } from '../../src/core/random.js';
import * as plane from '../oracles/exact-plane.js';

/** Uniform scales: denormal, products of two or three underflow, ordinary, the largest of meshes, products overflow. */
const SCALES = [2 ** -1060, 1e-300, 1e-160, 1e-120, 1e-100, 1e-60, 1e-9, 1, 1e9, 1e50, 1e100, 1e160, 1e300];

const signOf = (value: bigint) => (value > 0n ? 1 : value < 0n ? -1 : 0);

function sideOracle(c: readonly number[]): number {
  // Pairs of numbers become points; the third coordinate rides along in a point of its own.
  const whole = plane.exactPoints(c).flat();
  const [u, v, w] = [3, 6, 9].map((o) => [0, 1, 2].map((k) => whole[o + k] - whole[k]));
  return signOf(
    w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2]) + w[2] * (u[0] * v[1] - u[1] * v[0]),
  );
}

describe.each(SCALES)('at scale %d', (scale) => {
  const random = createRandom(13);
  /** Few values, so that ties are common, some of them moved by one unit in the last place. */
  const coordinate = () => {
    const value = random.integer(4) - 1;
    return (value + (random.next() < 0.1 ? value * 2 ** -52 : 0)) * scale;
  };
  const coordinates = (count: number) => Array.from({ length: count }, coordinate);

  test('turns in the plane', () => {
    let ties = 0;
    for (let i = 0; i < 1000; i++) {
      const c = coordinates(6) as [number, number, number, number, number, number];
      const [p, q, r] = plane.exactPoints(c);
      const expected = signOf(plane.exactTurn(p, q, r));
      if (expected === 0) ties++;
      expect(exactTurn(...c)).toBe(expected);
      expect(Math.sign(turnDeterminant(...c))).toBe(expected);
    }
    expect(ties).toBeGreaterThan(100);
    expect(ties).toBeLessThan(900);
  });

  test('sides in space', () => {
    let ties = 0;
    for (let i = 0; i < 1000; i++) {
      const c = coordinates(12);
      const expected = sideOracle(c);
      if (expected === 0) ties++;
      const all = c as Parameters<typeof exactSide>;
      expect(exactSide(...all)).toBe(expected);
      expect(Math.sign(sideDeterminant(...all))).toBe(expected);
      expect(exactSideOf(Float64Array.from(c), 0, 1, 2, 3)).toBe(expected);
    }
    expect(ties).toBeGreaterThan(100);
    expect(ties).toBeLessThan(900);
  });

  test('circles', () => {
    let inside = 0;
    for (let i = 0; i < 500; i++) {
      const c = coordinates(8) as Parameters<typeof exactInCircle>;
      const [p, q, r, s] = plane.exactPoints(c);
      const expected = signOf(plane.exactInCircle(p, q, r, s));
      if (expected > 0) inside++;
      expect(exactInCircle(...c)).toBe(expected);
    }
    expect(inside).toBeGreaterThan(50);
  });

  test('points on a line, exactly and nearly', () => {
    let lines = 0;
    for (let i = 0; i < 500; i++) {
      const c = coordinates(9);
      if (i % 2 === 0) for (let k = 0; k < 3; k++) c[6 + k] = 2 * c[3 + k] - c[k];
      const p = Float64Array.from(c);
      const expected = [0, 1, 2].every((k) => {
        const [u, v] = [(k + 1) % 3, (k + 2) % 3];
        const [a, b, d] = plane.exactPoints([p[u], p[v], p[3 + u], p[3 + v], p[6 + u], p[6 + v]]);
        return plane.exactTurn(a, b, d) === 0n;
      });
      if (expected) lines++;
      expect(areExactlyCollinearAt(p, 0, 3, 6)).toBe(expected);
      expect(areExactlyCollinear(...(c as Parameters<typeof areExactlyCollinear>))).toBe(expected);
      expect(findShadowAxis(p, 0, 1, 2) === -1).toBe(expected);
      // Every line without tolerance is one with it.
      if (expected && scale < 1e300) expect(areNearlyCollinear(p, 0, 1, 2)).toBe(true);
    }
    expect(lines).toBeGreaterThan(50);
    expect(lines).toBeLessThan(450);
  });
});

test('small beside large: a lost product decides', () => {
  const tiny = 2 ** -600;
  const c = [0, 0, tiny, tiny, 1e50, 1e50] as const;
  expect(exactTurn(...c)).toBe(0);
  expect(exactTurn(0, 0, tiny, tiny * (1 + 2 ** -52), 1e50, 1e50)).toBe(-1);
  expect(exactSide(0, 0, 0, tiny, 0, 0, 0, tiny, 0, 1e50, 1e50, tiny)).toBe(1);
  expect(exactSide(0, 0, 0, tiny, 0, 0, 0, tiny, 0, 1e50, 1e50, -tiny)).toBe(-1);
});

test('the signs', () => {
  expect(exactTurn(0, 0, 1, 0, 0, 1)).toBe(1);
  expect(turnDeterminant(0, 0, 2, 0, 0, 1)).toBe(2);
  expect(exactSide(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)).toBe(1);
  expect(sideDeterminant(0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3)).toBe(6);
  expect(exactInCircle(0, 0, 1, 0, 0, 1, 0.5, 0.5)).toBe(1);
});

test('what is not a number has no sign', () => {
  expect(exactTurn(0, 0, Number.NaN, 0, 0, 1)).toBeNaN();
  expect(exactSide(0, 0, 0, 1, 0, 0, 0, 1, 0, Infinity, 0, Number.NaN)).toBeNaN();
  expect(exactInCircle(0, 0, 1, 0, 0, 1, Number.NaN, 0.5)).toBeNaN();
});
