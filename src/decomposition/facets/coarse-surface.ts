// A surface with its large facets in as few triangles as their outlines need: the same set of points, decomposed in
// place of the fine one. A patch takes a facet whole, so each face of the fine surface belongs to one patch; the hull
// work of a facet is that of its corners, and the faces within it come for free.
import { exactTurnAlong, findShadowAxis } from '../../core/exact/points.js';
import type { Mesh } from '../../mesh/mesh.js';
import { nextHalfEdge } from '../../mesh/topology/adjacency.js';
import type { PatchCollector } from '../patches/collect-patches.js';
import type { WholeFacets } from '../patches/grow-patch.js';
import { Surface } from '../surface/surface.js';
import type { Facets } from './find-facets.js';
import type { CoarseFacet } from './triangulate-facet.js';

export class CoarseSurface implements WholeFacets {
  readonly surface: Surface;
  /** The facet of each coarse face, −1 for none. */
  readonly facetOfFace: Int32Array;
  /** The coarse vertices of facet f are `vertices[vertexStart[f]]` up to before `vertexStart[f + 1]`. */
  readonly vertexStart: Uint32Array;
  readonly vertices: Uint32Array;
  /** A coarse face of each facet. */
  readonly firstFaces: Uint32Array;
  readonly #fine: Mesh;
  readonly #facets: Facets;
  /** A face of the fine surface for each coarse face: the one it is, or the first of its facet. */
  readonly #fineFaces: Uint32Array;
  /** The vertices within a side of a coarse facet, by from × vertices + to. */
  readonly #passed = new Map<number, readonly number[]>();
  readonly #isDone: Uint8Array;
  /** Half-edges of the current piece that get the vertices of a facet's side, as 2 × half-edge + side. */
  readonly #isSplit = new Set<number>();
  readonly #triangles: number[] = [];
  readonly #sources: number[] = [];

  /** @param coarse the triangles of each facet. */
  constructor(fine: Surface, facets: Facets, coarse: readonly CoarseFacet[]) {
    this.#fine = fine.mesh;
    this.#facets = facets;
    this.#isDone = new Uint8Array(facets.count);
    const { indices } = fine.mesh;
    const vertexCount = fine.mesh.positions.length / 3;
    const corners: number[] = [];
    const facetOfFace: number[] = [];
    const fineFaces: number[] = [];
    this.firstFaces = new Uint32Array(facets.count);
    for (let face = 0; face < fine.faceCount; face++) {
      const facet = facets.facetOfFace[face];
      if (facet < 0) {
        corners.push(indices[3 * face], indices[3 * face + 1], indices[3 * face + 2]);
        facetOfFace.push(-1);
        fineFaces.push(face);
      } else if (face === facets.faces[facets.start[facet]]) {
        const { triangles, rings } = coarse[facet];
        this.firstFaces[facet] = fineFaces.length;
        for (let i = 0; i < triangles.length; i++) corners.push(triangles[i]);
        for (let i = 0; i < triangles.length / 3; i++) {
          facetOfFace.push(facet);
          fineFaces.push(face);
        }
        for (const { corners: ring, passed } of rings) {
          for (let i = 0; i < ring.length; i++) {
            if (passed[i].length > 0) this.#passed.set(ring[i] * vertexCount + ring[(i + 1) % ring.length], passed[i]);
          }
        }
      }
    }
    this.surface = new Surface({ positions: fine.mesh.positions, indices: Uint32Array.from(corners) });
    this.facetOfFace = Int32Array.from(facetOfFace);
    this.#fineFaces = Uint32Array.from(fineFaces);
    [this.vertexStart, this.vertices] = this.#listVertices();
  }

  /** The face of the fine surface that a coarse face stands for, or the first of its facet. */
  fineFaceOf(face: number): number {
    return this.#fineFaces[face];
  }

  /** The faces of the fine surface in a patch of coarse ones, facets as a whole. */
  fineFaces(patch: readonly number[]): number[] {
    const { start, faces: facetFaces } = this.#facets;
    const faces: number[] = [];
    for (const face of patch) {
      const facet = this.facetOfFace[face];
      if (facet < 0) faces.push(this.#fineFaces[face]);
      else if (this.#isDone[facet] === 0) {
        this.#isDone[facet] = 1;
        for (let i = start[facet]; i < start[facet + 1]; i++) faces.push(facetFaces[i]);
      }
    }
    for (const face of patch) if (this.facetOfFace[face] >= 0) this.#isDone[this.facetOfFace[face]] = 0;
    return faces;
  }

  /** Takes a triangle of a piece of the coarse surface; {@link finishPiece} passes all of them on. */
  addTriangle(a: number, b: number, c: number, source: number): void {
    this.#triangles.push(a, b, c);
    this.#sources.push(source);
  }

  /** Passes the piece on with the fine faces of its facets, and other triangles split where those meet their sides. */
  finishPiece(collector: PatchCollector, isFlat: boolean): void {
    const { start, faces: facetFaces } = this.#facets;
    const { indices } = this.#fine;
    const isDone = this.#isDone;
    const triangles = this.#triangles;
    const vertexCount = this.#fine.positions.length / 3;
    const sides = isFlat ? this.#findSides() : null;
    const edges = new Set<number>();
    for (let h = 0; h < triangles.length && sides !== null; h++) {
      edges.add(2 * (triangles[h] * vertexCount + triangles[nextHalfEdge(h)]) + sides[Math.floor(h / 3)]);
    }
    this.#isSplit.clear();
    this.#sources.forEach((source, i) => {
      if (source < 0 || this.facetOfFace[source] < 0) return;
      for (let h = 3 * i; h < 3 * i + 3; h++) {
        const [from, to] = [triangles[h], triangles[nextHalfEdge(h)]];
        if (!this.#passed.has(from * vertexCount + to)) continue;
        // Both sides of a flat piece may have the edge; its neighbor on the other side is one across the rim.
        const key = 2 * (to * vertexCount + from);
        const side = sides === null ? 0 : sides[i];
        this.#isSplit.add(sides === null || edges.has(key + side) ? key + side : key + 1 - side);
      }
    });
    this.#sources.forEach((source, i) => {
      const facet = source < 0 ? -1 : this.facetOfFace[source];
      if (facet < 0) {
        const fineFace = source < 0 ? -1 : this.#fineFaces[source];
        const [a, b, c] = [triangles[3 * i], triangles[3 * i + 1], triangles[3 * i + 2]];
        this.#addSplit(collector, a, b, c, fineFace, sides === null ? 0 : sides[i]);
      } else if (isDone[facet] === 0) {
        isDone[facet] = 1;
        for (let j = start[facet]; j < start[facet + 1]; j++) {
          const h = 3 * facetFaces[j];
          collector.addTriangle(indices[h], indices[h + 1], indices[h + 2], facetFaces[j]);
        }
      }
    });
    for (const source of this.#sources) {
      if (source >= 0 && this.facetOfFace[source] >= 0) isDone[this.facetOfFace[source]] = 0;
    }
    triangles.length = this.#sources.length = 0;
  }

  /** Adds a triangle as a fan over the vertices within one of its sides, and so on for the outer two of the fan. */
  #addSplit(collector: PatchCollector, a: number, b: number, c: number, source: number, side: number): void {
    const corners = [a, b, c];
    for (let k = 0; k < 3; k++) {
      const [from, to, apex] = [corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]];
      const vertexCount = this.#fine.positions.length / 3;
      if (!this.#isSplit.has(2 * (from * vertexCount + to) + side)) continue;
      const middle = this.#passed.get(to * vertexCount + from)!;
      let last = from;
      for (let i = middle.length - 1; i >= 0; i--) {
        this.#addSplit(collector, last, middle[i], apex, -1, side);
        last = middle[i];
      }
      this.#addSplit(collector, last, to, apex, -1, side);
      return;
    }
    collector.addTriangle(a, b, c, source);
  }

  /** Of each triangle of a flat piece the side it is on, 0 or 1. */
  #findSides(): Uint8Array {
    const { positions } = this.#fine;
    const triangles = this.#triangles;
    const axis = findShadowAxis(positions, triangles[0], triangles[1], triangles[2]);
    return Uint8Array.from(this.#sources, (_, i) => {
      const turn = exactTurnAlong(positions, axis, triangles[3 * i], triangles[3 * i + 1], triangles[3 * i + 2]);
      return turn > 0 ? 1 : 0;
    });
  }

  #listVertices(): [start: Uint32Array, vertices: Uint32Array] {
    const { indices } = this.surface.mesh;
    const start = [0];
    const vertices: number[] = [];
    const lists: Set<number>[] = Array.from({ length: this.#facets.count }, () => new Set());
    for (let h = 0; h < indices.length; h++) {
      const facet = this.facetOfFace[Math.floor(h / 3)];
      if (facet >= 0) lists[facet].add(indices[h]);
    }
    for (const list of lists) {
      for (const vertex of list) vertices.push(vertex);
      start.push(vertices.length);
    }
    return [Uint32Array.from(start), Uint32Array.from(vertices)];
  }
}
