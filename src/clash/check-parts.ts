// Checks of the parts of an assembly and of the clashes found among them.
import { nameValue } from '../core/check/check-options.js';
import { NearfieldError } from '../core/errors.js';
import { assertModel } from '../proximity/arguments.js';
import type { AssemblyPart } from './assembly.js';

/** Refuses what is not a list of parts, each with a model. */
export function assertParts(parts: readonly AssemblyPart[]): void {
  if (!Array.isArray(parts)) {
    const isFile = Array.isArray((parts as { meshes?: unknown } | null | undefined)?.meshes);
    throw new NearfieldError(
      'bad-argument',
      isFile
        ? 'The parts are a model file; call buildAssembly(modelFile) first, and give what it returns.'
        : `The parts are ${nameValue(parts)}; give an array of { name, model, pose }, as buildAssembly makes.`,
    );
  }
  for (const [index, part] of parts.entries()) assertModel(part?.model, `The model of part ${index}`);
}

/** Refuses what is not a list of pairs of parts. */
export function assertClashes(clashes: readonly { readonly a: number; readonly b: number }[], partCount: number): void {
  if (!Array.isArray(clashes)) {
    throw new NearfieldError(
      'bad-argument',
      `The clashes are ${nameValue(clashes)}; give the array \`clashes\` of what findClashes returns.`,
    );
  }
  const isPart = (part: unknown): boolean =>
    Number.isInteger(part) && (part as number) >= 0 && (part as number) < partCount;
  for (const [index, clash] of clashes.entries()) {
    if (isPart(clash?.a) && isPart(clash.b)) continue;
    throw new NearfieldError(
      'index-out-of-range',
      `Clash ${index} is not one of two of the ${partCount} parts; give the parts in which it was found.`,
    );
  }
}
