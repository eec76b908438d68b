// A function of more than 60 lines says why it is one: an inner loop whose values are locals. Others are divided. One of more
// than seven parameters says that it takes scalars, and for what. Others take an object.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const MAX_LINES = 60;

/** What the comment of a long function says. */
const REASON = /locals of one function|one function|in one piece|in\s+locals/i;

const MAX_PARAMETERS = 7;

/** Seven commas between two round brackets: what a list of eight parameters has at least. */
const MANY_COMMAS = /\((?:[^()]*,){7}[^()]*/;

/** What the comment of a function of many parameters says: "Takes scalars, for inner loops." */
const TAKES_SCALARS = /takes scalars/i;

/** The functions of a file that are long or have many parameters, and whose comment gives no reason, by name. */
function longFunctions(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number): number => file.getLineAndCharacterOfPosition(position).line;
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      const comment = text.slice(node.getFullStart(), node.getStart()).replace(/\s*\*\s*/g, ' ');
      const count = node.parameters.length;
      if (count > MAX_PARAMETERS && !TAKES_SCALARS.test(comment)) {
        found.push(`${path}: ${node.name?.getText() ?? 'a function'} has ${count} parameters`);
      }
      const lines = 'body' in node && node.body !== undefined ? lineAt(node.end) - lineAt(node.getStart()) + 1 : 0;
      if (lines > MAX_LINES && !REASON.test(comment)) {
        found.push(`${path}: ${node.name?.getText() ?? 'a function'} has ${lines} lines`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

test('functions of src have up to 60 lines and seven parameters, or say why not', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  expect(files.length).toBeGreaterThan(1000);
  // The others have neither long functions nor long lists: reading all as syntax would take most of the time of this test.
  const long = files
    .map((path) => ({ path: path.slice(root.length + 1), text: readFileSync(path, 'utf8') }))
    .filter(({ text }) => text.split('\n').length > MAX_LINES || MANY_COMMAS.test(text));
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

test('functions of many parameters are found', () => {
  const eight = 'function f(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H): void {}';
  expect(eight).toMatch(MANY_COMMAS);
  expect(longFunctions('a.ts', eight)).toEqual(['a.ts: f has 8 parameters']);
  expect(longFunctions('a.ts', `/** Works. Takes scalars, for inner loops. */\n${eight}`)).toEqual([]);
  expect(longFunctions('a.ts', eight.replace(', h: H', ''))).toEqual([]);
});
