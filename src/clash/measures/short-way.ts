// A short translation after which two models no longer meet, for every pair of parts, open ones too: lengths from the smallest
// on are tried in the directions that the crossing suggests, and the first that parts the models is shortened. Each length is
// confirmed by an exact test, so it bounds the shortest way from above; that there is no shorter one is not proven. The work is
// counted in tests, so the answer is the same in every run.
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { testIntersection } from '../../proximity/queries.js';

/** A translation of A, in A's frame, that parts it from B. */
export interface ShortWay {
  readonly vector: Vec3;
  readonly length: number;
}

/** What to look for. */
export interface WaySearch {
  /** Unit vectors to try first. */
  readonly directions: readonly Vec3[];
  /** Shorter ways are as good as this one. */
  readonly floor: number;
  /** Tests that the search may make. */
  readonly maxTests: number;
}

/** Chosen: the factor from one length that is tried to the next. */
const GROWTH = 4;

/** Chosen: the shortest length that is tried, as a share of the size of the models. */
const SHORTEST = 1e-8;

/** Chosen: how often the interval of the length is halved along one direction. */
const HALVINGS = 5;

/** Chosen: how far directions are turned while the way is shortened, in radians. */
const TURNS = [0.6, 0.3, 0.15, 0.07];

/** Chosen: a turned way is tried at this share of the best length. */
const SHORTER = 0.93;

/** Rounding: moving boxes past each other takes this share of the sizes more. */
const PUSH = 1e-9;

/** The shortest way found; never longer than the one past the boxes. @param relative B's pose in A's frame. */
export function findShortWay(
  a: ProximityModel,
  b: ProximityModel,
  relative: pose.Pose,
  { directions, floor, maxTests }: WaySearch,
): ShortWay {
  const past = passBoxes(a, b, relative);
  const size = a.radius + b.radius;
  const search = new Search(a, b, relative, past[0], maxTests);
  const tried = [...directions, ...past.map((vector) => vec3.normalize(vector))];
  const longest = vec3.length(past[0]);
  let shorter = 0;
  for (let length = Math.max(floor / GROWTH, SHORTEST * size); length < longest; length *= GROWTH) {
    const found = tried.find((direction) => search.take(vec3.scale(direction, length)));
    if (found !== undefined) {
      search.shorten(shorter, floor);
      break;
    }
    if (search.isOver) break;
    shorter = length;
  }
  return { vector: search.best, length: vec3.length(search.best) };
}

/** The tests of one pair, with the shortest vector that passed one. */
class Search {
  best: Vec3;
  readonly #a: ProximityModel;
  readonly #b: ProximityModel;
  readonly #relative: pose.Pose;
  #left: number;
  readonly #moved: pose.Pose = pose.identity();

  constructor(a: ProximityModel, b: ProximityModel, relative: pose.Pose, known: Vec3, maxTests: number) {
    this.#a = a;
    this.#b = b;
    this.#relative = relative;
    this.best = known;
    this.#left = maxTests;
  }

  get isOver(): boolean {
    return this.#left <= 0;
  }

  /** Whether a vector is confirmed to part the models; it is then the best, which it must be shorter than. */
  take(vector: Vec3): boolean {
    if (this.isOver) return false;
    this.#left--;
    for (let k = 0; k < 3; k++) this.#moved[k] = vector[k];
    if (testIntersection(this.#a, this.#b, this.#moved, this.#relative).intersects) return false;
    this.best = vector;
    return true;
  }

  /** Shortens the best vector, by halving along it and by turning it. @param low a length that did not do. */
  shorten(low: number, floor: number): void {
    this.#halve(low, floor);
    for (const turn of TURNS) {
      for (let turned = true; turned && !this.isOver; ) {
        const length = vec3.length(this.best);
        if (length <= floor) return;
        const along = vec3.scale(this.best, 1 / length);
        const u = vec3.normalize(vec3.perpendicular(along));
        const v = vec3.cross(along, u);
        turned = [u, v, vec3.scale(u, -1), vec3.scale(v, -1)].some((side) =>
          this.take(vec3.scale(vec3.normalize(vec3.addScaled(along, side, turn)), SHORTER * length)),
        );
        if (turned) this.#halve(length / 2, floor);
      }
    }
  }

  #halve(from: number, floor: number): void {
    let low = from;
    for (let i = 0; i < HALVINGS && !this.isOver; i++) {
      const high = vec3.length(this.best);
      if (high <= floor || low >= high) return;
      const middle = (low + high) / 2;
      if (!this.take(vec3.scale(this.best, middle / high))) low = middle;
    }
  }
}

/** The ways along the axes of A's frame on which the boxes pass each other, the shortest first. */
function passBoxes(a: ProximityModel, b: ProximityModel, relative: pose.Pose): Vec3[] {
  const m = pose.toMatrix4(relative);
  const push = PUSH * (a.radius + b.radius + a.magnitude + b.magnitude + Math.hypot(m[3], m[7], m[11]));
  const ways: Vec3[] = [];
  for (let k = 0; k < 3; k++) {
    let [low, high] = [m[4 * k + 3], m[4 * k + 3]];
    for (let i = 0; i < 3; i++) {
      low += Math.min(m[4 * k + i] * b.boxMin[i], m[4 * k + i] * b.boxMax[i]);
      high += Math.max(m[4 * k + i] * b.boxMin[i], m[4 * k + i] * b.boxMax[i]);
    }
    for (const shift of [high - a.boxMin[k] + push, low - a.boxMax[k] - push]) {
      const way: Vec3 = [0, 0, 0];
      way[k] = shift;
      ways.push(way);
    }
  }
  return ways.sort((p, q) => vec3.length(p) - vec3.length(q));
}
