// Sampled Voronoi diagrams on one core: by kind and number of sites and by resolution, beside d3-delaunay (points), jump
// flooding (outlines), and the exact diagram of segments by Boost.Polygon, which is a graph and not an image.
import { createRandom } from 'nearfield/core';
import { computeFieldSync, gridOverBox } from 'nearfield/field';
import { computeVoronoi, computeVoronoiGraph, LiveVoronoi, type PlaneSite, VoronoiImager } from 'nearfield/voronoi';
import { type Contestant, measure, milliseconds, processorTime, ratio } from './measure.js';
import { buildBoostVoronoi, timeBoostVoronoi } from './peers/boost-voronoi.js';
import type { BenchTable, Suite, SuiteContext } from './suite.js';
import { voronoiGpuTables } from './voronoi-gpu-record.js';

const BOX = [0, 0, 1, 1];

export const voronoiSuite: Suite = {
  name: 'voronoi',
  title: 'Voronoi diagrams in the plane',
  chapters: ['voronoi'],
  async run(context) {
    return [
      exactImages(context),
      await beside(context),
      await meshImages(context),
      await graphs(context),
      ...voronoiGpuTables(),
    ];
  },
};

type Kind = 'points' | 'segments' | 'mixed';
const KINDS: readonly Kind[] = ['points', 'segments', 'mixed'];

/** Sites in the unit square that do not cross: one in each cell of a grid, in random order. */
function makeSites(kind: Kind, count: number): PlaneSite[] {
  const random = createRandom(count);
  const side = Math.ceil(Math.sqrt(count));
  const cells = random.shuffle(Uint32Array.from({ length: side * side }, (_, i) => i));
  return Array.from({ length: count }, (_, i): PlaneSite => {
    const place = (): number[] => [
      ((cells[i] % side) + random.next()) / side,
      (Math.floor(cells[i] / side) + random.next()) / side,
    ];
    const type = kind === 'mixed' ? i % 3 : kind === 'points' ? 0 : 1;
    if (type === 0) return { type: 'point', at: place() };
    if (type === 1) return { type: 'segment', a: place(), b: place() };
    const radius = random.range(0.1, 0.4) / side;
    const from = random.range(0, 6);
    return { type: 'arc', center: place(), radius, from, to: from + random.range(1, 6) };
  });
}

const rounds = (quick: boolean) => ({ rounds: quick ? 2 : 5, minimumMilliseconds: 30, clock: 'processor' }) as const;

const CLOCK_NOTE = 'Processor time, that of the compiler and the garbage collector included.';

function exactImages({ quick, progress }: SuiteContext): BenchTable {
  const counts = quick ? [1_000] : [10, 100, 1_000, 10_000];
  const resolutions = quick ? [256, 512] : [256, 1024, 2048, 4096];
  const cases = KINDS.flatMap((kind) => counts.map((count) => ({ kind, count })));
  const rows = cases.map(({ kind, count }, index) => {
    const sites = makeSites(kind, count);
    const times = resolutions.map((resolution) => {
      progress((0.5 * index) / cases.length, `${count} ${kind} at ${resolution}²`);
      const imager = new VoronoiImager();
      const options = { box: BOX, resolution };
      const [{ median }] = measure(
        [{ name: kind, run: () => imager.render(sites, options).error }],
        rounds(quick || resolution > 2048),
      );
      return milliseconds(median);
    });
    return [kind, count.toLocaleString('en-US'), ...times];
  });
  return {
    title: 'Exact images, milliseconds on one core',
    headings: ['sites', 'number', ...resolutions.map((resolution) => `${resolution}²`)],
    rows,
    notes: [`mixed: points, segments and arcs in equal parts. All in the memory of one VoronoiImager. ${CLOCK_NOTE}`],
  };
}

/** The same diagrams by others. */
async function beside({ quick, progress }: SuiteContext): Promise<BenchTable> {
  const resolution = quick ? 256 : 1024;
  const counts = quick ? [1_000] : [100, 1_000, 10_000];
  const d3 = await import('d3-delaunay').catch(() => null);
  const boost = buildBoostVoronoi();
  const rows: string[][] = [];
  for (const [index, count] of counts.entries()) {
    progress(0.5 + (0.3 * index) / counts.length, `${count} sites beside others`);
    const imager = new VoronoiImager();
    const ours = (sites: readonly PlaneSite[]): Contestant => ({
      name: 'nearfield',
      run: () => imager.render(sites, { box: BOX, resolution }).error,
    });
    const points = makeSites('points', count);
    const flat = Float64Array.from(points.flatMap((site) => (site.type === 'point' ? [...Array.from(site.at)] : [])));
    const ids = new Int32Array(resolution * resolution);
    if (d3 !== null) {
      const walk = (): number => {
        const delaunay = new d3.Delaunay(flat);
        let last = 0;
        for (let i = 0; i < ids.length; i++) {
          const x = ((i % resolution) + 0.5) / resolution;
          last = delaunay.find(x, (Math.floor(i / resolution) + 0.5) / resolution, last);
          ids[i] = last;
        }
        return last;
      };
      const [own, theirs] = measure([ours(points), { name: 'd3-delaunay', run: walk }], rounds(quick));
      rows.push(rowOf('points', count, own.median, 'd3-delaunay, find per pixel', theirs.median));
    }

    const rings = makeSites('points', count).map((site) => outline(site, Math.ceil(Math.sqrt(count))));
    const border = [
      [-1, -1],
      [2, -1],
      [2, 2],
      [-1, 2],
    ];
    const outlines = [border, ...rings].map((ring): PlaneSite => ({ type: 'polygon', rings: [ring] }));
    const frame = gridOverBox({ min: [0, 0, 0], max: [1, 1, 0] }, resolution);
    const polygon = { rings: [border, ...rings].map((ring) => Float64Array.from(ring.flat())) };
    const flood = (): unknown =>
      computeFieldSync(polygon, frame, { method: 'jump-flooding', sign: 'none', nearest: true }).nearest;
    const [outlined, flooded] = measure([ours(outlines), { name: 'jump flooding', run: flood }], rounds(true));
    rows.push(rowOf('triangles', count, outlined.median, 'our jump flooding', flooded.median));

    if ('missing' in boost) continue;
    const segments = makeSites('segments', count);
    const ends = segments.flatMap((site) =>
      site.type === 'segment' ? [...Array.from(site.a), ...Array.from(site.b)] : [],
    );
    const [drawn] = measure([ours(segments)], rounds(quick));
    const graph = timeBoostVoronoi(boost.file, ends, quick ? 2 : 5);
    rows.push(rowOf('segments', count, drawn.median, 'Boost.Polygon, the graph only', graph));
  }
  return {
    title: `Beside others, exact images at ${resolution}², milliseconds`,
    headings: ['sites', 'number', 'nearfield', 'other', 'ms', 'ours is faster by'],
    rows,
    notes: [
      'Boost.Polygon computes the exact diagram of integer segments as a graph and no image: its time is for orientation. ' +
        CLOCK_NOTE,
      ...('missing' in boost ? [boost.missing] : []),
      ...(d3 === null ? ['d3-delaunay is not installed and was left out.'] : []),
    ],
  };
}

function rowOf(kind: string, count: number, ours: number, other: string, theirs: number): string[] {
  return [kind, count.toLocaleString('en-US'), milliseconds(ours), other, milliseconds(theirs), ratio(ours, theirs)];
}

/** A triangle within the cell of a point in a grid; triangles of different cells do not touch. */
function outline(site: PlaneSite, side: number): [number, number][] {
  const [x, y] = site.type === 'point' ? Array.from(site.at) : [0, 0];
  const radius = 0.4 / side;
  // Clockwise: they are the holes of a polygon.
  return [0, -1, -2].map((k) => [
    (Math.floor(x * side) + 0.5) / side + radius * Math.cos(2.1 * k + x * side),
    (Math.floor(y * side) + 0.5) / side + radius * Math.sin(2.1 * k + x * side),
  ]);
}

/** Distance meshes in software; a GPU draws them much faster, and exact images too. */
async function meshImages({ quick, progress }: SuiteContext): Promise<BenchTable> {
  const resolution = quick ? 256 : 1024;
  const rows: string[][] = [];
  for (const count of quick ? [100] : [10, 100, 1_000, 10_000]) {
    for (const kind of ['points', 'segments'] as const) {
      progress(0.8, `${count} ${kind} as distance meshes`);
      const sites = makeSites(kind, count);
      const times: number[] = [];
      let triangles = 0;
      for (let round = 0; round < 2; round++) {
        const start = processorTime();
        const image = await computeVoronoi(sites, { box: BOX, resolution, method: 'mesh' });
        times.push(processorTime() - start);
        triangles = image.counters.triangles;
      }
      rows.push([
        kind,
        count.toLocaleString('en-US'),
        triangles.toLocaleString('en-US'),
        milliseconds(Math.min(...times)),
      ]);
    }
  }
  return {
    title: `Distance meshes (Hoff et al. 1999) in software, within half a pixel, at ${resolution}², milliseconds`,
    headings: ['sites', 'number', 'triangles', 'ms'],
    rows,
    notes: [CLOCK_NOTE],
  };
}

/** Graphs from scratch and after one site moved, beside exact diagrams by others. */
async function graphs({ quick, progress }: SuiteContext): Promise<BenchTable> {
  const counts = quick ? [100] : [10, 100, 1_000, 10_000];
  const d3 = await import('d3-delaunay').catch(() => null);
  const boost = buildBoostVoronoi();
  const rows: string[][] = [];
  for (const kind of KINDS) {
    for (const count of counts) {
      progress(0.9, `graph of ${count} ${kind}`);
      const sites = makeSites(kind, count);
      const live = new LiveVoronoi(sites, { box: BOX });
      const random = createRandom(count);
      const moved = (): PlaneSite => {
        const at = [random.next(), random.next()];
        const reach = 0.5 / Math.sqrt(count);
        const near = at.map((x) => x + random.range(-reach, reach));
        return kind === 'points' ? { type: 'point', at } : { type: 'segment', a: at, b: near };
      };
      const contestants: Contestant[] = [
        { name: 'graph', run: () => computeVoronoiGraph(sites, { box: BOX }).edges.length },
        { name: 'update', run: () => live.replace(random.integer(count), moved()) },
      ];
      if (kind === 'points' && d3 !== null) {
        const flat = Float64Array.from(sites.flatMap((site) => (site.type === 'point' ? Array.from(site.at) : [])));
        contestants.push({
          name: 'd3-delaunay',
          run: () => new d3.Delaunay(flat).voronoi([0, 0, 1, 1]).circumcenters.length,
        });
      }
      const [graph, update, other] = measure(contestants, rounds(quick));
      let theirs = other === undefined ? '' : `d3-delaunay ${milliseconds(other.median)}`;
      if (kind === 'segments' && !('missing' in boost)) {
        const ends = sites.flatMap((site) =>
          site.type === 'segment' ? [...Array.from(site.a), ...Array.from(site.b)] : [],
        );
        theirs = `Boost.Polygon ${milliseconds(timeBoostVoronoi(boost.file, ends, quick ? 2 : 5))}`;
      }
      rows.push([
        kind,
        count.toLocaleString('en-US'),
        milliseconds(graph.median),
        milliseconds(update.median),
        ratio(update.median, graph.median),
        theirs,
      ]);
    }
  }
  return {
    title: 'Graphs, milliseconds on one core',
    headings: ['sites', 'number', 'from scratch', 'one site moved', 'faster by', 'others'],
    rows,
    notes: [
      'Ours: every edge with points within the error, its length, clearances and narrowest place. One site moved: ' +
        'LiveVoronoi.replace with a site at a random place. d3-delaunay: the triangulation and its circumcenters. ' +
        'Boost.Polygon: the diagram of integer segments, without points on its curved edges. ' +
        CLOCK_NOTE,
    ],
  };
}
