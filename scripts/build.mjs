// Builds the package into dist/: the library as ES modules and as CommonJS, its declarations and the benchmarks, then
// (without --library) the lab's page. --if-stale builds of the two only what has a source newer than its last build: npx runs
// the prepare script each first time, and npm test comes after npm ci.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyDeclarations, keepReachable, rewriteDeclarations } from './declarations.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);
const libraryOnly = process.argv.includes('--library');

const MANIFESTS = ['package.json', 'package-lock.json', 'tsconfig.json'];
const LIBRARY_SOURCES = [
  ...['src', 'bench', 'scripts'],
  ...['tsconfig.build.json', 'vite.config.ts', 'commonjs.vite.config.ts', ...MANIFESTS],
];
/** The file of the library's build that is written last. */
const LAST_OF_LIBRARY = 'dist/bench/gpu-penetration.js';
/** The page shows scenes of the benchmarks, and pages of the documentation. */
const LAB_SOURCES = ['lab', 'src', 'bench', 'docs', 'scripts', ...MANIFESTS];

function run(packageName, bin, ...args) {
  const manifestPath = join(root, 'node_modules', packageName, 'package.json');
  const binPath = join(dirname(manifestPath), require(manifestPath).bin[bin]);
  const { status } = spawnSync(process.execPath, [binPath, ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(join(root, 'node_modules', 'vite'))) {
  // Installed without development dependencies (as a git dependency with --omit=dev): nothing to build with.
  console.error('nearfield: vite is not installed, so dist/ is not built; run npm ci with development dependencies.');
  process.exit(libraryOnly ? 0 : 1);
}
const ifStale = process.argv.includes('--if-stale');
if (!ifStale || !isFresh(LAST_OF_LIBRARY, LIBRARY_SOURCES)) buildLibrary();
if (!libraryOnly && (!ifStale || !isFresh('dist/lab/index.html', LAB_SOURCES))) {
  tell('the lab');
  run('vite', 'vite', 'build', '--logLevel', 'warn', '--config', 'lab/vite.config.ts');
}

function buildLibrary() {
  // The page is slow to build and has its own build step: building the library alone leaves it in place.
  for (const name of existsSync(join(root, 'dist')) ? readdirSync(join(root, 'dist')) : []) {
    if (!(libraryOnly && name === 'lab')) rmSync(join(root, 'dist', name), { recursive: true });
  }
  tell('the library');
  run('vite', 'vite', 'build', '--logLevel', 'warn');
  copyLicenses();
  tell('its declarations');
  // npm test checks the types itself, which takes longer than all else here; what is published is checked.
  run('typescript', 'tsc', '-p', 'tsconfig.build.json', ...(ifStale ? ['--noCheck'] : []));
  rewriteDeclarations(join(root, 'dist'));
  keepReachable(join(root, 'dist'), declarationEntries());
  copyDeclarations(join(root, 'dist'), join(root, 'dist/cjs'));
  tell('the library for require');
  run('vite', 'vite', 'build', '--logLevel', 'warn', '--config', 'commonjs.vite.config.ts');
  chmodSync(join(root, 'dist/cli/main.js'), 0o755);
  tell('the benchmarks');
  run('vite', 'vite', 'build', '--logLevel', 'warn', '--config', 'bench/vite.config.ts');
  run('vite', 'vite', 'build', '--logLevel', 'warn', '--config', 'bench/gpu.vite.config.ts');
}

function tell(part) {
  console.error(`nearfield: building ${part}`);
}

/** The packages whose code is in dist/bundled ask for their license beside it. */
function copyLicenses() {
  for (const name of ['@gltf-transform/core', 'property-graph']) {
    const folder = join(root, 'node_modules', name);
    const license = readdirSync(folder).find((file) => /^license/i.test(file));
    copyFileSync(join(folder, license), join(root, 'dist/bundled', name, 'LICENSE'));
  }
}

/** The declarations that the manifest's exports begin with, as paths within dist. */
function declarationEntries() {
  return Object.values(require(join(root, 'package.json')).exports)
    .filter((target) => typeof target === 'object')
    .map((target) => target.default.replace('./dist/', '').replace(/\.js$/, '.d.ts'));
}

/** Whether a file that was built is newer than all files and folders that it is built from. */
function isFresh(builtFile, sources) {
  const built = join(root, builtFile);
  if (!existsSync(built)) return false;
  const at = statSync(built).mtimeMs;
  const names = sources.flatMap((name) =>
    statSync(join(root, name)).isDirectory()
      ? [name, ...readdirSync(join(root, name), { recursive: true }).map((inside) => join(name, inside))]
      : [name],
  );
  return names.every((name) => statSync(join(root, name)).mtimeMs < at);
}
