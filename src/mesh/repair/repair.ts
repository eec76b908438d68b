// Repairs a mesh in steps, each of which prepares the next: weld, drop faces without area, drop duplicates, orient,
// fill holes if wanted, drop unused vertices. O(triangles). Repairing a repaired mesh changes nothing.
import { checkedElsewhere, flag, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { assertMesh, type Mesh } from '../mesh.js';
import { buildAdjacency } from '../topology/adjacency.js';
import { findBoundaryLoops } from '../topology/boundary-loops.js';
import { countEdgeKinds, type EdgeKinds } from '../topology/edge-kinds.js';
import { countFans } from '../topology/topology.js';
import { dropUnusedVertices } from '../topology/unused-vertices.js';
import { dropDegenerateFaces } from './drop-degenerate-faces.js';
import { dropDuplicateFaces } from './drop-duplicate-faces.js';
import { type FilledHoles, fillHoles } from './fill-holes.js';
import { type OrientedFaces, orientFaces } from './orient-faces.js';
import { findOutwardSurface } from './outward-surface.js';
import { type WeldOptions, weldVertices } from './weld-vertices.js';

/** Steps are on unless switched off; `tolerance` is the tolerance of welding. */
export interface RepairOptions extends WeldOptions, ProgressOptions {
  readonly weldVertices?: boolean | undefined;
  readonly dropDegenerateFaces?: boolean | undefined;
  readonly dropDuplicateFaces?: boolean | undefined;
  readonly orientFaces?: boolean | undefined;
  readonly dropUnusedVertices?: boolean | undefined;
  /**
   * Close boundary loops with new faces: all, or those of at most `maxEdges` edges. Off unless requested. Every loop is
   * closed, the rim of a sheet too, whose two sides then coincide or cross; `filled` says what was added.
   */
  readonly fillHoles?: boolean | { readonly maxEdges: number } | undefined;
}

const REPAIR_OPTIONS = optionTable<RepairOptions>()({
  weldVertices: flag(true),
  dropDegenerateFaces: flag(true),
  dropDuplicateFaces: flag(true),
  orientFaces: flag(true),
  dropUnusedVertices: flag(true),
  fillHoles: checkedElsewhere<NonNullable<RepairOptions['fillHoles']>>(),
  tolerance: checkedElsewhere<number>(),
  ...PROGRESS_RULES,
});

/** What {@link repairMesh} changed, as counts. */
export interface RepairChanges {
  /** Vertices merged into another within the weld tolerance, or at the ends of a side of zero length. */
  weldedVertices: number;
  droppedDegenerateFaces: number;
  /** Faces split in two where a dropped degenerate face had a vertex on their side. */
  splitFaces: number;
  droppedDuplicateFaces: number;
  flippedFaces: number;
  /** Vertices dropped because no face uses them, in the input or after another step. */
  droppedVertices: number;
}

/** What is still wrong with a repaired mesh. */
export interface RemainingDefect {
  kind:
    | 'crossing-fill'
    | 'open-boundary'
    | 'non-manifold-edges'
    | 'non-manifold-vertices'
    | 'non-orientable'
    | 'sideless';
  count: number;
  /** The defect in words. */
  message: string;
}

/** What {@link repairMesh} returns. */
export interface RepairedMesh {
  readonly mesh: Mesh;
  /** The face of the input from which each face comes; −1 for one that fills a hole. */
  readonly sourceFaces: Int32Array;
  readonly changes: RepairChanges;
  /** What the option `fillHoles` added; missing without it. */
  readonly filled?: FilledHoles | undefined;
  /** Defects that these steps cannot repair; empty for a closed manifold solid. */
  readonly remaining: RemainingDefect[];
  /**
   * Steps left out because the mesh was worse after them: it bounded a solid no longer, had more open or non-manifold
   * edges, or was oriented no longer although most of its edges stayed open.
   */
  readonly skipped: readonly SkippedStep[];
}

/** A step of {@link repairMesh}; 'weld-tolerance' is welding beyond equal coordinates. */
export type SkippedStep =
  | 'weld-tolerance'
  | 'weldVertices'
  | 'dropDegenerateFaces'
  | 'dropDuplicateFaces'
  | 'orientFaces';

/** The steps to leave out, one attempt after the other: those that change least are kept longest. */
const ATTEMPTS: readonly (readonly SkippedStep[])[] = [
  [],
  ['weld-tolerance'],
  ['weldVertices'],
  ['dropDuplicateFaces'],
  ['weldVertices', 'dropDuplicateFaces'],
  ['weldVertices', 'dropDegenerateFaces', 'dropDuplicateFaces'],
  ['weldVertices', 'dropDegenerateFaces', 'dropDuplicateFaces', 'orientFaces'],
];

/**
 * Welds vertices, drops degenerate and duplicate faces, orients faces consistently and outward, and drops unused
 * vertices, each with the function of that name. It fills holes on request only, and moves a vertex only onto another
 * one within the weld tolerance. The result is never worse than the mesh: steps that would make it so are skipped.
 * @throws NearfieldError `empty-mesh` when every face is degenerate.
 */
export function repairMesh(mesh: Mesh, options: RepairOptions = {}): RepairedMesh {
  assertMesh(mesh);
  REPAIR_OPTIONS.assert(options);
  const before = judge(mesh);
  for (const skipped of ATTEMPTS) {
    const attempt = repairOnce(mesh, leaveOut(options, skipped));
    if (!isWorse(judge(attempt.mesh), before)) return { ...attempt, skipped };
  }
  const skipped = ATTEMPTS[ATTEMPTS.length - 1];
  return { ...repairOnce(mesh, { ...leaveOut(options, skipped), dropUnusedVertices: false }), skipped };
}

interface Judgement extends EdgeKinds {
  /** 2 for a solid with a volume, 1 for one without, 0 otherwise. */
  readonly solid: number;
}

function judge(mesh: Mesh): Judgement {
  const adjacency = buildAdjacency(mesh);
  const { closed, outward } = findOutwardSurface(mesh, adjacency);
  return { ...countEdgeKinds(adjacency), solid: outward ? 2 : closed ? 1 : 0 };
}

function isWorse(after: Judgement, before: Judgement): boolean {
  if (after.solid !== before.solid) return after.solid < before.solid;
  if (before.solid === 0) return after.boundaryEdges > before.boundaryEdges || losesOrientation(after, before);
  return after.nonManifoldEdges > before.nonManifoldEdges;
}

/**
 * Whether neighbors agreed on their sides and no longer do, as where an open edge is joined to an edge of two faces. That
 * is the price of closing a soup of triangles, and too much for a few edges: half of the open ones must be closed.
 */
function losesOrientation(after: Judgement, before: Judgement): boolean {
  if (before.unbalancedEdges > 0 || after.unbalancedEdges === 0) return false;
  return 2 * (after.boundaryEdges + after.unbalancedEdges) > before.boundaryEdges;
}

function leaveOut(options: RepairOptions, skipped: readonly SkippedStep[]): RepairOptions {
  const left: Record<string, unknown> = { ...options };
  for (const step of skipped) {
    if (step === 'weld-tolerance') left.tolerance = 0;
    else left[step] = false;
  }
  return left;
}

function repairOnce(mesh: Mesh, options: RepairOptions): Omit<RepairedMesh, 'skipped'> {
  const changes = noChanges();
  const remaining: RemainingDefect[] = [];
  const result = { mesh: { positions: mesh.positions.slice(), indices: mesh.indices.slice() } as Mesh };
  let sourceFaces = Int32Array.from({ length: mesh.indices.length / 3 }, (_, face) => face);

  reportProgress(options, 0, 'weld');
  if (options.weldVertices ?? true) {
    const step = weldVertices(result.mesh, { tolerance: options.tolerance });
    changes.weldedVertices += step.mergedVertices;
    result.mesh = step.mesh;
  }
  reportProgress(options, 0.2, 'degenerate faces');
  if (options.dropDegenerateFaces ?? true) {
    const step = dropDegenerateFaces(result.mesh);
    changes.weldedVertices += step.mergedVertices;
    changes.droppedDegenerateFaces = step.droppedFaces;
    changes.splitFaces = step.splitFaces;
    sourceFaces = Int32Array.from(step.sourceFaces, (face) => sourceFaces[face]);
    result.mesh = step.mesh;
  }
  reportProgress(options, 0.4, 'duplicate faces');
  if (options.dropDuplicateFaces ?? true) {
    const step = dropDuplicateFaces(result.mesh);
    changes.droppedDuplicateFaces = step.droppedFaces;
    sourceFaces = Int32Array.from(step.sourceFaces, (face) => sourceFaces[face]);
    result.mesh = step.mesh;
  }
  reportProgress(options, 0.6, 'orientation');
  let oriented: OrientedFaces | null = null;
  if (options.orientFaces ?? true) {
    oriented = orientFaces(result.mesh);
    changes.flippedFaces = oriented.flippedFaces;
    result.mesh = oriented.mesh;
  }
  let filled: FilledHoles | undefined;
  if (options.fillHoles) {
    const maxEdges = options.fillHoles === true ? Infinity : options.fillHoles.maxEdges;
    reportProgress(options, 0.7, 'holes');
    const step = fillHoles(result.mesh, maxEdges);
    filled = step.filled;
    sourceFaces = Int32Array.from({ length: step.mesh.indices.length / 3 }, (_, face) => sourceFaces[face] ?? -1);
    result.mesh = step.mesh;
    note(remaining, 'crossing-fill', filled.crossings, 'Pairs of faces that cross where holes were filled');
    if (filled.addedFaces > 0 && oriented !== null) {
      // What is closed now has an outside.
      oriented = orientFaces(result.mesh);
      changes.flippedFaces += oriented.flippedFaces;
      result.mesh = oriented.mesh;
    }
  }
  if (oriented !== null) noteOrientation(remaining, oriented);
  if (options.dropUnusedVertices ?? true) {
    ({ mesh: result.mesh, droppedVertices: changes.droppedVertices } = dropUnusedVertices(result.mesh));
  }
  reportProgress(options, 0.9, 'what remains');
  noteTopology(remaining, result.mesh);
  reportProgress(options, 1, 'repair');
  return { mesh: result.mesh, sourceFaces, changes, ...(filled !== undefined && { filled }), remaining };
}

function noChanges(): RepairChanges {
  return {
    weldedVertices: 0,
    droppedDegenerateFaces: 0,
    splitFaces: 0,
    droppedDuplicateFaces: 0,
    flippedFaces: 0,
    droppedVertices: 0,
  };
}

function noteOrientation(remaining: RemainingDefect[], oriented: OrientedFaces): void {
  const { nonOrientablePatches, sidelessPatches } = oriented;
  note(remaining, 'non-orientable', nonOrientablePatches, 'Surfaces with one side only, which cannot be oriented');
  note(remaining, 'sideless', sidelessPatches, 'Open surfaces without an outside, which keep the side they had');
}

function noteTopology(remaining: RemainingDefect[], mesh: Mesh): void {
  const adjacency = buildAdjacency(mesh);
  const { boundaryEdges, nonManifoldEdges } = countEdgeKinds(adjacency);
  const fans = countFans(mesh, adjacency);
  const loops = findBoundaryLoops(mesh, adjacency).length;
  note(remaining, 'open-boundary', boundaryEdges, `Edges of one face only (in boundary loops: ${loops})`);
  note(remaining, 'non-manifold-edges', nonManifoldEdges, 'Edges of more than two faces');
  note(
    remaining,
    'non-manifold-vertices',
    fans.reduce((count, n) => count + (n > 1 ? 1 : 0), 0),
    'Vertices where surfaces meet that share no edge there',
  );
}

function note(remaining: RemainingDefect[], kind: RemainingDefect['kind'], count: number, words: string): void {
  if (count > 0) remaining.push({ kind, count, message: `${words}: ${count}.` });
}
