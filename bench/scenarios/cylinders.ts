// Two deforming cylinders of 20,000 triangles each, after the slides of Lin 2003: in continuous contact, where both bend
// along each other, and in extreme penetration, where one goes through the other. Every vertex moves in every frame.
import { findModel, type Mesh } from 'nearfield/mesh';

export const CYLINDER_SCENES = ['contact', 'penetration'] as const;

export type CylinderScene = (typeof CYLINDER_SCENES)[number];

/** How far the axes are apart, in meters; the cylinders have a radius of 0.3 and a height of 1. */
const APART: Readonly<Record<CylinderScene, number>> = { contact: 0.57, penetration: 0.2 };

/** Makes the cylinders of a scene at a time in seconds. */
export function createCylinders(scene: CylinderScene, triangles = 20_000): (time: number) => [Mesh, Mesh] {
  const share = Math.sqrt(triangles / 20_000);
  const cylinder = findModel('cylinder')!.build({
    segments: Math.max(8, Math.round(100 * share)),
    bands: Math.max(4, Math.round(81 * share)),
    capRings: Math.max(1, Math.round(10 * share)),
  });
  return (time) => [bend(cylinder, time, 0), bend(cylinder, 1.3 * time + 1, APART[scene])];
}

function bend({ positions, indices }: Mesh, time: number, shift: number): Mesh {
  const moved = new Float64Array(positions.length);
  for (let n = 0; n < moved.length; n += 3) {
    const [x, y, z] = [positions[n], positions[n + 1], positions[n + 2]];
    // A wave along the axis, and a swelling that runs up and down.
    const swell = 1 + 0.05 * Math.sin(6 * y + 2 * time);
    moved[n] = swell * x + 0.05 * Math.sin(3 * y + time) + shift;
    moved[n + 1] = y;
    moved[n + 2] = swell * z + 0.025 * Math.cos(2.3 * y + time);
  }
  return { positions: moved, indices };
}
