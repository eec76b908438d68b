// Random closed meshes of some hundred triangles, round, flat and with holes, bent and placed at random.
import type { Random } from '../../src/core/random.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { machinedParts } from './machined-parts.js';
import { boxMesh, mapPoints, sphereGrid, torusGrid } from './surfaces.js';

/** A solid about as large as the unit ball, bent by waves and turned. */
export function randomSolid(random: Random): Mesh {
  const parts = machinedParts(6);
  const kind = random.integer(4);
  const part = parts[random.integer(parts.length)].mesh;
  const base =
    kind === 0
      ? sphereGrid(4)
      : kind === 1
        ? torusGrid(12, 8, 0.7, 0.3)
        : kind === 2
          ? boxMesh([-1, -0.4, -0.7], [1, 0.4, 0.7])
          : toUnit(part);
  const bend = random.next() < 0.5 ? 0 : 0.15;
  const phase = 6 * random.next();
  const angle = 6.28 * random.next();
  const tilt = 3.14 * random.next();
  return mapPoints(base, ([x, y, z]) => {
    const u = x + bend * Math.sin(3 * y + phase);
    const v = y + bend * Math.sin(2 * z + phase);
    const p = Math.cos(angle) * u - Math.sin(angle) * v;
    const q = Math.sin(angle) * u + Math.cos(angle) * v;
    return [p, Math.cos(tilt) * q - Math.sin(tilt) * z, Math.sin(tilt) * q + Math.cos(tilt) * z];
  });
}

export function moved(mesh: Mesh, by: readonly number[], scale = 1): Mesh {
  return mapPoints(mesh, (point) => point.map((x, axis) => scale * (x + by[axis])));
}

/** Centered and scaled into the unit ball. */
function toUnit(mesh: Mesh): Mesh {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let n = 0; n < mesh.positions.length; n++) {
    low[n % 3] = Math.min(low[n % 3], mesh.positions[n]);
    high[n % 3] = Math.max(high[n % 3], mesh.positions[n]);
  }
  const size = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  return mapPoints(mesh, (point) => point.map((x, axis) => (2 * (x - (low[axis] + high[axis]) / 2)) / size));
}

/** Points spread evenly over the surface. */
export function surfacePoints({ positions, indices }: Mesh, random: Random, count: number): [number, number, number][] {
  const sums: number[] = [];
  let sum = 0;
  const corner = (vertex: number): number[] => [0, 1, 2].map((axis) => positions[3 * vertex + axis]);
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => corner(indices[i + k]));
    const u = b.map((x, axis) => x - a[axis]);
    const v = c.map((x, axis) => x - a[axis]);
    sum += Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
    sums.push(sum);
  }
  return Array.from({ length: count }, () => {
    const at = sum * random.next();
    const face = Math.max(
      0,
      sums.findIndex((end) => end >= at),
    );
    const [a, b, c] = [0, 1, 2].map((k) => corner(indices[3 * face + k]));
    const root = Math.sqrt(random.next());
    const share = random.next();
    return [0, 1, 2].map((axis) => (1 - root) * a[axis] + root * ((1 - share) * b[axis] + share * c[axis])) as [
      number,
      number,
      number,
    ];
  });
}

/** The area of the whole surface. */
export function surfaceArea({ positions, indices }: Mesh): number {
  let sum = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((axis) => positions[3 * indices[i + k] + axis]));
    const u = b.map((x, axis) => x - a[axis]);
    const v = c.map((x, axis) => x - a[axis]);
    sum += Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
  }
  return sum;
}
