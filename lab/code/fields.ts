// Code for the scenes of fields and solids.
import type { Box, ReadonlyVec3 } from 'nearfield/core';
import type { FieldOptions, UpdateOptions } from 'nearfield/field';
import { writeNpy } from 'nearfield/io';
import {
  commandText,
  filesOf,
  flag,
  type Imports,
  listText,
  objectText,
  programText,
  quoted,
  READ_FILE,
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

export interface ArrivalView {
  readonly size: readonly [number, number];
  readonly resolution: number;
  readonly order: 1 | 2;
  readonly start: readonly number[];
  readonly goal: readonly number[];
  /** Of the disc that the front starts from. */
  readonly radius: number;
}

const SPEED = 'speed.npy';

/** @param speeds at the nodes of the grid, and how many there are along x and y */
export function arrivalCode(
  { size, resolution, order, start, goal, radius }: ArrivalView,
  speeds: () => { values: Float64Array; size: readonly number[] },
): ViewCode {
  const [x, y] = start;
  return {
    typescript: programText(
      [
        READ_FILE,
        { 'nearfield/field': ['FieldSampler', 'computeFieldSync', 'gridOverBox'], 'nearfield/io': ['readNpy'] },
      ],
      [
        `const grid = gridOverBox({ min: [0, 0, 0], max: ${listText([...size, 0])} }, ${resolution});`,
        `const speed = Float64Array.from(readNpy(await readFile(${quoted(SPEED)})).values); // 0 in walls`,
        `const disc = { value: (x: number, y: number) => Math.hypot(x - ${x}, y - ${y}) - ${radius}, lipschitz: 1 };`,
        'const field = computeFieldSync(disc, grid, {',
        `  ...${objectText({ method: 'fast-marching', order, sides: 'outside' })},`,
        '  speed,',
        '});',
        'const times = { ...field, values: field.values.map((time) => Math.max(time, 0)) };',
        `console.log(new FieldSampler(times).value(${goal[0]}, ${goal[1]}, 0));`,
      ],
    ),
    command: { because: 'The command marches from a model; only the library starts at a disc in the plane.' },
    files: [
      {
        name: SPEED,
        bytes: async () => {
          const { values, size: nodes } = speeds();
          return writeNpy(values, [1, nodes[1], nodes[0]]);
        },
      },
    ],
  };
}

export interface UpdateView {
  readonly box: Box;
  readonly resolution: number;
  readonly sides: 'inside' | 'both';
  readonly options: UpdateOptions;
}

/** The field of a mesh, updated for another one with the same triangles, and compared with one computed anew. */
export function updateCode(source: Source, moved: Source, { box, resolution, sides, options }: UpdateView): ViewCode {
  const { border, boxes = [] } = options;
  const how = objectText({ method: 'fast-marching', order: 2, sides });
  return {
    typescript: programText(
      [source.imports, moved.imports, { 'nearfield/field': ['MarchedField', 'compareFields', 'gridOverBox'] }],
      [
        `const mesh = ${source.expression};`,
        `const moved = ${moved.expression}; // the same triangles, elsewhere`,
        `const grid = gridOverBox({ min: ${listText(box.min)}, max: ${listText(box.max)} }, ${resolution});`,
        `const how = ${how} as const;`,
        'const marched = new MarchedField(mesh, grid, how);',
        'const begin = performance.now();',
        `const update = marched.update(moved, ${objectText({ border, ...(boxes.length > 0 && { boxes }) })});`,
        'const between = performance.now();',
        'const full = new MarchedField(moved, grid, how);',
        'const end = performance.now();',
        'console.log(update.status, update.nodes, compareFields(marched.field, full.field).max);',
        "console.log((end - between) / (between - begin), 'times faster');",
      ],
    ),
    command: commandText(
      [source],
      [
        'nearfield field',
        word(source.file),
        flag('moved', word(moved.file)),
        flag('resolution', resolution),
        flag('box', [...box.min, ...box.max]),
        flag('sides', sides),
        ...(border === undefined ? [] : [flag('update-border', border)]),
        ...boxes.map(({ min, max }) => flag('update-box', [...min, ...max])),
      ].join(' '),
    ),
    files: filesOf([source, moved]),
  };
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
      'console.log(offset.error.inward, offset.error.outward);',
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
