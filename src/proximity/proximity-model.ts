// A mesh prepared for proximity queries. It owns everything derived from the mesh (model-parts.ts lists the parts), and
// all pairs and bodies that use the model share it.
import { nameValue } from '../core/check/check-options.js';
import { checkedElsewhere, optionTable } from '../core/check/option-table.js';
import { DerivedParts, type PartMemory } from '../core/derived-parts.js';
import { NearfieldError } from '../core/errors.js';
import type { ReadonlyVec3, Vec3 } from '../core/vec3.js';
import type { HullHierarchy } from '../decomposition/hierarchy/hierarchy.js';
import { assertMesh, type Mesh, triangleCount } from '../mesh/mesh.js';
import { boundsSolid } from '../mesh/repair/outward-surface.js';
import type { MeshAdjacency } from '../mesh/topology/adjacency.js';
import type { BoxTree } from './boxes/box-tree.js';
import { adoptHierarchy } from './hulls/adopt-hierarchy.js';
import { ADJACENCY, BOXES, COMPONENT_VERTICES, HULLS, OUTWARD_SURFACE, POINT_QUERY } from './model-parts.js';

/** Optional inputs of a model besides its mesh. */
export interface ModelOptions {
  /**
   * A hierarchy of hulls made earlier from this exact mesh, such as `readHierarchy` returns; it is then not made again.
   * For a solid it must come from a decomposition with `coverFlatPatches`.
   */
  readonly hierarchy?: HullHierarchy | undefined;
}

/** The hierarchy is checked against the mesh. */
const MODEL_OPTIONS = optionTable<ModelOptions>()({ hierarchy: checkedElsewhere<HullHierarchy>() });

/** A rigid model. The mesh must not change while the model is in use. */
export class ProximityModel {
  readonly mesh: Mesh;
  /** The center of a sphere around the mesh, in its own frame: the center of its box. */
  readonly center: Vec3;
  readonly radius: number;
  /** The corners of the box around the mesh, in its own frame. */
  readonly boxMin: Vec3;
  readonly boxMax: Vec3;
  /** The largest absolute value of any coordinate. */
  readonly magnitude: number;
  /** What has been derived from the mesh so far; see model-parts.ts. */
  readonly parts = new DerivedParts<ProximityModel>(this);
  /**
   * Whether the caller requested or gave hulls; and whether the mesh has none, or making them unrequested would take too
   * long.
   * @internal
   */
  readonly hullState = { asked: false, refused: false };
  #closed: boolean | undefined;

  /**
   * @throws NearfieldError as `assertMesh` does, for a mesh without triangles, with bad indices or coordinates; and for
   * a hierarchy of another mesh.
   */
  constructor(mesh: Mesh, options: ModelOptions = {}) {
    if (mesh === null || typeof mesh !== 'object') {
      throw new NearfieldError(
        'bad-argument',
        `The mesh is ${nameValue(mesh)}; give { positions, indices }, as createMesh makes.`,
      );
    }
    assertMesh(mesh);
    MODEL_OPTIONS.assert(options);
    this.mesh = mesh;
    const { positions, indices } = mesh;
    const low: Vec3 = [Infinity, Infinity, Infinity];
    const high: Vec3 = [-Infinity, -Infinity, -Infinity];
    for (const index of indices) {
      for (let k = 0; k < 3; k++) {
        const value = positions[3 * index + k];
        if (value < low[k]) low[k] = value;
        if (value > high[k]) high[k] = value;
      }
    }
    this.boxMin = low;
    this.boxMax = high;
    this.center = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
    this.magnitude = Math.max(...low.map(Math.abs), ...high.map(Math.abs));
    let squared = 0;
    for (const index of indices) {
      const x = positions[3 * index] - this.center[0];
      const y = positions[3 * index + 1] - this.center[1];
      const z = positions[3 * index + 2] - this.center[2];
      squared = Math.max(squared, x * x + y * y + z * z);
    }
    this.radius = Math.sqrt(squared) * (1 + 1e-15);
    const { hierarchy } = options;
    if (hierarchy !== undefined) this.adoptHulls(hierarchy);
  }

  /**
   * Takes hulls that were made elsewhere from this exact mesh, as the option `hierarchy` of the constructor does.
   * @throws NearfieldError for a hierarchy of another mesh.
   */
  adoptHulls(hierarchy: HullHierarchy): void {
    this.parts.set(HULLS, adoptHierarchy(hierarchy, this.parts.get(OUTWARD_SURFACE)));
    this.hullState.asked = true;
  }

  /**
   * No edge is open, and the faces can be oriented so that each edge is traversed equally often in both directions: the
   * mesh bounds a solid, and queries treat it as one.
   */
  get closed(): boolean {
    this.#closed ??= boundsSolid(this.mesh, this.adjacency);
    return this.#closed;
  }

  /**
   * The mesh bounds a solid with a volume. Queries then take its faces as pointing outward, whichever way they run:
   * `warnings` says whether they were turned.
   */
  get outward(): boolean {
    return this.parts.get(OUTWARD_SURFACE).outward;
  }

  /** In what queries differ from the mesh: they join vertices at seams and turn faces outward. Empty if in nothing. */
  get warnings(): readonly string[] {
    const { weldedVertices, flippedFaces } = this.parts.get(OUTWARD_SURFACE);
    const faces = triangleCount(this.mesh);
    const warnings: string[] = [];
    if (weldedVertices > 0) {
      warnings.push(`${weldedVertices} vertices coincide with others at seams, and count as one with them.`);
    }
    if (flippedFaces === faces) {
      warnings.push(`All ${faces} faces point into the solid, as in a mirrored part, and count as turned outward.`);
    } else if (flippedFaces > 0) {
      warnings.push(`${flippedFaces} of ${faces} faces point into the solid, and count as turned outward.`);
    }
    return warnings;
  }

  /** The edges of the mesh; vertices that coincide at seams count as one. */
  get adjacency(): MeshAdjacency {
    return this.parts.get(ADJACENCY);
  }

  /** The oriented boxes around the triangles. */
  get boxes(): BoxTree {
    return this.parts.get(BOXES);
  }

  /** Whether hulls have been made or given. */
  get hullsReady(): boolean {
    return this.parts.peek(HULLS) !== undefined;
  }

  /** One vertex of each connected component. */
  get componentVertices(): Uint32Array {
    return this.parts.get(COMPONENT_VERTICES);
  }

  /** Whether a point, in the model's frame, is inside the solid or on its surface. False for an open mesh. */
  isInside(point: ReadonlyVec3): boolean {
    return this.closed && this.parts.get(POINT_QUERY).isInside(point);
  }

  /** The distance of a point in the model's frame to the surface, negative inside the solid. Never negative if open. */
  signedDistance(point: ReadonlyVec3): number {
    const query = this.parts.get(POINT_QUERY);
    return this.closed ? query.signedDistance(point) : query.distance(point);
  }

  /** Bytes of the mesh and of each part derived from it so far. Shared memory counts once. */
  memory(): PartMemory[] {
    const seen = new Set<object>([this.mesh.positions.buffer, this.mesh.indices.buffer]);
    const bytes = this.mesh.positions.byteLength + this.mesh.indices.byteLength;
    return [{ name: 'mesh', bytes }, ...this.parts.memory(seen)];
  }

  /**
   * Frees everything derived from the mesh, including GPU memory. The model stays usable: parts are made again when a
   * query needs them. Existing pairs keep their own. Do not call it while a query is running.
   */
  release(): void {
    this.parts.freeAll();
  }
}
