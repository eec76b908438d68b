// 24,000 mutated files: each reads as a valid model or ends in a NearfieldError; none crashes, hangs or grows beyond
// what its bytes can hold. Enough of them must still parse, or the test would only look at headers.
import { afterAll, describe, expect, test } from 'vitest';
import { NearfieldError } from '../../../src/core/errors.js';
import { createRandom } from '../../../src/core/random.js';
import { type ModelFile, mergeModel, readModel } from '../../../src/io/index.js';
import { assertMesh } from '../../../src/mesh/mesh.js';
import { type FileKind, fileKinds, smallBinaryFiles, smallTextFiles } from '../../generators/model-files-mutated.js';

/** `npm run soak` multiplies the work. */
const FILES_OF_A_KIND = 2400 * Number(process.env.NEARFIELD_SOAK ?? 1);
/** Of processor time. Against work that grows out of hand: a file of this size takes under a millisecond. */
const SLOWEST_MILLISECONDS = 20_000;
/** glTF may place one mesh often and leave data out; nothing here needs more than this for a byte of file. */
const ELEMENTS_PER_BYTE = 4;

const parsed = new Map<string, number>();
const codes = new Map<string, number>();

/** Reads a file and judges the outcome; the model when it parsed. */
async function judge(bytes: Uint8Array, format: FileKind['format']): Promise<ModelFile | NearfieldError> {
  const start = process.cpuUsage();
  const outcome = await readModel(bytes, { format }).catch((error: unknown) => error);
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(SLOWEST_MILLISECONDS);
  if (outcome instanceof NearfieldError) {
    expect(outcome.message).toMatch(/^(line \d+|byte \d+|the scene).*\.$/s);
    expect(outcome.message).not.toMatch(/undefined|\[object|\n/);
    return outcome;
  }
  if (outcome instanceof Error) throw new Error(`${format} failed with ${outcome.stack}`);
  const model = outcome as ModelFile;
  let elements = model.parts.length;
  for (const { mesh } of model.meshes) {
    assertMesh(mesh);
    elements += mesh.positions.length / 3 + mesh.indices.length / 3;
  }
  expect(elements).toBeLessThan(ELEMENTS_PER_BYTE * bytes.length);
  return model;
}

describe('mutated files', () => {
  test.each(fileKinds())('$name', async ({ name, format, mutate }) => {
    const random = createRandom(name.length * 7919 + name.charCodeAt(4 % name.length));
    let count = 0;
    for (let i = 0; i < FILES_OF_A_KIND; i++) {
      const bytes = mutate(random);
      const outcome = await judge(bytes, format);
      if (outcome instanceof NearfieldError) {
        codes.set(outcome.code, (codes.get(outcome.code) ?? 0) + 1);
        continue;
      }
      count++;
      try {
        assertMesh(mergeModel(outcome));
      } catch (error) {
        // A scale edited to 1e300 takes the vertices out of range: merging says so.
        expect(error).toMatchObject({ code: 'non-finite' });
      }
    }
    parsed.set(name, count / FILES_OF_A_KIND);
    expect(count / FILES_OF_A_KIND).toBeGreaterThan(0.25);
  });

  test('at least 30 % still parse, and every kind of error is met', () => {
    const shares = [...parsed.values()];
    expect(shares).toHaveLength(fileKinds().length);
    expect(shares.length * FILES_OF_A_KIND).toBeGreaterThanOrEqual(20_000);
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThanOrEqual(0.3);
    for (const code of [
      'file-format',
      'file-truncated',
      'non-finite',
      'index-out-of-range',
      'empty-mesh',
      'unsupported',
    ]) {
      expect(codes.get(code) ?? 0, code).toBeGreaterThan(10);
    }
  });

  afterAll(() => {
    const shares = [...parsed].map(([name, share]) => `${name} ${(100 * share).toFixed(0)} %`);
    console.info(`still parsed: ${shares.join(', ')}; errors: ${JSON.stringify(Object.fromEntries(codes))}`);
  });
});

describe('every truncation', () => {
  test.each(smallBinaryFiles())('of a binary $name file is refused', async ({ format, bytes }) => {
    expect(await judge(bytes, format)).not.toBeInstanceOf(NearfieldError);
    for (let length = 1; length < bytes.length; length++) {
      const outcome = await judge(bytes.subarray(0, length), format);
      if (outcome instanceof NearfieldError) continue;
      throw new Error(`${format} cut at byte ${length} was read`);
    }
  });

  test.each(smallTextFiles())('of a text $name file gives a mesh or an error', async ({ format, bytes }) => {
    expect(await judge(bytes, format)).not.toBeInstanceOf(NearfieldError);
    let refused = 0;
    for (let length = 1; length < bytes.length; length++) {
      if ((await judge(bytes.subarray(0, length), format)) instanceof NearfieldError) refused++;
    }
    // An OBJ announces no counts, so it may end after any face; the others may only lose blanks at the end.
    expect(refused).toBeGreaterThan(format === 'obj' ? bytes.length / 3 : bytes.length - 24);
  });
});
