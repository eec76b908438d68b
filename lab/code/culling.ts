// Code for the scene of culling: the objects of a frame, which of them collide.
import type { CullMethod } from 'nearfield/culling';
import type { Mesh } from 'nearfield/mesh';
import {
  commandText,
  flag,
  objectText,
  programText,
  READ_FILE,
  readText,
  savedParts,
  type ViewCode,
} from './view-code.js';

const FILE = 'objects.glb';

/** @param objects of the frame on show, when they are saved */
export function cullCode(
  { method, resolution }: { method: CullMethod; resolution: number },
  objects: () => Promise<readonly Mesh[]>,
): ViewCode {
  // Hierarchies have no resolution.
  const used = { method, resolution: method === 'cullide' ? resolution : undefined };
  const flags = Object.entries(used).flatMap(([name, value]) => (value === undefined ? [] : [flag(name, value)]));
  return {
    typescript: programText(
      [READ_FILE, { 'nearfield/culling': ['CollisionCuller'], 'nearfield/io': ['readModel'] }],
      [
        `const { meshes } = ${readText(FILE)};`,
        `const culler = new CollisionCuller(${objectText(used)});`,
        'const { exactPairs, potential } = culler.cullSync(meshes.map(({ mesh }) => mesh));',
        'console.log((exactPairs?.length ?? 0) / 2, potential.length); // pairs that collide, objects that may',
      ],
    ),
    command: commandText([], ['nearfield cull', FILE, ...flags].join(' ')),
    files: [savedParts(FILE, async () => (await objects()).map((mesh, i) => ({ name: `object-${i}`, mesh })))],
  };
}
