// A hook for react-three-fiber: a query between two objects in every frame. Results go into a ref, so that React does
// not render; on request it does when the answer changes.
import { useFrame } from '@react-three/fiber';
import { type RefObject, useReducer, useRef, useState } from 'react';
import type { Object3D } from 'three';
import { NearfieldError } from '../core/errors.js';
import type { PenetrationResult } from '../penetration/result.js';
import type { ContactsResult, DistanceResult, IntersectionResult, ToleranceResult } from '../proximity/result.js';
import { LivePair, type LivePairOptions } from '../three/live-pair.js';

/** The result of each query by its name; see the methods of LivePair. */
export interface ProximityResults {
  readonly distance: DistanceResult;
  readonly intersects: IntersectionResult;
  readonly within: ToleranceResult;
  readonly contacts: ContactsResult;
  readonly penetration: PenetrationResult;
}

/** The name of a query. */
export type ProximityQuery = keyof ProximityResults;

/** The options of {@link useProximity}. Those of LivePair are read when an object is seen first. */
export interface UseProximityOptions<Query extends ProximityQuery = 'distance'> extends LivePairOptions {
  /** Default 'distance'. */
  readonly query?: Query | undefined;
  /** For 'within' and 'contacts', which need it. */
  readonly tolerance?: number | undefined;
  /** For 'distance': null beyond it, which costs less. */
  readonly cutoff?: number | undefined;
  /** False asks nothing, and keeps the last result. Default true. */
  readonly enabled?: boolean | undefined;
  /** Called in each frame, for instance with a helper's `update`. */
  readonly onResult?: ((result: ProximityResults[Query]) => void) | undefined;
  /**
   * Renders the component when the answer changes: its distance, depth or count of contacts, or whether the objects meet;
   * or when this function says so. Default false.
   */
  readonly rerender?:
    | boolean
    | ((result: ProximityResults[Query], previous: ProximityResults[Query] | null) => boolean)
    | undefined;
}

/**
 * Asks a query between two objects in every frame of react-three-fiber, before it is drawn. The ref that it returns holds
 * the last result; null until both objects are there and have triangles. Errors go to the nearest error boundary.
 */
export function useProximity<Query extends ProximityQuery = 'distance'>(
  a: RefObject<Object3D | null>,
  b: RefObject<Object3D | null>,
  options: UseProximityOptions<Query> = {},
): RefObject<ProximityResults[Query] | null> {
  const result = useRef<ProximityResults[Query] | null>(null);
  const pair = useRef<LivePair | null>(null);
  const [, render] = useReducer((count: number) => count + 1, 0);
  const [failure, setFailure] = useState<unknown>(null);
  if (failure !== null) throw failure;

  useFrame(() => {
    const { enabled = true, onResult, rerender = false } = options;
    if (!enabled || failure !== null) return;
    try {
      const previous = result.current;
      const next = askObjects(pair, a.current, b.current, options);
      result.current = next;
      if (next !== null) onResult?.(next);
      if (next === previous || rerender === false) return;
      const changed =
        next === null || rerender === true ? answerOf(next) !== answerOf(previous) : rerender(next, previous);
      if (changed) render();
    } catch (error) {
      setFailure(error);
    }
  });
  return result;
}

/** The answer for two objects, by the last pair while they are the same; null while one is missing or empty. */
function askObjects<Query extends ProximityQuery>(
  last: RefObject<LivePair | null>,
  a: Object3D | null,
  b: Object3D | null,
  options: UseProximityOptions<Query>,
): ProximityResults[Query] | null {
  if (a === null || b === null) return null;
  const { model, pair, penetration } = options;
  try {
    if (last.current?.a.object !== a || last.current.b.object !== b) {
      last.current = new LivePair(a, b, { model, pair, penetration });
    }
    return ask(last.current, options);
  } catch (error) {
    // A group whose content is still being loaded.
    if (error instanceof NearfieldError && error.code === 'empty-mesh') return null;
    throw error;
  }
}

function ask<Query extends ProximityQuery>(
  pair: LivePair,
  { query, tolerance, cutoff }: UseProximityOptions<Query>,
): ProximityResults[Query] {
  const results: { [Name in ProximityQuery]: () => ProximityResults[Name] } = {
    distance: () => pair.distance({ cutoff }),
    intersects: () => pair.intersects(),
    within: () => pair.within(tolerance!),
    contacts: () => pair.contacts({ tolerance: tolerance! }),
    penetration: () => pair.penetration(),
  };
  const name = query ?? 'distance';
  if (!Object.hasOwn(results, name)) {
    throw new NearfieldError('bad-argument', `The query is '${name}'; choose ${Object.keys(results).join(', ')}.`);
  }
  return results[name]() as ProximityResults[Query];
}

/** What a component shows of a result. */
function answerOf(result: ProximityResults[ProximityQuery] | null): string {
  if (result === null) return '';
  if ('within' in result) return `${result.within}`;
  if ('depth' in result) return `${result.depth}`;
  if ('contacts' in result) return `${result.intersects} ${result.contacts.length}`;
  return 'distance' in result ? `${result.distance}` : `${result.intersects}`;
}
