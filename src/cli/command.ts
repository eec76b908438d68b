// The nearfield command: finds the verb, parses its options, prints its answer. docs/command.md documents the output
// and the exit codes. It leaves the process as it is, so one process can run many commands.
import { parseArgs } from 'node:util';
import { NearfieldError } from '../core/errors.js';
import { printWarning } from './print-warning.js';
import { progressBar } from './progress-bar.js';
import { onOneLine } from './table.js';
import type { Verb, VerbInput } from './verb.js';
import { bench } from './verbs/bench.js';
import { clash } from './verbs/clash.js';
import { convert } from './verbs/convert.js';
import { cull } from './verbs/cull.js';
import { decompose } from './verbs/decompose.js';
import { field } from './verbs/field.js';
import { fracture } from './verbs/fracture.js';
import { hull } from './verbs/hull.js';
import { impact } from './verbs/impact.js';
import { info } from './verbs/info.js';
import { lab } from './verbs/lab.js';
import { measure } from './verbs/measure.js';
import { models } from './verbs/models.js';
import { offset } from './verbs/offset.js';
import { penetration } from './verbs/penetration.js';
import { pivot } from './verbs/pivot.js';
import { repair } from './verbs/repair.js';
import { replay } from './verbs/replay.js';
import { separate } from './verbs/separate.js';
import { solidify } from './verbs/solidify.js';
import { voronoi } from './verbs/voronoi.js';
import { version } from './version.js';

const verbs: readonly Verb[] = [
  info,
  measure,
  penetration,
  pivot,
  impact,
  replay,
  clash,
  cull,
  separate,
  field,
  voronoi,
  hull,
  decompose,
  fracture,
  repair,
  solidify,
  offset,
  convert,
  models,
  bench,
  lab,
];

const overview = `nearfield ${version}: proximity questions about shapes, each answer with its error.

usage: nearfield VERB … [--json] [--help]

${verbs.map((verb) => `  ${verb.name.padEnd(12)}${verb.summary}`).join('\n')}

nearfield VERB --help lists the arguments and options of a verb.
`;

/** Runs one command line without the program's name, and returns its exit code. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(overview);
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${version}\n`);
    return 0;
  }
  const verb = verbs.find((candidate) => candidate.name === name);
  if (verb === undefined) {
    return fail(`there is no verb "${name}"; the verbs are ${verbs.map((v) => v.name).join(', ')}`);
  }
  let parsed: ReturnType<typeof parseVerb>;
  try {
    parsed = parseVerb(verb, rest);
  } catch (error) {
    return fail(`${(error as Error).message.replace(/\.$/, '')}; see nearfield ${verb.name} --help`);
  }
  if (parsed.values.help) {
    process.stdout.write(`usage: nearfield ${verb.usage} [--json]\n\n${verb.summary}\n\n${verb.help}\n`);
    return 0;
  }
  const bar = progressBar(process.stderr);
  try {
    const answer = await verb.run({ ...parsed, progress: { onProgress: bar.onProgress } });
    bar.clear();
    if (answer !== null) {
      for (const warning of answer.warnings ?? []) printWarning(warning);
      process.stdout.write(parsed.values.json ? `${JSON.stringify(answer.json)}\n` : `${answer.text}\n`);
    }
    return 0;
  } catch (error) {
    bar.clear();
    if (error instanceof NearfieldError) return fail(error.message, parsed.positionals, error.location.file);
    process.stderr.write(`nearfield: internal error: ${error instanceof Error ? error.stack : error}\n`);
    return 1;
  }
}

function parseVerb(verb: Verb, args: readonly string[]): Pick<VerbInput, 'positionals' | 'values'> {
  // A word such as -1,0,0 after --pose-a is a value, not an option: join it to the preceding option.
  const joined: string[] = [];
  for (const [index, word] of args.entries()) {
    const last = joined[joined.length - 1];
    if (last === '--') {
      // Nothing after it is an option.
      joined.push(...args.slice(index));
      break;
    }
    if (/^-[\d.]/.test(word) && last?.startsWith('--') && !last.includes('='))
      joined[joined.length - 1] = `${last}=${word}`;
    else joined.push(word);
  }
  return parseArgs({
    args: joined,
    allowPositionals: true,
    strict: true,
    options: { ...verb.options, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
}

/** Prints one line on standard error and returns 2, the exit code for bad input. */
function fail(message: string, positionals: readonly string[] = [], file?: string): number {
  const line = onOneLine(message);
  const name = file === undefined ? '' : onOneLine(file);
  const prefix = name !== '' && positionals.length > 0 && !line.includes(name) ? `${name}: ` : '';
  process.stderr.write(`nearfield: ${prefix}${line}\n`);
  return 2;
}
