// Implicit shapes from implicit shapes: smooth union and cut, mirror image, motion, displacement. Each keeps a sound
// Lipschitz bound and, in `near`, leaves out the parts that cannot matter in the ball.
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';
import type { ImplicitShape } from '../../mesh/implicit/implicit-shape.js';

/**
 * The union of all parts with their creases filled; `radius` is about the radius of the fillet.
 * The value s solves Σ max(0, radius − (dᵢ − s))² = radius²: one part alone gives s = d, parts farther than `radius`
 * beyond the nearest have no effect, the order does not matter, and the slope is a weighted mean of the parts' slopes.
 */
export function smoothUnion(parts: readonly ImplicitShape[], radius: number): ImplicitShape {
  if (parts.length === 1) return parts[0];
  const distances = new Float64Array(parts.length);
  return {
    lipschitz: Math.max(...parts.map((part) => part.lipschitz)),
    value: (x, y, z) => {
      let nearest = Infinity;
      for (let i = 0; i < parts.length; i++) {
        const d = parts[i].value(x, y, z);
        distances[i] = d;
        if (d < nearest) nearest = d;
      }
      return blend(distances, nearest, radius);
    },
    near(x, y, z, reach) {
      let bound = Infinity;
      for (let i = 0; i < parts.length; i++) {
        distances[i] = parts[i].value(x, y, z);
        bound = Math.min(bound, distances[i] + parts[i].lipschitz * reach);
      }
      const kept = parts.filter((part, i) => distances[i] - part.lipschitz * reach < bound + radius);
      return smoothUnion(
        kept.map((part) => part.near?.(x, y, z, reach) ?? part),
        radius,
      );
    },
  };
}

function blend(distances: Float64Array, nearest: number, radius: number): number {
  // Each round solves the quadratic over the parts within `radius` of the last value; the set only shrinks,
  // so there are no more rounds than parts.
  let s = nearest;
  let active = 0;
  for (let round = 0; round <= distances.length; round++) {
    let count = 0;
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < distances.length; i++) {
      const g = distances[i] - nearest;
      if (g >= radius + (s - nearest)) continue;
      count++;
      sum += radius - g;
      squares += (radius - g) * (radius - g);
    }
    if (count <= 1) return nearest;
    if (count === active) return s;
    active = count;
    const mean = sum / count;
    s = nearest - mean + Math.sqrt(Math.max(0, mean * mean - (squares - radius * radius) / count));
  }
  return s;
}

/** `shape` without `cutter`, the rim rounded; `radius` is about the radius of the rim. */
export function smoothCut(shape: ImplicitShape, cutter: ImplicitShape, radius: number): ImplicitShape {
  const pair = new Float64Array(2);
  return {
    lipschitz: Math.max(shape.lipschitz, cutter.lipschitz),
    value: (x, y, z) => {
      pair[0] = -shape.value(x, y, z);
      pair[1] = cutter.value(x, y, z);
      return -blend(pair, Math.min(pair[0], pair[1]), radius);
    },
    near(x, y, z, reach) {
      const solid = shape.near?.(x, y, z, reach) ?? shape;
      const clearance = cutter.value(x, y, z) - cutter.lipschitz * reach;
      const outmost = -solid.value(x, y, z) + solid.lipschitz * reach;
      if (clearance >= outmost + radius) return solid;
      return smoothCut(solid, cutter.near?.(x, y, z, reach) ?? cutter, radius);
    },
  };
}

/** The shape's half with x ≥ 0, and its mirror image. */
export function mirrorX(shape: ImplicitShape): ImplicitShape {
  return {
    lipschitz: shape.lipschitz,
    value: (x, y, z) => shape.value(Math.abs(x), y, z),
    near(x, y, z, reach) {
      const half = shape.near?.(Math.abs(x), y, z, reach) ?? shape;
      return half === shape ? this : mirrorX(half);
    },
  };
}

/** The shape turned about x, then y, then z (radians), then moved. */
export function place(shape: ImplicitShape, at: ReadonlyVec3, turn: ReadonlyVec3 = [0, 0, 0]): ImplicitShape {
  const [cx, cy, cz] = [Math.cos(turn[0]), Math.cos(turn[1]), Math.cos(turn[2])];
  const [sx, sy, sz] = [Math.sin(turn[0]), Math.sin(turn[1]), Math.sin(turn[2])];
  // Rows of the inverse rotation.
  const m = [
    cz * cy,
    sz * cy,
    -sy,
    cz * sy * sx - sz * cx,
    sz * sy * sx + cz * cx,
    cy * sx,
    cz * sy * cx + sz * sx,
    sz * sy * cx - cz * sx,
    cy * cx,
  ];
  return placed(shape, at, m);
}

function placed(shape: ImplicitShape, at: ReadonlyVec3, m: readonly number[]): ImplicitShape {
  const [tx, ty, tz] = at as Vec3;
  const [m0, m1, m2, m3, m4, m5, m6, m7, m8] = m;
  return {
    lipschitz: shape.lipschitz,
    value: (x, y, z) => {
      x -= tx;
      y -= ty;
      z -= tz;
      return shape.value(m0 * x + m1 * y + m2 * z, m3 * x + m4 * y + m5 * z, m6 * x + m7 * y + m8 * z);
    },
    near(x, y, z, reach) {
      if (!shape.near) return this;
      x -= tx;
      y -= ty;
      z -= tz;
      const p = [m0 * x + m1 * y + m2 * z, m3 * x + m4 * y + m5 * z, m6 * x + m7 * y + m8 * z] as const;
      const local = shape.near(p[0], p[1], p[2], reach);
      return local === shape ? this : placed(local, at, m);
    },
  };
}

/** A function of position whose slope is bounded: what displaces a surface. */
export interface Relief {
  value(x: number, y: number, z: number): number;
  readonly lipschitz: number;
}

/** The shape with its surface raised by `relief` (lowered where that is negative). */
export function displace(shape: ImplicitShape, relief: Relief): ImplicitShape {
  return {
    lipschitz: shape.lipschitz + relief.lipschitz,
    value: (x, y, z) => shape.value(x, y, z) - relief.value(x, y, z),
    near(x, y, z, reach) {
      const local = shape.near?.(x, y, z, reach) ?? shape;
      return local === shape ? this : displace(local, relief);
    },
  };
}
