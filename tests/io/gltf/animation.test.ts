// Animations that we write, played by three.js and held to the rules of glTF 2.0 (sections 3.6.2.4, 3.11 and 4.4.1).
import { AnimationMixer, type Object3D } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { describe, expect, test } from 'vitest';
import { type ModelFile, mergeModel, readModel, writeModel } from '../../../src/io/index.js';
import { cubeMesh, torusMesh } from '../../generators/model-files.js';

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
const model: ModelFile = {
  format: 'glb',
  meshes: [
    { name: 'ring', mesh: torusMesh(9, 7) },
    { name: 'box', mesh: cubeMesh() },
  ],
  parts: [
    { name: 'one', meshIndex: 0, transform: IDENTITY },
    { name: 'floor', meshIndex: 1, transform: Float64Array.of(2, 0, 0, 5, 0, 2, 0, 6, 0, 0, 2, 7, 0, 0, 0, 1) },
    { name: 'two', meshIndex: 1, transform: IDENTITY },
    { name: 'still', meshIndex: 1, transform: IDENTITY },
  ],
};

const times = [0, 0.25, 1, 1.5];
const turnAboutZ = (angle: number) => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
const one = times.flatMap((t) => [t, 2 - t * t, 3, ...turnAboutZ(2 * t)]);
/** Its quaternions change sign from key to key, which is the same turn. */
const two = times.flatMap((t, i) => [0, 0, -t, ...turnAboutZ(-1.5 * t).map((x) => (i % 2 === 0 ? x : -x))]);
const still = times.flatMap(() => [8, 9, 10, ...turnAboutZ(0.5)]);
const animation = {
  times,
  tracks: [
    { part: 0, poses: one },
    { part: 2, poses: two },
    { part: 3, poses: still },
  ],
};

interface GltfJson {
  readonly accessors: {
    readonly bufferView: number;
    readonly byteOffset?: number;
    readonly componentType: number;
    readonly count: number;
    readonly type: string;
    readonly min?: number[];
    readonly max?: number[];
  }[];
  readonly bufferViews: { readonly byteOffset?: number; readonly byteLength: number; readonly byteStride?: number }[];
  readonly nodes: { readonly matrix?: number[]; readonly rotation?: number[]; readonly translation?: number[] }[];
  readonly animations?: {
    readonly channels: {
      readonly sampler: number;
      readonly target: { readonly node: number; readonly path: string };
    }[];
    readonly samplers: { readonly input: number; readonly output: number; readonly interpolation?: string }[];
  }[];
}

function jsonOf(bytes: Uint8Array): GltfJson {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  return JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
}

const write = () => writeModel(model, 'glb', { animation });

describe('an animation in a GLB file', () => {
  test('is played by three.js as given', async () => {
    const { scene, animations } = await new GLTFLoader().parseAsync((await write()).slice().buffer as ArrayBuffer, '');
    expect(animations).toHaveLength(1);
    expect(animations[0].duration).toBe(1.5);
    const mixer = new AnimationMixer(scene);
    const action = mixer.clipAction(animations[0]).play();
    action.clampWhenFinished = true;
    const nodeOf = (name: string) => scene.getObjectByName(name) as Object3D;
    const look = (time: number, name: string) => {
      action.paused = false;
      mixer.setTime(time);
      const { position: p, quaternion: q } = nodeOf(name);
      const sign = q.w < 0 ? -1 : 1;
      return [p.x, p.y, p.z, sign * q.x, sign * q.y, sign * q.z, sign * q.w];
    };
    for (const [i, time] of times.slice(0, 3).entries()) {
      for (const [name, poses] of [
        ['one', one],
        ['two', two],
        ['still', still],
      ] as const) {
        const pose = poses.slice(7 * i, 7 * i + 7);
        const sign = pose[6] < 0 ? -1 : 1;
        const wanted = pose.map((value, k) => (k < 3 ? value : sign * value));
        for (const [k, value] of look(time, name).entries()) {
          expect(value, `${name} at ${time}`).toBeCloseTo(wanted[k], 5);
        }
      }
    }
    // Between two keys: evenly on the line, and evenly the shorter way round.
    const wanted = [0, 0, -0.625, ...turnAboutZ(-1.5 * 0.625)];
    for (const [k, value] of look(0.625, 'two').entries()) expect(value).toBeCloseTo(wanted[k], 5);
    expect(nodeOf('floor').matrix.elements[12]).toBe(5);
  });

  test('keeps the rules of the format', async () => {
    const json = jsonOf(await write());
    const [{ channels, samplers }] = json.animations!;
    expect(json.animations).toHaveLength(1);
    // Two moving parts with both channels; the one that stays has none.
    expect(channels).toHaveLength(4);
    expect(new Set(channels.map(({ target }) => `${target.node} ${target.path}`)).size).toBe(4);
    for (const { sampler, target } of channels) {
      const { input, output, interpolation = 'LINEAR' } = samplers[sampler];
      expect(interpolation).toBe('LINEAR');
      expect(json.accessors[input]).toMatchObject({
        type: 'SCALAR',
        componentType: 5126,
        count: 4,
        min: [0],
        max: [1.5],
      });
      const type = target.path === 'rotation' ? 'VEC4' : 'VEC3';
      expect(json.accessors[output]).toMatchObject({ type, componentType: 5126, count: 4 });
      // A node that an animation moves has no matrix.
      expect(json.nodes[target.node].matrix).toBeUndefined();
    }
    for (const { bufferView, byteOffset = 0, componentType, type, count } of json.accessors) {
      const view = json.bufferViews[bufferView];
      const size = componentType === 5123 ? 2 : 4;
      const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type]!;
      expect(((view.byteOffset ?? 0) + byteOffset) % size).toBe(0);
      const stride = view.byteStride ?? size * width;
      expect(byteOffset + stride * (count - 1) + size * width).toBeLessThanOrEqual(view.byteLength);
    }
    expect(json.nodes[3]).toMatchObject({ translation: [8, 9, 10] });
  });

  test('leaves the parts where they are at first for readers without animations', async () => {
    const read = await readModel(await write(), { fileName: 'a.glb' });
    expect(read.parts.map(({ transform }) => [transform[3], transform[7], transform[11]])).toEqual([
      [0, 2, 3],
      [5, 6, 7],
      [0, 0, 0],
      [8, 9, 10],
    ]);
    expect(mergeModel(read).indices.length).toBe(3 * (2 * 63 + 36));
  });

  test('without motion is no animation', async () => {
    const json = jsonOf(await writeModel(model, 'glb', { animation: { times, tracks: [{ part: 3, poses: still }] } }));
    expect(json.animations).toBeUndefined();
    expect(json.accessors.every(({ type, min }) => type !== 'SCALAR' || min === undefined)).toBe(true);
  });

  test.each([
    ['times that do not grow', { times: [0, 0], tracks: [] }, 'Time 1'],
    ['times that single precision cannot tell apart', { times: [0, 1, 1 + 1e-12], tracks: [] }, 'Time 2'],
    ['a time before 0', { times: [-1], tracks: [] }, 'Time 0'],
    ['no times', { times: [], tracks: [] }, 'no times'],
    ['a part that is not there', { times: [0], tracks: [{ part: 4, poses: one.slice(0, 7) }] }, 'part 4'],
    ['too few poses', { times, tracks: [{ part: 0, poses: one.slice(7) }] }, '21 numbers'],
    ['a bad pose', { times: [0], tracks: [{ part: 0, poses: [0, 0, Number.NaN, 0, 0, 0, 1] }] }, 'NaN'],
  ])('refuses %s', async (_, wrong, words) => {
    await expect(writeModel(model, 'glb', { animation: wrong })).rejects.toThrow(words);
  });

  test('is refused by formats without animations', async () => {
    await expect(writeModel(model, 'obj', { animation })).rejects.toThrow('obj holds no animation');
  });
});
