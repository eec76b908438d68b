import { NearfieldError } from '../core/errors.js';
import { OUTPUT_FORMATS, type OutputFormat } from '../io/model/write-model.js';
import { takeString } from './arguments.js';
import { extensionOf } from './load-model.js';
import type { VerbInput } from './verb.js';

export const OUTPUT_FORMATS_HELP = `  --format FORMAT   ${OUTPUT_FORMATS.join(', ')}; default by the ending of the output (STL and PLY binary)`;

/** The format asked for, or the one the output's ending names. */
export function outputFormat(path: string, asked: string | null): OutputFormat {
  const wanted = asked ?? extensionOf(path);
  const format = OUTPUT_FORMATS.find((candidate) => candidate === wanted);
  if (format === undefined) {
    throw new NearfieldError(
      'bad-argument',
      asked === null
        ? `${path}: no format is known by that ending; name it .obj, .stl, .ply, .off or .glb, or say --format`
        : `there is no output format "${asked}"; the formats are ${OUTPUT_FORMATS.join(', ')}`,
    );
  }
  return format;
}

/** The format of an output that need not be asked for, null without one. */
export function takeOutputFormat(input: VerbInput, output: string | null): OutputFormat | null {
  const asked = takeString(input, 'format');
  if (output !== null) return outputFormat(output, asked);
  if (asked === null) return null;
  throw new NearfieldError('bad-argument', '--format is the format of -o OUT; name an output, or leave it out');
}
