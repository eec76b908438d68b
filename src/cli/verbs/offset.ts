import { NearfieldError } from '../../core/errors.js';
import { FIELD_DEFAULTS } from '../../field/field-options.js';
import { offsetMesh } from '../../field/solid/offset-mesh.js';
import { writeModel } from '../../io/model/write-model.js';
import { takeLength, takeNumber, takePositionals, takeString } from '../arguments.js';
import { loadMesh, nameFile, saveBytes } from '../load-model.js';
import { OUTPUT_FORMATS_HELP, outputFormat } from '../output-format.js';
import { labeled, readable } from '../table.js';
import type { Verb } from '../verb.js';

const { resolution: RESOLUTION, maxResolution: MAX_RESOLUTION } = FIELD_DEFAULTS.solid;

export const offset: Verb = {
  name: 'offset',
  summary: 'grows or shrinks a solid by a distance, or makes a shell of it, with proven bounds of the error',
  usage: 'offset MODEL --distance D [--shell T] -o OUT',
  help: `MODEL must be closed; make a solid of any other one with nearfield solidify.
  --distance D          how far the new surface is from the model: outside it, or inside it if negative
  --shell T             hollow the result, with walls of thickness T inside the new surface
  -o, --output OUT      the file to write
  --resolution N        nodes of the grid along the longest side of the result (default ${RESOLUTION}, at most ${MAX_RESOLUTION})
${OUTPUT_FORMATS_HELP}

  nearfield offset part.stl --distance 0.5 -o grown.stl
  nearfield offset part.stl --distance 0 --shell 2 --resolution 128 -o shell.stl`,
  options: {
    output: { type: 'string', short: 'o' },
    format: { type: 'string' },
    distance: { type: 'string' },
    shell: { type: 'string' },
    resolution: { type: 'string' },
  },
  async run(input) {
    const [path] = takePositionals(input, 'offset', ['MODEL']);
    const output = takeString(input, 'output');
    if (output === null) throw new NearfieldError('bad-argument', 'offset needs -o OUT, the file to write');
    if (takeString(input, 'distance') === null) {
      throw new NearfieldError('bad-argument', 'offset needs --distance D; negative distances shrink');
    }
    const format = outputFormat(output, takeString(input, 'format'));
    const distance = takeNumber(input, 'distance', 0);
    const shell = takeLength(input, 'shell') ?? undefined;
    const resolution = takeNumber(input, 'resolution', RESOLUTION, { min: 4, max: MAX_RESOLUTION, integer: true });
    const mesh = await loadMesh(path, input.progress);
    const started = performance.now();
    const result = nameFile(path, () => offsetMesh(mesh, { ...input.progress, distance, shell, resolution }));
    const milliseconds = performance.now() - started;
    await saveBytes(output, await writeModel(result.mesh, format));
    const { error, spacing } = result;
    const vertices = result.mesh.positions.length / 3;
    const triangles = result.mesh.indices.length / 3;
    return {
      json: { output, format, vertices, triangles, closed: true, distance, error, spacing, milliseconds },
      text: labeled([
        ['output', output],
        ['vertices', readable(vertices)],
        ['triangles', readable(triangles)],
        [
          'distance',
          `${readable(distance)}, inward at most ${readable(error.inward)} off, outward ${readable(error.outward)}`,
        ],
        ['spacing', readable(spacing)],
        ['time', `${readable(Math.round(milliseconds))} ms`],
      ]),
    };
  },
};
