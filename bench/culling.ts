// Collision culling on one core: the environments of Govindaraju et al. 2003 beside three-mesh-bvh and our own Scene, and the
// time against the number of objects, of polygons and of pixels.
import { CollisionCuller, type CullOptions } from 'nearfield/culling';
import { findModel } from 'nearfield/mesh';
import { ProximityModel, Scene } from 'nearfield/proximity';
import { cullingGpuTables } from './culling-gpu-record.js';
import { type Contestant, milliseconds, processorTime, ratio } from './measure.js';
import { loadDeformingPeer } from './peers/three-mesh-bvh-frames.js';
import { breakingDragon, breakingSolid } from './scenarios/breaking.js';
import { bunnyInDragon, type CullingEnvironment, deformingCylinders, deformingTori } from './scenarios/culling.js';
import type { BenchTable, Suite, SuiteContext } from './suite.js';

export const cullingSuite: Suite = {
  name: 'culling',
  title: 'Collision culling of deforming objects',
  chapters: ['culling'],
  async run(context) {
    return [await environments(context), ...curves(context), ...cullingGpuTables()];
  },
};

/** Frames are a thirtieth of a second apart; each run is the next frame. Moving the vertices is not timed. */
const FRAME = 1 / 30;
const FRAMES = 9;
/** Frames before those that are timed, and runs in each of them. */
const WARM_UP = 2;
const WARM_UP_RUNS = 3;
const FIRST_FRAME = 10;

/** Median milliseconds of the processor over the same frames, in turn; each contestant sees a frame once. The first is `from`. */
function timeFrames(
  environment: CullingEnvironment,
  contestants: readonly Contestant[],
  frames: number,
  from = FIRST_FRAME,
): number[] {
  const times = contestants.map((): number[] => []);
  for (let frame = -WARM_UP; frame < frames; frame++) {
    environment.moveTo(FRAME * (frame + from));
    for (const [index, { run }] of contestants.entries()) {
      for (let i = 1; frame < 0 && i < WARM_UP_RUNS; i++) run();
      const start = processorTime();
      run();
      if (frame >= 0) times[index].push(processorTime() - start);
    }
  }
  return times.map((list) => list.sort((a, b) => a - b)[list.length >> 1]);
}

function culling(objects: CullingEnvironment['objects'], options: CullOptions): Contestant {
  const culler = new CollisionCuller(options);
  return { name: options.method ?? 'auto', run: () => culler.cullSync(objects).pairs.length };
}

async function environments({ quick, progress }: SuiteContext): Promise<BenchTable> {
  const peer = await loadDeformingPeer();
  const cases = quick
    ? [deformingCylinders(25), deformingTori(2000), breaking(quick)]
    : [deformingCylinders(100), deformingTori(20_000), bunnyInDragon(), breaking(quick)];
  const rows = cases.map((environment, index) => {
    progress((0.6 * index) / cases.length, environment.name);
    const { objects } = environment;
    const theirs = peer?.(objects);
    const contestants: Contestant[] = [
      culling(objects, { output: 'pairs' }),
      culling(objects, { output: 'count' }),
      culling(objects, { method: 'cullide', output: 'pairs' }),
    ];
    if (theirs !== undefined) {
      contestants.push(
        { name: 'rebuilt', run: theirs.rebuild },
        { name: 'refitted', run: theirs.refit },
        { name: 'counted', run: theirs.countTriangles },
      );
    }
    const frames = quick ? 2 : FRAMES;
    const [pairs, count, cullide, rebuilt, refitted, counted] = timeFrames(environment, contestants, frames);
    // The last frame, for the time of a Scene and for the counts.
    const last = FIRST_FRAME + frames - 1;
    const [scene] = timeFrames(environment, [{ name: 'Scene', run: () => askScene(objects) }], 1, last);
    const { stages } = new CollisionCuller().cullSync(objects);
    return [
      environment.name,
      stages.map(({ triangles }) => triangles.toLocaleString('en-US')).join(' → '),
      milliseconds(pairs),
      milliseconds(cullide),
      rebuilt === undefined ? '–' : `${milliseconds(rebuilt)} (${ratio(pairs, rebuilt)})`,
      refitted === undefined ? '–' : `${milliseconds(refitted)} (${ratio(pairs, refitted)})`,
      `${milliseconds(scene)} (${ratio(pairs, scene)})`,
      milliseconds(count),
      counted === undefined ? '–' : `${milliseconds(counted)} (${ratio(count, counted)})`,
    ];
  });
  return {
    title: 'Environments of Govindaraju et al. 2003, milliseconds a frame on one core',
    headings: [
      'environment',
      'triangles after each stage',
      'pairs of objects: lbvh',
      'cullide at 512²',
      'three-mesh-bvh rebuilt',
      'three-mesh-bvh refitted',
      'our Scene, models made anew',
      'all pairs of triangles: lbvh',
      'three-mesh-bvh refitted, bvhcast',
    ],
    rows,
    notes: [
      'Processor time of frames a thirtieth of a second apart; in brackets how many times longer than lbvh. Pairs of objects: ' +
        'everyone is done with two objects at the first triangles that meet. All pairs of triangles: all that meet are counted. ' +
        'three-mesh-bvh is asked about objects whose boxes overlap, in single precision. A Scene is for rigid bodies. ' +
        'The dragon breaks in the second frame and its fragments in the eighth; the counts and the Scene are of the last frame.',
      ...(peer === null ? ['three-mesh-bvh is not installed and was left out.'] : []),
    ],
  };
}

/** It breaks after the first timed frame, and the fragments again before the last but one. */
function breaking(quick: boolean): CullingEnvironment {
  const [ring, ball] = ['torus', 'icosphere'].map((name) => findModel(name).build());
  const environment = quick
    ? breakingSolid('breaking torus', ring, ball, { fragments: 12, seed: 1 })
    : breakingDragon();
  environment.breakAt(FRAME * (FIRST_FRAME + 0.2));
  return environment;
}

/** Pairs of bodies of a scene made for this frame. */
function askScene(objects: CullingEnvironment['objects']): number {
  const scene = new Scene();
  for (const mesh of objects) scene.add(new ProximityModel(mesh));
  return scene.intersections().pairs.length;
}

/** The three curves of the paper. */
function curves({ quick, progress }: SuiteContext): BenchTable[] {
  const frames = quick ? 2 : FRAMES;
  const both = (environment: CullingEnvironment, resolution = 512): string[] =>
    timeFrames(
      environment,
      [
        culling(environment.objects, { output: 'pairs' }),
        culling(environment.objects, { method: 'cullide', resolution, output: 'pairs' }),
      ],
      frames,
    ).map(milliseconds);
  progress(0.6, 'objects');
  const objects = (quick ? [10, 20] : [25, 50, 100, 200, 400]).map((count) => {
    const environment = deformingCylinders(count);
    const times = both(environment);
    const { counters } = new CollisionCuller({ output: 'pairs' }).cullSync(environment.objects);
    return [`${count}`, ...times, `${counters.objectPairs}`, counters.candidates.toLocaleString('en-US')];
  });
  progress(0.75, 'polygons');
  const polygons = (quick ? [500, 1000] : [2500, 5000, 10_000, 20_000, 40_000, 80_000]).map((each) => [
    (2 * each).toLocaleString('en-US'),
    ...both(deformingTori(each)),
  ]);
  progress(0.9, 'resolution');
  const tori = deformingTori(quick ? 500 : 5000);
  const resolutions = (quick ? [64, 128] : [64, 128, 256, 512, 1024, 2048]).map((resolution) => {
    const [time] = timeFrames(
      tori,
      [culling(tori.objects, { method: 'cullide', resolution, output: 'pairs' })],
      frames,
    );
    const { stages } = new CollisionCuller({ method: 'cullide', resolution }).cullSync(tori.objects);
    const left = stages.find(({ name }) => name === 'triangles')!.triangles;
    return [`${resolution}²`, milliseconds(time), left.toLocaleString('en-US')];
  });
  return [
    {
      title: 'Time against objects: cylinders of 200 triangles, milliseconds',
      headings: ['objects', 'lbvh', 'cullide', 'pairs of boxes', 'pairs of triangles with overlapping boxes'],
      rows: objects,
    },
    {
      title: 'Time against polygons: two tori, milliseconds',
      headings: ['triangles', 'lbvh', 'cullide'],
      rows: polygons,
    },
    {
      title: `Time against resolution: ${tori.name}, milliseconds`,
      headings: ['resolution', 'cullide', 'triangles left'],
      rows: resolutions,
    },
  ];
}
