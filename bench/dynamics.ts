// Rigid bodies beside peers: the scenes of Kim, Otaduy, Lin and Manocha 2002, starts from deep overlap, and the cost against the
// number of bodies. Processor time; overlaps by our depth on the true meshes.
import type { SceneDescription } from 'nearfield/dynamics';
import { contactTimeTable } from './dynamics-contact-time.js';
import { type DynamicsSystem, loadPeers, PEERS_MISSING, runScene, type SceneRun } from './dynamics-run.js';
import { drawLogPlot, writePlot } from './log-plot.js';
import { milliseconds } from './measure.js';
import { findRigidScene } from './scenarios/bodies/catalogue.js';
import {
  digitsIntoBowl,
  heapOfLetters,
  lettersIntoBowl,
  lettersOverFunnels,
  tangledLetters,
} from './scenarios/bodies/letters.js';
import type { BenchTable, Suite, SuiteContext } from './suite.js';

/** Seconds of processor time that one system may take for a scene, and for a heap. */
const PATIENCE = 180;
const HEAP_PATIENCE = 180;
const COUNTS = [10, 20, 50, 100, 200, 500, 1000, 2000];
/** Seconds after which the heaps are down: then their steps are timed. */
const FALLEN = 2;
const TIMED = 30;

export const dynamicsSuite: Suite = {
  name: 'dynamics',
  title: 'Rigid bodies',
  chapters: ['dynamics', 'manifold'],
  async run(context) {
    const systems: readonly DynamicsSystem[] = [null, ...(await loadPeers())];
    const { part } = context;
    return Promise.all([
      lettersTable(systems, context),
      overlapTable(systems, context),
      costTable(systems, context),
      part('times of contact', () => contactTimeTable(context)),
    ]);
  },
};

/** A scene that every system runs, with what the page calls it. */
type TitledScene = readonly [title: string, scene: SceneDescription, steps: number];

/** What every system made of every scene, each run a part; those that cannot run a scene are left out. */
async function runAll(
  scenes: readonly TitledScene[],
  systems: readonly DynamicsSystem[],
  { part, progress }: SuiteContext,
): Promise<(SceneRun & { readonly title: string })[]> {
  const runs = scenes.flatMap(([title, scene, steps]) =>
    systems.map((system) => {
      const name = `${title}, ${nameOf(system)}`;
      return part(name, async () => {
        progress(0.5, name);
        const run = await runScene(scene, steps, system, PATIENCE);
        return run === null ? [] : [{ title, ...run }];
      });
    }),
  );
  return (await Promise.all(runs)).flat();
}

function nameOf(system: DynamicsSystem): string {
  return system?.name ?? 'nearfield';
}

async function lettersTable(systems: readonly DynamicsSystem[], context: SuiteContext): Promise<BenchTable> {
  const scenes: readonly TitledScene[] = context.quick
    ? [['10 digits, bowl', digitsIntoBowl(), 120]]
    : [
        ['10 digits, bowl', digitsIntoBowl(), 360],
        ['200 letters, bowl', lettersIntoBowl(), 600],
        ['200 letters, funnels', lettersOverFunnels(), 900],
      ];
  const runs = await runAll(scenes, systems, context);
  const rows = runs.map((run) => [run.title, ...costCells(run), ...stateCells(run)]);
  return {
    title: 'Falling letters and digits, milliseconds a step of 1/60 s',
    headings: ['scene', 'system', 'median', 'mean', 'p95', 'deepest overlap at the end, mm', 'lost'],
    rows,
    notes: [
      'Kim, Otaduy, Lin and Manocha 2002 took two minutes a frame for 200 letters over funnels and ramps and 18 s for ten digits, on a ' +
        '1.6 GHz Pentium 4 with a GeForce 3. Letters are 1 m high and have 250 triangles on average. Pieces: exact convex prisms, 13 a ' +
        'letter, since Jolt has no contacts between meshes. Nothing sleeps. The overlap is the length of a translation ' +
        `that parts the deepest pair. A system that needs more than ${PATIENCE} s for a scene is stopped.`,
      PEERS_MISSING,
    ],
  };
}

async function overlapTable(systems: readonly DynamicsSystem[], context: SuiteContext): Promise<BenchTable> {
  const seconds = context.quick ? 1 : 5;
  const scenes: readonly TitledScene[] = [
    ['interlocked tori', { ...findRigidScene('tori').build(), gravity: [0, 0, 0] }, 60 * seconds],
    ['grates', { ...findRigidScene('grates').build(), gravity: [0, 0, 0] }, 60 * seconds],
    ['40 letters in 2 m³', tangledLetters(context.quick ? 8 : 40), 60 * seconds],
  ];
  const rows = (await runAll(scenes, systems, context)).map((run) => [
    run.title,
    `${seconds} s`,
    run.name,
    milliseconds(mean(run.times)),
    stateCells(run)[0],
  ]);
  return {
    title: 'Starts from deep overlap, without gravity',
    headings: ['scene', 'after', 'system', 'ms a step, mean', 'deepest overlap left, mm'],
    rows,
    notes: ['The tori start 0.5 m deep, the grates 0.63 m.'],
  };
}

/** The table and, where the whole suite runs in a checkout, docs/dynamics-cost.svg, which it links to. */
async function costTable(
  systems: readonly DynamicsSystem[],
  { quick, progress, part }: SuiteContext,
): Promise<BenchTable> {
  const counts = quick ? COUNTS.slice(0, 2) : COUNTS;
  const curves = await Promise.all(
    systems.map((system) =>
      part(`heaps, ${nameOf(system)}`, async () => {
        const points: { x: number; y: number }[] = [];
        for (const [i, count] of counts.entries()) {
          progress(0.7 + (0.3 * i) / counts.length, `${count} letters, ${nameOf(system)}`);
          const run = await runScene(heapOfLetters(count), 60 * FALLEN + TIMED, system, HEAP_PATIENCE, false);
          // One that was stopped is not asked for more.
          if (run === null || run.cut) break;
          points.push({ x: count, y: quantile(run.times.slice(-TIMED), 0.5) });
        }
        return { title: nameOf(system), points };
      }),
    ),
  );
  const rows = counts.flatMap((count) =>
    curves.flatMap(({ title, points }) =>
      points
        .filter(({ x }) => x === count)
        .map(({ y }) => [`${count}`, title, milliseconds(y), milliseconds((1000 * y) / count)]),
    ),
  );
  const plot = {
    title: 'Cost of a step against the number of bodies',
    xLabel: 'letters in a heap',
    yLabel: 'milliseconds a step',
    curves: curves.filter(({ points }) => points.length > 0),
  };
  const picture = quick ? null : writePlot('dynamics-cost.svg', drawLogPlot(plot));
  return {
    title: 'Cost against the number of bodies: heaps of letters at rest',
    headings: ['letters', 'system', 'ms a step, median', 'µs a letter'],
    rows,
    notes: [
      ...(picture === null
        ? []
        : [`![Milliseconds a step against the number of letters, a line a system](${picture})`, '']),
      `Letters fall into a tray whose floor grows with their number. After ${FALLEN} s the next ${TIMED} steps are timed; nothing sleeps. ` +
        `A system that needs more than ${HEAP_PATIENCE} s for a heap is left out of it and of larger ones.`,
    ],
  };
}

function costCells({ name, times, cut }: SceneRun): string[] {
  return [
    cut ? `${name} (stopped at ${times.length})` : name,
    ...[quantile(times, 0.5), mean(times), quantile(times, 0.95)].map(milliseconds),
  ];
}

function stateCells({ worst, lost }: SceneRun): string[] {
  return [(1000 * worst).toFixed(1), `${lost}`];
}

function mean(times: readonly number[]): number {
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}

function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
