// The surface of a snake with a round tail: a profile, turned about a path in a plane. A mouth is a bore from the snout.
import type { Vec3 } from 'nearfield/core';
import { createMesh, type Mesh } from 'nearfield/mesh';

/** A place along the path, in meters from the tail, and a distance from it. */
export type ProfilePoint = readonly [along: number, radius: number];

/** A path in the plane z = 0 that starts at the origin: which way it goes, as an angle from +X, at each length. */
export type Heading = (along: number) => number;

export interface SnakePath {
  readonly point: Vec3;
  /** Unit vectors: the way it goes, and 90° to the left of it. */
  readonly forward: Vec3;
  readonly left: Vec3;
}

/** Steps of the integration of a path. */
const STEPS = 2000;

/** Where a path is at any length up to `length`. */
export function followPath(heading: Heading, length: number): (along: number) => SnakePath {
  const xs = new Float64Array(STEPS + 1);
  const ys = new Float64Array(STEPS + 1);
  const step = length / STEPS;
  for (let i = 0; i < STEPS; i++) {
    const angle = heading((i + 0.5) * step);
    xs[i + 1] = xs[i] + step * Math.cos(angle);
    ys[i + 1] = ys[i] + step * Math.sin(angle);
  }
  return (along) => {
    const at = Math.min(Math.max(along / step, 0), STEPS - 1e-9);
    const [i, share] = [Math.floor(at), at % 1];
    const angle = heading(along);
    return {
      point: [xs[i] + share * (xs[i + 1] - xs[i]), ys[i] + share * (ys[i + 1] - ys[i]), 0],
      forward: [Math.cos(angle), Math.sin(angle), 0],
      left: [-Math.sin(angle), Math.cos(angle), 0],
    };
  };
}

/**
 * The surface between the path and itself along a profile. It starts on the path at the tail (radius 0), goes forward
 * outside, and ends on the path: at the snout, or at the bottom of the mouth.
 */
export function sweepProfile(
  profile: readonly ProfilePoint[],
  path: (along: number) => SnakePath,
  sides: number,
): Mesh {
  const positions: number[] = [...path(profile[0][0]).point];
  const indices: number[] = [];
  const rings = profile.slice(1, -1);
  for (const [along, radius] of rings) {
    const { point, left } = path(along);
    for (let side = 0; side < sides; side++) {
      const angle = (2 * Math.PI * side) / sides;
      const [c, s] = [radius * Math.cos(angle), radius * Math.sin(angle)];
      positions.push(point[0] + c * left[0], point[1] + c * left[1], s);
    }
  }
  positions.push(...path(profile[profile.length - 1][0]).point);
  const at = (ring: number, side: number): number => 1 + ring * sides + (side % sides);
  const end = 1 + rings.length * sides;
  for (let side = 0; side < sides; side++) {
    indices.push(0, at(0, side + 1), at(0, side), end, at(rings.length - 1, side), at(rings.length - 1, side + 1));
    for (let ring = 0; ring + 1 < rings.length; ring++) {
      const [a, b, c, d] = [at(ring, side), at(ring, side + 1), at(ring + 1, side), at(ring + 1, side + 1)];
      indices.push(a, b, d, a, d, c);
    }
  }
  return createMesh(positions, indices);
}

/** A quarter of an ellipse in `count` points, from the path outwards or back: without its first point. */
export function roundEnd(from: ProfilePoint, to: ProfilePoint, count: number): ProfilePoint[] {
  return Array.from({ length: count }, (_, i): ProfilePoint => {
    const angle = ((i + 1) / count) * (Math.PI / 2);
    // Steep where the radius is small.
    const opens = to[1] > from[1];
    const [u, v] = opens ? [1 - Math.cos(angle), Math.sin(angle)] : [Math.sin(angle), 1 - Math.cos(angle)];
    return [from[0] + u * (to[0] - from[0]), i === count - 1 ? to[1] : from[1] + v * (to[1] - from[1])];
  });
}
