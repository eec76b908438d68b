// Voronoi fracture: a solid is cut along the Voronoi cells of points, as brittle things break. Cells are halved again and
// again, and at each halving the solid is cut to the box of either half, so that a cell's own planes only meet the
// triangles near it. O(triangles · log cells + the size of the pieces) time.
import { nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, optionTable, PROGRESS_RULES, wholeNumber } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { createRandom, type Random } from '../../core/random.js';
import type { ReadonlyVec3 } from '../../core/vec3.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { SolidQuery } from '../../mesh/query/solid-query.js';
import { findSoundSurface } from '../../mesh/soundness/sound-surface.js';
import { boxOfFaces } from '../../mesh/topology/unused-vertices.js';
import { joinFaces } from '../cut/join-faces.js';
import { cutPart, measureVolume, type Part, PartBuilder, type Plane, separatePart } from '../cut/part.js';
import { DECOMPOSITION_DEFAULTS } from '../defaults.js';
import { findVoronoiCells, type VoronoiCell } from './voronoi-cells.js';

/** The options of {@link fractureSolid}. */
export interface FractureOptions extends ProgressOptions {
  /** The points of the cells, x, y, z each, in the mesh's frame. Default: random ones within the solid. */
  readonly points?: ArrayLike<number> | undefined;
  /** The number of random points. Default `DECOMPOSITION_DEFAULTS.fragments`. */
  readonly fragments?: number | undefined;
  /** The seed of the random points. Default 1. */
  readonly seed?: number | undefined;
  /** Random points are then spread normally around `point`, with the standard deviation `radius` along each axis. */
  readonly impact?: { readonly point: ReadonlyVec3; readonly radius: number } | undefined;
  /** The width of the crack between neighboring cells, as a length. Default 0: neighbors touch. */
  readonly gap?: number | undefined;
}

const FRACTURE_OPTIONS = optionTable<FractureOptions>()({
  points: checkedElsewhere(),
  fragments: wholeNumber(1, Infinity, DECOMPOSITION_DEFAULTS.fragments),
  seed: { expects: 'a whole number', accepts: Number.isFinite, fallback: 1 },
  impact: checkedElsewhere(),
  gap: {
    expects: 'a length from 0',
    accepts: (value) => typeof value === 'number' && value >= 0 && value < Infinity,
    fallback: 0,
  },
  ...PROGRESS_RULES,
});

/** One fragment of a solid. */
export interface Fragment {
  /** Closed, with faces that point outward, in the frame of the solid. */
  readonly mesh: Mesh;
  /** 1 for a triangle on a crack, 0 for one of the solid's surface. */
  readonly isCrack: Uint8Array;
  /** The point in whose cell it lies. A cell may hold several fragments. */
  readonly cell: number;
  readonly volume: number;
}

/** What {@link fractureSolid} returns. */
export interface Fracture {
  readonly fragments: readonly Fragment[];
  /** x, y, z of the cells' points. */
  readonly points: Float64Array;
  /** The volume of the solid. Without a gap the fragments' volumes sum to it, up to rounding. */
  readonly volume: number;
}

/** Chosen: the time of cells grows with the square of their number; this many take minutes. */
const MAX_CELLS = 2 ** 14;

/** Chosen: a random point is drawn this often until it is inside the solid; then the last one is taken. */
const MAX_TRIALS = 500;

/**
 * Chosen: boxes of cells are enlarged by this share of the solid's longest side, so that their planes coincide with
 * none of a cell's.
 */
const BOX_MARGIN = 1e-4;

/** Label: cuts to boxes are numbered from here down; a cell has fewer planes. */
const FIRST_BOX_CUT = -(2 ** 30);

/** Rounding: fragments below this share of the solid's volume come from rounding and are left out. */
const MIN_VOLUME = 1e-14;

/**
 * Breaks a solid into the parts that lie in the Voronoi cells of points. Parts of one cell that are not connected are
 * fragments of their own; one with a cavity stays whole. A fragment is a mesh like any other and can be broken again.
 * @throws NearfieldError `open-mesh` if the mesh bounds no solid, `bad-argument`, `too-large` for more than 16,384 points, or as `assertMesh` does.
 */
export function fractureSolid(mesh: Mesh, options: FractureOptions = {}): Fracture {
  const { gap, points: given, fragments: count, seed, impact } = FRACTURE_OPTIONS.read(options);
  assertMesh(mesh);
  const { mesh: outward, closed } = findSoundSurface(mesh);
  if (!closed) {
    throw new NearfieldError('open-mesh', 'The mesh bounds no solid that could break; repair or solidify it.');
  }
  const box = boxOfFaces(outward);
  const margin = BOX_MARGIN * Math.max(...box.max.map((most, axis) => most - box.min[axis]));
  const points = given === undefined ? scatterPoints(outward, count, seed, impact) : copyPoints(given);
  assertDistinct(points);
  const cells = findVoronoiCells(
    points,
    {
      min: [box.min[0] - margin, box.min[1] - margin, box.min[2] - margin],
      max: [box.max[0] + margin, box.max[1] + margin, box.max[2] + margin],
    },
    gap,
    (cell) => reportProgress(options, (0.5 * cell) / (points.length / 3), 'cells'),
  );
  const builder = new PartBuilder();
  const { indices } = outward;
  for (let i = 0; i < indices.length; i += 3) builder.add(indices[i], indices[i + 1], indices[i + 2], i / 3 + 1);
  const whole = builder.finish(outward.positions);
  const volume = whole === null ? 0 : measureVolume(whole);
  if (whole === null || !(volume > 0)) {
    throw new NearfieldError('degenerate', 'The solid has no volume; give one with an inside.');
  }
  const ids = cells.flatMap((cell, id) => (cell === null ? [] : [id]));
  const fragments: Fragment[] = [];
  divide(whole, ids, cells as readonly VoronoiCell[], margin, (part, cell) => {
    const share = fragments.length / Math.max(ids.length, fragments.length + 1);
    reportProgress(options, 0.5 + 0.5 * share, 'breaking');
    for (const one of separatePart(part)) {
      const own = measureVolume(one);
      if (own <= MIN_VOLUME * volume) continue;
      const isCrack = Uint8Array.from(one.sources, (source) => (source > 0 ? 0 : 1));
      fragments.push({ mesh: { positions: one.positions, indices: one.indices }, isCrack, cell, volume: own });
    }
  });
  fragments.sort((a, b) => a.cell - b.cell);
  reportProgress(options, 1, 'done');
  return { fragments, points, volume };
}

/** Calls `emit` with what a part has in each of the cells. */
function divide(
  part: Part,
  ids: readonly number[],
  cells: readonly VoronoiCell[],
  margin: number,
  emit: (part: Part, cell: number) => void,
  depth = 0,
): void {
  if (ids.length === 0) return;
  if (ids.length === 1) {
    const inside = cutTo(part, cells[ids[0]].planes, 0);
    if (inside !== null) emit(joinFaces(inside), ids[0]);
    return;
  }
  const middle = (id: number, axis: number): number => cells[id].min[axis] + cells[id].max[axis];
  const spreads = [0, 1, 2].map((axis) => {
    const middles = ids.map((id) => middle(id, axis));
    return Math.max(...middles) - Math.min(...middles);
  });
  const axis = spreads.indexOf(Math.max(...spreads));
  const sorted = [...ids].sort((a, b) => middle(a, axis) - middle(b, axis));
  const half = sorted.length >> 1;
  for (const group of [sorted.slice(0, half), sorted.slice(half)]) {
    const most = Math.max(...group.map((id) => cells[id].max[axis])) + margin;
    const least = Math.min(...group.map((id) => cells[id].min[axis])) - margin;
    const inside = cutTo(part, [axisPlane(axis, 1, most), axisPlane(axis, -1, -least)], FIRST_BOX_CUT - 2 * depth);
    if (inside !== null) divide(inside, group, cells, margin, emit, depth + 1);
  }
}

/** What a part has below all planes. The cuts are numbered from `first` down. */
function cutTo(part: Part, planes: readonly Plane[], first: number): Part | null {
  let inside: Part | null = part;
  for (const [i, plane] of planes.entries()) {
    if (inside === null) return null;
    if (hasPointAbove(inside, plane)) inside = cutPart(inside, plane, true, 'below', first - i)[0];
  }
  return inside;
}

function hasPointAbove({ positions }: Part, { nx, ny, nz, offset }: Plane): boolean {
  for (let i = 0; i < positions.length; i += 3) {
    if (nx * positions[i] + ny * positions[i + 1] + nz * positions[i + 2] > offset) return true;
  }
  return false;
}

function axisPlane(axis: number, side: number, offset: number): Plane {
  return { nx: axis === 0 ? side : 0, ny: axis === 1 ? side : 0, nz: axis === 2 ? side : 0, offset };
}

function copyPoints(given: ArrayLike<number>): Float64Array {
  const points = typeof given === 'object' && given !== null ? Float64Array.from(given) : new Float64Array();
  if (points.length === 0 || points.length % 3 !== 0) {
    throw new NearfieldError('bad-argument', `points are ${nameValue(given)}; give x, y, z of at least one point.`);
  }
  const bad = points.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) {
    throw new NearfieldError(
      'non-finite',
      `Point ${Math.floor(bad / 3)} has the coordinate ${points[bad]}; give finite numbers.`,
    );
  }
  assertCells(points.length / 3);
  return points;
}

function assertCells(count: number): void {
  if (count <= MAX_CELLS) return;
  throw new NearfieldError('too-large', `There are ${count} points, more than ${MAX_CELLS}; give fewer.`);
}

/** Two equal points have no plane between them. */
function assertDistinct(points: Float64Array): void {
  const seen = new Map<string, number>();
  for (let i = 0; i < points.length; i += 3) {
    const key = `${points[i]} ${points[i + 1]} ${points[i + 2]}`;
    const other = seen.get(key);
    if (other !== undefined) {
      throw new NearfieldError('bad-argument', `Points ${other} and ${i / 3} are the same; give each once.`);
    }
    seen.set(key, i / 3);
  }
}

function scatterPoints(solid: Mesh, fragments: number, seed: number, impact: FractureOptions['impact']): Float64Array {
  assertCells(fragments);
  const drawPoint = pointSource(solid, impact);
  const random = createRandom(seed);
  const query = new SolidQuery(solid);
  const points = new Float64Array(3 * fragments);
  for (let i = 0; i < fragments; i++) {
    let point = drawPoint(random);
    for (let trial = 1; trial < MAX_TRIALS && !query.isInside(point); trial++) point = drawPoint(random);
    points.set(point, 3 * i);
  }
  return points;
}

/** Draws points from the box of a solid, or around an impact. */
function pointSource(solid: Mesh, impact: FractureOptions['impact']): (random: Random) => [number, number, number] {
  if (impact === undefined) {
    const { min, max } = boxOfFaces(solid);
    return (random) => [random.range(min[0], max[0]), random.range(min[1], max[1]), random.range(min[2], max[2])];
  }
  const { point, radius } = impact;
  const isPoint = point?.length === 3 && [0, 1, 2].every((axis) => Number.isFinite(point[axis]));
  if (!isPoint || !(radius > 0 && radius < Infinity)) {
    throw new NearfieldError(
      'bad-argument',
      'impact has no point of three numbers, or no radius above zero; give both.',
    );
  }
  return (random) => [
    point[0] + radius * random.normal(),
    point[1] + radius * random.normal(),
    point[2] + radius * random.normal(),
  ];
}
