// Reads COLLADA (.dae), versions 1.4 and 1.5, as robots and older tools use it: geometries placed by the nodes of the
// scene, with instances of nodes. The unit of the file is applied, so that placements are in meters; axes stay as they
// are. Materials, animation, skins and physics are ignored. Loaded only when a file needs it.

import { identityMatrix, multiplyMatrices } from '../../core/affine.js';
import { NearfieldError } from '../../core/errors.js';
import type { ModelFile, ModelMesh, ModelPart } from '../model/model-file.js';
import { modelName, type ReadOptions } from '../model/read-options.js';
import { parseXml, type XmlElement } from '../xml/xml-tree.js';
import { readGeometry } from './geometry.js';
import { nodeMatrix } from './node-matrix.js';

/** Chosen: nodes in a chain of instances; a longer chain is a cycle. */
const MAX_NESTING = 64;

/** Chosen: nodes of a scene. Nodes that hold instances of nodes can multiply. */
const MAX_NODES = 2 ** 21;

/** Chosen: parts of a scene, for the same reason. */
const MAX_PARTS = 2 ** 20;

/**
 * Reads a COLLADA file. Vertex ids are those of the positions in the file; polygons become triangles as in other formats.
 * @throws NearfieldError with the line in `location`.
 */
export function readCollada(bytes: Uint8Array, options: ReadOptions = {}): ModelFile {
  const root = parseXml(bytes, options);
  if (root.name !== 'COLLADA')
    root.fail('file-format', `the root element is <${root.name}>; a COLLADA file has <COLLADA>`);
  return new ColladaReader(root, modelName(options)).read();
}

class ColladaReader {
  readonly #root: XmlElement;
  readonly #modelName: string;
  readonly #ids = new Map<string, XmlElement>();
  readonly #meshes: ModelMesh[] = [];
  /** The index of the mesh of each <geometry>; −1 for one without triangles. */
  readonly #meshOf = new Map<XmlElement, number>();
  readonly #parts: ModelPart[] = [];
  readonly #nodesOf = new Map<XmlElement, number>();
  readonly #warnings: string[] = [];
  #skins = 0;

  constructor(root: XmlElement, name: string) {
    this.#root = root;
    this.#modelName = name;
    const waiting = [root];
    while (waiting.length > 0) {
      const element = waiting.pop()!;
      const { id } = element.attributes;
      if (id !== undefined && !this.#ids.has(id)) this.#ids.set(id, element);
      for (const child of element.children) waiting.push(child);
    }
  }

  read(): ModelFile {
    const unit = this.#unit();
    const scene = this.#scene();
    if (scene !== undefined) {
      const nodes = scene.all('node');
      const count = nodes.reduce((sum, node) => sum + this.#countNodes(node, 0), 0);
      if (count > MAX_NODES) scene.fail('too-large', `the scene has more than ${MAX_NODES} nodes`);
      for (const node of nodes) this.#place(node, unit, 0);
    } else {
      for (const geometry of this.#root.all('library_geometries').flatMap((library) => library.all('geometry'))) {
        this.#add(geometry, geometry, unit);
      }
    }
    if (this.#skins > 0) {
      this.#warnings.push(`${this.#skins} skinned geometries are ignored; export them without a skeleton.`);
    }
    if (this.#parts.length === 0) {
      throw new NearfieldError('empty-mesh', 'the scene has no triangles; give a file with a surface.');
    }
    const model = { format: 'dae' as const, meshes: this.#meshes, parts: this.#parts, unit: 1 };
    return this.#warnings.length > 0 ? { ...model, warnings: this.#warnings } : model;
  }

  /** The scale to meters. */
  #unit(): Float64Array {
    const unit = this.#root.child('asset')?.child('unit');
    const meters = Number(unit?.attributes.meter ?? 1);
    if (!(meters > 0 && Number.isFinite(meters))) {
      unit!.fail('file-format', `the unit is ${unit!.attributes.meter} meters; give a length above 0`);
    }
    const scale = identityMatrix();
    scale[0] = scale[5] = scale[10] = meters;
    return scale;
  }

  #scene(): XmlElement | undefined {
    const instance = this.#root.child('scene')?.child('instance_visual_scene');
    if (instance !== undefined) return this.#target(instance);
    return this.#root.child('library_visual_scenes')?.child('visual_scene');
  }

  /** The count of nodes that it places, itself among them. Counting takes no longer where instances of nodes multiply. */
  #countNodes(node: XmlElement, depth: number): number {
    const known = this.#nodesOf.get(node);
    if (known !== undefined) return known;
    if (depth > MAX_NESTING) node.fail('too-large', `nodes are nested deeper than ${MAX_NESTING}, or hold themselves`);
    let count = 1;
    for (const child of node.children) {
      if (child.name === 'node') count += this.#countNodes(child, depth + 1);
      else if (child.name === 'instance_node') count += this.#countNodes(this.#target(child), depth + 1);
    }
    this.#nodesOf.set(node, count);
    return count;
  }

  #place(node: XmlElement, above: Float64Array, depth: number): void {
    if (depth > MAX_NESTING) node.fail('too-large', `nodes are nested deeper than ${MAX_NESTING}, or hold themselves`);
    const placement = multiplyMatrices(above, nodeMatrix(node));
    for (const child of node.children) {
      if (child.name === 'node') this.#place(child, placement, depth + 1);
      else if (child.name === 'instance_node') this.#place(this.#target(child), placement, depth + 1);
      else if (child.name === 'instance_geometry') this.#add(this.#target(child), node, placement);
      else if (child.name === 'instance_controller') this.#skins++;
    }
  }

  #add(geometry: XmlElement, node: XmlElement, transform: Float64Array): void {
    if (geometry.name !== 'geometry') geometry.fail('file-format', `<${geometry.name}> is no <geometry>`);
    const meshIndex = this.#mesh(geometry);
    if (meshIndex < 0) return;
    if (this.#parts.length >= MAX_PARTS) node.fail('too-large', `the scene has more than ${MAX_PARTS} parts`);
    const name = node.attributes.name || node.attributes.id || this.#meshes[meshIndex].name;
    this.#parts.push({ name, meshIndex, transform: transform.slice() });
  }

  #mesh(geometry: XmlElement): number {
    let index = this.#meshOf.get(geometry);
    if (index !== undefined) return index;
    const read = readGeometry(geometry);
    index = read === null ? -1 : this.#meshes.length;
    this.#meshOf.set(geometry, index);
    if (read === null) return index;
    const { mesh, groups, warnings } = read;
    const name = geometry.attributes.name || geometry.attributes.id || this.#modelName;
    this.#meshes.push(groups.length > 1 ? { name, mesh, groups } : { name, mesh });
    this.#warnings.push(...warnings.map((warning) => `geometry "${name}": ${warning}`));
    return index;
  }

  /** What an instance refers to within the file. */
  #target(instance: XmlElement): XmlElement {
    const url = instance.attribute('url');
    if (!url.startsWith('#')) {
      instance.fail('unsupported', `<${instance.name}> refers to "${url}" in another file; export one file`);
    }
    return (
      this.#ids.get(decodeURIComponent(url.slice(1))) ??
      instance.fail('file-format', `<${instance.name}> refers to "${url}", which does not exist`)
    );
  }
}
