// DESIGN: a folder of src imports only itself and the folders before it; no index.ts is imported from inside src; Node
// built-ins stay in cli/; robust-predicates stays in core/exact/; lab and bench import the package by name only.
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const LAYERS = [
  'core',
  'gpu',
  'spatial',
  'mesh',
  'io',
  'convex',
  'decomposition',
  'proximity',
  'raster',
  'field',
  'penetration',
  'pivot',
  'culling',
  'elastic',
  'dynamics',
  'planning',
  'ice',
  'cli',
];

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.m?ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const pattern =
    /(?:^|[\s;}])(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;
  return [...text.matchAll(pattern)].map((match) => match[1] ?? match[2]);
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
      if (folder !== 'cli') faults.push(`${path} imports the Node built-in ${specifier}`);
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
    expect(importsOf(join(root, 'src/mesh/mesh.ts'))).toEqual(['../core/errors.js']);
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
