// The package as its users get it: packed, installed into an empty folder, its README's first example run there;
// publint; and no Node built-in in what a browser bundle can reach.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageReadme } from '../../scripts/package-readme.mjs';
import { codeBlocks } from '../docs/code-blocks.js';
import { packInto, root } from './packed-package.js';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

describe('the packed package', () => {
  let folder: string;
  const run = (file: string, ...args: string[]): string =>
    execFileSync(file, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'nearfield-package-'));
    const tarball = packInto(folder);
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    run('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("runs the README's first example", () => {
    const [example] = codeBlocks(readme, ['js', 'ts']);
    writeFileSync(join(folder, 'example.mjs'), example.code);
    const printed = run(process.execPath, 'example.mjs');
    const numbers = [...example.code.matchAll(/console\.log\([^\n]*\); \/\/ ([\d.]+)$/gm)].map(([, shown]) => shown);
    expect(numbers.length).toBeGreaterThan(1);
    for (const shown of numbers) expect(printed).toContain(shown);
    expect(printed).toContain('true');
    expect(printed.trim()).not.toBe('');
  });

  test('every subpath imports, those for three.js and React beside their peers', () => {
    const modules = join(folder, 'node_modules');
    mkdirSync(join(modules, '@react-three'), { recursive: true });
    for (const peer of ['three', 'react', '@react-three/fiber']) {
      symlinkSync(join(root, 'node_modules', peer), join(modules, peer), 'junction');
    }
    const names = Object.keys(manifest.exports)
      .filter((subpath) => subpath !== './package.json')
      .map((subpath) => subpath.replace('.', 'nearfield'));
    const script = `const counts = {};
      for (const name of ${JSON.stringify(names.toReversed())}) counts[name] = Object.keys(await import(name)).length;
      console.log(JSON.stringify(counts));`;
    const counts: Record<string, number> = JSON.parse(run(process.execPath, '--input-type=module', '-e', script));
    expect(Object.keys(counts).sort()).toEqual(names.toSorted());
    for (const name of names) expect(counts[name], name).toBeGreaterThan(0);
  });

  test('the command runs, the lab and the benchmarks are inside', () => {
    expect(run('npx', '--no-install', 'nearfield', '--version').trim()).toBe(manifest.version);
    // npx finds the command; it takes longer than what it starts.
    const command = (...args: string[]): string =>
      run(process.execPath, 'node_modules/nearfield/dist/cli/main.js', ...args);
    command('models', 'torus', '-o', 'torus.obj');
    const report = JSON.parse(command('info', 'torus.obj', '--json'));
    expect(report).toMatchObject({ triangles: 2000, closed: true, manifold: true, genus: 1 });
    expect(readdirSync(join(folder, 'node_modules/nearfield/dist/lab'))).toContain('index.html');
    expect(JSON.parse(command('bench', '--list', '--json')).suites.length).toBeGreaterThan(0);
  });

  test('holds no sources, tests or notes of the repository', () => {
    const packed = readdirSync(join(folder, 'node_modules/nearfield')).sort();
    expect(packed).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'docs', 'package.json']);
    expect(readdirSync(join(folder, 'node_modules/nearfield/dist/bench'))).toEqual(['main.js']);
  });

  test("the README's links work on the package's page: absolute, to files that are in the package", () => {
    const installed = join(folder, 'node_modules/nearfield');
    const isPacked = (path: string): boolean => existsSync(join(installed, path));
    const text = packageReadme(readme, manifest.version, isPacked);
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
    const ours = targets.filter((target) => target.startsWith(`https://unpkg.com/nearfield@${manifest.version}/`));
    expect(ours.length).toBeGreaterThan(20);
    expect(targets.filter((target) => !/^(https:|#)/.test(target))).toEqual([]);
    for (const target of ours) expect(isPacked(new URL(target).pathname.replace(/^\/[^/]+\//, '')), target).toBe(true);
  });

  test('a browser bundle of everything reaches no Node built-in', async () => {
    writeFileSync(join(folder, 'page.js'), "import * as nearfield from 'nearfield'; globalThis.nearfield = nearfield;");
    const outcome = await build({
      root: folder,
      logLevel: 'error',
      configFile: false,
      build: { write: false, minify: false, rolldownOptions: { input: join(folder, 'page.js') } },
    });
    const { output } = (Array.isArray(outcome) ? outcome[0] : outcome) as {
      output: { type: string; code?: string; imports?: string[]; dynamicImports?: string[]; moduleIds?: string[] }[];
    };
    const modules = output.flatMap((chunk) => chunk.moduleIds ?? []);
    expect(modules.some((id) => id.includes('nearfield/dist/mesh'))).toBe(true);
    const ours = modules.filter((id) => id.includes('node_modules/nearfield/'));
    for (const id of ours) expect(id).not.toContain('/cli/');
    // Vite puts a stand-in in the place of a Node built-in.
    expect(modules.filter((id) => id.includes('browser-external') || isBuiltin(id))).toEqual([]);
    const outside = output.flatMap((chunk) => [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]);
    expect(outside.filter(isBuiltin)).toEqual([]);
  });
});

describe('the manifest', () => {
  test('is clean for publint', async () => {
    const { messages, pkg } = await publint({ pkgDir: root, level: 'suggestion', pack: false });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test('has a subpath export for each folder of src with an index, and nothing else', () => {
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(join(root, 'src', entry.name, 'index.ts')))
      .map((entry) => `./${entry.name}`);
    expect(folders.length).toBeGreaterThan(15);
    expect(Object.keys(manifest.exports).sort()).toEqual(['.', './batch-worker', './package.json', ...folders].sort());
  });

  test('says what it is', () => {
    expect(manifest).toMatchObject({ name: 'nearfield', license: 'MIT', type: 'module', sideEffects: false });
    expect(manifest.engines.node).toBe('>=20');
  });
});
