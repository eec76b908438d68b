// Writes GLB through glTF-Transform: one glTF mesh per mesh, one node per part. Positions are in single precision,
// placements in double precision. Loaded only when a GLB file is written.

import {
  Accessor,
  Document,
  Format,
  type GLTF,
  type Mesh as GltfMesh,
  Logger,
  type Material,
  type Node,
  WebIO,
} from '@gltf-transform/core';
import { SHEAR_TOLERANCE } from '../../core/tolerances.js';
import type { Mesh } from '../../mesh/mesh.js';
import { toSinglePrecision } from '../formats/single-precision.js';
import { identityMatrix, isIdentity, linearDeterminant, transformPositions, transposeMatrix } from '../model/affine.js';
import type { ModelAnimation } from '../model/model-animation.js';
import {
  coverTriangles,
  type LinearColor,
  type MeshGroup,
  type ModelFile,
  type ModelMesh,
} from '../model/model-file.js';
import { addAnimation } from './animation.js';
import { packGlb } from './glb-container.js';
import { PLAIN_MARK } from './primitives.js';

/** A light gray. Without a material, glTF means a mirror of metal, which is black where nothing surrounds it. */
const PLAIN: LinearColor = [0.8, 0.8, 0.8, 1];

/** Parts of an animation are placed by it; their own transforms are left out. */
export async function writeGlb(model: ModelFile, animation: ModelAnimation | null = null): Promise<Uint8Array> {
  const document = new Document().setLogger(new Logger(Logger.Verbosity.SILENT));
  document.getRoot().getAsset().generator = 'nearfield';
  document.createBuffer();
  const writer = new MeshWriter(document);
  const scene = document.createScene();
  const moved = new Set(animation?.tracks.map(({ part }) => part));
  const nodes: Node[] = [];
  const matrices = model.parts.map(({ name, meshIndex, transform }, i) => {
    const sheared = !moved.has(i) && hasShear(transform);
    const mesh = sheared ? placeMesh(model.meshes[meshIndex], transform) : model.meshes[meshIndex];
    const node = document.createNode(name).setMesh(writer.write(mesh));
    scene.addChild(node);
    nodes.push(node);
    return sheared || moved.has(i) ? identityMatrix() : transform;
  });
  if (animation !== null) addAnimation(document, nodes, animation);
  const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT));
  const { json, resources } = await io.writeJSON(document, { format: Format.GLB });
  // Node.setMatrix would decompose the matrix, which rounds it. Nodes are written in the order of their creation.
  matrices.forEach((matrix, i) => {
    if (!isIdentity(matrix)) json.nodes![i].matrix = [...transposeMatrix(matrix)];
  });
  return packGlb(json, Object.values(resources)[0]);
}

/** Creates each mesh once, however many parts use it. */
class MeshWriter {
  readonly #document: Document;
  readonly #meshes = new Map<ModelMesh, GltfMesh>();
  readonly #positions = new Map<Mesh, Accessor>();
  readonly #materials = new Map<string, Material>();

  constructor(document: Document) {
    this.#document = document;
  }

  write(modelMesh: ModelMesh): GltfMesh {
    const known = this.#meshes.get(modelMesh);
    if (known !== undefined) return known;
    const { name, mesh, groups, color } = modelMesh;
    const written = this.#document.createMesh(name);
    const positions = this.#writePositions(mesh);
    const colored = groups?.some((group) => group.color !== undefined) ?? false;
    const whole: MeshGroup = { name: '', firstTriangle: 0, triangleCount: mesh.indices.length / 3 };
    for (const run of colored ? coverTriangles(modelMesh) : [whole]) {
      const indices = mesh.indices.subarray(3 * run.firstTriangle, 3 * (run.firstTriangle + run.triangleCount));
      const primitive = this.#document
        .createPrimitive()
        .setAttribute('POSITION', positions)
        .setIndices(this.#writeIndices(indices, mesh.positions.length / 3));
      primitive.setMaterial(this.#material(run.name, run.color ?? color));
      written.addPrimitive(primitive);
    }
    this.#meshes.set(modelMesh, written);
    return written;
  }

  #writePositions(mesh: Mesh): Accessor {
    let accessor = this.#positions.get(mesh);
    if (accessor === undefined) {
      accessor = this.#accessor(Accessor.Type.VEC3, toSinglePrecision(mesh.positions, 'GLB'));
      this.#positions.set(mesh, accessor);
    }
    return accessor;
  }

  #writeIndices(indices: Uint32Array, vertexCount: number): Accessor {
    // 65,535 itself is reserved, so ids up to 65,534 fit 16 bits.
    return this.#accessor(Accessor.Type.SCALAR, vertexCount <= 65535 ? Uint16Array.from(indices) : indices.slice());
  }

  #accessor(type: GLTF.AccessorType, array: Float32Array | Uint16Array | Uint32Array): Accessor {
    const buffer = this.#document.getRoot().listBuffers()[0];
    return this.#document
      .createAccessor()
      .setType(type)
      .setArray(array as Float32Array<ArrayBuffer>)
      .setBuffer(buffer);
  }

  #material(name: string, given: LinearColor | undefined): Material {
    const color = given ?? PLAIN;
    const key = JSON.stringify([name, given]);
    let material = this.#materials.get(key);
    if (material === undefined) {
      material = this.#document
        .createMaterial(name)
        .setBaseColorFactor([...color])
        .setMetallicFactor(0)
        .setRoughnessFactor(1)
        .setAlphaMode(color[3] < 1 ? 'BLEND' : 'OPAQUE');
      if (given === undefined) material.setExtras({ [PLAIN_MARK]: true });
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
