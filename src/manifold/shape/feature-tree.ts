// Trees of boxes along the axes of a shape's frame, over its triangles and its features, for searches of two trees. All
// boxes of a tree have the same axes, so the products of two frames are computed once a search, not once a pair of boxes.
import type { Part } from '../../core/derived-parts.js';
import { triangleBoxes } from '../../mesh/triangle/triangle-boxes.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { buildBvh } from '../../spatial/build-bvh.js';
import { CONTACT_FEATURES, type ContactFeatures } from './contact-features.js';

/** Layout: numbers of a node in {@link FeatureTree.boxes}. */
export const NODE_STRIDE = 6;

/** A binary tree with one item per leaf. Node 0 is the root; without items there is no node. */
export interface FeatureTree {
  /** Center and half-lengths of each node's box, {@link NODE_STRIDE} numbers per node. */
  readonly boxes: Float64Array;
  /** The first of two adjacent children of an inner node; the complement (`~i`) of the item of a leaf. */
  readonly links: Int32Array;
}

/** The trees of one shape. Items are the numbers of triangles, facets, convex edges and vertices. */
export interface FeatureTrees {
  readonly triangles: FeatureTree;
  readonly facets: FeatureTree;
  readonly edges: FeatureTree;
  readonly summits: FeatureTree;
}

/** The trees over the triangles and features of a model. */
export const FEATURE_TREES: Part<ProximityModel, FeatureTrees> = {
  name: 'feature trees',
  make: ({ parts }) => buildFeatureTrees(parts.get(CONTACT_FEATURES)),
};

function buildFeatureTrees({ positions, corners, facets, edgeVertices, summits }: ContactFeatures): FeatureTrees {
  const two = (e: number): number => 2 * e;
  return {
    triangles: buildTree(triangleBoxes({ positions, indices: corners })),
    facets: buildTree(boxesOfRuns(positions, facets.vertices, facets.count, (f) => facets.start[f])),
    edges: buildTree(boxesOfRuns(positions, edgeVertices, edgeVertices.length / 2, two)),
    summits: buildTree(
      boxesOfRuns(positions, summits, summits.length, (i) => i),
      summits,
    ),
  };
}

/** The boxes of runs of vertices: run i begins at `vertices[start(i)]` and ends where the next begins. */
function boxesOfRuns(p: Float64Array, vertices: Uint32Array, count: number, start: (i: number) => number) {
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      let low = Infinity;
      let high = -Infinity;
      for (let j = start(i); j < start(i + 1); j++) {
        low = Math.min(low, p[3 * vertices[j] + k]);
        high = Math.max(high, p[3 * vertices[j] + k]);
      }
      boxes[6 * i + k] = low;
      boxes[6 * i + 3 + k] = high;
    }
  }
  return boxes;
}

/** @param names the items' numbers where they are not those of their boxes. */
function buildTree(itemBoxes: Float64Array, names?: Uint32Array): FeatureTree {
  const bvh = buildBvh(itemBoxes, { leafSize: 1 });
  const boxes = new Float64Array(NODE_STRIDE * bvh.nodeCount);
  const links = new Int32Array(bvh.nodeCount);
  for (let node = 0; node < bvh.nodeCount; node++) {
    for (let k = 0; k < 3; k++) {
      const low = bvh.nodeBoxes[6 * node + k];
      const high = bvh.nodeBoxes[6 * node + 3 + k];
      const center = (low + high) / 2;
      boxes[NODE_STRIDE * node + k] = center;
      boxes[NODE_STRIDE * node + 3 + k] = Math.max(high - center, center - low);
    }
    const item = bvh.items[bvh.nodeFirst[node]];
    links[node] = bvh.nodeLeft[node] === 0 ? ~(names?.[item] ?? item) : bvh.nodeLeft[node];
  }
  return { boxes, links };
}
