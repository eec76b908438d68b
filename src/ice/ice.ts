// A growth as its users see it, on any backend.

import type { ProgressOptions } from '../core/progress.js';
import type { Vec3 } from '../core/vec3.js';
import type { GridFrame } from '../field/grid.js';
import type { BackendFallback } from '../gpu/choose-backend.js';
import type { IceParameters } from './parameters.js';

/**
 * What happens at the sides of the grid. `no-flux`: nothing passes. `fixed`: the temperature there is kept, and no phase
 * passes. `periodic`: each side continues at the opposite one.
 */
export type IceBoundary = 'no-flux' | 'fixed' | 'periodic';

/**
 * How time advances. `explicit`: forward Euler for both fields, as published. `semi-implicit`: the temperature by
 * backward Euler, axis by axis, which stays stable with longer timesteps.
 */
export type IceScheme = 'explicit' | 'semi-implicit';

/** Numbers of the cells: single or double precision. */
export type IcePrecision = 'float32' | 'float64';

/** A disk or ball, or what one sweeps on the way to another point, and what it sets; cells with their centers in it. */
export interface IceStroke {
  /** A point, in the plane with two numbers. */
  readonly center: readonly number[];
  readonly radius: number;
  /** The end of the stroke. Default: the center. */
  readonly to?: readonly number[] | undefined;
  /** The phase to set: 1 freezes, 0 melts. */
  readonly phase?: number | undefined;
  /** The temperature to set. */
  readonly temperature?: number | undefined;
  /** True: removes the ice here and lets none grow from now on; heat passes. False: ice can grow here again. */
  readonly obstacle?: boolean | undefined;
}

/** The fields of a growth at one time. A cell (i, j, k) has its center at origin + spacing · (i, j, k), its value at i + nx · (j + ny · k). */
export interface IceState extends GridFrame {
  /** 1 in ice, 0 outside. */
  readonly phase: Float32Array | Float64Array;
  readonly temperature: Float32Array | Float64Array;
  /** 1 where ice can grow, 0 in obstacles; null without any. */
  readonly room: Uint8Array | null;
  /** Steps since the start. */
  readonly steps: number;
  readonly time: number;
}

/** New fields of a growth: arrays with one number per cell. */
export interface IceFields {
  readonly phase?: ArrayLike<number> | undefined;
  readonly temperature?: ArrayLike<number> | undefined;
  /** 0 in obstacles. */
  readonly room?: ArrayLike<number> | undefined;
}

/** The cost of steps. */
export interface IceWork {
  readonly steps: number;
  /** Tiles of the grid times steps. */
  readonly tiles: number;
  /** The tiles that were computed: the active band skips the others. */
  readonly computedTiles: number;
  /** The computed tiles with a phase between 0 and 1 in them or around them. */
  readonly phaseTiles: number;
}

/** A growth on a grid. Made by `createIce`. */
export interface Ice extends GridFrame {
  readonly origin: Readonly<Vec3>;
  readonly parameters: IceParameters;
  readonly timestep: number;
  readonly scheme: IceScheme;
  readonly boundary: IceBoundary;
  readonly precision: IcePrecision;
  readonly backend: 'cpu' | 'webgpu';
  /** Why the CPU is used although a device was given. */
  readonly fallback?: BackendFallback;
  /** Workers of a pool that do the steps; 0: this thread does, or the GPU. */
  readonly workers: number;
  /** Steps since the start. */
  readonly steps: number;
  /** Does steps. After an abort the state is that of the last step done. */
  advance(steps: number, progress?: ProgressOptions): Promise<IceWork>;
  /** Sets cells, one stroke after the other. */
  paint(strokes: readonly IceStroke[]): void;
  /** Sets all cells of some fields. */
  write(fields: IceFields): void;
  /** A copy of the fields. Rejects with `non-finite` if the steps became unstable. */
  read(): Promise<IceState>;
  /** Frees memory; the growth cannot be used afterwards. */
  free(): void;
}
