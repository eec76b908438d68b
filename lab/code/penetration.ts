// Code for the scenes of penetration: a pair at its poses, measured.
import type { Pose } from 'nearfield/core';
import { findModel } from 'nearfield/mesh';
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
  savedParts,
  savedSource,
  type ViewCode,
  valueText,
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

type Options = Pick<
  PenetrationOptions,
  'method' | 'relativeGap' | 'descent' | 'query' | 'resolution' | 'coarseResolution'
>;

const FLAGS: Readonly<Record<string, string>> = {
  relativeGap: 'relative-gap',
  coarseResolution: 'coarse-resolution',
};

/** Only the options that the method uses. */
export function depthCode(sources: readonly [Source, Source], { poses }: LoadedPair, options: Options): ViewCode {
  const { method, relativeGap, ...ofImages } = options;
  const used = method === 'certified' ? { method, relativeGap } : { method, ...ofImages };
  const flags = Object.entries(used).flatMap(([name, value]) =>
    value === undefined ? [] : [flag(FLAGS[name] ?? name, value)],
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

export interface HeapView {
  /** The models of the letters, and where they are. */
  readonly letters: readonly { readonly model: string; readonly pose: Pose }[];
  readonly firstStays: boolean;
  /** Null for as many rounds as it takes. */
  readonly rounds: number | null;
}

export function untangleCode({ letters, firstStays, rounds }: HeapView): ViewCode {
  const models = [...new Set(letters.map(({ model }) => model))];
  const bodies = letters.map(
    ({ model, pose }, i) =>
      `  { model: models[${models.indexOf(model)}], pose: ${listText(pose)}${firstStays && i === 0 ? ', fixed: true' : ''} },`,
  );
  const parts = letters.map(({ model, pose }, i) => ({ name: `${model}-${i + 1}`, model, pose }));
  const file = 'heap.glb';
  return {
    typescript: programText(
      [
        {
          'nearfield/mesh': ['findModel'],
          'nearfield/penetration': ['separateBodies', 'type TangledBody'],
          'nearfield/proximity': ['ProximityModel'],
        },
      ],
      [
        `const models = ${valueText(models)}.map((name) => new ProximityModel(findModel(name).build()));`,
        'const bodies: TangledBody[] = [',
        ...bodies,
        '];',
        `const { remaining, moves } = separateBodies(bodies${rounds === null ? '' : `, { maxRounds: ${rounds} }`});`,
        'console.log(remaining.length); // pairs that still overlap',
        'for (const [x, y, z] of moves) console.log(Math.hypot(x, y, z));',
      ],
    ),
    command: commandText(
      [],
      [
        `nearfield separate ${file}`,
        ...(rounds === null ? [] : [flag('rounds', rounds)]),
        ...(firstStays ? [`--fix=${word(parts[0].name)}`] : []),
        '-o apart.glb',
      ].join(' '),
    ),
    files: [
      {
        ...savedParts(file, async () => {
          const meshes = new Map(models.map((model) => [model, findModel(model).build()]));
          return parts.map(({ name, model, pose }) => ({ name, pose, mesh: meshes.get(model)! }));
        }),
        only: 'command',
      },
    ],
  };
}
