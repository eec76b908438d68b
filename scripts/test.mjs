// npm test: checks the requirements of the tests, builds what is not fresh, checks types and style, runs every test, and
// ends with one line of counts. Arguments go to Vitest (npm test -- tests/core).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureRequirements, softwareVulkanEnvironment } from './requirements.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const started = Date.now();

function step(title, file, ...args) {
  console.log(`\n── ${title}`);
  const env = { ...process.env, ...softwareVulkanEnvironment() };
  const { status } = spawnSync(process.execPath, [join(root, file), ...args], { cwd: root, stdio: 'inherit', env });
  return status ?? 1;
}

function stopUnless(ok, title) {
  if (ok) return;
  console.error(`\nnearfield: ${title} failed; the tests did not run.`);
  process.exit(1);
}

try {
  ensureRequirements();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
stopUnless(step('build', 'scripts/build.mjs', '--if-stale') === 0, 'the build');
// The browser tests need not build the page once more.
process.env.NEARFIELD_LAB = join(root, 'dist/lab');
stopUnless(step('style', 'node_modules/@biomejs/biome/bin/biome', 'check', '.') === 0, 'the style check');
stopUnless(step('types', 'node_modules/typescript/bin/tsc', '--noEmit') === 0, 'the type check');
// The sources were checked just now: the lab is checked against their declarations, as applications are.
stopUnless(
  step('types of the lab', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'lab/tsconfig.declarations.json') === 0,
  'the type check',
);

const folder = mkdtempSync(join(tmpdir(), 'nearfield-test-'));
const report = join(folder, 'report.json');
const status = step(
  'tests',
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...process.argv.slice(2),
);
const counts = JSON.parse(readFileSync(report, 'utf8'));
rmSync(folder, { recursive: true });
const skipped = counts.numPendingTests + counts.numTodoTests;
console.log(`\n${Math.round((Date.now() - started) / 1000)} s in all`);
console.log(
  `${counts.numPassedTests} passed, ${counts.numFailedTests} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
);
process.exit(status !== 0 ? status : counts.numFailedTests > 0 || counts.numPassedTests === 0 ? 1 : 0);
