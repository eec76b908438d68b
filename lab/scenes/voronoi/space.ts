import { spaceCode } from '../../code/voronoi.js';
import { SITE_SETS, type SiteSet, SPACE_BOX, siteSet } from '../../samples/space-sites.js';
import { defineScene } from '../../scene.js';
import { sliceFrame } from '../../worker/space-tasks.js';

const LABELS: Readonly<Record<SiteSet, string>> = { models: 'Models', points: 'Points', rods: 'Rods' };

export default defineScene({
  title: 'Voronoi regions in space',
  chapter: 'Voronoi',
  rank: 3,
  summary:
    'Every place in the box belongs to the site it is nearest to. A slice shows the regions, sheets are the places equally far from two sites, and lines those equally far from three.',
  picture: 'sites=models&sheets=yes&slice=no&view=30,24,1.65',
  controls: {
    sites: { kind: 'choice', label: 'Sites', options: SITE_SETS.map((value) => ({ value, label: LABELS[value] })) },
    slice: { kind: 'checkbox', label: 'Slice through the regions', initial: true },
    axis: {
      kind: 'choice',
      label: 'Across',
      initial: 'z',
      options: ['x', 'y', 'z'].map((value) => ({ value, label: value })),
      visible: ({ slice }) => slice === true,
    },
    at: {
      kind: 'slider',
      label: 'Place',
      min: 0,
      max: 1,
      step: 0.01,
      initial: 0.5,
      visible: ({ slice }) => slice === true,
    },
    sheets: { kind: 'checkbox', label: 'Sheets between two regions', initial: false },
    graph: { kind: 'checkbox', label: 'Lines where three regions meet', initial: true },
    resolution: {
      kind: 'slider',
      label: 'Resolution',
      hint: 'of sheets and lines: nodes along the longest side',
      min: 12,
      max: 64,
      step: 4,
      initial: 24,
    },
  },

  code({ values }) {
    const { across: _, up: __, ...frame } = sliceFrame('xyz'.indexOf(values.axis) as 0 | 1 | 2, values.at);
    return spaceCode({
      sites: siteSet(values.sites as SiteSet),
      box: SPACE_BOX,
      slice: values.slice ? frame : null,
      resolution: values.sheets || values.graph ? values.resolution : null,
    });
  },

  async draw({ values, view, figures, run }) {
    const sites = values.sites as SiteSet;
    const { min, max } = SPACE_BOX;
    view.frame({ min: [...min], max: [...max] });
    view.addLines(boxEdges(), { color: 'edges', width: 1 });
    for (const site of siteSet(sites)) {
      if (site.type === 'mesh') view.addMesh(site.mesh, { color: 'second', shading: 'smooth' });
      if (site.type === 'point') view.addPoints(Float64Array.from(site.at), { color: 'second', size: 9 });
      if (site.type === 'segment')
        view.addLines([...toArray(site.a), ...toArray(site.b)], { color: 'second', width: 5 });
    }
    if (values.slice) {
      const axis = 'xyz'.indexOf(values.axis) as 0 | 1 | 2;
      const { regions, milliseconds } = await run('sliceSpace', { sites, axis, share: values.at });
      view.addRegions(regions, { shows: 'regions', spacing: 0.1 });
      figures('Slice', [
        { id: 'samples', label: 'Samples', value: regions.columns * regions.rows },
        {
          id: 'farthest',
          lead: 'No place of the slice is farther from its nearest site.',
          label: 'Largest distance',
          value: regions.farthest,
        },
        { id: 'milliseconds', label: 'Time', value: milliseconds, unit: 'ms', decimals: 1 },
      ]);
    }
    if (values.sheets || values.graph) {
      const found = await run('sheetsInSpace', { sites, resolution: values.resolution });
      if (values.sheets) {
        const { faceColors } = found.mesh;
        view.addMesh(found.mesh, { faceColors, opacity: 0.75, name: 'Sheets' });
      }
      if (values.graph) {
        view.addLines(found.lines, { color: 'boundary', width: 2, name: 'Equally far from three' });
        view.addPoints(found.junctions, { color: 'boundary', size: 6 });
      }
      figures('Boundaries', [
        {
          id: 'sheets',
          lead: 'Pairs of sites have a common boundary.',
          label: 'Pairs of neighbors',
          value: found.sheets,
        },
        { id: 'edges', label: 'Edges', value: found.edges },
        { id: 'vertices', label: 'Vertices equally far from four', value: found.junctions.length / 3 },
        {
          id: 'status',
          label: 'All edges followed to their ends',
          value: found.status === 'complete' ? 'yes' : 'no',
          tone: found.status === 'complete' ? 'good' : 'bad',
        },
        { id: 'sheetTime', label: 'Time of the sheets', value: found.sheetMilliseconds, unit: 'ms', decimals: 0 },
        { id: 'graphTime', label: 'Time of the graph', value: found.graphMilliseconds, unit: 'ms', decimals: 0 },
      ]);
    }
  },
});

/** The twelve edges of the box. */
function boxEdges(): Float64Array {
  const lines: number[] = [];
  const { min, max } = SPACE_BOX;
  for (let axis = 0; axis < 3; axis++) {
    for (let corner = 0; corner < 4; corner++) {
      const a = [...min];
      a[(axis + 1) % 3] = corner & 1 ? max[(axis + 1) % 3] : min[(axis + 1) % 3];
      a[(axis + 2) % 3] = corner & 2 ? max[(axis + 2) % 3] : min[(axis + 2) % 3];
      const b = [...a];
      b[axis] = max[axis];
      lines.push(...a, ...b);
    }
  }
  return Float64Array.from(lines);
}

function toArray(point: ArrayLike<number>): number[] {
  return Array.from({ length: 3 }, (_, i) => point[i]);
}
