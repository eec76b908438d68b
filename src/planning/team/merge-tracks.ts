// Tracks of all robots as one path: a waypoint wherever some robot has one, so that all reach each waypoint together.
import type { TeamScenes } from './team-scenes.js';
import type { Track } from './track.js';

/** Rounding: waypoints nearer in time than this share of the whole are one. */
const SAME_TIME = 1e-12;

/** The configurations of all robots, which end with their times. */
export function mergeTracks({ size }: TeamScenes, tracks: readonly Track[]): Float64Array[] {
  const last = Math.max(...tracks.map(({ arrival }) => arrival));
  const all = tracks.flatMap(({ times }) => times).sort((a, b) => a - b);
  const times = all.filter((time, i) => i === all.length - 1 || all[i + 1] - time > SAME_TIME * last);
  times[0] = 0;
  return times.map((time) => {
    const q = new Float64Array(size);
    for (const track of tracks) track.write(track.pieceAt(time), time, q);
    q[size - 1] = time;
    return q;
  });
}
