// A tree of boxes along the axes of a shape's frame over its triangles, for searches of two trees: boxes of one tree all
// have the same axes, so the products of the two frames are computed once a search, not once a pair of boxes.
import type { Part } from '../../core/derived-parts.js';
import { triangleBoxes } from '../../mesh/triangle/triangle-boxes.js';
import { OUTWARD_SURFACE } from '../../proximity/model-parts.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { buildBvh } from '../../spatial/build-bvh.js';

/** Numbers per node in {@link FeatureTree.boxes}. */
export const NODE_STRIDE = 6;

/** A binary tree with one triangle per leaf. Node 0 is the root. */
export interface FeatureTree {
  /** Center and half-lengths of each node's box, {@link NODE_STRIDE} numbers per node. */
  readonly boxes: Float64Array;
  /** The first of two adjacent children of an inner node; the complement (`~t`) of the triangle of a leaf. */
  readonly links: Int32Array;
  /** Nodes on the longest path from the root. */
  readonly depth: number;
}

/** The tree over the triangles of a model. */
export const FEATURE_TREE: Part<ProximityModel, FeatureTree> = { name: 'feature tree', make: buildFeatureTree };

function buildFeatureTree({ parts }: ProximityModel): FeatureTree {
  const { mesh } = parts.get(OUTWARD_SURFACE);
  const bvh = buildBvh(triangleBoxes(mesh), { leafSize: 1 });
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
    links[node] = bvh.nodeLeft[node] === 0 ? ~bvh.items[bvh.nodeFirst[node]] : bvh.nodeLeft[node];
  }
  return { boxes, links, depth: bvh.depth };
}
