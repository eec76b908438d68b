// An elastic body as contact sees it: its surface, the area each node stands for, distances of nodes from the surface, and a
// hierarchy over its elements that is fitted to where they are.
import { NearfieldError } from '../../core/errors.js';
import { buildBvh } from '../../spatial/build-bvh.js';
import type { Bvh } from '../../spatial/bvh.js';
import { refitBvh } from '../../spatial/refit-bvh.js';
import { buildPattern } from '../sparse/block-matrix.js';
import { findSurface, sixVolumes, surfaceMesh, type TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import { exactDistances, marchedDistances } from './rest-distances.js';
import { findSurfaceEdges, meanLength, type SurfaceEdges, vertexAreas } from './surface-edges.js';

/** How a body takes part in contact. */
export interface ContactConstants {
  /** Pa/m: the pressure of contact for each meter of overlap, halved. */
  readonly stiffness: number;
  readonly friction: number;
  readonly selfCollision: boolean;
  /** How distances of nodes from the surface are found. */
  readonly distances: 'exact' | 'fast-marching';
}

/** Nodes outside by less than this share of the mean edge are watched: they may enter in a step of the solver. */
const REACH = 0.25;

export class ContactBody {
  readonly mesh: TetrahedralMesh;
  readonly constants: ContactConstants;
  /** The number of node 0 among those of all bodies. */
  firstNode: number;
  /** Faces, counter-clockwise from outside. */
  readonly faces: Uint32Array;
  readonly surfaceNodes: Uint32Array;
  /** A third of the faces around each node, at rest; 0 inside. */
  readonly areas: Float64Array;
  readonly edges: SurfaceEdges;
  /** Edges that stick out, by number, and the same as flags. */
  readonly sharpEdges: Uint32Array;
  readonly isSharp: Uint8Array;
  /** Distance of each node from the surface; 0 on it. */
  readonly depths: Float64Array;
  /** The mean length of the edges of the surface, at rest. */
  readonly size: number;
  readonly reach: number;
  /** Six volumes of each element, at rest. */
  readonly sixVolumes: Float64Array;
  /** Nodes that share an element with node i: `ringNodes` from `ringStart[i]` on, itself included. */
  readonly ringStart: Int32Array;
  readonly ringNodes: Int32Array;
  readonly tree: Bvh;
  readonly #boxes: Float64Array;
  /** 1 for elements with a face on the surface. */
  readonly isOuter: Uint8Array;
  #edgeTree: Bvh | null = null;
  readonly #edgeBoxes: Float64Array;
  #edgesFitted = false;
  #x: Float64Array = new Float64Array(0);

  constructor(mesh: TetrahedralMesh, constants: ContactConstants, firstNode = 0) {
    this.mesh = mesh;
    this.constants = constants;
    this.firstNode = firstNode;
    const surface = findSurface(mesh);
    this.faces = surface.faces;
    this.areas = vertexAreas(mesh.positions, surface.faces);
    const { mesh: skin, nodes } = surfaceMesh(mesh);
    this.surfaceNodes = nodes;
    this.depths = restDepths(mesh, skin, nodes, constants.distances);
    const { all, isSharp } = findSurfaceEdges(mesh.positions, surface.faces);
    this.edges = all;
    this.isSharp = isSharp;
    this.sharpEdges = Uint32Array.from(isSharp.keys()).filter((e) => isSharp[e] === 1);
    this.#edgeBoxes = new Float64Array(6 * isSharp.length);
    this.size = meanLength(mesh.positions, all.vertices);
    this.reach = REACH * this.size;
    const { elements, positions } = mesh;
    this.sixVolumes = new Float64Array(elements.length / 4);
    for (let e = 0; e < this.sixVolumes.length; e++) {
      const [a, b, c, d] = elements.subarray(4 * e, 4 * e + 4);
      this.sixVolumes[e] = sixVolumes(positions, a, b, c, d);
    }
    this.isOuter = new Uint8Array(this.sixVolumes.length);
    for (const e of surface.elements) this.isOuter[e] = 1;
    const pattern = buildPattern(mesh);
    this.ringStart = pattern.rowStart;
    this.ringNodes = pattern.columns;
    this.#boxes = new Float64Array(6 * this.sixVolumes.length);
    this.#writeBoxes(positions, 0);
    this.tree = buildBvh(this.#boxes, { leafSize: 4 });
  }

  /** The box of all elements, wider by the reach: the first six numbers of the hierarchy. */
  get box(): Float64Array {
    return this.tree.nodeBoxes;
  }

  /** Fits the hierarchy to where the nodes are. */
  fit(x: Float64Array): void {
    this.#x = x;
    this.#edgesFitted = false;
    this.#writeBoxes(x, 3 * this.firstNode);
    refitBvh(this.tree, this.#boxes);
  }

  /** A hierarchy over the edges of the surface, fitted when first asked for after {@link fit}. */
  edgeTree(): Bvh {
    if (this.#edgesFitted && this.#edgeTree !== null) return this.#edgeTree;
    const { vertices } = this.edges;
    const x = this.#x;
    const boxes = this.#edgeBoxes;
    for (let e = 0; e < this.isSharp.length; e++) {
      const a = 3 * (this.firstNode + vertices[2 * e]);
      const b = 3 * (this.firstNode + vertices[2 * e + 1]);
      for (let k = 0; k < 3; k++) {
        boxes[6 * e + k] = Math.min(x[a + k], x[b + k]);
        boxes[6 * e + 3 + k] = Math.max(x[a + k], x[b + k]);
      }
    }
    if (this.#edgeTree === null) this.#edgeTree = buildBvh(boxes);
    else refitBvh(this.#edgeTree, boxes);
    this.#edgesFitted = true;
    return this.#edgeTree;
  }

  /** Boxes of elements; of those at the surface wider by the reach. */
  #writeBoxes(x: Float64Array, offset: number): void {
    const { elements } = this.mesh;
    const boxes = this.#boxes;
    for (let e = 0; e < this.sixVolumes.length; e++) {
      const a = offset + 3 * elements[4 * e];
      const b = offset + 3 * elements[4 * e + 1];
      const c = offset + 3 * elements[4 * e + 2];
      const d = offset + 3 * elements[4 * e + 3];
      const margin = this.isOuter[e] === 1 ? this.reach : 0;
      for (let k = 0; k < 3; k++) {
        const [p, q, r, s] = [x[a + k], x[b + k], x[c + k], x[d + k]];
        const low = p < q ? p : q;
        const high = p < q ? q : p;
        const low2 = r < s ? r : s;
        const high2 = r < s ? s : r;
        boxes[6 * e + k] = (low < low2 ? low : low2) - margin;
        boxes[6 * e + 3 + k] = (high > high2 ? high : high2) + margin;
      }
    }
  }
}

function restDepths(
  mesh: TetrahedralMesh,
  skin: ReturnType<typeof surfaceMesh>['mesh'],
  surfaceNodes: Uint32Array,
  distances: ContactConstants['distances'],
): Float64Array {
  const count = mesh.positions.length / 3;
  const isOuter = new Uint8Array(count);
  for (const node of surfaceNodes) isOuter[node] = 1;
  const inner = Uint32Array.from({ length: count }, (_, node) => node).filter((node) => isOuter[node] === 0);
  for (let e = 0; e < mesh.elements.length; e += 4) {
    if (mesh.elements.subarray(e, e + 4).some((node) => isOuter[node] === 0)) continue;
    throw new NearfieldError(
      'bad-argument',
      `All nodes of element ${e / 4} lie on the surface, so that contact would feel nothing in it; pass the mesh through splitSurfaceElements.`,
    );
  }
  const find = distances === 'exact' ? exactDistances : marchedDistances;
  const found = find(skin, mesh.positions, inner);
  const depths = new Float64Array(count);
  inner.forEach((node, i) => {
    depths[node] = found[i];
  });
  return depths;
}
