// Other libraries on the same pairs in the same run: FCL's deepest contact, the depth of the two hulls, and the depth
// from the Minkowski sum of manifold-3d, on tori small enough for it.
import { buildHull, type ConvexSet, closestFeatures, createConvexSet } from 'nearfield/convex';
import { createRandom, type Pose, quat } from 'nearfield/core';
import { findModel, type Mesh } from 'nearfield/mesh';
import { testIntersection } from 'nearfield/proximity';
import { milliseconds, ratio } from './measure.js';
import { type FclDriver, FclScene } from './peers/fcl.js';
import { loadManifold, MANIFOLD_MISSING } from './peers/manifold.js';
import { askPenetration, CERTIFIED, type PreparedPair, preparePair, timeQueries } from './penetration-run.js';
import { findTiming, type PairOutcome } from './penetration-tables.js';
import { type PenetrationPair, penetrationBenchmarks } from './scenarios/penetration.js';
import type { BenchTable, SuiteContext } from './suite.js';

const ABSENT = '–';

/** FCL's deepest contact and the depth of the hulls beside ours: one row per pair, and one for many poses of two tori. */
export async function contactTable(
  outcomes: readonly PairOutcome[],
  driver: FclDriver,
  context: SuiteContext,
): Promise<BenchTable> {
  const rows: string[][] = [];
  for (const { prepared, timings } of outcomes) {
    const { pair } = prepared;
    context.progress(0.8, `peers, ${pair.name}`);
    const [fcl] = await askFcl(driver, pair.meshA, pair.meshB, [[pair.poseA, pair.poseB]]);
    const { result, median } = findTiming(timings, CERTIFIED)!;
    rows.push([
      pair.title,
      result.depth.toPrecision(4),
      yesOrNo(separates(prepared, pair, result.vector)),
      milliseconds(median),
      hullDepth(pair).toPrecision(4),
      ...(fcl
        ? [fcl.depth.toPrecision(4), yesOrNo(separates(prepared, pair, fcl.vector)), milliseconds(fcl.milliseconds)]
        : [ABSENT, ABSENT, ABSENT]),
    ]);
  }
  rows.push(await deepPosesRow(driver, context));
  return {
    title: 'What others call the depth',
    headings: ['pair', 'depth', 'separates', 'ms', 'hulls of the two', "FCL's deepest contact", 'separates', 'ms'],
    rows,
    notes: [
      'Our depth is certified to 1e-3. Separates: A, moved by the vector, no longer meets B, by an exact test. The hulls always separate, but farther ' +
        'away than needed. FCL 0.7 gives contacts of pairs of triangles; the deepest is not a depth of the models.',
      ...('missing' in driver ? [driver.missing] : []),
    ],
  };
}

async function deepPosesRow(driver: FclDriver, { quick, progress }: SuiteContext): Promise<string[]> {
  const count = quick ? 5 : 100;
  const [{ meshA: mesh }] = penetrationBenchmarks;
  const prepared = preparePair({ ...penetrationBenchmarks[0], meshA: mesh, meshB: mesh });
  const poses = deepPoses(prepared, count);
  const contacts = await askFcl(driver, mesh, mesh, poses);
  const sums = { depth: 0, separated: 0, time: 0, hulls: 0, fcl: 0, fclSeparated: 0, fclTime: 0 };
  for (const [index, [poseA, poseB]] of poses.entries()) {
    progress(0.85 + (0.05 * index) / count, `peers, deep pose ${index + 1} of ${count}`);
    const pair = { ...prepared.pair, poseA, poseB };
    const placed = { ...prepared, pair };
    const { depth, vector, milliseconds: time } = await askPenetration(placed, CERTIFIED.options);
    sums.depth += depth;
    sums.time += time;
    sums.separated += Number(separates(prepared, pair, vector));
    sums.hulls += hullDepth(pair);
    const contact = contacts[index];
    if (contact === undefined) continue;
    sums.fcl += contact.depth;
    sums.fclTime += contact.milliseconds;
    sums.fclSeparated += Number(separates(prepared, pair, contact.vector));
  }
  const mean = (sum: number): string => (sum / count).toPrecision(4);
  return [
    `Two tori in ${count} random overlapping poses, means`,
    mean(sums.depth),
    `${sums.separated} of ${count}`,
    milliseconds(sums.time / count),
    mean(sums.hulls),
    ...(contacts.length > 0
      ? [mean(sums.fcl), `${sums.fclSeparated} of ${count}`, milliseconds(sums.fclTime / count)]
      : [ABSENT, ABSENT, ABSENT]),
  ];
}

/** Seeded poses of B near A, at random orientations, in which the two overlap. */
function deepPoses({ a, b }: PreparedPair, count: number): [Pose, Pose][] {
  const random = createRandom(23);
  const poses: [Pose, Pose][] = [];
  const poseA: Pose = [0, 0, 0, 0, 0, 0, 1];
  while (poses.length < count) {
    const turn = quat.normalize([random.normal(), random.normal(), random.normal(), random.normal()]);
    const shift = [random.range(-1.5, 1.5), random.range(-1.5, 1.5), random.range(-1.5, 1.5)] as const;
    const poseB: Pose = [...shift, ...turn];
    if (testIntersection(a, b, poseA, poseB).intersects) poses.push([poseA, poseB]);
  }
  return poses;
}

interface DeepestContact {
  readonly depth: number;
  /** Moves A. */
  readonly vector: readonly number[];
  readonly milliseconds: number;
}

/** Of each pair of poses; empty where FCL is missing. */
async function askFcl(
  driver: FclDriver,
  meshA: Mesh,
  meshB: Mesh,
  poses: readonly (readonly [Pose, Pose])[],
): Promise<DeepestContact[]> {
  if ('missing' in driver) return [];
  const scene = new FclScene(driver.file, {
    name: 'penetration',
    title: '',
    bodies: [meshA, meshB].map((mesh) => ({ name: '', mesh })),
    pairs: [[0, 1]],
    frameCount: poses.length,
    poses: Float64Array.from(poses.flat(2)),
  });
  await scene.pass('contact');
  const { microseconds, results } = await scene.pass('contact');
  scene.close();
  return poses.map((_, frame) => {
    const [depth, ...normal] = results.slice(4 * frame, 4 * frame + 4);
    return {
      depth,
      vector: normal.map((value) => -depth * value),
      milliseconds: microseconds / 1000 / poses.length,
    };
  });
}

/** How deep the hulls of the two models overlap. */
function hullDepth({ meshA, meshB, poseA, poseB }: PenetrationPair): number {
  return closestFeatures(hullOf(meshA), hullOf(meshB), poseA, poseB, { penetration: true }).depth ?? 0;
}

const hulls = new WeakMap<Mesh, ConvexSet>();
function hullOf(mesh: Mesh): ConvexSet {
  let hull = hulls.get(mesh);
  if (hull === undefined) {
    hull = createConvexSet(buildHull(mesh.positions));
    hulls.set(mesh, hull);
  }
  return hull;
}

/** Whether A, moved by the vector, no longer meets B. */
function separates({ a, b }: PreparedPair, { poseA, poseB }: PenetrationPair, vector: readonly number[]): boolean {
  const [x, y, z, ...rotation] = poseA;
  const moved: Pose = [x + vector[0], y + vector[1], z + vector[2], ...rotation];
  return !testIntersection(a, b, moved, poseB).intersects;
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

/** Segments around ring and tube of tori that manifold-3d can follow: 64 and 144 triangles, about 10 and 70 s. */
const SMALL_TORI = [
  { majorSegments: 8, minorSegments: 4 },
  { majorSegments: 12, minorSegments: 6 },
];

export async function minkowskiTable({ quick, progress }: SuiteContext): Promise<BenchTable> {
  const manifold = await loadManifold();
  const rows: string[][] = [];
  for (const segments of quick ? SMALL_TORI.slice(0, 1) : SMALL_TORI) {
    const mesh = findModel('torus').build({ majorRadius: 1, minorRadius: 0.3, ...segments });
    const triangles = mesh.indices.length / 3;
    progress(0.9, `manifold-3d, tori of ${triangles} triangles`);
    const pair = { ...penetrationBenchmarks[0], meshA: mesh, meshB: mesh };
    const prepared = preparePair(pair);
    const [ours] = await timeQueries(prepared, [CERTIFIED], { rounds: quick ? 3 : 9, patience: 5000 });
    const total = ours.median + prepared.prepareMilliseconds;
    const sum = manifold?.measureDepth(mesh, mesh, pair.poseA, pair.poseB);
    rows.push([
      `${triangles}`,
      milliseconds(ours.median),
      milliseconds(total),
      ours.result.depth.toPrecision(5),
      ...(sum
        ? [
            milliseconds(sum.milliseconds),
            `${sum.triangles}`,
            sum.depth.toPrecision(5),
            ratio(ours.median, sum.milliseconds),
            ratio(total, sum.milliseconds),
          ]
        : [ABSENT, ABSENT, ABSENT, ABSENT, ABSENT]),
    ]);
  }
  return {
    title: `Against the Minkowski sum of manifold-3d${manifold ? ` ${manifold.version}` : ''}`,
    headings: [
      'triangles of each torus',
      'ours, ms',
      'made ready first, ms',
      'depth',
      'manifold-3d, ms',
      'triangles of the sum',
      'depth by it',
      'we are faster by',
      'made ready first',
    ],
    rows,
    notes: [
      'Two linked tori that overlap deep; ours is certified to 1e-3. "Made ready first" counts the convex decomposition and the hierarchies too. ' +
        'manifold-3d ran once; its depth is from the origin to the nearest point of the sum.',
      ...(manifold ? [] : [MANIFOLD_MISSING]),
    ],
  };
}
