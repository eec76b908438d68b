// A geometry before morphing and skinning, welded. Welding at rest keeps parts apart that touch only in some pose, such
// as two fingers, and gives the same triangles in every pose. three.js repeats vertices at seams, and its round
// geometries (spheres, tori) repeat them with an error of rounding.
import type { BufferGeometry, Material } from 'three';
import { NearfieldError } from '../core/errors.js';
import { weldVertices } from '../mesh/repair/weld-vertices.js';
import { buildAdjacencyById } from '../mesh/topology/adjacency.js';
import { countEdgeKinds } from '../mesh/topology/edge-kinds.js';
import { type ReadableAttribute, readVertices } from './read-vertices.js';
import { compactCorners, listTriangles, type TriangleList } from './triangle-list.js';

/** Rounding: weights and displacements of vertices that are one are equal up to this share of their size. */
const SAME_ATTRIBUTE = 1e-6;

/** The triangles of a geometry with one vertex at each place. */
export interface RestMesh {
  /** Places in `vertices`, three a triangle, as three.js winds them. */
  readonly corners: Uint32Array;
  /** The number of each triangle in the geometry. */
  readonly faces: Uint32Array;
  /** The vertex ids in the geometry. */
  readonly vertices: Uint32Array;
  readonly weldedVertices: number;
  /** Triangles left out because two of their corners are one. */
  readonly droppedTriangles: number;
  /** Whether the triangles have an open edge. */
  readonly open: boolean;
  /** The largest absolute coordinate at rest. */
  readonly magnitude: number;
}

/** The welded geometry; null if it has no triangles. See {@link listTriangles} for `material` and `range`. */
export function restMesh(
  geometry: BufferGeometry,
  tolerance: number,
  material?: Material | readonly Material[],
  range?: { readonly start: number; readonly count: number },
): RestMesh | null {
  const list = withoutRepeats(listTriangles(geometry, material, range));
  if (list.faces.length === 0) return null;
  const { vertices, corners } = compactCorners(list.corners);
  const positions = readVertices(geometry, vertices);
  let magnitude = 0;
  for (const value of positions) magnitude = Math.max(magnitude, Math.abs(value));
  const { vertexMap } = weldVertices({ positions, indices: corners }, { tolerance });
  const kept = keepDistinct(geometry, vertices, vertexMap);
  const welded = dropCollapsed(
    corners.map((vertex) => kept.map[vertex]),
    list.faces,
  );
  if (welded.faces.length === 0) return null;
  const rest = { positions: readVertices(geometry, kept.vertices), indices: welded.corners };
  const { boundaryEdges, unbalancedEdges } = countEdgeKinds(buildAdjacencyById(rest));
  return {
    ...welded,
    vertices: kept.vertices,
    weldedVertices: vertices.length - kept.vertices.length,
    droppedTriangles: list.faces.length - welded.faces.length,
    open: boundaryEdges > 0 || unbalancedEdges > 0,
    magnitude,
  };
}

/** Overlapping groups draw a triangle twice; a model has it once. */
function withoutRepeats(list: TriangleList): TriangleList {
  if (list.materials === null || new Set(list.faces).size === list.faces.length) return list;
  const seen = new Set<number>();
  const places = Array.from(list.faces.keys()).filter((at) => {
    const face = list.faces[at];
    if (seen.has(face)) return false;
    seen.add(face);
    return true;
  });
  const corners = new Uint32Array(3 * places.length);
  places.forEach((at, i) => {
    corners.set(list.corners.subarray(3 * at, 3 * at + 3), 3 * i);
  });
  return { corners, faces: Uint32Array.from(places, (at) => list.faces[at]), materials: null };
}

/** Undoes the welding of vertices that bones or morph targets move apart. */
function keepDistinct(
  geometry: BufferGeometry,
  vertices: Uint32Array,
  vertexMap: Uint32Array,
): { vertices: Uint32Array; map: Uint32Array } {
  const deforming = deformingAttributes(geometry);
  if (deforming.length === 0) return { vertices: firstOfEach(vertices, vertexMap), map: vertexMap };
  // The vertex ids of the geometry that stand for each welded vertex; several if they move differently.
  const standing: number[][] = [];
  const numbers: number[][] = [];
  const kept: number[] = [];
  const map = new Uint32Array(vertices.length);
  for (let i = 0; i < vertices.length; i++) {
    const candidates = (standing[vertexMap[i]] ??= []);
    const ids = (numbers[vertexMap[i]] ??= []);
    let at = candidates.findIndex((vertex) => moveAlike(deforming, vertex, vertices[i]));
    if (at < 0) {
      at = candidates.length;
      candidates.push(vertices[i]);
      ids.push(kept.length);
      kept.push(vertices[i]);
    }
    map[i] = ids[at];
  }
  return { vertices: Uint32Array.from(kept), map };
}

/** The lowest vertex that was welded into each; vertex maps number them in this order. */
function firstOfEach(vertices: Uint32Array, vertexMap: Uint32Array): Uint32Array {
  const kept = new Uint32Array(vertices.length);
  let count = 0;
  for (let i = 0; i < vertices.length; i++) if (vertexMap[i] === count) kept[count++] = vertices[i];
  return kept.slice(0, count);
}

/** What moves the vertices besides their placement. */
function deformingAttributes(geometry: BufferGeometry): ReadableAttribute[] {
  const { skinIndex, skinWeight } = geometry.attributes;
  const skin = skinIndex !== undefined && skinWeight !== undefined ? [skinIndex, skinWeight] : [];
  const all = [...(geometry.morphAttributes.position ?? []), ...skin] as ReadableAttribute[];
  for (const attribute of all) {
    if (typeof attribute.getComponent === 'function') continue;
    throw new NearfieldError('unsupported', 'A morph or skin attribute is on the GPU only; give a BufferAttribute.');
  }
  return all;
}

function moveAlike(attributes: readonly ReadableAttribute[], v: number, w: number): boolean {
  for (const attribute of attributes) {
    for (let k = 0; k < attribute.itemSize; k++) {
      const p = attribute.getComponent(v, k);
      const q = attribute.getComponent(w, k);
      if (Math.abs(p - q) > SAME_ATTRIBUTE * Math.max(1, Math.abs(p))) return false;
    }
  }
  return true;
}

function dropCollapsed(corners: Uint32Array, faces: Uint32Array): { corners: Uint32Array; faces: Uint32Array } {
  let count = 0;
  for (let face = 0; face < faces.length; face++) {
    const a = corners[3 * face];
    const b = corners[3 * face + 1];
    const c = corners[3 * face + 2];
    if (a === b || b === c || c === a) continue;
    corners[3 * count] = a;
    corners[3 * count + 1] = b;
    corners[3 * count + 2] = c;
    faces[count++] = faces[face];
  }
  return { corners: corners.slice(0, 3 * count), faces: faces.slice(0, count) };
}
