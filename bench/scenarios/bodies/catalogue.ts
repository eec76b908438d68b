// Every scene of rigid bodies in space by name.
import { exampleScenes } from './examples.js';
import { letterScenes } from './letters.js';
import type { RigidScene } from './rigid-scene.js';

export const rigidScenes: readonly RigidScene[] = [...letterScenes, ...exampleScenes];

export function findRigidScene(name: string): RigidScene {
  const found = rigidScenes.find((scene) => scene.name === name);
  if (found === undefined) {
    throw new Error(`there is no scene "${name}"; there are ${rigidScenes.map((scene) => scene.name).join(', ')}`);
  }
  return found;
}
