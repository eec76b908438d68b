// Code for the scenes of fields and solids.
import type { Box, ReadonlyVec3 } from 'nearfield/core';
import type { FieldOptions } from 'nearfield/field';
import {
  commandText,
  filesOf,
  flag,
  type Imports,
  listText,
  objectText,
  programText,
  type Source,
  type ViewCode,
  word,
} from './view-code.js';

export interface FieldView {
  /** The box of the grid before its sides are rounded up to the spacing. */
  readonly box: Box;
  readonly resolution: number;
  readonly probe: ReadonlyVec3;
  readonly options: Pick<FieldOptions, 'method' | 'sides' | 'order' | 'band' | 'bandWidth'>;
}

export function fieldCode(source: Source, { box, resolution, probe, options }: FieldView): ViewCode {
  const names: Readonly<Record<string, string>> = { bandWidth: 'band-width' };
  const flags = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [flag(names[name] ?? name, value as string | number)],
  );
  return onMesh(
    source,
    { 'nearfield/field': ['computeField', 'gridOverBox', 'sampleField'] },
    [
      `const grid = gridOverBox({ min: ${listText(box.min)}, max: ${listText(box.max)} }, ${resolution});`,
      `const field = await computeField(mesh, grid, ${objectText(options)});`,
      `console.log(sampleField(field, ${listText(probe)}, { outside: 'clamp' }));`,
    ],
    [
      'field',
      flag('resolution', resolution),
      flag('box', [...box.min, ...box.max]),
      ...flags,
      flag('probe', probe),
      '-o field.npy -o slice.png',
    ],
  );
}

export function offsetCode(
  source: Source,
  { distance, shell, resolution }: { distance: number; shell: number | null; resolution: number },
): ViewCode {
  const options = { distance, shell: shell ?? undefined, resolution };
  return onMesh(
    source,
    { 'node:fs/promises': ['writeFile'], 'nearfield/field': ['offsetMesh'], 'nearfield/io': ['writeModel'] },
    [
      `const offset = offsetMesh(mesh, ${objectText(options)});`,
      'console.log(offset.error);',
      "await writeFile('offset.stl', await writeModel(offset.mesh, 'stl'));",
    ],
    [
      'offset',
      flag('distance', distance),
      ...(shell === null ? [] : [flag('shell', shell)]),
      flag('resolution', resolution),
      '-o offset.stl',
    ],
  );
}

export function solidifyCode(source: Source, options: { resolution: number; rule: string }): ViewCode {
  return onMesh(
    source,
    { 'node:fs/promises': ['writeFile'], 'nearfield/field': ['solidify'], 'nearfield/io': ['writeModel'] },
    [
      `const solid = solidify(mesh, ${objectText(options)});`,
      'console.log(solid.distance.toInput);',
      "await writeFile('solid.stl', await writeModel(solid.mesh, 'stl'));",
    ],
    ['solidify', flag('resolution', options.resolution), flag('rule', options.rule), '-o solid.stl'],
  );
}

/** Code that does something with one mesh; of the command, the verb and what follows the name of the file. */
export function onMesh(
  source: Source,
  imports: Imports,
  lines: readonly string[],
  [verb, ...flags]: readonly string[],
): ViewCode {
  return {
    typescript: programText([source.imports, imports], [`const mesh = ${source.expression};`, ...lines]),
    command: commandText([source], ['nearfield', verb, word(source.file), ...flags].join(' ')),
    files: filesOf([source]),
  };
}
