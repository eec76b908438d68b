import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { NearfieldError } from '../../core/errors.js';
import { reportProgress } from '../../core/progress.js';
import { makeDemoFiles } from '../../samples/demo/demo-files.js';
import { readBytes, saveBytes } from '../load-model.js';
import { columns, readable } from '../table.js';
import type { Verb } from '../verb.js';

const FOLDER = 'nearfield-demo';

export const demo: Verb = {
  name: 'demo',
  summary: 'writes sample files, on which the command lines of the documentation can be tried',
  usage: 'demo [FOLDER]',
  help: `Writes models, an assembly with faults, motions, drawings, scenes and planning problems into FOLDER (default
${FOLDER}), which is created. A file that is there already with other content is left alone, and nothing is written.

  nearfield demo samples && cd samples
  nearfield clash gearbox.glb --clearance 0.5 --unit mm --report clashes.html`,
  options: {},
  async run(input) {
    if (input.positionals.length > 1) {
      throw new NearfieldError('bad-argument', 'demo takes one FOLDER; give its name, or none for nearfield-demo');
    }
    const folder = input.positionals[0] ?? FOLDER;
    reportProgress(input.progress, 0, 'sample files');
    const files = await makeDemoFiles();
    for (const { name, bytes } of files) {
      const path = join(folder, name);
      const known = await readBytes(path).catch(() => null);
      if (known !== null && Buffer.compare(known, bytes) !== 0) {
        throw new NearfieldError('bad-argument', `${path}: is there already with other content; give another FOLDER`);
      }
    }
    for (const { name, bytes } of files) {
      const path = join(folder, name);
      await createFolder(dirname(path));
      await saveBytes(path, bytes);
    }
    return {
      json: {
        folder,
        written: files.map(({ name, description, bytes }) => ({
          name,
          output: join(folder, name),
          bytes: bytes.length,
          description,
        })),
      },
      text: columns(
        ['file', 'bytes', 'what it is'],
        files.map(({ name, description, bytes }) => [join(folder, name), readable(bytes.length), description]),
      ),
    };
  },
};

async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw new NearfieldError('bad-argument', `${folder}: the folder cannot be created (${(error as Error).message})`);
  }
}
