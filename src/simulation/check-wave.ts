// The form of what a scene says of a soft body in the plane: a boundary that carries waves.
import type { JsonPlace } from '../core/check/json-place.js';
import { COORDINATE, needed, optional, readKeys } from './scene-keys.js';

/** Chosen: the largest wave speed (m/s), frequency (Hz) and damping (1/s); products with them stay finite. */
const MAX_RATE = 1e9;

/** A soft body in the plane. */
export interface CheckedWave {
  /** Of waves along the boundary, m/s. */
  readonly waveSpeed: number;
  /** Of a displacement of the whole boundary about the rest shape, Hz. */
  readonly frequency: number;
  /** 1/s. */
  readonly damping: number;
  /** Where the nodes are at the start, in the world, and how fast they move; null for the shape at rest. */
  readonly nodes: readonly (readonly number[])[] | null;
  readonly velocities: readonly (readonly number[])[] | null;
}

const KEYS = {
  waveSpeed: needed((place) => place.number({ above: 0, max: MAX_RATE })),
  frequency: needed((place) => place.number({ min: 0, max: MAX_RATE })),
  damping: optional(0, (place) => place.number({ min: 0, max: MAX_RATE })),
  nodes: optional(null, checkPoints),
  velocities: optional(null, checkPoints),
};

/** Reads it. @param nodes of the outline. */
export function checkWave(place: JsonPlace, nodes: number): CheckedWave {
  const { fields, values } = readKeys(place, KEYS);
  for (const name of ['nodes', 'velocities'] as const) {
    const count = values[name]?.length ?? nodes;
    if (count !== nodes) {
      fields.at(name).refuse(`is a list of ${count}; give one [x, y] for each of the ${nodes} points of the polygon`);
    }
  }
  return values;
}

function checkPoints(place: JsonPlace): number[][] {
  return place.list('points').map((point) => point.numbers(2, COORDINATE, '[x, y]'));
}
