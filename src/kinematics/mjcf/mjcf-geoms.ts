// Shapes of MJCF as meshes in the frame of their body. Round shapes become meshes that contain them, so that what is proven
// free for the mesh is free for the shape.
import { buildHull } from '../../convex/hull/hull.js';
import { hullToMesh } from '../../convex/hull/hull-measure.js';
import { composeMatrix } from '../../core/affine.js';
import { NearfieldError } from '../../core/errors.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { XmlElement } from '../../io/xml/xml-tree.js';
import { createMesh, type Mesh } from '../../mesh/mesh.js';
import { boxMesh, outerCapsule, outerCylinder, outerSphere, scaled, transformMesh } from '../urdf/outer-shapes.js';
import { loadMeshOf, type MeshLoader } from '../urdf/robot-file-options.js';
import type { MjcfDefaults } from './mjcf-defaults.js';
import { type MjcfCompiler, readFrame, readValues, turnOfZ } from './mjcf-frames.js';

type Attributes = Readonly<Record<string, string>>;

/** A shape of a body: what it may touch by its bits, and the mesh in the frame of the body; null for one without bounds. */
export interface MjcfGeom {
  readonly contype: number;
  readonly conaffinity: number;
  readonly mesh: Mesh | null;
}

/** Reads the shapes of a file, each mesh asset once. */
export class MjcfGeoms {
  /** Kinds of shapes that were left out. */
  readonly leftOut = new Set<string>();
  readonly #assets = new Map<string, XmlElement>();
  readonly #meshes = new Map<string, Promise<Mesh>>();
  readonly #defaults: MjcfDefaults;
  readonly #compiler: MjcfCompiler;
  readonly #loadMesh: MeshLoader | undefined;

  constructor(
    assets: readonly XmlElement[],
    defaults: MjcfDefaults,
    compiler: MjcfCompiler,
    loadMesh: MeshLoader | undefined,
  ) {
    this.#defaults = defaults;
    this.#compiler = compiler;
    this.#loadMesh = loadMesh;
    for (const element of assets.flatMap((asset) => asset.all('mesh'))) {
      const stem = element.attributes.file?.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '');
      const name = element.attributes.name ?? stem ?? element.fail('file-format', 'the mesh has no name and no file');
      this.#assets.set(name, element);
    }
  }

  /** @param kind which shapes are wanted: those that collide, or those that only are seen. */
  async read(
    element: XmlElement,
    childClass: string | undefined,
    kind: 'collision' | 'visual',
  ): Promise<MjcfGeom | null> {
    const attributes = this.#defaults.of(element, childClass);
    const bits = (key: string): number => readValues(element, attributes, key, [1])?.[0] ?? 1;
    const [contype, conaffinity] = [bits('contype'), bits('conaffinity')];
    const collides = contype !== 0 || conaffinity !== 0;
    if (collides !== (kind === 'collision')) return null;
    const mesh = await this.#shape(element, attributes);
    if (mesh === null) return { contype, conaffinity, mesh };
    const frame =
      attributes.fromto === undefined ? readFrame(element, attributes, this.#compiler) : fromTo(element, attributes);
    return {
      contype,
      conaffinity,
      mesh: transformMesh(mesh, composeMatrix(frame.slice(0, 3), frame.slice(3), [1, 1, 1])),
    };
  }

  async #shape(element: XmlElement, attributes: Attributes): Promise<Mesh | null> {
    const type = attributes.type ?? (attributes.mesh === undefined ? 'sphere' : 'mesh');
    const sizes = (count: number): number[] => {
      const values = readValues(element, attributes, 'size', [1, 2, 3]);
      if (values !== undefined && values.length >= count && values.slice(0, count).every((value) => value > 0))
        return values;
      return element.fail(
        'file-format',
        `the ${type} has the size "${attributes.size ?? ''}"; give ${count} sizes above 0`,
      );
    };
    const half = (from: number): number => {
      if (attributes.fromto === undefined) return sizes(from + 1)[from];
      const ends = readValues(element, attributes, 'fromto', [6])!;
      return vec3.distance(ends.slice(0, 3) as Vec3, ends.slice(3) as Vec3) / 2;
    };
    switch (type) {
      case 'sphere':
        return outerSphere(sizes(1)[0]);
      case 'capsule':
        return outerCapsule(sizes(1)[0], 2 * half(1));
      case 'cylinder':
        return outerCylinder(sizes(1)[0], 2 * half(1));
      case 'ellipsoid':
        return scaled(outerSphere(1), sizes(3));
      case 'box': {
        const [x, y, z] = attributes.fromto === undefined ? sizes(3) : [sizes(1)[0], sizes(1)[0], half(1)];
        return boxMesh([2 * x, 2 * y, 2 * z]);
      }
      case 'mesh':
        return this.#mesh(element, attributes.mesh);
      case 'plane':
      case 'hfield':
      case 'sdf':
        this.leftOut.add(type);
        return null;
      default:
        return element.fail(
          'unsupported',
          `"${type}" is no shape that is read; give a box, sphere, capsule, cylinder, ellipsoid or mesh`,
        );
    }
  }

  async #mesh(element: XmlElement, name: string | undefined): Promise<Mesh> {
    if (name === undefined) return element.fail('file-format', 'a geom of the type mesh names no mesh');
    const asset = this.#assets.get(name) ?? element.fail('file-format', `the mesh "${name}" is not in <asset>`);
    const known = this.#meshes.get(name) ?? this.#asset(asset);
    this.#meshes.set(name, known);
    return known;
  }

  /** A mesh asset: by `refpos` and `refquat` it is moved back, then scaled. */
  async #asset(element: XmlElement): Promise<Mesh> {
    const attributes = this.#defaults.of(element, undefined);
    const mesh =
      attributes.file === undefined ? readInline(element, attributes) : await this.#load(element, attributes.file);
    const scale = readValues(element, attributes, 'scale', [3]) ?? [1, 1, 1];
    const position = (readValues(element, attributes, 'refpos', [3]) ?? [0, 0, 0]) as Vec3;
    const [w, x, y, z] = readValues(element, attributes, 'refquat', [4]) ?? [1, 0, 0, 0];
    const back = pose.invert(pose.create(position, [x, y, z, w]));
    const isMoved = back.some((value, i) => value !== (i === 6 ? 1 : 0));
    const placed = isMoved ? transformMesh(mesh, composeMatrix(back.slice(0, 3), back.slice(3), [1, 1, 1])) : mesh;
    return scale.every((value) => value === 1) ? placed : scaled(placed, scale);
  }

  async #load(element: XmlElement, file: string): Promise<Mesh> {
    const folder = this.#compiler.meshFolder;
    const path = folder === '' || /^([/\\]|[a-z]:)/i.test(file) ? file : `${folder.replace(/[/\\]$/, '')}/${file}`;
    return loadMeshOf(element, file, path, this.#loadMesh);
  }
}

/** A mesh whose vertices the file has; without faces it is their hull. */
function readInline(element: XmlElement, attributes: Attributes): Mesh {
  const numbers = (key: string): number[] => (attributes[key] ?? '').trim().split(/\s+/).filter(Boolean).map(Number);
  const positions = numbers('vertex');
  if (positions.length < 12 || positions.length % 3 > 0 || !positions.every(Number.isFinite)) {
    element.fail('file-format', 'the mesh has no file and no vertices; give at least four');
  }
  try {
    return attributes.face === undefined ? hullToMesh(buildHull(positions)) : createMesh(positions, numbers('face'));
  } catch (error) {
    if (!(error instanceof NearfieldError)) throw error;
    return element.fail('file-format', error.message.replace(/\.$/, ''));
  }
}

/** The frame in the middle between two points, with its z axis from the second to the first. */
function fromTo(element: XmlElement, attributes: Attributes): pose.Pose {
  const ends = readValues(element, attributes, 'fromto', [6])!;
  const [a, b] = [ends.slice(0, 3) as Vec3, ends.slice(3) as Vec3];
  const axis = vec3.subtract(a, b);
  if (!(vec3.length(axis) > 0)) element.fail('file-format', 'fromto names one point twice');
  return pose.create(vec3.scale(vec3.add(a, b), 0.5), turnOfZ(vec3.normalize(axis)));
}
