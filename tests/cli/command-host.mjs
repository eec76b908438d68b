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

let answered = true;

function answer(code) {
  if (answered) return;
  answered = true;
  port.postMessage({ code, ...printed });
  Atomics.store(signal, 0, 1);
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

port.on('message', async (args) => {
  idle ??= pending();
  answered = false;
  printed.stdout = printed.stderr = '';
  const code = await runCommand(args);
  const until = Date.now() + endingMilliseconds;
  while (pending() !== idle && Date.now() < until) await new Promise((done) => setImmediate(done));
  if (pending() === idle) return answer(code);
  printed.stderr += `The command does not end: ${pending()} instead of ${idle}.\n`;
  answer(-1);
});
