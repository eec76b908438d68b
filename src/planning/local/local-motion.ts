// Motions that give way: a robot drawn towards a configuration slides along what it meets, and one in a narrow place moves
// to the middle of it. Every edge made is proven free.
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import { ContactRows } from './contact-rows.js';
import { ConeProjection, SimplexAscent } from './simplex-ascent.js';

/** Chosen: the longest step, as a share of the scene's scale. */
const LONGEST = 0.25;

/** Chosen: the shortest step, as a share of the scene's scale. */
const SHORTEST = 1e-4;

/** Chosen: a step leaves this share of the narrowest gap. */
const LEFT = 0.3;

/** Chosen: gaps matter up to this count of steps. */
const SIGHT = 2;

/** Chosen: a step that comes nearer by less than this share of its length gains nothing. */
const MIN_GAIN = 0.05;

/** Chosen: sliding ends after this count of steps in a row that gain nothing. */
const IN_VAIN = 4;

/** Chosen: the count of trials to move to the middle after each step. */
const CENTERING = 3;

/** Chosen: a gap is small below this share of the wanted motion. */
const TIGHT = 0.1;

/** Chosen: centering ends when the narrowest gap grows by less than this share. */
const MIN_GROWTH = 0.02;

export class LocalMotion {
  readonly #scene: CollisionScene;
  readonly #rows: ContactRows;
  readonly #ascent = new SimplexAscent();
  readonly #cone = new ConeProjection();
  readonly #x: Float64Array;
  readonly #along: Float64Array;
  readonly #part: Float64Array;
  readonly #next: Float64Array;
  readonly #trial: Float64Array;
  readonly #isOver: () => boolean;

  /** @param isOver whether time is over: then motions end where they are. */
  constructor(scene: CollisionScene, isOver: () => boolean) {
    this.#scene = scene;
    this.#isOver = isOver;
    this.#rows = new ContactRows(scene);
    this.#x = new Float64Array(this.#rows.size);
    this.#along = new Float64Array(this.#rows.size);
    this.#part = new Float64Array(Math.max(...scene.robots.map(({ freedoms }) => freedoms)));
    this.#next = new Float64Array(scene.size);
    this.#trial = new Float64Array(scene.size);
  }

  /**
   * Slides from a free configuration towards another one. Returns the configurations on the way, without the first.
   * @param aim changes the target after each step, to fit where the robot is then.
   */
  slide(
    from: Float64Array,
    target: Float64Array,
    maxSteps: number,
    aim: (q: Float64Array) => void = () => {},
  ): Float64Array[] {
    const scene = this.#scene;
    const path: Float64Array[] = [];
    let q = from;
    let step = LONGEST * scene.scale;
    aim(q);
    let left = this.#wayTo(q, target);
    let vain = 0;
    for (let i = 0; i < maxSteps && left > 0 && vain < IN_VAIN && !this.#isOver(); i++) {
      const wanted = Math.min(step, left);
      this.#wayTo(q, target);
      for (let k = 0; k < this.#x.length; k++) this.#x[k] *= wanted / left;
      this.#along.set(this.#x);
      this.#move(q, this.#x, this.#next);
      if (!this.#rows.gather(q, SIGHT * wanted, this.#next)) break;
      const { gaps, rows, count, size } = this.#rows;
      this.#cone.project(gaps, rows, count, size, LEFT * this.#leastGap(wanted), this.#x);
      const isWhole = count === 0 && wanted === left;
      if (isWhole) this.#next.set(target);
      else this.#move(q, this.#x, this.#next);
      const share = scene.advance(q, this.#next);
      if (share < 1) {
        step = wanted / 2;
        if (!(step > SHORTEST * scene.scale)) break;
        if (share < 0.2) continue;
        scene.interpolate(q, this.#next, 0.7 * share, this.#next);
      } else step = Math.min(2 * step, LONGEST * scene.scale);
      aim(this.#next);
      const after = this.#wayTo(this.#next, target);
      vain = after < left - MIN_GAIN * wanted ? 0 : vain + 1;
      q = this.#next.slice();
      path.push(q);
      left = isWhole && share === 1 ? 0 : after;
      if (count === 0) continue;
      const middle = this.center(q, CENTERING, this.#along, wanted / 4);
      if (middle !== null) {
        path.push(middle);
        q = middle;
        aim(q);
        left = this.#wayTo(q, target);
      }
    }
    return path;
  }

  /**
   * A configuration with wider gaps that a proven edge leads to from q; null where gaps cannot be widened.
   * @param along a motion across which to move only.
   * @param farthest how far to move at first where gaps are far smaller; less where that does not widen them.
   */
  center(q: Float64Array, maxSteps: number, along: Float64Array | null = null, farthest = 0): Float64Array | null {
    const scene = this.#scene;
    const shortest = SHORTEST * scene.scale;
    let best: Float64Array | null = null;
    let gap = scene.distance(q, LONGEST * scene.scale);
    let reach = Math.max(gap, shortest, gap < TIGHT * farthest ? farthest : 0);
    for (let i = 0; i < maxSteps && !this.#isOver(); i++) {
      const from = best ?? q;
      if (!this.#rows.gather(from, 4 * reach) || this.#rows.count === 0) break;
      const { gaps, rows, count, size } = this.#rows;
      if (along !== null) turnAcross(rows, count, along);
      this.#ascent.solve(gaps, rows, count, size, reach, this.#x);
      this.#move(from, this.#x, this.#trial);
      const share = scene.advance(from, this.#trial);
      if (share < 1) scene.interpolate(from, this.#trial, 0.7 * share, this.#trial);
      const wider = scene.distance(this.#trial, LONGEST * scene.scale);
      // From the second step on an edge from the first configuration must hold too.
      if (wider > (1 + MIN_GROWTH) * gap && (best === null || scene.advance(q, this.#trial) === 1)) {
        gap = wider;
        best = this.#trial.slice();
        if (gap > TIGHT * reach) break;
      } else if (reach > Math.max(gap, shortest)) reach = Math.max(reach / 4, gap, shortest);
      else break;
    }
    return best;
  }

  /** Writes the motion towards the target into `#x`; returns its length. */
  #wayTo(q: Float64Array, target: Float64Array): number {
    let [at, sum] = [0, 0];
    for (const robot of this.#scene.robots) {
      robot.wayTo(q, target, this.#part);
      for (let k = 0; k < robot.freedoms; k++) {
        this.#x[at++] = this.#part[k];
        sum += this.#part[k] ** 2;
      }
    }
    return Math.sqrt(sum);
  }

  #move(q: Float64Array, motion: Float64Array, out: Float64Array): void {
    let at = 0;
    for (const robot of this.#scene.robots) {
      for (let k = 0; k < robot.freedoms; k++) this.#part[k] = motion[at++];
      robot.moveBy(q, this.#part, out);
    }
  }

  #leastGap(most: number): number {
    let least = most;
    for (let i = 0; i < this.#rows.count; i++) least = Math.min(least, this.#rows.gaps[i]);
    return Math.max(0, least - this.#scene.clearance);
  }
}

/** Takes out of each row what is along a motion. */
function turnAcross(rows: Float64Array, count: number, along: Float64Array): void {
  const size = along.length;
  let squared = 0;
  for (let k = 0; k < size; k++) squared += along[k] ** 2;
  if (!(squared > 0)) return;
  for (let i = 0; i < count; i++) {
    let dot = 0;
    for (let k = 0; k < size; k++) dot += rows[i * size + k] * along[k];
    for (let k = 0; k < size; k++) rows[i * size + k] -= (dot / squared) * along[k];
  }
}
