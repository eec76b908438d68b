import { NearfieldError } from '../core/errors.js';
import { MAX_COORDINATE } from '../core/tolerances.js';

/**
 * A triangle mesh. Everything else (adjacency, normals, pieces, hierarchies) is derived and lives in its own object.
 * No call of this library changes or reorders a mesh it is given.
 */
export interface Mesh {
  /** Vertex coordinates: x, y, z per vertex; length 3 × vertices; finite. */
  readonly positions: Float64Array;
  /** Vertex ids of each triangle; length 3 × triangles; counter-clockwise seen from outside. */
  readonly indices: Uint32Array;
}

/** The count of vertices of the mesh. */
export function vertexCount(mesh: Mesh): number {
  return mesh.positions.length / 3;
}

/** The count of triangles of the mesh. */
export function triangleCount(mesh: Mesh): number {
  return mesh.indices.length / 3;
}

/**
 * Makes a checked mesh from any flat arrays of numbers; flatten nested points and faces first.
 * The arrays are copied.
 * @param indices by default every three vertices are a triangle.
 * @throws NearfieldError as {@link assertMesh} does.
 */
export function createMesh(positions: ArrayLike<number>, indices?: ArrayLike<number> | null): Mesh {
  assertFlat(positions, 'positions', 'x, y, z of each vertex');
  if (indices === undefined || indices === null) {
    if (positions.length % 9 !== 0) {
      throw new NearfieldError(
        'bad-argument',
        `Without indices every three vertices are a triangle; there are ${positions.length} numbers, which is not nine for each triangle.`,
      );
    }
    indices = Uint32Array.from({ length: positions.length / 3 }, (_, vertex) => vertex);
  }
  assertFlat(indices, 'indices', 'three vertex ids of each triangle');
  if (!(indices instanceof Uint32Array)) {
    for (let i = 0; i < indices.length; i++) {
      if (!Number.isInteger(indices[i]) || indices[i] < 0 || indices[i] > 0xffffffff) {
        throw new NearfieldError(
          'index-out-of-range',
          `Face ${Math.floor(i / 3)} has the vertex id ${indices[i]}; ids are whole numbers from 0.`,
          { face: Math.floor(i / 3) },
        );
      }
    }
  }
  const mesh = { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
  assertMesh(mesh);
  return mesh;
}

/** Throws for anything but a flat list of numbers. */
function assertFlat(values: ArrayLike<number>, name: string, content: string): void {
  const length: unknown = values === null || typeof values !== 'object' ? undefined : values.length;
  if (typeof length === 'number' && (length === 0 || typeof values[0] === 'number')) return;
  throw new NearfieldError(
    'bad-argument',
    `The ${name} are not a flat array of numbers: give ${content}, as array.flat().`,
  );
}

/**
 * Throws for meshes that no query can handle: no vertices or triangles, lengths that are not multiples of three,
 * coordinates that are not finite or so large that squares overflow, vertex ids beyond the last vertex.
 * Open, non-manifold or self-intersecting meshes pass: `inspectMesh` reports those.
 */
export function assertMesh(mesh: Mesh): void {
  const { positions, indices } = mesh ?? {};
  if (!(positions instanceof Float64Array) || !(indices instanceof Uint32Array)) {
    throw new NearfieldError(
      'bad-argument',
      'A mesh is { positions: Float64Array, indices: Uint32Array }; createMesh converts other arrays.',
    );
  }
  if (positions.length % 3 !== 0 || indices.length % 3 !== 0) {
    throw new NearfieldError(
      'bad-argument',
      `A mesh needs three numbers per vertex and three ids per triangle; it has ${positions.length} numbers and ${indices.length} ids.`,
    );
  }
  if (positions.length === 0 || indices.length === 0) {
    throw new NearfieldError('empty-mesh', 'The mesh has no triangles; give one with at least one triangle.');
  }
  for (let i = 0; i < positions.length; i++) {
    // NaN fails the comparison too. The bound keeps sixth powers of coordinates (volumes, determinants) finite.
    if (!(Math.abs(positions[i]) <= MAX_COORDINATE)) {
      const vertex = Math.floor(i / 3);
      throw new NearfieldError(
        'non-finite',
        `Vertex ${vertex} has the coordinate ${positions[i]}; coordinates must be finite and at most ${MAX_COORDINATE}. ` +
          'Remove the vertex or scale the model down.',
        { vertex },
      );
    }
  }
  const count = positions.length / 3;
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] >= count) {
      const face = Math.floor(i / 3);
      throw new NearfieldError(
        'index-out-of-range',
        `Face ${face} names vertex ${indices[i]}, but the mesh has vertices 0 to ${count - 1}.`,
        { face },
      );
    }
  }
}
