// A mesh prepared for proximity queries. It owns everything derived from the mesh (model-parts.ts lists the parts), and
// all pairs and bodies that use the model share it.
import { DerivedParts, type PartMemory } from '../core/derived-parts.js';
import { NearfieldError } from '../core/errors.js';
import type { ProgressOptions } from '../core/progress.js';
import type { ReadonlyVec3, Vec3 } from '../core/vec3.js';
import { bytesPerTriangle, type HullHierarchy } from '../decomposition/hierarchy/hierarchy.js';
import { assertMesh, type Mesh, triangleCount } from '../mesh/mesh.js';
import { boundsSolid } from '../mesh/repair/outward-surface.js';
import type { MeshAdjacency } from '../mesh/topology/adjacency.js';
import type { BoxTree } from './boxes/box-tree.js';
import type { ContactSurface } from './contact/contact-surface.js';
import { adoptHierarchy } from './hulls/adopt-hierarchy.js';
import type { HullSurface } from './hulls/hull-surface.js';
import {
  ADJACENCY,
  BOXES,
  buildHulls,
  COMPONENT_VERTICES,
  CONTACT_SURFACE,
  HULL_PREPARATION,
  HULL_SURFACE,
  HULLS,
  hullWorkLimit,
  OUTWARD_SURFACE,
  POINT_QUERY,
} from './model-parts.js';
import { type BoundingVolume, VOLUMES, type VolumeChoice } from './options.js';

/** Optional inputs of a model besides its mesh. */
export interface ModelOptions {
  /**
   * A hierarchy of hulls made earlier from this exact mesh, such as `readHierarchy` returns; it is then not made again.
   * For a solid it must come from a decomposition with `coverFlatPatches`.
   */
  readonly hierarchy?: HullHierarchy | undefined;
}

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
  #closed: boolean | undefined;
  /** The mesh has no hulls, or making them unrequested would take too long. */
  #refused = false;
  #asked = false;

  /**
   * @throws NearfieldError as `assertMesh` does, for a mesh without triangles, with bad indices or coordinates; and for
   * a hierarchy of another mesh.
   */
  constructor(mesh: Mesh, options: ModelOptions = {}) {
    if (mesh === null || typeof mesh !== 'object') {
      throw new NearfieldError(
        'bad-argument',
        `The mesh is ${mesh}; give { positions, indices }, as createMesh makes.`,
      );
    }
    assertMesh(mesh);
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
    if (hierarchy === undefined) return;
    this.parts.set(HULLS, adoptHierarchy(hierarchy, this.parts.get(OUTWARD_SURFACE)));
    this.#asked = true;
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

  /** What queries take otherwise than it is given: vertices joined at seams, faces turned outward. Empty if nothing. */
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

  /** The hierarchy of hulls around the convex pieces. */
  get hulls(): HullHierarchy {
    this.#asked = true;
    return this.parts.get(HULLS);
  }

  /** Whether hulls have been made or given. */
  get hullsReady(): boolean {
    return this.parts.peek(HULLS) !== undefined;
  }

  /** Whether the caller requested or gave the hulls, as opposed to pairs having earned them. */
  get hullsAsked(): boolean {
    return this.#asked && this.hullsReady;
  }

  /**
   * Whether 'auto' uses hulls for this mesh; makes them. False for meshes without a convex decomposition, and for flat
   * and convex surfaces with so many triangles that it would take long: boxes do as well on those.
   */
  get hasHulls(): boolean {
    if (!this.hullsReady && !this.#refused) this.prepare('auto');
    return this.hullsReady;
  }

  /** The hulls prepared for searches. */
  get hullSurface(): HullSurface {
    return this.parts.get(HULL_SURFACE);
  }

  /** What the contact queries know about each edge and vertex. */
  get contactSurface(): ContactSurface {
    return this.parts.get(CONTACT_SURFACE);
  }

  /** One vertex of each connected component. */
  get componentVertices(): Uint32Array {
    return this.parts.get(COMPONENT_VERTICES);
  }

  /**
   * Prepares what a bounding volume needs; otherwise the first pair does so. With 'auto', hulls if the mesh has a
   * convex decomposition, otherwise boxes.
   * @throws NearfieldError for 'hulls' if the mesh has none: it is not a surface, or it intersects itself.
   */
  prepare(volume: VolumeChoice, options?: ProgressOptions): this {
    if (!VOLUMES.includes(volume)) {
      throw new NearfieldError(
        'bad-argument',
        `The bounding volume is '${volume}'; choose 'auto', 'boxes' or 'hulls'.`,
      );
    }
    const { parts } = this;
    if (volume !== 'boxes') this.#asked = true;
    if (volume === 'hulls') parts.get(HULLS, options);
    if (volume === 'auto' && !this.hullsReady && !this.#refused) {
      this.#tryHulls(() => buildHulls(this, hullWorkLimit(this), options));
    }
    if (volume === 'boxes' || (volume === 'auto' && !this.hullsReady)) this.boxes.complete(options);
    return this;
  }

  /**
   * Continues making hulls, for the given amount of work, counted in triangles fully prepared; the same work always
   * does the same steps. Returns the unused work: 0 once the mesh is known to have no hulls.
   */
  advanceHulls(work: number): number {
    if (this.hullsReady || this.#refused) return this.#refused ? 0 : work;
    let left: HullHierarchy | number = 0;
    const ready = this.#tryHulls(() => {
      left = this.parts.get(HULL_PREPARATION).spend(work);
      return typeof left === 'number' ? undefined : left;
    });
    if (ready || this.#refused) this.parts.free(HULL_PREPARATION);
    return typeof left === 'number' ? left : 0;
  }

  /** Whether a point, in the model's frame, is inside the solid or on its surface. False for an open mesh. */
  isInside(point: ReadonlyVec3): boolean {
    return this.closed && this.parts.get(POINT_QUERY).isInside(point);
  }

  /** The distance of a point in the model's frame to the surface, negative inside the solid. Never negative if open. */
  signedDistance(point: ReadonlyVec3): number {
    const distance = this.parts.get(POINT_QUERY).signedDistance(point);
    return this.closed ? distance : Math.abs(distance);
  }

  /** Bytes of the mesh and of what a bounding volume keeps. */
  bytes(volume: BoundingVolume): number {
    if (volume === 'hulls') return bytesPerTriangle(this.hulls) * triangleCount(this.mesh);
    return this.mesh.positions.byteLength + this.mesh.indices.byteLength + this.boxes.bytes;
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

  /** Keeps the hulls that were made, if any; remembers if there are none. */
  #tryHulls(make: () => HullHierarchy | undefined): boolean {
    try {
      const hulls = make();
      if (hulls === undefined) return false;
      this.parts.set(HULLS, hulls);
      return true;
    } catch (error) {
      if (!(error instanceof NearfieldError) || error.code === 'aborted') throw error;
      this.#refused = true;
      return false;
    }
  }
}
