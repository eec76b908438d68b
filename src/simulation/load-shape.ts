// The shapes that a scene describes: files through the caller, models by name, boxes, boundaries of tetrahedra, polygons.
import { NearfieldError } from '../core/errors.js';
import type { Vec3 } from '../core/vec3.js';
import { assertMesh, type Mesh } from '../mesh/mesh.js';
import { createPolygon, type Polygon } from '../mesh/polygon/polygon.js';
import { findModel } from '../models/catalogue.js';
import type { CheckedShape } from './check-scene.js';
import { tetrahedraBoundary } from './tetrahedra-boundary.js';

/** Reads the mesh of a file that a scene names. */
export type LoadMesh = (file: string) => Mesh | Promise<Mesh>;

/** A ball about the origin, or a mesh. */
export type SpaceShape = { readonly ball: number } | { readonly mesh: Mesh };

/** A disc about the origin, or a polygon. */
export type PlaneShape = { readonly circle: number } | { readonly polygon: Polygon };

/** A shape in space. Errors name the place in the scene. */
export async function loadSpaceShape({ kind, place, given }: CheckedShape, loadMesh?: LoadMesh): Promise<SpaceShape> {
  try {
    switch (kind) {
      case 'sphere':
        return { ball: given.sphere as number };
      case 'box':
        return { mesh: boxMesh(given.box as Vec3) };
      case 'model': {
        const parameters = (given.parameters ?? {}) as Record<string, number>;
        return { mesh: findModel(given.model as string).build(parameters) };
      }
      case 'tetrahedra':
        return { mesh: tetrahedraBoundary(given.tetrahedra as { positions: number[][]; elements: number[][] }) };
      default: {
        const file = given.file as string;
        if (loadMesh === undefined) {
          throw new NearfieldError(
            'bad-argument',
            `the file "${file}" cannot be read here; give a function that loads it.`,
          );
        }
        const mesh = await loadMesh(file);
        assertMesh(mesh);
        return { mesh };
      }
    }
  } catch (error) {
    throw place.nameError(error);
  }
}

/** A shape in the plane. Errors name the place in the scene. */
export function loadPlaneShape({ kind, place, given }: CheckedShape): PlaneShape {
  if (kind === 'circle') return { circle: given.circle as number };
  const rings = [given.polygon, ...((given.holes ?? []) as unknown[])] as number[][][];
  return place.name(() => ({ polygon: createPolygon(rings.map((ring) => ring.flat())) }));
}

/** A box about the origin, of any size. */
function boxMesh([width, height, depth]: Vec3): Mesh {
  const { positions, indices } = findModel('box').build();
  const size = [width, height, depth];
  return { positions: positions.map((value, i) => value * size[i % 3]), indices };
}
