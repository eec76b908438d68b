import type { PlaneSite } from 'nearfield/voronoi';
import { paintCode } from '../../code/voronoi.js';
import { firstSketch, SHEET_HEIGHT, SHEET_WIDTH } from '../../samples/sheet.js';
import { defineScene } from '../../scene.js';
import { outlineOf, segmentsAt } from '../../site-outlines.js';
import { sheetSvg } from '../../site-svg.js';
import { addShape, gripsOf, type PlanePoint, type Sketch } from '../../sketch.js';
import { sketchPen } from '../../sketch-pen.js';

/** Lines of equal distance from one edge of the sheet to the other. */
const CONTOURS = 40;
/** Beyond these shapes grips would cover the picture. */
const MAX_GRIPPED = 60;

const SHEET_BOX = [0, 0, SHEET_WIDTH, SHEET_HEIGHT] as const;

export default defineScene({
  title: 'Voronoi painter',
  chapter: 'Voronoi',
  rank: 1,
  flat: true,
  summary:
    'Every place has the color of the site it is nearest to. Draw points, lines, curves, polygons and circles, drag them or their corners, or drop an SVG file; regions, distances and the graph of their boundaries follow at once.',
  controls: {
    tool: {
      kind: 'choice',
      label: 'Tool',
      buttons: true,
      options: [
        { value: 'move', label: 'Move' },
        { value: 'point', label: 'Point' },
        { value: 'line', label: 'Line' },
        { value: 'curve', label: 'Curve' },
        { value: 'freehand', label: 'Freehand' },
        { value: 'polygon', label: 'Polygon' },
        { value: 'circle', label: 'Circle' },
        { value: 'delete', label: 'Delete' },
      ],
    },
    sketch: { kind: 'sketch', label: 'Sites', initial: firstSketch },
    file: { kind: 'file', label: 'Import an SVG drawing…', accept: '.svg' },
    shows: {
      kind: 'choice',
      label: 'Colors show',
      options: [
        { value: 'regions', label: 'Regions' },
        { value: 'distances', label: 'Distances' },
      ],
    },
    graph: { kind: 'checkbox', label: 'Graph of the boundaries', initial: true },
    contours: { kind: 'checkbox', label: 'Lines of equal distance', initial: true },
    resolution: {
      kind: 'slider',
      label: 'Resolution',
      hint: 'samples along the longer side',
      min: 64,
      max: 2048,
      step: 64,
      initial: 640,
    },
    gpu: {
      kind: 'checkbox',
      label: 'On the GPU',
      hint: 'the image in single precision, if the browser has WebGPU',
      initial: false,
    },
    png: {
      kind: 'button',
      label: 'Save PNG',
      press: async ({ values, run, save }) =>
        save('voronoi.png', await run('paintPng', { sketch: values.sketch, resolution: values.resolution })),
    },
    svg: {
      kind: 'button',
      label: 'Save SVG',
      press: async ({ values, run, save }) => {
        const { graph } = await run('graphVoronoi', { sketch: values.sketch });
        const chains = graph.edges.map(({ points }) => points);
        save('voronoi.svg', textBytes(sheetSvg({ sites: sitesOf(values.sketch), graph: chains })));
      },
    },
    json: {
      kind: 'button',
      label: 'Save sites as JSON',
      press: ({ values, save }) =>
        save('sites.json', textBytes(JSON.stringify({ box: SHEET_BOX, sites: sitesOf(values.sketch) }, null, 1))),
    },
    graphJson: {
      kind: 'button',
      label: 'Save graph as JSON',
      press: async ({ values, run, save }) => {
        const { graph } = await run('graphVoronoi', { sketch: values.sketch });
        save('graph.json', textBytes(JSON.stringify(graph, null, 1)));
      },
    },
  },

  follow(changed, { sketch }) {
    return changed === 'tool' && sketch.open >= 0 ? { sketch: { ...sketch, open: -1 } } : {};
  },

  code({ values: { sketch, resolution, gpu } }) {
    return paintCode({ sites: sitesOf(sketch), size: [SHEET_WIDTH, SHEET_HEIGHT], resolution, gpu });
  },

  async draw({ values, view, figures, colors, run, set }) {
    const { sketch } = values;
    const start = performance.now();
    view.frame({ min: [0, 0, 0], max: [SHEET_WIDTH, SHEET_HEIGHT, 0] });
    view.addSheet(
      [0, 0, 0],
      [0, 0, 1],
      sketchPen(values.tool, sketch, (next) => set('sketch', next)),
    );
    if (values.file !== null) {
      const { sites } = await run('importDrawing', { bytes: values.file.bytes, fileName: values.file.name });
      set('file', null);
      set('sketch', sites.reduce(addShape, sketch));
      return;
    }
    const painted = await run('paintVoronoi', { sketch, resolution: values.resolution, gpu: values.gpu });
    const found = values.graph ? await run('graphVoronoi', { sketch }) : null;
    const spacing = values.contours ? SHEET_WIDTH / CONTOURS : 0;
    view.addRegions(painted.regions, { shows: values.shows, spacing });
    if (found !== null) {
      const { edges, vertices } = found.graph;
      const lines = segmentsAt(
        edges.map(({ points }) => points),
        0,
      );
      view.addLines(lines, { color: 'graph', width: 2, onTop: true, name: 'Graph' });
      const junctions = vertices.filter(({ kind }) => kind === 'junction').flatMap(({ point }) => [...point, 0]);
      view.addPoints(Float64Array.from(junctions), { color: 'graph', size: 6, onTop: true });
    }
    drawSites(sketch);
    if (values.shows === 'distances') {
      colors('Distance', {
        id: 'scale',
        label: 'Distance to the nearest site',
        scale: 'sequential',
        low: 0,
        high: painted.regions.farthest,
      });
    }
    figures('Image', [
      { id: 'milliseconds', label: 'Time of the image', value: painted.milliseconds, unit: 'ms', decimals: 1 },
      { id: 'frame', label: 'Time of the frame', value: performance.now() - start, unit: 'ms', decimals: 1 },
      { id: 'backend', label: 'On', value: painted.backend === 'webgpu' ? 'GPU' : 'CPU' },
      { id: 'error', label: 'Error of distances', value: painted.error },
      { id: 'size', label: 'Samples along x and y', value: painted.size.join(' × ') },
      {
        id: 'farthest',
        lead: 'No place of the sheet is farther from its nearest site.',
        label: 'Largest distance',
        value: sketch.shapes.length > 0 ? painted.regions.farthest : null,
      },
    ]);
    if (found !== null) {
      const { edges, vertices } = found.graph;
      figures('Graph', [
        { id: 'milliseconds', label: 'Time of the graph', value: found.milliseconds, unit: 'ms', decimals: 1 },
        { id: 'changed', label: 'Sites updated', value: found.changed },
        { id: 'vertices', label: 'Vertices', value: vertices.length },
        { id: 'edges', label: 'Edges', value: edges.length },
        { id: 'length', label: 'Length of all edges', value: edges.reduce((sum, { length }) => sum + length, 0) },
      ]);
    }
    figures('Sites', [
      { id: 'sites', label: 'Sites', value: sketch.shapes.length },
      { id: 'elements', label: 'Points, segments and arcs', value: painted.elements },
      { id: 'hidden', label: 'Sites without a sample', value: painted.shares.filter((share) => share === 0).length },
    ]);

    function drawSites({ shapes, open }: Sketch): void {
      const chains = shapes.flatMap(({ site }) => outlineOf(site));
      const color = values.shows === 'distances' ? 'front' : 'site';
      view.addLines(segmentsAt(chains, 0), { color, width: 3, onTop: true, name: 'Sites' });
      const dots = chains.filter((chain) => chain.length === 2).flatMap(([x, y]) => [x, y, 0]);
      view.addPoints(Float64Array.from(dots), { color, size: 9, onTop: true });
      if (values.tool !== 'move' && open < 0) return;
      const gripped = shapes.length > MAX_GRIPPED ? shapes.filter(({ key }) => key === open) : shapes;
      // From the ends of a curve to the points that bend it.
      const arms = gripped.flatMap(({ site }) => (site.type === 'bezier' ? armsOf(gripsOf(site)) : []));
      view.addLines(segmentsAt(arms, 0), { color, width: 1, onTop: true });
      const grips = Float64Array.from(gripped.flatMap(({ site }) => gripsOf(site).flatMap(([x, y]) => [x, y, 0])));
      view.addPoints(grips, { color: 'site', size: 10, onTop: true });
      view.addPoints(grips.slice(), { color: 'front', size: 6, onTop: true });
    }
  },
});

function armsOf(points: readonly PlanePoint[]): number[][] {
  if (points.length < 3) return [];
  return [points.slice(0, 2).flat(), points.slice(-2).flat()];
}

function sitesOf({ shapes }: Sketch): PlaneSite[] {
  return shapes.map(({ site }) => site);
}

function textBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
