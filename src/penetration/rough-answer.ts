// An answer when there is no time to prepare the solids: along any direction, moving A until its projection has passed
// B's separates the models, whatever they are. The shortest of a few of these moves is the upper bound; the lower bound
// is 0.
import { placeBInA } from '../core/placement.js';
import type { ReadonlyPose } from '../core/pose.js';
import * as pose from '../core/pose.js';
import type { Vec3 } from '../core/vec3.js';
import * as vec3 from '../core/vec3.js';
import { BOXES } from '../proximity/model-parts.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { testIntersection } from '../proximity/queries.js';
import type { Budget } from './budget.js';
import type { PenetrationMethod } from './options.js';
import type { PenetrationResult } from './result.js';
import { separateResult } from './result.js';

/** Rounding: a move is longer than needed by this share of the sizes, for the rounding of projections and poses. */
const PUSH = 1e-12;
/**
 * Measured where it was tuned: microseconds per triangle of a first intersection test, which fits boxes as far as it
 * needs them.
 */
const TEST_MICROSECONDS = 6;

/** One of each pair of opposite directions from a cube's middle to its faces, edges and corners. */
const DIRECTIONS: readonly (readonly [number, number, number])[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [1, 1, 0],
  [1, -1, 0],
  [1, 0, 1],
  [1, 0, -1],
  [0, 1, 1],
  [0, 1, -1],
  [1, 1, 1],
  [1, 1, -1],
  [1, -1, 1],
  [-1, 1, 1],
];

/** The best move along few directions. The first three are always tried; the models meet unless a test says otherwise. */
export function answerRoughly(
  a: ProximityModel,
  b: ProximityModel,
  unitA: ReadonlyPose,
  unitB: ReadonlyPose,
  method: PenetrationMethod,
  budget: Budget,
): PenetrationResult {
  const started = performance.now();
  const answerSeparate = (): PenetrationResult => separateResult(false, [], method, 'cpu', performance.now() - started);
  const placement = placeBInA(unitA, unitB);
  const size = a.radius + b.radius + a.magnitude + b.magnitude + Math.hypot(placement[3], placement[7], placement[11]);
  const move = new BestMove(a, b, placement);
  move.tryBoxes();
  if (move.length < -PUSH * size) return answerSeparate();
  for (const direction of DIRECTIONS) {
    if (budget.spent) break;
    move.tryVertices(direction);
    if (move.length < -PUSH * size) return answerSeparate();
  }
  const triangles = (a.mesh.indices.length + b.mesh.indices.length) / 3;
  const ready = [a, b].every(({ parts }) => parts.peek(BOXES) !== undefined);
  const isTested = ready ? !budget.spent : budget.left > (TEST_MICROSECONDS * triangles) / 1000;
  if (isTested && !testIntersection(a, b, unitA, unitB).intersects) return answerSeparate();
  const length = Math.max(0, move.length) + PUSH * size;
  const direction = pose.transformVector(unitA, move.direction);
  const vector = vec3.scale(direction, length);
  return {
    ...separateResult(true, [], method, 'cpu', performance.now() - started),
    depth: vec3.length(vector),
    upper: vec3.length(vector),
    vector,
    direction,
    status: 'budget',
  };
}

/** The shortest move of A, in A's frame, that separates projections. */
class BestMove {
  length = Infinity;
  direction: Vec3 = [1, 0, 0];
  readonly #a: ProximityModel;
  readonly #b: ProximityModel;
  readonly #placement: Float64Array;

  constructor(a: ProximityModel, b: ProximityModel, placement: Float64Array) {
    this.#a = a;
    this.#b = b;
    this.#placement = placement;
  }

  /** Along the axes of A's frame, by the two boxes. */
  tryBoxes(): void {
    const { boxMin, boxMax } = this.#a;
    const { boxMin: low, boxMax: high } = this.#b;
    const m = this.#placement;
    for (let k = 0; k < 3; k++) {
      let [lowB, highB] = [m[4 * k + 3], m[4 * k + 3]];
      for (let i = 0; i < 3; i++) {
        lowB += Math.min(m[4 * k + i] * low[i], m[4 * k + i] * high[i]);
        highB += Math.max(m[4 * k + i] * low[i], m[4 * k + i] * high[i]);
      }
      const axis: Vec3 = [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0];
      this.#offer(boxMin[k], boxMax[k], lowB, highB, axis);
    }
  }

  /** Along a direction of A's frame, by all vertices. */
  tryVertices(direction: readonly [number, number, number]): void {
    const [x, y, z] = vec3.normalize([...direction]);
    const m = this.#placement;
    const [lowA, highA] = project(this.#a.mesh.positions, x, y, z);
    const [lowB, highB] = project(
      this.#b.mesh.positions,
      m[0] * x + m[4] * y + m[8] * z,
      m[1] * x + m[5] * y + m[9] * z,
      m[2] * x + m[6] * y + m[10] * z,
    );
    const shift = m[3] * x + m[7] * y + m[11] * z;
    this.#offer(lowA, highA, lowB + shift, highB + shift, [x, y, z]);
  }

  #offer(lowA: number, highA: number, lowB: number, highB: number, [x, y, z]: Vec3): void {
    const forward = highB - lowA;
    const back = highA - lowB;
    if (Math.min(forward, back) >= this.length) return;
    this.length = Math.min(forward, back);
    this.direction = forward <= back ? [x, y, z] : [-x, -y, -z];
  }
}

function project(positions: Float64Array, x: number, y: number, z: number): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < positions.length; i += 3) {
    const value = x * positions[i] + y * positions[i + 1] + z * positions[i + 2];
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}
