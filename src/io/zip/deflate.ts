// Streams of Deflate, framed as zlib (RFC 1950) or gzip (RFC 1952), by the platform's compression, which browsers and Node
// share.
import { NearfieldError } from '../../core/errors.js';

/** Compresses bytes. */
export async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Proven: bytes that one byte of Deflate expands to at most, by its format. */
const MAX_EXPANSION = 1032;

/**
 * Expands a stream that must contain exactly `length` bytes. Never allocates more memory than that.
 * @throws NearfieldError `file-truncated` or `file-format`; `byte` is where the stream begins in its file.
 * @param frame zlib's, which is called deflate, or gzip's.
 */
export async function inflate(
  compressed: Uint8Array,
  length: number,
  byte: number,
  frame: 'deflate' | 'gzip' = 'deflate',
): Promise<Uint8Array> {
  if (length > MAX_EXPANSION * compressed.length) throw tooShort(length, byte);
  const expanded = new Uint8Array(length);
  const source = new Blob([compressed as Uint8Array<ArrayBuffer>]).stream();
  const reader = source.pipeThrough(new DecompressionStream(frame)).getReader();
  let filled = 0;
  for (;;) {
    let part: Awaited<ReturnType<typeof reader.read>>;
    try {
      part = await reader.read();
    } catch {
      throw new NearfieldError('file-format', `The compressed data at byte ${byte} are damaged; copy the file again.`, {
        byte,
      });
    }
    if (part.done) break;
    if (filled + part.value.length > length) {
      await reader.cancel().catch(() => {});
      throw new NearfieldError(
        'file-format',
        `The compressed data at byte ${byte} expand to more than the expected ${length} bytes; the file is damaged.`,
        { byte },
      );
    }
    expanded.set(part.value, filled);
    filled += part.value.length;
  }
  if (filled < length) throw tooShort(length, byte);
  return expanded;
}

function tooShort(length: number, byte: number): NearfieldError {
  return new NearfieldError(
    'file-truncated',
    `The compressed data at byte ${byte} expand to less than the expected ${length} bytes; copy the file again.`,
    { byte },
  );
}
