// The sheet that Voronoi sites are drawn on, and the sites that it has at first.
import { type Sketch, sketchOf } from '../sketch.js';

export const SHEET_WIDTH = 1.6;
export const SHEET_HEIGHT = 1;

export const firstSketch: Sketch = sketchOf([
  { type: 'circle', center: [0.3, 0.74], radius: 0.12 },
  { type: 'segment', a: [0.55, 0.9], b: [0.86, 0.66] },
  {
    type: 'bezier',
    points: [
      [0.72, 0.18],
      [0.86, 0.46],
      [1.08, 0.06],
      [1.26, 0.36],
    ],
  },
  {
    type: 'polygon',
    rings: [
      [
        [1.12, 0.62],
        [1.44, 0.58],
        [1.46, 0.82],
        [1.34, 0.84],
        [1.32, 0.7],
        [1.14, 0.74],
      ],
    ],
  },
  {
    type: 'polyline',
    points: [
      [0.1, 0.12],
      [0.24, 0.3],
      [0.38, 0.12],
      [0.52, 0.3],
    ],
  },
  { type: 'point', at: [0.66, 0.47] },
  { type: 'point', at: [0.12, 0.5] },
  { type: 'point', at: [1.0, 0.88] },
  { type: 'point', at: [1.47, 0.2] },
  { type: 'point', at: [0.3, 0.74] },
  { type: 'point', at: [1.4, 0.4] },
]);
