// Planning scenes of MoveIt as obstacles: .scene files, as its user interface writes them, and the message PlanningScene as
// YAML, as benchmarks have it.
import { nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { MeshLoader, PackageFolders } from '../urdf/robot-file-options.js';
import type { PlanObstacle } from '../validity/obstacle-description.js';
import { readSceneText } from './scene-text.js';
import { readSceneYaml } from './scene-yaml.js';

/** How a planning scene is read. */
export interface ReadPlanningSceneOptions {
  /** Reads the mesh of a file that the scene names: relative to the scene, or what `packages` has led to. */
  readonly loadMesh?: ((file: string) => Mesh | Promise<Mesh>) | undefined;
  /** The folders of packages, for names such as package://NAME/meshes/shelf.stl; a function may look for them. */
  readonly packages?: Readonly<Record<string, string>> | ((name: string) => string | undefined) | undefined;
}

/** A scene that was read. */
export interface PlanningScene {
  readonly name: string | null;
  /** One for each shape, by the name of its object. */
  readonly environment: readonly PlanObstacle[];
  /** What may be a surprise: one sentence each. */
  readonly warnings: readonly string[];
}

const OPTIONS = optionTable<ReadPlanningSceneOptions>()({
  loadMesh: checkedElsewhere<MeshLoader>(),
  packages: checkedElsewhere<PackageFolders>(),
});

/**
 * Reads a planning scene from the text of a .scene file, or of a YAML file.
 * @throws NearfieldError with the line or the key that is wrong; for shapes without bounds, and meshes that cannot be read.
 */
export async function readPlanningScene(text: string, options: ReadPlanningSceneOptions = {}): Promise<PlanningScene> {
  OPTIONS.assert(options);
  if (typeof text !== 'string') {
    throw new NearfieldError('bad-argument', `The scene is ${nameValue(text)}; give the text of the file.`);
  }
  // A .scene file has its objects on lines that begin with a star, and ends with a dot on a line of its own.
  return /^\s*\*\s/m.test(text) || /^\.\s*$/m.test(text) ? readSceneText(text) : readSceneYaml(text, options);
}
