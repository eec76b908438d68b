import { describe, expect, test } from 'vitest';
import * as pose from '../../src/core/pose.js';
import type { Vec3 } from '../../src/core/vec3.js';
import * as vec3 from '../../src/core/vec3.js';
import { findModel } from '../../src/models/catalogue.js';
import { findCrossingCurves } from '../../src/proximity/crossing-curves.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';

const ball = new ProximityModel(findModel('icosphere').build({ radius: 1, subdivisions: 24 }));
const place = pose.parse([3, -2, 5, 0.2, 0.4, -0.1, 0.9]);

/** The lengths of the segments together, and all ends. */
function trace(segments: Float64Array): { length: number; ends: Vec3[] } {
  const ends: Vec3[] = [];
  for (let o = 0; o < segments.length; o += 3) ends.push([segments[o], segments[o + 1], segments[o + 2]]);
  let length = 0;
  for (let i = 0; i < ends.length; i += 2) length += vec3.distance(ends[i], ends[i + 1]);
  return { length, ends };
}

describe('the curves in which two surfaces cross', () => {
  test('two balls a radius apart: the circle between them, wherever they are', () => {
    const shift = pose.transformVector(place, [0, 1, 0]);
    const other = pose.create(vec3.add([place[0], place[1], place[2]], shift), [0, 0, 0, 1]);
    const { length, ends } = trace(findCrossingCurves(ball, ball, place, other));
    expect(ends.length).toBeGreaterThan(100);
    const radius = Math.sqrt(3) / 2;
    expect(length).toBeGreaterThan(0.99 * 2 * Math.PI * radius);
    expect(length).toBeLessThan(1.02 * 2 * Math.PI * radius);
    const middle = vec3.addScaled([place[0], place[1], place[2]], shift, 0.5);
    for (const end of ends) {
      const from = vec3.subtract(end, middle);
      expect(Math.abs(vec3.dot(from, shift))).toBeLessThan(0.005);
      expect(Math.abs(vec3.length(from) - radius)).toBeLessThan(0.01);
    }
  });

  test('none where the surfaces do not meet: apart, or one inside the other', () => {
    const small = new ProximityModel(findModel('icosphere').build({ radius: 0.3, subdivisions: 4 }));
    expect(findCrossingCurves(ball, ball, place, pose.create([9, 9, 9])).length).toBe(0);
    expect(findCrossingCurves(ball, small, place, place).length).toBe(0);
  });

  test('as many segments as asked for at most, from all around', () => {
    const other = pose.create(vec3.add([place[0], place[1], place[2]], [1, 0, 0]));
    const { ends } = trace(findCrossingCurves(ball, ball, place, other, { maxSegments: 12 }));
    expect(ends.length).toBe(24);
    const heights = ends.map(([, y]) => y - place[1]);
    expect(Math.max(...heights)).toBeGreaterThan(0.5);
    expect(Math.min(...heights)).toBeLessThan(-0.5);
  });
});
