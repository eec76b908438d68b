// Sites of the plane as flat arrays of closed elements: points, segments and arcs. Every method reads these.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { flattenBezier } from '../../core/flatten-bezier.js';
import { MAX_COORDINATE } from '../../core/tolerances.js';
import type { BezierSite, PathSite, PlaneSite } from './plane-site.js';
import { assertSites, SiteList, type SiteTable } from './site-list.js';

/** Label: kind of an element: a point. */
export const POINT = 0;
/** Label: kind of an element: a segment. */
export const SEGMENT = 1;
/** Label: kind of an element: an arc. */
export const ARC = 2;

/** Rounding: the end of an arc in a path is that of its neighbor if they are closer than this share of the radius. */
const JOIN_TOLERANCE = 1e-9;

/** Layout: numbers per element in {@link PlaneElements.shapes}. */
export const SHAPE_STRIDE = 10;

/** Layout: offset of the first point of a shape. */
export const SHAPE_A = 0;
/** Layout: offset of its last point, equal to the first for points. */
export const SHAPE_B = 2;
/** Layout: offset of the center of an arc. */
export const SHAPE_CENTER = 4;
/** Layout: offset of the radius of an arc. */
export const SHAPE_RADIUS = 6;
/** Layout: offset of the unit vector from the center to the middle of the arc. */
export const SHAPE_MIDDLE = 7;
/** Layout: offset of the cosine of half the angle of the arc: −1 for a circle. */
export const SHAPE_COSINE = 9;

/** The elements of a list of sites, in the order of the sites. No element is a segment or an arc without length. */
export interface PlaneElements extends SiteTable {
  readonly count: number;
  /** POINT, SEGMENT or ARC. */
  readonly kinds: Uint8Array;
  readonly shapes: Float64Array;
  /** By element: the index of its site. */
  readonly site: Int32Array;
  /** By site: its first element; one more entry ends the last. */
  readonly firstOfSite: Int32Array;
  /** How far a line that replaces a curve may be from it; 0 without curves. */
  readonly curveError: number;
}

/**
 * The elements of the sites.
 * @param curveError the largest distance between a Bézier curve and the lines that replace it.
 * @throws NearfieldError `bad-argument` for sites that are not as their type says, not finite, or with a weight that is
 * not positive.
 */
export function planeElements(sites: readonly PlaneSite[], curveError: number): PlaneElements {
  assertSites(sites);
  if (!(curveError > 0)) {
    throw new NearfieldError('bad-argument', `The curve error is ${nameValue(curveError)}; give a positive length.`);
  }
  const list = new ElementList(sites.length, curveError);
  for (let index = 0; index < sites.length; index++) list.addSite(sites[index], index);
  return list.finish();
}

class ElementList {
  readonly #kinds: number[] = [];
  readonly #shapes: number[] = [];
  readonly #site: number[] = [];
  readonly #firstOfSite: Int32Array;
  readonly #list: SiteList;
  readonly #curveError: number;
  #curved = false;

  constructor(count: number, curveError: number) {
    this.#firstOfSite = new Int32Array(count + 1);
    this.#list = new SiteList(count);
    this.#curveError = curveError;
  }

  addSite(site: PlaneSite, index: number): void {
    this.#list.begin(site, index);
    this.#firstOfSite[index] = this.#kinds.length;
    this.#addShape(site);
  }

  finish(): PlaneElements {
    this.#firstOfSite[this.#firstOfSite.length - 1] = this.#kinds.length;
    return {
      count: this.#kinds.length,
      kinds: Uint8Array.from(this.#kinds),
      shapes: Float64Array.from(this.#shapes),
      site: Int32Array.from(this.#site),
      firstOfSite: this.#firstOfSite,
      ...this.#list.finish(),
      curveError: this.#curved ? this.#curveError : 0,
    };
  }

  #addShape(site: PlaneSite): void {
    switch (site.type) {
      case 'point':
        this.#addPoint(this.#point(site.at, 'place'));
        break;
      case 'segment':
        this.#addLine(this.#point(site.a, 'first point'), this.#point(site.b, 'last point'));
        break;
      case 'polyline':
        this.#addLines(this.#points(site.points, 1, 'points'), false);
        break;
      case 'polygon': {
        const rings = this.#array(site.rings, 1, 'rings');
        for (const ring of rings) this.#addLines(this.#points(ring, 1, 'points of a ring'), true);
        break;
      }
      case 'circle':
        this.#addArc(site.center, site.radius, 0, 2 * Math.PI);
        break;
      case 'arc':
        this.#addArc(
          site.center,
          site.radius,
          this.#number(site.from, 'first angle'),
          this.#number(site.to, 'last angle'),
        );
        break;
      case 'bezier':
        this.#addBezier(site);
        break;
      case 'path':
        this.#addPath(site);
        break;
      default:
        throw new NearfieldError(
          'bad-argument',
          `The type of site ${this.#list.current} is ${nameValue((site as { type: unknown }).type)}; give point, segment, ` +
            'polyline, polygon, circle, arc, bezier or path.',
        );
    }
  }

  #addPoint(p: readonly number[]): void {
    this.#push(POINT, p, p);
  }

  #addLine(a: readonly number[], b: readonly number[]): void {
    if (a[0] === b[0] && a[1] === b[1]) this.#addPoint(a);
    else this.#push(SEGMENT, a, b);
  }

  #addLines(points: readonly (readonly number[])[], closed: boolean): void {
    let last = points[0];
    let added = 0;
    const end = closed && points.length > 2 ? points.length + 1 : points.length;
    for (let i = 1; i < end; i++) {
      const next = points[i % points.length];
      if (next[0] === last[0] && next[1] === last[1]) continue;
      this.#addLine(last, next);
      last = next;
      added++;
    }
    if (added === 0) this.#addPoint(points[0]);
  }

  #addBezier(site: BezierSite): void {
    const points = this.#points(site.points, 2, 'control points');
    if (points.length > 4) {
      throw new NearfieldError(
        'bad-argument',
        `Site ${this.#list.current} has ${points.length} control points; give two to four, or split the curve.`,
      );
    }
    if (points.length > 2) this.#curved = true;
    this.#addLines(flattenBezier(points, this.#curveError), false);
  }

  #addPath(site: PathSite): void {
    const curves = this.#array(site.curves, 1, 'curves');
    /** By curve: its first element; one more entry ends the last. */
    const first = [this.#kinds.length];
    for (const curve of curves) {
      if (curve?.type !== 'arc' && curve?.type !== 'bezier') {
        throw new NearfieldError(
          'bad-argument',
          `A curve of site ${this.#list.current} has the type ${nameValue((curve as { type?: unknown } | null)?.type)}; ` +
            'give arcs and Bézier curves.',
        );
      }
      this.#addShape(curve);
      first.push(this.#kinds.length);
    }
    for (let i = 0; i < curves.length; i++) {
      if (this.#kinds[first[i]] !== ARC) continue;
      this.#joinArc(first[i], first[(i || curves.length) - 1], first[i || curves.length] - 1);
      const next = (i + 1) % curves.length;
      this.#joinArc(first[i], first[next], first[next + 1] - 1);
    }
  }

  /** Moves the ends of an arc onto those of a neighbor, given by its first and last element, if they differ by rounding. */
  #joinArc(arc: number, firstElement: number, lastElement: number): void {
    if (firstElement === arc) return;
    const shapes = this.#shapes;
    const ends = [SHAPE_STRIDE * firstElement + SHAPE_A, SHAPE_STRIDE * lastElement + SHAPE_B];
    const radius = shapes[SHAPE_STRIDE * arc + SHAPE_RADIUS];
    for (const own of [SHAPE_STRIDE * arc + SHAPE_A, SHAPE_STRIDE * arc + SHAPE_B]) {
      for (const end of ends) {
        if (Math.hypot(shapes[own] - shapes[end], shapes[own + 1] - shapes[end + 1]) > JOIN_TOLERANCE * radius)
          continue;
        shapes[own] = shapes[end];
        shapes[own + 1] = shapes[end + 1];
      }
    }
  }

  #addArc(given: ArrayLike<number>, radius: number, from: number, to: number): void {
    const center = this.#point(given, 'center');
    if (!(typeof radius === 'number' && radius >= 0 && radius <= MAX_COORDINATE)) {
      throw new NearfieldError(
        'bad-argument',
        `The radius of site ${this.#list.current} is ${nameValue(radius)}; give a number from 0.`,
      );
    }
    if (radius === 0) {
      this.#addPoint(center);
      return;
    }
    const full = to - from >= 2 * Math.PI;
    let sweep = full ? 2 * Math.PI : (to - from) % (2 * Math.PI);
    if (sweep < 0) sweep += 2 * Math.PI;
    const at = (angle: number): number[] => [
      center[0] + radius * Math.cos(angle),
      center[1] + radius * Math.sin(angle),
    ];
    const a = at(from);
    const b = full ? a : at(to);
    if (sweep === 0) {
      this.#addPoint(a);
      return;
    }
    const middle = from + sweep / 2;
    const cosine = full ? -1 : Math.cos(sweep / 2);
    this.#push(ARC, a, b);
    const arc = [center[0], center[1], radius, Math.cos(middle), Math.sin(middle), cosine];
    for (let i = 0; i < arc.length; i++) this.#shapes[this.#shapes.length - arc.length + i] = arc[i];
  }

  /** Adds an element, of an arc all but the numbers from {@link SHAPE_CENTER} on. */
  #push(kind: number, a: readonly number[], b: readonly number[]): void {
    this.#kinds.push(kind);
    this.#shapes.push(a[0], a[1], b[0], b[1], 0, 0, 0, 0, 0, 0);
    this.#site.push(this.#list.current);
  }

  #point(point: ArrayLike<number>, what: string): number[] {
    return this.#list.point(point, 2, what);
  }

  #points(points: readonly ArrayLike<number>[], least: number, what: string): number[][] {
    return this.#array(points, least, what).map((point) => this.#point(point, what));
  }

  #array<Item>(list: readonly Item[], least: number, what: string): readonly Item[] {
    if (Array.isArray(list) && list.length >= least) return list;
    throw new NearfieldError(
      'bad-argument',
      `The ${what} of site ${this.#list.current} are ${nameValue(list)}; give an array of at least ${least}.`,
    );
  }

  #number(value: number, what: string): number {
    return this.#list.number(value, what);
  }
}
