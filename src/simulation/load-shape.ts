// The shapes that a scene describes: files through the caller, models by name, boxes, boundaries of tetrahedra, polygons.
import { NearfieldError } from '../core/errors.js';
import type { Vec3 } from '../core/vec3.js';
import { assertMesh, type Mesh } from '../mesh/mesh.js';
import { createPolygon, type Polygon } from '../mesh/polygon/polygon.js';
import { thickenSurface } from '../mesh/repair/thicken-surface.js';
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
      case 'plane':
        return { mesh: floorMesh(given.plane as number) };
      case 'model': {
        const parameters = (given.parameters ?? {}) as Record<string, number>;
        return { mesh: changeMesh(findModel(given.model as string).build(parameters), given) };
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
        return { mesh: changeMesh(mesh, given) };
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

/** A mesh with the scale and the thickness that a scene gives it. */
function changeMesh(mesh: Mesh, { scale, thickness }: Readonly<Record<string, unknown>>): Mesh {
  let changed = mesh;
  if (scale !== undefined) {
    const factors = Array.isArray(scale) ? (scale as number[]) : [scale as number, scale as number, scale as number];
    const positions = mesh.positions.map((value, i) => value * factors[i % 3]);
    const mirrors = factors[0] * factors[1] * factors[2] < 0;
    changed = { positions, indices: mirrors ? turnedOver(mesh.indices) : mesh.indices };
  }
  return thickness === undefined ? changed : thickenSurface(changed, thickness as number);
}

/** The triangles with their other side outward. */
function turnedOver(indices: Uint32Array): Uint32Array {
  return indices.map((_, i) => indices[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1]);
}

/** A box whose top is at y = 0. */
function floorMesh(reach: number): Mesh {
  const { positions, indices } = boxMesh([2 * reach, reach, 2 * reach]);
  return { positions: positions.map((value, i) => (i % 3 === 1 ? value - reach / 2 : value)), indices };
}

/** A box about the origin, of any size. */
function boxMesh([width, height, depth]: Vec3): Mesh {
  const { positions, indices } = findModel('box').build();
  const size = [width, height, depth];
  return { positions: positions.map((value, i) => value * size[i % 3]), indices };
}
