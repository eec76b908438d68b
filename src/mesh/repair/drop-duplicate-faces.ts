// Of faces on the same three vertices keeps one, or drops all where they cancel. O(vertices + triangles).

import { DisjointSets } from '../../core/disjoint-sets.js';
import { assertMesh, type Mesh } from '../mesh.js';
import { buildAdjacencyById } from '../topology/adjacency.js';
import { type FaceGroups, groupEqualFaces, runsUpward } from '../topology/duplicate-faces.js';
import { type DroppedFaces, keepFaces } from '../topology/keep-faces.js';

/**
 * Keeps one of all faces on the same three vertices: the lowest one with the orientation of the majority.
 *
 * Where both orientations are equally frequent, they cancel: these faces form an inner wall or a fin of zero thickness.
 * All of them are dropped where the rest of the mesh is whole without them (an even number of other faces at each of
 * their edges), so solids stay closed. Otherwise one is kept: a sheet given with both sides becomes a single sheet.
 * Faces that name a vertex twice are kept: `dropDegenerateFaces` removes them.
 */
export function dropDuplicateFaces(mesh: Mesh): DroppedFaces {
  assertMesh(mesh);
  const groups = groupEqualFaces(mesh);
  const { groupOfFace, lowestFace, balance } = groups;
  const dropped = groups.duplicateFaces > 0 ? findNeedlessGroups(mesh, groups) : new Uint8Array(groups.count);
  const keptOfGroup = lowestFace.slice();
  const { indices } = mesh;
  for (let face = groupOfFace.length - 1; face >= 0; face--) {
    const group = groupOfFace[face];
    if (group < 0 || balance[group] === 0) continue;
    if (runsUpward(indices, face) === balance[group] > 0) keptOfGroup[group] = face;
  }
  const kept: number[] = [];
  for (let face = 0; face < groupOfFace.length; face++) {
    const group = groupOfFace[face];
    if (group < 0 || (keptOfGroup[group] === face && !dropped[group])) kept.push(face);
  }
  return keepFaces(mesh, kept);
}

/** 1 for the groups that cancel and that the rest of the mesh does not need. */
function findNeedlessGroups(mesh: Mesh, groups: FaceGroups): Uint8Array {
  const { groupOfFace, balance } = groups;
  const needless = new Uint8Array(groups.count);
  if (!balance.includes(0)) return needless;
  const { edgeCount, edgeStart, edgeHalfEdges } = buildAdjacencyById(mesh);
  // Groups that cancel, joined into regions across shared edges.
  const regions = new DisjointSets(groups.count);
  const attached = new Uint8Array(groups.count);
  const torn = new Uint8Array(groups.count);
  const forEachRegionEdge = (visit: (canceling: readonly number[], others: number) => void): void => {
    for (let e = 0; e < edgeCount; e++) {
      if (edgeStart[e + 1] - edgeStart[e] < 2) continue;
      const here = new Set<number>();
      for (let i = edgeStart[e]; i < edgeStart[e + 1]; i++) here.add(groupOfFace[Math.floor(edgeHalfEdges[i] / 3)]);
      const canceling = [...here].filter((group) => balance[group] === 0);
      if (canceling.length > 0) visit(canceling, here.size - canceling.length);
    }
  };
  forEachRegionEdge((canceling) => {
    for (const group of canceling) regions.unite(canceling[0], group);
  });
  forEachRegionEdge((canceling, others) => {
    const region = regions.find(canceling[0]);
    if (others % 2 === 1) torn[region] = 1;
    else if (others > 0) attached[region] = 1;
  });
  for (let group = 0; group < groups.count; group++) {
    const region = regions.find(group);
    needless[group] = balance[group] === 0 && attached[region] && !torn[region] ? 1 : 0;
  }
  return needless;
}
