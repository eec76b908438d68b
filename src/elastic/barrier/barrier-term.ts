// Incremental potential contact (Li et al. 2020): a barrier on the distances of nodes and triangles and of edges, weighted
// by area (after Li et al. 2023). Every step of a solver is cut where the way is no longer certified free of contact.
import type { EnergyTerm, Linearization } from '../body/energy-term.js';
import { LOW_RANK_NODES, type LowRankRows } from '../body/low-rank-correction.js';
import { type ContactRows, ROW_NODES } from '../contact/contact-rows.js';
import type { ContactSource } from '../contact/friction-term.js';
import type { RigidObstacle } from '../contact/rigid-obstacle.js';
import { BarrierFunction, ParallelFactor } from './barrier-function.js';
import { BarrierPairs, PAIR_NUMBERS } from './barrier-pairs.js';
import type { BarrierSearch } from './barrier-search.js';
import { ClosestPoints } from './closest-points.js';

/** Proven: each pair counts half, because both surfaces see each other, and nodes and edges see the same contact. */
const SHARE = 0.5;

/** Chosen: halvings of a way that is too long to search, after which it counts as blocked. */
const MAX_HALVINGS = 30;

/** Chosen: the barrier gets twice as stiff after a solve that ended nearer than this share of its reach. */
const TOO_NEAR = 0.02;

/**
 * Chosen: the barrier gets half as stiff again, down to its own stiffness, where nothing is nearer than this share of
 * its reach.
 */
const FAR_ENOUGH = 0.2;

/** Chosen: the barrier gets at most this many times stiffer; beyond it the system would be badly conditioned. */
const MAX_BOOST = 1024;

export class BarrierTerm implements EnergyTerm, ContactSource {
  readonly search: BarrierSearch;
  /** Where all points are: nodes as in the unknowns, then those of obstacles. */
  readonly points: Float64Array;
  readonly #moves: Float64Array;
  readonly #obstacles: readonly RigidObstacle[];
  readonly #closest = new ClosestPoints();
  readonly #barrier = new BarrierFunction();
  readonly #parallel = new ParallelFactor();
  /** Those within reach when the energy was linearized. */
  readonly #active: BarrierPairs;
  #boost = 1;
  #nearest = 1;
  readonly #v = new Float64Array(12);
  readonly #out = new Float64Array(12);
  readonly #cross = new Float64Array(12);
  readonly #rowNodes = new Int32Array(LOW_RANK_NODES).fill(-1);
  readonly #rowWeights = new Float64Array(LOW_RANK_NODES);
  // Of the pair measured last.
  #distance = 0;
  #scale = 0;

  constructor(search: BarrierSearch, obstacles: readonly RigidObstacle[]) {
    this.search = search;
    this.#obstacles = obstacles;
    this.points = new Float64Array(3 * search.surface.pointCount);
    this.#moves = new Float64Array(this.points.length);
    this.#active = new BarrierPairs(this.points);
  }

  /** Begins a minimization: the barrier is stiffer where the last one ended too near, up to a bound. */
  begin(): void {
    if (this.#nearest < TOO_NEAR) this.#boost = Math.min(2 * this.#boost, MAX_BOOST);
    else if (this.#nearest > FAR_ENOUGH) this.#boost = Math.max(this.#boost / 2, 1);
  }

  /** Writes where the obstacles are; those that are free follow the unknowns from then on. */
  placeObstacles(): void {
    for (const group of this.search.surface.groups) {
      if (group.rigid < 0) continue;
      const obstacle = this.#obstacles[group.rigid];
      this.search.surface.writeObstacle(obstacle, group, obstacle.frame, this.points);
    }
  }

  update(x: Float64Array): void {
    this.#place(x);
    if (!this.search.covers(this.points)) this.search.find(this.points, null);
  }

  evaluate(x: Float64Array, gradient?: Float64Array): number {
    this.#place(x);
    const { count, isEdges } = this.search;
    const b = this.#barrier;
    let energy = 0;
    let nearest = 1;
    for (let i = 0; i < count; i++) {
      const reach = this.#measure(i);
      if (reach === 0) continue;
      if (!(this.#distance > 0)) return Infinity;
      b.evaluate(this.#distance, reach);
      nearest = Math.min(nearest, this.#distance / reach);
      const factor = isEdges[i] === 1 ? this.#weighParallel(i) : 1;
      energy += this.#scale * factor * b.value;
      if (gradient === undefined) continue;
      const { weights, vector, squared } = this.#closest;
      const f = (this.#scale * factor * b.first) / Math.sqrt(squared);
      for (let k = 0; k < 4; k++) {
        const w = f * weights[k];
        if (w !== 0) this.#push(this.search.ids[4 * i + k], w * vector[0], w * vector[1], w * vector[2], gradient);
      }
      if (factor < 1) {
        const c = this.#cross;
        const s = this.#scale * b.value * this.#parallel.first;
        for (let k = 0; k < 4; k++) {
          this.#push(this.search.ids[4 * i + k], s * c[3 * k], s * c[3 * k + 1], s * c[3 * k + 2], gradient);
        }
      }
    }
    this.#nearest = nearest;
    return energy;
  }

  /** Pairs within reach at x. */
  countActive(x: Float64Array): number {
    this.#place(x);
    let count = 0;
    for (let i = 0; i < this.search.count; i++) if (this.#measure(i) > 0) count++;
    return count;
  }

  frictionOf(pair: number): number {
    return this.search.groupPairs[this.search.pairs[pair]].friction;
  }

  rigidOf(pair: number): number {
    return this.search.groupPairs[this.search.pairs[pair]].rigid;
  }

  /** Writes a row for every pair within reach at x, and calls `visit` with its force and direction. */
  writeRows(
    x: Float64Array,
    rows: ContactRows,
    visit: (row: number, pair: number, force: number, direction: Float64Array) => void,
  ): void {
    this.#place(x);
    const { ids, count, isEdges } = this.search;
    const { nodeCount } = this.search.surface;
    rows.count = 0;
    for (let i = 0; i < count; i++) {
      const reach = this.#measure(i);
      if (reach === 0) continue;
      this.#barrier.evaluate(this.#distance, reach);
      const factor = isEdges[i] === 1 ? this.#weighParallel(i) : 1;
      const row = rows.add();
      const to = ROW_NODES * row;
      rows.nodes.fill(-1, to, to + ROW_NODES);
      rows.coefficients.fill(0, to, to + ROW_NODES);
      const r = this.rigidOf(i);
      rows.rigid[row] = r;
      rows.rigidCoefficient[row] = 0;
      rows.lever.fill(0, 3 * row, 3 * row + 3);
      for (let k = 0; k < 4; k++) {
        const id = ids[4 * i + k];
        const w = this.#closest.weights[k];
        if (id < nodeCount) {
          rows.nodes[to + k] = id;
          rows.coefficients[to + k] = w;
          continue;
        }
        rows.rigidCoefficient[row] += w;
        for (let j = 0; j < 3; j++) {
          rows.lever[3 * row + j] += w * (this.points[3 * id + j] - this.#obstacles[r].center[j]);
        }
      }
      visit(row, i, -this.#scale * factor * this.#barrier.first, this.#closest.vector);
    }
  }

  linearize(x: Float64Array, kind: Linearization): void {
    this.#place(x);
    const active = this.#active;
    active.isExact = kind === 'exact';
    active.count = 0;
    for (let i = 0; i < this.search.count; i++) {
      const reach = this.#measure(i);
      if (reach === 0) continue;
      this.#barrier.evaluate(this.#distance, reach);
      if (this.search.isEdges[i] === 1) this.#weighParallel(i);
      else this.#parallel.evaluate(1, 0);
      active.add(this.search.ids, 4 * i, this.#closest, this.#barrier, this.#parallel, this.#scale);
    }
  }

  multiply(v: Float64Array, out: Float64Array): void {
    const [local, image] = [this.#v, this.#out];
    const { ids, count } = this.#active;
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 4; k++) this.#pull(ids[4 * i + k], v, local, 3 * k);
      image.fill(0);
      this.#active.multiply(i, local, image);
      for (let k = 0; k < 4; k++) {
        this.#push(ids[4 * i + k], image[3 * k], image[3 * k + 1], image[3 * k + 2], out, false);
      }
    }
  }

  /** Adds the change of forces on nodes when obstacles move: three numbers for each point. */
  addMoved(moves: Float64Array, out: Float64Array): void {
    const { nodeCount } = this.search.surface;
    const [local, image] = [this.#v, this.#out];
    const { ids, count } = this.#active;
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 12; k++) {
        const id = ids[4 * i + Math.floor(k / 3)];
        local[k] = id < nodeCount ? 0 : moves[3 * id + (k % 3)];
      }
      image.fill(0);
      this.#active.multiply(i, local, image);
      for (let k = 0; k < 12; k++) {
        const id = ids[4 * i + Math.floor(k / 3)];
        if (id < nodeCount) out[3 * id + (k % 3)] += image[k];
      }
    }
  }

  addDiagonal(blocks: Float64Array): void {
    const { nodeCount } = this.search.surface;
    const { ids, values, count } = this.#active;
    for (let i = 0; i < count; i++) {
      const at = PAIR_NUMBERS * i;
      for (let k = 0; k < 4; k++) {
        const id = ids[4 * i + k];
        if (id >= nodeCount) continue;
        const w = values[at + k] * values[at + k] * values[at + 8];
        for (let a = 0; a < 3; a++) {
          for (let c = 0; c < 3; c++) blocks[9 * id + 3 * a + c] += w * values[at + 4 + a] * values[at + 4 + c];
        }
      }
    }
  }

  writeLowRank(out: LowRankRows, most: number): void {
    const { nodeCount } = this.search.surface;
    const [nodes, weights] = [this.#rowNodes, this.#rowWeights];
    const { ids, values, count } = this.#active;
    for (let i = 0; i < count && out.count <= most; i++) {
      const at = PAIR_NUMBERS * i;
      for (let k = 0; k < 4; k++) {
        const id = ids[4 * i + k];
        nodes[k] = id < nodeCount ? id : -1;
        weights[k] = id < nodeCount ? values[at + k] : 0;
      }
      out.addRow(nodes, weights, 0);
      const root = Math.sqrt(values[at + 8]);
      out.addDirection(root * values[at + 4], root * values[at + 5], root * values[at + 6]);
    }
  }

  /** The share of the way that is free of contact for certain, obstacles at rest. */
  limitStep(x: Float64Array, d: Float64Array): number {
    const moves = this.#moves;
    moves.fill(0);
    const size = 3 * this.search.surface.nodeCount;
    for (let i = 0; i < size; i++) moves[i] = d[i];
    this.#place(x);
    return this.limitMoves(moves);
  }

  /** The share of moves of all points, nodes and obstacles, that is free of contact for certain. */
  limitMoves(moves: Float64Array): number {
    for (let i = 0; i < moves.length; i++) if (!Number.isFinite(moves[i])) return 0;
    for (let halvings = 0, part = 1; halvings < MAX_HALVINGS; halvings++, part /= 2) {
      const share = this.search.find(this.points, moves);
      if (share >= 0) return share * part;
      for (let i = 0; i < moves.length; i++) moves[i] /= 2;
    }
    return 0;
  }

  /** Measures a pair; returns the reach of its barrier, or 0 beyond it. */
  #measure(i: number): number {
    const { ids, isEdges, pairs, areas, groupPairs } = this.search;
    const { reach, radius, pressure } = groupPairs[pairs[i]];
    const closest = this.#closest;
    const at = 4 * i;
    if (isEdges[i] === 1) closest.segments(this.points, ids[at], ids[at + 1], ids[at + 2], ids[at + 3]);
    else closest.pointTriangle(this.points, ids[at], ids[at + 1], ids[at + 2], ids[at + 3]);
    const limit = reach + radius;
    if (!(closest.squared < limit * limit)) return 0;
    this.#distance = Math.sqrt(closest.squared) - radius;
    this.#scale = SHARE * this.#boost * pressure * reach * areas[i];
    return reach;
  }

  /** The factor of two edges, and the derivatives of their squared cross product by the four corners. */
  #weighParallel(i: number): number {
    const p = this.points;
    const { ids, crossings } = this.search;
    const [a, b, c, d] = [3 * ids[4 * i], 3 * ids[4 * i + 1], 3 * ids[4 * i + 2], 3 * ids[4 * i + 3]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[d] - p[c], p[d + 1] - p[c + 1], p[d + 2] - p[c + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    this.#parallel.evaluate(nx * nx + ny * ny + nz * nz, crossings[i]);
    if (this.#parallel.factor === 1) return 1;
    // c = |u × v|²: by u it is 2 v × (u × v), by v 2 (u × v) × u.
    const out = this.#cross;
    out[3] = 2 * (vy * nz - vz * ny);
    out[4] = 2 * (vz * nx - vx * nz);
    out[5] = 2 * (vx * ny - vy * nx);
    out[9] = 2 * (ny * uz - nz * uy);
    out[10] = 2 * (nz * ux - nx * uz);
    out[11] = 2 * (nx * uy - ny * ux);
    for (let k = 0; k < 3; k++) {
      out[k] = -out[3 + k];
      out[6 + k] = -out[9 + k];
    }
    return this.#parallel.factor;
  }

  #place(x: Float64Array): void {
    const { nodeCount, groups } = this.search.surface;
    const p = this.points;
    for (let i = 0; i < 3 * nodeCount; i++) p[i] = x[i];
    for (const group of groups) {
      if (group.rigid < 0) continue;
      const obstacle = this.#obstacles[group.rigid];
      if (obstacle.offset < 0) continue;
      obstacle.place(x);
      this.search.surface.writeObstacle(obstacle, group, obstacle.frame, p);
    }
  }

  /** Adds a force on a point to the unknowns it moves with; to the wrench of its obstacle where it counts. */
  #push(id: number, fx: number, fy: number, fz: number, out: Float64Array, isForce = true): void {
    const { nodeCount, rigidOf } = this.search.surface;
    if (id < nodeCount) {
      out[3 * id] += fx;
      out[3 * id + 1] += fy;
      out[3 * id + 2] += fz;
      return;
    }
    const { offset, turn: j, wrench, center } = this.#obstacles[rigidOf[id]];
    const p = this.points;
    const [lx, ly, lz] = [p[3 * id] - center[0], p[3 * id + 1] - center[1], p[3 * id + 2] - center[2]];
    const [mx, my, mz] = [ly * fz - lz * fy, lz * fx - lx * fz, lx * fy - ly * fx];
    if (isForce) {
      wrench[0] += fx;
      wrench[1] += fy;
      wrench[2] += fz;
      wrench[3] += mx;
      wrench[4] += my;
      wrench[5] += mz;
    }
    if (offset < 0) return;
    out[offset] += fx;
    out[offset + 1] += fy;
    out[offset + 2] += fz;
    for (let k = 0; k < 3; k++) out[offset + 3 + k] += j[k] * mx + j[3 + k] * my + j[6 + k] * mz;
  }

  /** Reads how a point moves with the unknowns. */
  #pull(id: number, v: Float64Array, out: Float64Array, at: number): void {
    const { nodeCount, rigidOf } = this.search.surface;
    if (id < nodeCount) {
      out[at] = v[3 * id];
      out[at + 1] = v[3 * id + 1];
      out[at + 2] = v[3 * id + 2];
      return;
    }
    const { offset, turn: j, center } = this.#obstacles[rigidOf[id]];
    if (offset < 0) {
      out[at] = out[at + 1] = out[at + 2] = 0;
      return;
    }
    const [p, q, s] = [v[offset + 3], v[offset + 4], v[offset + 5]];
    const [wx, wy, wz] = [0, 3, 6].map((k) => j[k] * p + j[k + 1] * q + j[k + 2] * s);
    const [lx, ly, lz] = [0, 1, 2].map((k) => this.points[3 * id + k] - center[k]);
    out[at] = v[offset] + wy * lz - wz * ly;
    out[at + 1] = v[offset + 1] + wz * lx - wx * lz;
    out[at + 2] = v[offset + 2] + wx * ly - wy * lx;
  }
}
