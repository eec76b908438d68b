// What a distance field can be made from, how, and what comes out.
import type { ProgressOptions } from '../core/progress.js';
import type { Backend, BackendFallback } from '../gpu/choose-backend.js';
import type { GpuDevice } from '../gpu/device.js';
import type { ImplicitShape } from '../mesh/implicit/implicit-shape.js';
import type { Mesh } from '../mesh/mesh.js';
import type { Polygon } from '../mesh/polygon/polygon.js';
import type { Field } from './grid.js';

/**
 * What a field is measured from. A polygon needs a grid in the plane (one node along z) and lies at that grid's z; an
 * implicit shape works in both.
 */
export type FieldSource = Mesh | Polygon | ImplicitShape;

/**
 * Ways to a distance field. 'exact': the nearest triangle of every node; blocks of nodes hand the triangles that can be
 * nearest on to their parts, narrow bands are scattered from the triangles. 'fast-marching': Fisher and Lin 2001, section 4. 'distance-transform': the exact Euclidean
 * transform of the nodes nearest the surface. 'jump-flooding': triangles handed on by halving jumps, then confirmed.
 */
export type FieldMethod = 'exact' | 'fast-marching' | 'distance-transform' | 'jump-flooding';

/** Which side of the surface is computed; on the other one the values beyond the first band are ±Infinity. */
export type FieldSides = 'inside' | 'outside' | 'both';

/**
 * How fast marching starts. 'exact': distances to the nearest triangle for all nodes within {@link FieldOptions.bandWidth}.
 * 'triangle-boxes': section 4.1 of Fisher and Lin 2001, nodes in the bounding box of each triangle, their distance to that triangle.
 */
export type InitialBand = 'exact' | 'triangle-boxes';

/** How a field is made; what a method has no use for is refused where it would change the answer. */
export interface FieldOptions extends ProgressOptions {
  /** Default `FIELD_DEFAULTS.method`. */
  readonly method?: FieldMethod | undefined;
  /** Of 'fast-marching'. Default 2. */
  readonly order?: 1 | 2 | undefined;
  /** Of 'fast-marching'. Default 'exact'. */
  readonly band?: InitialBand | undefined;
  /** Of 'fast-marching' with an exact band: its half width, in spacings. Default 2, what second order needs; 1 with a speed. */
  readonly bandWidth?: number | undefined;
  /** Default 'both'. */
  readonly sides?: FieldSides | undefined;
  /** Nodes farther than this from the surface get ±Infinity: a narrow band. Default: no limit. */
  readonly maxDistance?: number | undefined;
  /**
   * Of 'fast-marching': the speed F at every node, for arrival times with |∇T| = 1/F in place of distances. Where it is
   * 0 nothing arrives; negative ones are refused.
   */
  readonly speed?: Float64Array | undefined;
  /** 'winding': negative where the winding number is one half or more. 'none': no sign. Default 'winding'. */
  readonly sign?: 'winding' | 'none' | undefined;
  /** Whether to say which triangle is nearest to each node ('exact' and 'jump-flooding'). Default false. */
  readonly nearest?: boolean | undefined;
  /**
   * Of 'fast-marching' from a mesh or polygon: how many nodes, drawn by a fixed seed, are compared with the exact
   * distance to state the error. Default 256.
   */
  readonly errorSamples?: number | undefined;
  /**
   * 'webgpu' needs `device`; 'auto' takes it where there is one that is no software adapter and not lost. Default 'auto'.
   */
  readonly backend?: Backend | undefined;
  readonly device?: GpuDevice | undefined;
}

/** How far the values may be from the true distances, in units of length. */
export interface FieldError {
  /**
   * 'bound': no value is farther off than `max`. 'sampled': `max` and `mean` were seen over `samples` nodes. 'unknown': arrival
   * times, or distances from a function that is no distance, which cannot be compared with anything.
   */
  readonly kind: 'bound' | 'sampled' | 'unknown';
  readonly max: number;
  /** `null` for a bound. */
  readonly mean: number | null;
  readonly samples: number;
}

/** What a field cost; what a method does not count is 0. */
export interface FieldCounters {
  /** Nodes of the first band. */
  bandNodes: number;
  /** Point-triangle distances computed. */
  triangleDistances: number;
  /** Nodes taken from the heap of fast marching. */
  marched: number;
  /** Local solutions of fast marching that used two neighbours along at least one axis. */
  secondOrderUpdates: number;
  /** All local solutions. */
  updates: number;
  /** Nodes of the hierarchy visited. */
  nodesVisited: number;
}

/** Distances from a surface at the nodes of a grid: negative inside; ±Infinity at nodes that were not asked for. */
export interface DistanceField extends Field {
  readonly method: FieldMethod;
  readonly backend: 'cpu' | 'webgpu';
  /** Why 'auto' computed on the CPU although a device was given that the method can use. */
  readonly fallback?: BackendFallback | undefined;
  /** False when `sign: 'none'`. */
  readonly signed: boolean;
  /**
   * Whether the source bounds a solid. Where false, the mesh is open or not consistently oriented: the sign is then that
   * of the generalized winding number, which jumps away from the surface too, across its holes.
   */
  readonly closed: boolean;
  readonly error: FieldError;
  /** By node: the nearest triangle (or edge of a polygon, counted through its rings), −1 where none; `null` unless asked for. */
  readonly nearest: Int32Array | null;
  readonly counters: FieldCounters;
}
