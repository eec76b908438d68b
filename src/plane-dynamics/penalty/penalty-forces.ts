// Penalty forces in the plane (Hoff, Zaferakis, Lin and Manocha 2001, section 3): each boundary is sampled by length; a sample
// inside the other solid is pushed along the shortest way out that PIVOT's nearest-edge search finds, and the other solid back
// along the same line. Both ways, halved, weighted by the length a sample stands for: the gradient of ¼ k Σ w d².
import { growTo } from '../../core/grow-array.js';
import { EdgeSet } from '../../pivot/plane/edge-set.js';
import { NearestEdge } from '../../pivot/plane/nearest-edge.js';
import { DYNAMIC, ELASTIC, type PlaneBodies, REMOVED } from '../body/plane-bodies.js';
import { EdgeRows } from './edge-rows.js';
import type { ElasticRing } from './elastic-ring.js';

/** Chosen: levels of PIVOT's lazy boxes. */
const LEVELS = 8;

/** How a boundary is sampled: each edge in equal parts, by their middles. A circle is one edge. */
class Samples {
  /** Parts of each edge, and their length at rest. */
  readonly counts: Int32Array;
  readonly lengths: Float64Array;

  constructor(points: Float64Array, next: Int32Array, radius: number, spacing: number) {
    this.counts = new Int32Array(next.length);
    this.lengths = new Float64Array(next.length);
    for (let i = 0; i < next.length; i++) {
      const j = next[i];
      const length =
        radius > 0
          ? 2 * Math.PI * radius
          : Math.hypot(points[2 * j] - points[2 * i], points[2 * j + 1] - points[2 * i + 1]);
      this.counts[i] = Math.max(radius > 0 ? 32 : 1, Math.ceil(length / spacing));
      this.lengths[i] = length / this.counts[i];
    }
  }
}

export class PenaltyForces {
  /** Penetrating samples of the last evaluation: whose boundary, in whom, on which edges. */
  count = 0;
  owner = new Int32Array(64);
  other = new Int32Array(64);
  /** The edge of the owner that the sample is on, and where on it. */
  ownEdge = new Int32Array(64);
  share = new Float64Array(64);
  edge = new Int32Array(64);
  depth = new Float64Array(64);
  weight = new Float64Array(64);
  /** x, y of the sample, and of the nearest point of the other boundary. */
  point = new Float64Array(128);
  target = new Float64Array(128);
  /** Pairs that overlap: their bodies, and where their samples begin; one more at the end. */
  pairCount = 0;
  pairA = new Int32Array(16);
  pairB = new Int32Array(16);
  pairStart = new Int32Array(17);
  /** Half the length of boundary inside, of each pair. */
  pairLength = new Float64Array(16);
  /** Force by depth and length of boundary, N/m². */
  stiffness = 0;

  readonly #samples: (Samples | undefined)[] = [];
  readonly #sets: EdgeSet[] = [];
  readonly #poses: Float64Array[] = [];
  readonly #rings: Float64Array[][] = [];
  readonly #nearest = new NearestEdge();
  readonly #placed: number[] = [];
  #round = 0;
  readonly #rows = new EdgeRows();

  /** @param spacing of samples in sizes of a body. */
  constructor(
    readonly bodies: PlaneBodies,
    readonly rings: readonly (ElasticRing | null)[],
    readonly spacing: number,
  ) {}

  /**
   * Finds the penetrating samples where the bodies are now.
   * @param onlyElastic leaves out pairs of rigid bodies.
   */
  evaluate(onlyElastic: boolean): void {
    const { bodies } = this;
    this.count = this.pairCount = 0;
    this.#round++;
    const { kind, center, outlines } = bodies;
    for (let a = 0; a < bodies.count; a++) {
      if (kind[a] === REMOVED) continue;
      for (let b = a + 1; b < bodies.count; b++) {
        if (onlyElastic && kind[a] !== ELASTIC && kind[b] !== ELASTIC) continue;
        if (kind[a] !== ELASTIC && kind[b] !== ELASTIC) {
          // Rigid bodies stay within their reach; most pairs end here.
          const reach = outlines[a].reach + outlines[b].reach;
          const dx = center[2 * b] - center[2 * a];
          const dy = center[2 * b + 1] - center[2 * a + 1];
          if (dx * dx + dy * dy > reach * reach) continue;
        }
        if (!bodies.canMeet(a, b) || bodies.isSensor[a] + bodies.isSensor[b] > 0) continue;
        this.#place(a);
        this.#place(b);
        const boxA = this.#sets[a];
        const boxB = this.#sets[b];
        if (boxA.minX > boxB.maxX || boxB.minX > boxA.maxX) continue;
        if (boxA.minY > boxB.maxY || boxB.minY > boxA.maxY) continue;
        const first = this.count;
        this.#intrude(a, b);
        this.#intrude(b, a);
        if (this.count === first) continue;
        const pair = this.pairCount++;
        this.pairA = growTo(this.pairA, pair + 1);
        this.pairB = growTo(this.pairB, pair + 1);
        this.pairStart = growTo(this.pairStart, pair + 2);
        this.pairLength = growTo(this.pairLength, pair + 1);
        this.pairA[pair] = a;
        this.pairB[pair] = b;
        this.pairStart[pair] = first;
        this.pairStart[pair + 1] = this.count;
        let length = 0;
        for (let n = first; n < this.count; n++) length += this.weight[n];
        this.pairLength[pair] = length / 2;
      }
    }
  }

  #place(i: number): void {
    if (this.#placed[i] === this.#round) return;
    this.#placed[i] = this.#round;
    const { bodies } = this;
    const outline = bodies.outlines[i];
    const ring = this.rings[i] ?? null;
    if (this.#samples[i] === undefined) {
      const source = ring === null ? outline.points : ring.rest;
      this.#samples[i] = new Samples(source, outline.next, outline.radius, this.spacing * 2 * outline.reach);
      this.#sets[i] = new EdgeSet();
      this.#poses[i] = new Float64Array(3).fill(Number.NaN);
      this.#rings[i] = outline.hasEdges ? outline.ringsOfPoints() : [];
    }
    const set = this.#sets[i];
    if (ring !== null) {
      set.load({ rings: ring.rings }, LEVELS, i);
      return;
    }
    const pose = this.#poses[i];
    const x = bodies.center[2 * i];
    const y = bodies.center[2 * i + 1];
    const angle = bodies.angle[i];
    if (pose[0] === x && pose[1] === y && pose[2] === angle) return;
    pose[0] = x;
    pose[1] = y;
    pose[2] = angle;
    if (outline.hasEdges) set.load({ rings: this.#rings[i], pose }, LEVELS, i);
    else {
      set.minX = x - outline.radius;
      set.maxX = x + outline.radius;
      set.minY = y - outline.radius;
      set.maxY = y + outline.radius;
    }
  }

  /** The samples of one body inside another. */
  #intrude(a: number, b: number): void {
    const { bodies } = this;
    const { counts, lengths } = this.#samples[a]!;
    const outline = bodies.outlines[a];
    const set = this.#sets[b];
    if (bodies.outlines[b].radius === 0) this.#nearest.bind(set, this.spacing * bodies.outlines[b].reach);
    if (outline.radius > 0) {
      for (let k = 0; k < counts[0]; k++) {
        // Turns with the body, so that a sample stays the same point of it.
        const angle = bodies.angle[a] + (2 * Math.PI * (k + 0.5)) / counts[0];
        const x = bodies.center[2 * a] + outline.radius * Math.cos(angle);
        const y = bodies.center[2 * a + 1] + outline.radius * Math.sin(angle);
        if (x < set.minX || x > set.maxX || y < set.minY || y > set.maxY) continue;
        if (bodies.outlines[b].radius > 0 || set.contains(x, y)) this.#take(a, b, 0, 0, lengths[0], x, y);
      }
      return;
    }
    const isRound = bodies.outlines[b].radius > 0;
    const own = this.#sets[a];
    const { edges } = own;
    const minX = own.minX > set.minX ? own.minX : set.minX;
    const minY = own.minY > set.minY ? own.minY : set.minY;
    const maxX = own.maxX < set.maxX ? own.maxX : set.maxX;
    const maxY = own.maxY < set.maxY ? own.maxY : set.maxY;
    const rows = this.#rows;
    let isListed = isRound;
    let isInside = false;
    // Whether the sign holds up to this edge: from one edge that crosses nothing to the next.
    let isKnown = false;
    for (let e = 0; e < counts.length; e++) {
      const ax = edges[4 * e];
      const ay = edges[4 * e + 1];
      const bx = edges[4 * e + 2];
      const by = edges[4 * e + 3];
      if ((ax < minX ? bx < minX : ax > maxX && bx > maxX) || (ay < minY ? by < minY : ay > maxY && by > maxY)) {
        isKnown = false;
        continue;
      }
      if (!isListed) rows.list(set, minX, minY, maxY);
      isListed = true;
      const isMixed = isRound || rows.mayCross(ax, ay, bx, by);
      if (!isMixed) {
        // Rings follow one another: the sign of the last edge is that of this one only if it begins where that one ended.
        isKnown &&= ax === edges[4 * e - 2] && ay === edges[4 * e - 1];
        if (!isKnown) isInside = rows.contains((ax + bx) / 2, (ay + by) / 2);
        isKnown = true;
        if (!isInside) continue;
      } else isKnown = false;
      // PIVOT's edges end at the corner of their number; ours begin there.
      const from = outline.previous[e];
      const count = counts[from];
      for (let k = 0; k < count; k++) {
        const share = (k + 0.5) / count;
        const x = ax + share * (bx - ax);
        const y = ay + share * (by - ay);
        if (!isMixed || isRound || rows.contains(x, y)) this.#take(a, b, from, share, lengths[from], x, y);
      }
    }
  }

  /** Takes a sample inside a body, with the nearest point of its boundary. */
  #take(a: number, b: number, own: number, share: number, weight: number, x: number, y: number): void {
    const { bodies } = this;
    const { radius, previous } = bodies.outlines[b];
    let depth: number;
    let tx: number;
    let ty: number;
    let edge = 0;
    if (radius > 0) {
      const dx = x - bodies.center[2 * b];
      const dy = y - bodies.center[2 * b + 1];
      const length = Math.hypot(dx, dy);
      depth = radius - length;
      if (depth <= 0 || length === 0) return;
      tx = bodies.center[2 * b] + (radius / length) * dx;
      ty = bodies.center[2 * b + 1] + (radius / length) * dy;
    } else {
      const nearest = this.#nearest;
      depth = nearest.find(x, y);
      if (!(depth > 0)) return;
      tx = nearest.x;
      ty = nearest.y;
      edge = previous[nearest.edge];
    }
    const n = this.count++;
    if (n >= this.depth.length) {
      for (const name of ['owner', 'other', 'ownEdge', 'edge'] as const) this[name] = growTo(this[name], n + 1);
      for (const name of ['depth', 'weight', 'share'] as const) this[name] = growTo(this[name], n + 1);
      for (const name of ['point', 'target'] as const) this[name] = growTo(this[name], 2 * n + 2);
    }
    this.owner[n] = a;
    this.other[n] = b;
    this.ownEdge[n] = own;
    this.share[n] = share;
    this.edge[n] = edge;
    this.depth[n] = depth;
    this.weight[n] = weight;
    this.point[2 * n] = x;
    this.point[2 * n + 1] = y;
    this.target[2 * n] = tx;
    this.target[2 * n + 1] = ty;
  }

  /** The potential energy of the springs, J. */
  energy(): number {
    let sum = 0;
    for (let n = 0; n < this.count; n++) sum += this.weight[n] * this.depth[n] * this.depth[n];
    return (this.stiffness * sum) / 4;
  }

  /** The deepest sample. */
  deepest(): number {
    let most = 0;
    for (let n = 0; n < this.count; n++) most = Math.max(most, this.depth[n]);
    return most;
  }

  /** Applies the forces of the samples for a time, with damping and friction at the present velocities. */
  kick(h: number): void {
    for (let pair = 0; pair < this.pairCount; pair++) this.#kickPair(pair, h);
  }

  #kickPair(pair: number, h: number): void {
    const { bodies } = this;
    const a = this.pairA[pair];
    const b = this.pairB[pair];
    const inverse = this.#inverseMass(a) + this.#inverseMass(b);
    if (inverse === 0) return;
    const mass = 1 / inverse;
    const restitution = Math.max(bodies.restitution[a], bodies.restitution[b]);
    const friction = Math.sqrt(bodies.friction[a] * bodies.friction[b]);
    const log = Math.log(Math.max(restitution, 1e-3));
    const ratio = restitution >= 1 ? 0 : -log / Math.hypot(Math.PI, log);
    const length = this.pairLength[pair];
    const damping = 2 * ratio * Math.sqrt((this.stiffness * mass) / length);
    // A quarter of what would stop the sliding within the interval.
    const drag = (0.25 * mass) / (length * h);
    for (let n = this.pairStart[pair]; n < this.pairStart[pair + 1]; n++) {
      const depth = this.depth[n];
      const nx = (this.target[2 * n] - this.point[2 * n]) / depth;
      const ny = (this.target[2 * n + 1] - this.point[2 * n + 1]) / depth;
      const half = this.weight[n] / 2;
      let force = this.stiffness * depth;
      let along = 0;
      if (damping > 0 || friction > 0) {
        const vx = this.#speed(n, false, 0) - this.#speed(n, true, 0);
        const vy = this.#speed(n, false, 1) - this.#speed(n, true, 1);
        force = Math.max(0, force - damping * (vx * nx + vy * ny));
        const sliding = vy * nx - vx * ny;
        along = -Math.sign(sliding) * Math.min(friction * force, drag * Math.abs(sliding));
      }
      const fx = h * half * (force * nx - along * ny);
      const fy = h * half * (force * ny + along * nx);
      this.#push(n, false, fx, fy);
      this.#push(n, true, -fx, -fy);
    }
  }

  #inverseMass(i: number): number {
    const ring = this.rings[i] ?? null;
    if (ring !== null) return 1 / ring.mass;
    return this.bodies.inverseMass[i];
  }

  /** A velocity component of the owner at a sample, or of the other at its nearest point. */
  #speed(n: number, isOther: boolean, axis: 0 | 1): number {
    const { bodies } = this;
    const i = isOther ? this.other[n] : this.owner[n];
    const ring = this.rings[i] ?? null;
    if (ring !== null) {
      const edge = isOther ? this.edge[n] : this.ownEdge[n];
      const share = isOther ? this.#shareOf(ring, edge, n) : this.share[n];
      const to = ring.next[edge];
      return (1 - share) * ring.velocities[2 * edge + axis] + share * ring.velocities[2 * to + axis];
    }
    const x = this.point[2 * n] - bodies.center[2 * i];
    const y = this.point[2 * n + 1] - bodies.center[2 * i + 1];
    return bodies.velocity[2 * i + axis] + bodies.spin[i] * (axis === 0 ? -y : x);
  }

  /** Where on an edge of a soft body the nearest point is. */
  #shareOf(ring: ElasticRing, edge: number, n: number): number {
    const to = ring.next[edge];
    const { positions } = ring;
    const ex = positions[2 * to] - positions[2 * edge];
    const ey = positions[2 * to + 1] - positions[2 * edge + 1];
    const share =
      ((this.target[2 * n] - positions[2 * edge]) * ex + (this.target[2 * n + 1] - positions[2 * edge + 1]) * ey) /
      (ex * ex + ey * ey);
    return share < 0 ? 0 : share > 1 ? 1 : share;
  }

  #push(n: number, isOther: boolean, px: number, py: number): void {
    const { bodies } = this;
    const i = isOther ? this.other[n] : this.owner[n];
    const ring = this.rings[i] ?? null;
    if (ring === null) {
      if (bodies.kind[i] === DYNAMIC) bodies.push(i, this.point[2 * n], this.point[2 * n + 1], px, py);
      return;
    }
    const edge = isOther ? this.edge[n] : this.ownEdge[n];
    const share = isOther ? this.#shareOf(ring, edge, n) : this.share[n];
    const to = ring.next[edge];
    ring.velocities[2 * edge] += ((1 - share) * px) / ring.masses[edge];
    ring.velocities[2 * edge + 1] += ((1 - share) * py) / ring.masses[edge];
    ring.velocities[2 * to] += (share * px) / ring.masses[to];
    ring.velocities[2 * to + 1] += (share * py) / ring.masses[to];
  }
}
