import { type Box, box, NearfieldError, type ReadonlyVec3, type Vec3 } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import { inspectCode } from '../../code/shapes.js';
import { fileSource, savedSource } from '../../code/view-code.js';
import type { OpenedFile } from '../../controls.js';
import { type Figure, formatNumber } from '../../figures.js';
import { MODEL_FILES } from '../../model-files.js';
import { reportFigures } from '../../report-figures.js';
import { roundStep } from '../../round-step.js';
import { faultyModels } from '../../samples/faulty-models.js';
import { defineScene, type Stage } from '../../scene.js';
import type { CutPlane } from '../../viewer/view.js';

/** The probe moves in the model's box grown by this share of its diagonal. */
const PROBE_MARGIN = 0.15;

export default defineScene({
  title: 'Inspect a file',
  chapter: 'Meshes',
  rank: 1,
  summary:
    'Drop a model, such as OBJ, STL, 3MF, GLB or STEP, on this page, or choose a sample. See its defects, and which points are inside.',
  picture: 'view=35,22,1.5',
  controls: {
    file: { kind: 'file', label: 'Open a file…', accept: MODEL_FILES },
    sample: {
      kind: 'choice',
      label: 'Sample',
      options: [
        ...faultyModels.map(({ name, title }) => ({ value: name as string, label: title })),
        { value: 'none', label: 'None: the file above' },
      ],
    },
    repair: { kind: 'toggle', label: 'Repair', pressedLabel: 'Repaired: show the original' },
    fill: { kind: 'checkbox', label: 'Fill holes when repairing', initial: true },
    solid: {
      kind: 'button',
      label: 'Make a solid from it',
      press: ({ values, open }) =>
        open('fields/solidify', values.file === null ? `sample=${values.sample}` : '', values.file),
    },
    shading: {
      kind: 'choice',
      label: 'Shading',
      options: [
        { value: 'flat', label: 'Flat' },
        { value: 'smooth', label: 'Smooth' },
        { value: 'wireframe', label: 'Edges' },
      ],
    },
    slice: {
      kind: 'choice',
      label: 'Slice',
      initial: 'z',
      options: ['off', 'x', 'y', 'z'].map((value) => ({ value, label: value === 'off' ? 'Off' : value.toUpperCase() })),
    },
    at: { kind: 'slider', label: 'Slice at', min: 0, max: 1, step: 0.01, initial: 0.5 },
    shows: {
      kind: 'choice',
      label: 'Slice shows',
      options: [
        { value: 'distance', label: 'Distance' },
        { value: 'winding', label: 'Winding' },
        { value: 'inside', label: 'Inside' },
      ],
    },
    samples: {
      kind: 'slider',
      label: 'Samples',
      hint: 'along the longer side',
      min: 32,
      max: 256,
      step: 32,
      initial: 128,
    },
    cut: { kind: 'checkbox', label: 'Cut the model open at the slice', initial: true },
    probe: { kind: 'point', label: 'Probe', hint: 'Or drag the round handle in the view.', initial: [0.36, 0.42, 0.5] },
    format: {
      kind: 'choice',
      label: 'Save as',
      options: ['glb', 'obj', 'stl', 'ply'].map((value) => ({ value, label: value.toUpperCase() })),
    },
    save: {
      kind: 'button',
      label: 'Save what is shown',
      async press({ values, run, save }) {
        const { mesh, name } = await load(values, run);
        save(`${name}.${values.format}`, await run('writeFile', { mesh, format: values.format }));
      },
    },
  },

  follow(changed, { sample, slice, probe }) {
    if (changed === 'file') return { sample: 'none' };
    // The probe is on the slice: moved off it by its slider, it takes the slice along.
    if (changed === 'probe' && slice !== 'off') return { at: Number(probe['xyz'.indexOf(slice)].toFixed(2)) };
    if (changed !== 'sample') return {};
    return { file: null, slice: faultyModels.find(({ name }) => name === sample)?.slice ?? 'z' };
  },

  async code({ values, run }) {
    const { file, sample, repair, fill } = values;
    const { mesh } = await load(values, run);
    const { probe } = probeOf(mesh, values);
    const source =
      file === null ? savedSource(sample, await run('buildFaultyModel', { sample })) : fileSource(file.name);
    return inspectCode(source, { probe, repair, fillHoles: fill });
  },

  async draw({ values, view, figures, run, set, tellUnit }) {
    const { mesh, source, repaired, unit } = await load(values, run);
    tellUnit(unit);
    const bounds = box.ofPositions(mesh.positions);
    const axis = 'xyz'.indexOf(values.slice);
    const cut = axis >= 0 && values.cut ? cutAt(bounds, axis, values.at) : null;
    view.frame(bounds);
    view.addMesh(mesh, { shading: values.shading, cut });

    const { probe, room, plane } = probeOf(mesh, values);
    const { windingNumber, inside, signedDistance, closest } = await run('probe', {
      mesh,
      x: probe[0],
      y: probe[1],
      z: probe[2],
    });
    if (closest !== null) {
      view.addLines(Float64Array.of(...probe, ...closest.point), { color: 'probe', width: 2.5, onTop: true });
      view.addPoints(Float64Array.from(closest.point), {
        color: 'probe',
        size: 8,
        onTop: true,
        name: 'Probe and closest point',
      });
    }
    view.addLabel(probe, formatNumber(signedDistance));
    view.addHandle(probe, (moved) => set('probe', shareOf(room, moved, axis, values.at)), plane?.normal);
    figures('Probe', [
      { id: 'signedDistance', label: 'Signed distance', value: signedDistance, unit: 'm' },
      { id: 'windingNumber', label: 'Winding number', value: windingNumber, decimals: 4 },
      { id: 'inside', label: 'Inside', value: inside },
      { id: 'probe', label: 'Probe', value: probe },
      { id: 'closest', label: 'Closest', value: closest?.point ?? null },
      { id: 'feature', label: 'On', value: closest && `${closest.feature.kind} ${closest.feature.vertices.join(' ')}` },
    ]);
    if (repaired !== null) figures('Repair', repaired);
    figures('Model', source);

    if (axis >= 0) {
      const slice = await run('slice', { mesh, axis, share: values.at, resolution: values.samples });
      view.addSlice(slice, { shows: values.shows, spacing: roundStep(box.diagonal(bounds) / 36), name: 'Inside' });
    }

    const { report, openEdges, nonManifoldEdges, crossing } = await run('inspect', { mesh });
    if (crossing !== null)
      view.addMesh(crossing, { color: 'crossing', shading: 'unlit', inFront: true, cut, name: 'Crossing triangles' });
    view.addLines(openEdges, { color: 'boundary', width: 3.5, cut, name: 'Open edges' });
    view.addLines(nonManifoldEdges, { color: 'nonManifold', width: 5, cut, name: 'Non-manifold edges' });
    for (const [group, list] of reportFigures(report)) figures(group, list);
  },
});

/** Where the probe is, in the box that it moves in, and the plane of the slice. */
function probeOf(mesh: Mesh, values: { probe: Readonly<Vec3>; slice: string; at: number }) {
  const bounds = box.ofPositions(mesh.positions);
  const axis = 'xyz'.indexOf(values.slice);
  const room = box.grow(bounds, PROBE_MARGIN * box.diagonal(bounds));
  const probe = values.probe.map((share, k) => room.min[k] + share * (room.max[k] - room.min[k])) as Vec3;
  // Drawn on the slice, it is on the slice.
  const plane = axis >= 0 ? cutAt(bounds, axis, values.at) : null;
  if (plane !== null) probe[axis] = plane.point[axis];
  return { probe, room, plane };
}

interface LoadedModel {
  readonly mesh: Mesh;
  readonly name: string;
  readonly source: readonly Figure[];
  readonly repaired: readonly Figure[] | null;
  /** Meters, where the file says it. */
  readonly unit: number | undefined;
}

async function load(
  { file, sample, repair, fill }: { file: OpenedFile | null; sample: string; repair: boolean; fill: boolean },
  run: Stage['run'],
): Promise<LoadedModel> {
  if (file === null && sample === 'none') {
    throw new NearfieldError('file-not-found', 'No file is open. Drop one on this page, pick one, or choose a sample.');
  }
  const opened =
    file === null
      ? { mesh: await run('buildFaultyModel', { sample }), format: 'sample', parts: 1, unit: undefined }
      : await run('readFile', { name: file.name, bytes: file.bytes });
  const name = file === null ? sample : file.name.replace(/\.[^.]*$/, '');
  const source: Figure[] = [
    { id: 'name', label: 'Name', value: file?.name ?? sample },
    { id: 'format', label: 'Format', value: opened.format },
    { id: 'parts', label: 'Parts', value: opened.parts },
  ];
  if (!repair) return { mesh: opened.mesh, name, source, repaired: null, unit: opened.unit };
  const { mesh, changes, filled, remaining } = await run('repair', { mesh: opened.mesh, fillHoles: fill });
  const repaired: Figure[] = [
    { id: 'weldedVertices', label: 'Vertices welded', value: changes.weldedVertices },
    { id: 'droppedDegenerateFaces', label: 'Degenerate faces dropped', value: changes.droppedDegenerateFaces },
    { id: 'splitFaces', label: 'Faces split', value: changes.splitFaces },
    { id: 'droppedDuplicateFaces', label: 'Duplicate faces dropped', value: changes.droppedDuplicateFaces },
    { id: 'flippedFaces', label: 'Faces turned over', value: changes.flippedFaces },
    { id: 'droppedVertices', label: 'Unused vertices dropped', value: changes.droppedVertices },
    ...(filled === undefined
      ? []
      : [
          { id: 'holes', label: 'Holes filled', value: filled.holes },
          { id: 'addedFaces', label: 'Faces added in them', value: filled.addedFaces },
        ]),
    ...remaining.map(
      ({ kind, count, message }): Figure => ({
        id: kind,
        about: message,
        label: `Remains: ${kind.replaceAll('-', ' ')}`,
        value: count,
        tone: 'bad',
      }),
    ),
  ];
  return { mesh, name: `${name}-repaired`, source, repaired, unit: opened.unit };
}

function cutAt(bounds: Box, axis: number, share: number): CutPlane {
  const normal: Vec3 = [0, 0, 0];
  normal[axis] = 1;
  const point = box.center(bounds);
  point[axis] = bounds.min[axis] + share * (bounds.max[axis] - bounds.min[axis]);
  return { normal, point };
}

/** Where a point is in the room, from 0 to 1 along each axis; along the axis of the slice it is where the slice is. */
function shareOf(room: Box, point: ReadonlyVec3, axis: number, at: number): Vec3 {
  return [0, 1, 2].map((k) =>
    k === axis ? at : Math.min(1, Math.max(0, (point[k] - room.min[k]) / (room.max[k] - room.min[k]))),
  ) as Vec3;
}
