// The samples of `nearfield demo`, and on them every command line of the README and of docs/command.md: with fewer steps and
// coarser grids than there, which changes what it costs and not whether it runs.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeBlocks } from '../docs/code-blocks.js';
import { runCommand, runJson } from './run-command.js';

let folder: string;
let written: { name: string; output: string; bytes: number; description: string }[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-demo-'));
  ({ written } = runJson<{ written: typeof written }>('demo', folder));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('writes the files it lists, small, the same again, and leaves files of others alone', () => {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  expect(names.sort()).toEqual(written.map(({ name }) => name).sort());
  expect(written.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(1_000_000);
  for (const { output, bytes, description } of written) {
    expect(readFileSync(output)).toHaveLength(bytes);
    expect(description).not.toBe('');
  }
  expect(runJson('demo', folder)).toMatchObject({ folder });
  const other = mkdtempSync(join(tmpdir(), 'nearfield-demo-'));
  try {
    writeFileSync(join(other, 'scene.json'), 'mine');
    const { code, stderr } = runCommand('demo', other);
    expect(code).toBe(2);
    expect(stderr).toContain('scene.json');
    expect(readdirSync(other)).toEqual(['scene.json']);
  } finally {
    rmSync(other, { recursive: true });
  }
  expect(runCommand('demo', folder, 'more')).toMatchObject({ code: 2 });
});

/** What is made smaller, by option: the documentation's numbers are for people who wait once. */
const SMALLER: Readonly<Record<string, number>> = {
  '--steps': 4,
  '--resolution': 24,
  '--size': 32,
  '--fragments': 6,
  '--every': 2,
};
/** Added to lines that take long. */
const LIMITS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^clash .*--report/, ['--depth-seconds', '1']],
  [/^(field|offset|solidify) (?!.*--resolution)/, ['--resolution', '24']],
  // The coarse solid has ears too thin for elements that keep to its surface.
  [/^tetrahedralize/, ['--mode', 'embedded']],
  [/^replay .*penetration/, ['--relative-gap', '0.5']],
];

/** The command lines of the README and of the page about the command, without what is before `nearfield` and after a pipe. */
function listLines(): string[] {
  return ['../../README.md', '../../docs/command.md'].flatMap((page) => {
    const text = readFileSync(fileURLToPath(new URL(page, import.meta.url)), 'utf8');
    return codeBlocks(text, ['sh']).flatMap(({ code }) =>
      code
        .split('\n')
        .flatMap((line) => line.replace(/#.*/, '').split('&&'))
        .map((line) => /^\s*(?:npx )?nearfield ([^|]*)/.exec(line)?.[1].trim() ?? '')
        .filter((line) => line !== '' && !/^(lab|demo)\b/.test(line)),
    );
  });
}

test('every command line of the README and of docs/command.md runs on them', () => {
  const lines = [...new Set(listLines())];
  expect(lines.length).toBeGreaterThan(40);
  for (const verb of ['replay', 'clash', 'voronoi', 'simulate', 'repair', 'solidify', 'plan', 'separate', 'pivot']) {
    expect(
      lines.some((line) => line.startsWith(`${verb} `)),
      verb,
    ).toBe(true);
  }
  const failed: string[] = [];
  for (const line of lines) {
    const words = line.match(/'[^']*'|"[^"]*"|\S+/g)!.map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
    const args = words.map((word, i) => {
      const option = words[i - 1];
      if (option in SMALLER) return String(Math.min(Number(word), SMALLER[option]));
      // Files are in the folder: a test has no folder of its own to work in.
      if (option === '--package') return word.replace('=', `=${folder}/`);
      return option === '-o' || /^[\w-]+\.[a-z]+$/.test(word) ? join(folder, word) : word;
    });
    const extra = LIMITS.filter(([pattern]) => pattern.test(line)).flatMap(([, more]) => more);
    const { code, stderr } = runCommand(...args, ...extra);
    if (code !== 0) failed.push(`${line}: ${stderr.trim()}`);
  }
  expect(failed).toEqual([]);
});
