import { identityMatrix, isIdentity, linearDeterminant, transformPositions } from '../../core/affine.js';
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { MAX_COORDINATE } from '../../core/tolerances.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import type { ModelFormat } from './model-format.js';

/** Linear red, green, blue and opacity, each from 0 to 1. */
export type LinearColor = readonly [number, number, number, number];

/** A run of triangles with a name: an OBJ group or object, an STL solid, a glTF primitive. */
export interface MeshGroup {
  readonly name: string;
  readonly firstTriangle: number;
  readonly triangleCount: number;
  /** Written to and read from GLB only. */
  readonly color?: LinearColor;
}

/** A mesh of a file, in its own frame. */
export interface ModelMesh {
  readonly name: string;
  readonly mesh: Mesh;
  /** Twice as far as compression may have moved a coordinate, where the file says it. */
  readonly precision?: number | undefined;
  /** In order, without overlap. Triangles between groups belong to no group. */
  readonly groups?: readonly MeshGroup[];
  /** The base color of triangles whose group has none. Written to and read from GLB only. */
  readonly color?: LinearColor;
}

/** One placement of a mesh in the world. Several parts may share a mesh. */
export interface ModelPart {
  readonly name: string;
  readonly meshIndex: number;
  /** 16 numbers, row-major: x_world = M·x, translation at 3, 7 and 11, last row 0 0 0 1. */
  readonly transform: Float64Array;
  /** The names of the assemblies that hold it, from the outermost, where the file has a tree. */
  readonly path?: readonly string[] | undefined;
  /** What the part is in its file, such as the class and GlobalId of IFC. */
  readonly about?: PartFacts | undefined;
}

/** What a file says about a part beside its shape. */
export interface PartFacts {
  /** An id that stays the same from one version of the file to the next, such as a GlobalId. */
  readonly id?: string | undefined;
  /** The class of the part, such as IfcWall. */
  readonly kind?: string | undefined;
  /** The storey that holds it. */
  readonly storey?: string | undefined;
}

/** How the parts of a file move. */
export interface ModelMotion {
  /** Ascending, in seconds. */
  readonly times: readonly number[];
  /** By part: its transform at each time; null for one that rests. */
  readonly transforms: readonly (readonly Float64Array[] | null)[];
}

/** The content of a model file. Only glTF and COLLADA have more than one mesh or a placement other than the identity. */
export interface ModelFile {
  readonly format: ModelFormat;
  readonly meshes: readonly ModelMesh[];
  readonly parts: readonly ModelPart[];
  /** The unit of length in meters, where the file says it or its format has one; undefined where nobody says. */
  readonly unit?: number | undefined;
  /**
   * The largest distance between the surface that the file means and the triangles that stand for it, in the unit of the
   * model. Only curved formats (STEP, IGES) have one.
   */
  readonly chordError?: number | undefined;
  /** The motion of its parts, where it was asked for. */
  readonly motion?: ModelMotion | undefined;
  /** One sentence, with its line, for each thing that the reader ignored although it may matter. */
  readonly warnings?: readonly string[];
}

/** Chosen: triangles of a merged model. With instances a small file could produce any number. */
const MERGED_TRIANGLE_LIMIT = 2 ** 27;

/** A model of one mesh with the identity as its placement. */
export function createModel(mesh: ModelMesh, format: ModelFormat): ModelFile {
  if (mesh === null || typeof mesh !== 'object') {
    throw new NearfieldError('bad-argument', `The mesh is ${nameValue(mesh)}; give { name, mesh }.`);
  }
  return { format, meshes: [mesh], parts: [{ name: mesh.name, meshIndex: 0, transform: identityMatrix() }] };
}

/**
 * Merges all parts into one mesh in the world frame, part by part. Under a mirroring placement triangles are reversed,
 * so that they stay counter-clockwise seen from outside. The mesh of a single untransformed part is returned unchanged.
 * @throws NearfieldError `empty-mesh` for a model without parts, `too-large` beyond 2^27 triangles, `non-finite` if a
 * placement moves vertices out of the accepted range.
 */
export function mergeModel(model: ModelFile): Mesh {
  return mergeParts(model).mesh;
}

/** Like {@link mergeModel}, with the runs of triangles by part and group. */
export function mergeParts(model: ModelFile): { mesh: Mesh; groups: MeshGroup[] } {
  assertModel(model);
  if (model.parts.length === 1 && isIdentity(model.parts[0].transform)) {
    const { mesh, groups } = model.meshes[model.parts[0].meshIndex];
    return { mesh, groups: [...(groups ?? [])] };
  }
  let vertices = 0;
  let triangles = 0;
  for (const part of model.parts) {
    const { mesh } = model.meshes[part.meshIndex];
    vertices += mesh.positions.length / 3;
    triangles += mesh.indices.length / 3;
  }
  if (triangles > MERGED_TRIANGLE_LIMIT || vertices > 3 * MERGED_TRIANGLE_LIMIT) {
    throw new NearfieldError(
      'too-large',
      `The ${model.parts.length} parts have ${triangles} triangles and ${vertices} vertices together; one mesh may have ` +
        `${MERGED_TRIANGLE_LIMIT} triangles. Process the parts one by one.`,
    );
  }

  const positions = new Float64Array(3 * vertices);
  const indices = new Uint32Array(3 * triangles);
  const groups: MeshGroup[] = [];
  let vertexEnd = 0;
  let indexEnd = 0;
  for (const part of model.parts) {
    const { mesh, groups: meshGroups } = model.meshes[part.meshIndex];
    transformPositions(part.transform, mesh.positions, positions, 3 * vertexEnd);
    assertPlaced(part, positions, 3 * vertexEnd, mesh.positions.length);
    const mirrored = linearDeterminant(part.transform) < 0;
    for (let i = 0; i < mesh.indices.length; i += 3) {
      indices[indexEnd + i] = vertexEnd + mesh.indices[i];
      indices[indexEnd + i + 1] = vertexEnd + mesh.indices[mirrored ? i + 2 : i + 1];
      indices[indexEnd + i + 2] = vertexEnd + mesh.indices[mirrored ? i + 1 : i + 2];
    }
    const firstTriangle = indexEnd / 3;
    if (meshGroups === undefined) {
      groups.push({ name: part.name, firstTriangle, triangleCount: mesh.indices.length / 3 });
    } else {
      for (const group of meshGroups) {
        groups.push({
          ...group,
          name: `${part.name} ${group.name}`.trim(),
          firstTriangle: firstTriangle + group.firstTriangle,
        });
      }
    }
    vertexEnd += mesh.positions.length / 3;
    indexEnd += mesh.indices.length;
  }
  return { mesh: { positions, indices }, groups };
}

/** The groups of a mesh and the gaps between them, so that every triangle is in one run. */
export function coverTriangles({ mesh, groups = [] }: ModelMesh): MeshGroup[] {
  const triangleCount = mesh.indices.length / 3;
  const runs: MeshGroup[] = [];
  let covered = 0;
  for (const group of groups) {
    if (group.firstTriangle > covered) {
      runs.push({ name: '', firstTriangle: covered, triangleCount: group.firstTriangle - covered });
    }
    if (group.triangleCount > 0) runs.push(group);
    covered = group.firstTriangle + group.triangleCount;
  }
  if (covered < triangleCount) {
    runs.push({ name: '', firstTriangle: covered, triangleCount: triangleCount - covered });
  }
  return runs;
}

/** Throws if a model is invalid: bad meshes, parts without a mesh, placements that are not affine. */
export function assertModel(model: ModelFile): void {
  if (!Array.isArray(model?.meshes) || !Array.isArray(model.parts)) {
    throw new NearfieldError(
      'bad-argument',
      `The model is ${nameValue(model)}; give a ModelFile, as readModel and createModel make.`,
    );
  }
  if (model.parts.length === 0) {
    throw new NearfieldError('empty-mesh', 'The model has no parts; give one with at least one part.');
  }
  for (const { name, mesh, groups = [] } of model.meshes) {
    assertMesh(mesh);
    let covered = 0;
    for (const { name: groupName, firstTriangle, triangleCount } of groups) {
      const whole = Number.isInteger(firstTriangle) && Number.isInteger(triangleCount) && triangleCount >= 0;
      if (!whole || firstTriangle < covered || firstTriangle + triangleCount > mesh.indices.length / 3) {
        throw new NearfieldError(
          'bad-argument',
          `The group "${groupName}" of the mesh "${name}" overlaps the previous group or exceeds the mesh; ` +
            'groups must be runs of its triangles in order.',
        );
      }
      covered = firstTriangle + triangleCount;
    }
  }
  for (const { name, meshIndex, transform } of model.parts) {
    if (model.meshes[meshIndex] === undefined) {
      throw new NearfieldError(
        'bad-argument',
        `The part "${name}" refers to mesh ${meshIndex}, but the model has ${model.meshes.length} meshes.`,
      );
    }
    const affine = transform[12] === 0 && transform[13] === 0 && transform[14] === 0 && transform[15] === 1;
    if (transform.length !== 16 || !affine || !transform.every(Number.isFinite)) {
      throw new NearfieldError(
        'bad-argument',
        `The transform of the part "${name}" is not an affine placement; give 16 finite numbers, row-major, ending in 0 0 0 1.`,
      );
    }
  }
}

function assertPlaced(part: ModelPart, positions: Float64Array, start: number, length: number): void {
  for (let i = start; i < start + length; i++) {
    if (!(Math.abs(positions[i]) <= MAX_COORDINATE)) {
      throw new NearfieldError(
        'non-finite',
        `The part "${part.name}" is placed so that vertex ${Math.floor((i - start) / 3)} has the coordinate ` +
          `${positions[i]}; coordinates must be at most ${MAX_COORDINATE}.`,
        { vertex: Math.floor((i - start) / 3) },
      );
    }
  }
}
