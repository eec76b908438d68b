import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseSites } from '../../src/cli/voronoi/sites-file.js';
import { NearfieldError } from '../../src/core/errors.js';
import { readNpy } from '../../src/io/array/npy.js';
import { readPng } from '../../src/io/image/read-png.js';
import { computeVoronoiSync } from '../../src/voronoi/image/compute-voronoi.js';
import type { PlaneSite } from '../../src/voronoi/sites/plane-site.js';
import { nearestSite } from '../voronoi/site-distance.js';
import { runCommand, runJson } from './run-command.js';

let folder: string;
const inFolder = (name: string): string => join(folder, name);

const SITES: PlaneSite[] = [
  { type: 'point', at: [1, 1] },
  { type: 'segment', a: [3, 0.5], b: [3, 2] },
  {
    type: 'polygon',
    rings: [
      [
        [0.5, 2.5],
        [2, 2.5],
        [2, 2.9],
      ],
    ],
  },
  { type: 'point', at: [1, 1] },
];

interface VoronoiAnswer {
  sites: number;
  width: number;
  height: number;
  box: number[];
  spacing: number[];
  error: number;
  minimum: number | null;
  maximum: number | null;
  beyond: number;
  backend: string;
  files: string[];
}

const write = (name: string, content: unknown): string => {
  writeFileSync(inFolder(name), typeof content === 'string' ? content : JSON.stringify(content));
  return inFolder(name);
};

function messageOf(work: () => void): string {
  try {
    work();
  } catch (error) {
    if (error instanceof NearfieldError) return error.message;
    throw error;
  }
  return 'no error';
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-voronoi-'));
  write('sites.json', { box: [0, 0, 4, 3], sites: SITES });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('voronoi', () => {
  test('writes ids and distances at the centers of pixels, row 0 at y0, the lowest id at a tie', () => {
    for (const method of ['exact', 'mesh']) {
      const prefix = inFolder(method);
      const answer = runJson<VoronoiAnswer>(
        'voronoi',
        inFolder('sites.json'),
        '--resolution',
        '64',
        '--method',
        method,
        '-o',
        prefix,
      );
      expect(answer).toMatchObject({ sites: 4, width: 64, height: 48, box: [0, 0, 4, 3], beyond: 0, backend: 'cpu' });
      expect(answer.files).toEqual([`${prefix}.ids.npy`, `${prefix}.distance.npy`]);
      const ids = readNpy(readFileSync(answer.files[0]));
      const distances = readNpy(readFileSync(answer.files[1]));
      expect([ids.shape, distances.shape]).toEqual([
        [48, 64],
        [48, 64],
      ]);
      expect([ids.values, distances.values].map((values) => values.constructor)).toEqual([Int32Array, Float32Array]);
      for (let i = 0; i < 64 * 48; i++) {
        const { distance, all } = nearestSite(SITES, ((i % 64) + 0.5) / 16, (Math.floor(i / 64) + 0.5) / 16);
        expect(Math.abs(distances.values[i] - distance)).toBeLessThanOrEqual(answer.error);
        expect(all[ids.values[i]] - distance).toBeLessThanOrEqual(2 * answer.error);
        if (method === 'exact') expect(ids.values[i]).toBe(all.findIndex((other) => other <= distance + 1e-14));
      }
    }
  });

  test('takes a cut-off, a box, pictures and drawings', async () => {
    const picture = inFolder('cut.png');
    const answer = runJson<VoronoiAnswer>(
      'voronoi',
      inFolder('sites.json'),
      ...['--box', '-9,-9,-5,-5', '--max-distance', '1', '--resolution', '16', '--picture', picture],
    );
    expect(answer).toMatchObject({
      width: 16,
      height: 16,
      minimum: null,
      maximum: null,
      beyond: 256,
      files: [picture],
    });
    expect(await readPng(readFileSync(picture))).toMatchObject({ width: 16, height: 16, channels: 3 });
    const drawing = write(
      'plan.svg',
      '<svg viewBox="0 0 8 6"><rect x="1" y="1" width="2" height="2"/><circle cx="6" cy="4" r="1"/></svg>',
    );
    const drawn = runJson<VoronoiAnswer>('voronoi', drawing, '--resolution', '80', '-o', inFolder('plan'));
    expect(drawn).toMatchObject({ sites: 2, width: 80, height: 60, box: [0, 0, 8, 6] });
    const { values } = readNpy(readFileSync(inFolder('plan.ids.npy')));
    // Row 0 is at y = 0, the top of the drawing.
    expect([values[0], values[80 * 60 - 1]]).toEqual([0, 1]);
  });

  test('writes the graph as data and as a drawing', () => {
    const sites = write('three.json', {
      box: [0, 0, 4, 4],
      sites: [1, 3, 2].map((x, i) => ({ type: 'point', at: [x, i < 2 ? 1 : 3] })),
    });
    const file = inFolder('graph.json');
    const answer = runJson<{ graph: object; files: string[] }>('voronoi', sites, '--resolution', '8', '--graph', file);
    expect(answer).toMatchObject({ graph: { vertices: 4, edges: 3, status: 'complete' }, files: [file] });
    const { vertices, edges } = JSON.parse(readFileSync(file, 'utf8'));
    const junction = vertices.find(({ kind }: { kind: string }) => kind === 'junction');
    expect(junction.point[0]).toBeCloseTo(2, 9);
    expect(junction.point[1]).toBeCloseTo(1.75, 9);
    expect(edges).toHaveLength(3);
    runJson('voronoi', sites, '--resolution', '8', '--graph', inFolder('graph.svg'));
    const drawing = readFileSync(inFolder('graph.svg'), 'utf8');
    expect(drawing.match(/<polyline /g)).toHaveLength(3);
    expect(drawing).toContain('500,562.5');
  });

  test('tells people what it found', () => {
    const { code, stdout, stderr } = runCommand('voronoi', inFolder('sites.json'), '--resolution', '40');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^size +40 × 30 pixels of 0\.1 × 0\.1$/m);
    expect(stdout).toMatch(/^method +exact, on the CPU$/m);
  });

  test('no sites: every pixel has the id -1, with a warning', () => {
    const empty = write('empty.json', { box: [0, 0, 1, 1], sites: [] });
    const { code, stderr } = runCommand('voronoi', empty, '--resolution', '4', '-o', inFolder('empty'));
    expect(code).toBe(0);
    expect(stderr).toContain('no sites');
    const { values } = readNpy(readFileSync(inFolder('empty.ids.npy')));
    expect([...values]).toEqual(Array(16).fill(-1));
    const distances = readNpy(readFileSync(inFolder('empty.distance.npy')));
    expect([...distances.values]).toEqual(Array(16).fill(Infinity));
  });

  test('refuses bad input in one line', () => {
    const point = { type: 'point', at: [0, 0] };
    const bad: [string, unknown, ...string[]][] = [
      ['text.json', 'not JSON', 'valid JSON'],
      ['nan.json', '{"sites":[{"type":"point","at":[NaN,0]}]}', 'valid JSON'],
      ['list.json', [point], 'not an object'],
      ['none.json', { box: [0, 0, 1, 1] }, 'no list of sites'],
      ['key.json', { box: [0, 0, 1, 1], site: [], sites: [] }, '"site"'],
      ['type.json', { sites: [{ type: 'dot', at: [0, 0] }] }, 'site 0', '"dot"', 'point, segment'],
      ['keys.json', { sites: [point, { type: 'segment', a: [0, 0], c: [1, 1] }] }, 'site 1', '"c"'],
      ['missing.json', { sites: [{ type: 'segment', a: [0, 0] }] }, 'site 0', '"b"'],
      ['string.json', { sites: [{ type: 'point', at: ['0', 0] }] }, 'site 0'],
      ['huge.json', '{"sites":[{"type":"point","at":[1e999,0]}]}', 'site 0', 'Infinity'],
      ['weight.json', { sites: [{ ...point, weight: -1 }] }, 'weight', 'site 0'],
      ['flipped.json', { box: [1, 0, 0, 1], sites: [point] }, 'x0 < x1'],
      ['flat.json', { box: [0, 0, 1, 0], sites: [point] }, 'y0 < y1'],
      ['boxed.json', { box: [0, 0, 1], sites: [point] }, 'x0, y0, x1, y1'],
      ['nothing.json', { sites: [] }, 'give a box'],
    ];
    for (const [name, content, ...words] of bad) {
      const message = messageOf(() => {
        const { sites, box } = parseSites(typeof content === 'string' ? content : JSON.stringify(content));
        computeVoronoiSync(sites, { box: box ?? undefined, resolution: 4 });
      });
      for (const word of words) expect(message, name).toContain(word);
    }
    const cases: [string[], ...string[]][] = [];
    const good = inFolder('sites.json');
    cases.push(
      [[], 'SITES'],
      [[write('text.json', 'not JSON')], 'text.json', 'valid JSON'],
      [[write('flipped.json', { box: [1, 0, 0, 1], sites: [point] })], 'flipped.json', 'x0 < x1'],
      [[write('empty.svg', '<svg viewBox="0 0 1 1"></svg>')], 'empty.svg'],
      [[write('broken.svg', '<svg')], 'broken.svg'],
      [[inFolder('absent.json')], 'absent.json', 'no such file'],
      [[good, '--resolution', '0'], '--resolution'],
      [[good, '--box', '0,0,1'], '--box'],
      [[good, '--error', '0.1'], '--error', 'mesh'],
      [[good, '--method', 'cone'], '--method', 'exact'],
      [[good, '--picture', 'x.gif'], 'x.gif', '.png'],
      [[good, '--graph', 'x.png'], 'x.png', '.svg'],
      [[good, '-o', inFolder('no/such')], 'no such folder'],
    );
    for (const [args, ...words] of cases) {
      const { code, stdout, stderr } = runCommand('voronoi', ...args);
      expect({ args, code, stdout }, stderr).toEqual({ args, code: 2, stdout: '' });
      expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
      for (const word of words) expect(stderr).toContain(word);
    }
    expect(existsSync(inFolder('no'))).toBe(false);
  });
});
