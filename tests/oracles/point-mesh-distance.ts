// The distance of a point and a mesh by brute force: the least over all triangles of the distance to the face, where the
// foot of the perpendicular is inside, and to the three sides.

export function distanceToMesh(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  [x, y, z]: readonly [number, number, number],
): number {
  let least = Infinity;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
    // Corners seen from the point.
    const [ax, ay, az] = [positions[a] - x, positions[a + 1] - y, positions[a + 2] - z];
    const [bx, by, bz] = [positions[b] - x, positions[b + 1] - y, positions[b + 2] - z];
    const [cx, cy, cz] = [positions[c] - x, positions[c + 1] - y, positions[c + 2] - z];
    least = Math.min(
      least,
      toSegment(ax, ay, az, bx, by, bz),
      toSegment(bx, by, bz, cx, cy, cz),
      toSegment(cx, cy, cz, ax, ay, az),
    );
    const nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay);
    const ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
    const nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    // The foot is inside if all three sides turn the same way around the line along the normal through the point.
    const ab = nx * (ay * bz - az * by) + ny * (az * bx - ax * bz) + nz * (ax * by - ay * bx);
    const bc = nx * (by * cz - bz * cy) + ny * (bz * cx - bx * cz) + nz * (bx * cy - by * cx);
    const ca = nx * (cy * az - cz * ay) + ny * (cz * ax - cx * az) + nz * (cx * ay - cy * ax);
    if (length > 0 && ab >= 0 && bc >= 0 && ca >= 0) {
      least = Math.min(least, Math.abs(nx * ax + ny * ay + nz * az) / length);
    }
  }
  return least;
}

/** From the origin. */
function toSegment(px: number, py: number, pz: number, qx: number, qy: number, qz: number): number {
  const [ex, ey, ez] = [qx - px, qy - py, qz - pz];
  const length = ex * ex + ey * ey + ez * ez;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, -(px * ex + py * ey + pz * ez) / length));
  const [dx, dy, dz] = [px + share * ex, py + share * ey, pz + share * ez];
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}
