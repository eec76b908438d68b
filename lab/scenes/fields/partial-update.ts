import { box, type Vec3 } from 'nearfield/core';
import { frameBox, type RecomputeReason } from 'nearfield/field';
import type { Mesh } from 'nearfield/mesh';
import { updateCode } from '../../code/fields.js';
import { modelSource, savedSource } from '../../code/view-code.js';
import { drawFieldSlice, gridAround, placeInGrid, sharesInGrid, sliceControls, slicePlane } from '../../field-view.js';
import { defineScene } from '../../scene.js';
import { type BoxChoice, type BumpInput, updateOptions } from '../../worker/bump-field.js';

/** Room around the surface for the bump, as a share of the longest side. */
const ROOM = 0.2;
const ISOLINES = 18;

/** The three models of Fisher and Lin 2001, finer where a bump would show their triangles. */
const MODELS = {
  sphere: { model: 'sphere', segments: 54, rings: 38 },
  torus: { model: 'torus' },
  apple: { model: 'apple', segments: 48, rings: 36 },
} as const;

export default defineScene({
  title: 'Partial update',
  chapter: 'Fields',
  rank: 2,
  summary:
    'Drag the round handle: it pulls a bump out of the surface or presses a dent into it. The field is recomputed only inside boxes around what moved, if it agrees with the old field at their borders (Fisher and Lin 2001, section 4.4); otherwise all of it is recomputed.',
  picture: 'view=30,20,1.3',
  controls: {
    model: {
      kind: 'choice',
      label: 'Model',
      options: [
        { value: 'sphere', label: 'Sphere' },
        { value: 'torus', label: 'Torus' },
        { value: 'apple', label: 'Apple' },
      ],
    },
    hand: { kind: 'point', label: 'Hand', hint: 'Or drag the round handle in the view.', initial: [0.87, 0.8, 0.5] },
    width: {
      kind: 'slider',
      label: 'Width of the bump',
      hint: 'how far the pull reaches, as a fraction of the model’s longest side',
      min: 0.1,
      max: 0.5,
      step: 0.01,
      initial: 0.28,
    },
    sides: {
      kind: 'choice',
      label: 'Sides',
      options: [
        { value: 'inside', label: 'Inside' },
        { value: 'both', label: 'Both' },
      ],
    },
    resolution: {
      kind: 'slider',
      label: 'Resolution',
      hint: 'nodes along the longest side',
      min: 16,
      max: 96,
      step: 4,
      initial: 60,
    },
    boxes: {
      kind: 'choice',
      label: 'Boxes',
      hint: 'around all nodes that can change; around what moved; half of that',
      options: [
        { value: 'found', label: 'Found' },
        { value: 'tight', label: 'Tight' },
        { value: 'small', label: 'Too small' },
      ],
    },
    border: {
      kind: 'choice',
      label: 'Known at their borders',
      hint: 'old values around a box march in, or, as in Fisher and Lin 2001, only the surface inside it counts',
      options: [
        { value: 'old-values', label: 'Old values' },
        { value: 'nothing', label: 'Nothing' },
      ],
    },
    axis: sliceControls.axis,
    follows: { kind: 'checkbox', label: 'Slice through the hand', initial: true },
    at: { ...sliceControls.at, visible: ({ follows }) => follows !== true },
    shows: {
      kind: 'choice',
      label: 'Slice shows',
      options: [
        { value: 'distance', label: 'Distance' },
        { value: 'difference', label: 'Difference from a full field' },
      ],
    },
    isolines: { kind: 'checkbox', label: 'Isolines', initial: true },
  },

  async code({ values, run }) {
    const { model, ...parameters } = MODELS[values.model];
    const base = await run('buildModel', MODELS[values.model]);
    const bounds = box.ofPositions(base.positions);
    const side = Math.max(...box.size(bounds));
    const frame = gridAround(bounds, values.resolution, ROOM);
    const { mesh: moved } = await run('moveBump', questionOf(base, values));
    return updateCode(modelSource(model, parameters), savedSource('moved', moved), {
      box: box.grow(bounds, ROOM * side),
      resolution: values.resolution,
      sides: values.sides,
      options: updateOptions(values, base, moved, frame.spacing),
    });
  },

  async draw({ values, view, figures, colors, run, set }) {
    const base = await run('buildModel', MODELS[values.model]);
    const bounds = box.ofPositions(base.positions);
    const frame = gridAround(bounds, values.resolution, ROOM);
    const question = questionOf(base, values);
    const { axis, share: at } = question;
    const cut = slicePlane(frame, axis, at);
    const hand = placeInGrid(frame, values.hand);
    view.frame(frameBox(frame));
    view.addHandle(hand, (moved) => set('hand', sharesInGrid(frame, moved)));

    const shown = await run('moveBump', question);
    const { update, difference, slice } = shown;
    const [low, high] = [Math.min(0, shown.low), Math.max(0, shown.high)];
    view.addMesh(shown.mesh, { shading: 'smooth', cut });
    const differs = values.shows === 'difference';
    const scale = differs ? 'sequential' : 'diverging';
    const { isolines, sides } = values;
    drawFieldSlice(view, slice, { isolines, arrows: false, scale, sides });
    const partly = update.status === 'joined' || update.status === 'blended';
    if (partly) {
      const outlines = Float64Array.from(shown.boxes.flatMap(boxEdges));
      view.addLines(outlines, { color: 'boundary', width: 2, name: 'Computed anew' });
    }
    colors(differs ? 'Difference on the slice' : 'Distance on the slice', {
      id: 'scale',
      label: differs ? 'Difference from a full field' : 'Signed distance',
      scale,
      low: differs ? 0 : low,
      high: differs ? difference.max : high,
      unit: 'm',
      ...(differs && difference.max === 0 && { note: 'No node differs from the full field.' }),
    });
    const { milliseconds, fullMilliseconds } = shown;
    figures('Update', [
      { id: 'status', label: 'Status', value: update.status, tone: partly ? 'good' : 'bad' },
      ...(update.reason === null || update.reason === undefined
        ? []
        : [{ id: 'reason', label: 'Because', value: REASONS[update.reason] }]),
      { id: 'updated', label: 'Nodes recomputed', value: update.nodes },
      { id: 'nodes', label: 'of', value: shown.nodes },
      { id: 'spread', label: 'Changed beyond the boxes', value: update.spread },
      { id: 'boxes', label: 'Boxes', value: update.boxes.length },
      { id: 'hand', label: 'Hand', value: hand },
      { id: 'discontinuity', label: 'Discontinuity at borders', value: update.discontinuity, unit: 'm' },
    ]);
    figures('Against a full field', [
      { id: 'milliseconds', label: 'The update took', value: milliseconds, unit: 'ms', decimals: 1 },
      { id: 'fullMilliseconds', label: 'A full field takes', value: fullMilliseconds, unit: 'ms', decimals: 1 },
      {
        id: 'faster',
        lead: 'Times faster than computing the whole field again.',
        label: 'Times faster',
        value: fullMilliseconds / milliseconds,
        decimals: 2,
      },
      { id: 'maxDifference', label: 'Largest difference', value: difference.max, unit: 'm' },
      { id: 'meanDifference', label: 'Mean difference', value: difference.mean, unit: 'm' },
      { id: 'inSpacings', label: 'Largest, in spacings', value: difference.max / shown.spacing },
    ]);
    const { counters } = update;
    figures('Counters', [
      { id: 'bandNodes', label: 'Nodes of the first band', value: counters.bandNodes },
      { id: 'triangleDistances', label: 'Point-triangle distances', value: counters.triangleDistances },
      { id: 'marched', label: 'Nodes marched', value: counters.marched },
      { id: 'updates', label: 'Local solutions', value: counters.updates },
    ]);
  },
});

interface BumpValues {
  readonly hand: Readonly<Vec3>;
  readonly width: number;
  readonly sides: 'inside' | 'both';
  readonly resolution: number;
  readonly boxes: BoxChoice;
  readonly border: 'old-values' | 'nothing';
  readonly axis: string;
  readonly follows: boolean;
  readonly at: number;
  readonly shows: BumpInput['shows'];
}

function questionOf(base: Mesh, values: BumpValues): BumpInput {
  const { width, sides, resolution, boxes, border, follows, at, shows } = values;
  const bounds = box.ofPositions(base.positions);
  const axis = 'xyz'.indexOf(values.axis) as 0 | 1 | 2;
  return {
    ...{ base, sides, resolution, room: ROOM, boxes, border, axis, shows, isolines: ISOLINES },
    hand: placeInGrid(gridAround(bounds, resolution, ROOM), values.hand).join(' '),
    radius: width * Math.max(...box.size(bounds)),
    share: follows ? values.hand[axis] : at,
  };
}

/** Why the whole field was recomputed. */
const REASONS: Readonly<Record<RecomputeReason, string>> = {
  connectivity: 'the triangles changed',
  speed: 'second order with varying speed needs a full field',
  open: 'the surface is open',
  'leaves-grid': 'the surface leaves the grid',
  'moved-outside': 'something moved outside the boxes',
  discontinuous: 'old and new values do not match',
  accumulated: 'differences added up',
  'most-nodes': 'the boxes contain most nodes',
  incomplete: 'the last update was stopped halfway',
};

/** The twelve edges of a box, six numbers each. */
function boxEdges({ min, max }: { readonly min: Readonly<Vec3>; readonly max: Readonly<Vec3> }): number[] {
  const corner = (bits: number): number[] => [0, 1, 2].map((k) => ((bits >> k) & 1 ? max[k] : min[k]));
  const edges: number[] = [];
  for (let bits = 0; bits < 8; bits++) {
    for (let k = 0; k < 3; k++) if (((bits >> k) & 1) === 0) edges.push(...corner(bits), ...corner(bits | (1 << k)));
  }
  return edges;
}
