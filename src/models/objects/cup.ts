import { NearfieldError } from '../../core/errors.js';
import { normalize, type Vec3 } from '../../core/vec3.js';
import { defineModel } from '../model.js';
import { SurfaceBuilder } from '../parts/surface-builder.js';
import { parallelCircle } from '../parts/surface-of-revolution.js';
import { type HandleFoot, handleRings } from './cup-handle.js';
import { cupProfile } from './cup-profile.js';

/** Quads left out of the outer wall, about the column at +X, for a foot of the handle. */
interface WallWindow {
  readonly lowRow: number;
  readonly highRow: number;
  /** Columns on either side of column 0. */
  readonly halfWidth: number;
}

/**
 * A round-bellied cup with one handle, of genus 1: a surface of revolution with two windows in its outer wall and a
 * tube from the edge of one to the edge of the other. The default has the 8,452 triangles of Ehmann and Lin 2001,
 * table 1, and falls into about 1,900 convex patches; theirs falls into 2,075.
 */
export const cup = defineModel({
  name: 'cup',
  title: 'Cup',
  description: 'A round-bellied cup about the Y axis with a handle at +X; 8,452 triangles.',
  parameters: {
    radius: { default: 0.36, min: 0.05, max: 10, description: 'outer radius of the rim, in meters' },
    height: { default: 0.8, min: 0.05, max: 20, description: 'height of the wall, in meters' },
    thickness: { default: 0.03, min: 0.002, max: 1, description: 'thickness of wall and floor, in meters' },
    handleReach: {
      default: 0.26,
      min: 0.01,
      max: 10,
      description: 'how far the handle stands off the wall, in meters',
    },
    handleRadius: { default: 0.04, min: 0.002, max: 1, description: 'radius of the handle, in meters' },
    segments: { default: 62, min: 24, max: 500, integer: true, description: 'segments around the axis' },
    wallBands: { default: 29, min: 16, max: 300, integer: true, description: 'bands from the bottom to the rim' },
    handleBands: { default: 22, min: 10, max: 300, integer: true, description: 'bands along the handle' },
  },
  build: ({ radius, height, thickness, handleReach, handleRadius, segments, wallBands, handleBands }) => {
    assertProportions(radius, height, thickness, handleReach, handleRadius);
    const profile = cupProfile(radius, height, thickness, wallBands);
    const rings = profile.slice(1, -1).map((point) => parallelCircle(point, segments));
    const [lower, upper] = handleWindows(segments, wallBands);

    const surface = new SurfaceBuilder();
    const loops = rings.map((ring) => surface.addVertices(ring));
    for (let row = 0; row + 1 < loops.length; row++) {
      const isOpen = (column: number) =>
        isInWindow(lower, row, column, segments) || isInWindow(upper, row, column, segments);
      surface.addBand(loops[row], loops[row + 1], row, 'alternating', isOpen);
    }
    surface.addFan(surface.addVertex([0, profile[0][1], 0]), loops[0].toReversed());
    surface.addFan(surface.addVertex([0, profile[profile.length - 1][1], 0]), loops[loops.length - 1]);

    // The handle leaves the upper window and bends down, so what starts on top arrives at the bottom of the lower one.
    const upperEdge = windowEdge(upper, upper.highRow, upper.lowRow, segments);
    const lowerEdge = windowEdge(lower, lower.lowRow, lower.highRow, segments);
    const handle = handleRings(handleFoot(rings, upper, upperEdge), handleFoot(rings, lower, lowerEdge), {
      reach: handleReach,
      radius: handleRadius,
      bands: handleBands,
    });
    const handleLoops = [
      upperEdge.map(([row, column]) => loops[row][column]),
      ...handle.map((ring) => surface.addVertices(ring)),
      lowerEdge.map(([row, column]) => loops[row][column]),
    ];
    for (let i = 0; i + 1 < handleLoops.length; i++) {
      surface.addBand(handleLoops[i], handleLoops[i + 1], i, 'alternating');
    }
    return surface.build();
  },
});

/** Two windows of about 1/16 of the circumference by 1/7 of the wall: one below the rim, one half-way up. */
function handleWindows(segments: number, wallBands: number): [lower: WallWindow, upper: WallWindow] {
  const halfWidth = Math.round(segments / 31);
  const rows = Math.round(wallBands / 7.25);
  // Row i is the ring i + 1 of the wall.
  const upperHigh = wallBands - 3;
  const lowerLow = Math.round(0.44 * wallBands) - 1;
  return [
    { lowRow: lowerLow, highRow: lowerLow + rows, halfWidth },
    { lowRow: upperHigh - rows, highRow: upperHigh, halfWidth },
  ];
}

function isInWindow(
  { lowRow, highRow, halfWidth }: WallWindow,
  row: number,
  column: number,
  segments: number,
): boolean {
  return row >= lowRow && row < highRow && (column < halfWidth || column >= segments - halfWidth);
}

/** [row, column] of the window's edge, right-handed about the outward normal, from the middle of `firstRow`. */
function windowEdge(
  { halfWidth }: WallWindow,
  firstRow: number,
  lastRow: number,
  segments: number,
): [number, number][] {
  const step = Math.sign(lastRow - firstRow);
  const edge: [number, number][] = [];
  for (let column = 0; column > -halfWidth; column--) edge.push([firstRow, column]);
  for (let row = firstRow; row !== lastRow; row += step) edge.push([row, -halfWidth]);
  for (let column = -halfWidth; column < halfWidth; column++) edge.push([lastRow, column]);
  for (let row = lastRow; row !== firstRow; row -= step) edge.push([row, halfWidth]);
  for (let column = halfWidth; column > 0; column--) edge.push([firstRow, column]);
  return edge.map(([row, column]) => [row, (column + segments) % segments]);
}

function handleFoot(rings: readonly Vec3[][], window: WallWindow, edge: readonly [number, number][]): HandleFoot {
  const [belowX, belowY] = rings[window.lowRow][0];
  const [aboveX, aboveY] = rings[window.highRow][0];
  return {
    edge: edge.map(([row, column]) => rings[row][column]),
    normal: normalize([aboveY - belowY, belowX - aboveX, 0]),
  };
}

function assertProportions(radius: number, height: number, thickness: number, reach: number, handle: number): void {
  const refuse = (problem: string) => new NearfieldError('bad-argument', `The cup's ${problem}`);
  if (height < 0.8 * radius || height > 8 * radius) {
    throw refuse(`height ${height} must be 0.8 to 8 times its radius ${radius}.`);
  }
  if (thickness > 0.5 * Math.min(radius, height)) {
    throw refuse(`thickness ${thickness} leaves no hollow; give at most half its radius and height.`);
  }
  if (reach < 0.2 * height || reach > height) {
    throw refuse(`handleReach ${reach} must be 0.2 to 1 times its height ${height}.`);
  }
  if (handle > 0.06 * height || handle > 0.25 * radius) {
    throw refuse(`handleRadius ${handle} closes the handle; give at most 0.06 times height and 0.25 times radius.`);
  }
}
