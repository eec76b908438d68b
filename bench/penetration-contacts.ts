// What certificates cost in everyday use: models of 2,000 triangles that touch a little, and pairs of convex solids, whose
// depth is exact.
import { buildHull, closestFeatures, convexDepth, createConvexSet, hullToMesh, MinkowskiSums } from 'nearfield/convex';
import { createRandom, type Pose, pose, type Random, vec3 } from 'nearfield/core';
import { findModel } from 'nearfield/mesh';
import { measurePenetrationSync, type PenetrationResult, preparePenetration } from 'nearfield/penetration';
import { measureDistance, ProximityModel } from 'nearfield/proximity';
import { measure, milliseconds } from './measure.js';
import { CERTIFIED } from './penetration-run.js';
import type { BenchTable, SuiteContext } from './suite.js';

type Placed = readonly [poseA: Pose, poseB: Pose];

const TUBE = 0.3;
/** How far they are pushed into each other, as a fraction of the tube's radius. */
const PUSHES = [0.01, 0.02, 0.05];
/** Nearer than this share of the push, bodies count as touching. */
const TOUCHING = 1e-3;
const MAX_ADVANCES = 1000;

/** Two tori pushed a little into each other, at random orientations. */
export function shallowTable({ quick, progress }: SuiteContext): BenchTable {
  const count = quick ? 4 : 20;
  const model = new ProximityModel(findModel('torus').build({ majorRadius: 1, minorRadius: TUBE }));
  preparePenetration(model);
  const rows = PUSHES.map((share) => {
    progress(0.75, `shallow contacts, ${percent(share)} of the tube`);
    const random = createRandom(41);
    const answers = Array.from({ length: count }, () => {
      const placed = placeShallow(model, random, share * TUBE);
      return timeOne(model, placed, quick ? 1 : 5);
    });
    const times = answers.map(({ time }) => time).sort((a, b) => a - b);
    const depths = answers.map(({ result }) => result.depth);
    const certified = answers.filter(({ result: { status } }) => status === 'certified').length;
    return [
      percent(share),
      milliseconds(times[count >> 1]),
      milliseconds(times[count - 1]),
      `${certified} of ${count}`,
      `${Math.min(...depths).toPrecision(3)} … ${Math.max(...depths).toPrecision(3)}`,
      `${Math.max(...answers.map(({ result }) => result.cells))}`,
    ];
  });
  return {
    title: 'Shallow contacts of two models of 2,000 triangles, certified to 1e-3',
    headings: ['pushed in by, of the tube', 'median, ms', 'worst, ms', 'certified', 'depths', 'most cells'],
    rows,
    notes: [
      `Two tori of radii 1 and ${TUBE}, ${count} pairs of random orientations: moved along a random line until they touch, ` +
        'then pushed on. The time of a pair is the median of its runs.',
    ],
  };
}

/** A at the origin, B from outside along a random line to where they touch, by conservative steps, and on by the push. */
function placeShallow(model: ProximityModel, random: Random, push: number): Placed {
  const poseA = pose.create([0, 0, 0], random.rotation());
  const turn = random.rotation();
  const line = random.direction();
  const at = (reach: number): Pose => pose.create(vec3.scale(line, reach), turn);
  let reach = 4;
  for (let i = 0; i < MAX_ADVANCES; i++) {
    const distance = measureDistance(model, model, poseA, at(reach)).distance ?? 0;
    if (distance < TOUCHING * push) break;
    reach -= distance;
  }
  return [poseA, at(reach - push)];
}

function timeOne(
  model: ProximityModel,
  [poseA, poseB]: Placed,
  rounds: number,
): { time: number; result: PenetrationResult } {
  const ask = (): PenetrationResult => measurePenetrationSync(model, model, poseA, poseB, CERTIFIED.options);
  ask();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    ask();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return { time: times[times.length >> 1], result: ask() };
}

const VERTEX_COUNTS = [8, 16, 32, 64];
/** Pairs of random hulls of a row. */
const HULL_PAIRS = 32;

/** Random hulls that overlap: the whole query, and the depth of the two convex sets alone. */
export function convexTable({ quick, progress }: SuiteContext): BenchTable {
  const rows = VERTEX_COUNTS.map((vertices) => {
    progress(0.77, `convex pairs of ${vertices} vertices`);
    const random = createRandom(vertices);
    const pairs = Array.from({ length: HULL_PAIRS }, () => createConvexPair(random, vertices));
    const sums = new MinkowskiSums();
    const each = (name: string, ask: (pair: ConvexPair) => number) => ({
      name,
      run: () => pairs.reduce((sum, pair) => sum + ask(pair), 0),
    });
    const askModels = ({ a, b, poseA, poseB }: ConvexPair): PenetrationResult =>
      measurePenetrationSync(a, b, poseA, poseB, CERTIFIED.options);
    const timings = measure(
      [
        each('query', (pair) => askModels(pair).depth),
        each('facets', ({ setA, setB, placement }) => convexDepth(setA, 0, setB, 0, placement, sums)!.depth),
        each(
          'polytope',
          ({ setA, setB, poseA, poseB }) => closestFeatures(setA, setB, poseA, poseB, { penetration: true }).depth!,
        ),
      ],
      { rounds: quick ? 1 : 9, minimumMilliseconds: quick ? 5 : 50 },
    );
    const results = pairs.map(askModels);
    const worst = Math.max(
      ...results.map(({ depth, lower }, i) => {
        const { setA, setB, placement } = pairs[i];
        const exact = convexDepth(setA, 0, setB, 0, placement, sums)!.depth;
        return Math.max(depth - exact, lower - exact, exact - depth) / depth;
      }),
    );
    return [
      `${vertices}`,
      ...timings.map(({ median }) => ((1000 * median) / HULL_PAIRS).toFixed(1)),
      `${results.filter(({ status }) => status === 'exact').length} of ${HULL_PAIRS}`,
      worst.toExponential(1),
    ];
  });
  return {
    title: 'Convex pairs, microseconds a query',
    headings: [
      'vertices of each',
      'measurePenetrationSync, µs',
      'convexDepth, µs',
      'closestFeatures, µs',
      'exact',
      'farthest from convexDepth, relative',
    ],
    rows,
    notes: [
      `${HULL_PAIRS} pairs of hulls of random points on spheres, overlapping, median of the rounds. measurePenetrationSync also ` +
        'confirms by an exact test that its vector separates the two, and names what touches. convexDepth looks at all facets of ' +
        'the Minkowski sum, closestFeatures expands a polytope (EPA).',
    ],
  };
}

interface ConvexPair {
  readonly a: ProximityModel;
  readonly b: ProximityModel;
  readonly setA: ReturnType<typeof createConvexSet>;
  readonly setB: ReturnType<typeof createConvexSet>;
  readonly poseA: Pose;
  readonly poseB: Pose;
  readonly placement: Float64Array;
}

function createConvexPair(random: Random, vertices: number): ConvexPair {
  const [hullA, hullB] = [0, 1].map(() =>
    buildHull(Float64Array.from(Array.from({ length: vertices }, () => random.direction()).flat())),
  );
  const [a, b] = [hullA, hullB].map((hull) => {
    const model = new ProximityModel(hullToMesh(hull));
    preparePenetration(model);
    return model;
  });
  const [setA, setB] = [hullA, hullB].map(createConvexSet);
  const poseA = pose.create([0, 0, 0], random.rotation());
  for (;;) {
    const poseB = pose.create(vec3.scale(random.direction(), random.range(0, 1.8)), random.rotation());
    const placement = pose.toMatrix4(pose.bInA(poseA, poseB)).subarray(0, 12);
    if ((convexDepth(setA, 0, setB, 0, placement)?.depth ?? 0) > 1e-3) {
      return { a, b, setA, setB, poseA, poseB, placement };
    }
  }
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
