import { NearfieldError } from '../../core/errors.js';
import { DECOMPOSITION_DEFAULTS } from '../../decomposition/defaults.js';
import { fractureSolid } from '../../decomposition/fracture/fracture-solid.js';
import { piecesToModel } from '../../decomposition/pieces/pieces-to-model.js';
import { writeModel } from '../../io/model/write-model.js';
import { takeLength, takeNumber, takePositionals, takeString } from '../arguments.js';
import { loadMesh, nameFile, saveBytes } from '../load-model.js';
import { OUTPUT_FORMATS_HELP, outputFormat } from '../output-format.js';
import { labeled, readable } from '../table.js';
import type { Verb } from '../verb.js';

export const fracture: Verb = {
  name: 'fracture',
  summary: 'breaks a solid into fragments along the Voronoi cells of random points',
  usage: 'fracture MODEL [--fragments N] [--seed S] [--gap G] [-o FRAGMENTS]',
  help: `MODEL must be closed. A cell that cuts the solid into several parts gives several fragments. All are closed, and
without a gap their volumes sum to that of MODEL.
  --fragments N         the random points (default ${DECOMPOSITION_DEFAULTS.fragments})
  --seed S              of the random points (default 1)
  --gap G               the width of the cracks, a length (default 0: fragments touch)
  -o, --output FILE     write the fragments; .glb keeps them separate, each in its own color
${OUTPUT_FORMATS_HELP}

  nearfield fracture vase.stl --fragments 50 -o fragments.glb`,
  options: {
    fragments: { type: 'string' },
    seed: { type: 'string' },
    gap: { type: 'string' },
    output: { type: 'string', short: 'o' },
    format: { type: 'string' },
  },
  async run(input) {
    const [path] = takePositionals(input, 'fracture', ['MODEL']);
    const fragments = takeNumber(input, 'fragments', DECOMPOSITION_DEFAULTS.fragments, { min: 1, integer: true });
    const seed = takeNumber(input, 'seed', 1, { integer: true });
    const gap = takeLength(input, 'gap') ?? 0;
    const output = takeString(input, 'output');
    const format = output === null ? null : outputFormat(output, takeString(input, 'format'));
    const mesh = await loadMesh(path, input.progress);
    const start = performance.now();
    const broken = nameFile(path, () => fractureSolid(mesh, { ...input.progress, fragments, seed, gap }));
    const milliseconds = performance.now() - start;
    if (broken.fragments.length === 0) {
      throw new NearfieldError('bad-argument', `${path}: a --gap of ${gap} leaves nothing; give a smaller one`);
    }
    if (output !== null && format !== null) await saveBytes(output, await writeModel(piecesToModel(broken), format));
    const volumes = broken.fragments.map(({ volume }) => volume);
    return {
      json: {
        fragments: broken.fragments.map(({ mesh: piece, cell, volume }) => ({
          vertices: piece.positions.length / 3,
          triangles: piece.indices.length / 3,
          cell,
          volume,
        })),
        points: Array.from({ length: broken.points.length / 3 }, (_, i) =>
          Array.from(broken.points.subarray(3 * i, 3 * i + 3)),
        ),
        volume: broken.volume,
        milliseconds,
        ...(output !== null && { output }),
      },
      text: labeled([
        ['model', path],
        ['volume', readable(broken.volume)],
        ['fragments', readable(volumes.length)],
        ['smallest, largest', `${readable(Math.min(...volumes))}, ${readable(Math.max(...volumes))}`],
        ['milliseconds', milliseconds.toFixed(1)],
        ...(output === null ? [] : [['output', output] as const]),
      ]),
    };
  },
};
