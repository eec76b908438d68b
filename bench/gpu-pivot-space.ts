// PIVOT in space on this machine's GPU, alone: prints one JSON document, the record that pages quote.
//   node dist/bench/gpu-pivot-space.js > bench/results/gpu-pivot-space.json
// The script contains the library; only the package `webgpu` must be resolvable from its folder. --software also accepts
// a software adapter, --quick runs only the coarsest error: not for publication.
import { SpacePivot } from 'nearfield/pivot';
import { requestTimedDevice } from './gpu-stopwatch.js';
import { recordOrigin } from './record-origin.js';
import { CYLINDER_SCENES, createCylinders } from './scenarios/cylinders.js';

/** Of the diagonal of a cylinder's box, as `PIVOT_DEFAULTS.spaceErrorShare`. */
const SHARES = [0.02, 0.01, 0.005, 0.0025];
const DIAGONAL = Math.hypot(0.6, 1, 0.6);
const FRAMES = 24;
/** A chip that rested runs at a lower clock at first. */
const WARM_UP_MS = 600;

try {
  const has = (word: string): boolean => process.argv.includes(word);
  const device = await requestTimedDevice(has('--software'));
  const rows = [];
  for (const scene of CYLINDER_SCENES) {
    const cylindersAt = createCylinders(scene, has('--quick') ? 1000 : 20_000);
    for (const share of has('--quick') ? SHARES.slice(0, 1) : SHARES) {
      const error = share * DIAGONAL;
      const gpu = new SpacePivot({ error, backend: 'webgpu', device });
      const cpu = new SpacePivot({ error, backend: 'cpu' });
      const times: { gpu: number[]; cpu: number[] } = { gpu: [], cpu: [] };
      let samples = 0;
      let depth = 0;
      const begin = performance.now();
      for (let frame = 0; times.gpu.length < (has('--quick') ? 2 : FRAMES); frame++) {
        const [a, b] = cylindersAt(frame / 60);
        const start = performance.now();
        const answer = await gpu.penetration(a, b);
        const end = performance.now();
        if (end - begin < WARM_UP_MS && !has('--quick')) continue;
        times.gpu.push(end - start);
        samples = answer.a.count + answer.b.count;
        depth = answer.depth;
      }
      for (let frame = 0; frame < (has('--quick') ? 1 : 9); frame++) {
        const [a, b] = cylindersAt(frame / 60);
        const start = performance.now();
        cpu.penetrationSync(a, b);
        if (frame > 1 || has('--quick')) times.cpu.push(performance.now() - start);
      }
      gpu.destroy();
      const median = (values: number[]): number => values.sort((p, q) => p - q)[values.length >> 1];
      const milliseconds = { gpu: median(times.gpu), cpu: median(times.cpu) };
      rows.push({ scene, share, error, samples, depth, milliseconds });
      process.stderr.write(
        `${scene} ${share}: ${samples} samples, GPU ${milliseconds.gpu.toFixed(2)} ms, CPU ${milliseconds.cpu.toFixed(1)} ms\n`,
      );
    }
  }
  const record = {
    ...recordOrigin(device.name),
    units:
      'milliseconds a frame, from positions to penetrating points of both cylinders in memory: gpu with that device, cpu on one core of the same machine',
    cylinders: rows,
  };
  process.stdout.write(`${JSON.stringify(record, null, 2)}\n`, () => process.exit(0));
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exit(1);
}
