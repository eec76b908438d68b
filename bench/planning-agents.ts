// Worlds of agents: processor time of a step against the number of agents in a doorway, and beside the frame rates that Garber
// and Lin (2002) printed for their own scenes on their own machine.
import { createRandom } from 'nearfield/core';
import { type AgentScene, agentSample, createAgentWorld } from 'nearfield/planning';
import { processorTime } from './measure.js';
import type { BenchTable, SuiteContext } from './suite.js';

const CROWDS = [10, 50, 100, 200, 500];

export function withShuffledGoals(scene: AgentScene): AgentScene {
  const random = createRandom(1);
  const goals = scene.agents.map(({ goal }) => goal);
  for (let i = goals.length - 1; i > 0; i--) {
    const k = random.integer(i + 1);
    [goals[i], goals[k]] = [goals[k], goals[i]];
  }
  return { ...scene, agents: scene.agents.map((agent, i) => ({ ...agent, goal: goals[i] })) };
}

export function agentsTable({ quick, progress }: SuiteContext): BenchTable {
  const rows: string[][] = [];
  const steps = quick ? 120 : 6000;
  const measure = (title: string, name: string, parameters: Record<string, number>, published: string): void => {
    const scene = agentSample(name, parameters);
    // In the doorway goals are in random order, so that who arrives first stands in the way of others.
    const world = createAgentWorld(name === 'doorway' ? withShuffledGoals(scene) : scene);
    const times: number[] = [];
    let most = 0;
    while (times.length < steps && world.status === 'moving') {
      const start = processorTime();
      most = Math.max(most, world.step().interactions);
      times.push(processorTime() - start);
    }
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
    times.sort((p, q) => p - q);
    const at = (share: number): string =>
      times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(2);
    const arrived = world.agents.filter(({ status }) => status === 'arrived').length;
    const cost = [mean.toFixed(2), at(0.5), at(0.95), at(1), (1000 / mean).toFixed(0)];
    const course = [`${arrived}`, world.time.toFixed(1), ...cost, `${most}`, world.status, published];
    rows.push([title, `${world.agents.length}`, ...course]);
  };
  for (const [i, agents] of (quick ? CROWDS.slice(0, 2) : CROWDS).entries()) {
    progress(i / (CROWDS.length + 2), `${agents} agents`);
    measure('doorway', 'doorway', { agents }, '–');
  }
  measure('collaborating agents', 'escort', {}, '64.8 fps');
  measure('prototyping cell', 'cell', {}, '55.9 fps, 294 interactions');
  return {
    title: 'Worlds of agents',
    headings: [
      ...['scene', 'agents', 'arrived', 'after, s', 'ms a step, mean', 'median', '95 %', 'most', 'steps a second'],
      ...['interactions, most', 'status', 'published'],
    ],
    rows,
    notes: [
      `Processor time of one core over ${steps} steps of 1/60 s at most, searches for detours included; "after" is simulated time. Published: Garber and Lin 2002, ` +
        'other scenes on another machine.',
    ],
  };
}
