// Joins the pieces of boundaries in the leaves of a subdivision to the edges of a graph, and replaces the edges of pieces
// that an update took away. Vertices and edges keep dense indices: the last one moves into the place of one removed.

import { BoundaryTracer } from './boundary/boundary-tracer.js';
import { CurvePoint } from './boundary/curve-point.js';
import { EdgeBuilder } from './boundary/edge-builder.js';
import type { CellTree } from './cell-tree.js';
import { closedValue } from './feature-arrays.js';
import type { LocalFrame } from './local-frame.js';
import type { SiteFeatures } from './site-features.js';
import type { GraphEdge, GraphVertex } from './voronoi-graph.js';

/** A vertex whose edges may change. */
interface OpenVertex extends GraphVertex {
  readonly edges: number[];
}

/** An edge whose ends may get other indices. */
interface OpenEdge extends GraphEdge {
  from: number;
  to: number;
}

/** Chosen: rounds in which leaves with a curve that could not be followed are split; each halves them. */
const MAX_ROUNDS = 24;

/** Rounding: a site whose distance exceeds the clearance of a vertex by no more than this, in local lengths, meets there. */
const VERTEX_TIE = 1e-10;

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
  readonly #edgeOfPiece: number[] = [];
  readonly #vertexOfKey = new Map<number, number>();
  /** Leaves with a curve that could not be followed. */
  readonly #failed: number[] = [];
  /** Keys of the vertices that the edge removed last leaves without edges. */
  readonly #emptied: number[] = [];
  readonly #builder: EdgeBuilder;
  readonly #contacts: number[] = [];
  readonly #end = new CurvePoint();

  /** @param error of chords, in local lengths. */
  constructor(sites: SiteFeatures, tree: CellTree, frame: LocalFrame, error: number) {
    this.#sites = sites;
    this.#tree = tree;
    this.#frame = frame;
    this.#tracer = new BoundaryTracer(sites.arrays, error);
    this.#builder = new EdgeBuilder(sites, frame, this.#tracer);
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
      if (closedValue(arrays, list[i], x, y) <= value + VERTEX_TIE && !sites.includes(site)) sites.push(site);
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
    this.#builder.begin();
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
    const [left, right] = this.#builder.narrowestFeatures();
    const from = closed ? -1 : this.#vertexAt(start);
    const to = closed ? -1 : this.#vertexAt(end);
    const { points, clearances } = this.#builder.line();
    let length = 0;
    for (let i = 2; i < points.length; i += 2) {
      const dx = points[i] - points[i - 2];
      const dy = points[i + 1] - points[i - 1];
      length += Math.sqrt(dx * dx + dy * dy);
    }
    const { site } = this.#sites.arrays;
    this.edges.push({
      from,
      to,
      points,
      clearances,
      length,
      narrowest: this.#builder.narrowestPlace(),
      sites: [site[left], site[right]],
    });
    this.edgeFeatures.push([left, right]);
    this.#edgePieces.push(pieces);
    if (from >= 0) this.vertices[from].edges.push(index);
    if (to >= 0) this.vertices[to].edges.push(index);
  }

  #vertexAt(end: number): number {
    if (end < 0) return this.#vertexOfKey.get(-1 - end) as number;
    const tree = this.#tree;
    const x = tree.pieces.nodeX[end];
    const y = tree.pieces.nodeY[end];
    // Elsewhere an edge ends beside a cell that the limit of cells left unresolved.
    const kind = Math.abs(x) === this.#frame.halfX || Math.abs(y) === this.#frame.halfY ? 'border' : 'end';
    const point = this.#locateEnd(end);
    const { site } = this.#sites.arrays;
    const sites = [...new Set([site[point.left], site[point.right]])];
    return this.#pushVertex(-1 - end, x, y, this.#tracer.clearance(point), kind, sites);
  }

  /** The point of the curve at a crossing on the border. */
  #locateEnd(node: number): CurvePoint {
    const { pieces } = this.#tree;
    this.#enterLeaf(pieces.nodePieceA[node], false);
    this.#tracer.locate(pieces.nodeX[node], pieces.nodeY[node], this.#end);
    return this.#end;
  }

  /** Prepares the tracer for the leaf of a piece. */
  #enterLeaf(piece: number, backwards: boolean): void {
    const tree = this.#tree;
    const cell = tree.pieces.pieceCell[piece];
    const left = tree.pieces.pieceLeft[piece];
    const right = tree.pieces.pieceRight[piece];
    const list = tree.candidates(cell);
    this.#tracer.sides.enter(list, tree.cellBox(cell), backwards ? right : left, backwards ? left : right);
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
    const { pieceCell, pieceLeft, pieceRight } = this.#tree.pieces;
    const tracer = this.#tracer;
    const builder = this.#builder;
    const piece = step >> 1;
    this.#enterLeaf(piece, (step & 1) === 1);
    const start = this.#startOf(step);
    const end = this.#startOf(step ^ 1);
    const contacts = this.#contacts;
    tracer.sides.findContacts(this.#sites, pieceLeft[piece], pieceRight[piece], contacts);
    let failures = 0;
    // A curve turns at a contact, so its chords could miss that. Smaller leaves show the order of several.
    const several = contacts.length > 2 || (contacts.length > 0 && this.#hasTwin(piece));
    let startX = this.#endX(start);
    let startY = this.#endY(start);
    if (contacts.length > 0 && !several) {
      const curve = tracer.trace(startX, startY, contacts[0], contacts[1]);
      failures = curve.failures;
      builder.append(curve);
      startX = contacts[0];
      startY = contacts[1];
    }
    const curve = tracer.trace(startX, startY, this.#endX(end), this.#endY(end));
    failures += curve.failures;
    builder.append(curve);
    if (several || failures > 0) this.#failed.push(pieceCell[piece]);
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
}
