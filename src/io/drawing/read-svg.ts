import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { READ_OPTIONS, type ReadOptions } from '../model/read-options.js';
import type { SvgDrawing } from './svg-drawing.js';

/**
 * Reads the shapes of an SVG drawing as exact curves: paths, lines, polygons, rectangles, circles and ellipses, with
 * groups, transforms, view boxes, nested drawings and `use`. What is hidden is left out. y stays down, units stay.
 * Lines, Bézier curves and arcs of circles are exact; arcs of other ellipses become cubic curves within 7e-8 of the larger
 * radius.
 * @param file the text of the file, or its bytes in UTF-8.
 * @throws NearfieldError `file-format`, `file-truncated`, `non-finite`, `unsupported` or `too-large`, with the line in
 * `location`; `file-format` also for a drawing without shapes.
 */
export async function readSvg(file: string | Uint8Array, options: ReadOptions = {}): Promise<SvgDrawing> {
  READ_OPTIONS.assert(options);
  if (typeof file !== 'string' && !(file instanceof Uint8Array)) {
    throw new NearfieldError('bad-argument', `The drawing is ${nameValue(file)}; give its text, or its bytes.`);
  }
  if (file.length === 0) {
    throw new NearfieldError('file-truncated', 'line 1: the file is empty; copy it again.', {
      line: 1,
      ...(options.fileName !== undefined && { file: options.fileName }),
    });
  }
  try {
    // saxes is loaded only when a drawing is read.
    const { parseSvg } = await import('../svg/parse-svg.js');
    return parseSvg(file, options);
  } catch (error) {
    if (error instanceof NearfieldError && options.fileName !== undefined && error.location.file === undefined) {
      throw new NearfieldError(error.code, error.message, { ...error.location, file: options.fileName });
    }
    throw error;
  }
}
