// Panels of a Cholesky factor: runs of columns with nearly the same rows, stored densely (supernodes; Liu, Ng and Peyton 1993).

/** Chosen: zeros that are stored for the sake of wider panels, as a share of the entries. */
const MAX_ZEROS = 0.4;

/** Chosen: the largest count of columns in a panel. */
const MAX_COLUMNS = 64;

/**
 * Where the entries of a factor are, by columns in the order of elimination: rows ascend and begin with the diagonal.
 */
export interface ColumnPattern {
  readonly order: Int32Array;
  readonly start: Int32Array;
  readonly rows: Int32Array;
}

export interface Panels {
  readonly count: number;
  /** The first column of each panel, and one more. */
  readonly first: Int32Array;
  /** Values of all panels: each is its triangle and the rows below it, row by row, all of its width. */
  readonly entries: number;
  /** Rows below the triangles of all panels, and of the panel that has most. */
  readonly below: number;
  readonly mostBelow: number;
}

/**
 * Runs of columns, each of which has its first row below the diagonal in the next one: its other rows are rows of the
 * next.
 */
export function findPanels({ start, rows, order }: ColumnPattern): Panels {
  const n = order.length;
  const first = new Int32Array(n + 1);
  let [count, entries, below, mostBelow] = [0, 0, 0, 0];
  for (let begin = 0; begin < n; ) {
    let end = begin + 1;
    while (
      end < n &&
      end - begin < MAX_COLUMNS &&
      start[end] - start[end - 1] > 1 &&
      rows[start[end - 1] + 1] === end
    ) {
      const width = end + 1 - begin;
      const height = width + (start[end + 1] - start[end] - 1);
      // Above the diagonal of the triangle nothing is read.
      const stored = width * height - (width * (width - 1)) / 2;
      if (stored > (1 + MAX_ZEROS) * (start[end + 1] - start[begin])) break;
      end++;
    }
    const tail = start[end] - start[end - 1] - 1;
    entries += (end - begin) * (end - begin + tail);
    below += tail;
    mostBelow = Math.max(mostBelow, tail);
    begin = end;
    first[++count] = end;
  }
  return { count, first: first.slice(0, count + 1), entries, below, mostBelow };
}
