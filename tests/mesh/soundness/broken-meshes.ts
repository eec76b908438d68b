// Solids broken as files have them: faces front and back, T-junctions, soups, faces without area.
import { createRandom, type Random } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';

/** Every face front and back, on the same vertices. */
export function doubledFaces({ positions, indices }: Mesh): Mesh {
  const faces: number[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    faces.push(indices[i], indices[i + 1], indices[i + 2], indices[i], indices[i + 2], indices[i + 1]);
  }
  return { positions: positions.slice(), indices: Uint32Array.from(faces) };
}

/** The mesh, and again inside out with vertices of its own. */
export function doubledShell({ positions, indices }: Mesh): Mesh {
  const count = positions.length / 3;
  const faces = [...indices];
  for (let i = 0; i < indices.length; i += 3) {
    faces.push(count + indices[i], count + indices[i + 2], count + indices[i + 1]);
  }
  return { positions: Float64Array.of(...positions, ...positions), indices: Uint32Array.from(faces) };
}

/** Every face with corners of its own, each moved by up to `noise` along each axis. */
export function soup({ positions, indices }: Mesh, noise = 0, random: Random = createRandom(1)): Mesh {
  const corners = new Float64Array(3 * indices.length);
  for (let i = 0; i < corners.length; i++) {
    corners[i] = positions[3 * indices[Math.floor(i / 3)] + (i % 3)] + (noise > 0 ? random.range(-noise, noise) : 0);
  }
  return { positions: corners, indices: Uint32Array.from({ length: indices.length }, (_, i) => i) };
}

/** Faces split on one side of some of their edges, at a new vertex off the edge by up to `noise` along each axis. */
export function cracked({ positions, indices }: Mesh, share: number, noise: number, random: Random): Mesh {
  const points = [...positions];
  const faces: number[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    const k = random.integer(3);
    const [a, b, c] = [0, 1, 2].map((j) => indices[i + ((j + k) % 3)]);
    if (random.range(0, 1) >= share) {
      faces.push(a, b, c);
      continue;
    }
    const t = random.range(0.3, 0.7);
    const middle = points.length / 3;
    for (let axis = 0; axis < 3; axis++) {
      const [from, to] = [positions[3 * a + axis], positions[3 * b + axis]];
      points.push(from + t * (to - from) + (noise > 0 ? random.range(-noise, noise) : 0));
    }
    faces.push(a, middle, c, middle, b, c);
  }
  return { positions: Float64Array.from(points), indices: Uint32Array.from(faces) };
}

/** With faces added that name a vertex twice, or lie on an edge with a corner in its middle. */
export function withFlatFaces({ positions, indices }: Mesh, count: number, random: Random): Mesh {
  const points = [...positions];
  const faces = [...indices];
  for (let n = 0; n < count; n++) {
    const i = 3 * random.integer(indices.length / 3);
    const [a, b] = [indices[i], indices[i + 1]];
    if (n % 2 === 0) {
      faces.splice(3 * random.integer(faces.length / 3), 0, a, a, b);
      continue;
    }
    const middle = points.length / 3;
    for (let axis = 0; axis < 3; axis++) points.push((points[3 * a + axis] + points[3 * b + axis]) / 2);
    faces.splice(3 * random.integer(faces.length / 3), 0, a, middle, b);
  }
  return { positions: Float64Array.from(points), indices: Uint32Array.from(faces) };
}

/** With some faces turned. */
export function turned({ positions, indices }: Mesh, share: number, random: Random): Mesh {
  const faces = indices.slice();
  for (let i = 0; i < faces.length; i += 3) {
    if (random.range(0, 1) < share) [faces[i + 1], faces[i + 2]] = [faces[i + 2], faces[i + 1]];
  }
  return { positions: positions.slice(), indices: faces };
}

export function scaled({ positions, indices }: Mesh, scale: number): Mesh {
  return { positions: positions.map((value) => value * scale), indices: indices.slice() };
}

export function diagonalOf({ positions }: Mesh): number {
  let squared = 0;
  for (let axis = 0; axis < 3; axis++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = axis; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]);
      high = Math.max(high, positions[i]);
    }
    squared += (high - low) ** 2;
  }
  return Math.sqrt(squared);
}

/** Volume by the divergence theorem about the first vertex, and area. */
export function sizeOf({ positions: p, indices }: Mesh): { volume: number; area: number } {
  let [volume, area] = [0, 0];
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((axis) => p[3 * indices[i + k] + axis] - p[axis]));
    const u = b.map((value, axis) => value - a[axis]);
    const v = c.map((value, axis) => value - a[axis]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    volume += (a[0] * n[0] + a[1] * n[1] + a[2] * n[2]) / 6;
    area += Math.hypot(...n) / 2;
  }
  return { volume, area };
}

/** Edges, by vertex ids, that are not traversed equally often in both directions: none in a closed, oriented mesh. */
export function countUnmatchedEdges({ indices }: Mesh): number {
  const balance = new Map<string, number>();
  for (let i = 0; i < indices.length; i++) {
    const [from, to] = [indices[i], indices[i % 3 === 2 ? i - 2 : i + 1]];
    const key = `${Math.min(from, to)} ${Math.max(from, to)}`;
    balance.set(key, (balance.get(key) ?? 0) + (from < to ? 1 : -1));
  }
  return [...balance.values()].filter((value) => value !== 0).length;
}
