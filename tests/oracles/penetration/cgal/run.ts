// Runs the program over the cases, one after the other, and writes what it found as a fixture. See README.md.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Solid } from '../shapes.js';
import { cgalCases } from './cases.js';

const [program, fixture, seconds = '240'] = process.argv.slice(2);

/** A double as C reads it, to the last bit. */
function toHexadecimal(value: number): string {
  if (value === 0) return '0x0p0';
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, Math.abs(value));
  const high = bits.getUint32(0);
  const mantissa =
    ((high & 0xfffff) >>> 0).toString(16).padStart(5, '0') + bits.getUint32(4).toString(16).padStart(8, '0');
  return `${value < 0 ? '-' : ''}0x1.${mantissa}p${(high >>> 20) - 1023}`;
}

/** Each connected surface as its own list of vertices and triangles. */
function describe(solid: Solid): string {
  const owner = Int32Array.from({ length: solid.positions.length / 3 }, (_, v) => v);
  const root = (v: number): number => (owner[v] === v ? v : (owner[v] = root(owner[v])));
  for (let i = 0; i < solid.indices.length; i += 3) {
    owner[root(solid.indices[i])] = root(solid.indices[i + 1]);
    owner[root(solid.indices[i + 1])] = root(solid.indices[i + 2]);
  }
  const roots = [...new Set(Array.from(solid.indices, root))];
  const lines = [`${roots.length}`];
  for (const shell of roots) {
    const vertices = Array.from(owner.keys()).filter((v) => root(v) === shell);
    const corners = Array.from(solid.indices)
      .filter((v) => root(v) === shell)
      .map((v) => vertices.indexOf(v));
    lines.push(`${vertices.length} ${corners.length / 3}`);
    for (const v of vertices)
      lines.push(Array.from(solid.positions.subarray(3 * v, 3 * v + 3), toHexadecimal).join(' '));
    lines.push(corners.join(' '));
  }
  return lines.join('\n');
}

interface Entry {
  name: string;
}

const known: Entry[] = existsSync(fixture) ? JSON.parse(readFileSync(fixture, 'utf8')) : [];
const entries: Entry[] = [];
for (const { name, a, b } of cgalCases) {
  const meshes = {
    meshA: { positions: Array.from(a.positions), indices: Array.from(a.indices) },
    meshB: { positions: Array.from(b.positions), indices: Array.from(b.indices) },
  };
  const before = known.find((entry) => {
    const { meshA, meshB } = entry as unknown as typeof meshes;
    return entry.name === name && JSON.stringify({ meshA, meshB }) === JSON.stringify(meshes);
  });
  if (before) {
    entries.push(before);
    continue;
  }
  const start = Date.now();
  const { status, stdout, stderr } = spawnSync(program, {
    input: `${describe(a)}\n${describe(b)}\n`,
    timeout: 1000 * Number(seconds),
    encoding: 'utf8',
  });
  console.error(
    `${name}: ${status} ${((Date.now() - start) / 1000).toFixed(1)} s ${stdout.trim()} ${stderr.slice(0, 300)}`,
  );
  if (status !== 0) continue;
  const { state, distance, nearest, volumes, facets } = JSON.parse(stdout);
  entries.push({
    name,
    state,
    depth: state === 'deep' ? distance : 0,
    distance,
    nearest,
    sum: { volumes, facets },
    ...meshes,
  } as Entry);
}
writeFileSync(fixture, `[\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}\n]\n`);
