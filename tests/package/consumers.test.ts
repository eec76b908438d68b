// The packed package in other people's projects: imported and required in Node, and checked by the oldest, a middle and
// the newest TypeScript that are supported, strictly and without skipLibCheck.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import newest from 'typescript';
import oldest from 'typescript-5.4';
import middle from 'typescript-5.9';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectWithPackage, root } from './packed-package.js';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const subpaths = Object.keys(manifest.exports)
  .filter((name) => name !== './package.json')
  .map((name) => name.replace('.', 'nearfield'));

/** What was parsed, by the compiler's version, the module's kind and the file: programs that differ in more share it. */
const parsed = new Map<string, newest.SourceFile | undefined>();

/** A host that parses each file once for all programs. */
function hostThatRemembers(ts: typeof newest, options: newest.CompilerOptions): newest.CompilerHost {
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, version, ...rest) => {
    // The scripts differ from program to program.
    if (/use\.[cm]?ts$/.test(name)) return getSourceFile(name, version, ...rest);
    const key = `${ts.version} ${JSON.stringify(version)} ${name}`;
    if (!parsed.has(key)) parsed.set(key, getSourceFile(name, version, ...rest));
    return parsed.get(key);
  };
  return host;
}

const HOST = { getCanonicalFileName: String, getCurrentDirectory: () => '', getNewLine: () => '\n' };
const NEEDS_THREE = /three|react/;

let folder: string;
beforeAll(() => {
  folder = projectWithPackage(
    'robust-predicates',
    'saxes',
    'three',
    '@types/three',
    'react',
    '@react-three/fiber',
    '@types/react',
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('Node', () => {
  /** Node before 20.19 cannot require ES modules, and does not know the condition module-sync. */
  const OLD = '--no-experimental-require-module';

  function run(script: string, ...flags: string[]): unknown {
    writeFileSync(join(folder, 'script.cjs'), script);
    const node = [...flags, '--disable-warning=ExperimentalWarning', 'script.cjs'];
    return JSON.parse(execFileSync(process.execPath, node, { cwd: folder, encoding: 'utf8' }));
  }

  test('requires every subpath, old and new, with the names that import gives', () => {
    const script = `(async () => {
      const names = {};
      for (const path of PATHS) {
        const required = Object.keys(require(path)).filter((name) => name !== '__esModule').sort();
        const imported = Object.keys(await import(path)).filter((name) => name !== 'default').sort();
        names[path] = [required.length, required.join() === imported.join()];
      }
      console.log(JSON.stringify(names));
    })()`;
    const requireAll = (paths: readonly string[], ...flags: string[]) => {
      const found = run(script.replace('PATHS', JSON.stringify(paths)), ...flags) as Record<string, [number, boolean]>;
      for (const [path, [count, same]] of Object.entries(found)) {
        expect(count, path).toBeGreaterThan(0);
        expect(same, `${path} ${flags}`).toBe(true);
      }
    };
    requireAll(subpaths);
    // What three itself calls CommonJS requires an ES module.
    requireAll(
      subpaths.filter((path) => !NEEDS_THREE.test(path)),
      OLD,
    );
  });

  test('answers the same in CommonJS, through a pool of workers too', () => {
    const script = `const { BatchPool, findModel, measureDistance, ProximityModel, QueryBatch } = require('nearfield');
      const { Worker } = require('node:worker_threads');
      const models = ['cup', 'spoon'].map((name) => new ProximityModel(findModel(name).build()));
      const poses = [[0, 0, 0, 0, 0, 0, 1], [0, 0.6, 0, 0, 0, 0, 1]];
      const batch = new QueryBatch();
      batch.addDistance(0, 1, ...poses);
      const pool = new BatchPool([new Worker(require.resolve('nearfield/batch-worker'))]);
      pool.run(models, batch).then(({ distances }) => {
        pool.close();
        console.log(JSON.stringify([distances[0], measureDistance(...models, ...poses).distance]));
      });`;
    for (const flags of [[], [OLD]]) {
      const [pooled, direct] = run(script, ...flags) as [number, number];
      expect(pooled).toBe(direct);
      // The README's own example says the number.
      expect(direct.toFixed(4)).toBe('0.1090');
    }
  });

  test('one copy where Node can require ES modules; errors of two copies are instances of either', () => {
    const script = `const required = require('nearfield/core');
      import('nearfield/core').then((imported) => {
        const error = new imported.NearfieldError('bad-argument', '');
        class Special extends required.NearfieldError {}
        console.log(JSON.stringify({
          one: required.NearfieldError === imported.NearfieldError,
          instance: error instanceof required.NearfieldError,
          other: new Error('') instanceof required.NearfieldError,
          special: [error instanceof Special, new Special('bad-argument', '') instanceof Special],
        }));
      });`;
    const expected = { instance: true, other: false, special: [false, true] };
    expect(run(script)).toEqual({ one: true, ...expected });
    expect(run(script, OLD)).toEqual({ one: false, ...expected });
  });
});

describe.each([oldest, middle, newest].map((ts) => [ts.version, ts as unknown as typeof newest] as const))(
  'TypeScript %s',
  (_version, ts) => {
    const { Bundler, NodeNext } = ts.ModuleResolutionKind;
    const { ESNext, NodeNext: NodeNextModule } = ts.ModuleKind;
    test.each([
      ['nodenext', 'dom', NodeNext, NodeNextModule],
      ['nodenext', 'no dom', NodeNext, NodeNextModule],
      ['bundler', 'dom', Bundler, ESNext],
      ['bundler', 'no dom', Bundler, ESNext],
    ] as const)('%s, %s', (_name, dom, moduleResolution, module) => {
      // The types of three and React themselves need the DOM.
      const imported = subpaths.filter((path) => dom === 'dom' || !NEEDS_THREE.test(path));
      const files = moduleResolution === Bundler ? ['use.ts'] : ['use.mts', 'use.cts'];
      for (const file of files) writeFileSync(join(folder, file), useOf(imported));
      const options: newest.CompilerOptions = {
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        types: [],
        target: ts.ScriptTarget.ES2022,
        lib: dom === 'dom' ? ['lib.es2022.d.ts', 'lib.dom.d.ts'] : ['lib.es2022.d.ts'],
        moduleResolution,
        module,
      };
      const program = ts.createProgram(
        files.map((file) => join(folder, file)),
        options,
        hostThatRemembers(ts, options),
      );
      // The declarations of other packages are theirs to answer for, and take most of the time.
      const ours = program
        .getSourceFiles()
        .filter(({ fileName }) => /\/node_modules\/nearfield\/|\/use\./.test(fileName));
      expect(ours.length).toBeGreaterThan(50);
      const found = [
        ...program.getOptionsDiagnostics(),
        ...program.getGlobalDiagnostics(),
        ...ours.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
      ];
      expect(ts.formatDiagnostics(found, HOST)).toBe('');
    });
  },
);

/** A script that imports all of the paths, and fails to compile where types got lost. */
function useOf(paths: readonly string[]): string {
  return `${paths.map((path, at) => `import * as chapter${at} from '${path}';`).join('\n')}
    export const chapters: object[] = [${paths.map((_, at) => `chapter${at}`)}];
    import { measureDistance, type Mesh, ProximityModel } from 'nearfield';
    const model = new ProximityModel(null as unknown as Mesh);
    export const distance: number | null = measureDistance(model, model, [0], new Float32Array(7)).distance;
    // @ts-expect-error: a distance is a number.
    export const text: string = measureDistance(model, model, [0], [0]).distance;
    // @ts-expect-error: and a model is no mesh.
    new ProximityModel(model);
  `;
}
