// Which elements can be nearest to a sample of a tile. First by the distance from its center and half its diagonal; then
// by the shape of the distance functions over the tile: one that exceeds another everywhere in it is dropped.
import { ARC, POINT, SHAPE_B, SHAPE_STRIDE } from '../sites/plane-elements.js';
import { type Candidates, distanceSquared, SHAPE_NORMAL } from './candidates.js';
import { CONCAVE, CONVEX, LINEAR, NEITHER, POINTLIKE, TileForms } from './tile-forms.js';
import type { VoronoiCounters } from './voronoi-image.js';

/** Chosen: a longer list is also compared with the elements nearest to the corners of the tile. */
const LONG_LIST = 12;

/** Chosen: a list longer than this is examined more closely only if few of its elements begin in the tile. */
const FEW = 16;
/** Chosen: that share of the list: elements that begin in the tile will spread. */
const INSIDE = 0.25;

/** Lists of candidates, those of a tile behind those of the tile that it is part of. */
export class TileCandidates {
  readonly #candidates: Candidates;
  readonly #counters: VoronoiCounters;
  readonly #maxDistance: number;
  readonly #tile: TileForms;
  /** Of the element that others are compared with: no more than this at each corner. */
  readonly #most = new Float64Array(4);
  /** How many elements of the last list begin in the tile. */
  #inside = 0;

  constructor(candidates: Candidates, maxDistance: number, counters: VoronoiCounters) {
    this.#candidates = candidates;
    this.#counters = counters;
    this.#maxDistance = maxDistance;
    this.#tile = new TileForms(candidates);
  }

  /** The lists, and what the distances to their elements are like over their tiles. */
  get tile(): TileForms {
    return this.#tile;
  }

  /**
   * Puts those from `first` to `end` that can be nearest to a sample of the tile behind `end`, in the same order, and
   * returns where they end. The tile has the center (x, y) and half sides `halfX`, `halfY`, and is part of the tile of
   * the list from `first` to `end`. No sample is farther from its nearest element than `bound`, Infinity if not known.
   */
  keep(first: number, end: number, x: number, y: number, halfX: number, halfY: number, bound: number): number {
    this.#counters.tiles++;
    this.#counters.candidates += end - first;
    this.#tile.reserve(2 * end - first);
    this.#tile.setTile(x, y, halfX, halfY);
    let from = first;
    let last = end;
    if (bound < Infinity) {
      from = end;
      last = this.#keepWithin(first, end, Math.min(bound, this.#maxDistance));
      if (last - end > FEW && this.#inside > INSIDE * (last - end)) return last;
    }
    const nearest = this.#measure(from, last);
    const kept = this.#candidates.unweighted
      ? this.#keepNear(from, last, end, nearest)
      : this.#keepNearWeighted(from, last, end);
    return kept - end > 1 ? this.#dropDominated(end, kept) : kept;
  }

  /** Writes the squares of distances from the center to the values; returns where the least is. */
  #measure(first: number, end: number): number {
    const candidates = this.#candidates;
    const { shapes } = candidates;
    const { lists, values, forms, nearX, nearY, x, y } = this.#tile;
    let least = Infinity;
    let nearest = first;
    for (let i = first; i < end; i++) {
      let square: number;
      // Forms found over the larger tile hold in its parts.
      if (forms[i] === POINTLIKE) {
        const dx = x - nearX[i];
        const dy = y - nearY[i];
        square = dx * dx + dy * dy;
      } else if (forms[i] === LINEAR) {
        const at = SHAPE_STRIDE * lists[i];
        const distance = (x - shapes[at]) * nearX[i] + (y - shapes[at + 1]) * nearY[i];
        square = distance * distance;
      } else square = distanceSquared(candidates, lists[i], x, y);
      values[i] = square;
      if (square < least) {
        least = square;
        nearest = i;
      }
    }
    return nearest;
  }

  /** Keeps elements that may be within the distance `most` of the rectangle of the tile. */
  #keepWithin(first: number, end: number, most: number): number {
    const { kinds, shapes, weights, offsets, slack } = this.#candidates;
    const { lists, forms, nearX, nearY, x, y, halfX, halfY } = this.#tile;
    let inside = 0;
    let kept = end;
    for (let i = first; i < end; i++) {
      const element = lists[i];
      const at = SHAPE_STRIDE * element;
      const reach = (most + offsets[element]) * weights[element] + slack[element];
      if (kinds[element] === ARC) {
        const far = reach + this.#tile.radius;
        if (!(far >= 0 && distanceSquared(this.#candidates, element, x, y) <= far * far)) continue;
      } else {
        // The box of the element, and for segments the strip between the lines along it.
        const ax = shapes[at] - x;
        const ay = shapes[at + 1] - y;
        const bx = shapes[at + SHAPE_B] - x;
        const by = shapes[at + SHAPE_B + 1] - y;
        const farX = reach + halfX;
        const farY = reach + halfY;
        if ((ax > farX && bx > farX) || (ax < -farX && bx < -farX)) continue;
        if ((ay > farY && by > farY) || (ay < -farY && by < -farY)) continue;
        if (kinds[element] !== POINT) {
          const normalX = shapes[at + SHAPE_NORMAL];
          const normalY = shapes[at + SHAPE_NORMAL + 1];
          const far = reach + Math.abs(normalX) * halfX + Math.abs(normalY) * halfY;
          if (Math.abs(ax * normalX + ay * normalY) > far) continue;
        }
      }
      if (Math.abs(shapes[at] - x) <= halfX && Math.abs(shapes[at + 1] - y) <= halfY) inside++;
      lists[kept] = element;
      forms[kept] = forms[i];
      nearX[kept] = nearX[i];
      nearY[kept] = nearY[i];
      kept++;
    }
    this.#inside = inside;
    return kept;
  }

  /** Writes to places from `to` on, which may be `first`. */
  #keepNear(first: number, end: number, to: number, nearest: number): number {
    const { slack } = this.#candidates;
    const { lists, values, radius } = this.#tile;
    if (end === first) return to;
    const distance = Math.sqrt(values[nearest]);
    const reach = Math.min(this.#maxDistance, distance + radius + slack[lists[nearest]]) + radius;
    let kept = to;
    for (let i = first; i < end; i++) {
      const most = reach + slack[lists[i]];
      if (values[i] <= most * most) this.#take(i, kept++);
    }
    return kept;
  }

  #keepNearWeighted(first: number, end: number, to: number): number {
    const { weights, offsets, slack } = this.#candidates;
    const { lists, values, radius } = this.#tile;
    let least = this.#maxDistance;
    for (let i = first; i < end; i++) {
      const element = lists[i];
      const most = (Math.sqrt(values[i]) + radius + slack[element]) / weights[element] - offsets[element];
      if (most < least) least = most;
    }
    let kept = to;
    for (let i = first; i < end; i++) {
      const element = lists[i];
      const lowest = (Math.sqrt(values[i]) - radius - slack[element]) / weights[element] - offsets[element];
      if (lowest <= least) this.#take(i, kept++);
    }
    return kept;
  }

  /** Copies a candidate from the list of the larger tile to that of the tile. */
  #take(from: number, to: number): void {
    const { lists, forms, nearX, nearY, values } = this.#tile;
    lists[to] = lists[from];
    if (forms[from] > LINEAR) {
      this.#tile.describe(to);
      return;
    }
    forms[to] = forms[from];
    nearX[to] = nearX[from];
    nearY[to] = nearY[from];
    values[to] = Math.sqrt(values[from]);
  }

  #dropDominated(first: number, end: number): number {
    let kept = this.#dropAbove(this.#nearestToCenter(first, end), first, end);
    if (kept - first <= LONG_LIST) return kept;
    const { halfX, halfY } = this.#tile;
    for (let corner = 0; corner < 4 && kept - first > LONG_LIST; corner++) {
      const nearest = this.#nearestTo(first, kept, corner & 1 ? halfX : -halfX, corner & 2 ? halfY : -halfY);
      kept = this.#dropAbove(nearest, first, kept);
    }
    return kept;
  }

  /** The place in the list of the element nearest to the center; of long lists, one of the lowest site that ties. */
  #nearestToCenter(first: number, end: number): number {
    const { weights, offsets, unweighted } = this.#candidates;
    const { lists, values } = this.#tile;
    let nearest = first;
    let least = Infinity;
    for (let i = first; i < end; i++) {
      const element = lists[i];
      const value = unweighted ? values[i] : values[i] / weights[element] - offsets[element];
      if (value >= least) continue;
      least = value;
      nearest = i;
    }
    return this.#lowestLike(nearest, first, end);
  }

  /** As {@link #nearestToCenter}, for the center plus (dx, dy). */
  #nearestTo(first: number, end: number, dx: number, dy: number): number {
    const { weights, offsets } = this.#candidates;
    const { lists } = this.#tile;
    let nearest = first;
    let least = Infinity;
    for (let i = first; i < end; i++) {
      const element = lists[i];
      const distance = Math.sqrt(distanceSquared(this.#candidates, element, this.#tile.x + dx, this.#tile.y + dy));
      const value = distance / weights[element] - offsets[element];
      if (value >= least) continue;
      least = value;
      nearest = i;
    }
    return this.#lowestLike(nearest, first, end);
  }

  /** The place of the lowest site that ties everywhere with the one given, where lists are long. */
  #lowestLike(nearest: number, first: number, end: number): number {
    const { site } = this.#candidates;
    const { lists } = this.#tile;
    if (end - first <= LONG_LIST) return nearest;
    let lowest = nearest;
    for (let i = first; i < end; i++) {
      if (site[lists[i]] < site[lists[lowest]] && this.#tile.isSame(i, nearest)) lowest = i;
    }
    return lowest;
  }

  /** Drops those that exceed the one at `reference` everywhere in the tile, or tie and are of a higher site. */
  #dropAbove(reference: number, first: number, end: number): number {
    const { weights, offsets, slack, site, unweighted } = this.#candidates;
    const { lists, values, nearX, nearY, forms, x, y, halfX, halfY, radius } = this.#tile;
    const chosen = lists[reference];
    const chosenX = nearX[reference];
    const chosenY = nearY[reference];
    const chosenForm = forms[reference];
    const chosenValue = values[reference];
    const chosenWeight = weights[chosen];
    const chosenOffset = offsets[chosen];
    const chosenSlack = slack[chosen];
    const isLong = end - first > LONG_LIST;
    let bounded = false;
    let kept = first;
    for (let i = first; i < end; i++) {
      const element = lists[i];
      let dominated = false;
      if (element !== chosen) {
        const form = forms[i];
        const rounding = slack[element] + chosenSlack;
        const alike = unweighted || (weights[element] === chosenWeight && offsets[element] === chosenOffset);
        if (alike && chosenForm === POINTLIKE && form === POINTLIKE) {
          // The difference of the squares is linear: it is least at a corner.
          const distance = values[i];
          const difference = (distance - chosenValue) * (distance + chosenValue);
          const change = 2 * (Math.abs(nearX[i] - chosenX) * halfX + Math.abs(nearY[i] - chosenY) * halfY);
          dominated = difference - change > 4 * (distance + radius) * rounding;
        } else if (alike && chosenForm === LINEAR && form <= CONVEX) {
          // The tangent is below the distance; where it is not known, comparisons with NaN keep the element.
          const distance = values[i];
          const inverse = 1 / distance;
          const slopeX = form === LINEAR ? nearX[i] : (x - nearX[i]) * inverse;
          const slopeY = form === LINEAR ? nearY[i] : (y - nearY[i]) * inverse;
          const change = Math.abs(slopeX - chosenX) * halfX + Math.abs(slopeY - chosenY) * halfY;
          dominated = distance - chosenValue - change > 2 * rounding * (1 + radius * inverse);
        } else {
          if (!bounded) this.#boundCorners(reference);
          bounded = true;
          dominated = this.#isAbove(i);
        }
        if (!dominated && isLong) {
          dominated = site[element] >= site[chosen] && this.#tile.isSame(i, reference);
          if (!dominated && this.#tile.isConcentric(i, reference)) {
            const difference = (values[i] - chosenValue) / chosenWeight - offsets[element] + chosenOffset;
            dominated = difference > (2 * rounding) / chosenWeight;
          }
        }
      }
      if (dominated) continue;
      if (kept < i) {
        lists[kept] = element;
        values[kept] = values[i];
        nearX[kept] = nearX[i];
        nearY[kept] = nearY[i];
        forms[kept] = forms[i];
      }
      kept++;
    }
    return kept;
  }

  /** Upper bounds at the corners whose difference from any lower bound below is least at a corner. */
  #boundCorners(i: number): void {
    const { weights, offsets } = this.#candidates;
    const element = this.#tile.lists[i];
    const weight = weights[element];
    const offset = offsets[element];
    const form = this.#tile.forms[i];
    const slack = this.#tile.slackOf(i);
    for (let corner = 0; corner < 4; corner++) {
      const dx = corner & 1 ? this.#tile.halfX : -this.#tile.halfX;
      const dy = corner & 2 ? this.#tile.halfY : -this.#tile.halfY;
      let distance: number;
      if (form === NEITHER) distance = this.#tile.values[i] + this.#tile.radius;
      else if (form === CONCAVE) distance = this.#tile.tangent(i, dx, dy);
      else distance = Math.sqrt(distanceSquared(this.#candidates, element, this.#tile.x + dx, this.#tile.y + dy));
      this.#most[corner] = (distance + slack) / weight - offset;
    }
  }

  /** Convex functions are above their tangents, concave ones are least at a corner. */
  #isAbove(i: number): boolean {
    const { weights, offsets } = this.#candidates;
    const element = this.#tile.lists[i];
    const weight = weights[element];
    const value = this.#tile.values[i];
    const most = this.#most;
    const form = this.#tile.forms[i];
    if (form === CONCAVE) return this.#isAboveAtCorners(i);
    if (form === NEITHER) {
      const least = (value - this.#tile.radius - this.#tile.slackOf(i)) / weight - offsets[element];
      return least > most[0] && least > most[1] && least > most[2] && least > most[3];
    }
    const least = (value - this.#tile.slackOf(i)) / weight - offsets[element];
    const inverse = form === LINEAR ? 1 / weight : 1 / (value * weight);
    const dx =
      (form === LINEAR ? this.#tile.nearX[i] : this.#tile.x - this.#tile.nearX[i]) * this.#tile.halfX * inverse;
    const dy =
      (form === LINEAR ? this.#tile.nearY[i] : this.#tile.y - this.#tile.nearY[i]) * this.#tile.halfY * inverse;
    return (
      least - dx - dy > most[0] && least + dx - dy > most[1] && least - dx + dy > most[2] && least + dx + dy > most[3]
    );
  }

  #isAboveAtCorners(i: number): boolean {
    const { weights, offsets } = this.#candidates;
    const element = this.#tile.lists[i];
    const slack = this.#tile.slackOf(i);
    for (let corner = 0; corner < 4; corner++) {
      const x = this.#tile.x + (corner & 1 ? this.#tile.halfX : -this.#tile.halfX);
      const y = this.#tile.y + (corner & 2 ? this.#tile.halfY : -this.#tile.halfY);
      const distance = Math.sqrt(distanceSquared(this.#candidates, element, x, y));
      if (!((distance - slack) / weights[element] - offsets[element] > this.#most[corner])) return false;
    }
    return true;
  }
}
