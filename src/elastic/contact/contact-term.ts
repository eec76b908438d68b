// The energy of contact, k A d² for every node, corner and crossing of edges: d is the depth interpolated in the deformed
// element from values at its nodes (Fisher and Lin 2001), the depth in a plane of a rigid body, or the overlap of two edges.
import { growTo } from '../../core/grow-array.js';
import type { EnergyTerm, Linearization } from '../body/energy-term.js';
import type { LowRankRows } from '../body/low-rank-correction.js';
import type { ContactBody } from './contact-body.js';
import { ContactRows, ROW_NODES } from './contact-rows.js';
import { ContactSearch } from './contact-search.js';
import { ContactSet, EDGES, IN_ELEMENT, NODES, VALUES } from './contact-set.js';
import type { ContactSource } from './friction-term.js';
import { Recovery } from './recovery.js';
import type { RigidObstacle } from './rigid-obstacle.js';

/**
 * Chosen: searches of a minimization after which nodes keep their elements longer; a node between two would go back and
 * forth.
 */
const PATIENCE = 2;

/**
 * Chosen: searches of a minimization after which all contacts are kept. The energy is smooth then, and the next minimization
 * searches again.
 */
const MAX_SEARCHES = 8;

/**
 * Chosen: how far a node may leave its element, in barycentric coordinates, at the first search after {@link PATIENCE}; four
 * times as far at each one after that.
 */
const STICKY = 0.1;

export class ContactTerm implements EnergyTerm, ContactSource {
  readonly contacts = new ContactSet();
  readonly #obstacles: readonly RigidObstacle[];
  readonly #search: ContactSearch;
  readonly #recovery: Recovery;
  /** Rows of the linearized energy, and one for whatever is measured in between. */
  readonly #rows: ContactRows;
  readonly #single: ContactRows;
  /** Of each row: twice stiffness times area, depth, gradient of the depth by the first point. */
  #stiffness = new Float64Array(64);
  #depths = new Float64Array(64);
  #directions = new Float64Array(64 * 3);
  /** Gradients of the four barycentric coordinates, of rows that are nodes in elements; NaN for others. */
  #shapes = new Float64Array(64 * 12);
  #isExact = false;
  #searches = 0;
  // Of the contact that was measured last.
  #depth = 0;
  readonly #g = new Float64Array(3);
  readonly #h = new Float64Array(12);
  readonly #p = new Float64Array(15);
  readonly #alpha = new Float64Array(3);
  readonly #block = new Float64Array(9);

  /** @param recovery of another term, whose deep overlaps this one knows too. */
  constructor(bodies: readonly ContactBody[], obstacles: readonly RigidObstacle[], recovery?: Recovery) {
    this.#obstacles = obstacles;
    const ends = bodies.map(({ mesh, firstNode }) => firstNode + mesh.positions.length / 3);
    this.#recovery = recovery ?? new Recovery(Math.max(0, ...ends));
    this.#search = new ContactSearch(bodies, obstacles);
    this.#rows = new ContactRows(obstacles);
    this.#single = new ContactRows(obstacles);
    this.#single.add();
  }

  get recovery(): Recovery {
    return this.#recovery;
  }

  /** Begins a minimization. */
  begin(): void {
    this.#searches = 0;
  }

  /**
   * Begins a step: notes how deep contacts are at its start.
   * @param way the largest distance by which the step pushes overlaps apart.
   */
  noteStart(start: Float64Array, way: number): void {
    for (const obstacle of this.#obstacles) obstacle.place(start);
    const { contacts } = this;
    contacts.allowed.fill(0, 0, contacts.count);
    this.#recovery.begin();
    for (let i = 0; i < contacts.count; i++) {
      if (this.#measure(i, start, this.#single, 0)) this.#recovery.note(contacts, i, this.#depth - way);
    }
  }

  update(x: Float64Array): void {
    const searches = this.#searches++;
    if (searches >= MAX_SEARCHES) return;
    for (const obstacle of this.#obstacles) obstacle.place(x);
    const sticky = searches < PATIENCE ? 0 : STICKY * 4 ** (searches - PATIENCE);
    this.#search.find(x, this.contacts, sticky);
    this.#recovery.apply(this.contacts);
  }

  evaluate(x: Float64Array, gradient?: Float64Array): number {
    for (const obstacle of this.#obstacles) obstacle.place(x);
    const rows = this.#single;
    const g = this.#g;
    let energy = 0;
    for (let i = 0; i < this.contacts.count; i++) {
      if (!this.#measure(i, x, rows, 0)) continue;
      const w = this.contacts.weight[i];
      energy += w * this.#depth * this.#depth;
      const f = 2 * w * this.#depth;
      if (gradient !== undefined) rows.scatter(0, f * g[0], f * g[1], f * g[2], gradient);
    }
    return energy;
  }

  /** Contacts with an overlap at x. */
  countActive(x: Float64Array): number {
    let count = 0;
    for (let i = 0; i < this.contacts.count; i++) if (this.#measure(i, x, this.#single, 0)) count++;
    return count;
  }

  /** Coulomb's coefficient; 0 for an overlap that is being ended, which has no pressure of its own. */
  frictionOf(contact: number): number {
    return this.contacts.allowed[contact] > 0 ? 0 : this.contacts.friction[contact];
  }

  rigidOf(contact: number): number {
    return this.contacts.rigid[contact];
  }

  linearize(x: Float64Array, kind: Linearization): void {
    this.#isExact = kind === 'exact';
    this.writeRows(x, this.#rows, (row, contact) => {
      this.#stiffness = growTo(this.#stiffness, row + 1);
      this.#depths = growTo(this.#depths, row + 1);
      this.#directions = growTo(this.#directions, 3 * row + 3);
      this.#shapes = growTo(this.#shapes, 12 * row + 12);
      this.#stiffness[row] = 2 * this.contacts.weight[contact];
      this.#depths[row] = this.#depth;
      this.#directions.set(this.#g, 3 * row);
      this.#shapes.set(this.#h, 12 * row);
      if (this.contacts.kind[contact] !== IN_ELEMENT) this.#shapes[12 * row] = Number.NaN;
    });
  }

  /**
   * Writes a row for every contact with an overlap at x, and calls `visit` with the row, the contact, its force and the
   * gradient of its depth by the first point.
   */
  writeRows(
    x: Float64Array,
    rows: ContactRows,
    visit: (row: number, contact: number, force: number, direction: Float64Array) => void,
  ): void {
    for (const obstacle of this.#obstacles) obstacle.place(x);
    const g = this.#g;
    rows.count = 0;
    for (let i = 0; i < this.contacts.count; i++) {
      const row = rows.add();
      if (!this.#measure(i, x, rows, row)) {
        rows.count--;
        continue;
      }
      const steepness = Math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
      visit(row, i, 2 * this.contacts.weight[i] * this.#depth * steepness, g);
    }
  }

  multiply(v: Float64Array, out: Float64Array): void {
    const rows = this.#rows;
    const alpha = this.#alpha;
    for (let row = 0; row < rows.count; row++) {
      rows.relative(row, v, alpha);
      const gx = this.#directions[3 * row];
      const gy = this.#directions[3 * row + 1];
      const gz = this.#directions[3 * row + 2];
      const w = this.#stiffness[row];
      const s = w * (gx * alpha[0] + gy * alpha[1] + gz * alpha[2]);
      rows.scatter(row, s * gx, s * gy, s * gz, out);
      if (this.#isExact && !Number.isNaN(this.#shapes[12 * row])) this.#multiplyCurvature(row, w, v, out);
    }
  }

  addDiagonal(blocks: Float64Array): void {
    const m = this.#block;
    for (let row = 0; row < this.#rows.count; row++) {
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) {
          m[3 * i + j] = this.#stiffness[row] * this.#directions[3 * row + i] * this.#directions[3 * row + j];
        }
      }
      this.#rows.addDiagonal(row, m, blocks);
    }
  }

  writeLowRank(out: LowRankRows, most: number): void {
    const rows = this.#rows;
    for (let row = 0; row < rows.count && out.count <= most; row++) {
      if (rows.movesRigid(row)) continue;
      out.addRow(rows.nodes, rows.coefficients, ROW_NODES * row);
      const root = Math.sqrt(this.#stiffness[row]);
      const g = this.#directions;
      out.addDirection(root * g[3 * row], root * g[3 * row + 1], root * g[3 * row + 2]);
    }
  }

  limitStep(): number {
    return 1;
  }

  /**
   * Adds the part of second derivatives with those of the depth: −2 k A d (cₐ β + (hₐ·α) g), with α the relative motion,
   * β = Σ (g·vⱼ) hⱼ over the nodes of the element, hⱼ the gradients of barycentric coordinates.
   */
  #multiplyCurvature(row: number, w: number, v: Float64Array, out: Float64Array): void {
    const { nodes } = this.#rows;
    const h = this.#shapes;
    const [gx, gy, gz] = [this.#directions[3 * row], this.#directions[3 * row + 1], this.#directions[3 * row + 2]];
    const [ax, ay, az] = this.#alpha;
    const f = -w * this.#depths[row];
    let bx = 0;
    let by = 0;
    let bz = 0;
    for (let j = 0; j < 4; j++) {
      const node = 3 * nodes[ROW_NODES * row + 1 + j];
      const at = 12 * row + 3 * j;
      const along = gx * v[node] + gy * v[node + 1] + gz * v[node + 2];
      bx += along * h[at];
      by += along * h[at + 1];
      bz += along * h[at + 2];
      const s = f * (h[at] * ax + h[at + 1] * ay + h[at + 2] * az);
      out[node] += s * gx;
      out[node + 1] += s * gy;
      out[node + 2] += s * gz;
    }
    this.#rows.scatter(row, f * bx, f * by, f * bz, out);
  }

  /** Measures a contact at x and writes its row; false if there is no overlap. */
  #measure(i: number, x: Float64Array, rows: ContactRows, row: number): boolean {
    const kind = this.contacts.kind[i];
    if (kind === IN_ELEMENT) return this.#measureInElement(i, x, rows, row);
    if (kind === EDGES) return this.#measureEdges(i, x, rows, row);
    return this.#measureInRigid(i, x, rows, row);
  }

  /** Runs for every contact and iteration: all its values are locals of one function. */
  #measureInElement(i: number, x: Float64Array, rows: ContactRows, row: number): boolean {
    const { nodes, values, rigid, allowed } = this.contacts;
    const at = NODES * i;
    const m = 3 * nodes[at];
    const a = 3 * nodes[at + 1];
    const b = 3 * nodes[at + 2];
    const c = 3 * nodes[at + 3];
    const d = 3 * nodes[at + 4];
    const ax = x[a] - x[d];
    const ay = x[a + 1] - x[d + 1];
    const az = x[a + 2] - x[d + 2];
    const bx = x[b] - x[d];
    const by = x[b + 1] - x[d + 1];
    const bz = x[b + 2] - x[d + 2];
    const cx = x[c] - x[d];
    const cy = x[c + 1] - x[d + 1];
    const cz = x[c + 2] - x[d + 2];
    const h = this.#h;
    h[0] = by * cz - bz * cy;
    h[1] = bz * cx - bx * cz;
    h[2] = bx * cy - by * cx;
    const det = ax * h[0] + ay * h[1] + az * h[2];
    if (det === 0) return false;
    h[3] = cy * az - cz * ay;
    h[4] = cz * ax - cx * az;
    h[5] = cx * ay - cy * ax;
    h[6] = ay * bz - az * by;
    h[7] = az * bx - ax * bz;
    h[8] = ax * by - ay * bx;
    for (let k = 0; k < 9; k++) h[k] /= det;
    h[9] = -h[0] - h[3] - h[6];
    h[10] = -h[1] - h[4] - h[7];
    h[11] = -h[2] - h[5] - h[8];
    const p = this.#p;
    const r = rigid[i];
    if (r < 0) {
      p[0] = x[m];
      p[1] = x[m + 1];
      p[2] = x[m + 2];
    } else {
      const obstacle = this.#obstacles[r];
      const v = VALUES * i + 4;
      obstacle.writePoint(obstacle.frame, values[v], values[v + 1], values[v + 2], p, 0);
    }
    const mx = p[0] - x[d];
    const my = p[1] - x[d + 1];
    const mz = p[2] - x[d + 2];
    const u = h[0] * mx + h[1] * my + h[2] * mz;
    const v = h[3] * mx + h[4] * my + h[5] * mz;
    const w = h[6] * mx + h[7] * my + h[8] * mz;
    const t = 1 - u - v - w;
    const at4 = VALUES * i;
    this.#depth = u * values[at4] + v * values[at4 + 1] + w * values[at4 + 2] + t * values[at4 + 3];
    this.#depth -= allowed[i];
    if (!(this.#depth > 0)) return false;
    for (let k = 0; k < 3; k++) {
      this.#g[k] =
        h[k] * values[at4] + h[3 + k] * values[at4 + 1] + h[6 + k] * values[at4 + 2] + h[9 + k] * values[at4 + 3];
    }
    const to = ROW_NODES * row;
    for (let k = 0; k < NODES; k++) rows.nodes[to + k] = nodes[at + k];
    rows.coefficients[to] = 1;
    rows.coefficients[to + 1] = -u;
    rows.coefficients[to + 2] = -v;
    rows.coefficients[to + 3] = -w;
    rows.coefficients[to + 4] = -t;
    rows.rigid[row] = r;
    if (r >= 0) this.#writeLever(rows, row, r, 1, p[0], p[1], p[2]);
    return true;
  }

  #measureInRigid(i: number, x: Float64Array, rows: ContactRows, row: number): boolean {
    const { nodes, values, rigid, allowed } = this.contacts;
    const r = rigid[i];
    const { frame: f } = this.#obstacles[r];
    const at = VALUES * i;
    const g = this.#g;
    const node = nodes[NODES * i];
    const [px, py, pz] = [x[3 * node], x[3 * node + 1], x[3 * node + 2]];
    for (let k = 0; k < 3; k++) {
      g[k] = f[4 * k] * values[at] + f[4 * k + 1] * values[at + 1] + f[4 * k + 2] * values[at + 2];
    }
    this.#depth = values[at + 3] - (g[0] * (px - f[3]) + g[1] * (py - f[7]) + g[2] * (pz - f[11]));
    this.#depth -= allowed[i];
    if (!(this.#depth > 0)) return false;
    const to = ROW_NODES * row;
    rows.nodes.fill(-1, to, to + ROW_NODES);
    rows.nodes[to] = node;
    rows.coefficients[to] = -1;
    rows.rigid[row] = r;
    this.#writeLever(rows, row, r, 1, px, py, pz);
    return true;
  }

  #measureEdges(i: number, x: Float64Array, rows: ContactRows, row: number): boolean {
    const { nodes, values, rigid } = this.contacts;
    const p = this.#p;
    const r = rigid[i];
    for (let k = 0; k < 4; k++) {
      const node = 3 * nodes[NODES * i + k];
      if (node >= 0) for (let axis = 0; axis < 3; axis++) p[3 * k + axis] = x[node + axis];
      else {
        const v = VALUES * i + 1 + 3 * (k - 2);
        const obstacle = this.#obstacles[r];
        obstacle.writePoint(obstacle.frame, values[v], values[v + 1], values[v + 2], p, 3 * k);
      }
    }
    const [ax, ay, az] = [p[3] - p[0], p[4] - p[1], p[5] - p[2]];
    const [bx, by, bz] = [p[9] - p[6], p[10] - p[7], p[11] - p[8]];
    const [dx, dy, dz] = [p[6] - p[0], p[7] - p[1], p[8] - p[2]];
    const [nx, ny, nz] = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
    const square = nx * nx + ny * ny + nz * nz;
    if (!(square > 0)) return false;
    const scale = values[VALUES * i] / Math.sqrt(square);
    this.#depth = scale * (dx * nx + dy * ny + dz * nz);
    if (!(this.#depth > 0)) return false;
    const s = ((dy * bz - dz * by) * nx + (dz * bx - dx * bz) * ny + (dx * by - dy * bx) * nz) / square;
    const t = ((dy * az - dz * ay) * nx + (dz * ax - dx * az) * ny + (dx * ay - dy * ax) * nz) / square;
    this.#g[0] = scale * nx;
    this.#g[1] = scale * ny;
    this.#g[2] = scale * nz;
    const to = ROW_NODES * row;
    for (let k = 0; k < ROW_NODES; k++) rows.nodes[to + k] = nodes[NODES * i + k];
    rows.coefficients[to] = s - 1;
    rows.coefficients[to + 1] = -s;
    rows.coefficients[to + 2] = 1 - t;
    rows.coefficients[to + 3] = t;
    rows.rigid[row] = r;
    if (r >= 0) {
      this.#writeLever(rows, row, r, 1, p[6] + t * bx, p[7] + t * by, p[8] + t * bz);
    }
    return true;
  }

  /** The share of the rigid body: a point of it, with its coefficient. */
  #writeLever(rows: ContactRows, row: number, r: number, coefficient: number, x: number, y: number, z: number): void {
    const { center } = this.#obstacles[r];
    rows.rigidCoefficient[row] = coefficient;
    rows.lever[3 * row] = coefficient * (x - center[0]);
    rows.lever[3 * row + 1] = coefficient * (y - center[1]);
    rows.lever[3 * row + 2] = coefficient * (z - center[2]);
  }
}
