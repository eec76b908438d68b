// The motion of all robots of a problem on one clock, in pieces: on each, joint values are polynomials and bodies move evenly.
// A piece has a chord, the even motion between its ends, and a bound of how far points of the robots are from it.
import type { Robot } from '../../kinematics/robot/robot.js';
import { deviation, NET, restrict, valueAt } from './bernstein.js';
import type { ValueTrack } from './value-track.js';

/** Values of a configuration that a track moves: `values[k]` is the number of the k-th. */
export interface MovedValues {
  readonly track: ValueTrack;
  readonly values: readonly number[];
}

/** A rigid robot that moves through poses. */
export interface MovedBody {
  readonly robot: Robot;
  readonly times: Float64Array;
  /** By waypoint: configurations that hold the robot's own numbers. */
  readonly places: readonly Float64Array[];
}

/** A stretch of time on which nothing changes its way of moving. */
export interface MotionPiece {
  readonly from: number;
  readonly to: number;
  /** By number of a configuration: Bernstein coefficients; of joints only. */
  readonly nets: Float64Array;
  /** Configurations at both ends. */
  readonly a: Float64Array;
  readonly b: Float64Array;
  /** No two points of the bodies come nearer to each other than on the chord by more than this, in meters. */
  readonly deviation: number;
  /** How often the segment has been halved. */
  readonly level: number;
}

export class TimedMotion {
  /** Numbers of a configuration: those of the robots, and the time. */
  readonly size: number;
  /** The times of all waypoints of all robots, ascending. */
  readonly times: readonly number[];
  readonly #robots: readonly Robot[];
  readonly #moved: readonly MovedValues[];
  readonly #bodies: readonly MovedBody[];
  /** What does not move stays as it is here. */
  readonly #rest: Float64Array;
  /** By number of a configuration: the degree of its polynomials in the segment asked for last; 0 where a value stays. */
  readonly #degrees: Uint8Array;
  /** By number of a configuration: how far a unit of it brings two points towards each other at most. */
  readonly #reach: Float64Array;

  /** @param rest values of joints and poses of bodies that no trajectory moves. */
  constructor(
    robots: readonly Robot[],
    moved: readonly MovedValues[],
    bodies: readonly MovedBody[],
    rest: Float64Array,
  ) {
    this.#robots = robots;
    this.#moved = moved;
    this.#bodies = bodies;
    this.#rest = rest;
    this.size = rest.length + 1;
    this.#degrees = new Uint8Array(rest.length);
    this.#reach = new Float64Array(rest.length);
    for (const { chain, offset } of robots) {
      if (chain === null) continue;
      // Links on two branches that follow one value may move towards each other.
      const sides = chain.joints.some(({ mimic }) => mimic !== undefined) ? 2 : 1;
      for (let k = 0; k < chain.size; k++) this.#reach[offset + k] = sides * chain.reachOf(k);
    }
    const times = new Set<number>();
    for (const { track } of moved) for (const time of track.times) times.add(time);
    for (const body of bodies) for (const time of body.times) times.add(time);
    this.times = [...times].sort((a, b) => a - b);
  }

  /** The count of segments: stretches between waypoints of any robot. */
  get segments(): number {
    return Math.max(1, this.times.length - 1);
  }

  /** The whole of a segment. Halves of it can be made until another segment is asked for. */
  segment(index: number): MotionPiece {
    const from = this.times[index];
    const to = this.times[Math.min(index + 1, this.times.length - 1)];
    const nets = new Float64Array(NET * this.#rest.length);
    this.#degrees.fill(0);
    for (const { track, values } of this.#moved) this.#writeNets(track, values, from, to, nets);
    return this.#piece(from, to, nets, 0);
  }

  #writeNets(track: ValueTrack, values: readonly number[], from: number, to: number, nets: Float64Array): void {
    const { times, size } = track;
    const last = times.length - 1;
    const isBefore = to <= times[0];
    // A track of a single waypoint rests, like others before their first and after their last one.
    if (isBefore || from >= times[last] || last === 0) {
      const still = isBefore ? track.first : track.last;
      for (let k = 0; k < size; k++) nets.fill(still[k], NET * values[k], NET * (values[k] + 1));
      return;
    }
    const piece = Math.min(last - 1, pieceAt(times, from));
    const degree = track.degrees[piece];
    const length = times[piece + 1] - times[piece];
    const u = Math.max(0, (from - times[piece]) / length);
    const v = to >= times[piece + 1] ? 1 : (to - times[piece]) / length;
    for (let k = 0; k < size; k++) {
      this.#degrees[values[k]] = degree;
      restrict(track.nets, NET * (size * piece + k), degree, u, v, nets, NET * values[k]);
    }
  }

  /** Both halves of a piece of the segment asked for last. */
  halves({ from, to, nets, level }: MotionPiece): readonly [MotionPiece, MotionPiece] {
    const [left, right] = [new Float64Array(nets.length), new Float64Array(nets.length)];
    for (let k = 0; k < this.#rest.length; k++) {
      restrict(nets, NET * k, this.#degrees[k], 0, 0.5, left, NET * k);
      restrict(nets, NET * k, this.#degrees[k], 0.5, 1, right, NET * k);
    }
    const middle = (from + to) / 2;
    return [this.#piece(from, middle, left, level + 1), this.#piece(middle, to, right, level + 1)];
  }

  /** Writes the configuration at a time of a piece of the segment asked for last. */
  write({ from, to, nets }: MotionPiece, time: number, out: Float64Array): void {
    const s = to > from ? Math.min(1, Math.max(0, (time - from) / (to - from))) : 0;
    out.set(this.#rest);
    for (const { values } of this.#moved) {
      for (const value of values) out[value] = valueAt(nets, NET * value, this.#degrees[value], s);
    }
    for (const body of this.#bodies) placeBody(body, time, out);
    out[this.size - 1] = time;
  }

  /** The configuration at any time. */
  at(time: number): Float64Array {
    const { times } = this;
    const piece = this.segment(times.length < 2 ? 0 : Math.min(times.length - 2, pieceAt(times, time)));
    const out = new Float64Array(this.size);
    this.write(piece, Math.min(piece.to, Math.max(piece.from, time)), out);
    return out;
  }

  #piece(from: number, to: number, nets: Float64Array, level: number): MotionPiece {
    const [a, b] = [new Float64Array(this.size), new Float64Array(this.size)];
    let off = 0;
    for (let k = 0; k < this.#rest.length; k++) {
      if (this.#degrees[k] > 0 && this.#reach[k] > 0)
        off += this.#reach[k] * deviation(nets, NET * k, this.#degrees[k]);
    }
    const piece = { from, to, nets, a, b, deviation: off * (1 + 1e-12), level };
    this.write(piece, from, a);
    this.write(piece, to, b);
    return piece;
  }

  /** All robots, in the order of configurations. */
  get robots(): readonly Robot[] {
    return this.#robots;
  }
}

/** The last place at or before a time in ascending times, from 0 on. */
export function pieceAt(times: ArrayLike<number>, time: number): number {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

function placeBody({ robot, times, places }: MovedBody, time: number, out: Float64Array): void {
  const last = times.length - 1;
  if (last === 0 || time <= times[0]) copy(robot, places[0], out);
  else if (time >= times[last]) copy(robot, places[last], out);
  else {
    const i = pieceAt(times, time);
    robot.interpolate(places[i], places[i + 1], (time - times[i]) / (times[i + 1] - times[i]), out);
  }
}

function copy({ offset, size }: Robot, from: Float64Array, to: Float64Array): void {
  for (let k = offset; k < offset + size; k++) to[k] = from[k];
}
