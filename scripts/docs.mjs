// npm run docs: builds the documentation site into docs/.vitepress/dist: the API reference from the sources, the pages,
// the library that their examples run, and the lab. --serve then serves it; --pages leaves out all but the pages.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const site = join(root, 'docs/.vitepress/dist');
const require = createRequire(import.meta.url);
const pagesOnly = process.argv.includes('--pages');

function run(packageName, bin, ...args) {
  const manifestPath = join(root, 'node_modules', packageName, 'package.json');
  const { bin: bins } = require(manifestPath);
  const file = join(dirname(manifestPath), typeof bins === 'string' ? bins : bins[bin]);
  const { status } = spawnSync(process.execPath, [file, ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

console.log('nearfield: building the documentation …');
if (pagesOnly) writePlaceholders();
else {
  const markdown = [
    '--plugin',
    'typedoc-plugin-markdown',
    '--router',
    'module',
    '--readme',
    'none',
    '--hideBreadcrumbs',
  ];
  run('typedoc', 'typedoc', ...markdown, '--entryFileName', 'index', '--disableSources', '--excludeScopesInPaths');
}
writeFileSync(join(root, 'docs/changelog.md'), withSiteLinks(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')));
run('vitepress', 'vitepress', 'build', 'docs');
if (!pagesOnly) {
  run('vite', 'vite', 'build', '--logLevel', 'warn', '--config', 'docs/.vitepress/live.vite.config.ts');
  run('vite', 'vite', 'build', '--logLevel', 'warn', '--config', 'lab/vite.config.ts', '--outDir', join(site, 'lab'));
  cpSync(join(root, 'lab/scenes'), join(site, 'lab/pictures'), {
    recursive: true,
    filter: (path) => !path.endsWith('.ts'),
  });
  copyFileSync(join(root, 'lab/public/mark.svg'), join(site, 'mark.svg'));
}
console.log('nearfield: the documentation is in docs/.vitepress/dist');
if (process.argv.includes('--serve')) run('vitepress', 'vitepress', 'preview', 'docs');

/** The changelog is in the folder above the pages: its links to pages begin with docs/. */
function withSiteLinks(text) {
  return text.replaceAll('](docs/', '](');
}

/** Pages that TypeDoc would write, so that links to them are checked without it. */
function writePlaceholders() {
  mkdirSync(join(root, 'docs/api'), { recursive: true });
  writeFileSync(join(root, 'docs/api/index.md'), '# API reference\n');
}
