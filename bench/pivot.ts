// PIVOT in the plane: the scenes of Hoff, Zaferakis, Lin and Manocha 2001 (Tables 2 and 3) with their numbers of objects and
// lines, on one core, and the intersection of the same pairs by polygon-clipping libraries.
import { PlaneImagePivot, PlanePivot, PlaneScene } from 'nearfield/pivot';
import { type Contestant, measure, milliseconds, ratio } from './measure.js';
import { CLIPPERS_MISSING, loadClippers } from './peers/polygon-clippers.js';
import { PLANE_FRAMES, type PlaneBody, type PlaneScenario, planeScenarios } from './scenarios/plane.js';
import type { BenchTable, Suite, SuiteContext } from './suite.js';

/** Milliseconds a frame of Table 2, on a GeForce2. */
const GEFORCE2: Readonly<Record<string, number>> = { map: 0.281, gears: 0.015, links: 0.02, cars: 0.007, wavy: 1.03 };
/** Milliseconds a frame of Table 3, on a GeForce2, by error. */
const GEFORCE2_WAVY = [0.71, 0.315, 0.211, 0.176, 0.165];
const FACTORS = [0.25, 0.5, 1, 2, 4];
/** The error as a share of a body's diameter. */
const SHARE = 0.002;

export const pivotSuite: Suite = {
  name: 'pivot',
  title: 'PIVOT in the plane',
  chapters: ['pivot'],
  async run(context) {
    const scenes = Object.values(planeScenarios).map((build) => build());
    return [
      sceneTable(scenes, context),
      errorTable(scenes[4], context),
      depthTable(scenes, context),
      await clipperTable(scenes, context),
      await passTable(scenes[4], context),
    ];
  },
};

/** Processor time in milliseconds, the least of all rounds, of what is done in every frame, less the motion itself. */
function perFrame(scene: PlaneScenario, quick: boolean, ask: () => unknown, every = 1): number {
  const frames = quick ? 60 : PLANE_FRAMES;
  const pass = (work: () => unknown): Contestant['run'] => {
    return () => {
      let last: unknown = 0;
      for (let frame = 0; frame < frames; frame += every) {
        scene.advance(frame);
        last = work();
      }
      return last;
    };
  };
  const [asked, moved] = measure(
    [
      { name: 'query', run: pass(ask) },
      { name: 'motion', run: pass(() => 0) },
    ],
    { rounds: quick ? 5 : 15, minimumMilliseconds: 10, clock: 'processor' },
  );
  return Math.max(0, asked.minimum - moved.minimum) / Math.ceil(frames / every);
}

/** Means over the frames. */
function figuresOf(scene: PlaneScenario, query: PlaneScene): { points: number; tested: number; meeting: number } {
  const sum = { points: 0, tested: 0, meeting: 0 };
  for (let frame = 0; frame < PLANE_FRAMES; frame++) {
    scene.advance(frame);
    const found = query.penetration(scene.bodies);
    sum.points += found.count;
    sum.tested += found.pairsTested;
    sum.meeting += found.pairCount;
  }
  return {
    points: sum.points / PLANE_FRAMES,
    tested: sum.tested / PLANE_FRAMES,
    meeting: sum.meeting / PLANE_FRAMES,
  };
}

const micro = (value: number): string => (1000 * value).toFixed(value < 0.01 ? 1 : 0);

function sceneTable(scenes: readonly PlaneScenario[], { quick, progress }: SuiteContext): BenchTable {
  const rows = scenes.map((scene, index) => {
    progress((0.3 * index) / scenes.length, scene.name);
    const query = new PlaneScene({ error: SHARE * scene.diameter });
    const { points, tested, meeting } = figuresOf(scene, query);
    const time = perFrame(scene, quick, () => query.penetration(scene.bodies).count);
    return [
      scene.name,
      String(scene.bodies.length),
      String(scene.lines),
      tested.toFixed(1),
      meeting.toFixed(1),
      points.toFixed(0),
      micro(time),
      micro(GEFORCE2[scene.name]),
      ratio(time, GEFORCE2[scene.name]),
    ];
  });
  return {
    title: 'All queries of a frame (Table 2), microseconds of one core',
    headings: [
      'scene',
      'objects',
      'lines',
      'pairs of boxes',
      'pairs that meet',
      'points',
      'nearfield',
      'GeForce2 in 2001',
      'ours is faster by',
    ],
    rows,
    notes: [
      'Penetrating points of all pairs with depth, direction and length, within 0.2 % of an object’s diameter; every frame from ' +
        'the rings and poses alone. The scenes are drawn anew with the paper’s numbers of objects and lines and move ' +
        'by worlds of the plane (cars never overlap), so contacts differ from the paper’s; its times are for orientation.',
    ],
  };
}

function errorTable(scene: PlaneScenario, { quick, progress }: SuiteContext): BenchTable {
  progress(0.35, 'errors');
  const rows = FACTORS.map((factor, i) => {
    const query = new PlaneScene({ error: factor * SHARE * scene.diameter });
    const { points } = figuresOf(scene, query);
    const time = perFrame(scene, quick, () => query.penetration(scene.bodies).count);
    return [`${factor} d`, points.toFixed(0), micro(time), micro(GEFORCE2_WAVY[i])];
  });
  return {
    title: 'Error and time (Table 3), wavy, microseconds a frame',
    headings: ['error', 'points', 'nearfield', 'GeForce2 in 2001'],
    rows,
  };
}

function depthTable(scenes: readonly PlaneScenario[], { quick, progress }: SuiteContext): BenchTable {
  progress(0.5, 'depths of hierarchies');
  const depths = quick ? [0, 8] : [0, 2, 4, 8];
  const rows = [scenes[0], scenes[4]].flatMap((scene) =>
    [0.25, 1, 4].map((factor) => [
      scene.name,
      `${factor} d`,
      ...depths.map((maxDepth) => {
        const query = new PlaneScene({ error: factor * SHARE * scene.diameter, maxDepth });
        return micro(perFrame(scene, true, () => query.penetration(scene.bodies).count));
      }),
    ]),
  );
  return {
    title: 'Depth of the box hierarchies and error, microseconds a frame',
    headings: ['scene', 'error', ...depths.map((depth) => `depth ${depth}`)],
    rows,
  };
}

/** The rings of a body where it stands. */
function placedRing({ rings: [ring], pose: [x, y, angle] }: PlaneBody): Float64Array {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return ring.map((_, i) => (i % 2 === 0 ? c * ring[i] - s * ring[i + 1] + x : s * ring[i - 1] + c * ring[i] + y));
}

/** The same pairs by ours and by clippers: the area in common, and beside it our penetrating points. */
async function clipperTable(scenes: readonly PlaneScenario[], { quick, progress }: SuiteContext): Promise<BenchTable> {
  progress(0.65, 'clippers');
  const clippers = await loadClippers();
  const rows: string[][] = [];
  for (const scene of scenes) {
    const error = SHARE * scene.diameter;
    const query = new PlanePivot({ error });
    const meetings: [PlaneBody, PlaneBody][] = [];
    const finder = new PlaneScene({ error });
    // The pairs that meet in some frames, each kept as it stands.
    for (let frame = 0; frame < PLANE_FRAMES && meetings.length < (quick ? 8 : 30); frame += 13) {
      scene.advance(frame);
      const { pairCount, pairs } = finder.penetration(scene.bodies);
      for (let k = 0; k < pairCount; k++) {
        const stand = (body: PlaneBody): PlaneBody => ({ rings: [placedRing(body)], pose: new Float64Array(3) });
        meetings.push([stand(scene.bodies[pairs[2 * k]]), stand(scene.bodies[pairs[2 * k + 1]])]);
      }
    }
    if (meetings.length === 0) continue;
    let ours = 0;
    const contestants: Contestant[] = [
      {
        name: 'area',
        run: () => {
          ours = 0;
          for (const [a, b] of meetings) ours += query.intersect(a, b, 'volume-volume').area;
          return ours;
        },
      },
      {
        name: 'points',
        run: () => {
          let count = 0;
          for (const [a, b] of meetings) count += query.penetration(a, b).count;
          return count;
        },
      },
    ];
    const areas: number[] = [];
    for (const [index, clipper] of clippers.entries()) {
      const prepared = meetings.map(([a, b]) => [clipper.prepare(a.rings[0]), clipper.prepare(b.rings[0])]);
      contestants.push({
        name: clipper.name,
        run: () => {
          areas[index] = 0;
          for (const [a, b] of prepared) areas[index] += clipper.area(a, b);
          return areas[index];
        },
      });
    }
    const times = measure(contestants, { rounds: quick ? 3 : 9, minimumMilliseconds: 20 });
    const each = times.map(({ median }) => median / meetings.length);
    rows.push([
      scene.name,
      micro(each[0]),
      micro(each[1]),
      ...clippers.flatMap((_, i) => [
        micro(each[i + 2]),
        ratio(each[0], each[i + 2]),
        `${((100 * Math.abs(ours - areas[i])) / areas[i]).toFixed(2)} %`,
      ]),
    ]);
  }
  return {
    title: 'Pairs that meet, beside clippers, microseconds a pair',
    headings: [
      'scene',
      'ours: pixels and area',
      'ours: penetrating points',
      ...clippers.flatMap(({ name }) => [name, 'ours is faster by', 'areas differ by']),
    ],
    rows,
    notes: [
      'Clippers compute the outline of the intersection, exactly but for rounding; ours the pixels in it and its area by their ' +
        'rows, or the penetrating points with depth and direction, which clippers do not give.',
      ...(clippers.length < 2 ? [CLIPPERS_MISSING] : []),
    ],
  };
}

/** The published passes in software, for one frame. */
async function passTable(scene: PlaneScenario, { quick, progress }: SuiteContext): Promise<BenchTable> {
  progress(0.9, 'passes in software');
  const error = SHARE * scene.diameter;
  scene.advance(100);
  const [a, b] = scene.bodies;
  const scan = new PlanePivot({ error });
  const [scanned] = measure([{ name: 'scan', run: () => scan.penetration(a, b).count }], { rounds: 5 });
  const rows = [['scan conversion, PlanePivot', milliseconds(scanned.median)]];
  for (const method of ['stencil', 'depth', 'blend', 'logic'] as const) {
    const query = new PlaneImagePivot({ error, method, backend: 'cpu' });
    const times: number[] = [];
    for (let round = 0; round < (quick ? 2 : 5); round++) {
      const start = performance.now();
      await query.penetration(a, b);
      times.push(performance.now() - start);
    }
    rows.push([`${method}, PlaneImagePivot`, milliseconds(times.sort((x, y) => x - y)[times.length >> 1])]);
  }
  return {
    title: 'One frame of wavy by scan conversion and by the published passes in software, milliseconds',
    headings: ['method', 'ms'],
    rows,
  };
}
