// What the usual bundlers make of the packed package: it bundles for the browser without a warning, the bundles run, and
// their sizes are those of docs/packaging.md. After a change that is meant: UPDATE_SIZES=1 npx vitest run tests/package
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUNDLERS, loadedAtOnce } from './bundlers.js';
import { projectWithPackage, root } from './packed-package.js';

/** What an application imports, and from which chapter; the most that it may cost, in kB, where that is promised. */
const IMPORTS: readonly {
  readonly name: string;
  readonly chapter: string;
  readonly slowToo?: true;
  readonly most?: number;
}[] = [
  { name: 'measureDistance', chapter: 'proximity', slowToo: true, most: 35 },
  { name: 'findContacts', chapter: 'proximity' },
  { name: 'Pair', chapter: 'proximity' },
  { name: 'Scene', chapter: 'proximity' },
  { name: 'measurePenetration', chapter: 'penetration' },
  { name: 'computeField', chapter: 'field' },
  { name: 'readModel', chapter: 'io', slowToo: true },
  { name: 'modelFrom', chapter: 'three' },
];
const UPDATE = Boolean(process.env.UPDATE_SIZES);
const SIZES = /<!-- sizes -->\n([\s\S]*)<!-- end of sizes -->/;
const PAGE = join(root, 'docs/packaging.md');
/** Sizes may differ from the page's by this much before it must be written anew. */
const SLACK = 0.05;

let folder: string;
beforeAll(() => {
  folder = projectWithPackage('robust-predicates', 'saxes', 'three');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sizes = new Map<string, number>();

describe.each(Object.entries(BUNDLERS))('%s', (bundler, bundle) => {
  test('bundles run', async () => {
    writeFileSync(
      join(folder, 'app.js'),
      `import { findModel, measureDistance, ProximityModel } from 'nearfield';
      const cup = new ProximityModel(findModel('cup').build());
      const spoon = new ProximityModel(findModel('spoon').build());
      console.log(measureDistance(cup, spoon, [0, 0, 0, 0, 0, 0, 1], [0, 0.6, 0, 0, 0, 0, 1]).distance.toFixed(4));`,
    );
    const out = join(folder, 'dist');
    rmSync(out, { recursive: true, force: true });
    mkdirSync(out);
    writeFileSync(join(out, 'package.json'), '{"type":"module"}');
    for (const [name, { code }] of await bundle(folder, 'app.js')) writeFileSync(join(out, name), code);
    // The README's own example says the number.
    expect(execFileSync(process.execPath, ['entry.js'], { cwd: out, encoding: 'utf8' }).trim()).toBe('0.1090');
  });

  test.each(measuredBy(bundler))('bundles $name', async ({ name, chapter, most = Infinity }) => {
    const script = `import { ${name} } from 'nearfield/${chapter}'; globalThis.used = ${name};`;
    writeFileSync(join(folder, 'import.js'), script);
    const code = loadedAtOnce(await bundle(folder, 'import.js'));
    const size = gzipSync(code, { level: 9 }).length / 1000;
    sizes.set(`${name} ${bundler}`, size);
    expect(size).toBeLessThanOrEqual(most);
  });
});

test('sizes are those of the page', () => {
  const page = readFileSync(PAGE, 'utf8');
  const [, written] = SIZES.exec(page)!;
  if (UPDATE) {
    writeFileSync(
      PAGE,
      page.replace(SIZES, () => `<!-- sizes -->\n${tableOf(sizes)}<!-- end of sizes -->`),
    );
    return;
  }
  const shown = sizesIn(written);
  expect(shown.size).toBe(IMPORTS.length * Object.keys(BUNDLERS).length);
  for (const [key, size] of sizes) {
    expect(Math.abs(size / shown.get(key)! - 1), `${key}: ${shown.get(key)} kB on the page, ${size} now`).toBeLessThan(
      SLACK,
    );
  }
});

/** rollup and webpack are slow: only a new table has them measure every row. */
function measuredBy(bundler: string): typeof IMPORTS {
  return UPDATE || bundler === 'esbuild' || bundler === 'Vite' ? IMPORTS : IMPORTS.filter(({ slowToo }) => slowToo);
}

function tableOf(measured: ReadonlyMap<string, number>): string {
  const bundlers = Object.keys(BUNDLERS);
  const rows = IMPORTS.map(({ name, chapter }) => [
    `\`${name}\` of \`nearfield/${chapter}\``,
    ...bundlers.map((bundler) => measured.get(`${name} ${bundler}`)!.toFixed(1)),
  ]);
  return [['import', ...bundlers], ['---', ...bundlers.map(() => '---:')], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}

/** The inverse of tableOf. */
function sizesIn(table: string): Map<string, number> {
  const [[, ...bundlers], , ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.slice(2, -2).split(' | '));
  return new Map(
    rows.flatMap(([label, ...cells]) =>
      cells.map((cell, at): [string, number] => [`${/`(\w+)`/.exec(label)![1]} ${bundlers[at]}`, Number(cell)]),
    ),
  );
}
