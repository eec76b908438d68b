// Trajectories of others: proven, beside measuring the clearance at samples. First what a proof costs on an arm with six joints
// near a shelf, then how often samples see what a proof finds, on rods that barely touch something on their way.
import { createRandom } from 'nearfield/core';
import { findModel, type Mesh } from 'nearfield/mesh';
import { planMotion, planningSample, timePath, trajectoryAt } from 'nearfield/planning';
import { certifyTrajectory, type JointTrajectory, type MotionProblem, sampleTrajectory } from 'nearfield/sweep';
import { milliseconds } from './measure.js';
import type { BenchTable, Suite } from './suite.js';

/** Samples of a motion, beside which the proof is set. */
const SAMPLES = [10, 100, 1000];

/** Half of the sides of what the rods graze, in shares of their length. */
const SPECK = 1e-4;

export const certifySuite: Suite = {
  name: 'certify',
  title: 'Trajectories of others',
  chapters: ['sweep'],
  async run({ quick, progress }) {
    const tables = [armTable(quick ? [100] : [100, 1000, 10_000], (share, stage) => progress(share / 2, stage))];
    tables.push(grazeTable(quick ? 10 : 200, (share, stage) => progress(0.5 + share / 2, stage)));
    return tables;
  },
};

/** A planned trajectory of the sample `arm`, which passes a shelf within millimeters, divided into ever more segments. */
function armTable(counts: readonly number[], progress: (share: number, stage: string) => void): BenchTable {
  const problem = planningSample('arm');
  const planned = timePath(problem, planMotion(problem));
  const rows = counts.map((count, i) => {
    progress(i / counts.length, `${count} segments`);
    const points = Array.from({ length: count + 1 }, (_, k) => trajectoryAt(planned, (planned.duration * k) / count));
    const trajectory: JointTrajectory = { joints: planned.joints, points };
    const proof = timed(() => certifyTrajectory(problem, trajectory));
    const { verdict, clearance, queries } = proof.answer;
    const frames = count + 1;
    const samples = timed(() => sampleTrajectory(problem, trajectory, { frames }));
    const least = samples.answer.frames.reduce((low, frame) => Math.min(low, frame.clearance), Infinity);
    return [
      `${count}`,
      verdict,
      `${(1000 * clearance!.lower).toFixed(4)} to ${(1000 * clearance!.upper).toFixed(4)}`,
      `${queries}`,
      milliseconds(proof.ms),
      milliseconds(samples.ms),
      (1000 * least).toFixed(4),
    ];
  });
  return {
    title:
      'An arm with six joints, by quintics: all of the motion proven, and one sample for each segment (ms of processor time)',
    headings: ['segments', 'verdict', 'clearance, mm', 'queries', 'certifyTrajectory', 'sampled', 'least sample, mm'],
    rows,
  };
}

/** Rods that turn past a speck which their ends overlap by less than its size. */
function grazeTable(count: number, progress: (share: number, stage: string) => void): BenchTable {
  const random = createRandom(19);
  const found = SAMPLES.map(() => 0);
  const times = SAMPLES.map(() => 0);
  let [proven, ms] = [0, 0];
  for (let i = 0; i < count; i++) {
    if (i % 10 === 0) progress(i / count, 'rods');
    const angle = random.range(-1, 1);
    const problem = rodPast(angle);
    const points = [angle - random.range(0.3, 2), angle + random.range(0.3, 2)].map((value, time) => ({
      time,
      positions: [value],
      velocities: [random.range(-0.5, 0.5)],
    }));
    const trajectory = { joints: ['hinge'], points };
    const proof = timed(() => certifyTrajectory(problem, trajectory));
    ms += proof.ms;
    if (proof.answer.verdict === 'violated') proven++;
    for (const [k, frames] of SAMPLES.entries()) {
      const samples = timed(() => sampleTrajectory(problem, trajectory, { frames: frames + 1 }));
      times[k] += samples.ms;
      if (samples.answer.frames.some((frame) => frame.clearance === 0)) found[k]++;
    }
  }
  const share = (part: number): string => `${part} of ${count}`;
  return {
    title: 'Rods that touch a speck on their way: how many are found (ms of processor time)',
    headings: ['', 'found', 'time of each'],
    rows: [
      ['certifyTrajectory', share(proven), milliseconds(ms / count)],
      ...SAMPLES.map((frames, k) => [`${frames} samples`, share(found[k]), milliseconds(times[k] / count)]),
    ],
  };
}

/** A thin rod that turns about z, and a speck at its end where it has turned by an angle. */
function rodPast(angle: number): MotionProblem {
  const [x, y] = [0.9999 * Math.cos(angle), 0.9999 * Math.sin(angle)];
  return {
    robots: [
      {
        type: 'chain',
        links: [{ name: 'root' }, { name: 'rod', mesh: boxOf(2, 2 * SPECK) }],
        joints: [{ name: 'hinge', type: 'revolute', parent: 'root', child: 'rod', axis: [0, 0, 1], limits: [-7, 7] }],
      },
    ],
    environment: [{ mesh: boxOf(2 * SPECK, 2 * SPECK), pose: [x, y, 0, 0, 0, 0, 1] }],
  };
}

/** A box of a length along x, and a width along both other axes. */
function boxOf(length: number, width: number): Mesh {
  const { positions, indices } = findModel('box').build({ width: 1, height: 1, depth: 1 });
  return { positions: positions.map((value, i) => value * (i % 3 === 0 ? length : width)), indices };
}

/** Processor time: other work on the machine does not count. */
function timed<T>(run: () => T): { readonly answer: T; readonly ms: number } {
  const start = process.cpuUsage();
  const answer = run();
  const { user, system } = process.cpuUsage(start);
  return { answer, ms: (user + system) / 1000 };
}
