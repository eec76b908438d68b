import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NearfieldError } from '../../core/errors.js';
import { reportProgress } from '../../core/progress.js';
import { writeModel } from '../../io/model/write-model.js';
import { models as catalogue, findModel } from '../../models/catalogue.js';
import type { ModelDefinition } from '../../models/model.js';
import { parseNumber, takeString } from '../arguments.js';
import { saveBytes } from '../load-model.js';
import { OUTPUT_FORMATS_HELP, outputFormat } from '../output-format.js';
import { columns, readable } from '../table.js';
import type { Answer, Verb, VerbInput } from '../verb.js';

export const models: Verb = {
  name: 'models',
  summary: 'lists the procedural models, or writes them to files',
  usage: 'models [NAME -o OUT [--set PARAMETER=VALUE …]] [--all -o FOLDER]',
  help: `Without arguments it lists the models with their parameters and triangle counts.
  -o, --output OUT      the file to write (with --all: the folder)
  --set NAME=VALUE      set a parameter of the model; may be repeated
  --all                 write every model into the folder
${OUTPUT_FORMATS_HELP}

  nearfield models torus -o torus.obj --set majorSegments=64
  nearfield models --all -o models --format glb`,
  options: {
    output: { type: 'string', short: 'o' },
    format: { type: 'string' },
    set: { type: 'string', multiple: true },
    all: { type: 'boolean' },
  },
  async run(input) {
    const output = takeString(input, 'output');
    if (input.values.all) return writeAll(input, output);
    const [name, ...more] = input.positionals;
    if (more.length > 0) throw new NearfieldError('bad-argument', 'models takes one model at a time, or --all');
    if (name === undefined) {
      if (output !== null) throw new NearfieldError('bad-argument', '-o needs the name of a model, or --all');
      return list(input);
    }
    const model = findModel(name);
    const parameters = parseSettings(model, input.values.set);
    if (output === null) throw new NearfieldError('bad-argument', `models ${name} needs -o OUT, the file to write`);
    const format = outputFormat(output, takeString(input, 'format'));
    const mesh = model.build(parameters);
    const bytes = await writeModel(mesh, format);
    await saveBytes(output, bytes);
    const triangles = mesh.indices.length / 3;
    return {
      json: { name, output, format, triangles, vertices: mesh.positions.length / 3, bytes: bytes.length },
      text: `${output}: ${model.title}, ${readable(triangles)} triangles`,
    };
  },
};

function list(input: VerbInput): Answer {
  const entries = catalogue.map((model, index) => {
    reportProgress(input.progress, index / catalogue.length, model.name);
    const { name, title, description, parameters } = model;
    return { name, title, description, parameters, triangles: model.build().indices.length / 3 };
  });
  return {
    json: { models: entries },
    text: columns(
      ['model', 'triangles', 'parameters', 'what it is'],
      entries.map(({ name, triangles, parameters, description }) => [
        name,
        readable(triangles),
        Object.keys(parameters).join(', '),
        description,
      ]),
    ),
  };
}

async function writeAll(input: VerbInput, folder: string | null): Promise<Answer> {
  if (folder === null) throw new NearfieldError('bad-argument', 'models --all needs -o FOLDER');
  if (input.positionals.length > 0 || input.values.set !== undefined) {
    throw new NearfieldError('bad-argument', 'models --all uses the defaults of every model; give no names, no --set');
  }
  const asked = takeString(input, 'format') ?? 'ply';
  const format = outputFormat('', asked);
  const ending = asked.replace('-ascii', '');
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw new NearfieldError('bad-argument', `${folder}: the folder cannot be created (${(error as Error).message})`);
  }
  const written: { name: string; output: string; triangles: number }[] = [];
  for (const [index, model] of catalogue.entries()) {
    reportProgress(input.progress, index / catalogue.length, model.name);
    const mesh = model.build();
    const output = join(folder, `${model.name}.${ending}`);
    await saveBytes(output, await writeModel(mesh, format));
    written.push({ name: model.name, output, triangles: mesh.indices.length / 3 });
  }
  return { json: { folder, format, written }, text: `${folder}: ${written.length} models written` };
}

function parseSettings(model: ModelDefinition, settings: VerbInput['values'][string]): Record<string, number> {
  const words = Array.isArray(settings) ? settings : [];
  return Object.fromEntries(
    words.map((word) => {
      const [, name, value] = /^([^=]+)=(.*)$/.exec(String(word)) ?? [];
      if (name === undefined) {
        throw new NearfieldError('bad-argument', `--set ${word}: write PARAMETER=VALUE, as in --set segments=64`);
      }
      return [name, parseNumber(value, `${name} of ${model.name}`)];
    }),
  );
}
