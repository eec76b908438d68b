// Large clash checks as processes: streamed to a file, in threads, killed and resumed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom, pose } from 'nearfield/core';
import { type ModelFile, writeModel } from 'nearfield/io';
import { findModel } from 'nearfield/mesh';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlant, PLANT_CLEARANCE } from '../../bench/scenarios/assembly.js';
import { MAIN, runCommand, runJson, runProcess } from './run-command.js';

/** The gap of a heap up to which its parts are near. */
const HEAP_CLEARANCE = ['--clearance', '0.7'];

/** Balls in rows, each turned and shifted by its own amount: some jobs of pairs, few of which overlap. */
function createHeap(side: number): ModelFile {
  const random = createRandom(3);
  const ball = findModel('sphere').build({ radius: 0.5 });
  const parts = Array.from({ length: side ** 3 }, (_, i) => {
    const row = [i % side, Math.floor(i / side) % side, Math.floor(i / side / side)];
    const [x, y, z] = row.map((k) => 1.04 * k + random.range(-0.025, 0.025));
    return { name: `ball ${i}`, meshIndex: 0, transform: pose.toMatrix4([x, y, z, ...random.rotation()]) };
  });
  return { format: 'glb', meshes: [{ name: 'ball', mesh: ball }], parts };
}

let folder: string;
const inFolder = (name: string): string => join(folder, name);
const CLEARANCE = ['--clearance', String(PLANT_CLEARANCE)];

interface StreamAnswer {
  pairsTested: number;
  questions: number;
  clashCount: number;
  intersecting: number;
  grades: Record<string, number>;
  clashes?: { indexA: number; indexB: number; distance: number }[];
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-stream-'));
  writeFileSync(inFolder('heap.glb'), await writeModel(createHeap(12), 'glb'));
  writeFileSync(inFolder('small.glb'), await writeModel(createPlant(35), 'glb'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readLines = (name: string): { indexA: number; indexB: number; grade: string; intersects: boolean }[] =>
  readFileSync(inFolder(name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('a run that is killed goes on where it was, to the same bytes, with any number of workers', async () => {
  const args = ['clash', inFolder('heap.glb'), ...HEAP_CLEARANCE, '-o'];
  const whole = runProcess(...args, inFolder('whole.ndjson'), '--json', '--workers', '2');
  expect(whole.stderr).toBe('');
  const answer = JSON.parse(whole.stdout) as StreamAnswer;
  const journal = inFolder('heap.journal');
  const resumed = [...args, inFolder('resumed.ndjson'), '--resume', journal, '--json', '--workers', '1'];
  const child = spawn(process.execPath, [MAIN, ...resumed], { stdio: 'ignore' });
  const exit = once(child, 'exit');
  // The first line alone has less than 100 bytes.
  while (child.exitCode === null && !(existsSync(journal) && statSync(journal).size > 1000)) await pause(2);
  child.kill('SIGKILL');
  expect((await exit)[1]).toBe('SIGKILL');
  const { size } = statSync(journal);
  const kept = readFileSync(journal);
  // A part of a record, as a full disk leaves it.
  writeFileSync(journal, kept.subarray(0, size - 5));
  const second = runProcess(...resumed);
  expect(second.stderr).toMatch(/warning: .*heap\.journal: the last \d+ bytes .* dropped/);
  expect({ ...JSON.parse(second.stdout), milliseconds: 0, output: '' }).toEqual({
    ...answer,
    milliseconds: 0,
    output: '',
  });
  expect(readFileSync(inFolder('resumed.ndjson')).equals(readFileSync(inFolder('whole.ndjson')))).toBe(true);
  // Once more: nothing is left to do.
  const done = statSync(journal).size;
  expect(done).toBeGreaterThan(size);
  expect(runProcess(...resumed).code).toBe(0);
  expect(statSync(journal).size).toBe(done);
  expect(readFileSync(inFolder('resumed.ndjson')).equals(readFileSync(inFolder('whole.ndjson')))).toBe(true);

  const other = runCommand(...args, inFolder('other.ndjson'), '--resume', journal, '--touch', '0.01');
  expect(other.code).toBe(0); // The touch tolerance changes grades, not answers.
  const refused = runCommand('clash', inFolder('heap.glb'), '--clearance', '0.8', '--resume', journal);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(/^nearfield: .*heap\.journal: the journal of another check: .*\n$/);
  expect(statSync(journal).size).toBe(done);
});

test('lines are the clashes of --json, by shapes', () => {
  const all = runJson<StreamAnswer>('clash', inFolder('small.glb'), ...CLEARANCE, '--depth-seconds', '0');
  const streamed = runJson<StreamAnswer>('clash', inFolder('small.glb'), ...CLEARANCE, '-o', inFolder('small.ndjson'));
  const lines = readLines('small.ndjson');
  expect(lines.length).toBeGreaterThan(30);
  expect(streamed).toMatchObject({
    pairsTested: all.pairsTested,
    intersecting: all.intersecting,
    grades: all.grades,
    clashCount: lines.length,
  });
  expect(streamed.questions).toBeLessThanOrEqual(all.pairsTested);
  const byParts = (p: { indexA: number; indexB: number }, q: { indexA: number; indexB: number }): number =>
    p.indexA - q.indexA || p.indexB - q.indexB;
  expect([...lines].sort(byParts)).toEqual([...all.clashes!].sort(byParts));
});

test('says what is wrong with its options', () => {
  const refuse = (...args: string[]): string => runCommand('clash', inFolder('small.glb'), ...args).stderr;
  expect(refuse('-o', inFolder('a.ndjson'), '--report', inFolder('a.html'))).toMatch(/give one of them/);
  expect(refuse('-o', inFolder('none/a.ndjson'))).toMatch(/there is no folder .* make it first/);
  expect(refuse('--workers', '0')).toMatch(/--workers is "0"/);
  expect(refuse('--resume', folder)).toMatch(/cannot be used as a journal/);
});
