// Functions that are linear in each of the six tetrahedra around the diagonal of every grid cell: their value at a point,
// and the volume where they are below a level. Written from the definition; nothing here comes from the code under test.

interface Grid {
  readonly size: readonly [number, number, number];
  readonly values: ArrayLike<number>;
}

/** The value at a place in spacings from the first node: the steps of the walk from corner to corner go by falling share. */
export function linearInTetrahedra(grid: Grid, place: ArrayLike<number>): number {
  const [nx, ny] = grid.size;
  const strides = [1, nx, nx * ny];
  let node = 0;
  const shares = [0, 1, 2].map((axis) => {
    const cell = Math.min(grid.size[axis] - 2, Math.max(0, Math.floor(place[axis])));
    node += strides[axis] * cell;
    return { axis, share: place[axis] - cell };
  });
  shares.sort((a, b) => b.share - a.share);
  let value = grid.values[node];
  for (const { axis, share } of shares) {
    const next = node + strides[axis];
    value += share * (grid.values[next] - grid.values[node]);
    node = next;
  }
  return value;
}

/** The volume, in cells, where the function is below the level. */
export function volumeBelow(grid: Grid, level: number): number {
  const [nx, ny, nz] = grid.size;
  const strides = [1, nx, nx * ny];
  let volume = 0;
  for (let k = 0; k < nz - 1; k++) {
    for (let j = 0; j < ny - 1; j++) {
      for (let i = 0; i < nx - 1; i++) {
        const node = i + nx * (j + ny * k);
        for (const [a, b] of [
          [0, 1],
          [0, 2],
          [1, 0],
          [1, 2],
          [2, 0],
          [2, 1],
        ]) {
          const path = [node, node + strides[a], node + strides[a] + strides[b], node + 1 + nx + nx * ny];
          volume += shareBelow(path.map((n) => grid.values[n] - level)) / 6;
        }
      }
    }
  }
  return volume;
}

/** The share of a tetrahedron where the linear function with these corner values is negative. */
function shareBelow(values: number[]): number {
  const below = [0, 1, 2, 3].filter((corner) => values[corner] < 0);
  const above = [0, 1, 2, 3].filter((corner) => !(values[corner] < 0));
  const cut = (a: number, b: number): number[] => {
    const t = values[a] / (values[a] - values[b]);
    return [0, 1, 2, 3].map((corner) => (corner === a ? 1 - t : 0) + (corner === b ? t : 0));
  };
  const corner = (a: number): number[] => [0, 1, 2, 3].map((c) => (c === a ? 1 : 0));
  if (below.length === 0) return 0;
  if (below.length === 4) return 1;
  if (below.length === 3) {
    const [top] = above;
    return 1 - below.reduce((product, c) => product * (values[top] / (values[top] - values[c])), 1);
  }
  const [a, b] = below;
  if (below.length === 1) return above.reduce((product, c) => product * (values[a] / (values[a] - values[c])), 1);
  const [c, d] = above;
  return (
    barycentricVolume([corner(a), corner(b), cut(a, c), cut(a, d)]) +
    barycentricVolume([corner(b), cut(a, c), cut(a, d), cut(b, d)]) +
    barycentricVolume([corner(b), cut(a, c), cut(b, c), cut(b, d)])
  );
}

/** The volume of a tetrahedron against the one its corners' barycentric coordinates refer to. */
function barycentricVolume(corners: number[][]): number {
  const [u, v, w] = [1, 2, 3].map((row) => [1, 2, 3].map((k) => corners[row][k] - corners[0][k]));
  return Math.abs(
    u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0]),
  );
}
