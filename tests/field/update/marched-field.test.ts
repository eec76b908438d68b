import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Box } from '../../../src/core/box.js';
import { NearfieldError } from '../../../src/core/errors.js';
import { createRandom } from '../../../src/core/random.js';
import type { Vec3 } from '../../../src/core/vec3.js';
import type { FieldOptions } from '../../../src/field/distance-field.js';
import type { GridFrame } from '../../../src/field/grid.js';
import { marchField } from '../../../src/field/march/march-field.js';
import type { UpdateOptions } from '../../../src/field/update/field-update.js';
import { MarchedField } from '../../../src/field/update/marched-field.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { createPolygon } from '../../../src/mesh/polygon/polygon.js';
import { sphere } from '../../../src/models/primitives/sphere.js';
import { torus } from '../../../src/models/primitives/torus.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
/**
 * In spacings: at a tie, rounding decides which stencil of second order is taken. The worst of 150 random bumps was
 * 1e-4, of a symmetric octant 1e-3; the fields themselves are off by 0.1.
 */
const SECOND_ORDER_BOUND = 0.005;

function cube(nodes: number, half: number): GridFrame {
  return { origin: [-half, -half, -half], spacing: (2 * half) / (nodes - 1), size: [nodes, nodes, nodes] };
}

const frame = cube(31, 1.15);
const ball = sphere.build({ radius: 0.8, segments: 48, rings: 36 });

function moved(mesh: Mesh, move: (p: Vec3) => Vec3): Mesh {
  const positions = mesh.positions.slice();
  for (let v = 0; v < positions.length; v += 3) {
    positions.set(move([positions[v], positions[v + 1], positions[v + 2]]), v);
  }
  return { positions, indices: mesh.indices };
}

/** Pushes what lies within `radius` of a point along a direction. */
function bump(mesh: Mesh, at: Vec3, radius: number, push: Vec3): Mesh {
  return moved(mesh, (p) => {
    const share = Math.hypot(p[0] - at[0], p[1] - at[1], p[2] - at[2]) / radius;
    const weight = share < 1 ? (1 - share * share) ** 2 : 0;
    return [p[0] + weight * push[0], p[1] + weight * push[1], p[2] + weight * push[2]];
  });
}

function joinMeshes(a: Mesh, b: Mesh): Mesh {
  const shift = a.positions.length / 3;
  return {
    positions: Float64Array.from([...a.positions, ...b.positions]),
    indices: Uint32Array.from([...a.indices, ...b.indices.map((v) => v + shift)]),
  };
}

function largestDifference(a: Float64Array, b: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) largest = Math.max(largest, Math.abs(a[i] - b[i]) || Infinity);
  return largest;
}

function fresh(mesh: Mesh, grid: GridFrame, options: FieldOptions): Float64Array {
  return marchField(mesh, grid, { ...options, errorSamples: 0 }).values;
}

/** The share of nodes that the fields of two meshes have in common. */
function sharedNodes(a: Float64Array, b: Float64Array): number {
  let equal = 0;
  for (let i = 0; i < a.length; i++) if (a[i] === b[i]) equal++;
  return equal / a.length;
}

/** Updates from one mesh to the other and compares with a field made anew. */
function update(from: Mesh, to: Mesh, grid: GridFrame, options: FieldOptions, updating: UpdateOptions = {}) {
  const field = new MarchedField(from, grid, options);
  const done = field.update(to, updating);
  const expected = fresh(to, grid, options);
  return { field, done, difference: largestDifference(field.field.values, expected) / grid.spacing };
}

const ring = torus.build({ majorRadius: 0.7, minorRadius: 0.28, majorSegments: 40, minorSegments: 18 });
/** A capsule with many rings: a sphere cut through and drawn apart. */
const pill = moved(ball, ([x, y, z]) => [0.375 * x, 0.375 * y + 0.45 * Math.max(-1, Math.min(1, y / 0.4)), 0.375 * z]);
const small = sphere.build({ radius: 0.25, segments: 24, rings: 16 });
const pair = joinMeshes(
  moved(small, ([x, y, z]) => [x - 0.7, y, z]),
  moved(small, ([x, y, z]) => [x + 0.7, y, z]),
);
const deformations: readonly { name: string; from: Mesh; to: Mesh }[] = [
  { name: 'a bump on a sphere', from: ball, to: bump(ball, [0.5, 0.5, 0.4], 0.3, [0.1, 0.1, 0.1]) },
  { name: 'a dent in a sphere', from: ball, to: bump(ball, [-0.8, 0, 0], 0.35, [0.3, 0, 0]) },
  { name: 'a dent in a torus', from: ring, to: bump(ring, [0.9, 0.1, 0.1], 0.3, [-0.15, 0.02, 0]) },
  {
    name: 'a bent capsule',
    from: pill,
    to: moved(pill, ([x, y, z]) => [x + (y > 0.4 ? 0.8 * (y - 0.4) ** 2 : 0), y, z]),
  },
  {
    name: 'a component that moves as a whole',
    from: pair,
    to: moved(pair, ([x, y, z]) => (x > 0 ? [x + 0.1, y, z + 0.05] : [x, y, z])),
  },
];

describe('MarchedField', () => {
  test('starts with the field of marchField, whatever the options', () => {
    const speed = Float64Array.from({ length: 31 ** 3 }, (_, node) => (node % 31 === 20 ? 0 : 0.5 + (node % 7) / 7));
    const all: FieldOptions[] = [
      {},
      { order: 1 },
      { sides: 'inside' },
      { sides: 'outside', order: 1 },
      { maxDistance: 0.3 },
      { sign: 'none' },
      { bandWidth: 3 },
      { speed },
      { band: 'triangle-boxes', sides: 'inside' },
      { band: 'triangle-boxes', sides: 'outside', order: 1 },
    ];
    for (const options of all) {
      const { field } = new MarchedField(ring, frame, options);
      const expected = marchField(ring, frame, options);
      expect(largestDifference(field.values, expected.values), JSON.stringify(Object.keys(options))).toBe(0);
      expect(field.error).toEqual(expected.error);
      expect([field.closed, field.signed, field.method]).toEqual([expected.closed, expected.signed, expected.method]);
    }
    const open: Mesh = { positions: ball.positions, indices: ball.indices.slice(0, -600) };
    for (const options of [
      {},
      { sides: 'inside' },
      { sign: 'none' },
      { band: 'triangle-boxes', sides: 'inside' },
      { band: 'triangle-boxes', sides: 'outside', sign: 'none' },
    ] as const) {
      const { field } = new MarchedField(open, frame, options);
      expect(field.closed).toBe(false);
      expect(largestDifference(field.values, fresh(open, frame, options))).toBe(0);
    }
    const wide = sphere.build({ radius: 1.4 });
    expect(largestDifference(new MarchedField(wide, frame).field.values, fresh(wide, frame, {}))).toBe(0);
  });

  for (const { name, from, to } of deformations) {
    test(`follows ${name} in boxes of its own`, () => {
      for (const order of [1, 2] as const) {
        const { done, difference } = update(from, to, frame, { order }, { continuityTolerance: 1e-13 });
        expect(done.status).toBe('joined');
        expect(done.reason).toBeNull();
        expect(done.nodes).toBeLessThan(0.8 * 31 ** 3);
        expect(done.counters.marched).toBeLessThan(31 ** 3);
        expect(difference).toBeLessThanOrEqual(order === 1 ? 1e-12 : SECOND_ORDER_BOUND);
      }
      // The deformation must be one: fields of both states differ, and not everywhere.
      const shared = sharedNodes(fresh(from, frame, { order: 1 }), fresh(to, frame, { order: 1 }));
      expect(shared).toBeGreaterThan(0.1);
      expect(shared).toBeLessThan(0.99);
    });
  }

  test('follows with every option that changes what is marched', () => {
    const speed = Float64Array.from({ length: 31 ** 3 }, (_, node) => 1 + (node % 5) / 40);
    const { from, to } = deformations[0];
    for (const options of [
      { sides: 'inside' },
      { sides: 'outside' },
      { maxDistance: 0.3 },
      { sign: 'none' },
      { speed },
      { band: 'triangle-boxes', sides: 'inside' },
      { bandWidth: 1 },
    ] as FieldOptions[]) {
      const { done, difference } = update(from, to, frame, { ...options, order: 1 });
      expect(done.status, JSON.stringify(Object.keys(options))).toBe('joined');
      expect(difference).toBeLessThanOrEqual(1e-12);
    }
  });

  test('grows and shrinks a narrow band with the surface', () => {
    const options = { maxDistance: 0.2, order: 1 } as const;
    const field = new MarchedField(ball, frame, options);
    for (const push of [0.25, -0.2, 0]) {
      const to = bump(ball, [0, 0.8, 0], 0.35, [0, push, 0]);
      expect(field.update(to).status).toBe('joined');
      expect(largestDifference(field.field.values, fresh(to, frame, options))).toBeLessThanOrEqual(1e-12);
    }
  });

  test('works in the plane', () => {
    const circle = (push: number) =>
      createPolygon([
        Float64Array.from({ length: 240 }, (_, c) => {
          const angle = (Math.PI * (c >> 1)) / 60;
          const radius =
            0.7 + push * (Math.abs(angle - 0.9) < 0.3 ? Math.cos((angle - 0.9) * (Math.PI / 0.6)) ** 2 : 0);
          return radius * (c % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
        }),
      ]);
    const plane: GridFrame = { origin: [-1.1, -1.1, 0.5], spacing: 0.05, size: [45, 45, 1] };
    for (const order of [1, 2] as const) {
      const field = new MarchedField(circle(0), plane, { order });
      const done = field.update(circle(0.2));
      expect(done.status).toBe('joined');
      const expected = marchField(circle(0.2), plane, { order, errorSamples: 0 }).values;
      expect(largestDifference(field.field.values, expected)).toBeLessThanOrEqual(
        (order === 1 ? 1e-12 : SECOND_ORDER_BOUND) * 0.05,
      );
      expect(field.update({ rings: [circle(0).rings[0].slice(0, 100)] }).reason).toBe('connectivity');
    }
  });

  test('takes apart what moves far apart in the plane too, however many edges it has', () => {
    const circle = (push: number) =>
      createPolygon([
        Float64Array.from({ length: 4000 }, (_, c) => {
          const angle = (Math.PI * (c >> 1)) / 1000;
          const near = Math.max(Math.cos(angle), Math.sin(angle));
          const radius = 0.8 + (near > 0.99 ? push * (near - 0.99) : 0);
          return radius * (c % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
        }),
      ]);
    const plane: GridFrame = { origin: [-1.2, -1.2, 0], spacing: 2.4 / 99, size: [100, 100, 1] };
    const field = new MarchedField(circle(0), plane, { sides: 'inside', order: 1 });
    const done = field.update(circle(2));
    expect(done).toMatchObject({ status: 'joined', boxes: { length: 2 } });
    // One box around both places has 2,900.
    expect(done.nodes).toBeLessThan(1500);
    const expected = marchField(circle(2), plane, { sides: 'inside', order: 1, errorSamples: 0 }).values;
    expect(largestDifference(field.field.values, expected)).toBeLessThanOrEqual(1e-12);
  });

  test('follows from the band in the boxes of triangles to rounding at first order', () => {
    const random = createRandom(29);
    const coarse = torus.build({ majorRadius: 0.5, minorRadius: 0.2, majorSegments: 8, minorSegments: 5 });
    let joined = 0;
    for (let round = 0; round < 20 * SOAK; round++) {
      const options: FieldOptions = { order: 1, band: 'triangle-boxes', sides: round % 2 === 0 ? 'inside' : 'outside' };
      const grid = cube(14 + random.integer(8), 1.15);
      let mesh = coarse;
      const field = new MarchedField(mesh, grid, options);
      for (let step = 0; step < 4; step++) {
        const v = 3 * random.integer(mesh.positions.length / 3);
        const at: Vec3 = [mesh.positions[v], mesh.positions[v + 1], mesh.positions[v + 2]];
        mesh = bump(mesh, at, 0.05, random.direction().map((x) => x * random.range(0, 0.15)) as Vec3);
        if (field.update(mesh).status === 'joined') joined++;
        expect(largestDifference(field.field.values, fresh(mesh, grid, options)) / grid.spacing).toBeLessThan(1e-8);
      }
    }
    expect(joined).toBeGreaterThan(20 * SOAK);
  });

  test('computes all at second order where the speed varies, and boxes at first', () => {
    const random = createRandom(31);
    const grid = cube(15, 1.15);
    for (let round = 0; round < 6 * SOAK; round++) {
      const speed = Float64Array.from({ length: 15 ** 3 }, () => 10 ** random.range(-1, 1));
      const at = random.direction().map((x) => 0.8 * x) as Vec3;
      const to = bump(ball, at, 0.3, at.map((x) => x * random.range(-0.2, 0.2)) as Vec3);
      const room = random.range(0.45, 0.9);
      const boxes = [{ min: at.map((x) => x - room) as Vec3, max: at.map((x) => x + room) as Vec3 }];
      const second = update(ball, to, grid, { speed }, { boxes });
      expect(second).toMatchObject({ done: { status: 'recomputed', reason: 'speed' }, difference: 0 });
      const first = update(ball, to, grid, { speed, order: 1 }, { boxes });
      expect(first.done.reason).not.toBe('speed');
      expect(first.difference).toBeLessThan(1e-8);
    }
  });

  test('says unchanged when nothing moved, also in boxes given', () => {
    const field = new MarchedField(ball, frame);
    const before = field.snapshot();
    for (const options of [{}, { boxes: [{ min: [0, 0, 0], max: [1, 1, 1] }] as Box[] }]) {
      const done = field.update({ positions: ball.positions.slice(), indices: ball.indices.slice() }, options);
      expect(done).toMatchObject({ status: 'unchanged', nodes: 0, boxes: [], reason: null, discontinuity: 0 });
    }
    expect(field.field.values).toEqual(before.values);
  });

  test('keeps a live view, copies for snapshots, and its own copy of the mesh', () => {
    const mesh = { positions: ball.positions.slice(), indices: ball.indices.slice() };
    const field = new MarchedField(mesh, frame, { order: 1 });
    const live = field.field;
    const snapshot = field.snapshot();
    const error = live.error.mean;
    // Deformed in place, as simulations do.
    mesh.positions.set(deformations[0].to.positions);
    expect(field.update(mesh).status).toBe('joined');
    expect(live).toBe(field.field);
    expect(largestDifference(live.values, fresh(deformations[0].to, frame, { order: 1 }))).toBeLessThanOrEqual(1e-12);
    expect(largestDifference(snapshot.values, fresh(ball, frame, { order: 1 }))).toBe(0);
    expect(live.error.mean).not.toBe(error);
    expect(snapshot.error.mean).toBe(error);
  });
});

describe('boxes given by hand', () => {
  const octant: Box = { min: [0, 0, 0], max: [2, 2, 2] };
  const inOctant = bump(ball, [0.46, 0.46, 0.46], 0.15, [0.05, 0.05, 0.05]);

  test('joins an octant around a bump, which also counts one eighth of the work', () => {
    for (const order of [1, 2] as const) {
      const { done, difference, field } = update(ball, inOctant, frame, { order }, { boxes: [octant] });
      expect(done.status).toBe('joined');
      expect(done.boxes).toEqual([{ min: [15, 15, 15], max: [30, 30, 30] }]);
      expect(done.nodes).toBe(16 ** 3);
      // The march takes the nodes of the box and the layers around it, nothing else.
      expect(done.counters.marched).toBeLessThanOrEqual(16 ** 3 + 3 * 2 * 16 ** 2 + done.spread);
      expect(done.discontinuity).toBeLessThan(0.01 * frame.spacing);
      expect(difference).toBeLessThanOrEqual(order === 1 ? 1e-12 : SECOND_ORDER_BOUND);
      expect(field.field.counters.marched).toBeGreaterThan(done.counters.marched);
    }
  });

  test('notices triangles that move outside the boxes', () => {
    const { to } = deformations[1];
    for (const boxes of [
      [octant],
      [],
      [{ min: [1, 1, 1], max: [-1, -1, -1] }],
      [{ min: [5, 5, 5], max: [6, 6, 6] }],
    ] as Box[][]) {
      const { done, difference } = update(ball, to, frame, {}, { boxes });
      expect(done).toMatchObject({ status: 'recomputed', reason: 'moved-outside' });
      expect(difference).toBe(0);
    }
  });

  test('notices a box that holds what moved but not what changed, and computes all', () => {
    // The dent is held with its band, but the values that depend on it reach to the center and to the grid's border.
    const to = bump(ball, [0, 0, 0.8], 0.3, [0, 0, -0.3]);
    const tight: Box = { min: [-0.5, -0.5, 0.25], max: [0.5, 0.5, 1] };
    for (const order of [1, 2] as const) {
      const { done, difference } = update(ball, to, frame, { order }, { boxes: [tight] });
      expect(done).toMatchObject({ status: 'recomputed', reason: 'discontinuous' });
      expect(done.discontinuity).toBeGreaterThan(0.1 * frame.spacing);
      expect(difference).toBe(0);
    }
  });

  test('never leaves a wrong field silently, however the boxes lie', () => {
    const statuses = new Map<string, number>();
    const field = new MarchedField(ball, frame, { order: 1 });
    const expected = fresh(inOctant, frame, { order: 1 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(...Array.from({ length: 6 }, () => fc.integer({ min: 0, max: 100 }))), {
          minLength: 1,
          maxLength: 3,
        }),
        (ends) => {
          const boxes = ends.map(
            (e): Box => ({
              min: [0.15 - 0.006 * e[0], 0.15 - 0.006 * e[1], 0.15 - 0.006 * e[2]],
              max: [0.75 + 0.01 * e[3], 0.75 + 0.01 * e[4], 0.75 + 0.01 * e[5]],
            }),
          );
          const done = field.update(inOctant, { boxes });
          const key = done.reason ?? (done.spread > 0 ? 'spread' : done.status);
          statuses.set(key, (statuses.get(key) ?? 0) + 1);
          expect(largestDifference(field.field.values, expected)).toBeLessThanOrEqual(1e-7 * frame.spacing);
          field.update(ball);
        },
      ),
      { numRuns: 40 * SOAK, seed: 3 },
    );
    // All ways must have been taken.
    expect(
      Math.min(...['moved-outside', 'discontinuous', 'spread'].map((key) => statuses.get(key) ?? 0)),
    ).toBeGreaterThan(0);
  });

  test('carries small differences past a border until they vanish', () => {
    const to = bump(ball, [0, 0, 0.8], 0.3, [0.02, 0, -0.01]);
    const tight: Box = { min: [-0.55, -0.55, 0.1], max: [0.55, 0.55, 2] };
    const { done, difference } = update(ball, to, frame, { order: 1 }, { boxes: [tight], continuityTolerance: 1e-13 });
    expect(done.status).toBe('joined');
    expect(done.discontinuity).toBeGreaterThan(1e-6 * frame.spacing);
    expect(done.spread).toBeGreaterThan(0);
    expect(difference).toBeLessThanOrEqual(1e-10);
  });

  test('blends where asked to: continuous, between old and new, and not far from all computed', () => {
    const to = bump(ball, [0, 0, 0.8], 0.3, [0.02, 0, -0.01]);
    const tight: Box = { min: [-0.55, -0.55, 0.1], max: [0.55, 0.55, 2] };
    const options = { boxes: [tight], join: 'blend' } as const;
    const { done, difference, field } = update(ball, to, frame, { order: 1 }, options);
    expect(done.status).toBe('blended');
    expect(done.spread).toBe(0);
    expect(difference).toBeGreaterThan(1e-6);
    expect(difference).toBeLessThanOrEqual(done.discontinuity / frame.spacing + 0.1);
    // Neighbors differ by no more than their distance, up to the discontinuity.
    const { values } = field.field;
    for (let node = 0; node + 1 < values.length; node++) {
      if (node % 31 < 30) expect(Math.abs(values[node + 1] - values[node])).toBeLessThan(frame.spacing * 1.05);
    }
    // What is blended stays so, wherever the next update is, until all is computed.
    const elsewhere = bump(to, [0, 0, -0.8], 0.15, [0, 0, 0.01]);
    expect(field.update(elsewhere).status).toBe('blended');
    expect(largestDifference(values, fresh(elsewhere, frame, { order: 1 })) / frame.spacing).toBeGreaterThan(1e-6);
    const other = moved(elsewhere, ([x, y, z]) => [0.9 * x, y, z]);
    expect(field.update(other).status).toBe('recomputed');
    expect(field.update(bump(other, [0, 0, 0.8], 0.15, [0, 0, 0.01])).status).toBe('joined');
    // Left differences add up, and are not let grow past the tolerance.
    const field2 = new MarchedField(ball, frame, { order: 1 });
    let accumulated = false;
    for (let round = 0; round < 40 && !accumulated; round++) {
      accumulated = field2.update(round % 2 === 0 ? to : ball, options).reason === 'accumulated';
    }
    expect(accumulated).toBe(true);
  });

  test('takes several boxes, overlapping and partly outside the grid', () => {
    const from = pair;
    const to = bump(bump(pair, [-0.95, 0, 0], 0.2, [-0.08, 0, 0]), [0.95, 0, 0], 0.2, [0.08, 0, 0]);
    const boxes: Box[] = [
      { min: [-5, -5, -5], max: [-0.5, 5, 5] },
      { min: [0.6, -9, -9], max: [9, 9, 9] },
      { min: [0.5, -0.3, -0.4], max: [9, 1, 9] },
      { min: [1, 1, 1], max: [0, 0, 0] },
    ];
    for (const order of [1, 2] as const) {
      const { done, difference } = update(from, to, frame, { order }, { boxes });
      expect(done.status).toBe('joined');
      expect(difference).toBeLessThanOrEqual(order === 1 ? 1e-8 : SECOND_ORDER_BOUND);
      const own = update(from, to, frame, { order, maxDistance: 0.4 });
      expect(own.done.boxes).toHaveLength(2);
      expect(own.difference).toBeLessThanOrEqual(order === 1 ? 1e-12 : SECOND_ORDER_BOUND);
    }
  });

  test('follows the second grid of Fisher and Lin 2001: joined, blended or computed anew', () => {
    const options = { border: 'nothing', boxes: [octant] } as const;
    for (const order of [1, 2] as const) {
      // No front crosses the planes of symmetry: the second grid finds nearly what the first one had.
      const joined = update(ball, inOctant, frame, { order }, options);
      expect(joined.done.status).toBe('joined');
      expect(joined.done.discontinuity).toBeGreaterThan(1e-4 * frame.spacing);
      expect(joined.difference).toBeLessThanOrEqual(0.01);
      const blended = update(ball, inOctant, frame, { order }, { ...options, continuityTolerance: 1e-4 });
      expect(blended.done.status).toBe('blended');
      // Layers that truly changed were mixed with what they were: more than joined, less than the error of the field.
      expect(blended.difference).toBeLessThan((0.25 * blended.field.field.error.max) / frame.spacing);
      expect(blended.difference).toBeGreaterThan(joined.difference);
      // Past the middle the nearest surface lies outside of the box, and the second grid cannot know it.
      const half: Box = { min: [-9, -9, -0.12], max: [9, 9, 9] };
      const apart = update(ball, inOctant, frame, { order }, { border: 'nothing', boxes: [half] });
      expect(apart.done).toMatchObject({ status: 'recomputed', reason: 'discontinuous' });
      expect(apart.difference).toBe(0);
      expect(update(ball, inOctant, frame, { order }, { boxes: [half] }).done.status).toBe('joined');
    }
  });
});

describe('many updates', () => {
  test('do not drift, and undo each other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), fc.constantFrom(1, 2), (seed, order) => {
        const random = createRandom(seed);
        const grid = cube(25, 1.15);
        const options = { order: order as 1 | 2 };
        const field = new MarchedField(ball, grid, options);
        let mesh = ball;
        let partial = 0;
        for (let round = 0; round < 20; round++) {
          const direction = [0, 0, 0].map(() => random.next() - 0.5);
          const length = Math.hypot(...direction);
          const unit = direction.map((x) => x / length);
          const push = 0.2 * (random.next() - 0.5);
          mesh = bump(mesh, unit.map((x) => 0.8 * x) as Vec3, 0.25, unit.map((x) => push * x) as Vec3);
          if (field.update(mesh).status === 'joined') partial++;
        }
        expect(partial).toBeGreaterThan(10);
        const bound = order === 1 ? 1e-8 : SECOND_ORDER_BOUND;
        expect(largestDifference(field.field.values, fresh(mesh, grid, options)) / grid.spacing).toBeLessThanOrEqual(
          bound,
        );
        field.update(ball);
        expect(largestDifference(field.field.values, fresh(ball, grid, options)) / grid.spacing).toBeLessThanOrEqual(
          bound,
        );
      }),
      { numRuns: 4 * SOAK, seed: 11 },
    );
  });

  test('undo a bump and have the first field back', () => {
    const field = new MarchedField(ball, frame, { order: 1 });
    const before = field.snapshot().values;
    expect(field.update(deformations[0].to).status).toBe('joined');
    expect(largestDifference(field.field.values, before)).toBeGreaterThan(frame.spacing);
    expect(field.update(ball).status).toBe('joined');
    expect(largestDifference(field.field.values, before)).toBeLessThanOrEqual(1e-12);
  });
});

describe('what cannot be updated in boxes', () => {
  test('is computed anew where vertices that closed the surface by being equal part, or others meet', () => {
    // Every triangle has vertices of its own.
    const loose: Mesh = {
      positions: Float64Array.from({ length: 3 * ball.indices.length }, (_, i) => {
        return ball.positions[3 * ball.indices[Math.floor(i / 3)] + (i % 3)];
      }),
      indices: ball.indices.map((_, corner) => corner),
    };
    const field = new MarchedField(loose, frame);
    expect(field.field.closed).toBe(true);
    const bumped = moved(loose, ([x, y, z]) => (x > 0.6 ? [1.05 * x, y, z] : [x, y, z]));
    expect(field.update(bumped).status).toBe('joined');
    // Two triangles change places: closed before and after, but not on the way.
    const swapped = { positions: bumped.positions.slice(), indices: bumped.indices };
    swapped.positions.set(bumped.positions.subarray(0, 9), 900);
    swapped.positions.set(bumped.positions.subarray(900, 909), 0);
    expect(field.update(swapped)).toMatchObject({ status: 'recomputed', reason: 'connectivity' });
    expect(field.field.closed).toBe(true);
  });

  test('is computed anew: other connectivity, open surfaces, surfaces that leave the grid, everything moved', () => {
    const field = new MarchedField(ball, frame);
    const other = sphere.build({ radius: 0.7, segments: 20, rings: 10 });
    expect(field.update(other)).toMatchObject({ status: 'recomputed', reason: 'connectivity' });
    expect(largestDifference(field.field.values, fresh(other, frame, {}))).toBe(0);
    const turned = { positions: other.positions, indices: other.indices.slice() };
    turned.indices.set([other.indices[1], other.indices[2], other.indices[0]]);
    expect(field.update(turned).reason).toBe('connectivity');
    const far = moved(turned, ([x, y, z]) => [x + 0.7, y, z]);
    expect(field.update(far).reason).toBe('leaves-grid');
    expect(largestDifference(field.field.values, fresh(far, frame, {}))).toBe(0);
    expect(field.update(turned).reason).toBe('leaves-grid');
    expect(field.update(moved(turned, ([x, y, z]) => [1.1 * x, 1.1 * y, 1.1 * z])).reason).toBe('most-nodes');
    const open: Mesh = { positions: ball.positions, indices: ball.indices.slice(0, -60) };
    const signed = new MarchedField(open, frame);
    const dented = bump(open, [0.8, 0, 0], 0.3, [-0.1, 0, 0]);
    expect(signed.update(dented).reason).toBe('open');
    expect(largestDifference(signed.field.values, fresh(dented, frame, {}))).toBe(0);
    const unsigned = new MarchedField(open, frame, { sign: 'none', order: 1 });
    expect(unsigned.update(dented).status).toBe('joined');
    expect(
      largestDifference(unsigned.field.values, fresh(dented, frame, { sign: 'none', order: 1 })),
    ).toBeLessThanOrEqual(1e-12);
  });

  test('is computed anew after an update that was stopped', () => {
    const field = new MarchedField(ball, frame);
    const { to } = deformations[0];
    const stopped = () => field.update(to, { signal: { aborted: true } });
    expect(stopped).toThrow(expect.objectContaining({ code: 'aborted' }));
    expect(field.update(to)).toMatchObject({ status: 'recomputed', reason: 'incomplete' });
    expect(largestDifference(field.field.values, fresh(to, frame, {}))).toBe(0);
  });

  test('is refused, and the field stays', () => {
    const field = new MarchedField(ball, frame);
    const before = field.snapshot().values;
    const { to } = deformations[0];
    const bad: UpdateOptions[] = [
      { boxes: [{ min: [0, Number.NaN, 0], max: [1, 1, 1] }] },
      { boxes: [{ min: [0, 0] as unknown as Vec3, max: [1, 1, 1] }] },
      { boxes: [{}] as unknown as Box[] },
      { boxes: {} as unknown as Box[] },
      { boxes: [{ min: ['0', 0, 0] as unknown as Vec3, max: [1, 1, 1] }] },
      { maxBoxes: 0 },
      { maxBoxes: 1.5 },
      { blendLayers: 0 },
      { continuityTolerance: -1 },
      { blendTolerance: Number.NaN },
      { border: 'none' as 'nothing' },
      { border: 'nothing', join: 'spread' },
    ];
    for (const options of bad) {
      expect(() => field.update(to, options)).toThrow(NearfieldError);
      expect(() => field.update(to, options)).toThrow(expect.objectContaining({ code: 'bad-argument' }));
    }
    const broken = to.positions.slice();
    broken[4] = Number.NaN;
    expect(() => field.update({ positions: broken, indices: to.indices })).toThrow(NearfieldError);
    for (const none of [null, 5, { rings: 3 }, { rings: [3] }] as unknown as Mesh[]) {
      expect(() => field.update(none)).toThrow(NearfieldError);
      expect(() => new MarchedField(none, frame)).toThrow(NearfieldError);
      expect(() => marchField(none, frame)).toThrow(NearfieldError);
    }
    expect(field.field.values).toEqual(before);
    expect(field.update(to).status).toBe('joined');
    expect(() => new MarchedField(ball, frame, { band: 'triangle-boxes' })).toThrow(
      expect.objectContaining({ code: 'unsupported' }),
    );
    expect(() => new MarchedField(ball, frame, { method: 'exact' })).toThrow(
      expect.objectContaining({ code: 'unsupported' }),
    );
    expect(() => new MarchedField({} as Mesh, frame)).toThrow(NearfieldError);
  });
});
