// The documentation site builds: no dead link, no text that its templates misread, examples with a button, a search index.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { expect, test } from 'vitest';

const docs = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'docs');

test('the site builds', async () => {
  const outDir = mkdtempSync(join(tmpdir(), 'nearfield-site-'));
  try {
    await build(docs, { outDir });
    const page = readFileSync(join(outDir, 'proximity.html'), 'utf8');
    expect(page.match(/class="live-example"/g)?.length).toBeGreaterThan(3);
    expect(page).toContain('lab/pictures/proximity/');
    expect(readFileSync(join(outDir, 'index.html'), 'utf8')).toContain('Every proximity question');
    const chunks = readdirSync(join(outDir, 'assets/chunks'));
    expect(chunks.some((name) => name.includes('localSearchIndex'))).toBe(true);
  } finally {
    rmSync(outDir, { recursive: true });
  }
});
