import { describe, expect, test } from 'vitest';
import { crc32 } from '../../../src/core/crc32.js';
import { NearfieldError } from '../../../src/core/errors.js';
import { createRandom } from '../../../src/core/random.js';
import { decomposeSurface } from '../../../src/decomposition/decompose-surface.js';
import { buildHierarchy } from '../../../src/decomposition/hierarchy/build-hierarchy.js';
import type { HullHierarchy } from '../../../src/decomposition/hierarchy/hierarchy.js';
import { readHierarchy, writeHierarchy } from '../../../src/decomposition/hierarchy/hierarchy-file.js';
import { boxMesh, join, sheet, tetrahedron, torusGrid, voxelSolid } from '../../generators/surfaces.js';

const build = (mesh: Parameters<typeof decomposeSurface>[0]) => buildHierarchy(decomposeSurface(mesh));
const twoTetrahedra = () => {
  const far = tetrahedron();
  return build(join(tetrahedron(), { ...far, positions: far.positions.map((value) => value + 3) }));
};

function refusalOf(bytes: Uint8Array): string {
  try {
    readHierarchy(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(NearfieldError);
    return (error as NearfieldError).code;
  }
  return 'none';
}

/** The bytes with the checksum made to fit. */
function seal(bytes: Uint8Array): Uint8Array {
  const end = bytes.length - 4;
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(end, crc32(bytes.subarray(0, end)), true);
  return bytes;
}

describe('a hierarchy as a file', () => {
  test('comes back equal', () => {
    const stairs = voxelSolid(3, (x, y, z) => x + y + z < 3);
    for (const mesh of [
      tetrahedron(),
      torusGrid(12, 9),
      sheet(6),
      stairs,
      join(boxMesh(), boxMesh([3, 0, 0], [4, 1, 1])),
    ]) {
      const hierarchy: HullHierarchy = build(mesh);
      const bytes = writeHierarchy(hierarchy);
      expect(readHierarchy(bytes)).toEqual(hierarchy);
      // From the middle of a larger buffer at an odd place.
      const moved = new Uint8Array(bytes.length + 9);
      moved.set(bytes, 3);
      expect(readHierarchy(moved.subarray(3, 3 + bytes.length))).toEqual(hierarchy);
    }
  });

  test('is little endian, with a name and a version', () => {
    const bytes = writeHierarchy(twoTetrahedra());
    expect(new TextDecoder().decode(bytes.subarray(0, 7))).toBe('NFHULLS');
    expect([...bytes.subarray(7, 12)]).toEqual([1, 8, 0, 0, 0]);
  });

  test('is refused at every length but its own', () => {
    const bytes = writeHierarchy(twoTetrahedra());
    for (let length = 0; length < bytes.length; length++) {
      expect(refusalOf(bytes.slice(0, length))).toBe('file-truncated');
    }
    expect(refusalOf(Uint8Array.of(...bytes, 0))).toBe('file-format');
  });

  test('is refused with any bit flipped', () => {
    const bytes = writeHierarchy(twoTetrahedra());
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      bytes[bit >> 3] ^= 1 << (bit & 7);
      expect(['file-format', 'file-truncated']).toContain(refusalOf(bytes));
      bytes[bit >> 3] ^= 1 << (bit & 7);
    }
    expect(refusalOf(bytes)).toBe('none');
  });

  test('is refused before memory is taken for counts it cannot hold', () => {
    const bytes = writeHierarchy(twoTetrahedra());
    for (let at = 8; at < 28; at += 4) {
      const changed = bytes.slice();
      new DataView(changed.buffer).setUint32(at, 0xffffffff, true);
      expect(refusalOf(seal(changed))).toBe('file-truncated');
    }
  });

  test('holds no id out of range and no broken walk after any change with a checksum that fits', () => {
    const bytes = writeHierarchy(twoTetrahedra());
    const random = createRandom(9);
    let refused = 0;
    const rounds = 4000;
    for (let round = 0; round < rounds; round++) {
      const changed = bytes.slice();
      const at = 32 + random.integer(bytes.length - 36);
      changed[at] = random.next() < 0.5 ? random.integer(256) : changed[at] ^ (1 << random.integer(8));
      seal(changed);
      const code = refusalOf(changed);
      if (code !== 'none') {
        expect(code).toBe('file-format');
        refused++;
        continue;
      }
      const h = readHierarchy(changed);
      const vertices = h.mesh.positions.length / 3;
      for (const vertex of h.faceVertices) expect(vertex).toBeLessThan(vertices);
      for (const record of h.nodeFaces) expect(record).toBeLessThan(h.faceClasses.length);
      for (const twin of h.twins) expect(twin).toBeLessThan(h.twins.length);
      expect(h.vertexStart[h.nodePieces.length]).toBe(h.nodeVertices.length);
    }
    // What passes are coordinates, which may be any finite numbers, and bytes that were the same.
    expect(refused).toBeGreaterThan(0.4 * rounds);
    expect(refused).toBeLessThan(rounds);
  });
});
