// Voronoi diagrams of sites that the user draws: their image, their graph, their files.
import type { ProgressOptions } from 'nearfield/core';
import { readSvg, writePng } from 'nearfield/io';
import { findGraphPath, type PlaneSite, sitesFromSvg } from 'nearfield/voronoi';
import { REGION_COLORS, regionPalette } from '../region-colors.js';
import { FLOOR_HEIGHT, FLOOR_WIDTH } from '../samples/floor-plan.js';
import { SHEET_HEIGHT, SHEET_WIDTH } from '../samples/sheet.js';
import { mapSite, type Sketch } from '../sketch.js';
import { FollowedGraph, type TimedGraph } from './followed-graph.js';
import { type PaintedRegions, type PaintInput, paintRegions, paintRegionsOnGpu } from './paint-regions.js';

/** Room beside an imported drawing, as a share of the sheet. */
const IMPORT_MARGIN = 0.06;

const sheetGraph = new FollowedGraph(SHEET_WIDTH, SHEET_HEIGHT);
const floorGraph = new FollowedGraph(FLOOR_WIDTH, FLOOR_HEIGHT);

export interface FloorInput {
  readonly sites: readonly PlaneSite[];
  /** The color of each site. */
  readonly tints: readonly number[];
  readonly resolution: number;
  readonly start: readonly [number, number];
  readonly goal: readonly [number, number];
  readonly radius: number;
  readonly by: 'length' | 'clearance' | 'both';
}

export const voronoiTasks = {
  /** The regions of a sketch on the sheet. */
  async paintVoronoi(
    { sketch, resolution, gpu }: { sketch: Sketch; resolution: number; gpu: boolean },
    options: ProgressOptions,
  ): Promise<PaintedRegions> {
    const input = paintInput(sketch, resolution);
    return gpu ? paintRegionsOnGpu(input) : paintRegions(input, options);
  },

  /** The graph of a sketch on the sheet. */
  graphVoronoi({ sketch }: { sketch: Sketch }): TimedGraph {
    return sheetGraph.follow(sitesOf(sketch));
  },

  /** The regions and the graph of a floor plan, and the best way between two places. */
  planFloor(input: FloorInput, options: ProgressOptions) {
    const { sites, tints, resolution, start, goal, radius, by } = input;
    const painted = paintRegions({ sites, tints, sheet: [FLOOR_WIDTH, FLOOR_HEIGHT], resolution }, options);
    const found = floorGraph.follow(sites);
    const began = performance.now();
    const path = findGraphPath(found.graph, sites, start, goal, { by, minClearance: radius });
    return { painted, found, path, pathMilliseconds: performance.now() - began };
  },

  /** The shapes of a file as sites, fitted to the sheet, the drawing's top up. */
  async importDrawing(
    { bytes, fileName }: { bytes: Uint8Array; fileName: string },
    options: ProgressOptions,
  ): Promise<{ sites: PlaneSite[]; warnings: readonly string[] }> {
    const drawing = await readSvg(bytes, { ...options, fileName });
    const [x0, y0, x1, y1] = drawing.box;
    const room = 1 - 2 * IMPORT_MARGIN;
    const scale = Math.min((room * SHEET_WIDTH) / (x1 - x0), (room * SHEET_HEIGHT) / (y1 - y0));
    const shift = [SHEET_WIDTH / 2 - (scale * (x0 + x1)) / 2, SHEET_HEIGHT / 2 + (scale * (y0 + y1)) / 2] as const;
    const sites = sitesFromSvg(drawing).map((site) => mapSite(site, { scale, mirrored: true, shift }));
    return { sites, warnings: drawing.warnings };
  },

  /** A PNG image of the regions, the top row first. */
  async paintPng({ sketch, resolution }: { sketch: Sketch; resolution: number }, options: ProgressOptions) {
    const { regions, size } = paintRegions(paintInput(sketch, resolution), options);
    const [width, height] = size;
    const palette = regionPalette();
    const pixels = new Uint8Array(3 * width * height);
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const color = 4 * regions.colors[(height - 1 - row) * width + column];
        pixels.set(palette.subarray(color, color + 3), 3 * (row * width + column));
      }
    }
    return writePng({ width, height, channels: 3, pixels });
  },
};

function paintInput(sketch: Sketch, resolution: number): PaintInput {
  const tints = sketch.shapes.map(({ key }) => key % REGION_COLORS);
  return { sites: sitesOf(sketch), tints, sheet: [SHEET_WIDTH, SHEET_HEIGHT], resolution };
}

function sitesOf({ shapes }: Sketch): PlaneSite[] {
  return shapes.map(({ site }) => site);
}
