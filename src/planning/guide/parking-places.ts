// Places along the Voronoi graph of the obstacles where agents can stand beside each other, and ways between them that pass
// no other place too near: what plans with stepping back are made on.
import type { ParkingGraph } from '../../agents/agent-routes.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { GuideGraph, Station } from './guide-graph.js';

/** Rounding: distances of places may be too small by this share. */
const PLACE_ROUNDING = 1e-6;

/**
 * @param room that an agent needs to pass.
 * @param spacing at which two agents stand beside each other.
 */
export function buildParkingGraph(graph: GuideGraph, room: number, spacing: number): ParkingGraph {
  const open = new Set(graph.stations.filter((station) => station.room >= room));
  prune(open, spacing);
  const points: Vec3[] = [];
  const placeOf = new Map<Station, number>();
  const isFar = (point: Vec3, but: readonly number[] = []): boolean =>
    points.every((other, i) => but.includes(i) || vec3.distance(point, other) >= spacing * (1 - PLACE_ROUNDING));
  const add = (station: Station): void => {
    if (placeOf.has(station) || !isFar(station.point)) return;
    placeOf.set(station, points.push(station.point) - 1);
  };
  // Where ways meet comes first, widest first: agents swap there. Then the ends.
  const ordered = [...open].sort((a, b) => a.id - b.id);
  const junctions = ordered.filter((station) => openLinks(station, open).length >= 3);
  for (const station of junctions.sort((a, b) => b.room - a.room || a.id - b.id)) add(station);
  for (const station of ordered) if (openLinks(station, open).length === 1) add(station);
  // Then the ways from place to place, evenly.
  const seen = new Set<Station>();
  for (const start of [...placeOf.keys()]) {
    for (const next of openLinks(start, open)) {
      const chain = follow(start, next, open, placeOf);
      if (chain.some((station) => seen.has(station) && !placeOf.has(station))) continue;
      for (const station of chain) seen.add(station);
      divide(chain, spacing, (station) => add(station), placeOf);
    }
  }
  // What is left: rings without a junction, or ends without a place.
  for (const station of ordered) add(station);
  return connect(points, placeOf, open, spacing);
}

/** Removes dead ends too short for an agent to stand in beside the way. */
function prune(open: Set<Station>, spacing: number): void {
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const end of [...open].sort((a, b) => a.id - b.id)) {
      if (!open.has(end) || openLinks(end, open).length !== 1) continue;
      const branch = [end];
      let [at, length] = [end, 0];
      for (;;) {
        const onward = openLinks(at, open).filter((station) => !branch.includes(station));
        if (onward.length !== 1) break;
        length += vec3.distance(at.point, onward[0].point);
        at = onward[0];
        if (openLinks(at, open).length >= 3) break;
        branch.push(at);
      }
      if (openLinks(at, open).length < 3 || length >= spacing) continue;
      for (const station of branch) open.delete(station);
      hasChanged = true;
    }
  }
}

function openLinks(station: Station, open: ReadonlySet<Station>): Station[] {
  return station.links.flatMap(({ to }) => (open.has(to) ? [to] : []));
}

/** The stations from a place over a neighbor to the next place or the end. */
function follow(
  start: Station,
  next: Station,
  open: ReadonlySet<Station>,
  placeOf: ReadonlyMap<Station, number>,
): Station[] {
  const chain = [start, next];
  const passed = new Set(chain);
  while (!placeOf.has(chain[chain.length - 1])) {
    const onward = openLinks(chain[chain.length - 1], open).filter((station) => !passed.has(station));
    if (onward.length !== 1) break;
    chain.push(onward[0]);
    passed.add(onward[0]);
  }
  return chain;
}

/** Adds places along a chain, as many as fit. */
function divide(
  chain: readonly Station[],
  spacing: number,
  add: (station: Station) => void,
  placeOf: ReadonlyMap<Station, number>,
): void {
  const lengths = [0];
  for (let i = 1; i < chain.length; i++)
    lengths.push(lengths[i - 1] + vec3.distance(chain[i - 1].point, chain[i].point));
  const total = lengths[lengths.length - 1];
  const parts = Math.floor(total / spacing);
  if (!placeOf.has(chain[chain.length - 1])) {
    for (let i = 0, wanted = spacing; i < chain.length; i++) {
      if (lengths[i] < wanted) continue;
      add(chain[i]);
      if (placeOf.has(chain[i])) wanted = lengths[i] + spacing;
    }
    return;
  }
  for (let k = 1; k < parts; k++) {
    // The station just past the even place, so that those before it are far enough.
    const at = lengths.findIndex((length) => length >= (k / parts) * total);
    add(chain[at]);
    if (!placeOf.has(chain[at]) && at > 0) add(chain[at - 1]);
  }
}

/** Joins places that a way leads between without coming too near to others. */
function connect(
  points: readonly Vec3[],
  placeOf: ReadonlyMap<Station, number>,
  open: ReadonlySet<Station>,
  spacing: number,
): ParkingGraph {
  const neighbors: number[][] = points.map(() => []);
  const ways = new Map<number, Vec3[]>();
  for (const [start, from] of placeOf) {
    const before = new Map<Station, Station | null>([[start, null]]);
    const queue = [start];
    for (let i = 0; i < queue.length; i++) {
      const station = queue[i];
      const to = placeOf.get(station);
      if (to !== undefined && to !== from) {
        const way: Vec3[] = [];
        for (let at: Station | null = station; at !== null; at = before.get(at) ?? null) way.push(at.point);
        way.reverse();
        const isNear = way.some((point) =>
          points.some((other, k) => k !== from && k !== to && vec3.distance(point, other) < 0.9 * spacing),
        );
        if (isNear || neighbors[from].includes(to)) continue;
        neighbors[from].push(to);
        ways.set(from * points.length + to, way);
        continue;
      }
      for (const next of openLinks(station, open)) {
        if (before.has(next)) continue;
        before.set(next, station);
        queue.push(next);
      }
    }
  }
  // Both directions, or none.
  const mutual = neighbors.map((list, a) => list.filter((b) => neighbors[b].includes(a)));
  return { points, spacing, neighbors: mutual, ways };
}
