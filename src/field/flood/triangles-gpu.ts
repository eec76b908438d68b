// The triangles of a surface and their hierarchy in single precision, as triangle-flood.wgsl reads them: relative to
// the center of the grid and to a unit, so that no coordinate exceeds ±1 and the precision is highest around the grid.

import type { Vec3 } from '../../core/vec3.js';
import type { GridFrame } from '../grid.js';
import type { Surface } from '../source/surface.js';
import { buildMortonHierarchy, type MortonHierarchy } from './morton-hierarchy.js';
import { TRIANGLE_FLOOD_LAYOUT } from './triangle-flood-layout.js';

const { Triangle: TRIANGLE_LAYOUT, Node: NODE_LAYOUT } = TRIANGLE_FLOOD_LAYOUT.structs;

/**
 * Chosen: a triangle is measured by its sides only if the squared sine at its first corner is smaller: the weights of
 * its face lose too many of the 24 bits. The stated error then grows by half its height.
 */
const THIN_SINE_SQUARED = 1e-3;
/**
 * Proven: the same holds for triangles with a smaller squared normal, which would leave the range of single precision.
 */
const MIN_NORMAL_SQUARED = 1e-30;
/**
 * Rounding: the additional error of a distance, as a share of the unit: the rounding of corners (1), nodes (3), the
 * difference of both (2), the point of the triangle (12), each of 2⁻²⁴ per axis, root and box bounds (6), doubled, and
 * √3 for three axes.
 */
const SINGLE_DISTANCE_ROUNDING = 2 * Math.sqrt(3) * 24 * 2 ** -24;

/** Chosen: the largest number of triangles in a leaf; the shader's nodes have room for 7. */
const LEAF_SIZE = 4;

export interface GpuTriangles {
  /** The divisor of lengths: a power of two. */
  readonly unit: number;
  readonly triangles: Uint32Array<ArrayBuffer>;
  readonly nodes: Uint32Array<ArrayBuffer>;
  /** Depth of the hierarchy, as in `Bvh`. */
  readonly depth: number;
  /** The largest error of a distance, in units of length. */
  readonly error: number;
}

/** Packs a surface for a grid. */
export function packTriangles(surface: Surface, frame: GridFrame): GpuTriangles {
  const hierarchy = buildMortonHierarchy(surface.triangles, surface.count, surface.box, LEAF_SIZE);
  const { items } = hierarchy;
  const { origin, spacing, size } = frame;
  const center = [0, 1, 2].map((axis) => origin[axis] + (spacing * (size[axis] - 1)) / 2) as Vec3;
  let largest = 0;
  for (let axis = 0; axis < 3; axis++) {
    const { min, max } = surface.box;
    largest = Math.max(
      largest,
      (spacing * (size[axis] - 1)) / 2,
      Math.abs(min[axis] - center[axis]),
      Math.abs(max[axis] - center[axis]),
    );
  }
  const unit = 2 ** Math.ceil(Math.log2(largest));
  const words = TRIANGLE_LAYOUT.size / 4;
  const triangles = new Uint32Array(words * surface.count);
  const floats = new Float32Array(triangles.buffer);
  const { a, b, c, number, sidesOnly } = TRIANGLE_LAYOUT.offsets;
  const corners = surface.triangles;
  let thickness = 0;
  for (let slot = 0; slot < surface.count; slot++) {
    const at = words * slot;
    const from = 9 * items[slot];
    for (let axis = 0; axis < 3; axis++) {
      floats[at + a / 4 + axis] = (corners[from + axis] - center[axis]) / unit;
      floats[at + b / 4 + axis] = (corners[from + 3 + axis] - center[axis]) / unit;
      floats[at + c / 4 + axis] = (corners[from + 6 + axis] - center[axis]) / unit;
    }
    triangles[at + number / 4] = items[slot];
    const height = thinHeight(floats, at + a / 4, at + b / 4, at + c / 4);
    if (height < 0) continue;
    triangles[at + sidesOnly / 4] = 1;
    thickness = Math.max(thickness, height);
  }
  return {
    unit,
    triangles,
    nodes: packNodes(hierarchy, floats),
    depth: hierarchy.depth,
    error: unit * (SINGLE_DISTANCE_ROUNDING + thickness / 2),
  };
}

/** The height of a triangle that is measured by its sides only, −1 for others; its corners are at `a`, `b` and `c`. */
export function thinHeight(t: Float32Array, a: number, b: number, c: number): number {
  const ux = t[b] - t[a];
  const uy = t[b + 1] - t[a + 1];
  const uz = t[b + 2] - t[a + 2];
  const vx = t[c] - t[a];
  const vy = t[c + 1] - t[a + 1];
  const vz = t[c + 2] - t[a + 2];
  const normalX = uy * vz - uz * vy;
  const normalY = uz * vx - ux * vz;
  const normalZ = ux * vy - uy * vx;
  const normalSquared = normalX * normalX + normalY * normalY + normalZ * normalZ;
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  if (normalSquared > MIN_NORMAL_SQUARED && normalSquared > THIN_SINE_SQUARED * uu * vv) return -1;
  const ww = (ux - vx) ** 2 + (uy - vy) ** 2 + (uz - vz) ** 2;
  const longest = Math.sqrt(Math.max(uu, vv, ww));
  return longest > 0 ? Math.sqrt(normalSquared) / longest : 0;
}

/** Boxes of the rounded triangles: children come after their parents, so one backward pass over the nodes merges them. */
function packNodes(
  { nodeCount, nodeLeft, nodeFirst, nodeItems }: MortonHierarchy,
  corners: Float32Array,
): Uint32Array<ArrayBuffer> {
  const words = NODE_LAYOUT.size / 4;
  const stride = TRIANGLE_LAYOUT.size / 4;
  const { minimum, maximum, left: leftAt, triangles } = NODE_LAYOUT.offsets;
  const nodes = new Uint32Array(words * nodeCount);
  const boxes = new Float32Array(nodes.buffer);
  for (let node = nodeCount - 1; node >= 0; node--) {
    const at = words * node;
    const left = nodeLeft[node];
    nodes[at + leftAt / 4] = left;
    nodes[at + triangles / 4] = 8 * nodeFirst[node] + Math.min(7, nodeItems[node]);
    for (let axis = 0; axis < 3; axis++) {
      let low = Infinity;
      let high = -Infinity;
      if (left === 0) {
        const end = stride * (nodeFirst[node] + nodeItems[node]);
        for (let o = stride * nodeFirst[node] + axis; o < end; o += 4) {
          low = Math.min(low, corners[o]);
          high = Math.max(high, corners[o]);
        }
      } else {
        const l = words * left + axis;
        low = Math.min(boxes[l + minimum / 4], boxes[l + words + minimum / 4]);
        high = Math.max(boxes[l + maximum / 4], boxes[l + words + maximum / 4]);
      }
      boxes[at + minimum / 4 + axis] = low;
      boxes[at + maximum / 4 + axis] = high;
    }
  }
  return nodes;
}
