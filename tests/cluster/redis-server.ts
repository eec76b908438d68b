// A Redis server of its own for a test: on loopback, in a folder that goes with it, with an append-only file.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findRedis } from '../../scripts/requirements.mjs';

export class RedisServer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'nearfield-redis-'));
  readonly #settings: readonly string[];
  readonly port: number;
  #process: ChildProcess | null = null;

  private constructor(port: number, settings: readonly string[]) {
    this.port = port;
    this.#settings = settings;
  }

  static async start(...settings: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), settings);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const path = findRedis();
    if (path === null) throw new Error('There is no redis-server; npm test says how to install it.');
    const always = ['--port', `${this.port}`, '--bind', '127.0.0.1', '--dir', this.#folder, '--save', ''];
    const lasting = ['--appendonly', 'yes', '--appendfsync', 'always'];
    this.#process = spawn(path, [...always, ...lasting, ...this.#settings], { stdio: 'ignore' });
    while (!(await this.#accepts())) await sleep(50);
  }

  #accepts(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  }

  /** Kills it, as a power cut would. */
  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.#process?.once('exit', resolve));
    this.#process?.kill('SIGKILL');
    await ended;
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
