// The properties of every hull, checked by structure and by exact predicates imported directly from their package.
import { orient3d } from 'robust-predicates';
import { type Hull, mergeFacets } from '../../../src/convex/index.js';

/** The faults of a hull, none when it is sound. `outsideTests: false` leaves out the O(points × faces) part. */
export function validateHull(hull: Hull, { outsideTests = true } = {}): string[] {
  const faults: string[] = [];
  const expect = (condition: boolean, fault: string, index?: number) => {
    if (!condition) faults.push(index === undefined ? fault : `${fault}: ${index}`);
  };
  const { dimension, points, vertices, triangles, twins } = hull;
  const faceCount = triangles.length / 3;
  expect(
    vertices.every((id, i) => i === 0 || vertices[i - 1] < id),
    'vertices are not ascending',
  );
  expect(vertices.at(-1)! < points.length / 3, 'a vertex is no point');
  if (dimension < 2) {
    expect(vertices.length === dimension + 1 && faceCount === 0, 'a point or segment has other parts');
    return faults;
  }
  expect(new Set(triangles).size === vertices.length, 'faces leave out a vertex');
  const isVertex = new Set(vertices);
  expect(
    triangles.every((id) => isVertex.has(id)),
    'a face has a corner that is no vertex',
  );
  expect(twins.length === triangles.length, 'twins and triangles differ in length');
  expect(vertices.length - triangles.length / 2 + faceCount === 2, 'Euler characteriztic is not 2');
  for (let edge = 0; edge < triangles.length; edge++) {
    const twin = twins[edge];
    expect(twins[twin] === edge && twin !== edge, 'a half-edge and its twin disagree', edge);
    expect(
      triangles[edge] === triangles[next(twin)] && triangles[next(edge)] === triangles[twin],
      'an edge does not match its twin',
      edge,
    );
    if (dimension === 3) {
      const [a, b, c] = [edge, next(edge), next(next(edge))].map((corner) => triangles[corner]);
      expect(side(points, a, b, c, triangles[next(next(twin))]) <= 0, 'an edge is reflex', edge);
    }
  }
  if (outsideTests) {
    for (let face = 0; face < faceCount; face++) {
      const [a, b, c] = triangles.subarray(3 * face, 3 * face + 3);
      let below = 0;
      for (let id = 0; id < points.length / 3; id++) {
        const value = side(points, a, b, c, id);
        if (dimension === 2) expect(value === 0, 'a point is off the plane', id);
        else expect(value <= 0, 'a point is outside a face', id);
        if (value < 0) below++;
      }
      expect(dimension === 2 || below > 0, 'a face has no area', face);
    }
  }
  return [...faults, ...validateFacets(hull)];
}

function validateFacets(hull: Hull): string[] {
  const faults: string[] = [];
  const { points, triangles, twins } = hull;
  const { count, starts, loops, neighbors, facetOfTriangle } = mergeFacets(hull);
  if (starts.length !== count + 1 || starts[count] !== loops.length) faults.push('facets do not cover the loops');
  let diagonals = 0;
  for (let edge = 0; edge < triangles.length; edge++) {
    if (facetOfTriangle[Math.floor(edge / 3)] === facetOfTriangle[Math.floor(twins[edge] / 3)]) diagonals++;
  }
  if (triangles.length - diagonals !== loops.length) faults.push('loops and rims differ in length');
  const facetOfEdge = new Map<string, number>();
  for (let facet = 0; facet < count; facet++) {
    const loop = loops.subarray(starts[facet], starts[facet + 1]);
    if (loop.length < 3) faults.push(`facet ${facet} has ${loop.length} corners`);
    loop.forEach((id, i) => {
      facetOfEdge.set(`${id} ${loop[(i + 1) % loop.length]}`, facet);
    });
  }
  for (let facet = 0; facet < count; facet++) {
    for (let i = starts[facet]; i < starts[facet + 1]; i++) {
      const a = loops[i];
      const b = loops[i + 1 < starts[facet + 1] ? i + 1 : starts[facet]];
      if (facetOfEdge.get(`${b} ${a}`) !== neighbors[i]) faults.push(`facet ${facet} has a wrong neighbor`);
    }
    if (hull.dimension < 3) continue;
    // Strictly convex: beyond each edge the neighbor bends away, and its corners are inside this facet's plane.
    const [a, b, c] = loops.subarray(starts[facet], starts[facet] + 3);
    for (let i = starts[facet]; i < starts[facet + 1]; i++) {
      const [from, to] = [starts[neighbors[i]], starts[neighbors[i] + 1]];
      const inside = loops.subarray(from, to).filter((id) => side(points, a, b, c, id) < 0).length;
      if (inside !== to - from - 2) faults.push(`facet ${facet} and a neighbor are not two`);
    }
  }
  return faults;
}

/** Positive when d is outside the plane through a, b, c, counter-clockwise. */
function side(points: Float64Array, a: number, b: number, c: number, d: number): number {
  const [i, j, k, l] = [3 * a, 3 * b, 3 * c, 3 * d];
  const p = points;
  // biome-ignore format: a point a row
  return -orient3d(
    p[i], p[i + 1], p[i + 2],
    p[j], p[j + 1], p[j + 2],
    p[k], p[k + 1], p[k + 2],
    p[l], p[l + 1], p[l + 2],
  );
}

function next(edge: number): number {
  return edge % 3 === 2 ? edge - 2 : edge + 1;
}
