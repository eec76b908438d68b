// A Voronoi graph of sites that move, come and go. A change costs what the cells it touches cost: the subdivision and the
// edges elsewhere stay.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { VORONOI_DEFAULTS } from '../defaults.js';
import { planeElements } from '../sites/plane-elements.js';
import type { PlaneSite } from '../sites/plane-site.js';
import { type PlaneBox, placeSites } from '../sites/sites-box.js';
import { CellTree } from './cell-tree.js';
import { finishGraph, graphOptions, type VoronoiGraphOptions } from './compute-voronoi-graph.js';
import type { BoundaryKind, PlacedElement } from './feature-node.js';
import { GraphAssembly } from './graph-assembly.js';
import { LocalFrame } from './local-frame.js';
import { placeElements } from './place-elements.js';
import { SiteFeatures } from './site-features.js';
import type { VoronoiGraph } from './voronoi-graph.js';

/** Chosen: a tree that takes this multiple of the memory it began with is built anew. */
const MAX_GARBAGE = 8;

/**
 * A Voronoi graph that follows its sites. Indices of sites stay theirs; those of vertices and edges change with every
 * update.
 */
export class LiveVoronoi {
  readonly box: PlaneBox;
  /** How far a chord of an edge may be from the boundary. */
  readonly error: number;
  readonly #sites: (PlaneSite | null)[];
  readonly #elements: PlacedElement[][] = [];
  readonly #objects: number[] = [];
  readonly #objectOfName = new Map<number | string, number>();
  readonly #frame: LocalFrame;
  readonly #between: BoundaryKind;
  readonly #maxCells: number;
  readonly #curveError: number;
  #features!: SiteFeatures;
  #tree!: CellTree;
  #assembly!: GraphAssembly;
  #alive = new Int32Array(0);
  #smallest = 0;

  /**
   * @throws NearfieldError `bad-argument` for sites or options that are not as described. Without a box the first sites
   * decide it.
   */
  constructor(sites: readonly PlaneSite[], options: VoronoiGraphOptions = {}) {
    const { between, error, maxCells } = graphOptions(options);
    const { box } = placeSites(sites, options.box, options.curveError);
    const longest = Math.max(box[2] - box[0], box[3] - box[1]);
    this.box = box;
    this.error = error ?? VORONOI_DEFAULTS.graphError * longest;
    this.#frame = new LocalFrame(box);
    this.#between = between;
    this.#maxCells = maxCells;
    this.#curveError = options.curveError ?? VORONOI_DEFAULTS.curveError * longest;
    this.#sites = [...sites];
    this.#rebuild();
  }

  /** The sites by index; null for one that was removed. */
  get sites(): readonly (PlaneSite | null)[] {
    return this.#sites;
  }

  /** The graph as it is now. Its arrays change with the next update; copy what you keep. */
  get graph(): VoronoiGraph {
    return finishGraph({
      box: this.box,
      frame: this.#frame,
      features: this.#features,
      tree: this.#tree,
      assembly: this.#assembly,
      error: this.error,
    });
  }

  /** Adds a site and returns its index. */
  add(site: PlaneSite): number {
    const index = this.#sites.length;
    const added = this.#place(site, index);
    this.#sites.push(site);
    this.#elements[index] = added;
    this.#update([], added);
    return index;
  }

  /** Moves or changes a site, or puts one in the place of a removed one. */
  replace(index: number, site: PlaneSite): void {
    this.#assertIndex(index);
    const removed = this.#elements[index];
    const added = this.#place(site, index);
    this.#sites[index] = site;
    this.#elements[index] = added;
    this.#update(removed, added);
  }

  /** Takes a site away; its index is not used again by {@link add}. */
  remove(index: number): void {
    this.#assertIndex(index);
    const removed = this.#elements[index];
    this.#sites[index] = null;
    this.#elements[index] = [];
    this.#update(removed, []);
  }

  #assertIndex(index: number): void {
    if (Number.isInteger(index) && index >= 0 && index < this.#sites.length) return;
    throw new NearfieldError(
      'bad-argument',
      `The site is ${nameValue(index)}; give the index of one of the ${this.#sites.length} sites.`,
    );
  }

  #place(site: PlaneSite, index: number): PlacedElement[] {
    const elements = planeElements([site], this.#curveError);
    const name = elements.objectNames[0];
    let object = 2 * index;
    if (name !== null) {
      object = this.#objectOfName.get(name) ?? 2 * this.#objectOfName.size + 1;
      this.#objectOfName.set(name, object);
    }
    this.#objects[index] = object;
    return placeElements(elements, this.#frame, this.#features, index);
  }

  #update(removed: readonly PlacedElement[], added: readonly PlacedElement[]): void {
    const wasEmpty = this.#alive.length === 0;
    const change = this.#features.change(removed, added);
    const gone = new Set(change.removed);
    const alive = new Int32Array(this.#alive.length - change.removed.length + change.added.length);
    let end = 0;
    for (const feature of this.#alive) if (!gone.has(feature)) alive[end++] = feature;
    for (const feature of change.added) alive[end++] = feature;
    this.#alive = alive;
    if (wasEmpty || alive.length === 0 || this.#tree.entries > MAX_GARBAGE * this.#smallest + 1e6) {
      this.#rebuild();
      return;
    }
    this.#tree.update(change.removed, change.added, alive);
    this.#features.release(change.removed);
    this.#assembly.patch();
  }

  #rebuild(): void {
    this.#features = new SiteFeatures(this.#between, (site) => this.#objects[site]);
    const all: PlacedElement[] = [];
    this.#sites.forEach((site, index) => {
      this.#elements[index] = site === null ? [] : this.#place(site, index);
      all.push(...this.#elements[index]);
    });
    const { added } = this.#features.change([], all);
    this.#alive = Int32Array.from(added);
    this.#tree = new CellTree(this.#features, this.#maxCells);
    if (added.length > 0) this.#tree.build(this.#frame.halfX, this.#frame.halfY, added);
    this.#smallest = this.#tree.entries;
    this.#assembly = new GraphAssembly(this.#features, this.#tree, this.#frame, this.error / this.#frame.scale);
    this.#assembly.patch();
  }
}
