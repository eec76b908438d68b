// Code for the scenes of proximity: pairs at poses, an assembly, a motion.
import type { Pose } from 'nearfield/core';
import { writeModel } from 'nearfield/io';
import { buildGearbox } from 'nearfield/proximity';
import type { OpenedFile } from '../controls.js';
import type { OpenedScenario, ProximityQuery } from '../worker/proximity-answer.js';
import {
  commandText,
  filesOf,
  flag,
  listText,
  modelSource,
  objectText,
  programText,
  readText,
  type Source,
  savedSource,
  type ViewCode,
  word,
} from './view-code.js';

/** Models of scenarios that the library has as they are; the bodies of the others are saved. */
const MODELS: Readonly<Record<string, readonly string[]>> = {
  'cup-spoon': ['cup', 'spoon'],
  'interlocked-tori': ['wrinkled-torus', 'bent-torus'],
  'teeth-shifting': ['teeth-upper', 'teeth-lower'],
  'teeth-opening': ['teeth-upper', 'teeth-lower'],
};

export interface ScenarioView {
  readonly scenario: string;
  readonly query: ProximityQuery;
  readonly volume: string;
  readonly tolerance: number;
  readonly bodies: OpenedScenario['bodies'];
  readonly poses: readonly Pose[];
  /** Numbers of the bodies asked about. */
  readonly pairs: readonly (readonly [number, number])[];
}

export function scenarioCode({ scenario, query, volume, tolerance, bodies, poses, pairs }: ScenarioView): ViewCode {
  const sources = sourcesOf(scenario, bodies);
  const asked = {
    intersection: ['intersects', ''],
    tolerance: ['within', `, ${tolerance}`],
    distance: ['distance', ''],
    approximate: ['distance', ', { relativeError: 0.1 }'],
    contacts: ['contacts', `, { tolerance: ${tolerance} }`],
  }[query];
  const options = {
    intersection: [],
    tolerance: [flag('tolerance', tolerance)],
    distance: [],
    approximate: [flag('relative-error', 0.1)],
    contacts: [flag('tolerance', tolerance), '--contacts'],
  }[query];
  const [method, extra] = asked;
  const { variables, lines } = modelLines(sources);
  const imports = [{ 'nearfield/proximity': ['Pair', 'ProximityModel'] }, ...sources.map((source) => source.imports)];
  const commands = pairs.map(([a, b]) => {
    const files = `${word(sources[a].file)} ${word(sources[b].file)}`;
    const places = `${flag('pose-a', poses[a])} ${flag('pose-b', poses[b])}`;
    return ['nearfield measure', files, places, flag('volume', volume), ...options].join(' ');
  });
  return {
    typescript: programText(imports, [
      ...lines,
      `const bodies = [${variables.join(', ')}];`,
      'const poses = [',
      ...poses.map((place) => `  ${listText(place)},`),
      '];',
      `for (const [a, b] of [${pairs.map(listText).join(', ')}]) {`,
      `  const pair = new Pair(bodies[a], bodies[b], { volume: '${volume}' });`,
      `  const answer = pair.${method}(poses[a], poses[b]${extra});`,
      query === 'contacts'
        ? '  console.log(answer.contacts.length, Math.min(...answer.contacts.map(({ distance }) => distance)));'
        : `  console.log(answer.${method});`,
      '}',
    ]),
    command: commandText(sources, ...commands),
    files: filesOf([...new Set(sources)]),
  };
}

function sourcesOf(scenario: string, bodies: OpenedScenario['bodies']): Source[] {
  const known = MODELS[scenario];
  if (known !== undefined) return known.map((model) => modelSource(model));
  // Bodies of one mesh share a file.
  const made = new Map<object, Source>();
  return bodies.map(({ name, mesh }) => {
    const source = made.get(mesh) ?? savedSource(name.replaceAll(/\W+/g, '-'), mesh);
    made.set(mesh, source);
    return source;
  });
}

/** A line for each model, and the variables, one for each body. */
function modelLines(sources: readonly Source[]): { variables: string[]; lines: string[] } {
  const different = [...new Set(sources)];
  const names = different.map(({ file }) =>
    file.replace(/\.\w+$/, '').replaceAll(/\W+(\w)/g, (_, c) => c.toUpperCase()),
  );
  return {
    variables: sources.map((source) => names[different.indexOf(source)]),
    lines: different.map(({ expression }, i) => `const ${names[i]} = new ProximityModel(${expression});`),
  };
}

export function clashCode({ file, clearance }: { file: OpenedFile | null; clearance: number }): ViewCode {
  const name = file?.name ?? 'gearbox.glb';
  const assembly = file === null ? 'buildGearbox()' : readText(name);
  const imports = {
    ...(file === null ? {} : { 'node:fs/promises': ['readFile'], 'nearfield/io': ['readModel'] }),
    'nearfield/penetration': ['gradeClashes'],
    'nearfield/proximity': ['buildAssembly', ...(file === null ? ['buildGearbox'] : []), 'findClashes'],
  };
  return {
    typescript: programText(
      [imports],
      [
        `const parts = buildAssembly(${assembly});`,
        `const { clashes } = findClashes(parts, { clearance: ${clearance} });`,
        'const graded = gradeClashes(parts, clashes);',
        'const count = (wanted: string): number => graded.filter(({ grade }) => grade === wanted).length;',
        "console.log(count('interference'), count('touch'), count('clearance')); // pairs that overlap, touch, are too near",
        'for (const { a, b, grade, upper, distance } of graded)',
        '  console.log(parts[a].name, parts[b].name, grade, upper ?? distance);',
      ],
    ),
    command: commandText([], `nearfield clash ${word(name)} ${flag('clearance', clearance)} --report clashes.html`),
    files: file === null ? [{ name, bytes: () => writeModel(buildGearbox(), 'glb') }] : [],
  };
}

export function impactCode({ from, to, clearance }: { from: Pose; to: Pose; clearance: number }): ViewCode {
  const sources = [modelSource('cup'), modelSource('spoon')];
  const imports = [{ 'nearfield/proximity': ['Pair', 'ProximityModel'] }, ...sources.map((source) => source.imports)];
  return {
    typescript: programText(imports, [
      ...modelLines(sources).lines,
      'const pair = new Pair(cup, spoon);',
      'const motion = {',
      '  a: [0, 0, 0, 0, 0, 0, 1],',
      `  b: { from: ${listText(from)}, to: ${listText(to)} },`,
      '};',
      `const { impact, time, least } = pair.validateMotion(motion, ${objectText({ clearance })});`,
      'console.log(impact, time ?? least?.lower);',
    ]),
    command: commandText(
      sources,
      `nearfield impact cup.obj spoon.obj ${flag('from-b', from)} ${flag('to-b', to)} ${flag('clearance', clearance)} --least`,
    ),
  };
}
