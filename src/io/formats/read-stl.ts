// Reads STL, text or binary. Each facet has its own corners, so equal corners are welded: ids are in order of first
// appearance. Facet normals are ignored: in many files they are zero or wrong, and the winding gives the side.
// Source: Chua, Leong and Lim 2010, Rapid Prototyping, section 6.2; O(file).
import { NearfieldError } from '../../core/errors.js';
import { reportProgress } from '../../core/progress.js';
import { createModel, type MeshGroup, type ModelFile } from '../model/model-file.js';
import { isBinaryStl } from '../model/model-format.js';
import { modelName, PROGRESS_INTERVAL, type ReadOptions } from '../model/read-options.js';
import { ExactWelder } from './exact-welder.js';
import { TriangleList } from './growing-lists.js';
import { STL_FACET_BYTES, STL_HEADER_BYTES } from './stl-layout.js';
import { TextCursor } from './text-cursor.js';

/**
 * Reads an STL file. Exactly equal corners become one vertex (−0 equals 0); facets keep their order and their count.
 * The solids of a text file become groups.
 */
export function readStl(bytes: Uint8Array, options: ReadOptions = {}): ModelFile {
  return looksLikeText(bytes) ? readTextStl(bytes, options) : readBinaryStl(bytes, options);
}

/** Binary files may also begin with "solid", so the test is a length that fits the count, then control bytes. */
function looksLikeText(bytes: Uint8Array): boolean {
  if (isBinaryStl(bytes)) return false;
  const beginning = bytes.subarray(0, 512);
  if (beginning.some((byte) => byte < 0x20 && (byte < 0x09 || byte > 0x0d))) return false;
  return /^(\ufeff)?\s*solid/i.test(new TextDecoder('utf-8', { ignoreBOM: true }).decode(beginning.slice()));
}

function readBinaryStl(bytes: Uint8Array, options: ReadOptions): ModelFile {
  if (bytes.length < STL_HEADER_BYTES) {
    throw new NearfieldError(
      'file-truncated',
      `byte ${bytes.length}: the file ends within its header of ${STL_HEADER_BYTES} bytes; it is not an STL file or is truncated.`,
      { byte: bytes.length },
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint32(STL_HEADER_BYTES - 4, true);
  const end = STL_HEADER_BYTES + STL_FACET_BYTES * count;
  if (end > bytes.length) {
    throw new NearfieldError(
      'file-truncated',
      `byte ${bytes.length}: the header declares ${count} triangles, which need ${end} bytes, but the file has ` +
        `${bytes.length}; it is no STL file or was cut short; copy it again.`,
      { byte: bytes.length },
    );
  }
  if (bytes.length - end >= STL_FACET_BYTES) {
    throw new NearfieldError(
      'file-format',
      `byte ${STL_HEADER_BYTES - 4}: the header declares ${count} triangles, which need ${end} bytes, but the file has ` +
        `${bytes.length}; correct the count or remove the extra bytes.`,
      { byte: STL_HEADER_BYTES - 4 },
    );
  }
  if (count === 0) {
    throw new NearfieldError(
      'empty-mesh',
      `byte ${STL_HEADER_BYTES - 4}: the file has no triangles; give one with a surface.`,
      {
        byte: STL_HEADER_BYTES - 4,
      },
    );
  }

  const welder = new ExactWelder(count / 2);
  const indices = new Uint32Array(3 * count);
  for (let facet = 0; facet < count; facet++) {
    if (facet % PROGRESS_INTERVAL === 0) reportProgress(options, facet / count, 'reading STL');
    for (let corner = 0; corner < 3; corner++) {
      const offset = STL_HEADER_BYTES + STL_FACET_BYTES * facet + 12 + 12 * corner;
      const x = view.getFloat32(offset, true);
      const y = view.getFloat32(offset + 4, true);
      const z = view.getFloat32(offset + 8, true);
      // Every finite single-precision number is far below the coordinate limit: only infinities and NaN are wrong.
      if (!Number.isFinite(x + y + z)) {
        throw new NearfieldError(
          'non-finite',
          `byte ${offset}: corner ${corner} of triangle ${facet} is ${x}, ${y}, ${z}; coordinates must be finite.`,
          { byte: offset, face: facet },
        );
      }
      indices[3 * facet + corner] = welder.add(x, y, z);
    }
  }
  return createModel({ name: modelName(options), mesh: { positions: welder.toPositions(), indices } }, 'stl');
}

function readTextStl(bytes: Uint8Array, options: ReadOptions): ModelFile {
  const cursor = new TextCursor(bytes);
  const welder = new ExactWelder(bytes.length / 512);
  const triangles = new TriangleList(bytes.length / 256);
  const groups: MeshGroup[] = [];
  while (cursor.skipToWord()) {
    expectWord(cursor, 'solid');
    const name = cursor.readRestOfLine();
    const firstTriangle = triangles.count;
    for (;;) {
      const keyword = nextWord(cursor, '"facet" or "endsolid"');
      if (keyword === 'endsolid') break;
      if (keyword !== 'facet') failWord(cursor, '"facet" or "endsolid"');
      if (triangles.count % PROGRESS_INTERVAL === 0) {
        reportProgress(options, cursor.offset / bytes.length, 'reading STL');
      }
      readFacet(cursor, welder, triangles);
    }
    cursor.nextLine();
    const triangleCount = triangles.count - firstTriangle;
    if (triangleCount > 0) groups.push({ name, firstTriangle, triangleCount });
  }
  if (triangles.count === 0) cursor.fail('empty-mesh', 'the file ends without a facet; give one with a surface');
  const mesh = { positions: welder.toPositions(), indices: triangles.toArray() };
  const named = groups.length > 1 || groups[0].name !== '';
  return createModel({ name: modelName(options), mesh, ...(named && { groups }) }, 'stl');
}

/** Reads what follows "facet": the normal, the loop of three corners, "endfacet". */
function readFacet(cursor: TextCursor, welder: ExactWelder, triangles: TriangleList): void {
  // The normal is skipped word by word: it may be "nan".
  let keyword = nextWord(cursor, '"normal"');
  for (let words = 0; keyword !== 'outer' && words < 4; words++) keyword = nextWord(cursor, '"outer loop"');
  if (keyword !== 'outer') failWord(cursor, '"outer loop"');
  expectWord(cursor, 'loop');
  const ids = [0, 0, 0];
  for (let corner = 0; corner < 3; corner++) {
    expectWord(cursor, 'vertex');
    const x = cursor.readCoordinate('the x coordinate');
    const y = cursor.readCoordinate('the y coordinate');
    const z = cursor.readCoordinate('the z coordinate');
    ids[corner] = welder.add(x, y, z);
  }
  expectWord(cursor, 'endloop');
  expectWord(cursor, 'endfacet');
  triangles.push(ids[0], ids[1], ids[2]);
}

/** The next word in lower case, because files differ in case. */
function nextWord(cursor: TextCursor, expected: string): string {
  if (!cursor.skipToWord()) cursor.failMissing(expected);
  return cursor.readWord().toLowerCase();
}

function expectWord(cursor: TextCursor, expected: string): void {
  if (nextWord(cursor, `"${expected}"`) !== expected) failWord(cursor, `"${expected}"`);
}

function failWord(cursor: TextCursor, expected: string): never {
  cursor.offset = cursor.wordStart;
  cursor.failMissing(expected);
}
