// A floor of 10 by 6.25 meters: walls, and furniture that can be moved. Two pieces move by themselves.
import type { PlaneSite } from 'nearfield/voronoi';

export const FLOOR_WIDTH = 10;
export const FLOOR_HEIGHT = 6.25;

/** Straight walls, x and y of both ends. Gaps between them are doors. */
export const WALLS: readonly (readonly [number, number, number, number])[] = [
  [0, 0, 10, 0],
  [10, 0, 10, 6.25],
  [10, 6.25, 0, 6.25],
  [0, 6.25, 0, 0],
  [3.7, 0, 3.7, 1.1],
  [3.7, 2.1, 3.7, 4.3],
  [3.7, 5.3, 3.7, 6.25],
  [0, 3.3, 1.3, 3.3],
  [2.3, 3.3, 3.7, 3.3],
  [7, 0, 7, 1.6],
  [7, 2.6, 7, 6.25],
  [7, 3.6, 8, 3.6],
  [9, 3.6, 10, 3.6],
];

export interface Furniture {
  readonly name: string;
  /** Where it is at first, and by how many degrees it is turned. */
  readonly place: readonly [x: number, y: number, degrees: number];
  /** Around its own origin: corners, counter-clockwise, or a radius. */
  readonly shape: readonly (readonly [number, number])[] | number;
  /** Half of how far it swings along x and y while the scene plays, and how often in one round. */
  readonly track?: readonly [x: number, y: number, timesX: number, timesY: number];
}

export const FURNITURE: readonly Furniture[] = [
  {
    name: 'Sofa',
    place: [1.15, 2.45, 0],
    shape: [
      [-0.95, 0.45],
      [-0.95, -0.9],
      [-0.2, -0.9],
      [-0.2, -0.3],
      [1.05, -0.3],
      [1.05, 0.45],
    ],
  },
  { name: 'Low table', place: [1.85, 1.25, 0], shape: 0.42 },
  { name: 'Shelf', place: [0.95, 0.3, 0], shape: rectangle(1.3, 0.36) },
  { name: 'Bed', place: [1.05, 4.95, 0], shape: rectangle(1.5, 2) },
  { name: 'Wardrobe', place: [2.85, 5.85, 0], shape: rectangle(1.1, 0.55) },
  { name: 'Dining table', place: [5.4, 4.5, 20], shape: rectangle(1.7, 0.85) },
  { name: 'Chair', place: [4.75, 5.2, 20], shape: rectangle(0.42, 0.42) },
  { name: 'Chair by the door', place: [5.9, 3.75, 35], shape: rectangle(0.42, 0.42) },
  { name: 'Plant', place: [6.5, 5.8, 0], shape: 0.26 },
  { name: 'Desk', place: [8.6, 0.45, 0], shape: rectangle(1.6, 0.7) },
  { name: 'Stool', place: [8.5, 1.35, 0], shape: 0.24 },
  { name: 'Counter', place: [9.65, 5, 0], shape: rectangle(0.6, 1.9) },
  { name: 'Vacuum robot', place: [5.35, 2.5, 0], shape: 0.2, track: [1.15, 0.65, 1, 2] },
  { name: 'Trolley', place: [5.2, 1.1, 0], shape: rectangle(0.8, 0.5), track: [1.1, 0.35, 1, 1] },
];

/** Frames of one round of what moves by itself. */
export const ROUND = 480;

/** The shift of a piece at a frame. */
export function trackShift({ track }: Furniture, frame: number): readonly [number, number] {
  if (track === undefined) return [0, 0];
  const [x, y, timesX, timesY] = track;
  const angle = (2 * Math.PI * frame) / ROUND;
  return [x * Math.sin(timesX * angle), y * Math.sin(timesY * angle)];
}

/** A piece as a site at a place and an angle in radians. */
export function furnitureSite({ shape }: Furniture, x: number, y: number, angle: number): PlaneSite {
  if (typeof shape === 'number') return { type: 'circle', center: [x, y], radius: shape };
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  const ring = shape.map(([a, b]) => [x + cosine * a - sine * b, y + sine * a + cosine * b]);
  return { type: 'polygon', rings: [ring] };
}

export function wallSites(): PlaneSite[] {
  return WALLS.map(([x0, y0, x1, y1]) => ({ type: 'segment', a: [x0, y0], b: [x1, y1] }));
}

function rectangle(width: number, height: number): [number, number][] {
  const [x, y] = [width / 2, height / 2];
  return [
    [-x, -y],
    [x, -y],
    [x, y],
    [-x, y],
  ];
}
