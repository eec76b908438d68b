// Reads files for the page of the lab whose kernels need packages of this machine, or make code at run time, which the page's
// policy forbids. The answer is binary: the length of a JSON text, the text, then the arrays that it names.
import type { IncomingMessage } from 'node:http';
import { NearfieldError } from '../core/errors.js';
import type { ModelFile } from '../io/model/model-file.js';
import { readModel } from '../io/model/read-model.js';
import { optionalPackages } from './optional-packages.js';

/** Definition: where the page sends a file, with its name in the query. */
export const READ_PATH = '/read';

/** Chosen: bytes of a file that the page sends; larger ones are given on the command line of other verbs. */
const MAX_SENT_BYTES = 2 ** 30;

/** Format: arrays begin at multiples of this count of bytes. */
const ALIGNMENT = 8;

/** Format: bytes of the length at the beginning. */
const LENGTH_BYTES = 8;

/** The model of the file that a request brings, or the error that it fails with, as bytes for the page. */
export async function readForPage(request: IncomingMessage): Promise<Buffer> {
  try {
    const fileName = new URL(request.url ?? '', 'http://localhost').searchParams.get('name') ?? '';
    const bytes = await receive(request);
    return packModel(await readModel(bytes, { fileName, packages: optionalPackages }));
  } catch (error) {
    if (!(error instanceof NearfieldError)) throw error;
    // What bundlers should be told does not concern the page.
    const message = error.message.replace(/ In a bundled page .*$/s, ' Then start the lab again.');
    return packText(JSON.stringify({ error: { code: error.code, message, location: error.location } }), []);
  }
}

async function receive(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_SENT_BYTES) {
      throw new NearfieldError(
        'too-large',
        `The file has more than ${MAX_SENT_BYTES} bytes; check it with nearfield clash.`,
      );
    }
    chunks.push(chunk as Buffer);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function packModel(model: ModelFile): Buffer {
  const arrays: Buffer[] = [];
  let offset = 0;
  const text = JSON.stringify({ model }, (_, value: unknown) => {
    if (!(value instanceof Float64Array || value instanceof Uint32Array)) return value;
    const padding = -value.byteLength & (ALIGNMENT - 1);
    const placed = { array: value instanceof Float64Array ? 'f64' : 'u32', offset, length: value.length };
    arrays.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength), Buffer.alloc(padding));
    offset += value.byteLength + padding;
    return placed;
  });
  return packText(text, arrays);
}

function packText(text: string, arrays: readonly Buffer[]): Buffer {
  const bytes = Buffer.from(text);
  // Blanks behind the text, so that the arrays begin where they may.
  const padded = Buffer.alloc(bytes.length + (-bytes.length & (ALIGNMENT - 1)), ' ');
  bytes.copy(padded);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(padded.length);
  return Buffer.concat([length, padded, ...arrays]);
}
