// Rays of a Raycaster against one mesh by a hierarchy of boxes over its triangles. The records are those of three.js;
// the side of an edge that two triangles share is decided alike for both, so that no ray slips between them.
import {
  BackSide,
  FrontSide,
  type InstancedMesh,
  type Intersection,
  type Material,
  Matrix4,
  type Mesh,
  Ray,
  type Raycaster,
  type Side,
  type SkinnedMesh,
  Triangle,
  Vector2,
  Vector3,
} from 'three';
import { identityMatrix } from '../core/affine.js';
import { MeshQuery, type RayHit } from '../mesh/query/mesh-query.js';
import type { RaySide } from '../mesh/query/ray-search.js';
import { findPlacements, type Placements, skinPoints } from './placements.js';
import { type ReadableAttribute, readVertices } from './read-vertices.js';
import { influencesOf, sameNumbers, stampOf } from './tracked-mesh.js';
import { compactCorners, listTriangles, type TriangleList } from './triangle-list.js';

/** Rounding: a limit in the mesh's own units is widened by this factor; the distance in the world decides. */
const LIMIT_MARGIN = 1 + 1e-9;

/** The triangles of a mesh in its own frame, ready for rays. */
interface Prepared {
  readonly list: TriangleList;
  readonly positions: Float64Array;
  /** Places in `positions`. */
  readonly corners: Uint32Array;
  readonly query: MeshQuery;
}

/** A hook for the `raycast` of one mesh. */
export class MeshRays {
  readonly #mesh: Mesh;
  #stamp: unknown[] = [];
  #influences: Float64Array | null = null;
  #bones: Placements | null = null;
  /** Null for a mesh without triangles; undefined before the first ray. */
  #prepared: Prepared | null | undefined;
  readonly #inverse = new Matrix4();
  readonly #placed = new Matrix4();
  readonly #ray = new Ray();
  readonly #point = new Vector3();
  readonly #a = new Vector3();
  readonly #b = new Vector3();
  readonly #c = new Vector3();

  constructor(mesh: Mesh) {
    this.#mesh = mesh;
  }

  /** Adds the hits of a ray to `intersects`, as `Mesh.raycast` does. */
  raycast(raycaster: Raycaster, intersects: Intersection[]): void {
    const mesh = this.#mesh;
    if (mesh.material === undefined || !(raycaster.far >= 0)) return;
    const prepared = this.#prepare();
    if (prepared === null) return;
    // The convention of three-mesh-bvh, which many scenes use.
    const first = (raycaster as { firstHitOnly?: boolean }).firstHitOnly === true;
    const found: Intersection[] = [];
    if ((mesh as InstancedMesh).isInstancedMesh) {
      const instanced = mesh as InstancedMesh;
      for (let instanceId = 0; instanceId < instanced.count; instanceId++) {
        instanced.getMatrixAt(instanceId, this.#placed);
        this.#placed.premultiply(mesh.matrixWorld);
        const from = found.length;
        this.#cast(prepared, this.#placed, raycaster, first, found);
        for (let i = from; i < found.length; i++) found[i].instanceId = instanceId;
      }
    } else {
      this.#cast(prepared, mesh.matrixWorld, raycaster, first, found);
    }
    if (first && found.length > 1) found.sort((p, q) => p.distance - q.distance).length = 1;
    for (const hit of found) intersects.push(hit);
  }

  /** The triangles as they are now: made anew if the geometry, the morph or the pose of the bones has changed. */
  #prepare(): Prepared | null {
    const mesh = this.#mesh;
    const stamp = stampOf(mesh.geometry, mesh);
    // Instances have the shape at rest, as for three.js itself.
    const influences = (mesh as InstancedMesh).isInstancedMesh ? null : influencesOf(mesh);
    const bones = (mesh as SkinnedMesh).isSkinnedMesh ? findPlacements(mesh, identityMatrix()) : null;
    const same =
      this.#prepared !== undefined &&
      stamp.length === this.#stamp.length &&
      stamp.every((value, i) => value === this.#stamp[i]) &&
      sameNumbers(influences, this.#influences) &&
      sameNumbers(bones?.matrices ?? null, this.#bones?.matrices ?? null);
    if (same) return this.#prepared!;
    this.#stamp = stamp;
    this.#influences = influences;
    this.#bones = bones;
    this.#prepared = undefined;
    const list = listTriangles(mesh.geometry, mesh.material);
    if (list.faces.length === 0) return (this.#prepared = null);
    const { vertices, corners } = compactCorners(list.corners);
    const positions = readVertices(mesh.geometry, vertices, influences ?? undefined);
    if (bones !== null) skinPoints(mesh as SkinnedMesh, positions, vertices, bones, positions, 0);
    return (this.#prepared = { list, positions, corners, query: new MeshQuery({ positions, indices: corners }) });
  }

  #cast(prepared: Prepared, matrix: Matrix4, raycaster: Raycaster, first: boolean, found: Intersection[]): void {
    const { near, far } = raycaster;
    const determinant = matrix.determinant();
    // A flattened mesh has no inverse; three.js finds nothing on it either.
    if (determinant === 0 || !Number.isFinite(determinant)) return;
    const ray = this.#ray.copy(raycaster.ray).applyMatrix4(this.#inverse.copy(matrix).invert());
    const stretch = worldLength(matrix.elements, ray.direction);
    const { material } = this.#mesh;
    const side = Array.isArray(material) ? 'both' : sideOf(material.side);
    const options = { maxDistance: (far / stretch) * LIMIT_MARGIN, side };
    const origin = ray.origin.toArray();
    const direction = ray.direction.toArray();
    const { query } = prepared;
    if (first && near === 0 && !Array.isArray(material)) {
      const hit = query.raycast(origin, direction, options);
      if (hit !== null) this.#record(prepared, hit, matrix, raycaster, ray, found);
      return;
    }
    for (const hit of query.rayHits(origin, direction, options)) {
      if (this.#record(prepared, hit, matrix, raycaster, ray, found) && first) return;
    }
  }

  /** Adds the record of a hit; false if its distance or the side of its material rules it out. */
  #record(
    { list, positions, corners }: Prepared,
    hit: RayHit,
    matrix: Matrix4,
    raycaster: Raycaster,
    ray: Ray,
    found: Intersection[],
  ): boolean {
    const mesh = this.#mesh;
    const { triangle } = hit;
    const materialIndex = list.materials?.[triangle] ?? 0;
    if (list.materials !== null) {
      const side = sideOf((mesh.material as Material[])[materialIndex].side);
      if (side !== 'both' && side !== hit.side) return false;
    }
    const local = this.#point.fromArray(hit.point);
    const point = local.clone().applyMatrix4(matrix);
    const distance = raycaster.ray.origin.distanceTo(point);
    if (distance < raycaster.near || distance > raycaster.far) return false;
    const [a, b, c] = list.corners.subarray(3 * triangle, 3 * triangle + 3);
    const vA = this.#a.fromArray(positions, 3 * corners[3 * triangle]);
    const vB = this.#b.fromArray(positions, 3 * corners[3 * triangle + 1]);
    const vC = this.#c.fromArray(positions, 3 * corners[3 * triangle + 2]);
    const barycoord = Triangle.getBarycoord(local, vA, vB, vC, new Vector3()) ?? new Vector3();
    const normal = Triangle.getNormal(vA, vB, vC, new Vector3());
    const intersection: Intersection = {
      distance,
      point,
      object: mesh,
      faceIndex: list.faces[triangle],
      face: { a, b, c, normal, materialIndex },
      barycoord,
    };
    const { uv, uv1, normal: normals } = mesh.geometry.attributes as Record<string, ReadableAttribute | undefined>;
    if (uv) intersection.uv = Triangle.getInterpolatedAttribute(uv, a, b, c, barycoord, new Vector2());
    if (uv1) intersection.uv1 = Triangle.getInterpolatedAttribute(uv1, a, b, c, barycoord, new Vector2());
    if (normals) {
      const smooth = Triangle.getInterpolatedAttribute(normals, a, b, c, barycoord, new Vector3());
      intersection.normal = smooth.dot(ray.direction) > 0 ? smooth.negate() : smooth;
    }
    found.push(intersection);
    return true;
  }
}

function sideOf(side: Side): RaySide {
  if (side === FrontSide) return 'front';
  return side === BackSide ? 'back' : 'both';
}

/** The length in the world of a unit vector of the mesh's own frame. */
function worldLength(m: readonly number[], { x, y, z }: Vector3): number {
  return Math.hypot(m[0] * x + m[4] * y + m[8] * z, m[1] * x + m[5] * y + m[9] * z, m[2] * x + m[6] * y + m[10] * z);
}
