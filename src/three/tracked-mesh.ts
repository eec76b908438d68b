// One mesh of an object, and what it looked like when it was last read. It tells whether anything that three.js draws
// has changed since: attributes and index by their versions, influences and placements by their values.
import type { BatchedMesh, BufferGeometry, InstancedMesh, Mesh, SkinnedMesh } from 'three';
import { collapses, columnsDeterminant } from './affine-columns.js';
import { findPlacements, type Placements, placePoints, skinPoints } from './placements.js';
import { attributeVersion, type ReadableAttribute, readVertices } from './read-vertices.js';
import { type RestMesh, restMesh } from './rest-mesh.js';

/**
 * Rounding: placements that moved the mesh by less than this share of its size are the same. An object that moves as a
 * whole has the same placements in its own frame up to rounding.
 */
const SAME_PLACEMENT = 1e-9;

/** Rounding: the error of world coordinates, per unit of distance from the origin. */
const WORLD_ROUNDING = 16 * Number.EPSILON;

/** One placed copy of a welded geometry. */
export interface PlacedPart {
  readonly mesh: Mesh | null;
  /** `instanceId` of an InstancedMesh, `batchId` of a BatchedMesh. */
  readonly instanceId: number | undefined;
  readonly rest: RestMesh;
  readonly mirrored: boolean;
  /** Writes the vertices in the frame of the model to `out` from vertex `first` on. */
  write(out: Float64Array, first: number): void;
}

export class TrackedMesh {
  readonly mesh: Mesh | null;
  readonly #geometry: BufferGeometry | null;
  readonly #tolerance: number;
  /** By the geometry of a batch; 0 otherwise. */
  readonly #rests = new Map<number, RestMesh | null>();
  #stamp: unknown[] = [];
  #influences: Float64Array | null = null;
  #placements: Placements | null = null;

  /** @param tolerance of welding, as a share of the box diagonal. */
  constructor(source: Mesh | BufferGeometry, tolerance: number) {
    this.mesh = 'isMesh' in source ? source : null;
    this.#geometry = 'isMesh' in source ? null : source;
    this.#tolerance = tolerance;
  }

  get #shape(): BufferGeometry {
    return this.mesh?.geometry ?? this.#geometry!;
  }

  /** The placements of the last update. */
  get placements(): Placements {
    return this.#placements!;
  }

  /**
   * Looks at the mesh anew; true if it has changed. `toFrame` maps its own frame to that of the model; `far` is how far
   * the mesh is from the origin of the world.
   */
  update(toFrame: Float64Array, far: number): boolean {
    const { mesh } = this;
    const stamp = stampOf(this.#shape, mesh);
    const reshaped = stamp.length !== this.#stamp.length || stamp.some((value, i) => value !== this.#stamp[i]);
    if (reshaped) {
      this.#stamp = stamp;
      this.#rests.clear();
    }
    const influences = influencesOf(mesh);
    const morphed = !sameNumbers(influences, this.#influences);
    this.#influences = influences;
    const placements =
      mesh === null
        ? { matrices: toFrame, instances: null, geometries: null, skinOffset: null }
        : findPlacements(mesh, toFrame);
    const moved = this.#placements === null || this.#differ(this.#placements, placements, far);
    if (!reshaped && !morphed && !moved) return false;
    // Kept as they were otherwise, so that small changes cannot add up unseen.
    this.#placements = placements;
    return true;
  }

  /** The placed copies as of the last update; none if there are no triangles. */
  parts(): PlacedPart[] {
    const { mesh } = this;
    const placements = this.placements;
    const { matrices, instances, geometries } = placements;
    if (mesh !== null && (mesh as SkinnedMesh).isSkinnedMesh) {
      const rest = this.#rest(0);
      if (rest === null) return [];
      const write = (out: Float64Array, first: number): void =>
        skinPoints(mesh as SkinnedMesh, this.#points(rest), rest.vertices, placements, out, first);
      return [{ mesh, instanceId: undefined, rest, mirrored: mostlyMirrored(matrices), write }];
    }
    const parts: PlacedPart[] = [];
    // Instances share the points, unless each has its own morph.
    let shared: { rest: RestMesh; points: Float64Array } | undefined;
    for (let at = 0; 16 * at < matrices.length; at++) {
      const rest = this.#rest(geometries?.[at] ?? 0);
      // Instances are often hidden by a scale of zero.
      if (rest === null || collapses(matrices, 16 * at)) continue;
      const instanceId = instances?.[at];
      const ownMorph = this.#ownMorph(instanceId);
      const write = (out: Float64Array, first: number): void => {
        if (ownMorph === null && shared?.rest !== rest) shared = { rest, points: this.#points(rest) };
        const points = ownMorph === null ? shared!.points : readVertices(this.#shape, rest.vertices, ownMorph);
        placePoints(points, matrices, 16 * at, out, first);
      };
      parts.push({ mesh, instanceId, rest, mirrored: columnsDeterminant(matrices, 16 * at) < 0, write });
    }
    return parts;
  }

  #points(rest: RestMesh): Float64Array {
    return readVertices(this.#shape, rest.vertices, this.mesh?.morphTargetInfluences);
  }

  /** The influences of one instance; null if it has none of its own. */
  #ownMorph(instanceId: number | undefined): Float64Array | null {
    const texture = (this.mesh as InstancedMesh | null)?.morphTexture;
    if (!texture || instanceId === undefined) return null;
    const count = this.#shape.morphAttributes.position?.length ?? 0;
    // Each row starts with the influence of the base.
    const start = instanceId * (count + 1) + 1;
    return Float64Array.from((texture.source.data.data as Float32Array).subarray(start, start + count));
  }

  #rest(geometryId: number): RestMesh | null {
    let rest = this.#rests.get(geometryId);
    if (rest === undefined) {
      const { mesh } = this;
      const batch = mesh !== null && (mesh as BatchedMesh).isBatchedMesh ? (mesh as BatchedMesh) : null;
      const range = batch?.getGeometryRangeAt(geometryId) ?? undefined;
      rest = restMesh(this.#shape, this.#tolerance, mesh?.material, range);
      this.#rests.set(geometryId, rest);
    }
    return rest;
  }

  #differ(a: Placements, b: Placements, far: number): boolean {
    if (a.matrices.length !== b.matrices.length) return true;
    if (!sameNumbers(a.instances, b.instances) || !sameNumbers(a.geometries, b.geometries)) return true;
    let magnitude = 0;
    for (const rest of this.#rests.values()) magnitude = Math.max(magnitude, rest?.magnitude ?? 0);
    for (let m = 0; m < a.matrices.length; m += 16) {
      let size = 0;
      let change = 0;
      for (let k = 0; k < 16; k++) {
        const reach = k < 12 ? magnitude : 1;
        size = Math.max(size, reach * Math.abs(a.matrices[m + k]));
        change = Math.max(change, reach * Math.abs(a.matrices[m + k] - b.matrices[m + k]));
      }
      if (!(change <= SAME_PLACEMENT * size + WORLD_ROUNDING * far)) return true;
    }
    return false;
  }
}

/** What decides which triangles there are, and where at rest: identities and versions. */
export function stampOf(geometry: BufferGeometry, mesh: Mesh | null): unknown[] {
  const { index, attributes, morphAttributes, drawRange, groups, morphTargetsRelative } = geometry;
  const stamp: unknown[] = [geometry, drawRange.start, drawRange.count, morphTargetsRelative];
  const read = [index, attributes.position, attributes.skinIndex, attributes.skinWeight];
  for (const attribute of [...read, ...(morphAttributes.position ?? [])]) {
    stamp.push(attribute, attribute ? attributeVersion(attribute as ReadableAttribute) : 0);
  }
  if (Array.isArray(mesh?.material)) {
    stamp.push(mesh.material.length);
    for (const { start, count, materialIndex } of groups) stamp.push(start, count, materialIndex);
  }
  const batch = mesh as BatchedMesh | null;
  if (batch?.isBatchedMesh) stamp.push(batch.maxInstanceCount);
  return stamp;
}

/** The influences of morph targets, those of each instance included. */
export function influencesOf(mesh: Mesh | null): Float64Array | null {
  const morphTexture = (mesh as InstancedMesh | null)?.morphTexture;
  if (morphTexture) return Float64Array.from(morphTexture.source.data.data as Float32Array);
  const influences = mesh?.morphTargetInfluences;
  return influences === undefined || influences.length === 0 ? null : Float64Array.from(influences);
}

export function sameNumbers(a: ArrayLike<number> | null, b: ArrayLike<number> | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Whether more bones mirror than not. */
function mostlyMirrored(matrices: Float64Array): boolean {
  let balance = 0;
  for (let m = 0; m < matrices.length; m += 16) balance += Math.sign(columnsDeterminant(matrices, m));
  return balance < 0;
}
