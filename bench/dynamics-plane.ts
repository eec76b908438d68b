// Bodies in the plane: the moving scenes of Hoff, Zaferakis, Lin and Manocha 2001, by each method, and beside engines of the
// plane. Overlaps of all are measured by nearfield on the true outlines.
import { PLANE_METHODS, type PlaneMethod, type PlaneWorld } from 'nearfield/dynamics';
import { processorTime } from './measure.js';
import { ENGINES_MISSING, loadPlaneEngines } from './peers/plane-engines.js';
import { layOutPlane, PLANE_SCENES, type PlaneLayout, type PlaneSceneName } from './scenarios/plane-shapes.js';
import { createPlaneWorld, PLANE_CHOICES } from './scenarios/plane-worlds.js';
import type { BenchTable, Suite, SuiteContext } from './suite.js';

const TIMESTEP = 1 / 60;
/** The count of steps between measurements of overlap. */
const EVERY = 10;

export const dynamicsPlaneSuite: Suite = {
  name: 'dynamics-plane',
  title: 'Bodies in the plane',
  chapters: ['plane-dynamics'],
  async run(context) {
    const { part } = context;
    return Promise.all([part('methods', () => methodTable(context)), part('engines', () => peerTable(context))]);
  },
};

interface Figures {
  /** Processor time of a step, milliseconds. */
  readonly mean: number;
  readonly worst: number;
  /** Largest change of the energy, as a share. */
  readonly energy: number;
  /** Meters. */
  readonly overlap: number;
}

function measureRun(steps: number, step: () => void, energy: () => number, overlap: () => number): Figures {
  const start = energy();
  const times: number[] = [];
  let [change, deepest] = [0, 0];
  for (let k = 0; k < steps; k++) {
    const begin = processorTime();
    step();
    times.push(processorTime() - begin);
    change = Math.max(change, Math.abs(energy() / start - 1));
    if (k % EVERY === 0) deepest = Math.max(deepest, overlap());
  }
  // The first steps are the compiler's.
  const warm = times.slice(60).sort((a, b) => a - b);
  const mean = warm.reduce((sum, time) => sum + time, 0) / warm.length;
  return { mean, worst: warm[Math.floor(0.99 * warm.length)], energy: change, overlap: deepest };
}

const cells = ({ mean, worst, energy, overlap }: Figures): string[] => [
  mean.toFixed(3),
  worst.toFixed(2),
  `${(100 * energy).toFixed(energy < 1e-3 ? 4 : 2)} %`,
  (1000 * overlap).toFixed(2),
];

const HEADINGS = ['ms a step', '99th percentile', 'energy off by at most', 'deepest overlap, mm'];

/** Lets the compiler see the method at work, so that the order of the rows says nothing. */
function warmUp(name: PlaneSceneName, method: PlaneMethod): void {
  const { world } = createPlaneWorld(name, { method });
  for (let k = 0; k < 1500; k++) world.step();
}

function methodTable({ quick, progress }: SuiteContext): BenchTable {
  const steps = quick ? 180 : 600;
  const rows: string[][] = [];
  for (const [i, name] of PLANE_SCENES.entries()) {
    const own = PLANE_CHOICES[name].method;
    const methods: readonly PlaneMethod[] = name === 'wavy' ? [own] : PLANE_METHODS;
    for (const method of methods) {
      progress((0.6 * i) / PLANE_SCENES.length, `${name} by ${method}`);
      const { world, layout } = createPlaneWorld(name, { method });
      warmUp(name, method);
      const figures = measureRun(
        steps,
        () => world.step(),
        () => world.energy().total,
        () => world.worstPenetration(),
      );
      const lines = layout.starts.reduce((sum, { ring }) => sum + ring.length / 2, 0);
      const label = method === own ? `${method} (the paper’s)` : method;
      rows.push([name, String(layout.starts.length), String(lines), label, ...cells(figures)]);
    }
  }
  return {
    title: 'The moving scenes of PIVOT, one core',
    headings: ['scene', 'objects', 'lines', 'method', ...HEADINGS],
    rows,
    notes: [
      'Steps of 1/60 s, 10 s in all, without friction, restitution 1: nothing may lose energy. Substeps: 4, but 3 for map, 2 for ' +
        'wavy and 1 for backtracking cars. Penalty forces let bodies overlap; the overlap of wavy is that of its deepest sample.',
    ],
  };
}

async function peerTable({ quick, progress }: SuiteContext): Promise<BenchTable> {
  const engines = await loadPlaneEngines();
  const steps = quick ? 180 : 600;
  const rows: string[][] = [];
  for (const name of ['cars', 'gears'] as const) {
    progress(0.7, `${name} beside peers`);
    const layout = layOutPlane(name);
    const { world } = createPlaneWorld(name, { method: 'auto', substeps: 2 });
    warmUp(name, 'auto');
    const ours = measureRun(
      steps,
      () => world.step(),
      () => world.energy().total,
      () => world.worstPenetration(),
    );
    rows.push([name, 'nearfield auto', ...cells(ours)]);
    for (const build of engines) {
      const run = build(layout, TIMESTEP);
      const judge = new Judge(name, layout);
      const figures = measureRun(
        steps,
        () => run.step(),
        () => judge.energy(run.read),
        () => judge.overlap(run.read),
      );
      rows.push([name, run.name, ...cells(figures)]);
    }
  }
  return {
    title: 'Beside engines of the plane',
    headings: ['scene', 'engine', ...HEADINGS],
    rows,
    notes: [
      'The same bodies, walls, start and steps of 1/60 s; peers with their defaults, continuous collision on where there is a switch, ' +
        'gears as triangles. Overlaps are measured by nearfield on the true outlines.',
      ...(engines.length < 3 ? [ENGINES_MISSING] : []),
    ],
  };
}

/** Measures the energy and the overlap of bodies that a peer moves, in a world of ours with the same bodies. */
class Judge {
  readonly #world: PlaneWorld;
  readonly #ids: readonly number[];

  constructor(name: PlaneSceneName, { starts }: PlaneLayout) {
    const { world, ids } = createPlaneWorld(name, { method: 'auto' });
    this.#world = world;
    this.#ids = ids.slice(0, starts.length);
  }

  #place(read: (body: number) => readonly number[]): void {
    for (const [i, id] of this.#ids.entries()) {
      const [x, y, angle, vx, vy, spin] = read(i);
      this.#world.setPose(id, [x, y, angle]);
      this.#world.setVelocity(id, [vx, vy], spin);
    }
  }

  energy(read: (body: number) => readonly number[]): number {
    this.#place(read);
    return this.#world.energy().kinetic;
  }

  overlap(read: (body: number) => readonly number[]): number {
    this.#place(read);
    return this.#world.worstPenetration();
  }
}
