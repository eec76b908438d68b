// Two letters drawn as one thick stroke and extruded, with as many faces as those of Kim, Otaduy, Lin and Manocha 2002,
// table 2 (d): m points along the stroke make 2m + 1 around it, one end being pointed, and 8m faces.
import { extrudePolygon, type Mesh } from 'nearfield/mesh';

type Point = readonly [x: number, y: number];

const STROKE_WIDTH = 0.18;
const DEPTH = 0.25;

/** A C of 144 faces, 1 high, its middle at the origin. */
export function buildLetterC(): Mesh {
  return extrudeStroke(arc([0, 0], 0.41, Math.PI / 4, 2 * Math.PI - Math.PI / 4, 18));
}

/** An S of 152 faces, 1 high, its middle at the origin. */
export function buildLetterS(): Mesh {
  const upper = arc([0, 0.205], 0.205, Math.PI / 5, 1.5 * Math.PI, 10);
  const lower = arc([0, -0.205], 0.205, Math.PI / 2, Math.PI / 5 - Math.PI, 10);
  return extrudeStroke([...upper, ...lower.slice(1)]);
}

function arc([x, y]: Point, radius: number, from: number, to: number, count: number): Point[] {
  return Array.from({ length: count }, (_, i): Point => {
    const angle = from + ((to - from) * i) / (count - 1);
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

/** The solid of a stroke along a line: flat where it begins, pointed where it ends. */
function extrudeStroke(line: readonly Point[]): Mesh {
  const half = STROKE_WIDTH / 2;
  const [right, left]: [number[], number[][]] = [[], []];
  let forward: Point = [0, 0];
  for (const [i, [x, y]] of line.entries()) {
    const [before, after] = [line[Math.max(0, i - 1)], line[Math.min(line.length - 1, i + 1)]];
    const length = Math.hypot(after[0] - before[0], after[1] - before[1]);
    forward = [(after[0] - before[0]) / length, (after[1] - before[1]) / length];
    right.push(x + half * forward[1], y - half * forward[0]);
    left.push([x - half * forward[1], y + half * forward[0]]);
  }
  const [endX, endY] = line[line.length - 1];
  const tip = [endX + half * forward[0], endY + half * forward[1]];
  return extrudePolygon({ rings: [Float64Array.from([...right, ...tip, ...left.reverse().flat()])] }, { depth: DEPTH });
}
