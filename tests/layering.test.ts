// A folder of src imports only itself and the folders before it; no index.ts is imported from inside src; Node
// built-ins stay in cli/ and cluster/; robust-predicates stays in core/exact/; lab and bench import the package by name only.
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { LAYERS } from './layers.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** A folder with more files than this has subfolders that show its parts. */
const MAX_FILES = 25;

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.m?ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function importsOf(file: string): string[] {
  return specifiersIn(readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''));
}

function specifiersIn(text: string): string[] {
  const pattern =
    /(?:^|[\s;}])(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;
  return [...text.matchAll(pattern)].map((match) => match[1] ?? match[2]);
}

/** The files of src by path, with the files that each imports; types alone leave no import behind and may be left out. */
function importGraph(files: readonly string[], withTypes: boolean): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  for (const file of files) {
    let text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    if (!withTypes) text = dropTypeImports(text);
    const targets = specifiersIn(text)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => relative(root, resolve(dirname(file), specifier)).replace(/\.js$/, '.ts'));
    graph.set(relative(root, file), targets);
  }
  return graph;
}

/** Leaves out imports and exports of types, also those of types only within braces. */
function dropTypeImports(text: string): string {
  return text
    .replace(/(?:import|export)\s+type\s[^'"`;]*?\sfrom\s['"][^'"]+['"]/g, '')
    .replace(/(?:import|export)\s*\{\s*(?:type\s+[^,}]+,?\s*)+\}\s*from\s*['"][^'"]+['"]/g, '');
}

/** The first cycle found on each way down from a file, as a list of paths that begins and ends with the same one. */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (file: string): void => {
    const at = way.indexOf(file);
    if (at >= 0) cycles.push([...way.slice(at), file].join(' → '));
    if (at >= 0 || done.has(file)) return;
    way.push(file);
    for (const target of graph.get(file) ?? []) visit(target);
    way.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return cycles;
}

/** What the imports of values below a file reach, itself included. */
function reachedFrom(graph: ReadonlyMap<string, readonly string[]>, entry: string): string[] {
  const reached = new Set([entry]);
  // A set visits what is added while it is walked.
  for (const file of reached) for (const target of graph.get(file) ?? []) reached.add(target);
  return [...reached];
}

/** Folders below src with too many files of their own. */
function crowdedFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > MAX_FILES).map(([folder, count]) => `${folder} has ${count} files`);
}

function isBuiltin(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

/** What breaks the rules in one file of src. */
function faultsOf(file: string, imports: readonly string[]): string[] {
  const path = relative(join(root, 'src'), file);
  const folder = path.split('/')[0];
  const faults: string[] = [];
  for (const specifier of imports) {
    if (isBuiltin(specifier)) {
      if (folder !== 'cli' && folder !== 'cluster') faults.push(`${path} imports the Node built-in ${specifier}`);
      continue;
    }
    if (specifier === 'robust-predicates' && !path.startsWith('core/exact/'))
      faults.push(`${path} imports robust-predicates past core/exact, which is safe from underflow`);
    if (!specifier.startsWith('.')) continue;
    const target = relative(join(root, 'src'), resolve(dirname(file), specifier));
    const targetFolder = target.split('/')[0];
    if (!specifier.endsWith('.js') && !specifier.includes('?raw'))
      faults.push(`${path} imports ${specifier} without .js`);
    if (target.startsWith('..')) faults.push(`${path} imports ${specifier} from outside src`);
    if (path === 'index.ts') continue;
    if (/(^|\/)index\.js$/.test(target)) faults.push(`${path} imports the index ${specifier}`);
    // The public surface of a subpath may offer names of higher chapters too; nothing imports it from inside.
    if (path === `${folder}/index.ts`) continue;
    if (LAYERS.indexOf(targetFolder) > LAYERS.indexOf(folder)) faults.push(`${path} imports upward: ${specifier}`);
  }
  return faults;
}

/** Variables of modules that hold nothing derived from what callers give: a driver's handle, and a constant table. */
const ALLOWED_VARIABLES = ['gpu/device.ts: dawn', 'field/isosurface/cell-cases.ts: table'];

/** The variables at the top of a module that can change: caches, scratch and state, which belong to objects instead. */
function changingVariables(path: string, text: string): string[] {
  const kinds =
    '(?:Weak)?(?:Map|Set)|Array|(?:Float|Int|Uint|BigInt|BigUint)\\d+(?:Clamped)?Array|ArrayBuffer|DataView';
  // With content given at once a collection is a constant table.
  const empty = new RegExp(`^new (?:${kinds})(?:<.*>)?\\((?:\\)|[\\w\\s*.+-]*\\))`);
  const found: string[] = [];
  for (const [, keyword, name, rest] of text.matchAll(/^(?:export )?(const|let|var) (\w+)(.*)/gm)) {
    const value = rest.slice(rest.indexOf(' = ') + 3);
    if (keyword === 'const' && !empty.test(value) && !/^(?:\[\]|\{\});/.test(value)) continue;
    if (!ALLOWED_VARIABLES.includes(`${path}: ${name}`)) found.push(`${path}: ${name}`);
  }
  return found;
}

describe('layering', () => {
  const files = sourcesBelow('src');

  test('every folder of src is a known layer', () => {
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    expect(folders.filter((folder) => !LAYERS.includes(folder))).toEqual([]);
  });

  test('imports go down only', () => {
    expect(files.length).toBeGreaterThan(30);
    expect(files.flatMap((file) => faultsOf(file, importsOf(file)))).toEqual([]);
  });

  test('an index has exports only', () => {
    const withCode = files
      .filter((file) => file.endsWith('/index.ts'))
      .filter((file) => {
        const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
        return text.replace(/export [^'"]*? from '[^']+';/g, '').trim() !== '';
      });
    expect(withCode).toEqual([]);
  });

  test('imports of values form no cycle', () => {
    expect(findCycles(importGraph(files, false))).toEqual([]);
  });

  test('a rigid world and penetration on the CPU bring no rasterizer and no code for devices', () => {
    const graph = importGraph(files, false);
    const forGpu = (path: string): boolean =>
      /^src\/(gpu|raster)\/|\.wgsl/.test(path) || /-gpu\.ts$/.test(path) || path.includes('/gpu/');
    for (const entry of ['src/dynamics/world.ts', 'src/penetration/measure-on-cpu.ts']) {
      const reached = reachedFrom(graph, entry);
      expect(reached.length, entry).toBeGreaterThan(100);
      expect(reached.filter(forGpu), entry).toEqual([]);
    }
    // The rule finds them where they are.
    const withGpu = reachedFrom(graph, 'src/penetration/measure-penetration.ts');
    for (const pattern of [/^src\/gpu\//, /^src\/raster\/gpu\//, /^src\/penetration\/gpu\//, /\.wgsl/]) {
      expect(withGpu.some((path) => pattern.test(path) && forGpu(path))).toBe(true);
    }
    expect(
      reachedFrom(
        new Map([
          ['a', ['b']],
          ['b', ['a', 'c']],
          ['d', []],
        ]),
        'a',
      ),
    ).toEqual(['a', 'b', 'c']);
  });

  test('large folders have subfolders', () => {
    expect(crowdedFolders(files.map((file) => relative(root, file)))).toEqual([]);
  });

  test('cycles and crowds are found', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', ['a']],
      ['d', ['d']],
      ['e', ['b']],
    ]);
    expect(findCycles(graph)).toEqual(['a → b → c → a', 'd → d']);
    expect(
      findCycles(
        new Map([
          ['a', ['b', 'c']],
          ['b', ['c']],
          ['c', []],
        ]),
      ),
    ).toEqual([]);
    const text = `
      import type { A } from './a.js';
      import { type B, type C } from './b.js';
      import { type D, d } from './d.js';
      export type { E } from './e.js';
      export { f } from './f.js';`;
    expect(specifiersIn(dropTypeImports(text))).toEqual(['./d.js', './f.js']);
    expect(specifiersIn(text)).toEqual(['./a.js', './b.js', './d.js', './e.js', './f.js']);
    const many = Array.from({ length: MAX_FILES }, (_, i) => `src/mesh/${i}.ts`);
    expect(crowdedFolders(many)).toEqual([]);
    expect(crowdedFolders([...many, 'src/mesh/more.ts', 'src/mesh/part/one.ts'])).toEqual([
      `src/mesh has ${MAX_FILES + 1} files`,
    ]);
  });

  test('the rules find what they should', () => {
    const file = join(root, 'src/mesh/probe.ts');
    expect(faultsOf(file, ['../io/obj.js'])).toHaveLength(1);
    expect(faultsOf(file, ['../core/index.js'])).toHaveLength(1);
    expect(faultsOf(file, ['node:fs'])).toHaveLength(1);
    expect(faultsOf(file, ['../core/vec3'])).toHaveLength(1);
    expect(faultsOf(file, ['../../tests/x.js'])).toHaveLength(1);
    expect(faultsOf(file, ['robust-predicates'])).toHaveLength(1);
    expect(faultsOf(join(root, 'src/core/exact/probe.ts'), ['robust-predicates'])).toEqual([]);
    expect(faultsOf(file, ['../core/vec3.js', './mesh.js', 'fflate'])).toEqual([]);
    expect(importsOf(join(root, 'src/mesh/mesh.ts'))).toEqual(['../core/errors.js', '../core/tolerances.js']);
  });

  test('no module keeps caches or scratch of its own', () => {
    const found = files.flatMap((file) =>
      changingVariables(relative(join(root, 'src'), file), readFileSync(file, 'utf8')),
    );
    expect(found).toEqual([]);
    const probes = [
      'const known = new WeakMap<Model, Data>();',
      'const known = new WeakMap<Model, WeakMap<Model, Data>>();',
      'export const known: Map<string, number> = new Map();',
      'const scratch = new Float64Array(3 * 64);',
      'const found: number[] = [];',
      'let last: Model | null = null;',
      'let last;',
    ];
    for (const probe of probes) expect(changingVariables('a.ts', probe), probe).toHaveLength(1);
    const constants = ['const NAMES = new Set(["a"]);', 'const AXES = Float64Array.of(1, 0, 0);', 'const ONE = [1];'];
    for (const constant of constants) expect(changingVariables('a.ts', constant), constant).toEqual([]);
  });

  test('the lab and the benchmarks import the package by name', () => {
    const outside = [...sourcesBelow('lab'), ...sourcesBelow('bench')].filter(
      (file) => !file.endsWith('vite.config.ts'),
    );
    const faults = outside.flatMap((file) =>
      importsOf(file)
        .filter(
          (specifier) =>
            specifier.startsWith('.') && relative(root, resolve(dirname(file), specifier)).startsWith('src/'),
        )
        .map((specifier) => `${relative(root, file)} imports ${specifier}`),
    );
    expect(outside.length).toBeGreaterThan(5);
    expect(faults).toEqual([]);
  });
});
