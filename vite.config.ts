// Builds the library: one module out for each module in, so that bundlers drop what an application does not use.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const manifest = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const chapters = Object.keys(manifest.exports)
  .filter((name) => name.startsWith('./') && name !== './package.json')
  .map((name) => name.slice(2));
const source = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url));

export default defineConfig({
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    target: 'es2022',
    minify: false,
    sourcemap: true,
    lib: {
      entry: {
        index: source('index.ts'),
        ...Object.fromEntries(chapters.map((chapter) => [`${chapter}/index`, source(`${chapter}/index.ts`)])),
        'cli/main': source('cli/main.ts'),
      },
      formats: ['es'],
    },
    rolldownOptions: {
      external: [/^node:/, ...Object.keys(manifest.dependencies), 'webgpu'],
      output: { preserveModules: true, preserveModulesRoot: 'src', entryFileNames: '[name].js' },
    },
  },
});
