// An elastic body as contact sees it: its surface, the area each node stands for, distances of nodes from the surface, and a
// hierarchy over its elements that is fitted to where they are.
import type { Bvh } from '../../spatial/bvh.js';
import { buildPattern } from '../sparse/block-matrix.js';
import { findSurface, sixVolumes, surfaceMesh, type TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import { BodyClusters, type Lists, toLists } from './body-clusters.js';
import { exactDistances, marchedDistances } from './rest-distances.js';
import { findSurfaceEdges, meanLength, type SurfaceEdges, vertexAreas } from './surface-edges.js';

/** How a body takes part in contact. */
export interface ContactConstants {
  /** Pa/m: the pressure of contact for each meter of overlap, halved. */
  readonly stiffness: number;
  readonly friction: number;
  readonly selfCollision: boolean;
  /** How distances of nodes from the surface are found; not at all for contact that does not need them. */
  readonly distances: 'exact' | 'fast-marching' | 'none';
}

/**
 * Chosen: nodes outside by less than this share of the mean edge are watched, because they may enter in a step of the
 * solver.
 */
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
  /**
   * Distance of the middle of elements whose four nodes all lie on the surface, where interpolation knows nothing; 0
   * for others.
   */
  readonly middleDepths: Float64Array;
  /** The mean length of the edges of the surface, at rest. */
  readonly size: number;
  readonly reach: number;
  /** Six volumes of each element, at rest. */
  readonly sixVolumes: Float64Array;
  /** Nodes that share an element with node i: `ringNodes` from `ringStart[i]` on, itself included. */
  readonly ringStart: Int32Array;
  readonly ringNodes: Int32Array;
  /** 1 for elements with a face on the surface. */
  readonly isOuter: Uint8Array;
  readonly clusters: BodyClusters;
  /** Nodes, edges and sharp edges of the surface by cluster. */
  readonly clusterNodes: Lists;
  readonly clusterEdges: Lists;
  readonly clusterSharpEdges: Lists;

  constructor(mesh: TetrahedralMesh, constants: ContactConstants, firstNode = 0) {
    this.mesh = mesh;
    this.constants = constants;
    this.firstNode = firstNode;
    const surface = findSurface(mesh);
    this.faces = surface.faces;
    this.areas = vertexAreas(mesh.positions, surface.faces);
    const { mesh: skin, nodes } = surfaceMesh(mesh);
    this.surfaceNodes = nodes;
    const { depths, middleDepths } = restDepths(mesh, skin, nodes, constants.distances);
    this.depths = depths;
    this.middleDepths = middleDepths;
    const { all, isSharp } = findSurfaceEdges(mesh.positions, surface.faces);
    this.edges = all;
    this.isSharp = isSharp;
    this.sharpEdges = Uint32Array.from(isSharp.keys()).filter((e) => isSharp[e] === 1);
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
    const margins = Float64Array.from(this.isOuter, (isOuter) => isOuter * this.reach);
    const clusters = new BodyClusters(positions, elements, margins, this.reach);
    this.clusters = clusters;
    // A node or an edge is in the box of any cluster that has an element around it.
    const home = new Int32Array(positions.length / 3);
    for (let k = 0; k < elements.length; k++) home[elements[k]] = clusters.ofElement[k >> 2];
    const edgeHome = edgeClusters(mesh, surface, all.vertices, clusters);
    const by = (items: Iterable<number>, of: (item: number) => number): Lists => {
      const lists: number[][] = Array.from({ length: clusters.count }, () => []);
      for (const item of items) lists[of(item)].push(item);
      return toLists(lists);
    };
    this.clusterNodes = by(nodes, (node) => home[node]);
    this.clusterEdges = by(isSharp.keys(), (e) => edgeHome[e]);
    this.clusterSharpEdges = by(this.sharpEdges, (e) => edgeHome[e]);
  }

  /** A hierarchy over the elements. Below clusters its boxes are those of an earlier time, until these are opened. */
  get tree(): Bvh {
    return this.clusters.tree;
  }

  /** A box around all elements, wider by the reach: the first six numbers of the hierarchy. */
  get box(): Float64Array {
    return this.tree.nodeBoxes;
  }

  /** Fits the clusters to where the nodes are. */
  fit(x: Float64Array): void {
    this.clusters.fit(x, 3 * this.firstNode);
  }
}

/** A cluster with an element that has each edge. */
function edgeClusters(
  { elements }: TetrahedralMesh,
  surface: ReturnType<typeof findSurface>,
  vertices: Uint32Array,
  { ofElement }: BodyClusters,
): Int32Array {
  const key = (a: number, b: number): number => Math.min(a, b) * 2 ** 26 + Math.max(a, b);
  const clusters = new Map<number, number>();
  for (const e of surface.elements) {
    for (let i = 4 * e; i < 4 * e + 4; i++) {
      for (let j = i + 1; j < 4 * e + 4; j++) clusters.set(key(elements[i], elements[j]), ofElement[e]);
    }
  }
  return Int32Array.from({ length: vertices.length / 2 }, (_, e) => {
    return clusters.get(key(vertices[2 * e], vertices[2 * e + 1])) ?? 0;
  });
}

/** Writes what a contact in an element interpolates: the depths of its nodes, for barycentric coordinates u. */
export function writeDepths(
  { mesh, depths, middleDepths }: ContactBody,
  element: number,
  u: Float64Array,
  out: Float64Array,
  at: number,
): void {
  for (let k = 0; k < 4; k++) out[at + k] = depths[mesh.elements[4 * element + k]];
  if (middleDepths[element] === 0) return;
  // Linear in the four parts around the middle: in that of face k the depth is 4 u_k times that of the middle.
  out[at + leastOf(u)] = 4 * middleDepths[element];
}

/** Which of four barycentric coordinates is the least. */
export function leastOf(u: Float64Array): number {
  let least = 0;
  for (let k = 1; k < 4; k++) if (u[k] < u[least]) least = k;
  return least;
}

function restDepths(
  mesh: TetrahedralMesh,
  skin: ReturnType<typeof surfaceMesh>['mesh'],
  surfaceNodes: Uint32Array,
  distances: ContactConstants['distances'],
): { depths: Float64Array; middleDepths: Float64Array } {
  const { positions, elements } = mesh;
  const count = positions.length / 3;
  if (distances === 'none') {
    return { depths: new Float64Array(count), middleDepths: new Float64Array(elements.length / 4) };
  }
  const isOuter = new Uint8Array(count);
  for (const node of surfaceNodes) isOuter[node] = 1;
  const inner = Uint32Array.from({ length: count }, (_, node) => node).filter((node) => isOuter[node] === 0);
  const flat: number[] = [];
  const points = Array.from(positions);
  for (let e = 0; e < elements.length / 4; e++) {
    const nodes = elements.subarray(4 * e, 4 * e + 4);
    if (nodes.some((node) => isOuter[node] === 0)) continue;
    flat.push(e);
    for (let k = 0; k < 3; k++) points.push(nodes.reduce((sum, node) => sum + positions[3 * node + k], 0) / 4);
  }
  const find = distances === 'exact' ? exactDistances : marchedDistances;
  const asked = Uint32Array.from([...inner, ...flat.map((_, i) => count + i)]);
  const found = find(skin, Float64Array.from(points), asked);
  const depths = new Float64Array(count);
  inner.forEach((node, i) => {
    depths[node] = found[i];
  });
  const middleDepths = new Float64Array(elements.length / 4);
  flat.forEach((element, i) => {
    middleDepths[element] = found[inner.length + i];
  });
  return { depths, middleDepths };
}
