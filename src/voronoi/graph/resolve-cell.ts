// Finds from the border of a cell the pieces of boundaries in it and their vertices, or decides that the cell must be
// split. Chords cut the cell into faces in which every region has one run of the border; in that face the
// boundaries are a tree, which is found from one crossing to the next vertex and on. The argument is in the chapter's page.
import type { BoundaryPieces } from './boundary-pieces.js';
import type { CellArrays } from './cell-arrays.js';
import type { CellBorder } from './cell-border.js';
import { CellVertices, VERTEX_TIE } from './cell-vertices.js';
import { END_A, END_B, SCALE, STRIDE, VERTEX } from './feature-arrays.js';
import type { LineEnvelope } from './line-envelope.js';
import type { SiteFeatures } from './site-features.js';

/** Chosen: a cell with more crossings is split at once, unless all meet in one point. */
const MAX_CROSSINGS = 8;

/** Resolves cells. One object has the scratch of all cells of a tree. */
export class CellResolver {
  readonly #sites: SiteFeatures;
  readonly #envelope: LineEnvelope;
  readonly #vertices: CellVertices;
  #border!: CellBorder;
  #list: Int32Array = new Int32Array(0);
  #x0 = 0;
  #y0 = 0;
  #x1 = 0;
  #y1 = 0;
  /** Whether all weights and offsets are equal. */
  #simple = true;
  /** Indices in the border of the changes of label. The run of a crossing is what follows it. */
  readonly #crossings: number[] = [];
  /** Faces as lists of crossings, one after the other. In a face, a crossing's run ends at the next crossing of the face. */
  readonly #faces: number[] = [];
  #faceEnd = 0;
  /** Whether runs of labels are in {@link CellVertices}: crossing by crossing. */
  #runsReady = false;
  readonly #vertexX: number[] = [];
  readonly #vertexY: number[] = [];
  readonly #vertexValue: number[] = [];
  #vertexCount = 0;
  /** Pieces: from a crossing of the border or -1 − vertex to one, with labels, and the face they are in. */
  readonly #pieceFrom: number[] = [];
  readonly #pieceTo: number[] = [];
  readonly #pieceLeft: number[] = [];
  readonly #pieceRight: number[] = [];
  readonly #pieceFace: number[] = [];
  #pieceCount = 0;
  #face = 0;
  #middleX = 0;
  #middleY = 0;
  #seen = new Int32Array(64);
  #stamp = 0;

  constructor(sites: SiteFeatures, envelope: LineEnvelope) {
    this.#sites = sites;
    this.#envelope = envelope;
    this.#vertices = new CellVertices(sites.arrays);
  }

  get newtonSteps(): number {
    return this.#vertices.newtonSteps;
  }

  /** Sets the cell to resolve: its box, border and candidates. */
  enter(cell: number, { box }: CellArrays, border: CellBorder, list: Int32Array): void {
    this.#border = border;
    this.#list = list;
    this.#x0 = box[4 * cell];
    this.#y0 = box[4 * cell + 1];
    this.#x1 = box[4 * cell + 2];
    this.#y1 = box[4 * cell + 3];
    this.#simple = this.#sites.oneClass;
    const crossings = this.#crossings;
    crossings.length = 0;
    for (let i = 0; i < border.count; i++) if (border.node[i] >= 0) crossings.push(i);
    this.#clear();
  }

  #clear(): void {
    this.#vertexCount = 0;
    this.#pieceCount = 0;
    this.#faceEnd = 0;
    this.#face = 0;
    this.#runsReady = false;
  }

  /**
   * Finds the pieces and vertices of the cell; returns whether they are certain, if {@link hasUnseen} is false.
   * @param even whether regions are star-shaped, so that chords decide.
   */
  resolve(even: boolean): boolean {
    const k = this.#crossings.length;
    if (k === 0) return true;
    if (k === 1) return false;
    this.#vertices.begin(this.#list, this.#x0, this.#y0, this.#x1, this.#y1);
    const start = this.#faceEnd;
    for (let i = 0; i < k; i++) this.#faces[this.#faceEnd++] = i;
    return k > MAX_CROSSINGS ? this.#meetAll(start, k) : this.#resolveFace(start, k, even) && this.#piecesDiffer();
  }

  /** Takes the middle of the cell for a vertex of all runs. */
  takeCenter(): void {
    this.#clear();
    const vertices = this.#vertices;
    vertices.begin(this.#list, this.#x0, this.#y0, this.#x1, this.#y1);
    vertices.moveTo((this.#x0 + this.#x1) / 2, (this.#y0 + this.#y1) / 2);
    vertices.measure();
    const vertex = this.#addVertex();
    for (let i = 0; i < this.#crossings.length; i++) this.#addCrossingPiece(i, -1 - vertex);
  }

  /** Leaves out what may be in the cell. */
  takeNothing(): void {
    this.#clear();
  }

  /** Stores the pieces and vertices found in the cell. */
  commit(cell: number, cells: CellArrays, pieces: BoundaryPieces): void {
    const first = pieces.vertexX.length;
    for (let i = 0; i < this.#vertexCount; i++) {
      pieces.addVertex(cell, this.#vertexX[i], this.#vertexY[i], this.#vertexValue[i]);
    }
    cells.firstVertex[cell] = first;
    cells.vertexCount[cell] = this.#vertexCount;
    cells.firstPiece[cell] = pieces.pieceFrom.length;
    cells.pieceCount[cell] = this.#pieceCount;
    for (let i = 0; i < this.#pieceCount; i++) {
      const from = this.#pieceFrom[i];
      const to = this.#pieceTo[i];
      const end = to < 0 ? to - first : to;
      pieces.addPiece(cell, from < 0 ? from - first : from, end, this.#pieceLeft[i], this.#pieceRight[i]);
    }
  }

  /** Whether candidates of different labels have different weights. */
  mixesWeights(list: Int32Array): boolean {
    const { data, label } = this.#sites.arrays;
    for (let i = 1; i < list.length; i++) {
      if (label[list[i]] !== label[list[0]] && data[STRIDE * list[i] + SCALE] !== data[STRIDE * list[0] + SCALE]) {
        return true;
      }
    }
    return false;
  }

  /** Whether a connected part of a site lies in the cell and is nearest nowhere on the border. */
  hasUnseen(): boolean {
    const { component } = this.#sites.arrays;
    const { boxes } = this.#sites;
    const border = this.#border;
    const list = this.#list;
    if (this.#seen.length < boxes.length) this.#seen = new Int32Array(2 * boxes.length);
    const seen = this.#seen;
    const stamp = ++this.#stamp;
    if (border.count === 0) seen[component[border.only]] = stamp;
    for (let i = 0; i < border.count; i++) seen[component[border.before[i]]] = stamp;
    for (let i = 0; i < list.length; i++) {
      const part = component[list[i]];
      if (seen[part] === stamp) continue;
      seen[part] = stamp;
      const box = boxes[part] as Float64Array;
      if (box[0] >= this.#x0 && box[1] >= this.#y0 && box[2] <= this.#x1 && box[3] <= this.#y1) return true;
    }
    return false;
  }

  #labelAfter(crossing: number): number {
    return this.#sites.arrays.label[this.#border.after[this.#crossings[crossing]]];
  }

  /** Resolves the face with `count` crossings from `start` of the list of faces. */
  #resolveFace(start: number, count: number, even: boolean): boolean {
    const faces = this.#faces;
    this.#face++;
    if (count === 2) {
      this.#addCrossingPiece(faces[start], this.#border.node[this.#crossings[faces[start + 1]]]);
      return true;
    }
    let twins = false;
    for (let i = 0; i < count; i++) {
      const own = this.#labelAfter(faces[start + i]);
      for (let j = i + 2; j < count; j++) {
        if (this.#labelAfter(faces[start + j]) !== own) continue;
        twins = true;
        if (even && this.#cutFace(start, count, i, j, own)) return this.#resolveParts(start, count, i, j);
      }
    }
    return twins ? this.#meetAll(start, count) : this.#resolveTree(start, count);
  }

  /** Whether a chord between the runs of two crossings of a face shows only their label. */
  #cutFace(start: number, count: number, i: number, j: number, own: number): boolean {
    if (count < 4) return false;
    const { label } = this.#sites.arrays;
    const envelope = this.#envelope;
    const list = this.#list;
    this.#takeMiddle(this.#faces[start + i]);
    const ax = this.#middleX;
    const ay = this.#middleY;
    this.#takeMiddle(this.#faces[start + j]);
    const dx = this.#middleX - ax;
    const dy = this.#middleY - ay;
    const length = Math.sqrt(dx * dx + dy * dy);
    if (!(length > 0)) return false;
    const first = envelope.nearest(list, list.length, ax, ay);
    if (label[first] !== own) return false;
    const chord = { x: ax, y: ay, dx: dx / length, dy: dy / length, length };
    const last = envelope.walk(list, first, chord, this.#simple);
    if (label[last] !== own) return false;
    for (let k = 0; k < envelope.after.length; k++) if (label[envelope.after[k]] !== own) return false;
    return true;
  }

  /** Resolves both parts of a face that a chord between the runs of two of its crossings cuts. */
  #resolveParts(start: number, count: number, i: number, j: number): boolean {
    const faces = this.#faces;
    const vertices = this.#vertices;
    const a = faces[start + i];
    const b = faces[start + j];
    // The chord joins the parts of both runs, so that the last crossing of each part is followed by the common label.
    let part = this.#faceEnd;
    for (let k = i + 1; k <= j; k++) faces[this.#faceEnd++] = faces[start + k];
    this.#keepRight(a, b);
    const right = this.#resolveFace(part, j - i, true);
    vertices.release();
    if (!right) return false;
    part = this.#faceEnd;
    for (let k = j + 1; k <= i + count; k++) faces[this.#faceEnd++] = faces[start + (k % count)];
    this.#keepRight(b, a);
    const left = this.#resolveFace(part, count - (j - i), true);
    vertices.release();
    return left;
  }

  #keepRight(a: number, b: number): void {
    this.#takeMiddle(a);
    const x = this.#middleX;
    const y = this.#middleY;
    this.#takeMiddle(b);
    this.#vertices.keepRightOf(x, y, this.#middleX, this.#middleY);
  }

  /** Takes the middle of the run after a crossing, by the way along the border in sides. */
  #takeMiddle(crossing: number): void {
    const x0 = this.#x0;
    const y0 = this.#y0;
    const x1 = this.#x1;
    const y1 = this.#y1;
    const from = this.#wayTo(crossing);
    const to = this.#wayTo((crossing + 1) % this.#crossings.length);
    const way = (from + (to >= from ? to - from : to + 4 - from) / 2) % 4;
    this.#middleX = way < 1 ? x0 + way * (x1 - x0) : way < 2 ? x1 : way < 3 ? x1 - (way - 2) * (x1 - x0) : x0;
    this.#middleY = way < 1 ? y0 : way < 2 ? y0 + (way - 1) * (y1 - y0) : way < 3 ? y1 : y1 - (way - 3) * (y1 - y0);
  }

  #wayTo(crossing: number): number {
    const at = this.#crossings[crossing];
    const x = this.#border.x[at];
    const y = this.#border.y[at];
    const across = (x - this.#x0) / (this.#x1 - this.#x0);
    const up = (y - this.#y0) / (this.#y1 - this.#y0);
    if (y === this.#y0 && across < 1) return across;
    if (x === this.#x1 && up < 1) return 1 + up;
    return y === this.#y1 && across > 0 ? 3 - across : 4 - up;
  }

  #prepareRuns(): void {
    if (this.#runsReady) return;
    this.#runsReady = true;
    this.#vertices.clearRuns();
    for (let i = 0; i < this.#crossings.length; i++) this.#vertices.addLabel(this.#labelAfter(i));
  }

  /** Resolves a face whose runs have different labels. */
  #resolveTree(start: number, count: number): boolean {
    this.#prepareRuns();
    // Labels that touch in a node also tie along the normal there: Newton's method could end beside it.
    const vertex = this.#vertexAtNode(start, count);
    if (vertex >= 0) {
      for (let i = 0; i < count; i++) this.#addCrossingPiece(this.#faces[start + i], -1 - vertex);
      return true;
    }
    return this.#growTree(start, 0, count - 1, this.#border.node[this.#crossings[this.#faces[start]]], -1);
  }

  /**
   * Finds the vertex at which the boundary between two runs of a face ends, coming from a crossing or a vertex, and goes on
   * from there, to what the runs from `low` to `high` enclose with that boundary.
   * @param base the end it comes from: a crossing, or -1 − vertex.
   */
  #growTree(start: number, low: number, high: number, base: number, baseVertex: number): boolean {
    const faces = this.#faces;
    const vertices = this.#vertices;
    const third = this.#findApex(start, low, high, baseVertex);
    if (third < 0) return false;
    let vertex = baseVertex;
    if (
      baseVertex < 0 ||
      Math.abs(this.#vertexX[baseVertex] - vertices.x) + Math.abs(this.#vertexY[baseVertex] - vertices.y) >= VERTEX_TIE
    ) {
      vertex = this.#addVertex();
      this.#addPiece(base, -1 - vertex, this.#labelAfter(faces[start + high]), this.#labelAfter(faces[start + low]));
    }
    let tied = 0;
    for (let i = low + 1; i < high; i++) {
      if (i === third || vertices.reaches(faces[start + i])) tied |= 1 << i;
    }
    let last = low;
    for (let i = low + 1; i <= high; i++) {
      if (i < high && !(tied & (1 << i))) continue;
      if (i === last + 1) this.#addCrossingPiece(faces[start + i], -1 - vertex);
      else if (!this.#growTree(start, last, i, -1 - vertex, vertex)) return false;
      last = i;
    }
    return true;
  }

  /** Moves to the point where the runs `low` and `high` tie with one between them, and returns that; -1 without one. */
  #findApex(start: number, low: number, high: number, baseVertex: number): number {
    const faces = this.#faces;
    const vertices = this.#vertices;
    const border = this.#border;
    const crossings = this.#crossings;
    const base = crossings[faces[start + low]];
    const baseX = baseVertex < 0 ? border.x[base] : this.#vertexX[baseVertex];
    const baseY = baseVertex < 0 ? border.y[base] : this.#vertexY[baseVertex];
    let third = low + 1;
    if (high > low + 2) third = this.#nearestBetween(start, low, high, baseX, baseY);
    let tried = 0;
    for (let left = high - low - 1; left > 0; left--) {
      tried |= 1 << third;
      const a = crossings[faces[start + third]];
      const b = crossings[faces[start + third + 1]];
      const x = (baseX + border.x[a] + border.x[b]) / 3;
      const y = (baseY + border.y[a] + border.y[b]) / 3;
      let next = -1;
      if (vertices.meet(faces[start + low], faces[start + high], faces[start + third], x, y)) {
        vertices.measure();
        if (
          vertices.ties(faces[start + low]) &&
          vertices.ties(faces[start + high]) &&
          vertices.ties(faces[start + third])
        ) {
          return third;
        }
        // A region that covers the point ends the boundary earlier.
        for (let i = low + 1; i < high; i++) {
          if (this.#labelAfter(faces[start + i]) === vertices.nearestLabel && !(tried & (1 << i))) next = i;
        }
      }
      for (let i = low + 1; i < high && next < 0; i++) if (!(tried & (1 << i))) next = i;
      third = next;
    }
    return -1;
  }

  /** The run between two others that is nearest in the middle of what they enclose. */
  #nearestBetween(start: number, low: number, high: number, baseX: number, baseY: number): number {
    const { x, y } = this.#border;
    let px = baseX;
    let py = baseY;
    for (let i = low + 1; i <= high; i++) {
      const at = this.#crossings[this.#faces[start + i]];
      px += x[at];
      py += y[at];
    }
    px /= high - low + 1;
    py /= high - low + 1;
    let best = low + 1;
    let least = Infinity;
    for (let i = low + 1; i < high; i++) {
      const distance = this.#vertices.distance(this.#faces[start + i], px, py);
      if (distance >= least) continue;
      least = distance;
      best = i;
    }
    return best;
  }

  /**
   * Resolves a face if all runs tie at one point. Runs of one label are told apart by the features that they show.
   */
  #meetAll(start: number, count: number): boolean {
    const faces = this.#faces;
    const vertices = this.#vertices;
    const border = this.#border;
    const crossings = this.#crossings;
    const k = crossings.length;
    this.#runsReady = false;
    vertices.clearRuns();
    let twins = false;
    for (let i = 0; i < k; i++) {
      const own = this.#labelAfter(i);
      let twin = false;
      for (let j = 0; j < k; j++) if (j !== i && this.#labelAfter(j) === own) twin = true;
      if (!twin) {
        vertices.addLabel(own);
        continue;
      }
      twins = true;
      for (let at = crossings[i]; ; at = (at + 1) % border.count) {
        vertices.addMember(border.after[at]);
        if ((at + 1) % border.count === crossings[(i + 1) % k]) break;
      }
      vertices.endRun();
    }
    for (let i = 0; i < count; i++) {
      for (let j = i + 1; j < count; j++) if (vertices.share(faces[start + i], faces[start + j])) return false;
    }
    let vertex = this.#vertexAtNode(start, count);
    if (vertex < 0 && (!twins || count <= 8)) {
      let x = 0;
      let y = 0;
      for (let i = 0; i < count; i++) {
        x += border.x[crossings[faces[start + i]]] / count;
        y += border.y[crossings[faces[start + i]]] / count;
      }
      const second = faces[start + Math.floor(count / 3)];
      const third = faces[start + Math.floor((2 * count) / 3)];
      if (vertices.meet(faces[start], second, third, x, y) && this.#allTie(start, count)) vertex = this.#addVertex();
    }
    if (vertex < 0) return false;
    for (let i = 0; i < count; i++) this.#addCrossingPiece(faces[start + i], -1 - vertex);
    return true;
  }

  /** Adds a vertex at an end of a feature in the cell where all runs of a face tie; -1 without one. */
  #vertexAtNode(start: number, count: number): number {
    const { data, kind, neighborA, neighborB } = this.#sites.arrays;
    const list = this.#list;
    for (let i = 0; i < list.length; i++) {
      if (kind[list[i]] === VERTEX) continue;
      for (let end = 0; end < 2; end++) {
        const at = STRIDE * list[i] + (end === 0 ? END_A : END_B);
        if (!this.#vertices.moveTo(data[at], data[at + 1])) continue;
        if (this.#sites.joint(end === 0 ? neighborA[list[i]] : neighborB[list[i]]) === null) continue;
        if (this.#allTie(start, count)) return this.#addVertex();
      }
    }
    return -1;
  }

  /** Whether all runs of a face have the least distance at the point. */
  #allTie(start: number, count: number): boolean {
    this.#vertices.measure();
    for (let i = 0; i < count; i++) if (!this.#vertices.ties(this.#faces[start + i])) return false;
    return true;
  }

  #addVertex(): number {
    const vertex = this.#vertexCount++;
    this.#vertexX[vertex] = this.#vertices.x;
    this.#vertexY[vertex] = this.#vertices.y;
    this.#vertexValue[vertex] = this.#vertices.value;
    return vertex;
  }

  /** Adds a piece from a crossing. Looking into the cell, what comes before it around the border is on the left. */
  #addCrossingPiece(crossing: number, to: number): void {
    const at = this.#crossings[crossing];
    const { label } = this.#sites.arrays;
    this.#addPiece(this.#border.node[at], to, label[this.#border.before[at]], label[this.#border.after[at]]);
  }

  #addPiece(from: number, to: number, left: number, right: number): void {
    const piece = this.#pieceCount++;
    this.#pieceFrom[piece] = from;
    this.#pieceTo[piece] = to;
    this.#pieceLeft[piece] = left;
    this.#pieceRight[piece] = right;
    this.#pieceFace[piece] = this.#face;
  }

  /** Whether no two pieces of different faces separate the same labels: one could be taken for the other. */
  #piecesDiffer(): boolean {
    for (let i = 1; i < this.#pieceCount; i++) {
      const a = this.#pieceLeft[i];
      const b = this.#pieceRight[i];
      for (let j = 0; j < i; j++) {
        if (this.#pieceFace[i] === this.#pieceFace[j]) continue;
        const c = this.#pieceLeft[j];
        const d = this.#pieceRight[j];
        if ((a === c && b === d) || (a === d && b === c)) return false;
      }
    }
    return true;
  }
}
