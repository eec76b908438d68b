// A point as a model: what is in the center of a ball.
import { createMesh } from '../../mesh/mesh.js';
import { ProximityModel } from '../../proximity/proximity-model.js';

/** A triangle without area at the origin, which queries take as a point. It bounds no solid and contains nothing. */
export function createPoint(): ProximityModel {
  return new ProximityModel(createMesh(new Float64Array(9), Uint32Array.of(0, 1, 2)));
}
