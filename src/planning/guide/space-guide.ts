// The guide of a robot in space: the discrete Voronoi diagram of the obstacles' surfaces on a grid (Hoff et al. 2000). Nodes
// next to each other whose nearest points are seen in directions far apart have the medial axis between them; of the two
// the one with more room is a station. When an obstacle moves, the part of the grid is filled anew that it changes.
import type { Box } from '../../core/box.js';
import * as pose from '../../core/pose.js';
import type { ProgressOptions } from '../../core/progress.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import { type GridFrame, gridNodeCount, nodePosition } from '../../field/grid.js';
import { boxOfObstacle, gapBetween } from '../../kinematics/validity/boxes.js';
import type { Obstacle } from '../../kinematics/validity/obstacle.js';
import { nearestOnTriangle, TrianglePoint } from '../../mesh/triangle/closest-point.js';
import { type SpaceElements, spaceElements } from '../../voronoi/sites/space-elements.js';
import type { SpaceSite } from '../../voronoi/sites/space-site.js';
import { roundingOf } from '../../voronoi/space/element-distances.js';
import { fillExact } from '../../voronoi/space/exact-space.js';
import { centerWay } from '../workspace/passages.js';
import { costBy, type Guide, type GuideChange, type GuideShape, type GuideTask } from './guide.js';
import { GuideGraph, type Station } from './guide-graph.js';

/** Chosen: the most nodes of the grid. */
const MAX_NODES = 80_000;

/** Chosen: the spacing of the grid, as a share of the grain, if that makes not too many nodes. */
const SPACING = 0.9;

/** Chosen: nodes with less room than this share of the grain are no stations. */
const MIN_ROOM = 0.5;

/**
 * Chosen: the medial axis passes between two nodes whose nearest points are this far apart, in spacings. Along a flat
 * wall they are one spacing apart.
 */
const APART = 1.5;

/** Chosen: the cosine of the least angle at which these nearest points are seen: 2 degrees. */
const SEEN_APART = Math.cos(Math.PI / 90);

/** Proven: the owner of nodes that are nearest to the frame around the bounds; obstacles count from 0. */
const FRAME = -1;

export class SpaceGuide implements Guide {
  readonly graph: GuideGraph;
  readonly #task: GuideTask<GuideShape>;
  readonly #frame: GridFrame;
  /** A frame around the bounds closes the diagram: with one obstacle only there is a way around it. */
  readonly #walls: Box;
  readonly #leastRoom: number;
  /** By node: the distance to the nearest surface, the obstacle that it belongs to, and the nearest point. */
  readonly #rooms: Float64Array;
  readonly #owners: Int32Array;
  readonly #feet: Float64Array;
  readonly #stationOf: (Station | null)[];
  readonly #point = new TrianglePoint();

  /** @param progress watches and stops the filling of the grid. */
  constructor(task: GuideTask<GuideShape>, progress: ProgressOptions = {}) {
    this.#task = task;
    const { scene, body, grain } = task;
    this.graph = new GuideGraph(costBy(task));
    const { min, max } = body.bounds;
    const offset = vec3.length(body.anchor);
    const from = min.map((value) => value - offset) as Vec3;
    const extent = max.map((value, k) => Math.max(value + offset - from[k], 1e-9 * grain)) as Vec3;
    const spacing = spacingFor(extent, SPACING * grain);
    const size = extent.map((length) => Math.max(2, Math.ceil(length / spacing) + 1)) as Vec3;
    this.#frame = { origin: from, spacing, size };
    const room = body.radius + scene.clearance;
    this.#walls = {
      min: from.map((value) => value - room) as Vec3,
      max: max.map((value) => value + offset + room) as Vec3,
    };
    this.#leastRoom = MIN_ROOM * grain + scene.clearance;
    const count = gridNodeCount(this.#frame);
    this.#rooms = new Float64Array(count);
    this.#owners = new Int32Array(count);
    this.#feet = new Float64Array(3 * count);
    this.#stationOf = new Array(count).fill(null);
    this.#fill([0, 0, 0], [size[0] - 1, size[1] - 1, size[2] - 1], progress);
    this.#follow([0, 0, 0], [size[0] - 1, size[1] - 1, size[2] - 1]);
  }

  obstacleMoved(index: number): GuideChange {
    const { size } = this.#frame;
    const before = this.graph.stations.length;
    const first: Vec3 = [...size];
    const last: Vec3 = [-1, -1, -1];
    const box = boxOfObstacle(this.#task.scene.obstacles[index]);
    this.#forNodes([0, 0, 0], [size[0] - 1, size[1] - 1, size[2] - 1], (node, i, j, k) => {
      const at = nodePosition(this.#frame, i, j, k);
      const isNear = this.#owners[node] === index || gapBetween(box, { min: at, max: at }) < this.#rooms[node];
      if (!isNear) return;
      for (const [axis, place] of [i, j, k].entries()) {
        first[axis] = Math.min(first[axis], place);
        last[axis] = Math.max(last[axis], place);
      }
    });
    if (last[0] < 0) return { kept: before, made: 0 };
    this.#fill(first, last);
    for (let axis = 0; axis < 3; axis++) {
      first[axis] = Math.max(0, first[axis] - 1);
      last[axis] = Math.min(size[axis] - 1, last[axis] + 1);
    }
    const made = this.#follow(first, last);
    return { kept: this.graph.stations.length - made, made };
  }

  /** The way with its points in the middle between obstacles, which nodes are only near to. */
  refine(way: readonly Station[]): Station[] {
    const { map, grain, body, scene } = this.#task;
    const points = way.map(({ point }) => point);
    const centered = centerWay(map, points, Math.max(grain / 2, body.radius / 6), body.radius + scene.clearance);
    const line = new GuideGraph(costBy(this.#task));
    const stations = centered.points.map((point, i) =>
      line.add([...point], Math.max(centered.clearances[i], 0.01 * grain)),
    );
    for (let i = 1; i < stations.length; i++) line.join(stations[i - 1], stations[i]);
    return stations;
  }

  /** Finds the nearest points of a range of nodes. */
  #fill(first: Readonly<Vec3>, last: Readonly<Vec3>, progress: ProgressOptions = {}): void {
    const { obstacles } = this.#task.scene;
    const { spacing } = this.#frame;
    const size = last.map((value, k) => value - first[k] + 1) as Vec3;
    const frame: GridFrame = { origin: nodePosition(this.#frame, first[0], first[1], first[2]), spacing, size };
    const { elements, owners } = surfaceElements(obstacles);
    const count = gridNodeCount(frame);
    const ids = new Int32Array(count).fill(-1);
    const distances = new Float64Array(count).fill(Infinity);
    if (elements.count > 0) {
      const largest = Math.max(...this.#walls.min.map(Math.abs), ...this.#walls.max.map(Math.abs));
      fillExact(elements, frame, Infinity, roundingOf(elements, largest), ids, distances, progress);
    }
    let at = 0;
    this.#forNodes(first, last, (node, i, j, k) => {
      const [x, y, z] = nodePosition(this.#frame, i, j, k);
      const id = ids[at];
      const distance = distances[at++];
      if (this.#nearestWall(node, x, y, z) <= distance) return;
      this.#rooms[node] = distance;
      this.#owners[node] = owners[id];
      nearestOnTriangle(elements.corners, 9 * id, x, y, z, this.#point);
      this.#feet[3 * node] = this.#point.x;
      this.#feet[3 * node + 1] = this.#point.y;
      this.#feet[3 * node + 2] = this.#point.z;
    });
  }

  /** Writes the nearest point of the frame, and its distance, which is returned. */
  #nearestWall(node: number, x: number, y: number, z: number): number {
    const point = [x, y, z];
    let [least, axis, wall] = [Infinity, 0, 0];
    for (let k = 0; k < 3; k++) {
      for (const value of [this.#walls.min[k], this.#walls.max[k]]) {
        if (Math.abs(point[k] - value) < least) [least, axis, wall] = [Math.abs(point[k] - value), k, value];
      }
    }
    for (let k = 0; k < 3; k++) this.#feet[3 * node + k] = k === axis ? wall : point[k];
    this.#rooms[node] = least;
    this.#owners[node] = FRAME;
    return least;
  }

  /** Makes the stations of a range of nodes anew, where they change; returns how many are new. */
  #follow(first: Readonly<Vec3>, last: Readonly<Vec3>): number {
    const isInside = this.#findInside(first, last);
    const fresh: number[] = [];
    this.#forNodes(first, last, (node, i, j, k) => {
      const known = this.#stationOf[node];
      const isStation = this.#isOnAxis(node, i, j, k);
      if (known !== null && isStation && known.room === this.#rooms[node]) return;
      if (known !== null) this.graph.remove(known);
      this.#stationOf[node] = null;
      const point = nodePosition(this.#frame, i, j, k);
      if (!isStation || isInside[node] === 1) return;
      this.#stationOf[node] = this.graph.add(point, this.#rooms[node]);
      fresh.push(node);
    });
    const { size } = this.#frame;
    const isFresh = new Set(fresh);
    for (const node of fresh) {
      const [i, j, k] = [node % size[0], Math.floor(node / size[0]) % size[1], Math.floor(node / (size[0] * size[1]))];
      this.#forNodes([i - 1, j - 1, k - 1], [i + 1, j + 1, k + 1], (other) => {
        const station = this.#stationOf[other];
        if (other === node || station === null || (isFresh.has(other) && other < node)) return;
        this.graph.join(this.#stationOf[node]!, station);
      });
    }
    return fresh.length;
  }

  /**
   * Which nodes of a range are inside of solids, 1 for those. No surface is between two nodes that are nearer to each other than
   * one of them is to the nearest surface, so that one test serves for all that these steps lead to.
   */
  #findInside(first: Readonly<Vec3>, last: Readonly<Vec3>): Uint8Array {
    const { spacing, size } = this.#frame;
    const UNKNOWN = 2;
    const isInside = new Uint8Array(this.#rooms.length).fill(UNKNOWN);
    const waiting: number[] = [];
    this.#forNodes(first, last, (from, fi, fj, fk) => {
      if (isInside[from] !== UNKNOWN || !(this.#rooms[from] > this.#leastRoom)) return;
      isInside[from] = this.#task.map.isInside(nodePosition(this.#frame, fi, fj, fk)) ? 1 : 0;
      waiting.push(from);
      while (waiting.length > 0) {
        const node = waiting.pop()!;
        const place = [node % size[0], Math.floor(node / size[0]) % size[1], Math.floor(node / (size[0] * size[1]))];
        for (const [axis, stride] of [1, size[0], size[0] * size[1]].entries()) {
          for (const step of [-1, 1]) {
            const at = place[axis] + step;
            if (at < Math.max(0, first[axis]) || at > Math.min(size[axis] - 1, last[axis])) continue;
            const other = node + step * stride;
            if (
              isInside[other] !== UNKNOWN ||
              !(Math.max(this.#rooms[node], this.#rooms[other]) > spacing * (1 + 1e-9))
            )
              continue;
            isInside[other] = isInside[node];
            waiting.push(other);
          }
        }
      }
    });
    return isInside;
  }

  /** Whether the medial axis passes between a node and a neighbor with less room. */
  #isOnAxis(node: number, i: number, j: number, k: number): boolean {
    if (!(this.#rooms[node] > this.#leastRoom)) return false;
    const { size } = this.#frame;
    const place = [i, j, k];
    const strides = [1, size[0], size[0] * size[1]];
    for (let axis = 0; axis < 3; axis++) {
      for (const step of [-1, 1]) {
        if (place[axis] + step < 0 || place[axis] + step >= size[axis]) continue;
        const other = node + step * strides[axis];
        const isWider =
          this.#rooms[node] > this.#rooms[other] || (this.#rooms[node] === this.#rooms[other] && step > 0);
        if (isWider && this.#areApart(node, other, axis, step)) return true;
      }
    }
    return false;
  }

  #areApart(a: number, b: number, axis: number, step: number): boolean {
    const { spacing } = this.#frame;
    const feet = this.#feet;
    let [squared, dot] = [0, 0];
    const [ra, rb] = [this.#rooms[a], this.#rooms[b]];
    for (let k = 0; k < 3; k++) {
      const gap = feet[3 * b + k] - feet[3 * a + k];
      squared += gap * gap;
    }
    if (!(squared > (APART * spacing) ** 2)) return false;
    // With u, v from the nodes to their nearest points and d from a to b: v − u = gap − d.
    for (let k = 0; k < 3; k++) {
      const gap = feet[3 * b + k] - feet[3 * a + k] - (k === axis ? step * spacing : 0);
      dot += gap * gap;
    }
    return (ra * ra + rb * rb - dot) / 2 < SEEN_APART * ra * rb;
  }

  #forNodes(
    first: Readonly<Vec3>,
    last: Readonly<Vec3>,
    visit: (node: number, i: number, j: number, k: number) => void,
  ): void {
    const { size } = this.#frame;
    const [i0, j0, k0] = first.map((value) => Math.max(0, value));
    const [i1, j1, k1] = last.map((value, axis) => Math.min(size[axis] - 1, value));
    for (let k = k0; k <= k1; k++) {
      for (let j = j0; j <= j1; j++) {
        for (let i = i0; i <= i1; i++) visit(i + size[0] * (j + size[1] * k), i, j, k);
      }
    }
  }
}

/** A spacing with which a grid over a box is not too large. */
function spacingFor(extent: Readonly<Vec3>, wanted: number): number {
  let spacing = wanted;
  for (;;) {
    if (extent.reduce((product, length) => product * (Math.ceil(length / spacing) + 1), 1) <= MAX_NODES) return spacing;
    spacing *= 1.05;
  }
}

/** The triangles of all obstacles where they are, and the obstacle of each. */
function surfaceElements(obstacles: readonly Obstacle[]): {
  readonly elements: SpaceElements;
  readonly owners: number[];
} {
  const sites: SpaceSite[] = [];
  const owners: number[] = [];
  for (const [owner, { model, pose: placed }] of obstacles.entries()) {
    const { positions, indices } = model.mesh;
    const corner = (i: number): Vec3 => {
      const at = 3 * indices[i];
      return pose.transformPoint(placed, [positions[at], positions[at + 1], positions[at + 2]]);
    };
    for (let i = 0; i < indices.length; i += 3) {
      sites.push({ type: 'triangle', a: corner(i), b: corner(i + 1), c: corner(i + 2) });
      owners.push(owner);
    }
  }
  return { elements: spaceElements(sites), owners };
}
