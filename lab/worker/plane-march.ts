// Arrival times in the plane from a disc, where some ground is slow and walls let nothing through (fast marching with a
// speed at every node), and the quickest way back from a goal, down the gradient of the times.
import type { ProgressOptions, Vec3 } from 'nearfield/core';
import {
  computeFieldSync,
  type DistanceField,
  extractIsolines,
  FieldSampler,
  type GridFrame,
  gridNodeCount,
  gridOverBox,
  nodePosition,
} from 'nearfield/field';
import { type Ground, grounds, PLANE_HEIGHT, PLANE_WIDTH, type Rectangle } from '../samples/grounds.js';
import type { Picture } from '../viewer/picture.js';

export interface PlaneInput {
  readonly ground: string;
  readonly order: 1 | 2;
  readonly resolution: number;
  readonly startX: number;
  readonly startY: number;
  readonly goalX: number;
  readonly goalY: number;
}

export interface PlaneMarch {
  readonly picture: Picture;
  /** Separate segments, six numbers each. */
  readonly fronts: Float64Array;
  readonly way: Float64Array;
  readonly wayLength: number;
  /** How long the way takes, by the speeds along it. */
  readonly wayTime: number;
  /** When the front reaches the goal; NaN where it never does. */
  readonly arrival: number;
  readonly latest: number;
  readonly step: number;
  readonly nodes: number;
  readonly size: readonly number[];
  readonly counters: DistanceField['counters'];
  readonly milliseconds: number;
}

/** The radius of the disc that the front starts from. */
export const START_RADIUS = 0.03;
const FRONTS = 24;
/** The way is followed in steps of this many spacings. */
const STEP = 0.4;

export function marchPlane(input: PlaneInput, options: ProgressOptions): PlaneMarch {
  const { order, resolution, startX, startY, goalX, goalY } = input;
  const { speed } = groundOf(input.ground);
  const { frame, values: speeds } = speedsOf(input.ground, resolution);
  const disc = { value: (x: number, y: number) => Math.hypot(x - startX, y - startY) - START_RADIUS, lipschitz: 1 };
  const start = performance.now();
  const field = computeFieldSync(disc, frame, {
    ...options,
    method: 'fast-marching',
    order,
    sides: 'outside',
    speed: speeds,
  });
  const milliseconds = performance.now() - start;
  const times = { ...field, values: field.values.map((time) => Math.max(time, 0)) };
  const latest = times.values.reduce((most, time) => (time < Infinity && time > most ? time : most), 0);
  const step = latest / FRONTS;
  const levels = Array.from({ length: FRONTS - 1 }, (_, i) => (i + 1) * step);
  const way = followBack(times, [goalX, goalY], [startX, startY]);
  return {
    picture: {
      corner: [0, 0, 0],
      across: [PLANE_WIDTH, 0, 0],
      up: [0, frame.spacing * (frame.size[1] - 1), 0],
      columns: frame.size[0],
      rows: frame.size[1],
      low: 0,
      high: 1,
      samples: Float32Array.from(times.values, (time) => (time < Infinity ? time / latest : Number.NaN)),
    },
    fronts: segmentsOf(
      extractIsolines(times, levels).flatMap(({ points, closed }) => [closed ? ring(points) : points]),
    ),
    way: segmentsOf([way]),
    ...measureWay(way, speed),
    arrival: new FieldSampler(times).value(goalX, goalY, 0),
    latest,
    step,
    nodes: gridNodeCount(frame),
    size: frame.size.slice(0, 2),
    counters: field.counters,
    milliseconds,
  };
}

function groundOf(ground: string): Ground {
  return grounds.find(({ name }) => name === ground) ?? grounds[0];
}

/** The speed at every node of the grid over a ground; 0 in walls. */
export function speedsOf(ground: string, resolution: number): { frame: GridFrame; values: Float64Array } {
  const { walls, speed } = groundOf(ground);
  const frame = gridOverBox({ min: [0, 0, 0], max: [PLANE_WIDTH, PLANE_HEIGHT, 0] }, resolution);
  return { frame, values: speedsOn(frame, walls, speed) };
}

function speedsOn(
  frame: GridFrame,
  walls: readonly Rectangle[],
  speed: (x: number, y: number) => number,
): Float64Array {
  const [nx, ny] = frame.size;
  const speeds = new Float64Array(nx * ny);
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const [x, top] = nodePosition(frame, i, j, 0);
      // The last row of nodes may lie a little beyond the ground.
      const y = Math.min(top, PLANE_HEIGHT);
      const walled = walls.some(([x0, y0, x1, y1]) => x >= x0 && x <= x1 && y >= y0 && y <= y1);
      speeds[i + nx * j] = walled ? 0 : speed(x, y);
    }
  }
  return speeds;
}

/** From the goal down to the start: along the gradient, and from node to node where a wall is too near for one. */
function followBack(times: DistanceField, goal: readonly number[], start: readonly number[]): Float64Array {
  const sampler = new FieldSampler(times);
  const gradient: Vec3 = [0, 0, 0];
  const points = [...goal];
  let [x, y] = goal;
  let time = sampler.value(x, y, 0);
  if (!(time < Infinity)) return new Float64Array();
  const { spacing } = times;
  for (let i = 0; i < 20 * (times.size[0] + times.size[1]); i++) {
    if (Math.hypot(x - start[0], y - start[1]) <= START_RADIUS + spacing) break;
    sampler.gradient(x, y, 0, gradient);
    const length = Math.hypot(gradient[0], gradient[1]);
    const next = [x - (STEP * spacing * gradient[0]) / length, y - (STEP * spacing * gradient[1]) / length];
    const then = sampler.value(next[0], next[1], 0);
    if (then < time) [x, y, time] = [next[0], next[1], then];
    else {
      const node = lowestNear(times, x, y);
      if (node === null || !(node[2] < time)) break;
      [x, y, time] = node;
    }
    points.push(x, y);
  }
  points.push(...start);
  return Float64Array.from(points);
}

/** The node of least time around a point, and that time. */
function lowestNear({ values, size, spacing, origin }: DistanceField, x: number, y: number): Vec3 | null {
  const [nx, ny] = size;
  const [column, row] = [Math.round((x - origin[0]) / spacing), Math.round((y - origin[1]) / spacing)];
  let best: Vec3 | null = null;
  for (let j = Math.max(0, row - 1); j <= Math.min(ny - 1, row + 1); j++) {
    for (let i = Math.max(0, column - 1); i <= Math.min(nx - 1, column + 1); i++) {
      const time = values[i + nx * j];
      if (time < (best?.[2] ?? Infinity)) best = [origin[0] + i * spacing, origin[1] + j * spacing, time];
    }
  }
  return best;
}

function measureWay(
  way: Float64Array,
  speed: (x: number, y: number) => number,
): { wayLength: number; wayTime: number } {
  let [wayLength, wayTime] = [0, 0];
  for (let i = 0; i + 3 < way.length; i += 2) {
    const length = Math.hypot(way[i + 2] - way[i], way[i + 3] - way[i + 1]);
    wayLength += length;
    wayTime += length / speed((way[i] + way[i + 2]) / 2, (way[i + 1] + way[i + 3]) / 2);
  }
  // The front starts at the disc's rim.
  const spared = way.length === 0 ? 0 : START_RADIUS;
  const [x, y] = way.slice(-2);
  return { wayLength: Math.max(0, wayLength - spared), wayTime: Math.max(0, wayTime - spared / speed(x, y)) };
}

function ring(points: Float64Array): Float64Array {
  return Float64Array.of(...points, points[0], points[1]);
}

/** Chains of points in the plane as separate segments at z = 0. */
function segmentsOf(chains: readonly Float64Array[]): Float64Array {
  const segments: number[] = [];
  for (const points of chains) {
    for (let i = 0; i + 3 < points.length; i += 2) {
      segments.push(points[i], points[i + 1], 0, points[i + 2], points[i + 3], 0);
    }
  }
  return Float64Array.from(segments);
}
