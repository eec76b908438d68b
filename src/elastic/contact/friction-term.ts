// Coulomb friction as a potential of one step (Li et al. 2020): normal forces, normals and points of contact are those of an
// earlier state; the force grows smoothly with the distance slid, up to the limit at a small speed.
import { growTo } from '../../core/grow-array.js';
import type { EnergyTerm, Linearization } from '../body/energy-term.js';
import type { LowRankRows } from '../body/low-rank-correction.js';
import { ContactRows, ROW_NODES } from './contact-rows.js';
import type { RigidObstacle } from './rigid-obstacle.js';

/** Where normal forces come from. */
export interface ContactSource {
  /** Writes a row for every contact that presses at x, and calls `visit` with its force and direction. */
  writeRows(
    x: Float64Array,
    rows: ContactRows,
    visit: (row: number, contact: number, force: number, direction: Float64Array) => void,
  ): void;
  /** Coulomb's coefficient of a contact. */
  frictionOf(contact: number): number;
  /** The rigid body of a contact; −1 without one. */
  rigidOf(contact: number): number;
}

export class FrictionTerm implements EnergyTerm {
  readonly #contact: ContactSource;
  readonly #obstacles: readonly RigidObstacle[];
  readonly #rows: ContactRows;
  /**
   * Of each row: friction coefficient times normal force, the unit normal, and the point of the rigid body in its
   * frame.
   */
  #limits = new Float64Array(64);
  #normals = new Float64Array(64 * 3);
  #points = new Float64Array(64 * 3);
  /** Σ cᵢ xᵢ over the nodes at the start of the step. */
  #starts = new Float64Array(64 * 3);
  /** The distance slid at which friction has its full force. */
  #slack = 1;
  /** Of each row, at the last linearization: slid in the tangent plane, unit, and the stiffness along and across it. */
  #ways = new Float64Array(64 * 3);
  #along = new Float64Array(64);
  #across = new Float64Array(64);
  readonly #slip = new Float64Array(3);
  readonly #point = new Float64Array(6);
  readonly #block = new Float64Array(9);

  constructor(contact: ContactSource, obstacles: readonly RigidObstacle[]) {
    this.#contact = contact;
    this.#obstacles = obstacles;
    this.#rows = new ContactRows(obstacles);
  }

  /** Leaves all friction out until the next {@link lag}. */
  clear(): void {
    this.#rows.count = 0;
  }

  /**
   * Begins a step with the contacts of the last {@link lag}.
   * @param start nodes at the start of the step; rigid bodies know theirs.
   * @param slack the speed of full friction times the time from the start to the state that is looked for.
   */
  begin(start: Float64Array, slack: number): void {
    this.#slack = slack;
    for (let row = 0; row < this.#rows.count; row++) {
      this.#rows.sumNodes(row, start, this.#slip);
      this.#starts.set(this.#slip, 3 * row);
    }
  }

  /** Takes normal forces and points of contact from a state. */
  lag(x: Float64Array): void {
    const rows = this.#rows;
    this.#contact.writeRows(x, rows, (row, contact, force, g) => {
      this.#limits = growTo(this.#limits, row + 1);
      this.#normals = growTo(this.#normals, 3 * row + 3);
      this.#points = growTo(this.#points, 3 * row + 3);
      this.#starts = growTo(this.#starts, 3 * row + 3);
      this.#limits[row] = this.#contact.frictionOf(contact) * force;
      const length = Math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
      for (let k = 0; k < 3; k++) this.#normals[3 * row + k] = g[k] / length;
      const r = this.#contact.rigidOf(contact);
      if (r < 0) return;
      const { center } = this.#obstacles[r];
      const c = rows.rigidCoefficient[row];
      const [lx, ly, lz] = [rows.lever[3 * row], rows.lever[3 * row + 1], rows.lever[3 * row + 2]];
      this.#obstacles[r].writeLocal(center[0] + lx / c, center[1] + ly / c, center[2] + lz / c, this.#slip);
      this.#points.set(this.#slip, 3 * row);
    });
  }

  update(): void {}

  evaluate(x: Float64Array, gradient?: Float64Array): number {
    for (const obstacle of this.#obstacles) obstacle.place(x);
    const u = this.#slip;
    const slack = this.#slack;
    let energy = 0;
    for (let row = 0; row < this.#rows.count; row++) {
      this.#slide(row, x);
      const length = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
      const limit = this.#limits[row];
      const share = length / slack;
      energy += limit * (share < 1 ? slack * share * share * (1 - share / 3) : length - slack / 3);
      if (gradient === undefined) continue;
      const f = share < 1 ? (limit * (2 - share)) / slack : limit / length;
      this.#rows.scatter(row, f * u[0], f * u[1], f * u[2], gradient);
    }
    return energy;
  }

  linearize(x: Float64Array, kind: Linearization): void {
    for (const obstacle of this.#obstacles) obstacle.place(x);
    const { count } = this.#rows;
    const u = this.#slip;
    this.#ways = growTo(this.#ways, 3 * count);
    this.#along = growTo(this.#along, count);
    this.#across = growTo(this.#across, count);
    for (let row = 0; row < count; row++) {
      this.#slide(row, x);
      const length = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
      const share = length / this.#slack;
      const limit = this.#limits[row] / this.#slack;
      this.#across[row] = share < 1 ? limit * (2 - share) : limit / share;
      // As stiff along as across, the parabola through the state lies above the potential everywhere, so that steps do not go
      // past where a contact sticks (half-quadratic; Geman and Reynolds 1992).
      this.#along[row] = kind === 'majorized' ? this.#across[row] : share < 1 ? limit * (2 - 2 * share) : 0;
      for (let k = 0; k < 3; k++) this.#ways[3 * row + k] = length > 0 ? u[k] / length : 0;
    }
  }

  multiply(v: Float64Array, out: Float64Array): void {
    const a = this.#slip;
    const [n, w] = [this.#normals, this.#ways];
    for (let row = 0; row < this.#rows.count; row++) {
      this.#rows.relative(row, v, a);
      const i = 3 * row;
      const lift = a[0] * n[i] + a[1] * n[i + 1] + a[2] * n[i + 2];
      const way = a[0] * w[i] + a[1] * w[i + 1] + a[2] * w[i + 2];
      const s = this.#across[row];
      const t = (this.#along[row] - s) * way;
      this.#rows.scatter(
        row,
        s * (a[0] - lift * n[i]) + t * w[i],
        s * (a[1] - lift * n[i + 1]) + t * w[i + 1],
        s * (a[2] - lift * n[i + 2]) + t * w[i + 2],
        out,
      );
    }
  }

  addDiagonal(blocks: Float64Array): void {
    const m = this.#block;
    const [n, w] = [this.#normals, this.#ways];
    for (let row = 0; row < this.#rows.count; row++) {
      const [s, t] = [this.#across[row], this.#along[row]];
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) {
          const ways = w[3 * row + i] * w[3 * row + j];
          m[3 * i + j] = s * ((i === j ? 1 : 0) - n[3 * row + i] * n[3 * row + j] - ways) + t * ways;
        }
      }
      this.#rows.addDiagonal(row, m, blocks);
    }
  }

  writeLowRank(out: LowRankRows, most: number): void {
    const [n, w] = [this.#normals, this.#ways];
    for (let row = 0; row < this.#rows.count && out.count <= most; row++) {
      if (!(this.#limits[row] > 0) || this.#rows.movesRigid(row)) continue;
      const i = 3 * row;
      const t = this.#slip;
      for (let k = 0; k < 3; k++) t[k] = w[i + k];
      if (t[0] * t[0] + t[1] * t[1] + t[2] * t[2] < 0.5) writeTangent(n, i, t);
      out.addRow(this.#rows.nodes, this.#rows.coefficients, ROW_NODES * row);
      const [along, across] = [Math.sqrt(this.#along[row]), Math.sqrt(this.#across[row])];
      out.addDirection(along * t[0], along * t[1], along * t[2]);
      out.addDirection(
        across * (n[i + 1] * t[2] - n[i + 2] * t[1]),
        across * (n[i + 2] * t[0] - n[i] * t[2]),
        across * (n[i] * t[1] - n[i + 1] * t[0]),
      );
    }
  }

  limitStep(): number {
    return 1;
  }

  /** Writes how far the two sides of a row have slid since the start, in the tangent plane. */
  #slide(row: number, x: Float64Array): void {
    const u = this.#slip;
    const i = 3 * row;
    this.#rows.sumNodes(row, x, u);
    for (let k = 0; k < 3; k++) u[k] -= this.#starts[i + k];
    const r = this.#rows.rigid[row];
    if (r >= 0) {
      const obstacle = this.#obstacles[r];
      const [px, py, pz] = [this.#points[i], this.#points[i + 1], this.#points[i + 2]];
      const c = this.#rows.rigidCoefficient[row];
      const p = this.#point;
      obstacle.writePoint(obstacle.frame, px, py, pz, p, 0);
      obstacle.writePoint(obstacle.startFrame, px, py, pz, p, 3);
      for (let k = 0; k < 3; k++) {
        u[k] += c * (p[k] - p[3 + k]);
        this.#rows.lever[i + k] = c * (p[k] - obstacle.center[k]);
      }
    }
    const n = this.#normals;
    const lift = u[0] * n[i] + u[1] * n[i + 1] + u[2] * n[i + 2];
    for (let k = 0; k < 3; k++) u[k] -= lift * n[i + k];
  }
}

/** Writes a unit vector across the normal at a place. */
function writeTangent(normals: Float64Array, at: number, out: Float64Array): void {
  const [x, y, z] = [normals[at], normals[at + 1], normals[at + 2]];
  // With the axis that is farthest from the normal.
  const isX = Math.abs(x) <= Math.abs(y) && Math.abs(x) <= Math.abs(z);
  const isY = !isX && Math.abs(y) <= Math.abs(z);
  out[0] = isX ? 0 : isY ? -z : y;
  out[1] = isX ? z : isY ? 0 : -x;
  out[2] = isX ? -y : isY ? x : 0;
  const length = Math.hypot(out[0], out[1], out[2]);
  for (let k = 0; k < 3; k++) out[k] /= length;
}
