import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_PORT, type LabServer, startLabServer } from '../../src/cli/lab-server.js';
import { type ModelPart, readModel } from '../../src/io/index.js';
import { ifcText } from '../generators/ifc-file.js';
import { bytesOf } from '../generators/model-files.js';

let folder: string;
let server: LabServer;

interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

function ask(path: string, options: { method?: string; headers?: Record<string, string> } = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    // `path` goes out as it is written; fetch would normalize the dots away.
    const outgoing = request({ host: '127.0.0.1', port: server.port, path, ...options }, (incoming) => {
      let body = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk) => {
        body += chunk;
      });
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body }));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

function sendRaw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.end(bytes));
    let reply = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      reply += chunk;
    });
    socket.on('end', () => resolve(reply));
    socket.on('error', reject);
  });
}

beforeAll(async () => {
  const parent = mkdtempSync(join(tmpdir(), 'nearfield-lab-server-'));
  folder = join(parent, 'lab');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(parent, 'secret.txt'), 'secret');
  mkdirSync(join(parent, 'outside'));
  writeFileSync(join(parent, 'outside', 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>lab</title>');
  writeFileSync(join(folder, 'assets', 'main-abc123.js'), 'export {};');
  writeFileSync(join(folder, 'assets', 'main-abc123.css'), 'html{}');
  writeFileSync(join(folder, 'mark.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  symlinkSync(join(parent, 'secret.txt'), join(folder, 'link.txt'));
  symlinkSync(join(parent, 'outside'), join(folder, 'linked'));
  server = await startLabServer({ folder, port: 0 });
});

afterAll(async () => {
  await server.close();
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

describe('what is served', () => {
  test('the page and its assets, with their types', async () => {
    for (const [path, type] of [
      ['/', 'text/html; charset=utf-8'],
      ['/index.html', 'text/html; charset=utf-8'],
      ['/?theme=dark', 'text/html; charset=utf-8'],
      ['/assets/main-abc123.js', 'text/javascript; charset=utf-8'],
      ['/assets/main-abc123.css', 'text/css; charset=utf-8'],
      ['/mark.svg', 'image/svg+xml'],
    ]) {
      const reply = await ask(path);
      expect([path, reply.status, reply.headers['content-type']]).toEqual([path, 200, type]);
      expect(reply.body.length).toBeGreaterThan(0);
    }
  });

  test('hashed assets may be kept for good, the page is asked for anew', async () => {
    expect((await ask('/assets/main-abc123.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await ask('/')).headers['cache-control']).toBe('no-cache');
  });

  test('HEAD answers the headers alone', async () => {
    const get = await ask('/');
    const head = await ask('/', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.body).toBe('');
    expect(head.headers['content-length']).toBe(String(get.body.length));
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s is refused', async (method) => {
    const reply = await ask('/', { method });
    expect(reply.status).toBe(405);
    expect(reply.headers.allow).toBe('GET, HEAD');
  });
});

describe('what is not', () => {
  test.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/..%2fsecret.txt',
    '/..%5csecret.txt',
    '/..\\secret.txt',
    '/%252e%252e/secret.txt',
    '//etc/passwd',
    '/./index.html',
    '/link.txt',
    '/linked/secret.txt',
    '/index.html%00.txt',
    '/%00',
    '/%',
    '/%ff',
    '/assets',
    '/assets/',
    '/missing.html',
    'http://127.0.0.1/',
  ])('%s', async (path) => {
    const reply = await ask(path);
    expect([400, 404]).toContain(reply.status);
    expect(reply.body).not.toContain('secret');
    expect(reply.headers['content-security-policy']).toBeDefined();
  });

  test('a request without Host or with a foreign one', async () => {
    for (const host of [
      'example.com',
      'localhost.example.com',
      '127.0.0.1.example.com',
      '127.0.0.2',
      'localhost:1:2',
    ]) {
      expect([host, (await ask('/', { headers: { host } })).status]).toEqual([host, 403]);
    }
    expect(await sendRaw('GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await sendRaw('GET / HTTP/1.1\r\nHost:\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('loopback names pass with any port', async () => {
    for (const host of ['localhost', 'localhost:8080', '127.0.0.1:1', '[::1]', '[::1]:4170', 'LOCALHOST']) {
      expect([host, (await ask('/', { headers: { host } })).status]).toEqual([host, 200]);
    }
  });
});

test('every answer carries the headers that isolate the page', async () => {
  for (const path of ['/', '/assets/main-abc123.js', '/missing']) {
    const { headers } = await ask(path);
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['cross-origin-embedder-policy']).toBe('require-corp');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    const policy = String(headers['content-security-policy']);
    const scripts = "script-src 'self' 'wasm-unsafe-eval'";
    for (const rule of ["default-src 'self'", scripts, "style-src 'self'", "object-src 'none'"]) {
      expect(policy.split('; ')).toContain(rule);
    }
    // WebAssembly may be compiled; text may not become code.
    expect(policy).not.toMatch(/'unsafe-inline'|'unsafe-eval'|'unsafe-hashes'|\*|https?:/);
  }
});

test('models that are named, and no others; two of one name are refused', async () => {
  const parent = join(folder, '..');
  const named = join(parent, 'outside', 'a part.glb');
  writeFileSync(named, 'model');
  const other = await startLabServer({ folder, port: 0, models: [named] });
  try {
    const reply = await fetch(`${other.url}models/a%20part.glb`);
    expect([reply.status, await reply.text()]).toEqual([200, 'model']);
    expect((await fetch(`${other.url}models/secret.txt`)).status).toBe(404);
  } finally {
    await other.close();
  }
  expect((await ask('/models/a%20part.glb')).status).toBe(404);
  const refused = { folder, port: 0 };
  await expect(startLabServer({ ...refused, models: [named, named] })).rejects.toThrow(
    /another file is named a part.glb/,
  );
  const missing = join(parent, 'missing.glb');
  await expect(startLabServer({ ...refused, models: [missing] })).rejects.toThrow(
    /missing.glb: cannot be read \(ENOENT/,
  );
});

describe('a file that the page sends to be read', () => {
  const send = (bytes: Uint8Array, name: string, origin = `http://127.0.0.1:${server.port}`): Promise<Response> =>
    fetch(`${server.url}read?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      body: bytes.slice(),
      headers: { origin },
    });

  /** The text of an answer, and the numbers behind it. */
  async function unpack(reply: Response): Promise<{ text: ReturnType<typeof JSON.parse>; rest: Buffer }> {
    const bytes = Buffer.from(await reply.arrayBuffer());
    const end = 8 + bytes.readUInt32LE(0);
    return { text: JSON.parse(bytes.toString('utf8', 8, end)), rest: bytes.subarray(end) };
  }

  test('comes back as the library reads it, to the bit', async () => {
    const bytes = bytesOf(ifcText());
    const reply = await send(bytes, 'a house.ifc');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
    const { text, rest } = await unpack(reply);
    const expected = await readModel(bytes, { fileName: 'a house.ifc' });
    expect(text.model.parts.map(({ name, about }: ModelPart) => ({ name, about }))).toEqual(
      expected.parts.map(({ name, about }) => ({ name, about })),
    );
    expect(text.model).toMatchObject({ format: 'ifc', unit: 1 });
    for (const [i, { mesh }] of expected.meshes.entries()) {
      const { positions, indices } = text.model.meshes[i].mesh;
      expect([positions.offset % 8, indices.offset % 8]).toEqual([0, 0]);
      for (const k of mesh.positions.keys())
        expect(rest.readDoubleLE(positions.offset + 8 * k)).toBe(mesh.positions[k]);
      expect(indices.length).toBe(mesh.indices.length);
      for (const k of mesh.indices.keys()) expect(rest.readUInt32LE(indices.offset + 4 * k)).toBe(mesh.indices[k]);
    }
  });

  test('that is damaged is answered with the error of the library', async () => {
    const { text } = await unpack(await send(bytesOf(ifcText().slice(0, -40)), 'half.ifc'));
    expect(text.error).toMatchObject({ code: 'file-truncated', location: { file: 'half.ifc' } });
  });

  test('by another site, or by nobody, is refused', async () => {
    for (const origin of [
      'http://example.com',
      'null',
      `https://127.0.0.1:${server.port}`,
      `http://localhost:${server.port}`,
    ])
      expect([origin, (await send(bytesOf('x'), 'x.ifc', origin)).status]).toEqual([origin, 405]);
    expect((await ask('/read', { method: 'POST' })).status).toBe(405);
    expect((await ask('/read')).status).toBe(404);
  });
});

describe('the address', () => {
  test('is a loopback one', () => {
    expect(server.url).toBe(`http://127.0.0.1:${server.port}/`);
  });

  test('a port that was asked for and is taken is an error that says so', async () => {
    await expect(startLabServer({ folder, port: server.port })).rejects.toMatchObject({
      name: 'NearfieldError',
      code: 'bad-argument',
      message: expect.stringContaining(`${server.port}`),
    });
  });

  test('without one asked for, a taken port leads to the next', async () => {
    const occupant = createServer();
    await new Promise<void>((resolve) => {
      occupant.once('error', () => resolve()); // taken already, which serves as well
      occupant.listen(DEFAULT_PORT, '127.0.0.1', resolve);
    });
    const other = await startLabServer({ folder });
    expect(other.port).toBeGreaterThan(DEFAULT_PORT);
    await other.close();
    if ((occupant.address() as AddressInfo | null) !== null) await new Promise((resolve) => occupant.close(resolve));
  });

  test('a folder without a page is an error that says what to run', async () => {
    await expect(startLabServer({ folder: join(folder, 'assets'), port: 0 })).rejects.toMatchObject({
      code: 'file-not-found',
      message: expect.stringContaining('npm run build'),
    });
  });
});
