import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { scatterBand } from '../../../src/field/exact/scatter-band.js';
import {
  allNodes,
  type GridFrame,
  gridNodeCount,
  type NodeBox,
  nodeIndex,
  nodePosition,
} from '../../../src/field/grid.js';
import { share as uniform } from '../../generators/polygons.js';
import { randomMesh, randomSoup } from '../../generators/random-meshes.js';
import { toSoup } from '../../generators/surfaces.js';
import { triangleDistance } from '../../oracles/closed-form-fields.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

interface Band {
  readonly distances: Float64Array;
  readonly nearest: Int32Array;
  readonly counters: { bandNodes: number; triangleDistances: number };
}

function scatter(triangles: Float64Array, frame: GridFrame, width: number, box: NodeBox = allNodes(frame)): Band {
  const distances = new Float64Array(gridNodeCount(frame)).fill(Infinity);
  const nearest = new Int32Array(gridNodeCount(frame)).fill(-1);
  const counters = scatterBand(triangles, triangles.length / 9, frame, width, box, distances, nearest);
  return { distances, nearest, counters };
}

/** All distances of a node, one a triangle. */
function measureAll(triangles: Float64Array, point: readonly number[]): number[] {
  const all: number[] = [];
  for (let o = 0; o < triangles.length; o += 9) {
    const [a, b, c] = [0, 3, 6].map((corner) => triangles.subarray(o + corner, o + corner + 3));
    all.push(triangleDistance(a, b, c, point));
  }
  return all;
}

function check(triangles: Float64Array, frame: GridFrame, width: number, extent: number): number {
  const { distances, nearest, counters } = scatter(triangles, frame, width);
  const tolerance = 1e-12 * extent;
  let reached = 0;
  for (let k = 0; k < frame.size[2]; k++) {
    for (let j = 0; j < frame.size[1]; j++) {
      for (let i = 0; i < frame.size[0]; i++) {
        const node = nodeIndex(frame, i, j, k);
        const all = measureAll(triangles, nodePosition(frame, i, j, k));
        const least = Math.min(...all);
        if (distances[node] === Infinity) {
          expect(least).toBeGreaterThan(width - tolerance);
          expect(nearest[node]).toBe(-1);
        } else {
          reached++;
          expect(distances[node]).toBeLessThanOrEqual(width);
          expect(Math.abs(distances[node] - least)).toBeLessThan(tolerance);
          expect(Math.abs(all[nearest[node]] - least)).toBeLessThan(tolerance);
        }
      }
    }
  }
  expect(counters.bandNodes).toBe(reached);
  return reached / gridNodeCount(frame);
}

const frame: GridFrame = { origin: [-1.3, -1.2, -1.1], spacing: 0.31, size: [9, 8, 7] };

describe('scatterBand', () => {
  test('is as near as the nearest of all triangles, within the width and nowhere else', () => {
    let share = 0;
    let runs = 0;
    fc.assert(
      fc.property(fc.oneof(randomSoup, randomMesh), uniform, (mesh, part) => {
        share += check(toSoup(mesh).positions, frame, 0.05 + 1.4 * part, 4);
        runs++;
      }),
      { numRuns: 50 * SOAK },
    );
    expect(share / runs).toBeGreaterThan(0.2);
    expect(share / runs).toBeLessThan(0.9);
  });

  test.each([1e-6, 1e6])('scales with the model (%d)', (scale) => {
    const random = createRandom(5);
    const triangles = Float64Array.from({ length: 9 * 12 }, () => scale * random.range(-1, 1));
    const scaled: GridFrame = { ...frame, origin: [-1.3 * scale, -1.2 * scale, -1.1 * scale], spacing: 0.31 * scale };
    expect(check(triangles, scaled, 0.4 * scale, 4 * scale)).toBeGreaterThan(0.1);
  });

  test('cuts the rows of triangles much larger and much smaller than the cells', () => {
    const random = createRandom(8);
    const large = Float64Array.from({ length: 9 * 3 }, () => random.range(-20, 20));
    expect(check(large, { origin: [-6, -6, -6], spacing: 0.9, size: [14, 14, 14] }, 1.4, 40)).toBeGreaterThan(0.02);
    const small = new Float64Array(9 * 300);
    for (let o = 0; o < small.length; o += 9) {
      const at = random.direction();
      for (let n = 0; n < 9; n++) small[o + n] = at[n % 3] + random.range(-0.02, 0.02);
    }
    expect(check(small, { origin: [-1.4, -1.4, -1.4], spacing: 0.35, size: [9, 9, 9] }, 0.5, 3)).toBeGreaterThan(0.2);
  });

  test('measures needles, segments and points in every direction', () => {
    const random = createRandom(9);
    for (let round = 0; round < 20 * SOAK; round++) {
      const along = round % 4 === 3 ? random.direction() : [0, 1, 2].map((axis) => (axis === round % 4 ? 1 : 0));
      const from = [0, 1, 2].map(() => random.range(-1, 1));
      const height = [0, 1e-3, 1e-9][round % 3];
      const length = round % 5 === 0 ? 0 : 1.5;
      const triangles = Float64Array.from([
        ...from,
        ...from.map((value, axis) => value + length * along[axis]),
        ...from.map((value, axis) => value + 0.4 * length * along[axis] + height * random.range(-1, 1)),
      ]);
      check(triangles, frame, 0.7, 4);
    }
  });

  test('names the lowest triangle where several are equally near, in a grid of whole numbers', () => {
    // A fan of eight triangles about a corner: above it and out of it all of them are equally near.
    const rim = [
      [1, 0],
      [1, 1],
      [0, 1],
      [-1, 1],
      [-1, 0],
      [-1, -1],
      [0, -1],
      [1, -1],
    ];
    const fan = rim.flatMap(([x, y], n) => {
      const [u, v] = rim[(n + 1) % 8];
      return [0, 0, 1, x, y, 0, u, v, 0];
    });
    const { nearest } = scatter(Float64Array.from(fan), { origin: [-1, -1, 0], spacing: 1, size: [3, 3, 4] }, 3);
    const at = (i: number, j: number, k: number) => nearest[i + 3 * (j + 3 * k)];
    expect([at(1, 1, 1), at(1, 1, 2), at(1, 1, 3)]).toEqual([0, 0, 0]);
    expect([at(2, 1, 0), at(2, 2, 0), at(1, 2, 0), at(0, 2, 0), at(0, 1, 0)]).toEqual([0, 0, 1, 2, 3]);
  });

  test('stays in its box and lowers what is there', () => {
    const random = createRandom(3);
    const triangles = Float64Array.from({ length: 9 * 20 }, () => random.range(-1, 1));
    const whole = scatter(triangles, frame, 0.5);
    const box: NodeBox = { min: [2, 1, 3], max: [6, 5, 4] };
    const part = scatter(triangles, frame, 0.5, box);
    let compared = 0;
    for (let k = 0; k < 7; k++) {
      for (let j = 0; j < 8; j++) {
        for (let i = 0; i < 9; i++) {
          const node = nodeIndex(frame, i, j, k);
          const within = [i, j, k].every((n, axis) => n >= box.min[axis] && n <= box.max[axis]);
          expect(part.distances[node]).toBe(within ? whole.distances[node] : Infinity);
          compared += within ? 1 : 0;
        }
      }
    }
    expect(compared).toBe(50);
    const lowered = new Float64Array(gridNodeCount(frame)).fill(0.1);
    scatterBand(triangles, 20, frame, 0.5, allNodes(frame), lowered, null);
    lowered.forEach((value, node) => {
      expect(value).toBe(Math.min(0.1, whole.distances[node]));
    });
  });

  test('works on a grid in the plane', () => {
    const random = createRandom(4);
    const triangles = Float64Array.from({ length: 9 * 6 }, () => random.range(-1, 1));
    const plane: GridFrame = { origin: [-1.3, -1.2, 0.2], spacing: 0.1, size: [25, 24, 1] };
    expect(check(triangles, plane, 0.3, 4)).toBeGreaterThan(0.3);
  });

  test('computes few distances a node where triangles are smaller than cells', () => {
    const random = createRandom(6);
    const triangles = new Float64Array(9 * 20000);
    for (let o = 0; o < triangles.length; o += 9) {
      const at = random.direction();
      for (let n = 0; n < 9; n++) triangles[o + n] = at[n % 3] + random.range(-0.01, 0.01);
    }
    const fine: GridFrame = { origin: [-1.2, -1.2, -1.2], spacing: 0.08, size: [31, 31, 31] };
    const { counters } = scatter(triangles, fine, 0.24);
    expect(counters.bandNodes).toBeGreaterThan(10000);
    expect(counters.triangleDistances / counters.bandNodes).toBeLessThan(25);
  });
});
