// A Voronoi graph kept between frames: only sites that changed are replaced. It is computed anew where most changed.
import { LiveVoronoi, type PlaneSite, type VoronoiGraph } from 'nearfield/voronoi';

export interface TimedGraph {
  readonly graph: VoronoiGraph;
  /** Sites that were replaced, added or removed since the last time; all of them if the graph is new. */
  readonly changed: number;
  readonly milliseconds: number;
}

export class FollowedGraph {
  readonly #box: readonly [number, number, number, number];
  #live: LiveVoronoi | null = null;
  /** The sites as text, in the order of their indices. */
  #texts: string[] = [];

  constructor(width: number, height: number) {
    this.#box = [0, 0, width, height];
  }

  /** The graph of the sites. Indices of sites in it are those of the list. */
  follow(sites: readonly PlaneSite[]): TimedGraph {
    const texts = sites.map((site) => JSON.stringify(site));
    const start = performance.now();
    const different = texts.flatMap((text, index) => (text === this.#texts[index] ? [] : [index]));
    const removed = Math.max(0, this.#texts.length - texts.length);
    const live = this.#live;
    this.#live = null;
    if (live === null || removed > 0 || 2 * different.length > texts.length) {
      this.#live = new LiveVoronoi(sites, { box: this.#box, between: 'sites' });
    } else {
      for (const index of different) {
        if (index < live.sites.length) live.replace(index, sites[index]);
        else live.add(sites[index]);
      }
      this.#live = live;
    }
    const changed = this.#live === live ? different.length : sites.length;
    this.#texts = texts;
    return { graph: this.#live.graph, changed, milliseconds: performance.now() - start };
  }
}
