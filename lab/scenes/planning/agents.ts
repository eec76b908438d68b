import { agentSamples } from 'nearfield/planning';
import { agentCode } from '../../code/planning.js';
import type { Control, Move } from '../../controls.js';
import { followHand } from '../../hand.js';
import { parameterSliders } from '../../parameter-sliders.js';
import { defineScene } from '../../scene.js';
import { SIMULATION_CONTROLS } from '../../simulation-controls.js';
import type { ColorName } from '../../viewer/palette.js';
import type { View } from '../../viewer/view.js';
import type { AgentsAt, OpenedAgents } from '../../worker/agent-tasks.js';
import { sizeOf } from '../../worker/planning-tasks.js';

const { play, once, reset, step: steps, speed, run: runs } = SIMULATION_CONTROLS;
/** More agents than that take long to draw. */
const MAX_AGENTS = 400;
/** As many machines as the cell has where nothing else is said. */
const MACHINES = agentSamples.find(({ name }) => name === 'cell')!.parameters.machines.default;
const STATUS: Readonly<Record<string, string>> = {
  moving: 'on their way',
  arrived: 'all arrived',
  stuck: 'stuck',
  crushed: 'stopped: nowhere to go',
};
const EVENTS: Readonly<Record<string, string>> = {
  arrived: 'arrives',
  detour: 'takes another way',
  yield: 'other priorities',
  shunt: 'step back to pass',
  stuck: 'stuck',
  held: 'hold a part',
  crushed: 'nowhere to go',
};

export default defineScene({
  title: 'Agents that plan while they move',
  chapter: 'Planning',
  rank: 4,
  summary:
    'A crowd with trolleys goes through a door, agents pass each other in a corridor by a bay, carriers bring a beam, and a cell’s machines are moved by hand while all find their way (after Garber and Lin 2002). Every step is proven; who is stuck says by whom.',
  picture: 'step=900&view=15,48,1.2,0.03,0,0',
  opening: 'view=15,48,1.3',
  motion: { playing: 'play', frame: 'step', speed: 'speed' },
  controls: {
    sample: {
      kind: 'choice',
      label: 'World',
      options: agentSamples.map(({ name, title }) => ({ value: name as string, label: title })),
    },
    ...{ play, once, reset, step: steps, speed, run: runs },
    goals: { kind: 'checkbox', label: 'Goals', initial: false },
    hand: {
      kind: 'moves',
      label: 'Moved by hand',
      hint: 'Drag a machine; with Alt it turns.',
      bodies: Array.from({ length: MACHINES }, (_, i) => `Machine ${i + 1}`),
      visible: ({ sample }) => sample === 'cell',
    },
  },
  moreControls({ sample }) {
    return slidersOf(sample);
  },
  follow(changed, { hand, run }) {
    // The sliders of a sample are not among the controls that the type knows.
    const name = changed as string;
    if (name === 'hand') return hand.flat().every((value) => value === 0) ? { run: run + 1, step: 0 } : {};
    return ['sample', 'run', 'agents', 'width', 'bay'].includes(name) ? { step: 0 } : {};
  },

  async code({ values, more, run }) {
    const { sample, step } = values;
    const { question, parameters, moves } = questionOf(values, more);
    const isMoved = sample === 'cell' && values.hand.flat().some((value) => value !== 0);
    return agentCode({
      ...{ sample, parameters, steps: step, timeStep: '1 / 60' },
      moves: isMoved ? await run('agentMoves', { ...question, step, hand: moves }) : [],
    });
  },

  async draw({ values, more, view, figures, table, run, set }) {
    const { sample, step, hand } = values;
    const { question, moves } = questionOf(values, more);
    const opened = await run('openAgents', question);
    view.frame(opened.box);
    const at = await run('stepAgents', { ...question, step, hand: moves });
    const size = sizeOf(opened.box);
    const gripOf = (obstacle: number, part: number | null) => {
      if (part === null) return null;
      // A part that is held, or shown in an earlier step, is taken where it is, not where it is wanted.
      const wanted = at.wanted.find((one) => one.obstacle === obstacle)?.at ?? at.obstacles[obstacle];
      const [x, y, z, ...turn] = hand[part];
      const [behindX, , behindZ] = at.obstacles[obstacle].map((value, k) => (value - wanted[k]) / size);
      const taken = [x + behindX, y, z + behindZ, ...turn] as unknown as Move;
      return { drag: 'move', ...followHand(taken, size, (move) => set('hand', hand.with(part, move))) } as const;
    };
    for (const [i, { mesh, part }] of opened.obstacles.entries()) {
      const isHeld = at.held.some(({ obstacle }) => obstacle === i);
      const look =
        part === null
          ? WALL
          : isHeld
            ? { color: 'near', name: 'Held by agents' }
            : { color: 'surface', name: 'Machines' };
      view.addMesh(mesh, { ...(look as typeof WALL), pose: at.obstacles[i], grip: gripOf(i, part) });
    }
    for (const { obstacle, at: place } of at.wanted) {
      const { mesh } = opened.obstacles[obstacle];
      view.addMesh(mesh, { pose: place, color: 'ghost', opacity: 0.35, name: 'Where the hand wants it' });
    }
    drawAgents(view, opened, at, values.goals);

    const { agents } = opened;
    const partName = (obstacle: number): string => `machine ${opened.obstacles[obstacle].part! + 1}`;
    figures('Agents', [
      {
        id: 'arrived',
        lead: `Each step is proven to keep ${1000 * opened.distance} mm between all that is not joined.`,
        label: `Arrived, of ${agents.length}`,
        value: at.arrived,
        ...(at.arrived === agents.length ? { tone: 'good' as const } : {}),
      },
      { id: 'world', label: 'Together', value: STATUS[at.step?.status ?? 'moving'] },
      { id: 'stuck', label: 'Stuck', value: at.stuck.length, tone: at.stuck.length > 0 ? 'bad' : 'good' },
      { id: 'leastDistance', label: 'Least distance', value: finite(at.step?.leastDistance), unit: 'm' },
      { id: 'leastSoFar', label: 'Least distance so far', value: finite(at.leastSoFar), unit: 'm' },
      { id: 'interactions', label: 'Interactions', value: at.step?.interactions ?? 0 },
      { id: 'time', label: 'Time', value: at.time, unit: 's', decimals: 2 },
      ...(sample === 'cell'
        ? [
            {
              id: 'held',
              label: 'Parts held by agents',
              value: at.held.length === 0 ? 'none' : at.held.map(({ obstacle }) => partName(obstacle)).join(', '),
              tone: at.held.length === 0 ? ('good' as const) : ('bad' as const),
            },
          ]
        : []),
    ]);
    if (at.stuck.length + at.held.length > 0) {
      table('Who blocks whom', {
        columns: ['', 'by'],
        rows: [
          ...at.held.map(({ obstacle, by }) => rowOf(`part ${obstacle}`, partName(obstacle), by)),
          ...at.stuck.slice(0, MAX_ROWS).map(({ agent, by }) => rowOf(`agent ${agent}`, agents[agent].name, by)),
        ],
        ...(at.stuck.length > MAX_ROWS ? { note: `${at.stuck.length - MAX_ROWS} more` } : {}),
      });
    }
    figures('Cost', [
      { id: 'rate', label: 'Steps in a second', value: at.median === null ? null : 1000 / at.median, decimals: 0 },
      { id: 'median', label: 'Median of the last 60', value: at.median, unit: 'ms', decimals: 2 },
      { id: 'step', label: 'This step', value: at.milliseconds, unit: 'ms', decimals: 2 },
      { id: 'queries', label: 'Distance queries', value: at.step?.distanceQueries ?? 0 },
      { id: 'exactProofs', label: 'Proofs by triangles', value: at.step?.exactProofs ?? 0 },
      { id: 'slowed', label: 'Slowed down', value: at.step?.slowed ?? 0 },
      ...(sample === 'escort'
        ? [{ id: 'jointError', label: 'Error of joints', value: at.step?.jointError ?? 0, unit: 'm' }]
        : []),
      { id: 'build', label: 'Building the world', value: opened.milliseconds, unit: 'ms', decimals: 0 },
      { id: 'triangles', label: 'Triangles', value: opened.triangles },
    ]);
    table('Events', {
      columns: ['s', '', 'who', 'by'],
      rows: at.events.toReversed().map(({ kind, time, agents: who, by }, i) => ({
        id: `${i}`,
        cells: [Number(time.toFixed(2)), EVENTS[kind], short(who), short(by)],
        current: false,
      })),
      ...(at.events.length === 0 ? { note: 'None yet.' } : {}),
    });
  },
});

function questionOf(
  { sample, hand, run }: { sample: string; hand: readonly Move[]; run: number },
  more: Readonly<Record<string, unknown>>,
) {
  const parameters = Object.fromEntries(Object.keys(slidersOf(sample)).map((name) => [name, more[name] as number]));
  return {
    parameters,
    question: { sample, parameters: JSON.stringify(parameters), run },
    moves: JSON.stringify(sample === 'cell' ? hand : []),
  };
}

const WALL: { color: ColorName; opacity?: number; name?: string } = { color: 'ground', opacity: 0.25 };
const MAX_ROWS = 12;

function slidersOf(sample: string): Record<string, Control> {
  // Moves by hand are of as many machines as there are at first.
  const { machines: _, ...parameters } = agentSamples.find(({ name }) => name === sample)?.parameters ?? {};
  const most = Math.min(MAX_AGENTS, parameters.agents?.max ?? MAX_AGENTS);
  return parameterSliders(parameters, { agents: [null, most] });
}

/** Agents by where they go and how they fare, with lines from those that are stuck to who blocks them. */
function drawAgents(view: View, { agents, box }: OpenedAgents, at: AgentsAt, goals: boolean): void {
  const placeOf = (i: number): Float64Array => at.agents.subarray(7 * i, 7 * i + 7);
  for (const [i, { mesh, start, goal }] of agents.entries()) {
    const isBack = goal !== null && goal[0] < start[0];
    const look = [
      isBack ? { color: 'bodyB', name: 'The other way' } : { color: 'bodyA', name: 'On their way' },
      { color: 'original', name: 'Arrived' },
      { color: 'clash', name: 'Stuck' },
    ][at.status[i]] as { color: ColorName; name: string };
    view.addMesh(mesh, { ...look, pose: placeOf(i) });
  }
  if (goals) {
    const floor = agents.flatMap(({ goal }) => (goal === null ? [] : [goal[0], box.min[1], goal[2]]));
    view.addPoints(floor, { color: 'original', size: 6, name: 'Goals' });
  }
  const lines = at.stuck.flatMap(({ agent, by }) => {
    const blockers = by.map((name) => agents.findIndex((other) => other.name === name)).filter((other) => other >= 0);
    return blockers.flatMap((other) => [...placeOf(agent).subarray(0, 3), ...placeOf(other).subarray(0, 3)]);
  });
  if (lines.length > 0) view.addLines(lines, { color: 'crossing', width: 3, onTop: true, name: 'Is blocked by' });
}

function rowOf(id: string, name: string, by: readonly string[]) {
  return { id, cells: [name, short(by)], tone: 'bad' as const, current: false };
}

/** Names in a cell of a table. */
function short(names: readonly string[]): string {
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
}

function finite(value: number | undefined): number | null {
  return value === undefined || value === Infinity ? null : value;
}
