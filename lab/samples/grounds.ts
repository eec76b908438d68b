// Grounds to walk over: walls, and the speed of walking beside them.

/** The ground that all of them have. */
export const PLANE_WIDTH = 1.6;
export const PLANE_HEIGHT = 1;

/** From the lower left corner to the upper right one. */
export type Rectangle = readonly [x0: number, y0: number, x1: number, y1: number];

export interface Ground {
  readonly name: string;
  readonly title: string;
  readonly walls: readonly Rectangle[];
  /** In meters a second; 1 on firm ground. */
  speed(x: number, y: number): number;
}

export const grounds: readonly Ground[] = [
  {
    name: 'rooms',
    title: 'Rooms',
    walls: [
      [0.4, 0, 0.44, 0.62],
      [0.4, 0.8, 0.44, 1],
      [0.44, 0.58, 0.68, 0.62],
      [0.8, 0.28, 0.84, 1],
      [1.16, 0, 1.2, 0.5],
      [1.16, 0.68, 1.2, 1],
      [1.2, 0.46, 1.44, 0.5],
    ],
    speed: () => 1,
  },
  {
    name: 'mud',
    title: 'Mud',
    walls: [],
    speed: (x, y) => {
      const depth = Math.max(bell(x - 0.62, y - 0.45, 0.26), bell(x - 1.06, y - 0.62, 0.2));
      return 1 - 0.85 * depth;
    },
  },
  {
    name: 'road',
    title: 'A road',
    walls: [[0.7, 0.18, 0.74, 0.6]],
    speed: (x, y) => (Math.abs(y - 0.86 - 0.05 * Math.sin(5 * x)) < 0.045 ? 3 : 1),
  },
];

/** 1 within half the radius, falling smoothly to 0 at the whole. */
function bell(x: number, y: number, radius: number): number {
  const t = Math.min(1, Math.max(0, 2 - (2 * Math.hypot(x, y)) / radius));
  return t * t * (3 - 2 * t);
}
