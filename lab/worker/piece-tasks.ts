// Tasks of the scene of few convex pieces.
import { box, type ProgressOptions } from 'nearfield/core';
import { decomposeSolid, pieceColor } from 'nearfield/decomposition';
import type { Mesh } from 'nearfield/mesh';

export interface ShownPieces {
  readonly pieces: number;
  readonly maxConcavity: number;
  readonly concavity: number;
  readonly overshoot: number;
  readonly covers: string;
  readonly milliseconds: number;
  /** All pieces, drawn apart, with a color for each triangle. */
  readonly mesh: Mesh;
  readonly faceColors: Float32Array;
}

export const pieceTasks = {
  decomposeSolid(
    { mesh, maxConcavity, maxPieces, spread }: { mesh: Mesh; maxConcavity: number; maxPieces: number; spread: number },
    { signal, onProgress }: ProgressOptions,
  ): ShownPieces {
    const start = performance.now();
    const made = decomposeSolid(mesh, { maxConcavity, maxPieces, signal, onProgress });
    const milliseconds = performance.now() - start;
    const middle = box.center(box.ofPositions(mesh.positions));
    const positions: number[] = [];
    const indices: number[] = [];
    const colors: number[] = [];
    for (const [number, piece] of made.pieces.entries()) {
      const center = box.center(box.ofPositions(piece.mesh.positions));
      const first = positions.length / 3;
      for (const [i, value] of piece.mesh.positions.entries()) {
        positions.push(value + spread * (center[i % 3] - middle[i % 3]));
      }
      for (const vertex of piece.mesh.indices) indices.push(first + vertex);
      const color = pieceColor(number).slice(0, 3);
      for (let i = 0; i < piece.mesh.indices.length; i += 3) colors.push(...color);
    }
    return {
      pieces: made.pieces.length,
      maxConcavity: made.maxConcavity,
      concavity: made.concavity,
      overshoot: made.overshoot.upper,
      covers: made.covers,
      milliseconds,
      mesh: { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) },
      faceColors: Float32Array.from(colors),
    };
  },
};
