// Reads 3MF packages: ZIP archives with models in XML. Items of the build become parts; objects that items share stay
// shared. Source: 3MF Consortium 2021, Core Specification 1.3. Loaded only when a file needs it.
import { multiplyMatrices } from '../../core/affine.js';
import { NearfieldError } from '../../core/errors.js';
import { partOfProgress, reportProgress } from '../../core/progress.js';
import type { ModelFile, ModelMesh, ModelPart } from '../model/model-file.js';
import { modelName, type ReadOptions } from '../model/read-options.js';
import { parseXml } from '../xml/xml-tree.js';
import { ZipArchive } from '../zip/read-zip.js';
import { type ModelPartContent, type Placed, readModelPart, type ThreeMfObject } from './model-part.js';

/** Format: the type of the relationship that names the model. */
const MODEL_RELATION = 'http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel';

/** Chosen: components within components; a longer chain is a cycle. */
const MAX_NESTING = 64;

/** Chosen: parts of a package, and steps to place them. Components of components can multiply. */
const MAX_PARTS = 2 ** 20;

/** Reads a 3MF package in its own unit. @throws NearfieldError with the byte or the line in `location`. */
export async function read3mf(bytes: Uint8Array, options: ReadOptions = {}): Promise<ModelFile> {
  const archive = new ZipArchive(bytes);
  const root = await findModel(archive, options);
  const contents = new Map<string, ModelPartContent>();
  const waiting = [root];
  // Parts of the package that others refer to, each once.
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (contents.has(path)) continue;
    const share = contents.size === 0 ? partOfProgress(options, 0, 0.8) : {};
    const content = readModelPart(await readPart(archive, path), { ...options, ...share });
    contents.set(path, content);
    const places = [...content.items, ...[...content.objects.values()].flatMap(({ components }) => components)];
    for (const { path: other } of places) if (other !== undefined) waiting.push(withoutSlash(other));
  }
  reportProgress(options, 0.9, 'placing parts');
  return new Assembler(root, contents, modelName(options)).assemble();
}

/** The path of the model that the package begins with. */
async function findModel(archive: ZipArchive, options: ReadOptions): Promise<string> {
  const relations = await archive.read('_rels/.rels');
  if (relations !== null) {
    const { children } = parseXml(relations, { fileName: options.fileName });
    const relation = children.find(({ attributes }) => attributes.Type === MODEL_RELATION);
    if (relation !== undefined) return withoutSlash(relation.attribute('Target'));
  }
  const found = archive.paths.find((path) => /^3D\/.*\.model$/i.test(path));
  if (found !== undefined) return found;
  throw new NearfieldError('file-format', 'byte 0: the archive has no model of 3MF in it; give a .3mf file.', {
    byte: 0,
  });
}

async function readPart(archive: ZipArchive, path: string): Promise<Uint8Array> {
  const bytes = await archive.read(path);
  if (bytes !== null) return bytes;
  throw new NearfieldError(
    'file-format',
    `byte 0: the archive has no "${path}", to which it refers; export it again.`,
    {
      byte: 0,
    },
  );
}

function withoutSlash(path: string): string {
  return path.replace(/^\//, '');
}

/** Places the objects of the build. */
class Assembler {
  readonly #root: string;
  readonly #contents: ReadonlyMap<string, ModelPartContent>;
  readonly #name: string;
  readonly #meshes: ModelMesh[] = [];
  readonly #meshOf = new Map<ThreeMfObject, number>();
  readonly #parts: ModelPart[] = [];
  #steps = 0;
  #supports = 0;

  constructor(root: string, contents: ReadonlyMap<string, ModelPartContent>, name: string) {
    this.#root = root;
    this.#contents = contents;
    this.#name = name;
  }

  assemble(): ModelFile {
    const { items, unit } = this.#contents.get(this.#root)!;
    for (const item of items) this.#place(item, this.#root, null, [], 0);
    const contents = [...this.#contents.values()];
    const lattices = contents.reduce((sum, { lattices }) => sum + lattices, 0);
    const omitted: readonly (readonly [number, string])[] = [
      [this.#supports, 'supports of the print are left out'],
      [lattices, 'lattices of beams are left out; export them as triangles'],
    ];
    const warnings = omitted.filter(([count]) => count > 0).map(([count, what]) => `${what} (${count} in the file).`);
    if (this.#parts.length === 0) {
      throw new NearfieldError(
        'empty-mesh',
        'the scene of the build has no triangles; give a file that builds a mesh.',
      );
    }
    const model = { format: '3mf' as const, meshes: this.#meshes, parts: this.#parts, unit };
    return warnings.length > 0 ? { ...model, warnings } : model;
  }

  #place(placed: Placed, home: string, above: Float64Array | null, names: readonly string[], depth: number): void {
    const { line } = placed;
    const path = placed.path === undefined ? home : withoutSlash(placed.path);
    const object = this.#contents.get(path)!.objects.get(placed.objectId);
    if (object === undefined) {
      throw new NearfieldError('file-format', `line ${line}: there is no object ${placed.objectId}.`, { line });
    }
    if (depth > MAX_NESTING || ++this.#steps > MAX_PARTS) {
      throw new NearfieldError('too-large', `line ${line}: components multiply, or contain themselves.`, { line });
    }
    if (object.type === 'support' || object.type === 'solidsupport') {
      this.#supports++;
      return;
    }
    const transform = above === null ? placed.transform : multiplyMatrices(above, placed.transform);
    const meshIndex = this.#mesh(object);
    const name = object.name || `object ${placed.objectId}`;
    if (meshIndex >= 0) {
      this.#parts.push({ name, meshIndex, transform, ...(names.length > 0 && { path: names }) });
    }
    for (const component of object.components) this.#place(component, path, transform, [...names, name], depth + 1);
  }

  #mesh(object: ThreeMfObject): number {
    const known = this.#meshOf.get(object);
    if (known !== undefined) return known;
    const index =
      object.mesh === null ? -1 : this.#meshes.push({ name: object.name || this.#name, mesh: object.mesh }) - 1;
    this.#meshOf.set(object, index);
    return index;
  }
}
