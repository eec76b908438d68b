// The triangles of a geometry that three.js draws: indexed or not, within the draw range, and with several materials
// within the groups that have one.
import type { BufferGeometry, Material } from 'three';
import { NearfieldError } from '../core/errors.js';
import { describeObject } from './describe-object.js';

/** Triangles by the vertex ids of the geometry. */
export interface TriangleList {
  /** Three vertex ids a triangle. */
  readonly corners: Uint32Array;
  /** The number of each triangle in the index, or in the positions without an index: `faceIndex` of a Raycaster. */
  readonly faces: Uint32Array;
  /** The material of each triangle; null with a single material. */
  readonly materials: Uint32Array | null;
}

/** A run of the index, or of the vertices without one. */
interface Run {
  readonly start: number;
  readonly end: number;
  readonly material: number;
}

/**
 * The triangles in the order in which they are drawn. A triangle in two groups is listed twice.
 * @param material several materials restrict the triangles to the groups; undefined for a geometry on its own.
 * @param range a part of the geometry, for batches; otherwise its draw range.
 */
export function listTriangles(
  geometry: BufferGeometry,
  material?: Material | readonly Material[],
  range: { readonly start: number; readonly count: number } = geometry.drawRange,
): TriangleList {
  const { index } = geometry;
  const position = geometry.attributes.position;
  const available = index === null ? (position?.count ?? 0) : index.count;
  const low = Math.max(0, range.start);
  const high = Math.min(available, range.start + range.count);
  const several = Array.isArray(material);
  const runs: Run[] = several
    ? geometry.groups
        .filter(({ materialIndex }) => material[materialIndex ?? 0] !== undefined)
        .map(({ start, count, materialIndex = 0 }) => {
          return { start: Math.max(start, low), end: Math.min(start + count, high), material: materialIndex };
        })
    : [{ start: low, end: high, material: 0 }];
  let count = 0;
  for (const { start, end } of runs) count += Math.max(0, Math.floor((end - start) / 3));
  const corners = new Uint32Array(3 * count);
  const faces = new Uint32Array(count);
  const materials = several ? new Uint32Array(count) : null;
  const vertices = position?.count ?? 0;
  let at = 0;
  for (const run of runs) {
    for (let i = run.start; i + 2 < run.end; i += 3) {
      faces[at] = Math.floor(i / 3);
      if (materials !== null) materials[at] = run.material;
      for (let k = 0; k < 3; k++) {
        const vertex = index === null ? i + k : index.getX(i + k);
        if (!(vertex < vertices)) {
          throw new NearfieldError(
            'index-out-of-range',
            `Entry ${i + k} of the index of ${describeObject(geometry)} is ${vertex}, but the geometry has ${vertices} vertices.`,
            { face: faces[at] },
          );
        }
        corners[3 * at + k] = vertex;
      }
      at++;
    }
  }
  return { corners, faces, materials };
}

/** The vertices that triangles use, lowest first, and the corners as places in that list. */
export function compactCorners(corners: Uint32Array): { vertices: Uint32Array; corners: Uint32Array } {
  let last = 0;
  for (const vertex of corners) last = Math.max(last, vertex + 1);
  const place = new Uint32Array(last);
  for (const vertex of corners) place[vertex] = 1;
  let count = 0;
  for (let vertex = 0; vertex < last; vertex++) {
    if (place[vertex] === 1) place[vertex] = ++count;
  }
  const vertices = new Uint32Array(count);
  for (let vertex = 0; vertex < last; vertex++) {
    if (place[vertex] > 0) vertices[place[vertex] - 1] = vertex;
  }
  return { vertices, corners: corners.map((vertex) => place[vertex] - 1) };
}
