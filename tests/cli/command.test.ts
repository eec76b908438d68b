import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readModel, writeModel } from 'nearfield/io';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, runJson } from './run-command.js';

let folder: string;
const inFolder = (name: string): string => join(folder, name);

const CUBE = `v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-command-'));
  writeFileSync(inFolder('cube.obj'), CUBE);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Bad input: exit code 2, nothing on standard output, one line on standard error that holds these words. */
function expectRefusal(args: string[], ...words: string[]): void {
  const { code, stdout, stderr } = runCommand(...args);
  expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
  expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
  for (const word of words) expect(stderr).toContain(word);
}

describe('the command as a whole', () => {
  test('passes on what a reader warns of, one line on standard error, and goes on', () => {
    writeFileSync(
      inFolder('long.off'),
      'OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n3 0 1 2\n',
    );
    const { code, stdout, stderr } = runCommand('info', inFolder('long.off'), '--json');
    expect({ code, triangles: JSON.parse(stdout).triangles }).toEqual({ code: 0, triangles: 4 });
    expect(stderr).toMatch(/^nearfield: warning: .*long\.off: line 11: more lines follow than .*\n$/);
  });

  test('without a verb prints the verbs and ends with 2; --help and --version with 0', () => {
    expect(runCommand().code).toBe(2);
    const help = runCommand('--help');
    expect(help.code).toBe(0);
    for (const verb of [
      'info',
      'measure',
      'penetration',
      'pivot',
      'impact',
      'replay',
      'clash',
      'sweep',
      'cull',
      'simulate',
      'plan',
      'certify',
      'field',
      'voronoi',
      'hull',
      'decompose',
      'fracture',
      'repair',
      'solidify',
      'tetrahedralize',
      'offset',
      'convert',
      'models',
      'bench',
      'lab',
    ]) {
      expect(help.stdout).toContain(`  ${verb}`);
      const verbHelp = runCommand(verb, '--help');
      expect(verbHelp.code).toBe(0);
      expect(verbHelp.stdout).toContain(`usage: nearfield ${verb}`);
    }
    expect(runCommand('--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('refuses unknown verbs and options, and missing arguments, each in one line', () => {
    expectRefusal(['frobnicate'], 'frobnicate', 'info');
    expectRefusal(['info', '--wat', 'x'], '--wat');
    expectRefusal(['info'], 'MODEL');
    expectRefusal(['info', 'a.obj', 'b.obj'], 'MODEL');
    expectRefusal(['convert', 'a.obj'], 'IN OUT');
    expectRefusal(['info', '--json'], 'MODEL');
  });
});

describe('info', () => {
  test('prints every key of the contract for a cube', () => {
    const report = runJson('info', inFolder('cube.obj'));
    expect(report).toMatchObject({
      vertices: 8,
      triangles: 12,
      closed: true,
      manifold: true,
      oriented: true,
      components: 1,
      genus: 0,
      boundaryLoops: 0,
      degenerateFaces: 0,
      selfIntersections: 0,
      box: { min: [0, 0, 0], max: [1, 1, 1] },
    });
    expect(report.volume).toBeCloseTo(1, 12);
    expect(report.centerOfMass).toEqual([0.5, 0.5, 0.5].map((value) => expect.closeTo(value, 12)));
    const inertia = report.inertia as number[][];
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) {
        expect(inertia[row][column]).toBeCloseTo(row === column ? 1 / 6 : 0, 12);
      }
    }
  });

  test('counts what is wrong with a model', () => {
    // The cube without its last face, and a triangle that pierces it.
    const open = CUBE.replace('f 4 1 5 8\n', 'v 0.5 0.5 -1\nv 0.6 0.5 2\nv 0.5 0.6 2\nf 9 10 11\n');
    writeFileSync(inFolder('open.obj'), open);
    const report = runJson('info', inFolder('open.obj'));
    expect(report).toMatchObject({ closed: false, boundaryLoops: 2, components: 2, volume: null, centerOfMass: null });
    expect(report.selfIntersections).toBeGreaterThan(0);
    expect(runCommand('info', inFolder('open.obj')).stdout).toContain('closed');
    expect(runJson('info', inFolder('open.obj'), '--no-self-intersections').selfIntersections).toBeNull();
  });

  test('refuses files that are not models', () => {
    expectRefusal(['info', inFolder('absent.obj')], 'absent.obj', 'no such file');
    expectRefusal(['info', folder], 'folder');
    writeFileSync(inFolder('empty.obj'), '');
    expectRefusal(['info', inFolder('empty.obj')], 'empty.obj');
    writeFileSync(inFolder('nan.obj'), 'v 0 0 0\nv 1 0 0\nv 0 nan 0\nf 1 2 3\n');
    expectRefusal(['info', inFolder('nan.obj'), '--json'], 'nan.obj', 'line 3');
    writeFileSync(inFolder('range.off'), 'OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n');
    expectRefusal(['info', inFolder('range.off')], 'line 6');
    writeFileSync(inFolder('cut.stl'), Buffer.alloc(100, 1));
    expectRefusal(['info', inFolder('cut.stl')], 'cut.stl');
    writeFileSync(inFolder('noise.glb'), Buffer.from('glTF\u0002\0\0\0\u00ff\0\0\0garbage'));
    expectRefusal(['info', inFolder('noise.glb')], 'noise.glb');
    writeFileSync(inFolder('picture.png'), Buffer.from('\u0089PNG\r\n\u001a\n'));
    expectRefusal(['info', inFolder('picture.png')], 'picture.png');
  });
});

describe('convert and repair', () => {
  test('every output format reads back as the same cube', () => {
    for (const format of ['obj', 'stl', 'ply', 'off', 'glb', 'stl-ascii', 'ply-ascii']) {
      const path = inFolder(`converted-${format}.${format.replace('-ascii', '')}`);
      const answer = runJson('convert', inFolder('cube.obj'), path, '--format', format);
      expect(answer).toMatchObject({ output: path, format, triangles: 12, parts: 1 });
      expect(runJson('info', path)).toMatchObject({ vertices: 8, triangles: 12, closed: true, genus: 0 });
    }
  });

  test('refuses output formats it does not know and places it cannot write', () => {
    expectRefusal(['convert', inFolder('cube.obj'), inFolder('cube.xyz')], 'cube.xyz');
    expectRefusal(['convert', inFolder('cube.obj'), inFolder('cube.obj'), '--format', 'fbx'], 'fbx');
    expectRefusal(['convert', inFolder('cube.obj'), join(folder, 'no', 'such', 'cube.stl')], 'there is no folder');
  });

  test('repair mends a soup and says what it changed', () => {
    // Each triangle with vertices of its own, one of them reversed, one repeated, one without area.
    const soup: string[] = [];
    const faces = [...CUBE.matchAll(/^f (\d) (\d) (\d) (\d)$/gm)].map((match) => match.slice(1).map(Number));
    const points = [...CUBE.matchAll(/^v (.*)$/gm)].map((match) => match[1]);
    const triangles = faces.flatMap(([a, b, c, d]) => [
      [a, b, c],
      [a, c, d],
    ]);
    triangles[5].reverse();
    triangles.push(triangles[0], [1, 1, 2]);
    for (const triangle of triangles) for (const id of triangle) soup.push(`v ${points[id - 1]}`);
    triangles.forEach((_, index) => {
      soup.push(`f ${3 * index + 1} ${3 * index + 2} ${3 * index + 3}`);
    });
    writeFileSync(inFolder('soup.obj'), soup.join('\n'));
    expect(runJson('info', inFolder('soup.obj'))).toMatchObject({
      closed: true,
      manifold: false,
      oriented: false,
      components: 1,
      weldedVertices: 32,
    });
    const answer = runJson<{ changes: Record<string, number> }>(
      'repair',
      inFolder('soup.obj'),
      '-o',
      inFolder('mended.ply'),
    );
    expect(answer).toMatchObject({ vertices: 8, triangles: 12 });
    expect(answer.changes).toMatchObject({
      weldedVertices: 34,
      droppedDegenerateFaces: 1,
      droppedDuplicateFaces: 1,
      flippedFaces: 1,
    });
    expect(runJson('info', inFolder('mended.ply'))).toMatchObject({ closed: true, oriented: true, outward: true });
    const text = runCommand('repair', inFolder('soup.obj'), '-o', inFolder('mended.ply')).stdout;
    expect(text).toContain('welded vertices');
  });

  test('solidify closes an open box and says how far it is', () => {
    writeFileSync(inFolder('open.obj'), CUBE.replace(/^f .*$/m, ''));
    const answer = runJson<{ distance: { toInput: number; fromInput: number }; vertices: number; triangles: number }>(
      'solidify',
      inFolder('open.obj'),
      '--resolution',
      '16',
      '-o',
      inFolder('solid.ply'),
    );
    expect(answer).toMatchObject({ closed: true, rule: 'winding', resolution: 16 });
    expect(answer.distance.toInput).toBeGreaterThan(0.4);
    expect(answer.distance.fromInput).toBeLessThan(0.1);
    expect(runJson('info', inFolder('solid.ply'))).toMatchObject({
      closed: true,
      manifold: true,
      outward: true,
      selfIntersections: 0,
      vertices: answer.vertices,
      triangles: answer.triangles,
    });
    const offset = [
      'offset',
      inFolder('cube.obj'),
      '--distance',
      '-0.1',
      '--resolution',
      '12',
      '-o',
      inFolder('o.ply'),
    ];
    const shrunk = runJson<{ error: { inward: number; outward: number } }>(...offset);
    expect(shrunk).toMatchObject({ closed: true, distance: -0.1 });
    expect(Math.max(shrunk.error.inward, shrunk.error.outward)).toBeLessThan(0.1);
    expectRefusal(['offset', inFolder('cube.obj'), '-o', inFolder('o.ply')], '--distance');
    expectRefusal(['offset', inFolder('open.obj'), '--distance', '1', '-o', inFolder('o.ply')], 'open.obj', 'solidify');
    const filled = ['repair', inFolder('open.obj'), '--fill-holes', '-o', inFolder('filled.ply')];
    expect(runJson(...filled)).toMatchObject({ filled: { holes: 1, addedFaces: 2, crossings: 0 }, remaining: [] });
    const text = runCommand('solidify', inFolder('open.obj'), '--resolution', '8', '-o', inFolder('s.stl')).stdout;
    expect(text).toContain('solid to model');
    expectRefusal(['solidify', inFolder('open.obj')], '-o OUT');
    expectRefusal(['solidify', inFolder('open.obj'), '-o', inFolder('x.obj'), '--resolution', '2'], '--resolution');
  });

  test('repair mends each mesh of an assembly by itself, and keeps names, places, colors and copies', async () => {
    const tetrahedron = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
    const faces = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
    const at = (dx: number): Float64Array => Float64Array.of(1, 0, 0, dx, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
    const [red, blue] = [
      [1, 0, 0, 1],
      [0, 0, 1, 1],
    ] as const;
    // The bolt has a face that names a vertex twice between two faces of each color; the nut is whole, and meets a bolt.
    const bolt = {
      positions: Float64Array.from(tetrahedron),
      indices: Uint32Array.from([...faces.slice(0, 6), 1, 1, 2, ...faces.slice(6)]),
    };
    const groups = [
      { name: 'head', firstTriangle: 0, triangleCount: 3, color: red },
      { name: 'shaft', firstTriangle: 3, triangleCount: 2, color: blue },
    ];
    const nut = { positions: Float64Array.from(tetrahedron), indices: Uint32Array.from(faces) };
    const model = {
      format: 'glb' as const,
      meshes: [
        { name: 'bolt', mesh: bolt, groups },
        { name: 'nut', mesh: nut, color: blue },
      ],
      parts: [
        { name: 'bolt 1', meshIndex: 0, transform: at(0) },
        { name: 'bolt 2', meshIndex: 0, transform: at(5) },
        { name: 'nut', meshIndex: 1, transform: at(1) },
      ],
    };
    writeFileSync(inFolder('assembly.glb'), await writeModel(model, 'glb'));
    const answer = runJson('repair', inFolder('assembly.glb'), '-o', inFolder('mended.glb'));
    // Welded as one mesh, the nut would share the vertex of the bolt that it touches: each has its own four.
    expect(answer).toMatchObject({ parts: 3, vertices: 12, triangles: 12, remaining: [] });
    expect(answer.changes).toMatchObject({ droppedDegenerateFaces: 2, droppedDuplicateFaces: 0, flippedFaces: 0 });
    expect(answer.byPart).toMatchObject([
      { name: 'bolt 1', mesh: 0, triangles: 4, changes: { droppedDegenerateFaces: 1 } },
      { name: 'bolt 2', mesh: 0, triangles: 4, changes: { droppedDegenerateFaces: 1 } },
      { name: 'nut', mesh: 1, triangles: 4, changes: { droppedDegenerateFaces: 0 } },
    ]);
    const mended = await readModel(readFileSync(inFolder('mended.glb')));
    expect(mended.parts.map(({ name, meshIndex }) => [name, meshIndex])).toEqual([
      ['bolt 1', 0],
      ['bolt 2', 0],
      ['nut', 1],
    ]);
    expect(mended.parts.map(({ transform }) => transform[3])).toEqual([0, 5, 1]);
    expect(mended.meshes[0].groups).toMatchObject([
      { firstTriangle: 0, triangleCount: 2, color: red },
      { firstTriangle: 2, triangleCount: 2, color: blue },
    ]);
    const text = runCommand('repair', inFolder('assembly.glb'), '-o', inFolder('mended.glb')).stdout;
    expect(text).toMatch(/bolt 2 +4 +1 dropped degenerate faces/);
    expect(text).not.toMatch(/^nut/m);
  });

  test('repair refuses what it needs to be told', () => {
    expectRefusal(['repair', inFolder('cube.obj')], '-o OUT');
    const before = readFileSync(inFolder('cube.obj'));
    expectRefusal(['repair', inFolder('cube.obj'), '-o', inFolder('cube.obj')], '--output', 'a model that is read');
    expect(readFileSync(inFolder('cube.obj'))).toEqual(before);
    expectRefusal(['repair', inFolder('cube.obj'), '-o', join(folder, 'none', 'x.obj')], 'there is no folder');
    expectRefusal(['repair', inFolder('cube.obj'), '-o', inFolder('x.obj'), '--weld', 'much'], '--weld', 'much');
    expectRefusal(['repair', inFolder('cube.obj'), '-o', inFolder('x.obj'), '--weld', '-1'], '--weld');
  });
});

describe('models', () => {
  test('lists every model with its parameters', () => {
    const { models } = runJson<{ models: { name: string; triangles: number; parameters: object }[] }>('models');
    const names = models.map((model) => model.name);
    for (const name of [
      'torus',
      'wrinkled-torus',
      'bent-torus',
      'spiral-peg',
      'cup',
      'spoon',
      'letter-a',
      'digit-9',
      'head',
      'dragon',
    ]) {
      expect(names).toContain(name);
    }
    expect(new Set(names).size).toBe(names.length);
    expect(models.find((model) => model.name === 'torus')?.triangles).toBe(2000);
  });

  test('writes one with parameters set', () => {
    const path = inFolder('torus.ply');
    const answer = runJson('models', 'torus', '-o', path, '--set', 'majorSegments=8', '--set', 'minorSegments=6');
    expect(answer).toMatchObject({ name: 'torus', triangles: 96 });
    expect(runJson('info', path)).toMatchObject({ triangles: 96, genus: 1, closed: true });
  });

  test('refuses unknown models, parameters and values', () => {
    expectRefusal(['models', 'teapot', '-o', inFolder('t.obj')], 'teapot');
    expectRefusal(['models', 'torus'], '-o OUT');
    expectRefusal(['models', 'torus', '-o', inFolder('t.obj'), '--set', 'wings=2'], 'wings');
    expectRefusal(['models', 'torus', '-o', inFolder('t.obj'), '--set', 'majorSegments=2.5'], 'majorSegments');
    expectRefusal(['models', 'torus', '-o', inFolder('t.obj'), '--set', 'majorSegments'], 'PARAMETER=VALUE');
    expectRefusal(['models', '--all'], 'FOLDER');
  });

  test('writes all of them', () => {
    mkdirSync(inFolder('all'));
    const { written } = runJson<{ written: { name: string; output: string }[] }>(
      'models',
      '--all',
      '-o',
      inFolder('all'),
      '--format',
      'stl',
    );
    expect(readdirSync(inFolder('all'))).toHaveLength(written.length);
    const dragon = written.find((model) => model.name === 'dragon');
    expect(readFileSync(dragon?.output ?? '').length).toBeGreaterThan(50 * 200_000);
  });
});

describe('bench', () => {
  test('lists its suites and refuses others', () => {
    const { suites } = runJson<{ suites: { name: string }[] }>('bench', '--list');
    expect(suites.map((suite) => suite.name)).toContain('mesh');
    expectRefusal(['bench', 'nonsense'], 'nonsense', 'mesh');
  });
});
