// Several files as one list of bytes, for the way to the worker; and one of them by the name that another file calls it.
import { NearfieldError } from 'nearfield/core';

export interface BundledFile {
  /** With the folders that it was dropped in, as far as they are known. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A name and a length, each behind a number of four bytes. */
const NUMBER_BYTES = 4;

export function packFiles(files: readonly BundledFile[]): Uint8Array {
  const named = files.map(({ name, bytes }) => ({ name: new TextEncoder().encode(name), bytes }));
  const length = named.reduce((sum, { name, bytes }) => sum + 2 * NUMBER_BYTES + name.length + bytes.length, 0);
  const packed = new Uint8Array(length);
  const numbers = new DataView(packed.buffer);
  let at = 0;
  for (const part of named.flatMap(({ name, bytes }) => [name, bytes])) {
    numbers.setUint32(at, part.length);
    packed.set(part, at + NUMBER_BYTES);
    at += NUMBER_BYTES + part.length;
  }
  return packed;
}

export function unpackFiles(packed: Uint8Array | null): BundledFile[] {
  const files: BundledFile[] = [];
  if (packed === null) return files;
  const numbers = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  let at = 0;
  const take = (): Uint8Array => {
    const length = numbers.getUint32(at);
    at += NUMBER_BYTES + length;
    return packed.subarray(at - length, at);
  };
  while (at < packed.length) files.push({ name: new TextDecoder().decode(take()), bytes: take() });
  return files;
}

/**
 * The file of this name: of several that end the same, the one that has most folders in common with it.
 * @throws NearfieldError that says what to drop.
 */
export function findBundled(files: readonly BundledFile[], name: string): BundledFile {
  const wanted = foldersOf(name);
  const shared = files.map((file) => {
    const own = foldersOf(file.name);
    let count = 0;
    while (count < Math.min(own.length, wanted.length) && own.at(-1 - count) === wanted.at(-1 - count)) count++;
    return count;
  });
  const most = Math.max(0, ...shared);
  if (most === 0) {
    throw new NearfieldError(
      'file-not-found',
      `${name} is not among the files that were opened; drop it together with the others, or drop their whole folder.`,
    );
  }
  return files[shared.indexOf(most)];
}

/** From the outermost; browsers that allow no slash in the name of a file write a colon. */
function foldersOf(name: string): string[] {
  return name
    .split(/[\\/:]+/)
    .filter((folder) => folder !== '' && folder !== '.')
    .map((folder) => folder.toLowerCase());
}
