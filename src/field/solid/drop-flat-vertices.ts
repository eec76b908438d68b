// Removes vertices in flat regions and along straight edges of a closed surface: a vertex is merged into a neighbor if
// all faces that remain keep their normals (half-edge collapse with the link condition; Schroeder et al. 1992). Flat
// parts of a solid then have few faces, and later steps are faster. Crossings are undone: exact tests decide.
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { findSelfIntersections } from '../../mesh/report/self-intersections.js';
import { CornerLists } from '../isosurface/corner-lists.js';
import { faceNormal, heightRatio } from './face-shape.js';
import { SurfaceShells } from './surface-shells.js';

/** Chosen: the squared sine of the largest turn of a face: 0.4 degrees. */
const TURN_SQUARED = 5e-5;
/** Chosen: a face with a smaller ratio of height to longest side is not made. */
const MIN_HEIGHT = 0.02;
/** Chosen: passes over all vertices; each merges up to a third of those of a flat region. */
const MAX_PASSES = 24;
/** Chosen: attempts with the vertices near crossings kept; after these the mesh stays as it was. */
const MAX_ATTEMPTS = 6;

/** `mesh`: closed, manifold and without self-intersections; so is the result. */
export function dropFlatVertices(mesh: Mesh, progress: ProgressOptions): Mesh {
  const isLocked = new Uint8Array(mesh.positions.length / 3);
  const shells = new SurfaceShells(mesh);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const collapse = new FlatCollapse(mesh, isLocked);
    collapse.run(progress);
    const { result, sources } = collapse.pack();
    reportProgress({ signal: progress.signal }, 0, 'flat parts');
    const { pairs } = findSelfIntersections(result, { signal: progress.signal });
    const isBad = new Uint8Array(sources.length);
    for (const face of pairs) for (let k = 0; k < 3; k++) isBad[result.indices[3 * face + k]] = 1;
    shells.markTurned(result, sources, isBad);
    if (!isBad.includes(1)) return result;
    lockAround(mesh, sources, isBad, isLocked);
  }
  return mesh;
}

/** Keeps the sources of bad vertices and the vertices that share a face with them. */
function lockAround({ indices }: Mesh, sources: Uint32Array, isBad: Uint8Array, isLocked: Uint8Array): void {
  const isSource = new Uint8Array(isLocked.length);
  for (let v = 0; v < sources.length; v++) isSource[sources[v]] = isBad[v];
  for (let f = 0; f < indices.length; f += 3) {
    if (isSource[indices[f]] + isSource[indices[f + 1]] + isSource[indices[f + 2]] === 0) continue;
    isLocked[indices[f]] = isLocked[indices[f + 1]] = isLocked[indices[f + 2]] = 1;
  }
}

class FlatCollapse {
  readonly #positions: Float64Array;
  readonly #indices: Uint32Array;
  readonly #isLocked: Uint8Array;
  /** Without the corners of removed faces. */
  readonly #corners: CornerLists;
  readonly #isGone: Uint8Array;
  /** By vertex: the last test that met it. */
  readonly #metIn: Int32Array;
  #test = 0;

  constructor({ positions, indices }: Mesh, isLocked: Uint8Array) {
    this.#positions = positions;
    this.#indices = indices.slice();
    this.#isLocked = isLocked;
    this.#corners = new CornerLists({ positions, indices });
    this.#isGone = new Uint8Array(indices.length / 3);
    this.#metIn = new Int32Array(positions.length / 3);
  }

  run(progress: ProgressOptions): void {
    const waits = new Uint8Array(this.#corners.first.length).fill(1);
    for (let pass = 0, changed = true; changed && pass < MAX_PASSES; pass++) {
      changed = false;
      for (let v = 0; v < waits.length; v++) {
        if (v % 2048 === 0) reportProgress(progress, (pass + v / waits.length) / MAX_PASSES, 'flat parts');
        if (waits[v] === 0 || this.#corners.first[v] < 0 || this.#isLocked[v] === 1) continue;
        waits[v] = 0;
        const to = this.#bestNeighbor(v);
        if (to < 0) continue;
        this.#eachNeighbor(v, (neighbor) => {
          waits[neighbor] = 1;
        });
        this.#merge(v, to);
        changed = true;
      }
    }
  }

  /** The neighbor to merge a vertex into that leaves the best-shaped faces, or −1. */
  #bestNeighbor(v: number): number {
    const neighbors: number[] = [];
    this.#eachNeighbor(v, (neighbor) => neighbors.push(neighbor));
    let best = -1;
    let most = MIN_HEIGHT;
    for (const to of neighbors) {
      const shape = this.#shapeAfter(v, to);
      if (shape > most && this.#keepsTopology(v, to)) {
        most = shape;
        best = to;
      }
    }
    return best;
  }

  #eachNeighbor(v: number, visit: (neighbor: number) => void): void {
    for (let corner = this.#corners.first[v]; corner >= 0; corner = this.#corners.next[corner]) {
      // On a closed oriented surface each neighbor follows the vertex in exactly one face.
      visit(this.#indices[corner % 3 === 2 ? corner - 2 : corner + 1]);
    }
  }

  /** The least ratio of height to longest side of the faces after merging v into `to`; 0 if a normal would change. */
  #shapeAfter(v: number, to: number): number {
    const p = this.#positions;
    let least = Infinity;
    for (let corner = this.#corners.first[v]; corner >= 0; corner = this.#corners.next[corner]) {
      const second = this.#indices[corner % 3 === 2 ? corner - 2 : corner + 1];
      const third = this.#indices[corner % 3 === 0 ? corner + 2 : corner - 1];
      if (second === to || third === to) continue;
      const [ax, ay, az] = faceNormal(p, 3 * v, 3 * second, 3 * third);
      const [bx, by, bz] = faceNormal(p, 3 * to, 3 * second, 3 * third);
      if (!(ax * bx + ay * by + az * bz > 0)) return 0;
      const x = ay * bz - az * by;
      const y = az * bx - ax * bz;
      const z = ax * by - ay * bx;
      const scale = (ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz);
      if (!(x * x + y * y + z * z <= TURN_SQUARED * scale)) return 0;
      least = Math.min(least, heightRatio(p, 3 * to, 3 * second, 3 * third));
    }
    return least === Infinity ? 0 : least;
  }

  /** The link condition: the two have exactly two common neighbors. */
  #keepsTopology(v: number, to: number): boolean {
    const test = ++this.#test;
    this.#eachNeighbor(v, (neighbor) => {
      this.#metIn[neighbor] = test;
    });
    let common = 0;
    let degree = 0;
    this.#eachNeighbor(to, (neighbor) => {
      degree++;
      if (this.#metIn[neighbor] === test) common++;
    });
    return common === 2 && degree > 3;
  }

  #merge(v: number, to: number): void {
    const next = this.#corners.next;
    for (let corner = this.#corners.first[v]; corner >= 0; ) {
      const following = next[corner];
      const face = corner - (corner % 3);
      if (this.#indices[face] === to || this.#indices[face + 1] === to || this.#indices[face + 2] === to) {
        this.#isGone[face / 3] = 1;
        for (let k = 0; k < 3; k++) if (face + k !== corner) this.#corners.remove(this.#indices[face + k], face + k);
      } else {
        this.#indices[corner] = to;
        this.#corners.add(to, corner);
      }
      corner = following;
    }
    this.#corners.first[v] = -1;
  }

  /** The remaining surface, and the old vertex of each new one. */
  pack(): { result: Mesh; sources: Uint32Array } {
    const ids = new Int32Array(this.#corners.first.length).fill(-1);
    const sources: number[] = [];
    for (let v = 0; v < ids.length; v++) if (this.#corners.first[v] >= 0) ids[v] = sources.push(v) - 1;
    const positions = new Float64Array(3 * sources.length);
    for (const [id, v] of sources.entries()) positions.set(this.#positions.subarray(3 * v, 3 * v + 3), 3 * id);
    const indices = this.#indices.filter((_, i) => this.#isGone[Math.floor(i / 3)] === 0).map((vertex) => ids[vertex]);
    return { result: { positions, indices }, sources: Uint32Array.from(sources) };
  }
}
