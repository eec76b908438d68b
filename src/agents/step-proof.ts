// Proves that the motions of a step keep all bodies apart, and slows agents down where that is not proven. Bodies between
// which a slab stays empty are proven by it; others by the motions of their boxes and triangles.

import { DISTANCE_ROUNDING } from '../kinematics/validity/distance-rounding.js';
import { type Agent, SHARES } from './agent.js';
import { type NearPair, type NearPairs, touchingOf } from './near-pairs.js';
import type { SightLine } from './sight-line.js';
import type { WorldBody } from './world-body.js';

/** Chosen: the room that is left for exact proofs, in units of what they need. */
const LEFT = 2;

/** A body that is not an agent and can be stopped: its share of the motion, as an index of {@link SHARES}. */
export interface Stoppable {
  readonly body: WorldBody;
  level: number;
  apply(): void;
}

/** A pair whose motion is not proven although all that can stop has stopped. */
export interface Unproven {
  readonly agent: Agent;
  readonly obstacle: WorldBody;
}

export class StepProof {
  exactProofs = 0;
  slowed = 0;
  readonly #pairs: NearPairs;

  constructor(pairs: NearPairs) {
    this.#pairs = pairs;
  }

  /** Calls back with pairs whose motions are not proven, and the share of them that is. */
  check(pairs: readonly NearPair[], found: (pair: NearPair, share: number) => void): void {
    for (const pair of pairs) {
      const share = this.#provenShare(pair);
      if (share < 1) found(pair, share);
    }
  }

  /**
   * Slows agents, and obstacles that can be stopped, until every pair is proven. Returns the pairs that are not: an
   * obstacle that cannot be stopped runs into an agent.
   * @param pairs that are not proven yet.
   * @param byBody the pairs of each agent, by its index.
   */
  prove(
    pairs: readonly NearPair[],
    byBody: readonly (readonly NearPair[])[],
    sights: readonly SightLine[],
    stoppable: ReadonlyMap<WorldBody, Stoppable>,
    time: number,
  ): Unproven[] {
    const unproven: Unproven[] = [];
    const queue = [...pairs];
    const slow = (agent: Agent): void => {
      for (const member of agent.cluster) {
        member.level++;
        member.apply(time);
        this.slowed++;
        for (const pair of byBody[member.index]) queue.push(pair);
      }
    };
    const canSlow = (agent: Agent): boolean => SHARES[agent.level] > 0;
    for (let isDone = false; !isDone; ) {
      while (queue.length > 0) {
        const pair = queue.pop()!;
        if (this.#provenShare(pair) === 1) continue;
        const { agentA, agentB, b } = pair;
        const obstacle = agentB === null ? stoppable.get(b) : undefined;
        let isSlowed = false;
        if (canSlow(agentA)) {
          slow(agentA);
          isSlowed = true;
        }
        if (agentB !== null && agentB.cluster !== agentA.cluster && canSlow(agentB)) {
          slow(agentB);
          isSlowed = true;
        }
        if (!isSlowed && obstacle !== undefined && SHARES[obstacle.level] > 0) {
          obstacle.level++;
          obstacle.apply();
          for (const other of this.#pairs.near) if (other.b === b) queue.push(other);
          isSlowed = true;
        }
        // Bodies at rest stay as far apart as they are.
        if (!isSlowed && agentB === null && b.motion > 0) unproven.push({ agent: agentA, obstacle: b });
      }
      isDone = true;
      for (const sight of sights) {
        if (sight.holds()) continue;
        for (const agent of [sight.a, sight.b]) {
          if (!canSlow(agent)) continue;
          slow(agent);
          isDone = false;
        }
      }
    }
    return unproven;
  }

  /** The share of the motions for which the two are proven to stay apart. */
  #provenShare(pair: NearPair): number {
    const { a, b, wanted, normal } = pair;
    if (a.motion + b.motion === 0) return 1;
    const size = Math.abs(a.pose[0]) + Math.abs(a.pose[1]) + Math.abs(a.pose[2]) + a.shape.radius + b.shape.radius;
    const slack = DISTANCE_ROUNDING * size;
    // Exact proofs begin with some room: what is proven in another way leaves it.
    const kept = wanted + slack + LEFT * touchingOf(a, b);
    const gap = pair.distance - kept;
    if (a.motion + b.motion < gap) return 1;
    const turning = a.arm * a.turn + b.arm * b.turn;
    // How much nearer the two come along the direction between the nearest points, but for their turning.
    let closing = 0;
    for (let k = 0; k < 3; k++) closing += normal[k] * (a.next[k] - a.pose[k] - (b.next[k] - b.pose[k]));
    const lost = Math.max(0, closing) + turning;
    if (lost < gap || (lost === 0 && pair.distance > wanted)) {
      const back = [-normal[0], -normal[1], -normal[2]];
      const slab = -b.extentAlong(back) - a.extentAlong(normal);
      // A slab that does not get narrower stays as wide as it is.
      if (lost < slab - kept || (lost === 0 && closing <= 0 && slab >= pair.distance - slack)) return 1;
    }
    this.exactProofs++;
    return this.#pairs.exactOf(a.shape.model, b.shape.model).advance(a.even, b.even, wanted);
  }
}
