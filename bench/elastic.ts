// Steps of elastic bodies: time against the number of elements, in real-time and converged steps, beside soft bodies of
// Rapier on the same elements. A clamped beam falls under its weight; where its tip is after some steps says what they are worth.
import { ElasticBody, type ElasticBodyOptions, type TetrahedralMesh, tetrahedralizeMesh } from 'nearfield/elastic';
import { findModel } from 'nearfield/mesh';
import { drawLogPlot, type LogPoint, writePlot } from './log-plot.js';
import { milliseconds, processorTime } from './measure.js';
import { type ElasticCase, type ElasticPeer, loadRapierSoft } from './peers/elastic/rapier-soft.js';
import type { BenchTable, Suite, SuiteContext } from './suite.js';

/** Sizes across a beam of 1 × 0.1 × 0.1 m: about 1,000 to 130,000 elements. */
const ACROSS = [2, 3, 4, 6, 8, 10];
/** A snake of 26,944 elements: 120 × 4 × 4 sizes. */
const SNAKE = { length: 12, width: 0.4, across: 4 };
const STEPS = 20;
/** A contestant that has run so long, in milliseconds, is stopped, and left out of larger beams. */
const MAX_MS = 10_000;
const UNSOLVED = ' (not solved)';

export const elasticSuite: Suite = {
  name: 'elastic',
  title: 'Elastic bodies',
  chapters: ['elastic'],
  async run(context) {
    const contestants = [...ours(), ...(await loadRapierSoft())];
    const { part } = context;
    return Promise.all([
      part('growth', () => growth(context, contestants)),
      part('snake', () => snake(context, contestants)),
    ]);
  },
};

function ours(): ElasticPeer[] {
  const make = (name: string, mode: 'real-time' | 'converged', own: Partial<ElasticBodyOptions>): ElasticPeer => ({
    name,
    create({ mesh, held, young, poisson, density, timestep }) {
      const body = new ElasticBody(mesh, { young, poisson, density, gravity: [0, -9.81, 0], ...own });
      body.hold(held);
      return {
        step: () => void body.step(timestep, { mode }),
        heightOf: (node) => body.positions[3 * node + 1],
        free: () => {},
      };
    },
  });
  return [
    make('nearfield, converged', 'converged', {}),
    make('nearfield, real-time', 'real-time', {}),
    make('nearfield, real-time, corotational', 'real-time', { material: 'corotational' }),
    make('nearfield, converged, quadratic', 'converged', { element: 'quadratic' }),
  ];
}

function beamCase(length: number, width: number, across: number, young: number): ElasticCase {
  const box = findModel('box').build({ width: length, height: width, depth: width });
  const { mesh } = tetrahedralizeMesh(box, { size: width / across });
  const held = nodesWhere(mesh, (x) => x < -length / 2 + 1e-6);
  return { mesh, held, young, poisson: 0.4, density: 1000, timestep: 1 / 60 };
}

function nodesWhere({ positions }: TetrahedralMesh, where: (x: number) => boolean): number[] {
  return Array.from({ length: positions.length / 3 }, (_, node) => node).filter((node) => where(positions[3 * node]));
}

interface Timing {
  /** Milliseconds a step: the median after the first two, and the first with all that is made once. */
  readonly median: number;
  readonly first: number;
  /** How far the tip has sunk, over all steps; NaN where they were stopped before. */
  readonly sunk: number;
}

function time(peer: ElasticPeer, given: ElasticCase): Timing {
  const { positions } = given.mesh;
  let tip = 0;
  for (let node = 0; node < positions.length / 3; node++) if (positions[3 * node] > positions[3 * tip]) tip = node;
  const begin = processorTime();
  const body = peer.create(given);
  const times: number[] = [];
  for (let last = begin; times.length < STEPS && (times.length < 4 || last - begin < MAX_MS); ) {
    body.step();
    const now = processorTime();
    times.push(now - last);
    last = now;
  }
  const sunk = times.length < STEPS ? Number.NaN : positions[3 * tip + 1] - body.heightOf(tip);
  body.free();
  const settled = times.slice(2).sort((a, b) => a - b);
  return { median: settled[settled.length >> 1], first: times[0], sunk };
}

function run(
  contestants: readonly ElasticPeer[],
  given: ElasticCase,
): { readonly name: string; readonly timing: Timing }[] {
  return contestants.map((peer) => ({ name: peer.name, timing: time(peer, given) }));
}

const share = (sunk: number, truth: number): string => (Number.isNaN(sunk / truth) ? '–' : (sunk / truth).toFixed(3));

function growth({ quick, progress }: SuiteContext, all: readonly ElasticPeer[]): BenchTable {
  const rows: string[][] = [];
  const curves = new Map<string, LogPoint[]>();
  let contestants = all;
  for (const [index, across] of (quick ? ACROSS.slice(0, 2) : ACROSS).entries()) {
    progress(index / (ACROSS.length + 1), `${across} across`);
    const given = beamCase(1, 0.1, across, 1e7);
    const elements = given.mesh.elements.length / 4;
    const results = run(contestants, given);
    const truth = results[0].timing.sunk;
    for (const { name, timing } of results) {
      const before = curves.get(name)?.at(-1);
      // Elements do not become five times as cheap by themselves: most of them are no longer computed.
      const isUnsolved = before !== undefined && timing.median / elements < before.y / before.x / 5;
      rows.push([
        elements.toLocaleString('en'),
        name,
        milliseconds(timing.median) + (isUnsolved ? UNSOLVED : ''),
        ((1000 * timing.median) / elements).toFixed(2),
        milliseconds(timing.first),
        share(timing.sunk, truth),
      ]);
      curves.set(name, [...(curves.get(name) ?? []), { x: elements, y: timing.median, hollow: isUnsolved }]);
    }
    const stopped = new Set(results.filter(({ timing }) => Number.isNaN(timing.sunk)).map(({ name }) => name));
    contestants = contestants.filter(({ name }, i) => i === 0 || !stopped.has(name));
  }
  const plot = {
    title: 'Milliseconds a step against the number of elements',
    xLabel: 'elements',
    yLabel: 'milliseconds a step',
    curves: [...curves].map(([title, points]) => ({ title, points })),
  };
  const picture = quick ? null : writePlot('elastic-cost.svg', drawLogPlot(plot));
  return {
    title: 'A step against the number of elements: a clamped beam of 1 × 0.1 × 0.1 m sinks',
    headings: ['elements', 'system', 'ms a step', 'µs an element', 'ms of the first', 'tip, of converged'],
    rows,
    notes: [
      ...(picture === null
        ? []
        : [`![Milliseconds a step against the number of elements, a line a system](${picture})`, '']),
      'Processor time on one core. Steps of 1/60 s, 10 MPa, Poisson’s ratio 0.4, the median of steps 3 to 20; the first also makes ' +
        'everything that is made once. Tip: how far it has sunk after 20 steps, as a share of ours, converged, linear. Who ' +
        'needs more than 10 s for 20 steps is left out of larger beams. Rapier with its defaults, without colliders: ' +
        'npm install --no-save --prefix bench/.peers @dimforge/rapier3d-compat@0.21.0.',
      '',
      'Not solved, hollow in the plot: an element costs less than a fifth of what it did in the beam before. Looked at alone,' +
        ' the tip of that beam falls freely, as if it had no elements. Where our converged steps were stopped, there is no tip to compare with.',
    ],
  };
}

function snake({ quick, progress }: SuiteContext, all: readonly ElasticPeer[]): BenchTable {
  progress(0.85, 'snake');
  const { length, width, across } = SNAKE;
  const given = beamCase(quick ? length / 10 : length, width, across, 1e6);
  const results = run(
    all.filter(({ name }) => !name.includes('quadratic')),
    given,
  );
  return {
    title: `A snake of ${(given.mesh.elements.length / 4).toLocaleString('en')} elements, clamped at its tail`,
    headings: ['system', 'ms a step', 'steps a second', 'ms of the first', 'head, of converged'],
    rows: results.map(({ name, timing }) => [
      name,
      milliseconds(timing.median),
      (1000 / timing.median).toFixed(0),
      milliseconds(timing.first),
      share(timing.sunk, results[0].timing.sunk),
    ]),
    notes: ['As above, but 1 MPa; 12 × 0.4 × 0.4 m, without contact.'],
  };
}
