// Joins the pieces of boundaries in the leaves of a subdivision to the edges of a graph, and replaces the edges of pieces
// that an update took away. Vertices and edges keep dense indices: the last one moves into the place of one removed.
import { growTo } from '../../core/grow-array.js';
import type { CellTree } from './cell-tree.js';
import { closedValue, featureFoot } from './feature-arrays.js';
import type { LocalFrame } from './local-frame.js';
import type { SiteFeatures } from './site-features.js';
import { BoundaryTracer } from './trace-boundary.js';
import type { GraphEdge, GraphVertex, NarrowestPlace } from './voronoi-graph.js';

/** A vertex whose edges may change. */
interface OpenVertex extends GraphVertex {
  readonly edges: number[];
}

/** An edge whose ends may get other indices. */
interface OpenEdge extends GraphEdge {
  from: number;
  to: number;
}

/** Points of an edge that are nearer than this to the line of their neighbors, with even clearance, are left out. */
const STRAIGHT = 1e-13;
const MAX_ROUNDS = 24;

/** The vertices and edges of a tree. */
export class GraphAssembly {
  readonly vertices: OpenVertex[] = [];
  readonly edges: OpenEdge[] = [];
  /** By edge: the features to the left and to the right at its narrowest place. */
  readonly edgeFeatures: (readonly [number, number])[] = [];
  /** By edge: twice each piece, plus 1 where it runs backwards. */
  readonly #edgePieces: (readonly number[])[] = [];
  /** By vertex: the vertex of the tree, or -1 − the crossing on the border. */
  readonly #vertexKeys: number[] = [];
  readonly #sites: SiteFeatures;
  readonly #tree: CellTree;
  readonly #frame: LocalFrame;
  readonly #tracer: BoundaryTracer;
  readonly #error: number;
  readonly #edgeOfPiece: number[] = [];
  readonly #vertexOfKey = new Map<number, number>();
  /** Leaves with a curve that could not be followed. */
  readonly #failed: number[] = [];
  /** Of the edge that is made: x, y of each point and the clearances there. */
  #points = new Float64Array(512);
  #clearances = new Float64Array(256);
  #pointCount = 0;
  readonly #foot = new Float64Array(2);
  readonly #contacts: number[] = [];
  #least = Infinity;
  #leastX = 0;
  #leastY = 0;
  #leastLeft = -1;
  #leastRight = -1;

  /** @param error of chords, in local lengths. */
  constructor(sites: SiteFeatures, tree: CellTree, frame: LocalFrame, error: number) {
    this.#sites = sites;
    this.#tree = tree;
    this.#frame = frame;
    this.#error = error;
    this.#tracer = new BoundaryTracer(sites.arrays);
  }

  /**
   * Takes in what the tree gained and lost since the last call. Leaves in which a curve bends too much to be followed
   * from end to end are split.
   */
  patch(): void {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      this.#failed.length = 0;
      this.#patchOnce();
      if (this.#failed.length === 0) return;
      this.#tree.refine(this.#failed, round === MAX_ROUNDS - 1);
    }
    this.#patchOnce();
  }

  #patchOnce(): void {
    const tree = this.#tree;
    const loose: number[] = [];
    for (const piece of tree.pieces.deadPieces) {
      const edge = this.#edgeOfPiece[piece] ?? -1;
      if (edge >= 0) this.#removeEdge(edge, loose);
    }
    for (const vertex of tree.pieces.deadVertices) this.#removeVertex(vertex);
    for (const vertex of tree.pieces.newVertices) if (tree.pieces.vertexCell[vertex] >= 0) this.#addVertex(vertex);
    // Edges take pieces in any order; a list that is filled out of order becomes a hash table.
    while (this.#edgeOfPiece.length < tree.pieces.pieceFrom.length) this.#edgeOfPiece.push(-1);
    for (const pieces of [loose, tree.pieces.newPieces]) {
      for (const piece of pieces) {
        if (tree.pieces.pieceCell[piece] < 0 || this.#edgeOfPiece[piece] >= 0) continue;
        this.#addEdge(piece);
      }
    }
    tree.pieces.settle();
  }

  #removeEdge(index: number, loose: number[]): void {
    const edge = this.edges[index];
    for (const step of this.#edgePieces[index]) {
      this.#edgeOfPiece[step >> 1] = -1;
      loose.push(step >> 1);
    }
    for (const end of new Set([edge.from, edge.to])) this.#dropFromVertex(end, index);
    const last = this.edges.length - 1;
    if (index !== last) {
      const moved = this.edges[last];
      this.edges[index] = moved;
      this.edgeFeatures[index] = this.edgeFeatures[last];
      for (const step of this.#edgePieces[last]) this.#edgeOfPiece[step >> 1] = index;
      this.#edgePieces[index] = this.#edgePieces[last];
      for (const end of new Set([moved.from, moved.to])) {
        if (end < 0) continue;
        const { edges } = this.vertices[end];
        for (let i = 0; i < edges.length; i++) if (edges[i] === last) edges[i] = index;
      }
    }
    this.edges.length = last;
    this.edgeFeatures.length = last;
    this.#edgePieces.length = last;
    for (const key of this.#emptied) this.#removeVertex(key);
    this.#emptied.length = 0;
  }

  readonly #emptied: number[] = [];

  #dropFromVertex(vertex: number, edge: number): void {
    if (vertex < 0) return;
    const { edges } = this.vertices[vertex];
    const key = this.#vertexKeys[vertex];
    for (let i = edges.length - 1; i >= 0; i--) if (edges[i] === edge) edges.splice(i, 1);
    if (key < 0) this.#emptied.push(key);
  }

  #removeVertex(key: number): void {
    const index = this.#vertexOfKey.get(key);
    if (index === undefined) return;
    this.#vertexOfKey.delete(key);
    const last = this.vertices.length - 1;
    if (index !== last) {
      const moved = this.vertices[last];
      this.vertices[index] = moved;
      this.#vertexKeys[index] = this.#vertexKeys[last];
      this.#vertexOfKey.set(this.#vertexKeys[index], index);
      for (const at of moved.edges) {
        const edge = this.edges[at];
        if (edge.from === last) edge.from = index;
        if (edge.to === last) edge.to = index;
      }
    }
    this.vertices.length = last;
    this.#vertexKeys.length = last;
  }

  #addVertex(vertex: number): void {
    const tree = this.#tree;
    const x = tree.pieces.vertexX[vertex];
    const y = tree.pieces.vertexY[vertex];
    const value = tree.pieces.vertexValue[vertex];
    const { arrays } = this.#sites;
    const sites: number[] = [];
    const list = tree.candidates(tree.pieces.vertexCell[vertex]);
    for (let i = 0; i < list.length; i++) {
      const site = arrays.site[list[i]];
      if (closedValue(arrays, list[i], x, y) <= value + 1e-10 && !sites.includes(site)) sites.push(site);
    }
    this.#pushVertex(vertex, x, y, value, 'junction', sites);
  }

  #pushVertex(key: number, x: number, y: number, value: number, kind: GraphVertex['kind'], sites: number[]): number {
    const frame = this.#frame;
    this.vertices.push({
      point: [frame.worldX(x), frame.worldY(y)],
      clearance: value * frame.scale,
      kind,
      edges: [],
      sites: sites.sort((a, b) => a - b),
    });
    this.#vertexKeys.push(key);
    this.#vertexOfKey.set(key, this.vertices.length - 1);
    return this.vertices.length - 1;
  }

  /** Makes the edge through a piece. */
  #addEdge(piece: number): void {
    // Back to the beginning, or once around a closed curve.
    let step = 2 * piece;
    for (;;) {
      const previous = this.#stepBefore(step);
      if (previous < 0 || previous >> 1 === piece) break;
      step = previous;
    }
    const pieces: number[] = [];
    const first = step;
    const index = this.edges.length;
    const start = this.#startOf(first);
    this.#pointCount = 0;
    this.#least = Infinity;
    let closed = false;
    for (;;) {
      pieces.push(step);
      this.#edgeOfPiece[step >> 1] = index;
      this.#tracePiece(step);
      const next = this.#stepAfter(step);
      if (next < 0) break;
      if (next >> 1 === first >> 1) {
        closed = true;
        break;
      }
      step = next;
    }
    const end = this.#startOf(step ^ 1);
    const left = this.#leastLeft;
    const right = this.#leastRight;
    const from = closed ? -1 : this.#vertexAt(start);
    const to = closed ? -1 : this.#vertexAt(end);
    const clearances: number[] = [];
    const points = this.#worldPoints(clearances);
    let length = 0;
    for (let i = 2; i < points.length; i += 2) {
      const dx = points[i] - points[i - 2];
      const dy = points[i + 1] - points[i - 1];
      length += Math.sqrt(dx * dx + dy * dy);
    }
    const { site } = this.#sites.arrays;
    const narrowest = this.#narrowest();
    this.edges.push({
      from,
      to,
      points,
      clearances,
      length,
      narrowest,
      sites: [site[left], site[right]],
    });
    this.edgeFeatures.push([left, right]);
    this.#edgePieces.push(pieces);
    if (from >= 0) this.vertices[from].edges.push(index);
    if (to >= 0) this.vertices[to].edges.push(index);
  }

  #narrowest(): NarrowestPlace {
    const { arrays } = this.#sites;
    const frame = this.#frame;
    const foot = (feature: number): [number, number] => {
      featureFoot(arrays, feature, this.#leastX, this.#leastY, this.#foot);
      return [frame.worldX(this.#foot[0]), frame.worldY(this.#foot[1])];
    };
    return {
      point: [frame.worldX(this.#leastX), frame.worldY(this.#leastY)],
      clearance: this.#least * frame.scale,
      left: foot(this.#leastLeft),
      right: foot(this.#leastRight),
    };
  }

  #vertexAt(end: number): number {
    if (end < 0) return this.#vertexOfKey.get(-1 - end) as number;
    const tree = this.#tree;
    const x = tree.pieces.nodeX[end];
    const y = tree.pieces.nodeY[end];
    // Elsewhere an edge ends beside a cell that the limit of cells left unresolved.
    const kind = Math.abs(x) === this.#frame.halfX || Math.abs(y) === this.#frame.halfY ? 'border' : 'end';
    return this.#pushVertex(-1 - end, x, y, this.#endClearance(end), kind, this.#endSites);
  }

  #endSites: number[] = [];

  /** The clearance at a crossing on the border, with its sites. */
  #endClearance(node: number): number {
    const tree = this.#tree;
    const piece = tree.pieces.nodePieceA[node];
    const list = tree.candidates(tree.pieces.pieceCell[piece]);
    this.#tracer.enter(
      list,
      tree.cellBox(tree.pieces.pieceCell[piece]),
      tree.pieces.pieceLeft[piece],
      tree.pieces.pieceRight[piece],
      this.#error,
    );
    const x = tree.pieces.nodeX[node];
    const y = tree.pieces.nodeY[node];
    this.#tracer.locate(x, y);
    const { site } = this.#sites.arrays;
    this.#endSites = [...new Set([site[this.#tracer.left], site[this.#tracer.right]])];
    return this.#tracer.clearance(x, y);
  }

  #startOf(step: number): number {
    return (step & 1) === 0 ? this.#tree.pieces.pieceFrom[step >> 1] : this.#tree.pieces.pieceTo[step >> 1];
  }

  #endX(end: number): number {
    return end < 0 ? this.#tree.pieces.vertexX[-1 - end] : this.#tree.pieces.nodeX[end];
  }

  #endY(end: number): number {
    return end < 0 ? this.#tree.pieces.vertexY[-1 - end] : this.#tree.pieces.nodeY[end];
  }

  /** The step that ends where this one begins; -1 at a vertex or the border. */
  #stepBefore(step: number): number {
    const next = this.#stepAfter(step ^ 1);
    return next < 0 ? -1 : next ^ 1;
  }

  #stepAfter(step: number): number {
    const tree = this.#tree;
    const node = this.#startOf(step ^ 1);
    if (node < 0) return -1;
    const piece = step >> 1;
    const other = tree.pieces.nodePieceA[node] === piece ? tree.pieces.nodePieceB[node] : tree.pieces.nodePieceA[node];
    if (other < 0) return -1;
    return tree.pieces.pieceFrom[other] === node ? 2 * other : 2 * other + 1;
  }

  #tracePiece(step: number): void {
    const tree = this.#tree;
    const tracer = this.#tracer;
    const piece = step >> 1;
    const backwards = (step & 1) === 1;
    const list = tree.candidates(tree.pieces.pieceCell[piece]);
    const left = tree.pieces.pieceLeft[piece];
    const right = tree.pieces.pieceRight[piece];
    tracer.enter(
      list,
      tree.cellBox(tree.pieces.pieceCell[piece]),
      backwards ? right : left,
      backwards ? left : right,
      this.#error,
    );
    const start = this.#startOf(step);
    const end = this.#startOf(step ^ 1);
    const { failures } = tracer;
    const contacts = this.#contacts;
    tracer.findContacts(this.#sites, left, right, contacts);
    // A curve turns at a contact, so its chords could miss that. Smaller leaves show the order of several.
    const several = contacts.length > 2 || (contacts.length > 0 && this.#hasTwin(piece));
    if (contacts.length > 0 && !several) {
      tracer.trace(this.#endX(start), this.#endY(start), contacts[0], contacts[1]);
      this.#takePoints();
      tracer.trace(contacts[0], contacts[1], this.#endX(end), this.#endY(end));
    } else tracer.trace(this.#endX(start), this.#endY(start), this.#endX(end), this.#endY(end));
    this.#takePoints();
    if (several || tracer.failures > failures) this.#failed.push(tree.pieces.pieceCell[piece]);
  }

  /** Whether another piece in the same leaf separates the same labels. Pieces of a leaf have consecutive indices. */
  #hasTwin(piece: number): boolean {
    const { pieceCell, pieceLeft, pieceRight } = this.#tree.pieces;
    for (const way of [-1, 1]) {
      for (let other = piece + way; pieceCell[other] === pieceCell[piece]; other += way) {
        const same = pieceLeft[other] === pieceLeft[piece] && pieceRight[other] === pieceRight[piece];
        const reverse = pieceLeft[other] === pieceRight[piece] && pieceRight[other] === pieceLeft[piece];
        if (same || reverse) return true;
      }
    }
    return false;
  }

  /** Adds the traced points to the edge, and lowers its least clearance to theirs and that of the curve between them. */
  #takePoints(): void {
    const tracer = this.#tracer;
    const { points, count } = tracer;
    this.#points = growTo(this.#points, 2 * (this.#pointCount + count));
    this.#clearances = growTo(this.#clearances, this.#pointCount + count);
    let lastValue = 0;
    let lastGrowth = 0;
    for (let i = 0; i < count; i++) {
      const x = points[2 * i];
      const y = points[2 * i + 1];
      tracer.relocate(i);
      const value = tracer.located;
      // The first point of a piece is the last one of the piece before.
      if (i > 0 || this.#pointCount === 0) {
        const at = this.#pointCount++;
        this.#points[2 * at] = x;
        this.#points[2 * at + 1] = y;
        this.#clearances[at] = value;
      }
      this.#take(x, y, value);
      if (i > 0) {
        const dx = x - points[2 * i - 2];
        const dy = y - points[2 * i - 1];
        const growth = tracer.growth(dx, dy);
        const length = Math.sqrt(dx * dx + dy * dy);
        if (lastGrowth < 0 && growth > 0 && (value + lastValue - 1.5 * length) / 2 < this.#least) {
          this.#searchLeast(i - 1, lastGrowth, growth, dx, dy);
          tracer.relocate(i);
        }
      }
      if (i + 1 < count) lastGrowth = tracer.growth(points[2 * i + 2] - x, points[2 * i + 3] - y);
      lastValue = value;
    }
  }

  #take(x: number, y: number, value: number): void {
    if (value >= this.#least) return;
    this.#least = value;
    this.#leastX = x;
    this.#leastY = y;
    this.#leastLeft = this.#tracer.left;
    this.#leastRight = this.#tracer.right;
  }

  /** Finds the share of a chord at which the clearance stops falling: regula falsi with the Illinois rule. */
  #searchLeast(index: number, startGrowth: number, endGrowth: number, dx: number, dy: number): void {
    const tracer = this.#tracer;
    const length = Math.abs(dx) + Math.abs(dy);
    let low = 0;
    let high = 1;
    let atLow = startGrowth;
    let atHigh = endGrowth;
    let side = 0;
    for (let i = 0; i < 60 && (high - low) * length > 1e-13; i++) {
      // A clearance with a kink has a jump there, which the rule approaches slowly: then halve.
      const share = i < 12 ? (low * atHigh - high * atLow) / (atHigh - atLow) : (low + high) / 2;
      if (!tracer.between(index, share)) return;
      const { x, y } = tracer;
      this.#take(x, y, tracer.clearance(x, y));
      const growth = tracer.growthAt(x, y, dx, dy);
      if (Math.abs(growth) < 1e-10) return;
      if (growth < 0) {
        low = share;
        atLow = growth;
        if (side < 0) atHigh /= 2;
        side = -1;
      } else {
        high = share;
        atHigh = growth;
        if (side > 0) atLow /= 2;
        side = 1;
      }
    }
  }

  /** The points of the edge and their clearances, without those on the line of their neighbors, in the caller's coordinates. */
  #worldPoints(clearances: number[]): number[] {
    const frame = this.#frame;
    const points = this.#points;
    const count = this.#pointCount;
    const kept = [frame.worldX(points[0]), frame.worldY(points[1])];
    clearances.push(this.#clearances[0] * frame.scale);
    let last = 0;
    for (let i = 1; i < count; i++) {
      if (i < count - 1) {
        const ax = points[2 * last];
        const ay = points[2 * last + 1];
        const dx = points[2 * i + 2] - ax;
        const dy = points[2 * i + 3] - ay;
        const px = points[2 * i] - ax;
        const py = points[2 * i + 1] - ay;
        const length = Math.sqrt(dx * dx + dy * dy);
        const along = px * dx + py * dy;
        const value = this.#clearances;
        const bend = value[i] - value[last] - (along / (length * length)) * (value[i + 1] - value[last]);
        const straight = Math.abs(px * dy - py * dx) <= STRAIGHT * length && Math.abs(bend) <= 10 * STRAIGHT;
        if (straight && along > 0 && along < length * length) continue;
      }
      kept.push(frame.worldX(points[2 * i]), frame.worldY(points[2 * i + 1]));
      clearances.push(this.#clearances[i] * frame.scale);
      last = i;
    }
    return kept;
  }
}
