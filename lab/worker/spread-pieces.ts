// Pieces of a solid drawn apart as one mesh, each in its color.
import { box, type ReadonlyVec3 } from 'nearfield/core';
import { pieceColor } from 'nearfield/decomposition';
import type { Mesh } from 'nearfield/mesh';

export interface SpreadPieces {
  readonly mesh: Mesh;
  /** Linear red, green and blue of each triangle. */
  readonly faceColors: Float32Array;
}

/** Moves each piece away from `middle` by `spread` times the distance of its box's center from there. */
export function spreadPieces(pieces: readonly Mesh[], middle: ReadonlyVec3, spread: number): SpreadPieces {
  const size = (of: (piece: Mesh) => number): number => pieces.reduce((sum, piece) => sum + of(piece), 0);
  const positions = new Float64Array(size((piece) => piece.positions.length));
  const indices = new Uint32Array(size((piece) => piece.indices.length));
  const faceColors = new Float32Array(indices.length);
  let place = 0;
  let corner = 0;
  for (const [number, piece] of pieces.entries()) {
    const center = box.center(box.ofPositions(piece.positions));
    const first = place / 3;
    for (let i = 0; i < piece.positions.length; i++) {
      positions[place++] = piece.positions[i] + spread * (center[i % 3] - middle[i % 3]);
    }
    const color = pieceColor(number);
    for (let i = 0; i < piece.indices.length; i++) {
      faceColors[corner] = color[i % 3];
      indices[corner++] = first + piece.indices[i];
    }
  }
  return { mesh: { positions, indices }, faceColors };
}
