// Organs that breathe, after the respiratory model of Segars et al. 1999 in the slides of Lin 2003: diaphragm, heart with
// its inner chambers, liver, spleen and stomach, each a closed cubic NURBS surface whose control points move with time.
// The shapes are simple; places and sizes are those of an adult, in meters, x to the left of the body, y up, z to the front.
import type { NurbsSurface } from 'nearfield/pivot';

export interface Organ {
  readonly name: string;
  readonly surface: NurbsSurface;
}

/** Control points around and from pole to pole. */
const COLUMNS = 10;
const ROWS = 7;
const DEGREE = 3;
/** Seconds of a breath and of a heartbeat, and how far the diaphragm goes down. */
const BREATH = 5;
const BEAT = 0.9;
const STROKE = 0.02;

type Point = [number, number, number];

/** A closed surface: an ellipsoid's control points, each moved by `shape`. Columns wrap around, rows end in poles. */
function closed(radii: Readonly<Point>, shape: (point: Point) => Point): NurbsSurface {
  const count = COLUMNS + DEGREE;
  const points = new Float64Array(3 * count * ROWS);
  for (let row = 0; row < ROWS; row++) {
    const latitude = Math.PI * (row / (ROWS - 1) - 0.5);
    for (let column = 0; column < count; column++) {
      const longitude = (2 * Math.PI * (column % COLUMNS)) / COLUMNS;
      // Poles are one point. Control points lie outside the surface they make, by about this much.
      const ring = row === 0 || row === ROWS - 1 ? 0 : 1.15 * Math.cos(latitude);
      const point = shape([
        radii[0] * ring * Math.cos(longitude),
        radii[1] * Math.sin(latitude),
        radii[2] * ring * Math.sin(longitude),
      ]);
      points.set(point, 3 * (column + count * row));
    }
  }
  const knotsU = Array.from({ length: count + DEGREE + 1 }, (_, n) => n - DEGREE);
  const knotsV = Array.from({ length: ROWS + DEGREE + 1 }, (_, n) => Math.min(ROWS - DEGREE, Math.max(0, n - DEGREE)));
  return { degreeU: DEGREE, degreeV: DEGREE, knotsU, knotsV, points };
}

/** The organs at a time in seconds. At 0 the breath is out: the diaphragm is high, and organs press on each other. */
export function organsAt(time: number): Organ[] {
  const breath = 0.5 - 0.5 * Math.cos((2 * Math.PI * time) / BREATH);
  const down = STROKE * breath;
  const beat = 0.5 - 0.5 * Math.cos((2 * Math.PI * time) / BEAT);
  const chamber = (x: number, y: number, z: number, radii: Readonly<Point>, squeeze: number): NurbsSurface =>
    closed(radii, ([px, py, pz]) => {
      const size = 1 - 0.12 * squeeze;
      return [0.02 + x + size * px, 0.075 + y + size * py - 0.5 * down, 0.03 + z + size * pz];
    });
  return [
    {
      name: 'diaphragm',
      // A dome 8 mm thick, whose middle goes down more than its rim.
      surface: closed([0.13, 0.008, 0.1], ([x, y, z]) => {
        const rim = (x / 0.15) ** 2 + (z / 0.115) ** 2;
        return [x, y + 0.05 - 0.06 * rim - down * (1 - 0.7 * Math.min(1, rim)), z];
      }),
    },
    {
      name: 'heart',
      surface: closed([0.045, 0.05, 0.04], ([x, y, z]) => {
        const size = 1 - 0.03 * beat;
        return [0.02 + size * x + 0.2 * y, 0.105 + size * y - 0.5 * down, 0.03 + size * z];
      }),
    },
    { name: 'left ventricle', surface: chamber(0.011, 0.022, 0.002, [0.014, 0.02, 0.015], beat) },
    { name: 'right ventricle', surface: chamber(-0.015, 0.023, 0.004, [0.014, 0.019, 0.014], beat) },
    { name: 'left atrium', surface: chamber(0.015, 0.05, -0.004, [0.012, 0.011, 0.013], 1 - beat) },
    { name: 'right atrium', surface: chamber(-0.008, 0.05, -0.002, [0.012, 0.011, 0.013], 1 - beat) },
    {
      name: 'liver',
      // A wedge, thick on the right.
      surface: closed([0.095, 0.05, 0.07], ([x, y, z]) => [
        x - 0.035,
        y * (1 - 4 * x) - 0.022 - 0.8 * down,
        z * (1 - 1.5 * x),
      ]),
    },
    {
      name: 'stomach',
      // Bent around the z axis.
      surface: closed([0.03, 0.085, 0.035], ([x, y, z]) => [
        0.075 + x - 5 * y * y,
        0.8 * y - 0.055 - 0.7 * down,
        z + 0.01,
      ]),
    },
    {
      name: 'spleen',
      surface: closed([0.02, 0.05, 0.03], ([x, y, z]) => [0.115 + x - 3 * y * y, y - 0.04 - 0.6 * down, z - 0.045]),
    },
  ];
}
