// A world of agents that runs in the worker, with what was recorded of it: earlier steps are shown again, later ones are made.
import type { Pose } from 'nearfield/core';
import {
  type AgentEvent,
  type AgentScene,
  type AgentStep,
  type AgentWorld,
  createAgentWorld,
} from 'nearfield/planning';

/** What was recorded of a step. */
export interface AgentRecord {
  /** Seven numbers each. */
  readonly agents: Float64Array;
  readonly obstacles: readonly Pose[];
  /** Of each agent; see `AGENT_STATUS`. */
  readonly status: Uint8Array;
  /** Agents that are stuck, and by whom. */
  readonly stuck: readonly { readonly agent: number; readonly by: readonly string[] }[];
  /** Obstacles moved by hand that cannot go on, by number, and the agents in their way. */
  readonly held: readonly { readonly obstacle: number; readonly by: readonly string[] }[];
  /** Null before the first step. */
  readonly step: AgentStep | null;
  readonly milliseconds: number;
}

/** What the numbers in `status` mean. */
export const AGENT_STATUS = ['moving', 'arrived', 'stuck'] as const;

/** An obstacle moved by hand, and the count of steps before that. */
export interface AgentMove {
  readonly step: number;
  readonly obstacle: number;
  readonly to: Pose;
}

export class LiveAgents {
  readonly records: AgentRecord[] = [];
  readonly events: AgentEvent[] = [];
  readonly moves: AgentMove[] = [];
  readonly #scene: AgentScene;
  #world: AgentWorld;
  /** Where the hand wants obstacles, from which step on; each stands for all of them. */
  #wishes: { readonly step: number; readonly key: string; readonly places: ReadonlyMap<number, Pose> }[] = [];
  #held = new Map<number, readonly string[]>();

  constructor(scene: AgentScene) {
    this.#scene = scene;
    this.#world = createAgentWorld(scene);
    this.#write(null, 0);
  }

  /** The last step that was made. */
  get steps(): number {
    return this.records.length - 1;
  }

  /** The hand wants obstacles elsewhere from a step on. What was made after that step is forgotten: the steps before are made again. */
  wish(step: number, places: ReadonlyMap<number, Pose>, report: (fraction: number) => void): void {
    const key = JSON.stringify([...places]);
    if (key === (this.#wishes.at(-1)?.key ?? '[]')) return;
    if (step < this.steps) this.#beginAgain(step, report);
    this.#wishes.push({ step: this.steps, key, places });
    this.#follow(places);
  }

  /** Makes steps up to one; `report` may throw to stop. */
  advanceTo(step: number, report: (fraction: number) => void): void {
    const first = this.steps;
    while (this.steps < step) {
      report((this.steps - first) / (step - first));
      const begin = performance.now();
      const made = this.#world.step();
      this.#write(made, performance.now() - begin);
    }
  }

  #beginAgain(step: number, report: (fraction: number) => void): void {
    const wishes = this.#wishes.filter((wish) => wish.step <= step);
    this.#world = createAgentWorld(this.#scene);
    this.#held = new Map();
    this.#wishes = [];
    this.records.length = 0;
    this.events.length = 0;
    this.moves.length = 0;
    this.#write(null, 0);
    for (const wish of wishes) {
      this.advanceTo(wish.step, report);
      this.#wishes.push(wish);
      this.#follow(wish.places);
    }
    this.advanceTo(step, report);
  }

  #follow(places: ReadonlyMap<number, Pose>): void {
    for (const [obstacle, to] of places) {
      if (this.#isAt(obstacle, to)) continue;
      this.#world.moveObstacle(obstacle, to);
      this.moves.push({ step: this.steps, obstacle, to });
    }
  }

  #isAt(obstacle: number, to: Pose): boolean {
    return this.#world.obstacles[obstacle].every((value, k) => Math.abs(value - to[k]) < 1e-9);
  }

  #write(step: AgentStep | null, milliseconds: number): void {
    const { agents, obstacles } = this.#world;
    for (const event of step?.events ?? []) {
      this.events.push(event);
      // The obstacle is named by its number from 1.
      if (event.kind === 'held') this.#held.set(Number(event.by[0].split(' ')[1]) - 1, event.agents);
    }
    const places = this.#wishes.at(-1)?.places;
    for (const obstacle of this.#held.keys()) {
      const to = places?.get(obstacle);
      if (to === undefined || this.#isAt(obstacle, to)) this.#held.delete(obstacle);
    }
    this.records.push({
      agents: Float64Array.from(agents.flatMap(({ pose }) => pose)),
      obstacles,
      status: Uint8Array.from(agents, ({ status }) => AGENT_STATUS.indexOf(status)),
      stuck: agents.flatMap(({ status, blockedBy }, agent) => (status === 'stuck' ? [{ agent, by: blockedBy }] : [])),
      held: [...this.#held].map(([obstacle, by]) => ({ obstacle, by })),
      step,
      milliseconds,
    });
  }
}
