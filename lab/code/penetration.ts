// Code for the scenes of penetration: a pair at its poses, measured.
import type { PenetrationOptions } from 'nearfield/penetration';
import type { LoadedPair, PairValues } from '../penetration-pair.js';
import {
  chosenSource,
  commandText,
  filesOf,
  flag,
  listText,
  modelSource,
  objectText,
  programText,
  type Source,
  savedSource,
  type ViewCode,
  word,
} from './view-code.js';

const RING = { majorRadius: 1, minorRadius: 0.3 };
/** Pairs of models that the library has; those of the others are saved. */
const MODELS: Readonly<Record<string, readonly [Source, Source]>> = {
  'interlocked-tori': [modelSource('torus', RING), modelSource('torus', RING)],
  'touching-tori': [modelSource('torus', RING), modelSource('torus', RING)],
  'wrinkled-tori': [modelSource('wrinkled-torus', RING), modelSource('bent-torus', { ...RING, bend: 0.2 })],
};

/** The pair that its controls have chosen. */
export function pairSources({ pair, ...values }: PairValues, { meshes }: LoadedPair): readonly [Source, Source] {
  if (pair === 'own') {
    return [
      chosenSource({ file: values.fileA, model: values.modelA }),
      chosenSource({ file: values.fileB, model: values.modelB }),
    ];
  }
  return MODELS[pair] ?? [savedSource(`${pair}-a`, meshes[0]), savedSource(`${pair}-b`, meshes[1])];
}

type Options = Pick<PenetrationOptions, 'method' | 'relativeGap' | 'descent' | 'query' | 'resolution'>;

/** Only the options that the method uses. */
export function depthCode(sources: readonly [Source, Source], { poses }: LoadedPair, options: Options): ViewCode {
  const { method, relativeGap, descent, query, resolution } = options;
  const used = method === 'certified' ? { method, relativeGap } : { method, descent, query, resolution };
  const flags = Object.entries(used).flatMap(([name, value]) =>
    value === undefined ? [] : [flag(name === 'relativeGap' ? 'relative-gap' : name, value)],
  );
  const places = `${flag('pose-a', poses[0])} ${flag('pose-b', poses[1])}`;
  const backend = method === 'certified' ? [] : [flag('backend', 'cpu')];
  return {
    typescript: programText(
      [
        { 'nearfield/penetration': ['measurePenetration'], 'nearfield/proximity': ['ProximityModel'] },
        ...sources.map((source) => source.imports),
      ],
      [
        ...sources.map(({ expression }, i) => `const ${'ab'[i]} = new ProximityModel(${expression});`),
        ...poses.map((place, i) => `const pose${'AB'[i]} = ${listText(place)};`),
        `const result = await measurePenetration(a, b, poseA, poseB, ${objectText({ ...used, ...(backend.length > 0 && { backend: 'cpu' }) })});`,
        'console.log(result.depth, result.vector); // A moved by the vector is out of B',
      ],
    ),
    command: commandText(
      sources,
      ['nearfield penetration', ...sources.map(({ file }) => word(file)), places, ...flags, ...backend].join(' '),
    ),
    files: filesOf(sources),
  };
}
