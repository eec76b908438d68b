import { NearfieldError } from '../../core/errors.js';
import { MAX_COORDINATE } from '../../core/tolerances.js';
import type { Mesh } from '../../mesh/mesh.js';

/** A mesh of tetrahedra. No call of this library changes or reorders one that it is given. */
export interface TetrahedralMesh {
  /** Node coordinates: x, y, z per node; finite. */
  readonly positions: Float64Array;
  /**
   * Node ids of each tetrahedron, four each: seen from the first, the other three run clockwise, so that the volume is
   * positive.
   */
  readonly elements: Uint32Array;
}

/** The faces of a tetrahedron, counter-clockwise from outside; face i is opposite to corner i. */
export const ELEMENT_FACES: readonly (readonly [number, number, number])[] = [
  [1, 2, 3],
  [0, 3, 2],
  [0, 1, 3],
  [0, 2, 1],
];

/** Six times the volume of an element, with its sign. */
export function sixVolumes(p: ArrayLike<number>, a: number, b: number, c: number, d: number): number {
  const ux = p[3 * b] - p[3 * a];
  const uy = p[3 * b + 1] - p[3 * a + 1];
  const uz = p[3 * b + 2] - p[3 * a + 2];
  const vx = p[3 * c] - p[3 * a];
  const vy = p[3 * c + 1] - p[3 * a + 1];
  const vz = p[3 * c + 2] - p[3 * a + 2];
  const wx = p[3 * d] - p[3 * a];
  const wy = p[3 * d + 1] - p[3 * a + 1];
  const wz = p[3 * d + 2] - p[3 * a + 2];
  return ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
}

/** Volume of each element: positive unless an element is inverted. */
export function elementVolumes(mesh: TetrahedralMesh): Float64Array {
  assertElementArrays(mesh);
  const { positions, elements } = mesh;
  const volumes = new Float64Array(elements.length / 4);
  for (let e = 0; e < volumes.length; e++) {
    volumes[e] =
      sixVolumes(positions, elements[4 * e], elements[4 * e + 1], elements[4 * e + 2], elements[4 * e + 3]) / 6;
  }
  return volumes;
}

/**
 * Throws for what is not a mesh of tetrahedra: arrays of wrong kinds or lengths, no elements, coordinates that are not
 * finite, ids beyond the last node.
 */
export function assertElementArrays(mesh: TetrahedralMesh): void {
  const { positions, elements } = mesh ?? {};
  if (!(positions instanceof Float64Array) || !(elements instanceof Uint32Array)) {
    throw new NearfieldError(
      'bad-argument',
      'A mesh of tetrahedra is { positions: Float64Array, elements: Uint32Array }, three numbers a node and four ids an element.',
    );
  }
  if (positions.length % 3 !== 0 || elements.length % 4 !== 0) {
    throw new NearfieldError(
      'bad-argument',
      `A mesh of tetrahedra needs three numbers a node and four ids an element; it has ${positions.length} numbers and ${elements.length} ids.`,
    );
  }
  if (elements.length === 0) {
    throw new NearfieldError('empty-mesh', 'The mesh has no tetrahedra; give one with at least one element.');
  }
  for (let i = 0; i < positions.length; i++) {
    if (Math.abs(positions[i]) <= MAX_COORDINATE) continue;
    const vertex = Math.floor(i / 3);
    throw new NearfieldError(
      'non-finite',
      `Node ${vertex} has the coordinate ${positions[i]}; coordinates must be finite and at most ${MAX_COORDINATE}.`,
      { vertex },
    );
  }
  const count = positions.length / 3;
  for (let i = 0; i < elements.length; i++) {
    if (elements[i] < count) continue;
    throw new NearfieldError(
      'index-out-of-range',
      `Element ${Math.floor(i / 4)} names node ${elements[i]}, but the mesh has nodes 0 to ${count - 1}.`,
    );
  }
}

/** Throws for what finite elements cannot stand on: as {@link assertElementArrays}, and for elements without volume. */
export function assertTetrahedra(mesh: TetrahedralMesh): void {
  assertElementArrays(mesh);
  const { positions, elements } = mesh;
  for (let e = 0; e < elements.length; e += 4) {
    const volume = sixVolumes(positions, elements[e], elements[e + 1], elements[e + 2], elements[e + 3]);
    if (volume > 0) continue;
    throw new NearfieldError(
      'degenerate',
      `Element ${e / 4} has ${volume < 0 ? 'a negative' : 'no'} volume; ` +
        (volume < 0 ? 'swap two of its nodes, or repair the mesh.' : 'remove it, or make the mesh anew.'),
    );
  }
}

/** The surface of a mesh of tetrahedra. */
export interface ElementSurface {
  /** Faces that belong to one element, counter-clockwise from outside, with the node ids of the tetrahedra. */
  readonly faces: Uint32Array;
  /** The element of each face. */
  readonly elements: Uint32Array;
}

/** Finds the faces that belong to one element only. O(elements). */
export function findSurface(mesh: TetrahedralMesh): ElementSurface {
  assertElementArrays(mesh);
  const { positions, elements } = mesh;
  const nodes = positions.length / 3;
  const faceCount = elements.length;
  // Faces in lists by their smallest node; equal faces cancel.
  const first = new Int32Array(nodes).fill(-1);
  const next = new Int32Array(faceCount);
  const middle = new Uint32Array(faceCount);
  const largest = new Uint32Array(faceCount);
  const isInner = new Uint8Array(faceCount);
  for (let f = 0; f < faceCount; f++) {
    const e = f & ~3;
    const [i, j, k] = ELEMENT_FACES[f & 3];
    const [a, b, c] = [elements[e + i], elements[e + j], elements[e + k]];
    const low = Math.min(a, b, c);
    const high = Math.max(a, b, c);
    const mid = a + b + c - low - high;
    middle[f] = mid;
    largest[f] = high;
    let other = first[low];
    while (other >= 0 && (middle[other] !== mid || largest[other] !== high)) other = next[other];
    if (other >= 0) isInner[other] = isInner[f] = 1;
    next[f] = first[low];
    first[low] = f;
  }
  const surface: number[] = [];
  const owners: number[] = [];
  for (let f = 0; f < faceCount; f++) {
    if (isInner[f] === 1) continue;
    for (const corner of ELEMENT_FACES[f & 3]) surface.push(elements[(f & ~3) + corner]);
    owners.push(f >> 2);
  }
  return { faces: Uint32Array.from(surface), elements: Uint32Array.from(owners) };
}

/**
 * The surface as a triangle mesh of its own.
 * @returns the mesh, and the node of each of its vertices.
 */
export function surfaceMesh(mesh: TetrahedralMesh): { readonly mesh: Mesh; readonly nodes: Uint32Array } {
  const { faces } = findSurface(mesh);
  const vertexOf = new Int32Array(mesh.positions.length / 3).fill(-1);
  const nodes: number[] = [];
  const indices = faces.map((node) => {
    if (vertexOf[node] < 0) vertexOf[node] = nodes.push(node) - 1;
    return vertexOf[node];
  });
  const positions = new Float64Array(3 * nodes.length);
  nodes.forEach((node, vertex) => {
    positions.set(mesh.positions.subarray(3 * node, 3 * node + 3), 3 * vertex);
  });
  return { mesh: { positions, indices }, nodes: Uint32Array.from(nodes) };
}
