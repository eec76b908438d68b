// The examples that the documentation site offers to run do run, show something, and show what their comments say.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runnableCode } from '../../docs/.vitepress/live-examples.js';
import { codeBlocks } from './code-blocks.js';

const docs = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'docs');
const pages = ['', 'guides'].flatMap((folder) =>
  readdirSync(join(docs, folder))
    .filter((name) => name.endsWith('.md') && name !== 'changelog.md')
    .map((name) => join(folder, name)),
);

/** What a comment says of its line: a word, a number or a text in quotes, at its beginning. */
function saidOf(line: string): string | undefined {
  const said = /;\s*\/\/ (true|false|null|-?\d+(?:\.\d+)?(?:e-?\d+)?|'[^']*')(?=$|[;:] )/.exec(line)?.[1];
  return said?.replace(/^'(.*)'$/, '$1');
}

describe('examples that run in the pages', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'nearfield-examples-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  let compared = 0;
  for (const page of pages) {
    for (const { code, line } of codeBlocks(readFileSync(join(docs, page), 'utf8'), ['ts', 'js'])) {
      const runnable = runnableCode(code);
      if (runnable === null) continue;
      test(`${page}, line ${line}`, async () => {
        const shown: string[] = [];
        const wrong: string[] = [];
        const show = (at: number, value: unknown): unknown => {
          if (value !== undefined) shown.push(String(value));
          const said = saidOf(code.split('\n')[at - 1]);
          if (said !== undefined) {
            compared++;
            if (String(value) !== said) wrong.push(`line ${at} gives ${value}`);
          }
          return value;
        };
        vi.stubGlobal('show', show);
        const log = vi.spyOn(console, 'log').mockImplementation((...values) => void shown.push(values.join(' ')));
        const file = join(folder, `${page.replace(/\W/g, '-')}-${line}.mjs`);
        writeFileSync(file, runnable);
        try {
          await import(/* @vite-ignore */ file);
        } finally {
          log.mockRestore();
          vi.unstubAllGlobals();
        }
        expect(shown.length).toBeGreaterThan(0);
        expect(wrong).toEqual([]);
      });
    }
  }

  test('comments are compared', () => {
    expect(compared).toBeGreaterThan(20);
  });
});

test('what needs a canvas, a file or a reader of its own is not offered', () => {
  expect(runnableCode("import { LivePair } from 'nearfield/three';\nnew LivePair(a, b);")).toBeNull();
  expect(runnableCode("import { readModel } from 'nearfield/io';\nexport const read = readModel;")).toBeNull();
  expect(runnableCode('const x = 1;\nx;')).toBeNull();
  expect(runnableCode("import { vec3 } from 'nearfield/core';\nvec3.add([1, 2, 3], [1, 1, 1]);")).toContain(
    'show(2, (',
  );
});
