// One model part of a 3MF package: the objects and build items in its XML, read without keeping the XML itself.
// Source: 3MF Consortium 2021, Core Specification 1.3, sections 3 and 4; Production Extension 1.1.
import { NearfieldError, type NearfieldErrorCode } from '../../core/errors.js';
import type { Mesh } from '../../mesh/mesh.js';
import { PositionList, TriangleList } from '../formats/growing-lists.js';
import type { ReadOptions } from '../model/read-options.js';
import { scanXml } from '../xml/xml-tree.js';

/** A placement of an object: of a component, or of an item of the build. */
export interface Placed {
  readonly objectId: string;
  /** The part of the package that has the object; undefined for the same one. */
  readonly path: string | undefined;
  /** Row-major, for columns. */
  readonly transform: Float64Array;
  readonly line: number;
}

/** An object: a mesh or components. */
export interface ThreeMfObject {
  readonly name: string;
  readonly type: string;
  readonly line: number;
  readonly mesh: Mesh | null;
  readonly components: readonly Placed[];
}

/** What a part of the package holds. */
export interface ModelPartContent {
  /** Meters a unit. */
  readonly unit: number;
  readonly objects: ReadonlyMap<string, ThreeMfObject>;
  readonly items: readonly Placed[];
  /** Lattices of beams, which are no triangles. */
  readonly lattices: number;
}

/** Format: the units in meters. */
const UNITS: Readonly<Record<string, number>> = {
  micron: 1e-6,
  millimeter: 1e-3,
  centimeter: 1e-2,
  inch: 0.0254,
  foot: 0.3048,
  meter: 1,
};

/** Format: the namespaces of extensions that a file may require: those of looks, of printing and of paths. */
const KNOWN_EXTENSIONS = /\/3dmanufacturing\/(material|production|slice)\/|\/core\/|\/3dmanufacturing\/trianglesets\//;

type Attributes = Readonly<Record<string, string>>;

/** Reads the XML of a part. */
export function readModelPart(bytes: Uint8Array, options: ReadOptions): ModelPartContent {
  const reader = new ModelPartReader();
  scanXml(bytes, options, reader);
  return reader.finish();
}

class ModelPartReader {
  readonly #objects = new Map<string, ThreeMfObject>();
  readonly #items: Placed[] = [];
  #unit: number | null = null;
  #lattices = 0;
  #object: { id: string; name: string; type: string; line: number } | null = null;
  #components: Placed[] = [];
  #vertices: PositionList | null = null;
  #triangles = new TriangleList();

  readonly open = (name: string, attributes: Attributes, line: number): void => {
    const colon = name.indexOf(':');
    if (this.#unit === null) this.#openModel(name.slice(colon + 1), attributes, line);
    else if (/^\w+:beamlattice$/.test(name)) this.#lattices++;
    // Elements of other extensions have a prefix.
    else if (colon < 0) this.#openElement(name, attributes, line);
  };

  finish(): ModelPartContent {
    this.#closeObject();
    return { unit: this.#unit!, objects: this.#objects, items: this.#items, lattices: this.#lattices };
  }

  #openModel(name: string, attributes: Attributes, line: number): void {
    if (name !== 'model') fail('file-format', line, `the root element is <${name}>; a 3MF model has <model>`);
    const unit = attributes.unit ?? 'millimeter';
    this.#unit = UNITS[unit] ?? null;
    if (this.#unit === null)
      fail('file-format', line, `the unit is "${unit}"; 3MF has ${Object.keys(UNITS).join(', ')}`);
    for (const prefix of (attributes.requiredextensions ?? '').split(/\s+/).filter((word) => word !== '')) {
      const space = attributes[`xmlns:${prefix}`] ?? prefix;
      if (KNOWN_EXTENSIONS.test(space)) continue;
      fail('unsupported', line, `the file requires the extension ${space}, which is not read; export it without`);
    }
  }

  #openElement(name: string, attributes: Attributes, line: number): void {
    switch (name) {
      case 'object':
        this.#closeObject();
        this.#object = {
          ...{ id: need(attributes, 'id', name, line), name: attributes.name || attributes.partnumber || '' },
          ...{ type: attributes.type ?? 'model', line },
        };
        return;
      case 'vertices':
        this.#vertices = new PositionList();
        this.#triangles = new TriangleList();
        return;
      case 'vertex':
        this.#vertices?.push(
          number(attributes, 'x', line),
          number(attributes, 'y', line),
          number(attributes, 'z', line),
        );
        return;
      case 'triangle':
        this.#addTriangle(attributes, line);
        return;
      case 'component':
        this.#components.push(readPlaced(attributes, name, line));
        return;
      case 'build':
        this.#closeObject();
        return;
      case 'item':
        this.#items.push(readPlaced(attributes, name, line));
    }
  }

  #addTriangle(attributes: Attributes, line: number): void {
    if (this.#vertices === null) fail('file-format', line, 'a triangle is outside of a mesh');
    const ids = ['v1', 'v2', 'v3'].map((key) => {
      const id = number(attributes, key, line);
      const { count } = this.#vertices!;
      if (!Number.isInteger(id) || id < 0 || id >= count) {
        fail(
          'index-out-of-range',
          line,
          `the triangle has ${key} = ${attributes[key]}, but the mesh has ${count} vertices`,
        );
      }
      return id;
    });
    this.#triangles.push(ids[0], ids[1], ids[2]);
  }

  #closeObject(): void {
    if (this.#object === null) return;
    const { id, ...rest } = this.#object;
    if (this.#objects.has(id)) fail('file-format', rest.line, `there are two objects with the id ${id}`);
    const positions = this.#vertices?.toArray();
    const mesh =
      positions === undefined || this.#triangles.count === 0 ? null : { positions, indices: this.#triangles.toArray() };
    this.#objects.set(id, { ...rest, mesh, components: this.#components });
    this.#object = null;
    this.#components = [];
    this.#vertices = null;
  }
}

function readPlaced(attributes: Attributes, element: string, line: number): Placed {
  const pathKey = Object.keys(attributes).find((key) => key.endsWith(':path'));
  return {
    objectId: need(attributes, 'objectid', element, line),
    path: pathKey === undefined ? undefined : attributes[pathKey],
    transform: readTransform(attributes.transform, line),
    line,
  };
}

/** The twelve numbers are for rows: a point is multiplied from the left. */
function readTransform(text: string | undefined, line: number): Float64Array {
  if (text === undefined) return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  const m = text.trim().split(/\s+/).map(Number);
  if (m.length !== 12 || !m.every(Number.isFinite)) {
    fail('file-format', line, `the transform is "${text.slice(0, 60)}"; it must be twelve numbers`);
  }
  const [a, b, c, d, e, f, g, h, i, x, y, z] = m;
  return Float64Array.of(a, d, g, x, b, e, h, y, c, f, i, z, 0, 0, 0, 1);
}

function need(attributes: Attributes, key: string, element: string, line: number): string {
  return attributes[key] ?? fail('file-format', line, `<${element}> has no attribute "${key}"`);
}

function number(attributes: Attributes, key: string, line: number): number {
  const text = attributes[key];
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) fail('non-finite', line, `"${key}" is ${text ?? 'missing'}, not a finite number`);
  return value;
}

function fail(code: NearfieldErrorCode, line: number, message: string): never {
  throw new NearfieldError(code, `line ${line}: ${message}.`, { line });
}
