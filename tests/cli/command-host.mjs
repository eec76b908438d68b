// A worker that runs one command line after another for run-command.ts, with the built modules loaded once. It answers
// with the exit code and what was printed, once nothing is left that would keep a process alive.
import { workerData } from 'node:worker_threads';

const { url, port, signal, endingMilliseconds } = workerData;
const { runCommand } = await import(url);

const printed = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr']) {
  process[name].write = (text) => {
    printed[name] += text;
    return true;
  };
}

/** The number of the command that is running, and of the last one that was answered. */
let running = 0;
let answered = 0;

/** Once for each command: one that has ended by an error may still come to its end. */
function answer(code, id = running) {
  if (id <= answered) return;
  answered = id;
  port.postMessage({ id, result: { code, ...printed } });
  Atomics.store(signal, 0, id);
  Atomics.notify(signal, 0);
}

// Both end a process at once.
process.exit = (code) => answer(code ?? 0);
process.on('uncaughtException', (error) => {
  printed.stderr += `${error?.stack ?? error}\n`;
  answer(1);
});

/** Timers, workers, child processes, servers and requests that have not ended. */
const pending = () => process.getActiveResourcesInfo().sort().join(' ');
let idle = null;

port.on('message', async ({ id, args }) => {
  idle ??= pending();
  running = id;
  printed.stdout = printed.stderr = '';
  const code = await runCommand(args);
  const until = Date.now() + endingMilliseconds;
  while (pending() !== idle && Date.now() < until) await new Promise((done) => setImmediate(done));
  if (pending() === idle) return answer(code, id);
  printed.stderr += `The command does not end: ${pending()} instead of ${idle}.\n`;
  answer(-1, id);
});
