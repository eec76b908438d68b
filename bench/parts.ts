// The parts of a suite: pieces of work that need nothing of each other. They run one after the other in the process of the
// suite, or, on a machine of many cores, each in a process of its own and several at a time, which takes a fraction of the time.
import { spawn } from 'node:child_process';
import { deserialize, serialize } from 'node:v8';
import type { RunPart, Suite, SuiteContext } from './suite.js';

/** Runs parts here, in the order in which they were asked for. */
export function oneByOne(): RunPart {
  let last: Promise<unknown> = Promise.resolve();
  return async <T>(_name: string, run: () => T | Promise<T>): Promise<T> => {
    const turn = last.then(run);
    last = turn.catch(() => undefined);
    return turn;
  };
}

/**
 * Runs parts in new processes, no more than `processes` at a time.
 * @param module the built file that exports `answerPart`.
 */
export function inProcesses(module: string, suite: string, quick: boolean, processes: number): RunPart {
  let free = processes;
  const waiting: (() => void)[] = [];
  return async <T>(name: string): Promise<T> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free--;
    try {
      return (await runElsewhere(module, suite, name, quick)) as T;
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}

function runElsewhere(module: string, suite: string, part: string, quick: boolean): Promise<unknown> {
  const words = [suite, part, quick].map((word) => JSON.stringify(word)).join(', ');
  const code = `const { answerPart } = await import(${JSON.stringify(module)}); await answerPart(${words});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      if (status !== 0) reject(new Error(`the part "${part}" of ${suite} ended with ${status}`));
      else resolve(deserialize(Buffer.from(Buffer.concat(chunks).toString('latin1'), 'base64')));
    });
  });
}

/** Runs one part of a suite and writes what it gave to the output, as {@link inProcesses} reads it. */
export async function answerOnePart(suite: Suite, part: string, quick: boolean): Promise<void> {
  const result = await new Promise<unknown>((resolve, reject) => {
    const context: SuiteContext = {
      quick,
      progress: () => undefined,
      // Other parts are left waiting: this process ends with its own.
      part: <T>(name: string, run: () => T | Promise<T>) =>
        new Promise<T>(() => {
          if (name === part) Promise.resolve().then(run).then(resolve, reject);
        }),
    };
    suite.run(context).catch(reject);
  });
  const text = serialize(result).toString('base64');
  await new Promise<void>((resolve) => process.stdout.write(text, () => resolve()));
  process.exit(0);
}
