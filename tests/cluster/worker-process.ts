// Workers of a cluster as processes of the real command, to be killed at any moment.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const command = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'dist/cli/main.js');

export class WorkerProcess {
  readonly #process: ChildProcess;
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  /** What it wrote on standard error. */
  said = '';

  constructor(url: string, ...options: string[]) {
    if (!existsSync(command)) throw new Error('dist/ is missing: run npm run build first; npm test does.');
    const args = [command, 'worker', '--cluster', url, '--concurrency', '1', '--lease', '5', ...options];
    this.#process = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.ended = new Promise((resolve) => this.#process.once('exit', () => resolve()));
    this.ready = new Promise((resolve) => {
      this.#process.stderr?.on('data', (text) => {
        this.said += text;
        if (this.said.includes('serving')) resolve();
      });
    });
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.ended;
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGTERM');
    await this.ended;
  }
}
