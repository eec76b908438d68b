// Judges a hierarchy of hulls by what it has to be, in whole numbers: tree, hulls, sharing, classes. Nothing of the library
// is used; every node looks at all vertices below it, so that models of a few thousand triangles are the limit.
import { toIntegers } from './convex-hull.js';

/** The arrays of a hierarchy, as the library documents them. */
export interface HierarchyArrays {
  readonly mesh: { readonly positions: ArrayLike<number>; readonly indices: ArrayLike<number> };
  readonly parents: ArrayLike<number>;
  readonly children: ArrayLike<number>;
  readonly nodePieces: ArrayLike<number>;
  readonly flatNodes: ArrayLike<number>;
  readonly faceStart: ArrayLike<number>;
  readonly nodeFaces: ArrayLike<number>;
  readonly twins: ArrayLike<number>;
  readonly vertexStart: ArrayLike<number>;
  readonly nodeVertices: ArrayLike<number>;
  readonly vertexHalfEdges: ArrayLike<number>;
  readonly faceVertices: ArrayLike<number>;
  readonly faceClasses: ArrayLike<number>;
  readonly faceSources: ArrayLike<number>;
  readonly facePlanes: ArrayLike<number>;
}

export interface PieceArrays {
  readonly triangleStart: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
  readonly sources: ArrayLike<number>;
}

/** What the nodes hold, and what they could hold: faces of children on the hull that it does not have. */
export interface HierarchyCensus {
  faces: [original: number, contained: number, free: number];
  shared: number;
  lostOriginal: number;
  lostContained: number;
  flatNodes: number;
}

type Integers = readonly [bigint, bigint, bigint];

/** Throws at the first thing that is wrong. `patchOfFace` tells which faces of the mesh are in which piece's patch. */
export function validateHierarchy(h: HierarchyArrays, pieces: PieceArrays, patchOfFace: ArrayLike<number>) {
  const exact = new ExactPoints(h.mesh.positions);
  const nodes = h.nodePieces.length;
  const pieceCount = pieces.triangleStart.length - 1;
  check(nodes === 2 * pieceCount - 1, `${nodes} nodes for ${pieceCount} pieces`);
  checkTree(h, pieceCount);

  const meshFaces = new Map<string, number>();
  for (let f = 0; 3 * f < h.mesh.indices.length; f++) meshFaces.set(keyOf(h.mesh.indices, f), f);
  /** Of each node: the faces of the pieces below by key, with the face of the mesh they are, and the vertices. */
  const below: { faces: Map<string, number>; vertices: Set<number> }[] = [];
  const census: HierarchyCensus = { faces: [0, 0, 0], shared: 0, lostOriginal: 0, lostContained: 0, flatNodes: 0 };
  const users = new Map<number, number>();
  for (let node = nodes - 1; node >= 0; node--) {
    const piece = h.nodePieces[node];
    const kids = piece >= 0 ? [] : [h.children[2 * node], h.children[2 * node + 1]];
    const faces = new Map<string, number>();
    const vertices = new Set<number>();
    if (piece >= 0) {
      for (let t = pieces.triangleStart[piece]; t < pieces.triangleStart[piece + 1]; t++) {
        const key = keyOf(pieces.triangles, t);
        const source = meshFaces.has(key) && patchOfFace[meshFaces.get(key)!] === piece ? meshFaces.get(key)! : -1;
        check(source === pieces.sources[t], `piece ${piece} has triangle ${t} from face ${pieces.sources[t]}`);
        // The two sides of a flat piece may have a triangle alike but for its orientation: the keys differ.
        check(!faces.has(key), `piece ${piece} has a triangle twice`);
        faces.set(key, source);
        for (let k = 0; k < 3; k++) vertices.add(pieces.triangles[3 * t + k]);
      }
    }
    for (const kid of kids) {
      for (const [key, source] of below[kid].faces) if (!(faces.get(key)! >= 0)) faces.set(key, source);
      for (const vertex of below[kid].vertices) vertices.add(vertex);
      below[kid] = { faces: new Map(), vertices: new Set() };
    }
    below[node] = { faces, vertices };
    checkSurface(h, node);
    checkHull(h, node, vertices, exact);
    if (h.flatNodes[node]) census.flatNodes++;

    const records = new Map<string, number>();
    for (let f = h.faceStart[node]; f < h.faceStart[node + 1]; f++) {
      const record = h.nodeFaces[f];
      const key = keyOf(h.faceVertices, record);
      check(!records.has(key), `node ${node} has a face twice`);
      records.set(key, record);
      const source = faces.get(key);
      const expected = source === undefined ? 2 : source >= 0 ? 0 : 1;
      check(h.faceClasses[record] === expected, `node ${node}: class ${h.faceClasses[record]}, not ${expected}`);
      check(h.faceSources[record] === (expected === 0 ? source : -1), `node ${node}: a face has a wrong source`);
      census.faces[expected]++;
      if (expected === 2) {
        const inChild = kids.some((kid) => users.get(record) === kid);
        check(inChild || !users.has(record), `node ${node} shares free face ${record} with no child`);
      }
    }
    for (const kid of kids) {
      for (let f = h.faceStart[kid]; f < h.faceStart[kid + 1]; f++) {
        const record = h.nodeFaces[f];
        const here = records.get(keyOf(h.faceVertices, record));
        if (here === undefined) {
          if (h.faceClasses[record] === 2 || !isSupporting(h, node, record, exact)) continue;
          if (h.faceClasses[record] === 0) census.lostOriginal++;
          else census.lostContained++;
        } else if (here === record) {
          census.shared++;
        } else {
          // Both children have it, or a piece further down has it too: then the other record is the one of higher power.
          const isShared = h.faceClasses[here] < 2 || kids.some((other) => users.get(here) === other);
          check(isShared, `node ${node} has a copy of a face of its child`);
        }
      }
    }
    if (piece >= 0) {
      check(records.size === faces.size, `leaf ${node} has ${records.size} of ${faces.size} faces`);
      const first = pieces.triangleStart[piece];
      for (const record of records.values()) {
        check(record >= first && record < pieces.triangleStart[piece + 1], `leaf ${node} has a face of another piece`);
      }
    }
    for (const record of records.values()) users.set(record, node);
  }
  return census;
}

function checkTree(h: HierarchyArrays, pieceCount: number): void {
  const nodes = h.nodePieces.length;
  const seen = new Set<number>();
  check(h.parents[0] === -1, 'the root has a parent');
  for (let node = 0; node < nodes; node++) {
    const [a, b] = [h.children[2 * node], h.children[2 * node + 1]];
    if (h.nodePieces[node] >= 0) {
      check(a === -1 && b === -1, `leaf ${node} has children`);
      check(!seen.has(h.nodePieces[node]), `piece ${h.nodePieces[node]} appears twice`);
      seen.add(h.nodePieces[node]);
    } else {
      check(a === node + 1 && b > a && b < nodes, `node ${node} has the children ${a} and ${b}`);
      check(h.parents[a] === node && h.parents[b] === node, `node ${node} is not its children's parent`);
    }
  }
  check(seen.size === pieceCount && Math.max(...seen) === pieceCount - 1, 'pieces are missing');
}

/** A closed surface of one part without handles; the lists of vertices fit it. */
function checkSurface(h: HierarchyArrays, node: number): void {
  const start = 3 * h.faceStart[node];
  const end = 3 * h.faceStart[node + 1];
  const corner = (e: number) => h.faceVertices[3 * h.nodeFaces[Math.floor(e / 3)] + (e % 3)];
  const next = (e: number) => (e % 3 === 2 ? e - 2 : e + 1);
  const vertices = new Set<number>();
  for (let e = start; e < end; e++) {
    const twin = h.twins[e];
    check(twin >= start && twin < end && h.twins[twin] === e, `node ${node}: half-edge ${e} has no proper twin`);
    check(corner(twin) === corner(next(e)) && corner(next(twin)) === corner(e), `node ${node}: twins of ${e} disagree`);
    check(Math.floor(twin / 3) !== Math.floor(e / 3), `node ${node}: a face is its own neighbor`);
    vertices.add(corner(e));
  }
  const faces = (end - start) / 3;
  // Rings of faces round a vertex: one a vertex, but for those within a flat hull, which may have one on each side.
  let rings = 0;
  const walked = new Set<number>();
  for (let e = start; e < end; e++) {
    if (walked.has(e)) continue;
    rings++;
    for (let at = e; !walked.has(at); at = h.twins[next(next(at))]) walked.add(at);
  }
  check(rings - faces / 2 === 2, `node ${node}: ${rings} rings and ${faces} faces are no sphere`);
  check(rings === vertices.size || h.flatNodes[node] === 1, `node ${node}: a vertex has several rings of faces`);
  const reached = new Set([start / 3]);
  for (const face of reached) for (let k = 0; k < 3; k++) reached.add(Math.floor(h.twins[3 * face + k] / 3));
  check(reached.size === faces, `node ${node} has several parts`);
  const listed = new Set<number>();
  for (let i = h.vertexStart[node]; i < h.vertexStart[node + 1]; i++) {
    listed.add(h.nodeVertices[i]);
    const e = h.vertexHalfEdges[i];
    check(e >= start && e < end && corner(e) === h.nodeVertices[i], `node ${node}: vertex ${i} has a wrong half-edge`);
  }
  const count = h.vertexStart[node + 1] - h.vertexStart[node];
  check(listed.size === count && count === vertices.size, `node ${node}: its list of vertices is wrong`);
}

function checkHull(h: HierarchyArrays, node: number, below: Set<number>, exact: ExactPoints): void {
  let isFlat = true;
  for (let i = h.vertexStart[node]; i < h.vertexStart[node + 1]; i++) {
    check(below.has(h.nodeVertices[i]), `node ${node} has vertex ${h.nodeVertices[i]} of no piece below`);
  }
  for (let f = h.faceStart[node]; f < h.faceStart[node + 1]; f++) {
    const record = h.nodeFaces[f];
    const [a, b, c] = cornersOf(h, record);
    check(
      exact.normal(a, b, c).some((value) => value !== 0n),
      `node ${node}: face ${f} has no area`,
    );
    for (const vertex of below) {
      const side = exact.side(a, b, c, vertex);
      check(side <= 0, `node ${node}: vertex ${vertex} is outside face ${f}`);
      if (side < 0) isFlat = false;
    }
    checkPlane(h, record);
  }
  check(isFlat === (h.flatNodes[node] === 1), `node ${node} is ${isFlat ? '' : 'not '}flat`);
  // No fold within a facet: coplanar neighbors look the same way, but for the rim of a flat hull, which is convex.
  for (let e = 3 * h.faceStart[node]; e < 3 * h.faceStart[node + 1]; e++) {
    const [here, beyond] = [e, h.twins[e]].map((edge) => cornersOf(h, h.nodeFaces[Math.floor(edge / 3)]));
    if (below.size > 3 && exact.side(here[0], here[1], here[2], apexOf(h, h.twins[e])) !== 0) continue;
    const normal = exact.normal(...here);
    if (dot(normal, exact.normal(...beyond)) > 0n) continue;
    check(isFlat, `node ${node} is folded at half-edge ${e}`);
    const from = h.faceVertices[3 * h.nodeFaces[Math.floor(e / 3)] + (e % 3)];
    const to = h.faceVertices[3 * h.nodeFaces[Math.floor(e / 3)] + ((e + 1) % 3)];
    for (const vertex of below) {
      check(dot(exact.normal(from, to, vertex), normal) >= 0n, `node ${node}: vertex ${vertex} is beyond the rim`);
    }
  }
}

function checkPlane(h: HierarchyArrays, record: number): void {
  const [nx, ny, nz, offset] = [0, 1, 2, 3].map((k) => h.facePlanes[4 * record + k]);
  check(
    Math.abs(Math.hypot(nx, ny, nz) - 1) < 1e-12,
    `record ${record}: the normal has the length ${nx}, ${ny}, ${nz}`,
  );
  const points = cornersOf(h, record).map((v) => [0, 1, 2].map((k) => h.mesh.positions[3 * v + k]));
  const size = Math.max(...points.flat().map(Math.abs));
  for (const [x, y, z] of points) {
    check(Math.abs(nx * x + ny * y + nz * z - offset) <= 1e-9 * size, `record ${record}: a corner is off the plane`);
  }
}

/** Whether no vertex of the node is outside the plane of a record, and, of a solid node, some are inside. */
function isSupporting(h: HierarchyArrays, node: number, record: number, exact: ExactPoints): boolean {
  const [a, b, c] = cornersOf(h, record);
  let isInside = h.flatNodes[node] === 1;
  for (let i = h.vertexStart[node]; i < h.vertexStart[node + 1]; i++) {
    const side = exact.side(a, b, c, h.nodeVertices[i]);
    if (side > 0) return false;
    if (side < 0) isInside = true;
  }
  return isInside;
}

function cornersOf(h: HierarchyArrays, record: number): [number, number, number] {
  return [h.faceVertices[3 * record], h.faceVertices[3 * record + 1], h.faceVertices[3 * record + 2]];
}

function apexOf(h: HierarchyArrays, edge: number): number {
  return h.faceVertices[3 * h.nodeFaces[Math.floor(edge / 3)] + ((edge + 2) % 3)];
}

/** The corners of a triangle from the smallest on: the same for every corner it may begin with. */
function keyOf(triangles: ArrayLike<number>, t: number): string {
  const [a, b, c] = [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]];
  return a < b && a < c ? `${a} ${b} ${c}` : b < c ? `${b} ${c} ${a}` : `${c} ${a} ${b}`;
}

const dot = (a: Integers, b: Integers): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

class ExactPoints {
  readonly #points: Integers[];
  readonly #doubles: ArrayLike<number>;

  constructor(positions: ArrayLike<number>) {
    const integers = toIntegers(positions);
    this.#doubles = positions;
    this.#points = Array.from({ length: integers.length / 3 }, (_, i) => [
      integers[3 * i],
      integers[3 * i + 1],
      integers[3 * i + 2],
    ]);
  }

  normal(a: number, b: number, c: number): Integers {
    const [p, q, r] = [this.#points[a], this.#points[b], this.#points[c]];
    const u = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
    const v = [r[0] - p[0], r[1] - p[1], r[2] - p[2]];
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  }

  /** The sign of the side of the plane of a, b, c that d is on: by doubles where the sign cannot be in doubt. */
  side(a: number, b: number, c: number, d: number): number {
    const p = this.#doubles;
    const [ux, uy, uz] = [p[3 * b] - p[3 * a], p[3 * b + 1] - p[3 * a + 1], p[3 * b + 2] - p[3 * a + 2]];
    const [vx, vy, vz] = [p[3 * c] - p[3 * a], p[3 * c + 1] - p[3 * a + 1], p[3 * c + 2] - p[3 * a + 2]];
    const [wx, wy, wz] = [p[3 * d] - p[3 * a], p[3 * d + 1] - p[3 * a + 1], p[3 * d + 2] - p[3 * a + 2]];
    const det = wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx);
    const sum =
      Math.abs(wx) * (Math.abs(uy * vz) + Math.abs(uz * vy)) +
      Math.abs(wy) * (Math.abs(uz * vx) + Math.abs(ux * vz)) +
      Math.abs(wz) * (Math.abs(ux * vy) + Math.abs(uy * vx));
    if (Math.abs(det) > 1e-14 * sum && sum > 1e-200) return Math.sign(det);
    const [s, o] = [this.#points[d], this.#points[a]];
    const exact = dot(this.normal(a, b, c), [s[0] - o[0], s[1] - o[1], s[2] - o[2]]);
    return exact > 0n ? 1 : exact < 0n ? -1 : 0;
  }
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new Error(message);
}
