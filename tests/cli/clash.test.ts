import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ModelPart, writeModel } from 'nearfield/io';
import { findModel, type Mesh } from 'nearfield/mesh';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodePng } from '../browser/decode-png.js';
import { readZip } from './read-zip.js';
import { runCommand, runJson } from './run-command.js';
import { findMarkupFault } from './well-formed.js';
import { childrenOf, parseXml, type XmlNode } from './xml-node.js';

let folder: string;
const inFolder = (name: string): string => join(folder, name);

interface ClashAnswer {
  parts: number;
  pairsTested: number;
  clashes: {
    a: string;
    b: string;
    indexA: number;
    indexB: number;
    intersects: boolean;
    distance: number;
    pointA: number[];
    pointB: number[];
    grade: string;
    certain: boolean;
    lower: number | null;
    upper: number | null;
    vector: number[] | null;
    reason: string | null;
    thickness: number;
    thicknessLower: number;
  }[];
  pairsIgnored: number;
  grades: Record<string, number>;
  groups: { a: string; b: string; clashes: number[] }[];
  names: string[];
  milliseconds: number;
}

const CUBE_TEXT = `v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n`;

const CUBE: Mesh = {
  positions: Float64Array.from(
    [...CUBE_TEXT.matchAll(/^v (.) (.) (.)$/gm)].flatMap((match) => match.slice(1).map(Number)),
  ),
  indices: Uint32Array.from(
    [...CUBE_TEXT.matchAll(/^f (.) (.) (.) (.)$/gm)].flatMap((match) => {
      const [a, b, c, d] = match.slice(1).map((word) => Number(word) - 1);
      return [a, b, c, a, c, d];
    }),
  ),
};

const at = (x: number, y = 0, z = 0): Float64Array => Float64Array.of(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1);

async function writeAssembly(name: string, parts: { name: string; transform: Float64Array }[]): Promise<string> {
  const placed: ModelPart[] = parts.map((part) => ({ ...part, meshIndex: 0 }));
  const bytes = await writeModel({ format: 'glb', meshes: [{ name: 'cube', mesh: CUBE }], parts: placed }, 'glb');
  writeFileSync(inFolder(name), bytes);
  return inFolder(name);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-clash-'));
  writeFileSync(inFolder('cube.obj'), CUBE_TEXT);
  writeFileSync(
    inFolder('far.obj'),
    CUBE_TEXT.replace(/^v (.)/gm, (_, x) => `v ${Number(x) + 1.25}`),
  );
  writeFileSync(
    inFolder('small.obj'),
    CUBE_TEXT.replace(/^v (.) (.) (.)$/gm, (_, x, y, z) => `v ${x / 4 + 0.375} ${y / 4 + 0.375} ${z / 4 + 0.375}`),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The share of pixels with a color of that kind. */
function shareOf(
  image: { width: number; height: number; pixels: Uint8Array },
  test: (color: number[]) => boolean,
): number {
  const step = image.pixels.length / (image.width * image.height);
  let count = 0;
  for (let i = 0; i < image.pixels.length; i += step) if (test([...image.pixels.subarray(i, i + 3)])) count++;
  return count / (image.width * image.height);
}

const clash = (...args: string[]): ClashAnswer => runJson<ClashAnswer>('clash', ...args);
const pairsOf = ({ clashes }: ClashAnswer): [number, number, number][] =>
  clashes.map(({ indexA, indexB, distance }) => [indexA, indexB, distance]);

function expectRefusal(args: string[], ...words: string[]): void {
  const { code, stdout, stderr } = runCommand(...args);
  expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
  expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
  for (const word of words) expect(stderr).toContain(word);
}

describe('clash', () => {
  test('prints the keys of the contract for the parts of a GLB', async () => {
    // In a row: a gap of 1/4, then touching, then an overlap, then far away.
    const row = await writeAssembly(
      'row.glb',
      [0, 1.25, 2.25, 3, 9].map((x) => ({ name: 'block', transform: at(x) })),
    );
    const answer = clash(row, '--clearance', '0.3');
    expect(answer).toMatchObject({ parts: 5, pairsTested: 3, milliseconds: expect.any(Number) });
    expect(answer.names).toEqual(['block', 'block (2)', 'block (3)', 'block (4)', 'block (5)']);
    // Worst first; 1 and 3 are 0.75 apart.
    expect(pairsOf(answer)).toEqual([
      [2, 3, 0],
      [1, 2, 0],
      [0, 1, 0.25],
    ]);
    const [overlap, touching, near] = answer.clashes;
    expect(overlap).toMatchObject({ grade: 'interference', certain: true, intersects: true, reason: null });
    expect(overlap.upper).toBeCloseTo(0.25, 12);
    expect(overlap.lower).toBeCloseTo(0.25, 12);
    expect(overlap.vector?.map((value) => Math.round(value * 1e9) / 1e9)).toEqual([-0.25, 0, 0]);
    expect(touching).toMatchObject({ grade: 'touch', certain: true, lower: 0, upper: 0, vector: null });
    expect(near).toMatchObject({ grade: 'clearance', certain: true, vector: null });
    expect(answer.grades).toEqual({ interference: 1, touch: 1, clearance: 1 });
    expect(touching).toMatchObject({ a: 'block (2)', b: 'block (3)', intersects: true });
    expect(touching.pointA).toEqual(touching.pointB);
    expect(touching.pointA[0]).toBe(2.25);
    expect(near).toMatchObject({ a: 'block', b: 'block (2)', intersects: false });
    expect([near.pointA[0], near.pointB[0]]).toEqual([1, 1.25]);
    expect(pairsOf(clash(row, '--clearance', '0.2'))).toHaveLength(2);
    expect(pairsOf(clash(row))).toHaveLength(2);
    expect(pairsOf(clash(row, '--clearance', '0.75'))).toContainEqual([1, 3, 0.75]);
  });

  test('takes several files, each with its name, and one solid inside another', () => {
    const files = ['cube.obj', 'far.obj', 'small.obj'].map(inFolder);
    const answer = clash(...files, '--clearance', '0.25');
    expect(answer.names).toEqual(files);
    expect(pairsOf(answer)).toEqual([
      [0, 2, 0],
      [0, 1, 0.25],
    ]);
    expect(answer.clashes[0]).toMatchObject({ a: files[0], b: files[2], intersects: true });
    expect(clash(files[0], files[0]).clashes).toMatchObject([{ a: files[0], b: `${files[0]} (2)`, intersects: true }]);
    expect(clash(files[0])).toMatchObject({ parts: 1, pairsTested: 0, clashes: [] });
  });

  test('finds what the closed form finds among random boxes', async () => {
    // Multiples of 1/8, so that single precision holds them.
    let seed = 7;
    const next = (): number => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return Math.floor((seed / 2 ** 32) * 56) / 8;
    };
    const corners = Array.from({ length: 70 }, () => [next(), next(), next()]);
    const file = await writeAssembly(
      'random.glb',
      corners.map(([x, y, z], i) => ({ name: `box ${i}`, transform: at(x, y, z) })),
    );
    const clearance = 0.6;
    const expected: [number, number, number][] = [];
    for (let i = 0; i < corners.length; i++) {
      for (let j = i + 1; j < corners.length; j++) {
        const gaps = corners[i].map((value, axis) => Math.max(0, Math.abs(value - corners[j][axis]) - 1));
        const distance = Math.hypot(...gaps);
        if (distance <= clearance) expected.push([i, j, distance]);
      }
    }
    const depthOf = ([i, j]: [number, number, number]): number =>
      Math.max(0, Math.min(...corners[i].map((value, axis) => 1 - Math.abs(value - corners[j][axis]))));
    expected.sort((p, q) => depthOf(q) - depthOf(p) || p[2] - q[2] || p[0] - q[0] || p[1] - q[1]);
    const answer = clash(file, '--clearance', String(clearance));
    const intersecting = expected.filter(([, , distance]) => distance === 0).length;
    expect(intersecting / expected.length).toBeGreaterThan(0.3);
    expect(intersecting / expected.length).toBeLessThan(0.7);
    expect(answer.clashes).toHaveLength(expected.length);
    // Equal depths differ by rounding, so that pairs are looked up and the order is checked by itself.
    const touches = expected.filter((pair) => pair[2] === 0 && depthOf(pair) === 0).length;
    expect(touches).toBeGreaterThan(0);
    for (const pair of expected) {
      const [a, b, distance] = pair;
      const depth = depthOf(pair);
      const found = answer.clashes.find(({ indexA, indexB }) => indexA === a && indexB === b);
      const grade = depth > 0 ? 'interference' : distance > 0 ? 'clearance' : 'touch';
      expect(found).toMatchObject({ distance: expect.closeTo(distance, 12), grade, certain: true });
      expect(found?.upper).toBeCloseTo(depth, 9);
      expect(found?.lower).toBeCloseTo(depth, 9);
    }
    // By grade, then by how thick overlaps are proven to be, which is no more than their depth; then by distance.
    const ranks = ['interference', 'touch', 'clearance'];
    for (const [i, { grade, distance, thicknessLower, thickness, upper }] of answer.clashes.entries()) {
      expect(thicknessLower).toBeLessThanOrEqual(thickness * (1 + 1e-12));
      if (grade === 'interference') expect(thickness).toBeLessThanOrEqual(upper! * (1 + 1e-12));
      const next = answer.clashes[i + 1];
      if (next === undefined || ranks.indexOf(next.grade) > ranks.indexOf(grade)) continue;
      expect(next.grade).toBe(grade);
      expect(next.thicknessLower).toBeLessThanOrEqual(thicknessLower);
      if (grade === 'clearance') expect(next.distance).toBeGreaterThanOrEqual(distance);
    }
    // The broad phase leaves few pairs that do not clash: of 2,415 in all.
    expect(answer.pairsTested).toBeGreaterThanOrEqual(expected.length);
    expect(answer.pairsTested).toBeLessThan(2 * expected.length);
    // The same again, but for the time.
    const again = clash(file, '--clearance', String(clearance));
    expect({ ...again, milliseconds: 0 }).toEqual({ ...answer, milliseconds: 0 });
  });

  test('two runs with depths print the same, but for the time, and say which floor makes each touch', async () => {
    const [letter, shaft] = [findModel('letter-e').build(), findModel('cylinder').build()];
    const turned = Float64Array.of(1, 0, 0, 0.3, 0, 0, -1, 0.1, 0, 1, 0, 0.2, 0, 0, 0, 1);
    const meshes = [
      { name: 'letter', mesh: letter },
      { name: 'shaft', mesh: shaft },
    ];
    const parts: ModelPart[] = [
      { name: 'letter', meshIndex: 0, transform: at(0) },
      { name: 'turned letter', meshIndex: 0, transform: turned },
      { name: 'shaft', meshIndex: 1, transform: at(0.2) },
      { name: 'other shaft', meshIndex: 1, transform: at(0.9) },
    ];
    writeFileSync(inFolder('depths.glb'), await writeModel({ format: 'glb', meshes, parts }, 'glb'));
    const run = (): string => {
      const { code, stdout } = runCommand('clash', inFolder('depths.glb'), '--depth-seconds', '1e6', '--json');
      expect(code).toBe(0);
      return stdout.replace(/"milliseconds": ?[\d.e+-]+/g, '"milliseconds":0');
    };
    const first = run();
    expect(run()).toBe(first);
    // Depths were looked for: these are no mere guesses from 0.
    const { clashes } = JSON.parse(first) as ClashAnswer;
    expect(clashes.filter(({ lower }) => lower !== null && lower > 0)).toHaveLength(2);
  });

  test('the answer counts the touches by what makes them, in words too', async () => {
    const file = await writeAssembly('touch.glb', [
      { name: 'a', transform: at(0) },
      { name: 'b', transform: at(0.99) },
      { name: 'c', transform: at(3) },
      { name: 'd', transform: at(4) },
    ]);
    const answer = runJson<ClashAnswer & { touches: object }>('clash', file, '--touch', '0.02');
    expect(answer.touches).toEqual({ tolerance: { clashes: 1, largest: 0.02 } });
    expect(answer.clashes).toMatchObject([{ touchBy: 'tolerance', floors: { tolerance: 0.02 } }, { touchBy: null }]);
    const text = runCommand('clash', file, '--touch', '0.02').stdout;
    expect(text).toMatch(/touches only +1 by the tolerance \(up to 0\.02\)/);
    expect(text).toMatch(/tolerance 0\.02/);
  });

  test('leaves out pairs by name, by pattern and by file, and says how many', async () => {
    const file = await writeAssembly('ignore.glb', [
      { name: 'bolt', transform: at(0) },
      { name: 'bolt', transform: at(0.5) },
      { name: 'plate, 3', transform: at(0.25) },
      { name: 'a*b', transform: at(0.75) },
    ]);
    const pairs = (...args: string[]): string[] => clash(file, ...args).clashes.map(({ a, b }) => `${a}|${b}`);
    expect(pairs()).toHaveLength(6);
    expect(pairs('--ignore', 'bolt,bolt (2)')).not.toContain('bolt|bolt (2)');
    expect(pairs('--ignore', 'bolt,bolt (2)')).toHaveLength(5);
    expect(pairs('--ignore', '*, bolt*')).toEqual(['plate, 3|a*b']);
    expect(pairs('--ignore', 'plate\\, 3,bolt*', '--ignore', 'a\\*b,?olt')).toHaveLength(3);
    expectRefusal(['clash', file, '--ignore', 'a\\*,*'], 'no part matches');
    writeFileSync(inFolder('ignore.json'), '[["bolt*", "plate*"], ["a*", "*"]]');
    const answer = clash(file, '--ignore-file', inFolder('ignore.json'));
    expect(answer).toMatchObject({ pairsTested: 1, pairsIgnored: 5, clashes: [{ a: 'bolt', b: 'bolt (2)' }] });
    expectRefusal(['clash', file, '--ignore', 'bolt'], 'bolt', 'two names');
    writeFileSync(inFolder('bad.json'), '[["bolt*"]]');
    expectRefusal(['clash', file, '--ignore-file', inFolder('bad.json')], 'bad.json', 'pairs');
    writeFileSync(inFolder('bad.json'), '[[');
    expectRefusal(['clash', file, '--ignore-file', inFolder('bad.json')], 'bad.json', 'JSON');
  });

  test('gathers clashes of equal parts, also from separate files, and grades by a tolerance', async () => {
    const row = await writeAssembly(
      'bolts.glb',
      [0, 0.9, 3, 3.95, 6, 7.01].map((x) => ({ name: 'bolt', transform: at(x) })),
    );
    const answer = clash(row, '--clearance', '0.1');
    expect(answer.groups.map(({ clashes }) => clashes)).toEqual([[0, 1], [2]]);
    expect(answer.clashes.map(({ grade }) => grade)).toEqual(['interference', 'interference', 'clearance']);
    const tolerant = clash(row, '--clearance', '0.1', '--touch', '0.06');
    expect(tolerant.clashes.map(({ grade }) => grade)).toEqual(['interference', 'touch', 'touch']);
    const [cube, small] = [inFolder('cube.obj'), inFolder('small.obj')];
    // The small cubes are in the same place, which is the worst; both are in the large one.
    expect(clash(cube, small, small).groups).toEqual([
      { a: small, b: `${small} (2)`, clashes: [0] },
      { a: cube, b: small, clashes: [1, 2] },
    ]);
  });

  test('a part that bounds no solid has no depth, and the clash says why', async () => {
    writeFileSync(inFolder('open.obj'), 'v -1 -1 0.5\nv 3 -1 0.5\nv 0 3 0.5\nf 1 2 3\n');
    const { clashes } = clash(inFolder('cube.obj'), inFolder('open.obj'));
    expect(clashes).toMatchObject([{ grade: 'interference', certain: false, lower: null, upper: null, vector: null }]);
    expect(clashes[0].reason).toContain('not closed');
    const half = readFileSync(inFolder('cube.obj'), 'utf8').replace(/^v (\S+)/gm, (_, x) => `v ${Number(x) + 0.5}`);
    writeFileSync(inFolder('half.obj'), half);
    expect(clash(inFolder('cube.obj'), inFolder('half.obj'), '--depth-seconds', '0').clashes).toMatchObject([
      { grade: 'interference', certain: false, upper: null },
    ]);
    // Of duplicates all that matters is known without a search.
    expect(clash(inFolder('cube.obj'), inFolder('cube.obj'), '--depth-seconds', '0').clashes).toMatchObject([
      { kind: 'duplicate', grade: 'interference', certain: true, upper: expect.closeTo(1, 6) },
    ]);
    const { stderr } = runCommand('clash', inFolder('cube.obj'), inFolder('open.obj'));
    expect(stderr).toContain('1 clashes have no depth');
  });

  test('takes scaled, mirrored, sheared and turned instances as they stand', async () => {
    const turned = Float64Array.of(0, -1, 0, 6, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
    const file = await writeAssembly('placed.glb', [
      { name: 'plain', transform: at(0) },
      // x from 1.25 to 3.25.
      { name: 'large', transform: Float64Array.of(2, 0, 0, 1.25, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1) },
      // x from 3.5 to 4.5, mirrored.
      { name: 'mirrored', transform: Float64Array.of(-1, 0, 0, 4.5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1) },
      // x from 5 to 6.
      { name: 'turned', transform: turned },
      // Its top slides to x from 6.5 + 1.
      { name: 'sheared', transform: Float64Array.of(1, 1, 0, 6.5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1) },
      // Inside the mirrored one, which a mirror image turned inside out would not have.
      {
        name: 'inside',
        transform: Float64Array.of(0.25, 0, 0, 3.875, 0, 0.25, 0, 0.375, 0, 0, 0.25, 0.375, 0, 0, 0, 1),
      },
    ]);
    const answer = clash(file, '--clearance', '0.5');
    expect(answer.clashes.map(({ a, b, distance }) => [a, b, Number(distance.toFixed(12))])).toEqual([
      ['mirrored', 'inside', 0],
      ['plain', 'large', 0.25],
      ['large', 'mirrored', 0.25],
      ['mirrored', 'turned', 0.5],
      ['turned', 'sheared', 0.5],
    ]);
  });

  test('writes a page that needs nothing else, with a picture of every clash', async () => {
    const evil = '<script>alert("1")</script> & \u0001';
    const file = await writeAssembly('evil.glb', [
      { name: evil, transform: at(0) },
      { name: evil, transform: at(0.5, 0.5) },
      { name: "]]> '", transform: at(-1.25) },
    ]);
    const report = inFolder('report.html');
    const answer = clash(file, '--clearance', '0.5', '--report', report, '--unit', 'mm');
    expect(answer).toMatchObject({ report, clashes: [{ a: evil, b: `${evil} (2)` }, { b: "]]> '" }] });
    const page = readFileSync(report, 'utf8');
    expect(findMarkupFault(page)).toBeNull();
    expect(page).not.toContain('<script>alert');
    expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; \ufffd');
    // Two links to the lab, by the numbers of the parts, and the command that they need.
    const links = /<a href="http:\/\/127\.0\.0\.1:4170\/#\/proximity\/clash\?([^"]*)" target="_blank" rel="noopener">/g;
    const pairs = answer.clashes.map(
      ({ indexA, indexB }) => `open=evil.glb&amp;a=${indexA + 1}&amp;b=${indexB + 1}&amp;clearance=0.5&amp;unit=mm`,
    );
    expect([...page.matchAll(links)].map(([, query]) => query)).toEqual(pairs);
    expect(page).toContain(`npx nearfield lab ${file} --port 4170`);
    expect(page.replace(links, '')).not.toMatch(/https?:|\bsrc="(?!data:image\/png)|url\(|@import|<link/);
    expect(page).not.toMatch(/\bNaN\b|Infinity|undefined<|null</);
    expect(page.match(/<article id="clash-/g)).toHaveLength(2);
    expect(page.match(/href="#clash-/g)).toHaveLength(2);
    expect(page).toContain('move A by');
    const pictures = [...page.matchAll(/src="data:image\/png;base64,([^"]+)"/g)].map(([, text]) =>
      Buffer.from(text, 'base64'),
    );
    expect(pictures).toHaveLength(3);
    // Both parts and the marks are in each picture of a clash, and the overview is in the color of its grade.
    const [overview, ...clashes] = pictures.map((bytes) => decodePng(bytes));
    expect(shareOf(overview, ([r, g, b]) => r > 1.5 * g && r > 1.5 * b)).toBeGreaterThan(0.1);
    for (const picture of clashes) {
      expect(shareOf(picture, ([r, , b]) => b > 1.4 * r)).toBeGreaterThan(0.05);
      expect(shareOf(picture, ([r, , b]) => r > 1.4 * b)).toBeGreaterThan(0.05);
      expect(shareOf(picture, ([r, g, b]) => r > 180 && g < 60 && b > 90 && b < 140)).toBeGreaterThan(0.001);
    }
    clash(file, '--clearance', '0.5', '--report', inFolder('again.html'), '--unit', 'mm');
    const timeless = (text: string): string => text.replace(/<dt>seconds<\/dt><dd>[^<]*/, '');
    expect(timeless(readFileSync(inFolder('again.html'), 'utf8'))).toBe(timeless(page));
  });

  test('writes BCF 2.1: a topic with a view and a snapshot for each clash, GUIDs by the parts', async () => {
    const file = await writeAssembly('bcf.glb', [
      { name: 'a <&> b', transform: at(0) },
      { name: 'left', transform: at(0.5, 0.25) },
      { name: 'right', transform: at(1.75, 0.25) },
    ]);
    const [bcf, again] = [inFolder('out.bcfzip'), inFolder('again.bcfzip')];
    const answer = clash(file, '--clearance', '0.5', '--bcf', bcf, '--unit', 'mm');
    expect(answer).toMatchObject({ bcf, clashes: [{ grade: 'interference' }, { grade: 'clearance' }] });
    clash(file, '--clearance', '0.5', '--bcf', again, '--unit', 'mm');
    expect(readFileSync(again).equals(readFileSync(bcf))).toBe(true);
    const files = readZip(readFileSync(bcf));
    const topics = [...files.keys()].filter((name) => name.endsWith('/markup.bcf')).map((name) => name.split('/')[0]);
    expect(topics).toHaveLength(2);
    const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    const xml = (name: string): XmlNode => parseXml(files.get(name)!.toString('utf8'));
    expect(xml('bcf.version')).toMatchObject({ name: 'Version', attributes: { VersionId: '2.1' } });
    expect(childrenOf(xml('project.bcfp'))).toEqual(['Project', 'ExtensionSchema']);
    const titles = topics.map((topic) => {
      expect(topic).toMatch(guid);
      const markup = xml(`${topic}/markup.bcf`);
      // The order of elements is that of the schemas.
      expect(childrenOf(markup)).toEqual(['Header', 'Topic', 'Viewpoints']);
      const [, body, viewpoints] = markup.children;
      expect(body.attributes).toMatchObject({ Guid: topic, TopicType: 'Clash', TopicStatus: 'Open' });
      const order = ['Title', 'Priority', 'Index', 'Labels', 'CreationDate', 'CreationAuthor', 'Description'];
      expect(childrenOf(body)).toEqual(order);
      expect(body.children[4].text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(viewpoints.attributes.Guid).toMatch(guid);
      expect(viewpoints.children.map(({ name, text }) => [name, text])).toEqual([
        ['Viewpoint', 'viewpoint.bcfv'],
        ['Snapshot', 'snapshot.png'],
      ]);
      const view = xml(`${topic}/viewpoint.bcfv`);
      expect(view.attributes.Guid).toBe(viewpoints.attributes.Guid);
      expect(childrenOf(view).slice(0, 2)).toEqual(['Components', 'OrthogonalCamera']);
      const camera = view.children[1];
      expect(childrenOf(camera)).toEqual(['CameraViewPoint', 'CameraDirection', 'CameraUpVector', 'ViewToWorldScale']);
      const [eye, direction, up] = camera.children.map(({ children }) => children.map(({ text }) => Number(text)));
      expect(Math.hypot(...direction)).toBeCloseTo(1, 9);
      expect(direction[0] * up[0] + direction[1] * up[1] + direction[2] * up[2]).toBeCloseTo(0, 9);
      // The eye looks at the parts, which are a few millimeters across; BCF has meters, and z up.
      expect(Math.hypot(...eye)).toBeLessThan(0.02);
      expect(up[2]).toBeGreaterThan(0);
      expect(decodePng(files.get(`${topic}/snapshot.png`)!).width).toBeGreaterThan(100);
      return body.children[0].text;
    });
    expect(titles[0]).toBe('a <&> b – left: penetrating, 0.5 mm');
    // Fewer clashes: the topic that stays keeps its GUID.
    clash(file, '--bcf', again);
    expect([...readZip(readFileSync(again)).keys()]).toContain(`${topics[0]}/markup.bcf`);
    expectRefusal(['clash', file, '--bcf', inFolder('out.xml')], 'out.xml', '.bcfzip');
  });

  test('writes a table for spreadsheets, in which names are quoted and run no formulas', async () => {
    const file = await writeAssembly('csv.glb', [
      { name: '=1+2, "x"', transform: at(0) },
      { name: 'b', transform: at(0.5) },
    ]);
    const csv = inFolder('out.csv');
    expect(clash(file, '--csv', csv)).toMatchObject({ csv });
    const [head, row, end] = readFileSync(csv, 'utf8').split('\r\n');
    const first = ['clash', 'id', 'kind', 'grade', 'certain', 'part A', 'part B', 'depth at least'];
    expect(head.split(',').slice(0, first.length)).toEqual(first);
    const found =
      /^1,[0-9a-f-]{36},penetrating,interference,yes,"'=1\+2, ""x""",b,0\.49999\d*,0\.50000\d*,0,0\.[45]\d*,/;
    expect(row).toMatch(found);
    // Moving the first by that much to the left parts them.
    expect(Number(row.split(',')[head.split(',').indexOf('move A by x') + 1])).toBeCloseTo(-0.5, 4);
    expect(end).toBe('');
  });

  test('equal clashes share a card: the same shapes in the same place to each other, turned together or not', async () => {
    const quarter = Float64Array.of(0, -1, 0, 9, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
    const aside = Float64Array.of(0, -1, 0, 9, 1, 0, 0, 0.75, 0, 0, 1, 0, 0, 0, 0, 1);
    const file = await writeAssembly('equal.glb', [
      { name: 'a', transform: at(0) },
      { name: 'b', transform: at(0.75) },
      { name: 'c', transform: at(0, 4) },
      { name: 'd', transform: at(0.75, 4) },
      // The pair turned by 90 degrees.
      { name: 'e', transform: quarter },
      { name: 'f', transform: aside },
      // Another place of the two, of the same depth.
      { name: 'g', transform: at(20) },
      { name: 'h', transform: at(20, 0.75) },
    ]);
    const [report, csv] = [inFolder('equal.html'), inFolder('equal.csv')];
    clash(file, '--report', report, '--csv', csv);
    const page = readFileSync(report, 'utf8');
    const cards = [...page.matchAll(/<article [^>]*data-members="([^"]*)"/g)].map(
      ([, members]) => members.split(' ').length,
    );
    expect(cards.sort()).toEqual([1, 3]);
    const [head, ...rows] = readFileSync(csv, 'utf8')
      .trim()
      .split('\r\n')
      .map((row) => row.split(','));
    const groups = rows.map((row) => Number(row[head.indexOf('equal clashes')]));
    expect(groups.sort()).toEqual([1, 3, 3, 3]);
  });

  test('a page without clashes, one of flat parts and one of dense parts are well-formed and small', async () => {
    const report = inFolder('other.html');
    clash(inFolder('cube.obj'), '--report', report);
    expect(findMarkupFault(readFileSync(report, 'utf8'))).toBeNull();
    // Flattened by its placement: two squares that cross.
    const flat = await writeAssembly('flat.glb', [
      { name: 'x', transform: Float64Array.of(0, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1) },
      { name: 'y', transform: Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0.5, 0, 0, 1, 0, 0, 0, 0, 1) },
    ]);
    expect(clash(flat, '--report', report).clashes).toMatchObject([{ intersects: true }]);
    expect(findMarkupFault(readFileSync(report, 'utf8'))).toBeNull();
    runJson('models', 'bunny', '-o', inFolder('bunny.ply'));
    // Without the depth, which takes all the time there is: this is about the page.
    clash(inFolder('bunny.ply'), inFolder('bunny.ply'), '--report', report, '--depth-seconds', '1');
    const page = readFileSync(report, 'utf8');
    expect(findMarkupFault(page)).toBeNull();
    // The dense parts are in the page once, simplified; the rest are two pictures.
    expect(page.length).toBeLessThan(1_200_000);
  });

  test('says it for people', async () => {
    const file = await writeAssembly('people.glb', [
      { name: 'left', transform: at(0) },
      { name: 'right', transform: at(1.25) },
    ]);
    const { code, stdout, stderr } = runCommand('clash', file, '--clearance', '1');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^clashes +1: 0 interfere, 0 touch, 1 too close$/m);
    expect(stdout).toMatch(/^near +0 +0\.25 +1 +left +right /m);
    expect(runCommand('clash', '--help').stdout).toContain('  nearfield clash ');
  });

  test('names with line breaks and control characters break no table', async () => {
    const file = await writeAssembly('control.glb', [
      { name: 'left\nright', transform: at(0) },
      { name: 'red\u001b[31m', transform: at(0.5) },
    ]);
    expect(clash(file).clashes).toMatchObject([{ a: 'left\nright', b: 'red\u001b[31m' }]);
    const { stdout } = runCommand('clash', file);
    expect(stdout).toMatch(/^penetrating +0\.5\d* +0\.5 +1 +left right +red\ufffd\[31m +\(/m);
  });

  test('refuses bad input in one line', () => {
    const cube = inFolder('cube.obj');
    expectRefusal(['clash'], 'FILE');
    expectRefusal(['clash', inFolder('absent.glb'), '--clearance', '1'], 'absent.glb');
    expectRefusal(['clash', cube, cube, '--clearance', '-1'], '--clearance');
    expectRefusal(['clash', cube, cube, '--clearance', 'Infinity'], '--clearance');
    expectRefusal(['clash', cube, cube, '--report', inFolder('r.pdf')], 'r.pdf', '.html');
    expectRefusal(['clash', cube, cube, '--report', join(folder, 'none', 'r.html')], 'r.html');
  });
});
