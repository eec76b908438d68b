// The narrow places of a way: where the clearance along it has a minimum that a robot does not pass in every orientation.
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { ClearanceMap } from './clearance-map.js';

/** A way that keeps to the middle, with clearances and tangents at its points. */
export interface CenteredWay {
  readonly points: readonly Vec3[];
  readonly clearances: readonly number[];
  readonly tangents: readonly Vec3[];
}

/** Chosen: the count of rounds of smoothing. */
const ROUNDS = 12;

/** Chosen: the share of the clearance that each round keeps. */
const KEPT = 0.998;

/** Chosen: the straight way between two points must have this share of the room around it. */
const STRAIGHT = 0.9;

/** Chosen: two narrow places are parted where the way between is wider than they are by this factor. */
const PARTING = 1.3;

/** Chosen: the most points that a way is divided into, whatever its length; each costs a distance and some steps. */
const MAX_POINTS = 20_000;

/** Chosen: the most steps towards the middle. */
const STEPS = 30;

/**
 * Moves the points of a way to where the clearance across it is greatest, and divides it evenly.
 * @param spacing of the points.
 * @param comfort clearance with which points are left where they are.
 */
export function centerWay(map: ClearanceMap, way: readonly Vec3[], spacing: number, comfort: number): CenteredWay {
  const points = divide(straighten(map, way, comfort), spacing);
  let tangents = tangentsOf(points);
  const clearances = points.map((point) => map.at(point));
  const slope: Vec3 = [0, 0, 0];
  for (let i = 1; i < points.length - 1; i++) {
    if (clearances[i] > comfort) continue;
    const from = points[i];
    const farthest = clearances[i];
    let step = clearances[i] / 4;
    for (let n = 0; n < STEPS && step > 1e-3 * clearances[i]; n++) {
      map.slope(points[i], slope);
      const t = tangents[i];
      const along = slope[0] * t[0] + slope[1] * t[1] + slope[2] * t[2];
      for (let k = 0; k < 3; k++) slope[k] -= along * t[k];
      const size = Math.hypot(...slope);
      if (!(size > 1e-6)) break;
      const trial = points[i].map((value, k) => value + (step * slope[k]) / size) as Vec3;
      const clearance = map.at(trial);
      const moved = Math.hypot(trial[0] - from[0], trial[1] - from[1], trial[2] - from[2]);
      if (clearance > clearances[i] && moved < farthest) {
        points[i] = trial;
        clearances[i] = clearance;
      } else step /= 2;
    }
  }
  smooth(map, points, clearances, comfort);
  tangents = tangentsOf(points);
  return { points, clearances, tangents };
}

/** A narrow stretch of a way: the point where it is narrowest, and the points on both sides where it is wide again. */
export interface Passage {
  readonly narrowest: number;
  readonly first: number;
  readonly last: number;
}

/**
 * The narrow places of a way, in order: stretches narrower than `wide`, parted where they are much wider between two narrow
 * places than in these.
 */
export function findPassages({ clearances }: CenteredWay, wide: number): Passage[] {
  const passages: Passage[] = [];
  const last = clearances.length - 1;
  const add = (first: number, narrowest: number, end: number): void => {
    if (narrowest > 0 && narrowest < last) passages.push({ narrowest, first, last: end });
  };
  for (let i = 0; i <= last; i++) {
    if (clearances[i] >= wide) continue;
    let [first, narrowest, widest] = [Math.max(0, i - 1), i, i];
    for (; i <= last && clearances[i] < wide; i++) {
      const isPast = clearances[widest] > PARTING * clearances[narrowest];
      if (isPast && clearances[i] * PARTING < clearances[widest]) {
        add(first, narrowest, widest);
        [first, narrowest, widest] = [widest, i, i];
      } else if (!isPast && clearances[i] < clearances[narrowest]) narrowest = widest = i;
      else if (clearances[i] >= clearances[widest]) widest = i;
    }
    add(first, narrowest, Math.min(last, i));
  }
  return passages;
}

/** Leaves out points that lie in no narrow place, where the straight way has as much room. */
function straighten(map: ClearanceMap, way: readonly Vec3[], comfort: number): Vec3[] {
  const clearances = way.map((point) => map.at(point));
  const kept: Vec3[] = [way[0]];
  for (let i = 0; i < way.length - 1; ) {
    let next = way.length - 1;
    for (; next > i + 1; next = i + Math.max(1, Math.floor((next - i) / 2))) {
      const need = Math.min(comfort, STRAIGHT * Math.min(...clearances.slice(i, next + 1)));
      if (hasRoom(map, way[i], way[next], need)) break;
    }
    kept.push(way[next]);
    i = next;
  }
  return kept;
}

/** Whether every point between a and b has at least a clearance, by balls along the way. */
export function hasRoom(map: ClearanceMap, a: Vec3, b: Vec3, least: number): boolean {
  // Steps are no shorter than a share of it, so that they end.
  if (!(least > 0)) return false;
  const length = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  for (let at = 0; at < length; ) {
    const t = at / length;
    const clearance = map.at([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])]);
    if (clearance < least) return false;
    at += Math.max(clearance - least, 0.05 * least);
  }
  return true;
}

/** Moves points between their neighbors, where that costs next to no clearance. */
function smooth(map: ClearanceMap, points: Vec3[], clearances: number[], comfort: number): void {
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 1; i < points.length - 1; i++) {
      const trial = points[i].map((value, k) => (2 * value + points[i - 1][k] + points[i + 1][k]) / 4) as Vec3;
      const clearance = map.at(trial);
      if (clearance < Math.min(comfort, clearances[i] * KEPT)) continue;
      points[i] = trial;
      clearances[i] = clearance;
    }
  }
}

function divide(way: readonly Vec3[], wanted: number): Vec3[] {
  let whole = 0;
  for (let i = 1; i < way.length; i++) whole += vec3.distance(way[i - 1], way[i]);
  const spacing = Math.max(wanted, whole / MAX_POINTS);
  const points: Vec3[] = [[...way[0]]];
  for (let i = 1; i < way.length; i++) {
    const [a, b] = [way[i - 1], way[i]];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    const parts = Math.max(1, Math.ceil(length / spacing));
    const isShort = length < spacing / 4 && i < way.length - 1;
    if (isShort) continue;
    for (let k = 1; k <= parts; k++) points.push(a.map((value, j) => value + (k / parts) * (b[j] - value)) as Vec3);
  }
  return points;
}

function tangentsOf(points: readonly Vec3[]): Vec3[] {
  return points.map((_, i) => {
    const [a, b] = [points[Math.max(0, i - 3)], points[Math.min(points.length - 1, i + 3)]];
    const size = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    return size > 0 ? [(b[0] - a[0]) / size, (b[1] - a[1]) / size, (b[2] - a[2]) / size] : [0, 0, 1];
  });
}
