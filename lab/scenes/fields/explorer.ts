import { box, type Vec3, vec3 } from 'nearfield/core';
import { type FieldMethod, frameBox, type GridFrame } from 'nearfield/field';
import type { Mesh } from 'nearfield/mesh';
import { fieldCode } from '../../code/fields.js';
import { chosenSource } from '../../code/view-code.js';
import type { Values } from '../../controls.js';
import { drawFieldSlice, gridAround, placeInGrid, sharesInGrid, sliceControls, slicePlane } from '../../field-view.js';
import { type Figure, formatNumber } from '../../figures.js';
import { followModel, loadModel, modelControls } from '../../model-choice.js';
import { roundStep } from '../../round-step.js';
import { defineScene } from '../../scene.js';
import type { FieldInput, FieldSummary } from '../../worker/field-tasks.js';

/** About this many isolines across the values of the field. */
const ISOLINES = 18;
/** A logarithmic scale of errors begins at this fraction of the largest. */
const MIN_ERROR = 1e-4;

const METHODS: Readonly<Record<string, { method: FieldMethod; order: 1 | 2; label: string }>> = {
  exact: { method: 'exact', order: 2, label: 'Exact' },
  'fast-marching-1': { method: 'fast-marching', order: 1, label: 'Fast marching, first order' },
  'fast-marching-2': { method: 'fast-marching', order: 2, label: 'Fast marching, second order' },
  'distance-transform': { method: 'distance-transform', order: 2, label: 'Distance transform' },
  'jump-flooding': { method: 'jump-flooding', order: 2, label: 'Jump flooding' },
};

const marching = ({ method }: Values): boolean => String(method).startsWith('fast-marching');
const showsError = ({ shows }: Values): boolean => shows === 'difference';

export default defineScene({
  title: 'Field explorer',
  chapter: 'Fields',
  rank: 1,
  summary:
    'The signed distance to a model at every node of a grid, by five methods. Move the slice and drag the probe over it. Read the cost of the field and its error against the exact one, and see where the error is.',
  picture: 'method=exact&arrows=yes&probe=0.5,0.05,0.05&view=58,14,1.25',
  controls: {
    ...modelControls('bunny'),
    method: {
      kind: 'choice',
      label: 'Method',
      initial: 'fast-marching-2',
      options: Object.entries(METHODS).map(([value, { label }]) => ({ value, label })),
    },
    band: {
      kind: 'choice',
      label: 'Initial band',
      hint: 'what the march starts from: exact distances near the surface, or in the boxes of triangles (Fisher and Lin 2001)',
      options: [
        { value: 'exact', label: 'Exact' },
        { value: 'triangle-boxes', label: 'Triangle boxes' },
      ],
      visible: marching,
    },
    bandWidth: {
      kind: 'slider',
      label: 'Band width',
      hint: 'on either side, in spacings',
      min: 1,
      max: 6,
      step: 0.5,
      initial: 2,
      visible: (values) => marching(values) && values.band === 'exact',
    },
    gpu: {
      kind: 'checkbox',
      label: 'On the GPU',
      hint: 'in single precision, if the browser has WebGPU',
      initial: false,
      visible: ({ method }) => method === 'exact' || method === 'jump-flooding',
    },
    resolution: {
      kind: 'slider',
      label: 'Resolution',
      hint: 'nodes along the longest side',
      min: 16,
      max: 128,
      step: 8,
      initial: 48,
    },
    sides: {
      kind: 'choice',
      label: 'Sides',
      options: [
        { value: 'both', label: 'Both' },
        { value: 'inside', label: 'Inside' },
        { value: 'outside', label: 'Outside' },
      ],
    },
    room: {
      kind: 'slider',
      label: 'Room',
      hint: 'around the model, as a fraction of its longest side',
      min: 0.02,
      max: 0.5,
      step: 0.01,
      initial: 0.2,
    },
    axis: { ...sliceControls.axis, initial: 'x' },
    at: { ...sliceControls.at, initial: 0.6 },
    shows: {
      kind: 'choice',
      label: 'Slice shows',
      options: [
        { value: 'distance', label: 'Distance' },
        { value: 'difference', label: 'Error against exact' },
      ],
    },
    errorScale: {
      kind: 'choice',
      label: 'Scale of errors',
      options: [
        { value: 'linear', label: 'Even' },
        { value: 'logarithmic', label: 'Ratios' },
      ],
      visible: showsError,
    },
    isolines: { kind: 'checkbox', label: 'Isolines', initial: true },
    arrows: { kind: 'checkbox', label: 'Gradient arrows', initial: false },
    body: { kind: 'checkbox', label: 'The model, cut open at the slice', initial: true },
    surface: { kind: 'checkbox', label: 'Isosurface', initial: false },
    offset: {
      kind: 'slider',
      label: 'Isosurface at',
      hint: 'a distance, as a fraction of the model’s longest side; negative inside',
      min: -0.2,
      max: 0.4,
      step: 0.005,
      initial: 0.08,
      visible: ({ surface }) => surface === true,
    },
    probe: {
      kind: 'point',
      label: 'Probe',
      hint: 'Or drag the round handle, which stays on the slice.',
      initial: [0.5, 0.62, 0.25],
    },
  },
  follow: followModel,

  async code({ values, run }) {
    const mesh = await loadModel(values, run);
    const bounds = box.ofPositions(mesh.positions);
    const { method, order, band, bandWidth, sides, resolution, room } = fieldInput(mesh, values);
    const marched = { order, band, ...(band === 'exact' && { bandWidth }) };
    return fieldCode(chosenSource(values), {
      box: box.grow(bounds, room * Math.max(...box.size(bounds))),
      resolution,
      probe: probePlace(gridAround(bounds, resolution, room), values),
      options: { method, sides, ...(method === 'fast-marching' && marched) },
    });
  },

  async draw({ values, view, figures, colors, run, set }) {
    const mesh = await loadModel(values, run);
    const input = fieldInput(mesh, values);
    const bounds = box.ofPositions(mesh.positions);
    const frame = gridAround(bounds, input.resolution, input.room);
    const axis = 'xyz'.indexOf(values.axis) as 0 | 1 | 2;
    const cut = slicePlane(frame, axis, values.at);
    view.frame(frameBox(frame));
    if (values.body) view.addMesh(mesh, { shading: 'smooth', cut });

    const summary = await run('makeField', input);
    const { againstExact } = summary;
    const [low, high] = [Math.min(0, summary.low), Math.max(0, summary.high)];
    const byError = values.shows === 'difference';
    const logarithmic = values.errorScale === 'logarithmic';
    const most = againstExact.max;
    const step = roundStep((high - low) / ISOLINES);
    const wanted = { axis, share: values.at, shows: values.shows, sides: values.sides, low, high, step };
    const slice = await run('showFieldSlice', {
      ...input,
      slice: JSON.stringify({ ...wanted, most, least: logarithmic ? MIN_ERROR * most : null }),
    });
    const { isolines, arrows, sides } = values;
    drawFieldSlice(view, slice, { isolines, arrows, sides, scale: byError ? 'sequential' : 'diverging' });
    colors(byError ? 'Error on the slice' : 'Distance on the slice', {
      id: 'scale',
      label: byError ? 'Distance from the exact value' : 'Signed distance',
      scale: byError ? 'sequential' : 'diverging',
      low: byError ? (logarithmic ? MIN_ERROR * most : 0) : low,
      high: byError ? most : high,
      unit: 'm',
      logarithmic: byError && logarithmic,
      ...noteOf(summary.closed, byError && most === 0),
    });

    const place = probePlace(frame, values);
    const probed = await run('probeField', { ...input, x: place[0], y: place[1], z: place[2] });
    if (probed.closest !== null) {
      const { point } = probed.closest;
      view.addLines(Float64Array.of(...place, ...point), { color: 'probe', width: 2.5, onTop: true });
      view.addPoints(Float64Array.from(point), {
        color: 'probe',
        size: 8,
        onTop: true,
        name: 'Probe and nearest point',
      });
    }
    view.addLabel(place, Number.isFinite(probed.value) ? formatNumber(probed.value, 4) : 'not computed');
    view.addHandle(place, (moved) => set('probe', sharesInGrid(frame, moved)), cut.normal);
    figures('Probe', [
      {
        id: 'value',
        lead: 'The distance from the probe to the surface, as the field has it; negative inside.',
        label: 'The field says',
        value: finite(probed.value),
        unit: 'm',
      },
      { id: 'distance', label: 'The distance is', value: finite(probed.distance), unit: 'm' },
      { id: 'gradient', label: 'Gradient', value: finiteVector(probed.gradient) },
      { id: 'gradientLength', label: 'Its length', value: finite(vec3.length(probed.gradient)) },
      { id: 'place', label: 'Probe', value: place },
      { id: 'nearest', label: 'Nearest point', value: probed.closest?.point ?? null },
    ]);
    fieldFigures(summary, step).forEach(([group, list]) => {
      figures(group, list);
    });

    if (values.surface) {
      const offset = values.offset * Math.max(...box.size(bounds));
      const surface = await run('showIsosurface', { ...input, offset });
      if (surface.indices.length > 0) {
        const name = `Isosurface at ${formatNumber(offset, 3)} m`;
        view.addMesh(surface, { color: 'ghost', shading: 'smooth', opacity: 0.4, cut, name });
      }
      figures('Isosurface', [
        { id: 'offset', label: 'Distance', value: offset, unit: 'm' },
        { id: 'isosurfaceTriangles', label: 'Triangles', value: surface.indices.length / 3 },
      ]);
    }
  },
});

/** The probe, on the slice. */
function probePlace(frame: GridFrame, values: { probe: Readonly<Vec3>; axis: string; at: number }): Vec3 {
  const axis = 'xyz'.indexOf(values.axis);
  return placeInGrid(frame, values.probe.map((share, k) => (k === axis ? values.at : share)) as Vec3);
}

const OPEN_SENTENCE =
  'The model is open or not consistently oriented, so it bounds no solid. The sign comes from the generalized winding number, which also changes across the holes.';

function noteOf(closed: boolean, same: boolean): { note?: string } {
  if (!closed) return { note: OPEN_SENTENCE };
  return same ? { note: 'No node differs from the exact field.' } : {};
}

type ExplorerValues = Pick<FieldInput, 'band' | 'bandWidth' | 'sides' | 'gpu' | 'resolution' | 'room'> & {
  method: string;
};

function fieldInput(mesh: Mesh, { method, band, bandWidth, sides, gpu, resolution, room }: ExplorerValues): FieldInput {
  const { method: by, order } = METHODS[method];
  return { mesh, method: by, order, band, bandWidth, sides, gpu, resolution, room };
}

function fieldFigures(summary: FieldSummary, step: number): [group: string, figures: Figure[]][] {
  const { frame, nodes, backend, closed, error, counters, milliseconds, low, high, againstExact } = summary;
  const { min, max } = frameBox(frame);
  return [
    [
      'Error',
      [
        { id: 'maxError', label: 'Largest, against exact', value: finite(againstExact.max), unit: 'm' },
        { id: 'meanError', label: 'Mean, against exact', value: finite(againstExact.mean), unit: 'm' },
        { id: 'maxInSpacings', label: 'Largest, in spacings', value: finite(againstExact.max / frame.spacing) },
        { id: 'compared', label: 'Nodes compared', value: againstExact.nodes },
        { id: 'statedKind', label: 'The field states a', value: STATED[error.kind] },
        { id: 'statedMax', label: 'of', value: finite(error.max), unit: 'm' },
        { id: 'statedMean', label: 'Mean of the sample', value: error.mean, unit: 'm' },
        { id: 'statedSamples', label: 'Nodes in the sample', value: error.samples },
      ],
    ],
    [
      'Field',
      [
        {
          id: 'milliseconds',
          label: error.kind === 'sampled' ? 'Time, with the sample' : 'Time',
          value: milliseconds,
          unit: 'ms',
          decimals: 1,
        },
        { id: 'rate', label: 'Nodes per second', value: Math.round((1000 * nodes) / milliseconds) },
        { id: 'backend', label: 'On', value: backend === 'webgpu' ? 'GPU' : 'CPU' },
        { id: 'closed', label: 'Closed', value: closed, tone: closed ? 'good' : 'bad' },
        { id: 'low', label: 'Deepest node', value: finite(low), unit: 'm' },
        { id: 'high', label: 'Farthest node', value: finite(high), unit: 'm' },
        { id: 'step', label: 'From isoline to isoline', value: step, unit: 'm' },
      ],
    ],
    [
      'Grid',
      [
        { id: 'size', label: 'Nodes along x, y, z', value: frame.size.join(' × ') },
        { id: 'nodes', label: 'Nodes', value: nodes },
        { id: 'spacing', label: 'Spacing', value: frame.spacing, unit: 'm' },
        { id: 'boxMin', label: 'Box from', value: min },
        { id: 'boxMax', label: 'to', value: max },
      ],
    ],
    [
      'Counters',
      [
        { id: 'bandNodes', label: 'Nodes of the first band', value: counters.bandNodes },
        { id: 'triangleDistances', label: 'Point-triangle distances', value: counters.triangleDistances },
        { id: 'nodesVisited', label: 'Nodes of the hierarchy visited', value: counters.nodesVisited },
        { id: 'marched', label: 'Nodes marched', value: counters.marched },
        { id: 'updates', label: 'Local solutions', value: counters.updates },
        { id: 'secondOrderUpdates', label: 'of them second order', value: counters.secondOrderUpdates },
      ],
    ],
  ];
}

const STATED = { bound: 'bound', sampled: 'sampled error', unknown: 'unknown error' } as const;

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function finiteVector(vector: Readonly<Vec3>): Readonly<Vec3> | null {
  return vector.every(Number.isFinite) ? vector : null;
}
