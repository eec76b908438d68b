import { type Pose, pose } from 'nearfield/core';
import { planningSamples, SAMPLERS, type SamplerName } from 'nearfield/planning';
import { roadmapCode } from '../../code/planning.js';
import { PATH_STATUS, pathColors } from '../../path-colors.js';
import { defineScene } from '../../scene.js';

/** Problems of one rigid or planar robot. */
const CHOSEN = ['maze', 'furniture', 'corridor', 'bug-trap', 'hole', 'bent-pipe', 'nails', 'open-space'];
const LABELS: Readonly<Record<SamplerName, string>> = {
  voronoi: 'Voronoi',
  uniform: 'Uniform',
  gaussian: 'Gaussian',
  bridge: 'Bridge',
};

export default defineScene({
  title: 'Roadmaps and samplers',
  chapter: 'Planning',
  rank: 3,
  summary:
    'Configurations joined by proven edges, sampled near the Voronoi diagram (Pisula et al. 2000), uniformly, along obstacles or by bridges. Narrow places, where the robot cannot turn freely, decide: compare how many samples lie there.',
  picture: 'sample=maze&samples=300&view=30,60,1.2',
  motion: { playing: 'play', frame: 'frame', speed: 'speed' },
  controls: {
    sample: {
      kind: 'choice',
      label: 'Problem',
      options: CHOSEN.map((name) => {
        return { value: name, label: planningSamples.find((sample) => sample.name === name)?.title ?? name };
      }),
    },
    sampler: {
      kind: 'choice',
      label: 'Sampler',
      initial: 'voronoi',
      options: SAMPLERS.map((name) => ({ value: name as string, label: LABELS[name] })),
    },
    samples: { kind: 'slider', label: 'Samples', min: 0, max: 2000, step: 50, initial: 200 },
    seed: { kind: 'slider', label: 'Seed', min: 1, max: 100, step: 1, initial: 1 },
    timeLimit: { kind: 'slider', label: 'Time limit, s', min: 1, max: 60, step: 1, initial: 10 },
    play: { kind: 'toggle', label: 'Play', pressedLabel: 'Pause' },
    frame: { kind: 'slider', label: 'Along the path', min: 0, max: 120, step: 1, initial: 40 },
    speed: { kind: 'slider', label: 'Speed', hint: 'frames per second', min: 1, max: 120, step: 1, initial: 30 },
    edges: { kind: 'checkbox', label: 'Edges', initial: true },
  },

  code: ({ values: { sample, sampler, samples, seed, timeLimit } }) =>
    roadmapCode({ sample, sampler, samples, seed, timeLimit }),

  async draw({ values, view, figures, run }) {
    const { sample, samples, seed, timeLimit, frame } = values;
    const opened = await run('openPlan', { sample, parameters: '{}' });
    view.frame(opened.box);
    const sampler = values.sampler as SamplerName;
    const shown = await run('buildRoadmap', { sample, sampler, samples, seed, timeLimit });
    for (const { mesh, place } of opened.obstacles) view.addMesh(mesh, { pose: place, opacity: 0.3 });
    if (values.edges) view.addLines(shown.edges, { color: 'contour', width: 1 });
    view.addPoints(shown.wide, { color: 'original', size: 6, onTop: true, name: 'Wide: it may turn freely' });
    view.addPoints(shown.narrow, { color: 'free', size: 6, onTop: true, name: 'Narrow' });
    const { result, frames, clearances } = shown;
    const isSolved = result.status === 'solved';
    const [{ mesh, center }] = opened.links;
    if (isSolved) {
      const at = frames[Math.min(frame, frames.length - 1)];
      view.addMesh(mesh, { pose: [...at] as Pose, color: 'second', name: 'Robot' });
      const points = frames.map((placed) => pose.transformPoint(placed, center));
      const segments = points.slice(1).flatMap((point, k) => [...points[k], ...point]);
      const most = clearances.reduce((a, b) => (b < Infinity ? Math.max(a, b) : a), 0);
      view.addLines(segments, { endColors: pathColors(clearances, most), width: 5, onTop: true });
    }
    const narrow = shown.narrow.length / 3;
    figures('Roadmap', [
      { id: 'nodes', label: 'Nodes', value: shown.nodes },
      { id: 'narrow', label: 'In narrow places', value: narrow },
      { id: 'edges', label: 'Proven edges', value: shown.edges.length / 6 },
      { id: 'components', label: 'Components', value: shown.components },
      { id: 'samples', label: 'Samples in all', value: shown.samples },
      { id: 'buildMs', label: 'Time to build', value: shown.buildMs, unit: 'ms', decimals: 0 },
    ]);
    figures('Query', [
      { id: 'status', label: 'Path', value: PATH_STATUS[result.status], tone: isSolved ? 'good' : 'bad' },
      { id: 'milliseconds', label: 'Time', value: result.milliseconds, unit: 'ms', decimals: 0 },
      {
        id: 'least',
        lead: 'From everything, all along the path through the roadmap: proven.',
        label: 'Clearance, at least',
        value: result.clearance?.lower ?? null,
        unit: 'm',
      },
      { id: 'length', label: 'Length', value: isSolved ? result.length : null, unit: 'm' },
      { id: 'edges', label: 'Edges tested', value: result.counters.edgesTested },
    ]);
  },
});
