// Reading model files, beside three's loaders on the same bytes in the same run.
import { readModel, writeModel } from 'nearfield/io';
import { models } from 'nearfield/mesh';
import { milliseconds, ratio } from './measure.js';
import type { BenchTable, Suite } from './suite.js';

const FORMATS = ['obj', 'stl', 'stl-ascii', 'ply', 'ply-ascii', 'off', 'glb'] as const;
type Format = (typeof FORMATS)[number];

export const filesSuite: Suite = {
  name: 'files',
  title: 'Files: reading',
  chapters: ['io'],
  async run({ quick, progress }) {
    const model = models.find(({ name }) => name === (quick ? 'bunny' : 'dragon'));
    if (!model) throw new Error('the model is missing');
    const mesh = model.build();
    const peers = await loadThreeLoaders();
    const rounds = quick ? 1 : 5;
    const rows: string[][] = [];
    for (const [index, format] of FORMATS.entries()) {
      progress(index / FORMATS.length, format);
      const bytes = await writeModel(mesh, format);
      const ours: number[] = [];
      const theirs: number[] = [];
      const peer = peers?.[format];
      for (let round = 0; round <= rounds; round++) {
        const start = performance.now();
        await readModel(bytes, { fileName: `model.${format.replace('-ascii', '')}` });
        const middle = performance.now();
        await peer?.(bytes);
        const end = performance.now();
        if (round === 0) continue; // warm-up
        ours.push(middle - start);
        theirs.push(end - middle);
      }
      const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1];
      const our = median(ours);
      rows.push([
        format,
        (bytes.length / 1e6).toFixed(1),
        milliseconds(our),
        (bytes.length / 1e3 / our).toFixed(0),
        peer ? milliseconds(median(theirs)) : '–',
        peer ? ratio(our, median(theirs)) : '–',
      ]);
    }
    const table: BenchTable = {
      title: `Reading ${model.title.toLowerCase()}, ${(mesh.indices.length / 3).toLocaleString('en-US')} triangles`,
      headings: ['format', 'megabytes', 'ours, ms', 'MB/s', "three's loader, ms", 'ours is faster by'],
      rows,
      notes: [
        'Ours checks every number and index, welds STL and glTF, and reads 64-bit coordinates; three reads 32-bit ones and does not weld.',
      ],
    };
    return [table];
  },
};

type Loader = (bytes: Uint8Array) => unknown;

async function loadThreeLoaders(): Promise<Partial<Record<Format, Loader>> | null> {
  try {
    const { OBJLoader } = await import('three/examples/jsm/loaders/OBJLoader.js');
    const { STLLoader } = await import('three/examples/jsm/loaders/STLLoader.js');
    const { PLYLoader } = await import('three/examples/jsm/loaders/PLYLoader.js');
    const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
    const buffer = (bytes: Uint8Array): ArrayBuffer => bytes.slice().buffer;
    const stl: Loader = (bytes) => new STLLoader().parse(buffer(bytes));
    const ply: Loader = (bytes) => new PLYLoader().parse(buffer(bytes));
    return { obj: (bytes) => new OBJLoader().parse(text(bytes)), stl, 'stl-ascii': stl, ply, 'ply-ascii': ply };
  } catch {
    return null;
  }
}
