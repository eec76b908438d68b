// Reads glTF 2.0, as .gltf with its buffers or as GLB. Meshes stay shared; node transforms become transforms of parts.
// Morph targets, skins and animations are left out, with a warning: the shapes are those at rest.
// Source: Khronos Group 2021, glTF 2.0 specification. Loaded only when a glTF file is read.
import { NearfieldError } from '../../core/errors.js';
import { reportProgress } from '../../core/progress.js';
import type { ModelFile, ModelMesh, ModelPart } from '../model/model-file.js';
import type { ReadOptions } from '../model/read-options.js';
import type { PeerImports } from '../peer/load-peer.js';
import { AccessorDecoder } from './accessors.js';
import { GltfAsset, type ResolveUri } from './gltf-asset.js';
import type { JsonView } from './json-view.js';
import { listPrimitives, MeshAssembler, type Primitive } from './primitives.js';
import { listChannels, sampleMotion } from './read-animation.js';
import { listPlacements, meshName, type Placement, unrollInstances } from './scene.js';

export async function readGltf(
  bytes: Uint8Array,
  options: ReadOptions & {
    readonly resolve?: ResolveUri | undefined;
    readonly packages?: PeerImports | undefined;
    readonly motion?: boolean | undefined;
  },
): Promise<ModelFile> {
  reportProgress(options, 0, 'reading glTF');
  const asset = new GltfAsset(bytes, options.resolve);
  const decoder = new AccessorDecoder(asset, options.packages);
  const placements = await listPlacements(asset, decoder);
  const channels = options.motion ? await listChannels(asset, decoder) : [];
  const surfaces = new Map<JsonView, Primitive[]>();
  for (const { meshDefinition } of placements) {
    if (!surfaces.has(meshDefinition))
      surfaces.set(meshDefinition, await listPrimitives(meshDefinition, asset, decoder));
  }
  reportProgress(options, 0.2, 'reading glTF');
  const data = await decoder.decode();
  reportProgress(options, 0.4, 'reading glTF');

  const assembler = new MeshAssembler(asset, data);
  const meshes: ModelMesh[] = [];
  const meshIndices = new Map<JsonView, number>();
  for (const [definition, primitives] of surfaces) {
    const { mesh, groups } = assembler.assemble(primitives);
    // A mesh of points and lines, or of strips without triangles, has no surface.
    if (mesh.indices.length === 0) continue;
    const name = meshName(definition);
    const color = groups[0].color;
    meshIndices.set(definition, meshes.length);
    meshes.push(groups.length > 1 ? { name, mesh, groups } : { name, mesh, ...(color && { color }) });
    reportProgress(options, 0.4 + (0.6 * meshes.length) / surfaces.size, 'reading glTF');
  }
  const parts: ModelPart[] = [];
  /** The placement of each part. */
  const placementOf: Placement[] = [];
  for (const placement of placements) {
    const meshIndex = meshIndices.get(placement.meshDefinition);
    if (meshIndex === undefined) continue;
    for (const placed of unrollInstances(placement, data, asset)) {
      parts.push({ ...placed, meshIndex });
      placementOf.push(placement);
    }
  }
  if (parts.length === 0) {
    throw new NearfieldError('empty-mesh', 'the scene of the file has no triangles; give one with a surface.');
  }
  const motion = sampleMotion(channels, placementOf, data);
  const warnings = listOmissions(asset.root, motion !== undefined);
  return {
    format: asset.format,
    meshes,
    parts,
    unit: 1,
    ...(motion && { motion }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** A sentence for each kind of motion that the file has and the model has not. */
function listOmissions(root: JsonView, moves: boolean): string[] {
  const count = (key: string): number => root.at(key).items().length;
  const skinned = root
    .at('nodes')
    .items()
    .filter((node) => node.at('skin').exists && node.at('mesh').exists).length;
  const morphed = root
    .at('meshes')
    .items()
    .filter((mesh) =>
      mesh
        .at('primitives')
        .items()
        .some((primitive) => primitive.at('targets').items().length > 0),
    ).length;
  const omissions: readonly (readonly [number, string])[] = [
    [skinned, 'skinned parts are read as they are without their skeletons'],
    [morphed, 'meshes with morph targets are read without them'],
    [moves ? 0 : count('animations'), 'animations are left out; parts are where the nodes place them'],
  ];
  return omissions.filter(([count]) => count > 0).map(([count, what]) => `${what} (${count} in the file).`);
}
