// How the error of the march decreases with the spacing. It starts from the exact distances near the surface of a smooth
// sphere and torus, so that only the march is measured.
import { compareFields, gridNodeCount, gridOverBox, marchFromBand, sampleFunction } from 'nearfield/field';
import type { BenchTable, SuiteContext } from './suite.js';

interface SmoothShape {
  readonly name: string;
  readonly distance: (x: number, y: number, z: number) => number;
}

const SHAPES: readonly SmoothShape[] = [
  { name: 'sphere of radius 1', distance: (x, y, z) => Math.hypot(x, y, z) - 1 },
  { name: 'torus of radii 0.7 and 0.3', distance: (x, y, z) => Math.hypot(Math.hypot(x, z) - 0.7, y) - 0.3 },
];
/** Which distances are given, and with which order it is marched from them. */
interface Setting {
  readonly order: 1 | 2;
  readonly band: string;
  readonly width: (spacing: number) => number;
}

const FIXED = { band: 'within 0.2', width: () => 0.2 };
const SETTINGS: readonly Setting[] = [
  { order: 1, ...FIXED },
  { order: 2, ...FIXED },
  { order: 2, band: 'within 2 spacings', width: (spacing) => 2 * spacing },
];

interface MarchError {
  readonly spacing: number;
  /** L1: the mean over the nodes that were marched to. */
  readonly mean: number;
  /** L∞. */
  readonly max: number;
}

function marchError({ distance }: SmoothShape, resolution: number, { order, width }: Setting): MarchError {
  const frame = gridOverBox({ min: [-1.1, -1.1, -1.1], max: [1.1, 1.1, 1.1] }, resolution);
  const exact = sampleFunction(frame, distance);
  const reach = width(frame.spacing);
  const band = exact.values.map((d) => (Math.abs(d) <= reach ? d : d < 0 ? -Infinity : Infinity));
  const marched = marchFromBand(frame, band, { order });
  // The band has no error and would make the mean over all nodes smaller.
  const { mean, max } = compareFields(marched, exact);
  const share = gridNodeCount(frame) / (gridNodeCount(frame) - marched.counters.bandNodes);
  return { spacing: frame.spacing, mean: mean * share, max };
}

export function convergenceTable({ quick, progress }: SuiteContext): BenchTable {
  const resolutions = quick ? [17, 25, 33] : [24, 36, 48, 72, 108];
  const rows: string[][] = [];
  for (const shape of SHAPES) {
    for (const setting of SETTINGS) {
      progress(0.4, `convergence on the ${shape.name}`);
      const errors = resolutions.map((resolution) => marchError(shape, resolution, setting));
      for (const [index, { mean, max, spacing }] of errors.entries()) {
        const before = errors[index - 1];
        const orderOf = (key: 'mean' | 'max'): string =>
          before ? (Math.log(before[key] / errors[index][key]) / Math.log(before.spacing / spacing)).toFixed(2) : '–';
        rows.push([
          shape.name,
          setting.order === 1 ? 'first' : 'second',
          setting.band,
          `${resolutions[index]}³`,
          mean.toExponential(2),
          orderOf('mean'),
          max.toExponential(2),
          orderOf('max'),
        ]);
      }
    }
  }
  return {
    title: 'Convergence of the march',
    headings: ['shape', 'order', 'exact distances', 'nodes', 'L1', 'order seen', 'L∞', 'order seen'],
    rows,
    notes: [
      'Both sides, from the exact distances of the smooth shape near its surface. Within a fixed length the same part of the ' +
        'way is marched on every grid; within two spacings a coarse grid is given more of it, which hides some of its error. The largest errors lie where ' +
        "the field has a crease (the sphere's center, the core circle and the axis of the torus): there the error falls with the first power.",
    ],
  };
}
