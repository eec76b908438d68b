// Where a passage is narrow.
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { GuideTask } from './guide.js';
import type { Station } from './guide-graph.js';

/** The direction across a way in which there is the least room, on both sides together. */
export function narrowDirection({ body, map }: GuideTask, station: Station, along: Vec3): Vec3 {
  const u = vec3.normalize(vec3.perpendicular(along));
  if (body.ways === 2) return u;
  const v = vec3.cross(along, u);
  let [best, least] = [u, Infinity];
  const reach = 0.7 * station.room;
  for (let i = 0; i < 8; i++) {
    const angle = (Math.PI * i) / 8;
    const d = vec3.addScaled(vec3.scale(u, Math.cos(angle)), v, Math.sin(angle));
    const room = map.at(vec3.addScaled(station.point, d, reach)) + map.at(vec3.addScaled(station.point, d, -reach));
    if (room < least) [best, least] = [d, room];
  }
  return best;
}
