// Sweeps: trains of gears over a turn, an arm over one to four joints, a plant with keyframes; and samples with three-mesh-bvh at
// the step at which they are as near to the least gap as the proof.
import type { Mesh } from 'nearfield/mesh';
import {
  MotionStudy,
  motionSample,
  type SweepOptions,
  type SweepResult,
  type SweepSubject,
  sweep,
} from 'nearfield/sweep';
import { processorTime } from './measure.js';
import { loadThreeMeshBvh } from './peers/three-mesh-bvh.js';
import { gearTrain, movingPlant } from './scenarios/motions.js';
import type { Suite } from './suite.js';

const COST_HEADINGS = [
  'what moves',
  'parts',
  'triangles',
  'clearance',
  'verdict',
  'pairs near',
  'least gap',
  'distances',
  'processor s',
];

export const sweepSuite: Suite = {
  name: 'sweep',
  title: 'Clearance in motion',
  chapters: ['sweep', 'proximity', 'kinematics'],
  async run({ quick, progress }) {
    const cases = listCases(quick);
    const rows = cases.map(({ name, subject, options }, i) => {
      progress(i / (cases.length + 1), name);
      return costRow(name, subject(), options);
    });
    progress(cases.length / (cases.length + 1), 'samples');
    return [
      { title: 'sweep: the least gap of all pairs, proven, in one thread', headings: COST_HEADINGS, rows },
      await besideSamples(quick),
    ];
  },
};

interface Case {
  readonly name: string;
  readonly subject: () => SweepSubject;
  readonly options: SweepOptions;
}

function listCases(quick: boolean): Case[] {
  const arm = (joints: readonly string[]): Case => ({
    name: `arm, ${joints.length} joints`,
    subject: () => motionSample('arm'),
    options: { vary: Object.fromEntries(joints.map((joint) => [joint, [-0.7, 0.7]])), clearance: 0.01 },
  });
  const gears = (count: number, points: number, clearance: number): Case => ({
    name: 'gears, one turn',
    subject: () => gearTrain(count, points),
    options: { clearance },
  });
  const plant = (count: number, frames: number): Case => ({
    name: `plant, ${frames} keyframes`,
    subject: () => movingPlant(count, 20, frames),
    options: { clearance: 0.1 },
  });
  if (quick) return [gears(4, 4, 0.1), arm(['shoulder', 'elbow']), plant(60, 20)];
  return [
    ...[10, 60].map((count) => gears(count, 7, 0.1)),
    ...[0.05, 0.2].map((clearance) => gears(10, 7, clearance)),
    ...[1, 2, 3].map((count) => arm(['shoulder', 'elbow', 'wrist'].slice(0, count))),
    ...[100, 1000].map((count) => plant(count, 500)),
  ];
}

function costRow(name: string, subject: SweepSubject, options: SweepOptions): string[] {
  const start = processorTime();
  const result = sweep(subject, options);
  const spent = processorTime() - start;
  const { bodies } = new MotionStudy(subject, options);
  const triangles = bodies.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
  return [
    name,
    String(bodies.length),
    String(triangles),
    String(options.clearance),
    result.verdict,
    String(result.pairs.length),
    gapOf(result),
    String(result.queries),
    (spent / 1000).toFixed(2),
  ];
}

function gapOf({ least }: SweepResult): string {
  return least === null ? '–' : `${least.lower.toPrecision(3)} to ${least.upper.toPrecision(3)}`;
}

/** Samples of one pair of gears at finer and finer steps, beside the sweep of the pair. */
async function besideSamples(quick: boolean) {
  const subject = gearTrain(2, 7);
  const study = new MotionStudy(subject, { gapError: 0.01 });
  const start = processorTime();
  const { pairs } = study.sweep();
  const ours = processorTime() - start;
  const peer = await loadThreeMeshBvh();
  const rows = [
    [
      'nearfield, proven',
      '–',
      `${pairs[0].lower.toPrecision(4)} to ${pairs[0].upper.toPrecision(4)}`,
      (ours / 1000).toFixed(2),
    ],
  ];
  const [a, b] = study.bodies.map(({ mesh }) => mesh) as [Mesh, Mesh];
  peer?.build(a);
  peer?.build(b);
  for (const steps of quick ? [36] : [72, 720, 3600]) {
    if (peer === null) break;
    const from = processorTime();
    let least = Infinity;
    for (let i = 0; i <= steps; i++) {
      const [poseA, poseB] = study.posesAt({ 'shaft 0': (2 * Math.PI * i) / steps });
      least = Math.min(least, peer.distance(a, b, poseA, poseB, i, 0));
    }
    rows.push([
      'three-mesh-bvh, sampled',
      `${360 / steps}°`,
      least.toPrecision(4),
      ((processorTime() - from) / 1000).toFixed(2),
    ]);
  }
  return {
    title: 'One pair of gears over a turn, beside samples, which prove nothing',
    headings: ['by', 'step', 'least gap', 'processor s'],
    rows,
  };
}
