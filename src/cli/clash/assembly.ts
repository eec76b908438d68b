// The parts of one or more model files as rigid bodies, in one unit of length.

import { type AssemblyPart, buildAssembly } from '../../clash/assembly.js';
import type { AssemblyMotion } from '../../clash/moving-clashes.js';
import { multiplyMatrices } from '../../core/affine.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, partOfProgress } from '../../core/progress.js';
import { splitPlacement } from '../../core/split-placement.js';
import type { ModelFile } from '../../io/model/model-file.js';
import { type LoadOptions, loadModel } from '../load-model.js';
import { metersOf, unitName } from '../units.js';

/** How files are read and measured. */
export interface AssemblyRequest extends LoadOptions {
  /** The unit of the answer, and of files that do not say theirs; null: the unit of the first file. */
  readonly unit?: string | null | undefined;
}

/** The parts of all files. */
export interface LoadedAssembly {
  readonly parts: AssemblyPart[];
  /** The unit of all lengths, in meters; null if nobody knows it. */
  readonly unit: number | null;
  /** The motion that the files have; null where it was not asked for, or none has one. */
  readonly motion: AssemblyMotion | null;
}

/** Every part of every file, in order. With several files a part is named after its file. */
export async function loadAssembly(paths: readonly string[], request: AssemblyRequest = {}): Promise<LoadedAssembly> {
  const { unit: asked = null, chordError, motion, ...progress } = request;
  const models: ModelFile[] = [];
  for (const [index, path] of paths.entries()) {
    const share = partOfProgress(progress, (0.6 * index) / paths.length, (0.6 * (index + 1)) / paths.length);
    models.push(await loadModel(path, { ...share, chordError, motion }));
  }
  const unit = chooseUnit(paths, models, asked);
  const scaled = models.map((model) =>
    isSure(model) && unit !== null ? scaleModel(model, model.unit! / unit) : model,
  );
  return { parts: assemble(paths, scaled, partOfProgress(progress, 0.6, 1)), unit, motion: joinMotions(scaled) };
}

/** The motion of all parts in the time of the first file that has one. */
function joinMotions(models: readonly ModelFile[]): AssemblyMotion | null {
  const first = models.find(({ motion }) => motion !== undefined);
  if (first === undefined) return null;
  const { times } = first.motion!;
  const poses = models.flatMap((model) =>
    model.parts.map((_, part) =>
      model === first ? (first.motion!.transforms[part]?.map((matrix) => splitPlacement(matrix).pose) ?? null) : null,
    ),
  );
  return { times, poses };
}

function assemble(paths: readonly string[], models: readonly ModelFile[], progress: ProgressOptions): AssemblyPart[] {
  return buildAssembly(models, { ...progress, modelNames: paths });
}

/** Whether the unit of a file is what it says. Meters are the rule of glTF, to which many programs do not keep. */
function isSure({ format, unit }: ModelFile): boolean {
  return unit !== undefined && format !== 'gltf' && format !== 'glb';
}

/** The unit of the answer in meters. */
function chooseUnit(paths: readonly string[], models: readonly ModelFile[], asked: string | null): number | null {
  if (asked !== null) return metersOf(asked);
  const sure = models.find(isSure);
  if (sure === undefined) return models.every(({ unit }) => unit !== undefined) ? models[0].unit! : null;
  const unsure = models.findIndex(({ unit }) => unit === undefined);
  if (unsure >= 0) {
    throw new NearfieldError(
      'bad-argument',
      `${paths[unsure]} does not say its unit of length, and ${paths[models.indexOf(sure)]} is in ${unitName(sure.unit!)}; ` +
        'give --unit, the unit of the files that do not say theirs and of the answer',
    );
  }
  return models[0].unit!;
}

function scaleModel(model: ModelFile, factor: number): ModelFile {
  if (factor === 1) return model;
  const scale = Float64Array.of(factor, 0, 0, 0, 0, factor, 0, 0, 0, 0, factor, 0, 0, 0, 0, 1);
  return {
    ...model,
    // The error of the chord is stretched with the parts, by the scale that their placements now have.
    parts: model.parts.map((part) => ({ ...part, transform: multiplyMatrices(scale, part.transform) })),
  };
}
