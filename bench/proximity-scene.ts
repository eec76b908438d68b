// Many bodies: frame times of scenes of 1,000 moving tori, sweep and prune beside a tree built each frame, and batches
// over workers beside one thread.
import { Worker } from 'node:worker_threads';
import { createRandom } from 'nearfield/core';
import { findModel, type Mesh } from 'nearfield/mesh';
import {
  BatchPool,
  ProximityModel,
  prepareModel,
  QueryBatch,
  runBatch,
  Scene,
  SweepAndPrune,
} from 'nearfield/proximity';
import { boxesOverlap, buildBvh, traverseSelf } from 'nearfield/spatial';
import { milliseconds, ratio } from './measure.js';
import type { BenchTable, SuiteContext } from './suite.js';

/** The tables on many bodies, a part of the proximity suite. */
export async function sceneTables(context: SuiteContext): Promise<BenchTable[]> {
  return [frameTimes(context), broadPhase(context), await batches(context)];
}

/** 18 × 7 quads: 252 triangles. */
function smallTorus(): Mesh {
  const model = findModel('wrinkled-torus');
  if (!model) throw new Error('the model is missing');
  return model.build({ majorSegments: 18, minorSegments: 7 });
}

/** Bodies that fly and spin in a box and bounce off its walls; the diameter of each is about 1. */
class Swarm {
  readonly poses: number[][];
  readonly #velocities: number[][];
  readonly #side: number;

  constructor(count: number, side: number, step: number) {
    const random = createRandom(1);
    this.#side = side;
    this.poses = Array.from({ length: count }, () => [
      ...[0, 1, 2].map(() => random.range(0, side)),
      ...random.rotation(),
    ]);
    this.#velocities = Array.from({ length: count }, () => {
      const [way, axis] = [random.direction(), random.direction()];
      return [...way.map((value) => value * step), ...axis.map((value) => value * step)];
    });
  }

  move(): void {
    for (const [i, at] of this.poses.entries()) {
      const velocity = this.#velocities[i];
      for (let k = 0; k < 3; k++) {
        at[k] += velocity[k];
        if (at[k] < 0 === velocity[k] < 0 && (at[k] < 0 || at[k] > this.#side)) velocity[k] = -velocity[k];
      }
      const turned = multiplyQuaternions([velocity[3], velocity[4], velocity[5], 1], at.slice(3));
      const length = Math.hypot(...turned);
      for (let k = 0; k < 4; k++) at[3 + k] = turned[k] / length;
    }
  }
}

function multiplyQuaternions([x, y, z, w]: number[], [a, b, c, d]: number[]): number[] {
  return [
    w * a + x * d + y * c - z * b,
    w * b - x * c + y * d + z * a,
    w * c + x * b - y * a + z * d,
    w * d - x * a - y * b - z * c,
  ];
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1];
const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

function frameTimes({ quick, progress }: SuiteContext): BenchTable {
  const mesh = smallTorus();
  const model = prepareModel(new ProximityModel(mesh), 'boxes');
  const [count, frames, warmUp] = quick ? [200, 10, 3] : [1000, 16, 4];
  const asks = {
    'boxes only': (scene: Scene) => scene.intersections(),
    intersections: (scene: Scene) => scene.intersections(),
    'within 0.05': (scene: Scene) => scene.within(0.05),
    'distances up to 0.1': (scene: Scene) => scene.distances({ cutoff: 0.1 }),
    'contacts up to 0.05': (scene: Scene) => scene.contacts({ tolerance: 0.05 }),
    'nearest pair': (scene: Scene) => {
      const { nearest, counters } = scene.nearest();
      return { pairs: nearest === null ? [] : [nearest], counters };
    },
  };
  const rows: string[][] = [];
  for (const [density, share] of [
    ['sparse', 1.08],
    ['dense', 0.6],
  ] as const) {
    const swarm = new Swarm(count, 10 * share * Math.cbrt(count / 1000), 0.02);
    // Bodies with an empty mask pass through the broad phase and are asked nothing.
    const scenes = Object.entries(asks).map(([name, ask]) => {
      const scene = new Scene();
      const options = name === 'boxes only' ? { mask: 0 } : {};
      const ids = swarm.poses.map((at) => scene.add(model, { ...options, pose: Float64Array.from(at) }));
      return { name, ask, scene, ids, times: [] as number[], tested: 0, found: 0, triangles: 0 };
    });
    for (let frame = 0; frame < frames + warmUp; frame++) {
      progress((0.4 * (frame + (density === 'dense' ? frames : 0))) / (2 * frames), `${density} scene`);
      swarm.move();
      for (const entry of scenes) {
        const start = performance.now();
        for (const [i, id] of entry.ids.entries()) entry.scene.setPose(id, Float64Array.from(swarm.poses[i]));
        const { pairs, counters } = entry.ask(entry.scene);
        const time = performance.now() - start;
        if (frame < warmUp) continue;
        entry.times.push(time);
        entry.tested += counters.pairsTested / frames;
        entry.found += pairs.length / frames;
        entry.triangles += counters.trianglePairs / frames;
      }
    }
    for (const { name, times, tested, found, triangles } of scenes) {
      const time = median(times);
      const each = tested >= 1 ? ((1000 * time) / tested).toFixed(1) : '–';
      rows.push([density, name, whole(tested), whole(found), whole(triangles), milliseconds(time), each]);
    }
  }
  return {
    title: `${count.toLocaleString('en-US')} moving bodies of ${mesh.indices.length / 3} triangles`,
    headings: ['scene', 'query', 'pairs tested', 'pairs found', 'triangle pairs', 'ms a frame', 'µs a pair tested'],
    rows,
    notes: [
      'Wrinkled tori about 1 across, moving 0.02 and turning 2° a frame; every figure a frame. A frame sets all poses, ' +
        'then asks. "boxes only": world boxes and sweep and prune alone, which every other row contains.',
    ],
  };
}

function broadPhase({ quick, progress }: SuiteContext): BenchTable {
  const frames = quick ? 10 : 20;
  const rows: string[][] = [];
  for (const count of quick ? [1000] : [1000, 4000, 16000]) {
    for (const step of [0.005, 0.02, 0.1]) {
      progress(0.4 + 0.2 * (rows.length / 9), `${count} boxes`);
      const swarm = new Swarm(count, 0.8 * Math.cbrt(count), step);
      const boxes = new Float64Array(6 * count);
      const kept = new SweepAndPrune();
      const times = { kept: [] as number[], fresh: [] as number[], tree: [] as number[] };
      let swaps = 0;
      let resorts = 0;
      for (let frame = 0; frame < frames; frame++) {
        swarm.move();
        for (const [i, at] of swarm.poses.entries()) {
          for (let k = 0; k < 3; k++) {
            boxes[6 * i + k] = at[k] - 0.4;
            boxes[6 * i + 3 + k] = at[k] + 0.4;
          }
        }
        const sweep = (into: SweepAndPrune): number => {
          const start = performance.now();
          for (let i = 0; i < count; i++) into.place(i, boxes, 6 * i);
          into.update();
          return performance.now() - start;
        };
        times.kept.push(sweep(kept));
        times.fresh.push(sweep(new SweepAndPrune()));
        const start = performance.now();
        let met = 0;
        traverseSelf(buildBvh(boxes), {
          testBoxes: boxesOverlap,
          visitItems: () => {
            met++;
            return false;
          },
        });
        times.tree.push(performance.now() - start);
        if (met !== kept.pairCount) throw new Error(`the tree finds ${met} pairs, the sweep ${kept.pairCount}`);
        swaps += kept.counters.swaps / frames;
        resorts += kept.counters.resorted ? 1 : 0;
      }
      const time = median(times.kept);
      rows.push([
        count.toLocaleString('en-US'),
        String(step),
        whole(kept.pairCount),
        whole(swaps),
        String(resorts),
        milliseconds(time),
        milliseconds(median(times.fresh)),
        milliseconds(median(times.tree)),
        ratio(time, median(times.tree)),
      ]);
    }
  }
  return {
    title: 'Broad phase alone, milliseconds a frame',
    headings: [
      'boxes',
      'step',
      'pairs',
      'exchanges',
      `fresh sorts in ${frames}`,
      'kept in order',
      'sorted afresh',
      'tree built each frame',
      'kept is faster than the tree by',
    ],
    rows,
    notes: [
      'Boxes 0.8 wide, four or so overlapping each; all move by the step in each frame. Pairs come sorted from the sweep, in no order from the tree.',
    ],
  };
}

async function batches({ quick, progress }: SuiteContext): Promise<BenchTable> {
  const title = 'Batches of independent distance queries';
  const headings = ['queries', 'threads', 'milliseconds', 'queries a second', 'faster than one thread by'];
  const models = [new ProximityModel(smallTorus())];
  const swarm = new Swarm(400, 5, 0);
  const batch = new QueryBatch();
  const count = quick ? 2_000 : 20_000;
  for (let k = 0; k < count; k++) {
    const [a, b] = [swarm.poses[k % 400], swarm.poses[(k * 7 + 1 + Math.floor(k / 400)) % 400]];
    batch.addDistance(0, 0, Float64Array.from(a), Float64Array.from(b), 1);
  }
  const script = new URL(import.meta.resolve('nearfield/batch-worker'));
  const rounds = quick ? 2 : 5;
  const contestants: { name: string; run: () => unknown; times: number[]; pool: BatchPool | null }[] = [
    { name: 'this one', run: () => runBatch(models, batch), times: [], pool: null },
  ];
  for (const size of [1, 2, 4]) {
    const pool = new BatchPool(Array.from({ length: size }, () => new Worker(script)));
    contestants.push({
      name: `${size} ${size === 1 ? 'worker' : 'workers'}`,
      run: () => pool.run(models, batch),
      times: [],
      pool,
    });
  }
  try {
    for (let round = 0; round <= rounds; round++) {
      progress(0.6 + (0.4 * round) / rounds, 'batches');
      for (const { run, times } of contestants) {
        const start = performance.now();
        await run();
        if (round > 0) times.push(performance.now() - start);
      }
    }
  } finally {
    for (const { pool } of contestants) pool?.close();
  }
  const alone = median(contestants[0].times);
  return {
    title,
    headings,
    rows: contestants.map(({ name, times }) => {
      const time = median(times);
      return [whole(count), name, milliseconds(time), whole((1000 * count) / time), ratio(time, alone)];
    }),
    notes: [
      'Tori of 252 triangles, cut-off 1; the answers are the same bits in every row. Workers have the trees from the warm-up on.',
    ],
  };
}
