// A drawing of Voronoi sites that the user edits: its shapes, what of them can be taken hold of, and its text in the
// address. All functions return new objects.
import type { PlaneSite } from 'nearfield/voronoi';

export type PlanePoint = readonly [number, number];

export interface SketchShape {
  /** Its own for as long as it lives; gives its color. */
  readonly key: number;
  readonly site: PlaneSite;
}

export interface Sketch {
  readonly shapes: readonly SketchShape[];
  /** The key of a polygon that more corners are added to, or -1. */
  readonly open: number;
}

/** Chains with more points are moved as a whole. */
const MAX_CORNERS = 12;
/** Digits after the point in addresses. */
const DIGITS = 3;

/** A sketch of the sites in their order. */
export function sketchOf(sites: readonly PlaneSite[]): Sketch {
  return { shapes: sites.map((site, key) => ({ key, site })), open: -1 };
}

export function addShape({ shapes, open }: Sketch, site: PlaneSite): Sketch {
  const key = 1 + shapes.reduce((most, shape) => Math.max(most, shape.key), -1);
  return { shapes: [...shapes, { key, site }], open };
}

export function removeShape({ shapes, open }: Sketch, key: number): Sketch {
  return { shapes: shapes.filter((shape) => shape.key !== key), open: open === key ? -1 : open };
}

export function replaceShape({ shapes, open }: Sketch, key: number, site: PlaneSite): Sketch {
  return { shapes: shapes.map((shape) => (shape.key === key ? { key, site } : shape)), open };
}

/** The points of a site that can be dragged by themselves. */
export function gripsOf(site: PlaneSite): PlanePoint[] {
  switch (site.type) {
    case 'point':
      return [pointOf(site.at)];
    case 'segment':
      return [pointOf(site.a), pointOf(site.b)];
    case 'polyline':
    case 'bezier':
      return site.points.length > MAX_CORNERS ? [] : site.points.map(pointOf);
    case 'polygon':
      return site.rings.length > 1 || site.rings[0].length > MAX_CORNERS ? [] : site.rings[0].map(pointOf);
    case 'circle':
      return [pointOf(site.center), [site.center[0] + site.radius, site.center[1]]];
    default:
      return [];
  }
}

/** The site with the point of that index in {@link gripsOf} elsewhere. */
export function moveGrip(site: PlaneSite, index: number, to: PlanePoint): PlaneSite {
  const moved = (points: readonly ArrayLike<number>[]): PlanePoint[] =>
    points.map((point, i) => (i === index ? to : pointOf(point)));
  switch (site.type) {
    case 'point':
      return { ...site, at: to };
    case 'segment':
      return index === 0 ? { ...site, a: to } : { ...site, b: to };
    case 'polyline':
    case 'bezier':
      return { ...site, points: moved(site.points) };
    case 'polygon':
      return { ...site, rings: [moved(site.rings[0])] };
    case 'circle':
      if (index === 0) return { ...site, center: to };
      return { ...site, radius: Math.hypot(to[0] - site.center[0], to[1] - site.center[1]) };
    default:
      return site;
  }
}

/** A map of the plane without shear: p · scale, y mirrored or not, then the shift. */
export interface PlaneMap {
  readonly scale: number;
  readonly mirrored: boolean;
  readonly shift: PlanePoint;
}

/** The site elsewhere. */
export function mapSite(site: PlaneSite, { scale, mirrored, shift }: PlaneMap): PlaneSite {
  const at = (point: ArrayLike<number>): PlanePoint => [
    scale * point[0] + shift[0],
    (mirrored ? -scale : scale) * point[1] + shift[1],
  ];
  switch (site.type) {
    case 'point':
      return { ...site, at: at(site.at) };
    case 'segment':
      return { ...site, a: at(site.a), b: at(site.b) };
    case 'polyline':
    case 'bezier':
      return { ...site, points: site.points.map(at) };
    case 'polygon':
      return { ...site, rings: site.rings.map((ring) => ring.map(at)) };
    case 'circle':
      return { ...site, center: at(site.center), radius: scale * site.radius };
    case 'arc':
      return {
        ...site,
        center: at(site.center),
        radius: scale * site.radius,
        ...(mirrored && { from: -site.to, to: -site.from }),
      };
    case 'path':
      return {
        ...site,
        curves: site.curves.map((curve) => mapSite(curve, { scale, mirrored, shift }) as typeof curve),
      };
  }
}

export function shiftSite(site: PlaneSite, x: number, y: number): PlaneSite {
  return mapSite(site, { scale: 1, mirrored: false, shift: [x, y] });
}

const LETTERS = { p: 'point', s: 'segment', l: 'polyline', g: 'polygon', b: 'bezier', c: 'circle' } as const;

/** A sketch as text for the address. Shapes of files (paths, polygons with holes) are left out, as files are. */
export function writeSketch({ shapes }: Sketch): string {
  const words: string[] = [];
  for (const { key, site } of shapes) {
    const letter = Object.entries(LETTERS).find(([, type]) => type === site.type)?.[0];
    if (letter === undefined || (site.type === 'polygon' && site.rings.length > 1)) continue;
    const points = site.type === 'polyline' ? site.points.map(pointOf) : gripsOf(site);
    if (points.length === 0) continue;
    words.push(letter + [key, ...points.flat().map((value) => Number(value.toFixed(DIGITS)))].join('_'));
  }
  return words.join('~');
}

/** The sketch of a text, or null for any other text. */
export function readSketch(text: string): Sketch | null {
  if (text === '') return { shapes: [], open: -1 };
  const shapes: SketchShape[] = [];
  for (const word of text.split('~')) {
    const type = LETTERS[word[0] as keyof typeof LETTERS];
    const [key, ...numbers] = word.slice(1).split('_').map(Number);
    const points = Array.from(
      { length: numbers.length >> 1 },
      (_, i): PlanePoint => [numbers[2 * i], numbers[2 * i + 1]],
    );
    const sound = Number.isInteger(key) && key >= 0 && numbers.every(Number.isFinite) && numbers.length % 2 === 0;
    const site = sound ? siteFrom(type, points) : null;
    if (site === null) return null;
    shapes.push({ key, site });
  }
  return { shapes, open: -1 };
}

function siteFrom(type: (typeof LETTERS)[keyof typeof LETTERS] | undefined, points: PlanePoint[]): PlaneSite | null {
  const [a, b] = points;
  switch (type) {
    case 'point':
      return points.length === 1 ? { type, at: a } : null;
    case 'segment':
      return points.length === 2 ? { type, a, b } : null;
    case 'circle':
      return points.length === 2 ? { type, center: a, radius: Math.hypot(b[0] - a[0], b[1] - a[1]) } : null;
    case 'bezier':
      return points.length >= 2 && points.length <= 4 ? { type, points } : null;
    case 'polyline':
      return points.length > 0 ? { type, points } : null;
    case 'polygon':
      return points.length > 0 ? { type, rings: [points] } : null;
    default:
      return null;
  }
}

function pointOf(point: ArrayLike<number>): PlanePoint {
  return [point[0], point[1]];
}
