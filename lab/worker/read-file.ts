// Reads the files that people open. Those that need an optional package, STEP, IGES, IFC and geometry compressed with Draco, are
// read by the lab's server on this machine: kernels make code at run time, which the page's policy forbids.
import { NearfieldError, type ProgressOptions, reportProgress } from 'nearfield/core';
import { type ModelFile, type PeerPackage, readModel } from 'nearfield/io';
import type { SentError } from './messages.js';

/** As in src/cli/lab-reader.ts: bytes of the length at the beginning. */
const LENGTH_BYTES = 8;

/** A model with its arrays, or with places in the answer instead of them. */
interface Answer {
  readonly model?: ModelFile;
  readonly error?: SentError;
}

interface PlacedArray {
  readonly array: 'f64' | 'u32';
  readonly offset: number;
  readonly length: number;
}

/** @throws NearfieldError as `readModel`, and `unsupported` where the page has no server that could read it. */
export async function readOpened(
  bytes: Uint8Array,
  { fileName, ...options }: ProgressOptions & { readonly fileName: string; readonly motion?: boolean },
): Promise<ModelFile> {
  let wanted: PeerPackage | null = null;
  const leaveToServer = (name: PeerPackage) => (): Promise<never> => {
    wanted = name;
    return Promise.reject(new Error('left to the server'));
  };
  const packages = {
    draco3d: leaveToServer('draco3d'),
    'occt-import-js': leaveToServer('occt-import-js'),
    'web-ifc': leaveToServer('web-ifc'),
  };
  try {
    return await readModel(bytes, { fileName, packages, ...options });
  } catch (error) {
    if (wanted === null) throw error;
    reportProgress(options, 0, 'reading on this machine');
    return await readByServer(bytes, fileName, wanted);
  }
}

async function readByServer(bytes: Uint8Array, fileName: string, wanted: PeerPackage): Promise<ModelFile> {
  const address = new URL(`../read?name=${encodeURIComponent(fileName)}`, self.location.href);
  const reply = await fetch(address, { method: 'POST', body: bytes.slice() }).catch(() => null);
  if (reply?.headers.get('content-type') !== 'application/octet-stream') {
    throw new NearfieldError(
      'unsupported',
      `${fileName} needs the package "${wanted}", which this page cannot load. Install it on your machine and open the file in the ` +
        `lab there: npm install nearfield ${wanted}, then npx nearfield lab "${fileName}".`,
    );
  }
  return unpack(await reply.arrayBuffer());
}

function unpack(buffer: ArrayBuffer): ModelFile {
  const start = LENGTH_BYTES + new DataView(buffer).getUint32(0, true);
  const text = new TextDecoder().decode(new Uint8Array(buffer, LENGTH_BYTES, start - LENGTH_BYTES));
  const { model, error } = JSON.parse(text, (_, value: unknown) => {
    if (!isPlacedArray(value)) return value;
    const Numbers = value.array === 'f64' ? Float64Array : Uint32Array;
    return new Numbers(buffer, start + value.offset, value.length).slice();
  }) as Answer;
  if (model !== undefined) return model;
  throw new NearfieldError(error?.code ?? 'unsupported', error?.message ?? 'No answer.', error?.location);
}

function isPlacedArray(value: unknown): value is PlacedArray {
  return typeof value === 'object' && value !== null && 'array' in value && 'offset' in value;
}
