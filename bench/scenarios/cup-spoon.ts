import { pose, quat } from 'nearfield/core';
import { findModel, type Mesh } from 'nearfield/mesh';
import { type ClearanceField, rattle } from './rattle.js';
import { FRAME_COUNT, type ScenarioDefinition } from './scenario.js';

/** Ehmann and Lin 2001, section 8.2, scenario 2: a spoon falls into a fixed cup, rattles and comes to rest. */
export const cupSpoon: ScenarioDefinition = {
  name: 'cup-spoon',
  title: 'Cup and spoon',
  description: 'A spoon falls into a cup, rattles and comes to rest.',
  build() {
    const spoon = findModel('spoon').build();
    const pairs = [[0, 1]] as const;
    const upright = quat.multiply(
      quat.fromAxisAngle([1, 0, 0], 0.15),
      quat.fromAxisAngle([0, 0, 1], Math.PI / 2 - 0.1),
    );
    return {
      name: cupSpoon.name,
      title: cupSpoon.title,
      bodies: [
        { name: 'cup', mesh: findModel('cup').build() },
        { name: 'spoon', mesh: spoon },
      ],
      pairs,
      frameCount: FRAME_COUNT,
      poses: rattle(
        [
          { balls: new Float64Array(), field: cupField, start: pose.identity(), fixed: true, gyration: 1 },
          {
            balls: surfaceBalls(spoon, 0.025, 0.01),
            start: pose.create([0.02, 0.85, 0.03], upright),
            gyration: 0.25,
            spin: [0.3, 0.8, 0.2],
          },
        ],
        pairs,
        { force: () => [0, -9.81, 0], bounce: 0.5, drag: 1.5, frameTime: 1 / 120 },
      ),
    };
  },
};

/** The catalogue's cup without its handle: between two bellies rⁿ + depthⁿ = 1, with a round rim; meters. */
const RIM_HEIGHT = 0.4;
const RADIUS = 0.36;
const DEPTH = 0.8;
const THICKNESS = 0.03;
const ROUNDNESS = 2.3;

const cupField: ClearanceField = (point, direction) => {
  const around = Math.hypot(point[0], point[2]);
  const depth = RIM_HEIGHT - point[1];
  const [cos, sin] = around > 0 ? [point[0] / around, point[2] / around] : [1, 0];
  const set = (outwards: number, upwards: number): void => {
    direction[0] = outwards * cos;
    direction[1] = upwards;
    direction[2] = outwards * sin;
  };
  if (depth <= 0) {
    const [across, up] = [around - (RADIUS - THICKNESS / 2), -depth];
    const size = Math.hypot(across, up);
    set(across / size, up / size);
    return size - THICKNESS / 2;
  }
  // Well within the ellipse that the inner belly encloses: farther from the wall than any ball is wide.
  const inner = (around / (RADIUS - THICKNESS)) ** 2 + (depth / (DEPTH - THICKNESS)) ** 2;
  if (inner < 0.85) return 0.025;
  const inside = bellyClearance(around, depth, RADIUS - THICKNESS, DEPTH - THICKNESS);
  const outside = bellyClearance(around, depth, RADIUS, DEPTH);
  const nearer = -inside.clearance > outside.clearance ? inside : outside;
  const sign = nearer === inside ? -1 : 1;
  set(sign * nearer.outwards, -sign * nearer.downwards);
  return sign * nearer.clearance;
};

/** Clearance outside of a belly, negative inside, to first order, and the direction in which it grows. */
function bellyClearance(around: number, depth: number, radius: number, height: number) {
  const [x, y] = [around / radius, depth / height];
  const [slopeX, slopeY] = [x ** (ROUNDNESS - 1) / radius, y ** (ROUNDNESS - 1) / height];
  const slope = Math.hypot(slopeX, slopeY) || 1;
  const clearance = (x ** ROUNDNESS + y ** ROUNDNESS - 1) / (ROUNDNESS * slope);
  return { clearance, outwards: slopeX / slope, downwards: slopeY / slope };
}

/** Balls of one radius all over a surface, one in each cell of that size that the surface passes through. */
function surfaceBalls({ positions, indices }: Mesh, cell: number, radius: number): Float64Array {
  const balls = new Map<string, number[]>();
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => positions.subarray(3 * indices[i + k], 3 * indices[i + k] + 3));
    const steps = Math.ceil((2 * Math.max(distance(a, b), distance(b, c), distance(c, a))) / cell);
    for (let u = 0; u <= steps; u++) {
      for (let v = 0; u + v <= steps; v++) {
        const at = [0, 1, 2].map((k) => a[k] + ((b[k] - a[k]) * u + (c[k] - a[k]) * v) / steps);
        const key = at.map((value) => Math.floor(value / cell)).join();
        // Corners come before what else is in their cell.
        const isCorner = (u === 0 || u === steps) && (v === 0 || v === steps);
        if (isCorner || !balls.has(key)) balls.set(key, [...at, radius]);
      }
    }
  }
  return Float64Array.from([...balls.values()].flat());
}

function distance(a: Float64Array, b: Float64Array): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
