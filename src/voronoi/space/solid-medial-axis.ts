// The medial axis of a solid: the places inside that have two nearest points on its surface. Between neighboring nodes of a
// grid, halving finds where the nearest point jumps; four cells around that place share a face, as in dual contouring
// (Ju et al. 2002). The vertex of a cell is moved onto the axis by a ball that shrinks until it touches the surface in
// two points (Ma, Bae and Choi 2012).
import { grow, ofPositions } from '../../core/box.js';
import { nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, numberFrom, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, partOfProgress, reportProgress } from '../../core/progress.js';
import { distance, type Vec3 } from '../../core/vec3.js';
import { exactField } from '../../field/exact/exact-field.js';
import { type GridFrame, gridOverBox } from '../../field/grid.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { VORONOI_DEFAULTS } from '../defaults.js';
import { TouchingBall } from './touching-ball.js';

/** Chosen: halvings of a side between two nodes: a jump is known to a thousandth of it. */
const HALVINGS = 10;
/** Chosen: halvings where the jump is a vertex: it is known to 10⁻¹¹ of the side. */
const FINE_HALVINGS = 36;

/**
 * Chosen: nearest points on a flat face are no farther apart than the points that have them; at a jump they are, by
 * this factor or more.
 */
const EXPANSION = 2;

/** Chosen: a node nearer to the surface than this, in spacings, may see it turn by any angle within a cell. */
const SMOOTH_DISTANCE = 2;

/** How to compute a medial axis. */
export interface SolidMedialAxisOptions extends ProgressOptions {
  /** Nodes of the grid along the longest side of the solid. Default `VORONOI_DEFAULTS.spaceResolution`. */
  readonly resolution?: number | undefined;
  /**
   * The least angle between the directions to the two nearest points, in radians, above 0. Facets of a curved surface make
   * no sheet of their own if it is larger than the angle between them. Default `VORONOI_DEFAULTS.medialAngle`.
   */
  readonly minAngle?: number | undefined;
  /** The least distance between the two nearest points: leaves out what fine features cause. Default 0. */
  readonly minFeature?: number | undefined;
}

const MEDIAL_OPTIONS = optionTable<SolidMedialAxisOptions>()({
  resolution: checkedElsewhere(),
  minAngle: checkedElsewhere(),
  minFeature: numberFrom(0, 0),
  ...PROGRESS_RULES,
});

/**
 * The medial axis of a solid as triangles, which meet in common vertices. Every vertex has two nearest points on the surface,
 * equally far to 1e-9 of the solid. Where the axis is a curve, as in a torus, the triangles surround it within `error`.
 */
export interface SolidMedialAxis extends Mesh {
  /** By vertex: the radius of the ball inside the solid that touches its surface in two places. */
  readonly radii: Float64Array;
  /** The diagonal of a cell: triangles are this close to the axis, may end this far before it does, and miss thinner parts. */
  readonly error: number;
  readonly spacing: number;
}

/**
 * The medial axis of a closed mesh whose flat faces are larger than the cells of the grid; of a scan with smaller
 * triangles most of it is missed.
 * @throws NearfieldError `open-mesh` for a mesh that bounds no solid; as `assertMesh` does; `bad-argument` for invalid options.
 */
export function computeSolidMedialAxis(mesh: Mesh, options: SolidMedialAxisOptions = {}): SolidMedialAxis {
  const { minFeature } = MEDIAL_OPTIONS.read(options);
  assertMesh(mesh);
  const { resolution = VORONOI_DEFAULTS.spaceResolution, minAngle = VORONOI_DEFAULTS.medialAngle } = options;
  if (!(typeof minAngle === 'number' && minAngle > 0 && minAngle < Math.PI)) {
    throw new NearfieldError('bad-argument', `The least angle is ${nameValue(minAngle)}; give radians from 0 to π.`);
  }
  const bounds = ofPositions(mesh.positions);
  const longest = Math.max(...bounds.max.map((max, axis) => max - bounds.min[axis]));
  // A third of a node past the solid, so that its faces lie on no nodes.
  const margin = longest / Math.max(1, resolution - 1) / 3;
  const frame = gridOverBox(grow(bounds, margin), resolution);
  const field = exactField(mesh, frame, partOfProgress(options, 0, 0.45));
  if (!field.closed) {
    throw new NearfieldError('open-mesh', 'The mesh bounds no solid, which has no medial axis; repair or solidify it.');
  }
  const axis = new AxisFinder(mesh, frame, field.values, minAngle, minFeature);
  axis.findJumps(partOfProgress(options, 0.45, 0.85));
  axis.placeVertices(partOfProgress(options, 0.85, 1));
  reportProgress(options, 1, 'medial axis');
  const { spacing } = frame;
  return { ...axis.triangles(), error: Math.sqrt(3) * spacing, spacing };
}

/** Finds jumps of the nearest point between nodes, and makes vertices and triangles of them. */
class AxisFinder {
  readonly #frame: GridFrame;
  readonly #values: Float64Array;
  readonly #ball: TouchingBall;
  /** Nodes from one to the next along each axis. */
  readonly #strides: Readonly<Vec3>;
  readonly #mostCosine: number;
  readonly #minFeature: number;
  /** By node inside: its nearest point. */
  readonly #nearest: Float64Array;
  /** The last place of a jump, and the nearest points on either side of it. */
  readonly #place: Vec3 = [0, 0, 0];
  readonly #low: Vec3 = [0, 0, 0];
  readonly #high: Vec3 = [0, 0, 0];
  /** Jumps: the node and the axis of the side, as 3 · node + axis. */
  readonly #jumps: number[] = [];
  /** By jump: its place. */
  readonly #places: number[] = [];
  /** By cell with jumps on its sides: those; then its vertex. */
  readonly #cells = new Map<number, number[]>();
  readonly #vertexOfCell = new Map<number, number>();
  readonly #positions: number[] = [];
  readonly #radii: number[] = [];

  constructor(mesh: Mesh, frame: GridFrame, values: Float64Array, minAngle: number, minFeature: number) {
    this.#frame = frame;
    this.#values = values;
    this.#ball = new TouchingBall(mesh);
    this.#strides = [1, frame.size[0], frame.size[0] * frame.size[1]];
    this.#mostCosine = Math.cos(minAngle);
    this.#minFeature = minFeature;
    this.#nearest = new Float64Array(3 * values.length);
  }

  /** Tests every side between two nodes inside. */
  findJumps(progress: ProgressOptions): void {
    const { size } = this.#frame;
    const [nx, ny, nz] = size;
    const strides = this.#strides;
    for (let node = 0; node < this.#values.length; node++) {
      if (this.#values[node] < 0) this.#measure(node);
    }
    for (let k = 0; k < nz; k++) {
      reportProgress(progress, k / nz, 'medial axis');
      for (let j = 0; j < ny; j++) {
        for (let i = 0; i < nx; i++) {
          const node = i + nx * (j + ny * k);
          if (!(this.#values[node] < 0)) continue;
          const at = [i, j, k];
          for (let axis = 0; axis < 3; axis++) {
            if (at[axis] + 1 < size[axis] && this.#values[node + strides[axis]] < 0) this.#testSide(node, axis);
          }
        }
      }
    }
  }

  #positionOf(node: number, out: Vec3): Vec3 {
    const { origin, spacing, size } = this.#frame;
    out[0] = origin[0] + spacing * (node % size[0]);
    out[1] = origin[1] + spacing * (Math.floor(node / size[0]) % size[1]);
    out[2] = origin[2] + spacing * Math.floor(node / (size[0] * size[1]));
    return out;
  }

  #measure(node: number): void {
    const { best } = this.#ball.nearest(...this.#positionOf(node, this.#place));
    this.#nearest[3 * node] = best.x;
    this.#nearest[3 * node + 1] = best.y;
    this.#nearest[3 * node + 2] = best.z;
  }

  #testSide(node: number, axis: number): void {
    const { spacing } = this.#frame;
    const q = this.#nearest;
    const other = node + this.#strides[axis];
    const deep = -this.#values[node] > SMOOTH_DISTANCE * spacing && -this.#values[other] > SMOOTH_DISTANCE * spacing;
    if (deep) {
      const p = this.#positionOf(node, this.#place);
      const low = q.subarray(3 * node, 3 * node + 3);
      const high = q.subarray(3 * other, 3 * other + 3);
      const end = [...p];
      end[axis] += spacing;
      // Within a cell far from the surface, directions that differ at a jump differ at its ends too.
      if (cosineBetween(p, low, end, high) > Math.sqrt((1 + this.#mostCosine) / 2)) return;
    }
    const left = this.#halve(node, axis, HALVINGS, true);
    if (!this.#jumpsOver(left, this.#place, this.#low, this.#high)) return;
    if (distance(this.#low, this.#high) < this.#minFeature) return;
    const jump = this.#jumps.push(3 * node + axis) - 1;
    this.#places.push(...this.#place);
    for (const cell of this.#cellsAround(node, axis)) {
      if (cell < 0) continue;
      const jumps = this.#cells.get(cell);
      if (jumps === undefined) this.#cells.set(cell, [jump]);
      else jumps.push(jump);
    }
  }

  /**
   * Halves the side from a node on around the largest jump of the nearest point; sets the place and both points. Small
   * facets of a curved surface share a large jump among many small ones: then it stops, if asked to, before it is lost.
   * @returns the length that is left.
   */
  #halve(node: number, axis: number, times: number, stopsInTime: boolean): number {
    const q = this.#nearest;
    const other = node + this.#strides[axis];
    const place = this.#positionOf(node, this.#place);
    const low = this.#low;
    const high = this.#high;
    for (let d = 0; d < 3; d++) {
      low[d] = q[3 * node + d];
      high[d] = q[3 * other + d];
    }
    let start = place[axis];
    let left = this.#frame.spacing;
    const found: Vec3 = [0, 0, 0];
    for (let step = 0; step < times; step++) {
      place[axis] = start + left / 2;
      const { best } = this.#ball.nearest(...place);
      found[0] = best.x;
      found[1] = best.y;
      found[2] = best.z;
      const isFirst = distance(low, found) > distance(found, high);
      if (stopsInTime && this.#jumpsOver(left, place, low, high)) {
        place[axis] = start + (isFirst ? 0.25 : 0.75) * left;
        const keeps = isFirst
          ? this.#jumpsOver(left / 2, place, low, found)
          : this.#jumpsOver(left / 2, place, found, high);
        if (!keeps) break;
      }
      const replaced = isFirst ? high : low;
      for (let d = 0; d < 3; d++) replaced[d] = found[d];
      left /= 2;
      if (!isFirst) start += left;
    }
    place[axis] = start + left / 2;
    return left;
  }

  /** Whether two nearest points differ in direction as asked, and by more than the points that have them. */
  #jumpsOver(length: number, place: Vec3, low: Vec3, high: Vec3): boolean {
    if (distance(low, high) < EXPANSION * length) return false;
    return cosineBetween(place, low, place, high) <= this.#mostCosine;
  }

  /** The four cells around a side, by their first nodes, in order around it; −1 beyond the grid. */
  #cellsAround(node: number, axis: number): number[] {
    const [nx, ny] = this.#frame.size;
    const strides = this.#strides;
    const at = [node % nx, Math.floor(node / nx) % ny, Math.floor(node / (nx * ny))];
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    const cell = (du: number, dv: number): number => {
      const inside = at[u] >= du && at[v] >= dv;
      return inside ? node - du * strides[u] - dv * strides[v] : -1;
    };
    return [cell(1, 1), cell(0, 1), cell(0, 0), cell(1, 0)];
  }

  /**
   * Moves the middle of the jumps around each cell onto the axis. Where that leads to a part with a smaller angle, as
   * between two facets, the nearest jump is the vertex.
   */
  placeVertices(progress: ProgressOptions): void {
    const ball = this.#ball;
    let done = 0;
    for (const [cell, jumps] of this.#cells) {
      if (done++ % 1024 === 0) reportProgress(progress, done / this.#cells.size, 'medial axis');
      const middle: Vec3 = [0, 0, 0];
      for (const jump of jumps) {
        for (let d = 0; d < 3; d++) middle[d] += this.#places[3 * jump + d] / jumps.length;
      }
      const moved = ball.shrink(...middle, 2 * this.#frame.spacing) && ball.cosine <= this.#mostCosine;
      if (!moved) this.#takeNearestJump(middle, jumps);
      const point = moved ? ball.center : this.#place;
      const radius = moved ? ball.radius : Math.sqrt(ball.nearest(...point).best.distanceSquared);
      if (2 * radius < this.#minFeature) continue;
      this.#vertexOfCell.set(cell, this.#radii.length);
      this.#positions.push(...point);
      this.#radii.push(radius);
    }
  }

  #takeNearestJump(middle: Vec3, jumps: readonly number[]): void {
    let nearest = jumps[0];
    let least = Infinity;
    for (const jump of jumps) {
      const apart = distance(middle, this.#places.slice(3 * jump, 3 * jump + 3) as unknown as Vec3);
      if (apart >= least) continue;
      least = apart;
      nearest = jump;
    }
    this.#halve(Math.floor(this.#jumps[nearest] / 3), this.#jumps[nearest] % 3, FINE_HALVINGS, false);
  }

  triangles(): Mesh & { readonly radii: Float64Array } {
    const indices: number[] = [];
    const used = new Map<number, number>();
    const use = (vertex: number): number => {
      const known = used.get(vertex) ?? used.size;
      used.set(vertex, known);
      return known;
    };
    for (const jump of this.#jumps) {
      const corners = this.#cellsAround(Math.floor(jump / 3), jump % 3).map((cell) => this.#vertexOfCell.get(cell));
      const [a, b, c, d] = corners;
      if (a === undefined || b === undefined || c === undefined || d === undefined) continue;
      indices.push(use(a), use(b), use(c), use(a), use(c), use(d));
    }
    const positions = new Float64Array(3 * used.size);
    const radii = new Float64Array(used.size);
    for (const [vertex, at] of used) {
      for (let axis = 0; axis < 3; axis++) positions[3 * at + axis] = this.#positions[3 * vertex + axis];
      radii[at] = this.#radii[vertex];
    }
    return { positions, indices: Uint32Array.from(indices), radii };
  }
}

/** The cosine between the directions from p to q and from r to s; 1 where there is no direction. */
function cosineBetween(p: ArrayLike<number>, q: ArrayLike<number>, r: ArrayLike<number>, s: ArrayLike<number>): number {
  const [ax, ay, az] = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
  const [bx, by, bz] = [s[0] - r[0], s[1] - r[1], s[2] - r[2]];
  const lengths = Math.sqrt((ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz));
  return lengths > 0 ? (ax * bx + ay * by + az * bz) / lengths : 1;
}
