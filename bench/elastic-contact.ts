// Scenes of elastic bodies in contact, frame by frame: the snakes of Fisher and Lin 2001, at several numbers of elements.
import { milliseconds, processorTime } from './measure.js';
import { findElasticScene } from './scenarios/elastic/catalogue.js';
import { elementCount, meanEdgeOf } from './scenarios/elastic/elastic-scene.js';
import type { BenchTable, Suite } from './suite.js';

interface Run {
  readonly scene: string;
  readonly elements: number;
  readonly mode: 'real-time' | 'converged';
  /** Steps done, and the first that is timed: the snake that coils meets itself after some 90. */
  readonly steps: number;
  readonly from: number;
}

const RUNS: readonly Run[] = [
  ...[2_500, 5_000, 14_000].map((elements) => coil(elements)),
  ...[5_000, 10_000, 23_000].map((elements) => swallow(elements, 'real-time', 45, 15)),
  swallow(35_000, 'real-time', 45, 15),
  swallow(23_000, 'converged', 24, 2),
];

/** A frame at 30 a second, in milliseconds. */
const FRAME = 33.3;

export const elasticContactSuite: Suite = {
  name: 'elastic-contact',
  title: 'Elastic bodies in contact',
  chapters: ['elastic'],
  async run({ quick, progress, part }) {
    const runs = quick ? [coil(2_500), swallow(5_000, 'real-time', 6, 2)] : RUNS;
    const rows = runs.map((run, index) => {
      const name = `${run.scene}, ${run.elements} elements, ${run.mode}`;
      return part(name, () => {
        progress(index / runs.length, name);
        return time(run);
      });
    });
    return [table(await Promise.all(rows))];
  },
};

function coil(elements: number): Run {
  return { scene: 'snake-coil', elements, mode: 'real-time', steps: 132, from: 90 };
}

function swallow(elements: number, mode: Run['mode'], steps: number, from: number): Run {
  return { scene: 'snake-swallow', elements, mode, steps, from };
}

function time({ scene, elements, mode, steps, from }: Run): string[] {
  const { build, title } = findElasticScene(scene);
  const setting = build(elements, { mode });
  const { world } = setting;
  const times: number[] = [];
  let [contacts, deepest] = [0, 0];
  for (let step = 0; step < steps; step++) {
    const start = processorTime();
    world.step();
    if (step >= from) times.push(processorTime() - start);
    if (step < from || (step - from) % 8 !== 0) continue;
    contacts = Math.max(contacts, world.contactCount);
    deepest = Math.max(deepest, world.worstPenetration());
  }
  times.sort((a, b) => a - b);
  const median = times[times.length >> 1];
  const count = elementCount(setting);
  return [
    title,
    count.toLocaleString('en'),
    mode,
    milliseconds(median),
    ((1000 * median) / count).toFixed(2),
    milliseconds(times[Math.floor(0.95 * times.length)]),
    (1000 / median).toFixed(0),
    String(contacts),
    (deepest / meanEdgeOf(setting)).toFixed(3),
  ];
}

function table(rows: readonly string[][]): BenchTable {
  return {
    title: 'A step of the scenes of Fisher and Lin 2001',
    headings: [
      'scene',
      'elements',
      'mode',
      'ms a step',
      'µs an element',
      'ms, 95 %',
      'steps a second',
      'contacts',
      'overlap, of an edge',
    ],
    rows,
    notes: [
      `Processor time on one core, steps of 1/60 s, the median of steps 91 to 132 of the coil, in some of which nothing touches, of 16 to 45 of the other, and of 3 to 24 converged; 30 frames a second leave ${FRAME} ms. ` +
        'Contacts and overlap: the most of every eighth step; the overlap is a bound from exact distances. Rapier’s soft bodies ' +
        'do not meet themselves, so that no peer runs these scenes. On a machine loaded by others a second run of the same real-time code differed by up to a half.',
    ],
  };
}
