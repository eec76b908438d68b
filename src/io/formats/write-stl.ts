import * as vec3 from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';
import { formatName, formatNumber } from './format-lines.js';
import { toSinglePrecision } from './single-precision.js';
import { STL_FACET_BYTES, STL_HEADER_BYTES } from './stl-layout.js';

/** A binary STL file. Coordinates are rounded to single precision, which is all the format has. */
export function writeStl(mesh: Mesh): Uint8Array {
  const { indices } = mesh;
  const single = toSinglePrecision(mesh.positions, 'binary STL');
  const count = indices.length / 3;
  const bytes = new Uint8Array(STL_HEADER_BYTES + STL_FACET_BYTES * count);
  // The header must not begin with "solid", by which simple readers recognize text.
  bytes.set(new TextEncoder().encode('binary STL written by nearfield'));
  const view = new DataView(bytes.buffer);
  view.setUint32(STL_HEADER_BYTES - 4, count, true);
  for (let facet = 0, offset = STL_HEADER_BYTES; facet < count; facet++, offset += STL_FACET_BYTES) {
    const normal = facetNormal(mesh, facet);
    for (let axis = 0; axis < 3; axis++) {
      view.setFloat32(offset + 4 * axis, normal[axis], true);
      for (let corner = 0; corner < 3; corner++) {
        view.setFloat32(offset + 12 * (corner + 1) + 4 * axis, single[3 * indices[3 * facet + corner] + axis], true);
      }
    }
  }
  return bytes;
}

/** An STL file in text, with all digits of the coordinates. */
export function writeStlText(mesh: Mesh, name: string): Uint8Array {
  const { positions, indices } = mesh;
  const chunks = [`solid ${formatName(name)}`.trim(), '\n'];
  for (let facet = 0; facet < indices.length / 3; facet++) {
    chunks.push(`facet normal ${facetNormal(mesh, facet).map(formatNumber).join(' ')}\nouter loop\n`);
    for (let corner = 0; corner < 3; corner++) {
      const at = 3 * indices[3 * facet + corner];
      const [x, y, z] = [positions[at], positions[at + 1], positions[at + 2]];
      chunks.push(`vertex ${formatNumber(x)} ${formatNumber(y)} ${formatNumber(z)}\n`);
    }
    chunks.push('endloop\nendfacet\n');
  }
  chunks.push(`endsolid ${formatName(name)}`.trim(), '\n');
  return new TextEncoder().encode(chunks.join(''));
}

/** The unit normal; zero for a triangle without area. */
function facetNormal({ positions, indices }: Mesh, facet: number): vec3.Vec3 {
  const [a, b, c] = [0, 1, 2].map((corner): vec3.Vec3 => {
    const at = 3 * indices[3 * facet + corner];
    return [positions[at], positions[at + 1], positions[at + 2]];
  });
  const [x, y, z] = vec3.normalize(vec3.cross(vec3.subtract(b, a), vec3.subtract(c, a)));
  // Adding zero turns −0 into 0.
  return [x + 0, y + 0, z + 0];
}
