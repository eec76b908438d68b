// A symmetric sparse matrix of 3 × 3 blocks, one block row a node, in compressed rows. Both triangles are stored: a product
// reads each row once, in order.
/** Where blocks can be: nodes that share an element, and each node itself. */
export interface BlockPattern {
  readonly nodes: number;
  /** Blocks of row i are at `rowStart[i]` to `rowStart[i + 1] − 1`. */
  readonly rowStart: Int32Array;
  /** Columns, ascending in a row. */
  readonly columns: Int32Array;
  /** The place of the diagonal block of each row. */
  readonly diagonal: Int32Array;
  /** The places of the blocks of each element, row by row: 16 for four nodes. */
  readonly places: Int32Array;
}

export function buildPattern(
  { positions, elements }: { readonly positions: ArrayLike<number>; readonly elements: Uint32Array },
  nodesPerElement = 4,
): BlockPattern {
  const nodes = positions.length / 3;
  const sets: number[][] = Array.from({ length: nodes }, (_, node) => [node]);
  for (let e = 0; e < elements.length; e += nodesPerElement) {
    for (let i = e; i < e + nodesPerElement; i++) {
      for (let j = e; j < e + nodesPerElement; j++) if (i !== j) sets[elements[i]].push(elements[j]);
    }
  }
  const rowStart = new Int32Array(nodes + 1);
  const rows = sets.map((list) => Int32Array.from(new Set(list)).sort());
  rows.forEach((row, node) => {
    rowStart[node + 1] = rowStart[node] + row.length;
  });
  const columns = new Int32Array(rowStart[nodes]);
  rows.forEach((row, node) => {
    columns.set(row, rowStart[node]);
  });
  const place = (row: number, column: number): number => {
    let [low, high] = [rowStart[row], rowStart[row + 1] - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (columns[middle] < column) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const places = new Int32Array(nodesPerElement * elements.length);
  for (let e = 0, k = 0; e < elements.length; e += nodesPerElement) {
    for (let i = e; i < e + nodesPerElement; i++) {
      for (let j = e; j < e + nodesPerElement; j++) places[k++] = place(elements[i], elements[j]);
    }
  }
  return { nodes, rowStart, columns, diagonal: Int32Array.from(rows, (_, node) => place(node, node)), places };
}

/** y = A x, for 9 values a block, row-major. */
export function multiplyBlocks(pattern: BlockPattern, values: Float64Array, x: Float64Array, y: Float64Array): void {
  const { nodes, rowStart, columns } = pattern;
  for (let row = 0; row < nodes; row++) {
    let sx = 0;
    let sy = 0;
    let sz = 0;
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
      const c = 3 * columns[k];
      const b = 9 * k;
      const px = x[c];
      const py = x[c + 1];
      const pz = x[c + 2];
      sx += values[b] * px + values[b + 1] * py + values[b + 2] * pz;
      sy += values[b + 3] * px + values[b + 4] * py + values[b + 5] * pz;
      sz += values[b + 6] * px + values[b + 7] * py + values[b + 8] * pz;
    }
    y[3 * row] = sx;
    y[3 * row + 1] = sy;
    y[3 * row + 2] = sz;
  }
}

/** y = A x, for one value a block, which stands for a multiple of the unit matrix. */
export function multiplyScalars(pattern: BlockPattern, values: Float64Array, x: Float64Array, y: Float64Array): void {
  const { nodes, rowStart, columns } = pattern;
  for (let row = 0; row < nodes; row++) {
    let sx = 0;
    let sy = 0;
    let sz = 0;
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
      const c = 3 * columns[k];
      const a = values[k];
      sx += a * x[c];
      sy += a * x[c + 1];
      sz += a * x[c + 2];
    }
    y[3 * row] = sx;
    y[3 * row + 1] = sy;
    y[3 * row + 2] = sz;
  }
}
