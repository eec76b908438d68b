import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mergeModel, readModel } from 'nearfield/io';
import { inspectMesh } from 'nearfield/mesh';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeCount } from '../../src/decomposition/hierarchy/hierarchy.js';
import { readHierarchy } from '../../src/decomposition/hierarchy/hierarchy-file.js';
import { runCommand, runJson } from './run-command.js';

let folder: string;
const inFolder = (name: string): string => join(folder, name);

interface DecomposeAnswer {
  method: string;
  triangles: number;
  reflexEdges: number;
  pieces: number;
  newFaces: number;
  milliseconds: number;
  patches: number[][];
}

const METHODS = ['bfs-crests', 'bfs', 'dfs', 'bfs-flood-retract', 'dfs-flood-retract', 'global'];

const CUBE = `v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n`;

/** A prism over the letter L (area 3, its hull's 3.5): one reflex edge, upright at (1, 1). */
const ELL = `v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1
f 1 4 3 2\nf 1 6 5 4\nf 7 8 9 10\nf 7 10 11 12\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-decompose-'));
  writeFileSync(inFolder('cube.obj'), CUBE);
  writeFileSync(inFolder('ell.obj'), ELL);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Bad input: exit code 2, nothing on standard output, one line on standard error that holds these words. */
function expectRefusal(args: string[], ...words: string[]): void {
  const { code, stdout, stderr } = runCommand(...args);
  expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
  expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
  for (const word of words) expect(stderr).toContain(word);
}

function write(name: string, text: string): string {
  writeFileSync(inFolder(name), text);
  return inFolder(name);
}

describe('hull', () => {
  test('prints the keys of the contract', () => {
    expect(runJson('hull', inFolder('cube.obj'))).toEqual({
      vertices: 8,
      faces: 12,
      volume: expect.closeTo(1, 12),
      area: expect.closeTo(6, 12),
      dimension: 3,
      milliseconds: expect.any(Number),
    });
    const ell = runJson('hull', inFolder('ell.obj'));
    expect(ell).toMatchObject({ vertices: 10, faces: 16, volume: expect.closeTo(3.5, 12) });
    expect(runCommand('hull', inFolder('ell.obj')).stdout).toMatch(/^vertices +10$/m);
  });

  test('writes the hull as a closed mesh', () => {
    const path = inFolder('hull.obj');
    runJson('hull', inFolder('ell.obj'), '-o', path);
    expect(runJson('info', path)).toMatchObject({
      vertices: 10,
      triangles: 16,
      closed: true,
      manifold: true,
      outward: true,
      selfIntersections: 0,
      volume: expect.closeTo(3.5, 12),
    });
  });

  test('takes flat models and lines, which have no volume', () => {
    const square = write('square.obj', 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n');
    expect(runJson('hull', square)).toMatchObject({ vertices: 4, faces: 4, volume: 0, area: 2, dimension: 2 });
    const line = write('line.obj', 'v 0 0 0\nv 1 1 1\nv 2 2 2\nf 1 2 3\n');
    expect(runJson('hull', line)).toMatchObject({ vertices: 2, faces: 0, volume: 0, dimension: 1 });
    expectRefusal(['hull', line, '-o', inFolder('line-hull.obj')], 'line.obj', 'segment');
  });

  test('refuses what it cannot read or write', () => {
    expectRefusal(['hull', inFolder('absent.obj')], 'absent.obj');
    expectRefusal(['hull'], 'MODEL');
    expectRefusal(['hull', inFolder('cube.obj'), '-o', inFolder('hull.xyz')], 'hull.xyz');
  });
});

describe('fracture', () => {
  test('fragments keep the volume, and are written as closed parts', async () => {
    const path = inFolder('fragments.glb');
    const answer = runJson<{ fragments: { volume: number; cell: number }[]; points: number[][]; volume: number }>(
      ...['fracture', inFolder('ell.obj'), '--fragments', '6', '--seed', '2', '-o', path],
    );
    expect(answer.volume).toBeCloseTo(3, 12);
    expect(answer.points).toHaveLength(6);
    expect(answer.fragments.length).toBeGreaterThanOrEqual(6);
    expect(answer.fragments.reduce((sum, { volume }) => sum + volume, 0)).toBeCloseTo(3, 12);
    const { meshes } = await readModel(readFileSync(path));
    expect(meshes).toHaveLength(answer.fragments.length);
    for (const { mesh } of meshes) expect(inspectMesh(mesh).closed).toBe(true);
    expect(runCommand('fracture', inFolder('ell.obj'), '--fragments', '3').stdout).toMatch(/^fragments +\d/m);
    expectRefusal(['fracture', inFolder('ell.obj'), '--fragments', '0'], '--fragments');
    expectRefusal(['fracture', inFolder('ell.obj'), '--gap', '100'], 'leaves nothing');
  });
});

describe('decompose', () => {
  test.each(METHODS)('prints the keys of the contract by %s', (method) => {
    const answer = runJson<DecomposeAnswer>('decompose', inFolder('ell.obj'), '--method', method);
    expect(answer).toMatchObject({ method, triangles: 20, reflexEdges: 1, milliseconds: expect.any(Number) });
    expect(Object.keys(answer)).toEqual(
      expect.arrayContaining(['method', 'triangles', 'reflexEdges', 'pieces', 'newFaces', 'milliseconds', 'patches']),
    );
    // The walls at the inner corner see each other, so one piece cannot do.
    expect(answer.pieces).toBeGreaterThan(1);
    expect(answer.patches).toHaveLength(answer.pieces);
    const faces = answer.patches.flat().sort((a, b) => a - b);
    expect(faces).toEqual(Array.from({ length: 20 }, (_, face) => face));
  });

  test('a convex model is one piece without new faces', () => {
    const cube = runJson<DecomposeAnswer>('decompose', inFolder('cube.obj'));
    expect(cube).toMatchObject({ method: 'bfs-crests', triangles: 12, reflexEdges: 0, pieces: 1, newFaces: 0 });
    expect(runCommand('decompose', inFolder('cube.obj')).stdout).toMatch(/^pieces +1$/m);
  });

  test('--approximate covers the solid with few pieces, and bounds how far they differ', () => {
    const path = inFolder('few.glb');
    const answer = runJson<Record<string, unknown>>('decompose', inFolder('ell.obj'), '--approximate', '-o', path);
    const bounds = { lower: expect.any(Number), upper: expect.any(Number) };
    expect(answer).toMatchObject({
      method: 'approximate',
      triangles: 20,
      pieces: 2,
      covers: 'solid',
      overshoot: bounds,
    });
    for (const key of ['reflexEdges', 'newFaces', 'patches']) expect(answer[key]).toBeNull();
    expect(answer.hulls).toHaveLength(2);
    expect(runCommand('decompose', inFolder('ell.obj'), '--approximate', '--max-pieces', '1').stdout).toMatch(
      /^pieces +1$/m,
    );
    expectRefusal(['decompose', inFolder('ell.obj'), '--approximate', '--method', 'bfs'], '--method');
    expectRefusal(['decompose', inFolder('ell.obj'), '--approximate', '--max-concavity', '0'], 'maxConcavity');
    expectRefusal(['decompose', inFolder('ell.obj'), '--approximate', '--max-pieces', '0.5'], '--max-pieces');
  });

  test('--bounds tells how few pieces there can be, with witnesses', () => {
    runJson('models', 'spoon', '-o', join(folder, 'bounds-spoon.obj'));
    const answer = runJson<{
      pieces: number;
      lowerBounds: Record<'anyPatch' | 'connectedPatch', { bound: number; witness: number[] }>;
    }>('decompose', join(folder, 'bounds-spoon.obj'), '--bounds');
    const { anyPatch, connectedPatch } = answer.lowerBounds;
    expect(anyPatch.bound).toBeGreaterThan(10);
    expect(anyPatch.bound).toBeLessThanOrEqual(connectedPatch.bound);
    expect(connectedPatch.bound).toBeLessThanOrEqual(answer.pieces);
    for (const { bound, witness } of [anyPatch, connectedPatch]) expect(new Set(witness).size).toBe(bound);
  });

  test('--hierarchy writes a file that reads back as the hierarchy of the model', () => {
    const file = inFolder('ell.hulls');
    const { hierarchy, pieces } = runJson<{
      pieces: number;
      hierarchy: { file: string; split: string; nodes: number; bytesPerTriangle: number };
    }>('decompose', inFolder('ell.obj'), '--hierarchy', file, '--split', 'gap');
    expect(hierarchy).toMatchObject({ file, split: 'gap', nodes: 2 * pieces - 1 });
    const read = readHierarchy(readFileSync(file));
    expect(nodeCount(read)).toBe(hierarchy.nodes);
    expect(read.mesh.indices).toHaveLength(60);
    expect(runCommand('decompose', inFolder('ell.obj'), '--hierarchy', file).stdout).toContain('nodes');
    const refused = runCommand('decompose', inFolder('ell.obj'), '--hierarchy', file, '--split', 'thirds');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('midpoint');
  });

  test('takes open models', () => {
    const open = write('open.obj', CUBE.replace('f 5 6 7 8\n', ''));
    const answer = runJson<DecomposeAnswer>('decompose', open);
    expect(answer).toMatchObject({ triangles: 10, reflexEdges: 0 });
    expect(answer.patches.flat()).toHaveLength(10);
    expect(answer.newFaces).toBeGreaterThan(0);
  });

  test('writes the pieces as parts of different colors, each closed, convex and in the solid', async () => {
    const path = inFolder('pieces.glb');
    const answer = runJson<DecomposeAnswer>('decompose', inFolder('ell.obj'), '-o', path);
    const model = await readModel(readFileSync(path), { fileName: 'pieces.glb' });
    expect(model.parts).toHaveLength(answer.pieces);
    const colors = new Set(model.meshes.map(({ color }) => color?.join()));
    expect(colors.size).toBe(answer.pieces);
    expect(colors).not.toContain(undefined);
    let volume = 0;
    let triangles = 0;
    for (const [index, { mesh }] of model.meshes.entries()) {
      const piece = write(`piece-${index}.off`, toOff(mesh.positions, mesh.indices));
      const report = inspectMesh(mesh, { selfIntersections: false });
      expect(report.closed).toBe(true);
      const hull = runJson<{ volume: number }>('hull', piece);
      expect(Math.abs(report.volume ?? 0)).toBeCloseTo(hull.volume, 12);
      volume += hull.volume;
      triangles += report.triangles;
    }
    expect(volume).toBeLessThanOrEqual(3 + 1e-9);
    expect(triangles).toBe(20 + answer.newFaces);
    expect(mergeModel(model).indices.length).toBe(3 * triangles);
  });

  test('refuses models that bound no surface, saying where and what to do', () => {
    const fan = write('fan.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 -1 0\nf 1 2 3\nf 2 1 4\nf 1 2 5\n');
    expectRefusal(['decompose', fan], 'fan.obj', '3 faces', 'vertices 0 and 1');
    const crossing = `${CUBE}v 0.5 0.5 -1\nv 0.6 0.5 2\nv 0.5 0.6 2\nf 9 10 11\n`;
    expectRefusal(['decompose', write('crossing.obj', crossing), '--json'], 'crossing.obj', 'cross');
    const needle = write('needle.obj', 'v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n');
    expectRefusal(['decompose', needle], 'needle.obj', 'Face 0', 'repair');
    const turned = write('turned.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n');
    expectRefusal(['decompose', turned], 'turned.obj', 'repair');
  });

  test('refuses unknown methods and formats, and files that are not models', () => {
    expectRefusal(['decompose', inFolder('cube.obj'), '--method', 'magic'], 'magic', 'bfs-crests', 'global');
    expectRefusal(['decompose', inFolder('cube.obj'), '-o', inFolder('pieces.xyz')], 'pieces.xyz');
    expectRefusal(['decompose', inFolder('absent.obj')], 'absent.obj');
    expectRefusal(['decompose'], 'MODEL');
  });
});

function toOff(positions: Float64Array, indices: Uint32Array): string {
  const lines = [`OFF\n${positions.length / 3} ${indices.length / 3} 0`];
  for (let i = 0; i < positions.length; i += 3) lines.push(positions.subarray(i, i + 3).join(' '));
  for (let i = 0; i < indices.length; i += 3) lines.push(`3 ${indices.subarray(i, i + 3).join(' ')}`);
  return `${lines.join('\n')}\n`;
}
