// Solids as functions: negative inside, in units of length near the surface, each with the Lipschitz bound that the
// polygonizer uses to prune. Sphere, half space and plate are exact distances; the ellipsoid is first-order exact.
import { cross, dot, type ReadonlyVec3, subtract, type Vec3 } from '../../core/vec3.js';
import type { ImplicitShape } from '../../mesh/implicit/implicit-shape.js';

export function sphere(center: ReadonlyVec3, radius: number): ImplicitShape {
  const [cx, cy, cz] = center as Vec3;
  return {
    lipschitz: 1,
    value: (x, y, z) => Math.sqrt((x - cx) * (x - cx) + (y - cy) * (y - cy) + (z - cz) * (z - cz)) - radius,
  };
}

/** All points on the side that `normal` (unit) points away from. */
export function halfSpace(normal: ReadonlyVec3, offset: number): ImplicitShape {
  const [nx, ny, nz] = normal as Vec3;
  return { lipschitz: 1, value: (x, y, z) => nx * x + ny * y + nz * z - offset };
}

/**
 * An ellipsoid with its axes along x, y and z; no axis more than four times another.
 * The value is first-order exact at the surface and is held within a quarter of the smallest radius of the safe bound
 * (|p/r| − 1) · min r, and above −min r / 4 inside: sampled over aspects to 4 the slope stays below 1 + 0.13 (aspect − 1).
 */
export function ellipsoid(center: ReadonlyVec3, radii: ReadonlyVec3): ImplicitShape {
  const [cx, cy, cz] = center as Vec3;
  const ix = 1 / radii[0];
  const iy = 1 / radii[1];
  const iz = 1 / radii[2];
  const least = Math.min(radii[0], radii[1], radii[2]);
  const aspect = Math.max(radii[0], radii[1], radii[2]) / least;
  return {
    lipschitz: 1 + 0.13 * (aspect - 1),
    value: (x, y, z) => {
      const px = (x - cx) * ix;
      const py = (y - cy) * iy;
      const pz = (z - cz) * iz;
      const k0 = Math.sqrt(px * px + py * py + pz * pz);
      const k1 = Math.sqrt(px * ix * (px * ix) + py * iy * (py * iy) + pz * iz * (pz * iz));
      const safe = (k0 - 1) * least;
      const close = k1 > 0 ? ((k0 - 1) * k0) / k1 : -least;
      return Math.max(-0.25 * least, Math.min(safe + 0.25 * least, Math.max(safe - 0.25 * least, close)));
    },
  };
}

/** A triangle with rounded thickness: all points within `radius` of it. */
export function plate(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3, radius: number): ImplicitShape {
  const corners = [a, b, c];
  const edges = corners.map((p, i) => subtract(corners[(i + 1) % 3], p));
  const normal = cross(edges[0], edges[1]);
  const area2 = dot(normal, normal);
  const inward = edges.map((e) => cross(normal, e));
  return {
    lipschitz: 1,
    value: (x, y, z) => {
      let inside = true;
      let nearest2 = Infinity;
      for (let i = 0; i < 3; i++) {
        const px = x - corners[i][0];
        const py = y - corners[i][1];
        const pz = z - corners[i][2];
        const [ex, ey, ez] = edges[i];
        if (px * inward[i][0] + py * inward[i][1] + pz * inward[i][2] < 0) inside = false;
        const t = Math.min(1, Math.max(0, (px * ex + py * ey + pz * ez) / (ex * ex + ey * ey + ez * ez)));
        const d2 = (px - t * ex) ** 2 + (py - t * ey) ** 2 + (pz - t * ez) ** 2;
        if (d2 < nearest2) nearest2 = d2;
      }
      if (inside) {
        const height = (x - a[0]) * normal[0] + (y - a[1]) * normal[1] + (z - a[2]) * normal[2];
        nearest2 = (height * height) / area2;
      }
      return Math.sqrt(nearest2) - radius;
    },
  };
}
