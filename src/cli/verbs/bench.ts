import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { NearfieldError } from '../../core/errors.js';
import { reportProgress } from '../../core/progress.js';
import { takeString } from '../arguments.js';
import { saveBytes } from '../load-model.js';
import { columns } from '../table.js';
import type { Verb } from '../verb.js';

/** The built benchmarks: `bench/main.ts` of the repository, in dist/bench. */
const SUITES = join(dirname(fileURLToPath(import.meta.url)), '../../bench/main.js');

/** What a suite prints: the interface between `bench/` and the command. */
interface BenchTable {
  readonly title: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly notes?: readonly string[];
}

interface BenchModule {
  readonly suites: readonly { readonly name: string; readonly title: string }[];
  runSuites(
    names: readonly string[],
    options: { quick: boolean; onProgress?: (fraction: number, stage: string) => void },
  ): Promise<{ machine: object; date: string; results: { suite: string; tables: BenchTable[] }[] }>;
}

export const bench: Verb = {
  name: 'bench',
  summary: 'benchmarks this library against its peers on this machine',
  usage: 'bench [SUITE …]',
  help: `Runs the named suites, or all of them. Peers that are not installed are skipped and listed.
  --list                list the suites
  --quick               fewer repetitions: a first impression, not for publication
  -o, --output F.json   also write the results to a file

  nearfield bench mesh --quick`,
  options: {
    list: { type: 'boolean' },
    quick: { type: 'boolean' },
    output: { type: 'string', short: 'o' },
  },
  async run(input) {
    if (!existsSync(SUITES)) {
      throw new NearfieldError('unsupported', 'the benchmarks are not built: run npm run build in a checkout');
    }
    const module: BenchModule = await import(/* @vite-ignore */ pathToFileURL(SUITES).href);
    const known = module.suites.map((suite) => suite.name);
    if (input.values.list) {
      return {
        json: { suites: module.suites.map(({ name, title }) => ({ name, title })) },
        text: columns(
          ['suite', 'what it measures'],
          module.suites.map(({ name, title }) => [name, title]),
        ),
      };
    }
    for (const name of input.positionals) {
      if (!known.includes(name)) {
        throw new NearfieldError('bad-argument', `there is no suite "${name}"; the suites are ${known.join(', ')}`);
      }
    }
    const outcome = await module.runSuites(input.positionals.length > 0 ? input.positionals : known, {
      quick: input.values.quick === true,
      onProgress: (fraction, stage) => reportProgress(input.progress, fraction, stage),
    });
    const output = takeString(input, 'output');
    if (output !== null) await saveBytes(output, new TextEncoder().encode(`${JSON.stringify(outcome, null, 2)}\n`));
    return {
      json: outcome,
      text: outcome.results
        .flatMap(({ tables }) => tables)
        .map(({ title, headings, rows, notes = [] }) => [title, columns(headings, rows), ...notes].join('\n'))
        .join('\n\n'),
    };
  },
};
