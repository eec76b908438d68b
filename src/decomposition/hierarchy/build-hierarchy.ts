// Builds the hierarchy of hulls of a decomposition top-down (Ehmann and Lin 2001, section 5, algorithm 1). The pieces
// are split in two repeatedly; then, children before parents, each node becomes the hull of its children's hulls, and
// shares their common faces with them. O(n log n) to split, plus the hulls.
import { checkedElsewhere, numberFrom, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, partOfProgress, reportProgress } from '../../core/progress.js';
import { finishSteps, type Steps } from '../../core/steps.js';
import type { Decomposition } from '../decomposition.js';
import { findPieceCenters } from '../pieces/piece-centers.js';
import { WorkLimit } from '../work-limit.js';
import { completeHierarchy, FREE, type HullHierarchy, ORIGINAL } from './hierarchy.js';
import { HierarchyFaces, NodeFaceTable, PieceFaceTable } from './hierarchy-faces.js';
import { FaceRestorer } from './restore-faces.js';
import { PieceSplitter, SPLIT_RULES, type SplitRule } from './split-pieces.js';
import { UnionHull } from './union-hull.js';

/** How to build a hierarchy. */
export interface HierarchyOptions extends ProgressOptions {
  /** Default 'midpoint'. */
  readonly split?: SplitRule | undefined;
  /** The most work, in faces and vertices visited; more throws `too-large`. Default: no limit. */
  readonly maxWork?: number | undefined;
}

const HIERARCHY_OPTIONS = optionTable<HierarchyOptions>()({
  // The names of all rules are in the message of buildHierarchyInSteps.
  split: checkedElsewhere(),
  maxWork: numberFrom(0),
  ...PROGRESS_RULES,
});

/** Chosen: nodes between two reports of progress. */
const REPORT_INTERVAL = 512;

/**
 * The hierarchy of hulls over the convex pieces of a decomposition: leaves are the pieces, an inner node is the convex
 * hull of its children. The same decomposition and rule give the same hierarchy.
 * @throws NearfieldError `bad-argument` for an unknown rule, `too-large` if it takes more than `maxWork`.
 */
export function buildHierarchy(decomposition: Decomposition, options: HierarchyOptions = {}): HullHierarchy {
  HIERARCHY_OPTIONS.assert(options);
  return finishSteps(buildHierarchyInSteps(decomposition, options));
}

/** Measured on the catalogue: the share of splitting pieces in the work of making hulls from a mesh. */
const SPLITTING_SHARE = 0.1;
/** Measured on the catalogue: the share of joining hulls in that work. */
const JOINING_SHARE = 0.25;
/** Measured on the catalogue: the share of collecting the arrays in that work. */
const COLLECTING_SHARE = 0.05;
/** Chosen: nodes joined in one step. */
const NODES_A_STEP = 16;

/** {@link buildHierarchy} in steps. Work is counted as in `decomposeInSteps`. */
export function* buildHierarchyInSteps(
  decomposition: Decomposition,
  options: HierarchyOptions = {},
): Steps<HullHierarchy> {
  const { split = 'midpoint', maxWork = Infinity } = options;
  if (!SPLIT_RULES.includes(split)) {
    throw new NearfieldError(
      'bad-argument',
      `There is no splitting rule "${split}"; the rules are ${SPLIT_RULES.join(', ')}.`,
    );
  }
  const limit = new WorkLimit(maxWork, 'The hierarchy of hulls of this mesh');
  const triangles = decomposition.mesh.indices.length / 3;
  yield SPLITTING_SHARE * triangles;
  const tree = splitAll(decomposition, split, limit, partOfProgress(options, 0, 0.2));
  const progress = partOfProgress(options, 0.2, 1);
  const faces = yield* joinAll(decomposition, tree, limit, JOINING_SHARE * triangles, progress);
  yield COLLECTING_SHARE * triangles;
  return collect(decomposition, split, tree, faces);
}

/** Nodes in preorder: a node before its children, and the first child's nodes before the second's. */
interface Tree {
  readonly children: Int32Array;
  readonly pieces: Int32Array;
  /** The nodes below a node, including itself, are those from it up to before this. */
  readonly ends: Int32Array;
  /** The leaf of each piece. */
  readonly leaves: Int32Array;
}

function splitAll(decomposition: Decomposition, rule: SplitRule, limit: WorkLimit, progress: ProgressOptions): Tree {
  const centers = findPieceCenters(decomposition);
  const count = centers.length / 3;
  const order = new Uint32Array(count);
  for (let piece = 0; piece < count; piece++) order[piece] = piece;
  const splitter = new PieceSplitter(centers, rule);
  const nodes = 2 * count - 1;
  const children = new Int32Array(2 * nodes).fill(-1);
  const pieces = new Int32Array(nodes).fill(-1);
  const ends = new Int32Array(nodes);
  const leaves = new Int32Array(count);
  // A chain of nodes may be as long as there are pieces, so a list of open ends replaces recursion.
  const open = [0, count, -1];
  let node = 0;
  limit.onStep = () => reportProgress(progress, node / nodes, 'splitting the pieces');
  for (; node < nodes; node++) {
    if (node % REPORT_INTERVAL === 0) limit.onStep();
    const parent = open.pop()!;
    const end = open.pop()!;
    const start = open.pop()!;
    if (parent >= 0) children[2 * parent + (children[2 * parent] < 0 ? 0 : 1)] = node;
    ends[node] = node + 2 * (end - start) - 1;
    if (end - start === 1) {
      pieces[node] = order[start];
      leaves[order[start]] = node;
      continue;
    }
    // The hull of the centers takes most of the time.
    limit.spend(8 * (end - start));
    const middle = splitter.split(order, start, end);
    open.push(middle, end, node, start, middle, node);
  }
  return { children, pieces, ends, leaves };
}

function* joinAll(
  decomposition: Decomposition,
  tree: Tree,
  limit: WorkLimit,
  work: number,
  progress: ProgressOptions,
): Steps<HierarchyFaces> {
  const { pieces, children } = tree;
  const faces = new HierarchyFaces(decomposition, pieces.length);
  const joiner = new NodeJoiner(decomposition, tree, faces, limit);
  let node = pieces.length - 1;
  limit.onStep = () => reportProgress(progress, 1 - node / pieces.length, 'joining hulls');
  for (; node >= 0; node--) {
    if (node % REPORT_INTERVAL === 0) limit.onStep();
    if (node % NODES_A_STEP === 0) yield (NODES_A_STEP * work) / pieces.length;
    if (pieces[node] >= 0) faces.addLeaf(node, pieces[node]);
    else joiner.join(node, children[2 * node], children[2 * node + 1]);
  }
  return faces;
}

/** Makes the hulls of inner nodes one after another, reusing memory. */
class NodeJoiner {
  readonly #faces: HierarchyFaces;
  readonly #hull: UnionHull;
  readonly #restorer: FaceRestorer;
  readonly #tree: Tree;
  readonly #limit: WorkLimit;
  readonly #table: PieceFaceTable;
  readonly #childFaces: NodeFaceTable;
  readonly #pieceOfRecord: Int32Array;
  /** The node that last had a vertex as its own, and, of a node whose vertices are inserted, a half-edge leaving it. */
  readonly #loadedBy: Int32Array;
  readonly #insertedBy: Int32Array;
  readonly #halfEdgeOf: Int32Array;
  #newIds = new Int32Array(256);
  #turns = new Int8Array(256);

  constructor(decomposition: Decomposition, tree: Tree, faces: HierarchyFaces, limit: WorkLimit) {
    const { positions } = decomposition.mesh;
    const { triangleStart, sources } = decomposition.pieces;
    this.#faces = faces;
    this.#tree = tree;
    this.#hull = new UnionHull(positions, limit);
    this.#limit = limit;
    this.#restorer = new FaceRestorer(this.#hull, faces, limit);
    this.#childFaces = new NodeFaceTable(faces);
    this.#table = new PieceFaceTable(faces.vertices, sources);
    this.#pieceOfRecord = new Int32Array(sources.length);
    for (let piece = 0; piece + 1 < triangleStart.length; piece++) {
      this.#pieceOfRecord.fill(piece, triangleStart[piece], triangleStart[piece + 1]);
    }
    const vertices = positions.length / 3;
    this.#loadedBy = new Int32Array(vertices).fill(-1);
    this.#insertedBy = new Int32Array(vertices).fill(-1);
    this.#halfEdgeOf = new Int32Array(vertices);
  }

  join(node: number, first: number, second: number): void {
    const { counts, flat } = this.#faces;
    // Keeps the larger hull whole where possible; a solid one takes precedence, since a flat one may have to change.
    const keepsFirst = flat[first] === flat[second] ? counts[first] >= counts[second] : flat[second] === 1;
    const [kept, other] = keepsFirst ? [first, second] : [second, first];
    this.#limit.spend(counts[first] + counts[second]);
    this.#load(kept);
    this.#insertAll(kept, other);
    this.#matchFaces(node, other);
    if (this.#restorer.restore(other)) this.#matchChanged(node, kept, other);
    this.#emit(node);
  }

  #load(node: number): void {
    const { starts, counts, flat, nodeFaces, twins, vertices } = this.#faces;
    const hull = this.#hull;
    hull.clear(counts[node], flat[node] === 1);
    for (let i = starts[node]; i < starts[node] + counts[node]; i++) {
      const record = nodeFaces[i];
      const a = vertices[3 * record];
      const b = vertices[3 * record + 1];
      const c = vertices[3 * record + 2];
      hull.loadFace(record, a, b, c, twins[3 * i], twins[3 * i + 1], twins[3 * i + 2]);
      this.#loadedBy[a] = this.#loadedBy[b] = this.#loadedBy[c] = node;
    }
  }

  #insertAll(kept: number, other: number): void {
    const { starts, counts, nodeFaces, vertices } = this.#faces;
    const start = starts[other];
    const hull = this.#hull;
    hull.prepare(counts[other] / 2 + 2);
    for (let i = 0; i < counts[other]; i++) {
      for (let k = 0; k < 3; k++) {
        const vertex = vertices[3 * nodeFaces[start + i] + k];
        if (this.#insertedBy[vertex] === other) continue;
        this.#insertedBy[vertex] = other;
        this.#halfEdgeOf[vertex] = 3 * i + k;
        if (this.#loadedBy[vertex] !== kept) hull.insert(vertex);
      }
    }
  }

  /**
   * Gives faces of the hull that are faces of a piece below the node, or of the other child, the same records. Where
   * several have the face, the class of highest pruning power wins.
   */
  #matchFaces(node: number, other: number): void {
    const faces = this.#faces;
    const { standing, standingCount, records, store } = this.#hull;
    const { corners } = store;
    for (let i = 0; i < standingCount; i++) {
      const face = standing[i];
      if (records[face] >= 0 && faces.classOf(records[face]) === ORIGINAL) continue;
      const a = corners[3 * face];
      const b = corners[3 * face + 1];
      const c = corners[3 * face + 2];
      const piece = this.#findInPieces(node, a, b, c);
      if (piece >= 0) records[face] = piece;
      else if (records[face] < 0) records[face] = this.#findInChild(other, a, b, c);
    }
  }

  /** Repeats this for faces that changed when others were restored: they may have become faces of either child. */
  #matchChanged(node: number, kept: number, other: number): void {
    const { standing, standingCount, records, store } = this.#hull;
    const { corners } = store;
    for (let i = 0; i < standingCount; i++) {
      const face = standing[i];
      if (records[face] < 0) {
        records[face] = this.#findInPieces(node, corners[3 * face], corners[3 * face + 1], corners[3 * face + 2]);
      }
    }
    // One child after the other: the table holds the faces of only one.
    for (const child of [kept, other]) {
      for (let i = 0; i < standingCount; i++) {
        const face = standing[i];
        if (records[face] >= 0) continue;
        const [a, b, c] = [corners[3 * face], corners[3 * face + 1], corners[3 * face + 2]];
        records[face] = this.#childFaces.find(child, a, b, c);
      }
    }
  }

  #findInChild(child: number, a: number, b: number, c: number): number {
    const inserted = this.#insertedBy;
    if (inserted[a] !== child || inserted[b] !== child || inserted[c] !== child) return -1;
    const { starts, nodeFaces, twins, vertices } = this.#faces;
    const faceBase = starts[child];
    const edgeBase = 3 * faceBase;
    const start = this.#halfEdgeOf[a];
    let h = start;
    // A ring has no more faces than the child; a ring that did not close would only leave a face unshared.
    let left = this.#faces.counts[child];
    do {
      const face = (h / 3) | 0;
      const k = h - 3 * face;
      const record = nodeFaces[faceBase + face];
      if (vertices[3 * record + ((k + 1) % 3)] === b && vertices[3 * record + ((k + 2) % 3)] === c) return record;
      h = twins[edgeBase + 3 * face + ((k + 2) % 3)];
    } while (h !== start && --left > 0);
    // Around a vertex within a flat hull there are two rings, one on each side.
    return this.#faces.flat[child] === 1 ? this.#childFaces.find(child, a, b, c) : -1;
  }

  #findInPieces(node: number, a: number, b: number, c: number): number {
    const { ends, leaves } = this.#tree;
    return this.#table.find(a, b, c, (record) => {
      const leaf = leaves[this.#pieceOfRecord[record]];
      return leaf >= node && leaf < ends[node];
    });
  }

  /** Writes the hull as the node's faces: corners in the order of their record, twins counted from the first half-edge. */
  #emit(node: number): void {
    const { standing, standingCount, records, store, isFlat } = this.#hull;
    const { corners, twins, capacity } = store;
    if (this.#newIds.length < capacity) {
      this.#newIds = new Int32Array(capacity);
      this.#turns = new Int8Array(capacity);
    }
    const newIds = this.#newIds;
    const turns = this.#turns;
    const faces = this.#faces;
    const start = faces.openNode(node, standingCount, isFlat);
    for (let i = 0; i < standingCount; i++) {
      const face = standing[i];
      const a = corners[3 * face];
      newIds[face] = i;
      turns[face] = 0;
      if (records[face] < 0) {
        records[face] = faces.addFree(a, corners[3 * face + 1], corners[3 * face + 2]);
      } else {
        const v = 3 * records[face];
        turns[face] = faces.vertices[v] === a ? 0 : faces.vertices[v + 1] === a ? 1 : 2;
      }
      faces.nodeFaces[start + i] = records[face];
    }
    // Corner k of the hull's face is corner k + turn of its record.
    for (let i = 0; i < standingCount; i++) {
      const face = standing[i];
      for (let k = 0; k < 3; k++) {
        const twin = twins[3 * face + k];
        const beyond = (twin / 3) | 0;
        const corner = (k + turns[face]) % 3;
        faces.twins[3 * (start + i) + corner] = 3 * newIds[beyond] + ((twin - 3 * beyond + turns[beyond]) % 3);
      }
    }
  }
}

/** The arrays of the hierarchy, nodes in ascending order. */
function collect(
  { mesh, pieces }: Decomposition,
  split: SplitRule,
  { children, pieces: nodePieces }: Tree,
  faces: HierarchyFaces,
): HullHierarchy {
  const nodes = nodePieces.length;
  const faceStart = new Uint32Array(nodes + 1);
  const nodeFaces = new Uint32Array(faces.faceCount);
  const twins = new Uint32Array(3 * faces.faceCount);
  let end = 0;
  for (let node = 0; node < nodes; node++) {
    const start = faces.starts[node];
    const count = faces.counts[node];
    for (let i = 0; i < count; i++) nodeFaces[end + i] = faces.nodeFaces[start + i];
    for (let i = 0; i < 3 * count; i++) twins[3 * end + i] = 3 * end + faces.twins[3 * start + i];
    end += count;
    faceStart[node + 1] = end;
  }
  const faceClasses = new Uint8Array(faces.recordCount).fill(FREE);
  const faceSources = new Int32Array(faces.recordCount).fill(-1);
  faceSources.set(pieces.sources);
  for (let record = 0; record < faces.freeStart; record++) faceClasses[record] = faces.classOf(record);
  return completeHierarchy({
    mesh,
    split,
    children,
    nodePieces,
    flatNodes: faces.flat,
    faceStart,
    nodeFaces,
    twins,
    faceVertices: new Uint32Array(faces.vertices.buffer.slice(0, 12 * faces.recordCount) as ArrayBuffer),
    faceClasses,
    faceSources,
  });
}
