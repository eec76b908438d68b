// The reader of ZIP archives against our writer, against archives of another program, and against damage.
import { describe, expect, test } from 'vitest';
import { NearfieldError } from '../../../src/core/errors.js';
import { createRandom } from '../../../src/core/random.js';
import { ZipArchive } from '../../../src/io/zip/read-zip.js';
import { writeZip } from '../../../src/io/zip/write-zip.js';
import { bytesOf } from '../../generators/model-files.js';

const files = [
  { path: 'a/empty.txt', bytes: new Uint8Array(0) },
  { path: 'a/repeated.txt', bytes: bytesOf('nearfield '.repeat(500)) },
  { path: 'ü.bin', bytes: Uint8Array.from({ length: 300 }, (_, i) => (i * 7919) % 256) },
];

/** Written by Python's zipfile: x.txt ("hello hello hello hello\n"), deflated, with an extra field. */
const FOREIGN =
  'UEsDBBQAAAAIAAAAISgAiFkLCwAAABgAAAAFAAkAeC50eHRVVAUAAwAAAADLSM3JyVfIQCe5AFBLAQIUAxQAAAAIAAAAISgAiFkLCwAAABgAAAAFAAkAAAAAAAAAAACAAQAAAAB4LnR4dFVUBQADAAAAAFBLBQYAAAAAAQABADwAAAA3AAAAAAA=';

describe('an archive', () => {
  test('that we wrote has every file, stored or deflated', async () => {
    const archive = new ZipArchive(await writeZip(files));
    expect(archive.paths).toEqual(files.map(({ path }) => path));
    for (const { path, bytes } of files) expect(await archive.read(path)).toEqual(bytes);
    expect(await archive.read('b')).toBeNull();
  });

  test('of another program is read', async () => {
    const archive = new ZipArchive(Uint8Array.from(atob(FOREIGN), (character) => character.charCodeAt(0)));
    expect(await archive.read('x.txt')).toEqual(bytesOf('hello hello hello hello\n'));
  });

  test('with a comment after the directory is read by its directory', async () => {
    const bytes = await writeZip(files);
    const commented = new Uint8Array(bytes.length + 5);
    commented.set(bytes);
    new DataView(commented.buffer).setUint16(bytes.length - 2, 5, true);
    const archive = new ZipArchive(commented);
    expect(await archive.read(files[1].path)).toEqual(files[1].bytes);
  });

  test('that is damaged is refused, or gives the files as they were', async () => {
    const original = await writeZip(files);
    const random = createRandom(3);
    let refused = 0;
    for (let i = 0; i < 600; i++) {
      const bytes = original.slice(0, random.integer(4) === 0 ? random.integer(original.length) : undefined);
      if (bytes.length > 0) bytes[random.integer(bytes.length)] ^= 1 << random.integer(8);
      try {
        const archive = new ZipArchive(bytes);
        for (const { path, bytes: content } of files) {
          const read = await archive.read(path);
          if (read !== null) expect(read).toEqual(content);
        }
      } catch (error) {
        expect(error).toBeInstanceOf(NearfieldError);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(200);
    expect(refused).toBeLessThan(600);
  });

  test('that claims to expand a thousandfold is refused', async () => {
    const bytes = await writeZip([{ path: 'zeros', bytes: new Uint8Array(200_000) }]);
    await expect(new ZipArchive(bytes).read('zeros')).rejects.toMatchObject({ code: 'too-large' });
  });
});
