// Letters as convex prisms, for peers that cannot use meshes: the triangles of the front are merged across common edges while
// pieces stay convex (Hertel and Mehlhorn 1983). Exact: the union of the prisms is the letter.
import type { Mesh } from 'nearfield/mesh';

/** Corners of each prism of a solid that was extruded along z, and is symmetric in it. */
export function prismsOf({ positions, indices }: Mesh): Float32Array[] {
  const depth = positions.reduce((most, value, i) => (i % 3 === 2 ? Math.max(most, value) : most), 0);
  const front: number[] = [];
  for (let t = 0; t < indices.length; t += 3) {
    const corners = [indices[t], indices[t + 1], indices[t + 2]];
    if (corners.every((v) => positions[3 * v + 2] === depth)) front.push(...corners);
  }
  return mergeConvex(positions, front).map((piece) =>
    Float32Array.from(
      [-depth, depth].flatMap((z) => piece.flatMap((v) => [positions[3 * v], positions[3 * v + 1], z])),
    ),
  );
}

/** Convex polygons of vertex ids, counter-clockwise. */
function mergeConvex(points: ArrayLike<number>, triangles: ArrayLike<number>): number[][] {
  const pieces: (number[] | null)[] = Array.from({ length: triangles.length / 3 }, (_, t) =>
    [0, 1, 2].map((k) => triangles[3 * t + k]),
  );
  for (let merged = true; merged; ) {
    merged = false;
    const edges = new Map<string, number>();
    for (const [i, piece] of pieces.entries()) {
      piece?.forEach((v, k) => {
        edges.set(`${v} ${piece[(k + 1) % piece.length]}`, i);
      });
    }
    for (const [edge, i] of edges) {
      const [a, b] = edge.split(' ').map(Number);
      const j = edges.get(`${b} ${a}`);
      const [p, q] = [pieces[i], j === undefined ? null : pieces[j]];
      if (p === null || q === null || j === undefined || i === j) continue;
      if (p[(p.indexOf(a) + 1) % p.length] !== b || q[(q.indexOf(b) + 1) % q.length] !== a) continue;
      const union = [...rotate(p, b), ...rotate(q, a).slice(1, -1)];
      if (!isConvex(points, union)) continue;
      pieces[i] = union;
      pieces[j] = null;
      merged = true;
    }
  }
  return pieces.filter((piece) => piece !== null);
}

/** The same loop, from a vertex. */
function rotate(loop: readonly number[], first: number): number[] {
  const at = loop.indexOf(first);
  return [...loop.slice(at), ...loop.slice(0, at)];
}

function isConvex(points: ArrayLike<number>, loop: readonly number[]): boolean {
  return loop.every((v, k) => {
    const [a, b] = [loop[(k + loop.length - 1) % loop.length], loop[(k + 1) % loop.length]];
    const [ux, uy] = [points[3 * v] - points[3 * a], points[3 * v + 1] - points[3 * a + 1]];
    const [wx, wy] = [points[3 * b] - points[3 * v], points[3 * b + 1] - points[3 * v + 1]];
    return ux * wy - uy * wx >= -1e-12;
  });
}
