import { NearfieldError } from '../core/errors.js';
import { OUTPUT_FORMATS, type OutputFormat } from '../io/model/write-model.js';
import { takeString } from './arguments.js';
import { extensionOf } from './load-model.js';
import type { VerbInput } from './verb.js';

export const OUTPUT_FORMATS_HELP = `  --format FORMAT   ${OUTPUT_FORMATS.join(', ')}; default: by the output's extension (STL and PLY binary)`;

/** The requested format, or the one of the output's extension. */
export function outputFormat(path: string, asked: string | null): OutputFormat {
  const wanted = asked ?? extensionOf(path);
  const format = OUTPUT_FORMATS.find((candidate) => candidate === wanted);
  if (format === undefined) {
    throw new NearfieldError(
      'bad-argument',
      asked === null
        ? `${path}: no format has this extension; use .obj, .stl, .ply, .off or .glb, or give --format`
        : `there is no output format "${asked}"; the formats are ${OUTPUT_FORMATS.join(', ')}`,
    );
  }
  return format;
}

/** The format of an optional output, null without one. */
export function takeOutputFormat(input: VerbInput, output: string | null): OutputFormat | null {
  const asked = takeString(input, 'format');
  if (output !== null) return outputFormat(output, asked);
  if (asked === null) return null;
  throw new NearfieldError('bad-argument', '--format needs an output; add -o OUT, or leave --format out');
}
