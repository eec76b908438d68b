import { checkedElsewhere, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { reportProgress } from '../../core/progress.js';
import { readObj } from '../formats/read-obj.js';
import { readOff } from '../formats/read-off.js';
import { readPly } from '../formats/read-ply.js';
import { readStl } from '../formats/read-stl.js';
import type { PeerImports } from '../peer/load-peer.js';
import type { ModelFile } from './model-file.js';
import { detectFormat, MODEL_FORMATS, type ModelFormat } from './model-format.js';
import { CHORD_ERROR, READ_OPTIONS, type ReadOptions } from './read-options.js';

/** How a model file is read. */
export interface ReadModelOptions extends ReadOptions {
  /** The format; by default it is found from the file name and the content. */
  readonly format?: ModelFormat | undefined;
  /** Fetches the buffers that a .gltf file has in other files, by the URI as written in the file. */
  readonly resolve?: ((uri: string) => Promise<Uint8Array>) | undefined;
  /** Functions that import the optional packages of some formats, for pages that a bundler makes. */
  readonly packages?: PeerImports | undefined;
  /**
   * The largest distance between a curved surface of STEP or IGES and the triangles that stand for it, in millimeters.
   * Default {@link CHORD_ERROR}. Spheres and cylinders get at least 13 corners, however small they are.
   */
  readonly chordError?: number | undefined;
  /** Reads the first animation of a glTF file as the motion of its parts. Default false. */
  readonly motion?: boolean | undefined;
}

/** The values are checked where they are used. */
const READ_MODEL_OPTIONS = optionTable<ReadModelOptions>()({
  ...READ_OPTIONS.rules,
  format: checkedElsewhere<ModelFormat>(),
  resolve: checkedElsewhere<NonNullable<ReadModelOptions['resolve']>>(),
  packages: checkedElsewhere<PeerImports>(),
  chordError: checkedElsewhere<number>(CHORD_ERROR),
  motion: checkedElsewhere<boolean>(false),
});

/**
 * Reads a model file: OBJ, STL, PLY, OFF, glTF, GLB or COLLADA (.dae). Vertex ids of OBJ, PLY, OFF and COLLADA are those of the file; polygons
 * become triangle fans in file order, or other triangles of the same number where a fan would fold over. In STL and glTF, which repeat vertices, exactly equal positions are welded. Units
 * and axes are not changed.
 * @throws NearfieldError `file-format`, `file-truncated`, `unsupported`, `non-finite`, `index-out-of-range`,
 * `empty-mesh` or `too-large`, with the line of a text file or the byte of a binary one in `location`.
 */
export async function readModel(bytes: Uint8Array, options: ReadModelOptions = {}): Promise<ModelFile> {
  READ_MODEL_OPTIONS.assert(options);
  try {
    const model = await readFormat(bytes, options);
    reportProgress(options, 1, 'reading');
    return model;
  } catch (error) {
    if (error instanceof NearfieldError && options.fileName !== undefined && error.location.file === undefined) {
      throw new NearfieldError(error.code, error.message, { ...error.location, file: options.fileName });
    }
    throw error;
  }
}

async function readFormat(bytes: Uint8Array, options: ReadModelOptions): Promise<ModelFile> {
  if (!(bytes instanceof Uint8Array)) {
    throw new NearfieldError('bad-argument', 'readModel takes the bytes of the file as a Uint8Array.');
  }
  if (bytes.length === 0) {
    throw new NearfieldError('file-truncated', 'byte 0: the file is empty; copy it again.', { byte: 0 });
  }
  const format = options.format ?? detectFormat(bytes, options.fileName);
  switch (format) {
    case 'obj':
      return readObj(bytes, options);
    case 'stl':
      return readStl(bytes, options);
    case 'ply':
      return readPly(bytes, options);
    case 'off':
      return readOff(bytes, options);
    case 'gltf':
    case 'glb': {
      // glTF-Transform is loaded only when a glTF file is read.
      const { readGltf } = await import('../gltf/read-gltf.js');
      return readGltf(bytes, options);
    }
    case 'dae': {
      // saxes is loaded only when a COLLADA file is read.
      const { readCollada } = await import('../collada/read-collada.js');
      return readCollada(bytes, options);
    }
    case '3mf': {
      // saxes is loaded only when a 3MF file is read.
      const { read3mf } = await import('../3mf/read-3mf.js');
      return read3mf(bytes, options);
    }
    case 'step':
    case 'iges': {
      const { readCad } = await import('../cad/read-cad.js');
      return readCad(bytes, format, options);
    }
    case 'ifc': {
      const { readIfc } = await import('../ifc/read-ifc.js');
      return readIfc(bytes, options);
    }
    default:
      throw new NearfieldError(
        'file-format',
        `byte 0: unknown format, by the file's name and by its content; give the option format: ${MODEL_FORMATS.join(', ')}.`,
        { byte: 0 },
      );
  }
}
