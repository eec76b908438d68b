// A hierarchy of hulls as a file, with its mesh: a header of counts, the arrays one after another in little endian, and
// a CRC-32 of everything before it. Arrays that follow from others are omitted and recomputed on reading. O(bytes).
import { assertBytes } from '../../core/check/check-array.js';
import { crc32 } from '../../core/crc32.js';
import { NearfieldError } from '../../core/errors.js';
import { assertMesh } from '../../mesh/mesh.js';
import { assertHierarchy } from './assert-hierarchy.js';
import { completeHierarchy, type HierarchyParts, type HullHierarchy } from './hierarchy.js';
import { SPLIT_RULES } from './split-pieces.js';

/** The first seven bytes of a file: "NFHULLS". */
const MAGIC = [0x4e, 0x46, 0x48, 0x55, 0x4c, 0x4c, 0x53];
/** Format: the eighth byte of a file. */
const VERSION = 1;
/**
 * Layout: bytes before the arrays: eight of magic and version, then six numbers of four: those of {@link Counts} and
 * the splitting rule.
 */
const HEADER_BYTES = 32;
/** Layout: bytes of the checksum at the end of a file. */
const CHECKSUM_BYTES = 4;

/** The counts that determine the lengths of all arrays. */
interface Counts {
  readonly vertices: number;
  readonly triangles: number;
  readonly nodes: number;
  readonly nodeFaces: number;
  readonly records: number;
}

type Kind = 'f64' | 'i32' | 'u32' | 'u8';
const KIND_BYTES: Record<Kind, number> = { f64: 8, i32: 4, u32: 4, u8: 1 };

/** The arrays in the order of the file: wide elements first, so that each array starts at a multiple of its width. */
function layoutOf({ vertices, triangles, nodes, nodeFaces, records }: Counts): [name: string, Kind, length: number][] {
  return [
    ['positions', 'f64', 3 * vertices],
    ['indices', 'u32', 3 * triangles],
    ['children', 'i32', 2 * nodes],
    ['nodePieces', 'i32', nodes],
    ['faceStart', 'u32', nodes + 1],
    ['nodeFaces', 'u32', nodeFaces],
    ['twins', 'u32', 3 * nodeFaces],
    ['faceVertices', 'u32', 3 * records],
    ['faceSources', 'i32', records],
    ['faceClasses', 'u8', records],
    ['flatNodes', 'u8', nodes],
  ];
}

/** The hierarchy and its mesh as bytes for {@link readHierarchy}. */
export function writeHierarchy(hierarchy: HullHierarchy): Uint8Array {
  const { mesh } = hierarchy;
  const counts: Counts = {
    vertices: mesh.positions.length / 3,
    triangles: mesh.indices.length / 3,
    nodes: hierarchy.nodePieces.length,
    nodeFaces: hierarchy.nodeFaces.length,
    records: hierarchy.faceClasses.length,
  };
  const layout = layoutOf(counts);
  const bytes = new Uint8Array(totalBytes(layout));
  const view = new DataView(bytes.buffer);
  bytes.set([...MAGIC, VERSION]);
  const rule = SPLIT_RULES.indexOf(hierarchy.split);
  const { vertices, triangles, nodes, nodeFaces, records } = counts;
  for (const [i, count] of [vertices, triangles, nodes, nodeFaces, records, rule].entries()) {
    view.setUint32(8 + 4 * i, count, true);
  }
  const arrays: Record<string, ArrayLike<number>> = { ...mesh, ...(hierarchy as object) };
  let at = HEADER_BYTES;
  for (const [name, kind, length] of layout) {
    const values = arrays[name];
    if (kind === 'f64') for (let i = 0; i < length; i++) view.setFloat64(at + 8 * i, values[i], true);
    else if (kind === 'u8') for (let i = 0; i < length; i++) bytes[at + i] = values[i];
    else for (let i = 0; i < length; i++) view.setInt32(at + 4 * i, values[i], true);
    at += length * KIND_BYTES[kind];
  }
  view.setUint32(at, crc32(bytes.subarray(0, at)), true);
  return bytes;
}

/**
 * Reads the bytes of {@link writeHierarchy}.
 * @throws NearfieldError `file-format` for other or damaged files, `file-truncated` if the end is missing.
 */
export function readHierarchy(bytes: Uint8Array): HullHierarchy {
  assertBytes(bytes);
  const counts = readHeader(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const layout = layoutOf(counts);
  const expected = totalBytes(layout);
  if (bytes.length < expected) {
    throw new NearfieldError(
      'file-truncated',
      `The hierarchy should have ${expected} bytes but ends after ${bytes.length}; copy the file again.`,
      { byte: bytes.length },
    );
  }
  if (bytes.length > expected) {
    throw damage(`the file goes on after its last byte, ${expected - 1}`, expected);
  }
  const end = expected - CHECKSUM_BYTES;
  if (view.getUint32(end, true) !== crc32(bytes.subarray(0, end))) throw damage('its checksum does not match', end);
  const rule = SPLIT_RULES[view.getUint32(28, true)];
  if (rule === undefined) throw damage('it names no splitting rule', 28);

  const arrays: Record<string, Float64Array | Int32Array | Uint32Array | Uint8Array> = {};
  let at = HEADER_BYTES;
  for (const [name, kind, length] of layout) {
    arrays[name] = readArray(view, bytes, at, kind, length);
    at += length * KIND_BYTES[kind];
  }
  const { positions, indices, ...rest } = arrays;
  const parts = { mesh: { positions, indices }, split: rule, ...rest } as unknown as HierarchyParts;
  try {
    assertMesh(parts.mesh);
  } catch (error) {
    throw damage(error instanceof Error ? error.message : String(error), HEADER_BYTES);
  }
  assertHierarchy(parts);
  return completeHierarchy(parts);
}

function readHeader(bytes: Uint8Array): Counts {
  const known = Math.min(bytes.length, MAGIC.length);
  for (let i = 0; i < known; i++) {
    if (bytes[i] !== MAGIC[i]) throw damage('it does not begin with the signature of one', i);
  }
  if (bytes.length > MAGIC.length && bytes[MAGIC.length] !== VERSION) {
    throw new NearfieldError(
      'file-format',
      `The hierarchy has version ${bytes[MAGIC.length]}, but this library reads version ${VERSION}; build and save it again.`,
      { byte: MAGIC.length },
    );
  }
  if (bytes.length < HEADER_BYTES + CHECKSUM_BYTES) {
    throw new NearfieldError('file-truncated', `The file ends after ${bytes.length} bytes; copy it again.`, {
      byte: bytes.length,
    });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [vertices, triangles, nodes, nodeFaces, records] = [8, 12, 16, 20, 24].map((at) => view.getUint32(at, true));
  return { vertices, triangles, nodes, nodeFaces, records };
}

/** Counts are below 2³², so that the sum is always exact. */
function totalBytes(layout: ReturnType<typeof layoutOf>): number {
  let bytes = HEADER_BYTES + CHECKSUM_BYTES;
  for (const [, kind, length] of layout) bytes += length * KIND_BYTES[kind];
  return bytes;
}

function readArray(view: DataView, bytes: Uint8Array, at: number, kind: Kind, length: number) {
  if (kind === 'u8') return bytes.slice(at, at + length);
  if (kind === 'f64') {
    const values = new Float64Array(length);
    for (let i = 0; i < length; i++) values[i] = view.getFloat64(at + 8 * i, true);
    return values;
  }
  const values = kind === 'i32' ? new Int32Array(length) : new Uint32Array(length);
  for (let i = 0; i < length; i++) values[i] = view.getInt32(at + 4 * i, true);
  return values;
}

function damage(what: string, byte: number): NearfieldError {
  return new NearfieldError(
    'file-format',
    `This is not a valid hierarchy of hulls: ${what}. Build and save it again.`,
    {
      byte,
    },
  );
}
