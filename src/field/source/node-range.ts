// Nodes along one axis by position, exactly as `nodePosition` rounds: comparing positions, not dividing by the spacing.

/** The least of the nodes `low` to `high` at `value` or beyond, or high + 1. */
export function firstNodeFrom(origin: number, spacing: number, low: number, high: number, value: number): number {
  let node = clampNode(Math.ceil((value - origin) / spacing), low, high);
  while (node > low && origin + spacing * (node - 1) >= value) node--;
  while (node <= high && origin + spacing * node < value) node++;
  return node;
}

/** The greatest of the nodes `low` to `high` at `value` or before it, or low − 1. */
export function lastNodeUpTo(origin: number, spacing: number, low: number, high: number, value: number): number {
  let node = clampNode(Math.floor((value - origin) / spacing), low - 1, high - 1);
  while (node < high && origin + spacing * (node + 1) <= value) node++;
  while (node >= low && origin + spacing * node > value) node--;
  return node;
}

/** `node` clamped between `low` and high + 1; `low` for NaN. */
export function clampNode(node: number, low: number, high: number): number {
  return node > low ? Math.min(node, high + 1) : low;
}
