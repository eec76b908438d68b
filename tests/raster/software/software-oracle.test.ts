// The software rasterizer against brute force: random triangles, views and states.
import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../../../src/core/random.js';
import { COMPARE_FUNCTIONS, STENCIL_OPERATIONS } from '../../../src/raster/arguments.js';
import { RASTER_DEFAULTS } from '../../../src/raster/raster.js';
import { createSoftwareRasterizer } from '../../../src/raster/software/software-rasterizer.js';
import { type OracleTriangle, renderPixel } from '../../oracles/raster.js';
import { columns, multiply, perspective, randomMotion } from '../views.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
const SEED =
  process.env.NEARFIELD_SEED === 'random' ? Date.now() % 1e9 : Number(process.env.NEARFIELD_SEED ?? 7_000_000);
const SIZE = 32;
type State = typeof RASTER_DEFAULTS;

function pick<T>(random: Random, items: readonly T[]): T {
  return items[random.integer(items.length)];
}

/** Half of the states are of the kinds that have loops of their own. */
function randomState(random: Random): State {
  const kind = random.integer(8);
  const cull = pick(random, ['none', 'none', 'none', 'front', 'back'] as const);
  const colorWrite = random.next() < 0.6;
  const state = { ...RASTER_DEFAULTS, cull, colorWrite };
  if (kind === 0) return state;
  if (kind === 1) return { ...state, depthCompare: 'greater' };
  const stencilReference = random.integer(4);
  if (kind === 2) {
    const depthCompare = pick(random, COMPARE_FUNCTIONS);
    return { ...state, colorWrite: false, depthCompare, depthWrite: false, stencilReference, stencilPass: 'replace' };
  }
  if (kind === 3) {
    return { ...state, depthCompare: pick(random, ['less', 'greater']), stencilCompare: 'equal', stencilReference };
  }
  return {
    cull,
    colorWrite,
    depthCompare: pick(random, COMPARE_FUNCTIONS),
    depthWrite: random.next() < 0.6,
    stencilCompare: pick(random, COMPARE_FUNCTIONS),
    stencilReference: random.next() < 0.5 ? random.integer(4) : random.integer(256),
    stencilReadMask: random.next() < 0.5 ? 255 : random.integer(256),
    stencilWriteMask: random.next() < 0.5 ? 255 : random.integer(256),
    stencilFail: pick(random, STENCIL_OPERATIONS),
    stencilDepthFail: pick(random, STENCIL_OPERATIONS),
    stencilPass: pick(random, STENCIL_OPERATIONS),
  };
}

/** Depth 0 at z = 1, depth 1 at z = −3. */
const PARALLEL = columns([
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, -0.25, 0.25],
  [0, 0, 0, 1],
]);

/** Looks along −z with depth 0.1 / −z, 1 at the near plane. */
const TURNED = columns([
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 0, 0.1],
  [0, 0, -1, 0],
]);

/** Perspective views with the eye among the triangles, also with depth turned round, parallel ones, and matrices that mean nothing. */
function randomView(random: Random): number[] {
  const shift = [random.range(-0.5, 0.5), random.range(-0.5, 0.5), random.range(-2.5, 0)];
  const motion = randomMotion(random, shift);
  const kind = random.integer(8);
  if (kind === 0) return multiply(PARALLEL, motion);
  if (kind === 2) return multiply(TURNED, motion);
  if (kind === 1) return Array.from({ length: 16 }, () => random.range(-1, 1));
  return multiply(perspective(random.range(0.01, 0.3), random.range(3, 30)), motion);
}

/** Triangles of all sizes; some come twice, which is what equal depths are made of. */
function randomTriangles(random: Random): OracleTriangle[] {
  const triangles: OracleTriangle[] = [];
  let state = randomState(random);
  const count = 3 + random.integer(12);
  for (let i = 0; i < count; i++) {
    if (random.next() < 0.5) state = randomState(random);
    const size = 10 ** random.range(-0.7, 1.2);
    const middle = [random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)];
    const again = i > 0 && random.next() < 0.25;
    const corners = again
      ? triangles[random.integer(i)].corners
      : [0, 1, 2].map(() => middle.map((value) => value + size * random.normal()));
    triangles.push({ corners, color: random.integer(2 ** 32), state });
  }
  return triangles;
}

describe('software rasterizer against brute force', () => {
  test('color and stencil are the same, depth is to single precision', async () => {
    const rasterizer = createSoftwareRasterizer();
    const target = rasterizer.createTarget(SIZE, SIZE, 1);
    const cases = 2500 * SOAK;
    let pixels = 0;
    let uncertain = 0;
    let covered = 0;
    let worstDepth = 0;
    const wrong: string[] = [];
    for (let i = 0; i < cases; i++) {
      const random = createRandom(SEED + i);
      const triangles = randomTriangles(random);
      const view = randomView(random);
      const clear = { color: random.integer(2 ** 32), depth: random.next(), stencil: random.integer(4) };
      const geometry = rasterizer.createGeometry(
        triangles.flatMap(({ corners }) => corners.flat()),
        Uint32Array.from({ length: 3 * triangles.length }, (_, i) => i),
        Uint32Array.from(triangles, ({ color }) => color),
      );
      const draws = triangles.map(({ state }, i) => ({
        geometry,
        firstTriangle: i,
        triangleCount: 1,
        state: state as State,
      }));
      rasterizer.draw(target, view, draws, clear);
      const { color, depth, stencil } = await rasterizer.read(target, ['color', 'depth', 'stencil']);
      geometry.destroy();
      const all = i % 20 === 0;
      for (let sample = 0; sample < (all ? SIZE * SIZE : 48); sample++) {
        const pixel = all ? sample : random.integer(SIZE * SIZE);
        const row = Math.floor(pixel / SIZE);
        const expected = renderPixel(triangles, view, SIZE, SIZE, pixel % SIZE, row, clear);
        pixels++;
        if (expected.fragments > 0) covered++;
        if (expected.uncertain) {
          uncertain++;
          continue;
        }
        worstDepth = Math.max(worstDepth, Math.abs(depth![pixel] - expected.depth));
        if (color![pixel] !== expected.color || stencil![pixel] !== expected.stencil) {
          wrong.push(`seed ${SEED + i}, pixel ${pixel}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(worstDepth).toBeLessThan(2 ** -23);
    expect(uncertain / pixels).toBeLessThan(1e-4);
    expect(covered / pixels).toBeGreaterThan(0.3);
    expect(covered / pixels).toBeLessThan(0.7);
  });
});
