// The message PlanningScene of MoveIt as YAML: its collision objects with primitives and meshes, where their poses say. What
// else a scene has, such as the state of the robot, is for others.
import { JsonPlace } from '../../core/check/json-place.js';
import * as pose from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import type { Vec3 } from '../../core/vec3.js';
import { parseYaml } from '../../io/yaml/parse-yaml.js';
import { createMesh, type Mesh } from '../../mesh/mesh.js';
import { scaled } from '../urdf/outer-shapes.js';
import { pathInPackage } from '../urdf/robot-file-options.js';
import type { PlanObstacle } from '../validity/obstacle-description.js';
import type { PlanningScene, ReadPlanningSceneOptions } from './read-scene.js';
import { SCENE_SHAPES, type SceneShape, sceneShape } from './scene-shapes.js';

/** By the number that the message has for each; a cylinder and a cone have their height first. */
const KINDS: readonly SceneShape[] = ['box', 'sphere', 'cylinder', 'cone'];

export async function readSceneYaml(text: string, options: ReadPlanningSceneOptions): Promise<PlanningScene> {
  const root = new JsonPlace(parseYaml(text), '', 'The scene');
  const world = has(root, 'world') ? at(root, 'world') : root;
  if (!has(world, 'collision_objects')) {
    root.refuse('has no "collision_objects"; give a planning scene, or the text of a .scene file');
  }
  const environment: PlanObstacle[] = [];
  const warnings: string[] = [];
  if (has(world, 'octomap') && has(at(world, 'octomap'), 'octomap'))
    warnings.push('the octomap of the scene is not read.');
  for (const place of at(world, 'collision_objects').list('objects')) {
    const name = has(place, 'id') ? `${at(place, 'id').value}` : undefined;
    // The message knows the operations 0 (add), 1 (remove), 2 (append), 3 (move).
    if (has(place, 'operation') && ![0, 2].includes(at(place, 'operation').value as number)) continue;
    const frame = has(place, 'pose') ? readPose(at(place, 'pose')) : pose.identity();
    const before = environment.length;
    const add = (mesh: Mesh, own: pose.Pose): void => {
      environment.push({ name, mesh, pose: pose.multiply(frame, own) });
    };
    for (const [shape, own] of pairs(place, 'primitives', 'primitive_poses')) add(readPrimitive(shape), own);
    for (const [shape, own] of pairs(place, 'meshes', 'mesh_poses')) add(await readMesh(shape, options), own);
    if (has(place, 'planes') && at(place, 'planes').list('planes').length > 0) {
      at(place, 'planes').refuse('has planes, which have no bounds; give a box');
    }
    if (environment.length === before) warnings.push(`${place.path} has no shapes.`);
  }
  const name = has(root, 'name') ? at(root, 'name').value : null;
  // Scenes without a name have an empty one.
  return { name: typeof name === 'string' && name !== '' ? name : null, environment, warnings };
}

function has({ value }: JsonPlace, key: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) && at0(value, key) !== null;
}

function at({ value, path, document }: JsonPlace, key: string): JsonPlace {
  const own = typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? at0(value, key) : undefined;
  return new JsonPlace(own, path === '' ? key : `${path}.${key}`, document);
}

function at0(value: object, key: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[key];
}

/** Shapes with their poses; a pose that is left out is the identity. */
function pairs(place: JsonPlace, shapes: string, poses: string): (readonly [JsonPlace, pose.Pose])[] {
  if (!has(place, shapes)) return [];
  const own = has(place, poses) ? at(place, poses).list('poses') : [];
  const list = at(place, shapes).list('shapes');
  if (own.length > list.length) at(place, poses).refuse(`has ${own.length} poses for ${list.length} shapes`);
  return list.map((shape, i) => [shape, own[i] === undefined ? pose.identity() : readPose(own[i])] as const);
}

function readPrimitive(place: JsonPlace): Mesh {
  const type = at(place, 'type');
  const kind =
    typeof type.value === 'number'
      ? KINDS[type.value - 1]
      : KINDS.find((name) => name === `${type.value}`.toLowerCase());
  if (kind === undefined) return type.refuse(`is ${type.describe()}; give box, sphere, cylinder or cone`);
  const sizes = at(place, 'dimensions').numbers(
    SCENE_SHAPES[kind],
    { above: 0 },
    `${SCENE_SHAPES[kind]} sizes above 0`,
  );
  return sceneShape(kind, SCENE_SHAPES[kind] === 2 ? [sizes[1], sizes[0]] : sizes);
}

async function readMesh(place: JsonPlace, options: ReadPlanningSceneOptions): Promise<Mesh> {
  if (!has(place, 'resource')) {
    const corner = (entry: JsonPlace): number[] =>
      Array.isArray(entry.value) ? entry.numbers(3) : ['x', 'y', 'z'].map((key) => at(entry, key).number());
    const positions = at(place, 'vertices').list('vertices').flatMap(corner);
    const indices = at(place, 'triangles')
      .list('triangles')
      .flatMap((entry) =>
        (Array.isArray(entry.value) ? entry : at(entry, 'vertex_indices')).numbers(3, { min: 0, integer: true }),
      );
    return place.name(() => createMesh(positions, indices));
  }
  const resource = at(place, 'resource');
  const { loadMesh } = options;
  if (loadMesh === undefined) return resource.refuse('cannot be read; give the option loadMesh');
  try {
    const mesh = await loadMesh(resolveResource(resource, options.packages));
    const scale = has(place, 'dimensions') ? at(place, 'dimensions').numbers(3) : [1, 1, 1];
    return scale.every((value) => value === 1) ? mesh : scaled(mesh, scale);
  } catch (error) {
    throw resource.nameError(error);
  }
}

function resolveResource(place: JsonPlace, packages: ReadPlanningSceneOptions['packages']): string {
  const file = place.text();
  const inPackage = pathInPackage(file, packages, (where) => place.refuse(`is ${where}`));
  return inPackage ?? file.replace(/^file:\/\/(localhost)?/, '');
}

/** A pose by lists, or by the names of coordinates as the message has them. */
function readPose(place: JsonPlace): pose.Pose {
  const numbers = (key: string, names: readonly string[], fallback: readonly number[]): number[] => {
    if (!has(place, key)) return [...fallback];
    const given = at(place, key);
    if (Array.isArray(given.value)) return given.numbers(names.length);
    return names.map((name, i) => (has(given, name) ? at(given, name).number() : fallback[i]));
  };
  const position = numbers('position', ['x', 'y', 'z'], [0, 0, 0]) as Vec3;
  const [x, y, z, w] = numbers('orientation', ['x', 'y', 'z', 'w'], [0, 0, 0, 1]);
  if (!(Math.hypot(x, y, z, w) > 0)) at(place, 'orientation').refuse('is all 0; give x, y, z, w of a unit quaternion');
  return pose.create(position, quat.normalize([x, y, z, w]));
}
