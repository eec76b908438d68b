// Penetration of moving bodies: how much the last answer saves for the next along a swing, and heaps of letters untangled.
import { createRandom, type Pose, pose, quat, type Vec3, vec3 } from 'nearfield/core';
import { models } from 'nearfield/mesh';
import { PenetrationPair, preparePenetration, separateBodies } from 'nearfield/penetration';
import { ProximityModel, testIntersection } from 'nearfield/proximity';
import { milliseconds, ratio } from './measure.js';
import { CERTIFIED, type PreparedPair } from './penetration-run.js';
import type { BenchTable, SuiteContext } from './suite.js';

const FRAMES = 60;
/** B turns back and forth by this angle, and moves by this fraction of its size. */
const SWING_ANGLE = 0.1;
const SWING_SHARE = 0.01;
const SWING_AXIS: Vec3 = vec3.normalize([1, 2, 3]);
/** No further frames once a pair has taken this long; milliseconds. */
const PATIENCE = 20_000;

/** Each pair with B swinging about where it is: frame by frame with the last answer, and without. */
export function coherenceTable(pairs: readonly PreparedPair[], { quick, progress }: SuiteContext): BenchTable {
  const rows = pairs.map((prepared) => {
    progress(0.78, `swing, ${prepared.pair.name}`);
    const { a, b, pair } = prepared;
    const runs = [false, true].map((warm) => ({
      warm,
      pair: new PenetrationPair(a, b, CERTIFIED.options),
      times: [] as number[],
      cells: 0,
    }));
    const start = performance.now();
    const frames = quick ? 6 : FRAMES;
    for (let frame = 0; frame < frames && performance.now() - start < PATIENCE; frame++) {
      const poseB = swing(prepared, frame / FRAMES);
      for (const run of frame % 2 ? [...runs].reverse() : runs) {
        if (!run.warm) run.pair.reset();
        const begin = performance.now();
        const { cells, depth } = run.pair.measure(pair.poseA, poseB);
        // The first frames are the warm-up.
        if (depth === 0 || frame < 2) continue;
        run.times.push(performance.now() - begin);
        run.cells += cells;
      }
    }
    const [cold, warm] = runs.map(({ times, cells }) => {
      const sorted = [...times].sort((u, v) => u - v);
      return { median: sorted[sorted.length >> 1], mean: mean(times), cells: Math.round(cells / times.length) };
    });
    const count = runs[0].times.length;
    if (count === 0) return [pair.title, '0', ...Array(7).fill('–')];
    return [
      pair.title,
      `${count}`,
      milliseconds(cold.median),
      milliseconds(warm.median),
      milliseconds(cold.mean),
      milliseconds(warm.mean),
      ratio(warm.mean, cold.mean),
      `${cold.cells}`,
      `${warm.cells}`,
    ];
  });
  return {
    title: 'Warm against cold along a swing, certified to 1e-3',
    headings: [
      'benchmark',
      'frames that overlap',
      'cold: median, ms',
      'warm',
      'cold: mean, ms',
      'warm',
      'warm is faster by',
      'cold: cells a frame',
      'warm',
    ],
    rows,
    notes: [
      `B swings by ${SWING_ANGLE} rad and ${100 * SWING_SHARE} % of its size about where it is, ${FRAMES} frames a period. Warm: a ` +
        'PenetrationPair that begins with its last answer; cold: one that forgets it before every frame.',
    ],
  };
}

function swing({ b, pair: { poseB } }: PreparedPair, phase: number): Pose {
  const angle = 2 * Math.PI * phase;
  const size = vec3.distance([...b.boxMin] as Vec3, [...b.boxMax] as Vec3);
  const shift = vec3.scale([Math.sin(angle), Math.sin(2 * angle), Math.cos(angle)], SWING_SHARE * size);
  const turn = quat.fromAxisAngle(SWING_AXIS, SWING_ANGLE * Math.sin(angle));
  return pose.multiply(poseB, pose.create(shift, turn));
}

const LETTERS = 10;
const HEAPS = 5;
/** The radius of the ball that the middles of the letters, 1 high, are in. */
const HEAP_RADIUS = 0.8;

/** Heaps of letters, each moved apart. */
export function separateTable({ quick, progress }: SuiteContext): BenchTable {
  const known = new Map<string, ProximityModel>();
  const letters = models.filter(({ name }) => name.startsWith('letter-'));
  const takeModel = ({ name, build }: (typeof letters)[number]): ProximityModel => {
    const model = known.get(name) ?? new ProximityModel(build());
    known.set(name, model);
    preparePenetration(model);
    return model;
  };
  const rows = Array.from({ length: quick ? 1 : HEAPS }, (_, heap) => {
    progress(0.79, `heap ${heap + 1}`);
    const random = createRandom(heap + 1);
    const bodies = Array.from({ length: LETTERS }, () => {
      const model = takeModel(letters[random.integer(letters.length)]);
      const turn = random.rotation();
      const middle = vec3.scale(random.direction(), HEAP_RADIUS * Math.cbrt(random.next()));
      return { model, pose: pose.create(vec3.subtract(middle, quat.rotate(turn, [0, 0.5, 0])), turn) };
    });
    const times: number[] = [];
    let result = separateBodies(bodies);
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      const start = performance.now();
      result = separateBodies(bodies);
      times.push(performance.now() - start);
    }
    times.sort((u, v) => u - v);
    const { rounds, moves, pairs, poses, status } = result;
    const lengths = moves.map((move) => vec3.length(move));
    return [
      `${heap + 1}`,
      milliseconds(times[times.length >> 1]),
      `${rounds.length}`,
      `${rounds[0]?.overlapping ?? 0}`,
      (rounds[0]?.deepest ?? 0).toPrecision(3),
      `${pairs.length}`,
      `${rounds.filter(({ escaped }) => escaped !== null).length}`,
      mean(lengths).toPrecision(3),
      Math.max(...lengths).toPrecision(3),
      `${status}, ${countMeetings(bodies, poses)} meet`,
    ];
  });
  return {
    title: `Heaps of ${LETTERS} letters moved apart`,
    headings: [
      'heap',
      'ms',
      'rounds',
      'pairs overlapping in round 1',
      'deepest, of a letter of height 1',
      'pairs moved in all',
      'letters let out',
      'mean move',
      'longest',
      'after',
    ],
    rows,
    notes: ['Pairs that still meet after are counted by an exact test of all pairs.'],
  };
}

function countMeetings(bodies: readonly { readonly model: ProximityModel }[], poses: readonly Pose[]): number {
  let count = 0;
  for (let i = 0; i < bodies.length; i++) {
    for (let j = 0; j < i; j++) {
      count += Number(testIntersection(bodies[i].model, bodies[j].model, poses[i], poses[j]).intersects);
    }
  }
  return count;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
