// The parts of a boundary in the plane that lie inside another shape, cut exactly up to rounding: edge by edge against
// every edge. To show what pixels stand for; queries do not need it.

/** Closed chains of x, y: the last point is the first again. */
type Chains = readonly ArrayLike<number>[];

/** Segments of the first outline inside the second, x, y of both ends each. */
export function insidePieces(outline: Chains, other: Chains): number[] {
  const pieces: number[] = [];
  for (const chain of outline) {
    for (let i = 0; i + 3 < chain.length; i += 2) {
      const [ax, ay, bx, by] = [chain[i], chain[i + 1], chain[i + 2], chain[i + 3]];
      const cuts = [0, ...crossings(ax, ay, bx, by, other), 1].sort((a, b) => a - b);
      for (let k = 0; k + 1 < cuts.length; k++) {
        const [from, to] = [cuts[k], cuts[k + 1]];
        const middle = (from + to) / 2;
        if (from === to || !isInside(ax + middle * (bx - ax), ay + middle * (by - ay), other)) continue;
        pieces.push(ax + from * (bx - ax), ay + from * (by - ay), ax + to * (bx - ax), ay + to * (by - ay));
      }
    }
  }
  return pieces;
}

/** Where a segment crosses the edges, as shares of its length. */
function crossings(ax: number, ay: number, bx: number, by: number, other: Chains): number[] {
  const shares: number[] = [];
  const [ux, uy] = [bx - ax, by - ay];
  for (const chain of other) {
    for (let i = 0; i + 3 < chain.length; i += 2) {
      const [vx, vy] = [chain[i + 2] - chain[i], chain[i + 3] - chain[i + 1]];
      const area = ux * vy - uy * vx;
      const [wx, wy] = [chain[i] - ax, chain[i + 1] - ay];
      const share = (wx * vy - wy * vx) / area;
      const along = (wx * uy - wy * ux) / area;
      if (share > 0 && share < 1 && along >= 0 && along <= 1) shares.push(share);
    }
  }
  return shares;
}

/** By the even-odd rule. */
function isInside(x: number, y: number, chains: Chains): boolean {
  let odd = false;
  for (const chain of chains) {
    for (let i = 0; i + 3 < chain.length; i += 2) {
      const [y0, y1] = [chain[i + 1], chain[i + 3]];
      if (y0 > y === y1 > y) continue;
      if (chain[i] + ((y - y0) / (y1 - y0)) * (chain[i + 2] - chain[i]) > x) odd = !odd;
    }
  }
  return odd;
}
