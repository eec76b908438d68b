// All local minima of the distance of two meshes, by enumeration. (x, y) is one iff the tangent cone of A at x lies in
// the half-space away from y and that of B at y likewise; for a closed mesh the segment must leave to, and come from,
// the outside. Over the inner points of a pair of features that holds everywhere or nowhere, so each pair (corner, edge
// or face × the same) gives a cell: a point, segment or convex polygon. Cells that hold each other are one contact.

type Vec = readonly [number, number, number];

export interface OracleContact {
  readonly distance: number;
  /** Unit, from A to B. */
  readonly normal: Vec;
  /** Where A's points of the contact lie: convex sets by their corners. B's are these, moved by distance · normal. */
  readonly cells: readonly (readonly Vec[])[];
  /** A border point of the set is no minimum: from there the distance falls, as at the foot of a step. */
  readonly open: boolean;
}

/** Directions whose sine is below this are parallel, or within a half-space. */
const ANGLE = 1e-7;
/** Lengths below this share of the size are none. */
const LENGTH = 1e-9;

interface Feature {
  /** One, two or three corners. */
  readonly corners: readonly Vec[];
  /** Directions that generate the tangent cone, but for the feature's own span. */
  readonly cone: readonly Vec[];
  /** To the outside of a closed mesh; null for an open one. */
  readonly outward: Vec | null;
  readonly low: Vec;
  readonly high: Vec;
}

interface Cell {
  readonly corners: readonly Vec[];
  readonly distance: number;
  readonly normal: Vec;
  readonly valid: boolean;
}

const subtract = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const add = (a: Vec, b: Vec, s = 1): Vec => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const length = (a: Vec): number => Math.sqrt(dot(a, a));
const cross = (a: Vec, b: Vec): Vec => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
function unit(a: Vec): Vec {
  const l = length(a);
  return l === 0 ? a : [a[0] / l, a[1] / l, a[2] / l];
}

/** Corners, edges and faces of a mesh with their cones; faces without area have none and are left out. */
export function collectFeatures(positions: Float64Array, indices: Uint32Array, closed: boolean): Feature[] {
  const point = (v: number): Vec => [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]];
  const feature = (corners: Vec[], cone: Vec[], outward: Vec): Feature => ({
    corners,
    cone: cone.map(unit),
    outward: closed ? outward : null,
    low: [0, 1, 2].map((k) => Math.min(...corners.map((c) => c[k]))) as unknown as Vec,
    high: [0, 1, 2].map((k) => Math.max(...corners.map((c) => c[k]))) as unknown as Vec,
  });
  const zero: Vec = [0, 0, 0];
  const edges = new Map<string, { ids: [number, number]; cone: Vec[]; outward: Vec }>();
  const vertices = new Map<number, { cone: Vec[]; outward: Vec }>();
  const features: Feature[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    const ids = [indices[i], indices[i + 1], indices[i + 2]];
    const [a, b, c] = ids.map(point);
    const area = cross(subtract(b, a), subtract(c, a));
    if (length(area) === 0) continue;
    const normal = unit(area);
    features.push(feature([a, b, c], [], normal));
    for (let k = 0; k < 3; k++) {
      const [u, v, w] = [ids[k], ids[(k + 1) % 3], ids[(k + 2) % 3]];
      const [p, q, r] = [point(u), point(v), point(w)];
      const key = u < v ? `${u},${v}` : `${v},${u}`;
      const edge = edges.get(key) ?? { ids: [u, v], cone: [], outward: zero };
      edge.cone.push(cross(normal, subtract(q, p)));
      edge.outward = add(edge.outward, normal);
      edges.set(key, edge);
      const corner = vertices.get(u) ?? { cone: [], outward: zero };
      const [s, t] = [unit(subtract(q, p)), unit(subtract(r, p))];
      corner.cone.push(s, t);
      // By the angle, as pseudo-normals need it to tell the sides apart.
      corner.outward = add(corner.outward, normal, Math.atan2(length(cross(s, t)), dot(s, t)));
      vertices.set(u, corner);
    }
  }
  for (const { ids, cone, outward } of edges.values()) features.push(feature(ids.map(point), cone, outward));
  for (const [v, { cone, outward }] of vertices) features.push(feature([point(v)], cone, outward));
  return features;
}

/** The contacts up to the tolerance, nearest first; `a` and `b` in one frame, apart. `size` is that of the larger mesh. */
export function findContactsByEnumeration(
  a: readonly Feature[],
  b: readonly Feature[],
  tolerance: number,
  size: number,
): OracleContact[] {
  const cells: Cell[] = [];
  for (const f of a) {
    for (const g of b) {
      if (gapOf(f, g) > tolerance) continue;
      const cell = makeCell(f, g, LENGTH * size);
      if (cell !== null && cell.distance <= tolerance) cells.push(cell);
    }
  }
  return groupCells(cells, LENGTH * size);
}

function gapOf(f: Feature, g: Feature): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const gap = Math.max(f.low[k] - g.high[k], g.low[k] - f.high[k]);
    if (gap > 0) sum += gap * gap;
  }
  return Math.sqrt(sum);
}

/** Where the inner points of two features are at right angles to both; null when nowhere. */
function makeCell(f: Feature, g: Feature, short: number): Cell | null {
  const corners = perpendicularSet(f, g, short);
  if (corners === null) return null;
  const [x, y] = corners[0];
  const away = subtract(y, x);
  const distance = length(away);
  if (distance === 0) return null;
  const normal = unit(away);
  const back: Vec = [-normal[0], -normal[1], -normal[2]];
  return {
    corners: corners.map(([at]) => at),
    distance,
    normal,
    valid: leaves(f, normal) && leaves(g, back),
  };
}

/** Whether a direction leads away from the mesh, to the outside if there is one. */
function leaves(feature: Feature, direction: Vec): boolean {
  return (
    feature.cone.every((u) => dot(u, direction) <= ANGLE) &&
    (feature.outward === null || dot(feature.outward, direction) > 0)
  );
}

type Match = readonly [x: Vec, y: Vec];

function perpendicularSet(f: Feature, g: Feature, short: number): Match[] | null {
  if (f.corners.length > g.corners.length) {
    const swapped = perpendicularSet(g, f, short);
    return swapped?.map(([x, y]): Match => [y, x]) ?? null;
  }
  const [p, q] = f.corners;
  if (f.corners.length === 1) {
    if (g.corners.length === 1) return [[p, g.corners[0]]];
    const foot = g.corners.length === 2 ? footOnEdge(p, g.corners, short) : footOnFace(p, g.corners, short);
    return foot && [[p, foot]];
  }
  const u = unit(subtract(q, p));
  if (f.corners.length === 2 && g.corners.length === 2) return matchEdges(f.corners, g.corners, short);
  const normal = unit(cross(subtract(g.corners[1], g.corners[0]), subtract(g.corners[2], g.corners[0])));
  if (f.corners.length === 2) {
    if (Math.abs(dot(u, normal)) > ANGLE) return null;
  } else {
    const other = unit(cross(subtract(q, p), subtract(f.corners[2], p)));
    if (length(cross(other, normal)) > ANGLE) return null;
  }
  // What of the one lies over the other, seen along the normal.
  let kept = [...f.corners];
  for (let k = 0; k < 3; k++) {
    const from = g.corners[k];
    const inward = unit(cross(normal, subtract(g.corners[(k + 1) % 3], from)));
    kept = clip(kept, inward, from);
  }
  if (kept.length < 2 || !isThick(kept, f.corners.length - 1, short)) return null;
  return kept.map((x): Match => [x, add(x, normal, dot(subtract(g.corners[0], x), normal))]);
}

function clip(polygon: Vec[], inward: Vec, from: Vec): Vec[] {
  const heights = polygon.map((x) => dot(subtract(x, from), inward));
  const kept: Vec[] = [];
  for (let i = 0; i < polygon.length; i++) {
    const j = (i + 1) % polygon.length;
    if (heights[i] >= 0) kept.push(polygon[i]);
    // A segment is a polygon of two sides, of which one is enough.
    if (polygon.length === 2 && i === 1) break;
    if (heights[i] * heights[j] < 0) {
      kept.push(add(polygon[i], subtract(polygon[j], polygon[i]), heights[i] / (heights[i] - heights[j])));
    }
  }
  return kept;
}

/** Whether a segment has a length, a polygon an area. */
function isThick(points: readonly Vec[], dimension: number, short: number): boolean {
  const far = points.reduce((best, x) =>
    length(subtract(x, points[0])) > length(subtract(best, points[0])) ? x : best,
  );
  const along = subtract(far, points[0]);
  if (length(along) < short) return false;
  if (dimension === 1) return true;
  const u = unit(along);
  return points.some((x) => length(cross(subtract(x, points[0]), u)) > short);
}

function footOnEdge(x: Vec, [a, b]: readonly Vec[], short: number): Vec | null {
  const along = subtract(b, a);
  const whole = length(along);
  const at = dot(subtract(x, a), along) / whole;
  return at > short && at < whole - short ? add(a, along, at / whole) : null;
}

function footOnFace(x: Vec, corners: readonly Vec[], short: number): Vec | null {
  const [a, b, c] = corners;
  const normal = unit(cross(subtract(b, a), subtract(c, a)));
  for (let k = 0; k < 3; k++) {
    const inward = unit(cross(normal, subtract(corners[(k + 1) % 3], corners[k])));
    if (dot(subtract(x, corners[k]), inward) <= short) return null;
  }
  return add(x, normal, dot(subtract(a, x), normal));
}

function matchEdges([a, b]: readonly Vec[], [c, d]: readonly Vec[], short: number): Match[] | null {
  const u = unit(subtract(b, a));
  const v = unit(subtract(d, c));
  const w = subtract(c, a);
  const n = cross(u, v);
  const square = dot(n, n);
  const [long, other] = [length(subtract(b, a)), length(subtract(d, c))];
  if (square > ANGLE * ANGLE) {
    const s = dot(cross(w, v), n) / square;
    const t = dot(cross(w, u), n) / square;
    if (!(s > short && s < long - short && t > short && t < other - short)) return null;
    return [[add(a, u, s), add(c, v, t)]];
  }
  const ends = [dot(w, u), dot(subtract(d, a), u)];
  const from = Math.max(0, Math.min(...ends));
  const to = Math.min(long, Math.max(...ends));
  if (to - from < short) return null;
  const across = add(w, u, -dot(w, u));
  return [from, to].map((s): Match => [add(a, u, s), add(add(a, u, s), across)]);
}

/** Valid cells that hold each other are one contact. */
function groupCells(cells: readonly Cell[], short: number): OracleContact[] {
  const valid = cells.filter((cell) => cell.valid);
  const parent = valid.map((_, i) => i);
  const root = (i: number): number => {
    while (parent[i] !== i) i = parent[i];
    return i;
  };
  for (let i = 0; i < valid.length; i++) {
    for (let j = 0; j < valid.length; j++) {
      if (i !== j && root(i) !== root(j) && holds(valid[i], valid[j], short)) parent[root(i)] = root(j);
    }
  }
  const invalid = cells.filter((cell) => !cell.valid);
  const groups = new Map<number, Cell[]>();
  for (let i = 0; i < valid.length; i++) groups.set(root(i), [...(groups.get(root(i)) ?? []), valid[i]]);
  return [...groups.values()]
    .map((members) => ({
      distance: members[0].distance,
      normal: members[0].normal,
      cells: members.map((member) => member.corners),
      open: members.some((member) => invalid.some((cell) => holds(member, cell, short))),
    }))
    .sort((a, b) => a.distance - b.distance);
}

/** Whether the second cell is part of the first: the same way apart, and its points among those of the first. */
function holds(cell: Cell, part: Cell, short: number): boolean {
  if (Math.abs(cell.distance - part.distance) > 10 * short) return false;
  // The points of a near pair are exact to rounding, its direction to rounding over the distance.
  if (length(subtract(cell.normal, part.normal)) > 10 * ANGLE + (10 * short) / cell.distance) return false;
  return part.corners.every((x) => distanceToConvex(x, cell.corners) <= 10 * short);
}

/** The distance of a point to a point, a segment or a flat convex polygon given by its corners in order. */
export function distanceToConvex(x: Vec, corners: readonly Vec[]): number {
  const near = Math.min(
    ...corners.map((a, i) => {
      const along = subtract(corners[(i + 1) % corners.length], a);
      const square = dot(along, along);
      const t = square === 0 ? 0 : Math.min(1, Math.max(0, dot(subtract(x, a), along) / square));
      return length(subtract(x, add(a, along, t)));
    }),
  );
  if (corners.length < 3) return near;
  let normal: Vec = [0, 0, 0];
  for (let i = 2; i < corners.length; i++) {
    normal = add(normal, cross(subtract(corners[i - 1], corners[0]), subtract(corners[i], corners[0])));
  }
  if (length(normal) === 0) return near;
  const n = unit(normal);
  const inside = corners.every((a, i) => {
    const side = cross(n, subtract(corners[(i + 1) % corners.length], a));
    return dot(subtract(x, a), side) >= 0;
  });
  return inside ? Math.min(near, Math.abs(dot(subtract(x, corners[0]), n))) : near;
}
