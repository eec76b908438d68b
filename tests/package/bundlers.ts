// An application's script bundled for the browser and minified by each of the usual bundlers, with their defaults.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import commonjs from '@rollup/plugin-commonjs';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import * as esbuild from 'esbuild';
import { rollup } from 'rollup';
import { build as buildWithVite } from 'vite';
import webpack from 'webpack';

interface Chunk {
  readonly code: string;
  /** Files that it loads at once; those that it loads later, on demand, are not among them. */
  readonly imports: readonly string[];
}

/** The files of a bundle by name; a page loads entry.js. */
export type Bundle = ReadonlyMap<string, Chunk>;
export type Bundler = (folder: string, script: string) => Promise<Bundle>;

/** The code that a page loads at once. */
export function loadedAtOnce(bundle: Bundle): string {
  const names = new Set(['entry.js']);
  for (const name of names) {
    for (const target of bundle.get(name)?.imports ?? []) if (bundle.has(target)) names.add(target);
  }
  return [...names].map((name) => bundle.get(name)?.code ?? '').join('\n');
}

/** What the application has anyway. */
const EXTERNAL = ['three', 'react'];

async function withEsbuild(folder: string, script: string): Promise<Bundle> {
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: folder,
    entryPoints: [script],
    entryNames: 'entry',
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    metafile: true,
    write: false,
    external: EXTERNAL,
    logLevel: 'silent',
  });
  return new Map(
    Object.entries(metafile.outputs).map(([path, { imports }], at) => {
      const atOnce = imports.filter(({ kind }) => kind === 'import-statement');
      return [basename(path), { code: outputFiles[at].text, imports: atOnce.map((target) => basename(target.path)) }];
    }),
  );
}

/** Rollup has no minifier of its own: esbuild minifies what it writes. */
async function withRollup(folder: string, script: string): Promise<Bundle> {
  const bundle = await rollup({
    input: join(folder, script),
    external: EXTERNAL,
    plugins: [nodeResolve({ browser: true }), commonjs()],
    onwarn: (warning) => {
      throw new Error(warning.message);
    },
  });
  const { output } = await bundle.generate({ format: 'es', entryFileNames: 'entry.js' });
  const minified = new Map<string, Chunk>();
  for (const [name, { code, imports }] of chunksOf(output)) {
    minified.set(name, { code: (await esbuild.transform(code, { minify: true, format: 'esm' })).code, imports });
  }
  return minified;
}

async function withVite(folder: string, script: string): Promise<Bundle> {
  const outcome = await buildWithVite({
    root: folder,
    logLevel: 'error',
    configFile: false,
    build: {
      write: false,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: join(folder, script),
        external: EXTERNAL,
        output: { entryFileNames: 'entry.js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  const { output } = (Array.isArray(outcome) ? outcome[0] : outcome) as { output: readonly OutputFile[] };
  return chunksOf(output);
}

async function withWebpack(folder: string, script: string): Promise<Bundle> {
  const out = join(folder, 'webpack');
  rmSync(out, { recursive: true, force: true });
  const compiler = webpack({
    mode: 'production',
    target: 'web',
    context: folder,
    entry: `./${script}`,
    output: { path: out, filename: 'entry.js', module: true, chunkFormat: 'module' },
    experiments: { outputModule: true },
    externals: Object.fromEntries(EXTERNAL.map((name) => [name, `module ${name}`])),
    performance: false,
  });
  const stats = await new Promise<webpack.Stats>((resolve, reject) => {
    compiler.run((error, done) => (done ? resolve(done) : reject(error)));
  });
  await new Promise((resolve) => compiler.close(resolve));
  if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString('errors-warnings'));
  const files = readdirSync(out).filter((name) => name.endsWith('.js'));
  return new Map(files.map((name) => [name, { code: readFileSync(join(out, name), 'utf8'), imports: [] }]));
}

interface OutputFile {
  readonly type: string;
  readonly fileName: string;
  readonly code?: string;
  readonly imports?: readonly string[];
}

function chunksOf(output: readonly OutputFile[]): Bundle {
  return new Map(output.map(({ fileName, code = '', imports = [] }) => [fileName, { code, imports }]));
}

/** In the order in which the documentation lists them. */
export const BUNDLERS: Readonly<Record<string, Bundler>> = {
  esbuild: withEsbuild,
  rollup: withRollup,
  webpack: withWebpack,
  Vite: withVite,
};
