// Writes the figures of the README between its marks, from the records of the benchmarks, so that they stay true.
// usage: node scripts/readme-figures.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url);
const BEGIN = '<!-- figures -->';
const END = '<!-- end of figures -->';

/** The README with its figures written anew. */
export function withFigures(readme) {
  const [before, rest] = readme.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`README.md needs the lines ${BEGIN} and ${END}.`);
  return `${before}${BEGIN}\n${figures()}\n${END}${after}`;
}

function figures() {
  const distances = table('proximity', 'Exact distance, microseconds a frame');
  const factors = column(distances, 'coherent is faster than FCL by')
    .map((text) => parseFloat(text))
    .sort((a, b) => a - b);
  const tori = rowOf(distances, 'Interlocked tori');
  const depths = table('penetration', 'What others call the depth');
  const random = rowOf(depths, 'Two tori in 100 random overlapping poses, means');
  const tangles = table('dynamics', 'Starts from deep overlap, without gravity').rows.filter(([scene]) =>
    /^40 letters/.test(scene),
  );
  const left = (name) => tangles.filter(([, , system]) => system.startsWith(name)).map((row) => Number(row.at(-1)));
  const range = (values) => [...new Set([Math.min(...values), Math.max(...values)].map(Math.round))].join(' to ');
  return [
    '| | nearfield | beside it |',
    '|---|--:|--:|',
    `| exact distance of two meshes in motion, seven scenes of 4,000 to 90,000 triangles | ${factors[0]} to ${factors.at(-1)} times as fast, ${tori.coherent} µs a frame for two tori | FCL in C++, ${tori.FCL} µs; three-mesh-bvh ${thousands(tori['three-mesh-bvh'])} µs |`,
    `| two overlapping tori in 100 random poses: moved by the answer, how many are apart? | ${random.separates[0]}, proven to be the shortest within 0.1 % | ${random.separates[1]} by FCL’s deepest contact |`,
    `| 40 letters that start tangled: deepest overlap after 5 s of simulation | ${range(left('nearfield'))} mm | Rapier ${range(left('Rapier'))} mm, Jolt ${range(left('Jolt'))} mm |`,
  ].join('\n');
}

function table(suite, title) {
  const { results } = JSON.parse(readFileSync(new URL(`bench/results/${suite}.json`, root), 'utf8'));
  const found = results.flatMap(({ tables }) => tables).find((candidate) => candidate.title === title);
  if (found === undefined) throw new Error(`bench/results/${suite}.json has no table "${title}".`);
  return found;
}

function column({ headings, rows }, heading) {
  return rows.map((row) => row[headings.indexOf(heading)]);
}

/** The cells of a row by heading; a heading that occurs twice has both cells. */
function rowOf({ headings, rows }, name) {
  const row = rows.find(([first]) => first === name);
  const cells = {};
  for (const [i, heading] of headings.entries())
    cells[heading] = heading in cells ? [cells[heading], row[i]].flat() : row[i];
  return cells;
}

function thousands(text) {
  return Number(text).toLocaleString('en-US');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = new URL('README.md', root);
  writeFileSync(path, withFigures(readFileSync(path, 'utf8')));
}
