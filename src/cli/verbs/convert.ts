import { writeModel } from '../../io/model/write-model.js';
import { takePositionals, takeString } from '../arguments.js';
import { loadModel, saveBytes } from '../load-model.js';
import { OUTPUT_FORMATS_HELP, outputFormat } from '../output-format.js';
import { readable } from '../table.js';
import type { Verb } from '../verb.js';

export const convert: Verb = {
  name: 'convert',
  summary: 'writes a model in another file format',
  usage: 'convert IN OUT [--format FORMAT]',
  help: `IN is an OBJ, STL, PLY, OFF, glTF, GLB or DAE file. The extension of OUT selects its format.
${OUTPUT_FORMATS_HELP}
GLB keeps parts, instances and their placements. In the other formats all parts are one mesh in the world frame.

  nearfield convert scan.ply scan.glb`,
  options: { format: { type: 'string' } },
  async run(input) {
    const [from, to] = takePositionals(input, 'convert', ['IN', 'OUT']);
    const format = outputFormat(to, takeString(input, 'format'));
    const model = await loadModel(from, input.progress);
    const bytes = await writeModel(model, format);
    await saveBytes(to, bytes);
    const triangles = model.parts.reduce((sum, part) => sum + model.meshes[part.meshIndex].mesh.indices.length / 3, 0);
    return {
      json: { output: to, format, parts: model.parts.length, triangles, bytes: bytes.length },
      text: `${to}: ${readable(triangles)} triangles, ${readable(bytes.length)} bytes`,
    };
  },
};
