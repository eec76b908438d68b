// Small closed solids for the proofs of penetration depth, built from nothing but numbers. With integers in, the
// coordinates of all but the round ones are exact, and so are the moves, so that flat faces stay flat.

/** A closed surface, counter-clockwise seen from outside. */
export interface Solid {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
}

export type Point = readonly [number, number, number];

function solidOf(points: readonly (readonly number[])[], faces: readonly (readonly number[])[]): Solid {
  const indices: number[] = [];
  for (const face of faces) for (let k = 2; k < face.length; k++) indices.push(face[0], face[k - 1], face[k]);
  return { positions: Float64Array.from(points.flat()), indices: Uint32Array.from(indices) };
}

/** The box between two corners. */
export function box(low: Point, high: Point): Solid {
  const points = Array.from({ length: 8 }, (_, i) => [0, 1, 2].map((k) => ((i >> k) & 1 ? high[k] : low[k])));
  return solidOf(points, BOX_FACES);
}

const BOX_FACES = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
];

/** The box with its top pushed in (or pulled out) to a point above or below the middle of the top. */
export function dentedBox(low: Point, high: Point, apexZ: number): Solid {
  const points = Array.from({ length: 8 }, (_, i) => [0, 1, 2].map((k) => ((i >> k) & 1 ? high[k] : low[k])));
  points.push([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, apexZ]);
  const [bottom, , ...sides] = BOX_FACES;
  return solidOf(points, [bottom, ...sides, [4, 5, 8], [5, 7, 8], [7, 6, 8], [6, 4, 8]]);
}

/** A polygon, counter-clockwise and without holes, between two heights. Its ears are cut off one by one. */
export function extrude(outline: readonly (readonly [number, number])[], low: number, high: number): Solid {
  const count = outline.length;
  const points = [...outline.map(([x, y]) => [x, y, low]), ...outline.map(([x, y]) => [x, y, high])];
  const faces: number[][] = [];
  const turn = (i: number, j: number, k: number) =>
    (outline[j][0] - outline[i][0]) * (outline[k][1] - outline[i][1]) -
    (outline[j][1] - outline[i][1]) * (outline[k][0] - outline[i][0]);
  const left = Array.from({ length: count }, (_, i) => i);
  while (left.length > 2) {
    const ear = left.findIndex((j, at) => {
      const i = left[(at + left.length - 1) % left.length];
      const k = left[(at + 1) % left.length];
      if (turn(i, j, k) <= 0) return false;
      return left.every(
        (p) => p === i || p === j || p === k || turn(i, j, p) < 0 || turn(j, k, p) < 0 || turn(k, i, p) < 0,
      );
    });
    if (ear < 0) throw new Error('The outline is not a simple polygon that turns left.');
    const i = left[(ear + left.length - 1) % left.length];
    const j = left[ear];
    const k = left[(ear + 1) % left.length];
    faces.push([i + count, j + count, k + count], [k, j, i]);
    left.splice(ear, 1);
  }
  for (let i = 0; i < count; i++) {
    const next = (i + 1) % count;
    faces.push([i, next, next + count, i + count]);
  }
  return solidOf(points, faces);
}

/** A ring of prisms around the z axis: inner and outer corners at the given points, between two heights. */
export function frame(
  inner: readonly (readonly [number, number])[],
  outer: readonly (readonly [number, number])[],
  low: number,
  high: number,
): Solid {
  const count = inner.length;
  const points: number[][] = [];
  for (const ring of [inner, outer]) for (const z of [low, high]) for (const [x, y] of ring) points.push([x, y, z]);
  const at = (ring: number, top: number, i: number) => (2 * ring + top) * count + (i % count);
  const faces: number[][] = [];
  for (let i = 0; i < count; i++) {
    const next = i + 1;
    faces.push([at(1, 0, i), at(1, 0, next), at(1, 1, next), at(1, 1, i)]);
    faces.push([at(0, 0, next), at(0, 0, i), at(0, 1, i), at(0, 1, next)]);
    faces.push([at(0, 1, i), at(1, 1, i), at(1, 1, next), at(0, 1, next)]);
    faces.push([at(0, 0, next), at(1, 0, next), at(1, 0, i), at(0, 0, i)]);
  }
  return solidOf(points, faces);
}

/** A square frame: half widths of the hole and of the whole, half height. */
export function squareFrame(hole: number, outer: number, half: number): Solid {
  const square = (s: number): [number, number][] => [
    [s, s],
    [-s, s],
    [-s, -s],
    [s, -s],
  ];
  return frame(square(hole), square(outer), -half, half);
}

/** A solid of given triangles. */
export function polyhedron(points: readonly Point[], faces: readonly (readonly number[])[]): Solid {
  return solidOf(points, faces);
}

export function tetrahedron(size: number): Solid {
  const s = size;
  return solidOf(
    [
      [s, s, s],
      [s, -s, -s],
      [-s, s, -s],
      [-s, -s, s],
    ],
    [
      [0, 1, 2],
      [0, 2, 3],
      [0, 3, 1],
      [1, 3, 2],
    ],
  );
}

export function octahedron(size: number): Solid {
  const s = size;
  return solidOf(
    [
      [s, 0, 0],
      [-s, 0, 0],
      [0, s, 0],
      [0, -s, 0],
      [0, 0, s],
      [0, 0, -s],
    ],
    [
      [0, 2, 4],
      [2, 1, 4],
      [1, 3, 4],
      [3, 0, 4],
      [2, 0, 5],
      [1, 2, 5],
      [3, 1, 5],
      [0, 3, 5],
    ],
  );
}

/** Each triangle replaced by three to a point over it: the sum of its corners times `factor` (1/3 is the triangle itself). */
export function stellate(solid: Solid, factor: number): Solid {
  const positions = Array.from(solid.positions);
  const indices: number[] = [];
  for (let i = 0; i < solid.indices.length; i += 3) {
    const [a, b, c] = solid.indices.subarray(i, i + 3);
    const apex = positions.length / 3;
    for (let k = 0; k < 3; k++) {
      positions.push(factor * (solid.positions[3 * a + k] + solid.positions[3 * b + k] + solid.positions[3 * c + k]));
    }
    indices.push(a, b, apex, b, c, apex, c, a, apex);
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

/** The surface from the other side: what bounds a cavity. */
export function turnInsideOut(solid: Solid): Solid {
  const indices = Uint32Array.from(solid.indices);
  for (let i = 0; i < indices.length; i += 3) [indices[i + 1], indices[i + 2]] = [indices[i + 2], indices[i + 1]];
  return { positions: solid.positions, indices };
}

/** Several surfaces as one mesh. */
export function join(...solids: readonly Solid[]): Solid {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const solid of solids) {
    const first = positions.length / 3;
    for (const x of solid.positions) positions.push(x);
    for (const i of solid.indices) indices.push(first + i);
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Moved by an offset. */
export function move(solid: Solid, x: number, y: number, z: number): Solid {
  const offset = [x, y, z];
  return { positions: solid.positions.map((value, i) => value + offset[i % 3]), indices: solid.indices };
}

/** Grown about the origin. */
export function scale(solid: Solid, factor: number): Solid {
  return { positions: solid.positions.map((value) => value * factor), indices: solid.indices };
}

/**
 * Turned by a quaternion of integers, not unit, and grown by the square of its length: with integer coordinates the
 * result is exact, and flat faces stay flat whatever the angle.
 */
export function turn(solid: Solid, x: number, y: number, z: number, w: number): Solid {
  const rows = [
    [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
  ];
  const positions = new Float64Array(solid.positions.length);
  for (let v = 0; v < positions.length; v += 3) {
    for (let k = 0; k < 3; k++) {
      positions[v + k] =
        rows[k][0] * solid.positions[v] + rows[k][1] * solid.positions[v + 1] + rows[k][2] * solid.positions[v + 2];
    }
  }
  return { positions, indices: solid.indices };
}

/** A sphere around the origin: each side of an octahedron cut into `parts`², its points pushed out to the radius. */
export function sphere(radius: number, parts: number): Solid {
  const ids = new Map<string, number>();
  const positions: number[] = [];
  const indices: number[] = [];
  const { positions: corners, indices: sides } = octahedron(1);
  for (let s = 0; s < sides.length; s += 3) {
    const at = (i: number, j: number): number => {
      const weights = [parts - i - j, i, j];
      const p = [0, 1, 2].map((k) => {
        let sum = 0;
        for (let c = 0; c < 3; c++) sum += weights[c] * corners[3 * sides[s + c] + k];
        return sum;
      });
      const key = p.map((value) => value + 0).join();
      if (!ids.has(key)) {
        const length = Math.hypot(p[0], p[1], p[2]);
        ids.set(key, positions.length / 3);
        for (const value of p) positions.push((radius * value) / length);
      }
      return ids.get(key)!;
    };
    for (let i = 0; i < parts; i++) {
      for (let j = 0; i + j < parts; j++) {
        indices.push(at(i, j), at(i + 1, j), at(i, j + 1));
        if (i + j + 1 < parts) indices.push(at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
      }
    }
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

/** A torus around the z axis. */
export function torus(ringRadius: number, tubeRadius: number, around: number, across: number): Solid {
  const points: number[][] = [];
  const faces: number[][] = [];
  for (let i = 0; i < around; i++) {
    for (let j = 0; j < across; j++) {
      const u = (2 * Math.PI * i) / around;
      const v = (2 * Math.PI * j) / across;
      const rho = ringRadius + tubeRadius * Math.cos(v);
      points.push([rho * Math.cos(u), rho * Math.sin(u), tubeRadius * Math.sin(v)]);
      const [a, b] = [i * across, ((i + 1) % around) * across];
      const next = (j + 1) % across;
      faces.push([a + j, b + j, b + next, a + next]);
    }
  }
  return solidOf(points, faces);
}
