// Contacts in one form: a direction in space, and how much of the motion of each node, and of a rigid body, counts along
// it. Coefficients sum to zero, and so do the moments, so that what a row pushes keeps linear and angular momentum.
import { growTo } from '../../core/grow-array.js';
import type { RigidObstacle } from './rigid-obstacle.js';

/** Layout: the largest count of nodes in a row: one against the four of an element. */
export const ROW_NODES = 5;

export class ContactRows {
  count = 0;
  /** Nodes, numbered over all bodies; −1 for an empty place. */
  nodes = new Int32Array(64 * ROW_NODES);
  coefficients = new Float64Array(64 * ROW_NODES);
  /** The rigid body that takes part, −1 for none, its coefficient, and the lever of its share about its center. */
  rigid = new Int32Array(64);
  rigidCoefficient = new Float64Array(64);
  lever = new Float64Array(64 * 3);
  readonly #obstacles: readonly RigidObstacle[];

  constructor(obstacles: readonly RigidObstacle[]) {
    this.#obstacles = obstacles;
  }

  /** Makes room for one more row and returns its number. */
  add(): number {
    const row = this.count++;
    this.nodes = growTo(this.nodes, ROW_NODES * this.count);
    this.coefficients = growTo(this.coefficients, ROW_NODES * this.count);
    this.rigid = growTo(this.rigid, this.count);
    this.rigidCoefficient = growTo(this.rigidCoefficient, this.count);
    this.lever = growTo(this.lever, 3 * this.count);
    return row;
  }

  /** Copies a row of others. */
  copy(from: ContactRows, row: number, to: number): void {
    for (let k = 0; k < ROW_NODES; k++) {
      this.nodes[ROW_NODES * to + k] = from.nodes[ROW_NODES * row + k];
      this.coefficients[ROW_NODES * to + k] = from.coefficients[ROW_NODES * row + k];
    }
    this.rigid[to] = from.rigid[row];
    this.rigidCoefficient[to] = from.rigidCoefficient[row];
    for (let k = 0; k < 3; k++) this.lever[3 * to + k] = from.lever[3 * row + k];
  }

  /** Whether a rigid body takes part in a row and is free to move. */
  movesRigid(row: number): boolean {
    const r = this.rigid[row];
    return r >= 0 && this.#obstacles[r].offset >= 0;
  }

  /** Writes Σ cᵢ vᵢ over the nodes of a row. */
  sumNodes(row: number, v: Float64Array, out: Float64Array): void {
    let x = 0;
    let y = 0;
    let z = 0;
    for (let k = ROW_NODES * row; k < ROW_NODES * (row + 1); k++) {
      const node = 3 * this.nodes[k];
      if (node < 0) continue;
      const c = this.coefficients[k];
      x += c * v[node];
      y += c * v[node + 1];
      z += c * v[node + 2];
    }
    out[0] = x;
    out[1] = y;
    out[2] = z;
  }

  /** Writes the relative motion of a row: that of its nodes and of its rigid body. */
  relative(row: number, v: Float64Array, out: Float64Array): void {
    this.sumNodes(row, v, out);
    const r = this.rigid[row];
    if (r < 0) return;
    const { offset, turn: j } = this.#obstacles[r];
    if (offset < 0) return;
    const c = this.rigidCoefficient[row];
    const p = v[offset + 3];
    const q = v[offset + 4];
    const s = v[offset + 5];
    const wx = j[0] * p + j[1] * q + j[2] * s;
    const wy = j[3] * p + j[4] * q + j[5] * s;
    const wz = j[6] * p + j[7] * q + j[8] * s;
    const lx = this.lever[3 * row];
    const ly = this.lever[3 * row + 1];
    const lz = this.lever[3 * row + 2];
    out[0] += c * v[offset] + wy * lz - wz * ly;
    out[1] += c * v[offset + 1] + wz * lx - wx * lz;
    out[2] += c * v[offset + 2] + wx * ly - wy * lx;
  }

  /** Adds cᵢ f to each node, and the force and moment of the rigid body. */
  scatter(row: number, fx: number, fy: number, fz: number, out: Float64Array): void {
    for (let k = ROW_NODES * row; k < ROW_NODES * (row + 1); k++) {
      const node = 3 * this.nodes[k];
      if (node < 0) continue;
      const c = this.coefficients[k];
      out[node] += c * fx;
      out[node + 1] += c * fy;
      out[node + 2] += c * fz;
    }
    const r = this.rigid[row];
    if (r < 0) return;
    const { offset, turn: j, wrench } = this.#obstacles[r];
    const c = this.rigidCoefficient[row];
    const lx = this.lever[3 * row];
    const ly = this.lever[3 * row + 1];
    const lz = this.lever[3 * row + 2];
    const mx = ly * fz - lz * fy;
    const my = lz * fx - lx * fz;
    const mz = lx * fy - ly * fx;
    wrench[0] += c * fx;
    wrench[1] += c * fy;
    wrench[2] += c * fz;
    wrench[3] += mx;
    wrench[4] += my;
    wrench[5] += mz;
    if (offset < 0) return;
    out[offset] += c * fx;
    out[offset + 1] += c * fy;
    out[offset + 2] += c * fz;
    out[offset + 3] += j[0] * mx + j[3] * my + j[6] * mz;
    out[offset + 4] += j[1] * mx + j[4] * my + j[7] * mz;
    out[offset + 5] += j[2] * mx + j[5] * my + j[8] * mz;
  }

  /**
   * Adds cᵢ² m, and for the rigid body c² m and [lever] m [lever]ᵀ, to blocks of nine numbers for each three unknowns.
   */
  addDiagonal(row: number, m: Float64Array, blocks: Float64Array): void {
    for (let k = ROW_NODES * row; k < ROW_NODES * (row + 1); k++) {
      const node = this.nodes[k];
      if (node < 0) continue;
      const c = this.coefficients[k] * this.coefficients[k];
      for (let i = 0; i < 9; i++) blocks[9 * node + i] += c * m[i];
    }
    const r = this.rigid[row];
    if (r < 0 || this.#obstacles[r].offset < 0) return;
    const at = 3 * this.#obstacles[r].offset;
    const c = this.rigidCoefficient[row] ** 2;
    for (let i = 0; i < 9; i++) blocks[at + i] += c * m[i];
    const lx = this.lever[3 * row];
    const ly = this.lever[3 * row + 1];
    const lz = this.lever[3 * row + 2];
    const cross = [0, -lz, ly, lz, 0, -lx, -ly, lx, 0];
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        let sum = 0;
        for (let p = 0; p < 3; p++) {
          for (let q = 0; q < 3; q++) sum += cross[3 * i + p] * m[3 * p + q] * cross[3 * j + q];
        }
        blocks[at + 9 + 3 * i + j] += sum;
      }
    }
  }
}
