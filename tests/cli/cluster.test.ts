// The command on a cluster and over folders: the answers of one machine, and files that fail are reported and stop nothing.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeModel } from '../../src/io/index.js';
import { planningSample, writePlanProblem } from '../../src/planning/index.js';
import { RedisServer } from '../cluster/redis-server.js';
import { WorkerProcess } from '../cluster/worker-process.js';
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
  for (const args of [
    ['worker'],
    ['worker', '--cluster', 'http://nowhere'],
    ['simulate', file('scenes/fall-1.json'), '--cluster', server.url],
    ['simulate', file('scenes'), '-o', file('out.json')],
    ['plan', file('alone'), '--cluster', 'redis://user:secret@'],
  ]) {
    const { code, stderr } = await runCommand(...args);
    expect(code, args.join(' ')).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('secret');
  }
});
