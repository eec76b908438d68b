// Worlds of agents: processor time of a step against the number of agents in a doorway, and beside the frame rates that Garber
// and Lin (2002) printed for their own scenes on their own machine.
import { agentSample, createAgentWorld } from 'nearfield/planning';
import { processorTime } from './measure.js';
import type { BenchTable, SuiteContext } from './suite.js';

const CROWDS = [10, 50, 100, 200, 500];

export function agentsTable({ quick, progress }: SuiteContext): BenchTable {
  const rows: string[][] = [];
  const steps = quick ? 120 : 1200;
  const measure = (title: string, name: string, parameters: Record<string, number>, published: string): void => {
    const world = createAgentWorld(agentSample(name, parameters));
    let [most, made] = [0, 0];
    const start = processorTime();
    for (; made < steps && world.status === 'moving'; made++) most = Math.max(most, world.step().interactions);
    const milliseconds = (processorTime() - start) / made;
    const cells = [milliseconds.toFixed(2), (1000 / milliseconds).toFixed(0), `${most}`, world.status, published];
    rows.push([title, `${world.agents.length}`, ...cells]);
  };
  for (const [i, agents] of (quick ? CROWDS.slice(0, 2) : CROWDS).entries()) {
    progress(i / (CROWDS.length + 2), `${agents} agents`);
    measure('doorway', 'doorway', { agents }, '–');
  }
  measure('collaborating agents', 'escort', {}, '64.8 fps');
  measure('prototyping cell', 'cell', {}, '55.9 fps, 294 interactions');
  return {
    title: 'Worlds of agents',
    headings: ['scene', 'agents', 'ms a step', 'steps a second', 'interactions, most', 'status', 'published'],
    rows,
    notes: [
      `Processor time of one core, the mean over ${steps} steps at most, searches for detours included. Published: Garber and Lin 2002, ` +
        'other scenes on another machine.',
    ],
  };
}
