import { box } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import { solidifyCode } from '../../code/fields.js';
import { fileSource, savedSource } from '../../code/view-code.js';
import { MODEL_FILES } from '../../model-files.js';
import { faultyModels } from '../../samples/faulty-models.js';
import { defineScene } from '../../scene.js';

export default defineScene({
  title: 'A solid from a broken mesh',
  chapter: 'Fields',
  rank: 4,
  summary:
    'Holes, crossings, turned faces or loose triangles: the result is closed and crosses itself nowhere, and its distance from the mesh is proven. Drop a file, or choose a sample.',
  picture: 'sample=crossing-rings&shows=both&view=35,22,1.3',
  controls: {
    file: { kind: 'file', label: 'Open a file…', accept: MODEL_FILES },
    sample: {
      kind: 'choice',
      label: 'Sample',
      options: faultyModels.map(({ name, title }) => ({ value: name as string, label: title })),
      visible: ({ file }) => file === null,
    },
    back: {
      kind: 'button',
      label: 'Back to the samples',
      visible: ({ file }) => file !== null,
      press: ({ set }) => set('file', null),
    },
    resolution: { kind: 'slider', label: 'Resolution', min: 12, max: 96, step: 4, initial: 40 },
    rule: {
      kind: 'choice',
      label: 'Inside is',
      options: [
        { value: 'auto', label: 'Chosen for each part' },
        { value: 'winding', label: 'Where it winds around' },
        { value: 'thicken', label: 'Near a face' },
      ],
    },
    shows: {
      kind: 'choice',
      label: 'Show',
      options: [
        { value: 'solid', label: 'The solid' },
        { value: 'both', label: 'The mesh inside the solid' },
        { value: 'input', label: 'The mesh' },
      ],
    },
  },

  async code({ values: { file, sample, resolution, rule }, run }) {
    const source =
      file === null ? savedSource(sample, await run('buildFaultyModel', { sample })) : fileSource(file.name);
    return solidifyCode(source, { resolution, rule });
  },

  async draw({ values, view, figures, run }) {
    const { file, sample, resolution, shows } = values;
    const mesh: Mesh =
      file !== null
        ? (await run('readFile', { name: file.name, bytes: file.bytes })).mesh
        : await run('buildFaultyModel', { sample });
    const rule = values.rule as 'auto' | 'winding' | 'thicken';
    const solid = await run('solidify', { mesh, resolution, rule });
    view.frame(box.ofPositions(mesh.positions));
    if (shows !== 'solid') view.addMesh(mesh, { color: 'second', name: 'Mesh' });
    if (shows !== 'input') view.addMesh(solid.mesh, { opacity: shows === 'both' ? 0.35 : 1, name: 'Solid' });
    figures('Distance, proven', [
      {
        id: 'toInput',
        lead: 'No point of the solid’s surface is farther from the mesh than this: proven.',
        label: 'Solid to mesh, at most',
        value: solid.distance.toInput,
      },
      { id: 'outside', label: 'Mesh outside the solid, at most', value: solid.outside },
      { id: 'fromInput', label: 'Mesh to the surface, at most', value: solid.distance.fromInput },
      { id: 'spacing', label: 'Spacing of the grid', value: solid.spacing },
    ]);
    figures('Solid', [
      { id: 'rule', label: 'Made by', value: solid.rule },
      { id: 'thickened', label: 'Share of the area thickened', value: solid.thickened },
      { id: 'triangles', label: 'Triangles', value: solid.mesh.indices.length / 3 },
      { id: 'closed', label: 'Closed', value: solid.closed ? 'yes' : 'no', tone: solid.closed ? 'good' : 'bad' },
      { id: 'volume', label: 'Volume', value: solid.volume },
      { id: 'milliseconds', label: 'Time', value: solid.milliseconds, unit: 'ms' },
    ]);
  },
});
