// What the origin sees through the six views, as a surface around it: a point for each pixel, or for some of them.
import { pose, type ReadonlyPose, type Vec3 } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import { pixelCenter, writeDirection } from 'nearfield/penetration';

export interface SeenSurface {
  readonly surface: Mesh;
  /** The mean distance of each triangle's corners from the origin. */
  readonly faceDistances: Float32Array;
}

/** The most points along a side of a view. */
const MAX_POINTS = 96;
/** Neighbors that differ by more than this factor are on different sides of a step, not on one surface. */
const STEP = 1.6;

/** Distances as a query's trace gives them, row 0 at the top; `turn` brings directions into the world. */
export function surfaceSeen(distances: Float32Array | null, resolution: number, turn: ReadonlyPose): SeenSurface {
  const positions: number[] = [];
  const indices: number[] = [];
  const faceDistances: number[] = [];
  if (distances === null) return collect(positions, indices, faceDistances);
  const stride = Math.ceil(resolution / MAX_POINTS);
  const side = Math.floor(resolution / stride);
  const direction = new Float64Array(3);
  const far = new Float32Array(side * side);
  for (let view = 0; view < 6; view++) {
    const first = positions.length / 3;
    for (let i = 0; i < side * side; i++) {
      // The outermost points are those of the outermost pixels, so that the six views nearly meet.
      const [column, row] = [i % side, Math.floor(i / side)].map((at) =>
        Math.round((at / (side - 1)) * (resolution - 1)),
      );
      far[i] = distances[view * resolution ** 2 + row * resolution + column];
      writeDirection(direction, view, pixelCenter(column, resolution), -pixelCenter(row, resolution));
      const scale = Number.isFinite(far[i]) ? far[i] / Math.hypot(direction[0], direction[1], direction[2]) : 0;
      const seen: Vec3 = [direction[0] * scale, direction[1] * scale, direction[2] * scale];
      positions.push(...pose.transformVector(turn, seen));
    }
    for (let i = 0; i < side * (side - 1); i++) {
      if (i % side === side - 1) continue;
      // Seen from outside: to the right, then down.
      for (const corners of [
        [i, i + 1, i + side],
        [i + 1, i + side + 1, i + side],
      ]) {
        const three = corners.map((corner) => far[corner]);
        const [least, most] = [Math.min(...three), Math.max(...three)];
        if (!(least > 0 && most <= STEP * least)) continue;
        indices.push(...corners.map((corner) => first + corner));
        faceDistances.push((three[0] + three[1] + three[2]) / 3);
      }
    }
  }
  return collect(positions, indices, faceDistances);
}

/** The same images of one convex body around the origin, whose planes are four numbers each. */
export function convexDistances(planes: Float64Array, resolution: number): Float32Array {
  const distances = new Float32Array(6 * resolution ** 2);
  const direction = new Float64Array(3);
  distances.forEach((_, i) => {
    const [view, pixel] = [Math.floor(i / resolution ** 2), i % resolution ** 2];
    const row = Math.floor(pixel / resolution);
    writeDirection(direction, view, pixelCenter(pixel % resolution, resolution), -pixelCenter(row, resolution));
    const [x, y, z] = direction;
    let far = Infinity;
    for (let plane = 0; plane < planes.length; plane += 4) {
      const slope = planes[plane] * x + planes[plane + 1] * y + planes[plane + 2] * z;
      if (slope > 0) far = Math.min(far, planes[plane + 3] / slope);
    }
    distances[i] = far * Math.hypot(x, y, z);
  });
  return distances;
}

function collect(
  positions: readonly number[],
  indices: readonly number[],
  faceDistances: readonly number[],
): SeenSurface {
  return {
    surface: { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) },
    faceDistances: Float32Array.from(faceDistances),
  };
}
