// Code for the scenes of Voronoi diagrams: sites of a sheet, the way across a floor, sites in space.
import type { PlaneSite, SpaceSite } from 'nearfield/voronoi';
import {
  commandText,
  filesOf,
  flag,
  type Imports,
  jsonText,
  listText,
  objectText,
  programText,
  READ_FILE,
  type Source,
  savedJson,
  savedSource,
  type ViewCode,
  valueText,
} from './view-code.js';

const SITES = 'sites.json';

interface PlaneView {
  readonly sites: readonly PlaneSite[];
  /** From 0, 0. */
  readonly size: readonly [number, number];
}

/** The largest distance of an image, and the graph of the boundaries. */
export function paintCode({
  sites,
  size,
  resolution,
  gpu,
}: PlaneView & { resolution: number; gpu: boolean }): ViewCode {
  const box = [0, 0, ...size];
  return {
    typescript: programText(
      [READ_FILE, { 'nearfield/voronoi': ['computeVoronoiGraph', 'computeVoronoiSync'] }],
      [
        ...(gpu ? ['// The page paints it on the GPU in single precision; this is the CPU, in double precision.'] : []),
        `const { box, sites } = ${jsonText(SITES)};`,
        `const { distances } = computeVoronoiSync(sites, { box, resolution: ${resolution} });`,
        'console.log(distances.reduce((most, distance) => Math.max(most, distance), 0));',
        "const { edges, vertices } = computeVoronoiGraph(sites, { box, between: 'sites' });",
        'console.log(edges.length, vertices.length);',
      ],
    ),
    command: commandText(
      [],
      `nearfield voronoi ${SITES} ${flag('resolution', resolution)} --graph graph.svg --picture voronoi.png`,
    ),
    files: [savedJson(SITES, () => ({ box, sites }))],
  };
}

export interface WayView extends PlaneView {
  readonly start: readonly [number, number];
  readonly goal: readonly [number, number];
  readonly by: string;
  readonly radius: number;
}

export function wayCode({ sites, size, start, goal, by, radius }: WayView): ViewCode {
  const options = objectText({ by, minClearance: radius });
  return {
    typescript: programText(
      [READ_FILE, { 'nearfield/voronoi': ['LiveVoronoi', 'findGraphPath'] }],
      [
        `const { box, sites } = ${jsonText(SITES)};`,
        '// Moved sites are replaced in it: live.replace(index, site).',
        "const live = new LiveVoronoi(sites, { box, between: 'sites' });",
        `const way = findGraphPath(live.graph, sites, ${listText(start)}, ${listText(goal)}, ${options});`,
        'console.log(way.status, way.leastClearance, way.length);',
      ],
    ),
    command: {
      because: 'The command has no verb for the way; nearfield voronoi writes the graph that it follows (--graph).',
    },
    files: [savedJson(SITES, () => ({ box: [0, 0, ...size], sites }))],
  };
}

export interface SpaceView {
  readonly sites: readonly SpaceSite[];
  readonly box: { readonly min: readonly number[]; readonly max: readonly number[] };
  /** Null without one. */
  readonly slice: {
    readonly origin: readonly number[];
    readonly spacing: number;
    readonly size: readonly number[];
  } | null;
  /** Of the boundaries; null without them. */
  readonly resolution: number | null;
}

export function spaceCode({ sites, box, slice, resolution }: SpaceView): ViewCode {
  const sources: Source[] = [];
  const texts = sites.map((site, i) => {
    if (site.type !== 'mesh') return valueText(site);
    const source = savedSource(`site-${i + 1}`, site.mesh);
    sources.push(source);
    return `{ type: 'mesh', mesh: ${source.expression} }`;
  });
  const imports: Imports = {
    ...(resolution !== null && { 'nearfield/core': ['type Box'] }),
    'nearfield/voronoi': [
      'type SpaceSite',
      ...(slice === null ? [] : ['computeSpaceVoronoiSync']),
      ...(resolution === null ? [] : ['computeSpaceGraph', 'computeSpaceSheets']),
    ],
  };
  return {
    typescript: programText(
      [imports, ...sources.map((source) => source.imports)],
      [
        'const sites: SpaceSite[] = [',
        ...texts.map((text) => `  ${text},`),
        '];',
        ...(slice === null
          ? []
          : [
              `const { distances } = computeSpaceVoronoiSync(sites, { frame: ${objectText(slice)} });`,
              'console.log(distances.reduce((most, distance) => Math.max(most, distance), 0));',
            ]),
        ...(resolution === null
          ? []
          : [
              `const box: Box = ${objectText(box)};`,
              `const { sheets } = computeSpaceSheets(sites, { box, resolution: ${resolution} });`,
              `const { edges } = computeSpaceGraph(sites, { box, resolution: ${resolution} });`,
              'console.log(sheets.length, edges.length);',
            ]),
        ...(slice === null && resolution === null ? ['console.log(sites.length);'] : []),
      ],
    ),
    command: { because: 'The command has no verb for Voronoi diagrams in space.' },
    files: filesOf(sources),
  };
}
