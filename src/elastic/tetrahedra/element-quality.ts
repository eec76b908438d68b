// How well shaped tetrahedra are: their dihedral angles. Small ones make a stiffness matrix ill-conditioned, those near
// 180° spoil the strain (Shewchuk 2002).
import { assertElementArrays, sixVolumes, type TetrahedralMesh } from './tetrahedral-mesh.js';

/**
 * The six edges of an element as pairs of corners; the faces that meet at an edge are opposite to the other two
 * corners.
 */
const EDGES: readonly (readonly [number, number, number, number])[] = [
  [0, 1, 2, 3],
  [0, 2, 1, 3],
  [0, 3, 1, 2],
  [1, 2, 0, 3],
  [1, 3, 0, 2],
  [2, 3, 0, 1],
];

/** Chosen: sines of obtuse angles count this much, because an angle of 170° is worse than one of 10°. */
const OBTUSE = 0.7;

/** Measures one element at a time, without allocation. */
export class ElementQuality {
  /** Inward normals of the four faces, of twice the face's area. */
  readonly #normals = new Float64Array(12);

  /**
   * The smallest sine of a dihedral angle, obtuse ones weighted by {@link OBTUSE}; 0 or less for a flat or inverted
   * element. The regular tetrahedron has the largest, 0.943.
   */
  measure(p: ArrayLike<number>, a: number, b: number, c: number, d: number): number {
    const volume = this.#prepare(p, a, b, c, d);
    if (!(volume > 0)) return volume < 0 ? -1 : 0;
    let least = Infinity;
    for (let edge = 0; edge < 6; edge++) {
      const cosine = this.#cosine(edge);
      const sine = Math.sqrt(Math.max(0, 1 - cosine * cosine));
      least = Math.min(least, cosine < 0 ? OBTUSE * sine : sine);
    }
    return least;
  }

  /** The six dihedral angles of an element, in radians. */
  writeAngles(p: ArrayLike<number>, a: number, b: number, c: number, d: number, out: Float64Array): void {
    this.#prepare(p, a, b, c, d);
    for (let edge = 0; edge < 6; edge++) out[edge] = Math.acos(Math.max(-1, Math.min(1, this.#cosine(edge))));
  }

  /** Cosine of the angle inside the element between the faces at an edge. */
  #cosine(edge: number): number {
    const n = this.#normals;
    const f = 3 * EDGES[edge][2];
    const g = 3 * EDGES[edge][3];
    const product = n[f] * n[g] + n[f + 1] * n[g + 1] + n[f + 2] * n[g + 2];
    const squares =
      (n[f] * n[f] + n[f + 1] * n[f + 1] + n[f + 2] * n[f + 2]) *
      (n[g] * n[g] + n[g + 1] * n[g + 1] + n[g + 2] * n[g + 2]);
    return -product / Math.sqrt(squares);
  }

  /** Computes the normals; returns six times the volume. */
  #prepare(p: ArrayLike<number>, a: number, b: number, c: number, d: number): number {
    const n = this.#normals;
    const ux = p[3 * b] - p[3 * a];
    const uy = p[3 * b + 1] - p[3 * a + 1];
    const uz = p[3 * b + 2] - p[3 * a + 2];
    const vx = p[3 * c] - p[3 * a];
    const vy = p[3 * c + 1] - p[3 * a + 1];
    const vz = p[3 * c + 2] - p[3 * a + 2];
    const wx = p[3 * d] - p[3 * a];
    const wy = p[3 * d + 1] - p[3 * a + 1];
    const wz = p[3 * d + 2] - p[3 * a + 2];
    // Gradients of the barycentric coordinates of b, c and d times six volumes point inward; that of a closes the sum.
    n[3] = vy * wz - vz * wy;
    n[4] = vz * wx - vx * wz;
    n[5] = vx * wy - vy * wx;
    n[6] = wy * uz - wz * uy;
    n[7] = wz * ux - wx * uz;
    n[8] = wx * uy - wy * ux;
    n[9] = uy * vz - uz * vy;
    n[10] = uz * vx - ux * vz;
    n[11] = ux * vy - uy * vx;
    for (let i = 0; i < 3; i++) n[i] = -n[3 + i] - n[6 + i] - n[9 + i];
    return ux * n[3] + uy * n[4] + uz * n[5];
  }
}

/** What {@link measureElements} finds. */
export interface ElementReport {
  readonly nodes: number;
  readonly elements: number;
  /** Sum of the volumes. */
  readonly volume: number;
  /** The smallest and the largest volume of an element. */
  readonly volumes: { readonly min: number; readonly max: number };
  /** The smallest and the largest dihedral angle, in radians. */
  readonly dihedralAngles: { readonly min: number; readonly max: number };
  /** Elements with a volume of 0 or less. */
  readonly inverted: number;
}

/** Counts, volumes and dihedral angles of a mesh of tetrahedra. */
export function measureElements(mesh: TetrahedralMesh): ElementReport {
  assertElementArrays(mesh);
  const { positions, elements } = mesh;
  const quality = new ElementQuality();
  const angles = new Float64Array(6);
  let volume = 0;
  let [smallest, largest, min, max, inverted] = [Infinity, -Infinity, Infinity, 0, 0];
  for (let e = 0; e < elements.length; e += 4) {
    const [a, b, c, d] = elements.subarray(e, e + 4);
    const own = sixVolumes(positions, a, b, c, d) / 6;
    volume += own;
    smallest = Math.min(smallest, own);
    largest = Math.max(largest, own);
    if (!(own > 0)) inverted++;
    quality.writeAngles(positions, a, b, c, d, angles);
    for (let i = 0; i < 6; i++) {
      min = Math.min(min, angles[i]);
      max = Math.max(max, angles[i]);
    }
  }
  return {
    nodes: positions.length / 3,
    elements: elements.length / 4,
    volume,
    volumes: { min: smallest, max: largest },
    dihedralAngles: { min, max },
    inverted,
  };
}
