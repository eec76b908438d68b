// The environments of Govindaraju, Redon, Lin and Manocha 2003: deforming cylinders, deforming tori, a bunny in a dragon. Each
// frame moves the vertices of the same arrays, so that only the work of culling is timed.
import { box, createRandom } from 'nearfield/core';
import { findModel, type Mesh } from 'nearfield/mesh';

/** Objects that move: `moveTo` writes their positions at a time, in seconds. */
export interface CullingEnvironment {
  readonly name: string;
  readonly objects: readonly Mesh[];
  moveTo(time: number): void;
}

/** How a vertex at rest moves: writes three numbers. */
export type Motion = (out: Float64Array, at: number, x: number, y: number, z: number, time: number) => void;

function environmentOf(
  name: string,
  bodies: readonly { readonly rest: Mesh; readonly motion: Motion }[],
): CullingEnvironment {
  const objects = bodies.map(({ rest }) => ({ positions: rest.positions.slice(), indices: rest.indices }));
  const moveTo = (time: number): void => {
    for (const [object, { rest, motion }] of bodies.entries()) {
      const { positions } = objects[object];
      const from = rest.positions;
      for (let i = 0; i < from.length; i += 3) motion(positions, i, from[i], from[i + 1], from[i + 2], time);
    }
  };
  moveTo(0);
  return { name, objects, moveTo };
}

function write(out: Float64Array, at: number, x: number, y: number, z: number): void {
  out[at] = x;
  out[at + 1] = y;
  out[at + 2] = z;
}

/** Cylinders of 200 triangles that bend in the wind, on a jittered grid dense enough for every tenth to touch another. */
export function deformingCylinders(count: number): CullingEnvironment {
  const random = createRandom(7);
  const rest = findModel('cylinder')!.build({ radius: 0.12, height: 1.2, segments: 10, bands: 9, capRings: 1 });
  const side = Math.ceil(Math.sqrt(count));
  const bodies = Array.from({ length: count }, (_, i) => {
    const [left, front] = [0.42 * (i % side), 0.42 * Math.floor(i / side)];
    const [dx, dz, phase] = [random.range(-0.1, 0.1), random.range(-0.1, 0.1), random.range(0, 6)];
    const motion: Motion = (out, at, x, y, z, time) => {
      const bend = 0.12 * (y + 0.6) * (y + 0.6) * Math.sin(2 * time + phase);
      write(out, at, left + dx + x + bend, y, front + dz + z + 0.5 * bend);
    };
    return { rest, motion };
  });
  return environmentOf(`${count} deforming cylinders`, bodies);
}

/** Two linked tori that wobble and graze each other. */
export function deformingTori(trianglesEach: number): CullingEnvironment {
  const segments = Math.round(Math.sqrt(trianglesEach / 2));
  const rest = findModel('torus')!.build({
    majorRadius: 1,
    minorRadius: 0.4,
    majorSegments: segments,
    minorSegments: segments,
  });
  const wobble: Motion = (out, at, x, y, z, time) => {
    const swell = 1 + 0.04 * Math.sin(7 * x + 3 * time) + 0.04 * Math.sin(5 * z - 2 * time);
    write(out, at, x * swell, y * swell, z * swell);
  };
  const upright: Motion = (out, at, x, y, z, time) => {
    const swell = 1 + 0.04 * Math.sin(6 * x - 3 * time);
    write(out, at, x * swell + 0.78 + 0.1 * Math.sin(time), z * swell, y * swell);
  };
  return environmentOf(`two deforming tori of ${trianglesEach.toLocaleString('en-US')}`, [
    { rest, motion: wobble },
    { rest, motion: upright },
  ]);
}

/** A bunny of about a seventh of the dragon's triangles that swings through the side of the dragon. */
export function bunnyInDragon(dragonTriangles = 250_000): CullingEnvironment {
  const dragon = findModel('dragon').build({ triangles: dragonTriangles });
  const bunny = findModel('bunny').build({ triangles: Math.max(5000, Math.round(0.14 * dragonTriangles)) });
  const still: Motion = (out, at, x, y, z) => write(out, at, x, y, z);
  const count = (triangles: number): string => triangles.toLocaleString('en-US');
  return environmentOf(`bunny of ${count(0.14 * dragonTriangles)} in dragon of ${count(dragonTriangles)}`, [
    { rest: dragon, motion: still },
    { rest: bunny, motion: swingThrough(bunny, dragon) },
  ]);
}

/** Made a third as long as the target, a body swings through its middle. */
export function swingThrough(body: Mesh, target: Mesh): Motion {
  const [from, to] = [box.ofPositions(body.positions), box.ofPositions(target.positions)];
  const length = to.max[0] - to.min[0];
  const size = (0.35 * length) / (from.max[0] - from.min[0]);
  const [start, middle] = [box.center(from), box.center(to)];
  return (out, at, x, y, z, time) => {
    const reach = 0.2 * length * Math.sin(time);
    write(
      out,
      at,
      size * (x - start[0]) + middle[0] + reach,
      size * (y - start[1]) + middle[1],
      size * (z - start[2]) + middle[2] + 0.5 * reach,
    );
  };
}
