// What a mesh is, by definition and brute force: sets of text keys and searches over all pairs. Nothing here is fast.
interface FlatMesh {
  readonly positions: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
}

type Face = readonly [number, number, number];

/** The faces that do not name a vertex twice, with their numbers. */
function properFaces(mesh: FlatMesh): { face: number; corners: Face }[] {
  const faces: { face: number; corners: Face }[] = [];
  for (let face = 0; face < mesh.indices.length / 3; face++) {
    const corners = [0, 1, 2].map((k) => mesh.indices[3 * face + k]) as unknown as Face;
    if (new Set(corners).size === 3) faces.push({ face, corners });
  }
  return faces;
}

const edgeKey = (a: number, b: number): string => (a < b ? `${a}-${b}` : `${b}-${a}`);
const edgesOf = ([a, b, c]: Face): string[] => [edgeKey(a, b), edgeKey(b, c), edgeKey(c, a)];
const directedEdgesOf = ([a, b, c]: Face): string[] => [`${a}>${b}`, `${b}>${c}`, `${c}>${a}`];

/** The faces at each edge, by text key. */
export function facesByEdge(mesh: FlatMesh): Map<string, number[]> {
  const edges = new Map<string, number[]>();
  for (const { face, corners } of properFaces(mesh)) {
    for (const key of edgesOf(corners)) edges.set(key, [...(edges.get(key) ?? []), face]);
  }
  return edges;
}

/** Groups of things, joined where `joined` holds, by searching from each. */
function groups<T>(items: readonly T[], joined: (a: T, b: T) => boolean): T[][] {
  const left = new Set(items);
  const found: T[][] = [];
  for (const seed of items) {
    if (!left.delete(seed)) continue;
    const group = [seed];
    for (const member of group) {
      for (const candidate of [...left]) {
        if (joined(member, candidate)) {
          left.delete(candidate);
          group.push(candidate);
        }
      }
    }
    found.push(group);
  }
  return found;
}

export interface TopologyByDefinition {
  edges: number;
  boundaryEdges: number;
  nonManifoldEdges: number;
  nonManifoldVertices: number;
  components: number;
  boundaryLoops: number;
  closed: boolean;
  manifold: boolean;
  oriented: boolean;
  orientable: boolean;
  genus: number | null;
}

export function describeTopology(mesh: FlatMesh): TopologyByDefinition {
  const faces = properFaces(mesh);
  const cornersOf = new Map(faces.map(({ face, corners }) => [face, corners]));
  const edges = facesByEdge(mesh);
  const shared = (a: number, b: number): string[] => {
    const ofB = new Set(edgesOf(cornersOf.get(b)!));
    return edgesOf(cornersOf.get(a)!).filter((key) => ofB.has(key));
  };
  const ids = faces.map(({ face }) => face);
  const components = groups(ids, (a, b) => shared(a, b).length > 0);

  const vertices = [...new Set(faces.flatMap(({ corners }) => corners))];
  const endsAt = (key: string, vertex: number): boolean => key.split('-').map(Number).includes(vertex);
  let nonManifoldVertices = 0;
  // Boundary edges are joined where they border the same run of faces about a vertex.
  const joints: string[][] = [];
  for (const vertex of vertices) {
    const around = ids.filter((face) => cornersOf.get(face)!.includes(vertex));
    const fans = groups(around, (a, b) => shared(a, b).some((key) => endsAt(key, vertex)));
    if (fans.length > 1) nonManifoldVertices++;
    const runs = groups(around, (a, b) =>
      shared(a, b).some((key) => endsAt(key, vertex) && edges.get(key)!.length === 2),
    );
    for (const run of runs) {
      const rim = run.flatMap((face) => edgesOf(cornersOf.get(face)!)).filter((key) => endsAt(key, vertex));
      joints.push(rim.filter((key) => edges.get(key)!.length === 1));
    }
  }
  const boundary = [...edges.keys()].filter((key) => edges.get(key)!.length === 1);
  const loops = groups(boundary, (a, b) => joints.some((joint) => joint.includes(a) && joint.includes(b)));

  let oriented = true;
  for (const [key, around] of edges) {
    if (around.length < 2) continue;
    const [a, b] = key.split('-');
    const directions = around.map((face) => directedEdgesOf(cornersOf.get(face)!));
    const forward = directions.filter((list) => list.includes(`${a}>${b}`)).length;
    if (2 * forward !== around.length) oriented = false;
  }

  const nonManifoldEdges = [...edges.values()].filter((around) => around.length > 2).length;
  const manifold = nonManifoldEdges === 0 && nonManifoldVertices === 0;
  const orientable = isOrientable(cornersOf, edges);
  let genus: number | null = null;
  if (manifold && orientable) {
    genus = 0;
    for (const component of components) {
      const own = new Set(component.flatMap((face) => edgesOf(cornersOf.get(face)!)));
      const corners = new Set(component.flatMap((face) => [...cornersOf.get(face)!]));
      const holes = loops.filter((loop) => own.has(loop[0])).length;
      genus += (2 - holes - (corners.size - own.size + component.length)) / 2;
    }
  }
  return {
    edges: edges.size,
    boundaryEdges: boundary.length,
    nonManifoldEdges,
    nonManifoldVertices,
    components: components.length,
    boundaryLoops: loops.length,
    closed: boundary.length === 0 && edges.size > 0,
    manifold,
    oriented,
    orientable,
    genus,
  };
}

/** Whether flips can be chosen so that the two faces of each edge of two faces run through it in opposite directions. */
function isOrientable(cornersOf: Map<number, Face>, edges: Map<string, number[]>): boolean {
  const flip = new Map<number, boolean>();
  const constraints = [...edges].filter(([, around]) => around.length === 2);
  for (const seed of cornersOf.keys()) {
    if (flip.has(seed)) continue;
    flip.set(seed, false);
    // Passes over all constraints until none adds a face: simple, and quadratic.
    for (let grown = true; grown; ) {
      grown = false;
      for (const [key, [p, q]] of constraints) {
        const [a, b] = key.split('-');
        const same =
          directedEdgesOf(cornersOf.get(p)!).includes(`${a}>${b}`) ===
          directedEdgesOf(cornersOf.get(q)!).includes(`${a}>${b}`);
        for (const [known, other] of [
          [p, q],
          [q, p],
        ]) {
          const value = flip.get(known);
          if (value === undefined) continue;
          const wanted = same ? !value : value;
          const held = flip.get(other);
          if (held === undefined) {
            flip.set(other, wanted);
            grown = true;
          } else if (held !== wanted) {
            return false;
          }
        }
      }
    }
  }
  return true;
}
