// Voronoi diagrams in space: a slice through the regions, the sheets between them, their graph, and medial axes of solids.
import type { ProgressOptions } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import {
  computeSolidMedialAxis,
  computeSpaceGraph,
  computeSpaceSheets,
  computeSpaceVoronoiSync,
  type SolidMedialAxis,
} from 'nearfield/voronoi';
import { linearColor, linearScaleColor } from '../color-scale.js';
import { REGION_COLORS, regionColor } from '../region-colors.js';
import { type SiteSet, SPACE_BOX, siteSet } from '../samples/space-sites.js';
import type { Regions } from '../viewer/regions.js';

/** Samples along the longer side of a slice. */
const SLICE_RESOLUTION = 320;

export interface ColoredMesh extends Mesh {
  readonly faceColors: Float32Array;
}

/** The samples of a plane across an axis, and the two axes along it. */
export function sliceFrame(axis: 0 | 1 | 2, share: number) {
  const [across, up] = [0, 1, 2].filter((other) => other !== axis);
  const { min, max } = SPACE_BOX;
  const spacing = Math.max(max[across] - min[across], max[up] - min[up]) / SLICE_RESOLUTION;
  const size: [number, number, number] = [1, 1, 1];
  const origin: [number, number, number] = [...min];
  for (const other of [across, up]) {
    size[other] = Math.round((max[other] - min[other]) / spacing);
    origin[other] += spacing / 2;
  }
  origin[axis] += share * (max[axis] - min[axis]);
  return { across, up, origin, spacing, size };
}

export const spaceTasks = {
  /** The regions on a plane across an axis, at a share of the box. */
  sliceSpace(
    { sites, axis, share }: { sites: SiteSet; axis: 0 | 1 | 2; share: number },
    { signal, onProgress }: ProgressOptions,
  ): { regions: Regions; milliseconds: number } {
    const { min, max } = SPACE_BOX;
    const { across, up, ...frame } = sliceFrame(axis, share);
    const { origin, size } = frame;
    const start = performance.now();
    const { ids, distances } = computeSpaceVoronoiSync(siteSet(sites), {
      frame,
      signal,
      onProgress,
    });
    const milliseconds = performance.now() - start;
    const vector = (along: number): [number, number, number] => {
      const v: [number, number, number] = [0, 0, 0];
      v[along] = max[along] - min[along];
      return v;
    };
    const corner: [number, number, number] = [...min];
    corner[axis] = origin[axis];
    return {
      regions: {
        corner,
        across: vector(across),
        up: vector(up),
        columns: size[across],
        rows: size[up],
        colors: Uint8Array.from(ids, (id) => id % REGION_COLORS),
        distances: Float32Array.from(distances),
        farthest: distances.reduce((most, d) => Math.max(most, d), 0),
      },
      milliseconds,
    };
  },

  /** The surfaces between the regions as one mesh, and the lines where they meet. */
  sheetsInSpace(
    { sites, resolution }: { sites: SiteSet; resolution: number },
    { signal, onProgress }: ProgressOptions,
  ) {
    const list = siteSet(sites);
    const options = { box: { min: [...SPACE_BOX.min], max: [...SPACE_BOX.max] } as typeof SPACE_BOX, resolution };
    const start = performance.now();
    const { sheets } = computeSpaceSheets(list, { ...options, signal, onProgress });
    const between = performance.now();
    const graph = computeSpaceGraph(list, { ...options, signal });
    const end = performance.now();
    const positions: number[] = [];
    const indices: number[] = [];
    const colors: number[] = [];
    for (const sheet of sheets) {
      const first = positions.length / 3;
      for (const value of sheet.positions) positions.push(value);
      for (const vertex of sheet.indices) indices.push(first + vertex);
      const [a, b] = sheet.sites.map((site) => linearColor(regionColor(site % REGION_COLORS)));
      for (let i = 0; i < sheet.indices.length; i += 3) colors.push(...a.map((value, k) => (value + b[k]) / 2));
    }
    const mesh: ColoredMesh = {
      positions: Float64Array.from(positions),
      indices: Uint32Array.from(indices),
      faceColors: Float32Array.from(colors),
    };
    const lines: number[] = [];
    for (const { points } of graph.edges) {
      for (let i = 3; i < points.length; i += 3) lines.push(...points.slice(i - 3, i + 3));
    }
    const { vertices, edges, status } = graph;
    const junctions = vertices.filter(({ kind }) => kind === 'junction');
    return {
      mesh,
      lines: Float64Array.from(lines),
      junctions: Float64Array.from(junctions.flatMap(({ point }) => [...point])),
      sheets: sheets.length,
      edges: edges.length,
      status,
      leastClearance: junctions.reduce((least, { clearance }) => Math.min(least, clearance), Infinity),
      sheetMilliseconds: between - start,
      graphMilliseconds: end - between,
    };
  },

  /** The medial axis of a solid, colored by the radius of its balls. */
  solidMedialAxis(
    {
      mesh,
      resolution,
      minAngle,
      minFeature,
    }: { mesh: Mesh; resolution: number; minAngle: number; minFeature: number },
    { signal, onProgress }: ProgressOptions,
  ): { axis: SolidMedialAxis; faceColors: Float32Array; largest: number; milliseconds: number } {
    const start = performance.now();
    const axis = computeSolidMedialAxis(mesh, { resolution, minAngle, minFeature, signal, onProgress });
    const milliseconds = performance.now() - start;
    const largest = axis.radii.reduce((most, radius) => Math.max(most, radius), 0);
    const faceColors = new Float32Array(axis.indices.length);
    for (let i = 0; i < axis.indices.length; i += 3) {
      const [a, b, c] = axis.indices.subarray(i, i + 3);
      const mean = (axis.radii[a] + axis.radii[b] + axis.radii[c]) / 3;
      faceColors.set(linearScaleColor(mean / (largest || 1)), i);
    }
    return { axis, faceColors, largest, milliseconds };
  },
};
