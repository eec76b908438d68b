// npm run bench: builds, runs every suite, writes bench/results/*.json and docs/benchmarks.md from them, so that every
// figure a page quotes was written by the benchmark. Name suites to run only those: npm run bench -- mesh
// npm run bench -- stale lists the records whose chapters have changed since they were made; npm run bench -- page writes the
// page from the records alone, which may come from other machines. --processes N runs the parts of a suite N at a time, each
// in a process of its own, on machines with at least as many idle cores.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measuredCommit, staleRecords } from './stale-records.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const results = join(root, 'bench/results');
const build = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--library'], { stdio: 'inherit' });
if (build.status !== 0) process.exit(build.status ?? 1);

const { suites, runSuites } = await import('../dist/bench/main.js');
const words = process.argv.slice(2);
if (words.includes('stale')) {
  for (const { record, since, changed } of staleRecords(root, suites)) console.log(`${record}: ${since}; ${changed}`);
  process.exit(0);
}
if (words.includes('page')) {
  writeFileSync(join(root, 'docs/benchmarks.md'), page());
  process.exit(0);
}
const quick = words.includes('--quick');
const at = words.indexOf('--processes');
const processes = at < 0 ? undefined : Number(words.splice(at, 2)[1]);
if (processes !== undefined && !(Number.isInteger(processes) && processes > 0)) {
  console.error('--processes needs a count of processes, for example --processes 8.');
  process.exit(2);
}
const names = words.filter((word) => !word.startsWith('-'));
const chosen = suites.filter((suite) => names.length === 0 || names.includes(suite.name));
if (chosen.length === 0) {
  console.error(`No suite has this name; the suites are ${suites.map((suite) => suite.name).join(', ')}.`);
  process.exit(2);
}
mkdirSync(results, { recursive: true });
for (const suite of chosen) {
  console.log(`── ${suite.title}`);
  const onProgress = process.stderr.isTTY
    ? (fraction, stage) => process.stderr.write(`\r\x1b[2K${Math.round(100 * fraction)} % ${stage}`)
    : undefined;
  const outcome = await runSuites([suite.name], { quick, onProgress, processes });
  for (const { tables } of outcome.results) {
    for (const table of tables) console.log(`\n${markdown(table)}`);
  }
  // A quick run gives a first impression: only full runs are saved and quoted.
  const record = { commit: measuredCommit(root), ...outcome };
  if (!quick) writeFileSync(join(results, `${suite.name}.json`), `${JSON.stringify(record, null, 2)}\n`);
}
if (!quick) writeFileSync(join(root, 'docs/benchmarks.md'), page());

function markdown({ title, headings, rows, notes = [] }) {
  const numeric = headings.map((_, column) => rows.every((row) => /^(-?[\d.]|–|$)/.test(row[column] ?? '')));
  return [
    `### ${title}`,
    '',
    `| ${headings.join(' | ')} |`,
    `|${numeric.map((right) => (right ? '--:' : '---')).join('|')}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    ...(notes.length > 0 ? ['', ...notes] : []),
    '',
  ].join('\n');
}

function page() {
  const parts = suites.map((suite) => {
    const file = readdirSync(results).find((name) => name === `${suite.name}.json`);
    if (!file) return '';
    const { commit, machine, date, results: outcome } = JSON.parse(readFileSync(join(results, file), 'utf8'));
    const where = `${machine.processor}, ${machine.cores} cores, ${machine.platform}, Node ${machine.node}, ${date}${commit === undefined ? '' : `, commit ${commit}`}. One thread.`;
    return [`## ${suite.title}`, '', where, '', ...outcome.flatMap(({ tables }) => tables).map(markdown)].join('\n');
  });
  return `# Benchmarks

Written by \`npm run bench\`; do not edit by hand. Times are medians of interleaved runs after a warm-up. Machines differ
and drift: compare ratios within a table, not times between tables.

${parts.filter(Boolean).join('\n')}`;
}
