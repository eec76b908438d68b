// Tasks of the scenes of pieces of solids: few convex ones, and the fragments of a fracture.
import { box, type ProgressOptions } from 'nearfield/core';
import { decomposeSolid, type Fracture, fractureSolid } from 'nearfield/decomposition';
import type { Mesh } from 'nearfield/mesh';
import { type SpreadPieces, spreadPieces } from './spread-pieces.js';

export interface ShownPieces extends SpreadPieces {
  readonly pieces: number;
  readonly maxConcavity: number;
  readonly concavity: number;
  readonly overshoot: number;
  readonly covers: string;
  readonly milliseconds: number;
}

export interface FractureInput {
  readonly mesh: Mesh;
  readonly fragments: number;
  readonly seed: number;
  /** The points of the cells are spread around this point, with the standard deviation `radius`; 0 for all over. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly radius: number;
  readonly gap: number;
}

export interface ShownFracture extends SpreadPieces {
  readonly fragments: number;
  /** Triangles on cracks, as a mesh drawn apart, and those of the solid's surface. */
  readonly cracks: Mesh;
  readonly surface: Mesh;
  readonly volume: number;
  /** Volumes of all fragments together, of the largest and of the smallest. */
  readonly sum: number;
  readonly largest: number;
  readonly smallest: number;
  readonly milliseconds: number;
}

/** The last fracture of a mesh and what it was asked for, kept while it is only drawn farther apart. */
const kept = new WeakMap<
  Mesh,
  { readonly asked: string; readonly fracture: Fracture; readonly milliseconds: number }
>();

export const pieceTasks = {
  decomposeSolid(
    { mesh, maxConcavity, maxPieces, spread }: { mesh: Mesh; maxConcavity: number; maxPieces: number; spread: number },
    { signal, onProgress }: ProgressOptions,
  ): ShownPieces {
    const start = performance.now();
    const made = decomposeSolid(mesh, { maxConcavity, maxPieces, signal, onProgress });
    return {
      pieces: made.pieces.length,
      maxConcavity: made.maxConcavity,
      concavity: made.concavity,
      overshoot: made.overshoot.upper,
      covers: made.covers,
      milliseconds: performance.now() - start,
      ...spreadPieces(
        made.pieces.map((piece) => piece.mesh),
        box.center(box.ofPositions(mesh.positions)),
        spread,
      ),
    };
  },

  /** The fragments of a solid, drawn apart from the point of impact, or from its middle. */
  showFracture(input: FractureInput & { readonly spread: number }, options: ProgressOptions): ShownFracture {
    const { fracture, milliseconds } = fractureOf(input, options);
    const { mesh, x, y, z, radius, spread } = input;
    const { fragments, volume } = fracture;
    const middle = radius > 0 ? ([x, y, z] as const) : box.center(box.ofPositions(mesh.positions));
    const shown = spreadPieces(
      fragments.map((fragment) => fragment.mesh),
      middle,
      spread,
    );
    const volumes = fragments.map((fragment) => fragment.volume);
    const isCrack = fragments.flatMap((fragment) => [...fragment.isCrack]);
    const { positions, indices } = shown.mesh;
    const choose = (wanted: number): Mesh => ({
      positions,
      indices: indices.filter((_, i) => isCrack[Math.floor(i / 3)] === wanted),
    });
    return {
      ...shown,
      fragments: fragments.length,
      cracks: choose(1),
      surface: choose(0),
      volume,
      sum: volumes.reduce((sum, one) => sum + one, 0),
      largest: volumes.reduce((most, one) => Math.max(most, one), 0),
      smallest: volumes.reduce((least, one) => Math.min(least, one), Infinity),
      milliseconds,
    };
  },
};

function fractureOf({ mesh, fragments, seed, x, y, z, radius, gap }: FractureInput, options: ProgressOptions) {
  const asked = [fragments, seed, x, y, z, radius, gap].join();
  const last = kept.get(mesh);
  if (last?.asked === asked) return last;
  const start = performance.now();
  const impact = radius > 0 ? { point: [x, y, z] as const, radius } : undefined;
  const { signal, onProgress } = options;
  const fracture = fractureSolid(mesh, { fragments, seed, impact, gap, signal, onProgress });
  const made = { asked, fracture, milliseconds: performance.now() - start };
  kept.set(mesh, made);
  return made;
}
