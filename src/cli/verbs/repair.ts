import { NearfieldError } from '../../core/errors.js';
import { WELD_TOLERANCE } from '../../core/tolerances.js';
import { mergeModel } from '../../io/model/model-file.js';
import { writeModel } from '../../io/model/write-model.js';
import { repairMesh } from '../../mesh/repair/repair.js';
import { takeNumber, takePositionals, takeString } from '../arguments.js';
import { loadModel, saveBytes } from '../load-model.js';
import { OUTPUT_FORMATS_HELP, outputFormat } from '../output-format.js';
import { labeled, readable } from '../table.js';
import type { Verb } from '../verb.js';

export const repair: Verb = {
  name: 'repair',
  summary: 'welds vertices, drops degenerate and duplicate faces, orients faces outward',
  usage: 'repair MODEL -o OUT',
  help: `Reports what it changed and what it could not repair. MODEL is a file of OBJ, STL, PLY, OFF, glTF, COLLADA, 3MF, STEP, IGES or IFC.
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
    const mesh = mergeModel(await loadModel(path, input.progress));
    const repaired = repairMesh(mesh, {
      ...input.progress,
      tolerance,
      weldVertices: !input.values['no-weld'],
      dropDegenerateFaces: !input.values['keep-degenerate'],
      dropDuplicateFaces: !input.values['keep-duplicates'],
      orientFaces: !input.values['no-orient'],
      fillHoles: (input.values['fill-holes'] === true || maxEdges < Infinity) && { maxEdges },
    });
    await saveBytes(output, await writeModel(repaired.mesh, format));
    const { mesh: mended, changes, filled, remaining, skipped } = repaired;
    const vertices = mended.positions.length / 3;
    const triangles = mended.indices.length / 3;
    const added = filled !== undefined && { filled };
    return {
      json: { output, format, vertices, triangles, changes, ...added, remaining, skipped },
      text: [
        labeled([
          ['output', output],
          ['vertices', readable(vertices)],
          ['triangles', readable(triangles)],
          ...Object.entries({ ...changes, ...filled }).map(([name, count]): [string, string] => [
            inWords(name),
            readable(count),
          ]),
        ]),
        ...remaining.map(({ message }) => message),
        ...(skipped.length > 0 ? [`Left out, since the mesh would be worse after it: ${skipped.join(', ')}.`] : []),
      ].join('\n'),
    };
  },
};

/** weldedVertices → welded vertices */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
