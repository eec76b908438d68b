// A path of planar robots as a floor plan: obstacles in section, the outlines of the robots along the path, and the way of their
// origins, colored by the clearance there. Obstacles that move are shown as they are at first, and dashed as they are at last.

import { NearfieldError } from '../../core/errors.js';
import * as pose from '../../core/pose.js';
import { escapeMarkup, formatCoordinate } from '../../io/report/markup.js';
import type { PlanarPlanRobot, PlanProblem, PlanResult } from '../../planning/problem/plan-problem.js';
import { type SampledPath, samplePath } from '../../planning/problem/sample-path.js';
import { readable } from '../table.js';
import { type SliceLine, sliceMesh } from './mesh-slice.js';

/** Chosen: the longer side of the picture, in pixels. */
const SIDE = 900;

/** Chosen: outlines drawn of each robot. */
const OUTLINES = 40;
/** Chosen: places at which the way is colored. */
const PLACES = 240;

/** Heights within those of the robot at which obstacles are cut. */
const SECTIONS = [0.02, 0.25, 0.5, 0.75, 0.98];

/** Colors from the least clearance to a wide one, readable with color blindness. */
const COLORS = ['#b2182b', '#ef8a62', '#fdc98f', '#92c5de', '#2166ac'];

const AXES: Readonly<Record<PlanarPlanRobot['plane'], readonly [number, number, number]>> = {
  xy: [0, 1, 2],
  xz: [0, 2, 1],
  yz: [1, 2, 0],
};

/** @throws NearfieldError where the robots do not all move in one plane. */
export function drawPath(problem: PlanProblem, result: PlanResult): string {
  const [first] = problem.robots;
  const isPlanar = problem.robots.every((robot) => robot.type === 'planar' && robot.plane === planeOf(first));
  if (!isPlanar) {
    throw new NearfieldError(
      'unsupported',
      'A floor plan shows planar robots in the same plane; write the motion as .glb instead.',
    );
  }
  const axes = AXES[planeOf(first)!];
  const path = samplePath(problem, result, { frames: PLACES + 1 });
  const heights = sectionHeights(path, axes[2]);
  const robots = path.links.map(({ mesh }, link) => {
    return frames(path, OUTLINES).map(({ poses, clearance }) => {
      const placed = poses.subarray(7 * link, 7 * link + 7);
      return { clearance, lines: sliceMesh(mesh, placed, axes, heights[link][2]) };
    });
  });
  const obstacles = cutObstacles(problem, path, axes, heights.flat());
  const frame = pictureFrame(
    problem,
    robots.flat(2).flatMap(({ lines }) => lines),
    axes,
  );
  const least = Math.min(...path.frames.map(({ clearance }) => clearance));
  const wide = Math.max(2 * least, ...path.links.map(({ mesh }) => extentOf(mesh.positions) / 4));
  const draw = (lines: readonly SliceLine[], isClosed: boolean): string => {
    return lines.map((line) => `M${line.map(frame.at).join('L')}${isClosed ? 'Z' : ''}`).join('');
  };
  const parts = [
    ...drawObstacles(obstacles, draw),
    ...drawRobots(robots, draw, (clearance) => colorOf(clearance, least, wide)),
    ...drawWays(path, axes, draw, (clearance) => colorOf(clearance, least, wide)),
  ];
  const { lower, upper } = result.clearance ?? { lower: Infinity, upper: Infinity };
  const label = upper < Infinity ? `clearance ${readable(lower)} to ${readable(upper)}` : 'nothing to come near to';
  const { width, height } = frame;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + 40}" width="${width}" height="${height + 40}">` +
    `<title>${escapeMarkup(problem.name ?? 'path')}</title><style>${STYLE}</style>` +
    `<rect width="${width}" height="${height + 40}" fill="#ffffff"/>` +
    `<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${parts.join('')}</svg>` +
    `${legend(height, least, wide)}<text x="${width - 12}" y="${height + 26}" text-anchor="end">${escapeMarkup(label)}</text></svg>\n`
  );
}

/** An obstacle in section at each height: at first, and, if it moves, at last. */
interface CutObstacle {
  readonly still: readonly SliceLine[][];
  readonly last: readonly SliceLine[][];
}

type Axes = readonly [number, number, number];
type DrawLines = (lines: readonly SliceLine[], isClosed: boolean) => string;

function cutObstacles(problem: PlanProblem, path: SampledPath, axes: Axes, heights: readonly number[]): CutObstacle[] {
  let mover = 0;
  return problem.environment.map(({ mesh, pose: placed, motion }) => {
    const at = mover;
    if (motion !== undefined) mover++;
    const cut = (where: pose.ReadonlyPose): SliceLine[][] =>
      heights.map((height) => sliceMesh(mesh, where, axes, height));
    if (motion === undefined) return { still: cut(placed ?? pose.identity()), last: [] };
    const [begin, end] = [path.frames[0], path.frames[PLACES]].map(({ obstaclePoses }) => {
      return cut(obstaclePoses.subarray(7 * at, 7 * at + 7));
    });
    return { still: begin, last: end };
  });
}

/** Obstacles at rest, then over them those that move. */
function drawObstacles(obstacles: readonly CutObstacle[], draw: DrawLines): string[] {
  const paths = (name: string, sections: readonly SliceLine[][]): string[] =>
    sections.filter((lines) => lines.length > 0).map((lines) => `<path class="${name}" d="${draw(lines, true)}"/>`);
  const resting = obstacles.filter(({ last }) => last.length === 0);
  const moving = obstacles.filter(({ last }) => last.length > 0);
  return [
    ...resting.flatMap(({ still }) => paths('o', still)),
    ...moving.flatMap(({ still, last }) => [...paths('k', still), ...paths('m', last)]),
  ];
}

/** The outlines of the robots along the path. */
function drawRobots(
  robots: readonly (readonly { readonly lines: readonly SliceLine[]; readonly clearance: number }[])[],
  draw: DrawLines,
  colorAt: (clearance: number) => string,
): string[] {
  return robots.flat().map(({ lines, clearance }) => {
    const color = colorAt(clearance);
    return `<path class="r" stroke="${color}" fill="${color}" d="${draw(lines, true)}"/>`;
  });
}

/** The ways of the origins, colored place by place. */
function drawWays(path: SampledPath, axes: Axes, draw: DrawLines, colorAt: (clearance: number) => string): string[] {
  const parts: string[] = [];
  for (const link of path.links.keys()) {
    const point = (i: number): readonly [number, number] => {
      const { poses } = path.frames[i];
      return [poses[7 * link + axes[0]], poses[7 * link + axes[1]]];
    };
    for (let i = 0; i < PLACES; i++) {
      const line = draw([[point(i), point(i + 1)]], false);
      parts.push(`<path class="w" stroke="${colorAt(path.frames[i].clearance)}" d="${line}"/>`);
    }
  }
  return parts;
}

/** The color of a clearance between the least one and one that counts as wide. */
function colorOf(clearance: number, least: number, wide: number): string {
  const share = wide > least ? (clearance - least) / (wide - least) : 0;
  return COLORS[Math.min(COLORS.length - 1, Math.max(0, Math.floor(share * COLORS.length)))];
}

const STYLE =
  '.o{fill:#8a8f98;fill-rule:evenodd}.k{fill:#7b5ea7;fill-rule:evenodd}.m{fill:none;stroke:#7b5ea7;stroke-width:1.5;stroke-dasharray:5 4}' +
  '.r{fill-opacity:.12;stroke-width:1;fill-rule:evenodd}.w{fill:none;stroke-width:3;stroke-linecap:round}' +
  'text{font:15px system-ui,sans-serif;fill:#1a2530}';

function planeOf(robot: PlanProblem['robots'][number]): PlanarPlanRobot['plane'] | null {
  return robot.type === 'planar' ? robot.plane : null;
}

/** A number of frames of a path, its ends among them. */
function frames(path: SampledPath, count: number): SampledPath['frames'] {
  return Array.from({ length: count + 1 }, (_, i) => path.frames[Math.round((i / count) * (path.frames.length - 1))]);
}

/** The heights between the lowest and the highest point of each link; they stay along the path. */
function sectionHeights(path: SampledPath, axis: number): number[][] {
  return path.links.map(({ mesh }, link) => {
    const placed = path.frames[0].poses.subarray(7 * link, 7 * link + 7);
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < mesh.positions.length; i += 3) {
      const at = pose.transformPoint(placed, [mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]])[axis];
      low = Math.min(low, at);
      high = Math.max(high, at);
    }
    return SECTIONS.map((share) => low + share * (high - low));
  });
}

function extentOf(positions: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < positions.length; i++) most = Math.max(most, Math.abs(positions[i]));
  return 2 * most;
}

/** What the picture shows: where origins may be, and all of the robots. */
function pictureFrame(
  problem: PlanProblem,
  lines: readonly SliceLine[],
  axes: readonly [number, number, number],
): { width: number; height: number; at: (point: readonly [number, number]) => string } {
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  const grow = (k: number, value: number): void => {
    low[k] = Math.min(low[k], value);
    high[k] = Math.max(high[k], value);
  };
  for (const robot of problem.robots) {
    const { bounds } = robot as PlanarPlanRobot;
    for (let k = 0; k < 2; k++) for (const end of [bounds.min, bounds.max]) grow(k, end[axes[k]]);
  }
  for (const line of lines) for (const point of line) for (let k = 0; k < 2; k++) grow(k, point[k]);
  const margin = 0.03 * Math.max(high[0] - low[0], high[1] - low[1]);
  const [sizeU, sizeV] = [high[0] - low[0] + 2 * margin, high[1] - low[1] + 2 * margin];
  const scale = SIDE / Math.max(sizeU, sizeV);
  return {
    width: Math.ceil(sizeU * scale),
    height: Math.ceil(sizeV * scale),
    at: ([u, v]) => {
      const x = (u - low[0] + margin) * scale;
      const y = (high[1] + margin - v) * scale;
      return `${formatCoordinate(x)} ${formatCoordinate(y)}`;
    },
  };
}

function legend(top: number, least: number, wide: number): string {
  if (!(least < Infinity)) return '';
  const steps = COLORS.map(
    (color, i) => `<rect x="${70 + 26 * i}" y="${top + 12}" width="26" height="16" fill="${color}"/>`,
  );
  const end = 76 + 26 * COLORS.length;
  return (
    `<text x="64" y="${top + 26}" text-anchor="end">${readable(Number(least.toPrecision(3)))}</text>${steps.join('')}` +
    `<text x="${end}" y="${top + 26}">${readable(Number(Math.max(least, wide).toPrecision(3)))} and more</text>`
  );
}
