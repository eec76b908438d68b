// Parts that move: when they meet, how near they come, against closed forms; and the motion of glTF files.
import { describe, expect, test } from 'vitest';
import type { AssemblyPart } from '../../src/clash/assembly.js';
import { findMovingClashes } from '../../src/clash/moving-clashes.js';
import * as pose from '../../src/core/pose.js';
import { readModel } from '../../src/io/model/read-model.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { codeOf } from '../error-code.js';
import { boxMesh } from '../generators/surfaces.js';

const mesh = boxMesh([-1, -1, -1], [1, 1, 1]);
const model = new ProximityModel(mesh);
const half = Math.max(...mesh.positions);
const at = (x: number, y = 0, z = 0): pose.Pose => pose.create([x, y, z], [0, 0, 0, 1]);
const part = (name: string, place: pose.Pose): AssemblyPart => ({ name, model, pose: place });

describe('parts that move', () => {
  const parts = [
    part('door', at(0)),
    part('post', at(10)),
    part('beside', at(5, 2 * half + 1)),
    part('under', at(0, -half)),
  ];
  const motion = { times: [0, 1, 3], poses: [[at(0), at(4), at(12)], null, null, null] };

  test('meet at the time of the closed form, or stay as far apart; what met at rest is counted only', () => {
    const { pairs, atRest, pairsTested } = findMovingClashes(parts, motion);
    expect(atRest).toBe(1);
    expect(pairsTested).toBe(3);
    expect(pairs.map(({ a, b, status }) => [a, b, status])).toEqual([
      [0, 1, 'impact'],
      [0, 2, 'clear'],
    ]);
    // From x = 4 at time 1 on, by 4 each second, until the gap of 10 − 2 half is closed.
    expect(pairs[0].time).toBeCloseTo(1 + (10 - 2 * half - 4) / 4, 6);
    expect(pairs[1].lower).toBeGreaterThan(0.99);
    expect(pairs[1].lower).toBeLessThanOrEqual(1);
    expect(pairs[1].upper).toBeCloseTo(1, 9);
  });

  test('count from the clearance on, and pairs that are ignored or never near are left out', () => {
    const [first] = findMovingClashes(parts, motion, { clearance: 0.5, ignore: [['under', '*']] }).pairs;
    expect(first.time).toBeCloseTo(1 + (10 - 2 * half - 0.5 - 4) / 4, 5);
    const far = [...parts, part('far', at(0, 100))];
    const still = { times: [0, 3], poses: [[at(0), at(12)], null, null, null, null] };
    expect(findMovingClashes(far, still).pairsTested).toBe(3);
  });

  test('a bar that turns sweeps what is between its keys', () => {
    const turn = (angle: number): pose.Pose => pose.create([0, 0, 0], [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)]);
    // The corner of the box is farther out than its faces, in the middle of a quarter turn only.
    const place = half * (1 + Math.SQRT2) - 0.01 * half;
    const two = [part('turns', at(0)), part('rests', at(place))];
    const { pairs } = findMovingClashes(two, { times: [0, 1], poses: [[turn(0), turn(Math.PI / 2)], null] });
    expect(pairs[0].status).toBe('impact');
    expect(pairs[0].time).toBeLessThan(0.5);
    expect(pairs[0].time).toBeGreaterThan(0.3);
    const clear = [two[0], part('rests', at(place + 0.02 * half))];
    expect(
      findMovingClashes(clear, { times: [0, 1], poses: [[turn(0), turn(Math.PI / 2)], null] }).pairs,
    ).toMatchObject([{ status: 'clear' }]);
  });

  test('a motion of other parts is refused', () => {
    expect(codeOf(() => findMovingClashes(parts, { times: [0], poses: [null] }))).toBe('bad-argument');
    expect(codeOf(() => findMovingClashes(parts, { times: [1, 0], poses: [[at(0), at(1)], null, null, null] }))).toBe(
      'bad-argument',
    );
  });
});

describe('the animation of a glTF file', () => {
  /** A triangle below a node that turns, in a node that moves. */
  function writeGltf(interpolation: string): Uint8Array {
    const floats = [
      0,
      0,
      0,
      1,
      0,
      0,
      0,
      1,
      0,
      /* times */ 0,
      2,
      /* turn */ 0,
      0,
      0,
      1,
      0,
      0,
      Math.SQRT1_2,
      Math.SQRT1_2,
      /* way */ 0,
      0,
      0,
      6,
      0,
      0,
    ];
    const bytes = Buffer.from(Float32Array.from(floats).buffer);
    const view = (byteOffset: number, count: number) => ({
      buffer: 0,
      byteOffset: 4 * byteOffset,
      byteLength: 4 * count,
    });
    const accessor = (bufferView: number, type: string, count: number, bounds = {}) => ({
      bufferView,
      componentType: 5126,
      type,
      count,
      ...bounds,
    });
    const json = {
      asset: { version: '2.0' },
      buffers: [{ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }],
      bufferViews: [view(0, 9), view(9, 2), view(11, 8), view(19, 6)],
      accessors: [
        accessor(0, 'VEC3', 3, { min: [0, 0, 0], max: [1, 1, 0] }),
        accessor(1, 'SCALAR', 2, { min: [0], max: [2] }),
        accessor(2, 'VEC4', 2),
        accessor(3, 'VEC3', 2),
      ],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      nodes: [
        { children: [1, 2] },
        { mesh: 0, translation: [2, 0, 0], name: 'arm' },
        { mesh: 0, name: 'rests with the root' },
        { mesh: 0, name: 'still' },
      ],
      scenes: [{ nodes: [0, 3] }],
      animations: [
        {
          samplers: [
            { input: 1, output: 2, interpolation },
            { input: 1, output: 3, interpolation },
          ],
          channels: [
            { sampler: 0, target: { node: 0, path: 'rotation' } },
            { sampler: 1, target: { node: 0, path: 'translation' } },
          ],
        },
      ],
    };
    return new TextEncoder().encode(JSON.stringify(json));
  }

  test('moves its parts, along their ancestors, with samples between the keys', async () => {
    const { motion, warnings, parts } = await readModel(writeGltf('LINEAR'), { fileName: 'a.gltf', motion: true });
    expect(warnings).toBeUndefined();
    expect(parts.map(({ name }) => name)).toEqual(['arm', 'rests with the root', 'still']);
    expect(motion!.times[0]).toBe(0);
    expect(motion!.times.at(-1)).toBe(2);
    expect(motion!.transforms[2]).toBeNull();
    const middle = motion!.times.indexOf(1);
    // Half of the quarter turn, and half of the way.
    const arm = motion!.transforms[0]![middle];
    expect([arm[3], arm[7]].map((value) => value.toFixed(5))).toEqual([
      (3 + Math.SQRT2).toFixed(5),
      Math.SQRT2.toFixed(5),
    ]);
    expect(arm[0]).toBeCloseTo(Math.SQRT1_2, 6);
  });

  test('keeps the values of a step until the next, and is left out where it is not asked for', async () => {
    const { motion } = await readModel(writeGltf('STEP'), { fileName: 'a.gltf', motion: true });
    expect(motion!.transforms[1]!.map((m) => m[3])).toEqual([0, 0, 0, 0, 6]);
    const still = await readModel(writeGltf('LINEAR'), { fileName: 'a.gltf' });
    expect(still.motion).toBeUndefined();
    expect(still.warnings?.[0]).toContain('animations are left out');
  });
});
