// Reads STEP and IGES by the optional package occt-import-js, which divides the curved surfaces into triangles. Its answer
// is one mesh a placed solid; copies of one shape are found again, so that each shape is one mesh of several parts.
// Loaded only when a file needs it.
import { NearfieldError } from '../../core/errors.js';
import { reportProgress } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { ExactWelder } from '../formats/exact-welder.js';
import { TriangleList } from '../formats/growing-lists.js';
import type { LinearColor, ModelFile, ModelMesh, ModelPart } from '../model/model-file.js';
import { CHORD_ERROR, modelName, type ReadOptions } from '../model/read-options.js';
import { loadPeer, type PeerImports } from '../peer/load-peer.js';
import { findRigidCopies } from './rigid-copies.js';

/** Chosen: the largest angle, in radians, between normals of neighboring triangles of a curved surface. */
const ANGULAR_ERROR = 0.5;

/** Definition: meters of a millimeter, to which all lengths are converted. */
const UNIT = 0.001;

/** Chosen: assemblies within assemblies. */
const MAX_DEPTH = 256;

/** Names that kernels give to shapes without one. */
const UNNAMED = /^(|SOLID|SHELL|COMPOUND|FACE|=>\[.*\]|Open CASCADE.*)$/i;

interface CadNode {
  readonly name: string;
  readonly meshes: readonly number[];
  readonly children: readonly CadNode[];
}

interface CadMesh {
  readonly name: string;
  readonly color?: readonly [number, number, number];
  readonly attributes: { readonly position: { readonly array: ArrayLike<number> } };
  readonly index: { readonly array: ArrayLike<number> };
}

interface CadResult {
  readonly success: boolean;
  readonly root?: CadNode;
  readonly meshes?: readonly CadMesh[];
}

interface CadKernel {
  ReadStepFile(bytes: Uint8Array, options: object): CadResult;
  ReadIgesFile(bytes: Uint8Array, options: object): CadResult;
}

/** How a CAD file is read. */
export interface CadOptions extends ReadOptions {
  readonly packages?: PeerImports | undefined;
  readonly chordError?: number | undefined;
}

/** Reads a STEP or IGES file in millimeters. @throws NearfieldError, `unsupported` without the package. */
export async function readCad(bytes: Uint8Array, format: 'step' | 'iges', options: CadOptions): Promise<ModelFile> {
  const chordError = options.chordError ?? CHORD_ERROR;
  if (!(chordError > 0 && chordError < Infinity)) {
    throw new NearfieldError('bad-argument', `The chordError is ${chordError}; give a length in millimeters above 0.`);
  }
  if (format === 'step') assertWhole(bytes);
  reportProgress(options, 0, 'loading the CAD kernel');
  const start = await loadPeer<(settings: object) => Promise<CadKernel>>(
    'occt-import-js',
    `A file of ${format.toUpperCase()}`,
    options.packages,
  );
  // Without these the kernel writes its own reports to standard output.
  const kernel = await start({ print: () => {}, printErr: () => {} });
  reportProgress(options, 0.2, 'reading CAD');
  const { root, meshes } = runKernel(kernel, bytes, format, chordError);
  reportProgress(options, 0.9, 'finding copies');
  if (meshes.every(({ index }) => index.array.length === 0)) refuseEmpty(bytes);
  return { ...assemble(root, meshes, options), format, unit: UNIT, chordError };
}

/** Says why a file has no triangles. */
function refuseEmpty(bytes: Uint8Array): never {
  const text = new TextDecoder('latin1').decode(bytes);
  const others = [...text.matchAll(/DOCUMENT_FILE\s*\(\s*'([^']+)'/g)].map(([, name]) => name);
  if (others.length === 0) {
    throw new NearfieldError('empty-mesh', 'the scene of the file has no surface; give one with a solid or a shell.');
  }
  throw new NearfieldError(
    'unsupported',
    `byte 0: the shapes are in ${others.length} other files, such as "${others[0]}", which are not read; export one file.`,
    { byte: 0 },
  );
}

/** OCCT reads half a file without a word. */
function assertWhole(bytes: Uint8Array): void {
  const text = new TextDecoder('latin1').decode(bytes.slice(-4096));
  if (/END-ISO-10303-21\s*;/.test(text)) return;
  throw new NearfieldError(
    'file-truncated',
    `byte ${bytes.length}: the STEP file does not end with END-ISO-10303-21; it is truncated, so copy it again.`,
    { byte: bytes.length },
  );
}

function runKernel(
  kernel: CadKernel,
  bytes: Uint8Array,
  format: 'step' | 'iges',
  chordError: number,
): { root: CadNode; meshes: readonly CadMesh[] } {
  const options = {
    linearUnit: 'millimeter',
    linearDeflectionType: 'absolute_value',
    linearDeflection: chordError,
    angularDeflection: ANGULAR_ERROR,
  };
  let result: CadResult;
  let reason = '';
  try {
    result = format === 'step' ? kernel.ReadStepFile(bytes, options) : kernel.ReadIgesFile(bytes, options);
  } catch (error) {
    result = { success: false };
    reason = ` (${error instanceof Error ? error.message : 'its kernel stopped'})`;
  }
  if (result.success && result.root !== undefined && result.meshes !== undefined) {
    return { root: result.root, meshes: result.meshes };
  }
  throw new NearfieldError(
    'file-format',
    `byte 0: the file is not one that the CAD kernel can read${reason}; export it again as ${format.toUpperCase()}.`,
    { byte: 0 },
  );
}

/** The meshes with copies as parts of one, named by the tree. */
function assemble(root: CadNode, given: readonly CadMesh[], options: ReadOptions): Pick<ModelFile, 'meshes' | 'parts'> {
  const welded = given.map(weld);
  const copies = findRigidCopies(welded);
  const meshes: ModelMesh[] = [];
  const known = new Map<string, number>();
  const parts: ModelPart[] = [];
  const visit = (node: CadNode, path: readonly string[], depth: number): void => {
    if (depth > MAX_DEPTH)
      throw new NearfieldError('too-large', 'byte 0: assemblies are nested too deep; flatten them.');
    const inside = node.name === '' ? path : [...path, node.name];
    for (const index of node.meshes) {
      if (welded[index].indices.length === 0) continue;
      const { original, transform } = copies[index];
      const color = colorOf(given[index]);
      const key = JSON.stringify([original, color]);
      // The tree's names stand for shapes without one; a part does not hold itself.
      const own = [...inside, given[index].name].filter((word, i, all) => !UNNAMED.test(word) && word !== all[i - 1]);
      const name = own.pop() ?? modelName(options);
      const meshIndex = known.get(key) ?? meshes.push({ name, mesh: welded[original], ...(color && { color }) }) - 1;
      known.set(key, meshIndex);
      parts.push({ name, meshIndex, transform, ...(own.length > 0 && { path: own }) });
    }
    for (const child of node.children) visit(child, inside, depth + 1);
  };
  visit(root, [], 0);
  return { meshes, parts };
}

/** Faces of a shape have vertices of their own, equal to the bit along shared edges. */
function weld({ attributes, index }: CadMesh): Mesh {
  const welder = new ExactWelder();
  const positions = attributes.position.array;
  const ids = new Uint32Array(positions.length / 3);
  for (let i = 0; i < ids.length; i++)
    ids[i] = welder.add(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
  const triangles = new TriangleList();
  for (let i = 0; i + 2 < index.array.length; i += 3) {
    triangles.push(ids[index.array[i]], ids[index.array[i + 1]], ids[index.array[i + 2]]);
  }
  return { positions: welder.toPositions(), indices: triangles.toArray() };
}

function colorOf({ color }: CadMesh): LinearColor | null {
  return color === undefined ? null : [color[0], color[1], color[2], 1];
}
