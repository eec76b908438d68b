// Makes a mesh as people have them sound, in one place, before anybody asks whether it is closed: parts and faces that
// stand twice dropped, vertices welded, faces without area dropped, cracks of T-junctions closed, faces turned outward. The
// tolerance grows until the mesh bounds a solid; the smallest that does is taken. O(triangles · log triangles) each.
import * as box from '../../core/box.js';
import { nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, numberWithin, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { SOUND_TOLERANCE, WELD_TOLERANCE } from '../../core/tolerances.js';
import { assertMesh, type Mesh, vertexCount } from '../mesh.js';
import { dropDegenerateFaces } from '../repair/drop-degenerate-faces.js';
import { fillHoles } from '../repair/fill-holes.js';
import { findFlips, orientFaces } from '../repair/orient-faces.js';
import { findOutwardSurface } from '../repair/outward-surface.js';
import { weldVertices } from '../repair/weld-vertices.js';
import { integrateSolid, measureArea } from '../report/mass-properties.js';
import { buildAdjacency } from '../topology/adjacency.js';
import { countDegenerateFaces } from '../topology/degenerate-faces.js';
import { groupEqualFaces } from '../topology/duplicate-faces.js';
import { countEdgeKinds } from '../topology/edge-kinds.js';
import { findPatches } from '../topology/patches.js';
import { findShells, findSides } from '../topology/shells.js';
import { boxOfFaces, dropUnusedVertices } from '../topology/unused-vertices.js';
import { closeCracks } from './close-cracks.js';
import { dropCopiedParts, dropDoubledFaces } from './doubled-faces.js';

/** Options of {@link makeSound}. */
export interface SoundOptions extends ProgressOptions {
  /**
   * The largest distance over which vertices are welded and cracks closed, as a share of the box diagonal, from 0 to
   * 0.1. Smaller ones are tried first. Default {@link SOUND_TOLERANCE}.
   */
  readonly tolerance?: number | undefined;
  /** Fill holes that are still open: all, or those of at most `maxEdges` edges. Off unless requested. */
  readonly fillHoles?: boolean | { readonly maxEdges: number } | undefined;
}

/** What {@link makeSound} changed, as counts. */
export interface SoundChanges {
  /** Vertices merged into another one. */
  readonly weldedVertices: number;
  /** Faces that lay on another face. */
  readonly droppedDoubledFaces: number;
  /** Faces without area, and those that named a vertex twice. */
  readonly droppedDegenerateFaces: number;
  /** Open edges that were split at a vertex on them, so that the crack there closed. */
  readonly closedCracks: number;
  /** Faces of sheets that keep both sides, because the rest of the mesh bounds a solid. */
  readonly twoSidedFaces: number;
  readonly flippedFaces: number;
  readonly filledHoles: number;
  /** Faces that fill holes. */
  readonly addedFaces: number;
  /** Vertices that no face uses, in the input or after another step. */
  readonly droppedVertices: number;
}

/** What {@link makeSound} returns. */
export interface SoundMesh {
  /** The given mesh where nothing had to be done. */
  readonly mesh: Mesh;
  /** The face of the input that each face lies on; −1 for a face that fills a hole. */
  readonly sourceFaces: Int32Array;
  readonly changes: SoundChanges;
  /** What was done, a sentence for each change; empty where nothing was. */
  readonly done: readonly string[];
  /** The distance over which vertices were welded and cracks closed; 0 where equal coordinates were enough. */
  readonly tolerance: number;
  /** The mesh bounds a solid: no edge is open, faces agree on their sides, and they enclose a volume. */
  readonly closed: boolean;
  /** The enclosed volume; `null` for a mesh that is not closed, a flat sheet with both sides included. */
  readonly volume: number | null;
  /** Edges of one face only that are left. */
  readonly openEdges: number;
}

const SOUND_OPTIONS = optionTable<SoundOptions>()({
  tolerance: numberWithin(0, 0.1, SOUND_TOLERANCE),
  fillHoles: checkedElsewhere<boolean | { readonly maxEdges: number }>(),
  ...PROGRESS_RULES,
});

/** Rounding: a vertex computed on an edge is off it by at most this share of the largest coordinate, 16 roundings. */
const EDGE_ROUNDING = 16 * Number.EPSILON;

/** Chosen: each tolerance that is tried is this many times the one before. */
const TOLERANCE_GROWTH = 10;

/**
 * Makes a mesh sound: drops doubled faces, welds vertices, drops faces without area, closes cracks of T-junctions, and
 * turns faces outward. A solid that is sound already comes back unchanged. It takes the first of the
 * tolerances 0, 1e-7, 1e-6 … of the box diagonal that leaves a solid; where none does, the one that leaves the fewest
 * open edges. The
 * surface moves by at most that tolerance.
 * @throws NearfieldError `bad-argument`, those of `assertMesh`, or `empty-mesh` where every face is degenerate.
 */
export function makeSound(mesh: Mesh, options: SoundOptions = {}): SoundMesh {
  assertMesh(mesh);
  const { tolerance } = SOUND_OPTIONS.read(options);
  const maxEdges = readMaxEdges(options.fillHoles);
  reportProgress(options, 0, 'doubled parts');
  const single = start(mesh);
  if (isClean(single.mesh)) return finish(single, vertexCount(mesh), 0, judge(single.mesh));

  const diagonal = box.diagonal(boxOfFaces(mesh));
  const attempts: readonly Attempt[] = [
    { share: 0, seams: true },
    ...tolerancesUpTo(tolerance).map((share) => ({ share, seams: false })),
  ];
  let best: { draft: Draft; reach: number; verdict: Verdict } | null = null;
  // Where the largest tolerance joins nothing, none does. That is asked after the first attempt, and open meshes end there.
  let largest: { draft: Draft | null } | null = null;
  for (let i = 0; i < attempts.length; i++) {
    reportProgress(options, 0.1 + (0.7 * i) / attempts.length, 'welding');
    const reach = attempts[i].share * diagonal;
    const isLast = i === attempts.length - 1;
    const draft: Draft | null = isLast && largest !== null ? largest.draft : tryOnce(single, attempts[i], reach);
    if (draft === null) continue;
    const verdict = judge(draft.mesh);
    if (best === null || isBetter(verdict, best.verdict)) best = { draft, reach, verdict };
    if (verdict.closed) break;
    if (i > 0 || attempts.length < 4) continue;
    const { share } = attempts[attempts.length - 1];
    largest = { draft: tryOnce(single, attempts[attempts.length - 1], share * diagonal) };
    if (largest.draft !== null && joinsNothing(largest.draft)) i = attempts.length - 2;
  }
  // Without a tolerance an attempt throws where it leaves no face, so there is one here.
  let { draft, verdict } = best!;
  const { reach } = best!;
  if (!verdict.closed && maxEdges > 0) {
    reportProgress(options, 0.8, 'holes');
    draft = fill(draft, maxEdges);
    verdict = judge(draft.mesh);
  }
  reportProgress(options, 1, 'sound');
  return finish(draft, vertexCount(mesh), reach, verdict);
}

/** A mesh on its way, with what was done to it so far. */
interface Draft {
  readonly mesh: Mesh;
  readonly sources: Int32Array;
  /** By face of the input: 1 where it had a twin that ran the other way. */
  readonly twoSided: Uint8Array;
  readonly changes: SoundChanges;
}

const NO_CHANGES: SoundChanges = {
  weldedVertices: 0,
  droppedDoubledFaces: 0,
  droppedDegenerateFaces: 0,
  closedCracks: 0,
  twoSidedFaces: 0,
  flippedFaces: 0,
  filledHoles: 0,
  addedFaces: 0,
  droppedVertices: 0,
};

/** The mesh without the parts that stand twice. */
function start(mesh: Mesh): Draft {
  const { mesh: single, sourceFaces, droppedFaces, twoSided } = dropCopiedParts(mesh);
  const flags = new Uint8Array(mesh.indices.length / 3);
  sourceFaces.forEach((source, face) => {
    flags[source] = twoSided[face];
  });
  return {
    mesh: single,
    sources: Int32Array.from(sourceFaces),
    twoSided: flags,
    changes: { ...NO_CHANGES, droppedDoubledFaces: droppedFaces },
  };
}

/** Whether a mesh is a solid as it is: outward, without seams, without faces that have no area or stand twice. */
function isClean(mesh: Mesh): boolean {
  const { closed, outward, weldedVertices, flippedFaces } = findOutwardSurface(mesh);
  return (
    closed &&
    outward &&
    weldedVertices === 0 &&
    flippedFaces === 0 &&
    countDegenerateFaces(mesh) === 0 &&
    groupEqualFaces(mesh).duplicateFaces === 0
  );
}

/** 0, then tenfold steps from the tolerance of welding, then the largest one asked for. */
function tolerancesUpTo(largest: number): number[] {
  const shares = [0];
  for (let share = WELD_TOLERANCE; share < largest * (1 - 1e-9); share *= TOLERANCE_GROWTH) shares.push(share);
  if (largest > 0) shares.push(largest);
  return shares;
}

/** How an attempt welds: at open edges that lie on each other, or all vertices within a share of the box diagonal. */
interface Attempt {
  readonly share: number;
  readonly seams: boolean;
}

/** All steps of one attempt; null where they leave no face. @param reach the share as a length. */
function tryOnce(single: Draft, { share, seams }: Attempt, reach: number): Draft | null {
  try {
    let draft = seams ? weldAtSeams(single) : weld(single, share);
    // Doubled faces first: dropping a face without area may split one of two that lie on each other.
    draft = dropDoubled(draft);
    draft = dropFlat(draft);
    draft = dropDoubled(draft);
    // Faces that lay on each other may have been joined to each other instead of to their neighbors.
    if (seams) draft = weldAtSeams(draft);
    draft = closeAll(draft, Math.max(reach, roundingOf(draft.mesh)));
    draft = keepSheetsTwoSided(draft);
    return orient(draft);
  } catch (error) {
    // Without a tolerance the faces of the input itself are degenerate.
    if (seams || !(error instanceof NearfieldError) || error.code !== 'empty-mesh') throw error;
    return null;
  }
}

/** Whether a tolerance had nothing to join: no vertex near another one, and no crack. */
function joinsNothing({ changes }: Draft): boolean {
  return changes.weldedVertices === 0 && changes.closedCracks === 0;
}

function weldAtSeams(draft: Draft): Draft {
  const { indices, weldedVertices } = buildAdjacency(draft.mesh);
  if (weldedVertices === 0) return draft;
  return change(draft, { positions: draft.mesh.positions, indices }, null, { weldedVertices });
}

function weld(draft: Draft, tolerance: number): Draft {
  const { mesh, mergedVertices } = weldVertices(draft.mesh, { tolerance });
  return change(draft, mesh, null, { weldedVertices: mergedVertices });
}

function dropFlat(draft: Draft): Draft {
  if (countDegenerateFaces(draft.mesh) === 0) return draft;
  const { mesh, sourceFaces, droppedFaces, mergedVertices } = dropDegenerateFaces(draft.mesh);
  return change(draft, mesh, sourceFaces, { droppedDegenerateFaces: droppedFaces, weldedVertices: mergedVertices });
}

function dropDoubled(draft: Draft): Draft {
  const { mesh, sourceFaces, droppedFaces, twoSided } = dropDoubledFaces(draft.mesh);
  if (droppedFaces === 0) return draft;
  const dropped = change(draft, mesh, sourceFaces, { droppedDoubledFaces: droppedFaces });
  const flags = draft.twoSided.slice();
  dropped.sources.forEach((source, face) => {
    if (twoSided[face]) flags[source] = 1;
  });
  return { ...dropped, twoSided: flags };
}

function closeAll(draft: Draft, reach: number): Draft {
  const { mesh, sourceFaces, splitEdges } = closeCracks(draft.mesh, reach);
  return splitEdges === 0 ? draft : change(draft, mesh, sourceFaces, { closedCracks: splitEdges });
}

/**
 * Gives sheets their second side back where all else bounds a solid: a fin or an inner wall would make the mesh open. Both
 * sides of a sheet enclose nothing, so they change neither the volume nor what is inside.
 */
function keepSheetsTwoSided(draft: Draft): Draft {
  const { mesh, sources, twoSided } = draft;
  if (!sources.some((source) => twoSided[source] === 1)) return draft;
  const adjacency = buildAdjacency(mesh);
  const { flips } = findFlips(mesh, adjacency);
  const shells = findShells(adjacency, findPatches(adjacency), flips);
  const sides = findSides(mesh, shells, flips);
  if (!sides.some((side, shell) => side !== 0 && shells.closed[shell])) return draft;
  const sheets: number[] = [];
  for (let face = 0; face < sources.length; face++) {
    const shell = shells.shellOfFace[face];
    if (shell < 0 || shells.closed[shell]) continue;
    if (!twoSided[sources[face]]) return draft;
    sheets.push(face);
  }
  if (sheets.length === 0) return draft;
  const indices = new Uint32Array(mesh.indices.length + 3 * sheets.length);
  indices.set(mesh.indices);
  sheets.forEach((face, i) => {
    const [a, b, c] = mesh.indices.subarray(3 * face, 3 * face + 3);
    indices.set([a, c, b], mesh.indices.length + 3 * i);
  });
  const faces = [...sources.keys(), ...sheets];
  return change(draft, { positions: mesh.positions, indices }, faces, { twoSidedFaces: sheets.length });
}

function orient(draft: Draft): Draft {
  const outward = findOutwardSurface(draft.mesh);
  const { mesh, flippedFaces } = outward.closed ? outward : orientFaces(draft.mesh);
  return flippedFaces === 0 ? draft : change(draft, mesh, null, { flippedFaces });
}

function fill(draft: Draft, maxEdges: number): Draft {
  const { mesh, filled } = fillHoles(draft.mesh, maxEdges);
  if (filled.addedFaces === 0) return draft;
  const faces = Array.from({ length: mesh.indices.length / 3 }, (_, face) => (face < draft.sources.length ? face : -1));
  return orient(change(draft, mesh, faces, { filledHoles: filled.holes, addedFaces: filled.addedFaces }));
}

/** The draft after a step. @param faces the old face of each new one, −1 for none; null where they are the same. */
function change(draft: Draft, mesh: Mesh, faces: ArrayLike<number> | null, counts: Partial<SoundChanges>): Draft {
  const changes: Record<string, number> = { ...draft.changes };
  for (const [name, count] of Object.entries(counts)) changes[name] += count;
  const sources =
    faces === null ? draft.sources : Int32Array.from(faces, (face) => (face < 0 ? -1 : draft.sources[face]));
  return { mesh, sources, twoSided: draft.twoSided, changes: changes as unknown as SoundChanges };
}

/** How sound a mesh is. */
interface Verdict {
  readonly closed: boolean;
  readonly volume: number | null;
  readonly openEdges: number;
  /** Edges whose faces disagree on their sides. */
  readonly unbalancedEdges: number;
}

function judge(mesh: Mesh): Verdict {
  const adjacency = buildAdjacency(mesh);
  const { boundaryEdges: openEdges, unbalancedEdges } = countEdgeKinds(adjacency);
  const { closed, outward } = findOutwardSurface(mesh, adjacency);
  const solid = closed && outward ? integrateSolid(mesh, measureArea(mesh)) : null;
  const isSolid = solid !== null && solid.volume > 0;
  return { closed: isSolid, volume: isSolid ? solid.volume : null, openEdges, unbalancedEdges };
}

function isBetter(a: Verdict, b: Verdict): boolean {
  if (a.closed !== b.closed) return a.closed;
  return a.openEdges + a.unbalancedEdges < b.openEdges + b.unbalancedEdges;
}

function finish(draft: Draft, givenVertices: number, reach: number, { closed, volume, openEdges }: Verdict): SoundMesh {
  const isUntouched = Object.values(draft.changes).every((count) => count === 0);
  const { mesh } = isUntouched ? draft : dropUnusedVertices(draft.mesh);
  // Vertices that were merged are gone too, but counted already.
  const droppedVertices = givenVertices - vertexCount(mesh) - draft.changes.weldedVertices;
  const changes = { ...draft.changes, droppedVertices };
  const tolerance = changes.weldedVertices + changes.closedCracks > 0 ? reach : 0;
  return { mesh, sourceFaces: draft.sources, changes, done: describe(changes), tolerance, closed, volume, openEdges };
}

function describe(changes: SoundChanges): string[] {
  const sentences: readonly (readonly [number, string])[] = [
    [changes.droppedDoubledFaces, 'Doubled faces dropped'],
    [changes.weldedVertices, 'Vertices welded'],
    [changes.droppedDegenerateFaces, 'Faces without area dropped'],
    [changes.closedCracks, 'Cracks closed at T-junctions'],
    [changes.twoSidedFaces, 'Faces of sheets kept with both sides'],
    [changes.flippedFaces, 'Faces turned'],
    [changes.filledHoles, 'Holes filled'],
    [changes.droppedVertices, 'Unused vertices dropped'],
  ];
  return sentences.filter(([count]) => count > 0).map(([count, what]) => `${what}: ${count}.`);
}

/** How far a vertex that was computed on an edge may be off it. */
export function roundingOf({ positions, indices }: Mesh): number {
  let largest = 0;
  for (const vertex of indices) {
    for (let i = 3 * vertex; i < 3 * vertex + 3; i++) largest = Math.max(largest, Math.abs(positions[i]));
  }
  return EDGE_ROUNDING * largest;
}

/** The number of edges up to which holes are filled; 0 for none. */
function readMaxEdges(asked: SoundOptions['fillHoles']): number {
  if (asked === undefined || asked === false) return 0;
  if (asked === true) return Infinity;
  const most: unknown = asked === null || typeof asked !== 'object' ? undefined : asked.maxEdges;
  if (typeof most === 'number' && most >= 3) return most;
  throw new NearfieldError(
    'bad-argument',
    `The fillHoles is ${nameValue(asked)}; give true, false or { maxEdges: a number from 3 }.`,
  );
}
