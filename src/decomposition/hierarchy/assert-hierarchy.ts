// Checks that the arrays of a hierarchy are consistent: every id is in range and every walk along children, twins and
// faces ends, wherever the arrays come from. Convexity of the hulls is not checked. O(node faces).
import { NearfieldError } from '../../core/errors.js';
import { nextHalfEdge } from '../../mesh/topology/adjacency.js';
import { CONTAINED, FREE, type HierarchyParts, ORIGINAL } from './hierarchy.js';

/** @throws NearfieldError `file-format` at the first inconsistency. */
export function assertHierarchy(parts: HierarchyParts): void {
  assertRecords(parts);
  assertTree(parts);
  assertNodeFaces(parts);
}

function assertRecords({ mesh, faceVertices, faceClasses, faceSources }: HierarchyParts): void {
  const vertices = mesh.positions.length / 3;
  const triangles = mesh.indices.length / 3;
  for (let record = 0; record < faceClasses.length; record++) {
    const a = faceVertices[3 * record];
    const b = faceVertices[3 * record + 1];
    const c = faceVertices[3 * record + 2];
    if (a >= vertices || b >= vertices || c >= vertices) refuse(`face record ${record} names a vertex beyond the last`);
    if (a === b || b === c || c === a) refuse(`face record ${record} names a vertex twice`);
    const source = faceSources[record];
    if (faceClasses[record] === ORIGINAL) {
      if (source < 0 || source >= triangles) refuse(`face record ${record} names no face of the mesh`);
      let k = 0;
      while (k < 2 && mesh.indices[3 * source + k] !== a) k++;
      const isSame =
        mesh.indices[3 * source + k] === a &&
        mesh.indices[3 * source + ((k + 1) % 3)] === b &&
        mesh.indices[3 * source + ((k + 2) % 3)] === c;
      if (!isSame) refuse(`face record ${record} is not face ${source} of the mesh`);
    } else if ((faceClasses[record] !== CONTAINED && faceClasses[record] !== FREE) || source !== -1) {
      refuse(`face record ${record} has the class ${faceClasses[record]} and the source ${source}`);
    }
  }
}

/** Nodes are in preorder: the first child follows its parent, the second follows the last node below the first. */
function assertTree({ children, nodePieces, flatNodes }: HierarchyParts): void {
  const nodes = nodePieces.length;
  if (nodes % 2 === 0) refuse(`there are ${nodes} nodes, not an odd number`);
  const pieceSeen = new Uint8Array((nodes + 1) / 2);
  const seen = new Uint8Array(nodes);
  for (let node = 0; node < nodes; node++) {
    const first = children[2 * node];
    const second = children[2 * node + 1];
    const piece = nodePieces[node];
    if (flatNodes[node] > 1) refuse(`node ${node} has an invalid flag for flatness`);
    if (node > 0 && !seen[node]) refuse(`node ${node} has no parent`);
    if (first === -1 && second === -1) {
      if (piece < 0 || piece >= pieceSeen.length || pieceSeen[piece]) refuse(`leaf ${node} has the piece ${piece}`);
      pieceSeen[piece] = 1;
    } else {
      if (piece !== -1) refuse(`node ${node} has children and a piece`);
      if (first !== node + 1 || second <= first || second >= nodes || seen[first] || seen[second]) {
        refuse(`node ${node} has the children ${first} and ${second}`);
      }
      seen[first] = seen[second] = 1;
    }
  }
}

function assertNodeFaces({ nodePieces, faceStart, nodeFaces, twins, faceVertices, faceClasses }: HierarchyParts): void {
  const nodes = nodePieces.length;
  if (faceStart[0] !== 0 || faceStart[nodes] !== nodeFaces.length) refuse('the nodes do not have all faces');
  const cornerOf = (h: number) => faceVertices[3 * nodeFaces[(h / 3) | 0] + (h % 3)];
  for (let node = 0; node < nodes; node++) {
    if (faceStart[node + 1] < faceStart[node] + 2) refuse(`node ${node} has fewer than two faces`);
  }
  for (let face = 0; face < nodeFaces.length; face++) {
    if (nodeFaces[face] >= faceClasses.length) refuse(`node face ${face} has a record beyond the last`);
  }
  for (let node = 0; node < nodes; node++) {
    const end = 3 * faceStart[node + 1];
    for (let h = 3 * faceStart[node]; h < end; h++) {
      const twin = twins[h];
      if (twin < 3 * faceStart[node] || twin >= end || twins[twin] !== h) refuse(`half-edge ${h} has no proper twin`);
      if (cornerOf(twin) !== cornerOf(nextHalfEdge(h))) refuse(`half-edge ${h} does not run along its twin`);
    }
  }
}

function refuse(what: string): never {
  throw new NearfieldError('file-format', `This is not a valid hierarchy of hulls: ${what}. Build and save it again.`);
}
