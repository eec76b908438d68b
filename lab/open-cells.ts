// The open cells of a certificate as a surface around the origin: each a rectangle on a side of the cube of directions,
// drawn there, on a sphere, or as far out as its rays are known to be covered.
import { type Pose, pose, type Vec3, vec3 } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import { writeDirection } from 'nearfield/penetration';
import { linearScaleColor } from './color-scale.js';
import { CELL_STRIDE } from './worker/certificate-record.js';

export type CellPlace = 'sphere' | 'reach' | 'cube';

export interface CellSurface {
  readonly mesh: Mesh;
  /** From the least reach, dark, to the most. */
  readonly faceColors: Float32Array;
  /** The rims of the cells. */
  readonly outlines: Float64Array;
  /** The middles of cells too small to be seen. */
  readonly specks: Float64Array;
}

/** Parts along the side of a whole side of the cube, so that a patch of a sphere looks round. */
const PARTS = 16;
/** Widths below this are less than a pixel or two on the screen. */
const SPECK = 0.02;

/** `low` and `high`: the ends of the scale of colors. `turn`: from A's frame to the world's axes. */
export function surfaceOfCells(
  open: Float64Array,
  place: CellPlace,
  radius: number,
  { low, high, turn, zoom }: { low: number; high: number; turn: Pose; zoom: number },
): CellSurface {
  const [positions, indices, colors, outlines, specks]: number[][] = [[], [], [], [], []];
  for (let at = 0; at < open.length; at += CELL_STRIDE) {
    const [view, left, bottom, width, reach] = open.subarray(at, at + CELL_STRIDE);
    const point = (x: number, y: number): Vec3 => {
      const direction = new Float64Array(3);
      writeDirection(direction, view, left + x * width, bottom + y * width);
      const [dx, dy, dz] = direction;
      const length = place === 'cube' ? 1 : Math.hypot(dx, dy, dz);
      const out = (place === 'reach' ? reach : radius) / length;
      return pose.transformVector(turn, vec3.scale([dx, dy, dz], out));
    };
    const color = linearScaleColor((reach - low) / (high - low || 1));
    const parts = place === 'cube' ? 1 : Math.max(1, Math.ceil((width / 2) * PARTS));
    const first = positions.length / 3;
    for (let row = 0; row <= parts; row++) {
      for (let column = 0; column <= parts; column++) positions.push(...point(column / parts, row / parts));
    }
    for (let row = 0; row < parts; row++) {
      for (let column = 0; column < parts; column++) {
        const corner = first + row * (parts + 1) + column;
        const above = corner + parts + 1;
        // Right × up points back at the origin, so that the outside is the other way round.
        indices.push(corner, above, corner + 1, corner + 1, above, above + 1);
        colors.push(...color, ...color);
      }
    }
    for (let part = 0; part < parts; part++) {
      const [from, to] = [part / parts, (part + 1) / parts];
      outlines.push(...point(from, 0), ...point(to, 0), ...point(from, 1), ...point(to, 1));
      outlines.push(...point(0, from), ...point(0, to), ...point(1, from), ...point(1, to));
    }
    if (width * zoom < SPECK) specks.push(...point(0.5, 0.5));
  }
  return {
    mesh: { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) },
    faceColors: Float32Array.from(colors),
    outlines: Float64Array.from(outlines),
    specks: Float64Array.from(specks),
  };
}
