// The shapes of a link as one mesh in its frame. Round shapes become meshes that contain them, so that what is proven free for the
// mesh is free for the shape.

import { composeMatrix, linearDeterminant, transformPositions } from '../../core/affine.js';
import { NearfieldError } from '../../core/errors.js';
import type { Pose } from '../../core/pose.js';
import { MODEL_FORMATS } from '../../io/model/model-format.js';
import type { XmlElement } from '../../io/xml/xml-tree.js';
import type { Mesh } from '../../mesh/mesh.js';
import { joinMeshes } from '../../mesh/place-mesh.js';
import { box } from '../../models/primitives/box.js';
import { cylinder } from '../../models/primitives/cylinder.js';
import { icosphere } from '../../models/primitives/icosphere.js';
import { readNumbers, readOrigin } from './urdf-tree.js';

/** Chosen: the count of sides of the prism that stands for a cylinder. */
const SIDES = 32;

/** Chosen: the count of parts of each edge of the icosahedron that stands for a sphere. */
const PARTS = 4;

/** Loads the mesh of a file name as the URDF has it. */
export type LoadShape = (file: string, element: XmlElement) => Promise<Mesh>;

/** The shapes of a link; undefined where it has none. */
export async function readShapes(
  link: XmlElement,
  kind: 'collision' | 'visual',
  load: LoadShape,
): Promise<Mesh | undefined> {
  const meshes: Mesh[] = [];
  for (const element of link.all(kind)) {
    const geometry = element.need('geometry');
    const [shape] = geometry.children;
    if (shape === undefined) geometry.fail('file-format', '<geometry> is empty; give a box, cylinder, sphere or mesh');
    meshes.push(place(await readShape(shape, load), readOrigin(element)));
  }
  if (meshes.length === 0) return undefined;
  return meshes.length === 1 ? meshes[0] : joinMeshes(meshes);
}

async function readShape(shape: XmlElement, load: LoadShape): Promise<Mesh> {
  switch (shape.name) {
    case 'box':
      return scaled(box.build(), sizes(shape, 'size', 3));
    case 'cylinder': {
      const [[radius], [length]] = [sizes(shape, 'radius', 1), sizes(shape, 'length', 1)];
      const outer = radius / Math.cos(Math.PI / SIDES);
      // About z; the model is about y.
      const upright = cylinder.build({ radius: 1, height: 1, segments: SIDES, bands: 1, capRings: 1 });
      return scaled(turnUp(upright), [outer, outer, length]);
    }
    case 'sphere': {
      const mesh = icosphere.build({ radius: 1, subdivisions: PARTS });
      const outer = sizes(shape, 'radius', 1)[0] / innerRadius(mesh);
      return scaled(mesh, [outer, outer, outer]);
    }
    case 'mesh': {
      const file = shape.attribute('filename').trim();
      const mesh = await load(file, shape);
      if (shape.attributes.scale === undefined) return mesh;
      const scale = readNumbers(shape, 'scale', shape.attributes.scale.trim().split(/\s+/).length === 1 ? 1 : 3);
      if (scale.some((value) => value === 0)) shape.fail('file-format', 'the scale has a 0, which makes the mesh flat');
      return scaled(mesh, scale.length === 1 ? [scale[0], scale[0], scale[0]] : scale);
    }
    default:
      return shape.fail('unsupported', `<${shape.name}> is no shape of URDF; give a box, cylinder, sphere or mesh`);
  }
}

/** Refuses what no reader is for, before the file is looked for. */
export function assertMeshFormat(file: string, element: XmlElement): void {
  const extension = /\.([^./]+)$/.exec(file)?.[1].toLowerCase() ?? '';
  if ((MODEL_FORMATS as readonly string[]).includes(extension)) return;
  element.fail(
    'unsupported',
    `the mesh "${file}" is in a format that is not read; convert it to STL, OBJ or DAE, for example with Blender or MeshLab`,
  );
}

function sizes(shape: XmlElement, key: string, count: number): number[] {
  const values = readNumbers(shape, key, count);
  if (values.every((value) => value > 0)) return values;
  return shape.fail('file-format', `${key} of <${shape.name}> is "${shape.attributes[key]}"; give sizes above 0`);
}

function place(mesh: Mesh, at: Pose): Mesh {
  if (at.every((value, k) => value === (k === 6 ? 1 : 0))) return mesh;
  return transform(mesh, composeMatrix(at.slice(0, 3), at.slice(3), [1, 1, 1]));
}

function scaled(mesh: Mesh, scale: readonly number[]): Mesh {
  return transform(mesh, composeMatrix([0, 0, 0], [0, 0, 0, 1], scale));
}

/** A mirrored mesh has its triangles reversed, so that they stay counter-clockwise seen from outside. */
function transform({ positions, indices }: Mesh, matrix: Float64Array): Mesh {
  const moved = transformPositions(matrix, positions);
  const bad = moved.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw new NearfieldError('non-finite', `Vertex ${Math.floor(bad / 3)} is placed at no finite point.`);
  if (linearDeterminant(matrix) > 0) return { positions: moved, indices };
  const reversed = indices.slice();
  for (let i = 0; i < reversed.length; i += 3) [reversed[i + 1], reversed[i + 2]] = [indices[i + 2], indices[i + 1]];
  return { positions: moved, indices: reversed };
}

function turnUp(mesh: Mesh): Mesh {
  const half = Math.SQRT1_2;
  return transform(mesh, composeMatrix([0, 0, 0], [half, 0, 0, half], [1, 1, 1]));
}

/** The least distance of a face from the origin. */
function innerRadius({ positions, indices }: Mesh): number {
  let least = Infinity;
  const corner = (i: number): number[] => [...positions.subarray(3 * indices[i], 3 * indices[i] + 3)];
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [corner(i), corner(i + 1), corner(i + 2)];
    const [u, v] = [b.map((value, k) => value - a[k]), c.map((value, k) => value - a[k])];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    least = Math.min(least, n.reduce((sum, value, k) => sum + value * a[k], 0) / Math.hypot(...n));
  }
  return least;
}
