import { NearfieldError } from '../../core/errors.js';
import { WELD_TOLERANCE } from '../../core/tolerances.js';
import { createModel, type ModelFile, mergeModel } from '../../io/model/model-file.js';
import { type OutputFormat, writeModel } from '../../io/model/write-model.js';
import { type RepairOptions, repairMesh } from '../../mesh/repair/repair.js';
import { takeNumber, takePositionals, takeString } from '../arguments.js';
import { assertOutputs, loadModel, saveBytes } from '../load-model.js';
import { OUTPUT_FORMATS_HELP, outputFormat } from '../output-format.js';
import { type RepairedParts, repairParts } from '../repair-parts.js';
import { inWords, NOTHING_DONE, sumRepairs, tabulateRepairs } from '../repair-totals.js';
import { labeled, readable } from '../table.js';
import type { Answer, Verb } from '../verb.js';

export const repair: Verb = {
  name: 'repair',
  summary: 'welds vertices, drops degenerate and duplicate faces, orients faces outward',
  usage: 'repair MODEL -o OUT',
  help: `Reports what it changed and what it could not repair. Each part of a file of several is repaired by itself; GLB keeps the
parts with their names, placements, colors and copies. MODEL is a file of OBJ, STL, PLY, OFF, glTF, COLLADA, 3MF, STEP, IGES or IFC.
  -o, --output OUT      the file to write
  --weld T              weld vertices closer than T times the box diagonal (default ${WELD_TOLERANCE}; 0: only equal ones)
  --no-weld             keep the vertices
  --keep-degenerate     keep faces without area
  --keep-duplicates     keep repeated faces
  --no-orient           keep the orientation of the faces
  --fill-holes          close boundary loops with new faces, flat or of least area; reports what it added
  --max-hole N          fill only loops of at most N edges
${OUTPUT_FORMATS_HELP}

  nearfield repair scan.stl -o scan.ply`,
  options: {
    output: { type: 'string', short: 'o' },
    format: { type: 'string' },
    weld: { type: 'string' },
    'no-weld': { type: 'boolean' },
    'keep-degenerate': { type: 'boolean' },
    'keep-duplicates': { type: 'boolean' },
    'no-orient': { type: 'boolean' },
    'fill-holes': { type: 'boolean' },
    'max-hole': { type: 'string' },
  },
  async run(input) {
    const [path] = takePositionals(input, 'repair', ['MODEL']);
    const output = takeString(input, 'output');
    if (output === null) throw new NearfieldError('bad-argument', 'repair needs -o OUT, the file to write');
    const format = outputFormat(output, takeString(input, 'format'));
    const tolerance = takeNumber(input, 'weld', WELD_TOLERANCE, { min: 0, max: 0.1 });
    const maxEdges = takeNumber(input, 'max-hole', Infinity, { min: 3, integer: true });
    assertOutputs([path], { output });
    const given = await loadModel(path, input.progress);
    const options: RepairOptions = {
      tolerance,
      weldVertices: !input.values['no-weld'],
      dropDegenerateFaces: !input.values['keep-degenerate'],
      dropDuplicateFaces: !input.values['keep-duplicates'],
      orientFaces: !input.values['no-orient'],
      fillHoles: (input.values['fill-holes'] === true || maxEdges < Infinity) && { maxEdges },
    };
    const { model, repairs } =
      given.parts.length === 1
        ? repairWhole(given, { ...input.progress, ...options })
        : repairParts(given, options, input.progress);
    await saveBytes(output, await writeModel(model, format));
    const names = given.parts.map(({ name }) => name);
    return describeRepair({ output, format }, names, model, repairs);
  },
};

/** A model of one part as one mesh in the world frame. */
function repairWhole(given: ModelFile, options: RepairOptions): RepairedParts {
  const { mesh, ...repaired } = repairMesh(mergeModel(given), options);
  return { model: createModel({ name: 'model', mesh }, 'obj'), repairs: [repaired] };
}

function describeRepair(
  written: { readonly output: string; readonly format: OutputFormat },
  names: readonly string[],
  { meshes, parts }: ModelFile,
  repairs: RepairedParts['repairs'],
): Answer {
  const byPart = parts.map(({ meshIndex }, i) => {
    const { positions, indices } = meshes[meshIndex].mesh;
    const { changes, filled, remaining, skipped } = repairs[i] ?? NOTHING_DONE;
    const size = { vertices: positions.length / 3, triangles: indices.length / 3 };
    return {
      name: names[i],
      mesh: meshIndex,
      ...size,
      changes,
      ...(filled !== undefined && { filled }),
      remaining,
      skipped,
    };
  });
  const total = sumRepairs(byPart);
  const added = total.filled !== undefined && { filled: total.filled };
  const { vertices, triangles, changes, remaining, skipped } = total;
  const flat = names.filter((_, i) => repairs[i] === null);
  return {
    json: {
      ...{ ...written, vertices, triangles, changes, ...added, remaining, skipped, parts: parts.length, byPart },
      ...(flat.length > 0 && { flat }),
    },
    text: [
      labeled([
        ['output', written.output],
        ...(parts.length > 1 ? [['parts', readable(parts.length)] as const] : []),
        ['vertices', readable(vertices)],
        ['triangles', readable(triangles)],
        ...Object.entries({ ...changes, ...total.filled }).map(
          ([name, count]) => [inWords(name), readable(count)] as const,
        ),
      ]),
      ...remaining.map(({ message }) => message),
      ...(skipped.length > 0 ? [`Left out, since the mesh would be worse after it: ${skipped.join(', ')}.`] : []),
      ...(parts.length > 1 ? tabulateRepairs(byPart) : []),
    ].join('\n'),
    warnings: flat.map((name) => `the part "${name}" stays as it is: all its faces are without area`),
  };
}
