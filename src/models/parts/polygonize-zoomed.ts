// Polygonizes a shape finely near one point and coarsely away from it: the lattice is laid through the shape's image
// under an inversion in a sphere, and the mesh is mapped back. Inversions keep angles, so triangles keep their shape;
// their size grows with the square of the distance from the pole.
import type { Box } from '../../core/box.js';
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';
import type { ImplicitShape } from '../../mesh/implicit/implicit-shape.js';
import { polygonizeImplicit } from '../../mesh/implicit/polygonize-implicit.js';
import type { Mesh } from '../../mesh/mesh.js';

/** The pole, outside the box, where sizes shrink to zero, and the distance from it at which they are unchanged. */
export interface Zoom {
  readonly pole: ReadonlyVec3;
  readonly radius: number;
}

/** `spacing` is the cell width at the zoom's radius. Triangles map to triangles, so chords differ by O(spacing²). */
export function polygonizeZoomed(shape: ImplicitShape, box: Box, spacing: number, zoom: Zoom): Mesh {
  const { positions, indices } = polygonizeImplicit(zoomed(shape, zoom), imageOfBox(box, zoom), spacing);
  const back = new Float64Array(positions.length);
  for (let i = 0; i < back.length; i += 3) back.set(invert(zoom, positions[i], positions[i + 1], positions[i + 2]), i);
  // An inversion reverses the winding of every triangle.
  const flipped = indices.slice();
  for (let i = 0; i < flipped.length; i += 3) {
    flipped[i + 1] = indices[i + 2];
    flipped[i + 2] = indices[i + 1];
  }
  return { positions: back, indices: flipped };
}

/** The shape's image. Lengths at distance d from the pole grow by at most radius² / d² when mapped back. */
function zoomed(shape: ImplicitShape, zoom: Zoom, lipschitz = Infinity): ImplicitShape {
  const [cx, cy, cz] = zoom.pole as Vec3;
  const power = zoom.radius ** 2;
  return {
    lipschitz,
    value: (x, y, z) => {
      x -= cx;
      y -= cy;
      z -= cz;
      const scale = power / (x * x + y * y + z * z);
      return shape.value(cx + scale * x, cy + scale * y, cz + scale * z);
    },
    near(x, y, z, reach) {
      const clear = Math.hypot(x - cx, y - cy, z - cz) - reach;
      if (!(clear > 0)) return this;
      const stretch = power / clear ** 2;
      const center = invert(zoom, x, y, z);
      const local = shape.near?.(center[0], center[1], center[2], stretch * reach) ?? shape;
      return zoomed(local, zoom, local.lipschitz * stretch);
    },
  };
}

function invert({ pole, radius }: Zoom, x: number, y: number, z: number): [number, number, number] {
  const dx = x - pole[0];
  const dy = y - pole[1];
  const dz = z - pole[2];
  const scale = radius ** 2 / (dx * dx + dy * dy + dz * dz);
  return [pole[0] + scale * dx, pole[1] + scale * dy, pole[2] + scale * dz];
}

/** A box around the box's image: inversions map spheres to spheres, so the ball around the box is enough. */
function imageOfBox(box: Box, zoom: Zoom): Box {
  const center = [0, 1, 2].map((axis) => (box.min[axis] + box.max[axis]) / 2);
  const ball = Math.hypot(...[0, 1, 2].map((axis) => box.max[axis] - center[axis]));
  const offset = center.map((x, axis) => x - zoom.pole[axis]);
  const distance = Math.hypot(...offset);
  const near = zoom.radius ** 2 / (distance + ball);
  const far = zoom.radius ** 2 / (distance - ball);
  const at = offset.map((x, axis) => zoom.pole[axis] + ((near + far) / 2 / distance) * x);
  const half = (far - near) / 2;
  return { min: [at[0] - half, at[1] - half, at[2] - half], max: [at[0] + half, at[1] + half, at[2] + half] };
}
