// Follows a curve equally far from three or more objects, by predictor and corrector. All distances change at most as fast
// as one moves, so that while the next object is farther by a gap, no vertex is within half of it: steps grow and shrink
// with the gap, down to a tenth of a spacing.
import type { Box } from '../../core/box.js';
import { contains } from '../../core/box.js';
import { addScaled, dot, distance as lengthBetween, type Vec3 } from '../../core/vec3.js';
import { EquidistantSolver } from './equidistant.js';
import type { SpaceSearch } from './space-search.js';

/** Chosen: the cosine of the largest turn of the curve in one step: 0.2 radians. */
const MIN_TURN_COSINE = 0.98;

/** Chosen: the steps of one edge. */
const MAX_STEPS = 100_000;

/** Chosen: the smallest step, as a share of the spacing, before an edge is given up. */
const MIN_STEP = 2 ** -20;

/** Chosen: the steps that are taken without a proof that no vertex is near, as a share of the spacing. */
const UNPROVEN_STEP = 0.1;

export type TraceEnd = 'vertex' | 'border' | 'contact' | 'closed' | 'lost';

export class EdgeTracer {
  readonly solver: EquidistantSolver;
  /** Points of the last trace, x, y, z each, from its start. */
  points: number[] = [];
  /** The last point and its tangent, in the direction of travel; the objects of the vertex if it ended at one. */
  readonly end: Vec3 = [0, 0, 0];
  readonly direction: Vec3 = [0, 0, 0];
  objects: number[] = [];
  readonly #search: SpaceSearch;
  readonly #box: Box;
  readonly #spacing: number;
  /** The fastest change of a distance, which weights can make larger than one. */
  readonly #rate: number;
  readonly #contact: number;

  constructor(search: SpaceSearch, box: Box, spacing: number, size: number) {
    this.#search = search;
    this.#box = box;
    this.#spacing = spacing;
    this.#contact = 1e-7 * size;
    this.solver = new EquidistantSolver(search, 1e-12 * size);
    this.#rate = search.elements.weights.reduce((most, weight) => Math.max(most, 1 / weight), 1);
  }

  /**
   * Follows the edge of the objects from a place on it.
   * @param atVertex whether the place is a vertex, to which the edge does not return in its first step.
   */
  trace(objects: readonly number[], start: Readonly<Vec3>, direction: Readonly<Vec3>, atVertex: boolean): TraceEnd {
    const h = this.#spacing;
    const { end, direction: ahead } = this;
    for (let axis = 0; axis < 3; axis++) {
      end[axis] = start[axis];
      ahead[axis] = direction[axis];
    }
    this.points = [...start];
    let step = UNPROVEN_STEP * h;
    for (let count = 0; count < MAX_STEPS; count++) {
      const fresh = count === 0 && atVertex;
      if (!fresh) {
        const next = this.#search.nearestExcept(objects, end[0], end[1], end[2]);
        const value = this.#search.measure(objects[0], end[0], end[1], end[2]).value;
        const gap = next.value - value;
        step = Math.min(h, Math.max(gap / (2 * this.#rate), UNPROVEN_STEP * h), 2 * step);
        if (
          gap < this.#rate * h &&
          this.#tryVertex(objects, this.#search.objectOf(next.element), gap, 0.5 * h, atVertex ? start : null)
        ) {
          return 'vertex';
        }
      }
      const result = this.#advance(objects, step, fresh ? start : null, atVertex ? start : null);
      if (result === null) return 'lost';
      if (result !== 'on') return result;
      if (this.solver.distance < this.#contact) return 'contact';
      if (!atVertex && count > 3 && lengthBetween(end, start) < 0.75 * step && dot(ahead, direction) > 0.5)
        return 'closed';
    }
    return 'lost';
  }

  /** One step; null if the curve was lost. */
  #advance(
    objects: readonly number[],
    longest: number,
    left: Readonly<Vec3> | null,
    startVertex: Readonly<Vec3> | null,
  ): TraceEnd | 'on' | null {
    const { end, direction, solver } = this;
    for (let step = longest; step > MIN_STEP * this.#spacing; step /= 2) {
      const guess = addScaled(end, direction, step);
      if (!solver.solve(objects, guess[0], guess[1], guess[2], 0.5 * step) || solver.rank < 2) continue;
      const { point, tangent } = solver;
      const turn = dot(tangent, direction);
      // Leaving a vertex the direction is exact; where the curve has a corner, as between parts of a mesh, small steps pass.
      if (Math.abs(turn) < MIN_TURN_COSINE && step > 2 ** -10 * this.#spacing) continue;
      if (!contains(this.#box, point)) {
        if (this.#stopAtBorder(objects, step)) return 'border';
        continue;
      }
      const reached: Vec3 = [...point];
      const along: Vec3 = [...tangent];
      const { value } = solver;
      const next = this.#search.nearestExcept(objects, reached[0], reached[1], reached[2]);
      if (next.value < value - this.#search.tie) {
        // A vertex was passed.
        const other = this.#search.objectOf(next.element);
        if (this.#tryVertex(objects, other, value - next.value, 1.5 * step, left ?? startVertex)) return 'vertex';
        continue;
      }
      const sign = turn < 0 ? -1 : 1;
      for (let axis = 0; axis < 3; axis++) {
        end[axis] = reached[axis];
        direction[axis] = sign * along[axis];
      }
      this.points.push(reached[0], reached[1], reached[2]);
      // The next steps test the distance at the place itself.
      solver.distance = this.#search.measure(objects[0], reached[0], reached[1], reached[2]).distance;
      return 'on';
    }
    return null;
  }

  /** Goes to the vertex with another object if it is ahead and within reach, and nothing is nearer there. */
  #tryVertex(
    objects: readonly number[],
    other: number,
    gap: number,
    reach: number,
    start: Readonly<Vec3> | null,
  ): boolean {
    const { end, direction, solver } = this;
    const slack = this.#search.tie;
    const guess = addScaled(end, direction, Math.min(Math.abs(gap), reach));
    if (!solver.solve([...objects, other], guess[0], guess[1], guess[2], 2 * reach)) return false;
    if (solver.rank < 3) return false;
    const place: Vec3 = [...solver.point];
    const { value } = solver;
    const ahead = dot([place[0] - end[0], place[1] - end[1], place[2] - end[2]], direction);
    if (lengthBetween(place, end) > reach || ahead < -slack || !contains(this.#box, place)) return false;
    if (start !== null && lengthBetween(place, start) < 4 * slack) return false;
    const nearest = this.#search.nearestExcept([], place[0], place[1], place[2]);
    if (nearest.value < value - slack) return false;
    for (let axis = 0; axis < 3; axis++) end[axis] = place[axis];
    this.objects = this.#search.nearestObjects(place[0], place[1], place[2]);
    this.points.push(place[0], place[1], place[2]);
    return true;
  }

  /** Ends the edge on the surface of the box, by bisection of the step that leaves it. */
  #stopAtBorder(objects: readonly number[], outside: number): boolean {
    const { end, direction, solver } = this;
    let low = 0;
    let high = outside;
    const last: Vec3 = [...end];
    for (let round = 0; round < 60 && high - low > 1e-15 * outside; round++) {
      const middle = (low + high) / 2;
      const guess = addScaled(end, direction, middle);
      if (!solver.solve(objects, guess[0], guess[1], guess[2], 0.5 * outside)) return false;
      if (contains(this.#box, solver.point)) {
        low = middle;
        for (let axis = 0; axis < 3; axis++) last[axis] = solver.point[axis];
      } else high = middle;
    }
    const nearest = this.#search.nearestExcept(objects, last[0], last[1], last[2]);
    const value = this.#search.measure(objects[0], last[0], last[1], last[2]).value;
    if (nearest.value < value - this.#search.tie) return false;
    for (let axis = 0; axis < 3; axis++) end[axis] = last[axis];
    this.objects = [...objects];
    this.points.push(last[0], last[1], last[2]);
    return true;
  }
}
