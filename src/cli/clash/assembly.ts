// The parts of one or more model files as rigid bodies.

import { type AssemblyPart, buildAssembly } from '../../clash/assembly.js';
import { type ProgressOptions, partOfProgress } from '../../core/progress.js';
import type { ModelFile } from '../../io/model/model-file.js';
import { loadModel } from '../load-model.js';

/** Every part of every file, in order. With several files a part is named after its file. */
export async function loadAssembly(paths: readonly string[], progress: ProgressOptions = {}): Promise<AssemblyPart[]> {
  const models: ModelFile[] = [];
  for (const [index, path] of paths.entries()) {
    models.push(
      await loadModel(path, partOfProgress(progress, (0.8 * index) / paths.length, (0.8 * (index + 1)) / paths.length)),
    );
  }
  return buildAssembly(models, { ...partOfProgress(progress, 0.8, 1), modelNames: paths });
}
