// Candidate pairs against samples of the motion: no pair that comes near is missed, and few others are named.
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { BroadPhase, type MovingBodies } from '../../../src/dynamics/solver/broad-phase.js';
import { CollisionShape } from '../../../src/manifold/shape/collision-shape.js';
import { boxMesh } from '../../generators/surfaces.js';

const shapes = [
  CollisionShape.solid(boxMesh([0, 0, 0], [1, 0.2, 0.4])),
  CollisionShape.solid(boxMesh([-0.1, -0.3, -0.1], [0.1, 0.3, 0.1])),
  CollisionShape.ball(0.3),
];

function scatter(seed: number, count: number): MovingBodies {
  const random = createRandom(seed);
  const list = (length: number, make: () => number): Float64Array => Float64Array.from({ length }, make);
  const shape = Array.from({ length: count }, () => shapes[random.integer(3)]);
  return {
    count,
    kind: Int8Array.from({ length: count }, () => (random.next() < 0.2 ? 0 : 2)),
    center: list(3 * count, () => random.range(-2, 2)),
    orientation: Float64Array.from(Array.from({ length: count }, () => random.rotation()).flat()),
    velocity: list(3 * count, () => random.range(-3, 3)),
    angularVelocity: list(3 * count, () => random.range(-5, 5)),
    localCenter: Float64Array.from({ length: 3 * count }, (_, k) =>
      shape[Math.floor(k / 3)].model === null ? 0 : random.range(-0.2, 0.2),
    ),
    group: new Int32Array(count).fill(1),
    mask: Int32Array.from({ length: count }, () => (random.next() < 0.1 ? 0 : -1)),
    asleep: new Uint8Array(count),
    shape,
  };
}

/** Points of a body's surface at a time: the corners of its box, or points of its sphere. */
function pointsAt(b: MovingBodies, i: number, t: number): number[][] {
  const { model, ballRadius: r } = b.shape[i]!;
  const corners =
    model === null
      ? [
          [r, 0, 0],
          [-r, 0, 0],
          [0, r, 0],
          [0, -r, 0],
          [0, 0, r],
          [0, 0, -r],
        ]
      : Array.from({ length: 8 }, (_, k) =>
          [0, 1, 2].map((axis) => (k & (1 << axis) ? model.boxMax : model.boxMin)[axis]),
        );
  const [wx, wy, wz] = b.angularVelocity.subarray(3 * i, 3 * i + 3);
  const angle = Math.hypot(wx, wy, wz) * t;
  const s = angle > 0 ? (Math.sin(angle / 2) * t) / angle : 0;
  const turn = [wx * s, wy * s, wz * s, Math.cos(angle / 2)];
  return corners.map((corner) => {
    const arm = corner.map((value, k) => value - b.localCenter[3 * i + k]);
    const turned = model === null ? corner : rotate(turn, rotate([...b.orientation.subarray(4 * i, 4 * i + 4)], arm));
    return turned.map((value, k) => value + b.center[3 * i + k] + t * b.velocity[3 * i + k]);
  });
}

function rotate([x, y, z, w]: readonly number[], [a, b, c]: readonly number[]): number[] {
  const [p, q, r] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * p + y * r - z * q, b + w * q + z * p - x * r, c + w * r + x * q - y * p];
}

test('every pair whose boxes come near in the step is named once, in order, and filters are obeyed', () => {
  const broad = new BroadPhase();
  const dt = 1 / 30;
  const margin = 0.01;
  let near = 0;
  let named = 0;
  for (let seed = 0; seed < 12; seed++) {
    const bodies = scatter(seed, 40);
    const list = broad.findPairs(bodies, dt, margin);
    const pairs = Array.from({ length: list.count }, (_, k) => [list.pairs[2 * k], list.pairs[2 * k + 1]]);
    const keys = pairs.map(([a, b]) => 1000 * a + b);
    const set = new Set(keys);
    expect(keys).toEqual([...set].sort((p, q) => p - q));
    for (const [a, b] of pairs) expect(a).toBeLessThan(b);
    named += pairs.length;
    for (let a = 0; a < 40; a++) {
      for (let b = a + 1; b < 40; b++) {
        const allowed = (bodies.kind[a] === 2 || bodies.kind[b] === 2) && bodies.mask[a] !== 0 && bodies.mask[b] !== 0;
        if (!allowed) {
          expect(set.has(1000 * a + b)).toBe(false);
          continue;
        }
        const meets = [0, 0.25, 0.5, 0.75, 1].some((share) => {
          const [p, q] = [pointsAt(bodies, a, share * dt), pointsAt(bodies, b, share * dt)];
          return [0, 1, 2].every(
            (k) =>
              Math.min(...p.map((x) => x[k])) <= Math.max(...q.map((x) => x[k])) + margin &&
              Math.min(...q.map((x) => x[k])) <= Math.max(...p.map((x) => x[k])) + margin,
          );
        });
        if (!meets) continue;
        near++;
        expect(set.has(1000 * a + b), `${seed}: ${a} and ${b}`).toBe(true);
      }
    }
  }
  expect(near).toBeGreaterThan(150);
  expect(named).toBeLessThan(3 * near);
});
