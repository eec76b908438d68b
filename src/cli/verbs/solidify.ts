import { NearfieldError } from '../../core/errors.js';
import { FIELD_DEFAULTS } from '../../field/field-options.js';
import { solidify as makeSolid, type SolidifiedMesh } from '../../field/solid/solidify.js';
import { writeModel } from '../../io/model/write-model.js';
import { takeChoice, takeLength, takeNumber, takePositionals, takeString } from '../arguments.js';
import { loadMesh, nameFile, saveBytes } from '../load-model.js';
import { OUTPUT_FORMATS_HELP, outputFormat } from '../output-format.js';
import { labeled, readable } from '../table.js';
import type { Verb } from '../verb.js';

const { resolution: RESOLUTION, maxResolution: MAX_RESOLUTION } = FIELD_DEFAULTS.solid;

export const solidify: Verb = {
  name: 'solidify',
  summary: 'makes a closed solid without self-intersections from any model, and bounds its distance from it',
  usage: 'solidify MODEL [--resolution N] -o OUT',
  help: `For models that are open, cross themselves or are not manifold. Parts that nearly enclose a volume are closed;
sheets, and walls thinner than the grid, become thick. The largest distances between the surface of the solid and the
model are proven bounds, both ways.
  -o, --output OUT      the file to write
  --resolution N        nodes of the grid along the longest side (default ${RESOLUTION}, at most ${MAX_RESOLUTION})
  --max-error E         raise the resolution until the solid and the model are within E of each other
  --thickness T         the thickness of sheets (default: one spacing of the grid)
  --rule R              auto (default); winding: all parts enclose a volume; thicken: all parts are sheets
  --no-features         leave vertices on the isosurface instead of moving them onto the model and its edges
${OUTPUT_FORMATS_HELP}

  nearfield solidify scan.stl -o solid.stl
  nearfield solidify link.stl --resolution 96 --json -o link.ply | jq .distance`,
  options: {
    output: { type: 'string', short: 'o' },
    format: { type: 'string' },
    resolution: { type: 'string' },
    'max-error': { type: 'string' },
    thickness: { type: 'string' },
    rule: { type: 'string' },
    'no-features': { type: 'boolean' },
  },
  async run(input) {
    const [path] = takePositionals(input, 'solidify', ['MODEL']);
    const output = takeString(input, 'output');
    if (output === null) throw new NearfieldError('bad-argument', 'solidify needs -o OUT, the file to write');
    const format = outputFormat(output, takeString(input, 'format'));
    const resolution = takeNumber(input, 'resolution', RESOLUTION, { min: 4, max: MAX_RESOLUTION, integer: true });
    const rule = takeChoice(input, 'rule', ['auto', 'winding', 'thicken']);
    const maxError = takeLength(input, 'max-error') ?? undefined;
    const thickness = takeLength(input, 'thickness') ?? undefined;
    const mesh = await loadMesh(path, input.progress);
    const started = performance.now();
    const solid = nameFile(path, () =>
      makeSolid(mesh, {
        ...input.progress,
        resolution,
        rule,
        maxError,
        thickness,
        features: !input.values['no-features'],
      }),
    );
    const milliseconds = performance.now() - started;
    await saveBytes(output, await writeModel(solid.mesh, format));
    const { distance, outside, thickened, spacing } = solid;
    const vertices = solid.mesh.positions.length / 3;
    const triangles = solid.mesh.indices.length / 3;
    return {
      json: {
        output,
        format,
        vertices,
        triangles,
        closed: true,
        distance,
        outside,
        rule: solid.rule,
        thickened,
        spacing,
        resolution: solid.resolution,
        milliseconds,
      },
      text: labeled([
        ['output', output],
        ['vertices', readable(vertices)],
        ['triangles', readable(triangles)],
        ['made by', describeRule(solid)],
        ['spacing', readable(spacing)],
        ['solid to model', `at most ${readable(distance.toInput)}`],
        ['model to solid', `at most ${readable(distance.fromInput)}, outside it at most ${readable(outside)}`],
        ['time', `${readable(Math.round(milliseconds))} ms`],
      ]),
    };
  },
};

function describeRule({ rule, thickened }: SolidifiedMesh): string {
  const share = `${(100 * thickened).toPrecision(2)} % of the area`;
  if (rule === 'winding') return 'winding numbers';
  return rule === 'thicken' ? 'thickening' : `winding numbers, and thickening of ${share}`;
}
