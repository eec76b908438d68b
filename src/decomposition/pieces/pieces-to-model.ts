// The convex pieces as a model of many parts, each in its own color.

import { identityMatrix } from '../../core/affine.js';
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import type { LinearColor, ModelFile } from '../../io/model/model-file.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { SolidDecomposition } from '../approximate/decompose-solid.js';
import type { Decomposition } from '../decomposition.js';
import type { Fracture } from '../fracture/fracture-solid.js';

/** Proven: hues one golden ratio of the circle apart keep any run of them spread out. */
const HUE_STEP = 0.618033988749895;
/** Lightness and saturation alternate, so that pieces with nearly equal hues still differ. */
const TONES = [
  [0.55, 0.62],
  [0.72, 0.55],
  [0.42, 0.5],
  [0.63, 0.8],
] as const;

/** The color of a piece, determined by its number; consecutive numbers differ clearly. */
export function pieceColor(piece: number): LinearColor {
  if (!Number.isInteger(piece) || piece < 0) {
    throw new NearfieldError('bad-argument', `The piece is ${nameValue(piece)}; give its number, from 0.`);
  }
  const hue = (0.58 + piece * HUE_STEP) % 1;
  const [lightness, saturation] = TONES[piece % TONES.length];
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  // The channels of an HSL color are one tent function of the hue, a third of the circle apart. Four digits keep files
  // of many pieces short.
  const channel = (offset: number): number => {
    const k = (offset + 12 * hue) % 12;
    return Number(toLinear(lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1))).toFixed(4));
  };
  return [channel(0), channel(8), channel(4), 1];
}

/** One piece as a closed mesh with its own vertices. */
export function pieceMesh({ mesh, pieces }: Decomposition, piece: number): Mesh {
  const triangles = pieces.triangles.subarray(3 * pieces.triangleStart[piece], 3 * pieces.triangleStart[piece + 1]);
  const newIds = new Map<number, number>();
  const indices = new Uint32Array(triangles.length);
  for (let i = 0; i < triangles.length; i++) {
    const id = newIds.get(triangles[i]) ?? newIds.size;
    newIds.set(triangles[i], id);
    indices[i] = id;
  }
  const positions = new Float64Array(3 * newIds.size);
  for (const [vertex, id] of newIds) positions.set(mesh.positions.subarray(3 * vertex, 3 * vertex + 3), 3 * id);
  return { positions, indices };
}

/**
 * All pieces, or all fragments, as a model with one part each, named `piece 0`, `piece 1`, …; a GLB file keeps their
 * colors.
 */
export function piecesToModel(decomposition: Decomposition | SolidDecomposition | Fracture): ModelFile {
  const pieces = listMeshes(decomposition);
  const meshes = pieces.map((mesh, piece) => ({ name: `piece ${piece}`, mesh, color: pieceColor(piece) }));
  const parts = meshes.map(({ name }, meshIndex) => ({ name, meshIndex, transform: identityMatrix() }));
  return { format: 'glb', meshes, parts };
}

function listMeshes(decomposition: Decomposition | SolidDecomposition | Fracture): Mesh[] {
  if ('fragments' in decomposition) return decomposition.fragments.map(({ mesh }) => mesh);
  if (!('patchStart' in decomposition)) return decomposition.pieces.map(({ mesh }) => mesh);
  return Array.from({ length: decomposition.patchStart.length - 1 }, (_, piece) => pieceMesh(decomposition, piece));
}

/** The inverse of sRGB's transfer function. */
function toLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
