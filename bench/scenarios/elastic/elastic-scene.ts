// What a scene of elastic bodies is: a name, and worlds made from it at any number of elements. Shared by the benchmarks, the
// lab and the tests.
import { type Box, pose, type ReadonlyPose, type Vec3, vec3 } from 'nearfield/core';
import { RigidWorld } from 'nearfield/dynamics';
import {
  ElasticBody,
  type ElasticBodyOptions,
  ElasticWorld,
  type ElasticWorldOptions,
  findSurface,
  type HoldKeyframe,
  type TetrahedralMesh,
  tetrahedralizeMesh,
} from 'nearfield/elastic';
import { findModel, type Mesh, massProperties } from 'nearfield/mesh';

export interface ElasticScene {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** About as many elements as it has unless others are asked for. */
  readonly elements: number;
  /** Few enough elements for 30 steps a second in a browser. */
  readonly realTimeElements: number;
  /** Seconds until most of it is over. */
  readonly duration: number;
  /** Keyframes that drive it; 0 where it is left alone. */
  readonly keyframes: number;
  /** @param elements the approximate count of elements in all. */
  build(elements?: number, options?: ElasticWorldOptions): ElasticSetting;
}

/** What a world is made of, as plain data: what anyone needs to build the same one. */
export interface ElasticParts {
  /** Of the rigid bodies, in m/s², or null. */
  readonly gravity: Vec3 | null;
  readonly rigid: readonly RigidPart[];
  readonly elastic: readonly ElasticPart[];
}

export interface RigidPart {
  readonly shape:
    | { readonly box: Vec3 }
    | { readonly model: string; readonly parameters: Readonly<Record<string, number>> };
  readonly pose: readonly number[];
  readonly fixed?: boolean;
  readonly density?: number;
  readonly friction?: number;
}

export interface ElasticPart {
  readonly name: string;
  readonly mesh: TetrahedralMesh;
  readonly material: ElasticBodyOptions;
  /** That of the world by default. */
  readonly friction?: number;
  readonly holds: readonly { readonly nodes: readonly number[]; readonly keyframes: readonly HoldKeyframe[] }[];
}

/** A scene that is ready to run: {@link ElasticWorld.step} moves all of it. */
export interface ElasticSetting {
  readonly parts: ElasticParts;
  readonly world: ElasticWorld;
  readonly bodies: readonly NamedBody[];
  readonly rigid: RigidWorld | null;
  /** What to draw for the bodies of the rigid world, in their order. */
  readonly rigidMeshes: readonly Mesh[];
  /** Times of the keyframes that drive it, in seconds; none where it is left alone. */
  readonly keyframes: readonly number[];
  /** What is seen of it from start to end. */
  readonly box: Box;
  /** What tells how far it has come, in meters. */
  readonly measures: readonly Measure[];
}

export interface Measure {
  readonly id: string;
  readonly label: string;
  now(): number;
}

export interface NamedBody {
  readonly name: string;
  readonly body: ElasticBody;
}

/** Elements in a cube whose side is the size: 12 inside of a body, more at its surface. */
const ELEMENTS_PER_CUBE = 13.5;

/** The size of elements for which solids of a volume have about `elements` of them. */
export function sizeFor(volume: number, elements: number): number {
  return Math.cbrt((ELEMENTS_PER_CUBE * volume) / elements);
}

export function volumeOf(meshes: readonly Mesh[]): number {
  return meshes.reduce((sum, mesh) => sum + massProperties(mesh).volume, 0);
}

/** Coarse elements round off acute corners: by up to two sizes. */
export function elementsOf(mesh: Mesh, size: number): TetrahedralMesh {
  return tetrahedralizeMesh(mesh, { size, maxDistance: 2 * size }).mesh;
}

export function nodesWhere(
  { positions }: TetrahedralMesh,
  where: (x: number, y: number, z: number, node: number) => boolean,
): number[] {
  const found: number[] = [];
  for (let node = 0; node < positions.length / 3; node++) {
    if (where(positions[3 * node], positions[3 * node + 1], positions[3 * node + 2], node)) found.push(node);
  }
  return found;
}

/** The mean of where nodes are now. */
export function middleOf({ positions }: ElasticBody, nodes: readonly number[]): Vec3 {
  const sum: Vec3 = [0, 0, 0];
  for (const node of nodes) for (let k = 0; k < 3; k++) sum[k] += positions[3 * node + k];
  return vec3.scale(sum, 1 / nodes.length);
}

/** Keyframes that hold nodes where they are, for good. */
export const KEPT: readonly HoldKeyframe[] = [{ time: 0, offset: [0, 0, 0] }];

/** Builds the world of its parts. */
export function buildWorld(
  parts: ElasticParts,
  options: ElasticWorldOptions,
): Pick<ElasticSetting, 'parts' | 'world' | 'bodies' | 'rigid' | 'rigidMeshes'> {
  const { gravity, rigid: rigidParts, elastic } = parts;
  const rigid = gravity === null ? null : new RigidWorld({ gravity, timestep: options.timestep });
  const rigidMeshes = rigidParts.map(({ shape, pose: at, ...rest }) => {
    const mesh = 'box' in shape ? boxOf(shape.box) : findModel(shape.model).build(shape.parameters);
    rigid?.addBody({ shape: 'box' in shape ? shape : { mesh }, pose: at as unknown as ReadonlyPose, ...rest });
    return mesh;
  });
  const world = new ElasticWorld(rigid === null ? options : { rigid, ...options });
  const bodies = elastic.map(({ name, mesh, material, friction, holds }) => {
    const body = new ElasticBody(mesh, material);
    world.addBody(body, friction === undefined ? {} : { friction });
    for (const { nodes, keyframes } of holds) world.hold(body, nodes, keyframes);
    return { name, body };
  });
  return { parts, world, bodies, rigid, rigidMeshes };
}

function boxOf([width, height, depth]: Readonly<Vec3>): Mesh {
  return findModel('box').build({ width, height, depth });
}

export function elementCount({ bodies }: ElasticSetting): number {
  return bodies.reduce((sum, { body }) => sum + body.mesh.elements.length / 4, 0);
}

/** The mean length of the edges of all surfaces, at rest. */
export function meanEdgeOf({ bodies }: ElasticSetting): number {
  let [sum, count] = [0, 0];
  for (const { body } of bodies) {
    const { positions } = body.mesh;
    const { faces } = findSurface(body.mesh);
    for (let f = 0; f < faces.length; f += 3) {
      for (let k = 0; k < 3; k++) {
        const [a, b] = [3 * faces[f + k], 3 * faces[f + ((k + 1) % 3)]];
        sum += Math.hypot(
          positions[a] - positions[b],
          positions[a + 1] - positions[b + 1],
          positions[a + 2] - positions[b + 2],
        );
        count++;
      }
    }
  }
  return sum / count;
}

/** A mesh turned and moved by a pose. */
export function placed({ positions, indices }: Mesh, at: ReadonlyPose): Mesh {
  const moved = new Float64Array(positions.length);
  for (let i = 0; i < moved.length; i += 3) {
    moved.set(pose.transformPoint(at, [positions[i], positions[i + 1], positions[i + 2]]), i);
  }
  return { positions: moved, indices };
}

/** Nodes of elements that are not on their surface. */
export function isInner(mesh: TetrahedralMesh): (node: number) => boolean {
  const outer = new Set(findSurface(mesh).faces);
  return (node) => !outer.has(node);
}
