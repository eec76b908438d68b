// Whole fields compared with common libraries: scikit-fmm's march, SciPy's distance transform, OpenVDB's narrow band, and
// three-mesh-bvh's closest point at every node. Runs of a peer alternate with ours.
import {
  compareFields,
  computeFieldSync,
  computeSparseField,
  distanceTransform,
  type GridFrame,
  gridNodeCount,
  gridOverBox,
  marchFromBand,
  sampleFunction,
} from 'nearfield/field';
import { type Mesh, triangleCount } from 'nearfield/mesh';
import { milliseconds, ratio } from './measure.js';
import { loadThreeMeshBvh } from './peers/closest-points.js';
import type { PythonFields } from './peers/python-fields.js';
import { buildModel, cubeAround } from './scenarios/fields.js';
import type { BenchTable, SuiteContext } from './suite.js';

const ABSENT = '–';

/** A first run that takes longer than this, in milliseconds, counts: compilation is a small part of it. */
const LONG_RUN = 2000;

/** The median of our times and of theirs, in alternation after a warm-up; theirs is undefined without a peer. */
async function alternate(
  rounds: number,
  ours: () => unknown,
  theirs?: (() => Promise<number>) | undefined,
): Promise<{ ours: number; theirs: number | undefined }> {
  const timed = async (): Promise<number> => {
    const start = performance.now();
    ours();
    return performance.now() - start;
  };
  const mine = await medianTime(rounds, [timed, ...(theirs ? [theirs] : [])]);
  return { ours: mine[0], theirs: theirs && mine[1] };
}

async function medianTime(rounds: number, contestants: readonly (() => Promise<number>)[]): Promise<number[]> {
  const times: number[][] = [];
  for (const run of contestants) {
    const first = await run();
    times.push(first > LONG_RUN ? [first] : []);
  }
  for (let round = 0; round < rounds; round++) {
    for (const [index, run] of contestants.entries()) {
      if (!(times[index][0] > LONG_RUN)) times[index].push(await run());
    }
  }
  return times.map((list) => list.sort((a, b) => a - b)[list.length >> 1]);
}

function comparison({ ours, theirs }: { ours: number; theirs: number | undefined }): string[] {
  return [
    milliseconds(ours),
    theirs === undefined ? ABSENT : milliseconds(theirs),
    theirs === undefined ? ABSENT : ratio(ours, theirs),
  ];
}

/** The march of a smooth sphere from values at the nodes, which is what scikit-fmm takes. */
export async function marchTable(peers: PythonFields | null, { quick, progress }: SuiteContext): Promise<BenchTable> {
  const rows: string[][] = [];
  const version = peers?.versions.skfmm;
  for (const resolution of quick ? [32] : [60, 128]) {
    const frame = gridOverBox({ min: [-1, -1, -1], max: [1, 1, 1] }, resolution);
    const exact = sampleFunction(frame, (x, y, z) => Math.hypot(x, y, z) - 0.8);
    const band = exact.values.map((d) => (Math.abs(d) <= 2 * frame.spacing ? d : d < 0 ? -Infinity : Infinity));
    for (const order of [1, 2] as const) {
      progress(0.5, `march on ${resolution}³ nodes`);
      const theirs = version ? await peers.march(exact, order) : null;
      const times = await alternate(
        quick ? 1 : 7,
        () => marchFromBand(frame, band, { order }),
        version ? async () => (await peers.march(exact, order)).milliseconds : undefined,
      );
      const off = compareFields(marchFromBand(frame, band, { order }), exact);
      const theirOff = theirs && compareFields({ ...frame, values: theirs.values }, exact);
      rows.push([
        `${resolution}³`,
        order === 1 ? 'first' : 'second',
        ...comparison(times),
        off.mean.toExponential(1),
        theirOff?.mean.toExponential(1) ?? ABSENT,
        off.max.toExponential(1),
        theirOff?.max.toExponential(1) ?? ABSENT,
      ]);
    }
  }
  return {
    title: 'Fast marching of a sphere, both sides',
    headings: [
      'nodes',
      'order',
      'ours, ms',
      'scikit-fmm, ms',
      'ours is faster by',
      'L1: ours',
      'scikit-fmm',
      'L∞: ours',
      'scikit-fmm',
    ],
    rows,
    notes: [
      version
        ? `scikit-fmm ${version} finds its first band from the same values by itself; ours has them within two spacings.`
        : 'scikit-fmm is not installed and was left out.',
    ],
  };
}

/** Distances of all nodes from random sites. */
export async function transformTable(
  peers: PythonFields | null,
  { quick, progress }: SuiteContext,
): Promise<BenchTable> {
  const version = peers?.versions.scipy;
  const sizes = quick
    ? ([
        [256, 256, 1],
        [32, 32, 32],
      ] as const)
    : ([
        [2048, 2048, 1],
        [128, 128, 128],
        [256, 256, 256],
      ] as const);
  const rows: string[][] = [];
  for (const size of sizes) {
    progress(0.6, `distance transform of ${size.join(' × ')}`);
    const count = size[0] * size[1] * size[2];
    const sites = new Uint8Array(count);
    for (let node = 0; node < count; node += 997) sites[node] = 1;
    const times = await alternate(
      quick ? 1 : 5,
      () => distanceTransform(size, sites),
      version ? async () => (await peers.transform({ size }, sites)).milliseconds : undefined,
    );
    let worst = 0;
    if (version) {
      const theirs = (await peers.transform({ size }, sites)).values;
      const { distancesSquared } = distanceTransform(size, sites);
      for (let node = 0; node < count; node++)
        worst = Math.max(worst, Math.abs(Math.sqrt(distancesSquared[node]) - theirs[node]));
    }
    rows.push([
      size.filter((nodes) => nodes > 1).join(' × '),
      ...comparison(times),
      version ? worst.toExponential(1) : ABSENT,
    ]);
  }
  return {
    title: 'Euclidean distance transform, with the nearest site of every node',
    headings: ['nodes', 'ours, ms', 'SciPy, ms', 'ours is faster by', 'largest difference'],
    rows,
    notes: [version ? `SciPy ${version}, distances alone.` : 'SciPy is not installed and was left out.'],
  };
}

/** Narrow bands of a mesh, dense and sparse. */
export async function bandTable(peers: PythonFields | null, { quick, progress }: SuiteContext): Promise<BenchTable> {
  const version = peers?.versions.pyopenvdb;
  const model = quick ? buildModel('wrinkled-torus') : buildModel('dragon', { triangles: 70_000 });
  const rows: string[][] = [];
  for (const [resolution, kind] of quick
    ? ([[64, 'dense']] as const)
    : ([
        [256, 'dense'],
        [256, 'sparse'],
        [512, 'sparse'],
        [1024, 'sparse'],
      ] as const)) {
    progress(0.7, `${kind} band on ${resolution}³ nodes`);
    const frame = cubeAround(model, resolution, { sparse: true });
    const width = 3;
    let bytes = 0;
    const ours = (): void => {
      if (kind === 'dense')
        bytes = computeFieldSync(model, frame, { maxDistance: width * frame.spacing }).values.byteLength;
      else bytes = computeSparseField(model, frame, { bandWidth: width }).byteLength;
    };
    const band = version ? await peers.band(model, frame.spacing, width) : null;
    const times = await alternate(
      quick ? 1 : 3,
      ours,
      version ? async () => (await peers.band(model, frame.spacing, width)).milliseconds : undefined,
    );
    rows.push([`${resolution}³`, kind, ...comparison(times), megabytes(bytes), band ? megabytes(band.bytes) : ABSENT]);
  }
  return {
    title: `Narrow band of ${triangleCount(model).toLocaleString('en-US')} triangles, three spacings to each side`,
    headings: ['nodes', 'kept', 'ours, ms', 'OpenVDB, ms', 'ours is faster by', 'ours, MB', 'OpenVDB, MB'],
    rows,
    notes: [
      'Ours: exact distances, the sign exact by rows. ' +
        (version
          ? `OpenVDB ${version}, single precision, held to one core.`
          : 'OpenVDB is not installed and was left out.'),
    ],
  };
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

/** Exact distances at every node. */
export async function wholeTable({ quick, progress }: SuiteContext): Promise<BenchTable> {
  const peer = await loadThreeMeshBvh();
  const cases: [Mesh, string, number][] = quick
    ? [[buildModel('sphere'), 'sphere', 24]]
    : [
        [buildModel('sphere', { segments: 25, rings: 21 }), 'sphere', 60],
        [buildModel('bunny'), 'bunny', 64],
        [buildModel('dragon', { triangles: 70_000 }), 'dragon', 64],
        [buildModel('dragon', { triangles: 70_000 }), 'dragon', 128],
      ];
  const rows: string[][] = [];
  for (const [mesh, name, resolution] of cases) {
    progress(0.85, `exact field of ${name}`);
    const frame = cubeAround(mesh, resolution);
    const ask = peer?.(mesh);
    const points = ask && nodesOf(frame);
    const times = await alternate(
      quick ? 1 : 3,
      () => computeFieldSync(mesh, frame),
      ask && points
        ? async () => {
            const start = performance.now();
            ask(points);
            return performance.now() - start;
          }
        : undefined,
    );
    rows.push([
      name,
      triangleCount(mesh).toLocaleString('en-US'),
      `${resolution}³`,
      ...comparison(times),
      ((1e3 * times.ours) / gridNodeCount(frame)).toFixed(2),
    ]);
  }
  return {
    title: 'Exact distances at every node',
    headings: ['model', 'triangles', 'nodes', 'ours, ms', 'three-mesh-bvh, ms', 'ours is faster by', 'ours, µs a node'],
    rows,
    notes: [
      peer
        ? 'Ours: the hierarchy is built in it, and the values have their sign. three-mesh-bvh: its hierarchy stands, closest points in single precision, no sign.'
        : 'three-mesh-bvh is not installed and was left out.',
    ],
  };
}

function nodesOf({ origin, spacing, size }: GridFrame): Float64Array {
  const points = new Float64Array(3 * size[0] * size[1] * size[2]);
  let at = 0;
  for (let k = 0; k < size[2]; k++) {
    for (let j = 0; j < size[1]; j++) {
      for (let i = 0; i < size[0]; i++, at += 3) {
        points[at] = origin[0] + spacing * i;
        points[at + 1] = origin[1] + spacing * j;
        points[at + 2] = origin[2] + spacing * k;
      }
    }
  }
  return points;
}
