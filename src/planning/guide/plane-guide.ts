// The guide of a planar robot: the exact Voronoi graph of the obstacles' outlines in its plane. When an obstacle moves, the
// graph changes around it only, and the stations elsewhere stay.
import type * as pose from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import type { Vec3 } from '../../core/vec3.js';
import { LiveVoronoi } from '../../voronoi/graph/live-voronoi.js';
import type { GraphEdge, GraphVertex } from '../../voronoi/graph/voronoi-graph.js';
import type { PathSite } from '../../voronoi/sites/plane-site.js';
import { footprintOf, type Slab } from './footprint.js';
import { costBy, type Guide, type GuideChange, type GuideTask } from './guide.js';
import { GuideGraph, type Station } from './guide-graph.js';
import { simplifySegments } from './simplify-segments.js';

/** Chosen: outlines may be off by this share of the grain, edges of the graph by half of it. */
const OUTLINE_ERROR = 1 / 64;

/** Chosen: places with less room than this share of the grain are left out. */
const MIN_ROOM = 0.3;

/** Chosen: the distance between stations, as a share of the robot's radius. */
const SPACING = 0.25;

/** An outline, and the pose of its obstacle. */
interface Outline {
  readonly segments: readonly number[];
  readonly pose: pose.Pose;
}

interface Chain {
  readonly stations: readonly Station[];
  readonly ends: readonly (GraphVertex | null)[];
}

export class PlaneGuide implements Guide {
  readonly graph: GuideGraph;
  readonly #task: GuideTask;
  readonly #slab: Slab;
  /** The coordinate of the anchor across the plane. */
  readonly #height: number;
  /** Where the anchor may be: x0, y0, x1, y1. */
  readonly #limits: readonly [number, number, number, number];
  readonly #box: readonly [number, number, number, number];
  readonly #tolerance: number;
  readonly #leastRoom: number;
  readonly #outlines: Outline[];
  /** By obstacle: its site; −1 if it has none. */
  readonly #siteOf: number[] = [];
  readonly #live: LiveVoronoi;
  readonly #chains = new Map<GraphEdge, Chain>();
  readonly #stationOf = new Map<GraphVertex, Station>();

  constructor(task: GuideTask) {
    this.#task = task;
    const { scene, body, grain } = task;
    this.graph = new GuideGraph(costBy(task));
    const { robot } = body;
    const [u, v, w] = robot.axes;
    const { positions } = robot.links[0].model.mesh;
    const q = new Float64Array(scene.size);
    let [low, high, offset] = [Infinity, -Infinity, 0];
    for (let i = 0; i < positions.length; i += 3) {
      const at = body.pointAt(q, [positions[i], positions[i + 1], positions[i + 2]])[w];
      low = Math.min(low, at);
      high = Math.max(high, at);
    }
    // What only touches these heights is left out: a floor that the robot stands on is no obstacle.
    const margin = scene.clearance - 1e-6 * body.radius;
    this.#slab = { axes: robot.axes as [number, number, number], low: low - margin, high: high + margin };
    const anchor = body.anchorAt(q);
    this.#height = anchor[w];
    offset = Math.hypot(anchor[u], anchor[v]);
    const { min, max } = robot.bounds;
    this.#limits = [min[u] - offset, min[v] - offset, max[u] + offset, max[v] + offset];
    // A frame around the bounds closes the diagram: with one obstacle only there is a way around it.
    const room = body.radius + scene.clearance;
    const [x0, y0, x1, y1] = grow(this.#limits, room);
    this.#box = grow([x0, y0, x1, y1], 0.1 * room);
    this.#tolerance = OUTLINE_ERROR * grain;
    this.#leastRoom = MIN_ROOM * grain + scene.clearance;
    this.#outlines = scene.obstacles.map((_, index) => this.#outline(index));
    const frame = [x0, y0, x1, y0, x1, y0, x1, y1, x1, y1, x0, y1, x0, y1, x0, y0];
    const sites = [siteOf(frame)];
    for (const [index, { segments }] of this.#outlines.entries()) {
      const site = this.#clip(segments);
      this.#siteOf[index] = site.length > 0 ? sites.push(siteOf(site)) - 1 : -1;
    }
    this.#live = new LiveVoronoi(sites, { box: this.#box, between: 'features', error: this.#tolerance / 2 });
    this.#follow();
  }

  /** Stations are exact already. */
  refine(way: readonly Station[]): readonly Station[] {
    return way;
  }

  obstacleMoved(index: number): GuideChange {
    const { obstacles } = this.#task.scene;
    this.#outlines[index] = moved(this.#outlines[index], obstacles[index].pose, this.#slab) ?? this.#outline(index);
    const site = this.#clip(this.#outlines[index].segments);
    const known = this.#siteOf[index];
    if (site.length === 0) {
      if (known >= 0) this.#live.remove(known);
    } else if (known >= 0) this.#live.replace(known, siteOf(site));
    else this.#siteOf[index] = this.#live.add(siteOf(site));
    return this.#follow();
  }

  #outline(index: number): Outline {
    const obstacle = this.#task.scene.obstacles[index];
    const segments = simplifySegments(footprintOf(obstacle, this.#slab), this.#tolerance);
    return { segments, pose: [...obstacle.pose] };
  }

  /** Segments that are within the box in part. */
  #clip(segments: readonly number[]): number[] {
    const [x0, y0, x1, y1] = this.#box;
    const kept: number[] = [];
    for (let i = 0; i < segments.length; i += 4) {
      const [ax, ay, bx, by] = [segments[i], segments[i + 1], segments[i + 2], segments[i + 3]];
      if (Math.max(ax, bx) < x0 || Math.min(ax, bx) > x1 || Math.max(ay, by) < y0 || Math.min(ay, by) > y1) continue;
      kept.push(ax, ay, bx, by);
    }
    return kept;
  }

  /** Makes stations of the edges that are new, and removes those of edges that are gone. */
  #follow(): GuideChange {
    const { edges, vertices } = this.#live.graph;
    const present = new Set(edges);
    const vertexAt = (index: number): GraphVertex | null => (index < 0 ? null : vertices[index]);
    const isVertex = (index: number, vertex: GraphVertex | null): boolean => vertexAt(index) === vertex;
    for (const [edge, { stations, ends }] of this.#chains) {
      if (present.has(edge) && isVertex(edge.from, ends[0]) && isVertex(edge.to, ends[1])) continue;
      for (const station of stations) this.graph.remove(station);
      this.#chains.delete(edge);
    }
    const known = new Set(vertices);
    for (const [vertex, station] of this.#stationOf) {
      if (known.has(vertex)) continue;
      this.graph.remove(station);
      this.#stationOf.delete(vertex);
    }
    let made = 0;
    for (const edge of edges) {
      if (this.#chains.has(edge)) continue;
      const ends = [vertexAt(edge.from), vertexAt(edge.to)];
      this.#chains.set(edge, { stations: this.#makeChain(edge, ends), ends });
      made++;
    }
    return { kept: edges.length - made, made };
  }

  #makeChain(edge: GraphEdge, [from, to]: readonly (GraphVertex | null)[]): Station[] {
    const { points, clearances, length } = edge;
    const widest = Math.max(...clearances);
    // Between a segment and its own end the room grows as fast as one goes: no place in the middle.
    if (widest - edge.narrowest.clearance > (1 - 1e-6) * length || !(widest > this.#leastRoom)) return [];
    // No edge leads into a solid but through a place without room, where it ends.
    const at = clearances.indexOf(widest);
    if (!(this.#task.map.at(this.#pointAt(points[2 * at], points[2 * at + 1])) > 0)) return [];
    const parts = Math.max(1, Math.ceil(length / (SPACING * this.#task.body.radius)));
    const made: Station[] = [];
    let before: Station | null = null;
    let [segment, passed] = [0, 0];
    for (let i = 0; i <= parts; i++) {
      const way = (i / parts) * length;
      let size = sizeOf(points, segment);
      while (passed + size < way && 2 * segment + 4 < points.length) {
        passed += size;
        size = sizeOf(points, ++segment);
      }
      const t = size > 0 ? Math.min(1, (way - passed) / size) : 0;
      const room = clearances[segment] + t * (clearances[segment + 1] - clearances[segment]);
      const x = points[2 * segment] + t * (points[2 * segment + 2] - points[2 * segment]);
      const y = points[2 * segment + 1] + t * (points[2 * segment + 3] - points[2 * segment + 1]);
      const end = i === 0 ? from : i === parts ? to : null;
      const station = this.#stationAt(x, y, room, end);
      if (station !== null && end === null) made.push(station);
      if (station !== null && before !== null) this.graph.join(before, station);
      before = station;
    }
    return made;
  }

  /** A new station, or that of a vertex; null where there is no room. */
  #stationAt(x: number, y: number, room: number, vertex: GraphVertex | null): Station | null {
    const known = vertex === null ? undefined : this.#stationOf.get(vertex);
    if (known !== undefined) return known;
    const [x0, y0, x1, y1] = this.#limits;
    if (!(room > this.#leastRoom) || x < x0 || y < y0 || x > x1 || y > y1) return null;
    const station = this.graph.add(this.#pointAt(x, y), room);
    if (vertex !== null) this.#stationOf.set(vertex, station);
    return station;
  }

  #pointAt(x: number, y: number): Vec3 {
    const point: Vec3 = [0, 0, 0];
    const [u, v, w] = this.#slab.axes;
    point[u] = x;
    point[v] = y;
    point[w] = this.#height;
    return point;
  }
}

/** An outline carried along by a motion of its obstacle in the plane; null for another motion. */
function moved(outline: Outline, to: pose.Pose, { axes, low, high }: Slab): Outline | null {
  const [u, v, w] = axes;
  const from = outline.pose;
  const turn = quat.multiply([to[3], to[4], to[5], to[6]], quat.conjugate([from[3], from[4], from[5], from[6]]));
  if (Math.abs(turn[u]) + Math.abs(turn[v]) > 1e-12 || Math.abs(to[w] - from[w]) > 1e-9 * (high - low)) return null;
  const angle = ((u + 1) % 3 === v ? 2 : -2) * Math.atan2(turn[w], turn[3]);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const segments = outline.segments.slice();
  for (let i = 0; i < segments.length; i += 2) {
    const [x, y] = [segments[i] - from[u], segments[i + 1] - from[v]];
    segments[i] = to[u] + c * x - s * y;
    segments[i + 1] = to[v] + s * x + c * y;
  }
  return { segments, pose: [...to] };
}

function siteOf(segments: readonly number[]): PathSite {
  const curves: PathSite['curves'][number][] = [];
  for (let i = 0; i < segments.length; i += 4) {
    const points = [segments.slice(i, i + 2), segments.slice(i + 2, i + 4)];
    curves.push({ type: 'bezier', points });
  }
  return { type: 'path', curves };
}

function sizeOf(points: readonly number[], segment: number): number {
  const i = 2 * segment;
  return Math.hypot(points[i + 2] - points[i], points[i + 3] - points[i + 1]);
}

function grow(box: readonly [number, number, number, number], by: number): [number, number, number, number] {
  return [box[0] - by, box[1] - by, box[2] + by, box[3] + by];
}
