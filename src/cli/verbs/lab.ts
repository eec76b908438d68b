import { NearfieldError } from '../../core/errors.js';
import { LAB_FORMATS, labAddress } from '../lab-address.js';
import { startLabServer } from '../lab-server.js';
import { extensionOf } from '../load-model.js';
import { openBrowser } from '../open-browser.js';
import type { Verb } from '../verb.js';

export const lab: Verb = {
  name: 'lab',
  summary: 'opens the lab in the browser: interactive scenes of every chapter',
  usage: 'lab [FILE…] [--port N] [--no-open]',
  help: `With FILE… the page may open these models, by links like those of a clash report, and opens the first as an assembly.
  --port N     listen on port N (default: 4170, or the next free port; 0: any free port)
  --no-open    print the address without opening a browser

The page is served to this machine only (127.0.0.1) until Ctrl+C. With --json: {"url": "http://127.0.0.1:4170/"}.

STEP, IGES, IFC and Draco are read on this machine by the optional packages that are installed.

  nearfield lab gearbox.glb`,
  options: {
    port: { type: 'string' },
    'no-open': { type: 'boolean' },
  },
  async run({ positionals, values }) {
    const wrong = positionals.find((path) => !LAB_FORMATS.includes(extensionOf(path)));
    if (wrong !== undefined) {
      const formats = LAB_FORMATS.map((format) => `.${format}`).join(', ');
      throw new NearfieldError(
        'bad-argument',
        `${wrong}: the lab does not open this kind of file; give one of ${formats}`,
      );
    }
    const server = await startLabServer({ port: parsePort(values.port), models: positionals });
    const url = `${server.url}${positionals.length === 0 ? '' : labAddress(positionals[0])}`;
    const line = values.json ? JSON.stringify({ url }) : `${url}\nPress Ctrl+C to stop the lab.`;
    process.stdout.write(`${line}\n`);
    if (!values['no-open']) openBrowser(url);
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
