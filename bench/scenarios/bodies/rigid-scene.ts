// What a scene of rigid bodies is: a name, and a description that `nearfield simulate` reads too. Shared by the benchmarks,
// the lab and the tests.
import type { SceneBody, SceneDescription } from 'nearfield/dynamics';

export interface RigidScene {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Seconds until most of it is over. */
  readonly duration: number;
  build(): SceneDescription;
}

/** A body that never moves, placed without a turn. */
export function fixedAt(
  name: string,
  shape: SceneBody['shape'],
  [x, y, z]: readonly [number, number, number],
  rotation: readonly number[] = [0, 0, 0, 1],
): SceneBody {
  return { name, shape, pose: [x, y, z, ...rotation], fixed: true };
}

/** A floor whose top is at y = 0, and four walls around it. Sides in meters, inside. */
export function tray(width: number, depth: number, wallHeight: number, thickness = 0.5): SceneBody[] {
  const floor = fixedAt('floor', { box: [width + 2 * thickness, thickness, depth + 2 * thickness] }, [
    0,
    -thickness / 2,
    0,
  ]);
  const [x, z] = [(width + thickness) / 2, (depth + thickness) / 2];
  const y = wallHeight / 2;
  return [
    floor,
    fixedAt('wall at -x', { box: [thickness, wallHeight, depth + 2 * thickness] }, [-x, y, 0]),
    fixedAt('wall at +x', { box: [thickness, wallHeight, depth + 2 * thickness] }, [x, y, 0]),
    fixedAt('wall at -z', { box: [width, wallHeight, thickness] }, [0, y, -z]),
    fixedAt('wall at +z', { box: [width, wallHeight, thickness] }, [0, y, z]),
  ];
}
