// Which records of benchmarks no longer show the code as it is: those whose chapters changed after the commit they measured.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

function git(root, ...words) {
  const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}

/** The commit whose code is measured now, with a + where files of src differ from it. */
export function measuredCommit(root) {
  const commit = git(root, 'rev-parse', '--short', 'HEAD');
  return commit === '' ? undefined : `${commit}${git(root, 'status', '--porcelain', '--', 'src') === '' ? '' : '+'}`;
}

/**
 * The records that are missing or stale. A record that names no commit counts from the commit that wrote it.
 * @param suites with their names and chapters; records of GPUs, named `gpu-…`, have the chapters of the suite after that.
 */
export function staleRecords(root, suites) {
  const folder = join(root, 'bench/results');
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  const names = new Set([...suites.map(({ name }) => name), ...files.map((file) => file.slice(0, -'.json'.length))]);
  const stale = [];
  for (const record of names) {
    const suite = suites.find(({ name }) => name === record.replace(/^gpu-/, ''));
    if (suite === undefined) continue;
    const path = `bench/results/${record}.json`;
    if (!files.includes(`${record}.json`)) {
      stale.push({ record, since: 'never recorded', changed: 'run it' });
      continue;
    }
    const { commit, date } = JSON.parse(readFileSync(join(root, path), 'utf8'));
    const from = commit?.replace('+', '') ?? git(root, 'log', '-1', '--format=%h', '--', path);
    const folders = suite.chapters.map((chapter) => `src/${chapter}`);
    // Files that only moved do not count.
    const changes = git(root, 'diff', '--name-only', '--diff-filter=ADM', '-M95%', from, '--', ...folders);
    const count = changes === '' ? 0 : changes.split('\n').length;
    const since = `recorded ${date ?? ''} at ${from}`.replace('  ', ' ');
    if (count > 0) stale.push({ record, since, changed: `${count} files changed in ${suite.chapters.join(', ')}` });
  }
  return stale;
}
