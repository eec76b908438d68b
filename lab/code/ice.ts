// Code for the scenes of ice: growth in a dish with what was painted, and frost on a model.
import type { IceStroke } from 'nearfield/ice';
import { ICE_DEFAULTS } from 'nearfield/ice';
import {
  commandText,
  filesOf,
  flag,
  listText,
  objectText,
  programText,
  type Source,
  type ViewCode,
  word,
} from './view-code.js';

export interface IceView {
  readonly preset: string;
  /** Cells along a side. */
  readonly size: number;
  readonly fold: number;
  readonly delta: number;
  /** In degrees. */
  readonly orientation: number;
  readonly latentHeat: number;
  readonly noise: number;
  readonly seed: number;
  readonly boundary: string;
  readonly steps: number;
  readonly strokes: readonly (IceStroke & { readonly step: number })[];
  /** Whether it was computed in single precision. */
  readonly single: boolean;
}

const ON_GPU = '// The page grows it on the GPU in single precision; this is the CPU, in double precision.';

export function iceCode({ strokes, steps, single, ...view }: IceView): ViewCode {
  const { preset, size, fold, delta, orientation, latentHeat, noise, seed, boundary } = view;
  const painted = strokes.filter(({ step }) => step <= steps);
  const lines = painted.flatMap(({ step, ...stroke }) => [
    `await ice.advance(${step} - ice.steps);`,
    `ice.paint([${objectText(stroke)}]);`,
  ]);
  return {
    typescript: programText(
      [{ 'nearfield/ice': ['createIce', 'measureIce'] }],
      [
        ...(single ? [ON_GPU] : []),
        'const ice = await createIce({',
        `  size: ${listText([size, size])},`,
        `  preset: '${preset}',`,
        `  parameters: { fold: ${fold}, orientation: (${orientation} * Math.PI) / 180, delta: ${delta}, latentHeat: ${latentHeat}, noise: ${noise} },`,
        `  seed: ${seed},`,
        `  boundary: '${boundary}',`,
        "  backend: 'cpu',",
        '});',
        ...lines,
        `await ice.advance(${steps} - ice.steps);`,
        'console.log(measureIce(await ice.read(), ice.parameters).solidFraction);',
      ],
    ),
    command:
      painted.length > 0
        ? { because: 'The command grows ice by itself; only the library paints while it grows.' }
        : commandText(
            [],
            [
              'nearfield ice',
              ...Object.entries({ preset, size, steps, seed, fold, anisotropy: delta, orientation }).map(asFlag),
              ...Object.entries({ 'latent-heat': latentHeat, noise, boundary }).map(asFlag),
              '-o ice.png',
            ].join(' '),
          ),
  };
}

export interface FrostView {
  readonly preset: string;
  readonly resolution: number;
  /** A share of the diagonal of the model. */
  readonly reach: number;
  readonly seeds: number;
  readonly seed: number;
  readonly steps: number;
  readonly single: boolean;
}

export function frostCode(source: Source, { single, reach, seeds, steps, ...view }: FrostView): ViewCode {
  const { preset, resolution, seed } = view;
  const isPlain = reach === ICE_DEFAULTS.reach && seeds === ICE_DEFAULTS.seedCount;
  const flags = Object.entries({ preset, size: resolution, steps, seed }).map(asFlag);
  return {
    typescript: programText(
      [source.imports, { 'nearfield/core': ['box'], 'nearfield/ice': ['createIceOnModel', 'measureIce'] }],
      [
        ...(single ? [ON_GPU] : []),
        `const mesh = ${source.expression};`,
        'const ice = await createIceOnModel(mesh, {',
        `  preset: '${preset}',`,
        `  resolution: ${resolution},`,
        `  reach: ${reach} * box.diagonal(box.ofPositions(mesh.positions)),`,
        `  seedCount: ${seeds},`,
        `  seed: ${seed},`,
        "  backend: 'cpu',",
        '});',
        `await ice.advance(${steps});`,
        'console.log(measureIce(await ice.read(), ice.parameters).solidFraction);',
      ],
    ),
    command: isPlain
      ? commandText([source], ['nearfield ice', flag('model', word(source.file)), ...flags, '-o frost.glb'].join(' '))
      : {
          because: `The command grows from ${ICE_DEFAULTS.seedCount} seeds, to ${ICE_DEFAULTS.reach} of the diagonal; only the library takes others.`,
        },
    files: filesOf([source]),
  };
}

function asFlag([name, value]: [string, string | number]): string {
  return flag(name, value);
}
