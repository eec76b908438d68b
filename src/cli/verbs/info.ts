import { type ModelFile, mergeModel } from '../../io/model/model-file.js';
import { inspectMesh, type MeshReport } from '../../mesh/report/report.js';
import { takePositionals } from '../arguments.js';
import { CHORD_HELP, CHORD_OPTION, loadModel, takeChordError } from '../load-model.js';
import { labeled, readable, readableVector } from '../table.js';
import { unitName } from '../units.js';
import type { Verb } from '../verb.js';

export const info: Verb = {
  name: 'info',
  summary: 'reports on a model: closed, manifold, oriented outward; volume, inertia, self-intersections',
  usage: 'info MODEL',
  help: `MODEL is a file of OBJ, STL, PLY, OFF, glTF, COLLADA, 3MF, STEP, IGES or IFC; its parts are merged in the world frame.
  --no-self-intersections   skip the search for crossing triangles (selfIntersections: null)
${CHORD_HELP}

  nearfield info part.stl
  nearfield info assembly.glb --json`,
  options: { 'no-self-intersections': { type: 'boolean' }, ...CHORD_OPTION },
  async run(input) {
    const [path] = takePositionals(input, 'info', ['MODEL']);
    const model = await loadModel(path, { ...input.progress, chordError: takeChordError(input) });
    const mesh = mergeModel(model);
    const report = inspectMesh(mesh, {
      ...input.progress,
      selfIntersections: !input.values['no-self-intersections'],
    });
    return {
      json: {
        ...{ ...report, format: model.format, parts: model.parts.length, meshes: model.meshes.length },
        unit: model.unit === undefined ? null : unitName(model.unit),
        ...(model.chordError !== undefined && { chordError: model.chordError }),
      },
      text: describe(path, model, report),
    };
  },
};

function describe(path: string, { parts: placed, unit }: ModelFile, report: MeshReport): string {
  const parts = placed.length;
  const yes = (value: boolean): string => (value ? 'yes' : 'no');
  const rows: [string, string][] = [
    ['model', parts === 1 ? path : `${path} (${readable(parts)} parts)`],
    [
      'vertices',
      report.weldedVertices === 0
        ? readable(report.vertices)
        : `${readable(report.vertices)}, ${readable(report.weldedVertices)} of them joined to others at seams`,
    ],
    ['triangles', readable(report.triangles)],
    [
      'closed',
      report.closed
        ? 'yes'
        : `no: ${counted(report.boundaryEdges, 'open edge')} in ${counted(report.boundaryLoops, 'boundary loop')}`,
    ],
    [
      'manifold',
      report.manifold
        ? 'yes'
        : `no: ${counted(report.nonManifoldEdges, 'edge')} and ${counted(report.nonManifoldVertices, 'vertex', 'vertices')}`,
    ],
    ['oriented', yes(report.oriented)],
    ['outward', report.outward === null ? '–' : report.outward ? 'yes' : 'no; queries take the faces as turned'],
    ['components', readable(report.components)],
    ['genus', report.genus === null ? '–' : readable(report.genus)],
    ['degenerate faces', readable(report.degenerateFaces)],
    ['duplicate faces', readable(report.duplicateFaces)],
    ['self-intersections', report.selfIntersections === null ? 'not searched' : readable(report.selfIntersections)],
    ['unit', unit === undefined ? 'not said by the file' : unitName(unit)],
    ['area', readable(report.area)],
    ['volume', report.volume === null ? '–' : readable(report.volume)],
    ['center of mass', readableVector(report.centerOfMass)],
    ['inertia', report.inertia === null ? '–' : report.inertia.map(readableVector).join(' ')],
    ['box', `${readableVector(report.box.min)} to ${readableVector(report.box.max)}`],
  ];
  return [labeled(rows), ...advice(path, report)].join('\n');
}

/** What the user can do about the defects found. */
function advice(path: string, report: MeshReport): string[] {
  const mendable = report.degenerateFaces + report.duplicateFaces > 0 || !report.oriented || report.outward === false;
  const lines: string[] = [];
  if (report.duplicateVertices > report.weldedVertices && !report.closed) {
    lines.push(
      `${counted(report.duplicateVertices, 'vertex', 'vertices')} have the coordinates of another vertex: the faces there may not be connected.`,
    );
  }
  if (mendable || lines.length > 0) lines.push(`nearfield repair ${path} -o mended.obj may fix this.`);
  return lines.length > 0 ? ['', ...lines] : [];
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${readable(count)} ${count === 1 ? one : many}`;
}
