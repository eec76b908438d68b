// Options that readers of robots from files share: where meshes are, which shapes links have, what is held.
import { nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, oneOf } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import type { JointValues } from '../robot/chain-description.js';
import { TOUCHING_CHOICES } from './ignored-links.js';

/** The folders of packages by name, or a function that looks for them. */
export type PackageFolders = Readonly<Record<string, string>> | ((name: string) => string | undefined);

/** Reads the mesh of a file. */
export type MeshLoader = (file: string) => Mesh | Promise<Mesh>;

export const ROBOT_FILE_RULES = {
  loadMesh: checkedElsewhere<MeshLoader>(),
  shapes: oneOf(['collision', 'visual'], 'collision'),
  fixed: checkedElsewhere<JointValues>({}),
  touching: oneOf(TOUCHING_CHOICES, 'always'),
};

/** Refuses what is not the text of a file, and joints that are held at no number. */
export function assertRobotFile(format: string, text: unknown, fixed: JointValues | undefined): void {
  if (typeof text !== 'string' && !(text instanceof Uint8Array)) {
    throw new NearfieldError('bad-argument', `The ${format} is ${nameValue(text)}; give the text of the file.`);
  }
  for (const [name, value] of Object.entries(fixed ?? {})) {
    if (Number.isFinite(value)) continue;
    throw new NearfieldError('bad-argument', `fixed has ${nameValue(value)} for the joint ${name}; give a number.`);
  }
}

/**
 * The path of a mesh that a file names by its package: of package://NAME/… and model://NAME/… by the folders of packages.
 * Null for other names.
 * @param refuse is called for a package whose folder is not known, with what to do.
 */
export function pathInPackage(
  file: string,
  packages: PackageFolders | undefined,
  refuse: (message: string) => never,
): string | null {
  const match = /^(?:package|model):\/\/\/*([^/]+)\/(.*)$/.exec(file);
  if (match === null) return null;
  const [, name, rest] = match;
  const folder =
    (typeof packages === 'function' ? packages(name) : packages?.[name]) ??
    refuse(
      `in the package "${name}"; say where that is, by packages: { "${name}": folder } or --package ${name}=FOLDER`,
    );
  return `${folder.replace(/\/$/, '')}/${rest}`;
}

/** Loads a mesh that an element of a file names. Errors name the line. */
export async function loadMeshOf(
  element: { readonly line: number; fail(code: 'bad-argument', message: string): never },
  file: string,
  path: string,
  loadMesh: MeshLoader | undefined,
): Promise<Mesh> {
  if (loadMesh === undefined) {
    return element.fail(
      'bad-argument',
      `the mesh "${file}" cannot be read; give the option loadMesh, which reads the mesh of a file`,
    );
  }
  try {
    const mesh = await loadMesh(path);
    assertMesh(mesh);
    return mesh;
  } catch (error) {
    if (!(error instanceof NearfieldError)) throw error;
    const location = { ...error.location, line: element.line };
    throw new NearfieldError(error.code, `line ${element.line}: ${error.message}`, location);
  }
}
