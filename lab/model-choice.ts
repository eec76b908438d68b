// A model to work on: one of the procedural models with its initial parameters, or a file of the user.
import { NearfieldError } from 'nearfield/core';
import { type Mesh, models } from 'nearfield/mesh';
import type { Choice, FilePicker, OpenedFile } from './controls.js';
import { MODEL_FILES } from './model-files.js';
import type { Stage } from './scene.js';

const NONE = 'none';

interface ModelValues {
  readonly file: OpenedFile | null;
  readonly model: string;
}

/** The two controls; give them the names `file` and `model`. */
export function modelControls(initial: string): { readonly file: FilePicker; readonly model: Choice } {
  return {
    file: { kind: 'file', label: 'Open a file…', accept: MODEL_FILES },
    model: {
      kind: 'choice',
      label: 'Model',
      initial,
      options: [
        ...models.map(({ name, title }) => ({ value: name, label: title, group: groupOf(name) })),
        { value: NONE, label: 'None: the file above' },
      ],
    },
  };
}

/** For a scene's `follow`: a file replaces the model, and a model replaces the file. */
export function followModel(changed: string): Partial<{ file: null; model: string }> {
  if (changed === 'file') return { model: NONE };
  return changed === 'model' ? { file: null } : {};
}

/** The mesh chosen. */
export async function loadModel({ file, model }: ModelValues, run: Stage['run']): Promise<Mesh> {
  if (file !== null) return (await run('readFile', { name: file.name, bytes: file.bytes })).mesh;
  if (model === NONE) {
    throw new NearfieldError('file-not-found', 'No file is open. Drop one on this page, pick one, or choose a model.');
  }
  return run('buildModel', { model });
}

function groupOf(name: string): string {
  return /^(letter|digit)-/.test(name) ? 'Letters and digits' : 'Shapes';
}
