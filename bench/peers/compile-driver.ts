// Compiles the driver of a peer in C++ into the system's temporary folder, once for each version of its source.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The compiled driver, or the reason why it is missing. */
export type PeerDriver = { readonly file: string } | { readonly missing: string };

/** @param peer its name for people; `name` is that of the file. */
export function compileDriver(peer: string, name: string, source: string, flags: readonly string[]): PeerDriver {
  const hash = createHash('sha256').update(source).update(flags.join(' ')).digest('hex').slice(0, 16);
  const folder = join(tmpdir(), 'nearfield-bench');
  const file = join(folder, `${name}-${hash}`);
  if (existsSync(file)) return { file };
  mkdirSync(folder, { recursive: true });
  const code = join(folder, `${name}-${hash}.cpp`);
  writeFileSync(code, source);
  const unfinished = `${file}.${process.pid}`;
  const compiled = spawnSync('g++', ['-O2', code, '-o', unfinished, ...flags], { encoding: 'utf8' });
  if (compiled.error) return { missing: `There is no g++, so ${peer} was left out.` };
  if (compiled.status !== 0)
    return { missing: `The ${peer} driver does not compile: ${compiled.stderr.slice(0, 300)}` };
  renameSync(unfinished, file);
  return { file };
}
