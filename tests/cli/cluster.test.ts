// The command on a cluster and over folders: the answers of one machine, and files that fail are reported and stop nothing.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeModel } from '../../src/io/index.js';
import { planningSample, writePlanProblem } from '../../src/planning/index.js';
import { RedisServer } from '../cluster/redis-server.js';
import { WorkerProcess } from '../cluster/worker-process.js';
import { boxMesh } from '../generators/surfaces.js';
import { runCommand } from './run-command.js';

let folder: string;
let server: RedisServer;
let worker: WorkerProcess;
const file = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-cluster-'));
  server = await RedisServer.start();
  worker = new WorkerProcess(server.url);
  await worker.ready;
});
afterAll(async () => {
  await worker.stop();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

test('clash finds what it finds alone', async () => {
  for (const name of ['cup', 'spoon', 'torus']) await runCommand('models', name, '-o', file(`${name}.stl`));
  const files = ['cup', 'spoon', 'torus'].map((name) => file(`${name}.stl`));
  const ask = ['clash', ...files, '--clearance', '0.2', '--depth-seconds', '0', '--json'];
  const alone = JSON.parse((await runCommand(...ask)).stdout);
  const apart = JSON.parse((await runCommand(...ask, '--cluster', server.url)).stdout);
  expect(alone.clashes.length).toBeGreaterThan(0);
  expect(apart.clashes).toEqual(alone.clashes);
});

test('clash measures the same depths, and field --sparse makes the same blocks', async () => {
  // Boxes: their depths are exact at once, so that no time limit decides.
  const names = ['x', 'y', 'z'].map((name) => file(`${name}.obj`));
  for (const [i, name] of names.entries()) {
    const { positions, indices } = boxMesh();
    writeFileSync(name, await writeModel({ positions: positions.map((value) => value + 0.31 * i), indices }, 'obj'));
  }
  const ask = ['clash', ...names, '--json'];
  const [here, there] = [ask, [...ask, '--cluster', server.url]].map((args) => JSON.parse(runCommand(...args).stdout));
  expect(here.clashes.some(({ upper }: { upper: number }) => upper > 0)).toBe(true);
  expect(there.clashes).toEqual(here.clashes);
  const field = ['field', file('torus.stl'), '--resolution', '200', '--sparse', '--json'];
  const [alone, apart] = [['alone'], ['apart', '--cluster', server.url]].map(([name, ...more]) => {
    const output = file(`${name}.npy`);
    const { counters } = JSON.parse(runCommand(...field, '-o', output, ...more).stdout);
    return { counters, bytes: readFileSync(output) };
  });
  expect(apart.counters).toEqual(alone.counters);
  expect(apart.bytes.equals(alone.bytes)).toBe(true);
});

test('replay answers every query as it does alone without coherence', async () => {
  const frames = Array.from({ length: 30 }, (_, i) => {
    const angle = i / 5;
    const b = [1.2 * Math.cos(angle), 0.4 * Math.sin(2 * angle), 0.1, 0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
    return { A: [0, 0, 0, 0, 0, 0, 1], B: b };
  });
  await runCommand('models', 'letter-a', '-o', file('a.stl'));
  writeFileSync(file('frames.json'), JSON.stringify({ frames }));
  for (const [query, ...more] of [
    ['intersects'],
    ['within', '--tolerance', '0.2'],
    ['distance', '--cutoff', '0.5'],
    ['contacts', '--tolerance', '0.2'],
    ['penetration', '--relative-gap', '0.2', '-o', file('plot.svg')],
  ]) {
    const ask = ['replay', file('a.stl'), file('spoon.stl'), file('frames.json'), '--query', query, ...more, '--json'];
    const alone = JSON.parse(runCommand(...ask, '--no-coherence').stdout);
    const plot = query === 'penetration' && readFileSync(file('plot.svg'), 'utf8');
    const apart = JSON.parse(runCommand(...ask, '--cluster', server.url).stdout);
    expect(apart.results, query).toEqual(alone.results);
    expect(apart.meanMicroseconds).toBe(null);
    expect(new Set(alone.results.map((result: unknown) => JSON.stringify(result))).size).toBeGreaterThan(1);
    if (plot !== false) expect(readFileSync(file('plot.svg'), 'utf8')).toBe(plot);
  }
});

test('plan and simulate answer folders, in threads and on a cluster alike', async () => {
  mkdirSync(file('scenes'));
  const scene = (height: number) => ({
    bodies: [
      { shape: { box: [4, 1, 4] }, fixed: true, pose: [0, -0.5, 0, 0, 0, 0, 1] },
      { shape: { file: '../cup.stl' }, pose: [0, height, 0, 0, 0, 0, 1] },
    ],
  });
  for (const height of [1, 2]) writeFileSync(file(`scenes/fall-${height}.json`), JSON.stringify(scene(height)));
  writeFileSync(file('scenes/broken.json'), '{"bodies": 7}');
  const ask = ['simulate', file('scenes'), '--steps', '5', '--json'];
  const alone = await runCommand(...ask, '-o', file('alone'));
  const apart = await runCommand(...ask, '-o', file('apart'), '--cluster', server.url);
  for (const { stdout } of [alone, apart]) {
    const { files, failed } = JSON.parse(stdout);
    expect(failed).toBe(1);
    expect(files.map(({ error }: { error: string | null }) => error === null)).toEqual([false, true, true]);
    expect(files[0].error).toMatch(/bodies/);
  }
  expect(existsSync(file('apart/broken.json'))).toBe(false);
  for (const name of ['fall-1', 'fall-2']) {
    const [here, there] = ['alone', 'apart'].map((to) => JSON.parse(readFileSync(file(`${to}/${name}.json`), 'utf8')));
    expect(there.frames).toEqual(here.frames);
  }
});

test('a folder of planning problems', async () => {
  mkdirSync(file('problems'));
  const { text, meshes } = writePlanProblem(planningSample('open-space'));
  writeFileSync(file('problems/open.json'), text);
  for (const [name, mesh] of meshes) {
    writeFileSync(file(`problems/${name}`), await writeModel(mesh, 'obj'));
  }
  const [alone, apart] = [[], ['--cluster', server.url]].map((more) => {
    const { files } = JSON.parse(runCommand('plan', file('problems'), '--json', ...more).stdout);
    return files[0].result;
  });
  expect(alone.status).toBe('solved');
  expect(apart.paths).toEqual(alone.paths);
});

test('wrong addresses and single files are refused in one line', async () => {
  const motion = ['replay', file('a.stl'), file('spoon.stl'), file('frames.json'), '--query', 'distance'];
  for (const args of [
    ['worker'],
    ['worker', '--cluster', 'http://nowhere'],
    ['simulate', file('scenes/fall-1.json'), '--cluster', server.url],
    ['simulate', file('scenes'), '-o', file('out.json')],
    ['plan', file('alone'), '--cluster', 'redis://user:secret@'],
    ['field', file('torus.stl'), '--cluster', 'redis://user:secret@host'],
    ['worker', 'redis://user:secret@host'],
    ['worker', '--clustr', 'redis://user:secret@host'],
    ['worker', '--cluster', 'redis://user:secret@host', '--concurrency', 'redis://user:secret@host'],
    [...motion, '--timed', '--cluster', 'redis://user:secret@host'],
    [...motion, '--hulls-a', file('a.stl'), '--cluster', server.url],
  ]) {
    const { code, stderr } = await runCommand(...args);
    expect(code, args.join(' ')).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('secret');
  }
});
