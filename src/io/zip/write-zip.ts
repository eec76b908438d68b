// ZIP archives (PKWARE 2022, APPNOTE 6.3.10) without encryption and without parts beyond 4 GiB. Files that compression does
// not make smaller are stored. No times: the same files give the same bytes.
import { crc32 } from '../../core/crc32.js';
import { NearfieldError } from '../../core/errors.js';
import { deflate } from './deflate.js';
import { CENTRAL_SIGNATURE, END_SIGNATURE, LOCAL_SIGNATURE } from './zip-layout.js';

/** A file of an archive. */
export interface ZipEntry {
  /** With `/` between folders. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Format: the flag of names in UTF-8. */
const UTF8 = 0x0800;

/** Format: January 1, 1980, the earliest date; a fixed one keeps archives equal byte for byte. */
const DATE = 0x0021;

/** Format: the largest size and offset, in bytes, without the extension for large archives. */
const MAX_BYTES = 0xffffffff;

/** Format: the largest count of files without that extension. */
const MAX_ENTRIES = 0xffff;

/** The archive of some files, in their order. */
export async function writeZip(entries: readonly ZipEntry[]): Promise<Uint8Array> {
  if (entries.length > MAX_ENTRIES) throw tooLarge(`${entries.length} files; an archive holds ${MAX_ENTRIES}`);
  const chunks: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let offset = 0;
  for (const { path, bytes } of entries) {
    const name = new TextEncoder().encode(path);
    // A zlib stream is two bytes, the deflated data, and a checksum of four bytes.
    const packed = (await deflate(bytes)).slice(2, -4);
    const stored = packed.length >= bytes.length;
    const data = stored ? bytes : packed;
    const fields: [value: number, bytes: number][] = [
      [20, 2],
      [UTF8, 2],
      [stored ? 0 : 8, 2],
      [0, 2],
      [DATE, 2],
      [crc32(bytes), 4],
      [data.length, 4],
      [bytes.length, 4],
      [name.length, 2],
      [0, 2],
    ];
    const local = record([[LOCAL_SIGNATURE, 4], ...fields]);
    central.push(
      record([[CENTRAL_SIGNATURE, 4], [20, 2], ...fields, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]]),
      name,
    );
    chunks.push(local, name, data);
    offset += local.length + name.length + data.length;
    if (offset > MAX_BYTES) throw tooLarge('more than 4 GiB');
  }
  const size = central.reduce((sum, { length }) => sum + length, 0);
  const count = entries.length;
  const end = record([
    [END_SIGNATURE, 4],
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [size, 4],
    [offset, 4],
    [0, 2],
  ]);
  const archive = new Uint8Array(offset + size + end.length);
  let at = 0;
  for (const chunk of [...chunks, ...central, end]) {
    archive.set(chunk, at);
    at += chunk.length;
  }
  return archive;
}

/** Little-endian fields one after another. */
function record(fields: readonly (readonly [value: number, bytes: number])[]): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((sum, [, size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [value, size] of fields) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return bytes;
}

function tooLarge(what: string): NearfieldError {
  return new NearfieldError('too-large', `The archive has ${what}; write fewer or smaller files.`);
}
