// Links of a robot that touch wherever its joints are, as the coverings of neighbors but one often do: found by sampling, as
// MoveIt's setup does. What is found is reported, since planning ignores it from then on.
import type { Random } from '../../core/random.js';
import { Pair } from '../../proximity/pair.js';
import { buildChain } from '../robot/build-chain.js';
import type { ChainPlanRobot } from '../robot/chain-description.js';

/** Two links that touch in a share of all samples. */
export interface TouchingLinks {
  readonly links: readonly [string, string];
  readonly share: number;
}

/** Chosen: links that touch in this share of the samples count as touching always. */
const ALWAYS = 0.95;

/** The pairs that touch in nearly all of the random configurations drawn. */
export function findAlwaysTouching(robot: ChainPlanRobot, samples: number, random: Random): TouchingLinks[] {
  return countTouching(robot, samples, (chain, q) => chain.sample(random, q));
}

/** The pairs that touch where all joints are at 0, or at the limit next to it. */
export function findTouchingAtRest(robot: ChainPlanRobot): TouchingLinks[] {
  return countTouching(robot, 1, (chain, q) => {
    for (let value = 0; value < chain.size; value++) {
      const [low, high] = chain.limits[value];
      q[value] = Math.min(high, Math.max(low, 0));
    }
  });
}

function countTouching(
  robot: ChainPlanRobot,
  samples: number,
  sample: (chain: ReturnType<typeof buildChain>, q: Float64Array) => void,
): TouchingLinks[] {
  const chain = buildChain(robot, robot.name ?? 'robot', 0);
  const q = new Float64Array(chain.size);
  const poses = new Float64Array(7 * chain.links.length);
  const poseOf = (link: number): Float64Array => poses.subarray(7 * link, 7 * link + 7);
  let left = chain.linkPairs.map(([a, b]) => {
    return { a, b, pair: new Pair(chain.links[a].model, chain.links[b].model), hits: 0, misses: 0 };
  });
  for (let i = 0; i < samples && left.length > 0; i++) {
    sample(chain, q);
    chain.place(q, poses);
    for (const one of left) {
      if (one.pair.intersects(poseOf(one.a), poseOf(one.b)).intersects) one.hits++;
      else one.misses++;
    }
    // Most pairs are out after a few samples.
    left = left.filter(({ misses }) => misses <= (1 - ALWAYS) * samples);
  }
  return left.map(({ a, b, hits }) => ({ links: [chain.links[a].name, chain.links[b].name], share: hits / samples }));
}
