// Reads PLY, text and both binary orders: vertices, polygons and triangle strips; all other elements are ignored.
// One pass over the values, O(file). Source: Turk 1994, The PLY Polygon File Format.
import { NearfieldError } from '../../core/errors.js';
import { reportProgress } from '../../core/progress.js';
import { MAX_COORDINATE } from '../../core/tolerances.js';
import { createModel, type ModelFile } from '../model/model-file.js';
import { modelName, PROGRESS_INTERVAL, type ReadOptions } from '../model/read-options.js';
import { TriangleList } from './growing-lists.js';
import { type PlyElement, type PlyProperty, type PlyType, readPlyHeader } from './ply-header.js';
import { openPlyValues, type PlyValues } from './ply-values.js';
import { PolygonCuts } from './polygon-cuts.js';

/**
 * Reads a PLY file. Vertex ids are those of the file. Polygons become triangle fans from their first vertex, in file
 * order. Strips (`tristrips`) become triangles, without those that have two equal ids.
 */
export function readPly(bytes: Uint8Array, options: ReadOptions = {}): ModelFile {
  return new PlyReader(bytes).read(options);
}

class PlyReader {
  readonly #byteLength: number;
  readonly #elements: readonly PlyElement[];
  readonly #values: PlyValues;
  readonly #vertexCount: number;
  #positions = new Float64Array(0);
  readonly #triangles: TriangleList;
  readonly #polygons = new PolygonCuts();

  constructor(bytes: Uint8Array) {
    const header = readPlyHeader(bytes);
    this.#byteLength = bytes.length;
    this.#elements = header.elements;
    this.#values = openPlyValues(bytes, header);
    this.#vertexCount = header.elements.find(({ name }) => name === 'vertex')?.count ?? 0;
    this.#triangles = new TriangleList(bytes.length / 32);
  }

  read(options: ReadOptions): ModelFile {
    for (const element of this.#elements) {
      this.#values.assertFits(element);
      if (element.name === 'vertex') this.#prepareVertices(element);
      const readProperties = this.#chooseReader(element);
      // An element without properties has no bytes, whatever its count.
      const count = element.properties.length === 0 ? 0 : element.count;
      for (let index = 0; index < count; index++) {
        if (index % PROGRESS_INTERVAL === 0) {
          reportProgress(options, this.#values.offset / this.#byteLength, 'reading PLY');
        }
        this.#values.beginElement(element);
        readProperties(index);
        this.#values.endElement();
      }
    }
    if (this.#triangles.count === 0) {
      this.#values.fail(
        'empty-mesh',
        `the file has ${this.#vertexCount} vertices but no faces; give one with a surface`,
      );
    }
    const mesh = { positions: this.#positions, indices: this.#triangles.toArray() };
    const warnings = this.#polygons.finish(mesh.positions, mesh.indices);
    const model = createModel({ name: modelName(options), mesh }, 'ply');
    return warnings.length > 0 ? { ...model, warnings } : model;
  }

  #chooseReader(element: PlyElement): (index: number) => void {
    const { name, properties } = element;
    if (name === 'vertex') {
      const axes = properties.map((property) => (property.countType === null ? 'xyz'.indexOf(property.name) : -1));
      return (index) => this.#readVertex(properties, axes, index);
    }
    if (name !== 'face' && name !== 'tristrips') {
      return () => {
        for (const property of properties) this.#skipProperty(property);
      };
    }
    const ids = properties.find(
      (property) => property.countType !== null && /^vertex_(indices|index)$/.test(property.name),
    );
    if (ids === undefined && element.count > 0) {
      failElement(element, `"${name}" has no list named vertex_indices or vertex_index`);
    }
    const readIds = name === 'face' ? this.#readFan : this.#readStrip;
    return () => {
      for (const property of properties) {
        if (property === ids) readIds.call(this, this.#readLength(property), property.type);
        else this.#skipProperty(property);
      }
    };
  }

  #prepareVertices(element: PlyElement): void {
    for (const axis of ['x', 'y', 'z']) {
      const matches = element.properties.filter(({ name, countType }) => name === axis && countType === null);
      if (matches.length !== 1) {
        failElement(element, `"vertex" must have one scalar property "${axis}"; it has ${matches.length}`);
      }
    }
    this.#positions = new Float64Array(3 * element.count);
  }

  #readVertex(properties: readonly PlyProperty[], axes: readonly number[], vertex: number): void {
    for (let i = 0; i < properties.length; i++) {
      const axis = axes[i];
      if (axis < 0) {
        this.#skipProperty(properties[i]);
        continue;
      }
      const value = this.#values.read(properties[i].type, 'a coordinate');
      if (!(Math.abs(value) <= MAX_COORDINATE)) {
        this.#values.fail(
          'non-finite',
          `vertex ${vertex} has the coordinate ${value}; coordinates must be finite and at most ${MAX_COORDINATE}`,
        );
      }
      this.#positions[3 * vertex + axis] = value;
    }
  }

  #readFan(length: number, type: PlyType): void {
    if (length < 3)
      this.#values.fail('file-format', `the face has ${length} vertices; a face needs three, so remove it`);
    const first = this.#readId(type);
    let previous = this.#readId(type);
    for (let i = 2; i < length; i++) {
      const id = this.#readId(type);
      this.#triangles.push(first, previous, id);
      previous = id;
    }
    this.#polygons.add(this.#triangles.count - length + 2, length - 2);
  }

  /** −1 ends a strip and starts the next one. */
  #readStrip(length: number, type: PlyType): void {
    let a = -1;
    let b = -1;
    let turned = false;
    for (let i = 0; i < length; i++) {
      const c = this.#readId(type, -1);
      if (c === -1) {
        a = -1;
        b = -1;
        turned = false;
        continue;
      }
      if (a !== -1) {
        if (a !== b && b !== c && c !== a) this.#triangles.push(turned ? b : a, turned ? a : b, c);
        turned = !turned;
      }
      a = b;
      b = c;
    }
  }

  #readId(type: PlyType, lowest = 0): number {
    const id = this.#values.read(type, 'a vertex id');
    if (!(id >= lowest && id < this.#vertexCount && Number.isInteger(id))) {
      this.#values.fail(
        'index-out-of-range',
        `a face uses vertex ${id}, but the file has ${this.#vertexCount} vertices`,
      );
    }
    return id;
  }

  #readLength(property: PlyProperty): number {
    const length = this.#values.read(property.countType!, `the length of "${property.name}"`);
    if (!(length >= 0 && Number.isInteger(length))) {
      this.#values.fail('file-format', `the list "${property.name}" has the length ${length}`);
    }
    return length;
  }

  #skipProperty(property: PlyProperty): void {
    this.#values.skip(property.type, property.countType === null ? 1 : this.#readLength(property));
  }
}

function failElement({ line }: PlyElement, message: string): never {
  throw new NearfieldError('file-format', `line ${line}: ${message}.`, { line });
}
