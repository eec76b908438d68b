// Moves lattice nodes that lie close to the surface onto it, so that no cut passes close to a node and no triangle
// is a sliver (Labelle and Shewchuk 2007, isosurface stuffing, section 3). Beyond the paper, a node moves only where
// the surface around it and around its moved neighbors stays one disk, so the surface is a manifold at any resolution.
import { type BccLattice, NEIGHBORS } from './bcc-lattice.js';

/** Published (Labelle and Shewchuk 2007, table 2): a node moves to a crossing within this fraction of a long edge. */
export const SNAP_LONG = 0.24999;

/** Published (Labelle and Shewchuk 2007, table 2): a node moves to a crossing within this fraction of a short edge. */
export const SNAP_SHORT = 0.41189;

/** By neighbor of a node: the bit set of the neighbors, of 14, that are adjacent to it. */
const LINK_ADJACENCY = NEIGHBORS.map((a) =>
  NEIGHBORS.reduce((bits, b, j) => (areAdjacent(a, b) ? bits | (1 << j) : bits), 0),
);

/** The 24 triangles that the neighbors of a node form, as bit sets. */
const LINK_TRIANGLES = findLinkTriangles();

/** Label: state of a node: the shape is negative there. */
export const INSIDE = 0;

/** Label: state of a node: it moves onto the surface. */
export const ON_SURFACE = 1;

/** Label: state of a node: the shape is zero or positive there. */
export const OUTSIDE = 2;

/** Label: state of a node: it is too far from the surface to be sampled. */
export const NO_SAMPLE = 3;

/** Indexed by node id. The arrays after `states` are set only for nodes on the surface. */
export interface SnappedNodes {
  readonly states: Uint8Array;
  /** Index into `NEIGHBORS` of the edge the node moves along. */
  readonly direction: Uint8Array;
  /** The node at the other end of that edge. */
  readonly towards: Int32Array;
  /** The fraction of that edge it moves, by linear interpolation. */
  readonly share: Float64Array;
}

export function snapNodes(lattice: BccLattice): SnappedNodes {
  const { values, nodeCount } = lattice;
  const states = new Uint8Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    states[node] = values[node] < 0 ? INSIDE : values[node] >= 0 ? OUTSIDE : NO_SAMPLE;
  }
  const direction = new Uint8Array(nodeCount);
  const towards = new Int32Array(nodeCount);
  const share = new Float64Array(nodeCount);
  const ring = new Int32Array(14);
  const otherRing = new Int32Array(14);
  for (let node = 0; node < nodeCount; node++) {
    const state = states[node];
    if (state === NO_SAMPLE || !gatherNeighbors(lattice, node, ring)) continue;
    const opposite = state === INSIDE ? OUTSIDE : INSIDE;
    let nearest = Infinity;
    for (let d = 0; d < 14; d++) {
      if (states[ring[d]] !== opposite) continue;
      const t = values[node] / (values[node] - values[ring[d]]);
      if (t >= (d < 6 ? SNAP_LONG : SNAP_SHORT)) continue;
      const length = d < 6 ? 2 * t : Math.sqrt(3) * t;
      if (length >= nearest) continue;
      nearest = length;
      direction[node] = d;
      towards[node] = ring[d];
      share[node] = t;
    }
    if (nearest === Infinity) continue;
    states[node] = ON_SURFACE;
    let sound = isDisc(states, ring);
    for (let d = 0; d < 14 && sound; d++) {
      if (states[ring[d]] !== ON_SURFACE) continue;
      gatherNeighbors(lattice, ring[d], otherRing);
      sound = isDisc(states, otherRing);
    }
    if (!sound) states[node] = state;
  }
  return { states, direction, towards, share };
}

/** Fills in the ids of the 14 neighbors; false when one has no sample, so the surface cannot be near. */
function gatherNeighbors(lattice: BccLattice, node: number, ring: Int32Array): boolean {
  const u = lattice.coordinate(node, 0);
  const v = lattice.coordinate(node, 1);
  const w = lattice.coordinate(node, 2);
  for (let d = 0; d < 14; d++) {
    const offset = NEIGHBORS[d];
    const id = lattice.nodeAt(u + offset[0], v + offset[1], w + offset[2]);
    if (id < 0 || Number.isNaN(lattice.values[id])) return false;
    ring[d] = id;
  }
  return true;
}

/**
 * Whether the surface around a node on it is a single disk. The 14 neighbors span a sphere of 24 triangles. If the
 * inside ones are connected, the outside ones too, and no triangle has all three corners on the surface, one simple
 * closed curve separates them (two would leave a third region), and the surface is the cone over that curve.
 */
function isDisc(states: Uint8Array, ring: Int32Array): boolean {
  let inside = 0;
  let outside = 0;
  let on = 0;
  for (let d = 0; d < 14; d++) {
    const state = states[ring[d]];
    if (state === INSIDE) inside |= 1 << d;
    else if (state === OUTSIDE) outside |= 1 << d;
    else on |= 1 << d;
  }
  if (!isConnected(inside) || !isConnected(outside)) return false;
  for (const triangle of LINK_TRIANGLES) if ((on & triangle) === triangle) return false;
  return true;
}

function isConnected(bits: number): boolean {
  if (bits === 0) return false;
  let reached = bits & -bits;
  let frontier = reached;
  while (frontier !== 0) {
    const d = 31 - Math.clz32(frontier);
    frontier &= ~(1 << d);
    const added = LINK_ADJACENCY[d] & bits & ~reached;
    reached |= added;
    frontier |= added;
  }
  return reached === bits;
}

function areAdjacent(a: readonly number[], b: readonly number[]): boolean {
  const offset = [Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(a[2] - b[2])].sort().join();
  return offset === '1,1,1' || offset === '0,0,2';
}

function findLinkTriangles(): number[] {
  const triangles: number[] = [];
  for (let a = 0; a < 14; a++) {
    for (let b = a + 1; b < 14; b++) {
      for (let c = b + 1; c < 14; c++) {
        if (LINK_ADJACENCY[a] & (1 << b) && LINK_ADJACENCY[a] & (1 << c) && LINK_ADJACENCY[b] & (1 << c)) {
          triangles.push((1 << a) | (1 << b) | (1 << c));
        }
      }
    }
  }
  return triangles;
}
