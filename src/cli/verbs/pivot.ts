import { NearfieldError } from '../../core/errors.js';
import { parseNumber, takeLength, takePositionals, takeString } from '../arguments.js';
import { extensionOf } from '../load-model.js';
import { pivotDrawings } from '../pivot/pivot-drawings.js';
import { pivotMeshes } from '../pivot/pivot-meshes.js';
import { describePivot } from '../pivot/pivot-report.js';
import type { Verb, VerbInput } from '../verb.js';

export const pivot: Verb = {
  name: 'pivot',
  summary: 'finds penetrating points, contacts and the separation of two drawings or meshes, within an error',
  usage: 'pivot A B [--error D] [--threshold T] [--pose-a P] [--pose-b P]',
  help: `A and B are two SVG drawings, of which the filled shapes count, or two closed meshes. Nothing is precomputed: the
answer comes from samples that are as dense as the error asks (PIVOT; Hoff, Zaferakis, Lin and Manocha 2001).
  --error D            the largest error of every place and depth (default: 0.2 % of the smaller drawing's diagonal, 1 % of
                       the smaller mesh's). In drawings it includes the lines that replace curves
  --threshold T        list the contacts within T of each other (default: twice the error)
  --pose-a P, --pose-b P   where they are: x,y,angle for drawings, tx,ty,tz,qx,qy,qz,qw for meshes

  nearfield pivot gear.svg rack.svg --error 0.01
  nearfield pivot gear.svg rack.svg --pose-b 0,0.2,0.1 --json | jq .penetrating
  nearfield pivot liver.stl stomach.stl --error 0.5 --threshold 2`,
  options: {
    error: { type: 'string' },
    threshold: { type: 'string' },
    'pose-a': { type: 'string' },
    'pose-b': { type: 'string' },
  },
  async run(input) {
    const [pathA, pathB] = takePositionals(input, 'pivot', ['A', 'B']);
    const drawings = [pathA, pathB].filter((path) => extensionOf(path) === 'svg').length;
    if (drawings === 1) {
      throw new NearfieldError('bad-argument', `${pathA} and ${pathB}: give two drawings (.svg) or two meshes`);
    }
    const numbers = drawings === 2 ? 3 : 7;
    const request = {
      pathA,
      pathB,
      poseA: takeNumbers(input, 'pose-a', numbers),
      poseB: takeNumbers(input, 'pose-b', numbers),
      error: takeError(input),
      threshold: takeLength(input, 'threshold'),
    };
    return describePivot(drawings === 2 ? await pivotDrawings(request) : await pivotMeshes(request, input.progress));
  },
};

function takeError(input: VerbInput): number | undefined {
  const error = takeLength(input, 'error');
  if (error === 0) throw new NearfieldError('bad-argument', '--error is 0; give a positive length');
  return error ?? undefined;
}

function takeNumbers(input: VerbInput, name: string, count: number): number[] | null {
  const text = takeString(input, name);
  if (text === null) return null;
  const numbers = text.split(',').map((word, i) => parseNumber(word, `number ${i} of --${name}`));
  if (numbers.length === count) return numbers;
  const form = count === 3 ? 'x,y,angle, for drawings' : 'tx,ty,tz,qx,qy,qz,qw, for meshes';
  throw new NearfieldError('bad-argument', `--${name} has ${numbers.length} numbers; give ${count}: ${form}`);
}
