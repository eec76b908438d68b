import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';

/** The built command: npm test builds it first. */
export const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

const COMMAND = new URL('../../dist/cli/command.js', import.meta.url);

/** How long a command may take: against hangs only. */
const PATIENCE_MS = 1_200_000;

/** How long to wait for word of an answer before the port is looked at again. */
const LOOK_MS = 100;

/** How long what keeps a process alive may outlive the command's last word: workers take a while to end. */
const ENDING_MS = 60_000;

/** Dawn is left to processes: nothing says that it may be loaded in a worker, and it prints past the worker's streams. */
const WITHOUT_GPU = { ...process.env, VK_DRIVER_FILES: fileURLToPath(new URL('no-driver.json', import.meta.url)) };

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command as a process with no terminal, as programs do. */
export function runProcess(...args: string[]): CommandResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return { code: status ?? -1, stdout, stderr };
}

/**
 * Runs the command in a worker that has it loaded, without a GPU: a process takes half a second of computing to start. To leave
 * anything running is an error here too. process.test.ts compares the two.
 */
export function runCommand(...args: string[]): CommandResult {
  host ??= startHost();
  const { port, signal } = host;
  const id = ++asked;
  port.postMessage({ id, args });
  const until = Date.now() + PATIENCE_MS;
  while (Date.now() < until) {
    for (let answer = receiveMessageOnPort(port); answer !== undefined; answer = receiveMessageOnPort(port)) {
      if (answer.message.id === id) return answer.message.result;
    }
    // Not for ever, so that an answer which came between is seen.
    Atomics.wait(signal, 0, id - 1, LOOK_MS);
  }
  throw new Error(`nearfield ${args.join(' ')} has not ended after ${PATIENCE_MS} ms.`);
}

/** Commands so far. */
let asked = 0;

interface Host {
  readonly port: MessagePort;
  /** The number of the last command whose answer is at the port. */
  readonly signal: Int32Array<SharedArrayBuffer>;
}

let host: Host | undefined;

function startHost(): Host {
  // A worker that cannot load it would be waited for until the patience ends.
  if (!existsSync(COMMAND)) throw new Error('The command is not built: run node scripts/build.mjs --library first.');
  const { port1, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { url: COMMAND.href, port: port2, signal, endingMilliseconds: ENDING_MS };
  const script = new URL('command-host.mjs', import.meta.url);
  new Worker(script, { workerData, transferList: [port2], env: WITHOUT_GPU, execArgv: [] }).unref();
  return { port: port1, signal };
}

/** Runs with --json and parses the one document that standard output must hold. */
export function runJson<T = Record<string, unknown>>(...args: string[]): T {
  const { code, stdout, stderr } = runCommand(...args, '--json');
  if (code !== 0) throw new Error(`nearfield ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}
