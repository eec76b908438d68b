// Voronoi diagrams in space on one core: samples by kind and number of sites and by resolution, distance meshes beside
// exact distances, and graphs.
import { createRandom } from 'nearfield/core';
import { computeSpaceGraph, computeSpaceVoronoiSync, type SpaceSite } from 'nearfield/voronoi';
import { measure, milliseconds, ratio } from './measure.js';
import type { BenchTable, Suite, SuiteContext } from './suite.js';

const BOX = { min: [0, 0, 0] as [number, number, number], max: [1, 1, 1] as [number, number, number] };

const CLOCK_NOTE =
  'All times of this chapter are processor time, that of the compiler and the garbage collector included.';

const TYPES = ['point', 'segment', 'triangle'] as const;
type Type = (typeof TYPES)[number];

export const voronoiSpaceSuite: Suite = {
  name: 'voronoi-space',
  title: 'Voronoi diagrams in space',
  chapters: ['voronoi'],
  async run(context) {
    return [samples(context), meshes(context), graphs(context)];
  },
};

/** Sites in the unit cube, about half as long as the distance to the next. */
function makeSites(type: Type, count: number): SpaceSite[] {
  const random = createRandom(count);
  const length = 0.5 / Math.cbrt(count);
  return Array.from({ length: count }, (): SpaceSite => {
    const a = [random.next(), random.next(), random.next()];
    const near = (): number[] => a.map((x) => x + length * (random.next() - 0.5));
    if (type === 'point') return { type, at: a };
    return type === 'segment' ? { type, a, b: near() } : { type, a, b: near(), c: near() };
  });
}

/** The median time; long runs are made once. */
function time(run: () => number, quick: boolean): number {
  return measure([{ name: 'ours', run }], { rounds: quick ? 1 : 3, minimumMilliseconds: 1, clock: 'processor' })[0]
    .median;
}

function samples({ quick, progress }: SuiteContext): BenchTable {
  const counts = quick ? [10, 1_000] : [10, 100, 1_000, 10_000];
  const resolutions = quick ? [64] : [64, 128, 256];
  const cases = TYPES.flatMap((type) => counts.map((count) => ({ type, count })));
  const rows = cases.map(({ type, count }, index) => {
    const sites = makeSites(type, count);
    const times = resolutions.map((resolution) => {
      progress((0.6 * index) / cases.length, `${count} ${type}s at ${resolution}³`);
      return milliseconds(
        time(() => computeSpaceVoronoiSync(sites, { box: BOX, resolution }).ids[0], resolution > 128),
      );
    });
    return [`${type}s`, count.toLocaleString('en-US'), ...times];
  });
  const headings = ['sites', 'number', ...resolutions.map((resolution) => `${resolution}³`)];
  return { title: 'Exact distances, in milliseconds', headings, rows, notes: [CLOCK_NOTE] };
}

function meshes({ quick, progress }: SuiteContext): BenchTable {
  const counts = quick ? [10, 100] : [10, 100, 1_000];
  const rows = counts.map((count, index) => {
    progress(0.6 + (0.2 * index) / counts.length, `distance meshes of ${count} triangles`);
    const sites = makeSites('triangle', count);
    const [exact, mesh] = (['exact', 'mesh'] as const).map((method) =>
      time(() => computeSpaceVoronoiSync(sites, { box: BOX, resolution: 64, method }).ids[0], true),
    );
    return [count.toLocaleString('en-US'), milliseconds(exact), milliseconds(mesh), ratio(exact, mesh)];
  });
  return {
    title: 'Triangles at 64³: distance meshes with an error of half a spacing beside exact distances, in milliseconds',
    headings: ['triangles', 'exact', 'mesh', 'exact against mesh'],
    rows,
  };
}

function graphs({ quick, progress }: SuiteContext): BenchTable {
  const counts = quick ? [10, 100] : [10, 100, 1_000];
  const cases = TYPES.flatMap((type) => counts.map((count) => ({ type, count })));
  const rows = cases.map(({ type, count }, index) => {
    progress(0.8 + (0.2 * index) / cases.length, `the graph of ${count} ${type}s`);
    const sites = makeSites(type, count);
    const options = { box: BOX, resolution: count > 100 ? 48 : 32 };
    const graph = computeSpaceGraph(sites, options);
    const median = time(() => computeSpaceGraph(sites, options).edges.length, true);
    return [
      `${type}s`,
      count.toLocaleString('en-US'),
      graph.vertices.length.toLocaleString('en-US'),
      graph.edges.length.toLocaleString('en-US'),
      graph.counters.lost.toString(),
      milliseconds(median),
    ];
  });
  return {
    title: 'Graphs, in milliseconds',
    headings: ['sites', 'number', 'vertices', 'edges', 'lost', 'time'],
    rows,
  };
}
