import type { AssemblyPart } from '../../clash/assembly.js';
import { NearfieldError } from '../../core/errors.js';
import * as pose from '../../core/pose.js';
import { partOfProgress } from '../../core/progress.js';
import { length } from '../../core/vec3.js';
import type { ModelFile } from '../../io/model/model-file.js';
import { writeModel } from '../../io/model/write-model.js';
import { type SeparateResult, separateBodies } from '../../penetration/motion/separate-bodies.js';
import { preparePenetration } from '../../penetration/prepare-penetration.js';
import { takeNumber, takeString } from '../arguments.js';
import { loadAssembly } from '../clash/assembly.js';
import { nameFile, saveBytes } from '../load-model.js';
import { OUTPUT_FORMATS_HELP, takeOutputFormat } from '../output-format.js';
import { columns, labeled, readable, readableVector } from '../table.js';
import type { Verb, VerbInput } from '../verb.js';

/** Chosen: parts that are printed without --json. */
const PARTS_SHOWN = 30;

export const separate: Verb = {
  name: 'separate',
  summary: 'moves the parts of an assembly apart until none overlap, and lists what it moved',
  usage: 'separate FILE… [--fix PART] [--rounds N] [-o SEPARATED.glb]',
  help: `Takes the parts of one or more files. A GLB has parts and instances; an STL or OBJ file is one part. All must be solids.
Each round moves every overlapping pair apart by the shortest translation, shared between the two parts. No part is
rotated. Parts that only touch are not moved.
  --fix PART           do not move PART, named as in the table; may be repeated
  --rounds N           do at most N rounds (default: depends on the number of parts)
  -o, --output OUT     write the parts in their new places; .glb keeps them as separate parts
${OUTPUT_FORMATS_HELP}

  nearfield separate pile.glb -o apart.glb
  nearfield separate box.stl a.stl b.stl --fix box.stl --json | jq '.moved[0]'`,
  options: {
    fix: { type: 'string', multiple: true },
    rounds: { type: 'string' },
    output: { type: 'string', short: 'o' },
    format: { type: 'string' },
  },
  async run(input) {
    const files = input.positionals;
    if (files.length === 0) {
      throw new NearfieldError(
        'bad-argument',
        'separate takes FILE…, at least one model. See nearfield separate --help',
      );
    }
    const maxRounds =
      takeString(input, 'rounds') === null ? undefined : takeNumber(input, 'rounds', 0, { min: 0, integer: true });
    const output = takeString(input, 'output');
    const format = takeOutputFormat(input, output);
    const { parts } = await loadAssembly(files, partOfProgress(input.progress, 0, 0.2));
    const fixed = takeFixed(input, parts);
    for (const { name, model } of parts) nameFile(name, () => preparePenetration(model));
    const start = performance.now();
    const result = separateBodies(
      parts.map(({ model, pose }, i) => ({ model, pose, fixed: fixed.has(i) })),
      { maxRounds, ...partOfProgress(input.progress, 0.2, 1) },
    );
    const milliseconds = performance.now() - start;
    if (output !== null && format !== null) {
      await saveBytes(output, await writeModel(placeParts(parts, result), format));
    }
    const names = parts.map(({ name }) => name);
    const moved = listMoved(names, result);
    const { status, rounds, pairs, remaining } = result;
    return {
      json: {
        parts: parts.length,
        status,
        rounds: rounds.length,
        moved,
        pairs: pairs.map(({ a, b, ...rest }) => ({ a: names[a], b: names[b], indexA: a, indexB: b, ...rest })),
        remaining: remaining.map(([a, b]) => ({ a: names[a], b: names[b], indexA: a, indexB: b })),
        roundFigures: rounds,
        fixed: [...fixed].map((i) => names[i]),
        names,
        milliseconds,
        ...(output !== null && { output }),
      },
      text: [
        labeled([
          ['parts', readable(parts.length)],
          ['status', describeStatus(result)],
          [
            'moved',
            moved.length === 0 ? 'nothing' : `${readable(moved.length)} of them, in ${count(rounds.length, 'round')}`,
          ],
          ['milliseconds', milliseconds.toFixed(1)],
          ...(output === null ? [] : [['output', output] as const]),
        ]),
        ...(moved.length === 0 ? [] : ['', describeMoved(moved)]),
        ...(moved.length > PARTS_SHOWN
          ? [`… and ${readable(moved.length - PARTS_SHOWN)} more: --json has them all`]
          : []),
      ].join('\n'),
    };
  },
};

interface MovedPart {
  readonly name: string;
  readonly index: number;
  readonly vector: readonly number[];
  readonly distance: number;
}

/** The indices of the parts that stay. */
function takeFixed(input: VerbInput, parts: readonly AssemblyPart[]): Set<number> {
  const asked = (input.values.fix ?? []) as readonly string[];
  return new Set(
    asked.map((name) => {
      const index = parts.findIndex((part) => part.name === name);
      if (index >= 0) return index;
      const some = parts.slice(0, 8).map((part) => `"${part.name}"`);
      throw new NearfieldError(
        'bad-argument',
        `--fix is "${name}", but no part has this name; the parts are ${some.join(', ')}${parts.length > 8 ? ', …' : ''}`,
      );
    }),
  );
}

function listMoved(names: readonly string[], { moves }: SeparateResult): MovedPart[] {
  return names
    .map((name, index) => ({ name, index, vector: moves[index], distance: length(moves[index]) }))
    .filter(({ distance }) => distance > 0);
}

function describeStatus({ status, pairs, remaining }: SeparateResult): string {
  if (status === 'rounds')
    return `${count(remaining.length, 'pair')} still overlap after all rounds; allow more with --rounds`;
  return pairs.length === 0 ? 'no parts overlap' : `separated: ${count(pairs.length, 'pair')} moved apart`;
}

function describeMoved(moved: readonly MovedPart[]): string {
  return columns(
    ['part', 'distance', 'moved by'],
    moved.slice(0, PARTS_SHOWN).map(({ name, vector, distance }) => [name, readable(distance), readableVector(vector)]),
  );
}

function count(number: number, what: string): string {
  return `${readable(number)} ${what}${number === 1 ? '' : 's'}`;
}

/** The parts in their new places; parts of one model share its mesh. */
function placeParts(parts: readonly AssemblyPart[], { poses }: SeparateResult): ModelFile {
  const models = [...new Set(parts.map(({ model }) => model))];
  const nameOf = new Map(parts.map(({ name, model }) => [model, name]));
  return {
    format: 'glb',
    meshes: models.map((model) => ({ name: nameOf.get(model)!, mesh: model.mesh })),
    parts: parts.map(({ name, model }, i) => ({
      name,
      meshIndex: models.indexOf(model),
      transform: pose.toMatrix4(poses[i]),
    })),
  };
}
