// What a proven edge costs beside sampling at a thousandth of the space, with the same queries and their coherence, on edges
// of all lengths, free and blocked, near and far.
import { createRandom } from '../../src/core/random.js';
import { planningSample } from '../../src/planning/index.js';
import { buildScene } from '../../src/planning/problem/build-scene.js';

const RESOLUTION = 1e-3;

/** Milliseconds of the processor, so that other work on the machine does not count. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** One scene's figures: milliseconds of the processor for an edge. */
export interface EdgeCost {
  readonly scene: string;
  readonly edges: number;
  readonly free: number;
  readonly proven: number;
  readonly sampled: number;
  /** Samples an edge, and edges that samples take for free where the proof finds contact. */
  readonly samples: number;
  readonly missed: number;
}

export function measureEdges(name: string, parameters: Readonly<Record<string, number>>, count: number): EdgeCost {
  const { scene } = buildScene(planningSample(name, parameters), 0);
  const random = createRandom(5);
  const sample = (out: Float64Array): void => {
    for (const robot of scene.robots) robot.sample(random, out);
  };
  const [p, q] = [new Float64Array(scene.size), new Float64Array(scene.size)];
  let extent = 0;
  for (let i = 0; i < 200; i++) {
    sample(p);
    sample(q);
    extent = Math.max(extent, scene.separation(p, q));
  }
  const edges: (readonly [Float64Array, Float64Array])[] = [];
  while (edges.length < count) {
    sample(p);
    if (!scene.isFree(p)) continue;
    sample(q);
    const from = p.slice();
    if (edges.length % 2 === 1) {
      // From near contact.
      const share = scene.advance(p, q);
      if (share === 1 || share === 0) continue;
      scene.interpolate(p, q, 0.98 * share, from);
      sample(q);
    }
    const to = q.slice();
    // Lengths from a hundredth of the way to all of it.
    scene.interpolate(from, q, 10 ** random.range(-2, 0), to);
    edges.push([from, to]);
  }
  const isProven = ([a, b]: (typeof edges)[number]): boolean => scene.proves(a, b);
  let samples = 0;
  const isSampled = ([a, b]: (typeof edges)[number]): boolean => {
    const steps = Math.ceil(scene.separation(a, b) / (RESOLUTION * extent));
    for (let k = 1; k <= steps; k++) {
      samples++;
      scene.interpolate(a, b, k / steps, q);
      if (!scene.isFree(q)) return false;
    }
    return true;
  };
  const times = { proven: Infinity, sampled: Infinity };
  let [free, missed] = [0, 0];
  for (let round = 0; round < 5; round++) {
    samples = 0;
    let start = processorTime();
    const proven = edges.map(isProven);
    times.proven = Math.min(times.proven, processorTime() - start);
    start = processorTime();
    const sampled = edges.map(isSampled);
    times.sampled = Math.min(times.sampled, processorTime() - start);
    free = proven.filter(Boolean).length;
    missed = sampled.filter((is, i) => is && !proven[i]).length;
  }
  return {
    scene: name,
    edges: count,
    free,
    proven: times.proven / count,
    sampled: times.sampled / count,
    samples: samples / count,
    missed,
  };
}
