// PFHub's benchmark problem 3a (Jokisaari et al. 2018): dendritic growth of a seed of radius 8 in a quarter of its plane, 960
// along each side, undercooled by 0.3, up to t = 1500.
import type { GpuDevice } from 'nearfield/gpu';
import { createIce, measureIce } from 'nearfield/ice';

const SIDE = 960;
const RADIUS = 8;

export interface PfhubOptions {
  readonly spacing: number;
  readonly end: number;
  /** Times at which figures are taken, besides the start. */
  readonly samples: number;
  readonly scheme?: 'explicit' | 'semi-implicit';
  readonly backend?: 'cpu' | 'webgpu';
  readonly device?: GpuDevice;
  readonly onProgress?: (fraction: number) => void;
}

/** The figures that the benchmark asks for, over time. */
export interface PfhubRun {
  readonly spacing: number;
  readonly timestep: number;
  readonly cells: number;
  readonly scheme: string;
  readonly backend: string;
  /** Of the steps alone. */
  readonly seconds: number;
  /** At the end. */
  readonly tip: number;
  readonly series: readonly {
    readonly time: number;
    readonly freeEnergy: number;
    readonly solidFraction: number;
    readonly tip: number;
  }[];
}

export async function runPfhub(options: PfhubOptions): Promise<PfhubRun> {
  const { spacing, end, samples, scheme = 'explicit', backend = 'cpu', device, onProgress } = options;
  const side = Math.round(SIDE / spacing);
  // The lower left corner is the center: cells begin half a spacing from it.
  const origin = [spacing / 2, spacing / 2];
  const wanted =
    scheme === 'explicit' ? Math.min(0.02 * spacing * spacing, 0.05) : Math.min(0.1 * spacing * spacing, 0.2);
  const perSample = Math.ceil(end / samples / wanted);
  const timestep = end / samples / perSample;
  const ice = await createIce({
    size: [side, side],
    spacing,
    origin,
    timestep,
    preset: 'pfhub-3a',
    scheme,
    seeds: [],
    backend,
    device,
  });
  const phase = new Float32Array(side * side);
  for (let j = 0, c = 0; j < side; j++) {
    for (let i = 0; i < side; i++, c++) {
      const distance = Math.hypot(origin[0] + i * spacing, origin[1] + j * spacing) - RADIUS;
      phase[c] = 0.5 * (1 - Math.tanh(distance / Math.SQRT2));
    }
  }
  ice.write({ phase });
  const series = [];
  let seconds = 0;
  for (let sample = 0; sample <= samples; sample++) {
    if (sample > 0) {
      const start = performance.now();
      await ice.advance(perSample);
      seconds += (performance.now() - start) / 1000;
    }
    const { freeEnergy, solidFraction, extent } = measureIce(await ice.read(), ice.parameters);
    series.push({ time: (sample * end) / samples, freeEnergy, solidFraction, tip: extent?.max[0] ?? 0 });
    onProgress?.(sample / samples);
  }
  ice.free();
  const tip = series[samples].tip;
  return { spacing, timestep, cells: side * side, scheme, backend, seconds, tip, series };
}
