// The parts of model files as rigid bodies. A placement is split into a stretch followed by a rotation; the stretch is
// applied to a copy of the mesh, which all parts of that mesh with the same stretch share. Meshes of equal content are
// one mesh: exporters often write a bolt forty times.

import { linearDeterminant, transformPositions } from '../core/affine.js';
import { checkedElsewhere, flag, optionTable, PROGRESS_RULES } from '../core/check/option-table.js';
import { NearfieldError } from '../core/errors.js';
import type { Pose } from '../core/pose.js';
import { type ProgressOptions, partOfProgress, reportProgress } from '../core/progress.js';
import { splitPlacement, UNSTRETCHED } from '../core/split-placement.js';
import { symmetricEigen } from '../core/symmetric-eigen.js';
import { MAX_COORDINATE } from '../core/tolerances.js';
import { assertModel, type ModelFile, type PartFacts } from '../io/model/model-file.js';
import type { Mesh } from '../mesh/mesh.js';
import { makeSound } from '../mesh/soundness/make-sound.js';
import { ProximityModel } from '../proximity/proximity-model.js';
import { precisionOf } from './measures/mesh-precision.js';

/** One body of an assembly. */
export interface AssemblyPart {
  /** Unique within the assembly. */
  readonly name: string;
  /** Shared by all parts that show one mesh at one scale. */
  readonly model: ProximityModel;
  readonly pose: Pose;
  /** The names of the assemblies that hold it, from the outermost. */
  readonly path?: readonly string[] | undefined;
  /** What its file says about it. */
  readonly about?: PartFacts | undefined;
  /** How far its triangles may be from the surface that its file means; undefined where they are that surface. */
  readonly chordError?: number | undefined;
  /** Twice as far as rounding may have moved a vertex in its file; undefined where nobody knows. */
  readonly precision?: number | undefined;
  /** What {@link buildAssembly} did to its mesh. */
  readonly cleaning?: PartCleaning | undefined;
}

/** How sound the mesh of a part is. */
export interface PartCleaning {
  /** What was done, a sentence for each change. */
  readonly done: readonly string[];
  /** The most that the surface moved. */
  readonly tolerance: number;
  /** The part bounds a solid. */
  readonly closed: boolean;
  /** Edges of one face only: through them nothing inside the part is seen. */
  readonly openEdges: number;
  /** All its faces are without area. */
  readonly flat: boolean;
}

/** How to build an assembly. */
export interface AssemblyOptions extends ProgressOptions {
  /** The name of each model, such as its file. Errors include it, and with several models the names of parts do too. */
  readonly modelNames?: readonly string[] | undefined;
  /**
   * Makes the mesh of each part sound, as {@link makeSound} does: one face without area takes the depth of a part away.
   * Default true. Meshes that are sound already stay as they are.
   */
  readonly clean?: boolean | undefined;
}

const ASSEMBLY_TABLE = optionTable<AssemblyOptions>()({
  modelNames: checkedElsewhere(),
  clean: flag(true),
  ...PROGRESS_RULES,
});

/**
 * Rounding: stretches whose entries differ by less than this share of the largest count as equal. A rotation matrix in
 * single precision is off by 2e-7, and otherwise each of a thousand bolts would get its own model.
 */
const SAME_STRETCH = 5e-7;
/** Chosen: a new stretch is compared with this many of the latest stretches of its mesh. */
const STRETCHES_COMPARED = 64;
/** Chosen: parts between two reports of progress. */
const REPORT_INTERVAL = 64;

/**
 * Every part of one or more models as a rigid body in its place, in order, for {@link findClashes}, a {@link Pair} or a
 * {@link Scene}. Parts of one mesh, or of meshes with
 * the same content, share its model, however they are rotated. Scaling, mirroring and shearing are
 * applied to the mesh of the part's model. A second "bolt" is called "bolt (2)".
 * @throws NearfieldError for a model without parts, a bad mesh, or a placement that is not affine or too far away.
 */
export function buildAssembly(models: ModelFile | readonly ModelFile[], options: AssemblyOptions = {}): AssemblyPart[] {
  const files = Array.isArray(models) ? (models as readonly ModelFile[]) : [models as ModelFile];
  ASSEMBLY_TABLE.assert(options);
  const { modelNames } = options;
  if (modelNames !== undefined && !Array.isArray(modelNames)) {
    throw new NearfieldError('bad-argument', 'modelNames is not an array; give the name of each model.');
  }
  if (modelNames !== undefined && modelNames.length !== files.length) {
    throw new NearfieldError(
      'bad-argument',
      `There are ${modelNames.length} modelNames for ${files.length} models; give one for each.`,
    );
  }
  const names = new UniqueNames();
  const shapes = new Shapes(ASSEMBLY_TABLE.read(options).clean);
  return files.flatMap((file, index) => {
    const share = partOfProgress(options, index / files.length, (index + 1) / files.length);
    const modelName = modelNames?.[index];
    const nameOf = (name: string): string => {
      if (files.length === 1 || modelName === undefined) return name;
      return file.parts.length === 1 ? modelName : `${modelName}: ${name}`;
    };
    const parts = nameErrors(modelName, () => placeParts(file, shapes, share));
    return parts.map((part) => ({ ...part, name: names.take(nameOf(part.name)) }));
  });
}

function nameErrors<T>(modelName: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (modelName === undefined || !(error instanceof NearfieldError)) throw error;
    throw new NearfieldError(error.code, `${modelName}: ${error.message}`, { ...error.location, file: modelName });
  }
}

function placeParts(file: ModelFile, shapes: Shapes, progress: ProgressOptions): AssemblyPart[] {
  assertModel(file);
  const made = file.meshes.map(({ mesh, precision }) => shapes.take(mesh, precision));
  const { chordError } = file;
  return file.parts.map(({ name, meshIndex, transform, path, about }, index) => {
    if (index % REPORT_INTERVAL === 0) reportProgress(progress, index / file.parts.length, 'placing parts');
    const { pose, stretch } = splitPlacement(transform);
    if (!pose.every((value) => Math.abs(value) <= MAX_COORDINATE)) {
      throw new NearfieldError('non-finite', `The part "${name}" is placed beyond ${MAX_COORDINATE}; bring it nearer.`);
    }
    const { mesh, known, cleaning, precision } = made[meshIndex];
    let shared = known.slice(-STRETCHES_COMPARED).find((other) => isSameStretch(other.stretch, stretch));
    if (shared === undefined) {
      const stretched = isSameStretch(stretch, UNSTRETCHED) ? mesh : stretchMesh(mesh, stretch, name);
      shared = { stretch, model: new ProximityModel(stretched) };
      known.push(shared);
    }
    // A copy of the file's placement stretches the error and the tolerance with the shape.
    const stretched = largestStretch(stretch);
    return {
      ...{ name, model: shared.model, pose, path, about },
      chordError: chordError === undefined ? undefined : chordError * stretched,
      precision: precision * stretched,
      cleaning: cleaning && { ...cleaning, tolerance: cleaning.tolerance * stretched },
    };
  });
}

/** One mesh at each scale at which parts show it. */
interface Shape {
  readonly mesh: Mesh;
  readonly known: { stretch: Float64Array; model: ProximityModel }[];
  readonly cleaning: PartCleaning | undefined;
  readonly precision: number;
}

/** Every mesh of an assembly once, whichever file it comes from. */
class Shapes {
  readonly #byHash = new Map<number, { readonly given: Mesh; readonly shape: Shape }[]>();
  readonly #clean: boolean;

  constructor(clean: boolean) {
    this.#clean = clean;
  }

  take(given: Mesh, stated = 0): Shape {
    const hash = hashMesh(given);
    const alike = this.#byHash.get(hash) ?? [];
    this.#byHash.set(hash, alike);
    const known = alike.find((other) => isSameMesh(other.given, given));
    if (known !== undefined) return known.shape;
    const precision = Math.max(stated, precisionOf(given));
    const shape = { ...(this.#clean ? cleanMesh(given) : { mesh: given, cleaning: undefined }), known: [], precision };
    alike.push({ given, shape });
    return shape;
  }
}

/** The mesh made sound. One whose faces are all without area stays as it is. */
function cleanMesh(given: Mesh): { mesh: Mesh; cleaning: PartCleaning } {
  try {
    const { mesh, done, tolerance, closed, openEdges } = makeSound(given);
    return { mesh, cleaning: { done, tolerance, closed, openEdges, flat: false } };
  } catch (error) {
    if (!(error instanceof NearfieldError) || error.code !== 'empty-mesh') throw error;
    return { mesh: given, cleaning: { done: [], tolerance: 0, closed: false, openEdges: 0, flat: true } };
  }
}

/** The largest factor by which a stretch makes anything longer. */
function largestStretch(m: Float64Array): number {
  const gram = (i: number, j: number): number => m[i] * m[j] + m[4 + i] * m[4 + j] + m[8 + i] * m[8 + j];
  const { values } = symmetricEigen(gram(0, 0), gram(0, 1), gram(0, 2), gram(1, 1), gram(1, 2), gram(2, 2));
  return Math.sqrt(values[0]);
}

/** FNV-1a over the 32-bit words of the positions and indices. */
function hashMesh({ positions, indices }: Mesh): number {
  let hash = 0x811c9dc5;
  // A view of whole words starts at a multiple of 4 bytes, as every typed array of 4 or 8 bytes does.
  for (const { buffer, byteOffset, byteLength } of [positions, indices]) {
    for (const word of new Uint32Array(buffer, byteOffset, byteLength / 4)) hash = Math.imul(hash ^ word, 0x01000193);
  }
  return hash;
}

function isSameMesh(a: Mesh, b: Mesh): boolean {
  const isSame = (p: ArrayLike<number>, q: ArrayLike<number>): boolean => {
    if (p.length !== q.length) return false;
    for (let i = 0; i < p.length; i++) if (p[i] !== q[i]) return false;
    return true;
  };
  return a === b || (isSame(a.indices, b.indices) && isSame(a.positions, b.positions));
}

function isSameStretch(a: Float64Array, b: Float64Array): boolean {
  let largest = 0;
  let difference = 0;
  for (let i = 0; i < 12; i++) {
    largest = Math.max(largest, Math.abs(a[i]));
    difference = Math.max(difference, Math.abs(a[i] - b[i]));
  }
  return difference <= SAME_STRETCH * largest;
}

/** The stretched mesh; a mirrored mesh has its triangles flipped, so that they stay counter-clockwise from outside. */
function stretchMesh(mesh: Mesh, stretch: Float64Array, part: string): Mesh {
  const positions = transformPositions(stretch, mesh.positions);
  const bad = positions.findIndex((value) => !(Math.abs(value) <= MAX_COORDINATE));
  if (bad >= 0) {
    const vertex = Math.floor(bad / 3);
    throw new NearfieldError(
      'non-finite',
      `The part "${part}" is scaled so that vertex ${vertex} has the coordinate ${positions[bad]}; coordinates must be at ` +
        `most ${MAX_COORDINATE}.`,
      { vertex },
    );
  }
  if (linearDeterminant(stretch) >= 0) return { positions, indices: mesh.indices };
  const indices = mesh.indices.slice();
  for (let i = 0; i < indices.length; i += 3) {
    indices[i + 1] = mesh.indices[i + 2];
    indices[i + 2] = mesh.indices[i + 1];
  }
  return { positions, indices };
}

/** Unique names for all parts: the second "bolt" is "bolt (2)". */
class UniqueNames {
  readonly #taken = new Set<string>();
  readonly #counts = new Map<string, number>();

  take(wanted: string): string {
    const base = wanted === '' ? 'part' : wanted;
    let count = this.#counts.get(base) ?? 1;
    let name = base;
    while (this.#taken.has(name)) name = `${base} (${++count})`;
    this.#counts.set(base, count);
    this.#taken.add(name);
    return name;
  }
}
