// The nearfield command: finds the verb, parses its options, prints its answer. docs/command.md documents the output
// and the exit codes. It leaves the process as it is, so one process can run many commands.
import { parseArgs } from 'node:util';
import { NearfieldError } from '../core/errors.js';
import { printWarning } from './print-warning.js';
import { progressBar } from './progress-bar.js';
import { onOneLine } from './table.js';
import type { Verb, VerbInput } from './verb.js';
import { version } from './version.js';
import { writeJson } from './write-json.js';

/** The verbs in the order of the overview, each loaded when it is asked for: one verb needs a part of the library. */
const loadVerb: Readonly<Record<string, () => Promise<Verb>>> = {
  info: async () => (await import('./verbs/info.js')).info,
  measure: async () => (await import('./verbs/measure.js')).measure,
  penetration: async () => (await import('./verbs/penetration.js')).penetration,
  pivot: async () => (await import('./verbs/pivot.js')).pivot,
  impact: async () => (await import('./verbs/impact.js')).impact,
  replay: async () => (await import('./verbs/replay.js')).replay,
  clash: async () => (await import('./verbs/clash.js')).clash,
  sweep: async () => (await import('./sweep/sweep.js')).sweep,
  cull: async () => (await import('./verbs/cull.js')).cull,
  separate: async () => (await import('./verbs/separate.js')).separate,
  simulate: async () => (await import('./verbs/simulate.js')).simulate,
  plan: async () => (await import('./verbs/plan.js')).plan,
  certify: async () => (await import('./certify/certify.js')).certify,
  field: async () => (await import('./verbs/field.js')).field,
  voronoi: async () => (await import('./verbs/voronoi.js')).voronoi,
  ice: async () => (await import('./verbs/ice.js')).ice,
  hull: async () => (await import('./verbs/hull.js')).hull,
  decompose: async () => (await import('./verbs/decompose.js')).decompose,
  fracture: async () => (await import('./verbs/fracture.js')).fracture,
  repair: async () => (await import('./verbs/repair.js')).repair,
  solidify: async () => (await import('./verbs/solidify.js')).solidify,
  tetrahedralize: async () => (await import('./verbs/tetrahedralize.js')).tetrahedralize,
  offset: async () => (await import('./verbs/offset.js')).offset,
  convert: async () => (await import('./verbs/convert.js')).convert,
  worker: async () => (await import('./cluster/worker.js')).worker,
  models: async () => (await import('./verbs/models.js')).models,
  demo: async () => (await import('./demo/demo.js')).demo,
  bench: async () => (await import('./verbs/bench.js')).bench,
  lab: async () => (await import('./verbs/lab.js')).lab,
};

/** Runs one command line without the program's name, and returns its exit code. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(await describeVerbs());
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${version}\n`);
    return 0;
  }
  if (!Object.hasOwn(loadVerb, name)) {
    return fail(`there is no verb "${name}"; the verbs are ${Object.keys(loadVerb).join(', ')}`);
  }
  const verb = await loadVerb[name]();
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
      if (parsed.values.json) await writeJson(process.stdout, answer.json);
      else process.stdout.write(`${answer.text}\n`);
    }
    return answer?.exitCode ?? 0;
  } catch (error) {
    bar.clear();
    if (error instanceof NearfieldError) return fail(error.message, parsed.positionals, error.location.file);
    const what = String(error instanceof Error ? error.stack : error);
    process.stderr.write(`nearfield: internal error: ${hidePasswords(what)}\n`);
    return 1;
  }
}

async function describeVerbs(): Promise<string> {
  const verbs = await Promise.all(Object.values(loadVerb).map((load) => load()));
  return `nearfield ${version}: proximity questions about shapes, each answer with its error.

usage: nearfield VERB … [--json] [--help]

${verbs.map((verb) => `  ${verb.name.padEnd(16)}${verb.summary}`).join('\n')}

nearfield VERB --help lists the arguments and options of a verb.
`;
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
  process.stderr.write(`nearfield: ${hidePasswords(`${prefix}${line}`)}\n`);
  return 2;
}

/** Addresses that were typed in the wrong place are printed without user and password. */
function hidePasswords(text: string): string {
  return text.replace(/(\w:\/\/)\S*@/g, '$1');
}
