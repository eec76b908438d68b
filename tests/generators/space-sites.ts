// Random sites in space.
import type { Random } from '../../src/core/random.js';
import type { SpaceSite } from '../../src/voronoi/sites/space-site.js';

export interface SiteMix {
  readonly count: number;
  readonly kinds?: readonly ('point' | 'segment' | 'triangle')[];
  /** The largest part of a site, as a share of the unit box. */
  readonly length?: number;
  readonly weighted?: boolean;
  readonly scale?: number;
}

/** Sites in the unit cube, times `scale`. */
export function randomSites(random: Random, mix: SiteMix): SpaceSite[] {
  const { count, kinds = ['point', 'segment', 'triangle'], length = 0.3, weighted = false, scale = 1 } = mix;
  return Array.from({ length: count }, () => {
    const a = [random.next(), random.next(), random.next()];
    const near = (): number[] => a.map((value) => scale * (value + length * (random.next() - 0.5)));
    const start = a.map((value) => scale * value);
    const weights = weighted ? { weight: 0.5 + random.next(), offset: 0.1 * scale * random.next() } : {};
    const kind = kinds[random.integer(kinds.length)];
    if (kind === 'point') return { type: 'point', at: start, ...weights };
    if (kind === 'segment') return { type: 'segment', a: start, b: near(), ...weights };
    return { type: 'triangle', a: start, b: near(), c: near(), ...weights };
  });
}
