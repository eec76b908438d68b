// What the tests of the readers share: reading text as a file, and looking at a failure.
import { expect } from 'vitest';
import { NearfieldError } from '../../../src/core/errors.js';
import { type ModelFile, type ModelFormat, type ReadModelOptions, readModel } from '../../../src/io/index.js';
import { bytesOf, type PlainMesh } from '../../generators/model-files.js';

export function readText(format: ModelFormat, text: string): Promise<ModelFile> {
  return readModel(bytesOf(text), { format });
}

/** The only mesh of a model, as plain arrays. */
export function onlyMesh(model: ModelFile): { positions: number[]; indices: number[] } {
  expect(model.meshes).toHaveLength(1);
  const { positions, indices } = model.meshes[0].mesh;
  return { positions: [...positions], indices: [...indices] };
}

/** The error that reading ends with; reading well fails the test. */
export async function failureOf(bytes: Uint8Array, options: ReadModelOptions): Promise<NearfieldError> {
  const outcome = await readModel(bytes, options).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(NearfieldError);
  return outcome as NearfieldError;
}

/** Whether every edge is met once in each direction. */
export function isClosed({ indices }: PlainMesh): boolean {
  const edges = new Map<string, number>();
  for (let i = 0; i < indices.length; i++) {
    const next = i % 3 === 2 ? i - 2 : i + 1;
    const key = `${indices[i]} ${indices[next]}`;
    edges.set(key, (edges.get(key) ?? 0) + 1);
  }
  return [...edges].every(([key, count]) => count === 1 && edges.get(key.split(' ').reverse().join(' ')) === 1);
}

/** Six times the signed volume that a mesh encloses. */
export function volume6({ positions, indices }: PlainMesh): number {
  let sum = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => positions.subarray(3 * indices[i + k], 3 * indices[i + k] + 3));
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum;
}
