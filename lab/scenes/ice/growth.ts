import type { Vec3 } from 'nearfield/core';
import { ICE_PRESETS } from 'nearfield/ice';
import { BACKEND_CONTROL } from '../../backend-control.js';
import { iceCode } from '../../code/ice.js';
import { defineScene } from '../../scene.js';
import type { Pen } from '../../viewer/view.js';
import type { IceViewInput, TimedStroke } from '../../worker/ice-tasks.js';

/** What was painted since the scene was opened; the control `painted` counts it, so that a stroke draws anew. */
let strokes: readonly TimedStroke[] = [];
/** The steps of what is on show: a stroke goes on while frames follow each other. */
let shownSteps = 0;
/** Frames that the worker may be ahead of the pointer. */
const FRAMES_AHEAD = 4;

type Tool = 'freeze' | 'melt' | 'cool' | 'wall' | 'view';

const TOOLS: Readonly<Record<Exclude<Tool, 'view'>, Omit<TimedStroke, 'center' | 'radius' | 'step'>>> = {
  freeze: { phase: 1 },
  melt: { phase: 0, temperature: 1.2 },
  cool: { temperature: -0.5 },
  wall: { obstacle: true },
};

const presets = ['dendritic', 'plate', 'isotropic'] as const;

export default defineScene({
  title: 'Ice that grows',
  chapter: 'Ice',
  rank: 1,
  flat: true,
  summary:
    'The phase field of Kobayashi (1993). Press Grow, and paint while it grows: ice, melt water, cold, and walls that ice cannot enter. Turn the number of arms and the strength of the anisotropy. The ice refracts the picture below it; drop a PNG to see your own.',
  picture: 'frame=100&steps=15&size=256&backend=cpu&view=0,0,0.75',
  opening: 'view=0,0,0.75',
  motion: { playing: 'play', frame: 'frame', speed: 'speed' },
  controls: {
    preset: {
      kind: 'choice',
      label: 'Kind of ice',
      options: [
        { value: 'dendritic', label: 'Dendritic' },
        { value: 'plate', label: 'Plate' },
        { value: 'isotropic', label: 'Isotropic' },
      ],
    },
    play: { kind: 'toggle', label: 'Grow', pressedLabel: 'Pause' },
    frame: { kind: 'slider', label: 'Frame', min: 0, max: 599, step: 1, initial: 60 },
    speed: { kind: 'slider', label: 'Frames per second', min: 1, max: 60, step: 1, initial: 30 },
    steps: { kind: 'slider', label: 'Steps per frame', min: 1, max: 200, step: 1, initial: 20 },
    tool: {
      kind: 'choice',
      label: 'The pointer',
      buttons: true,
      options: [
        { value: 'freeze', label: 'Freezes' },
        { value: 'melt', label: 'Melts' },
        { value: 'cool', label: 'Cools' },
        { value: 'wall', label: 'Builds walls' },
        { value: 'view', label: 'Moves the view' },
      ],
    },
    brush: { kind: 'slider', label: 'Brush', hint: 'radius in cells', min: 1, max: 40, step: 1, initial: 5 },
    shows: {
      kind: 'choice',
      label: 'Show',
      options: [
        { value: 'ice', label: 'Ice' },
        { value: 'phase', label: 'Phase' },
        { value: 'temperature', label: 'Temperature' },
      ],
    },
    background: { kind: 'file', label: 'Picture below…', accept: '.png' },
    fold: { kind: 'slider', label: 'Arms', hint: 'fold number j', min: 0, max: 12, step: 1, initial: 6 },
    delta: { kind: 'slider', label: 'Anisotropy', hint: 'δ', min: 0, max: 0.2, step: 0.005, initial: 0.04 },
    orientation: { kind: 'slider', label: 'Orientation', hint: 'degrees', min: 0, max: 180, step: 1, initial: 90 },
    latentHeat: {
      kind: 'slider',
      label: 'Latent heat',
      hint: 'K: more branches',
      min: 0.5,
      max: 2,
      step: 0.05,
      initial: 1.8,
    },
    noise: { kind: 'slider', label: 'Noise', min: 0, max: 0.1, step: 0.005, initial: 0.01 },
    seed: { kind: 'slider', label: 'Seed of the noise', min: 1, max: 100, step: 1, initial: 1 },
    boundary: {
      kind: 'choice',
      label: 'Sides',
      options: [
        { value: 'no-flux', label: 'Closed' },
        { value: 'fixed', label: 'Kept cold' },
        { value: 'periodic', label: 'Periodic' },
      ],
    },
    size: {
      kind: 'choice',
      label: 'Cells along a side',
      initial: '0',
      options: [
        { value: '0', label: 'By device' },
        { value: '128', label: '128' },
        { value: '256', label: '256' },
        { value: '512', label: '512' },
        { value: '1024', label: '1,024' },
      ],
    },
    backend: BACKEND_CONTROL,
    painted: { kind: 'slider', label: 'Strokes', min: 0, max: 1e6, step: 1, initial: 0, visible: () => false },
    clear: {
      kind: 'button',
      label: 'Take strokes back',
      press: ({ set }) => {
        strokes = [];
        set('painted' as never, 0 as never);
      },
    },
    savePicture: {
      kind: 'button',
      label: 'Save the picture (PNG)',
      press: async ({ values, run, save }) => save('ice.png', await run('savedIcePicture', questionOf(values))),
    },
    saveMesh: {
      kind: 'button',
      label: 'Save a mesh (GLB)',
      press: async ({ values, run, save }) => save('ice.glb', await run('savedIceMesh', questionOf(values))),
    },
  },
  follow(changed, values) {
    if (changed !== 'preset') return {};
    const { fold, delta, latentHeat, noise } = ICE_PRESETS[values.preset as (typeof presets)[number]].parameters;
    return { fold, delta, latentHeat, noise };
  },

  async code({ values, run }) {
    const question = questionOf(values);
    const { size, precision } = await run('growIce', question);
    return iceCode({ ...question, size, strokes, single: precision === 'float32' });
  },

  async draw({ values, view, figures, colors, run, set }) {
    const began = performance.now();
    const grown = await run('growIce', questionOf(values));
    const half = grown.side / 2;
    view.frame({ min: [-half, -half, 0], max: [half, half, 0] });
    if (grown.image !== null) view.addImage(grown.image);
    if (grown.picture !== null) {
      view.addPicture(grown.picture, { scale: 'sequential' });
      colors('Colors', {
        id: 'scale',
        label: values.shows === 'phase' ? 'Phase: 1 is ice' : 'Temperature; ice melts at 1',
        scale: 'sequential',
        low: grown.picture.low,
        high: grown.picture.high,
      });
    }
    if (values.tool !== 'view') {
      const radius = (values.brush * grown.side) / grown.size;
      shownSteps = values.frame * values.steps;
      const pen = brush(values.tool, radius, () => set('painted', strokes.length));
      view.addSheet([0, 0, 0], [0, 0, 1], pen);
    }
    const { work, milliseconds, extent } = grown;
    figures('Ice', [
      {
        id: 'solidFraction',
        lead: 'Of the dish is ice, as a fraction.',
        label: 'Solid fraction',
        value: grown.solidFraction,
      },
      { id: 'reach', label: 'From tip to tip', value: extent === null ? null : extent.max[0] - extent.min[0] },
      { id: 'time', label: 'Time', value: grown.time },
      { id: 'energy', label: 'Free energy', value: grown.freeEnergy },
      { id: 'heat', label: '∫(T − K p)', value: grown.heat },
      { id: 'strokes', label: 'Strokes', value: strokes.length },
    ]);
    figures('Speed', [
      { id: 'where', label: 'Computed on', value: grown.where },
      { id: 'size', label: 'Cells', value: `${grown.size} × ${grown.size}` },
      { id: 'precision', label: 'Precision', value: grown.precision === 'float32' ? 'single' : 'double' },
      { id: 'steps', label: 'Steps', value: grown.steps },
      {
        id: 'rate',
        label: 'Steps per second',
        value: work.steps === 0 ? null : Math.round((1000 * work.steps) / Math.max(milliseconds, 0.01)),
      },
      {
        id: 'computed',
        label: 'Tiles computed',
        value: work.tiles === 0 ? null : (100 * work.computedTiles) / work.tiles,
        unit: '%',
        decimals: 1,
      },
      {
        id: 'phase',
        label: 'of them at the interface',
        value: work.computedTiles === 0 ? null : (100 * work.phaseTiles) / work.computedTiles,
        unit: '%',
        decimals: 1,
      },
      { id: 'frame', label: 'Frame, but for rendering', value: performance.now() - began, unit: 'ms', decimals: 1 },
    ]);
  },
});

// biome-ignore lint/suspicious/noExplicitAny: the values of this scene's controls, as buttons and draw have them
function questionOf(values: any): IceViewInput {
  const { preset, fold, delta, orientation, latentHeat, noise, seed, boundary, backend, shows, background } = values;
  return {
    ...{ preset, fold, delta, orientation, latentHeat, noise, seed, boundary, backend, shows },
    size: Number(values.size),
    steps: values.frame * values.steps,
    strokes: JSON.stringify(strokes),
    late: values.play ? FRAMES_AHEAD * values.steps : 0,
    background: background?.bytes ?? null,
  };
}

/** Paints along the way of the pointer. */
function brush(tool: Exclude<Tool, 'view'>, radius: number, painted: () => void): Pen {
  const add = (from: Readonly<Vec3>, to: Readonly<Vec3>): void => {
    const step = shownSteps;
    // Strokes of later frames are of a future that no longer comes.
    strokes = [
      ...strokes.filter((stroke) => stroke.step <= step),
      { ...TOOLS[tool], center: [from[0], from[1]], to: [to[0], to[1]], radius, step },
    ];
    painted();
  };
  return {
    cursor: 'crosshair',
    press: (point) => {
      let last: Readonly<Vec3> = point;
      add(point, point);
      return {
        moved: (to) => {
          add(last, to);
          last = to;
        },
      };
    },
  };
}
