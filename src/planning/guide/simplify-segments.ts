// Fewer segments for nearly the same lines: ends that nearly coincide are one, equal segments count once, and chains of
// segments lose the points that are near the lines between others (Ramer 1972, Douglas and Peucker 1973).

interface Line {
  readonly x: number[];
  readonly y: number[];
  readonly neighbors: Set<number>[];
}

/** @param tolerance how far lines may move, about. */
export function simplifySegments(segments: readonly number[], tolerance: number): number[] {
  const line = join(segments, tolerance / 4);
  const used = new Set<string>();
  const out: number[] = [];
  const add = (a: number, b: number): void => {
    const key = a < b ? `${a},${b}` : `${b},${a}`;
    if (a === b || used.has(key)) return;
    used.add(key);
    out.push(line.x[a], line.y[a], line.x[b], line.y[b]);
  };
  const done = line.neighbors.map(() => new Set<number>());
  const follow = (from: number, second: number): void => {
    const chain = [from];
    let [before, at] = [from, second];
    while (!done[before].has(at)) {
      done[before].add(at);
      done[at].add(before);
      chain.push(at);
      if (line.neighbors[at].size !== 2 || at === from) break;
      const [a, b] = line.neighbors[at];
      [before, at] = [at, a === before ? b : a];
    }
    reduce(line, chain, tolerance, add);
  };
  // Chains between ends and junctions first; what is left are rings.
  for (const isRing of [false, true]) {
    for (let i = 0; i < line.neighbors.length; i++) {
      if (!isRing && line.neighbors[i].size === 2) continue;
      for (const next of line.neighbors[i]) if (!done[i].has(next)) follow(i, next);
    }
  }
  return out;
}

function join(segments: readonly number[], quantum: number): Line {
  const line: Line = { x: [], y: [], neighbors: [] };
  const indexOf = new Map<string, number>();
  const indexAt = (x: number, y: number): number => {
    const key = quantum > 0 ? `${Math.round(x / quantum)},${Math.round(y / quantum)}` : `${x},${y}`;
    let index = indexOf.get(key);
    if (index === undefined) {
      index = line.x.push(x) - 1;
      line.y.push(y);
      line.neighbors.push(new Set());
      indexOf.set(key, index);
    }
    return index;
  };
  for (let i = 0; i < segments.length; i += 4) {
    const [a, b] = [indexAt(segments[i], segments[i + 1]), indexAt(segments[i + 2], segments[i + 3])];
    if (a === b) continue;
    line.neighbors[a].add(b);
    line.neighbors[b].add(a);
  }
  return line;
}

/** Adds the segments of a chain that are left. */
function reduce(
  { x, y }: Line,
  chain: readonly number[],
  tolerance: number,
  add: (a: number, b: number) => void,
): void {
  const stack: [number, number][] = [[0, chain.length - 1]];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [first, last] = top;
    const [a, b] = [chain[first], chain[last]];
    const [dx, dy] = [x[b] - x[a], y[b] - y[a]];
    const squared = dx * dx + dy * dy;
    let [farthest, most] = [-1, tolerance];
    for (let i = first + 1; i < last; i++) {
      const [ex, ey] = [x[chain[i]] - x[a], y[chain[i]] - y[a]];
      const t = squared > 0 ? Math.min(1, Math.max(0, (ex * dx + ey * dy) / squared)) : 0;
      const distance = Math.hypot(ex - t * dx, ey - t * dy);
      if (distance > most) [farthest, most] = [i, distance];
    }
    if (farthest < 0) add(a, b);
    else stack.push([first, farthest], [farthest, last]);
  }
}
