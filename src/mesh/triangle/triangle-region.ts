// Which part of a triangle a point lies on, as one small number: 0 to 2 a corner, 3 to 5 the edge from corner k − 3 to the
// next, 6 the face. Everything that names features of triangles uses this encoding.

/** A corner, an edge or the face of a triangle, by the mesh's vertex ids. */
export interface MeshFeature {
  readonly kind: 'vertex' | 'edge' | 'face';
  /** One, two (lower first) or three ids (in the triangle's order). */
  readonly vertices: number[];
}

/**
 * Label: the region of the edge from corner 0 to corner 1; those of the other two edges follow. Below it are the
 * corners.
 */
export const EDGE_REGION = 3;
/** Label: the region of the interior. */
export const FACE_REGION = 6;

/** The region at parameter t, from 0 to 1, of the edge from corner `edge` to the next: one of the two corners, or the edge. */
export function regionOnEdge(edge: number, t: number): number {
  if (t === 0) return edge;
  if (t === 1) return edge === 2 ? 0 : edge + 1;
  return EDGE_REGION + edge;
}

/** The feature of a mesh that a region of a triangle is. The triangle's three vertex ids begin at `ids[first]`. */
export function nameRegion(ids: Uint32Array, first: number, region: number): MeshFeature {
  if (region < EDGE_REGION) return { kind: 'vertex', vertices: [ids[first + region]] };
  if (region < FACE_REGION) {
    const u = ids[first + region - EDGE_REGION];
    const v = ids[first + ((region - EDGE_REGION + 1) % 3)];
    return { kind: 'edge', vertices: u < v ? [u, v] : [v, u] };
  }
  return { kind: 'face', vertices: [ids[first], ids[first + 1], ids[first + 2]] };
}
