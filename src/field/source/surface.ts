// A mesh or polygon as plain triangles: the edges of a polygon become triangles (a, b, b) at the z of a planar grid.
// Finds which nodes are inside: exactly, by rows, if the source bounds a solid; otherwise by the generalized winding
// number at each node (Jacobson et al. 2013).
import { type Box, ofPositions } from '../../core/box.js';
import { NearfieldError } from '../../core/errors.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { assertPolygon, type Polygon } from '../../mesh/polygon/polygon.js';
import { MeshQuery } from '../../mesh/query/mesh-query.js';
import { findSoundSurface } from '../../mesh/soundness/sound-surface.js';
import { assertGridFrame, type GridFrame, type NodeBox } from '../grid.js';
import { findRim, OpenWindings } from './open-windings.js';
import { fillInsideOutline } from './outline-crossings.js';
import { RowCrossings } from './row-crossings.js';

/** Triangles that have an inside. */
export interface Surface {
  /** Nine numbers per triangle, in the source's order, see `sourceFaces`; an edge of a polygon is the triangle (a, b, b). */
  readonly triangles: Float64Array;
  readonly count: number;
  /** By triangle: the face of the source that it lies on, where a mesh was made sound first; null where they are the same. */
  readonly sourceFaces: Int32Array | null;
  /** Whether it bounds a solid: every directed edge is balanced, with coincident vertices as one, so winding numbers are whole. */
  readonly closed: boolean;
  /** The box of the triangles. */
  readonly box: Box;
  /**
   * Writes 1 for the nodes of `box` that lie on a triangle or have a winding number of at least one half, 0 for its
   * other nodes, as `MeshQuery.isInside` does. Faces of a solid that point inward count as turned. `inside` is indexed
   * like the values of the whole grid.
   */
  fillInside(frame: GridFrame, box: NodeBox, inside: Uint8Array): void;
  /** Searches over the triangles; built on first use. */
  query(): MeshQuery;
}

/**
 * The surface of a mesh or polygon for fields on a grid.
 * @throws NearfieldError as `assertMesh`, `assertPolygon` and `assertGridFrame` do; `bad-argument` for a polygon on a
 * grid that is not planar, and for a source that is neither mesh nor polygon.
 */
export function surfaceOf(source: Mesh | Polygon, frame: GridFrame): Surface {
  assertGridFrame(frame);
  if (source === null || typeof source !== 'object') {
    throw new NearfieldError('bad-argument', 'The surface is neither a mesh nor a polygon.');
  }
  if ('rings' in source) {
    if (frame.size[2] !== 1) {
      throw new NearfieldError(
        'bad-argument',
        `A polygon needs a grid in the plane; this one has ${frame.size[2]} nodes along z, give it one.`,
      );
    }
    assertPolygon(source);
    return new OutlineSurface(source, frame.origin[2]);
  }
  if (!('positions' in source)) {
    throw new NearfieldError(
      'bad-argument',
      'The source has no triangles; give a mesh or a polygon, or use fast marching for a function.',
    );
  }
  assertMesh(source);
  return new MeshSurface(source);
}

class MeshSurface implements Surface {
  readonly triangles: Float64Array;
  readonly count: number;
  readonly box: Box;
  readonly sourceFaces: Int32Array | null;
  readonly #mesh: Mesh;
  #rim: Float64Array | undefined;
  #rows: RowCrossings | undefined;
  #open: OpenWindings | undefined;
  #query: MeshQuery | undefined;

  constructor(given: Mesh) {
    const { mesh, sourceFaces } = findSoundSurface(given);
    this.sourceFaces = sourceFaces;
    this.#mesh = mesh;
    this.triangles = cornersOf(mesh);
    this.count = mesh.indices.length / 3;
    this.box = ofPositions(this.triangles);
  }

  get closed(): boolean {
    this.#rim ??= findRim(this.#mesh);
    return this.#rim.length === 0;
  }

  fillInside(frame: GridFrame, box: NodeBox, inside: Uint8Array): void {
    if (this.closed) {
      this.#rows ??= new RowCrossings(this.triangles, this.count);
      this.#rows.fill(frame, box, inside);
    } else {
      this.#open ??= new OpenWindings(this.triangles, this.#rim!, () => this.query());
      this.#open.fill(frame, box, inside);
    }
  }

  query(): MeshQuery {
    return (this.#query ??= new MeshQuery(this.#mesh));
  }
}

class OutlineSurface implements Surface {
  readonly triangles: Float64Array;
  readonly count: number;
  readonly closed = true;
  readonly sourceFaces = null;
  readonly box: Box;
  readonly #mesh: Mesh;
  #query: MeshQuery | undefined;

  constructor(polygon: Polygon, z: number) {
    const positions: number[] = [];
    const indices: number[] = [];
    for (const ring of polygon.rings) {
      const first = positions.length / 3;
      const points = ring.length / 2;
      for (let i = 0; i < points; i++) {
        const next = first + ((i + 1) % points);
        positions.push(ring[2 * i], ring[2 * i + 1], z);
        indices.push(first + i, next, next);
      }
    }
    this.#mesh = { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
    this.triangles = cornersOf(this.#mesh);
    this.count = indices.length / 3;
    this.box = ofPositions(positions);
  }

  fillInside(frame: GridFrame, box: NodeBox, inside: Uint8Array): void {
    fillInsideOutline(this.triangles, this.count, frame, box, inside);
  }

  query(): MeshQuery {
    return (this.#query ??= new MeshQuery(this.#mesh));
  }
}

function cornersOf({ positions, indices }: Mesh): Float64Array {
  const corners = new Float64Array(3 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    corners[3 * i] = positions[3 * indices[i]];
    corners[3 * i + 1] = positions[3 * indices[i] + 1];
    corners[3 * i + 2] = positions[3 * indices[i] + 2];
  }
  return corners;
}

/** Turns triangles of a surface into faces of its source, in place; −1 stays. */
export function nameFaces({ sourceFaces }: Surface, triangles: Int32Array | null): Int32Array | null {
  if (sourceFaces === null || triangles === null) return triangles;
  for (let i = 0; i < triangles.length; i++) if (triangles[i] >= 0) triangles[i] = sourceFaces[triangles[i]];
  return triangles;
}
