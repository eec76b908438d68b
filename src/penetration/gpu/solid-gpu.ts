// The convex pieces of a solid on a device: for each leaf of its hierarchy of hulls the vertices, the normals of its
// facets and the arcs between them, in one buffer of vectors that a kernel places. Uploaded once per model and device
// and kept by the model.
import { buildNormalFan, type NormalFan, shareNormalFans } from '../../convex/minkowski/normal-fan.js';
import type { Part } from '../../core/derived-parts.js';
import { uploadBuffer } from '../../gpu/buffer.js';
import type { GpuDevice } from '../../gpu/device.js';
import { BUFFER_USAGE } from '../../gpu/flags.js';
import type { StructLayout } from '../../gpu/shader-layout.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import type { Solid } from '../solid.js';

/** A leaf in minkowski-planes.wgsl: positions in the solid's vectors. */
export const LEAF_LAYOUT = {
  size: 32,
  offsets: {
    firstPoint: 0,
    endPoint: 4,
    firstNormal: 8,
    endFacet: 12,
    endNormal: 16,
    firstArc: 20,
    arcCount: 24,
    flat: 28,
  },
} as const satisfies StructLayout;

/** Layout: vectors of an arc: along its edge, and its two normals. */
const ARC_VECTORS = 3;

/** A solid's pieces on a device. */
export interface GpuSolid {
  /** The leaf at each node of the hierarchy; −1 for inner nodes and for leaves without area (neighbors hold them). */
  readonly leafOfNode: Int32Array;
  /** How many normals and arcs each leaf has. */
  readonly normalCounts: Uint32Array;
  readonly arcCounts: Uint32Array;
  /**
   * Four numbers per vector. Points come first, relative to the model's center, in units of its radius: first
   * a ball per leaf, its radius last, then the vertices. Then directions, whose last number is 1 for a facet's normal.
   */
  readonly vectors: GPUBuffer;
  readonly vectorCount: number;
  readonly pointCount: number;
  readonly leaves: GPUBuffer;
}

/** What a model has on each device it was used with. */
const GPU_SOLIDS: Part<ProximityModel, { readonly gpu: GpuDevice; readonly solid: GpuSolid }[]> = {
  name: 'pieces on devices',
  make: () => [],
  bytes: (uploaded) => uploaded.reduce((sum, { solid }) => sum + solid.vectors.size + solid.leaves.size, 0),
  free: (uploaded) => {
    for (const { solid } of uploaded) destroySolid(solid);
  },
};

/** The pieces of a solid on a device; an earlier upload is reused. O(size of the pieces). */
export function uploadSolid(gpu: GpuDevice, solid: Solid): GpuSolid {
  const uploaded = solid.model.parts.get(GPU_SOLIDS);
  const known = uploaded.find((entry) => entry.gpu === gpu);
  if (known !== undefined) return known.solid;
  // Lost devices never come back.
  for (let i = uploaded.length - 1; i >= 0; i--) if (uploaded[i].gpu.isLost) uploaded.splice(i, 1);
  const made = packSolid(gpu, solid);
  uploaded.push({ gpu, solid: made });
  return made;
}

function destroySolid({ vectors, leaves }: GpuSolid): void {
  vectors.destroy();
  leaves.destroy();
}

function packSolid(gpu: GpuDevice, solid: Solid): GpuSolid {
  const { set, hulls, model } = solid;
  const known = shareNormalFans(set, hulls.faceClasses);
  const leafOfNode = new Int32Array(hulls.nodePieces.length).fill(-1);
  const fans: NormalFan[] = [];
  for (let node = 0; node < leafOfNode.length; node++) {
    if (hulls.children[2 * node] >= 0) continue;
    const fan = (known[node] ??= buildNormalFan(set, node, hulls.faceClasses));
    if (fan.dimension < 2) continue;
    leafOfNode[node] = fans.length;
    fans.push(fan);
  }
  const points = fans.reduce((sum, fan) => sum + fan.points.length / 3, fans.length);
  const directions = fans.reduce((sum, fan) => sum + fan.normals.length / 3 + ARC_VECTORS * fan.arcHandles.length, 0);
  const vectors = new Float32Array(4 * (points + directions));
  const leaves = new Uint32Array((LEAF_LAYOUT.size / 4) * fans.length);
  const at = LEAF_LAYOUT.offsets;
  let point = fans.length;
  let direction = points;
  fans.forEach((fan, leaf) => {
    const entry = (leaf * LEAF_LAYOUT.size) / 4;
    leaves[entry + at.firstPoint / 4] = point;
    point = writePoints(vectors, leaf, point, fan, model.center, 1 / model.radius);
    leaves[entry + at.endPoint / 4] = point;
    leaves[entry + at.firstNormal / 4] = direction;
    leaves[entry + at.endFacet / 4] = direction + fan.facetCount;
    direction = writeNormals(vectors, direction, fan);
    leaves[entry + at.endNormal / 4] = direction;
    leaves[entry + at.firstArc / 4] = direction;
    direction = writeArcs(vectors, direction, fan);
    leaves[entry + at.arcCount / 4] = fan.arcHandles.length;
    leaves[entry + at.flat / 4] = fan.dimension === 2 ? 1 : 0;
  });
  return {
    leafOfNode,
    normalCounts: Uint32Array.from(fans, (fan) => fan.normals.length / 3),
    arcCounts: Uint32Array.from(fans, (fan) => fan.arcHandles.length),
    vectors: uploadBuffer(gpu, vectors, BUFFER_USAGE.STORAGE, 'vectors of pieces'),
    vectorCount: points + directions,
    pointCount: points,
    leaves: uploadBuffer(gpu, leaves, BUFFER_USAGE.STORAGE, 'pieces'),
  };
}

/** The vertices, and the ball around them. Returns where the next leaf's vertices begin. */
function writePoints(
  out: Float32Array,
  leaf: number,
  start: number,
  { points }: NormalFan,
  center: ArrayLike<number>,
  scale: number,
): number {
  const end = start + points.length / 3;
  const middle = [0, 0, 0];
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = axis, v = start; v < end; i += 3, v++) {
      const value = (points[i] - center[axis]) * scale;
      out[4 * v + axis] = value;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    middle[axis] = Math.fround((low + high) / 2);
    out[4 * leaf + axis] = middle[axis];
  }
  let radius = 0;
  for (let v = start; v < end; v++) {
    radius = Math.max(
      radius,
      Math.hypot(out[4 * v] - middle[0], out[4 * v + 1] - middle[1], out[4 * v + 2] - middle[2]),
    );
  }
  out[4 * leaf + 3] = radius;
  return end;
}

function writeNormals(out: Float32Array, start: number, { normals, facetCount }: NormalFan): number {
  const count = normals.length / 3;
  for (let i = 0; i < count; i++) writeNormal(out, start + i, normals, i, facetCount);
  return start + count;
}

function writeNormal(out: Float32Array, to: number, normals: Float64Array, i: number, facetCount: number): void {
  for (let axis = 0; axis < 3; axis++) out[4 * to + axis] = normals[3 * i + axis];
  out[4 * to + 3] = i < facetCount ? 1 : 0;
}

function writeArcs(out: Float32Array, start: number, fan: NormalFan): number {
  const { points, arcVertices, arcNormals, arcHandles, normals, facetCount } = fan;
  let to = start;
  for (let arc = 0; arc < arcHandles.length; arc++, to += ARC_VECTORS) {
    const v = 3 * arcVertices[2 * arc];
    const w = 3 * arcVertices[2 * arc + 1];
    const length = Math.hypot(points[w] - points[v], points[w + 1] - points[v + 1], points[w + 2] - points[v + 2]);
    for (let axis = 0; axis < 3; axis++) out[4 * to + axis] = (points[w + axis] - points[v + axis]) / length;
    writeNormal(out, to + 1, normals, arcNormals[2 * arc], facetCount);
    writeNormal(out, to + 2, normals, arcNormals[2 * arc + 1], facetCount);
  }
  return to;
}
