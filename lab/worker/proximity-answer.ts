// What is asked of a scenario and what is answered.
import type { Box, Vec3 } from 'nearfield/core';
import type { BoundingVolume, QueryCounters, Witness } from 'nearfield/proximity';
import type { Scenario } from '../../bench/scenarios/scenario.js';

export type ProximityQuery = 'intersection' | 'tolerance' | 'distance' | 'approximate' | 'contacts';

export interface OpenedScenario {
  readonly bodies: Scenario['bodies'];
  readonly pairs: Scenario['pairs'];
  readonly frameCount: number;
  readonly poses: Float64Array;
  /** What turning bodies by hand turns them about, in their own frames. */
  readonly centers: readonly Vec3[];
  /** Around all bodies in all frames. */
  readonly bounds: Box;
}

export interface ScenarioSettings {
  readonly volume: BoundingVolume;
  readonly pieceCaching: boolean;
  readonly prioritySearch: boolean;
  readonly frontTracking: boolean;
  readonly motionBounds: boolean;
}

export interface ScenarioQuestion extends ScenarioSettings {
  readonly scenario: string;
  readonly query: ProximityQuery;
  readonly tolerance: number;
  /** Seven numbers a body. */
  readonly poses: Float64Array;
  /** The frame that the poses are those of; −1 where they are of none. */
  readonly frame: number;
}

export interface PairAnswer {
  /** Bodies by number. */
  readonly a: number;
  readonly b: number;
  /** Null where the query does not tell. */
  readonly intersects: boolean | null;
  readonly within: boolean | null;
  readonly distance: number | null;
  readonly error: number;
  readonly witnesses: readonly Witness[];
}

export interface ScenarioAnswer {
  readonly pairs: readonly PairAnswer[];
  /** Summed over the pairs. */
  readonly counters: QueryCounters;
  /** The queries of all pairs, together. */
  readonly microseconds: number;
  readonly medianMicroseconds: number;
  readonly framesTimed: number;
  readonly clearance: Float64Array;
  /** Where the surfaces of pairs that intersect cross: six numbers a segment. */
  readonly curves: Float64Array;
}

/** Null where no pair tells a distance. */
export function leastDistance(pairs: readonly PairAnswer[]): number | null {
  const known = pairs.flatMap(({ intersects, distance, witnesses }) =>
    intersects ? [0] : distance === null ? witnesses.map((witness) => witness.distance) : [distance],
  );
  return known.length === 0 ? null : Math.min(...known);
}
