// The tables of the proximity suite, from what its scenarios gave. Figures of Ehmann and Lin 2001 are below ours:
// milliseconds per query on a 450 MHz Pentium III, for models of the same kind and size.
import { milliseconds, ratio } from './measure.js';
import { countDisagreements, type FrameTiming, forCommonAnswers, largestDifference } from './proximity-contest.js';
import { HULL_COMBINATIONS, type Peers, type Preparation, type ScenarioOutcome } from './proximity-scenario.js';
import type { BenchTable } from './suite.js';

/** Table 3 of Ehmann and Lin 2001: OBB (RAPID), 18-dops (QuickCD), 18-dops with front tracking, hulls, hulls with front tracking. */
const TABLE_3: Record<string, readonly number[]> = {
  'interlocked-tori': [2.711, 1.609, 7.857, 1.51, 0.696],
  'cup-spoon': [0.8761, 0.584, 0.66, 0.84, 0.505],
  'spiral-peg-large-tori': [0.276, Number.NaN, Number.NaN, 9.865, 3.505],
  'spiral-peg-small-tori': [0.459, Number.NaN, Number.NaN, 1.41, 0.966],
  'teeth-shifting': [0.514, 24.69, 91.67, 43.42, 0.177],
  'teeth-opening': [0.841, 17.79, 20.65, 14.32, 4.19],
};

/** Table 4 of Ehmann and Lin 2001 for hulls, in the order of HULL_COMBINATIONS. */
const TABLE_4: Record<string, readonly number[]> = {
  'interlocked-tori': [4.424, 2.452, 2.562, 2.414, 2.498, 2.444, 1.602, 1.612],
  'cup-spoon': [1.728, 1.234, 1.284, 1.058, 1.266, 1.07, 0.923, 0.919],
  'spiral-peg-large-tori': [11.81, 10.99, 11.88, 4.938, 11.78, 4.975, 5.105, 5.113],
  'spiral-peg-small-tori': [2.72, 1.91, 2.009, 1.572, 1.969, 1.599, 1.513, 1.526],
  'teeth-shifting': [54.73, 11.53, 7.152, 0.184, 1.466, 0.114, 5.529, 5.653],
  'teeth-opening': [20.23, 10.43, 9.937, 7.98, 9.285, 8.09, 7.74, 7.957],
};

const ABSENT = '–';
const VOLUMES_NOTE =
  'Stateless calls work by boxes. "boxes": coherent, by boxes. "coherent": the default, by hulls with everything on.';
const PAIRS_NOTE = 'All pairs of bodies of a frame together: six on the spiral peg, one elsewhere.';

export function intersectionTable(outcomes: readonly ScenarioOutcome[], peers: Peers): BenchTable {
  const names = ['stateless', 'boxes', 'coherent', 'CH', 'CH (FT)', 'FCL', 'three-mesh-bvh', 'Rapier'];
  const rows = outcomes.flatMap(({ title, name, pairs, intersection }) => {
    const document = TABLE_3[name];
    const reference = find(intersection, 'FCL') ?? intersection[0];
    const disagreements = intersection.map((timing) => countDisagreements(timing, reference, pairs));
    const ours = [
      title,
      ...names.map((each) => time(intersection, each)),
      ...againstFcl(intersection),
      share(reference),
      disagreements.some((count) => count > 0)
        ? intersection
            .flatMap((timing, i) => (disagreements[i] ? [`${timing.name}: ${disagreements[i]}`] : []))
            .join(', ')
        : '0',
    ];
    if (!document) return [ours];
    const [obb, , , hulls, hullsWithFront] = document;
    return [
      ours,
      ['Ehmann and Lin 2001, ms', `${obb}`, '', '', `${hulls}`, `${hullsWithFront}`, '', '', '', '', '', '', ''],
    ];
  });
  return {
    title: 'Intersection, microseconds a frame: Ehmann and Lin 2001, Table 3',
    headings: ['scenario', ...names, ...FASTER, 'intersecting', 'disagreements'],
    rows,
    notes: [
      PAIRS_NOTE,
      VOLUMES_NOTE,
      'CH: hulls without coherence. FT: with front tracking alone.',
      ...strideNotes(outcomes, 'intersection'),
      ...missing(peers),
    ],
  };
}

export function distanceTable(outcomes: readonly ScenarioOutcome[], peers: Peers): BenchTable {
  const names = ['stateless', 'boxes', 'coherent, no motion bounds', 'coherent', 'FCL', 'three-mesh-bvh', 'Rapier'];
  return {
    title: 'Exact distance, microseconds a frame',
    headings: ['scenario', ...names, ...FASTER, 'largest difference to FCL', "three-mesh-bvh's", "Rapier's"],
    rows: outcomes.map(({ title, pairs, distance }) => {
      const reference = find(distance, 'FCL') ?? distance[0];
      const difference = (name: string): string => {
        const timing = find(distance, name);
        return timing ? largestDifference(timing, reference, pairs).toExponential(0) : ABSENT;
      };
      const ours = names.slice(0, 4).map((name) => Number(difference(name)));
      return [
        title,
        ...names.map((name) => time(distance, name)),
        ...againstFcl(distance),
        Math.max(...ours).toExponential(0),
        difference('three-mesh-bvh'),
        difference('Rapier'),
      ];
    }),
    notes: [
      PAIRS_NOTE,
      VOLUMES_NOTE,
      'Rapier is told the true distance and a tenth in advance; it and three-mesh-bvh work in 32-bit floats.',
      ...strideNotes(outcomes, 'distance'),
      ...missing(peers),
    ],
  };
}

export function hullDistanceTable(outcomes: readonly ScenarioOutcome[]): BenchTable {
  const names = HULL_COMBINATIONS.map(({ name }) => name);
  const rows = outcomes.flatMap(({ title, name, pairs, distance, hullDistance }) => {
    if (hullDistance.length === 0) return [];
    const differences = hullDistance.map((timing) => largestDifference(timing, distance[0], pairs));
    const ours = [
      title,
      ...names.map((each) => time(hullDistance, each)),
      time(distance, 'coherent'),
      time(distance, 'boxes'),
      Math.max(...differences).toExponential(0),
    ];
    return TABLE_4[name] ? [ours, ['Ehmann and Lin 2001, ms', ...TABLE_4[name].map(String), '', '', '']] : [ours];
  });
  return {
    title: 'Exact distance by convex hulls, microseconds a frame: Ehmann and Lin 2001, Table 4',
    headings: ['scenario', ...names, 'with motion bounds', 'boxes', 'largest difference to boxes'],
    rows,
    notes: ['PC: piece caching. PD: priority directed search. FT: generalized front tracking. Motion bounds are off.'],
  };
}

export function nearTable(outcomes: readonly ScenarioOutcome[]): BenchTable {
  return {
    title: 'Approximate distance, tolerance and contacts, microseconds a frame',
    headings: [
      'scenario',
      '10 % distance, stateless',
      'coherent',
      'CH (PC, PD, FT)',
      'FCL',
      'largest error',
      'tolerance',
      'tolerance query, stateless',
      'coherent',
      'within',
      'contacts, stateless',
      'coherent',
      'contacts a frame',
    ],
    rows: outcomes.map((outcome) => {
      const { title, pairs, approximate, distance, within, contacts, tolerance } = outcome;
      const worst = Math.max(
        ...approximate.filter(({ name }) => name !== 'FCL').map((timing) => largestExcess(timing, distance[0], pairs)),
      );
      return [
        title,
        ...['stateless', 'coherent', 'CH (PC, PD, FT)', 'FCL'].map((name) => time(approximate, name)),
        `${(100 * worst).toFixed(1)} %`,
        tolerance.toPrecision(2),
        time(within, 'stateless'),
        time(within, 'coherent'),
        share(within[0]),
        time(contacts, 'stateless'),
        time(contacts, 'coherent'),
        mean(find(contacts, 'coherent')),
      ];
    }),
    notes: [
      "The tolerance is the median over the frames of the nearest pair's distance. FCL has neither of the two queries; its distance answers the first.",
    ],
  };
}

export function preparationTable(outcomes: readonly ScenarioOutcome[]): BenchTable {
  const all = new Map<string, Preparation>();
  for (const { preparations } of outcomes) {
    for (const each of preparations) all.set(`${each.name} ${each.triangles}`, each);
  }
  const kinds = ['boxes', 'hulls', 'fcl', 'threeMeshBvh'] as const;
  return {
    title: 'Preparation and memory of a model',
    headings: [
      'model',
      'triangles',
      ...['boxes', 'hulls', 'FCL', 'three-mesh-bvh'].flatMap((name) => [`${name}, ms`, `${name}, bytes a triangle`]),
    ],
    rows: [...all.values()].map((preparation) => [
      preparation.name,
      preparation.triangles.toLocaleString('en-US'),
      ...kinds.flatMap((kind) => {
        const model = preparation[kind];
        if (model === null) return [ABSENT, ABSENT];
        const bytes = model.bytes === null ? ABSENT : (model.bytes / preparation.triangles).toFixed(0);
        return [milliseconds(model.buildMilliseconds), bytes];
      }),
    ]),
    notes: [
      'Coordinates and indices of the mesh are counted, except by three-mesh-bvh, whose figure is its tree alone.',
    ],
  };
}

const FASTER = ['stateless is faster than FCL by', 'coherent is faster than FCL by'];

function againstFcl(timings: readonly FrameTiming[]): string[] {
  const fcl = find(timings, 'FCL');
  return ['stateless', 'coherent'].map((name) => {
    const ours = find(timings, name);
    return fcl && ours ? ratio(ours.microseconds, fcl.microseconds) : ABSENT;
  });
}

function find(timings: readonly FrameTiming[], name: string): FrameTiming | undefined {
  return timings.find((timing) => timing.name === name);
}

function time(timings: readonly FrameTiming[], name: string): string {
  const timing = find(timings, name);
  if (!timing) return ABSENT;
  const { microseconds } = timing;
  return microseconds >= 100 ? microseconds.toFixed(0) : microseconds.toFixed(1);
}

/** The sum of the answers of a frame, over all frames. */
function mean(timing: FrameTiming | undefined): string {
  if (!timing) return ABSENT;
  return (timing.answers.reduce((sum, answer) => sum + answer, 0) / timing.frames).toFixed(1);
}

/** The share of frames and pairs that were answered by yes. */
function share({ answers }: FrameTiming): string {
  const yes = answers.reduce((sum, answer) => sum + answer, 0);
  return `${((100 * yes) / answers.length).toFixed(0)} %`;
}

/** The largest excess of an answer, as a share of the true distance. */
function largestExcess(of: FrameTiming, reference: FrameTiming, pairs: number): number {
  let largest = 0;
  forCommonAnswers(of, reference, pairs, (answer, truth) => {
    if (truth > 0) largest = Math.max(largest, answer / truth - 1);
  });
  return largest;
}

function strideNotes(outcomes: readonly ScenarioOutcome[], query: 'intersection' | 'distance'): string[] {
  const fewer = outcomes.flatMap((outcome) =>
    outcome[query].flatMap(({ name, stride, frames }) =>
      stride > 1 ? [`${name} on ${outcome.title.toLowerCase()}: ${frames}`] : [],
    ),
  );
  return fewer.length > 0
    ? [`Too slow for all 500 frames, so a mean over fewer, evenly spread: ${fewer.join('; ')}.`]
    : [];
}

function missing({ fcl, threeMeshBvh, rapier }: Peers): string[] {
  return [
    ...('missing' in fcl
      ? [fcl.missing]
      : ["FCL is the system's build of its C++ library, driven through one process."]),
    ...(threeMeshBvh ? [] : ['three-mesh-bvh is not installed and was left out.']),
    rapier ? `Rapier is version ${rapier.version}.` : 'Rapier is not installed and was left out.',
  ];
}
