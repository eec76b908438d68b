// What the code of each scene must print: which figures of the scene, in which order, and where the command has them.

import { agentSamples, planningSample } from 'nearfield/planning';
import type { FigureValue } from '../../lab/figures.js';
import { PATH_STATUS } from '../../lab/path-colors.js';
import { SQUEEZE_STATUS } from '../../lab/worker/squeeze-tasks.js';

/** The document that a command prints. */
// biome-ignore lint/suspicious/noExplicitAny: each command has its own
export type Answer = any;

type Figures = ReadonlyMap<string, FigureValue>;

export interface CodeCheck {
  /**
   * What is set beyond the state that the scene opens in: first that state, as far as it costs little, then others. Planners have
   * the longest time limit there is, because a path that is not found in time on a busy machine cannot be compared.
   */
  readonly states: readonly [string, string, ...string[]];
  /** The figures in the order of the program's words; null for a word that is no figure. */
  readonly prints: readonly (string | null)[];
  /** Figures by what the command answers, for the states that have a command; several commands answer several times. */
  readonly answers?: (answer: Answer, all: readonly Answer[]) => Readonly<Record<string, unknown>>;
  /** How figures are made from what the program prints, where they are not the words themselves. */
  readonly fromWords?: (words: readonly string[], figures: Figures) => Readonly<Record<string, unknown>>;
  /** Whether the page keeps something from state to state that changes the answer: then each state begins anew. */
  readonly isKept?: boolean;
  /** Why the figure that leads the scene is not among those. */
  readonly leadIsNot?: string;
}

const planAnswer = (answer: Answer) => ({
  status: PATH_STATUS[answer.status as keyof typeof PATH_STATUS],
  least: answer.clearance?.lower ?? null,
});
const planWords = ([status, least, length]: readonly string[]) => ({
  status: PATH_STATUS[status as keyof typeof PATH_STATUS],
  least: wordValue(least),
  length: status === 'solved' ? wordValue(length) : null,
});
const depthAnswer = ({ depth, upper }: Answer) => ({ depth, upper });
const frameAnswer = ({ frames }: Answer) => ({
  contacts: frames.at(-1).contacts,
  penetration: 1000 * frames.at(-1).worstPenetration,
});
const reportAnswer = ({ closed, volume, triangles }: Answer) => ({ closed, volume, triangles });

/** Moves by hand of a count of bodies, some of them moved. */
function moved(bodies: number, moves: Readonly<Record<number, readonly number[]>>): string {
  return `hand=${Array.from({ length: bodies }, (_, i) => moves[i] ?? [0, 0, 0, 0, 0, 0]).join()}`;
}

const MACHINES = agentSamples.find(({ name }) => name === 'cell')!.parameters.machines.default;
const obstaclesOf = (sample: string): number => planningSample(sample).environment.length;

export const CODE_CHECKS: Readonly<Record<string, CodeCheck>> = {
  'convex/hull': {
    states: ['model=letter-e', 'model=torus'],
    prints: ['volume', 'share'],
    answers: ({ volume }) => ({ volume }),
  },
  'culling/environments': {
    states: [
      '',
      'environment=tori&torus=500&frame=40',
      'environment=cylinders&cylinders=20&frame=30&method=cullide&resolution=32',
    ],
    prints: ['exactPairs', 'potential'],
    answers: ({ exactPairs, potential }) => ({ exactPairs: exactPairs.length, potential: potential.length }),
  },
  'decomposition/few-pieces': {
    states: ['', 'model=letter-e&concavity=0.2&most=3'],
    prints: ['pieces'],
    answers: ({ pieces }) => ({ pieces: pieces.length ?? pieces }),
  },
  'decomposition/fracture': {
    states: ['', 'model=box&fragments=4&strike=no'],
    prints: ['fragments'],
    answers: ({ fragments }) => ({ fragments: fragments.length ?? fragments }),
  },
  'decomposition/hierarchy': {
    states: ['', 'model=letter-l&level=1&split=median'],
    prints: ['hulls', 'nodes'],
    answers: ({ hierarchy }) => ({ nodes: hierarchy.nodes }),
  },
  'decomposition/patches': {
    states: ['model=letter-e', 'model=letter-l'],
    prints: ['reflexEdges', 'pieces'],
    answers: ({ reflexEdges, pieces }) => ({ reflexEdges, pieces }),
  },
  'dynamics/plane': {
    states: ['', 'scene=cars&step=12&timestep=120', 'scene=wavy&step=20', 'scene=wavy-overlap&step=4&method=penalty'],
    prints: ['contacts', 'penetration'],
    answers: frameAnswer,
  },
  'dynamics/space': {
    states: ['', 'scene=stack&step=9&method=penalty&timestep=120'],
    prints: ['contacts', 'penetration'],
    answers: frameAnswer,
  },
  'elastic/bodies': {
    states: ['', 'scene=cylinders&step=9', 'scene=soft-letters&step=3'],
    prints: ['contacts', 'penetration'],
    answers: frameAnswer,
  },
  'fields/arrival-times': {
    states: ['', 'ground=mud&resolution=64&order=1', 'ground=road&resolution=48&goal=0.3,0.3,0.5'],
    prints: ['arrival'],
  },
  'fields/explorer': {
    states: [
      'model=box&resolution=16&method=exact',
      'model=box&resolution=16&method=fast-marching-1&band=triangle-boxes&room=0.3',
    ],
    prints: ['value'],
    answers: ({ probes }) => ({ value: probes[0].value }),
  },
  'fields/offset': {
    states: ['model=box&resolution=16', 'model=box&distance=-0.05&hollow=yes&wall=0.1&resolution=12'],
    prints: ['inward', 'outward'],
    answers: ({ error }) => ({ inward: error.inward, outward: error.outward }),
    leadIsNot: 'it is what was asked for',
  },
  'fields/partial-update': {
    states: ['', 'model=torus&resolution=16&boxes=small&border=nothing&sides=both'],
    prints: ['status', 'updated', 'maxDifference'],
    answers: ({ update }) => ({ status: update.status, updated: update.nodes }),
    leadIsNot: 'it is a ratio of times',
  },
  'fields/solidify': {
    states: ['resolution=12', 'resolution=16&rule=thicken'],
    prints: ['toInput'],
    answers: ({ distance }) => ({ toInput: distance.toInput }),
  },
  'ice/growth': {
    states: ['', 'size=128&frame=1&preset=plate&fold=4&orientation=30&boundary=periodic&seed=3&noise=0.05'],
    prints: ['solidFraction'],
    answers: ({ solidFraction }) => ({ solidFraction }),
  },
  'ice/on-model': {
    states: ['resolution=24&frame=1', 'model=box&resolution=24&frame=2&seeds=3&reach=0.2&preset=plate'],
    prints: ['solidFraction'],
    answers: ({ solidFraction }) => ({ solidFraction }),
  },
  'meshes/inspect': {
    states: ['', 'repair=yes&slice=off'],
    prints: ['signedDistance', 'closed'],
    answers: (answer) => ('volume' in answer ? reportAnswer(answer) : {}),
  },
  'meshes/models': {
    states: ['model=torus&majorSegments=12', 'model=box&width=2'],
    prints: ['closed', 'volume'],
    answers: reportAnswer,
  },
  'penetration/certificate': {
    states: ['pair=own&modelA=box&modelB=letter-l', 'pair=own&modelA=box&modelB=box&gap=1e-2'],
    prints: ['depth'],
    answers: depthAnswer,
  },
  'penetration/depth': {
    states: ['', 'pair=own&modelA=box&modelB=box&method=image-space&resolution=32'],
    prints: ['depth'],
    answers: depthAnswer,
  },
  'penetration/depth-images': {
    states: ['pair=own&modelA=box&modelB=letter-l&resolution=32', 'pair=own&modelA=box&modelB=box&resolution=160'],
    prints: ['depth'],
    answers: depthAnswer,
  },
  'penetration/local-against-global': {
    states: ['', 'hand=0,0.05,0,0,0,0.2,0,0,0,0,0,0'],
    prints: ['depth'],
    answers: depthAnswer,
  },
  'penetration/minkowski-sums': {
    states: ['pair=own&modelA=box&modelB=box&level=0', 'pair=own&modelA=box&modelB=letter-l&level=1'],
    prints: ['depth'],
    answers: depthAnswer,
  },
  'penetration/untangling': {
    states: ['', 'count=4&seed=3&firstStays=yes&round=1', 'count=3&seed=3&round=32'],
    prints: ['overlapping'],
    answers: ({ remaining }) => ({ overlapping: remaining.length }),
  },
  'pivot/cylinders': {
    states: ['', 'triangles=2000&error=0.04&push=0.1&frame=3&hand=0,0,0,0,0,0,0,0.05,0,0,0.2,0'],
    prints: ['depth', 'pointsA', 'pointsB'],
    answers: ({ penetrating }) => ({ depth: Math.max(...penetrating.map(({ depth }: Answer) => depth)) }),
  },
  'pivot/organs': {
    states: ['', `error=5&frame=40&threshold=5&${moved(9, { 1: [0, 0.02, 0, 0, 0, 0.1] })}`],
    prints: ['contacts'],
  },
  'pivot/plane': {
    states: ['', 'frame=250&query=contacts&error=0.01', 'frame=250&query=volumes', 'frame=250&query=boundaries'],
    prints: ['pairs', 'pixels'],
    answers: ({ penetrating, contacts }) => ({ pairs: penetrating.length + contacts.length > 0 ? 1 : 0 }),
  },
  'planning/agents': {
    states: ['agents=20', 'agents=4&step=400', `sample=cell&step=40&${moved(MACHINES, { 0: [0.02, 0, 0, 0, 0, 0] })}`],
    prints: ['arrived'],
    fromWords: ([, least]) => ({ leastSoFar: least === 'Infinity' ? null : Number(least) }),
  },
  'planning/arm-cell': {
    states: [
      'timeLimit=60',
      `turned=so&clearance=0.002&${moved(1 + obstaclesOf('arm'), { 0: [2, 0.3, 0, 0, 0, 0], 1: [0.01, 0, 0, 0, 0, 0] })}`,
    ],
    prints: [],
    fromWords: ([status, solutions, free, least], figures) => ({
      // Without joint values there is no path, and the scene says why.
      status: PATH_STATUS[status as keyof typeof PATH_STATUS] ?? figures.get('status'),
      solutions: Number(solutions),
      freeSolutions: Number(free),
      least: wordValue(least),
    }),
    answers: planAnswer,
  },
  'planning/live': { states: ['', 'frame=40'], prints: [], fromWords: planWords, isKept: true },
  'planning/paths': {
    states: [
      'sample=hole&timeLimit=60',
      `sample=hole&timeLimit=60&clearance=0.002&seed=2&${moved(2 + obstaclesOf('hole'), { 1: [0, 0.02, 0, 0, 0, 0] })}`,
      'sample=corridor&planner=rrt-connect&timeLimit=60',
    ],
    prints: [],
    fromWords: planWords,
    answers: planAnswer,
  },
  'planning/roadmap': {
    states: ['timeLimit=60', 'sample=hole&sampler=uniform&samples=50&timeLimit=60'],
    prints: [],
    fromWords: planWords,
  },
  'planning/squeeze': {
    states: ['', 'gap=0.45&step=30', 'gap=0.2&force=700&step=3'],
    prints: [null, 'largestForce', 'leastVolume'],
    fromWords: ([status, , , overlap]) => ({
      status: SQUEEZE_STATUS[status as keyof typeof SQUEEZE_STATUS],
      penetration: 1000 * Number(overlap),
    }),
  },
  'proximity/clash': {
    states: ['', 'clearance=0.3'],
    prints: ['interfering', 'touching', 'near'],
    answers: ({ clashes }) => {
      const count = (wanted: string): number => clashes.filter(({ grade }: Answer) => grade === wanted).length;
      return { interfering: count('interference'), touching: count('touch'), near: count('clearance') };
    },
  },
  'proximity/impact': {
    states: ['', 'aside=0.1&clearance=0.01'],
    prints: ['impact', 'time'],
    answers: ({ impact, time }) => ({ impact, time }),
  },
  'proximity/scenarios': {
    states: [
      '',
      'scenario=cup-spoon&frame=3&hand=0,0,0,0,0,0,0.02,0.3,0,0,0.2,0',
      'scenario=cup-spoon&query=contacts&tolerance=0.02&volume=boxes',
    ],
    prints: [],
    fromWords: (words, figures) =>
      figures.has('contacts')
        ? {
            contacts: words.reduce((sum, word, i) => sum + (i % 2 === 0 ? Number(word) : 0), 0),
            distance: Math.min(...words.map((word, i) => (i % 2 === 0 ? Infinity : Number(word)))),
          }
        : { distance: Math.min(...words.map(Number)) },
    answers: (_, all) => ({ distance: Math.min(...all.map(({ distance }) => distance)) }),
  },
  'voronoi/floor-plan': {
    states: ['', 'resolution=64&frame=200&by=length&radius=0.1'],
    prints: ['status', 'clearance', 'length'],
    isKept: true,
  },
  'proximity/sweep': {
    states: [
      '',
      'sample=landing-gear&from=10&to=83&clearance=20',
      'sample=arm&joint=elbow&from=-155&to=155&reach=9&clearance=5',
    ],
    prints: ['verdict', 'leastLower', 'leastUpper'],
    answers: ({ verdict, least }) => ({ verdict, leastLower: least.lower, leastUpper: least.upper }),
  },
  'voronoi/medial-axis': { states: ['model=box&resolution=16', 'model=letter-l&resolution=16'], prints: ['largest'] },
  'voronoi/painter': {
    states: ['', 'resolution=128&sketch=p0_0.2_0.3~s1_0.5_0.5_0.9_0.6~c2_1.2_0.4_1.3_0.4'],
    prints: ['farthest', 'edges', 'vertices'],
    answers: ({ maximum }) => ({ farthest: maximum }),
  },
  'voronoi/space': {
    states: ['slice=yes&resolution=12', 'sites=points&slice=yes&axis=x&at=0.3&resolution=12'],
    prints: ['farthest', 'sheets', 'edges'],
  },
};

/** The value of a word that a program has printed. */
export function wordValue(word: string): unknown {
  if (word === 'null' || word === 'undefined') return null;
  if (word === 'true' || word === 'false') return word === 'true';
  return Number.isNaN(Number(word)) ? word : Number(word);
}
