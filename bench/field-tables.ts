// Tables 1 and 2 of Fisher and Lin 2001, section 6: the value at the center, the time of the whole inner field and of an
// eighth of it. Each value stands beside the exact one at its node, because an even grid has no node at the center.
import { computeFieldSync, type FieldOptions, MarchedField, nodeIndex, nodePosition } from 'nearfield/field';
import { type Mesh, MeshQuery } from 'nearfield/mesh';
import { type Contestant, measure, milliseconds } from './measure.js';
import { type FieldScenario, PUBLISHED_TABLE_1, tableTwo, unitSphere } from './scenarios/fields.js';
import type { BenchTable, SuiteContext } from './suite.js';

/** As Fisher and Lin 2001: first order by their band. */
const FIRST: FieldOptions = {
  method: 'fast-marching',
  order: 1,
  band: 'triangle-boxes',
  sides: 'inside',
  errorSamples: 0,
};
/** What we take: second order from an exact band. */
const SECOND: FieldOptions = { method: 'fast-marching', order: 2, band: 'exact', sides: 'inside', errorSamples: 0 };
const BOTH_SIDES: FieldOptions = { ...SECOND, sides: 'both' };

interface MarchTimes {
  readonly first: number;
  readonly second: number;
  readonly both: number;
  readonly eighth: number;
  readonly eighthBoth: number;
  /** What became of the updates of an eighth. */
  readonly status: string;
  /** An update that finds its boxes by itself, inside. */
  readonly found: number;
  readonly foundNodes: number;
}

export function centerTable({ quick, progress }: SuiteContext): BenchTable {
  const resolutions = quick ? [30, 20] : PUBLISHED_TABLE_1.map(({ resolution }) => resolution);
  const rows = resolutions.map((resolution, index) => {
    progress((0.3 * index) / resolutions.length, `sphere on ${resolution}³ nodes`);
    const scenario = unitSphere(resolution);
    const { mesh, frame } = scenario;
    const published = PUBLISHED_TABLE_1.find((row) => row.resolution === resolution)!;
    const middle = Math.floor(resolution / 2);
    const node = nodeIndex(frame, middle, middle, middle);
    const point = nodePosition(frame, middle, middle, middle);
    const depthBy = (options: FieldOptions): string =>
      (-computeFieldSync(mesh, frame, options).values[node]).toFixed(4);
    const times = timeMarches(scenario, quick);
    return [
      `${resolution}³`,
      published.center.toFixed(4),
      depthBy(FIRST),
      depthBy({ ...FIRST, band: 'exact' }),
      depthBy(SECOND),
      (-new MeshQuery(mesh).signedDistance(point)).toFixed(4),
      (1 - Math.hypot(...point)).toFixed(4),
      ...timeCells(published, times),
    ];
  });
  return {
    title: 'Table 1: the value at the center of a sphere of 1,000 triangles, and the time of its field',
    headings: [
      'nodes',
      'Fisher and Lin 2001',
      'first order, its band',
      'first order, exact band',
      'second order, exact band',
      'exact, of the triangles',
      'exact, of the sphere',
      ...TIME_HEADINGS,
    ],
    rows,
    notes: [
      'Values at the node nearest the center, which lies half a spacing from it along each axis where the number of ' +
        'nodes is even.',
      ...TIME_NOTES,
    ],
  };
}

export function modelTable({ quick, progress }: SuiteContext): BenchTable {
  const scenarios = tableTwo();
  const rows = scenarios.map((scenario, index) => {
    progress(0.3 + (0.1 * index) / scenarios.length, `${scenario.name} on 50³ nodes`);
    const { name, mesh, frame, published } = scenario;
    return [
      name,
      frame.size.join(' × '),
      `${mesh.indices.length / 3}`,
      ...timeCells(published!, timeMarches(scenario, quick)),
    ];
  });
  return {
    title: 'Table 2: partial update and whole field of three models',
    headings: ['model', 'nodes', 'triangles', ...TIME_HEADINGS],
    rows,
    notes: TIME_NOTES,
  };
}

const TIME_HEADINGS = [
  'Fisher and Lin 2001: whole, s',
  'an eighth, s',
  'first order, its band: whole, ms',
  'second order: whole, ms',
  'an eighth, ms',
  'boxes found, ms',
  'nodes in them',
  'both sides: whole, ms',
  'an eighth, ms',
  'status',
];

const TIME_NOTES = [
  'Times are of the inner side alone, as in Fisher and Lin 2001, but for the last: band and sign included, no error sampled. An eighth: a ' +
    'bump is raised and taken back within an octant of the grid, whose box is given. Boxes found: the same bump, the ' +
    'boxes made from what moved.',
];

function timeCells(published: { full: number; eighth: number }, times: MarchTimes): string[] {
  return [
    published.full.toFixed(2),
    published.eighth.toFixed(2),
    milliseconds(times.first),
    milliseconds(times.second),
    milliseconds(times.eighth),
    milliseconds(times.found),
    times.foundNodes.toLocaleString('en-US'),
    milliseconds(times.both),
    milliseconds(times.eighthBoth),
    times.status,
  ];
}

function timeMarches({ mesh, bumped, frame, octant }: FieldScenario, quick: boolean): MarchTimes {
  const statuses = new Set<string>();
  let foundNodes = 0;
  /** Raises the bump and takes it back, in turn. */
  const updates = (options: FieldOptions, onUpdate: (field: MarchedField, source: Mesh) => void): (() => void) => {
    const field = new MarchedField(mesh, frame, options);
    let turn = 0;
    return () => onUpdate(field, turn++ % 2 === 0 ? bumped : mesh);
  };
  const byHand = (field: MarchedField, source: Mesh): void => {
    statuses.add(field.update(source, { boxes: [octant] }).status);
  };
  const byTree = (field: MarchedField, source: Mesh): void => {
    foundNodes = Math.max(foundNodes, field.update(source).nodes);
  };
  const contestants: Contestant[] = [
    { name: 'first', run: () => computeFieldSync(mesh, frame, FIRST) },
    { name: 'second', run: () => computeFieldSync(mesh, frame, SECOND) },
    { name: 'both', run: () => computeFieldSync(mesh, frame, BOTH_SIDES) },
    { name: 'eighth', run: updates(SECOND, byHand) },
    { name: 'eighthBoth', run: updates(BOTH_SIDES, byHand) },
    { name: 'found', run: updates(SECOND, byTree) },
  ];
  const [first, second, both, eighth, eighthBoth, found] = measure(contestants, {
    rounds: quick ? 1 : 9,
    minimumMilliseconds: quick ? 1 : 100,
  }).map(({ median }) => median);
  return { first, second, both, eighth, eighthBoth, found, foundNodes, status: [...statuses].join(', ') };
}
