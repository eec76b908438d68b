// Shape functions of tetrahedra with 4 or 10 nodes: at each integration point, the gradients in the rest shape and the
// volume it stands for. Quadratic elements have straight edges at rest, a node in the middle of each, and four points.
import { sixVolumes, type TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';

/** The kinds of elements by name. */
export const ELEMENTS = ['linear', 'quadratic'] as const;

/** One of `ELEMENTS`. */
export type ElementName = (typeof ELEMENTS)[number];

export interface ElementShapes {
  readonly nodesPerElement: number;
  readonly pointsPerElement: number;
  /**
   * Nodes of the elements. The mesh's own come first; quadratic elements add those of {@link edges}, in their order.
   */
  readonly elements: Uint32Array;
  /** Rest positions of all nodes. */
  readonly rest: Float64Array;
  /** The two corners of each node in the middle of an edge. */
  readonly edges: Uint32Array;
  /** Of each integration point: the rest volume it stands for, times the share of material. */
  readonly volumes: Float64Array;
  /** Of each integration point: the gradients of all shape functions, three numbers each. */
  readonly gradients: Float64Array;
  /** The integrals of products of two shape functions over an element of volume 1, and those of a lumped mass. */
  readonly massShares: Float64Array;
  readonly lumpedShares: Float64Array;
}

/** Corners of the edges of an element. */
const EDGES = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
  [2, 3],
];

/**
 * Proven: the three small barycentric coordinates of each of four points that integrate quadratic functions exactly.
 */
const SMALL = (5 - Math.sqrt(5)) / 20;

/** Proven: the large coordinate of those points; the four sum to 1. */
const LARGE = 1 - 3 * SMALL;

export function buildShapes(mesh: TetrahedralMesh, fill: Float64Array | null, kind: ElementName): ElementShapes {
  return kind === 'linear' ? buildLinear(mesh, fill) : buildQuadratic(mesh, fill);
}

function buildLinear({ positions: p, elements }: TetrahedralMesh, fill: Float64Array | null): ElementShapes {
  const count = elements.length / 4;
  const volumes = new Float64Array(count);
  const gradients = new Float64Array(12 * count);
  for (let e = 0; e < count; e++) {
    const [a, b, c, d] = [elements[4 * e], elements[4 * e + 1], elements[4 * e + 2], elements[4 * e + 3]];
    const six = sixVolumes(p, a, b, c, d);
    volumes[e] = (six / 6) * (fill === null ? 1 : fill[e]);
    const nodes = [b, c, d];
    for (let i = 0; i < 3; i++) {
      // Across the face of the other two, over six volumes: rows of A⁻¹.
      const [q, r] = [nodes[(i + 1) % 3], nodes[(i + 2) % 3]];
      const [ux, uy, uz] = [p[3 * q] - p[3 * a], p[3 * q + 1] - p[3 * a + 1], p[3 * q + 2] - p[3 * a + 2]];
      const [vx, vy, vz] = [p[3 * r] - p[3 * a], p[3 * r + 1] - p[3 * a + 1], p[3 * r + 2] - p[3 * a + 2]];
      const at = 12 * e + 3 * (i + 1);
      gradients[at] = (uy * vz - uz * vy) / six;
      gradients[at + 1] = (uz * vx - ux * vz) / six;
      gradients[at + 2] = (ux * vy - uy * vx) / six;
      for (let axis = 0; axis < 3; axis++) gradients[12 * e + axis] -= gradients[at + axis];
    }
  }
  return {
    ...{ nodesPerElement: 4, pointsPerElement: 1, elements, rest: p, edges: new Uint32Array(0), volumes, gradients },
    massShares: Float64Array.from({ length: 16 }, (_, k) => (k % 5 === 0 ? 0.1 : 0.05)),
    lumpedShares: new Float64Array(4).fill(0.25),
  };
}

function buildQuadratic(mesh: TetrahedralMesh, fill: Float64Array | null): ElementShapes {
  const linear = buildLinear(mesh, fill);
  const corners = mesh.positions.length / 3;
  const count = linear.volumes.length;
  const known = new Map<number, number>();
  const edges: number[] = [];
  const elements = new Uint32Array(10 * count);
  for (let e = 0; e < count; e++) {
    for (let i = 0; i < 4; i++) elements[10 * e + i] = mesh.elements[4 * e + i];
    EDGES.forEach(([i, j], k) => {
      const [a, b] = [mesh.elements[4 * e + i], mesh.elements[4 * e + j]];
      const key = Math.min(a, b) * corners + Math.max(a, b);
      let node = known.get(key);
      if (node === undefined) {
        node = corners + edges.length / 2;
        known.set(key, node);
        edges.push(a, b);
      }
      elements[10 * e + 4 + k] = node;
    });
  }
  const rest = new Float64Array(3 * corners + 1.5 * edges.length);
  rest.set(mesh.positions);
  for (let k = 0; k < edges.length; k += 2) {
    for (let axis = 0; axis < 3; axis++) {
      const middle = (mesh.positions[3 * edges[k] + axis] + mesh.positions[3 * edges[k + 1] + axis]) / 2;
      rest[3 * corners + 1.5 * k + axis] = middle;
    }
  }
  const volumes = new Float64Array(4 * count);
  const gradients = new Float64Array(120 * count);
  for (let e = 0; e < count; e++) {
    for (let point = 0; point < 4; point++) {
      volumes[4 * e + point] = linear.volumes[e] / 4;
      const at = 30 * (4 * e + point);
      for (let axis = 0; axis < 3; axis++) {
        const of = (i: number) => linear.gradients[12 * e + 3 * i + axis];
        const share = (i: number) => (i === point ? LARGE : SMALL);
        for (let i = 0; i < 4; i++) gradients[at + 3 * i + axis] = (4 * share(i) - 1) * of(i);
        EDGES.forEach(([i, j], k) => {
          gradients[at + 3 * (4 + k) + axis] = 4 * (share(i) * of(j) + share(j) * of(i));
        });
      }
    }
  }
  return {
    ...{ nodesPerElement: 10, pointsPerElement: 4, elements, rest, edges: Uint32Array.from(edges), volumes, gradients },
    massShares: quadraticMass(),
    // In proportion to the diagonal of the consistent matrix (Hinton, Rock and Zienkiewicz 1976): all are positive.
    lumpedShares: Float64Array.from({ length: 10 }, (_, i) => (i < 4 ? 1 / 36 : 4 / 27)),
  };
}

/** Integrals over a unit volume; by ∫ λ₀ᵃ λ₁ᵇ λ₂ᶜ λ₃ᵈ = 6 a! b! c! d! / (a + b + c + d + 3)!. */
function quadraticMass(): Float64Array {
  const shares = new Float64Array(100);
  const corners = (node: number): number[] => (node < 4 ? [node, node] : EDGES[node - 4]);
  for (let a = 0; a < 10; a++) {
    for (let b = 0; b < 10; b++) {
      const [p, q] = [corners(a), corners(b)];
      const common = p.filter((corner) => q.includes(corner)).length;
      let value: number;
      if (a < 4 && b < 4) value = a === b ? 6 : 1;
      else if (a < 4 || b < 4) value = common > 0 ? -4 : -6;
      else value = a === b ? 32 : common > 0 ? 16 : 8;
      shares[10 * a + b] = value / 420;
    }
  }
  return shares;
}
