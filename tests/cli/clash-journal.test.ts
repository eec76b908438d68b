import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ClashJournal } from '../../src/cli/clash/clash-journal.js';
import type { ClashAnswer } from '../../src/proximity/batch/clash-job.js';

let folder: string;
let path: string;
const PRINT = 'a'.repeat(64);
const ANSWERS: ClashAnswer[] = [3, 0, 2].map((count) => ({
  questions: Uint32Array.from({ length: count }, (_, i) => 5 * i),
  values: Float64Array.from({ length: 10 * count }, (_, i) => Math.sin(i) * 1e9),
}));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-journal-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  path = join(folder, 'check.journal');
  rmSync(path, { force: true });
});

/** Opens the journal, adds answers, closes it, and returns the jobs that it had. */
function visit(add: number[] = []): { jobs: number[]; dropped: number } {
  const journal = new ClashJournal(path, PRINT, 3);
  const jobs = [0, 1, 2].filter((job) => {
    const answer = journal.answer(job);
    if (answer !== null) expect(answer).toEqual(ANSWERS[job]);
    return answer !== null;
  });
  expect(journal.jobsDone).toBe(jobs.length);
  for (const job of add) journal.add(job, ANSWERS[job]);
  journal.close();
  return { jobs, dropped: journal.droppedBytes };
}

test('keeps answers in any order, and each once', () => {
  expect(visit([2, 0])).toEqual({ jobs: [], dropped: 0 });
  const { size } = statSync(path);
  expect(visit([0, 2])).toEqual({ jobs: [0, 2], dropped: 0 });
  expect(statSync(path).size).toBe(size);
  visit([1]);
  expect(visit()).toEqual({ jobs: [0, 1, 2], dropped: 0 });
});

test('drops a record that was cut off or damaged, wherever it ends, and goes on behind the last whole one', () => {
  visit([0]);
  const whole = statSync(path).size;
  visit([2]);
  const bytes = readFileSync(path);
  for (let end = whole; end < bytes.length; end++) {
    writeFileSync(path, bytes.subarray(0, end));
    expect(visit()).toEqual({ jobs: [0], dropped: end - whole });
    expect(statSync(path).size).toBe(whole);
  }
  for (const at of [whole, whole + 9, whole + 13, bytes.length - 1]) {
    const damaged = Buffer.from(bytes);
    damaged[at] ^= 0x10;
    writeFileSync(path, damaged);
    expect(visit([1, 2]).jobs).toEqual([0]);
    expect(visit().jobs).toEqual([0, 1, 2]);
  }
});

test('begins anew in an empty file and in one whose first line was cut off', () => {
  visit([0]);
  for (const size of [40, 7, 0]) {
    truncateSync(path, size);
    expect(visit([1])).toEqual({ jobs: [], dropped: 0 });
    expect(visit().jobs).toEqual([1]);
  }
});

test('refuses the journal of another check, other files and folders, and leaves them as they are', () => {
  visit([0]);
  const before = readFileSync(path);
  expect(() => new ClashJournal(path, 'b'.repeat(64), 3)).toThrow(/check\.journal: the journal of another check/);
  expect(readFileSync(path).equals(before)).toBe(true);
  writeFileSync(path, 'solid part\nendsolid part\n');
  expect(() => visit()).toThrow(/not a journal of clash --resume/);
  expect(readFileSync(path, 'utf8')).toBe('solid part\nendsolid part\n');
  expect(() => new ClashJournal(folder, PRINT, 3)).toThrow(/cannot be used as a journal/);
  expect(() => new ClashJournal(join(folder, 'none', 'check.journal'), PRINT, 3)).toThrow(/cannot be used/);
});
