// Addresses in the lab that open a model which its server was given.
import { basename } from 'node:path';

/** The extensions of files that the clash scene opens. */
export const LAB_FORMATS: readonly string[] = [
  ...['glb', 'gltf', '3mf', 'step', 'stp', 'iges', 'igs', 'ifc', 'obj', 'stl', 'ply', 'off', 'dae'],
];

/** What the scene shows at first: the numbers of two parts, the clearance, the name of the unit. */
export type LabQuery = Readonly<Record<string, string | number>>;

/** The clash scene with a model, relative to the lab's address. */
export function labAddress(path: string, query: LabQuery = {}): string {
  const parameters = new URLSearchParams({ open: basename(path) });
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return `#/proximity/clash?${parameters}`;
}
