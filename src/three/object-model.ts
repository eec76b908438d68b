// A proximity model of an object of three.js: its triangles as they are drawn now, in the rigid frame of the object. It
// follows the object: a refresh reads again only what has changed, and keeps the model if nothing has.

import type { BufferGeometry, Mesh, Object3D, SkinnedMesh } from 'three';
import { identityMatrix, transposeMatrix } from '../core/affine.js';
import { checkedElsewhere, optionTable } from '../core/check/option-table.js';
import { groupByKey } from '../core/counting-sort.js';
import { NearfieldError } from '../core/errors.js';
import type { Pose, ReadonlyPose } from '../core/pose.js';
import * as pose from '../core/pose.js';
import { MAX_COORDINATE, WELD_TOLERANCE } from '../core/tolerances.js';
import { findEqualVertices } from '../mesh/topology/coincident-vertices.js';
import type { MeshFeature } from '../mesh/triangle/triangle-region.js';
import { ProximityModel } from '../proximity/proximity-model.js';
import { isRotation, multiplyColumns } from './affine-columns.js';
import { describeObject, isObject3D } from './describe-object.js';
import { findMeshes, type MeshFilter } from './find-meshes.js';
import { updateBones } from './placements.js';
import { type PlacedPart, TrackedMesh } from './tracked-mesh.js';
import { rigidPose } from './world-pose.js';

/** Chosen: triangles of a model. With instances a small scene could have any number. */
const MAX_TRIANGLES = 2 ** 27;

/** Rounding: a scale this near to 1 counts as 1, because single precision cannot tell it from none. */
const UNSCALED = 1e-6;

/** How an object becomes a model. */
export interface ObjectModelOptions extends MeshFilter {
  /**
   * Vertices of a mesh at most this share of its box diagonal apart are one: three.js repeats vertices at seams, which
   * would leave a box or a sphere open. 0 welds only equal positions. Default 1e-7.
   */
  readonly weldTolerance?: number | undefined;
}

const OPTIONS = optionTable<ObjectModelOptions>()({
  visibleOnly: checkedElsewhere<boolean>(),
  filter: checkedElsewhere<NonNullable<MeshFilter['filter']>>(),
  // Checked where vertices are welded.
  weldTolerance: checkedElsewhere<number>(WELD_TOLERANCE),
});

/** What was done to make a model. */
export interface ObjectModelReport {
  /** Meshes with triangles, and how often they are drawn. */
  readonly meshes: number;
  readonly instances: number;
  readonly triangles: number;
  /** Vertices that were welded to another one. */
  readonly weldedVertices: number;
  /** Triangles left out because welding made two of their corners one. */
  readonly droppedTriangles: number;
  /** Whether scale or shear of the object, a parent or a child is in the vertices now. */
  readonly scaled: boolean;
  /** Instances that are mirrored: their triangles are reversed, so that they stay counter-clockwise from outside. */
  readonly mirroredInstances: number;
  /** Objects of the tree that have no triangles, such as lines and points, or that an option left out. */
  readonly leftOut: number;
}

/** Where a triangle of a model comes from. */
export interface TriangleSource {
  /** Null for a model of a BufferGeometry. */
  readonly mesh: Mesh | null;
  /** As in the intersections of a Raycaster. */
  readonly faceIndex: number;
  /** `instanceId` of an InstancedMesh or `batchId` of a BatchedMesh; undefined for other meshes. */
  readonly instanceId: number | undefined;
}

/** The model of an object; {@link modelFrom} makes one. */
export class ObjectModel {
  readonly object: Object3D | BufferGeometry;
  readonly #options: ObjectModelOptions;
  #tracked: TrackedMesh[] = [];
  #parts: readonly PlacedPart[] = [];
  /** The first triangle of each part, and the count of all. */
  #starts = new Uint32Array(1);
  #model!: ProximityModel;
  #report!: ObjectModelReport;
  #pose: Pose = pose.identity();
  #version = 0;
  /** The last refresh threw: the model may be older than what the meshes have noted. */
  #unfinished = true;
  #trianglesOfVertices: { start: Uint32Array; triangles: Uint32Array } | null = null;

  /** @throws NearfieldError as {@link modelFrom} does. */
  constructor(object: Object3D | BufferGeometry, options: ObjectModelOptions = {}) {
    OPTIONS.assert(options);
    if (!isObject3D(object) && (object as BufferGeometry | null)?.isBufferGeometry !== true) {
      throw new NearfieldError('bad-argument', 'modelFrom takes an Object3D or a BufferGeometry of three.js.');
    }
    this.object = object;
    this.#options = options;
    this.refresh();
  }

  /** The triangles in the object's rigid frame. Another object after a refresh that returned true. */
  get model(): ProximityModel {
    return this.#model;
  }

  /** Where the object was at the last refresh. Every refresh makes a new one. */
  get pose(): ReadonlyPose {
    return this.#pose;
  }

  /** What was done to make the model. */
  get report(): ObjectModelReport {
    return this.#report;
  }

  /** How often the model was made; 1 at first. */
  get version(): number {
    return this.#version;
  }

  /**
   * Follows the object: reads its pose, and makes the model anew if the object looks different in its own frame: other
   * meshes, attributes or index (by `needsUpdate`), draw ranges, morph influences, bones, instances, scale. Changes
   * below 1e-9 of a mesh's size count as rounding.
   * @returns whether the model was made anew.
   */
  refresh(): boolean {
    const { object } = this;
    let leftOut = 0;
    let changed = this.#unfinished;
    this.#unfinished = true;
    if (isObject3D(object)) {
      object.updateWorldMatrix(true, true);
      const found = findMeshes(object, this.#options);
      leftOut = found.leftOut;
      this.#pose = rigidPose(object);
      changed = this.#follow(found.meshes) || changed;
    } else {
      if (this.#tracked.length === 0) this.#tracked = [this.#track(object)];
      changed = this.#tracked[0].update(identityMatrix(), 0) || changed;
    }
    if (changed) {
      this.#build(leftOut);
      this.#version++;
    }
    this.#unfinished = false;
    return changed;
  }

  /**
   * Where a triangle of the model comes from, or a feature of one of its results (`witness.featureA` and so on): of the
   * triangles at a vertex or an edge the one with the lowest number.
   */
  sourceOf(from: number | MeshFeature): TriangleSource {
    const triangle = typeof from === 'number' ? from : this.#triangleAt(from);
    const starts = this.#starts;
    if (!(Number.isInteger(triangle) && triangle >= 0 && triangle < starts[starts.length - 1])) {
      throw new NearfieldError(
        'index-out-of-range',
        `The model has no triangle ${triangle}; it has triangles 0 to ${starts[starts.length - 1] - 1}.`,
      );
    }
    let low = 0;
    let high = this.#parts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= triangle) low = middle;
      else high = middle - 1;
    }
    const { mesh, instanceId, rest } = this.#parts[low];
    return { mesh, faceIndex: rest.faces[triangle - starts[low]], instanceId };
  }

  #track(source: Mesh | BufferGeometry): TrackedMesh {
    return new TrackedMesh(source, this.#options.weldTolerance ?? WELD_TOLERANCE);
  }

  /** Brings the tracked meshes up to date; true if they or their number changed. */
  #follow(meshes: readonly Mesh[]): boolean {
    const known = this.#tracked;
    let changed = meshes.length !== known.length;
    const toObject = transposeMatrix(pose.toMatrix4(pose.invert(this.#pose)));
    const tracked = meshes.map((mesh, i) => {
      const same = known[i]?.mesh === mesh ? known[i] : known.find((candidate) => candidate.mesh === mesh);
      if (same !== known[i] || same === undefined) changed = true;
      return same ?? this.#track(mesh);
    });
    const far = Math.hypot(this.#pose[0], this.#pose[1], this.#pose[2]);
    for (const entry of tracked) {
      const mesh = entry.mesh!;
      if ((mesh as SkinnedMesh).isSkinnedMesh) updateBones(mesh as SkinnedMesh);
      const toFrame = new Float64Array(16);
      multiplyColumns(toObject, 0, mesh.matrixWorld.elements, 0, toFrame, 0);
      if (entry.update(toFrame, far)) changed = true;
    }
    this.#tracked = tracked;
    return changed;
  }

  #build(leftOut: number): void {
    const parts = this.#tracked.flatMap((entry) => entry.parts());
    const vertexCount = parts.reduce((sum, { rest }) => sum + rest.vertices.length, 0);
    const triangleCount = parts.reduce((sum, { rest }) => sum + rest.faces.length, 0);
    this.#assertSize(triangleCount, vertexCount, leftOut);
    const positions = new Float64Array(3 * vertexCount);
    const indices = new Uint32Array(3 * triangleCount);
    const starts = new Uint32Array(parts.length + 1);
    let first = 0;
    parts.forEach(({ rest, mirrored, write }, i) => {
      write(positions, first);
      const from = 3 * starts[i];
      for (let k = 0; k < rest.corners.length; k += 3) {
        indices[from + k] = first + rest.corners[k];
        indices[from + k + 1] = first + rest.corners[mirrored ? k + 2 : k + 1];
        indices[from + k + 2] = first + rest.corners[mirrored ? k + 1 : k + 2];
      }
      first += rest.vertices.length;
      starts[i + 1] = starts[i] + rest.faces.length;
    });
    this.#assertFinite(positions, parts);
    const joined = joinOpenParts(positions, indices, parts);
    const meshes = new Set(parts.map((part) => part.mesh));
    const rests = new Set(parts.map((part) => part.rest));
    const sum = (count: 'weldedVertices' | 'droppedTriangles'): number =>
      [...rests].reduce((total, rest) => total + rest[count], 0);
    this.#model = new ProximityModel(joined.mesh);
    this.#parts = parts;
    this.#starts = starts;
    this.#trianglesOfVertices = null;
    this.#report = {
      meshes: meshes.size,
      instances: parts.length,
      triangles: triangleCount,
      weldedVertices: sum('weldedVertices') + joined.count,
      droppedTriangles: sum('droppedTriangles'),
      scaled: this.#tracked.some(({ placements: { matrices } }) => {
        for (let m = 0; m < matrices.length; m += 16) if (!isRotation(matrices, m, UNSCALED)) return true;
        return false;
      }),
      mirroredInstances: parts.filter((part) => part.mirrored).length,
      leftOut,
    };
  }

  #assertSize(triangles: number, vertices: number, leftOut: number): void {
    if (triangles === 0) {
      const others = leftOut === 0 ? '' : `; ${leftOut} objects in it are lines, points or left out by an option`;
      throw new NearfieldError(
        'empty-mesh',
        `There are no triangles in ${describeObject(this.object)}${others}. Give an object with at least one mesh.`,
      );
    }
    if (triangles <= MAX_TRIANGLES && vertices <= 3 * MAX_TRIANGLES) return;
    throw new NearfieldError(
      'too-large',
      `There are ${triangles} triangles in ${describeObject(this.object)}, instances included; a model may have ` +
        `${MAX_TRIANGLES}. Make models of its parts.`,
    );
  }

  #assertFinite(positions: Float64Array, parts: readonly PlacedPart[]): void {
    const bad = positions.findIndex((value) => !(Math.abs(value) <= MAX_COORDINATE));
    if (bad < 0) return;
    let left = Math.floor(bad / 3);
    const part = parts.find(({ rest }) => {
      if (left < rest.vertices.length) return true;
      left -= rest.vertices.length;
      return false;
    })!;
    const vertex = part.rest.vertices[left];
    throw new NearfieldError(
      'non-finite',
      `Vertex ${vertex} of ${describeObject(part.mesh ?? this.object)} is placed at the coordinate ${positions[bad]}; ` +
        'check the matrices of the mesh, its bones and its instances.',
      { vertex },
    );
  }

  /** The lowest triangle with all vertices of the feature. */
  #triangleAt({ vertices }: MeshFeature): number {
    const { start, triangles } = (this.#trianglesOfVertices ??= trianglesByVertex(this.#model.mesh));
    const { indices } = this.#model.mesh;
    for (let i = start[vertices[0]]; i < start[vertices[0] + 1]; i++) {
      const corners = indices.subarray(3 * triangles[i], 3 * triangles[i] + 3);
      if (vertices.every((vertex) => corners.includes(vertex))) return triangles[i];
    }
    throw new NearfieldError('bad-argument', `The model has no triangle with the vertices ${vertices.join(', ')}.`);
  }
}

/**
 * A model of an object of three.js, for queries: a BufferGeometry, or an Object3D with everything below it (meshes,
 * indexed or not, instanced, batched, morphed, skinned in their current pose). Seams are welded, the scale of the
 * object and of its parents is applied to the vertices, and mirrored meshes are turned. The frame of the model is the
 * rigid part of the object's world matrix: {@link poseFrom} returns its pose.
 * @throws NearfieldError `empty-mesh` for an object without triangles, `non-finite` for bad vertices or matrices,
 * `index-out-of-range`, `unsupported` for attributes on the GPU only, `too-large`, `bad-argument`.
 */
export function modelFrom(object: Object3D | BufferGeometry, options?: ObjectModelOptions): ObjectModel {
  return new ObjectModel(object, options);
}

/**
 * Meshes that are open on their own, such as those a loader makes of the materials of one surface, are joined at equal
 * vertices. Closed ones stay apart, also where they touch.
 */
function joinOpenParts(
  positions: Float64Array,
  indices: Uint32Array,
  parts: readonly PlacedPart[],
): { mesh: { positions: Float64Array; indices: Uint32Array }; count: number } {
  if (parts.filter(({ rest }) => rest.open).length < 2) return { mesh: { positions, indices }, count: 0 };
  const joins = new Uint8Array(positions.length / 3);
  let first = 0;
  for (const { rest } of parts) {
    if (rest.open) joins.fill(1, first, first + rest.vertices.length);
    first += rest.vertices.length;
  }
  const lowest = findEqualVertices(positions, joins);
  const place = new Uint32Array(lowest.length);
  let kept = 0;
  for (let vertex = 0; vertex < lowest.length; vertex++) {
    if (lowest[vertex] !== vertex) {
      place[vertex] = place[lowest[vertex]];
      continue;
    }
    positions.copyWithin(3 * kept, 3 * vertex, 3 * vertex + 3);
    place[vertex] = kept++;
  }
  const mesh = { positions: positions.slice(0, 3 * kept), indices: indices.map((vertex) => place[vertex]) };
  return { mesh, count: lowest.length - kept };
}

/** The triangles at each vertex, lowest first. */
function trianglesByVertex({ positions, indices }: ProximityModel['mesh']): {
  start: Uint32Array;
  triangles: Uint32Array;
} {
  const { start, items } = groupByKey(indices, positions.length / 3);
  return { start, triangles: items.map((corner) => Math.floor(corner / 3)) };
}
