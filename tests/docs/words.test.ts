// Words with more than one reading stay out of comments, messages and pages: a count that is not given ("so many"), a kind that
// is not named ("such"), and limits that hang on the end of a sentence ("at most").
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What is wrong, by the words to look for, and what to write. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bso many\b/i, 'name the count'],
  // What every shell says of a path stays as it is.
  [/\bsuch\b(?! as\b|$)(?<!no such(?= (?:file|folder)))/i, 'name the kind, or point to it: these, this, that'],
  [/, at most\.(?:\s|\*|'|$)/, 'begin with the most, or write up to'],
  [/\b(?:is|are|was|were) none\b/, 'say what is absent'],
  [/\bgets? on\b(?! (?:the|a)\b)/i, 'make progress'],
];

function faultsIn(path: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, i) =>
      WORDS.filter(([pattern]) => pattern.test(line)).map(
        ([, instead]) => `${path}:${i + 1}: ${line.trim()} (${instead})`,
      ),
    );
}

function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/node_modules|\/docs\/api\/|\/\.vitepress\/|\.peers/.test(path));
}

test('comments, messages and pages use words with one reading', () => {
  const files = [
    ...['src', 'lab', 'bench', 'assembly'].flatMap((folder) => filesBelow(folder, /\.(ts|tsx|wgsl|mjs)$/)),
    ...filesBelow('docs', /\.md$/).filter((path) => !/docs\/changelog\.md$/.test(path)),
    join(root, 'README.md'),
    join(root, 'CONTRIBUTING.md'),
  ];
  expect(files.length).toBeGreaterThan(1500);
  expect(files.flatMap((file) => faultsIn(file.slice(root.length + 1), readFileSync(file, 'utf8')))).toEqual([]);
});

test('such words are found', () => {
  const faults = (line: string): number => faultsIn('a.ts', line).length;
  for (const line of [
    'Ends after so many steps.',
    'Such a face is left out.',
    'Halved, at most.',
    '−1 if there is none.',
    'It does not get on.',
  ]) {
    expect(faults(line), line).toBe(1);
  }
  for (const line of ['Shapes such as cones.', 'no such file or folder', 'Halved at most 5 times.', 'none of them']) {
    expect(faults(line), line).toBe(0);
  }
});
