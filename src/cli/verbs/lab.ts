import { NearfieldError } from '../../core/errors.js';
import { startLabServer } from '../lab-server.js';
import { openBrowser } from '../open-browser.js';
import type { Verb } from '../verb.js';

export const lab: Verb = {
  name: 'lab',
  summary: 'the web lab: scenes of every chapter in the browser',
  usage: 'lab [--port N] [--no-open]',
  help: `  --port N     listen on this port (default: 4170, or the next free one; 0 takes any free one)
  --no-open    print the address without opening a browser

The page is served to this machine only (127.0.0.1) until Ctrl+C. With --json: {"url": "http://127.0.0.1:4170/"}.`,
  options: {
    port: { type: 'string' },
    'no-open': { type: 'boolean' },
  },
  async run({ positionals, values }) {
    if (positionals.length > 0) {
      throw new NearfieldError('bad-argument', `lab takes no arguments, but "${positionals[0]}" was given; drop it.`);
    }
    const server = await startLabServer({ port: parsePort(values.port) });
    const line = values.json ? JSON.stringify({ url: server.url }) : `${server.url}\nThe lab is open until Ctrl+C.`;
    process.stdout.write(`${line}\n`);
    if (!values['no-open']) openBrowser(server.url);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
    return null;
  },
};

function parsePort(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const port = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (!(port <= 65535)) {
    throw new NearfieldError(
      'bad-argument',
      `The port is ${JSON.stringify(value)}; give a whole number from 0 to 65535.`,
    );
  }
  return port;
}
