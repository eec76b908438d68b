// Closest features of two convex polyhedra by Voronoi marching (Lin and Canny 1991, Mirtich 1998, Ehmann and Lin 2000):
// a pair of features walks over both surfaces, each step nearer than the last, until each point is in the other
// feature's Voronoi region. If rounding stops the walk early, supports must prove the answer; if a feature is behind a
// face, GJK decides whether the solids overlap. One or two steps with good seeds, O(√n) without, nothing allocated.
import type { ConvexSet } from './convex-set.js';
import { EDGE, encodeFeature, FACE, featureHandle, featureKind, NO_FEATURE, VERTEX } from './feature.js';
import { CROSSING, FeaturePair } from './feature-pair.js';
import { Gjk } from './gjk.js';
import { locateFeature } from './locate-feature.js';
import { GROWN, INWARD, type MarchSide } from './march-side.js';
import { searchAllFeatures } from './search-all-features.js';
import { findSupport } from './support.js';

/**
 * Measured on two hulls of 4,000 vertices, cold: 4 steps on average if apart, and 30 deep inside each other before
 * their surfaces are found to cross. A march of more steps is handed to GJK.
 */
const MAX_STEPS = 64;

/**
 * Chosen: GJK's answer is accepted if it is proven to this share of the coordinates; otherwise all features are
 * searched.
 */
const GJK_GAP = 1e-11;

/**
 * Chosen: at distances below this share of the coordinates, supports must prove the answer. Rounding turns the vector
 * between two points at a distance d by up to 1e-16 / d, and a polyhedron reaches as much farther along it.
 */
const PROOF_DISTANCE = 1e-6;

/** Rounding: supports may leave this share of the coordinates unproven of the distance. */
const PROOF_GAP = 1e-12;

/** A query with its memory; the results are those of the last call of {@link query}. */
export class ConvexMarch {
  /** The nearest point of A, or a common point. In A's frame. */
  readonly pointA = new Float64Array(3);
  /** The nearest point of B, or a common point. In A's frame. */
  readonly pointB = new Float64Array(3);
  /** The code of A's feature that the point lies on, if the two do not intersect; a seed for the next query. */
  featureA = NO_FEATURE;
  /** The same for B. */
  featureB = NO_FEATURE;
  /** Whether the two have a point in common; touching counts. */
  intersects = false;
  /** 0 when the two intersect. */
  distance = 0;
  /** Pairs of features measured, and rounds of GJK. */
  steps = 0;
  /** What decided: 0, the march; 1, GJK, and the march from there; 2, GJK alone; 3, a search of all feature pairs. */
  fallback = 0;
  readonly #pair = new FeaturePair();
  readonly #gjk = new Gjk();

  /**
   * Finds the closest features of node `nodeA` of `setA` and node `nodeB` of `setB`. Returns their distance, 0 when they
   * intersect.
   * @param placement Where B is in A's frame: row-major 3 × 4, rotation and translation.
   * @param seedA,seedB Feature codes of the nodes to start with, from an earlier query; −1 for none.
   */
  query(
    setA: ConvexSet,
    nodeA: number,
    setB: ConvexSet,
    nodeB: number,
    placement: Float64Array,
    seedA: number,
    seedB: number,
  ): number {
    this.steps = 0;
    this.fallback = 0;
    this.#load(setA, nodeA, setB, nodeB, placement);
    if (!this.#plant(setA, nodeA, seedA, this.#pair.a) || !this.#plant(setB, nodeB, seedB, this.#pair.b)) {
      this.#plantCold(setA, nodeA, setB, nodeB);
    }
    const faceless =
      setA.faceStart[nodeA] === setA.faceStart[nodeA + 1] || setB.faceStart[nodeB] === setB.faceStart[nodeB + 1];
    if (faceless || !this.#walk(setA, nodeA, setB, nodeB)) this.#ask(setA, nodeA, setB, nodeB, placement);
    return this.distance;
  }

  #load(setA: ConvexSet, nodeA: number, setB: ConvexSet, nodeB: number, m: Float64Array): void {
    const { a, b } = this.#pair;
    a.load(setA, nodeA);
    b.load(setB, nodeB);
    const { placement: toA } = a;
    // A search queries many pairs at one placement.
    let i = 0;
    while (i < 12 && toA[i] === m[i]) i++;
    if (i === 12) return;
    for (; i < 12; i++) toA[i] = m[i];
    const { placement: toB } = b;
    for (let row = 0; row < 3; row++) {
      toB[4 * row] = m[row];
      toB[4 * row + 1] = m[4 + row];
      toB[4 * row + 2] = m[8 + row];
      toB[4 * row + 3] = -(m[row] * m[3] + m[4 + row] * m[7] + m[8 + row] * m[11]);
    }
  }

  /** Puts a side at its seed; false without one. */
  #plant(set: ConvexSet, node: number, seed: number, side: MarchSide): boolean {
    if (seed < 0) return false;
    side.halfEdge = featureHandle(seed);
    side.kind = featureKind(seed);
    if (side.halfEdge >= 3 * set.faceStart[node] && side.halfEdge < 3 * set.faceStart[node + 1]) return true;
    return set.faceStart[node] === set.faceStart[node + 1];
  }

  /** Puts both sides at vertices far along the line between the middles. */
  #plantCold(setA: ConvexSet, nodeA: number, setB: ConvexSet, nodeB: number): void {
    const { a, b } = this.#pair;
    const p = setA.lookup.centerOffset(setA, nodeA);
    const q = setB.lookup.centerOffset(setB, nodeB);
    const { centers } = setA.lookup;
    const { centers: others } = setB.lookup;
    const { placement: m } = a;
    const dx = m[0] * others[q] + m[1] * others[q + 1] + m[2] * others[q + 2] + m[3] - centers[p];
    const dy = m[4] * others[q] + m[5] * others[q + 1] + m[6] * others[q + 2] + m[7] - centers[p + 1];
    const dz = m[8] * others[q] + m[9] * others[q + 1] + m[10] * others[q + 2] + m[11] - centers[p + 2];
    a.kind = VERTEX;
    b.kind = VERTEX;
    a.halfEdge = setA.lookup.findStart(setA, nodeA, dx, dy, dz);
    b.halfEdge = setB.lookup.findStart(
      setB,
      nodeB,
      -(m[0] * dx + m[4] * dy + m[8] * dz),
      -(m[1] * dx + m[5] * dy + m[9] * dz),
      -(m[2] * dx + m[6] * dy + m[10] * dz),
    );
  }

  /** Marches from the features the sides are at. False if it is inconclusive. */
  #walk(setA: ConvexSet, nodeA: number, setB: ConvexSet, nodeB: number): boolean {
    const pair = this.#pair;
    if (pair.a.kind === FACE && pair.b.kind === FACE) pair.a.kind = VERTEX;
    let nearest = Infinity;
    for (let step = 0; step < MAX_STEPS; step++) {
      this.steps++;
      if (pair.measure() === CROSSING) {
        this.#settle(true);
        return true;
      }
      if (!(pair.squared < nearest)) {
        if (pair.behind || !this.#prove(setA, nodeA, setB, nodeB)) return false;
        this.#settle(false);
        return true;
      }
      nearest = pair.squared;
      const { frame, dx, dy, dz } = pair;
      frame.dx = dx;
      frame.dy = dy;
      frame.dz = dz;
      const grown = frame.grow();
      if (grown === INWARD) return false;
      const other = frame === pair.a ? pair.b : pair.a;
      // Both sides grow in one step, which saves a third of the steps; but face against face is not measured.
      if (grown === GROWN && frame.kind === FACE && other.kind === EDGE) continue;
      const { placement: m } = other;
      other.dx = -(m[0] * dx + m[1] * dy + m[2] * dz);
      other.dy = -(m[4] * dx + m[5] * dy + m[6] * dz);
      other.dz = -(m[8] * dx + m[9] * dy + m[10] * dz);
      const otherGrown = other.grow();
      if (grown === GROWN || otherGrown === GROWN) continue;
      if (otherGrown === INWARD || pair.behind) return false;
      // At this distance the vector between the points is partly rounding, and so are the tests of neighbors with it.
      if ((frame.unsure || other.unsure || pair.isWithin(PROOF_DISTANCE)) && !this.#prove(setA, nodeA, setB, nodeB))
        return false;
      this.#settle(false);
      return true;
    }
    return false;
  }

  /** Whether supports prove that no points of the two are nearer than those found, up to rounding. */
  #prove(setA: ConvexSet, nodeA: number, setB: ConvexSet, nodeB: number): boolean {
    const { a, b, frame, px, py, pz, dx, dy, dz, squared } = this.#pair;
    const other = frame === a ? b : a;
    const { placement: m } = frame;
    const { placement: n } = other;
    const here = findSupport(frame === a ? setA : setB, frame === a ? nodeA : nodeB, frame.halfEdge, dx, dy, dz);
    const there = findSupport(
      frame === a ? setB : setA,
      frame === a ? nodeB : nodeA,
      other.halfEdge,
      -(n[0] * dx + n[1] * dy + n[2] * dz),
      -(n[4] * dx + n[5] * dy + n[6] * dz),
      -(n[8] * dx + n[9] * dy + n[10] * dz),
    );
    const p = 3 * frame.halfEdgeVertices[here];
    const q = 3 * other.halfEdgeVertices[there];
    const x = other.positions[q];
    const y = other.positions[q + 1];
    const z = other.positions[q + 2];
    const ax = frame.positions[p];
    const ay = frame.positions[p + 1];
    const az = frame.positions[p + 2];
    const bx = m[0] * x + m[1] * y + m[2] * z + m[3];
    const by = m[4] * x + m[5] * y + m[6] * z + m[7];
    const bz = m[8] * x + m[9] * y + m[10] * z + m[11];
    const beyond = (ax - px) * dx + (ay - py) * dy + (az - pz) * dz;
    const before = (px + dx - bx) * dx + (py + dy - by) * dy + (pz + dz - bz) * dz;
    const size = Math.abs(ax) + Math.abs(ay) + Math.abs(az) + Math.abs(bx) + Math.abs(by) + Math.abs(bz);
    return beyond + before <= PROOF_GAP * size * Math.sqrt(squared);
  }

  /** Writes the answer of the march. */
  #settle(intersects: boolean): void {
    const { a, b, frame, px, py, pz, dx, dy, dz, squared } = this.#pair;
    const { pointA, pointB } = this;
    this.intersects = intersects;
    this.distance = intersects ? 0 : Math.sqrt(squared);
    this.featureA = encodeFeature(a.kind, a.halfEdge);
    this.featureB = encodeFeature(b.kind, b.halfEdge);
    if (frame === a) {
      pointA[0] = px;
      pointA[1] = py;
      pointA[2] = pz;
      pointB[0] = px + dx;
      pointB[1] = py + dy;
      pointB[2] = pz + dz;
      return;
    }
    const { placement: m } = a;
    const qx = px + dx;
    const qy = py + dy;
    const qz = pz + dz;
    pointB[0] = m[0] * px + m[1] * py + m[2] * pz + m[3];
    pointB[1] = m[4] * px + m[5] * py + m[6] * pz + m[7];
    pointB[2] = m[8] * px + m[9] * py + m[10] * pz + m[11];
    pointA[0] = m[0] * qx + m[1] * qy + m[2] * qz + m[3];
    pointA[1] = m[4] * qx + m[5] * qy + m[6] * qz + m[7];
    pointA[2] = m[8] * qx + m[9] * qy + m[10] * qz + m[11];
  }

  /** The answer by GJK; a march from its vertices then names the features, or a scan of all faces. */
  #ask(setA: ConvexSet, nodeA: number, setB: ConvexSet, nodeB: number, m: Float64Array): void {
    const { a, b } = this.#pair;
    const gjk = this.#gjk;
    this.fallback = 1;
    const distance = gjk.run(setA, nodeA, setB, nodeB, m, a.halfEdge, b.halfEdge);
    this.steps += gjk.rounds;
    if (gjk.intersects) {
      this.#adopt();
      // Where the march stopped: after the two have moved, it may find the surfaces crossing from there.
      this.featureA = encodeFeature(a.kind, a.halfEdge);
      this.featureB = encodeFeature(b.kind, b.halfEdge);
      return;
    }
    const faceless =
      setA.faceStart[nodeA] === setA.faceStart[nodeA + 1] || setB.faceStart[nodeB] === setB.faceStart[nodeB + 1];
    if (!faceless) {
      a.kind = VERTEX;
      b.kind = VERTEX;
      a.halfEdge = gjk.simplex.handlesA[0];
      b.halfEdge = gjk.simplex.handlesB[0];
      if (this.#walk(setA, nodeA, setB, nodeB) && this.distance <= distance * (1 + 1e-12)) return;
    }
    if (!faceless && !(gjk.gap <= GJK_GAP * gjk.magnitude)) {
      this.fallback = 3;
      this.steps += searchAllFeatures(setA, nodeA, setB, nodeB, this.#pair);
      this.#settle(this.#pair.squared === 0);
      return;
    }
    this.fallback = 2;
    this.#adopt();
    const { pointA, pointB } = this;
    this.featureA = locateFeature(setA, nodeA, pointA[0], pointA[1], pointA[2]);
    const x = pointB[0] - m[3];
    const y = pointB[1] - m[7];
    const z = pointB[2] - m[11];
    this.featureB = locateFeature(
      setB,
      nodeB,
      m[0] * x + m[4] * y + m[8] * z,
      m[1] * x + m[5] * y + m[9] * z,
      m[2] * x + m[6] * y + m[10] * z,
    );
  }

  /** Adopts GJK's answer. */
  #adopt(): void {
    const gjk = this.#gjk;
    this.distance = gjk.distance;
    this.intersects = gjk.intersects;
    for (let i = 0; i < 3; i++) {
      this.pointA[i] = gjk.pointA[i];
      this.pointB[i] = gjk.pointB[i];
    }
  }
}
