import { normalize, scale, type Vec3 } from '../../core/vec3.js';
import { defineModel } from '../model.js';
import { SurfaceBuilder } from '../parts/surface-builder.js';

/** An icosahedron with faces cut into subdivisions² triangles and projected to a sphere: 20 × subdivisions². */
export const icosphere = defineModel({
  name: 'icosphere',
  title: 'Icosphere',
  description: 'A sphere of nearly equal triangles, cut from an icosahedron; 7 subdivisions give 980.',
  parameters: {
    radius: { default: 0.5, min: 0.01, max: 100, description: 'distance of every vertex from the origin, in meters' },
    subdivisions: { default: 7, min: 1, max: 200, integer: true, description: 'parts each edge is cut into' },
  },
  build: ({ radius, subdivisions }) => {
    const surface = new SurfaceBuilder();
    const known = new Map<string, number>();
    for (const corners of ICOSAHEDRON_FACES) {
      // The point with weights i, j, k on the corners of its face. Its key omits zero weights: faces share edge points.
      const vertexAt = (i: number, j: number): number => {
        const weights = [subdivisions - i - j, i, j];
        const key = corners.map((corner, c) => [corner, weights[c]]).filter(([, weight]) => weight > 0);
        const name = key.sort(([a], [b]) => a - b).join(' ');
        let vertex = known.get(name);
        if (vertex === undefined) {
          vertex = surface.addVertex(scale(normalize(weightedCorner(key)), radius));
          known.set(name, vertex);
        }
        return vertex;
      };
      for (let i = 0; i < subdivisions; i++) {
        for (let j = 0; i + j < subdivisions; j++) {
          surface.addTriangle(vertexAt(i, j), vertexAt(i + 1, j), vertexAt(i, j + 1));
          if (i + j + 1 < subdivisions) {
            surface.addTriangle(vertexAt(i + 1, j), vertexAt(i + 1, j + 1), vertexAt(i, j + 1));
          }
        }
      }
    }
    return surface.build();
  },
});

function weightedCorner(weights: readonly number[][]): Vec3 {
  const sum: Vec3 = [0, 0, 0];
  for (const [corner, weight] of weights) {
    for (let k = 0; k < 3; k++) sum[k] += weight * ICOSAHEDRON_CORNERS[corner][k];
  }
  return sum;
}

/** Definition: the golden ratio. */
const GOLDEN = (1 + Math.sqrt(5)) / 2;

/** Three golden rectangles at right angles. */
const ICOSAHEDRON_CORNERS: readonly Vec3[] = [
  [-1, GOLDEN, 0],
  [1, GOLDEN, 0],
  [-1, -GOLDEN, 0],
  [1, -GOLDEN, 0],
  [0, -1, GOLDEN],
  [0, 1, GOLDEN],
  [0, -1, -GOLDEN],
  [0, 1, -GOLDEN],
  [GOLDEN, 0, -1],
  [GOLDEN, 0, 1],
  [-GOLDEN, 0, -1],
  [-GOLDEN, 0, 1],
];

// biome-ignore format: a table of corners, five faces a row
const ICOSAHEDRON_FACES = [
  [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11],
  [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6], [7, 1, 8],
  [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9],
  [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
];
