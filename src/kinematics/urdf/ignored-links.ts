// The pairs of links that are not tested against each other besides neighbors: those that a file names, and those found to
// touch wherever the joints are.
import { createRandom } from '../../core/random.js';
import type { ChainPlanRobot } from '../robot/chain-description.js';
import { findAlwaysTouching, findTouchingAtRest } from './touching-links.js';

/** Two links that may touch, and why. */
export interface IgnoredLinks {
  readonly links: readonly [string, string];
  readonly reason: 'srdf' | 'file' | 'always' | 'at-rest';
  /** The share of random configurations in which they touch; 1 at rest, null from a file. */
  readonly share: number | null;
}

/** Which links may touch besides neighbors and those that a file names. */
export type TouchingChoice = 'always' | 'at-rest' | 'none';

export const TOUCHING_CHOICES: readonly TouchingChoice[] = ['always', 'at-rest', 'none'];

/** Chosen: the count of random configurations in which links are tested for touching always. */
const SAMPLES = 100;

/** @param named pairs that a file names. @param source which one. */
export function ignoreTouching(
  robot: ChainPlanRobot,
  named: readonly (readonly [string, string])[],
  touching: TouchingChoice,
  source: 'srdf' | 'file' = 'srdf',
): { readonly ignored: IgnoredLinks[]; readonly warnings: string[] } {
  const warnings: string[] = [];
  const ignored: IgnoredLinks[] = named.map((pair) => ({ links: pair, reason: source, share: null }));
  const withIgnored = (): ChainPlanRobot => ({ ...robot, ignore: ignored.map(({ links }) => links) });
  if (touching !== 'none') {
    const found = findAlwaysTouching(withIgnored(), SAMPLES, createRandom(1));
    for (const pair of found) ignored.push({ ...pair, reason: 'always' });
    warnings.push(...sayTouching(found, `in ${SAMPLES} random configurations`));
  }
  if (touching === 'at-rest') {
    const found = findTouchingAtRest(withIgnored());
    for (const pair of found) ignored.push({ ...pair, reason: 'at-rest' });
    warnings.push(...sayTouching(found, 'where all joints are at 0'));
  }
  return { ignored, warnings };
}

function sayTouching(
  found: readonly { readonly links: readonly [string, string]; readonly share: number }[],
  where: string,
): string[] {
  if (found.length === 0) return [];
  const pairs = found.map(({ links, share }) => `${links.join(' and ')}${share < 1 ? ` (${100 * share} %)` : ''}`);
  return [`links that touch ${where} are not tested against each other: ${pairs.join(', ')}.`];
}
