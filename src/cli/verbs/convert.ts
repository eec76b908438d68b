import { writeModel } from '../../io/model/write-model.js';
import { takePositionals, takeString } from '../arguments.js';
import { assertOutputs, CHORD_HELP, CHORD_OPTION, loadModel, saveBytes, takeChordError } from '../load-model.js';
import { OUTPUT_FORMATS_HELP, outputFormat } from '../output-format.js';
import { readable } from '../table.js';
import type { Verb } from '../verb.js';

export const convert: Verb = {
  name: 'convert',
  summary: 'writes a model in another file format',
  usage: 'convert IN OUT [--format FORMAT]',
  help: `IN is a file of OBJ, STL, PLY, OFF, glTF, COLLADA, 3MF, STEP, IGES or IFC. The extension of OUT selects its format.
${OUTPUT_FORMATS_HELP}
${CHORD_HELP}
GLB keeps parts, instances and their placements. In the other formats all parts are one mesh in the world frame.

  nearfield convert scan.ply scan.glb
  nearfield convert gearbox.step gearbox.glb --chord-error 0.01`,
  options: { format: { type: 'string' }, ...CHORD_OPTION },
  async run(input) {
    const [from, to] = takePositionals(input, 'convert', ['IN', 'OUT']);
    const format = outputFormat(to, takeString(input, 'format'));
    assertOutputs([from], { output: to });
    const model = await loadModel(from, { ...input.progress, chordError: takeChordError(input) });
    const bytes = await writeModel(model, format);
    await saveBytes(to, bytes);
    const triangles = model.parts.reduce((sum, part) => sum + model.meshes[part.meshIndex].mesh.indices.length / 3, 0);
    return {
      json: { output: to, format, parts: model.parts.length, triangles, bytes: bytes.length },
      text: `${to}: ${readable(triangles)} triangles, ${readable(bytes.length)} bytes`,
    };
  },
};
