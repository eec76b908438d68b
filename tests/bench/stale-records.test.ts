import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { suites } from '../../bench/main.js';
import { measuredCommit, staleRecords } from '../../scripts/stale-records.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

test('a record is stale once its chapters have changed, and only then', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nearfield-stale-'));
  const git = (...words: string[]): string => execFileSync('git', words, { cwd: folder, encoding: 'utf8' }).trim();
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const commit = (message: string): void => {
    git('add', '-A');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', message);
  };
  try {
    git('init', '-q');
    write('src/mesh/a.ts', 'export const a = 1;\n');
    write('src/field/b.ts', 'export const b = 1;\n');
    commit('code');
    const measured = measuredCommit(folder)!;
    expect(measured).toMatch(/^[0-9a-f]+$/);
    write('bench/results/mesh.json', JSON.stringify({ commit: measured, date: '2026-11-18' }));
    write('bench/results/field.json', JSON.stringify({ date: '2026-11-15' }));
    commit('records');
    const all = [
      { name: 'mesh', chapters: ['mesh'] },
      { name: 'field', chapters: ['field'] },
    ];
    expect(staleRecords(folder, all)).toEqual([]);
    write('src/mesh/a.ts', 'export const a = 2;\n');
    expect(measuredCommit(folder)).toBe(`${git('rev-parse', '--short', 'HEAD')}+`);
    commit('faster');
    expect(staleRecords(folder, all)).toEqual([
      { record: 'mesh', since: `recorded 2026-11-18 at ${measured}`, changed: '1 files changed in mesh' },
    ]);
    const missing = staleRecords(folder, [...all, { name: 'ice', chapters: ['ice'] }]);
    expect(missing.at(-1)).toEqual({ record: 'ice', since: 'never recorded', changed: 'run it' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('every suite names chapters that exist', () => {
  const folders = readdirSync(join(root, 'src'));
  for (const { name, chapters } of suites) {
    expect(chapters.length, name).toBeGreaterThan(0);
    expect(
      chapters.filter((chapter) => !folders.includes(chapter)),
      name,
    ).toEqual([]);
  }
});
