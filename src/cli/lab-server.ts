// The lab's web server. It listens on loopback only and serves only the files of one folder and the models that the user names,
// all read at startup, so no path in a request can reach another file. Its own page may send a file to have it read. The headers
// isolate the page, so that it may use shared memory.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NearfieldError } from '../core/errors.js';
import { READ_PATH, readForPage } from './lab-reader.js';

export interface LabServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export interface LabServerOptions {
  /** The built page; by default the one that comes with the package. */
  readonly folder?: string;
  /** The only port to try; 0 takes any free port. Default: 4170, or the next free port. */
  readonly port?: number | undefined;
  /** Models that the page may open by their names, without their folders: `/models/gearbox.glb`. */
  readonly models?: readonly string[];
}

/** Chosen: the port of the lab unless --port says otherwise. */
export const DEFAULT_PORT = 4170;
/** Chosen: ports tried, one after the other, when the first is taken. */
const PORTS_TRIED = 20;

/**
 * Sent with every response. Styles come from the style sheet only; the page changes them at run time through the
 * CSSOM, which the policy allows. `blob:` images are previews and downloads that the page creates. 'wasm-unsafe-eval'
 * allows to compile WebAssembly, and nothing else that is not a file of the lab.
 */
export const LAB_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.wasm': 'application/wasm',
  '.wgsl': 'text/plain; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.glb': 'model/gltf-binary',
};

interface Page {
  readonly body: Buffer;
  readonly type: string;
  readonly cache: string;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Serves the lab until `close`.
 * @throws NearfieldError when the page is not built or the port is taken.
 */
export async function startLabServer(options: LabServerOptions = {}): Promise<LabServer> {
  const pages = readPages(options.folder ?? builtLabFolder());
  for (const path of options.models ?? []) addModel(pages, path);
  const server = createServer((request, response) => {
    if (!isSentFile(request)) send(answer(pages, request), request, response);
    else void answerFile(request).then((reply) => send(reply, request, response));
  });
  const port = await listen(server, options.port);
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** dist/lab, found from both dist/cli and src/cli. */
export function builtLabFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const beside = join(here, '..', 'lab');
  return existsSync(join(beside, 'index.html')) ? beside : join(here, '..', '..', 'dist', 'lab');
}

function readPages(folder: string): Map<string, Page> {
  if (!existsSync(join(folder, 'index.html'))) {
    throw new NearfieldError(
      'file-not-found',
      `The lab is not built: there is no ${join(folder, 'index.html')}. Run npm run build.`,
    );
  }
  const pages = new Map<string, Page>();
  const read = (from: string, path: string): void => {
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      const file = join(from, entry.name);
      // A symbolic link is neither a directory nor a file here, so nothing outside the folder is served.
      if (entry.isDirectory()) read(file, `${path}${entry.name}/`);
      else if (entry.isFile()) {
        pages.set(`${path}${entry.name}`, {
          body: readFileSync(file),
          type: TYPES[extname(entry.name).toLowerCase()] ?? 'application/octet-stream',
          // The name of a built asset contains a hash of its content.
          cache: path === '/assets/' ? 'public, max-age=31536000, immutable' : 'no-cache',
        });
      }
    }
  };
  read(folder, '/');
  pages.set('/', pages.get('/index.html') as Page);
  return pages;
}

function addModel(pages: Map<string, Page>, path: string): void {
  const name = basename(path);
  const address = `/models/${name}`;
  if (pages.has(address)) {
    throw new NearfieldError(
      'bad-argument',
      `${path}: another file is named ${name} too; rename one, or give one of them`,
    );
  }
  let body: Buffer;
  try {
    body = readFileSync(path);
  } catch (error) {
    throw new NearfieldError('file-not-found', `${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  pages.set(address, { body, type: 'application/octet-stream', cache: 'no-cache' });
}

function answer(pages: ReadonlyMap<string, Page>, request: IncomingMessage): Reply {
  // A foreign site can point its own domain at 127.0.0.1 (DNS rebinding); its requests then have that domain as host.
  if (!isLoopbackHost(request.headers.host)) return refuse(403, 'Forbidden: use localhost or 127.0.0.1.');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return refuse(405, 'Method not allowed: this server answers GET and HEAD.', { Allow: 'GET, HEAD' });
  }
  const path = decodePath(request.url ?? '/');
  if (path === null) return refuse(400, 'Bad request: the path is not valid.');
  const page = pages.get(path);
  if (page === undefined) return refuse(404, 'Not found.');
  return { status: 200, headers: { 'Content-Type': page.type, 'Cache-Control': page.cache }, body: page.body };
}

/** Whether the page of this server sends a file; pages of other sites have another origin, which they cannot hide. */
function isSentFile({ method, url, headers }: IncomingMessage): boolean {
  const ours = isLoopbackHost(headers.host) && headers.origin === `http://${headers.host}`;
  return method === 'POST' && ours && url?.split('?', 1)[0] === READ_PATH;
}

async function answerFile(request: IncomingMessage): Promise<Reply> {
  try {
    const body = await readForPage(request);
    return { status: 200, headers: { 'Content-Type': 'application/octet-stream', 'Cache-Control': 'no-store' }, body };
  } catch (error) {
    return refuse(500, `The file was not read: ${error instanceof Error ? error.message : error}`);
  }
}

function refuse(status: number, text: string, headers: Record<string, string> = {}): Reply {
  return { status, headers: { 'Content-Type': TYPES['.txt'], ...headers }, body: Buffer.from(`${text}\n`) };
}

function send(reply: Reply, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(reply.status, { ...LAB_HEADERS, ...reply.headers, 'Content-Length': reply.body.length });
  response.end(request.method === 'HEAD' ? undefined : reply.body);
}

/** Any port is accepted, so that port forwarding works. */
function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host);
}

function decodePath(url: string): string | null {
  let path: string;
  try {
    path = decodeURIComponent(url.split(/[?#]/, 1)[0]);
  } catch {
    return null;
  }
  return !path.startsWith('/') || /[\0\\]/.test(path) || path.split('/').includes('..') ? null : path;
}

async function listen(server: Server, port: number | undefined): Promise<number> {
  const first = port ?? DEFAULT_PORT;
  const last = port === undefined ? first + PORTS_TRIED - 1 : first;
  for (let candidate = first; candidate <= last; candidate++) {
    const error = await tryToListen(server, candidate);
    if (error === null) {
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : candidate;
    }
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
    if (port !== undefined) {
      const why = error.code === 'EACCES' ? 'may not be used by this account' : 'is in use by another program';
      throw new NearfieldError('bad-argument', `Port ${port} ${why}; give another --port, or none to use a free one.`);
    }
  }
  throw new NearfieldError('bad-argument', `Ports ${first} to ${last} are all in use; give a free one with --port.`);
}

function tryToListen(server: Server, port: number): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const settle = (result: NodeJS.ErrnoException | null): void => {
      server.off('error', settle);
      server.off('listening', succeed);
      resolve(result);
    };
    const succeed = (): void => settle(null);
    server.once('error', settle);
    server.once('listening', succeed);
    server.listen(port, '127.0.0.1');
  });
}
