// Models of meshes as people have them: a mesh that bounds no solid as it is, such as one whose every face stands twice, is
// made sound first, as far as that moves no point of its surface. Proofs for the sound mesh hold for the given one.
import type { Mesh } from '../../mesh/mesh.js';
import { makeSound } from '../../mesh/soundness/make-sound.js';
import { ProximityModel } from '../../proximity/proximity-model.js';

/** Makes the model of a body; the name is for messages. */
export type ModelOf = (mesh: Mesh, name: string) => ProximityModel;

/** The mesh as it is. */
export const plainModel: ModelOf = (mesh) => new ProximityModel(mesh);

/** @param notes takes a sentence for each change of the mesh. */
export function soundModel(mesh: Mesh, name: string, notes: string[]): ProximityModel {
  const sound = makeSound(mesh, { tolerance: 0 });
  if (!sound.closed) return new ProximityModel(mesh);
  for (const sentence of sound.done) notes.push(`${name}: ${sentence}`);
  return new ProximityModel(sound.mesh);
}
