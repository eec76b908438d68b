// Pairs of models that overlap: the four benchmarks of Kim, Otaduy, Lin and Manocha 2002, section 6.2, the C and the I of
// its figure 1, and two wrinkled tori. The geometry is ours, scaled so that the depths are theirs; their figures
// stand beside. Shared by the benchmarks, the lab and the tests. Meshes are built when first used.
import { type Pose, pose, quat } from 'nearfield/core';
import { extrudePolygon, findModel, type Mesh } from 'nearfield/mesh';
import { buildLetterC, buildLetterS } from './stroke-letters.js';

/** A row of Table 2 of Kim et al. 2002, which prints some of the levels. */
export interface DocumentLevel {
  readonly level: number;
  /** 0 to 1. */
  readonly cullRatio: number;
  readonly sumSeconds: number;
  readonly querySeconds: number;
  readonly estimate: number;
}

/** What Kim et al. 2002 print for a benchmark: a 1.6 GHz Pentium 4 with a GeForce 3. */
export interface DocumentFigures {
  /** Convex pieces of the two models. */
  readonly pieces: readonly [a: number, b: number];
  readonly depth: number;
  /** Table 3. */
  readonly seconds: number;
  readonly unacceleratedSeconds: number;
  /** Table 2. */
  readonly levels: readonly DocumentLevel[];
}

/** Two closed models in overlapping poses. */
export interface PenetrationPair {
  readonly name: string;
  readonly title: string;
  readonly meshA: Mesh;
  readonly meshB: Mesh;
  readonly poseA: Pose;
  readonly poseB: Pose;
}

export interface PenetrationBenchmark extends PenetrationPair {
  readonly name: 'interlocked-tori' | 'touching-tori' | 'grates' | 'letters';
  readonly document: DocumentFigures;
}

type BenchmarkFacts = Pick<PenetrationBenchmark, 'name' | 'title' | 'document'>;

const HOUR = 3600;
const MINUTE = 60;

/** Ring and tube of the tori, 50 × 20 quads: 2,000 triangles. */
const RING = 1;
const TUBE = 0.3;
/** How far round rims of the touching tori would overlap; the polygons' are 0.29 deep. */
const RIM_OVERLAP = 0.301;

const torus = lazy(() => findModel('torus').build({ majorRadius: RING, minorRadius: TUBE }));

/**
 * B's ring stands across A's and runs through its hole, so near to A's tube that the tubes' middles are 0.1 apart. The
 * shortest way out, 2 · TUBE − 0.1, leaves the rings linked. The small turns keep facets from being parallel.
 */
const LINKED: Pose = pose.create(
  [2 * RING - 0.1, 0, 0],
  quat.multiply(quat.fromAxisAngle([1, 0, 0], Math.PI / 2), quat.fromAxisAngle([0, 1, 0], 0.05)),
);

const interlockedTori = definePair<BenchmarkFacts>(
  {
    name: 'interlocked-tori',
    title: 'Interlocked tori',
    document: {
      pieces: [67, 67],
      depth: 0.5,
      seconds: 3.7,
      unacceleratedSeconds: 4 * HOUR,
      levels: [
        { level: 3, cullRatio: 0.312, sumSeconds: 0.219, querySeconds: 0.22, estimate: 0.99 },
        { level: 5, cullRatio: 0.967, sumSeconds: 0.165, querySeconds: 0.146, estimate: 0.53 },
        { level: 7, cullRatio: 0.983, sumSeconds: 1.014, querySeconds: 1.992, estimate: 0.5 },
      ],
    },
  },
  {
    buildA: torus,
    buildB: torus,
    poseB: LINKED,
  },
);

const touchingTori = definePair<BenchmarkFacts>(
  {
    name: 'touching-tori',
    title: 'Touching tori',
    document: {
      pieces: [67, 67],
      depth: 0.29,
      seconds: 0.3,
      unacceleratedSeconds: 4 * HOUR,
      levels: [
        { level: 3, cullRatio: 0.984, sumSeconds: 0.135, querySeconds: 0.014, estimate: 0.29 },
        { level: 7, cullRatio: 0.999, sumSeconds: 0.105, querySeconds: 0.032, estimate: 0.29 },
      ],
    },
  },
  {
    buildA: torus,
    buildB: torus,
    poseB: pose.create([2 * (RING + TUBE) - RIM_OVERLAP, 0, 0], quat.fromAxisAngle([0, 0, 1], 0.05)),
  },
);

/**
 * The smaller grate stands across the larger, whose plane lies midway between two of its level bars. Both have bars 1.7
 * apart, so that all five upright bars fit through openings at once, after 0.45 along x and 0.44 along y. All faces are
 * parallel to the axes: the depth is √(0.45² + 0.44²), by coordinate compression.
 */
const grates = definePair<BenchmarkFacts>(
  {
    name: 'grates',
    title: 'Interlocked grates',
    document: {
      pieces: [169, 409],
      depth: 0.63,
      seconds: 1.9,
      unacceleratedSeconds: 177 * HOUR,
      levels: [
        { level: 3, cullRatio: 0, sumSeconds: 0.66, querySeconds: 0.29, estimate: 6.41 },
        { level: 7, cullRatio: 0.969, sumSeconds: 0.43, querySeconds: 0.39, estimate: 0.63 },
        { level: 9, cullRatio: 0.999, sumSeconds: 0.03, querySeconds: 0.07, estimate: 0.63 },
      ],
    },
  },
  {
    buildA: () => findModel('grate-small').build({ bar: 0.6, gap: 1.1, overhang: 1.4, depth: 0.6 }),
    buildB: () => findModel('grate-large').build({ bar: 0.5, gap: 1.2, overhang: 1, depth: 0.6 }),
    poseA: pose.create([0.1, 0.11, 0], quat.fromAxisAngle([1, 0, 0], Math.PI / 2)),
  },
);

const letters = definePair<BenchmarkFacts>(
  {
    name: 'letters',
    title: 'Letters',
    document: {
      pieces: [42, 43],
      depth: 0.01,
      seconds: 0.4,
      unacceleratedSeconds: 7 * MINUTE,
      levels: [
        { level: 2, cullRatio: 0.5, sumSeconds: 0.055, querySeconds: 0.021, estimate: 0.06 },
        { level: 4, cullRatio: 0.562, sumSeconds: 0.099, querySeconds: 0.062, estimate: 0.03 },
        { level: 6, cullRatio: 0.976, sumSeconds: 0.08, querySeconds: 0.161, estimate: 0.01 },
      ],
    },
  },
  {
    buildA: buildLetterC,
    buildB: buildLetterS,
    poseB: pose.create([0.62, 0.05, 0.02], quat.fromAxisAngle([0, 1, 0], 0.2)),
  },
);

/** The four benchmarks of Kim, Otaduy, Lin and Manocha 2002, in their order. */
export const penetrationBenchmarks: readonly PenetrationBenchmark[] = [interlockedTori, touchingTori, grates, letters];

/** The interlocked tori again with a wrinkled and a bent one, of hundreds of convex pieces each. */
export const wrinkledTori: PenetrationPair = definePair(
  {
    name: 'wrinkled-tori',
    title: 'Interlocked tori, wrinkled and bent',
  },
  {
    buildA: () => findModel('wrinkled-torus').build({ majorRadius: RING, minorRadius: TUBE }),
    buildB: () => findModel('bent-torus').build({ majorRadius: RING, minorRadius: TUBE, bend: 0.2 }),
    poseB: LINKED,
  },
);

/**
 * Figure 1 of Kim et al. 2002: an I across the mouth of a C, each end halfway into an arm. What meets at either arm says to
 * move along the I, one way and the other, and neither gets it out; the way out is sideways, 0.65, through the mouth.
 */
export const localAgainstGlobal: PenetrationPair = definePair(
  {
    name: 'local-against-global',
    title: 'Local against global: C and I',
  },
  {
    buildA: () => extrudeOutline([0.35, -0.85, 0.65, -0.85, 0.65, 0.85, 0.35, 0.85]),
    buildB: () => extrudeOutline([-1, -1, 1, -1, 1, -0.7, -0.7, -0.7, -0.7, 0.7, 1, 0.7, 1, 1, -1, 1]),
  },
);

/** So thick that no way out along z is the shortest. */
function extrudeOutline(ring: readonly number[]): Mesh {
  return extrudePolygon({ rings: [Float64Array.from(ring)] }, { depth: 1 });
}

interface PairParts {
  readonly buildA: () => Mesh;
  readonly buildB: () => Mesh;
  /** Default: where it was built. */
  readonly poseA?: Pose;
  readonly poseB?: Pose;
}

function definePair<Facts extends object>(
  facts: Facts,
  { buildA, buildB, poseA = pose.identity(), poseB = pose.identity() }: PairParts,
): Facts & Pick<PenetrationPair, 'meshA' | 'meshB' | 'poseA' | 'poseB'> {
  const [meshA, meshB] = [lazy(buildA), lazy(buildB)];
  return {
    ...facts,
    poseA,
    poseB,
    get meshA() {
      return meshA();
    },
    get meshB() {
      return meshB();
    },
  };
}

function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
