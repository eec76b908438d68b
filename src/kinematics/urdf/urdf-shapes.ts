// The shapes of a link as one mesh in its frame. Round shapes become meshes that contain them, so that what is proven free for the
// mesh is free for the shape.

import { composeMatrix } from '../../core/affine.js';
import type { Pose } from '../../core/pose.js';
import { MODEL_FORMATS } from '../../io/model/model-format.js';
import type { XmlElement } from '../../io/xml/xml-tree.js';
import type { Mesh } from '../../mesh/mesh.js';
import { joinMeshes } from '../../mesh/place-mesh.js';
import { boxMesh, outerCylinder, outerSphere, scaled, transformMesh } from './outer-shapes.js';
import { readNumbers, readOrigin } from './urdf-tree.js';

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
      return boxMesh(sizes(shape, 'size', 3));
    case 'cylinder':
      return outerCylinder(sizes(shape, 'radius', 1)[0], sizes(shape, 'length', 1)[0]);
    case 'sphere':
      return outerSphere(sizes(shape, 'radius', 1)[0]);
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
  return transformMesh(mesh, composeMatrix(at.slice(0, 3), at.slice(3), [1, 1, 1]));
}
