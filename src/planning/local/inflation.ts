// Finds how a rigid robot fits into a narrow place: a small copy of it is put there, grows, and gives way to what it meets,
// until it has its own size. Nothing on the way is proven; what is found is tested as any configuration is.
import type { Robot } from '../../kinematics/robot/robot.js';
import { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import { ContactRows } from './contact-rows.js';
import { SimplexAscent } from './simplex-ascent.js';

/** Chosen: each copy of the robot is larger than the last one by at most this factor. */
const GROWTH = 1.2;

/** Chosen: the size of the first copy, as a share of the robot's. */
const FIRST = 0.1;

/** Chosen: a copy must have room after this count of motions. */
const STEPS = 12;

/** Makes the robot in another size, about a point of its frame. */
export type ScaleRobot = (scale: number) => Robot;

interface Copy {
  readonly scene: CollisionScene;
  readonly rows: ContactRows;
  /** The largest distance of its surface from that of the next smaller copy. */
  readonly growth: number;
}

export class Inflation {
  readonly #copies: Copy[] = [];
  readonly #ascent = new SimplexAscent();
  readonly #x: Float64Array;
  readonly #trial: Float64Array;
  readonly #isOver: () => boolean;

  /** @param isOver whether time is over: then nothing fits. */
  constructor(scene: CollisionScene, scaleRobot: ScaleRobot, isOver: () => boolean) {
    this.#isOver = isOver;
    let before = 0;
    for (let scale = FIRST; before < 1; scale = Math.min(1, scale * GROWTH)) {
      const copy = scale === 1 ? scene : new CollisionScene([scaleRobot(scale)], scene.obstacles, scene.clearance);
      this.#copies.push({
        scene: copy,
        rows: new ContactRows(copy),
        growth: ((scale - before) / scale) * copy.scale,
      });
      before = scale;
    }
    this.#x = new Float64Array(this.#copies[0].rows.size);
    this.#trial = new Float64Array(scene.size);
  }

  /** Moves q, where the smallest copy has to be free, to a place with room for the robot; returns false if it finds none nearby. */
  fit(q: Float64Array): boolean {
    for (const copy of this.#copies) if (!this.#makeRoom(q, copy)) return false;
    return true;
  }

  #makeRoom(q: Float64Array, { scene, rows, growth }: Copy): boolean {
    const [robot] = scene.robots;
    const isLast = scene === this.#copies[this.#copies.length - 1].scene;
    let reach = growth;
    let before = -Infinity;
    for (let step = 0; step < STEPS; step++) {
      if (this.#isOver()) return false;
      if (!rows.gather(q, 2 * growth)) return false;
      const { gaps, count, size } = rows;
      let least = Infinity;
      for (let i = 0; i < count; i++) least = Math.min(least, gaps[i]);
      // Room for the next copy's first steps; the robot itself is moved to the middle as well as it goes.
      if (least > growth || (!isLast && least > 0.5 * growth)) return true;
      if (least < before + 1e-3 * growth) reach /= 2;
      before = least;
      if (reach < 1e-3 * growth) break;
      this.#ascent.solve(gaps, rows.rows, count, size, reach, this.#x);
      robot.moveBy(q, this.#x, this.#trial);
      q.set(this.#trial);
    }
    return before > 0 && scene.isFree(q);
  }
}
