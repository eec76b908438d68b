import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, partOfProgress } from '../../core/progress.js';
import { BACKENDS } from '../../gpu/choose-backend.js';
import { writeNpy } from '../../io/array/npy.js';
import { writePng } from '../../io/image/write-png.js';
import { VORONOI_DEFAULTS } from '../../voronoi/defaults.js';
import { computeVoronoiGraph } from '../../voronoi/graph/compute-voronoi-graph.js';
import type { VoronoiGraph } from '../../voronoi/graph/voronoi-graph.js';
import { computeVoronoi } from '../../voronoi/image/compute-voronoi.js';
import { MAX_RESOLUTION } from '../../voronoi/image/image-frame.js';
import type { VoronoiImage } from '../../voronoi/image/voronoi-image.js';
import type { PlaneSite } from '../../voronoi/sites/plane-site.js';
import { acquireDevice, BACKEND_HELP, BACKEND_OPTION, describeBackend } from '../acquire-device.js';
import { parseNumber, takeChoice, takeLength, takeNumber, takePositionals, takeString } from '../arguments.js';
import { assertWritable, parseOutput } from '../field/field-outputs.js';
import { extensionOf, nameFile, saveBytes } from '../load-model.js';
import { labeled, readable } from '../table.js';
import type { Answer, Verb, VerbInput } from '../verb.js';
import { assertGraphFile, writeGraph } from '../voronoi/graph-file.js';
import { loadSites } from '../voronoi/sites-file.js';
import { paintVoronoi } from '../voronoi/voronoi-picture.js';

export const voronoi: Verb = {
  name: 'voronoi',
  summary: 'finds the nearest site of every pixel: a generalized Voronoi diagram',
  usage: 'voronoi SITES.json|DRAWING.svg [--resolution N] [-o PREFIX]',
  help: `SITES.json is {"box":[x0,y0,x1,y1],"sites":[{"type":"point","at":[x,y]}, {"type":"segment","a":[x,y],"b":[x,y]},
{"type":"polygon","rings":[[[x,y],…],…]}, …]}; further types are polyline (points), circle (center, radius), arc (center,
radius, from, to in radians), bezier (points) and path (curves). Each may have weight, offset and object. The shapes of
DRAWING.svg are sites in their order. The distance to a polygon is to its boundary.
  --resolution N       pixels along the longest side of the box (default ${VORONOI_DEFAULTS.resolution}, at most ${MAX_RESOLUTION})
  --box X0,Y0,X1,Y1    the box (default: that of the file; without one, that of the sites and 5 % around them)
  --method M           exact (default): distances per pixel; mesh: distance meshes drawn with a depth test (Hoff et al. 1999)
  --error D            of mesh: how far the meshes may be from the true distances (default: half a pixel)
  --max-distance D     pixels farther from every site get the id -1 and an infinite distance (default: no limit)
  --curve-error D      how far the lines that replace Bézier curves may be from them (default: 1e-4 of the longest side)
${BACKEND_HELP};
                       (default: cpu)
  -o, --output PREFIX  write PREFIX.ids.npy, int32, and PREFIX.distance.npy, float32, [y][x], row 0 at y0
  --picture F.png      write a picture: a color for each site, boundaries dark; y up, in drawings down
  --graph F.json       write the exact graph of the boundaries in the box: vertices with clearance, edges with their
                       points, length and narrowest place; F.svg draws it

  nearfield voronoi sites.json --resolution 1024 -o diagram
  nearfield voronoi plan.svg --max-distance 2 --picture plan.png --json`,
  options: {
    resolution: { type: 'string' },
    box: { type: 'string' },
    method: { type: 'string' },
    error: { type: 'string' },
    'max-distance': { type: 'string' },
    'curve-error': { type: 'string' },
    ...BACKEND_OPTION,
    output: { type: 'string', short: 'o' },
    picture: { type: 'string' },
    graph: { type: 'string' },
  },
  async run(input) {
    const asked = takeAll(input);
    await assertWritable(
      asked.picture === null ? [] : [parseOutput(asked.picture)],
      asked.graph === null ? asked.arrays : [...asked.arrays, asked.graph],
    );
    const { sites, box, yDown, warnings } = await loadSites(asked.path, partOfProgress(input.progress, 0, 0.1));
    const { image, milliseconds, gpuName } = await sample(asked, sites, asked.box ?? box, input.progress);
    const { box: imageBox } = image;
    const graph =
      asked.graph === null
        ? null
        : nameFile(asked.path, () => computeVoronoiGraph(sites, { box: imageBox, curveError: asked.curveError }));
    const files = await saveAll(asked, image, graph, yDown);
    const found = { sites: sites.length, image, milliseconds, gpuName, graph, files };
    return {
      ...describeDiagram(found),
      warnings: [
        ...warnings.map((warning) => `${asked.path}: ${warning}`),
        ...(graph?.status === 'limit'
          ? [`${asked.path}: the graph reached its limit of cells; edges end where it was not resolved`]
          : []),
        ...(sites.length === 0 ? [`${asked.path}: the file has no sites, so every pixel has the id -1`] : []),
      ],
    };
  },
};

/** Samples the diagram on the backend that was asked for. */
async function sample(
  asked: Asked,
  sites: readonly PlaneSite[],
  box: readonly number[] | null,
  progress: ProgressOptions,
): Promise<{ image: VoronoiImage; milliseconds: number; gpuName: string | null }> {
  const device = await acquireDevice(asked.backend);
  try {
    const start = performance.now();
    const { resolution, method, error, maxDistance, curveError, backend } = asked;
    const image = await computeVoronoi(sites, {
      ...partOfProgress(progress, 0.1, 0.9),
      box: box ?? undefined,
      ...{ resolution, method, error, maxDistance, curveError, backend },
      device: device ?? undefined,
    }).catch((reason) =>
      nameFile(asked.path, () => {
        throw reason;
      }),
    );
    const milliseconds = performance.now() - start;
    return { image, milliseconds, gpuName: image.backend === 'webgpu' ? (device?.name ?? null) : null };
  } finally {
    device?.device.destroy();
  }
}

/** A sampled diagram, and what was made of it. */
interface FoundDiagram {
  /** Number of sites. */
  readonly sites: number;
  readonly image: VoronoiImage;
  readonly milliseconds: number;
  readonly gpuName: string | null;
  readonly graph: VoronoiGraph | null;
  /** The files written. */
  readonly files: readonly string[];
}

function describeDiagram({ sites, image, milliseconds, gpuName, graph, files }: FoundDiagram): Answer {
  const range = rangeOf(image);
  return {
    json: {
      sites,
      width: image.width,
      height: image.height,
      box: image.box,
      spacing: image.spacing,
      method: image.method,
      error: image.error,
      ...range,
      backend: image.backend,
      ...(image.fallback !== undefined && { fallback: image.fallback }),
      ...(gpuName !== null && { device: gpuName }),
      milliseconds,
      counters: image.counters,
      ...(graph !== null && {
        graph: {
          vertices: graph.vertices.length,
          edges: graph.edges.length,
          status: graph.status,
          error: graph.error,
        },
      }),
      files,
    },
    text: labeled([
      ['sites', readable(sites)],
      ['size', `${image.width} × ${image.height} pixels of ${image.spacing.map(readable).join(' × ')}`],
      ['box', image.box.map(readable).join(', ')],
      [
        'distance',
        range.minimum === null ? 'no site' : `${readable(range.minimum)} to ${readable(range.maximum ?? 0)}`,
      ],
      ...(range.beyond > 0 ? [['beyond', `${readable(range.beyond)} pixels have no site`] as const] : []),
      ['method', `${image.method}, on ${describeBackend(gpuName, image.fallback)}`],
      ['error', readable(image.error)],
      ['milliseconds', milliseconds.toFixed(1)],
      ...(graph === null
        ? []
        : [['graph', `${readable(graph.vertices.length)} vertices, ${readable(graph.edges.length)} edges`] as const]),
      ...(files.length > 0 ? [['files', files.join(' ')] as const] : []),
    ]),
  };
}

type Asked = ReturnType<typeof takeAll>;

function takeAll(input: VerbInput) {
  const [path] = takePositionals(input, 'voronoi', ['SITES']);
  const resolution = takeNumber(input, 'resolution', VORONOI_DEFAULTS.resolution, {
    min: 1,
    max: MAX_RESOLUTION,
    integer: true,
  });
  const method = takeChoice(input, 'method', ['exact', 'mesh']);
  const error = takePositive(input, 'error');
  if (error !== undefined && method !== 'mesh') {
    throw new NearfieldError('bad-argument', '--error is for --method mesh; add it, or leave --error out');
  }
  const picture = takeString(input, 'picture');
  if (picture !== null && (extensionOf(picture) !== 'png' || picture.includes('%d'))) {
    throw new NearfieldError('bad-argument', `${picture}: pictures are PNG images; use the extension .png`);
  }
  const graph = takeString(input, 'graph');
  if (graph !== null) assertGraphFile(graph);
  const prefix = takeString(input, 'output');
  if (prefix === '') throw new NearfieldError('bad-argument', '-o is empty; give the beginning of the file names');
  return {
    path,
    resolution,
    method,
    error,
    maxDistance: takeLength(input, 'max-distance') ?? undefined,
    curveError: takePositive(input, 'curve-error'),
    box: takeBox(input),
    backend: takeChoice(input, 'backend', ['cpu', ...BACKENDS.filter((name) => name !== 'cpu')]),
    picture,
    graph,
    arrays: prefix === null ? [] : [`${prefix}.ids.npy`, `${prefix}.distance.npy`],
  };
}

function takePositive(input: VerbInput, name: string): number | undefined {
  const value = takeLength(input, name);
  if (value === 0) throw new NearfieldError('bad-argument', `--${name} is 0; give a positive number`);
  return value ?? undefined;
}

function takeBox(input: VerbInput): number[] | null {
  const text = takeString(input, 'box');
  if (text === null) return null;
  const box = text.split(',').map((word, i) => parseNumber(word, `number ${i} of --box`));
  if (box.length === 4 && box[0] < box[2] && box[1] < box[3]) return box;
  throw new NearfieldError('bad-argument', `--box is "${text}"; give x0,y0,x1,y1 with x0 < x1 and y0 < y1`);
}

async function saveAll(
  asked: Asked,
  image: VoronoiImage,
  graph: VoronoiGraph | null,
  yDown: boolean,
): Promise<string[]> {
  const { width, height, ids, distances } = image;
  const painted = asked.picture === null ? null : await writePng(paintVoronoi(image, yDown));
  const files = [...asked.arrays];
  for (const [i, path] of files.entries()) {
    await saveBytes(path, writeNpy(i === 0 ? ids : distances, [height, width]));
  }
  if (asked.picture !== null && painted !== null) {
    await saveBytes(asked.picture, painted);
    files.push(asked.picture);
  }
  if (asked.graph !== null && graph !== null) {
    await saveBytes(asked.graph, writeGraph(graph, asked.graph, yDown));
    files.push(asked.graph);
  }
  return files;
}

/** The least and the largest distance, null if no pixel has a site, and the number of pixels without one. */
function rangeOf({ ids, distances }: VoronoiImage) {
  let minimum = Infinity;
  let maximum = -Infinity;
  let beyond = 0;
  for (let i = 0; i < ids.length; i++) {
    if (ids[i] < 0) beyond++;
    else {
      minimum = Math.min(minimum, distances[i]);
      maximum = Math.max(maximum, distances[i]);
    }
  }
  const any = beyond < ids.length;
  return { minimum: any ? minimum : null, maximum: any ? maximum : null, beyond };
}
