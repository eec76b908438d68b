/**
 * A hook for react-three-fiber: a proximity query between two objects in every frame.
 * @module react
 */

export {
  type ProximityQuery,
  type ProximityResults,
  type UseProximityOptions,
  useProximity,
} from './use-proximity.js';
