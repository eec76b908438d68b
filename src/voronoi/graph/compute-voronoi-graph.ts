// The Voronoi graph of sites in a box of the plane. The subdivision and the argument for it are in the chapter's page.
import { nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, numberAbove, numberFrom, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { VORONOI_DEFAULTS } from '../defaults.js';
import type { PlaneSite } from '../sites/plane-site.js';
import { type PlaneBox, placeSites } from '../sites/sites-box.js';
import { CellTree } from './cell-tree.js';
import type { BoundaryKind } from './feature-node.js';
import { GraphAssembly } from './graph-assembly.js';
import { LocalFrame } from './local-frame.js';
import { placeElements } from './place-elements.js';
import { SiteFeatures } from './site-features.js';
import type { VoronoiGraph } from './voronoi-graph.js';

/** How to compute a Voronoi graph. */
export interface VoronoiGraphOptions {
  /** x0, y0, x1, y1; default: the box of the sites with a margin of 5 % of its longest side. */
  readonly box?: ArrayLike<number> | undefined;
  /** What boundaries separate. Features are the vertices, segments and arcs of sites. Default 'objects'. */
  readonly between?: BoundaryKind | undefined;
  /** How far a chord of an edge may be from the boundary. Default: 1e-4 of the longest side of the box. */
  readonly error?: number | undefined;
  /** How far the lines that replace a Bézier curve may be from it. Default: 1e-4 of the longest side of the box. */
  readonly curveError?: number | undefined;
  /** The most cells of the subdivision; with fewer than it needs, parts of edges are missing. Default 2,000,000. */
  readonly maxCells?: number | undefined;
}

const GRAPH_OPTIONS = optionTable<VoronoiGraphOptions>()({
  box: checkedElsewhere(),
  between: checkedElsewhere(),
  error: numberAbove(0),
  curveError: checkedElsewhere(),
  maxCells: numberFrom(1, VORONOI_DEFAULTS.maxCells),
});

/** The options with defaults, checked. The error is undefined where it is left out: its default depends on the box. */
export function graphOptions(options: VoronoiGraphOptions): {
  readonly between: BoundaryKind;
  readonly error: number | undefined;
  readonly maxCells: number;
} {
  const { between = VORONOI_DEFAULTS.between, error, maxCells } = GRAPH_OPTIONS.read(options);
  if (between !== 'objects' && between !== 'sites' && between !== 'features') {
    throw new NearfieldError(
      'bad-argument',
      `The boundaries are between ${nameValue(between)}; give objects, sites or features.`,
    );
  }
  return { between, error, maxCells };
}

/**
 * The boundaries between the regions of a Voronoi diagram in a box, as a graph: vertices where boundaries meet or leave
 * the box, and edges between them.
 * @throws NearfieldError `bad-argument` for sites, a box or options that are not as described.
 */
export function computeVoronoiGraph(sites: readonly PlaneSite[], options: VoronoiGraphOptions = {}): VoronoiGraph {
  return finishGraph(buildGraph(sites, options));
}

/** A graph with what it was made from. */
export interface GraphParts {
  readonly box: PlaneBox;
  readonly frame: LocalFrame;
  readonly features: SiteFeatures;
  readonly tree: CellTree;
  readonly assembly: GraphAssembly;
  readonly error: number;
}

export function buildGraph(sites: readonly PlaneSite[], options: VoronoiGraphOptions): GraphParts {
  const { between, error: given, maxCells } = graphOptions(options);
  const { elements, box } = placeSites(sites, options.box, options.curveError);
  const frame = new LocalFrame(box);
  const error = given ?? VORONOI_DEFAULTS.graphError * Math.max(box[2] - box[0], box[3] - box[1]);
  const features = new SiteFeatures(between, (site) => elements.objectOfSite[site]);
  const change = features.change([], placeElements(elements, frame, features, 0));
  const tree = new CellTree(features, maxCells);
  if (change.added.length > 0) tree.build(frame.halfX, frame.halfY, change.added);
  const assembly = new GraphAssembly(features, tree, frame, error / frame.scale);
  assembly.patch();
  return { box, frame, features, tree, assembly, error };
}

export function finishGraph({ box, tree, assembly, error }: GraphParts): VoronoiGraph {
  return {
    vertices: assembly.vertices,
    edges: assembly.edges,
    box,
    error,
    status: tree.unresolved > 0 ? 'limit' : 'complete',
    counters: tree.counters,
  };
}
