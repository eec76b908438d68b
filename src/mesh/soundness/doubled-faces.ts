// Faces on the same three vertices, as programs write them that draw each face front and back. One of each is kept; which
// of them had both sides is kept too, because a sheet may need both to close. O(vertices + triangles).
import { groupByKey } from '../../core/counting-sort.js';
import type { Mesh } from '../mesh.js';
import { buildAdjacency } from '../topology/adjacency.js';
import { findEqualVertices } from '../topology/coincident-vertices.js';
import { findComponents } from '../topology/components.js';
import { groupEqualFaces, runsUpward } from '../topology/duplicate-faces.js';
import { type DroppedFaces, keepFaces } from '../topology/keep-faces.js';

/** What {@link dropDoubledFaces} and {@link dropCopiedParts} return. */
export interface UndoubledFaces extends DroppedFaces {
  /** By face of the result: 1 where as many of its copies ran one way round as the other. */
  readonly twoSided: Uint8Array;
}

/** Keeps one of all faces on the same three vertices: the lowest one with the orientation of the majority. */
export function dropDoubledFaces(mesh: Mesh): UndoubledFaces {
  const { groupOfFace, lowestFace, balance, duplicateFaces } = groupEqualFaces(mesh);
  const faces = groupOfFace.length;
  if (duplicateFaces === 0) return keepAll(mesh);
  const keptOfGroup = lowestFace.slice();
  for (let face = faces - 1; face >= 0; face--) {
    const group = groupOfFace[face];
    if (group < 0 || balance[group] === 0) continue;
    if (runsUpward(mesh.indices, face) === balance[group] > 0) keptOfGroup[group] = face;
  }
  const kept: number[] = [];
  for (let face = 0; face < faces; face++) {
    if (groupOfFace[face] < 0 || keptOfGroup[groupOfFace[face]] === face) kept.push(face);
  }
  const twoSided = Uint8Array.from(kept, (face) =>
    groupOfFace[face] >= 0 && balance[groupOfFace[face]] === 0 ? 1 : 0,
  );
  return { ...keepFaces(mesh, kept), twoSided };
}

/**
 * Drops the connected parts whose every face lies on a face of one other part, with vertices of their own. Of two parts
 * that lie on each other the first is kept. Solids that touch share some faces, but not all of them with one other.
 */
export function dropCopiedParts(mesh: Mesh): UndoubledFaces {
  const place = findEqualVertices(mesh.positions);
  const placed = { positions: mesh.positions, indices: mesh.indices.map((vertex) => place[vertex]) };
  const { groupOfFace, count, balance, duplicateFaces } = groupEqualFaces(placed);
  if (duplicateFaces === 0) return keepAll(mesh);
  const { componentOfFace, count: partCount } = findComponents(mesh, buildAdjacency(mesh));
  if (partCount < 2) return keepAll(mesh);
  const groups = groupByKey(groupOfFace, count);
  const parts = groupByKey(componentOfFace, partCount);
  const sizeOf = (part: number): number => parts.start[part + 1] - parts.start[part];
  const isCopy = new Uint8Array(partCount);
  for (let part = 0; part < partCount; part++) {
    // The other parts that have a face on each face of this one so far.
    let others: Set<number> | null = null;
    for (let i = parts.start[part]; i < parts.start[part + 1] && others?.size !== 0; i++) {
      const here = new Set<number>();
      const group = groupOfFace[parts.items[i]];
      if (group >= 0) {
        for (let k = groups.start[group]; k < groups.start[group + 1]; k++) {
          const other = componentOfFace[groups.items[k]];
          if (other !== part && (others === null || others.has(other))) here.add(other);
        }
      }
      others = here;
    }
    for (const other of others ?? []) {
      if (sizeOf(other) > sizeOf(part) || (sizeOf(other) === sizeOf(part) && other < part)) isCopy[part] = 1;
    }
  }
  const kept: number[] = [];
  for (let face = 0; face < groupOfFace.length; face++) {
    if (componentOfFace[face] < 0 || !isCopy[componentOfFace[face]]) kept.push(face);
  }
  if (kept.length === groupOfFace.length) return keepAll(mesh);
  const twoSided = Uint8Array.from(kept, (face) => {
    const group = groupOfFace[face];
    return group >= 0 && balance[group] === 0 ? 1 : 0;
  });
  return { ...keepFaces(mesh, kept), twoSided };
}

function keepAll(mesh: Mesh): UndoubledFaces {
  const faces = mesh.indices.length / 3;
  const sourceFaces = Uint32Array.from({ length: faces }, (_, face) => face);
  return { mesh, droppedFaces: 0, sourceFaces, twoSided: new Uint8Array(faces) };
}
