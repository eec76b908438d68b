// Writes GLB: one glTF mesh per mesh, one node per part. Positions are in single precision, placements in double
// precision. Loaded only when a GLB file is written.

import { isIdentity, linearDeterminant, transformPositions, transposeMatrix } from '../../core/affine.js';
import { SHEAR_TOLERANCE } from '../../core/tolerances.js';
import type { Mesh } from '../../mesh/mesh.js';
import { toSinglePrecision } from '../formats/single-precision.js';
import type { ModelAnimation } from '../model/model-animation.js';
import {
  coverTriangles,
  type LinearColor,
  type MeshGroup,
  type ModelFile,
  type ModelMesh,
} from '../model/model-file.js';
import { addAnimation } from './animation.js';
import { GlbDocument, type GltfEntry } from './glb-document.js';
import { PLAIN_MARK } from './primitives.js';

/** A light gray. Without a material, glTF means a mirror of metal, which is black where nothing surrounds it. */
const PLAIN: LinearColor = [0.8, 0.8, 0.8, 1];

/** Parts of an animation are placed by it; their own transforms are left out. */
export function writeGlb(model: ModelFile, animation: ModelAnimation | null = null): Uint8Array {
  const document = new GlbDocument();
  const writer = new MeshWriter(document);
  const moved = new Set(animation?.tracks.map(({ part }) => part));
  for (const [i, { name, meshIndex, transform }] of model.parts.entries()) {
    const sheared = !moved.has(i) && hasShear(transform);
    const mesh = sheared ? placeMesh(model.meshes[meshIndex], transform) : model.meshes[meshIndex];
    const node: GltfEntry = { name, mesh: writer.write(mesh) };
    if (!sheared && !moved.has(i) && !isIdentity(transform)) node.matrix = [...transposeMatrix(transform)];
    document.nodes.push(node);
  }
  if (animation !== null) addAnimation(document, animation);
  return document.pack();
}

/** Creates each mesh once, however many parts use it. */
class MeshWriter {
  readonly #document: GlbDocument;
  readonly #meshes = new Map<ModelMesh, number>();
  readonly #positions = new Map<Mesh, number>();
  readonly #materials = new Map<string, number>();

  constructor(document: GlbDocument) {
    this.#document = document;
  }

  /** The number of the glTF mesh. */
  write(modelMesh: ModelMesh): number {
    const known = this.#meshes.get(modelMesh);
    if (known !== undefined) return known;
    const { name, mesh, groups, color } = modelMesh;
    const POSITION = this.#writePositions(mesh);
    const colored = groups?.some((group) => group.color !== undefined) ?? false;
    const whole: MeshGroup = { name: '', firstTriangle: 0, triangleCount: mesh.indices.length / 3 };
    const primitives = (colored ? coverTriangles(modelMesh) : [whole]).map((run) => {
      const indices = mesh.indices.subarray(3 * run.firstTriangle, 3 * (run.firstTriangle + run.triangleCount));
      return {
        attributes: { POSITION },
        indices: this.#writeIndices(indices, mesh.positions.length / 3),
        material: this.#material(run.name, run.color ?? color),
      };
    });
    const written = this.#document.meshes.push({ name, primitives }) - 1;
    this.#meshes.set(modelMesh, written);
    return written;
  }

  #writePositions(mesh: Mesh): number {
    const known = this.#positions.get(mesh);
    if (known !== undefined) return known;
    const accessor = this.#document.addPositions(toSinglePrecision(mesh.positions, 'GLB'));
    this.#positions.set(mesh, accessor);
    return accessor;
  }

  #writeIndices(indices: Uint32Array, vertexCount: number): number {
    // 65,535 itself is reserved, so ids up to 65,534 fit 16 bits.
    return this.#document.addIndices(vertexCount <= 65535 ? Uint16Array.from(indices) : indices);
  }

  #material(name: string, given: LinearColor | undefined): number {
    const color = given ?? PLAIN;
    const key = JSON.stringify([name, given]);
    let material = this.#materials.get(key);
    if (material === undefined) {
      material =
        this.#document.materials.push({
          ...(name !== '' && { name }),
          pbrMetallicRoughness: { baseColorFactor: [...color], metallicFactor: 0 },
          ...(color[3] < 1 && { alphaMode: 'BLEND' }),
          ...(given === undefined && { extras: { [PLAIN_MARK]: true } }),
        }) - 1;
      this.#materials.set(key, material);
    }
    return material;
  }
}

function hasShear(m: Float64Array): boolean {
  const axes = [0, 1, 2].map((column) => [m[column], m[4 + column], m[8 + column]]);
  const lengths = axes.map((axis) => Math.hypot(...axis));
  return [
    [0, 1],
    [1, 2],
    [2, 0],
  ].some(([i, j]) => {
    const dot = axes[i].reduce((sum, value, k) => sum + value * axes[j][k], 0);
    return Math.abs(dot) > SHEAR_TOLERANCE * lengths[i] * lengths[j];
  });
}

function placeMesh(modelMesh: ModelMesh, transform: Float64Array): ModelMesh {
  const { positions, indices } = modelMesh.mesh;
  const placed = indices.slice();
  if (linearDeterminant(transform) < 0) {
    for (let i = 0; i < placed.length; i += 3) {
      placed[i + 1] = indices[i + 2];
      placed[i + 2] = indices[i + 1];
    }
  }
  return { ...modelMesh, mesh: { positions: transformPositions(transform, positions), indices: placed } };
}
