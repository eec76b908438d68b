// The tools of the painter: what a press and a drag on the sheet do to a sketch.
import type { PlaneSite } from 'nearfield/voronoi';
import { outlineDistance } from './site-outlines.js';
import {
  addShape,
  gripsOf,
  moveGrip,
  type PlanePoint,
  removeShape,
  replaceShape,
  type Sketch,
  type SketchShape,
  shiftSite,
} from './sketch.js';
import type { Pen, Stroke } from './viewer/view.js';

export type Tool = 'move' | 'point' | 'line' | 'curve' | 'freehand' | 'polygon' | 'circle' | 'delete';

/** How far a curve that was just drawn bulges, as a share of its length. */
const BULGE = 0.35;
/** A freehand line keeps the points that are needed to stay this near to it, as a share of a press's reach. */
const SIMPLIFIED = 0.12;

/** The pen of a tool. `changed` is called with every new sketch. */
export function sketchPen(tool: Tool, sketch: Sketch, changed: (sketch: Sketch) => void): Pen {
  return {
    cursor: tool === 'move' ? 'default' : tool === 'delete' ? 'not-allowed' : 'crosshair',
    press: ([x, y], reach) => press(tool, sketch, [x, y], reach, changed),
  };
}

function press(
  tool: Tool,
  sketch: Sketch,
  at: PlanePoint,
  reach: number,
  changed: (sketch: Sketch) => void,
): Stroke | null {
  if (tool === 'move') return take(sketch, at, reach, changed);
  if (tool === 'delete') {
    const found = shapeAt(sketch, at, reach);
    if (found !== null) changed(removeShape(sketch, found.key));
    return found === null ? null : { moved: () => {} };
  }
  if (tool === 'polygon') return addCorner(sketch, at, reach, changed);
  if (tool === 'freehand') return drawFreehand(sketch, at, reach, changed);
  const follow = (to: PlanePoint): void => changed(addShape(sketch, newSite(tool, at, to)));
  follow(at);
  return { moved: ([x, y]) => follow([x, y]) };
}

function newSite(tool: 'point' | 'line' | 'curve' | 'circle', from: PlanePoint, to: PlanePoint): PlaneSite {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  switch (tool) {
    case 'point':
      return { type: 'point', at: to };
    case 'line':
      return { type: 'segment', a: from, b: to };
    case 'circle':
      return { type: 'circle', center: from, radius: Math.hypot(dx, dy) };
    case 'curve':
      return {
        type: 'bezier',
        points: [
          from,
          [from[0] + dx / 3 - BULGE * dy, from[1] + dy / 3 + BULGE * dx],
          [to[0] - dx / 3 + BULGE * dy, to[1] - dy / 3 - BULGE * dx],
          to,
        ],
      };
  }
}

/** Takes hold of the nearest grip, or of a whole shape. */
function take(sketch: Sketch, [x, y]: PlanePoint, reach: number, changed: (sketch: Sketch) => void): Stroke | null {
  let best: { shape: SketchShape; index: number } | null = null;
  let least = reach;
  for (const shape of sketch.shapes) {
    gripsOf(shape.site).forEach(([gx, gy], index) => {
      const distance = Math.hypot(gx - x, gy - y);
      if (distance > least) return;
      least = distance;
      best = { shape, index };
    });
  }
  if (best !== null) {
    const { shape, index } = best as { shape: SketchShape; index: number };
    return { moved: ([px, py]) => changed(replaceShape(sketch, shape.key, moveGrip(shape.site, index, [px, py]))) };
  }
  const shape = shapeAt(sketch, [x, y], reach);
  if (shape === null) return null;
  return { moved: ([px, py]) => changed(replaceShape(sketch, shape.key, shiftSite(shape.site, px - x, py - y))) };
}

function shapeAt({ shapes }: Sketch, [x, y]: PlanePoint, reach: number): SketchShape | null {
  let best: SketchShape | null = null;
  let least = reach;
  for (const shape of shapes) {
    const distance = outlineDistance(shape.site, x, y);
    if (distance > least) continue;
    least = distance;
    best = shape;
  }
  return best;
}

/** A corner more for the polygon that is being drawn; a press on its first corner ends it. */
function addCorner(sketch: Sketch, at: PlanePoint, reach: number, changed: (sketch: Sketch) => void): Stroke {
  const open = sketch.shapes.find(({ key }) => key === sketch.open);
  const corners = open?.site.type === 'polygon' ? open.site.rings[0] : [];
  if (open !== undefined && Math.hypot(corners[0][0] - at[0], corners[0][1] - at[1]) <= reach) {
    changed({ ...sketch, open: -1 });
    return { moved: () => {} };
  }
  const follow = (to: PlanePoint): void => {
    if (open !== undefined) {
      changed(replaceShape(sketch, open.key, { type: 'polygon', rings: [[...corners, to]] }));
      return;
    }
    const added = addShape(sketch, { type: 'polygon', rings: [[to]] });
    changed({ ...added, open: added.shapes[added.shapes.length - 1].key });
  };
  follow(at);
  return { moved: ([x, y]) => follow([x, y]) };
}

function drawFreehand(sketch: Sketch, at: PlanePoint, reach: number, changed: (sketch: Sketch) => void): Stroke {
  const points: PlanePoint[] = [at];
  const show = (): void =>
    changed(addShape(sketch, { type: 'polyline', points: simplify(points, SIMPLIFIED * reach) }));
  show();
  return {
    moved: ([x, y]) => {
      const [lastX, lastY] = points[points.length - 1];
      if (Math.hypot(x - lastX, y - lastY) < SIMPLIFIED * reach) return;
      points.push([x, y]);
      show();
    },
  };
}

/** The points that a chain needs to stay within the tolerance (Douglas and Peucker 1973). */
function simplify(points: readonly PlanePoint[], tolerance: number): PlanePoint[] {
  const kept = new Set([0, points.length - 1]);
  const spans: [number, number][] = [[0, points.length - 1]];
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const [first, last] = span;
    const ends: PlaneSite = { type: 'segment', a: points[first], b: points[last] };
    let [worst, most] = [-1, tolerance];
    for (let i = first + 1; i < last; i++) {
      const distance = outlineDistance(ends, points[i][0], points[i][1]);
      if (distance > most) [worst, most] = [i, distance];
    }
    if (worst < 0) continue;
    kept.add(worst);
    spans.push([first, worst], [worst, last]);
  }
  return points.filter((_, i) => kept.has(i));
}
