// Finds the element of a deformed body that holds a point, or the face of the surface that a point outside is close to.
import { type ContactBody, leastOf } from './contact-body.js';

/**
 * Chosen: elements below this share of their rest volume push nothing, nor do those turned inside out; their field has
 * no gradient.
 */
const MIN_VOLUME_SHARE = 1e-3;

/** Chosen: a point outside belongs to a face if its other barycentric coordinates are not below this. */
const MIN_BESIDE = -0.1;

/** Label: stands for a node: leave out what was marked before. */
export const MARKED = -2;

export class ElementSearch {
  /** Whether the last element found holds the point, and is not only close to it. */
  isInside = false;
  /** Of the last answer: barycentric coordinates in the element. */
  readonly weights = new Float64Array(4);
  /** Hierarchy nodes visited since this object was made. */
  nodesVisited = 0;
  readonly #trial = new Float64Array(4);
  #isMarked = false;
  #best = -1;
  #bestScore = -1;
  #stack = new Uint32Array(64);
  /** The node whose ring was marked last, for each node. */
  readonly #marks: Int32Array;
  #mark = 0;

  /** @param nodeCount of the largest body. */
  constructor(nodeCount: number) {
    this.#marks = new Int32Array(nodeCount);
  }

  /**
   * The element that holds a point, or that the point is just outside of; −1 for none.
   * @param node of the same body, whose own surroundings do not count; −1 for a point of another body, {@link MARKED}.
   */
  find(body: ContactBody, x: Float64Array, px: number, py: number, pz: number, node: number): number {
    this.#begin(node);
    this.#descend(body, x, px, py, pz, node, 0);
    return this.#end();
  }

  /**
   * The same among some clusters.
   * Takes scalars, for inner loops.
   * @param last an element that is kept as long as no barycentric coordinate is below −`sticky`; −1 for none.
   */
  findAmong(
    body: ContactBody,
    x: Float64Array,
    px: number,
    py: number,
    pz: number,
    node: number,
    clusters: Int32Array,
    count: number,
    last: number,
    sticky: number,
  ): number {
    if (last >= 0 && this.keeps(body, x, px, py, pz, last, sticky)) return last;
    this.#begin(node);
    for (let i = 0; i < count; i++) this.#descend(body, x, px, py, pz, node, body.clusters.roots[clusters[i]]);
    return this.#end();
  }

  #begin(node: number): void {
    this.#isMarked = node < 0;
    this.#best = -1;
    this.#bestScore = -1;
  }

  #end(): number {
    this.isInside = this.#bestScore >= 2;
    return this.#best;
  }

  /** Tries the elements below a node of the hierarchy whose boxes hold the point. */
  #descend(body: ContactBody, x: Float64Array, px: number, py: number, pz: number, node: number, root: number): void {
    const { clusters } = body;
    const { nodeBoxes, nodeLeft, nodeFirst, nodeItems, items, slotBoxes, depth } = clusters.tree;
    if (this.#stack.length < depth + 2) this.#stack = new Uint32Array(2 * depth + 2);
    const stack = this.#stack;
    const isOwn = node !== -1;
    let top = 0;
    if (holds(nodeBoxes, 6 * root, px, py, pz)) stack[top++] = root;
    while (top > 0) {
      const at = stack[--top];
      this.nodesVisited++;
      const cluster = clusters.clusterAt[at];
      if (cluster >= 0) clusters.open(cluster);
      const left = nodeLeft[at];
      if (left !== 0) {
        if (holds(nodeBoxes, 6 * left, px, py, pz)) stack[top++] = left;
        if (holds(nodeBoxes, 6 * left + 6, px, py, pz)) stack[top++] = left + 1;
        continue;
      }
      const end = nodeFirst[at] + nodeItems[at];
      for (let slot = nodeFirst[at]; slot < end; slot++) {
        if (!holds(slotBoxes, 6 * slot, px, py, pz)) continue;
        const element = items[slot];
        if (!this.#isMarked) {
          this.mark(body, node);
          this.#isMarked = true;
        }
        if (isOwn && this.isNear(body, element)) continue;
        this.#try(body, x, px, py, pz, element);
      }
    }
  }

  /** Takes an element if it is better than the best so far; of equals that of the lowest number. */
  #try(body: ContactBody, x: Float64Array, px: number, py: number, pz: number, element: number): void {
    const score = this.score(body, x, px, py, pz, element);
    if (score < 0 || score < this.#bestScore || (score === this.#bestScore && element > this.#best)) return;
    this.#bestScore = score;
    this.#best = element;
    this.weights.set(this.#trial);
  }

  /** Whether no barycentric coordinate of a point in an element is below −`sticky`; if so, they are the answer. */
  keeps(
    body: ContactBody,
    x: Float64Array,
    px: number,
    py: number,
    pz: number,
    element: number,
    sticky: number,
  ): boolean {
    const u = this.#trial;
    if (!writeBarycentric(body, x, px, py, pz, element, u)) return false;
    if (Math.min(u[0], u[1], u[2], u[3]) < -sticky) return false;
    this.weights.set(u);
    return true;
  }

  /** 2 and more for a point inside, 0 to 1 for one just outside of a face of the surface, −1 for others. */
  score(body: ContactBody, x: Float64Array, px: number, py: number, pz: number, element: number): number {
    const u = this.#trial;
    if (!writeBarycentric(body, x, px, py, pz, element, u)) return -1;
    const least = Math.min(u[0], u[1], u[2], u[3]);
    if (least >= 0) return 2 + least;
    if (body.isOuter[element] === 0) return -1;
    // An element with a face on the surface has one node inside, opposite to that face, or none: then any face may be meant.
    const { elements } = body.mesh;
    let inner = 0;
    while (inner < 4 && body.depths[elements[4 * element + inner]] === 0) inner++;
    if (inner === 4) inner = leastOf(u);
    for (let k = 0; k < 4; k++) if (k !== inner && u[k] < MIN_BESIDE) return -1;
    if (u[inner] >= 0) return 0;
    const height = heightOf(body, x, element, inner);
    const outside = -u[inner] * height;
    return outside <= body.reach ? 1 - outside / body.reach : -1;
  }

  /** Marks the nodes that share an element with a node; with others marked just before where asked. */
  mark(body: ContactBody, node: number, isMore = false): void {
    if (!isMore) this.#mark++;
    for (let k = body.ringStart[node]; k < body.ringStart[node + 1]; k++) this.#marks[body.ringNodes[k]] = this.#mark;
  }

  /** Whether an element has a marked node: after {@link mark}, the star of a node and the elements around it. */
  isNear(body: ContactBody, element: number): boolean {
    const { elements } = body.mesh;
    for (let k = 4 * element; k < 4 * element + 4; k++) if (this.isMarked(elements[k])) return true;
    return false;
  }

  isMarked(node: number): boolean {
    return this.#marks[node] === this.#mark;
  }
}

export function holds(boxes: Float64Array, i: number, x: number, y: number, z: number): boolean {
  return (
    x >= boxes[i] &&
    x <= boxes[i + 3] &&
    y >= boxes[i + 1] &&
    y <= boxes[i + 4] &&
    z >= boxes[i + 2] &&
    z <= boxes[i + 5]
  );
}

/** Writes barycentric coordinates in a deformed element; false if it is flat or turned inside out. */
export function writeBarycentric(
  body: ContactBody,
  x: Float64Array,
  px: number,
  py: number,
  pz: number,
  element: number,
  out: Float64Array,
): boolean {
  const { elements } = body.mesh;
  const o = 3 * body.firstNode;
  const i = o + 3 * elements[4 * element];
  const j = o + 3 * elements[4 * element + 1];
  const k = o + 3 * elements[4 * element + 2];
  const l = o + 3 * elements[4 * element + 3];
  const ax = x[j] - x[i];
  const ay = x[j + 1] - x[i + 1];
  const az = x[j + 2] - x[i + 2];
  const bx = x[k] - x[i];
  const by = x[k + 1] - x[i + 1];
  const bz = x[k + 2] - x[i + 2];
  const cx = x[l] - x[i];
  const cy = x[l + 1] - x[i + 1];
  const cz = x[l + 2] - x[i + 2];
  const ux = by * cz - bz * cy;
  const uy = bz * cx - bx * cz;
  const uz = bx * cy - by * cx;
  const six = ax * ux + ay * uy + az * uz;
  if (!(six > MIN_VOLUME_SHARE * body.sixVolumes[element])) return false;
  const mx = px - x[i];
  const my = py - x[i + 1];
  const mz = pz - x[i + 2];
  const second = (mx * ux + my * uy + mz * uz) / six;
  const third = (mx * (cy * az - cz * ay) + my * (cz * ax - cx * az) + mz * (cx * ay - cy * ax)) / six;
  const fourth = (mx * (ay * bz - az * by) + my * (az * bx - ax * bz) + mz * (ax * by - ay * bx)) / six;
  out[1] = second;
  out[2] = third;
  out[3] = fourth;
  out[0] = 1 - second - third - fourth;
  return true;
}

/** The height of a corner over the opposite face. */
function heightOf(body: ContactBody, x: Float64Array, element: number, corner: number): number {
  const { elements } = body.mesh;
  const o = body.firstNode;
  const at = (k: number): number => 3 * (o + elements[4 * element + ((corner + k) & 3)]);
  const [p, a, b, c] = [at(0), at(1), at(2), at(3)];
  const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
  const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const area = Math.sqrt(nx * nx + ny * ny + nz * nz);
  return Math.abs(nx * (x[p] - x[a]) + ny * (x[p + 1] - x[a + 1]) + nz * (x[p + 2] - x[a + 2])) / area;
}
