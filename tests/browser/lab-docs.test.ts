// The scene in docs/lab.md is one: it type-checks at the place in the lab where a reader would put it.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

function typeErrors(path: string, code: string): string[] {
  const { config } = ts.readConfigFile(join(root, 'lab/tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(root, 'lab'));
  const file = join(root, path);
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (name, version) =>
    name === file ? ts.createSourceFile(name, code, version) : getSourceFile(name, version);
  host.fileExists = (name) => name === file || fileExists(name);
  const program = ts.createProgram([file], options, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

test('the scene in docs/lab.md type-checks, and a wrong one does not', () => {
  const page = readFileSync(join(root, 'docs/lab.md'), 'utf8');
  const [, path, code] = /^```typescript (\S+)\n([\s\S]*?)^```/m.exec(page) ?? [];
  expect(path).toMatch(/^lab\/scenes\/\w+\/\w+\.ts$/);
  expect(typeErrors(path, code)).toEqual([]);
  expect(typeErrors(path, code.replace('values.thickness', 'values.thickniss'))).toHaveLength(1);
});
