// Builds the library: one module out for each module in, so that bundlers drop what an application does not use.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const manifest = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
// Chapters are folders with an index; what else the package exports are scripts of the command.
const subpaths = Object.keys(manifest.exports)
  .filter((name) => name.startsWith('./') && name !== './package.json')
  .map((name) => name.slice(2));
const moduleOf = (subpath: string) => (subpath === 'batch-worker' ? 'cli/batch-worker' : `${subpath}/index`);
const source = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url));

/** What goes into the package and what stays outside, the same for ES modules and CommonJS. */
export const library = {
  entry: {
    index: source('index.ts'),
    ...Object.fromEntries(subpaths.map((subpath) => [moduleOf(subpath), source(`${moduleOf(subpath)}.ts`)])),
    'cli/main': source('cli/main.ts'),
  } as Record<string, string>,
  external: [/^node:/, ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })],
};

export default defineConfig({
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    target: 'es2022',
    minify: false,
    lib: {
      entry: library.entry,
      formats: ['es'],
    },
    rolldownOptions: {
      external: library.external,
      output: {
        preserveModules: true,
        preserveModulesRoot: 'src',
        // npm packs no folder called node_modules.
        entryFileNames: ({ name }) => `${name.replace(/^.*?node_modules\//, 'bundled/')}.js`,
      },
    },
  },
});
