import { nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { writeObj } from '../formats/write-obj.js';
import { writeOff } from '../formats/write-off.js';
import { writePly, writePlyText } from '../formats/write-ply.js';
import { writeStl, writeStlText } from '../formats/write-stl.js';
import { assertAnimation, type ModelAnimation } from './model-animation.js';
import { assertModel, createModel, type ModelFile, mergeParts } from './model-file.js';

/** The formats that {@link writeModel} writes. `stl` and `ply` are binary. */
export const OUTPUT_FORMATS = ['obj', 'stl', 'stl-ascii', 'ply', 'ply-ascii', 'off', 'glb'] as const;

/** A file format that can be written. */
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export interface WriteOptions extends ProgressOptions {
  /** The name of a mesh in formats that have names; "model" by default. */
  readonly name?: string | undefined;
  /** How the parts move. GLB only. */
  readonly animation?: ModelAnimation | undefined;
}

const WRITE_OPTIONS = optionTable<WriteOptions>()({
  name: checkedElsewhere<string>('model'),
  // Checked with the model that it moves.
  animation: checkedElsewhere<ModelAnimation>(),
  ...PROGRESS_RULES,
});

/**
 * The bytes of a model file. GLB keeps meshes, parts, placements and colors, in single precision; a placement with
 * shear, which glTF lacks, is applied to a copy of its mesh. In the other formats all parts are one mesh in the world
 * frame; OBJ also keeps the groups. OBJ, PLY, OFF and text STL keep every digit; binary STL has single precision.
 * @throws NearfieldError for an invalid mesh or model, and `unsupported` for a coordinate that does not fit single
 * precision.
 */
export async function writeModel(
  model: Mesh | ModelFile,
  format: OutputFormat,
  options: WriteOptions = {},
): Promise<Uint8Array> {
  if (!OUTPUT_FORMATS.includes(format)) {
    throw new NearfieldError(
      'bad-argument',
      `There is no output format "${format}"; the formats are ${OUTPUT_FORMATS.join(', ')}.`,
    );
  }
  if (model === null || typeof model !== 'object') {
    throw new NearfieldError('bad-argument', `The model is ${nameValue(model)}; give a mesh or a ModelFile.`);
  }
  WRITE_OPTIONS.assert(options);
  reportProgress(options, 0, `writing ${format}`);
  const file = 'parts' in model ? model : createModel({ name: options.name ?? 'model', mesh: model }, 'obj');
  const { animation } = options;
  if (format === 'glb') {
    assertModel(file);
    if (animation !== undefined) assertAnimation(animation, file);
    // Loaded only when a GLB file is written.
    const { writeGlb } = await import('../gltf/write-glb.js');
    return writeGlb(file, animation ?? null);
  }
  if (animation !== undefined) {
    throw new NearfieldError('bad-argument', `${format} holds no animation; write glb, or leave the animation out.`);
  }
  const { mesh, groups } = mergeParts(file);
  const name = options.name ?? file.parts[0].name;
  switch (format) {
    case 'obj':
      return writeObj(mesh, groups);
    case 'stl':
      return writeStl(mesh);
    case 'stl-ascii':
      return writeStlText(mesh, name);
    case 'ply':
      return writePly(mesh);
    case 'ply-ascii':
      return writePlyText(mesh);
    case 'off':
      return writeOff(mesh);
  }
}
