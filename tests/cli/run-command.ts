import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command (npm test builds it first) with no terminal, as programs do. */
export function runCommand(...args: string[]): CommandResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return { code: status ?? -1, stdout, stderr };
}

/** Runs with --json and parses the one document that standard output must hold. */
export function runJson<T = Record<string, unknown>>(...args: string[]): T {
  const { code, stdout, stderr } = runCommand(...args, '--json');
  if (code !== 0) throw new Error(`nearfield ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}
