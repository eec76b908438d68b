// The contents of the leaves of a subdivision: crossings of boundaries with sides of cells, pieces of boundaries between
// them, and vertices. Lists have the changes since the graph was last brought up to date.

/** Crossings, pieces and vertices. Indices are not used again. */
export class BoundaryPieces {
  /** Crossings of boundaries with sides of cells: their points, and the two pieces that end there, or -1. */
  readonly nodeX: number[] = [];
  readonly nodeY: number[] = [];
  readonly nodePieceA: number[] = [];
  readonly nodePieceB: number[] = [];
  /** Pieces of boundaries in one leaf each, or in none any more: -1. Their ends are crossings, or -1 − vertex. */
  readonly pieceFrom: number[] = [];
  readonly pieceTo: number[] = [];
  readonly pieceCell: number[] = [];
  /** The labels on both sides. */
  readonly pieceLeft: number[] = [];
  readonly pieceRight: number[] = [];
  readonly vertexX: number[] = [];
  readonly vertexY: number[] = [];
  readonly vertexValue: number[] = [];
  readonly vertexCell: number[] = [];
  readonly deadPieces: number[] = [];
  readonly deadVertices: number[] = [];
  readonly newPieces: number[] = [];
  readonly newVertices: number[] = [];

  addNode(x: number, y: number): number {
    this.nodeX.push(x);
    this.nodeY.push(y);
    this.nodePieceA.push(-1);
    return this.nodePieceB.push(-1) - 1;
  }

  addVertex(cell: number, x: number, y: number, value: number): number {
    const vertex = this.vertexX.length;
    this.vertexX.push(x);
    this.vertexY.push(y);
    this.vertexValue.push(value);
    this.vertexCell.push(cell);
    this.newVertices.push(vertex);
    return vertex;
  }

  addPiece(cell: number, from: number, to: number, left: number, right: number): number {
    const piece = this.pieceFrom.length;
    this.pieceFrom.push(from);
    this.pieceTo.push(to);
    this.pieceCell.push(cell);
    this.pieceLeft.push(left);
    this.pieceRight.push(right);
    this.#endAt(from, piece);
    this.#endAt(to, piece);
    this.newPieces.push(piece);
    return piece;
  }

  removePiece(piece: number): void {
    this.#leave(this.pieceFrom[piece], piece);
    this.#leave(this.pieceTo[piece], piece);
    this.pieceCell[piece] = -1;
    this.deadPieces.push(piece);
  }

  removeVertex(vertex: number): void {
    this.vertexCell[vertex] = -1;
    this.deadVertices.push(vertex);
  }

  /** Empties the lists of changes. */
  settle(): void {
    this.deadPieces.length = 0;
    this.deadVertices.length = 0;
    this.newPieces.length = 0;
    this.newVertices.length = 0;
  }

  #endAt(end: number, piece: number): void {
    if (end < 0) return;
    if (this.nodePieceA[end] < 0) this.nodePieceA[end] = piece;
    else this.nodePieceB[end] = piece;
  }

  #leave(end: number, piece: number): void {
    if (end < 0) return;
    if (this.nodePieceA[end] === piece) {
      this.nodePieceA[end] = this.nodePieceB[end];
      this.nodePieceB[end] = -1;
    } else if (this.nodePieceB[end] === piece) this.nodePieceB[end] = -1;
  }
}
