// The features of a list of sites, cut where sites meet, so that features share only vertices. A vertex takes the label
// of the lowest site that ends in it; of several equal segments the one of the lowest site stays. Sites can be added and
// removed; each change costs what the elements near it cost, plus one pass over the boxes of all elements.
import { type CutElement, cutPair, SAME_POINT } from './cut-elements.js';
import {
  CURVE,
  END_A,
  END_B,
  FeatureArrays,
  FIRST,
  LINE,
  OFFSET,
  PLACE,
  SCALE,
  SECOND,
  SIZE,
  STRIDE,
  VERTEX,
} from './feature-arrays.js';
import type { BoundaryKind, FeatureNode, PlacedElement } from './feature-node.js';
import { SiteComponents } from './site-components.js';

/** The changes in the arrays of features. */
export interface FeatureChange {
  readonly removed: number[];
  readonly added: number[];
}

/** Proven: arcs are cut to this angle or less, in radians, so that two linear constraints bound their regions. */
const MAX_SWEEP = Math.PI / 2;
/**
 * Rounding: a vertex between open features whose gap exceeds π by less than this, in radians, has no region that
 * numbers can show.
 */
const STRAIGHT_GAP = 1e-12;
/** Rounding: open features whose directions at a node differ by less than this touch there. */
const SAME_DIRECTION = 1e-7;
/** Chosen: cells of the grid of nodes along a local length of 1. */
const GRID = 2 ** 36;

/** The features of sites that come and go. */
export class SiteFeatures {
  readonly arrays = new FeatureArrays();
  readonly elements = new Set<PlacedElement>();
  /** By open feature: its element; by vertex: null. */
  readonly elementOf: (PlacedElement | null)[] = [];
  readonly #between: BoundaryKind;
  readonly #objectOfSite: (site: number) => number;
  readonly #weightOfClass: number[] = [];
  readonly #offsetOfClass: number[] = [];
  readonly #nodes: (FeatureNode | null)[] = [];
  readonly #nodeAt = new Map<number, number[]>();
  readonly #openAt = new Map<number | string, number>();
  readonly #components: SiteComponents;
  #touched: number[] = [];
  #removed: number[] = [];
  #added: number[] = [];
  #nextElement = 0;

  constructor(between: BoundaryKind, objectOfSite: (site: number) => number) {
    this.#between = between;
    this.#objectOfSite = objectOfSite;
    this.#components = new SiteComponents(this.arrays, this.#nodes, between);
  }

  /** By component of features: its box, or null if it is not in use. */
  get boxes(): readonly (Float64Array | null)[] {
    return this.#components.boxes;
  }

  /** The number that stands for a weight and an offset, the latter in local lengths. */
  weightClass(weight: number, offset: number): number {
    for (let i = 0; i < this.#weightOfClass.length; i++) {
      if (this.#weightOfClass[i] === weight && this.#offsetOfClass[i] === offset) return i;
    }
    this.#offsetOfClass.push(offset);
    return this.#weightOfClass.push(weight) - 1;
  }

  /** Whether all sites have the same weight; then regions are star-shaped about nearest points. */
  get evenlyWeighted(): boolean {
    return this.#weightOfClass.every((weight) => weight === this.#weightOfClass[0]);
  }

  /** Whether all sites have the same weight and offset; then squares of distances decide. */
  get oneClass(): boolean {
    return this.#weightOfClass.length <= 1;
  }

  nextElement(): number {
    return this.#nextElement++;
  }

  /** Removes and adds elements, and returns the removed features and the new ones. No feature is in both lists. */
  change(removed: readonly PlacedElement[], added: readonly PlacedElement[]): FeatureChange {
    this.#removed = [];
    this.#added = [];
    this.#touched = [];
    if (this.elements.size === 0) {
      for (const element of added) this.elements.add(element);
      sweepPairs([...added], cutPair);
      for (const element of added) this.#place(element);
    } else this.#changeSome(removed, added);
    for (const node of this.#touched) this.#settleNode(node);
    this.#components.assign(this.#removed, this.#added, this.#touched);
    const change = { removed: this.#removed, added: this.#added };
    return change;
  }

  /** Lets the indices of removed features be used again. */
  release(removed: readonly number[]): void {
    for (const feature of removed) this.arrays.release(feature);
  }

  /** The point of a node where several elements or pieces meet; null for another one. */
  joint(index: number): { readonly x: number; readonly y: number } | null {
    const node = this.#nodes[index];
    return node !== null && node.ends.length + node.points.length > 1 ? node : null;
  }

  /** Whether exactly two boundaries leave the node, both between the two labels: then they are one curve through it. */
  separates(index: number, labelA: number, labelB: number): boolean {
    const { ends, vertex } = this.#nodes[index] as FeatureNode;
    const { label } = this.arrays;
    const { order, gaps } = this.#around(ends);
    let boundaries = 0;
    const count = (a: number, b: number): boolean => {
      if (a === b) return true;
      boundaries++;
      return (a === labelA && b === labelB) || (a === labelB && b === labelA);
    };
    for (let i = 0; i < order.length; i++) {
      const from = label[order[i] >> 1];
      const to = label[order[(i + 1) % order.length] >> 1];
      const own = vertex >= 0 && gaps[i] > Math.PI + STRAIGHT_GAP ? label[vertex] : to;
      if (!count(from, own) || !count(own, to)) return false;
    }
    return boundaries === 2;
  }

  /**
   * Ends of open features at a node, counter-clockwise, and the angle from each to the next. The widest is the last. Those
   * that leave in one direction touch there, and are in the order of their curvatures.
   */
  #around(ends: readonly number[]): { readonly order: number[]; readonly gaps: number[] } {
    const { data, kind } = this.arrays;
    const count = ends.length;
    const list = ends.map((end) => {
      // The inner direction of an open feature at its end is the normal of the constraint there.
      const at = STRIDE * (end >> 1);
      const normal = at + ((end & 1) === 0 ? FIRST : SECOND);
      // Arcs run counter-clockwise: from their first end they turn left, from their last one right.
      const turn = kind[end >> 1] === CURVE ? ((end & 1) === 0 ? 1 : -1) / data[at + SIZE] : 0;
      return { end, angle: Math.atan2(data[normal + 1], data[normal]), turn };
    });
    list.sort((a, b) => a.angle - b.angle);
    let first = 0;
    let widest = -1;
    for (let i = 0; i < count; i++) {
      const gap = list[i].angle - list[(i + count - 1) % count].angle + (i === 0 ? 2 * Math.PI : 0);
      if (gap <= widest) continue;
      widest = gap;
      first = i;
    }
    for (let i = 0; i < first; i++) list[i].angle += 2 * Math.PI;
    list.push(...list.splice(0, first));
    for (let i = 1; i < count; i++) {
      for (
        let j = i;
        j > 0 && list[j].angle - list[j - 1].angle < SAME_DIRECTION && list[j].turn < list[j - 1].turn;
        j--
      ) {
        const { angle } = list[j];
        [list[j], list[j - 1]] = [
          { ...list[j - 1], angle },
          { ...list[j], angle: list[j - 1].angle },
        ];
      }
    }
    const gaps = list.map(({ angle }, i) => (i + 1 < count ? list[i + 1].angle - angle : widest));
    return { order: list.map(({ end }) => end), gaps };
  }

  #changeSome(removed: readonly PlacedElement[], added: readonly PlacedElement[]): void {
    const gone = new Set(removed);
    const near: PlacedElement[] = [];
    for (const element of this.elements) {
      if (gone.has(element)) continue;
      if (removed.some((other) => boxesMeet(element, other)) || added.some((other) => boxesMeet(element, other))) {
        near.push(element);
      }
    }
    for (const element of removed) {
      this.#unplace(element);
      this.elements.delete(element);
    }
    const before = near.map((element) => element.cuts);
    for (const element of added) this.elements.add(element);
    for (const element of near) element.cuts = [];
    const recut = new Set([...near, ...added]);
    for (const element of recut) {
      for (const other of this.elements) {
        if (element === other || !boxesMeet(element, other)) continue;
        // An element that is not cut anew has this cut already, and takes none twice.
        if (!recut.has(other) || element.id < other.id) cutPair(element, other);
      }
    }
    near.forEach((element, i) => {
      // A piece that was hidden by an equal one of a lower site may become visible.
      if (sameCuts(before[i], element.cuts) && element.pieces.every((piece) => piece >= 0)) return;
      this.#unplace(element);
      this.#place(element);
    });
    for (const element of added) this.#place(element);
  }

  #place(element: PlacedElement): void {
    if (element.kind === 0) {
      const node = this.#nodeFor(element.ax, element.ay, element.weightClass);
      (this.#nodes[node] as FeatureNode).points.push(element);
      element.nodes.push(node);
      return;
    }
    const { cuts } = element;
    const order: number[] = [];
    for (let i = 0; i < cuts.length; i += 3) order.push(i);
    order.sort((i, j) => cuts[i] - cuts[j]);
    if (element.kind === 2) {
      this.#placeArc(element, order);
      return;
    }
    let from = this.#nodeFor(element.ax, element.ay, element.weightClass);
    element.nodes.push(from);
    const ux = element.bx - element.ax;
    const uy = element.by - element.ay;
    const length = Math.hypot(ux, uy);
    for (let i = 0; i <= order.length; i++) {
      const last = i === order.length;
      const x = last ? element.bx : cuts[order[i] + 1];
      const y = last ? element.by : cuts[order[i] + 2];
      const to = this.#nodeFor(x, y, element.weightClass);
      element.nodes.push(to);
      if (to !== from) this.#addLine(element, from, to, ux / length, uy / length);
      from = to;
    }
  }

  #placeArc(element: PlacedElement, order: readonly number[]): void {
    const { cuts, from: start, sweep, cx, cy, radius } = element;
    const stops: number[][] = [[0, element.ax, element.ay]];
    const reach = (parameter: number, x: number, y: number): void => {
      const last = stops[stops.length - 1][0];
      const parts = Math.ceil((parameter - last) / MAX_SWEEP - 1e-9);
      for (let i = 1; i < parts; i++) {
        const angle = last + ((parameter - last) * i) / parts;
        stops.push([angle, cx + radius * Math.cos(start + angle), cy + radius * Math.sin(start + angle)]);
      }
      stops.push([parameter, x, y]);
    };
    for (const at of order) reach(cuts[at], cuts[at + 1], cuts[at + 2]);
    reach(sweep, element.bx, element.by);
    let from = this.#nodeFor(element.ax, element.ay, element.weightClass);
    element.nodes.push(from);
    for (let i = 1; i < stops.length; i++) {
      const to = this.#nodeFor(stops[i][1], stops[i][2], element.weightClass);
      element.nodes.push(to);
      this.#addArc(element, from, to, start + stops[i - 1][0], start + stops[i][0]);
      from = to;
    }
  }

  #addLine(element: PlacedElement, from: number, to: number, ux: number, uy: number): void {
    const key = lineKey(from, to);
    const twin = this.#openAt.get(key);
    if (twin !== undefined && !this.#takesOver(element, twin)) {
      return;
    }
    const feature = this.#openFeature(LINE, element, from, to, key);
    const a = this.#nodes[from] as FeatureNode;
    const b = this.#nodes[to] as FeatureNode;
    const { data } = this.arrays;
    const at = STRIDE * feature;
    data[at + PLACE] = -uy;
    data[at + PLACE + 1] = ux;
    data[at + SIZE] = -uy * a.x + ux * a.y;
    data[at + FIRST] = ux;
    data[at + FIRST + 1] = uy;
    data[at + FIRST + 2] = ux * a.x + uy * a.y;
    data[at + SECOND] = -ux;
    data[at + SECOND + 1] = -uy;
    data[at + SECOND + 2] = -(ux * b.x + uy * b.y);
  }

  #addArc(element: PlacedElement, from: number, to: number, first: number, last: number): void {
    const key = arcKey(from, to, element);
    const twin = this.#openAt.get(key);
    if (twin !== undefined && !this.#takesOver(element, twin)) return;
    const feature = this.#openFeature(CURVE, element, from, to, key);
    const { data } = this.arrays;
    const at = STRIDE * feature;
    const { cx, cy, radius } = element;
    data[at + PLACE] = cx;
    data[at + PLACE + 1] = cy;
    data[at + SIZE] = radius;
    const ux = -Math.sin(first);
    const uy = Math.cos(first);
    data[at + FIRST] = ux;
    data[at + FIRST + 1] = uy;
    data[at + FIRST + 2] = ux * cx + uy * cy;
    const vx = -Math.sin(last);
    const vy = Math.cos(last);
    data[at + SECOND] = -vx;
    data[at + SECOND + 1] = -vy;
    data[at + SECOND + 2] = -(vx * cx + vy * cy);
  }

  /** Whether the element's site is lower than that of an equal feature, which is then removed. */
  #takesOver(element: PlacedElement, twin: number): boolean {
    const other = this.elementOf[twin] as PlacedElement;
    if (this.arrays.site[twin] <= element.site) {
      element.pieces.push(-1 - twin);
      return false;
    }
    other.pieces[other.pieces.indexOf(twin)] = -1 - twin;
    this.#removeOpen(twin);
    return true;
  }

  #openFeature(kind: number, element: PlacedElement, from: number, to: number, key: number | string): number {
    const feature = this.#newFeature(kind, element.weightClass);
    const { arrays } = this;
    arrays.site[feature] = element.site;
    arrays.label[feature] = this.#labelOf(element.site, 2 * element.id);
    arrays.neighborA[feature] = from;
    arrays.neighborB[feature] = to;
    const a = this.#nodes[from] as FeatureNode;
    const b = this.#nodes[to] as FeatureNode;
    const at = STRIDE * feature;
    arrays.data[at + END_A] = a.x;
    arrays.data[at + END_A + 1] = a.y;
    arrays.data[at + END_B] = b.x;
    arrays.data[at + END_B + 1] = b.y;
    a.ends.push(2 * feature);
    b.ends.push(2 * feature + 1);
    this.#touch(from);
    this.#touch(to);
    element.pieces.push(feature);
    this.elementOf[feature] = element;
    this.#openAt.set(key, feature);
    return feature;
  }

  #newFeature(kind: number, weightClass: number): number {
    const feature = this.arrays.allocate(kind);
    const at = STRIDE * feature;
    this.arrays.data[at + SCALE] = 1 / this.#weightOfClass[weightClass];
    this.arrays.data[at + OFFSET] = this.#offsetOfClass[weightClass];
    this.#added.push(feature);
    this.elementOf[feature] = null;
    return feature;
  }

  /** Removes the element's features and leaves its nodes to be settled. */
  #unplace(element: PlacedElement): void {
    for (const feature of element.pieces) if (feature >= 0) this.#removeOpen(feature);
    element.pieces.length = 0;
    for (const node of element.nodes) {
      const { points } = this.#nodes[node] as FeatureNode;
      const at = points.indexOf(element);
      if (at >= 0) points.splice(at, 1);
      this.#touch(node);
    }
    element.nodes.length = 0;
  }

  #removeOpen(feature: number): void {
    const { neighborA, neighborB, kind } = this.arrays;
    const a = neighborA[feature];
    const b = neighborB[feature];
    const element = this.elementOf[feature] as PlacedElement;
    this.#openAt.delete(kind[feature] === CURVE ? arcKey(a, b, element) : lineKey(a, b));
    const dropEnd = (node: number, end: number): void => {
      const { ends } = this.#nodes[node] as FeatureNode;
      ends.splice(ends.indexOf(end), 1);
      this.#touch(node);
    };
    dropEnd(a, 2 * feature);
    dropEnd(b, 2 * feature + 1);
    this.#drop(feature);
  }

  /** Takes a feature out; one that this change added was never seen. */
  #drop(feature: number): void {
    const at = this.#added.indexOf(feature);
    if (at >= 0) {
      this.#added.splice(at, 1);
      this.arrays.release(feature);
    } else this.#removed.push(feature);
  }

  #labelOf(site: number, feature: number): number {
    if (this.#between === 'features') return feature;
    return this.#between === 'sites' ? site : this.#objectOfSite(site);
  }

  #touch(node: number): void {
    const { touched } = this.#nodes[node] as FeatureNode;
    if (touched) return;
    (this.#nodes[node] as FeatureNode).touched = true;
    this.#touched.push(node);
  }

  #nodeFor(x: number, y: number, weightClass: number): number {
    const column = Math.floor(x * GRID);
    const row = Math.floor(y * GRID);
    const left = Math.floor((x - SAME_POINT) * GRID);
    const right = Math.floor((x + SAME_POINT) * GRID);
    const low = Math.floor((y - SAME_POINT) * GRID);
    const high = Math.floor((y + SAME_POINT) * GRID);
    for (let i = left; i <= right; i++) {
      for (let j = low; j <= high; j++) {
        for (const candidate of this.#nodeAt.get(gridKey(i, j)) ?? []) {
          const node = this.#nodes[candidate];
          if (
            node !== null &&
            node.weightClass === weightClass &&
            Math.abs(node.x - x) <= SAME_POINT &&
            Math.abs(node.y - y) <= SAME_POINT
          ) {
            this.#touch(candidate);
            return candidate;
          }
        }
      }
    }
    const index = this.#nodes.length;
    this.#nodes.push({ x, y, weightClass, ends: [], points: [], vertex: -1, touched: false });
    const key = gridKey(column, row);
    const bucket = this.#nodeAt.get(key);
    if (bucket === undefined) this.#nodeAt.set(key, [index]);
    else bucket.push(index);
    this.#touch(index);
    return index;
  }

  /** Makes the vertex feature of a node anew, or deletes the node if nothing is left of it. */
  #settleNode(index: number): void {
    const node = this.#nodes[index] as FeatureNode;
    node.touched = false;
    if (node.ends.length + node.points.length === 0) {
      if (node.vertex >= 0) this.#drop(node.vertex);
      const key = gridKey(Math.floor(node.x * GRID), Math.floor(node.y * GRID));
      const bucket = this.#nodeAt.get(key) as number[];
      bucket.splice(bucket.indexOf(index), 1);
      if (bucket.length === 0) this.#nodeAt.delete(key);
      this.#nodes[index] = null;
      return;
    }
    const old = node.vertex;
    if (old >= 0) this.#drop(old);
    node.vertex = -1;
    const cone = this.#cone(node);
    if (cone === null) return;
    const feature = this.#newFeature(VERTEX, node.weightClass);
    const { arrays } = this;
    let site = Infinity;
    for (const { site: other } of node.points) site = Math.min(site, other);
    for (const end of node.ends) site = Math.min(site, arrays.site[end >> 1]);
    arrays.site[feature] = site;
    arrays.label[feature] = this.#labelOf(site, 2 * index + 1);
    const at = STRIDE * feature;
    arrays.data[at + PLACE] = node.x;
    arrays.data[at + PLACE + 1] = node.y;
    for (let i = 0; i < cone.length; i++) {
      const open = cone[i] >> 1;
      const from = STRIDE * open + ((cone[i] & 1) === 0 ? FIRST : SECOND);
      const to = at + (i === 0 ? FIRST : SECOND);
      for (let j = 0; j < 3; j++) arrays.data[to + j] = -arrays.data[from + j];
      if (i === 0) arrays.neighborA[feature] = open;
      else arrays.neighborB[feature] = open;
    }
    node.vertex = feature;
  }

  /** The ends on both sides of the widest gap between open features at the node; null if the gap is at most π. */
  #cone(node: FeatureNode): number[] | null {
    const { ends } = node;
    if (ends.length < 2) return [...ends];
    const { order, gaps } = this.#around(ends);
    return gaps[order.length - 1] > Math.PI + STRAIGHT_GAP ? [order[order.length - 1], order[0]] : null;
  }
}

/** Calls for every two elements whose boxes meet, by a sweep along x. */
function sweepPairs(elements: PlacedElement[], visit: (a: PlacedElement, b: PlacedElement) => void): void {
  elements.sort((a, b) => a.x0 - b.x0 || a.id - b.id);
  for (let i = 0; i < elements.length; i++) {
    const a = elements[i];
    for (let j = i + 1; j < elements.length && elements[j].x0 <= a.x1 + SAME_POINT; j++) {
      const b = elements[j];
      if (b.y0 <= a.y1 + SAME_POINT && b.y1 >= a.y0 - SAME_POINT) visit(a, b);
    }
  }
}

function boxesMeet(a: CutElement, b: CutElement): boolean {
  return (
    a.x0 <= b.x1 + SAME_POINT && b.x0 <= a.x1 + SAME_POINT && a.y0 <= b.y1 + SAME_POINT && b.y0 <= a.y1 + SAME_POINT
  );
}

function sameCuts(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/** Two lines between the same nodes are equal. */
function lineKey(from: number, to: number): number {
  return Math.min(from, to) * 2 ** 26 + Math.max(from, to);
}

/** Two arcs between the same nodes are equal if they have the same center. */
function arcKey(from: number, to: number, element: CutElement): string {
  return `${Math.min(from, to)} ${Math.max(from, to)} ${element.cx} ${element.cy}`;
}

/** A key of a cell of the grid of nodes. Different cells may share one: nodes are compared by their points. */
function gridKey(column: number, row: number): number {
  return column * 1.000000059604645 + row * 2.236067977499789;
}
