// Reads ZIP archives (PKWARE 2022, APPNOTE 6.3.10): files that are stored or deflated, in one part, without encryption. The
// directory at the end says where they are. Every size and checksum is tested; nothing is expanded before it is asked for.
import { crc32 } from '../../core/crc32.js';
import { NearfieldError, type NearfieldErrorCode } from '../../core/errors.js';
import { inflate } from './deflate.js';
import { CENTRAL_SIGNATURE, END_SIGNATURE, LOCAL_SIGNATURE } from './zip-layout.js';

/** Format: bytes of the record at the end, before the comment. */
const END_BYTES = 22;

/** Format: bytes of an entry of the directory, before name and comment. */
const CENTRAL_BYTES = 46;

/** Format: bytes of the record before a file, without the name. */
const LOCAL_BYTES = 30;

/** Layout: the largest comment at the end of an archive. */
const MAX_COMMENT = 0xffff;

/** Layout: what stands for a size or an offset that does not fit 32 bits. */
const IN_ZIP64 = 0xffffffff;

/** Format: the flag of encrypted files. */
const ENCRYPTED = 1;

/** Format: the method of files that are stored as they are. */
const STORED = 0;

/** Format: the method of Deflate. */
const DEFLATED = 8;

/** Chosen: bytes that a packed byte may expand to. Text of models needs 5 to 30. */
const MAX_EXPANSION = 256;

/** Format: the head of a gzip stream without name, time and flags (RFC 1952). */
const GZIP_HEAD = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

interface Entry {
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly offset: number;
}

/** The files of an archive. */
export class ZipArchive {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #entries = new Map<string, Entry>();

  /** @throws NearfieldError for what is not a whole archive. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = this.#findEnd();
    const count = this.#view.getUint16(end + 10, true);
    let at = this.#view.getUint32(end + 16, true);
    if (at === IN_ZIP64) fail('unsupported', end, 'archives beyond 4 GiB are not read; pack the files again');
    for (let i = 0; i < count; i++) {
      if (at + CENTRAL_BYTES > end || this.#view.getUint32(at, true) !== CENTRAL_SIGNATURE) {
        fail('file-format', at, `entry ${i} of the archive's directory is damaged; copy the file again`);
      }
      const word = (offset: number): number => this.#view.getUint16(at + offset, true);
      const double = (offset: number): number => this.#view.getUint32(at + offset, true);
      const length = word(28);
      const name = new TextDecoder().decode(bytes.slice(at + CENTRAL_BYTES, at + CENTRAL_BYTES + length));
      const [packedBytes, size, offset] = [double(20), double(24), double(42)];
      if ([packedBytes, size, offset].includes(IN_ZIP64)) {
        fail('unsupported', at, 'files beyond 4 GiB are not read; pack smaller ones');
      }
      this.#entries.set(name, { flags: word(8), method: word(10), crc: double(16), packedBytes, bytes: size, offset });
      at += CENTRAL_BYTES + length + word(30) + word(32);
    }
  }

  /** The paths of all files, in the order of the directory. */
  get paths(): string[] {
    return [...this.#entries.keys()];
  }

  /** The content of a file; null for a path that the archive does not have. */
  async read(path: string): Promise<Uint8Array | null> {
    const entry = this.#entries.get(path);
    if (entry === undefined) return null;
    const { flags, method, crc, packedBytes, bytes, offset } = entry;
    if ((flags & ENCRYPTED) !== 0) fail('unsupported', offset, `"${path}" is encrypted; unlock the archive first`);
    const isThere = offset + LOCAL_BYTES <= this.#bytes.length;
    if (!isThere || this.#view.getUint32(offset, true) !== LOCAL_SIGNATURE) {
      fail('file-format', offset, `"${path}" is not where the archive's directory says; copy the file again`);
    }
    const start =
      offset + LOCAL_BYTES + this.#view.getUint16(offset + 26, true) + this.#view.getUint16(offset + 28, true);
    if (start + packedBytes > this.#bytes.length) {
      fail('file-truncated', start, `"${path}" ends beyond the archive; copy the file again`);
    }
    const packed = this.#bytes.subarray(start, start + packedBytes);
    if (method === STORED) {
      if (packedBytes !== bytes || crc32(packed) !== crc) {
        fail('file-format', start, `"${path}" is damaged: its size or checksum differs; copy the file again`);
      }
      return packed;
    }
    if (method !== DEFLATED) {
      fail('unsupported', offset, `"${path}" is packed by method ${method}; only Deflate is read, so pack it again`);
    }
    if (bytes > MAX_EXPANSION * packedBytes) {
      fail('too-large', offset, `"${path}" claims to expand from ${packedBytes} to ${bytes} bytes; pack it again`);
    }
    return inflate(asGzip(packed, crc, bytes), bytes, start, 'gzip');
  }

  #findEnd(): number {
    const first = Math.max(0, this.#bytes.length - END_BYTES - MAX_COMMENT);
    for (let at = this.#bytes.length - END_BYTES; at >= first; at--) {
      if (this.#view.getUint32(at, true) === END_SIGNATURE) return at;
    }
    return fail('file-truncated', this.#bytes.length, 'the archive has no directory at its end; copy the file again');
  }
}

/** Deflated data as a gzip stream, whose end has what the archive says of the content: readers test both. */
function asGzip(packed: Uint8Array, crc: number, bytes: number): Uint8Array {
  const stream = new Uint8Array(GZIP_HEAD.length + packed.length + 8);
  stream.set(GZIP_HEAD);
  stream.set(packed, GZIP_HEAD.length);
  const view = new DataView(stream.buffer);
  view.setUint32(stream.length - 8, crc, true);
  view.setUint32(stream.length - 4, bytes, true);
  return stream;
}

function fail(code: NearfieldErrorCode, byte: number, message: string): never {
  throw new NearfieldError(code, `byte ${byte}: ${message}.`, { byte });
}
