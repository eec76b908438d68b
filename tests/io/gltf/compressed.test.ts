// Compressed geometry: what the encoders of meshoptimizer and Draco write is read as the same triangles, and damaged data
// end in an error.
import { describe, expect, test } from 'vitest';
import { NearfieldError } from '../../../src/core/errors.js';
import { createRandom } from '../../../src/core/random.js';
import { type ModelFile, readModel } from '../../../src/io/index.js';
import { assertMesh } from '../../../src/mesh/mesh.js';
import { dracoGltf, meshoptGltf } from '../../generators/compressed-gltf.js';
import {
  cubeMesh,
  type GltfParts,
  type PlainMesh,
  packTestGlb,
  simpleGltf,
  torusMesh,
} from '../../generators/model-files.js';
import { failureOf } from '../model/read-file.js';

function read(gltf: GltfParts): Promise<ModelFile> {
  return readModel(packTestGlb(gltf), { format: 'glb' });
}

/** The triangles as corners, each from its smallest corner on, sorted: encoders turn and reorder them. */
function trianglesOf({ positions, indices }: PlainMesh, digits = 12): string[] {
  const corner = (id: number) =>
    [...positions.subarray(3 * id, 3 * id + 3)].map((x) => Math.fround(x).toPrecision(digits)).join(' ');
  const triangles: string[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [0, 1, 2].map((k) => corner(indices[i + k]));
    const first = corners.indexOf([...corners].sort()[0]);
    triangles.push([0, 1, 2].map((k) => corners[(first + k) % 3]).join(', '));
  }
  return triangles.sort();
}

const meshes: Record<string, PlainMesh> = { cube: cubeMesh(), torus: torusMesh(40, 30) };

describe('meshopt', () => {
  test.each(Object.keys(meshes))('reads a %s in every version and mode as the plain file', async (name) => {
    const mesh = meshes[name];
    const plain = trianglesOf((await read(simpleGltf(mesh))).meshes[0].mesh);
    for (const extension of ['EXT_meshopt_compression', 'KHR_meshopt_compression'] as const) {
      for (const version of [0, 1] as const) {
        for (const mode of ['TRIANGLES', 'INDICES'] as const) {
          for (const indexBytes of [2, 4] as const) {
            const model = await read(await meshoptGltf(mesh, { extension, version, mode, indexBytes }));
            expect(trianglesOf(model.meshes[0].mesh)).toEqual(plain);
          }
        }
      }
    }
  });

  test('undoes the exponential filter to its precision', async () => {
    const mesh = meshes.torus;
    const run = { extension: 'EXT_meshopt_compression', version: 1, mode: 'TRIANGLES', indexBytes: 2 } as const;
    const { positions } = (await read(await meshoptGltf(mesh, { ...run, filterBits: 20 }))).meshes[0].mesh;
    const exact = [...mesh.positions].sort((a, b) => a - b);
    const largest = Math.max(...exact);
    const rounded = [...positions].sort((a, b) => a - b);
    expect(rounded).toHaveLength(exact.length);
    for (const [i, value] of rounded.entries()) expect(Math.abs(value - exact[i])).toBeLessThan(largest * 2 ** -18);
    expect(rounded.some((value, i) => value !== Math.fround(exact[i]))).toBe(true);
  });

  test('damaged data are refused or read as a valid mesh', async () => {
    const random = createRandom(7);
    const runs = await Promise.all(
      ([0, 1] as const).flatMap((version) =>
        (['TRIANGLES', 'INDICES'] as const).map((mode) =>
          meshoptGltf(torusMesh(6, 5), { extension: 'EXT_meshopt_compression', version, mode, indexBytes: 2 }),
        ),
      ),
    );
    let refused = 0;
    const count = 1200;
    for (let i = 0; i < count; i++) {
      const gltf = structuredClone(runs[i % runs.length]);
      for (let edits = 1 + random.integer(3); edits > 0; edits--) {
        gltf.binary[random.integer(gltf.binary.length)] = random.integer(256);
      }
      if (random.integer(8) === 0) {
        const extension = gltf.json.bufferViews[random.integer(2)].extensions.EXT_meshopt_compression;
        extension[['count', 'byteStride', 'byteLength', 'byteOffset'][random.integer(4)]] += random.integer(40) - 20;
      }
      const outcome = await read(gltf).catch((error: unknown) => error);
      if (outcome instanceof NearfieldError) refused++;
      else assertMesh((outcome as ModelFile).meshes[0].mesh);
    }
    expect(refused / count).toBeGreaterThan(0.2);
    expect(refused / count).toBeLessThan(0.95);
  });

  test('a few bytes cannot ask for gigabytes', async () => {
    const run = { extension: 'EXT_meshopt_compression', version: 1, mode: 'TRIANGLES', indexBytes: 4 } as const;
    const gltf = await meshoptGltf(cubeMesh(), run);
    gltf.json.bufferViews[0].extensions.EXT_meshopt_compression.count = 2 ** 31;
    expect(await failureOf(packTestGlb(gltf), {})).toMatchObject({ code: 'too-large' });
  });
});

describe('Draco', () => {
  test.each(Object.keys(meshes))('reads a %s as the plain file', async (name) => {
    const mesh = meshes[name];
    const plain = trianglesOf((await read(simpleGltf(mesh))).meshes[0].mesh, 6);
    const model = await read(await dracoGltf(mesh));
    expect(trianglesOf(model.meshes[0].mesh, 6)).toEqual(plain);
  });

  test('without the package says which to install; with data of its own needs none', async () => {
    const packages = { draco3d: () => Promise.reject(new Error('Cannot find package')) };
    const gltf = await dracoGltf(cubeMesh());
    expect(await failureOf(packTestGlb(gltf), { packages })).toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(/npm install draco3d@\d/),
    });
    const fallback = simpleGltf(cubeMesh());
    fallback.json.meshes[0].primitives[0].extensions = gltf.json.meshes[0].primitives[0].extensions;
    expect((await readModel(packTestGlb(fallback), { packages })).parts).toHaveLength(1);
  });

  test('damaged data are refused or read as a valid mesh', async () => {
    const random = createRandom(11);
    const original = await dracoGltf(torusMesh(6, 5));
    let refused = 0;
    for (let i = 0; i < 60; i++) {
      const gltf = structuredClone(original);
      gltf.binary[random.integer(gltf.binary.length)] = random.integer(256);
      const outcome = await read(gltf).catch((error: unknown) => error);
      if (outcome instanceof NearfieldError) refused++;
      else assertMesh((outcome as ModelFile).meshes[0].mesh);
    }
    expect(refused).toBeGreaterThan(5);
  });
});
