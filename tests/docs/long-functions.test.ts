// A function of more than 60 lines says why it is one: an inner loop whose values are locals. Others are divided.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const MAX_LINES = 60;

/** What the comment of a long function says. */
const REASON = /locals of one function|one function|in one piece|in\s+locals/i;

/** The long functions of a file whose comment gives no reason, by name. */
function longFunctions(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number): number => file.getLineAndCharacterOfPosition(position).line;
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const lines = lineAt(node.end) - lineAt(node.getStart()) + 1;
      const comment = text.slice(node.getFullStart(), node.getStart()).replace(/\s*\*\s*/g, ' ');
      if (lines > MAX_LINES && !REASON.test(comment)) {
        found.push(`${path}: ${node.name?.getText() ?? 'a function'} has ${lines} lines`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

test('functions of src have up to 60 lines, or say why not', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  expect(files.length).toBeGreaterThan(1000);
  // Shorter files have no long functions: reading them all as syntax would take most of the time of this test.
  const long = files
    .map((path) => ({ path: path.slice(root.length + 1), text: readFileSync(path, 'utf8') }))
    .filter(({ text }) => text.split('\n').length > MAX_LINES);
  expect(long.flatMap(({ path, text }) => longFunctions(path, text))).toEqual([]);
});

test('long functions are found', () => {
  const body = (count: number): string => `${'  work();\n'.repeat(count - 2)}}\n`;
  const long = `class A {\n  /** Works. */\n  run(): void {\n${body(61)}}\n`;
  expect(longFunctions('a.ts', long)).toEqual(['a.ts: run has 61 lines']);
  expect(longFunctions('a.ts', long.replace('Works.', 'Works, in one piece: it is shorter.'))).toEqual([]);
  expect(longFunctions('a.ts', `function f() {\n${body(60)}`)).toEqual([]);
  expect(longFunctions('a.ts', `const f = () => {\n${body(62)}`)).toEqual(['a.ts: a function has 62 lines']);
});
