import { buildHull } from '../../convex/hull/hull.js';
import { hullToMesh, measureHull } from '../../convex/hull/hull-measure.js';
import { writeModel } from '../../io/model/write-model.js';
import { takePositionals, takeString } from '../arguments.js';
import { loadMesh, nameFile, saveBytes } from '../load-model.js';
import { OUTPUT_FORMATS_HELP, outputFormat } from '../output-format.js';
import { labeled, readable } from '../table.js';
import type { Verb } from '../verb.js';

export const hull: Verb = {
  name: 'hull',
  summary: "computes the convex hull of a model's vertices with exact predicates",
  usage: 'hull MODEL [-o OUT]',
  help: `Faces are counted as triangles. The hull of a flat model has two sides and no volume; that of a line has no faces.
  -o, --output OUT   write the hull as a model
${OUTPUT_FORMATS_HELP}

  nearfield hull part.stl -o hull.obj`,
  options: { output: { type: 'string', short: 'o' }, format: { type: 'string' } },
  async run(input) {
    const [path] = takePositionals(input, 'hull', ['MODEL']);
    const output = takeString(input, 'output');
    const format = output === null ? null : outputFormat(output, takeString(input, 'format'));
    const { positions } = await loadMesh(path, input.progress);
    const start = performance.now();
    const built = buildHull(positions, input.progress);
    const milliseconds = performance.now() - start;
    if (output !== null && format !== null) {
      const mesh = nameFile(path, () => hullToMesh(built));
      await saveBytes(output, await writeModel(mesh, format));
    }
    const vertices = built.vertices.length;
    const faces = built.triangles.length / 3;
    const { volume, area } = measureHull(built);
    return {
      json: {
        vertices,
        faces,
        volume,
        area,
        dimension: built.dimension,
        milliseconds,
        ...(output !== null && { output }),
      },
      text: labeled([
        ['model', path],
        ['hull', ['a point', 'a segment', 'flat', 'a solid'][built.dimension]],
        ['vertices', readable(vertices)],
        ['faces', readable(faces)],
        ['volume', readable(volume)],
        ['area', readable(area)],
        ['milliseconds', milliseconds.toFixed(1)],
        ...(output === null ? [] : [['output', output] as const]),
      ]),
    };
  },
};
