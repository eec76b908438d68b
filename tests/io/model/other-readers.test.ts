// three.js as the second opinion: what we write, its loaders read the same; what its exporters write, we read the same.
import { BufferAttribute, BufferGeometry, Mesh, type MeshStandardMaterial, type Object3D } from 'three';
import { OBJExporter } from 'three/addons/exporters/OBJExporter.js';
import { PLYExporter } from 'three/addons/exporters/PLYExporter.js';
import { STLExporter } from 'three/addons/exporters/STLExporter.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { OBJLoader } from 'three/addons/loaders/OBJLoader.js';
import { PLYLoader } from 'three/addons/loaders/PLYLoader.js';
import { STLLoader } from 'three/addons/loaders/STLLoader.js';
import { describe, expect, test } from 'vitest';
import { type ModelFile, mergeModel, readModel, writeModel } from '../../../src/io/index.js';
import { bytesOf, cubeMesh, type PlainMesh, textOf, torusMesh } from '../../generators/model-files.js';

const mesh = torusMesh(9, 7);

function soup({ positions, indices }: PlainMesh): number[] {
  return [...indices].flatMap((id) => [...positions.subarray(3 * id, 3 * id + 3)].map((x) => Math.fround(x) + 0));
}

function soupOfGeometry(geometry: BufferGeometry): number[] {
  const flat = geometry.index === null ? geometry : geometry.toNonIndexed();
  return [...flat.getAttribute('position').array].map((x) => Math.fround(x) + 0);
}

function toThree({ positions, indices }: PlainMesh): Mesh {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  return new Mesh(geometry);
}

const bufferOf = (bytes: Uint8Array) => bytes.slice().buffer as ArrayBuffer;

describe('what we write', () => {
  test('OBJ', async () => {
    const read = new OBJLoader().parse(textOf(await writeModel(mesh, 'obj')));
    expect(soupOfGeometry((read.children[0] as Mesh).geometry)).toEqual(soup(mesh));
  });

  test('STL, both kinds', async () => {
    for (const format of ['stl', 'stl-ascii'] as const) {
      expect(soupOfGeometry(new STLLoader().parse(bufferOf(await writeModel(mesh, format))))).toEqual(soup(mesh));
    }
  });

  test('PLY, both kinds', async () => {
    for (const format of ['ply', 'ply-ascii'] as const) {
      expect(soupOfGeometry(new PLYLoader().parse(bufferOf(await writeModel(mesh, format))))).toEqual(soup(mesh));
    }
  });

  test('GLB with parts, placements and colors', async () => {
    const transform = Float64Array.of(0, -2, 0, 10, 2, 0, 0, 20, 0, 0, 2, 30, 0, 0, 0, 1);
    const model: ModelFile = {
      format: 'glb',
      meshes: [
        { name: 'ring', mesh, color: [0.25, 0.5, 0.75, 0.5] },
        { name: 'box', mesh: cubeMesh() },
      ],
      parts: [
        { name: 'one', meshIndex: 0, transform },
        { name: 'two', meshIndex: 1, transform: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1) },
      ],
    };
    const { scene } = await new GLTFLoader().parseAsync(bufferOf(await writeModel(model, 'glb')), '');
    scene.updateMatrixWorld(true);
    const [one, two] = ['one', 'two'].map((name) => scene.getObjectByName(name) as Mesh);
    expect(soupOfGeometry(one.geometry)).toEqual(soup(mesh));
    expect(soupOfGeometry(two.geometry)).toEqual(soup(cubeMesh()));
    const { r, g, b } = (one.material as MeshStandardMaterial).color;
    expect([r, g, b, (one.material as MeshStandardMaterial).opacity]).toEqual([0.25, 0.5, 0.75, 0.5]);
    one.matrixWorld
      .clone()
      .transpose()
      .elements.forEach((value, i) => {
        expect(value).toBeCloseTo(transform[i], 12);
      });
  });
});

describe('what we read', () => {
  const object: Object3D = toThree(mesh);
  // With a callback the exporter waits for an animation frame, which Node has not; it returns the result either way.
  const withoutCallback = undefined as unknown as () => void;
  const read = async (bytes: Uint8Array, fileName: string) => soup(mergeModel(await readModel(bytes, { fileName })));

  test('OBJ', async () => {
    expect(await read(bytesOf(new OBJExporter().parse(object)), 'a.obj')).toEqual(soup(mesh));
  });

  test('STL, both kinds', async () => {
    expect(await read(bytesOf(new STLExporter().parse(object)), 'a.stl')).toEqual(soup(mesh));
    const view = new STLExporter().parse(object, { binary: true }) as unknown as DataView;
    expect(await read(new Uint8Array(view.buffer), 'a.stl')).toEqual(soup(mesh));
  });

  test('PLY, text and both binary orders', async () => {
    const exporter = new PLYExporter();
    expect(await read(bytesOf(exporter.parse(object, withoutCallback, {}) as unknown as string), 'a.ply')).toEqual(
      soup(mesh),
    );
    for (const littleEndian of [true, false]) {
      const buffer = exporter.parse(object, withoutCallback, { binary: true, littleEndian }) as unknown as ArrayBuffer;
      expect(await read(new Uint8Array(buffer), 'a.ply')).toEqual(soup(mesh));
    }
  });
});
