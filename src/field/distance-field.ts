// Distance fields: what they are computed from, the options, and the result.
import {
  checkedElsewhere,
  flag,
  numberFrom,
  oneOf,
  optionTable,
  PROGRESS_RULES,
  wholeNumber,
} from '../core/check/option-table.js';
import type { ProgressOptions } from '../core/progress.js';
import type { Backend, BackendFallback } from '../gpu/choose-backend.js';
import type { GpuDevice } from '../gpu/device.js';
import type { ImplicitShape } from '../mesh/implicit/implicit-shape.js';
import type { Mesh } from '../mesh/mesh.js';
import type { Polygon } from '../mesh/polygon/polygon.js';
import type { Field } from './grid.js';

/**
 * What distances are measured from. A polygon needs a planar grid (one node along z) and lies at that grid's z; an
 * implicit shape works on both kinds of grid.
 */
export type FieldSource = Mesh | Polygon | ImplicitShape;

/**
 * Methods for a distance field. 'exact': the nearest triangle of every node; blocks of nodes pass the triangles that can
 * be nearest on to their parts; narrow bands are scattered from the triangles. 'fast-marching': Fisher and Lin 2001,
 * section 4. 'distance-transform': the exact Euclidean transform of the nodes nearest the surface. 'jump-flooding': triangles are passed on over halving jumps, then an exact search confirms them.
 */
export type FieldMethod = 'exact' | 'fast-marching' | 'distance-transform' | 'jump-flooding';

/** Every {@link FieldMethod}. */
export const FIELD_METHODS: readonly FieldMethod[] = ['exact', 'fast-marching', 'distance-transform', 'jump-flooding'];

/** Which side of the surface is computed; on the other one the values beyond the first band are ±Infinity. */
export type FieldSides = 'inside' | 'outside' | 'both';

/**
 * How fast marching starts. 'exact': distances to the nearest triangle for all nodes within {@link FieldOptions.bandWidth}.
 * 'triangle-boxes': section 4.1 of Fisher and Lin 2001, nodes in the bounding box of each triangle, their distance to that triangle.
 */
export type InitialBand = 'exact' | 'triangle-boxes';

/** How to compute a field. An option that a method does not support throws if it would change the answer. */
export interface FieldOptions extends ProgressOptions {
  /** Default `FIELD_DEFAULTS.method`. */
  readonly method?: FieldMethod | undefined;
  /** For 'fast-marching'. Default 2. */
  readonly order?: 1 | 2 | undefined;
  /** For 'fast-marching'. Default 'exact'. */
  readonly band?: InitialBand | undefined;
  /** For 'fast-marching' with an exact band: its half width in spacings. Default 2, which second order needs; 1 with a speed. */
  readonly bandWidth?: number | undefined;
  /** Default 'both'. */
  readonly sides?: FieldSides | undefined;
  /** Nodes farther than this from the surface get ±Infinity: a narrow band. Default: no limit. */
  readonly maxDistance?: number | undefined;
  /**
   * For 'fast-marching': the speed F at every node. The field then has arrival times with |∇T| = 1/F instead of
   * distances. Nothing arrives where F is 0; negative speeds throw.
   */
  readonly speed?: Float64Array | undefined;
  /** 'winding': negative where the winding number is one half or more. 'none': no sign. Default 'winding'. */
  readonly sign?: 'winding' | 'none' | undefined;
  /** Whether to return the nearest triangle of each node ('exact' and 'jump-flooding'). Default false. */
  readonly nearest?: boolean | undefined;
  /**
   * For 'fast-marching' from a mesh or polygon: the number of nodes, drawn with a fixed seed, at which the field is
   * compared with the exact distance to estimate its error. Default 256.
   */
  readonly errorSamples?: number | undefined;
  /**
   * 'webgpu' needs `device`; 'auto' uses it if it is a hardware adapter and not lost. Default 'auto'.
   */
  readonly backend?: Backend | undefined;
  readonly device?: GpuDevice | undefined;
}

export const FIELD_OPTIONS = optionTable<FieldOptions>()({
  method: oneOf(FIELD_METHODS),
  order: checkedElsewhere(),
  band: oneOf(['exact', 'triangle-boxes']),
  bandWidth: checkedElsewhere(),
  sides: oneOf(['inside', 'outside', 'both']),
  maxDistance: numberFrom(0),
  speed: checkedElsewhere(),
  sign: oneOf(['winding', 'none']),
  nearest: flag(),
  errorSamples: wholeNumber(0, Infinity),
  backend: checkedElsewhere(),
  device: checkedElsewhere(),
  ...PROGRESS_RULES,
});

/** How far the values may be from the true distances, in units of length. */
export interface FieldError {
  /**
   * 'bound': no value is off by more than `max`. 'sampled': `max` and `mean` were measured at `samples` nodes. 'unknown':
   * arrival times, or distances from a function that is not a distance; there is nothing to compare them with.
   */
  readonly kind: 'bound' | 'sampled' | 'unknown';
  readonly max: number;
  /** `null` for a bound. */
  readonly mean: number | null;
  readonly samples: number;
}

/** What a field cost; counts that a method does not keep are 0. */
export interface FieldCounters {
  /** Nodes of the first band. */
  bandNodes: number;
  /** Point-triangle distances computed. */
  triangleDistances: number;
  /** Nodes taken from the heap of fast marching. */
  marched: number;
  /** Local solutions of fast marching that used two neighbors along at least one axis. */
  secondOrderUpdates: number;
  /** All local solutions. */
  updates: number;
  /** Nodes of the hierarchy visited. */
  nodesVisited: number;
}

/** Distances from a surface at the nodes of a grid: negative inside; ±Infinity at nodes that were not requested. */
export interface DistanceField extends Field {
  readonly method: FieldMethod;
  readonly backend: 'cpu' | 'webgpu';
  /** Why 'auto' computed on the CPU although the method could have used the given device. */
  readonly fallback?: BackendFallback | undefined;
  /** False when `sign: 'none'`. */
  readonly signed: boolean;
  /**
   * Whether the source bounds a solid. If false, the mesh is open or not consistently oriented: the sign is then that
   * of the generalized winding number, which also jumps away from the surface, across its holes.
   */
  readonly closed: boolean;
  readonly error: FieldError;
  /** By node: the nearest triangle (or edge of a polygon, counted through its rings), −1 if none; `null` unless requested. */
  readonly nearest: Int32Array | null;
  readonly counters: FieldCounters;
}
