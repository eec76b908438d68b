// Voronoi diagrams of sites that the user draws: their image, their graph, their files.
import type { ProgressOptions } from 'nearfield/core';
import { readSvg, writePng } from 'nearfield/io';
import { computeVoronoiGraph, type PlaneSite, sitesFromSvg, type VoronoiGraph, VoronoiImager } from 'nearfield/voronoi';
import { NO_REGION, REGION_COLORS, regionPalette } from '../region-colors.js';
import { SHEET_HEIGHT, SHEET_WIDTH } from '../samples/sheet.js';
import { mapSite, type Sketch } from '../sketch.js';
import type { Regions } from '../viewer/regions.js';

/** Room beside an imported drawing, as a share of the sheet. */
const IMPORT_MARGIN = 0.06;
const SHEET = [0, 0, SHEET_WIDTH, SHEET_HEIGHT] as const;

/** Keeps its memory from frame to frame. */
const imager = new VoronoiImager();

export interface PaintedVoronoi {
  readonly regions: Regions;
  readonly size: readonly [number, number];
  readonly elements: number;
  /** Samples of each shape, in their order. */
  readonly shares: readonly number[];
  readonly milliseconds: number;
}

export interface TimedGraph {
  readonly graph: VoronoiGraph;
  readonly milliseconds: number;
}

export const voronoiTasks = {
  /** The regions of a sketch on the sheet. */
  paintVoronoi(
    { sketch, resolution }: { sketch: Sketch; resolution: number },
    options: ProgressOptions,
  ): PaintedVoronoi {
    const { shapes } = sketch;
    const start = performance.now();
    const image = imager.render(
      shapes.map(({ site }) => site),
      { ...options, box: SHEET, resolution },
    );
    const milliseconds = performance.now() - start;
    const { width, height, ids, distances } = image;
    const colors = new Uint8Array(ids.length);
    const shares = new Array<number>(shapes.length).fill(0);
    let farthest = 0;
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i];
      colors[i] = id < 0 ? NO_REGION : shapes[id].key % REGION_COLORS;
      if (id < 0) continue;
      shares[id]++;
      if (distances[i] > farthest) farthest = distances[i];
    }
    return {
      regions: {
        corner: [0, 0, 0],
        across: [SHEET_WIDTH, 0, 0],
        up: [0, SHEET_HEIGHT, 0],
        columns: width,
        rows: height,
        colors,
        distances,
        farthest,
      },
      size: [width, height],
      elements: image.counters.elements,
      shares,
      milliseconds,
    };
  },

  /** The graph of a sketch on the sheet. */
  graphVoronoi({ sketch }: { sketch: Sketch }): TimedGraph {
    const start = performance.now();
    const graph = computeVoronoiGraph(
      sketch.shapes.map(({ site }) => site),
      { box: SHEET, between: 'sites' },
    );
    return { graph, milliseconds: performance.now() - start };
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
    const { regions, size } = voronoiTasks.paintVoronoi({ sketch, resolution }, options);
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
