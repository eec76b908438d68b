import { NearfieldError } from '../../core/errors.js';
import { startLabServer } from '../lab-server.js';
import { openBrowser } from '../open-browser.js';
import type { Verb } from '../verb.js';

export const lab: Verb = {
  name: 'lab',
  summary: 'opens the lab in the browser: interactive scenes of every chapter',
  usage: 'lab [--port N] [--no-open]',
  help: `  --port N     listen on port N (default: 4170, or the next free port; 0: any free port)
  --no-open    print the address without opening a browser

The page is served to this machine only (127.0.0.1) until Ctrl+C. With --json: {"url": "http://127.0.0.1:4170/"}.`,
  options: {
    port: { type: 'string' },
    'no-open': { type: 'boolean' },
  },
  async run({ positionals, values }) {
    if (positionals.length > 0) {
      throw new NearfieldError('bad-argument', `lab takes no arguments; leave "${positionals[0]}" out.`);
    }
    const server = await startLabServer({ port: parsePort(values.port) });
    const line = values.json ? JSON.stringify({ url: server.url }) : `${server.url}\nPress Ctrl+C to stop the lab.`;
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
