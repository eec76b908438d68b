// The surface inside a tetrahedron for each combination of node states. Computed from the definition, not typed in.

/** The edges of a tetrahedron with nodes 0 to 3. */
export const TETRAHEDRON_EDGES: readonly (readonly [number, number])[] = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
  [2, 3],
];

/**
 * The polygon in each of the 81 cases: nothing, a triangle or a quadrilateral, counter-clockwise seen from outside the
 * shape. Corners 0 to 3 are nodes, 4 to 9 cuts of the edges. The index has the nodes' states (inside 0, on the
 * surface 1, outside 2) as base-3 digits, node 0 first.
 */
export function tetrahedronCases(): number[][] {
  const cases: number[][] = [];
  for (let code = 0; code < 81; code++) {
    const states = [Math.floor(code / 27), Math.floor(code / 9) % 3, Math.floor(code / 3) % 3, code % 3];
    const withState = (state: number) => [0, 1, 2, 3].filter((node) => states[node] === state);
    const inside = withState(0);
    const on = withState(1);
    const outside = withState(2);
    const cut = (a: number, b: number) =>
      4 + TETRAHEDRON_EDGES.findIndex(([p, q]) => (p === a && q === b) || (p === b && q === a));
    let polygon: number[] = [];
    if (inside.length === 2 && outside.length === 2) {
      const [a, b] = inside;
      const [c, d] = outside;
      polygon = [cut(a, c), cut(a, d), cut(b, d), cut(b, c)];
    } else if (inside.length > 0 && outside.length > 0) {
      polygon = [...on, ...inside.flatMap((a) => outside.map((b) => cut(a, b)))];
    } else if (inside.length === 1 && on.length === 3) {
      polygon = on;
    }
    if (polygon.length > 0 && !facesAway(polygon, inside[0])) polygon.reverse();
    cases.push(polygon);
  }
  return cases;
}

/** Whether the polygon's normal points away from a node, in a tetrahedron of positive orientation with cuts halfway. */
function facesAway(polygon: readonly number[], node: number): boolean {
  const nodes = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const [a, b, c] = polygon.slice(0, 3).map((corner) => {
    if (corner < 4) return nodes[corner];
    const [p, q] = TETRAHEDRON_EDGES[corner - 4];
    return [0, 1, 2].map((i) => (nodes[p][i] + nodes[q][i]) / 2);
  });
  const u = b.map((x, i) => x - a[i]);
  const v = c.map((x, i) => x - a[i]);
  const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  return normal.reduce((sum, n, i) => sum + n * (nodes[node][i] - a[i]), 0) < 0;
}
