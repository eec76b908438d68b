// A level of the descent seen by the windows of Kim et al. 2002: its sums are drawn as polygons from the origin, and
// the rays of the nearest pixels are followed again in double precision, to refine and confirm what the images found.
import { buildMinkowskiSum } from '../../convex/minkowski/minkowski-sum.js';
import type { Solid } from '../solid.js';
import { BoundaryWalk } from '../union/boundary-walk.js';
import { pixelCenter, writeDirection } from '../union/cube-views.js';
import type { LevelUnion } from '../union/descent.js';
import { classifyFeatures } from '../union/facet-class.js';
import { listSums } from '../union/list-sums.js';
import { offerExit } from '../union/probe-rays.js';
import type { WindowQuery, WindowQueryResult, WindowSum } from './window-query.js';

/** The inputs of a level's images besides the level. */
export interface WindowScene {
  readonly a: Solid;
  readonly b: Solid;
  readonly placement: Float64Array;
  readonly resolution: number;
  /** Whether all pixels are needed, not only the nearest. */
  readonly wholeImages: boolean;
}

/** Views a level's union through windows and improves its separation. Returns the images. */
export async function seeWindows(
  query: WindowQuery,
  level: LevelUnion,
  scene: WindowScene,
): Promise<WindowQueryResult> {
  const { union, separation, exhaustive } = level;
  const { resolution, wholeImages } = scene;
  const { voids } = union;
  const isVoid = voids === null ? undefined : (x: number, y: number, z: number) => voids.isVoid(x, y, z);
  const seen = await query.run(buildWindowSums(level, scene), {
    resolution,
    bound: exhaustive || wholeImages ? Infinity : separation.distance,
    accelerated: !exhaustive,
    wholeImages,
    startsInVoid: isVoid?.(0, 0, 0) ?? false,
    isVoid,
  });
  if (seen.view < 0) return seen;
  const source = listSums(level);
  const direction = new Float64Array(3);
  const column = seen.pixel % resolution;
  const row = Math.floor(seen.pixel / resolution);
  writeDirection(direction, seen.view, pixelCenter(column, resolution), -pixelCenter(row, resolution));
  const [dx, dy, dz] = direction;
  const reach = union.trace(source.list, 0, source.gather(), dx, dy, dz, Infinity);
  if (reach < Infinity) offerExit(union, source, new BoundaryWalk(), separation, reach, [dx, dy, dz]);
  return seen;
}

function buildWindowSums({ pairs }: LevelUnion, { a, b, placement }: WindowScene): WindowSum[] {
  const sums: WindowSum[] = [];
  for (let i = 0; i < pairs.count; i++) {
    const sum = buildMinkowskiSum(a.set, pairs.nodes[2 * i], b.set, pairs.nodes[2 * i + 1], placement);
    const classes = Uint8Array.from(sum.featuresA, (featureA, facet) =>
      classifyFeatures(a.hulls, featureA, b.hulls, sum.featuresB[facet]),
    );
    const distance = pairs.distances[i];
    sums.push({ ...sum, classes, containsOrigin: distance === 0, distance });
  }
  return sums;
}
