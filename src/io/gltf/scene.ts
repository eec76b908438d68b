// The scene of a glTF file as a flat list of placed meshes: node transforms multiplied from the root down, instances of
// EXT_mesh_gpu_instancing unrolled. Read from the JSON itself: glTF-Transform would split matrices into translation,
// rotation and scale, which rounds them and loses shear.
import { composeMatrix, identityMatrix, multiplyMatrices, transposeMatrix } from '../../core/affine.js';
import type { AccessorData, AccessorDecoder } from './accessors.js';
import type { GltfAsset } from './gltf-asset.js';
import type { JsonView } from './json-view.js';

const INSTANCING = 'EXT_mesh_gpu_instancing';
const VISIBILITY = 'KHR_node_visibility';

/** Chosen: bytes that are counted for a part, its matrix and its objects. */
const PART_BYTES = 128 + 100;

/** A mesh definition and its place in the world. */
export interface Placement {
  readonly name: string;
  /** Its node and the ancestors of it, from the root; empty without nodes. */
  readonly nodes: readonly JsonView[];
  readonly meshDefinition: JsonView;
  readonly transform: Float64Array;
  readonly instances: Instances | null;
}

/** Values of a node that an animation changes. */
export interface Moved {
  translation?: readonly number[];
  rotation?: readonly number[];
  scale?: readonly number[];
}

/** The accessors that place many copies of one mesh. */
interface Instances {
  readonly definition: JsonView;
  readonly translations: JsonView | null;
  readonly rotations: JsonView | null;
  readonly scales: JsonView | null;
}

/** The visible meshes of the default scene, else of the first scene, else of all nodes, else all meshes without transforms. */
export async function listPlacements(asset: GltfAsset, decoder: AccessorDecoder): Promise<Placement[]> {
  const meshes = asset.root.at('meshes').items();
  const nodes = asset.root.at('nodes').items();
  if (nodes.length === 0) {
    return meshes.map((meshDefinition) => ({
      name: meshName(meshDefinition),
      meshDefinition,
      transform: identityMatrix(),
      nodes: [],
      instances: null,
    }));
  }

  const placements: Placement[] = [];
  const visited = new Set<JsonView>();
  const pending = listRoots(asset, nodes).map((node) => ({
    node,
    parent: identityMatrix(),
    above: [] as readonly JsonView[],
  }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, parent, above } = next;
    const line = [...above, node];
    // A node has one parent. This check also prevents endless cycles and the multiplication of shared nodes.
    if (visited.has(node)) node.fail(`${node.name} has more than one parent, or is its own ancestor`);
    visited.add(node);
    const visible = node.at('extensions').at(VISIBILITY).at('visible');
    if (visible.exists && !visible.boolean()) continue;
    const transform = multiplyMatrices(parent, localMatrix(node));
    if (!transform.every(Number.isFinite)) node.fail(`the transforms down to ${node.name} overflow`, 'non-finite');
    const mesh = node.at('mesh');
    if (mesh.exists) {
      const meshDefinition = mesh.itemOf(meshes);
      const name = node.at('name').string() || meshName(meshDefinition);
      placements.push({ name, meshDefinition, transform, nodes: line, instances: await findInstances(node, decoder) });
    }
    const children = node.at('children').items();
    for (let i = children.length - 1; i >= 0; i--) {
      pending.push({ node: children[i].itemOf(nodes), parent: transform, above: line });
    }
  }
  return placements;
}

/** The names and world transforms of one placement: itself, or its instances. */
export function unrollInstances(
  { name, transform, instances }: Placement,
  data: ReadonlyMap<JsonView, AccessorData>,
  asset: GltfAsset,
): { name: string; transform: Float64Array }[] {
  if (instances === null) return [{ name, transform }];
  const { definition } = instances;
  const attributes = [instances.translations, instances.rotations, instances.scales];
  const [translations, rotations, scales] = attributes.map((key) => (key === null ? null : data.get(key)!));
  const counts = [translations, rotations, scales].filter((attribute) => attribute !== null).map(({ count }) => count);
  if (new Set(counts).size !== 1)
    definition.fail(`${definition.name} must have attributes of one count; it has ${counts.join(', ')}`);
  asset.takeMemory(counts[0] * PART_BYTES, definition);
  return Array.from({ length: counts[0] }, (_, i) => {
    const local = composeMatrix(
      translations?.values.subarray(3 * i, 3 * i + 3) ?? [0, 0, 0],
      rotations === null ? [0, 0, 0, 1] : unitQuaternion(rotations.values.subarray(4 * i, 4 * i + 4), definition),
      scales?.values.subarray(3 * i, 3 * i + 3) ?? [1, 1, 1],
    );
    const world = multiplyMatrices(transform, local);
    if (!world.every(Number.isFinite))
      definition.fail(`instance ${i} of ${definition.name} is not finite`, 'non-finite');
    return { name: `${name} ${i}`, transform: world };
  });
}

export function meshName(meshDefinition: JsonView): string {
  return meshDefinition.at('name').string() || meshDefinition.name;
}

function listRoots(asset: GltfAsset, nodes: readonly JsonView[]): JsonView[] {
  const scenes = asset.root.at('scenes').items();
  const chosen = asset.root.at('scene');
  if (chosen.exists || scenes.length > 0) {
    const scene = chosen.exists ? chosen.itemOf(scenes) : scenes[0];
    return scene
      .at('nodes')
      .items()
      .map((reference) => reference.itemOf(nodes))
      .reverse();
  }
  const children = new Set(
    nodes.flatMap((node) =>
      node
        .at('children')
        .items()
        .map((child) => child.itemOf(nodes)),
    ),
  );
  return nodes.filter((node) => !children.has(node)).reverse();
}

/** The place of a node in its parent. @param moved what an animation puts in place of the node's own values. */
export function localMatrix(node: JsonView, moved: Moved = {}): Float64Array {
  const matrix = node.at('matrix');
  if (matrix.exists && Object.keys(moved).length === 0) {
    const m = transposeMatrix(matrix.numbers(16));
    if (m[12] !== 0 || m[13] !== 0 || m[14] !== 0 || m[15] !== 1)
      matrix.fail(`${matrix.name} must end in 0, 0, 0, 1 by rows`);
    return m;
  }
  return composeMatrix(
    moved.translation ?? node.at('translation').numbers(3, [0, 0, 0]),
    unitQuaternion(moved.rotation ?? node.at('rotation').numbers(4, [0, 0, 0, 1]), node),
    moved.scale ?? node.at('scale').numbers(3, [1, 1, 1]),
  );
}

/** Files store quaternions in single precision; normalizing makes the matrix a rotation to double precision. */
function unitQuaternion(q: ArrayLike<number>, owner: JsonView): number[] {
  const length = Math.hypot(q[0], q[1], q[2], q[3]);
  if (!(length > 0 && length < Infinity))
    owner.fail(`a rotation of ${owner.name} is not a unit quaternion: its length is ${length}`);
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}

async function findInstances(node: JsonView, decoder: AccessorDecoder): Promise<Instances | null> {
  const definition = node.at('extensions').at(INSTANCING);
  if (!definition.exists) return null;
  const attributes = definition.at('attributes');
  const [translation, rotation, scale] = ['TRANSLATION', 'ROTATION', 'SCALE'].map((key) => attributes.at(key));
  if (!translation.exists && !rotation.exists && !scale.exists) {
    definition.fail(`${definition.name} has neither TRANSLATION, ROTATION nor SCALE`);
  }
  return {
    definition,
    translations: translation.exists ? await decoder.want(translation, 'translations') : null,
    rotations: rotation.exists ? await decoder.want(rotation, 'rotations') : null,
    scales: scale.exists ? await decoder.want(scale, 'scales') : null,
  };
}
