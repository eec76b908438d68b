// The side of every node of a lattice that was sampled only near the surface.
import type { BccLattice } from '../../mesh/implicit/bcc-lattice.js';
import { INSIDE, NO_SAMPLE, OUTSIDE } from '../../mesh/implicit/snap-nodes.js';

/** The index of the node with doubled coordinates u, v, w in a grid of cells: corners first, then centers. */
export function gridNode([nx, ny, nz]: readonly [number, number, number], u: number, v: number, w: number): number {
  return (((u & 1) * nz + (w >> 1)) * ny + (v >> 1)) * nx + (u >> 1);
}

/**
 * The state of each node by {@link gridNode}. The surface passes between neighbors only where both are sampled, so a node
 * without a sample has the side of the one before it in its row.
 * @param states of the sampled nodes.
 */
export function gridStates(lattice: BccLattice, states: Uint8Array): Uint8Array {
  const size = lattice.cells;
  const [nx, ny, nz] = size;
  const all = new Uint8Array(2 * nx * ny * nz);
  for (let parity = 0; parity < 2; parity++) {
    for (let k = 0; k < nz; k++) {
      for (let j = 0; j < ny; j++) {
        let side = OUTSIDE;
        let at = gridNode(size, parity, 2 * j, 2 * k);
        for (let i = 0; i < nx; i++) {
          const id = lattice.nodeAt(2 * i + parity, 2 * j + parity, 2 * k + parity);
          const isSampled = id >= 0 && states[id] !== NO_SAMPLE;
          if (isSampled) side = lattice.values[id] < 0 ? INSIDE : OUTSIDE;
          all[at++] = isSampled ? states[id] : side;
        }
      }
    }
  }
  return all;
}
